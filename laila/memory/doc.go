// Package memory has the passes over the storage of arrays: functions of package
// laila/ir, well-formed before and after, that compute the same.
//
//	accesses.go   uses of buffers in the order of the text
//	reasons.go    why arrays are stored, and copies not left out
//	blocks.go     blocks of storage and the places that are used, as text
//	circuits.go   arrays computed where they are copied to
//	views.go      where the elements of one array are in another one
//	turns.go      and where they are turned along its axes
//	conflicts.go  uses of elements that are overwritten too early
//	handover.go   arguments given to the functions that they are computed for
//	lastuse.go    where arrays are not used any more
//	hoist.go      allocations out of loops
//	ends.go endsemit.go  arrays that grow and shrink at their ends
//	sink.go       arrays of a state exchanged in the branches that make them
//	inplace.go    the next value of an array of a loop's state over the old one
//	reuse.go      arrays in the storage of others that are not used any more
//	stack.go      small arrays in the stack frame
//	variables.go  elements of small arrays in variables
package memory
