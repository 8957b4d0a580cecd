package tail

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/internal/diag"
)

// ParseText reads a program in the text form. A text that does not begin with
// a function or with main is one expression, the program's value. Types of
// expressions are worked out; variables have the types they are written with.
func ParseText(src string) (*Program, error) {
	return parseSections(&Program{}, src)
}

// ParseSource reads a program in the text form from a source. Applications
// have their spans in it, so that faults point there; an error is a
// *diag.Error. A main expression that has a value prints it.
func ParseSource(src *diag.Source) (*Program, error) {
	if !utf8.ValidString(src.Text) || strings.Contains(src.Text, "\x00") {
		return nil, diag.Errorf(diag.NotText, diag.Span{Src: src}, "the text is not UTF-8")
	}
	p, err := parseSections(&Program{Source: src}, src.Text)
	if err != nil {
		return nil, err
	}
	if _, ok := p.Main.Type().(*Array); ok {
		print, bad := NewApply(p.Main.Span(), OpPrint, 0, nil, p.Main)
		if bad != nil {
			return nil, diag.Errorf(diag.Unreadable, p.Main.Span(), "%s", bad.Message())
		}
		v := &Var{Name: "v", Type: print.Ty}
		p.Main = &Let{Var: v, Bind: print, Body: &Tuple{}}
	}
	return p, nil
}

// parseSections reads the functions and the main expression of a text into p.
func parseSections(p *Program, src string) (*Program, error) {
	var main section
	var funcs []section
	for _, s := range sections(src) {
		switch s.head {
		case "wrap":
			p.Wrap = true
		case "exact":
			p.Exact = true
		case "tolerance":
			ct, err := strconv.ParseFloat(s.text, 64)
			if err != nil || !(ct > 0 && ct <= MaxTolerance) {
				return nil, badNumber(p.Source, s)
			}
			p.CT = ct
		case "precision":
			n, err := strconv.Atoi(s.text)
			if err != nil {
				return nil, badNumber(p.Source, s)
			}
			p.PP = n
		case "main", "":
			main = s
		case "fun":
			funcs = append(funcs, s)
		}
	}
	t := &textParser{source: p.Source, funcs: map[string]*Func{}}
	parsers := make([]*textParser, len(funcs))
	for i, s := range funcs {
		parsers[i] = t.section(s)
		if f := parsers[i].header(); f != nil {
			p.Funcs = append(p.Funcs, f)
		}
		if err := parsers[i].err(); err != nil {
			return nil, err
		}
	}
	for i, f := range p.Funcs {
		f.Body = parsers[i].whole()
		if err := parsers[i].err(); err != nil {
			return nil, err
		}
	}
	m := t.section(main)
	p.Main = m.whole()
	return p, m.err()
}

// ParseExpr reads one expression in the text form.
func ParseExpr(src string) (Expr, error) {
	p, err := ParseText(src)
	if err != nil {
		return nil, err
	}
	return p.Main, nil
}

// section is a function, the main expression, or the wrap mark of a text.
type section struct {
	head, text string
	start      int // byte offset of text
}

// sections splits a text at the lines that begin with a keyword.
func sections(src string) []section {
	var all []section
	cur := section{}
	var text strings.Builder
	flush := func() {
		cur.text = text.String()
		text.Reset()
		if cur.head != "" || strings.TrimSpace(cur.text) != "" {
			all = append(all, cur)
		}
	}
	at := 0
	for _, line := range strings.SplitAfter(src, "\n") {
		head, rest := "", line
		switch {
		case strings.TrimSpace(line) == "wrap" && line[0] == 'w':
			head, rest = "wrap", ""
		case strings.TrimSpace(line) == "exact" && line[0] == 'e':
			head, rest = "exact", ""
		case strings.HasPrefix(line, "tolerance "):
			head, rest = "tolerance", strings.TrimSpace(line[len("tolerance "):])
		case strings.HasPrefix(line, "precision "):
			head, rest = "precision", strings.TrimSpace(line[len("precision "):])
		case strings.HasPrefix(line, "fun "):
			head, rest = "fun", line[len("fun "):]
		case strings.HasPrefix(line, "main ="):
			head, rest = "main", line[len("main ="):]
		}
		if head != "" {
			flush()
			cur = section{head: head, start: at + strings.Index(line, rest)}
		}
		text.WriteString(rest)
		at += len(line)
	}
	flush()
	return all
}

// badNumber is the error for a precision or a tolerance that is not a number.
func badNumber(src *diag.Source, s section) error {
	text := fmt.Sprintf("%q is not a %s", strings.TrimSpace(s.text), s.head)
	if src == nil {
		return errors.New("tail text: " + text)
	}
	return diag.Errorf(diag.Unreadable, diag.Span{Src: src, Start: s.start, End: s.start}, "%s", text)
}
