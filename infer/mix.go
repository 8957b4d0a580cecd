package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// mix is ↑ of several arrays: their array along a new first axis. Arrays of
// lower rank get leading axes of 1, and shorter ones fill elements.
func (g *infer) mix(items []tail.Expr, s site) tail.Expr {
	if areNested(items) {
		return g.mixNested(items, s)
	}
	rank := 0
	for i, e := range items {
		items[i] = g.name(e)
		rank = max(rank, g.arr(e, s.right).Dims())
	}
	for i := range items {
		items[i] = g.name(g.raised(items[i], rank, s))
	}
	if target := g.commonShape(items, rank, s); target != nil {
		for i := range items {
			items[i] = g.op(tail.OpTake, s, target, items[i])
		}
	}
	row := func(e tail.Expr) tail.Expr {
		shape := []tail.Expr{g.intLit(s, 1)}
		e = g.name(e)
		for i := range rank {
			shape = append(shape, g.extentOf(e, i, s))
		}
		return g.op(tail.OpReshape, s, g.vector(s.fn, shape, array.Int), e)
	}
	e := row(items[len(items)-1])
	for i := len(items) - 2; i >= 0; i-- {
		x, y := g.same(row(items[i]), e, s)
		e = g.opAxis(tail.OpCat, s, 0, x, y)
	}
	return e
}

// splitShaped is ↓ of a nested array of known shape: its vectors along the last
// axis.
func (g *infer) splitShaped(y tail.Expr, shape []int, s site) tail.Expr {
	n := shape[len(shape)-1]
	items := g.items(y)
	if n == 0 || len(items) == 0 {
		g.fail(diag.NestedArrays, s.fn, "↓ of an empty nested array")
	}
	z := &tail.Tuple{At: tail.At{Where: s.span()}}
	for ; len(items) > 0; items = items[n:] {
		z.Elems = append(z.Elems, g.name(g.strandOf(slices.Clone(items[:n]), s)))
	}
	if len(shape) != 2 {
		z.Shape = slices.Clone(shape[:len(shape)-1])
	}
	return z
}

// areNested reports whether the items together are no simple array of one
// element type: some are nested, or characters and numbers.
func areNested(items []tail.Expr) bool {
	chars := 0
	for _, e := range items {
		if isTuple(e) {
			return true
		}
		if tail.TypeOf(e).Elem == array.Char {
			chars++
		}
	}
	return chars > 0 && chars < len(items)
}

// mixNested is ↑ of scalars and vectors that are nested, or of characters and
// of numbers: the tuple of their items, whose rows have the length of the
// longest. Shorter ones get fill elements like their first items.
func (g *infer) mixNested(items []tail.Expr, s site) tail.Expr {
	if slices.ContainsFunc(items, isRagged) {
		return g.mixedStored(items, s)
	}
	rows, vectors, columns := make([][]tail.Expr, len(items)), false, 1
	for i, e := range items {
		var shape []int
		rows[i], shape = g.parts(e, s)
		if len(shape) > 1 {
			g.fail(diag.NestedArrays, s.fn, "↑ of a nested array with items of rank %d", len(shape))
		}
		vectors = vectors || len(shape) == 1
		columns = max(columns, len(rows[i]))
	}
	var all []tail.Expr
	for _, row := range rows {
		var fill tail.Expr
		for j := range columns {
			switch {
			case j < len(row):
				all = append(all, row[j])
			case fill == nil:
				fill = g.name(g.prototype("↑", row, nil, s))
				fallthrough
			default:
				all = append(all, fill)
			}
		}
	}
	g.fewEnough(len(all), s)
	z := g.strandOf(all, s)
	if !vectors {
		return z
	}
	return g.shaped(z, []int{len(rows), columns})
}

// extentOf is axis i, counted from 0, of e's shape.
func (g *infer) extentOf(e tail.Expr, i int, s site) tail.Expr {
	return g.op(tail.OpIndex, s, g.shapeOf(e, s), g.intLit(s, i+1))
}

// raised gives an array leading axes of 1.
func (g *infer) raised(e tail.Expr, rank int, s site) tail.Expr {
	own := tail.TypeOf(e).Dims()
	if own == rank {
		return e
	}
	shape := make([]tail.Expr, rank)
	for i := range shape {
		if shape[i] = g.intLit(s, 1); i >= rank-own {
			shape[i] = g.extentOf(e, i-(rank-own), s)
		}
	}
	return g.op(tail.OpReshape, s, g.vector(s.fn, shape, array.Int), e)
}

// commonShape is the smallest shape that holds arrays of one rank, nil where
// their shapes are known to be the same.
func (g *infer) commonShape(items []tail.Expr, rank int, s site) tail.Expr {
	shape, same := make([]tail.Expr, rank), true
	for axis := range rank {
		shape[axis] = g.extentOf(items[0], axis, s)
		first := tail.TypeOf(items[0]).Extent(axis)
		for _, e := range items[1:] {
			if tail.TypeOf(e).Extent(axis).Equal(first) {
				continue
			}
			same = false
			shape[axis] = g.op(tail.OpMaxI, s, shape[axis], g.extentOf(e, axis, s))
		}
	}
	if same {
		return nil
	}
	return g.name(g.vector(s.fn, shape, array.Int))
}

// depthOf is the depth of values of a type: negative where items of one tuple
// differ in depth.
func depthOf(ty tail.Type) int {
	switch ty := ty.(type) {
	case *tail.Array:
		return min(1, ty.Dims())
	case *tail.TupleType:
		if IsRagged(ty) {
			return 2
		}
		if IsColumns(ty) {
			return depthOfColumns(ty)
		}
		deepest, even := 0, true
		for i, e := range ty.Elems {
			d := depthOf(e)
			even = even && d >= 0 && (i == 0 || d == depthOf(ty.Elems[0]))
			deepest = max(deepest, d, -d)
		}
		if even {
			return deepest + 1
		}
		return -deepest - 1
	}
	return 0
}

// pickAt is (⊂x)⊃y: the element of y at an index of one number an axis.
func (g *infer) pickAt(x, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	if tx := g.arr(x, s.left); tx.Dims() > 1 {
		g.fail(diag.ArgumentRank, s.fn, "⊃ with an index of rank %d", tx.Dims())
	}
	x, y = g.names2(x, y)
	n, ok := countOf(tail.TypeOf(x)).IsConst()
	if !ok {
		x = g.name(g.fromPrelude(g.preludeClosure("oneperaxis"), g.intLit(s, t.Dims()), g.ravel(x, s), s))
		items := make([]tail.Expr, t.Dims())
		for i := range items {
			items[i] = g.op(tail.OpIndex, s, x, g.intLit(s, i+1))
		}
		return g.index(y, items, s)
	}
	if int(n) != t.Dims() {
		g.fail(diag.ArgumentRank, s.fn, "⊃ with an index of %s into an array of rank %d", diag.Count(int(n), "number", "numbers"), t.Dims())
	}
	if t.Dims() == 0 {
		g.effect(x)
		return y
	}
	items := g.spread(g.ravel(x, s), t.Dims(), s.left)
	return g.index(y, items, s)
}
