package data

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// value is a field's number: Int for bools and ints, Double for doubles.
type value struct {
	Int    int64
	Double float64
}

// sign steps over a sign, which may be -, + or ¯.
func sign(s string) (rest string, negative bool) {
	switch {
	case strings.HasPrefix(s, "¯"):
		return s[len("¯"):], true
	case strings.HasPrefix(s, "-"):
		return s[1:], true
	case strings.HasPrefix(s, "+"):
		return s[1:], false
	}
	return s, false
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// spelling checks that s spells a number and returns it as strconv reads it,
// and whether it has neither point nor exponent.
func spelling(s string) (text string, whole, ok bool) {
	s, negative := sign(s)
	whole = true
	if negative {
		text = "-"
	}
	n := digits(s)
	seen := n
	if n < len(s) && s[n] == '.' {
		whole = false
		more := digits(s[n+1:])
		seen += more
		n += 1 + more
	}
	if seen == 0 {
		return "", false, false
	}
	text, s = text+s[:n], s[n:]
	if s == "" {
		return text, whole, true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return "", false, false
	}
	s, negative = sign(s[1:])
	text += "e"
	if negative {
		text += "-"
	}
	return text + s, false, s != "" && digits(s) == len(s)
}

// parseField returns the element that a field spells, or what is wrong with it.
func parseField(s string, elem array.Elem) (v value, wrong string) {
	text, whole, ok := spelling(s)
	if !ok {
		return v, "is not a number"
	}
	if elem == array.Int && whole {
		i, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return v, "is too large for an int"
		}
		return value{Int: i}, ""
	}
	d, _ := strconv.ParseFloat(text, 64)
	isBool := elem == array.Bool
	switch {
	case math.IsInf(d, 0):
		return v, "is too large"
	case elem == array.Double:
		return value{Double: d}, ""
	case isBool && d != 0 && d != 1:
		return v, "is not 0 or 1"
	case d != math.RoundToEven(d):
		return v, "is not an integer"
	case !(d >= -0x1p63 && d < 0x1p63):
		return v, "is too large for an int"
	}
	return value{Int: int64(d)}, ""
}

// isBlank reports the blanks that may surround a number.
func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\r' }

// quoted is the part of a field that a message quotes: 40 bytes at most, with
// ? for control characters.
func quoted(s []byte) []byte {
	n := min(len(s), 40)
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	shown := bytes.Clone(s[:n])
	for i, c := range shown {
		if c < ' ' {
			shown[i] = '?'
		}
	}
	return shown
}

// ParseNumber returns the number that a text spells.
func ParseNumber(text []rune) (float64, error) {
	s := bytes.TrimFunc([]byte(string(text)), isBlank)
	v, wrong := parseField(string(s), array.Double)
	if wrong != "" {
		return 0, errorf(diag.NotNumber, "\"%s\" %s", quoted(s), wrong)
	}
	return v.Double, nil
}
