package check

import (
	"fmt"
	"io"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
)

// Scheme returns the type of a function that a session defines after what is
// known, as an annotation would say it, or "" where there is no principal type.
func Scheme(known []infer.Known, def *apl.FuncDef) string {
	return infer.SchemeOf(known, def, infer.Options{})
}

// WriteSchemes writes a line a function: its principal type, or the types of
// the calls that the program makes.
func WriteSchemes(w io.Writer, all []*infer.Scheme) {
	for _, s := range all {
		switch {
		case s.Principal != "":
			fmt.Fprintf(w, "%s : %s\n", s.Name, s.Principal)
		case len(s.Instances) == 0:
			fmt.Fprintf(w, "%s : no type over ranks and element types; typed where it is called\n", s.Name)
		}
		for _, i := range s.Instances {
			fmt.Fprintf(w, "%s : %s   as called\n", s.Name, i)
		}
	}
}

// Annotate returns a program's text with the principal types of functions
// written behind their opening braces, or behind the function where it stands
// on one line. Nothing else is changed. It reports how many were written.
func Annotate(p *apl.Program, all []*infer.Scheme) (text string, written int) {
	src := p.Source.Text
	var b strings.Builder
	from := 0
	for _, s := range all {
		if s.Principal == "" {
			continue
		}
		at, note, ok := place(src, s)
		if !ok || at < from {
			continue
		}
		b.WriteString(src[from:at] + note)
		from = at
		written++
	}
	b.WriteString(src[from:])
	return b.String(), written
}

// place returns where the annotation of a function belongs and how it is
// written there; ok is false where another statement follows on the line.
func place(src string, s *infer.Scheme) (at int, note string, ok bool) {
	span := s.Def.F.Span()
	end := span.Start + len(span.Text())
	if d, isDfn := s.Def.F.(*apl.Dfn); isDfn && strings.Contains(span.Text(), "\n") {
		at = d.Span().Start + len("{")
		line, _, _ := strings.Cut(src[at:], "\n")
		rest := strings.TrimSpace(line)
		switch {
		case rest == "":
			return at, "⍝: " + s.Principal, true
		case strings.HasPrefix(rest, "⍝"):
			return at, "⍝: " + s.Principal + " ", true
		}
		return at, "⍝: " + s.Principal + "\n", true
	}
	line, _, _ := strings.Cut(src[end:], "\n")
	rest := strings.TrimSpace(line)
	if rest != "" && !strings.HasPrefix(rest, "⍝") {
		return 0, "", false
	}
	return end, " ⍝: " + s.Principal, true
}
