// Package shape lowers the functions of shapes and of places to loops: what gives
// elements of its arguments in another shape or order.
//
//	structural.go  shapes, reshape, reversal, rotation, transposition
//	catenate.go    vectors and matrices after each other
//	takedrop.go    take and drop
//	gather.go      indexing, and selections that are replaced
//	endpoints.go   indices that are in range where the first and the last one are
//	replace.go     runs of neighbours that are replaced where elements are used
//	push.go        what truth values or counts select, where the ones are
//	versions.go    bodies of loops that go on in two versions behind a reshape
package shape
