// Package ir is the language of loops: package laila makes programs in it and
// rewrites them, packages cgen and clgen translate them to C and to OpenCL.
//
// # Meaning
//
// A program is a list of functions; a function is a list of statements over
// mutable scalars (Var) and buffers (Buf). Expressions have no effects and cannot
// fail: every fault is an explicit Fail statement, and integer arithmetic in
// expressions wraps (two's complement); where an overflow must be seen there is a
// Checked statement. Loads and stores are always in bounds. Integer division
// (OpQuo, OpRem) has a positive divisor. Indices and extents have kind I64.
//
// A Nest is a parallel nest, kept until a backend chooses loops or kernels:
// segmap, segred, segscan and scatter over an iteration space with a scalar
// body. For is a sequential loop.
//
// # Ownership
//
// Expressions are shared: no function changes one in place. Statements are not:
// functions that replace the expressions of a statement write to it, and Cloner
// copies statements before a second use.
//
// # Files
//
//	ir.go         kinds, expressions, statements, programs
//	launch.go     kernels and devices, of programs with launches
//	runtime.go    the table of run-time functions
//	make.go       constructors of nodes as they stand
//	constants.go  constants, and what they are
//	fold.go       constructors that fold constants
//	same.go       equality of expressions
//	walk.go       traversal of blocks, statements and expressions
//	query.go      what expressions and blocks mention
//	rewrite.go    substitution in expressions and statements
//	clone.go      copies of statements with variables of their own
//	ordered.go    reductions whose order matters
//	searches.go   calls that look elements up
//	stats.go      counts of nests, loops and allocations
//	text.go       the text form, written
//	parse*.go     the text form, read
//	check*.go     well-formedness
package ir
