package infer

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/tail"
)

// noted infers an expression statement with its annotation.
func (g *infer) noted(s *apl.ExprStmt) tail.Expr {
	g.note = s.Note
	e := g.eval(s.X)
	g.note = nil
	if s.Note == nil {
		return e
	}
	want, bad := parseNote(s.Note)
	if bad != nil {
		panic(unwound{err: bad})
	}
	sig := &signature{note: s.Note, result: want}
	sig.variables()
	if g.examiner != nil {
		g.examineValue(assignedName(s.X), sig, e.Type())
	}
	return e
}

// assignedName returns the name that a statement assigns.
func assignedName(x apl.Expr) string {
	if a, ok := x.(*apl.Assign); ok {
		if t, ok := a.Target.(*apl.NameTarget); ok {
			return t.Ident
		}
		return a.Target.Span().Text()
	}
	return "the value"
}
