package interp

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/structured"
)

// part is a statement of a stretch, or a control structure of several.
type part struct {
	stmt apl.Stmt // the first one, as it reads
	n    int      // of statements
	span diag.Span
	// assigned are the names that it assigns, and read those that it reads before.
	assigned, read []string
}

// parts returns the statements at the beginning that are expressions whose values are
// assigned or displayed in any case, define functions, or are control structures.
func (in *Interp) parts(f *Frame, body []apl.Stmt) (all []part) {
	for i := 0; i < len(body) && len(all) < maxStretch; {
		s := in.readable(f, body[i])
		p := part{stmt: s, n: 1, span: s.Span()}
		switch s := s.(type) {
		case *apl.Block:
			p.structure(s.Fn.Body, 0, len(s.Fn.Body))
		case *apl.Control:
			if s.Word != apl.If && s.Word != apl.Select && !s.Word.Loop() || s.End() <= s.Open() {
				return all
			}
			for p.n += s.End() - s.Open(); i+p.n < len(body) && joins(body[i+p.n]); p.n++ {
			}
			whole := slices.Clone(f.trad.fn.node.Body)
			for k := s.Open(); k < s.Open()+p.n; k++ {
				whole[k] = in.readable(f, whole[k])
			}
			p.structure(whole, s.Open(), s.Open()+p.n)
			p.span.End = body[i+p.n-1].Span().End
		default:
			if !in.placeOf(s).plain {
				return all
			}
			p.assigned = assignedNames(s)
			for _, n := range apl.FreeNames(s).Free {
				p.read = append(p.read, n.Ident)
			}
		}
		all = append(all, p)
		i += p.n
	}
	return all
}

// readable returns a statement in the reading that the names ask for, as far as they have values.
func (in *Interp) readable(f *Frame, s apl.Stmt) apl.Stmt {
	l, ok := s.(*apl.Loose)
	if !ok {
		return s
	}
	if r, err := in.reading(f, l); err == nil {
		return r
	}
	return l.Stmt
}

// structure makes a part of a control structure, which stands at some places of a body.
func (p *part) structure(body []apl.Stmt, from, to int) {
	p.assigned, p.read = structured.Names(body, from, to)
}

// joins reports whether a statement is :AndIf or :OrIf.
func joins(s apl.Stmt) bool {
	c, ok := s.(*apl.Control)
	return ok && (c.Word == apl.AndIf || c.Word == apl.OrIf)
}

// structured reports whether a part is a control structure.
func (p part) structured() bool {
	switch p.stmt.(type) {
	case *apl.Block, *apl.Control:
		return true
	}
	return false
}

func (in *Interp) plainStatement(s apl.Stmt) bool {
	switch s := s.(type) {
	case *apl.ExprStmt:
		return s.Note == nil && plainTargets(s) && (s.Silent || !shyExpr(s.X))
	case *apl.FuncDef:
		return s.Note == nil && !endsShy(s) && !strings.Contains(s.Name.Ident, ".")
	}
	return false
}

// systemTarget finds assignments of system variables, of parts of them and by functions.
var systemTarget = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[⎕⍞]\w*(\[[^\]]*\])?[^⋄\n]?←`)
})

// shownBy returns the expression of which a statement displays the value, or nil.
func shownBy(s *apl.ExprStmt) apl.Expr {
	if !s.Silent {
		return s.X
	}
	if a, ok := s.X.(*apl.Assign); ok && a.F == nil {
		if t, ok := a.Target.(*apl.NameTarget); ok && t.Ident == "⎕" {
			return a.Y
		}
	}
	return nil
}

// plainTargets reports whether a statement assigns variables only, but that it may
// display its value by ⎕←.
func plainTargets(s *apl.ExprStmt) bool {
	text := source(s)
	if x := shownBy(s); x != nil && s.Silent {
		text = source(x)
	}
	return !systemTarget().MatchString(text) && !strings.Contains(text, hiddenName)
}

// shown returns the expression of which a part displays the value, or nil.
func (p part) shown() apl.Expr {
	if s, ok := p.stmt.(*apl.ExprStmt); ok {
		return shownBy(s)
	}
	return nil
}
