package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Functions of major cells.

// cellPlaces gives for every major cell of y, which is not a scalar, the
// place from 1 of the first cell that matches it. Doubles count as equal where
// they have the same first equal element.
func (g *infer) cellPlaces(y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	if t.Elem == array.Bool {
		y = g.toInt(y)
	}
	if t.Elem == array.Double && t.Dims() > 1 {
		y = g.name(y)
		flat := g.name(g.ravel(y, s))
		y = g.op(tail.OpReshape, s, g.shapeOf(y, s), g.op(tail.OpIndexOf, s, flat, flat))
	}
	if t.Dims() == 1 {
		y = g.name(y)
		return g.op(tail.OpIndexOf, s, y, y)
	}
	return g.op(tail.OpFirstCell, s, y)
}

// monadicUniqueMask is ≠y: which major cells match no earlier one.
func monadicUniqueMask(g *infer, y tail.Expr, s site) tail.Expr {
	if g.arr(y, s.right).Dims() == 0 {
		y = g.ravel(y, s)
	}
	y = g.name(y)
	places := g.cellPlaces(y, s)
	return g.scalarDyadic("=", places, g.op(tail.OpIota, s, g.op(tail.OpTally, s, y)), s)
}

// indexOfCells is x⍳y where x has a higher rank than 1: the places of y's
// cells of x's rank less one among x's major cells.
func (g *infer) indexOfCells(x, y tail.Expr, s site) tail.Expr {
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	cell := tx.Dims() - 1
	if ty.Dims() < cell {
		g.fault(tail.FaultRanks, s, extents(tx), extents(ty))
	}
	if g.mixed(x, y, s) {
		g.unsupported(s.fn, "⍳ of cells of characters and of numbers")
	}
	frame := ty.Dims() - cell
	x, y = g.names2(x, y)
	shape := g.name(g.shapeOf(y, s))
	extent := func(i int) tail.Expr { return g.op(tail.OpIndex, s, shape, g.intLit(s, i+1)) }
	var outer, inner []tail.Expr
	var count tail.Expr = g.intLit(s, 1)
	for i := range ty.Dims() {
		if i < frame {
			outer = append(outer, extent(i))
			count = g.op(tail.OpMulI, s, count, extent(i))
		} else {
			inner = append(inner, extent(i))
		}
	}
	cells := g.op(tail.OpReshape, s, g.vector(s.fn, append([]tail.Expr{count}, inner...), array.Int), y)
	n := g.name(g.op(tail.OpTally, s, x))
	both := g.catenate(x, cells, 0, s)
	places := g.cellPlaces(both, s)
	found := g.op(tail.OpDrop, s, g.vector(s.fn, []tail.Expr{n}, array.Int), places)
	none := g.name(g.op(tail.OpAddI, s, n, g.intLit(s, 1)))
	found = g.each(found, s, func(p tail.Expr) tail.Expr { return g.op(tail.OpMinI, s, p, none) })
	if frame == 0 {
		return g.outward(g.op(tail.OpFirst, s, found), s)
	}
	return g.outward(g.op(tail.OpReshape, s, g.vector(s.fn, outer, array.Int), found), s)
}

// collate is x⍋y and x⍒y: the grade of characters by their places in x.
func (g *infer) collate(op tail.Op, x, y tail.Expr, s site) tail.Expr {
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	switch {
	case tx.Elem != array.Char || ty.Elem != array.Char:
		g.fail(diag.Domain, s.fn, "a collating sequence orders characters")
	case tx.Dims() == 0 || ty.Dims() == 0:
		g.fail(diag.Rank, s.fn, "grade of a scalar")
	case tx.Dims() > 1:
		g.refuse(s.fn.Text(), "with a collating array of higher rank than 1", s)
	}
	return g.grade(op, g.op(tail.OpIndexOf, s, x, y), s)
}

// tallEnough refuses a matrix for ⌹ that is known to have more columns than rows.
func (g *infer) tallEnough(t *tail.Array, s site) {
	switch t.Dims() {
	case 0, 1:
	case 2:
		rows, ok := t.Extent(0).IsConst()
		if columns, known := t.Extent(1).IsConst(); ok && known && columns > rows {
			g.fail(diag.Length, s.fn, "%d rows are too few for %d columns", rows, columns)
		}
	default:
		g.fail(diag.Rank, s.fn, "⌹ of an array of rank %d", t.Dims())
	}
}

// squadAxes is x⌷[k]y: indices for the given axes.
func (g *infer) squadAxes(f *axis, x, y tail.Expr, t *tail.Array, s site) tail.Expr {
	axes := g.axes(f, t)
	var items []tail.Expr
	switch {
	case isTuple(x):
		items = g.items(x)
	case tail.TypeOf(x).Dims() == 0:
		items = []tail.Expr{x}
	default:
		x, y = g.names2(x, y)
		items = g.spread(x, len(axes), s.left)
	}
	if len(items) != len(axes) {
		g.fail(diag.Length, s.fn, "%d indices for %d axes", len(items), len(axes))
	}
	all := make([]tail.Expr, t.Dims())
	for i, a := range axes {
		all[a] = g.ordered(items[i], y)
	}
	return g.index(y, all, s)
}
