package tail

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/tailor-lang/tailor/array"
)

func LitText(a *array.Array) string {
	switch {
	case a.Elem == array.Char && a.Rank() == 1:
		return "'" + charsText(a.Chars, '\'') + "'"
	case a.Elem == array.Char && a.Rank() == 0:
		return `"` + charsText(a.Chars, '"') + `"`
	case a.Rank() == 0:
		return elemText(a, 0)
	}
	var b strings.Builder
	open, end := "[", "]"
	if a.Rank() != 1 || a.Len() == 0 {
		shape := make([]string, len(a.Shape))
		for i, n := range a.Shape {
			shape[i] = strconv.Itoa(n)
		}
		open, end = a.Elem.String()+"["+strings.Join(shape, ",")+"]{", "}"
	}
	b.WriteString(open)
	if a.Elem == array.Char {
		b.WriteString("'" + charsText(a.Chars, '\'') + "'")
	} else {
		for i := range a.Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(elemText(a, i))
		}
	}
	b.WriteString(end)
	return b.String()
}

func elemText(a *array.Array, i int) string {
	switch a.Elem {
	case array.Bool:
		if a.Bools[i] != 0 {
			return "tt"
		}
		return "ff"
	case array.Int:
		return ConstSize(a.Ints[i]).String()
	case array.Double:
		return doubleText(a.Doubles[i])
	case array.Complex:
		c := a.Complexes[i]
		return doubleText(real(c)) + "J" + doubleText(imag(c))
	}
	panic("internal error: element type is unset")
}

// doubleText writes a double, always with a point or an exponent.
func doubleText(d float64) string {
	sign := ""
	if math.Signbit(d) && d == d {
		sign, d = "¯", -d
	}
	switch {
	case math.IsInf(d, 0):
		return sign + "inf"
	case d != d:
		return "nan"
	}
	text := strings.ReplaceAll(strconv.FormatFloat(d, 'g', -1, 64), "e+", "e")
	text = strings.ReplaceAll(text, "-", "¯")
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return sign + text
}

// charsText writes characters between quotes.
func charsText(chars []rune, quote rune) string {
	var b strings.Builder
	for _, r := range chars {
		switch {
		case r == quote || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case !unicode.IsPrint(r) || r == unicode.ReplacementChar:
			fmt.Fprintf(&b, `\u{%x}`, uint32(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
