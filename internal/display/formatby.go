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
// long for its field becomes asterisks. Doubles have 16 digits; what follows them
// is shown as _. In a column of scaled numbers the exponents stand under each
// other, with room for a sign and a digit where a width is given. It returns
// nil where by has neither length or a is of characters.
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
	fields := make([]field, a.Len())
	widths, exponents, total := make([]int, columns), make([]int, columns), 0
	for i := range widths {
		k := 2 * i % len(by)
		widths[i], exponents[i] = fieldsOf(fields, a, i, columns, by[k], by[k+1])
		total += widths[i]
	}
	shape[len(shape)-1] = total
	var line []byte
	for i, f := range fields {
		line = appendField(line, f, widths[i%columns], exponents[i%columns])
	}
	return &array.Array{Elem: array.Char, Shape: shape, Chars: runes(emit(nil, line))}
}

// field is the text of a number and the length of its exponent after the E, 0
// where there is none.
type field struct {
	text     []byte
	exponent int
}

// fieldsOf makes the fields of a column and returns their width and the room for
// their exponents.
func fieldsOf(fields []field, a *array.Array, column, columns int, width, decimals int64) (int, int) {
	need, exponent := 0, 0
	for i := column; i < len(fields); i += columns {
		f := decimalsOf(a, i, decimals)
		need = max(need, len(f.text)-f.exponent)
		exponent = max(exponent, f.exponent)
		fields[i] = f
	}
	if width <= 0 {
		return need + exponent + 1, exponent
	}
	if exponent > 0 {
		exponent = max(exponent, 2)
	}
	return int(min(width, math.MaxInt32)), exponent
}

// decimalsOf returns the field of element i of a in ASCII.
func decimalsOf(a *array.Array, i int, decimals int64) field {
	places := int(min(max(decimals, -maxDecimals), maxDecimals))
	if a.Elem != array.Double && places >= 0 && math.Abs(a.Double(i)) < exact {
		dst := appendInt(nil, a.Int(i))
		if places > 0 {
			dst = append(dst, '.')
		}
		return field{text: appendBytes(dst, '0', places)}
	}
	x := a.Double(i)
	switch {
	case special(x):
		return field{text: appendSpecial(nil, x).bytes}
	case places >= 0:
		return field{text: appendPlaces(nil, x, places)}
	}
	digits, e := rounded(x, -places)
	var dst []byte
	if x < 0 {
		dst = append(dst, '-')
	}
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	exponent := strconv.AppendInt(nil, int64(e), 10)
	return field{append(append(dst, 'E'), exponent...), len(exponent)}
}

// maxDecimals is the number of decimals that are shown at most.
const maxDecimals = 1000

// precision is the number of digits that a double has.
const precision = 16

// exact is the power of ten from which on integers have more digits than doubles.
const exact = 1e16

// rounded returns n digits of x and the exponent of the first. A half is
// rounded away from 0, and judged on the digits that x has.
func rounded(x float64, n int) ([]byte, int) {
	text := strconv.AppendFloat(nil, math.Abs(x), 'e', precision-1, 64)
	digits := append([]byte{text[0]}, text[2:precision+1]...)
	e, _ := strconv.Atoi(string(text[precision+2:]))
	if n >= precision {
		return appendBytes(digits, '_', n-precision), e
	}
	up := n >= 0 && digits[max(n, 0)] >= '5'
	digits = digits[:max(n, 0)]
	if !up {
		return digits, e
	}
	if n == 0 {
		return []byte{'1'}, e + 1
	}
	return digits, e + increment(digits)
}

// appendPlaces appends x with a number of decimals.
func appendPlaces(dst []byte, x float64, places int) []byte {
	digits, e := []byte(nil), -places-1
	if x != 0 {
		text := strconv.AppendFloat(nil, math.Abs(x), 'e', precision-1, 64)
		e, _ = strconv.Atoi(string(text[precision+2:]))
		digits, e = rounded(x, e+1+places)
	}
	if len(digits) == 0 || e < -places {
		digits = nil
	}
	if x < 0 && len(digits) > 0 {
		dst = append(dst, '-')
	}
	at := func(power int) byte {
		if k := e - power; len(digits) > 0 && k >= 0 && k < len(digits) {
			return digits[k]
		}
		return '0'
	}
	for power := max(e, 0); power >= 0; power-- {
		dst = append(dst, at(power))
	}
	if places > 0 {
		dst = append(dst, '.')
	}
	for power := -1; power >= -places; power-- {
		dst = append(dst, at(power))
	}
	return dst
}

// appendBytes appends n times a byte.
func appendBytes(dst []byte, b byte, n int) []byte {
	for range n {
		dst = append(dst, b)
	}
	return dst
}

// appendField appends a field right-justified; exponents begin in one column.
func appendField(line []byte, f field, width, exponent int) []byte {
	if len(f.text) > width {
		return appendBytes(line, '*', width)
	}
	after := 0
	if f.exponent > 0 {
		after = min(exponent-f.exponent, width-len(f.text))
	}
	line = append(appendBlanks(line, width-len(f.text)-after), f.text...)
	return appendBlanks(line, after)
}
