// Package ulp holds the elementary functions of every target against references
// of higher precision. Its tests run programs that read numbers of all exponents
// from NumPy files and write what ○, *, ⍟, ! and the others make of them, and count
// how many units in the last place a result is off.
//
// TestElementary takes a sample; TAILOR_ULP=N takes N numbers a function and prints
// the tables of BENCHMARKS.md.
package ulp
