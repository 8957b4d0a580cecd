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
//	place      where elements are computed: fusion, contraction, strips
//	memory     where arrays are stored
//	timetiles  steps of stencils on tiles of rows
//	loop       the order, the number and the width of iterations
//	arith      cheaper operations for the same numbers
//	idiom      algorithms for what loops say in many words
//
// This package makes the loops. File by file:
//
//	lower.go passes.go        options, the lowering, the table of passes
//	build.go pull.go push.go  the state of the lowering, delayed arrays, selections
//	materialise.go sizes.go   arrays that are stored, their extents
//
// TAIL to loops:
//
//	elementwise.go scalar.go math.go complex.go           functions of scalars
//	branch.go loops.go calls.go                           control flow, functions
//	structural.go catenate.go takedrop.go gather.go       shapes, selections, indices
//	cells.go collect.go expect.go extend.go   cells, results of functions
//	reduce.go reducewindows.go scan.go                    reductions and scans
//	inner.go product.go terms.go strides.go               inner products
//	ordered*.go                                           sums in the order of num.Ordered
//	library.go draws.go digits.go chars.go tolerance.go   the run-time, numbers, texts
//
// What is known while loops are made:
//
//	overflow.go                                           doubles that overflow
//	knowledge.go inductive.go                             guards; extents by induction
//	counts.go light.go                                    numbers of elements; prices
//	environment.go                                        values of variables of TAIL
//
// Passes that act while loops are made:
//
//	stencil.go neighbours.go    elements for several uses, or of small windows
//	rotate.go handover.go                  arrays exchanged; owned arguments
//	nest.go pieces.go                      index sets that are split
//	counted.go steps.go stepcounts.go      loops over ranges, counters
//	unroll.go windows.go                   short axes, sliding sums
//	tile.go block.go panels.go thin.go     tiles of inner products, in caches and registers
//	pointwise.go pointgroups.go            steps of ⍣ on groups of elements
//	versions.go first.go matches.go        speculation, early answers
//	nearest*.go onehot.go longest.go       nearest points, groups, runs
//	filter.go find.go marks.go network.go order.go position.go tabled.go   searches and sorting
//	defer*.go                              updates of matrices, queued
package laila
