// Package affine is the algebra of indices: sums of products of variables, the linear
// memory access descriptors (LMADs) of thesis 003, chapter 3, and proofs about both. It
// takes expressions of laila/ir apart and writes them again; what is known of their
// variables is for the caller to say.
//
//	x[i×n + j]                       poly.go, read.go: the index as a Poly
//	0 + {(m:n), (n:1)}               lmad.go: where all elements are, as an index function
//	i < m, n ≥ 1                     assume.go: Assumptions
//	n×(i+1) + {(n:1)} is elsewhere   disjoint.go: Disjoint, Injective, Independent, Subset
//
// Answers (answer.go) are yes, no, or a test for run time; a yes or a no is proved. The
// files:
//
//   - poly.go: Poly, sums of products of variables, and their division
//   - read.go: Reader, expressions as Polys
//   - assume.go: what is not negative, by elimination of variables
//   - models.go: values for which assumptions hold, which refute what is not so
//   - answer.go: answers and tests
//   - lmad.go: LMADs as index functions: slices, transpositions, reshapes
//   - indexfn.go: compositions of LMADs, where one does not do
//   - set.go: LMADs as sets of addresses: normal forms, unions over loops, hulls
//   - disjoint.go: whether sets meet, and whether a loop's iterations do
package affine
