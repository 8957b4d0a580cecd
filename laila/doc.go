// Package laila lowers TAIL to loop programs (package laila/ir) through hybrid
// pull arrays (thesis 001, section 3.4): an array is an element type, a shape and
// a way to produce elements. Composing producers fuses; storing an array is a
// decision. Bounds checks, overflow checks and faults become explicit.
//
// In: a checked program of TAIL, and what executes the loops (Options.Target).
// Out: a program of package laila/ir, well-formed as ir.Check says. The passes are
// a table (passes.go): those over loops run one after the other on the whole
// program, the others act while arrays become loops. The first ones are in packages of
// their own, which import package pass and those above it in this list, but not this
// one:
//
//	live       uses of the variables of TAIL
//	elements   what elements of arrays in TAIL are computed from
//	ir         the language of loops
//	flow       what loops define, read and write
//	affine     indices and numbers of elements, as sums
//	cost       prices
//	facts      what is known of variables, buffers and numbers
//	pass       the context of passes
//	place      where elements are computed: fusion, contraction, streams
//	memory     where arrays are stored
//	loop       the order, the number and the width of iterations
//	arith      cheaper operations for the same numbers
//	idiom      algorithms for what loops say in many words
//
// and, above these, what makes the loops:
//
//	build      delayed arrays, nests, functions of elements
//	reduce     reductions, scans, inner products
//	shape      shapes, selections, indices
//	search     places that are looked for, sorting
//	library    the run-time library, texts
//	control    functions, branches, loops, cells
//	updates    updates of a matrix, queued: a pass that writes loops anew
//
// This package puts them together:
//
//	lower.go   options, which package lowers which op
//	passes.go  the table of passes
//
// Package lowertest lowers the programs of the tests of all these packages.
package laila
