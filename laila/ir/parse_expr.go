package ir

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner reads a line.
type scanner struct {
	rest    string
	nesting int // of the expression being read
}

func (s *scanner) space() { s.rest = strings.TrimLeft(s.rest, " ") }

func isWordRune(r rune) bool {
	return r == '_' || r == '∆' || r == '⍙' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// firstWord returns the letters and digits that a text begins with.
func firstWord(text string) string {
	for i, r := range text {
		if !isWordRune(r) {
			return text[:i]
		}
	}
	return text
}

// word reads a word, which may be empty.
func (s *scanner) word() string {
	s.space()
	word := firstWord(s.rest)
	s.rest = s.rest[len(word):]
	return word
}

// name reads a word that is not reserved.
func (s *scanner) name() string {
	word := s.word()
	if word == "" || reserved[word] || word[0] >= '0' && word[0] <= '9' {
		failText("a name is expected before %q", word+s.rest)
	}
	return word
}

// startsName reports whether a name comes next.
func (s *scanner) startsName() bool {
	s.space()
	word := firstWord(s.rest)
	return word != "" && !reserved[word]
}

// accept reads a sign or a word if it comes next.
func (s *scanner) accept(sign string) bool {
	s.space()
	if !strings.HasPrefix(s.rest, sign) {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(sign); isWordRune(first) && firstWord(s.rest) != sign {
		return false
	}
	s.rest = s.rest[len(sign):]
	return true
}

func (s *scanner) expect(sign string) {
	if !s.accept(sign) {
		failText("%s is expected before %q", sign, s.rest)
	}
}

// end expects the end of the line.
func (s *scanner) end() {
	if s.space(); s.rest != "" {
		failText("the end of the line is expected before %q", s.rest)
	}
}

// kinds are the kinds by their names.
var kinds = func() map[string]Kind {
	all := map[string]Kind{}
	for k := U8; k <= C8; k++ {
		all[k.String()] = k
	}
	return all
}()

func (s *scanner) kind() Kind {
	word := s.word()
	k := kinds[word]
	if k == NoKind {
		failText("a kind is expected before %q", word+s.rest)
	}
	return k
}

// quoted reads a text in quotes.
func (s *scanner) quoted() string {
	s.space()
	q, err := strconv.QuotedPrefix(s.rest)
	if err != nil {
		failText("a text is expected before %q", s.rest)
	}
	s.rest = s.rest[len(q):]
	text, _ := strconv.Unquote(q)
	return text
}

func (s *scanner) integer() int64 {
	n, ok := s.literal().(*Int)
	if !ok {
		failText("an integer is expected before %q", s.rest)
	}
	return n.Val
}

func (s *scanner) double() float64 {
	x, ok := s.literal().(*Float)
	if !ok {
		failText("a double is expected before %q", s.rest)
	}
	return x.Val
}

// startsLiteral reports whether a number comes next.
func (s *scanner) startsLiteral() bool {
	digits := strings.TrimPrefix(s.rest, "-")
	word := firstWord(digits)
	return word == "Inf" || word == "NaN" && digits == s.rest || digits != "" && digits[0] >= '0' && digits[0] <= '9'
}

// literal reads a number: an integer, with its kind where that is not i64, or a
// double, which has a point or an exponent.
func (s *scanner) literal() Expr {
	if s.space(); !s.startsLiteral() {
		failText("a number is expected before %q", s.rest)
	}
	sign := ""
	if strings.HasPrefix(s.rest, "-") {
		sign = "-"
		s.rest = s.rest[1:]
	}
	n := 0
	for n < len(s.rest) && isNumberByte(s.rest, n) {
		n++
	}
	text := sign + s.rest[:n]
	s.rest = s.rest[n:]
	switch word := firstWord(s.rest); {
	case word == "NaN" && n == 0:
		s.word()
		return &Float{math.NaN()}
	case word == "Inf" && n == 0:
		s.word()
		text += word
	case kinds[word] != NoKind && kinds[word].Exact():
		s.word()
		return intLiteral(text, kinds[word])
	}
	if !strings.ContainsAny(text, ".eI") {
		return intLiteral(text, I64)
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		failText("%s is no double", text)
	}
	return &Float{x}
}

// isNumberByte reports whether the byte at n belongs to a number.
func isNumberByte(text string, n int) bool {
	switch c := text[n]; c {
	case '.', 'e':
		return true
	case '+', '-':
		return n > 0 && text[n-1] == 'e'
	default:
		return c >= '0' && c <= '9'
	}
}

func intLiteral(text string, k Kind) Expr {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || wrapTo(k, n) != n {
		failText("%s is no integer of kind %s", text, k)
	}
	return &Int{n, k}
}

// list reads expressions up to a sign.
func (t *textParser) list(closing string) []Expr {
	var list []Expr
	for !t.accept(closing) {
		if len(list) > 0 {
			t.expect(",")
		}
		list = append(list, t.expr())
	}
	return list
}

// expr reads an operand, X OP Y, or COND ? THEN : ELSE, whose operands are in
// parentheses where they are operations.
func (t *textParser) expr() Expr {
	if t.nesting++; t.nesting > maxNesting {
		failText("expressions are nested too deeply")
	}
	defer func() { t.nesting-- }()
	x := t.operand()
	t.space()
	if t.accept("?") {
		y := t.operand()
		t.expect(":")
		return &Select{x, y, t.operand()}
	}
	if op := t.binary(); op != NoBinOp {
		return op.Of(x, t.operand())
	}
	return x
}

// binary reads an operation of two operands, if there is one.
func (t *textParser) binary() BinOp {
	found, longest := NoBinOp, ""
	for op, sign := range binaryNames {
		if len(sign) > len(longest) && strings.HasPrefix(t.rest, sign+" ") {
			found, longest = BinOp(op), sign
		}
	}
	t.rest = t.rest[len(longest):]
	return found
}

// operand reads an expression that needs no parentheses.
func (t *textParser) operand() Expr {
	t.space()
	if t.startsLiteral() {
		return t.literal()
	}
	if t.accept("(") {
		x := t.expr()
		t.expect(")")
		return x
	}
	for op, sign := range unaryNames {
		if sign != "" && strings.HasPrefix(t.rest, sign) {
			t.rest = t.rest[len(sign):]
			if t.nesting++; t.nesting > maxNesting {
				failText("expressions are nested too deeply")
			}
			x := t.operand()
			t.nesting--
			return UnOp(op).Of(x)
		}
	}
	return t.applied()
}

// applied reads a variable, an element, a conversion or the application of a
// function.
func (t *textParser) applied() Expr {
	name := firstWord(t.rest)
	behind := t.rest[len(name):]
	call := strings.HasPrefix(behind, "(")
	switch {
	case kinds[name] != NoKind && call:
		k := t.kind()
		t.expect("(")
		x := t.expr()
		t.expect(")")
		return &Convert{k, x}
	case call || strings.HasPrefix(behind, ":") && !strings.HasPrefix(behind, ": "):
		return t.math()
	case strings.HasPrefix(behind, "["):
		b, x := t.element()
		return b.Load(x)
	}
	return t.variable().Use()
}

// math reads FUNCTION(ARGUMENTS) or FUNCTION:KIND(ARGUMENTS).
func (t *textParser) math() Expr {
	m := &Math{Fn: t.word(), K: F64}
	if m.Fn == "" {
		failText("an expression is expected before %q", t.rest)
	}
	if t.accept(":") {
		m.K = t.kind()
	}
	t.expect("(")
	m.Args = t.list(")")
	return m
}
