package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// eachTuple is f¨ on a tuple: one application an item.
func (g *infer) eachTuple(f function, y tail.Expr, s site) tail.Expr {
	if isStored(y) {
		return g.eachRagged(f, y, s)
	}
	if isRowwise(y) {
		return g.eachCell(f, y, func(cell tail.Expr) tail.Expr { return g.monadic(f, cell, s) }, s)
	}
	if isRanked(y) {
		return g.eachRanked(f, y, s)
	}
	items := g.items(y)
	if len(items) == 0 {
		g.fail(diag.NestedArrays, s.fn, "¨ of an empty nested array")
	}
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
	if isStored(x) || isStored(y) || isRanked(x) || isRanked(y) {
		return g.outerStored(f, x, y, s)
	}
	right, rightShape := g.parts(y, s)
	left, leftShape := g.parts(x, s)
	if len(left)*len(right) > maxItems {
		return g.outerStored(f, x, y, s)
	}
	var made []func() tail.Expr
	for _, a := range left {
		for _, b := range right {
			made = append(made, func() tail.Expr { return g.cellOf(g.dyadic(f, a, b, s), s) })
		}
	}
	if len(made) == 0 {
		g.fail(diag.NestedArrays, s.fn, "an empty nested array")
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
		g.fail(diag.NestedArrays, s.fn, "an outer product of a nested array and %s", describeType(tail.TypeOf(e)))
	case shape == nil:
		shape = []int{len(items)}
	}
	return items, shape
}

// eachTuple2 is f¨ with a tuple on one side or both.
func (g *infer) eachTuple2(f function, x, y tail.Expr, s site) tail.Expr {
	if isRanked(x) || isRanked(y) {
		return g.eachRanked2(f, x, y, s)
	}
	if isStored(x) || isStored(y) {
		return g.eachRagged2(f, x, y, s)
	}
	if isRowwise(y) {
		if a := g.only(x, s); a != nil {
			return g.eachCell(f, y, func(cell tail.Expr) tail.Expr { return g.dyadic(f, a, cell, s) }, s)
		}
	} else if isRowwise(x) {
		if b := g.only(y, s); b != nil {
			return g.eachCell(f, x, func(cell tail.Expr) tail.Expr { return g.dyadic(f, cell, b, s) }, s)
		}
	}
	if isTuple(x) && isLong(y) && len(g.items(x)) == 1 {
		item := g.items(x)[0]
		z := g.eachNumber(y, func(b tail.Expr) tail.Expr { return g.dyadic(f, item, b, s) }, s)
		return g.withProto(z, g.noItemsOf2(f, x, y, s))
	}
	if isTuple(y) && isLong(x) && len(g.items(y)) == 1 {
		item := g.items(y)[0]
		z := g.eachNumber(x, func(a tail.Expr) tail.Expr { return g.dyadic(f, a, item, s) }, s)
		return g.withProto(z, g.noItemsOf2(f, x, y, s))
	}
	y = g.besideItems(y, x, s, func(like tail.Expr) tail.Expr { return g.zip(like, y, s, func(_, b tail.Expr) tail.Expr { return b }) })
	x = g.besideItems(x, y, s, func(like tail.Expr) tail.Expr { return g.zip(x, like, s, func(a, _ tail.Expr) tail.Expr { return a }) })
	right := g.sideOf(y, s)
	left := g.sideOf(x, s)
	shape := g.sidesShape(left, right, s)
	n := 1
	for _, k := range shape {
		n *= k
	}
	if n == 0 {
		g.fail(diag.NestedArrays, s.fn, "%s of an empty nested array", describe(s.fn))
	}
	bs := g.itemsOfSide(right, n, s)
	as := g.itemsOfSide(left, n, s)
	parts := make([]func() tail.Expr, n)
	for i := range parts {
		parts[i] = func() tail.Expr { return g.dyadic(f, as[i], bs[i], s) }
	}
	z := g.strandOf(g.inTurn(parts...), s)
	switch len(shape) {
	case 0:
		return g.likeScalar(z, s)
	case 1:
		return z
	}
	return g.shaped(z, shape)
}

// besideItems is e, a simple argument of ¨ beside a nested one. Where not all of its extents are known, and both
// are of one rank, they are those of the nested one: zip gives it the shape of an array, or fails.
func (g *infer) besideItems(e, nested tail.Expr, s site, zip change) tail.Expr {
	t, simple := e.Type().(*tail.Array)
	if !simple || !isTuple(nested) || t.Dims() < 2 || len(g.shapeOfTuple(nested)) != t.Dims() {
		return e
	}
	if _, known := constShape(t); known || len(g.items(nested)) < 2 {
		return e
	}
	like := array.New(array.Bool, g.shapeOfTuple(nested)...)
	z := g.name(zip(lit(s.fn, like)))
	return g.op(tail.OpReshape, s, g.shapeOf(lit(s.fn, like), s), z)
}

// side is an argument of ¨ where one of them is nested, and its shape. The extent
// of a vector may not be known: then it is -1.
type side struct {
	e     tail.Expr
	shape []int
}

// sideOf returns an argument as a side.
func (g *infer) sideOf(e tail.Expr, s site) side {
	e = g.name(e)
	if isRowwise(e) {
		g.fail(diag.NestedArrays, s.fn, "¨ between %s and something", describeType(e.Type()))
	}
	t, nested := e.Type().(*tail.TupleType)
	if nested {
		if t.Shape == nil {
			return side{e, []int{len(t.Elems)}}
		}
		return side{e, t.Shape}
	}
	a := tail.TypeOf(e)
	shape, known := constShape(a)
	switch {
	case known:
		return side{e, shape}
	case a.Dims() == 1:
		return side{e, []int{-1}}
	}
	g.fail(diag.NestedArrays, s.fn, "¨ between a nested array and %s", describeType(a))
	return side{}
}

// isOne reports whether a side certainly has one item.
func (x side) isOne() bool {
	for _, n := range x.shape {
		if n != 1 {
			return false
		}
	}
	return true
}

// sidesShape is the shape of the result of ¨: one item goes with all items of the
// other side.
func (g *infer) sidesShape(x, y side, s site) []int {
	switch one, other := x.isOne(), y.isOne(); {
	case one && (!other || len(x.shape) <= len(y.shape)):
		return y.shape
	case other:
		return x.shape
	case len(x.shape) != len(y.shape):
		g.fail(diag.ArgumentRank, s.fn, "arrays of rank %d and %d", len(x.shape), len(y.shape))
	}
	shape := slices.Clone(x.shape)
	for i, n := range y.shape {
		switch {
		case shape[i] == -1:
			shape[i] = n
		case n == -1 || n == shape[i]:
		case len(shape) == 1:
			g.fail(diag.TuplesDiffer, s.fn, "%d items and %d items", shape[i], n)
		default:
			g.fail(diag.WrongLength, s.fn, "nested arrays of shapes %v and %v", x.shape, y.shape)
		}
	}
	return shape
}

// itemsOfSide are the n items of a side, of which there may be one.
func (g *infer) itemsOfSide(x side, n int, s site) []tail.Expr {
	switch {
	case isTuple(x.e) && x.isOne():
		return slices.Repeat(g.items(x.e), n)
	case isTuple(x.e):
		return g.items(x.e)
	case x.isOne():
		return slices.Repeat([]tail.Expr{g.name(g.firstOf(x.e, s))}, n)
	case len(x.shape) == 1 && x.shape[0] == -1:
		return g.spread(g.extendedTo(x.e, n, s.fn), n, s.fn)
	}
	return g.spread(g.name(g.ravel(x.e, s)), n, s.fn)
}
