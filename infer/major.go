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
	if (t.Elem == array.Double || t.Elem == array.Complex) && t.Dims() > 1 {
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

// cellsOf returns y as a list of cells of x's rank less one, and the shape of
// the results: a constant, or an expression; nil for a scalar.
func (g *infer) cellsOf(x, y tail.Expr, s site) (cells, frame tail.Expr) {
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	outer := ty.Dims() - (tx.Dims() - 1)
	if outer < 0 {
		g.faultOf([]tail.Expr{x, y}, tail.FaultRanks, s, extents(tx), extents(ty))
	}
	var count tail.Expr = g.intLit(s, 1)
	var first, rest []tail.Expr
	for i := range ty.Dims() {
		n := g.extentOf(y, i, s)
		if i < outer {
			first = append(first, n)
			count = g.op(tail.OpMulI, s, count, n)
		} else {
			rest = append(rest, n)
		}
	}
	if outer > 0 {
		frame = g.name(g.vector(s.fn, first, array.Int))
	}
	return g.op(tail.OpReshape, s, g.vector(s.fn, append([]tail.Expr{count}, rest...), array.Int), y), frame
}

// framed gives a vector of results for cells the shape of their frame.
func (g *infer) framed(found, frame tail.Expr, s site) tail.Expr {
	if frame == nil {
		return g.outward(g.op(tail.OpFirst, s, found), s)
	}
	return g.outward(g.op(tail.OpReshape, s, frame, found), s)
}

// dropped is n↓y.
func (g *infer) dropped(n, y tail.Expr, s site) tail.Expr {
	return g.op(tail.OpDrop, s, g.vector(s.fn, []tail.Expr{n}, array.Int), y)
}

// indexOfCells is x⍳y where x has a higher rank than 1: the places of y's
// cells of x's rank less one among x's major cells.
func (g *infer) indexOfCells(x, y tail.Expr, s site) tail.Expr {
	if g.mixed(x, y, s) {
		g.fail(diag.NotCompiled, s.fn, "⍳ of cells of characters and of numbers")
	}
	x, y = g.names2(x, y)
	cells, frame := g.cellsOf(x, y, s)
	n := g.name(g.op(tail.OpTally, s, x))
	found := g.dropped(n, g.cellPlaces(g.catenate(x, cells, 0, s), s), s)
	none := g.name(g.op(tail.OpAddI, s, n, g.intLit(s, 1)))
	found = g.each(found, s, func(p tail.Expr) tail.Expr { return g.op(tail.OpMinI, s, p, none) })
	return g.framed(found, frame, s)
}

// intervalOfCells is x⍸y where x has a higher rank than 1. In the order of all
// cells together, which is stable, x's cells that are not greater come before.
func (g *infer) intervalOfCells(x, y tail.Expr, s site) tail.Expr {
	if g.mixed(x, y, s) {
		g.fail(diag.NotCompiled, s.fn, "⍸ of cells of characters and of numbers")
	}
	x, y = g.names2(x, y)
	cells, frame := g.cellsOf(x, y, s)
	n := g.name(g.op(tail.OpTally, s, x))
	order := g.name(g.op(tail.OpGradeUp, s, g.catenate(x, cells, 0, s)))
	mine := g.each(order, s, func(p tail.Expr) tail.Expr { return g.op(tail.OpB2I, s, g.op(tail.OpLteI, s, p, n)) })
	plus := &derived{op: "\\", left: operand{fn: &primitive{glyph: "+", at: s.fn}}, at: s.fn}
	before := g.scan(plus, mine, 0, s)
	places := g.dropped(n, g.op(tail.OpGradeUp, s, order), s)
	return g.framed(g.op(tail.OpIndex, s, before, places), frame, s)
}

// collate is x⍋y and x⍒y: the grade of characters by their places in x.
func (g *infer) collate(op tail.Op, x, y tail.Expr, s site) tail.Expr {
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	switch {
	case tx.Dims() == 0 || ty.Dims() == 0:
		g.fail(diag.ArgumentRank, s.fn, "grade of a scalar")
	case tx.Elem != array.Char || ty.Elem != array.Char:
		g.fail(diag.Characters, s.fn, "a collating sequence orders characters")
	case tx.Dims() > 1:
		return g.grade(op, g.fromPrelude(g.preludeClosure("attributes"), x, y, s), s)
	}
	return g.grade(op, g.op(tail.OpIndexOf, s, x, y), s)
}

// tallEnough refuses a matrix for ⌹ that has more columns than rows.
func (g *infer) tallEnough(y tail.Expr, s site) {
	switch t := g.arr(y, s.right); t.Dims() {
	case 0:
	case 1:
		g.tallEnough(monadicTable(g, y, s), s)
	case 2:
		rows, ok := t.Extent(0).IsConst()
		columns, known := t.Extent(1).IsConst()
		switch {
		case ok && known && columns > rows:
			g.fail(diag.NotJoined, s.fn, "%d rows are too few for %d columns", rows, columns)
		case !(ok && known || t.Extent(0).Equal(t.Extent(1))):
			g.effect(g.fromPrelude(g.preludeClosure("tall"), g.extentOf(y, 0, s), g.extentOf(y, 1, s), s))
		}
	default:
		g.fail(diag.ArgumentRank, s.fn, "⌹ of an array of rank %d", t.Dims())
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
		g.fail(diag.WrongLength, s.fn, "%d indices for %d axes", len(items), len(axes))
	}
	all := make([]tail.Expr, t.Dims())
	for i, a := range axes {
		all[a] = g.ordered(items[i], y)
	}
	return g.index(y, all, s)
}
