// Package updates queues updates of a matrix by the products of a row and a column, and
// applies several of them in one pass over the matrix (rank-k updates). It is a pass over
// loops.
//
//	defer.go deferlines.go deferparts.go  loops that update a matrix, what they read of it
//	defercode.go deferflush.go            the queue, and how it is applied
//	defercolumn.go                        columns that are held apart
package updates
