// Package arith has the passes that compute the same numbers with cheaper
// operations, because of what is known of them (package laila/facts): functions of
// package laila/ir, well-formed before and after.
//
//	widths.go narrowsums.go tallies.go           few bits
//	tables.go tablesapply.go                     the contents of arrays of integers, in few bytes
//	bounds.go boundsgains.go boundsteps.go       integers by all that they are set to; arrays in few bytes
//	checkedsums.go                               tests of sums, made once behind these
//	wholes.go reciprocals.go quotients.go        divisions by constants
//	factors.go                                   factors 0, 1 and ¯1 of constant arrays
//	contraction.go                               products that are added without rounding
//	parts.go partsexpr.go                        complex numbers as two doubles
//	selections.go                                choices
//	tabulate.go                                  elementary functions of few integers, once each
//	exponents.go                                 powers in short loops, one from the other
package arith
