package structured

import (
	"reflect"

	"github.com/tailor-lang/tailor/apl"
)

// through returns statements that assign names from outside that functions see where these are, as
// assignments of parts and by functions do anyway.
//
//	best←i        best⊢←i
//	best+←1       best+←1
//	(a best)←f i  (a ∆∆t1)←f i ⋄ best⊢←∆∆t1
func (w *writer) through(s apl.Stmt) []apl.Stmt {
	x, ok := s.(*apl.ExprStmt)
	if !ok || len(w.shared) == 0 {
		return []apl.Stmt{s}
	}
	all := make([]apl.Stmt, 1, 2)
	now, _ := rewrite(reflect.ValueOf(x), w.throughStrand(x, &all))
	x = now.Interface().(*apl.ExprStmt)
	now, _ = rewrite(reflect.ValueOf(x), w.throughName)
	all[0] = now.Interface().(apl.Stmt)
	return all
}

// throughName returns an assignment of a name that functions see as one by ⊢.
func (w *writer) throughName(n apl.Node) apl.Node {
	if _, dfn := n.(*apl.Dfn); dfn {
		return n // whose names are its own
	}
	a, ok := n.(*apl.Assign)
	if !ok || a.F != nil {
		return nil
	}
	t, ok := a.Target.(*apl.NameTarget)
	if !ok || !w.shared[t.Ident] {
		return nil
	}
	y, _ := rewrite(reflect.ValueOf(&a.Y).Elem(), w.throughName)
	return &apl.Assign{At: a.At, Target: t, F: &apl.Prim{At: a.At, Glyph: "⊢"}, Y: y.Interface().(apl.Expr)}
}

// throughStrand returns what puts other names into strands that a statement assigns, and adds the
// statements that assign those that functions see. In a part of a statement there are none.
func (w *writer) throughStrand(s *apl.ExprStmt, behind *[]apl.Stmt) func(apl.Node) apl.Node {
	return func(n apl.Node) apl.Node {
		switch n := n.(type) {
		case *apl.Dfn:
			return n
		case *apl.Assign:
			t, ok := n.Target.(*apl.StrandTarget)
			if _, assigns := uses(n); !ok || len(assigns.both(w.shared)) == 0 {
				return nil
			}
			now := *n
			now.Target, w.bad = w.ownStrand(t, behind), w.bad || n != s.X || n.F != nil
			return &now
		}
		return nil
	}
}

// ownStrand is a strand of targets with other names for those that functions see.
func (w *writer) ownStrand(t *apl.StrandTarget, behind *[]apl.Stmt) *apl.StrandTarget {
	now := &apl.StrandTarget{At: t.At}
	for _, item := range t.Items {
		switch n := item.(type) {
		case *apl.StrandTarget:
			item = w.ownStrand(n, behind)
		case *apl.NameTarget:
			if w.shared[n.Ident] {
				m, own := maker{n.At}, w.hide("t")
				item = &apl.NameTarget{At: n.At, Ident: own}
				*behind = append(*behind, m.assignOuter(n.Ident, own))
			}
		}
		now.Items = append(now.Items, item)
	}
	return now
}
