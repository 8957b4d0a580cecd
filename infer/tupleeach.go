package infer

import (
	"fmt"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// eachTuple is f¨ on a tuple: one application an item.
func (g *infer) eachTuple(f function, y tail.Expr, s site) tail.Expr {
	if isStored(y) {
		return g.eachRagged(f, y, s)
	}
	items := g.items(y)
	parts := make([]func() tail.Expr, len(items))
	for i := range items {
		parts[i] = func() tail.Expr { return g.cellOf(g.monadic(f, items[i], s), s) }
	}
	z := g.strandOf(g.inTurn(parts...), s)
	if isEnclosed(y) {
		return g.likeScalar(z, s)
	}
	return g.shaped(z, g.shapeOfTuple(y))
}

// outerTuples is x∘.f y where one of them is nested.
func (g *infer) outerTuples(f function, x, y tail.Expr, s site) tail.Expr {
	right, rightShape := g.parts(y, s)
	left, leftShape := g.parts(x, s)
	var made []func() tail.Expr
	for _, a := range left {
		for _, b := range right {
			made = append(made, func() tail.Expr { return g.cellOf(g.dyadic(f, a, b, s), s) })
		}
	}
	if len(made) == 0 {
		g.unsupported(s.fn, "an empty nested array")
	}
	if len(made) > maxItems {
		g.fail(diag.Limit, s.fn, "a nested array of more than %d items", maxItems)
	}
	shape := append(append([]int{}, leftShape...), rightShape...)
	e := g.strandOf(g.inTurn(made...), s)
	switch len(shape) {
	case 0:
		return g.likeScalar(e, s)
	case 1:
		return e
	}
	return g.shaped(e, shape)
}

// parts returns the items of an argument of an outer product, and their
// shape; an enclosed array counts as a scalar.
func (g *infer) parts(e tail.Expr, s site) ([]tail.Expr, []int) {
	if isTuple(e) {
		items := g.items(e)
		if shape := g.shapeOfTuple(e); shape != nil {
			return items, shape
		}
		if isEnclosed(e) {
			return items, nil
		}
		return items, []int{len(items)}
	}
	if tail.TypeOf(e).Dims() == 0 {
		return []tail.Expr{g.name(e)}, nil
	}
	items, shape := g.elementsOf(e)
	switch {
	case items == nil:
		g.unsupported(s.fn, "an outer product of a nested array and %s", describeType(tail.TypeOf(e)))
	case shape == nil:
		shape = []int{len(items)}
	}
	return items, shape
}

// eachTuple2 is f¨ with a tuple on one side or both.
func (g *infer) eachTuple2(f function, x, y tail.Expr, s site) tail.Expr {
	if isStored(x) || isStored(y) {
		return g.eachRagged2(f, x, y, s)
	}
	if isTuple(x) && isLong(y) && len(g.items(x)) == 1 {
		item := g.items(x)[0]
		return g.eachNumber(y, func(b tail.Expr) tail.Expr { return g.dyadic(f, item, b, s) }, s)
	}
	if isTuple(y) && isLong(x) && len(g.items(y)) == 1 {
		item := g.items(y)[0]
		return g.eachNumber(x, func(a tail.Expr) tail.Expr { return g.dyadic(f, a, item, s) }, s)
	}
	n := -1
	for _, e := range []tail.Expr{x, y} {
		k := -1
		if t, ok := e.Type().(*tail.TupleType); ok {
			k = len(t.Elems)
		} else if t := e.Type().(*tail.Array); t.Dims() == 1 {
			if c, ok := t.Extent(0).IsConst(); ok {
				k = int(c)
			}
		}
		switch {
		case k == -1 || k == 1 && n >= 0:
		case n >= 0 && n != 1 && n != k:
			g.fail(diag.Length, s.fn, "%d items and %d items", n, k)
		default:
			n = k
		}
	}
	if n < 1 {
		g.unsupported(s.fn, "%s of an empty nested array", describe(s.fn))
	}
	g.sameRanks(x, y, s)
	shape := g.shapeOfTuple(x)
	if shape == nil {
		shape = g.shapeOfTuple(y)
	} else if other := g.shapeOfTuple(y); other != nil && fmt.Sprint(other) != fmt.Sprint(shape) {
		g.fail(diag.Rank, s.fn, "nested arrays of shapes %v and %v", shape, other)
	}
	side := func(e tail.Expr) []tail.Expr {
		if isTuple(e) {
			items := g.items(e)
			if len(items) == 1 && n > 1 {
				all := make([]tail.Expr, n)
				for i := range all {
					all[i] = items[0]
				}
				return all
			}
			return items
		}
		return g.spread(g.name(e), n, s.fn)
	}
	right := side(y)
	left := side(x)
	parts := make([]func() tail.Expr, n)
	for i := range parts {
		parts[i] = func() tail.Expr { return g.dyadic(f, left[i], right[i], s) }
	}
	z := g.strandOf(g.inTurn(parts...), s)
	if scalarItem(x) && scalarItem(y) {
		return g.likeScalar(z, s)
	}
	return g.shaped(z, shape)
}

// sameRanks reports nested arrays of different ranks, of which neither is
// extended.
func (g *infer) sameRanks(x, y tail.Expr, s site) {
	single := func(e tail.Expr) bool {
		t, ok := e.Type().(*tail.TupleType)
		return ok && len(t.Elems) == 1 || !ok && isSingleton(tail.TypeOf(e))
	}
	m, n := rankOf(x), rankOf(y)
	if m != n && !single(x) && !single(y) {
		g.fail(diag.Rank, s.fn, "arrays of rank %d and %d", m, n)
	}
}

// scalarItem reports whether an argument is a scalar, enclosed or simple.
func scalarItem(e tail.Expr) bool {
	t, ok := e.Type().(*tail.Array)
	return ok && t.Dims() == 0 || isEnclosed(e)
}
