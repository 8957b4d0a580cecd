package infer

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
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

// foldEachExpr is ⊃f/g¨y for an f that may be applied in any order, where all results of g
// have one shape, which is known: the results are the cells of an array, which f⌿ reduces. It
// returns nil for other expressions, of which nothing is evaluated then.
//
//	⊃+/{⍵∘.×v}¨y     +⌿{⍵∘.×v}⍤0⊢y
func (g *infer) foldEachExpr(first *apl.Monadic) tail.Expr {
	x, ok := unparenthesised(first.Y).(*apl.Monadic)
	if !ok || !isPrim(first.F, "⊃") || !isReduction(x.F) {
		return nil
	}
	y, ok := unparenthesised(x.Y).(*apl.Monadic)
	if !ok || !isEach(y.F) || !inAnyOrder(x.F.(*apl.Derived)) {
		return nil
	}
	var f, each function
	var r *rows
	parts := g.inOrder(
		func() tail.Expr { f = g.function(x.F); return nil },
		func() tail.Expr { each = g.function(y.F); return nil },
		func() (e tail.Expr) { r, e = g.eachArgument(y.Y); return e })
	items := parts[2]
	if r == nil {
		items = g.name(items)
	}
	s, inner := site{fn: x.F.Span(), right: x.Y.Span()}, site{fn: y.F.Span(), right: y.Y.Span()}
	if z := g.foldedCells(f, each, r, items, s, inner); z != nil {
		return z
	}
	disclose := &primitive{glyph: "⊃", at: first.F.Span()}
	all := site{fn: first.F.Span(), right: first.Y.Span()}
	if r != nil {
		return g.monadic(disclose, g.monadic(f, g.eachRow(each, r, false, inner), s), all)
	}
	return g.monadic(disclose, g.monadic(f, g.monadic(each, items, inner), s), all)
}

// mostFolding is how many folds of cells are tried within each other: those that fail are
// inferred again.
const mostFolding = 2

// foldedCells is foldEachExpr of rows, or of an array y; nil where the results are few,
// scalars, or may have different shapes, and where there may be none and f is ⌈ or ⌊, which
// have no identity element among the integers.
func (g *infer) foldedCells(f, each function, r *rows, y tail.Expr, s, inner site) tail.Expr {
	if r == nil && (!isVector(y) || few(y)) || len(g.changedBy(each)) > 0 || g.folding == mostFolding {
		return nil
	}
	g.folding++
	defer func() { g.folding-- }()
	reduce := f.(*derived)
	var z tail.Expr
	if !g.succeeds(func() {
		cells := g.cellsOfEach(each, r, y, inner)
		if cells == nil || !sameShapes(cells.Type()) || extremal(g.fn(reduce.left)) && !someCells(cells) {
			g.fail(diag.NotCompiled, s.fn, "results of different shapes, or perhaps none")
		}
		z = g.name(g.monadic(&derived{op: "⌿", left: reduce.left, at: s.fn}, cells, s))
	}) {
		return nil
	}
	return z
}

// sameShapes reports whether the major cells of an array are arrays of a known shape.
func sameShapes(t tail.Type) bool {
	a, ok := t.(*tail.Array)
	if !ok || a.Dims() < 2 {
		return false
	}
	for i := range a.Dims() - 1 {
		if !a.Extent(i + 1).Known() {
			return false
		}
	}
	return true
}

// someCells reports whether an array is known to have cells.
func someCells(e tail.Expr) bool {
	n, known := tail.TypeOf(e).Extent(0).IsConst()
	return known && n > 0
}

// inAnyOrder reports whether a reduction is by a function that gives the same in any order,
// but for the last digit of sums.
func inAnyOrder(d *apl.Derived) bool {
	p, ok := d.Left.Func.(*apl.Prim)
	return ok && strings.Contains("+⌈⌊∧∨", p.Glyph)
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
