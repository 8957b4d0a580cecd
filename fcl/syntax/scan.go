package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/internal/diag"
)

// tokenKind is a class of tokens. Keywords and symbols are classes of their texts.
type tokenKind uint8

const (
	noToken tokenKind = iota
	tokenEnd
	tokenName
	tokenTypeVar
	tokenParam
	tokenInt
	tokenFloat
	tokenKeyword
	tokenSymbol
)

type token struct {
	kind tokenKind
	text string
	at   diag.Span
}

var keywords = map[string]bool{
	"fun": true, "sig": true, "forall": true, "let": true, "in": true, "fn": true,
	"if": true, "then": true, "else": true, "do": true, "true": true, "false": true,
	"_": true,
}

// symbols are those of several characters. The parser joins "<-" and "<<", ">>" and ">="
// from their parts, since "<" and ">" enclose levels, too.
var symbols = []string{"|>", "||", "&&", "==", "!=", "=>", "->"}

// scan splits a source into tokens, of which the last is an end.
func scan(src *diag.Source) ([]token, *diag.Error) {
	var tokens []token
	text := src.Text
	if i := invalid(text); i >= 0 {
		return nil, diag.Errorf(diag.NotText, diag.Span{Src: src, Start: i, End: i + 1}, "the source is not UTF-8")
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += size
			continue
		case strings.HasPrefix(text[i:], "--"):
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(text)
			}
			continue
		}
		kind, n := tokenAt(text[i:], r)
		at := diag.Span{Src: src, Start: i, End: i + max(n, size)}
		if kind == noToken {
			e := diag.Errorf(diag.Unreadable, at, "there is no symbol %q", r)
			e.Fix = strangers[r]
			return nil, e
		}
		tokens = append(tokens, token{kind, text[i : i+n], at})
		i += n
		if k := nameLength(text[i:]); k > 0 && (kind == tokenInt || kind == tokenFloat) {
			e := diag.Errorf(diag.Unreadable, diag.Span{Src: src, Start: at.Start, End: i + k}, "%q is no number", text[at.Start:i+k])
			e.Fix = "numbers have digits only, and the name of a type converts: float 2.0"
			return nil, e
		}
	}
	end := 0 // of what is read, which an error shows
	if n := len(tokens); n > 0 {
		end = tokens[n-1].at.End
	}
	return append(tokens, token{tokenEnd, "", diag.Span{Src: src, Start: end, End: end}}), nil
}

// strangers say how to write what other languages have symbols for.
var strangers = map[rune]string{
	'\\': "fn x => e is a function", '"': "FCL has no texts", '?': "if c then a else b is one of two values",
	'&': "&& is and; bitAnd a b joins bits", '|': "|| is or; bitOr a b joins bits", '^': "pow x y is a power; bitXor a b joins bits",
	'#': "#Name is a parameter", '→': "-> stands in types, => in functions", '×': "* multiplies", '÷': "/ divides",
}

// invalid returns where a text stops being UTF-8, or -1.
func invalid(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

// tokenAt returns the class and the length of the token that text begins with.
func tokenAt(text string, r rune) (tokenKind, int) {
	switch {
	case unicode.IsLetter(r) || r == '_':
		n := nameLength(text)
		if keywords[text[:n]] {
			return tokenKeyword, n
		}
		return tokenName, n
	case r == '⍺' || r == '⍵':
		return tokenName, utf8.RuneLen(r)
	case r == '\'' || r == '#':
		n := 1 + nameLength(text[1:])
		switch {
		case n == 1:
			return noToken, 0
		case r == '#':
			return tokenParam, n
		}
		return tokenTypeVar, n
	case '0' <= r && r <= '9':
		return numberAt(text)
	}
	for _, s := range symbols {
		if strings.HasPrefix(text, s) {
			return tokenSymbol, len(s)
		}
	}
	if strings.ContainsRune("+-*/%<>=!()[]{},;:.", r) {
		return tokenSymbol, 1
	}
	return noToken, 0
}

// nameLength returns the length of the letters, digits, underscores and quotes that
// text begins with.
func nameLength(text string) int {
	for i, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && (r != '\'' || i == 0) {
			return i
		}
	}
	return len(text)
}

// numberAt returns the class and the length of the number that text begins with.
func numberAt(text string) (tokenKind, int) {
	n := digits(text)
	kind := tokenInt
	if n+1 < len(text) && text[n] == '.' && digits(text[n+1:]) > 0 {
		kind = tokenFloat
		n += 1 + digits(text[n+1:])
	}
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		m := n + 1
		if m < len(text) && (text[m] == '-' || text[m] == '+') {
			m++
		}
		if k := digits(text[m:]); k > 0 {
			return tokenFloat, m + k
		}
	}
	return kind, n
}

func digits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}
