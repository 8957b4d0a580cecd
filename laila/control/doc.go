// Package control lowers functions, branches and loops, and functions of cells.
//
//	branch.go calls.go                branches, functions and calls
//	loops.go rotate.go inductive.go   loops over a state, arrays that are exchanged, extents by induction
//	counted.go steps.go stepcounts.go loops over ranges, counters
//	pointwise.go pointgroups.go       steps of ⍣ on groups of elements
//	cells.go collect.go               functions of cells, results that are collected
//	items.go                          vectors of different lengths, one behind the other
package control
