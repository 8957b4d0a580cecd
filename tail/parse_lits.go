package tail

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// maxLitCount bounds the elements of a constant in a text.
const maxLitCount = 1 << 24

// constant reads int[2,3]{1,2,3,4,5,6}.
func (t *textParser) constant() Expr {
	w := t.peekWord()
	t.accept(w)
	elem := elemByName[w]
	var shape []int
	t.expect("[")
	count := 1
	for t.bad == nil && !t.accept("]") {
		if len(shape) > 0 {
			t.expect(",")
		}
		n := t.integer()
		if n < 0 || n > maxLitCount || count*int(n) > maxLitCount {
			t.fail("%d is not an extent", n)
			return nothing
		}
		count *= int(n)
		shape = append(shape, int(n))
	}
	t.expect("{")
	all := t.elements(elem)
	if t.bad == nil && len(all) != count {
		t.fail("%d elements for shape %v", len(all), shape)
	}
	if t.bad != nil {
		return nothing
	}
	a := joinScalars(elem, append([]int{}, shape...), all)
	return NewLit(diag.Span{}, a)
}

// elements reads scalars of one element type, or a char text, up to }.
func (t *textParser) elements(elem array.Elem) []*array.Array {
	var all []*array.Array
	if t.accept("'") {
		for _, c := range t.chars('\'') {
			all = append(all, array.ScalarChar(c))
		}
		t.expect("}")
		if elem != array.Char {
			t.fail("characters in a constant of elements of type %v", elem)
		}
		return all
	}
	for t.bad == nil && !t.accept("}") {
		if len(all) > 0 {
			t.expect(",")
		}
		v, ok := t.number()
		if !ok || v.Elem != elem {
			t.fail("an element of type %v is missing", elem)
			return nil
		}
		all = append(all, v)
	}
	return all
}

// integer reads a constant integer.
func (t *textParser) integer() int64 {
	if v, ok := t.number(); ok && v.Elem == array.Int {
		return v.Ints[0]
	}
	t.fail("a number is missing")
	return 0
}

// number reads a scalar number or bool, if one comes next. A negative one
// begins with ¯, ~ or -.
func (t *textParser) number() (*array.Array, bool) {
	switch {
	case t.keyword("tt"):
		return array.ScalarBool(true), true
	case t.keyword("ff"):
		return array.ScalarBool(false), true
	}
	t.space()
	text := t.numeral()
	if text == "" {
		return nil, false
	}
	if strings.ContainsAny(text, ".eni") {
		d, err := strconv.ParseFloat(text, 64)
		if err != nil && !math.IsInf(d, 0) {
			t.fail("%q is not a number", text)
			return nil, false
		}
		if len(t.rest) > 0 && t.rest[0] == 'J' {
			return t.imaginary(d)
		}
		return array.ScalarDouble(d), true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.fail("%q is not an integer of 64 bits", text)
		return nil, false
	}
	return array.ScalarInt(n), true
}

func (t *textParser) imaginary(re float64) (*array.Array, bool) {
	t.rest = t.rest[1:]
	im, err := strconv.ParseFloat(t.numeral(), 64)
	if err != nil && !math.IsInf(im, 0) {
		t.fail("an imaginary part is missing")
		return nil, false
	}
	return &array.Array{Elem: array.Complex, Shape: []int{}, Complexes: []complex128{complex(re, im)}}, true
}

// numeral takes the characters of a number and returns them in Go's spelling,
// or "" when no number comes next.
func (t *textParser) numeral() string {
	rest := t.rest
	text := ""
	sign := func() {
		if len(rest) > 0 && strings.ContainsRune("¯~-", rest[0]) {
			text += "-"
			rest = rest[1:]
		}
	}
	sign()
	for _, special := range []string{"inf", "nan"} {
		if strings.HasPrefix(string(rest[:min(3, len(rest))]), special) && (len(rest) == 3 || !isWordRune(rest[3]) || rest[3] == 'J') {
			t.rest = rest[3:]
			return text + special
		}
	}
	start := len(rest)
	for len(rest) > 0 {
		r := rest[0]
		if r >= '0' && r <= '9' || r == '.' {
			text += string(r)
			rest = rest[1:]
			continue
		}
		if (r == 'e' || r == 'E') && len(rest) < start {
			text += "e"
			rest = rest[1:]
			sign()
			continue
		}
		break
	}
	if len(rest) == start {
		return ""
	}
	t.rest = rest
	return text
}

// chars reads characters up to the closing quote.
func (t *textParser) chars(quote rune) []rune {
	chars := []rune{}
	for len(t.rest) > 0 {
		r := t.rest[0]
		t.rest = t.rest[1:]
		switch {
		case r == quote:
			return chars
		case r == '\\':
			chars = append(chars, t.escape())
		default:
			chars = append(chars, r)
		}
	}
	t.fail("a text is not closed by %c", quote)
	return chars
}

// escape reads what follows a backslash.
func (t *textParser) escape() rune {
	if len(t.rest) == 0 {
		return '\\'
	}
	r := t.rest[0]
	t.rest = t.rest[1:]
	switch r {
	case 'n':
		return '\n'
	case 'u':
		n := 0
		for n < len(t.rest) && t.rest[n] != '}' && (n == 0 || unicode.Is(unicode.ASCII_Hex_Digit, t.rest[n])) {
			n++
		}
		if n == 0 || n == len(t.rest) || t.rest[0] != '{' || t.rest[n] != '}' {
			t.fail(`\u{…} is not closed`)
			return 0
		}
		v, err := strconv.ParseUint(string(t.rest[1:n]), 16, 32)
		if err != nil {
			t.fail("%v", err)
			return 0
		}
		t.rest = t.rest[n+1:]
		return rune(uint32(v))
	}
	return r
}
