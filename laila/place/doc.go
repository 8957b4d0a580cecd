// Package place has the passes that decide where elements are computed: at their
// use, in a nest with others, in a strip, or before, in storage. Each takes a function
// of package laila/ir that is well-formed, and leaves one that computes the same.
//
//	abreast.go                         loops that update tables, side by side
//	fuse.go contract.go                nests over one space, joined
//	values.go                          equal values in what was joined
//	faultpath.go                       arrays that only branches for faults read again
//	reshape.go                         nests over the ravel of an array, and over its axes
//	piecewise.go                       reductions of what nests make piece by piece
//	places.go                          the places that nests read and write
//	remake.go remakecost.go heads.go   elements of vectors that are computed again
//	producers.go                       elements of a matrix in the one reduction that uses them
//	streams.go streamstep.go           maps, scans, filters and reductions, a strip at a time
//	streamcode.go streamhoist.go
//	streamsearch.go streamsink.go
//	streamsums.go
//	streamshort.go                     few elements, in one loop
package place
