// Package native calls functions of compiled programs inside this process.
//
// In goes the path of a shared object, which package driver makes of a typed program
// whose tail.Program has an Entry, and the lowered entry; out comes a Function, which is
// called with arrays in memory. Arguments are not copied: the run-time's elements are
// laid out as those of value.Array are (bool a byte, int and double 8 bytes, complex two
// doubles, char 4 bytes, row-major), and compiled functions do not write to them. Results are copied into memory of Go and freed; integers that the
// compiled function stores in fewer bytes are widened.
//
// A call is one C call with a pointer to words, see cgen's entry.go. Faults do not end the process:
// Apply reports that there was one, and the caller finds out elsewhere which, by
// evaluating or interpreting the same call.
//
// A shared object has its own copy of the run-time library, with its own state, and is
// never unloaded. Functions are called by one goroutine at a time.
//
// Shared objects are loaded by purego, so that Tailor needs no cgo. Where purego has no
// dynamic loader Load returns an error, and nothing else changes.
package native
