// Package facts says what is known of the numbers in a program of package laila/ir.
// A Base holds what the builder of loops and the passes note of variables and
// buffers; its methods bound expressions, and fold what the bounds decide. It changes
// no statement.
//
//	base.go     what is known of variables and buffers
//	ranges.go   ranges of integers
//	doubles.go  ranges of doubles
//	least.go    bounds from below of doubles that may be infinite
//	reals.go    doubles of a block without loops, with NaN and ¯0
//	reach.go    the growth of integers in a step of a loop
//	looks.go    operations on doubles that decide something
//	fold.go     constructors that fold what ranges decide
//	twins.go    copies of statements that keep what is known
package facts
