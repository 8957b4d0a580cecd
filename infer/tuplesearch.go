package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Searches among the items of tuples, which match or not when the program runs.

// itemsOf returns the items of a tuple or of a short vector or scalar, and
// whether there is one that stands alone.
func (g *infer) itemsOf(e tail.Expr, s site) (items []tail.Expr, alone bool) {
	if isTuple(e) {
		if g.shapeOfTuple(e) != nil {
			g.fail(diag.NestedArrays, s.fn, "a search of a nested array of higher rank than 1")
		}
		items = g.items(e)
		return items, isEnclosed(e)
	}
	const most = 100
	e = g.name(e)
	t := g.arr(e, s.fn)
	if t.Dims() == 0 {
		return []tail.Expr{e}, true
	}
	n, ok := t.Extent(0).IsConst()
	if !ok || t.Dims() > 1 || n > most {
		g.fail(diag.NestedArrays, s.fn, "a search among nested items and %s", describeType(t))
	}
	return g.spread(e, int(n), s.fn), false
}

// tupleSearch is x⍳y, x∊y, and where the answers are known when compiling x~y,
// x∩y and x∪y, and x/y; nil for other functions.
func (g *infer) tupleSearch(glyph string, x, y tail.Expr, s site) tail.Expr {
	switch glyph {
	case "⍳":
		right, alone := g.itemsOf(y, s)
		left, _ := g.itemsOf(x, s)
		return g.answersOf(right, alone, s, func(b tail.Expr) tail.Expr {
			e := g.intLit(s, len(left)+g.origin)
			for i := len(left) - 1; i >= 0; i-- {
				e = g.choose(g.match(left[i], b, s), g.intLit(s, i+g.origin), e, s)
			}
			return e
		})
	case "∊":
		right, _ := g.itemsOf(y, s)
		left, alone := g.itemsOf(x, s)
		return g.answersOf(left, alone, s, func(a tail.Expr) tail.Expr { return g.among(a, right, s) })
	case "~", "∩", "∪":
		x, y = g.names2(x, y)
		if z := g.looseSet(glyph, x, y, s); z != nil {
			return z
		}
		right, _ := g.itemsOf(y, s)
		left, _ := g.itemsOf(x, s)
		if glyph == "∪" {
			return g.strandOf(append(append([]tail.Expr{}, left...), g.keep(right, left, false, s)...), s)
		}
		return g.itemsLeft(g.keep(left, right, glyph == "∩", s), s)
	case "/", "⌿":
		return g.tupleCompress(x, y, s)
	}
	return nil
}

// looseSet is x~y, x∩y and x∪y of nested vectors as of such that are stored, where only the
// run knows which items match; nil for others.
func (g *infer) looseSet(glyph string, x, y tail.Expr, s site) tail.Expr {
	if !isTuple(x) || !isTuple(y) || emptyTuple(x) || emptyTuple(y) || rankOf(x) > 1 || rankOf(y) > 1 || g.allCertain(x, y, s) {
		return nil
	}
	right, left := g.storedItems(y, s), g.storedItems(x, s)
	if left == nil || right == nil || !sameColumns(left.Type(), right.Type()) {
		return nil
	}
	return g.searchDyadic(&primitive{glyph: glyph, at: s.fn}, left, right, s)
}

// tupleUnique is ≠y, and where the answers are known when compiling ∪y; nil for
// other functions.
func (g *infer) tupleUnique(glyph string, y tail.Expr, s site) tail.Expr {
	if glyph != "≠" && glyph != "∪" {
		return nil
	}
	y = g.name(y)
	items, _ := g.itemsOf(y, s)
	var first, all []tail.Expr
	for i, e := range items {
		found := g.name(g.among(e, items[:i], s))
		all = append(all, g.op(tail.OpNotB, s, found))
		if glyph != "∪" {
			continue
		}
		if g.value(found) == nil {
			if loose := g.looseMonadic(glyph, y, s); loose != nil {
				return loose
			}
		}
		if !g.certain(found, s) {
			first = append(first, e)
		}
	}
	if glyph == "∪" {
		return g.itemsLeft(first, s)
	}
	return g.vector(s.fn, all, array.Bool)
}

// answersOf is f of every item: a scalar for one that stands alone.
func (g *infer) answersOf(items []tail.Expr, alone bool, s site, f func(tail.Expr) tail.Expr) tail.Expr {
	all := make([]tail.Expr, len(items))
	for i, e := range items {
		all[i] = f(e)
	}
	switch {
	case alone:
		return all[0]
	case len(all) == 0:
		return lit(s.fn, array.New(array.Int, 0))
	}
	return g.vector(s.fn, all, tail.TypeOf(all[0]).Elem)
}

// among is whether e matches one of items.
func (g *infer) among(e tail.Expr, items []tail.Expr, s site) tail.Expr {
	var found tail.Expr = lit(s.fn, array.ScalarBool(false))
	for _, x := range items {
		found = g.op(tail.OpOrB, s, found, g.match(e, x, s))
	}
	return found
}

// choose is one of two integers.
func (g *infer) choose(cond, then, els tail.Expr, s site) tail.Expr {
	if a := g.value(cond); a != nil {
		if a.Int(0) != 0 {
			return then
		}
		return els
	}
	return g.branch(cond, then, els, s.fn, s.fn)
}

// certain returns a truth value that is known when compiling.
func (g *infer) certain(e tail.Expr, s site) bool {
	a := g.value(e)
	if a == nil {
		g.fail(diag.NestedArrays, s.fn, "%s of nested items that are not known when compiling", describe(s.fn))
	}
	return a.Int(0) != 0
}

// allCertain reports whether it is known when compiling which items of x are
// among those of y.
func (g *infer) allCertain(x, y tail.Expr, s site) bool {
	others := g.items(y)
	for _, e := range g.items(x) {
		if g.value(g.among(e, others, s)) == nil {
			return false
		}
	}
	return true
}

// keep returns the items that are among others, or those that are not.
func (g *infer) keep(items, others []tail.Expr, among bool, s site) (kept []tail.Expr) {
	for _, e := range items {
		if g.certain(g.among(e, others, s), s) == among {
			kept = append(kept, e)
		}
	}
	return kept
}

// itemsLeft is the array of items that a selection leaves.
func (g *infer) itemsLeft(items []tail.Expr, s site) tail.Expr {
	if len(items) == 0 {
		g.fail(diag.NestedArrays, s.fn, "an empty nested array")
	}
	return g.strandOf(items, s)
}

// tupleCompress is x/y for a tuple y and a constant x.
func (g *infer) tupleCompress(x, y tail.Expr, s site) tail.Expr {
	if !isTuple(x) {
		x = g.toInt(x)
	}
	x, y = g.names2(x, y)
	a := g.value(x)
	if a == nil && !isTuple(x) {
		if loose := g.looseDyadic("/", x, y, s); loose != nil {
			return loose
		}
	}
	if isTuple(x) || a == nil || a.Rank() > 1 || g.shapeOfTuple(y) != nil {
		g.fail(diag.NestedArrays, s.fn, "%s of nested items by counts that are not known when compiling", describe(s.fn))
	}
	items := g.items(y)
	var left []tail.Expr
	for i, e := range items {
		k := i
		if a.Len() == 1 {
			k = 0
		}
		if k >= a.Len() || a.Len() > 1 && a.Len() != len(items) {
			g.fail(diag.WrongCount, s.fn, "%d counts for %d items", a.Len(), len(items))
		}
		n := int(a.Double(k))
		if n < 0 || n > maxItems {
			g.fail(diag.NestedArrays, s.fn, "fill elements of nested items")
		}
		for range n {
			left = append(left, e)
		}
	}
	g.effect(x)
	g.fewEnough(len(left), s)
	return g.itemsLeft(left, s)
}
