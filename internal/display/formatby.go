package display

import (
	"math"
	"strconv"

	"github.com/tailor-lang/tailor/array"
)

// FormatBy is dyadic ⍕: the numbers of a in columns of given widths with given
// numbers of decimals. by is one pair of width and decimals for all columns,
// a pair for each, or one number of decimals, with the width 0. A width of 0
// stands for what the column needs and one blank in front; fewer than 0
// decimals stand for the scaled form with so many digits. A number that is too
// long for its field becomes asterisks. It returns nil where by has neither
// length or a is of characters.
//
// Source: Dyalog's documentation, "Format (Dyadic)".
func FormatBy(by []int64, a *array.Array) *array.Array {
	shape := append([]int{}, a.Shape...)
	if len(shape) == 0 {
		shape = []int{1}
	}
	columns := shape[len(shape)-1]
	if len(by) == 1 {
		by = []int64{0, by[0]}
	}
	if a.Elem == array.Char || len(by) != 2 && len(by) != 2*columns {
		return nil
	}
	texts := make([][]byte, a.Len())
	widths, total := make([]int, columns), 0
	for i := range widths {
		k := 2 * i % len(by)
		widths[i] = fieldWidth(texts, a, i, columns, by[k], by[k+1])
		total += widths[i]
	}
	shape[len(shape)-1] = total
	var line []byte
	for i, t := range texts {
		line = appendField(line, t, widths[i%columns])
	}
	return &array.Array{Elem: array.Char, Shape: shape, Chars: runes(emit(nil, line))}
}

// fieldWidth makes the texts of a column and returns the width of its field.
func fieldWidth(texts [][]byte, a *array.Array, column, columns int, width, decimals int64) int {
	need := 0
	for i := column; i < len(texts); i += columns {
		texts[i] = appendDecimals(nil, a, i, decimals)
		need = max(need, len(texts[i]))
	}
	if width <= 0 {
		return need + 1
	}
	return int(min(width, math.MaxInt32))
}

// appendDecimals appends element i of a in ASCII.
func appendDecimals(dst []byte, a *array.Array, i int, decimals int64) []byte {
	places := int(min(max(decimals, -maxDigits), maxDigits))
	if a.Elem != array.Double && places >= 0 {
		dst = appendInt(dst, a.Int(i))
		if places > 0 {
			dst = append(dst, '.')
		}
		for range places {
			dst = append(dst, '0')
		}
		return dst
	}
	x := a.Double(i)
	switch {
	case special(x):
		return appendSpecial(dst, x).bytes
	case places >= 0:
		return strconv.AppendFloat(dst, x+0, 'f', places, 64)
	}
	text := strconv.AppendFloat(nil, x+0, 'e', -places-1, 64)
	e := len(text) - 1
	for text[e] != 'e' {
		e--
	}
	exponent, _ := strconv.Atoi(string(text[e+1:]))
	return strconv.AppendInt(append(append(dst, text[:e]...), 'E'), int64(exponent), 10)
}

// appendField appends a text right-justified.
func appendField(line, text []byte, width int) []byte {
	if len(text) > width {
		for range width {
			line = append(line, '*')
		}
		return line
	}
	return append(appendBlanks(line, width-len(text)), text...)
}
