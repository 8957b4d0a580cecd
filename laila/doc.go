// Package laila lowers TAIL to loop programs (package laila/ir) through hybrid
// pull arrays (thesis 001, section 3.4): an array is an element type, a shape and
// a way to produce elements. Composing producers fuses; storing an array is a
// decision. Bounds checks, overflow checks and faults become explicit.
//
// In: a checked program of TAIL, and what executes the loops (Options.Target).
// Out: a program of package laila/ir, well-formed as ir.Check says. The passes are
// a table (passes.go): those over loops run one after the other on the whole
// program, the others act while arrays become loops. They ask package laila/flow
// what loops define, read and write. Indices and numbers of elements are sums of package
// laila/affine. File by file:
//
//	lower.go passes.go context.go   options, the lowering, the table of passes
//	build.go pull.go push.go  the state of the lowering, delayed arrays, selections
//	materialise.go sizes.go   arrays that are stored, their extents
//
// TAIL to loops:
//
//	elementwise.go scalar.go math.go complex.go   functions of scalars
//	branch.go loops.go calls.go                           control flow, functions
//	structural.go catenate.go takedrop.go gather.go       shapes, selections, indices
//	cells.go collect.go elements.go expect.go extend.go   cells, results of functions
//	reduce.go reducewindows.go scan.go                    reductions and scans
//	inner.go product.go terms.go strides.go               inner products
//	ordered*.go                                           sums in the order of num.Ordered
//	library.go draws.go digits.go chars.go tolerance.go   the run-time, numbers, texts
//
// What is known:
//
//	overflow.go                                           doubles that overflow
//	knowledge.go inductive.go                             guards; extents by induction
//	counts.go places.go                                   numbers of elements, indices as sums
//	liveness.go lastuses.go                               last uses of variables of TAIL
//	tables*.go light.go                                   contents of tables; prices
//
// Which arrays are stored:
//
//	sharing.go stencil.go neighbours.go    elements for several uses, or of small windows
//	fuse.go contract.go horizontal.go      nests over one space, joined
//	remake*.go heads.go producers.go       elements that are computed again
//	strips.go stripcode.go behind.go       strips, and blocks behind a scan
//	hoist.go stack.go rotate.go            allocations out of loops, in the frame, exchanged
//	variables.go apartrows.go handover.go  small arrays, parts in place, owned arguments
//
// Loops:
//
//	nest.go pieces.go                      index sets that are split
//	apart.go apartemit.go apartplaces.go apartproof.go    independent iterations
//	counted.go steps.go breaks.go          loops over ranges, counters, early exits
//	unroll.go windows.go                   short axes, sliding sums
//	tile.go block.go panels.go thin.go     tiles of inner products, in caches and registers
//	lanes.go lane*.go                      groups of iterations as vector code
//	pointwise.go pointgroups.go            steps of ⍣ on groups of elements
//	timetiles.go time*.go stepbounds*.go   steps of stencils on tiles of rows
//	state.go stepscan.go narrowcopy.go     copies of a loop's state in few bits
//	versions.go indextests.go first.go matches.go         speculation, early answers
//
// Arithmetic:
//
//	widths.go narrowsums.go tallies.go masks.go           few bits
//	counters.go domains.go                                tests that cannot fail
//	quotients.go wholes.go reciprocals.go contraction.go  divisions, fused operations
//	parts.go partsexpr.go                                 complex numbers as two doubles
//	selections.go stepcounts.go extremes.go               choices, counts, comparisons
//
// Algorithms for what programs say in many words:
//
//	nearest*.go onehot.go longest.go edges.go             nearest points, groups, runs
//	filter.go find.go marks.go network.go order.go position.go tabled.go   searches and sorting
//	defer*.go                                             updates of matrices, queued
//	bit*.go                                               functions of bits as tables
package laila
