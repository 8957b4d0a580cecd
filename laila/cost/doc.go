// Package cost says what loops cost: it prices programs of package laila/ir and asks
// nobody else.
//
//	weights.go  what expressions and blocks cost
//	unroll.go   how much an unrolled axis comes to
package cost
