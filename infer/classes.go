package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Nested arrays that are stored are searched and sorted by numbers that stand for their
// items. The class of an item is the position of the first item that matches it, and its
// rank is a number that is greater for what is later in the order. Where items are strands,
// those of their components are put together; where they are nested vectors, the items of
// all of them are numbered first:
//
//	(1 2)(3 4)   (3 4)   (1 2)(3 4)(5 6)     the items
//	 1  2         2       1  2  6            the classes of their items
//	 1            2       3                  and their own

// classes is an array of the shape of a stored one that says which items match.
func (g *infer) classes(y tail.Expr, s site) tail.Expr {
	return g.likeItems(y, g.classesOf, s)
}

// itemRanks is an array of the shape of a stored one that says how its items are ordered.
func (g *infer) itemRanks(y tail.Expr, s site) tail.Expr {
	return g.likeItems(y, g.ranksOf, s)
}

// likeItems is an array of the shape of a stored one with the numbers that of gives for the
// items of a vector.
func (g *infer) likeItems(y tail.Expr, of func(y tail.Expr, s site) tail.Expr, s site) tail.Expr {
	if isStored(y) {
		return of(y, s)
	}
	if items, numbers := g.arrangement(y, s); items != nil {
		args := []tail.Expr{of(items, s), numbers}
		return g.name(g.op(tail.OpIndex, s, args...))
	}
	columns := append([]tail.Expr{}, g.components(y)...)
	for i, column := range columns {
		columns[i] = g.name(of(column, s))
	}
	return g.name(g.primitiveMonadic(&primitive{glyph: "⍉", at: s.fn}, g.mix(columns, s), s))
}

// classesOf are the classes of the items of a stored vector, or of a simple one. Doubles
// count as equal where they have the same first equal element.
func (g *infer) classesOf(y tail.Expr, s site) tail.Expr {
	if !isTuple(y) {
		return g.name(g.cellPlaces(y, s))
	}
	if isRagged(y) {
		return g.name(g.firstItems(y, s))
	}
	parts, shape := g.components(y), y.Type().(*tail.TupleType).Shape
	switch {
	case shape[0] == ofArrays:
		shapes := g.name(g.cellPlaces(parts[3], s))
		return g.classesOfBoth(g.classesOf(g.raveledItems(parts), s), shapes, s)
	case g.holdsStored(y):
		return g.name(g.firstItems(g.numberedItems(y, g.classesOf, s), s))
	}
	z := g.classesOf(parts[0], s)
	for _, column := range parts[1:] {
		z = g.classesOfBoth(z, g.classesOf(column, s), s)
	}
	return z
}

// classesOfBoth are the classes of pairs, from those of their parts.
func (g *infer) classesOfBoth(x, y tail.Expr, s site) tail.Expr {
	n := g.name(g.op(tail.OpTally, s, x))
	rows := g.scalarDyadic("×", n, x, s)
	pairs := g.name(g.scalarDyadic("+", rows, y, s))
	return g.name(g.op(tail.OpIndexOf, s, pairs, pairs))
}

// holdsStored reports whether the items of a stored vector are nested vectors of which only
// the run knows the number of items.
func (g *infer) holdsStored(y tail.Expr) bool {
	t := storedItemType(y.Type())
	return IsRagged(t) || IsColumns(t)
}

// numberedItems is the ragged vector of the numbers that of gives for the items of the items
// of a stored vector, which are nested vectors.
func (g *infer) numberedItems(y tail.Expr, of func(y tail.Expr, s site) tail.Expr, s site) tail.Expr {
	all := g.joinedItems(",", y, s)
	if all == nil {
		g.fail(diag.NestedArrays, s.fn, "%s of %s", describe(s.fn), describeType(y.Type()))
	}
	counts := g.name(g.countsOfItems(y, s))
	g.effect(g.fromPrelude(g.preludeClosure("nolost"), nil, g.name(g.lostIn(y, counts, s)), s))
	offsets := g.name(g.fromPrelude(g.preludeClosure("offsets"), nil, counts, s))
	return g.ragged(&tail.Tuple{Elems: []tail.Expr{of(g.name(all), s), offsets, counts}}, s)
}

// countsOfItems are the numbers of items of the nested vectors that are items of y.
func (g *infer) countsOfItems(y tail.Expr, s site) tail.Expr {
	parts := g.components(y)
	switch {
	case isRagged(y):
		return parts[2]
	case IsRagged(storedItemType(y.Type())):
		return g.components(parts[2])[2]
	}
	return g.countsOfItems(parts[0], s)
}

// lostIn is positive where the prototypes of items of y, nested vectors, are lost.
func (g *infer) lostIn(y, counts tail.Expr, s site) tail.Expr {
	empty := g.scalarDyadic("=", counts, g.intLit(s, 0), s)
	t := y.Type().(*tail.TupleType)
	if !IsRagged(storedItemType(t)) || t.Proto == nil {
		return empty
	}
	return g.scalarDyadic("×", g.name(empty), g.components(g.components(y)[0])[2], s)
}

// orderOfStored are the numbers of the items of a stored vector, or of a simple one, from 1,
// in their order.
func (g *infer) orderOfStored(y tail.Expr, s site) tail.Expr {
	if !isTuple(y) {
		return g.name(g.op(tail.OpGradeUp, s, y))
	}
	if isRagged(y) {
		return g.name(g.orderOf(y, s))
	}
	parts, shape := g.components(y), y.Type().(*tail.TupleType).Shape
	switch {
	case shape[0] == ofArrays || isEitherType(storedItemType(y.Type())):
		g.fail(diag.NestedArrays, s.fn, "the order of %s", describeType(y.Type()))
	case g.holdsStored(y):
		return g.name(g.orderOf(g.numberedItems(y, g.ranksOf, s), s))
	}
	last := len(parts) - 1
	order := g.orderOfStored(parts[last], s)
	for i := last - 1; i >= 0; i-- { // each order is stable
		column := g.name(g.chosenOfStored(parts[i], order, s))
		order = g.name(g.op(tail.OpIndex, s, order, g.orderOfStored(column, s)))
	}
	return order
}

// ranksOf are the ranks of the items of a stored vector, or of a simple one.
func (g *infer) ranksOf(y tail.Expr, s site) tail.Expr {
	if !isTuple(y) && tail.TypeOf(y).Elem == array.Complex {
		g.fail(diag.NestedArrays, s.fn, "the order of nested complex numbers")
	}
	places := g.name(g.op(tail.OpGradeUp, s, g.orderOfStored(y, s)))
	return g.name(g.op(tail.OpIndex, s, places, g.classesOf(y, s)))
}

// matchStored is x≡y or x≢y of nested vectors of which one is stored, or both are.
func (g *infer) matchStored(glyph string, x, y tail.Expr, s site) tail.Expr {
	same := tail.Expr(lit(s.fn, array.ScalarBool(false)))
	if isTuple(x) && isTuple(y) && rankOf(x) == rankOf(y) {
		same = g.matchAlike(x, y, s)
	}
	if glyph == "≢" {
		return g.op(tail.OpNotB, s, same)
	}
	return same
}

// matchAlike is matchStored of arrays of one rank.
func (g *infer) matchAlike(x, y tail.Expr, s site) tail.Expr {
	p := &primitive{glyph: "≡", at: s.fn}
	y, x = g.name(g.storedBeside(y, x, s)), g.name(g.storedBeside(x, y, s))
	n, m := g.name(g.countOfStored(x, s)), g.name(g.countOfStored(y, s))
	var counts tail.Expr
	var rest func() tail.Expr
	switch {
	case isRagged(x):
		counts = g.primitiveDyadic(p, g.components(x)[2], g.components(y)[2], s)
		rest = func() tail.Expr { return g.primitiveDyadic(p, g.joinedElements(x, s), g.joinedElements(y, s), s) }
		g.noneLost(g.op(tail.OpAddI, s, g.lost(x, s), g.lost(y, s)), n, m, s)
	case !sameColumns(x.Type(), y.Type()):
		g.fail(diag.NestedArrays, s.fn, "≡ of %s and %s", describeType(x.Type()), describeType(y.Type()))
	default:
		counts = g.op(tail.OpEqI, s, n, m)
		rest = func() tail.Expr {
			all := g.classesOf(g.bothColumns(x, y, s), s)
			return g.primitiveDyadic(p, g.op(tail.OpTake, s, g.ravel(n, s), all), g.dropped(n, all, s), s)
		}
		g.noneLost(g.intLit(s, 1), n, m, s)
	}
	return g.choose(g.name(counts), g.block(rest), lit(s.fn, array.ScalarBool(false)), s)
}

// noneLost tests that prototypes are known, as lost says, of two arrays of n and m items where
// both have none.
func (g *infer) noneLost(lost, n, m tail.Expr, s site) {
	items := g.op(tail.OpIota, s, g.op(tail.OpAddI, s, n, m))
	g.effect(g.fromPrelude(g.preludeClosure("unlost"), lost, items, s))
}
