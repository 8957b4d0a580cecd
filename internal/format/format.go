// Package format lays out the text of programs.
//
// In goes a source, out comes the same program in one layout: docs/fmt.md says which.
// It works on tokens, of which it changes none, so that a program with faults is
// laid out, too, unless it cannot be read. Formatting twice changes nothing.
package format

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Source returns the text of a source in the layout. The error, a diag.List, is that of a
// text that cannot be read.
func Source(src *diag.Source) (string, error) {
	toks, err := apl.Tokens(src)
	if err != nil {
		return "", err
	}
	f := &formatter{src: src}
	f.lines(toks)
	f.align()
	text := f.text()
	if !same(src, toks, text) {
		return "", errors.New("internal error: the layout changes a token")
	}
	return text, nil
}

// line is a line of the output.
type line struct {
	indent  int
	code    string
	comment string // behind the code, or all of the line
	column  int    // of a comment behind code
	open    bool   // the code ends in an open bracket
	depth   int
	kept    bool // a blank line that is kept
}

// formatter lays out the lines of a source.
type formatter struct {
	src   *diag.Source
	out   []line
	stack []frame
	until int // the indentation of :Until in the line before, or -1
}

// frame is something that is open: a bracket, a control structure, a definition by ∇, or
// a namespace.
type frame struct {
	kind   frameKind
	indent int // of the line that opens it
	body   int // of the lines inside
}

type frameKind uint8

// The kinds of frames. The zero value is "unset".
const (
	noFrame frameKind = iota
	bracket
	structure
	definition
	namespace
)

// The indentation of what is inside brackets and structures, and behind ∇.
const (
	step    = 4
	delStep = 2
)

// lines lays out each line.
func (f *formatter) lines(toks []apl.Token) {
	f.until = -1
	from := 0
	for i, t := range toks {
		if t.Kind == apl.LineEndToken {
			f.line(toks[from:i])
			from = i + 1
		}
	}
	if from < len(toks) {
		f.line(toks[from:])
	}
}

// line lays out the tokens of a line.
func (f *formatter) line(toks []apl.Token) {
	if len(toks) == 0 {
		f.blank()
		return
	}
	l := line{indent: f.begin(toks), depth: len(f.stack)}
	for i, t := range toks {
		if t.Kind == apl.CommentToken {
			l.comment = strings.TrimRight(t.Text(f.src), " \t\u00a0\v\f")
			toks = toks[:i]
			break
		}
	}
	l.code = f.code(toks)
	f.follow(toks, l.indent)
	l.open = len(toks) > 0 && toks[len(toks)-1].Kind == apl.OpenToken
	f.out = append(f.out, l)
}

// blank adds a blank line, unless there is one, or nothing stands before it. The lines
// of definitions by ∇ have numbers, which stay.
func (f *formatter) blank() {
	if f.within(definition) {
		f.out = append(f.out, line{kept: true})
		return
	}
	if n := len(f.out); n > 0 && (f.out[n-1] != line{}) && !f.out[n-1].open {
		f.out = append(f.out, line{})
	}
}

// within reports whether a frame of a kind is open.
func (f *formatter) within(kind frameKind) bool {
	for _, x := range f.stack {
		if x.kind == kind {
			return true
		}
	}
	return false
}

func (f *formatter) top() frame {
	if len(f.stack) == 0 {
		return frame{}
	}
	return f.stack[len(f.stack)-1]
}

func (f *formatter) push(kind frameKind, indent, inside int) {
	f.stack = append(f.stack, frame{kind, indent, indent + inside})
}

// pop closes the innermost frame of a kind, and those inside; ok is false where there is
// none, or where a definition or a namespace stands between.
func (f *formatter) pop(kind frameKind) (x frame, ok bool) {
	for i := len(f.stack) - 1; i >= 0; i-- {
		if x = f.stack[i]; x.kind == kind {
			f.stack = f.stack[:i]
			return x, true
		}
		if x.kind >= definition {
			break
		}
	}
	return frame{}, false
}

// begin closes what the first tokens of a line close, and returns its indentation.
func (f *formatter) begin(toks []apl.Token) int {
	until := f.until
	f.until = -1
	indent := f.top().body
	if toks[0].Kind == apl.CloseToken {
		for _, t := range toks {
			if t.Kind != apl.CloseToken {
				break
			}
			if f.top().kind == bracket {
				indent = f.top().indent
				f.stack = f.stack[:len(f.stack)-1]
			}
		}
		return indent
	}
	if f.top().kind == bracket {
		return indent
	}
	word, name := f.word(toks)
	switch {
	case f.isDel(toks) && f.within(definition) && (len(toks) == 1 || toks[1].Kind == apl.CommentToken):
		if x, ok := f.pop(definition); ok {
			return x.indent
		}
	case strings.EqualFold(name, "EndNamespace"):
		if x, ok := f.pop(namespace); ok {
			return x.indent
		}
	case (word == apl.AndIf || word == apl.OrIf) && until >= 0:
		f.until = until
		return until
	case word.Closes() || word == apl.End || word == apl.Until:
		if x, ok := f.pop(structure); ok {
			if word == apl.Until {
				f.until = x.indent
			}
			return x.indent
		}
	case word.Clause() && f.top().kind == structure:
		return f.top().indent
	}
	return indent
}

// word returns the control word that tokens begin with, and its text, or "".
func (f *formatter) word(toks []apl.Token) (apl.Word, string) {
	if len(toks) < 2 || toks[0].Kind != apl.ColonToken || toks[1].Kind != apl.NameToken {
		return apl.NoWord, ""
	}
	name := toks[1].Text(f.src)
	return apl.ControlWord(name), name
}

func (f *formatter) isDel(toks []apl.Token) bool {
	return toks[0].Kind == apl.NameToken && toks[0].Text(f.src) == "∇"
}

// follow opens and closes what the tokens of a line do, but for what begin has closed.
func (f *formatter) follow(toks []apl.Token, indent int) {
	if len(toks) == 0 {
		return
	}
	leading := toks[0].Kind == apl.CloseToken
	if f.top().kind != bracket && f.isDel(toks) && len(toks) > 1 && !f.within(definition) {
		f.push(definition, indent, delStep)
	}
	first := true // a statement begins
	for i, t := range toks {
		if leading = leading && t.Kind == apl.CloseToken; leading {
			continue
		}
		switch t.Kind {
		case apl.OpenToken:
			f.push(bracket, indent, step)
		case apl.CloseToken:
			if f.top().kind == bracket {
				f.stack = f.stack[:len(f.stack)-1]
			}
		case apl.ColonToken:
			if first && f.top().kind != bracket {
				f.control(toks[i:], indent, i == 0)
			}
		}
		first = t.Kind == apl.DiamondToken || t.Kind == apl.ColonToken && i == 1 // behind a label
	}
}

// control opens or closes a structure at a control word; one that begins a line has
// closed it before.
func (f *formatter) control(toks []apl.Token, indent int, begins bool) {
	word, name := f.word(toks)
	switch {
	case strings.EqualFold(name, "Namespace"):
		f.push(namespace, indent, step)
	case word.Opens():
		f.push(structure, indent, step)
	case !begins && (word.Closes() || word == apl.End || word == apl.Until):
		f.pop(structure)
	}
}

// code returns tokens with the blanks of the layout.
func (f *formatter) code(toks []apl.Token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && f.apart(toks, i) {
			b.WriteByte(' ')
		}
		b.WriteString(strings.TrimRight(t.Text(f.src), " \t\u00a0\v\f"))
	}
	return b.String()
}

// apart reports whether there is a blank before token i.
func (f *formatter) apart(toks []apl.Token, i int) bool {
	t, p := toks[i], toks[i-1]
	had := t.Start > p.End
	switch {
	case p.Kind == apl.OpenToken || t.Kind == apl.CloseToken:
		return t.Kind == apl.DiamondToken && p.Kind == apl.DiamondToken
	case p.Kind == apl.DiamondToken, t.Kind == apl.DiamondToken, t.Kind == apl.NoteToken:
		return true
	case t.Kind == apl.SemicolonToken, p.Kind == apl.SemicolonToken, f.is(t, "←"), f.is(p, "←"):
		return false
	case p.Kind == apl.ColonToken && i == 1 && t.Kind == apl.NameToken: // a control word
		return false
	}
	return had
}

func (f *formatter) is(t apl.Token, text string) bool {
	return t.Kind == apl.GlyphToken && t.Text(f.src) == text
}

// Comments of lines that follow each other stand below each other, unless the code is
// longer than this.
const widest = 60

// align gives comments behind code their columns.
func (f *formatter) align() {
	for i := 0; i < len(f.out); {
		n, column := i, 0
		for n < len(f.out) && f.out[n].aligned() && f.out[n].depth == f.out[i].depth {
			column = max(column, f.out[n].width()+1)
			n++
		}
		for k := i; k < n; k++ {
			f.out[k].column = column
		}
		i = max(n, i+1)
	}
}

// aligned reports whether the comment of a line stands below that of others.
func (l *line) aligned() bool {
	return l.code != "" && l.comment != "" && !l.open && l.width() <= widest
}

func (l *line) width() int { return l.indent + utf8.RuneCountInString(l.code) }

// text returns the output, with the line ends of the source.
func (f *formatter) text() string {
	end := "\n"
	if i := strings.IndexByte(f.src.Text, '\n'); i > 0 && f.src.Text[i-1] == '\r' {
		end = "\r\n"
	}
	for n := len(f.out); n > 0 && f.out[n-1].code == "" && f.out[n-1].comment == ""; n-- {
		f.out = f.out[:n-1]
	}
	var b strings.Builder
	if strings.HasPrefix(f.src.Text, "\uFEFF") {
		b.WriteString("\uFEFF")
	}
	for _, l := range f.out {
		if l.code != "" || l.comment != "" {
			b.WriteString(strings.Repeat(" ", l.indent) + l.code)
		}
		if l.code != "" && l.comment != "" {
			b.WriteString(strings.Repeat(" ", max(l.column-l.width(), 1)))
		}
		b.WriteString(l.comment + end)
	}
	return b.String()
}

// same reports whether a text has the tokens of a source.
func same(src *diag.Source, toks []apl.Token, text string) bool {
	other := diag.NewSource(src.Name, text)
	made, err := apl.Tokens(other)
	if err != nil {
		return false
	}
	a, b := significant(src, toks), significant(other, made)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// significant returns the texts of tokens; lines that end, with nothing on them, count
// once.
func significant(src *diag.Source, toks []apl.Token) []string {
	var all []string
	for _, t := range toks {
		text := strings.TrimRight(t.Text(src), " \t\u00a0\v\f")
		if t.Kind == apl.LineEndToken {
			text = "\n"
			if len(all) == 0 || all[len(all)-1] == "\n" {
				continue
			}
		}
		all = append(all, text)
	}
	if n := len(all); n > 0 && all[n-1] == "\n" {
		all = all[:n-1]
	}
	return all
}
