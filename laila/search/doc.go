// Package search lowers expressions that look for elements without computing all that
// they say: the first place of a test, nearest points, sorted vectors.
//
//	first.go find.go position.go      first places, patterns, positions
//	tabled.go matches.go longest.go   membership in few constants, matches, longest runs
//	ranged.go                         tables over the range of what is searched
//	halves.go                         places in ascending vectors by halves
//	nearest.go nearestemit.go         nearest points by approximate distances
//	itemtable.go                      tables of vectors for single elements
//	order.go network.go               grades and sorted vectors, exchanges of few elements
//	grouped.go                        elements in the order of groups
package search
