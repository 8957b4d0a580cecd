package infer

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/tail"
)

// f/v,⊂m folds f over the elements, or the items, of v from the last one on, where
// the first result is m, whatever it is:
//
//	⊃{⍺+⍵}/(⌽⍳n),⊂m     a loop from 1 to n whose state is m
//
// The vector v,⊂m exists where v has few elements; otherwise the fold is a loop
// whose state is the number of elements that are left, and m.

// foldExpr is f/v,⊂m where the number of elements of v is not known, or large; nil
// for other expressions, of which nothing is evaluated then.
func (g *infer) foldExpr(x *apl.Monadic) tail.Expr {
	y, ok := unparenthesised(x.Y).(*apl.Dyadic)
	if !ok || !isReduction(x.F) {
		return nil
	}
	p, ok := y.F.(*apl.Prim)
	if !ok || p.Glyph != "," || !encloses(y.Y) {
		return nil
	}
	s := site{fn: x.F.Span(), right: x.Y.Span()}
	joined := site{fn: p.Span(), left: y.X.Span(), right: y.Y.Span()}
	var f function
	var v, m tail.Expr
	parts := g.inOrder(
		func() tail.Expr { f = g.function(x.F); return nil },
		func() tail.Expr {
			m = g.name(g.eval(y.Y))
			v = g.name(g.eval(y.X))
			if d, ok := f.(*derived); isEnclosed(m) && (isLong(v) || isStored(v)) && (!ok || d.left.fn != nil) {
				return nil
			}
			e := g.dyadic(&primitive{glyph: ",", at: p.Span()}, v, m, joined)
			v = nil
			return e
		})
	if v == nil {
		return g.monadic(f, parts[1], s)
	}
	d, ok := f.(*derived)
	if !ok || len(g.changedBy(d.left.fn)) > 0 {
		e := g.dyadic(&primitive{glyph: ",", at: p.Span()}, v, m, joined)
		return g.monadic(f, e, s)
	}
	return g.fold(d, v, g.items(m)[0], s)
}

// isReduction reports whether a function is written as f/ or f⌿.
func isReduction(f apl.Func) bool {
	d, ok := f.(*apl.Derived)
	if !ok {
		return false
	}
	op, ok := d.Op.(*apl.PrimOp)
	return ok && (op.Glyph == "/" || op.Glyph == "⌿")
}

// encloses reports whether an expression is written as ⊂m.
func encloses(x apl.Expr) bool {
	m, ok := unparenthesised(x).(*apl.Monadic)
	if !ok {
		return false
	}
	p, ok := m.F.(*apl.Prim)
	return ok && p.Glyph == "⊂"
}

// fold is f/v,⊂m, enclosed where it is no scalar.
func (g *infer) fold(d *derived, v, m tail.Expr, s site) tail.Expr {
	z := g.foldedOn(d.left.fn, v, g.name(g.countOfStored(v, s)), m, s)
	if t, ok := z.Type().(*tail.Array); ok && t.Dims() == 0 {
		return z
	}
	return enclosure(z, s)
}
