// Package pass has the context of passes over loops: the program, what is known of
// it, what executes it, and which passes are to run. The passes themselves are in the
// packages beside this one; package laila has the table of them.
//
//	context.go  the context, targets
//	state.go    loops with a state of arrays
package pass
