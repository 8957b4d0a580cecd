// Package loop has the passes that change the order, the number or the width of
// iterations. Each takes a function of package laila/ir, or a block of it, that is
// well-formed, and leaves one that computes the same; package laila runs them.
//
//	apart.go apartemit.go             independent iterations, side by side
//	apartplaces.go apartproof.go      the places they read and write, and the proof
//	indexsets.go clamps.go            loops that compare their index, as several
//	lanes.go lane*.go                 groups of iterations as vector code
//	ordered.go orderedterms.go        reductions in the order of num.Ordered, as loops
//	subsets.go                        their terms that no border is among
//	state.go stepscan.go narrowcopy.go  loops on copies of their state in few bits
//	indextests.go                     indices out of range, noted in the loop
//	distribute.go                     what recurrences need, in loops before them
//	lookups.go                        bytes of small tables, a strip at a time
//	turned.go                         transposed arrays, in tiles of their sources' order
//	crossings.go                      arrays read across their rows, in blocks
//	breaks.go                         early exits
package loop
