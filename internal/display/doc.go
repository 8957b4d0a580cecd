// Package display formats arrays as Dyalog APL's session does: what an
// expression whose value is not assigned prints, what ⎕← prints, and the
// result of monadic ⍕.
//
// In: an array of any rank and a print precision (⎕PP). Out: text in which
// every line ends with a newline, or a character array. The C run-time holds
// the same algorithm (cgen/rt/display.c); a test keeps the two equal byte for
// byte.
//
// # Numbers
//
// Booleans and ints are printed in full: Dyalog's page on ⎕PP says that ⎕PP
// is ignored for the display of integers. Dyalog keeps an integer beyond 32
// bits as a floating-point number, and all elements of a simple array alike: an
// array with such an integer prints as one of doubles, so that with ⎕PP←10
// 2*40 is 1.099511628E12 and with ⎕PP←17 it is 1099511627776. Its digits are
// those of the integer, where a double would have lost the last ones.
//
// A double is rounded to ⎕PP significant digits, and trailing zeros after the
// point are dropped. It is printed in scaled form, 1.234E¯7, if its integer
// part has more than ⎕PP digits or if it has more than five zeros after the
// point before its first digit; so with ⎕PP←10, 1234567890 and 0.000001 are
// printed as here, 1E10 and 1E¯7 in scaled form. Negative zero is 0. Dyalog
// has no infinities and no NaN; they print as ∞, ¯∞ and NaN.
//
// # Arrays
//
// A numeric vector is its numbers with one blank between them, each formatted
// on its own; a character vector is its characters. An empty vector is an
// empty line.
//
// In an array of higher rank each column, taken over all rows of all planes,
// has one format, and columns are separated by one blank. In a column of
// doubles the decimal points are aligned; integers end left of the point and
// the places that a number does not use are blank. If one number of a column
// needs the scaled form, the whole column has it, the mantissae are padded
// with zeros to the same number of digits, and the E's are aligned. In a column
// of complex numbers the real parts are padded so, and each imaginary part
// follows its J as it is. Planes
// are separated by one line of blanks, blocks of planes by two, and so on. An
// array without rows prints nothing; an array without columns prints its rows
// as empty lines.
//
// Lines longer than ⎕PW, here always 80, are folded: continuation lines are
// indented by six blanks, numbers are not split. An array of rank 2 or more
// is folded as a whole: all its lines up to the fold, then all continuations.
//
// Sources: Dyalog's documentation, "Display of Arrays", "Print Precision" and
// "Print Width"; the lines of blanks between planes are those of published
// sessions.
package display
