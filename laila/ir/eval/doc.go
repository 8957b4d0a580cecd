// Package eval executes loop programs (package laila/ir) in Go: it is the meaning of
// loops, as package tail/eval is that of TAIL, and the host of OpenCL programs.
//
// In: a well-formed program. Compile makes closures of its functions, which Run
// calls in a World: what the program prints goes to World.Stdout, and a fault is a
// *diag.Error with RunTime set. Points of a nest run in order, one after the other.
//
// A device takes part by two interfaces: Hooks say which statements it executes, and
// Far copies arrays between its memory and the host's. Package clgen has both.
//
//	machine.go   programs, runs, frames
//	overflow.go  doubles that overflow
//	storage.go   arrays, their elements
//	stmt.go      statements, calls of functions of the program
//	ordered.go   reductions in the order of num.Ordered
//	expr.go      expressions of integers and doubles
//	complex.go   those of complex numbers
//	math.go      functions of the run-time's math header
//	runtime.go   functions of the run-time library, which package tail/eval computes
package eval
