// Package num holds the scalar functions of APL whose meaning is more than a
// machine operation: tolerant comparison, floor, ceiling and residue, powers
// of integers, divisors, factorials, binomials and circular functions. The C
// run-time (cgen/rt/tailor.h and math.c) computes the same values; a test
// compares the two on special values.
//
// # Tolerance
//
// ct is ⎕CT, Tolerance by default; 0 compares exactly. Two doubles are equal
// iff (|x-y|) ≤ ⎕CT×(|x)⌈|y (Dyalog, "Comparison Tolerance"). So nothing but 0
// equals 0, and numbers of different signs differ. Infinities, which Dyalog
// does not have, equal themselves only; NaN equals nothing, and all
// comparisons with it are false except ≠.
//
//	⌊x   the integer nearest to x where x equals it, else the next below
//	⌈x   -⌊-x
//	x|y  y where x=0; 0 where y÷x equals an integer; else y-x×⌊y÷x
//	x∨y  Euclid's algorithm with that residue
//	x∧y  x×y÷x∨y, 0 where x or y is 0
//
// Integers have no tolerance. Where an integer result does not fit into 64
// bits the function's second result is false.
package num

// Tolerance is ⎕CT where the program does not set it.
const Tolerance = 1e-14
