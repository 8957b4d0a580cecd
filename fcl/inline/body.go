package inline

import (
	"errors"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/fcl"
	"github.com/tailor-lang/tailor/internal/diag"
)

// mark is what a comment with FCL begins with.
const mark = "⍝fcl:"

// Body is the FCL of a dfn.
type Body struct {
	Def     *apl.FuncDef
	Dfn     *apl.Dfn
	At      diag.Span // of the comment, or of all lines of it
	Program *fcl.Program
	entry   string      // the function of the program that calls are of
	parts   []diag.Span // without the marks
}

// Has reports whether a program may have bodies of FCL.
func Has(p *apl.Program) bool { return strings.Contains(p.Source.Text, mark) }

// Find returns the bodies of a program, in order, and the errors of those that cannot be
// read or have no type.
func Find(p *apl.Program) (all []*Body, errs diag.List) {
	if !Has(p) {
		return nil, nil
	}
	owners := owners(p)
	tokens, _ := apl.Tokens(p.Source)
	before := apl.Token{}
	bodies := map[*apl.Dfn]*Body{}
	for _, t := range tokens {
		text := t.Text(p.Source)
		if t.Kind == apl.CommentToken && strings.HasPrefix(text, mark) {
			at := diag.Span{Src: p.Source, Start: t.Start, End: t.Start + len(strings.TrimRight(text, "\r\n"))}
			def := owner(owners, before, at)
			if def == nil {
				errs = append(errs, homeless(at))
				continue
			}
			d := dfnOf(def)
			b := bodies[d]
			if b == nil {
				b = &Body{Def: def, Dfn: d}
				bodies[d], all = b, append(all, b)
			}
			b.At = b.At.Join(at)
			b.parts = append(b.parts, diag.Span{Src: at.Src, Start: at.Start + len(mark), End: at.End})
		}
		switch t.Kind {
		case apl.CommentToken, apl.NoteToken, apl.LineEndToken:
		default:
			before = t
		}
	}
	kept := all[:0]
	for _, b := range all {
		if err := b.load(); err != nil {
			errs = append(errs, err)
			continue
		}
		kept = append(kept, b)
	}
	return kept, errs
}

// owners returns the definitions that may have bodies: of dfns, by the program itself.
func owners(p *apl.Program) (all []*apl.FuncDef) {
	for _, s := range p.Body {
		if def, ok := s.(*apl.FuncDef); ok && dfnOf(def) != nil {
			all = append(all, def)
		}
	}
	return all
}

// dfnOf returns the dfn that a definition names, or nil.
func dfnOf(def *apl.FuncDef) *apl.Dfn {
	f := def.F
	for {
		switch g := f.(type) {
		case *apl.ParenFunc:
			f = g.F
			continue
		case *apl.Dfn:
			return g
		}
		return nil
	}
}

// owner returns the definition that a comment belongs to, with the token before it: one
// whose brace opens there, or closes there on the same line.
func owner(all []*apl.FuncDef, before apl.Token, at diag.Span) *apl.FuncDef {
	for _, def := range all {
		d := dfnOf(def).Span()
		line := at.Src.Text[before.End:at.Start]
		if before.Start == d.Start && d.Covers(at) || before.End == d.End && !strings.Contains(line, "\n") {
			return def
		}
	}
	return nil
}

func homeless(at diag.Span) *diag.Error {
	e := diag.Errorf(diag.FaultyAnnotation, at, "%s of nothing", mark)
	e.Fix = "put it behind the { of a dfn that the program gives a name, or behind its }"
	return e
}

// load reads the body and infers its types.
func (b *Body) load() *diag.Error {
	whole := b.At.Src
	src := diag.NewSource(whole.Name, b.masked())
	params := []string{"⍵"}
	if b.Dfn.Dyadic {
		params = []string{"⍺", "⍵"}
	}
	p, err := fcl.LoadBody(src, params...)
	if err != nil {
		var e *diag.Error
		if !errors.As(err, &e) {
			e = diag.Errorf(diag.Unreadable, b.At, "%v", err)
		}
		return moved(e, src, whole)
	}
	b.Program = p
	main := p.Scope.Globals["main"]
	switch {
	case main == nil:
		return diag.Errorf(diag.UnknownName, b.At, "the FCL body of %s has no function \"main\"", b.Name())
	case len(main.Fun.Params) != len(params):
		return diag.Errorf(diag.WrongValence, b.At, "main of the FCL body of %s takes %s, and the dfn %s", b.Name(),
			diag.Count(len(main.Fun.Params), "argument", "arguments"), diag.Count(len(params), "argument", "arguments"))
	}
	b.entry = "main"
	if text := flattened(main.Scheme.Type); text != "" {
		if p, err = p.With(text); err != nil {
			return diag.Errorf(diag.WrongType, b.At, "the FCL body of %s is %s: %v", b.Name(), main.Scheme, err)
		}
		b.Program, b.entry = p, entry
	}
	return nil
}

// Name returns the name of the dfn.
func (b *Body) Name() string { return b.Def.Name.Ident }

// masked returns the source up to the end of the body, with blanks for all that is no FCL of it, so
// that places stay the same.
func (b *Body) masked() string {
	text := []byte(b.At.Src.Text)
	from := 0
	blank := func(to int) {
		for ; from < to; from++ {
			if text[from] != '\n' {
				text[from] = ' '
			}
		}
	}
	for _, p := range b.parts {
		blank(p.Start)
		from = p.End
	}
	return string(text[:from])
}

// moved returns an error with its places in another source.
func moved(e *diag.Error, from, to *diag.Source) *diag.Error {
	move := func(s diag.Span) diag.Span {
		if s.Src == from {
			s.Src = to
		}
		return s
	}
	made := *e
	made.Span = move(e.Span)
	made.Notes = nil
	for _, n := range e.Notes {
		n.Span = move(n.Span)
		made.Notes = append(made.Notes, n)
	}
	return &made
}
