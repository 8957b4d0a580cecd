// Package diag holds source texts, spans in them, and the one diagnostic type
// that every stage reports errors with.
package diag

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Source is one text that spans point into: a file, an -e expression, a REPL
// line, or the prelude.
type Source struct {
	Name  string // as shown in messages; "" for what was typed just now
	Text  string
	lines []int // byte offset of each line's start, made on demand
}

// NewSource returns a source of the given name and text.
func NewSource(name, text string) *Source { return &Source{Name: name, Text: text} }

// Span is a half-open range of bytes of a source. The zero Span points nowhere.
type Span struct {
	Src        *Source
	Start, End int
}

// Valid reports whether s points somewhere.
func (s Span) Valid() bool { return s.Src != nil }

// Covers reports whether t lies in s.
func (s Span) Covers(t Span) bool {
	return s.Src == t.Src && s.Start <= t.Start && t.End <= s.End
}

// Text returns the text under s.
func (s Span) Text() string {
	if s.Src == nil {
		return ""
	}
	return s.Src.Text[s.Start:s.End]
}

// Join returns the smallest span that covers both.
func (s Span) Join(t Span) Span {
	switch {
	case s.Src == nil:
		return t
	case t.Src == nil || t.Src != s.Src:
		return s
	}
	return Span{s.Src, min(s.Start, t.Start), max(s.End, t.End)}
}

func (src *Source) index() {
	if src.lines != nil {
		return
	}
	src.lines = []int{0}
	for i := 0; i < len(src.Text); i++ {
		if src.Text[i] == '\n' {
			src.lines = append(src.lines, i+1)
		}
	}
}

// Position returns the line and column of a byte offset, both from 1; columns
// count runes.
func (src *Source) Position(offset int) (line, col int) {
	src.index()
	line = sort.SearchInts(src.lines, offset+1)
	start := src.lines[line-1]
	return line, utf8.RuneCountInString(src.Text[start:offset]) + 1
}

// Line returns the text of a line, counted from 1, without its line end.
func (src *Source) Line(n int) string {
	src.index()
	start, end := src.lines[n-1], len(src.Text)
	if n < len(src.lines) {
		end = src.lines[n] - 1
	}
	return strings.TrimSuffix(src.Text[start:end], "\r")
}

// Line returns the line where s begins, 0 where it points nowhere.
func (s Span) Line() int {
	if s.Src == nil {
		return 0
	}
	line, _ := s.Src.Position(s.Start)
	return line
}

// String returns file:line:column.
func (s Span) String() string {
	if s.Src == nil {
		return "?"
	}
	line, col := s.Src.Position(s.Start)
	return fmt.Sprintf("%s:%d:%d", s.Src.Name, line, col)
}

// Lead returns what a message about s begins with: its place, or nothing where the
// source has no name.
func (s Span) Lead() string {
	if s.Src == nil || s.Src.Name == "" {
		return ""
	}
	return s.String() + ": "
}

// Kind says what sort of error a diagnostic reports. The APL kinds are named
// as APL names them.
type Kind uint8

const (
	NoKind Kind = iota
	Syntax
	Value
	Length
	Rank
	Index
	Domain
	Limit
	Type        // an annotation that does not hold, or types that do not fit
	Unsupported // correct APL that this compiler refuses
	System      // files, tools
	Space       // memory that does not suffice
)

var kindNames = [...]string{
	Syntax: "SYNTAX ERROR", Value: "VALUE ERROR", Length: "LENGTH ERROR",
	Rank: "RANK ERROR", Index: "INDEX ERROR", Domain: "DOMAIN ERROR",
	Limit: "LIMIT ERROR", Type: "TYPE ERROR", Unsupported: "NOT SUPPORTED",
	System: "SYSTEM ERROR", Space: "WS FULL",
}

func (k Kind) String() string {
	if k == NoKind || int(k) >= len(kindNames) {
		panic("diag: kind is unset")
	}
	return kindNames[k]
}

// Note adds to a diagnostic; Span may be invalid.
type Note struct {
	Span    Span
	Message string
}

// Error is a diagnostic: what is wrong, where, and what to do about it.
type Error struct {
	Code    Code
	Message string // lower case, no full stop
	Span    Span
	Also    Span // another place to underline on the same line, or invalid
	// Operands are the left and right arguments of what failed: they are underlined
	// instead of Span where both are valid.
	Operands [2]Span
	Notes    []Note
	Fix      string // what to write instead, or ""
	RunTime  bool   // raised while the program ran: exit status 1, not 2
	// Signalled reports that the program raised the error itself (⎕SIGNAL): the
	// message is the user's, Code only says the kind, and Shown that it is signalled.
	Signalled bool
}

// Errorf returns a diagnostic.
func Errorf(c Code, at Span, format string, args ...any) *Error {
	return &Error{Code: c, Span: at, Message: fmt.Sprintf(format, args...)}
}

// Kind returns the kind of the error.
func (e *Error) Kind() Kind { return e.Code.Kind() }

// Shown returns the code that users see.
func (e *Error) Shown() Code {
	if e.Signalled {
		return Signalled
	}
	return e.Code
}

// Error returns the headline: position, kind and message.
func (e *Error) Error() string {
	return e.Headline()
}

// Headline returns "file:line:col: KIND: message".
func (e *Error) Headline() string {
	text := e.Message
	if !e.Signalled {
		text = strings.ReplaceAll(text, "\n", " ") // of a dfn of several lines
	}
	head := e.Kind().String() + ": " + text
	return e.Span.Lead() + head
}

// List is several diagnostics from one run.
type List []*Error

func (l List) Error() string {
	heads := make([]string, len(l))
	for i, e := range l {
		heads[i] = e.Headline()
	}
	return strings.Join(heads, "\n")
}

// Sort puts l in the order of the source.
func (l List) Sort() {
	sort.SliceStable(l, func(i, j int) bool { return l[i].Span.Start < l[j].Span.Start })
}

// Err returns l as an error, nil when it is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// maxExcerpt is the number of runes of a source line that an excerpt shows.
const maxExcerpt = 160

// Render returns the diagnostic as users see it: headline, excerpt with
// carets, notes and fix, each line ended. The headline ends with the code, in
// compiled programs, which report faults by themselves, too.
func (e *Error) Render() string {
	return e.Headline() + " [" + e.Shown().String() + "]\n" + e.Details()
}

// Details returns what Render prints below the headline. It depends on the
// source only, so compiled code can carry it as a constant.
func (e *Error) Details() string {
	var b strings.Builder
	switch {
	case e.Span.Valid() && e.Operands[0].Valid() && e.Operands[1].Valid():
		excerpt(&b, e.Span, e.Operands[:]...)
	case e.Span.Valid():
		excerpt(&b, e.Span, e.Span, e.Also)
	}
	for _, n := range e.Notes {
		fmt.Fprintf(&b, "  note: %s%s%s\n", n.Span.Lead(), n.Message, n.Span.quoted(e.Span))
	}
	if e.Fix != "" {
		fmt.Fprintf(&b, "  help: %s\n", strings.ReplaceAll(e.Fix, "\n", " "))
	}
	return b.String()
}

// quoted returns the line that s begins on where no name says where it is, and where
// it is not that of the span shown.
func (s Span) quoted(shown Span) string {
	if s.Src == nil || s.Src.Name != "" {
		return ""
	}
	line, _ := s.Src.Position(s.Start)
	if shown.Src == s.Src {
		if other, _ := shown.Src.Position(shown.Start); other == line {
			return ""
		}
	}
	return ":  " + strings.TrimSpace(s.Src.Line(line))
}

// excerpt writes the line that s starts on, with carets under the parts of it
// that are given.
func excerpt(b *strings.Builder, s Span, under ...Span) {
	line, col := s.Src.Position(s.Start)
	text := s.Src.Line(line)
	start := s.Src.lines[line-1]
	from := 0
	if col > maxExcerpt*3/4 {
		from = min(s.Start-start, len(text))
		for range maxExcerpt/2 - 1 {
			_, n := utf8.DecodeLastRuneInString(text[:from])
			from -= n
		}
	}
	to := from
	for range maxExcerpt {
		_, n := utf8.DecodeRuneInString(text[to:])
		to += n
	}
	window := text[from:to]
	marks := []rune(strings.Repeat(" ", utf8.RuneCountInString(window)+1))
	for _, u := range under {
		if u.Valid() && u.Src == s.Src {
			underline(marks, u, window, start+from)
		}
	}
	shown := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, window)
	fmt.Fprintf(b, "%5d | %s\n", line, shown)
	fmt.Fprintf(b, "      | %s\n", strings.TrimRight(cells(window, marks), " "))
}

// cells returns the marks of the runes of a text, each as wide as its rune is
// displayed.
func cells(window string, marks []rune) string {
	var b strings.Builder
	i := 0
	for _, r := range window {
		b.WriteString(strings.Repeat(string(marks[i]), cellsOf(r)))
		i++
	}
	b.WriteString(string(marks[i:]))
	return b.String()
}

// cellsOf returns how many cells of a terminal a rune takes: none for
// combining marks, two for East Asian wide characters and emoji.
func cellsOf(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me) || r == 0x200B || r == 0x200D:
		return 0
	case r >= 0x1100 && r <= 0x115F, r >= 0x2E80 && r <= 0x303E, r >= 0x3041 && r <= 0xA4CF,
		r >= 0xAC00 && r <= 0xD7A3, r >= 0xF900 && r <= 0xFAFF, r >= 0xFE30 && r <= 0xFE6F,
		r >= 0xFF00 && r <= 0xFF60, r >= 0xFFE0 && r <= 0xFFE6, r >= 0x1F300 && r <= 0x1F64F,
		r >= 0x1F900 && r <= 0x1F9FF, r >= 0x20000 && r <= 0x3FFFD:
		return 2
	}
	return 1
}

// underline marks the part of s that lies in the window of a line that starts
// at the given offset of the source. An empty span at its end is marked, too.
func underline(marks []rune, s Span, window string, offset int) {
	first, last := s.Start-offset, max(s.End, s.Start+1)-offset
	if first > len(window) || last <= 0 {
		return
	}
	i := utf8.RuneCountInString(window[:max(first, 0)])
	n := utf8.RuneCountInString(window[max(first, 0):max(min(last, len(window)), max(first, 0))])
	for k := i; k < min(i+max(n, 1), len(marks)); k++ {
		marks[k] = '^'
	}
}

// Count writes a number of things: "1 index", "2 indices".
func Count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", more)
}
