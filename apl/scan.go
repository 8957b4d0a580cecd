package apl

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/internal/diag"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	tBad       tokenKind = iota // reported by the scanner; its statement is not parsed
	tNumber                     // one number
	tString                     // 'it''s'
	tName                       // a name, ∇ ∇∇ ⍺ ⍵ ⍺⍺ ⍵⍵ included
	tSystem                     // ⎕IO
	tQuad                       // ⎕ or ⍞ alone
	tGlyph                      // a function glyph or a primitive operator
	tZilde                      // ⍬
	tArrow                      // ←
	tBranch                     // →
	tColon                      // :
	tSemicolon                  // ;
	tSeparator                  // ⋄ or a line end
	tNote                       // ⍝: and the rest of the line
	tOpen                       // ( [ {
	tClose                      // ) ] }
)

// token is a token of 16 bytes; its text is in the source.
type token struct {
	kind       tokenKind
	own        ownNames // of {: what its body mentions outside nested braces
	glyph      int16    // of tGlyph, tQuad, tOpen, tClose: the row in Glyphs
	start, end int32
	match      int32 // of brackets: the index of the other one
}

// ownNames is the set of the special names that a dfn's own body mentions.
type ownNames uint8

const (
	hasAlpha ownNames = 1 << iota
	hasLeft           // ⍺⍺
	hasRight          // ⍵⍵
	hasSelf           // ∇ or ∇∇
)

// maxErrors is the number of errors after which a source is given up.
const maxErrors = 50

// scanner turns a source into tokens.
type scanner struct {
	src  *diag.Source
	text string
	pos  int
	toks []token
	errs diag.List
}

func (s *scanner) span(start, end int) diag.Span {
	return diag.Span{Src: s.src, Start: start, End: end}
}

// fail reports an error unless there are too many, and returns it.
func (s *scanner) fail(c diag.Code, start, end int, fix, format string, args ...any) *diag.Error {
	e := diag.Errorf(c, s.span(start, end), format, args...)
	e.Fix = fix
	if len(s.errs) < maxErrors {
		s.errs = append(s.errs, e)
	}
	return e
}

func (s *scanner) emit(k tokenKind, start int, glyph int16) {
	s.toks = append(s.toks, token{kind: k, glyph: glyph, start: int32(start), end: int32(s.pos)})
}

// bad reports an error over the text since start and leaves a bad token.
func (s *scanner) bad(c diag.Code, start int, fix, format string, args ...any) {
	s.fail(c, start, s.pos, fix, format, args...)
	s.emit(tBad, start, 0)
}

// unreadable returns the error of a text that is not a source at all, or nil.
func unreadable(src *diag.Source) *diag.Error {
	text := src.Text
	if len(text) > math.MaxInt32/4 {
		return diag.Errorf(diag.AtLimit, diag.Span{Src: src}, "the source has %d bytes; at most %d can be read", len(text), math.MaxInt32/4)
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return diag.Errorf(diag.NotText, diag.Span{Src: src, Start: i, End: i + 1}, "NUL byte at offset %d: this is not APL source", i)
	}
	if utf8.ValidString(text) {
		return nil
	}
	i := 0
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	e := diag.Errorf(diag.NotText, diag.Span{Src: src, Start: i, End: i + 1}, "byte 0x%02x at offset %d is not valid UTF-8", text[i], i)
	e.Fix = "save the file as UTF-8"
	return e
}

// scan returns the tokens of a readable source.
func scan(src *diag.Source) ([]token, diag.List) {
	s := &scanner{src: src, text: src.Text, toks: make([]token, 0, len(src.Text)/3+4)}
	s.pos = len(s.text) - len(strings.TrimPrefix(s.text, "\uFEFF"))
	if strings.HasPrefix(s.text[s.pos:], "#!") {
		s.skipLine()
	}
	for s.pos < len(s.text) && len(s.errs) < maxErrors {
		s.next()
	}
	s.emit(tSeparator, s.pos, 0)
	return s.toks, s.errs
}

// skipLine moves to the end of the line.
func (s *scanner) skipLine() {
	if i := strings.IndexAny(s.text[s.pos:], "\r\n"); i >= 0 {
		s.pos += i
	} else {
		s.pos = len(s.text)
	}
}

// next scans one token or blank.
func (s *scanner) next() {
	start := s.pos
	r, n := utf8.DecodeRuneInString(s.text[s.pos:])
	s.pos += n
	switch {
	case r == ' ' || r == '\t' || r == '\u00a0' || r == '\v' || r == '\f':
	case r == '\r' || r == '\n':
		if r == '\r' && s.peek() == '\n' {
			s.pos++
		}
		s.emit(tSeparator, start, 0)
	case r >= '0' && r <= '9':
		s.pos = start
		s.number()
	case r == '.' && isDigit(s.peek()):
		s.pos = start
		s.number()
	case r == '\'':
		s.quoted(start)
	case isLetter(r) && r != 'ˉ':
		s.name()
		s.emit(tName, start, 0)
	default:
		s.sign(start, r)
	}
}

// peek returns the byte at the position, or 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsName reports whether a text is a name that a program may give a value.
func IsName(text string) bool {
	for i, r := range text {
		if !isLetter(r) && (i == 0 || (r < '0' || r > '9') && (r < 0x80 || !unicode.IsMark(r))) || r == 'ˉ' {
			return false
		}
	}
	return text != ""
}

// isLetter reports whether r may start a name.
func isLetter(r rune) bool {
	if r < 0x80 {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
	}
	return r == '∆' || r == '⍙' || unicode.IsLetter(r)
}

// name moves behind the letters, digits and combining marks at the position.
func (s *scanner) name() {
	for s.pos < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		if !isLetter(r) && !(r >= '0' && r <= '9') && !(r >= 0x80 && unicode.IsMark(r)) || r == 'ˉ' {
			return
		}
		s.pos += n
	}
}

// quoted scans a string whose opening quote is at start.
func (s *scanner) quoted(start int) {
	for {
		i := strings.IndexAny(s.text[s.pos:], "'\r\n")
		if i < 0 || s.text[s.pos+i] != '\'' {
			s.skipLine()
			s.bad(diag.OpenString, start, "write ' at its end; a quote inside is doubled: 'it''s'", "string is not closed on its line")
			return
		}
		s.pos += i + 1
		if s.peek() != '\'' {
			s.emit(tString, start, 0)
			return
		}
		s.pos++
	}
}

// sign scans what starts with a character that is not a letter or digit.
func (s *scanner) sign(start int, r rune) {
	row, ok := glyphAt[r]
	if !ok {
		s.unknown(start, r)
		return
	}
	g := &Glyphs[row]
	if g.Class != SyntaxGlyph {
		s.emit(tGlyph, start, row)
		return
	}
	switch g.Glyph {
	case "¯":
		s.highMinus(start)
	case "⍺", "⍵", "∇":
		if strings.HasPrefix(s.text[s.pos:], g.Glyph) {
			s.pos += len(g.Glyph)
		}
		s.emit(tName, start, row)
	case "⎕":
		s.quad(start, row)
	case "⍞":
		s.emit(tQuad, start, row)
	case "⍝":
		s.comment(start)
	case "⋄":
		s.emit(tSeparator, start, row)
	case "(", "[", "{":
		s.emit(tOpen, start, row)
	case ")", "]", "}":
		s.emit(tClose, start, row)
	case "⍬":
		s.emit(tZilde, start, row)
	case "←":
		s.emit(tArrow, start, row)
	case "→":
		s.emit(tBranch, start, row)
	case ":":
		s.emit(tColon, start, row)
	case ";":
		s.emit(tSemicolon, start, row)
	case "#":
		if s.peek() == '#' {
			s.pos++
		}
		s.emit(tName, start, row)
	default:
		panic("internal error: apl: glyph " + g.Glyph + " has no token")
	}
}

// unknown reports a character that is in no table.
func (s *scanner) unknown(start int, r rune) {
	switch r {
	case '"':
		if i := strings.IndexAny(s.text[s.pos:], "\"\r\n"); i >= 0 && s.text[s.pos+i] == '"' {
			s.pos += i + 1
		} else {
			s.skipLine()
		}
		s.bad(diag.OpenString, start, "write '…'; a quote inside is doubled: 'it''s'", "strings are written in single quotes")
	case '‘', '’', '‚', '′', '`', '´':
		s.bad(diag.OpenString, start, "write ' for a quote", "%q is not a quote", r)
	case '“', '”', '„':
		s.bad(diag.OpenString, start, "write '…' with the quote '", "%q is not a quote", r)
	default:
		s.bad(diag.Unreadable, start, "", "character %q (U+%04X) is not in APL", r, r)
	}
}

// highMinus scans the number behind ¯.
func (s *scanner) highMinus(start int) {
	c := s.peek()
	if isDigit(c) || c == '.' && s.digitAt(1) {
		s.pos = start
		s.number()
		return
	}
	s.bad(diag.MalformedNumber, start, "write - for the function negate", "no number behind ¯")
}

// quad scans ⎕ or a system name.
func (s *scanner) quad(start int, row int16) {
	if r, _ := utf8.DecodeRuneInString(s.text[s.pos:]); isLetter(r) && r != '_' {
		s.name()
		s.emit(tSystem, start, row)
		return
	}
	s.emit(tQuad, start, row)
}

// comment skips a comment; an annotation becomes a token.
func (s *scanner) comment(start int) {
	note := s.peek() == ':'
	s.skipLine()
	if note {
		s.emit(tNote, start, 0)
	}
}
