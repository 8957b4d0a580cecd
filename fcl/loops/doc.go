// Package loops says in FCL what kernels of a loop program (package laila/ir) compute.
//
// In: a Kernel, which holds the statements and what is known of them. Out: the text of a function of
// the arrays and numbers that the kernel reads. What the kernel stores is its result:
//
//	segmap i = 0 … n                  fun k a n0 =
//	  x = a[i]                          push<grid> (generate n0 (fn i =>
//	  b[i] = x × x                        let x = index a i in
//	                                      x * x))
//
// Variables that change are names that are bound again; conditionals and loops give the variables
// that change in them, and loops are loop and until. Arrays of a point, and those that loops store in,
// are changed by functions: changed a i x is a with another element.
//
//	kernel.go     kernels and their parameters
//	points.go     maps, and statements in order
//	library.go    uses of functions of FCL's library
//	rows.go       reductions of rows
//	block.go      statements
//	expr.go       expressions
//	layout.go     lines
//	scalars.go    functions of the run-time, written in FCL (scalars.fcl)
//
// Faults, which kernels note for the host, and overflow are not in the text. The functions of the
// run-time that FCL has no words for, as factorials, make a kernel a comment that says so.
package loops
