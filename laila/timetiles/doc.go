// Package timetiles runs several steps of a stencil on tiles of rows that stay in the
// caches.
//
//	timetiles.go  the loops that it takes
//	rows.go       which rows a step needs of the step before
//	emit.go       the loops over tiles
package timetiles
