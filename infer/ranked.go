package infer

import (
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// A nested array of rank 2 and more whose extents only the run knows, and whose items have
// one type, is the stored vector of its items, in row-major order, and its shape. A function
// that rearranges does to it what it does to the array of the numbers of its items:
//
//	⍉m    the items of m, with the numbers ⍉2 3⍴⍳6 of those of m

// isRanked reports whether e is such an array.
func isRanked(e tail.Expr) bool {
	return isColumns(e) && e.Type().(*tail.TupleType).Shape[0] == ofRanked
}

// ranked is the array of a shape, of a known rank, with the items of a vector: simple ones,
// or stored.
func (g *infer) ranked(items, shape tail.Expr, s site) tail.Expr {
	rank, _ := tail.TypeOf(shape).Extent(0).IsConst()
	switch {
	case rank == 1:
		return items
	case !isTuple(items):
		return g.op(tail.OpReshape, s, shape, items)
	case !isStored(items):
		g.fail(diag.NestedArrays, s.fn, "a nested array of rank %d of %s", rank, describeType(items.Type()))
	}
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: []tail.Expr{g.name(items), g.name(shape)}, Shape: []int{ofRanked, int(rank)}}
}

// shapeOfRanked is the shape of such an array.
func (g *infer) shapeOfRanked(y tail.Expr, s site) tail.Expr {
	shape := g.components(y)[1]
	if _, known := tail.TypeOf(shape).Extent(0).IsConst(); known {
		return shape
	}
	extents := make([]tail.Expr, rankOf(y))
	for i := range extents {
		extents[i] = g.op(tail.OpIndex, s, shape, g.intLit(s, i+1))
	}
	return g.name(g.vector(s.fn, extents, array.Int))
}

// arranged are the items of a stored vector whose numbers are in an array, in its shape.
func (g *infer) arranged(items, numbers tail.Expr, s site) tail.Expr {
	numbers = g.name(numbers)
	if tail.TypeOf(numbers).Dims() == 0 {
		return enclosure(g.name(g.storedItem(items, numbers, s)), s)
	}
	return g.ranked(g.chosenOfStored(items, g.ravel(numbers, s), s), g.shapeOf(numbers, s), s)
}

// arrangement is a nested array as a stored vector and the array of the numbers of its items
// in that; nil where its items are not alike.
func (g *infer) arrangement(e tail.Expr, s site) (items, numbers tail.Expr) {
	e = g.name(e)
	switch {
	case isRanked(e):
		items = g.components(e)[0]
		return items, g.name(g.op(tail.OpReshape, s, g.shapeOfRanked(e, s), g.numbersOfStored(items, s)))
	case isRowwise(e):
		return g.arrangedRows(e, s)
	case isStored(e):
		return e, g.name(g.numbersOfStored(e, s))
	case !isTuple(e) || isEither(e) || emptyTuple(e):
		return nil, nil
	}
	numbers = g.numbers(e, 1, s)
	if isEnclosed(e) {
		numbers = g.intLit(s, 1)
	}
	return g.storedItems(&tail.Tuple{At: tail.At{Where: e.Span()}, Elems: g.items(e)}, s), numbers
}

// arrangedRows is arrangement of a matrix that is stored by columns.
func (g *infer) arrangedRows(e tail.Expr, s site) (items, numbers tail.Expr) {
	columns := g.components(e)
	for i, column := range columns {
		if !isTuple(column) || !sameColumns(column.Type(), columns[0].Type()) {
			return nil, nil
		}
		if i == 0 {
			items = column
			continue
		}
		items = g.bothColumns(items, column, s)
	}
	shape := g.vector(s.fn, []tail.Expr{g.intLit(s, len(columns)), g.countOfStored(columns[0], s)}, array.Int)
	byColumns := g.op(tail.OpReshape, s, shape, g.numbersOfStored(items, s))
	return items, g.name(g.primitiveMonadic(&primitive{glyph: "⍉", at: s.fn}, byColumns, s))
}

// rankedMonadic applies a primitive to a nested array of rank 2 and more.
func (g *infer) rankedMonadic(glyph string, y tail.Expr, s site) tail.Expr {
	p := &primitive{glyph: glyph, at: s.fn}
	switch glyph {
	case "≠":
		return g.primitiveMonadic(p, g.classes(y, s), s)
	case "∪":
		first := g.primitiveMonadic(&primitive{glyph: "≠", at: s.fn}, g.classes(y, s), s)
		return g.primitiveDyadic(&primitive{glyph: "⌿", at: s.fn}, first, y, s)
	case "⍋", "⍒":
		return g.primitiveMonadic(p, g.itemRanks(y, s), s)
	}
	items, numbers := g.arrangement(y, s)
	if items == nil {
		g.fail(diag.NestedArrays, s.fn, "%s of a nested matrix whose number of rows is not known", glyph)
	}
	switch {
	case glyph == ",":
		return g.arranged(items, g.ravel(numbers, s), s)
	case glyph == "⍴" || glyph == "≢":
		return g.primitiveMonadic(p, numbers, s)
	case glyph == "≡":
		return g.intLit(s, depthOf(items.Type()))
	case glyph == "⊃":
		return g.storedItem(items, g.firstNumber(items, s), s)
	case glyph == "∊":
		return g.primitiveMonadic(p, g.arranged(items, g.ravel(numbers, s), s), s)
	case glyph == "↓" && rankOf(y) == 2:
		return g.eachMatrixRow(numbers, func(row tail.Expr) tail.Expr { return g.chosenOfStored(items, row, s) }, s)
	case strings.Contains("⌽⊖⍉⍪", glyph):
		return g.arranged(items, g.primitiveMonadic(p, numbers, s), s)
	case isScalarMonadic(glyph) || glyph == "⎕C" || glyph == "⎕UCS":
		return g.eachRanked(p, y, s)
	}
	g.fail(diag.NestedArrays, s.fn, "%s of a nested array of rank %d whose extents are not known", glyph, rankOf(y))
	return nil
}

// eachMatrixRow is what f gives for the rows of a matrix.
func (g *infer) eachMatrixRow(m tail.Expr, f change, s site) tail.Expr {
	m = g.name(m)
	rows := g.name(g.op(tail.OpIota, s, g.op(tail.OpTally, s, m)))
	return g.eachNumber(rows, func(i tail.Expr) tail.Expr {
		return f(g.name(g.op(tail.OpIndex, s, g.rawArgs([]tail.Expr{m, i, nil}, s)...)))
	}, s)
}

// eachRanked is f¨y.
func (g *infer) eachRanked(f function, y tail.Expr, s site) tail.Expr {
	return g.ranked(g.eachRagged(f, g.components(y)[0], s), g.shapeOfRanked(y, s), s)
}

// eachRanked2 is x f¨y where one of them is a nested array of rank 2 and more.
func (g *infer) eachRanked2(f function, x, y tail.Expr, s site) tail.Expr {
	side := func(e tail.Expr) (numbers tail.Expr, item change) {
		if a := g.only(e, s); a != nil {
			return nil, func(tail.Expr) tail.Expr { return a }
		}
		items, numbers := g.arrangement(e, s)
		if items == nil && !isTuple(e) {
			e = g.name(e)
			items = g.name(g.ravel(e, s))
			numbers = g.op(tail.OpReshape, s, g.shapeOf(e, s), g.op(tail.OpIota, s, g.op(tail.OpTally, s, items)))
		}
		if items == nil {
			g.fail(diag.NestedArrays, s.fn, "¨ between a nested array of rank 2 and more and %s", describeType(e.Type()))
		}
		return g.name(numbers), func(i tail.Expr) tail.Expr { return g.storedItem(items, i, s) }
	}
	x, y = g.names2(x, y)
	right, b := side(y)
	left, a := side(x)
	numbers := left
	switch {
	case left == nil:
		numbers = right
	case right != nil: // which tests the shapes
		numbers = g.name(g.scalarDyadic("⌊", left, right, s))
	}
	z := g.eachItem(f, g.name(g.ravel(numbers, s)), func(i tail.Expr) tail.Expr {
		item := b(i)
		return g.dyadic(f, a(i), item, s)
	}, g.noItemsOf2(f, x, y, s), s)
	return g.ranked(z, g.shapeOf(numbers, s), s)
}

// matchRanked is x≡y or x≢y of nested arrays of one rank.
func (g *infer) matchRanked(glyph string, x, y tail.Expr, s site) tail.Expr {
	of := func(glyph string, e tail.Expr) tail.Expr {
		return g.name(g.primitiveMonadic(&primitive{glyph: glyph, at: s.fn}, e, s))
	}
	match := func(glyph string) tail.Expr {
		right := of(glyph, y)
		return g.name(g.primitiveDyadic(&primitive{glyph: "≡", at: s.fn}, of(glyph, x), right, s))
	}
	z := g.op(tail.OpAndB, s, match("⍴"), match(","))
	if glyph == "≢" {
		return g.op(tail.OpNotB, s, z)
	}
	return z
}

// rankedDyadic applies a primitive to something and a nested array of rank 2 and more, or to
// a nested vector where the result is one; nil where it has no such form.
func (g *infer) rankedDyadic(p *primitive, x, y tail.Expr, s site) tail.Expr {
	join := p.glyph == "," || p.glyph == "⍪"
	switch {
	case isScalarDyadic(p.glyph) || p.glyph == "⎕C":
		return g.eachRanked2(p, x, y, s)
	case (p.glyph == "≡" || p.glyph == "≢") && rankOf(x) == rankOf(y):
		return g.matchRanked(p.glyph, x, y, s)
	case !join && isTuple(x) && p.glyph == "∊":
		all, _ := g.arrangement(y, s)
		items, numbers := g.arrangement(x, s)
		if items == nil || all == nil {
			return nil
		}
		return g.op(tail.OpReshape, s, g.shapeOf(numbers, s), g.primitiveDyadic(p, g.arranged(items, g.ravel(numbers, s), s), all, s))
	case join && isTuple(x) && isTuple(y):
		right, after := g.arrangement(y, s)
		left, before := g.arrangement(x, s)
		if left == nil || right == nil || !sameColumns(left.Type(), right.Type()) {
			return nil
		}
		after = g.scalarDyadic("+", g.name(g.countOfStored(left, s)), after, s)
		return g.arranged(g.bothColumns(left, right, s), g.primitiveDyadic(p, before, after, s), s)
	case p.glyph == "⌷" && isTuple(y) && isEnclosed(x) && !isTuple(g.items(x)[0]):
		return g.rankedIndex(y, append([]tail.Expr{g.items(x)[0]}, make([]tail.Expr, rankOf(y)-1)...), s)
	case p.glyph == "⊃" && isRanked(y) && isEnclosed(x) && !isTuple(g.items(x)[0]):
		items, numbers := g.arrangement(y, s)
		return g.storedItem(items, g.name(g.pickFrom(numbers, g.items(x)[0], s)), s)
	case isTuple(x) || !strings.Contains(rearrangeDyadic+"⍴", p.glyph):
		return nil
	}
	items, numbers := g.arrangement(y, s)
	if items == nil {
		return nil
	}
	if p.glyph == "⌷" {
		return g.arranged(items, g.primitiveDyadic(p, x, numbers, s), s)
	}
	return g.arranged(items, g.unfilled(p, x, numbers, s), s)
}

// rankedIndex is y[i;j], and so on.
func (g *infer) rankedIndex(y tail.Expr, at []tail.Expr, s site) tail.Expr {
	items, numbers := g.arrangement(y, s)
	if items == nil {
		g.fail(diag.NestedArrays, s.fn, "an index into %s", describeType(y.Type()))
	}
	return g.arranged(items, g.index(numbers, at, s), s)
}

// reduceRanked is f/ along an axis of a nested matrix.
func (g *infer) reduceRanked(f function, y tail.Expr, axis int, s site) tail.Expr {
	items, numbers := g.arrangement(y, s)
	if rankOf(y) > 2 || items == nil {
		g.fail(diag.NestedArrays, s.fn, "reduction of a nested array of rank %d whose extents are not known", rankOf(y))
	}
	if axis == 0 {
		numbers = g.primitiveMonadic(&primitive{glyph: "⍉", at: s.fn}, numbers, s)
	}
	return g.eachMatrixRow(numbers, func(row tail.Expr) tail.Expr {
		z := g.name(g.reduceTuple(f, g.chosenOfStored(items, row, s), 0, s))
		if isTuple(z) {
			return g.items(z)[0]
		}
		return z
	}, s)
}

// outerRanked is x∘.f y where f gives no scalars.
func (g *infer) outerRanked(f function, x, y tail.Expr, s site) tail.Expr {
	side := func(e tail.Expr) (items, numbers tail.Expr) {
		if items, numbers = g.arrangement(e, s); items != nil {
			return items, numbers
		}
		if isTuple(e) {
			g.fail(diag.NestedArrays, s.fn, "an outer product of a nested array whose number of items is not known and %s", describeType(e.Type()))
		}
		e = g.name(e)
		return g.name(g.ravel(e, s)), e
	}
	right, ny := side(y)
	left, nx := side(x)
	pairs := g.components(g.name(g.fromPrelude(g.preludeClosure("pairsof"), g.countOfStored(left, s), g.countOfStored(right, s), s)))
	each := g.name(g.op(tail.OpIota, s, g.op(tail.OpTally, s, pairs[0])))
	at := func(items, numbers, i tail.Expr) tail.Expr {
		return g.storedItem(items, g.name(g.op(tail.OpIndex, s, numbers, i)), s)
	}
	z := g.eachItem(f, each, func(i tail.Expr) tail.Expr {
		item := at(right, pairs[1], i)
		return g.cellOf(g.dyadic(f, at(left, pairs[0], i), item, s), s)
	}, g.noPairs(f, left, right, s), s)
	shape := g.opAxis(tail.OpCat, s, 0, g.shapeOf(nx, s), g.shapeOf(ny, s))
	return g.ranked(z, shape, s)
}

// mixedVectors is ↑y of a stored vector of nested vectors: each is a row, filled with its
// prototype.
func (g *infer) mixedVectors(y tail.Expr, s site) tail.Expr {
	return g.filledRows(g.name(g.joinedItems(",", y, s)), g.components(g.components(y)[1])[2], s)
}

// mixedStored is ↑ of a few nested vectors of which some are stored.
func (g *infer) mixedStored(items []tail.Expr, s site) tail.Expr {
	var all tail.Expr
	counts := make([]tail.Expr, len(items))
	for i := len(items) - 1; i >= 0; i-- {
		e := g.name(g.toRagged(items[i], s))
		counts[i] = g.countOfRagged(e, s)
		if all == nil {
			all = e
			continue
		}
		all = g.name(g.raggedDyadic(",", e, all, s))
	}
	return g.filledRows(all, g.name(g.vector(s.fn, counts, array.Int)), s)
}

// filledRows is the matrix whose rows are the items of a ragged vector, so many in each, and
// the prototypes of the rows.
func (g *infer) filledRows(y, counts tail.Expr, s site) tail.Expr {
	t, all := y.Type().(*tail.TupleType), g.components(y)
	known := g.intLit(s, 0)
	if t.Proto != nil {
		known = g.intLit(s, 1)
	}
	parts := &tail.Tuple{Elems: append(all[:3:3], counts, known)}
	rows := g.components(g.name(g.fromPrelude(g.preludeClosure("mixedrows"), nil, parts, s)))
	items := g.ragged(&tail.Tuple{Elems: rows[:3]}, s).(*tail.Tuple)
	items.Proto = t.Proto
	return g.arranged(items, rows[3], s)
}
