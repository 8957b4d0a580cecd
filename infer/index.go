package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/tail"
)

// indexExpr is x[i;j].
func (g *infer) indexExpr(x *apl.Index) tail.Expr {
	if e := g.appliedIndexed(x); e != nil {
		return g.eval(e)
	}
	parts := []func() tail.Expr{func() tail.Expr { return g.eval(x.X) }}
	for _, item := range x.Items {
		parts = append(parts, func() tail.Expr {
			if item == nil {
				return nil
			}
			return g.eval(item)
		})
	}
	var r *rows
	if inner, ok := onlyRows(x.Items); ok {
		parts[1] = func() (e tail.Expr) { r, e = g.rowsExpr(inner); return e }
	}
	made := g.inOrder(parts...)
	s := site{fn: x.Brackets, left: x.X.Span(), right: x.Brackets}
	if r != nil && !isTuple(made[0]) {
		y := g.name(made[0])
		return g.op(tail.OpIndex, s, g.ravel(y, s), g.chosenRows(r, y, s))
	}
	if r != nil {
		g.arr(made[0], s.left)
	}
	return g.index(made[0], made[1:], s)
}

// onlyRows returns the single index where it gives rows of coordinates.
func onlyRows(items []apl.Expr) (apl.Expr, bool) {
	if len(items) != 1 || items[0] == nil {
		return nil, false
	}
	return givesRows(items[0])
}

// indices evaluates the items of an index; elided ones are nil.
func (g *infer) indices(items []apl.Expr) []tail.Expr {
	parts := make([]func() tail.Expr, len(items))
	for i, item := range items {
		parts[i] = func() tail.Expr {
			if item == nil {
				return nil
			}
			return g.eval(item)
		}
	}
	return g.inOrder(parts...)
}

// chosenOfTuple is x[y] of a nested array where the items of y are indices, one
// number for each axis of x.
func (g *infer) chosenOfTuple(x, y tail.Expr, s site) tail.Expr {
	x = g.name(x)
	var chosen []tail.Expr
	for _, k := range g.items(y) {
		if reaches(k, x) {
			chosen = append(chosen, g.tuplePick(x, k, s))
			continue
		}
		chosen = append(chosen, g.itemAt(x, k, s))
	}
	if isEnclosed(y) {
		return g.enclosed(chosen[0], g.intLit(s, 0), s)
	}
	return g.shaped(g.strandOf(chosen, s), g.shapeOfTuple(y))
}

// reaches reports whether an item of an index is a path to an item at some depth of
// x, and not the coordinates of one.
func reaches(k, x tail.Expr) bool {
	if isTuple(k) {
		return true
	}
	n, known := countOf(tail.TypeOf(k)).IsConst()
	return known && int(n) != rankOf(x) && tail.TypeOf(k).Dims() < 2
}

// someReach reports whether an item of a nested index reaches into those of x.
func (g *infer) someReach(index, x tail.Expr) bool {
	if !isTuple(index) || isStored(index) || isColumns(index) || isStored(x) {
		return false
	}
	return slices.ContainsFunc(g.items(index), func(k tail.Expr) bool { return reaches(k, x) })
}

// index applies op index. The items are index values in ⎕IO, or nil.
func (g *infer) index(x tail.Expr, items []tail.Expr, s site) tail.Expr {
	if isEither(x) {
		return g.index(g.ofRankOne(x, s), items, s)
	}
	if len(items) == 1 && isEither(items[0]) {
		at, scalar := g.raveledEither(items[0], s)
		if z := g.index(x, []tail.Expr{at}, s); !isTuple(z) || isRagged(z) {
			return g.ofEither(z, scalar, s)
		}
		g.refuseEither(s)
	}
	if isRowwise(x) {
		return g.rowwiseIndex(x, items, s)
	}
	if isRanked(x) {
		return g.rankedIndex(x, items, s)
	}
	if isStored(x) && len(items) == 1 && items[0] != nil {
		return g.itemsOfStored("⌷", items[0], g.name(x), s)
	}
	if isTuple(x) && len(items) == 1 && items[0] != nil && isTuple(items[0]) {
		return g.chosenOfTuple(x, items[0], s)
	}
	if isTuple(x) && len(items) == 1 && items[0] != nil {
		x, items[0] = g.names2(x, items[0])
		if e := g.chosenLater("⌷", items[0], x, s); e != nil {
			return e
		}
		return g.enclosed(g.tupleIndex(x, items[0], s), items[0], s)
	}
	if isTuple(x) && g.shapeOfTuple(x) != nil {
		if rows := g.rowsChosenLater(x, items, s); rows != nil {
			return g.rowwiseIndex(rows, items, s)
		}
		return g.chosenItems("an index", g.index(g.numbers(x, 1, s), items, s), g.items(x), itemProto(x), s)
	}
	t := g.arr(x, s.left)
	if len(items) == 1 && items[0] != nil && isTuple(items[0]) {
		x, items[0] = g.names2(x, items[0])
		if g.someReach(items[0], x) {
			return g.chosenOfTuple(x, items[0], s)
		}
		return g.op(tail.OpIndex, s, g.ravel(x, s), g.chosenTuple(items[0], x, s))
	}
	if items = allAxes(x, items); len(items) != t.Dims() {
		g.faultOf(append([]tail.Expr{x}, items...), tail.FaultIndexRank, s, tail.ConstSize(int64(len(items))), extents(t))
	}
	args := g.indexArgs(items, s)
	if len(args) == 1 {
		if z := g.chosenScalar(x, args[0], s); z != nil {
			return z
		}
	}
	return g.op(tail.OpIndex, s, append([]tail.Expr{x}, args...)...)
}

// allAxes returns the items of an index, where there are none (x[]) an elided
// one for each axis of x.
func allAxes(x tail.Expr, items []tail.Expr) []tail.Expr {
	t, ok := x.Type().(*tail.Array)
	if !ok || len(items) != 1 || items[0] != nil || t.Dims() == 0 {
		return items
	}
	return make([]tail.Expr, t.Dims())
}

// indexArgs returns the index arguments of ops, counted from 1.
func (g *infer) indexArgs(items []tail.Expr, s site) []tail.Expr {
	args := make([]tail.Expr, len(items))
	for i, item := range items {
		if item == nil {
			args[i] = g.op(tail.OpAll, s)
			continue
		}
		g.arr(item, s.fn)
		args[i] = g.inward(g.toInt(item), s)
	}
	return args
}

// inward turns indices of the program's origin into indices from 1.
func (g *infer) inward(e tail.Expr, s site) tail.Expr { return g.shift(e, 1-g.origin, s) }

// outward turns indices from 1 into indices of the program's origin.
func (g *infer) outward(e tail.Expr, s site) tail.Expr { return g.shift(e, g.origin-1, s) }

func (g *infer) shift(e tail.Expr, by int, s site) tail.Expr {
	if by == 0 {
		return e
	}
	n := g.intLit(s, by)
	return g.each(e, s, func(a tail.Expr) tail.Expr { return g.op(tail.OpAddI, s, a, n) })
}
