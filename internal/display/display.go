package display

import (
	"io"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/array"
)

const (
	DefaultPrecision = 10 // ⎕PP
	MaxPrecision     = 34 // the largest ⎕PP
	Width            = 80 // ⎕PW
	indent           = 6  // of continuation lines
	maxDigits        = MaxPrecision + 16
	wholeDigits      = 10 // of an integer of 32 bits
)

// Format returns the display of a with print precision pp.
func Format(a *array.Array, pp int) string { return string(Append(nil, a, pp, Width)) }

// FormatBare returns what ⍞← prints: the display of a without its last line
// end, and not folded.
func FormatBare(a *array.Array, pp int) string {
	text := Append(nil, a, pp, int(^uint(0)>>1))
	return string(text[:max(0, len(text)-1)])
}

// Write writes the display of a with print precision pp to w.
func Write(w io.Writer, a *array.Array, pp int) error {
	_, err := w.Write(Append(nil, a, pp, Width))
	return err
}

// Append appends to dst the display of a with print precision pp, clamped to
// 1…MaxPrecision, folded at width pw.
func Append(dst []byte, a *array.Array, pp, pw int) []byte {
	pp = significant(a, pp)
	switch {
	case a.Elem == array.Char && a.Rank() < 2:
		return appendCharLine(dst, a.Chars, pw)
	case a.Rank() < 2:
		return appendNumberLine(dst, a, pp, pw)
	}
	return appendRows(dst, columnsOf(a, pp), pw)
}

// significant clamps pp to 1…MaxPrecision. Where all elements of a are integers of
// 32 bits, stored as doubles or not, it is enough for all their digits: ⎕PP does
// not count for integers.
func significant(a *array.Array, pp int) int {
	pp = min(max(pp, 1), MaxPrecision)
	if pp >= wholeDigits || a.Elem != array.Double || slices.ContainsFunc(a.Doubles, fractional) {
		return pp
	}
	return wholeDigits
}

// fractional reports whether x is not an integer of 32 bits.
func fractional(x float64) bool {
	return !(x >= math.MinInt32 && x <= math.MaxInt32 && x == math.Trunc(x))
}

// appendCharLine appends a character scalar or vector. A line end among the
// characters starts a new line, so folding counts from there.
func appendCharLine(dst []byte, chars []rune, pw int) []byte {
	column := 0
	for _, c := range chars {
		if column >= pw && c != '\n' {
			dst = appendBlanks(append(dst, '\n'), indent)
			column = indent
		}
		dst = utf8.AppendRune(dst, c)
		column++
		if c == '\n' || c == '\r' {
			column = 0
		}
	}
	return append(dst, '\n')
}

// appendNumberLine appends a numeric scalar or vector.
func appendNumberLine(dst []byte, a *array.Array, pp, pw int) []byte {
	var buf [3 * maxDigits]byte
	column, points := 0, likeDoubles(a)
	for i, n := 0, a.Len(); i < n; i++ {
		t := appendItem(buf[:0], a, i, pp, points)
		switch {
		case i == 0:
		case column+1+len(t) > pw:
			dst = appendBlanks(append(dst, '\n'), indent)
			column = indent
		default:
			dst = append(dst, ' ')
			column++
		}
		dst = emit(dst, t)
		column += len(t)
	}
	return append(dst, '\n')
}

// appendItem appends the ASCII text of a number that stands on its own; points
// says that it prints as a double does.
func appendItem(dst []byte, a *array.Array, i, pp int, points bool) []byte {
	switch {
	case a.Elem == array.Double:
		return appendDouble(dst, a.Doubles[i], pp).bytes
	case a.Elem == array.Complex:
		return appendComplex(dst, a.Complexes[i], pp)
	case points:
		var buf [maxDigits]byte
		return appendDecimal(dst, roundInt(buf[:], a.Ints[i], pp), pp).bytes
	}
	return appendInt(dst, a.Int(i))
}

func appendBlanks(dst []byte, n int) []byte {
	for ; n > 0; n-- {
		dst = append(dst, ' ')
	}
	return dst
}
