package apl

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// number scans one number:
//
//	number = real [("J"|"j") real]
//	real   = ["¯"] (digits ["." [digits]] | "." digits) [("E"|"e") ["¯"] digits]
func (s *scanner) number() {
	start := s.pos
	ok := s.real()
	if ok && (s.peek() == 'J' || s.peek() == 'j') {
		s.pos++
		ok = s.real()
	}
	end := s.pos
	s.name()
	for s.peek() == '.' && (strings.HasSuffix(s.text[start:s.pos], ".") || s.digitAt(1)) {
		s.pos++
		s.name()
	}
	if ok && s.pos == end {
		s.emit(tNumber, start, 0)
		return
	}
	if s.peek() == '-' && strings.ContainsAny(s.text[s.pos-1:s.pos], "eEjJ") {
		s.pos++
		s.name()
		s.bad(diag.MalformedNumber, start, "write ¯ in a number: "+strings.Replace(s.text[start:s.pos], "-", "¯", 1), "malformed number: %s", clip(s.text[start:s.pos]))
		return
	}
	fix := ""
	if ok && s.pos > end {
		fix = "put a function or a blank between " + clip(s.text[start:end]) + " and " + clip(s.text[end:s.pos])
	}
	s.bad(diag.MalformedNumber, start, fix, "malformed number: %s", clip(s.text[start:s.pos]))
}

// clip shortens a piece of source for a message.
func clip(text string) string {
	const most = 40
	text = strings.ReplaceAll(text, "\n", " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

// high moves behind a high minus, if there is one.
func (s *scanner) high() {
	for _, m := range [...]string{"¯", "‾", "ˉ"} {
		if strings.HasPrefix(s.text[s.pos:], m) {
			s.pos += len(m)
			return
		}
	}
}

// digits moves behind digits and reports whether there were any.
func (s *scanner) digits() bool {
	start := s.pos
	for isDigit(s.peek()) {
		s.pos++
	}
	return s.pos > start
}

// digitAt reports whether there is a digit n bytes behind the position.
func (s *scanner) digitAt(n int) bool { return s.pos+n < len(s.text) && isDigit(s.text[s.pos+n]) }

// real moves behind a real number and reports whether it is well-formed.
func (s *scanner) real() bool {
	s.high()
	whole := s.digits()
	if s.peek() == '.' && (whole || s.digitAt(1)) {
		s.pos++
		whole = s.digits() || whole
	}
	if !whole {
		return false
	}
	if c := s.peek(); c == 'E' || c == 'e' {
		s.pos++
		s.high()
		return s.digits()
	}
	return true
}

// value is one number. A number is an int when it is digits that 64 bits hold
// (5), or has an exponent and an integral value that 32 bits hold (1E6), as
// Dyalog's integers; with a decimal point (5., 1.0), a fraction or beyond (1E10)
// it is a double.
type value struct {
	elem   array.Elem
	i      int64
	re, im float64
}

// minus replaces the high minus and its look-alikes.
var minus = strings.NewReplacer("¯", "-", "‾", "-", "ˉ", "-")

// parseNumber returns the value of a number's text; false if it is too large.
func parseNumber(text string) (value, bool) {
	text = minus.Replace(text)
	if i := strings.IndexAny(text, "jJ"); i >= 0 {
		re, ok1 := parseReal(text[:i])
		im, ok2 := parseReal(text[i+1:])
		return value{elem: array.Complex, re: re.re, im: im.re}, ok1 && ok2
	}
	return parseReal(text)
}

// parseReal returns the value of a real number with - for ¯. Its re is set in
// any case.
func parseReal(text string) (value, bool) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value{elem: array.Int, i: i, re: float64(i)}, true
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return value{}, false
	}
	v := value{elem: array.Double, re: x}
	const limit = 1 << 31
	if strings.ContainsAny(text, "eE") && !strings.Contains(text, ".") && x == math.Trunc(x) && x >= -limit && x < limit {
		v.elem, v.i = array.Int, int64(x)
	}
	return v, true
}

// literal returns the array of a run of numbers: a scalar if there is one. The
// element type is the largest of theirs.
func literal(run []value) *array.Array {
	elem := array.Int
	for _, v := range run {
		elem = max(elem, v.elem)
	}
	var shape []int
	if len(run) != 1 {
		shape = []int{len(run)}
	}
	a := array.New(elem, shape...)
	for k, v := range run {
		switch elem {
		case array.Int:
			a.Ints[k] = v.i
		case array.Double:
			a.Doubles[k] = v.re
		case array.Complex:
			a.Complexes[k] = complex(v.re, v.im)
		}
	}
	return a
}

// unquote returns the array of a quoted string: a scalar if it is one character.
func unquote(text string) *array.Array {
	chars := []rune(strings.ReplaceAll(text[1:len(text)-1], "''", "'"))
	if len(chars) == 1 {
		return array.ScalarChar(chars[0])
	}
	return array.VectorChar(chars)
}
