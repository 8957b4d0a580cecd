package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Vectors of arrays that are not all scalars are tuples: they exist while
// compiling, as arguments, results and the state of loops.

// tupleMonadic applies a primitive to a tuple; nil where it has no such form.
func (g *infer) tupleMonadic(glyph string, y tail.Expr, s site) tail.Expr {
	n := len(y.Type().(*tail.TupleType).Elems)
	switch glyph {
	case "⊃":
		return g.items(y)[0]
	case "⊢", "⊣", ",":
		return y
	case "≢":
		g.effect(y)
		return g.intLit(s, n)
	case "⍴":
		g.effect(y)
		return lit(s.fn, array.VectorInt([]int64{int64(n)}))
	case "⌽":
		items := append([]tail.Expr{}, g.items(y)...)
		for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
			items[i], items[j] = items[j], items[i]
		}
		return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: items}
	case "↑":
		return g.mix(g.items(y), s)
	case "∊":
		items := g.items(y)
		parts := make([]tail.Expr, n)
		for i := range items {
			parts[i] = g.monadic(&primitive{glyph: "∊", at: s.fn}, items[i], s)
		}
		return g.joinAll(parts, s)
	}
	if isScalarMonadic(glyph) {
		return g.eachTuple(&primitive{glyph: glyph, at: s.fn}, y, s)
	}
	return nil
}

// joinAll catenates arrays.
func (g *infer) joinAll(items []tail.Expr, s site) tail.Expr {
	e := items[len(items)-1]
	for i := len(items) - 2; i >= 0; i-- {
		e = g.primitiveDyadic(&primitive{glyph: ",", at: s.fn}, items[i], e, s)
	}
	return e
}

// mix is ↑ of arrays of one shape: their array.
func (g *infer) mix(items []tail.Expr, s site) tail.Expr {
	one := func(e tail.Expr) tail.Expr {
		t := g.arr(e, s.right)
		shape := g.shapeOf(e, s)
		row := g.primitiveDyadic(&primitive{glyph: ",", at: s.fn}, g.intLit(s, 1), shape, s)
		if t.Dims() == 0 {
			row = g.vector(s.fn, []tail.Expr{g.intLit(s, 1)}, array.Int)
		}
		return g.op(tail.OpReshape, s, row, e)
	}
	first := g.arr(items[0], s.right)
	for _, e := range items[1:] {
		t := g.arr(e, s.right)
		if t.Dims() != first.Dims() {
			g.unsupported(s.fn, "↑ of arrays of different ranks")
		}
		for i := range t.Dims() {
			if t.Extent(i).Differ(first.Extent(i)) {
				g.unsupported(s.fn, "↑ of arrays of different shapes")
			}
		}
	}
	e := one(items[len(items)-1])
	for i := len(items) - 2; i >= 0; i-- {
		x, y := g.same(one(items[i]), e, s)
		e = g.opAxis(tail.OpCat, s, 0, x, y)
	}
	return e
}

// tupleDyadic applies a primitive to a tuple and something; nil where it has
// no such form.
func (g *infer) tupleDyadic(glyph string, x, y tail.Expr, s site) tail.Expr {
	switch {
	case glyph == "⊣" || glyph == "⊢":
		return dyadics[glyph](g, x, y, s)
	case glyph == "⊃" && isTuple(y) || glyph == "⌷" && isTuple(y):
		return g.tupleIndex(y, x, s)
	case glyph == "⍴" && isTuple(y) && len(y.Type().(*tail.TupleType).Elems) == 1:
		return g.primitiveDyadic(&primitive{glyph: "⍴", at: s.fn}, x, g.items(y)[0], s)
	case glyph == "," && isTuple(x) != isTuple(y) || glyph == "," && isTuple(x) && isTuple(y):
		return g.tupleJoin(x, y, s)
	case glyph == "⌷" && isTuple(x):
		return g.squad(g.items(x), y, s)
	case isScalarDyadic(glyph):
		return g.eachTuple2(&primitive{glyph: glyph, at: s.fn}, x, y, s)
	}
	return nil
}

// tupleJoin catenates tuples, and scalars with tuples.
func (g *infer) tupleJoin(x, y tail.Expr, s site) tail.Expr {
	side := func(e tail.Expr) []tail.Expr {
		if isTuple(e) {
			return g.items(e)
		}
		if t := tail.TypeOf(e); t.Dims() == 0 {
			return []tail.Expr{g.name(e)}
		}
		g.unsupported(s.fn, "catenation of an array to a nested one")
		return nil
	}
	right := side(y)
	left := side(x)
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: append(append([]tail.Expr{}, left...), right...)}
}

// tupleIndex picks an item of a tuple by a constant.
func (g *infer) tupleIndex(y, x tail.Expr, s site) tail.Expr {
	items := g.items(y)
	k, ok := integer(g.toInt(g.single(x, s, "the index of an item")))
	if !ok {
		g.needsConstant(s.fn, "the index into a nested array must be known when compiling")
	}
	k -= int64(g.origin)
	if k < 0 || int(k) >= len(items) {
		g.fail(diag.Index, s.fn, "item %d of %d", k+int64(g.origin), len(items))
	}
	return items[k]
}

// eachTuple is f¨ on a tuple: one application an item.
func (g *infer) eachTuple(f function, y tail.Expr, s site) tail.Expr {
	items := g.items(y)
	parts := make([]func() tail.Expr, len(items))
	for i := range items {
		parts[i] = func() tail.Expr { return g.monadic(f, items[i], s) }
	}
	return g.strandOf(g.inOrder(parts...), s)
}

// strandOf returns the array of scalars or the tuple of items.
func (g *infer) strandOf(items []tail.Expr, s site) tail.Expr {
	if elem, ok := scalars(items); ok {
		return g.vector(s.span(), items, elem)
	}
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: items}
}

// eachTuple2 is f¨ with a tuple on one side or both.
func (g *infer) eachTuple2(f function, x, y tail.Expr, s site) tail.Expr {
	n := -1
	for _, e := range []tail.Expr{x, y} {
		if t, ok := e.Type().(*tail.TupleType); ok && n != -1 && len(t.Elems) != n {
			g.fail(diag.Length, s.fn, "%d items and %d items", n, len(t.Elems))
		} else if ok {
			n = len(t.Elems)
		}
	}
	side := func(e tail.Expr) []tail.Expr {
		if isTuple(e) {
			return g.items(e)
		}
		return g.spread(g.name(e), n, s.fn)
	}
	right := side(y)
	left := side(x)
	parts := make([]func() tail.Expr, n)
	for i := range parts {
		parts[i] = func() tail.Expr { return g.dyadic(f, left[i], right[i], s) }
	}
	return g.strandOf(g.inOrder(parts...), s)
}

// reduceTuple is f/ of a tuple: the item that f between the items gives, still
// enclosed.
func (g *infer) reduceTuple(f function, y tail.Expr, s site) tail.Expr {
	items := g.items(y)
	e := items[len(items)-1]
	for i := len(items) - 2; i >= 0; i-- {
		e = g.dyadic(f, items[i], e, s)
	}
	if t, ok := e.Type().(*tail.Array); ok && t.Dims() == 0 {
		return e
	}
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: []tail.Expr{e}}
}
