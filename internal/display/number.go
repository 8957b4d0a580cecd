package display

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/array"
)

// A number's text is built in ASCII, one byte a column of the display: '-'
// stands for the high minus and 'I' for the infinity sign until emit writes
// them out.
const (
	asciiMinus    = '-'
	asciiInfinity = 'I'
)

// appendInt appends the digits of i.
func appendInt(dst []byte, i int64) []byte { return strconv.AppendInt(dst, i, 10) }

// decimal is a double rounded to at most ⎕PP significant digits:
// ±0.d₁d₂…dₙ × 10*point, without trailing zeros. Zero has the one digit 0 and
// point 1.
type decimal struct {
	negative bool
	digits   []byte
	point    int
}

// round rounds the finite double x to pp significant digits, halves of the
// binary value to even, as C's printf does. The digits are kept in buf.
func round(buf []byte, x float64, pp int) decimal {
	if x == 0 {
		return decimal{digits: append(buf[:0], '0'), point: 1}
	}
	text := strconv.AppendFloat(buf[:0], math.Abs(x), 'e', pp-1, 64)
	e := len(text) - 1
	for text[e] != 'e' {
		e--
	}
	exponent, _ := strconv.Atoi(string(text[e+1:]))
	digits := text[:e]
	if pp > 1 { // d.ddd: close the gap left by the point
		digits = append(digits[:1], digits[2:]...)
	}
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return decimal{negative: x < 0, digits: digits, point: exponent + 1}
}

// roundInt rounds i to pp significant digits, halves to even.
func roundInt(buf []byte, i int64, pp int) decimal {
	u := uint64(i)
	if i < 0 {
		u = -u
	}
	digits := strconv.AppendUint(buf[:0], u, 10)
	d := decimal{negative: i < 0, point: len(digits)}
	if len(digits) > pp {
		rest := digits[pp:]
		digits = digits[:pp]
		more := len(bytes.Trim(rest[1:], "0")) > 0
		if rest[0] > '5' || rest[0] == '5' && (more || digits[pp-1]%2 == 1) {
			d.point += increment(digits)
		}
	}
	d.digits = digits[:max(1, len(bytes.TrimRight(digits, "0")))]
	return d
}

// increment adds one to a row of digits. It returns 1 where all of them were 9
// and are 100… now, a power of ten of one digit more, else 0.
func increment(digits []byte) int {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i]++; digits[i] <= '9' {
			return 0
		}
		digits[i] = '0'
	}
	digits[0] = '1'
	return 1
}

// wide reports whether a holds an integer of more than 32 bits. Dyalog keeps
// such an integer as a floating-point number, and all elements of a simple array
// are of one kind: they print as doubles do.
func wide(a *array.Array) bool {
	return a.Elem == array.Int && slices.ContainsFunc(a.Ints, func(i int64) bool { return i != int64(int32(i)) })
}

// likeDoubles reports whether the elements of a, or their real parts, print as
// doubles do.
func likeDoubles(a *array.Array) bool {
	return a.Elem == array.Double || a.Elem == array.Complex || wide(a)
}

// roundAt rounds element i of an array that prints as doubles do, or its real
// part.
func roundAt(buf []byte, a *array.Array, i, pp int) decimal {
	switch a.Elem {
	case array.Double:
		return round(buf, a.Doubles[i], pp)
	case array.Complex:
		return round(buf, real(a.Complexes[i]), pp)
	}
	return roundInt(buf, a.Ints[i], pp)
}

// specialAt reports whether element i, or its real part, is an infinity or a
// NaN.
func specialAt(a *array.Array, i int) bool {
	switch a.Elem {
	case array.Double:
		return special(a.Doubles[i])
	case array.Complex:
		return special(real(a.Complexes[i]))
	}
	return false
}

// scaled reports whether the number is to be printed with an exponent.
func (d decimal) scaled(pp int) bool { return d.point > pp || d.point < -5 }

// text is one formatted number in its three parts: sign and integer part,
// point and decimals, and exponent.
type text struct {
	bytes      []byte
	left, frac int // lengths of the first two parts
	special    bool
}

func (t text) exp() int { return len(t.bytes) - t.left - t.frac }

// appendFixed appends d without an exponent.
func appendFixed(dst []byte, d decimal) text {
	if d.negative {
		dst = append(dst, asciiMinus)
	}
	n := len(d.digits)
	switch {
	case d.point <= 0:
		dst = append(dst, '0')
	case d.point >= n:
		dst = append(dst, d.digits...)
		for i := n; i < d.point; i++ {
			dst = append(dst, '0')
		}
	default:
		dst = append(dst, d.digits[:d.point]...)
	}
	left := len(dst)
	if d.point < n {
		dst = append(dst, '.')
		for i := d.point; i < 0; i++ {
			dst = append(dst, '0')
		}
		dst = append(dst, d.digits[max(d.point, 0):]...)
	}
	return text{bytes: dst, left: left, frac: len(dst) - left}
}

// appendScaled appends d with an exponent.
func appendScaled(dst []byte, d decimal) text {
	if d.negative {
		dst = append(dst, asciiMinus)
	}
	dst = append(dst, d.digits[0])
	left := len(dst)
	if len(d.digits) > 1 {
		dst = append(dst, '.')
		dst = append(dst, d.digits[1:]...)
	}
	frac := len(dst) - left
	dst = append(dst, 'E')
	return text{bytes: appendInt(dst, int64(d.point-1)), left: left, frac: frac}
}

// appendSpecial appends an infinity or a NaN.
func appendSpecial(dst []byte, x float64) text {
	switch {
	case math.IsNaN(x):
		dst = append(dst, "NaN"...)
	case x < 0:
		dst = append(dst, asciiMinus, asciiInfinity)
	default:
		dst = append(dst, asciiInfinity)
	}
	return text{bytes: dst, left: len(dst), special: true}
}

func special(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// appendDouble appends x in the form that its own magnitude asks for.
func appendDouble(dst []byte, x float64, pp int) text {
	if special(x) {
		return appendSpecial(dst, x)
	}
	var buf [maxDigits]byte
	return appendDecimal(dst, round(buf[:], x, pp), pp)
}

// appendDecimal appends d in the form that its own magnitude asks for.
func appendDecimal(dst []byte, d decimal, pp int) text {
	if d.scaled(pp) {
		return appendScaled(dst, d)
	}
	return appendFixed(dst, d)
}

// appendComplex appends z, as a real number if its imaginary part is zero.
func appendComplex(dst []byte, z complex128, pp int) []byte {
	return appendImaginary(appendDouble(dst, real(z), pp).bytes, z, pp)
}

// appendImaginary appends the imaginary part of z, unless that is zero.
func appendImaginary(dst []byte, z complex128, pp int) []byte {
	if imag(z) != 0 {
		dst = append(dst, 'J')
		dst = append(dst, appendDouble(nil, imag(z), pp).bytes...)
	}
	return dst
}

// emit appends a number's ASCII text in APL's characters.
func emit(dst []byte, ascii []byte) []byte {
	for _, c := range ascii {
		switch c {
		case asciiMinus:
			dst = utf8.AppendRune(dst, '¯')
		case asciiInfinity:
			dst = utf8.AppendRune(dst, '∞')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// ASCII returns the text of a number with ASCII's minus signs.
func ASCII(x float64, pp int) string { return string(appendDouble(nil, x, pp).bytes) }

// Int returns the text of an integer, all its digits.
func Int(i int64) string { return string(emit(nil, appendInt(nil, i))) }
