package display

import (
	"unicode/utf8"

	"github.com/tailor-lang/tailor/array"
)

// FormatArray is monadic ⍕: the characters of a's display without folding. A
// character array is its own result; a numeric scalar or vector gives a
// vector, and an array of higher rank an array of the same rank whose last
// axis is as long as its lines are wide.
func FormatArray(a *array.Array, pp int) *array.Array {
	pp = significant(a, pp)
	if a.Elem == array.Char {
		return a
	}
	if a.Rank() < 2 {
		return array.VectorChar(runes(appendUnfolded(nil, a, pp)))
	}
	cs := columnsOf(a, pp)
	width := cs.width(0, len(cs.format))
	shape := append([]int{}, a.Shape...)
	if cs.rows == 0 {
		width = 0
	}
	shape[len(shape)-1] = width
	chars := make([]rune, 0, cs.rows*width)
	var line []byte
	for i := 0; i < cs.rows; i++ {
		line = cs.appendRow(line[:0], i, 0, len(cs.format))
		for len(line) > 0 {
			r, n := utf8.DecodeRune(line)
			chars = append(chars, r)
			line = line[n:]
		}
	}
	return &array.Array{Elem: array.Char, Shape: shape, Chars: chars}
}

// appendUnfolded appends a numeric scalar or vector without the line end.
func appendUnfolded(dst []byte, a *array.Array, pp int) []byte {
	dst = appendNumberLine(dst, a, pp, int(^uint(0)>>1))
	return dst[:len(dst)-1]
}

func runes(b []byte) []rune { return []rune(string(b)) }
