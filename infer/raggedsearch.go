package infer

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Items of ragged vectors are looked up by their bytes, and ordered by numbers of their
// first elements.

// firstItems is for each item of a ragged vector the number of the first item that
// matches it. Doubles count as equal where they have the same first equal element.
func (g *infer) firstItems(y tail.Expr, s site) tail.Expr {
	parts := append([]tail.Expr{}, g.components(y)...)
	switch tail.TypeOf(parts[0]).Elem {
	case array.Bool:
		parts[0] = g.toInt(parts[0])
	case array.Double, array.Complex:
		v := g.name(parts[0])
		parts[0] = g.op(tail.OpIndexOf, s, v, v)
	}
	return g.op(tail.OpFirstItem, s, parts...)
}

// orderOf are the numbers of the items, from 1, in their order: numbers give way to
// their places in the order of all of them, where equal ones are equal.
func (g *infer) orderOf(y tail.Expr, s site) tail.Expr {
	switch elem := tail.TypeOf(g.components(y)[0]).Elem; elem {
	case array.Char:
		y = g.asNumbers(y, s)
	case array.Complex:
		g.fail(diag.NestedArrays, s.fn, "the order of nested complex numbers")
	default:
		parts := append([]tail.Expr{}, g.components(y)...)
		parts[0] = g.name(g.madeOf("placesof", nil, y, s))
		y = g.ragged(&tail.Tuple{Elems: parts}, s)
	}
	return g.madeOf("orderof", nil, y, s)
}

// asNumbers is a ragged vector with the code points of characters.
func (g *infer) asNumbers(y tail.Expr, s site) tail.Expr {
	parts := append([]tail.Expr{}, g.components(y)...)
	if tail.TypeOf(parts[0]).Elem == array.Char {
		parts[0] = g.name(g.primitiveMonadic(&primitive{glyph: "⎕UCS", at: s.fn}, parts[0], s))
	}
	return g.ragged(&tail.Tuple{Elems: parts}, s)
}

// searchRagged is x⍳y or x∊y; the result has the shape of query. The items of both
// are one ragged vector, in which the first ones that match are looked for.
func (g *infer) searchRagged(p *primitive, x, y, query tail.Expr, s site) tail.Expr {
	if z := g.searchVectors(p, x, y, query, s); z != nil {
		return z
	}
	y, x = g.name(g.toRagged(y, s)), g.name(g.toRagged(x, s))
	table, items := x, y
	if p.glyph == "∊" {
		table, items = y, x
	}
	n := g.name(g.countOfRagged(table, s))
	none := g.name(g.op(tail.OpAddI, s, n, g.intLit(s, 1)))
	var found tail.Expr
	if g.mixed(g.components(x)[0], g.components(y)[0], s) {
		found = g.each(g.numbersOfItems(items, s), s, func(tail.Expr) tail.Expr { return none })
	} else {
		u, v := g.same(g.components(table)[0], g.components(items)[0], s)
		both := g.raggedBy("bothof", g.plainStrand(g.withElements(table, u)), g.withElements(items, v), s)
		found = g.dropped(n, g.firstItems(g.ragged(both, s), s), s)
	}
	if p.glyph == "∊" {
		return g.likeQuery(g.scalarDyadic("≤", g.name(found), n, s), query, s)
	}
	found = g.each(found, s, func(p tail.Expr) tail.Expr { return g.op(tail.OpMinI, s, p, none) })
	return g.likeQuery(g.outward(found, s), query, s)
}

// searchVectors is searchRagged where one of them has known items of which some are no
// vectors, and match none: the others are looked up, or looked for; nil in other cases.
//
//	words∊'a' 'the'    words∊,⊂'the'
//	words⍳'a' 'the'    (1+≢words),words⍳⊂'the'
func (g *infer) searchVectors(p *primitive, x, y, query tail.Expr, s site) tail.Expr {
	x, y = g.names2(x, y)
	few, many, inTable := y, x, p.glyph == "∊"
	if isRagged(y) {
		few, many, inTable = x, y, !inTable
	}
	if !isRagged(many) || isStored(few) || isTuple(few) && rankOf(few) > 1 {
		return nil
	}
	items, vectors, places := g.vectorsLike(few, many)
	switch {
	case isTuple(few) && len(places) == len(items):
		return nil
	case inTable && len(places) == 0:
		none := g.absent(p, few, s)
		return g.each(g.numbersOfItems(many, s), s, func(tail.Expr) tail.Expr { return none })
	case inTable && p.glyph == "∊":
		return g.searchRagged(p, x, vectors, query, s)
	case inTable:
		numbers := g.origin0(append(places, int64(len(items))), s)
		found := g.searchRagged(p, vectors, y, query, s)
		return g.primitiveDyadic(&primitive{glyph: "⌷", at: s.fn}, enclosure(g.name(found), s), numbers, s)
	}
	none := g.absent(p, many, s)
	if !isTuple(few) {
		return g.each(few, s, func(tail.Expr) tail.Expr { return none })
	}
	z := g.op(tail.OpReshape, s, g.vector(s.fn, []tail.Expr{g.intLit(s, len(items))}, array.Int), none)
	if len(places) > 0 {
		left, right := x, tail.Expr(vectors)
		if p.glyph == "∊" {
			left, right = right, y
		}
		found := g.searchRagged(p, left, right, vectors, s)
		z = g.update(g.name(z), []tail.Expr{g.origin0(places, s)}, found, s)
	}
	return g.likeQuery(g.name(z), query, s)
}

// vectorsLike are the items of a nested array, a strand of those that are vectors of the
// kind of the items of a ragged vector, and their places, from 0.
func (g *infer) vectorsLike(few, many tail.Expr) (items []tail.Expr, vectors *tail.Tuple, places []int64) {
	vectors = &tail.Tuple{At: tail.At{Where: few.Span()}}
	if !isTuple(few) {
		return nil, vectors, nil
	}
	items = g.items(few)
	chars := tail.TypeOf(g.components(many)[0]).Elem == array.Char
	for i, item := range items {
		if isVector(item) && (tail.TypeOf(item).Elem == array.Char) == chars {
			vectors.Elems, places = append(vectors.Elems, item), append(places, int64(i))
		}
	}
	return items, vectors, places
}

// absent is the result of ⍳ or ∊ for what a table does not have.
func (g *infer) absent(p *primitive, table tail.Expr, s site) tail.Expr {
	if p.glyph == "∊" {
		return lit(s.fn, array.ScalarBool(false))
	}
	n := g.primitiveMonadic(&primitive{glyph: "≢", at: s.fn}, table, s)
	return g.name(g.outward(g.op(tail.OpAddI, s, n, g.intLit(s, 1)), s))
}

// origin0 is the vector of numbers that count from 0, in the program's index origin.
func (g *infer) origin0(numbers []int64, s site) tail.Expr {
	all := slices.Clone(numbers)
	for i := range all {
		all[i] += int64(g.origin)
	}
	return lit(s.fn, array.VectorInt(all))
}

// withElements is a ragged vector with other elements in the places of its own.
func (g *infer) withElements(y, elements tail.Expr) tail.Expr {
	parts := append([]tail.Expr{}, g.components(y)...)
	parts[0] = elements
	return &tail.Tuple{At: tail.At{Where: y.Span()}, Elems: parts, Shape: raggedShape, Proto: y.Type().(*tail.TupleType).Proto}
}

// likeQuery makes the result of a search for an enclosed item a scalar.
func (g *infer) likeQuery(found, query tail.Expr, s site) tail.Expr {
	if isEnclosed(query) {
		return g.op(tail.OpFirst, s, found)
	}
	return found
}

// matchRagged is x≡y or x≢y.
func (g *infer) matchRagged(glyph string, x, y tail.Expr, s site) tail.Expr {
	same := tail.Expr(lit(s.fn, array.ScalarBool(false)))
	if isTuple(x) && isTuple(y) && rankOf(x) == rankOf(y) {
		p := &primitive{glyph: "≡", at: s.fn}
		y, x = g.name(g.toRagged(y, s)), g.name(g.toRagged(x, s))
		lengths := g.primitiveDyadic(p, g.components(x)[2], g.components(y)[2], s)
		elements := g.block(func() tail.Expr { return g.primitiveDyadic(p, g.joinedElements(x, s), g.joinedElements(y, s), s) })
		same = g.choose(g.name(lengths), elements, same, s)
		none := g.opAxis(tail.OpCat, s, 0, g.components(x)[1], g.components(y)[1])
		g.effect(g.fromPrelude(g.preludeClosure("unlost"), g.op(tail.OpAddI, s, g.lost(x, s), g.lost(y, s)), none, s))
	}
	if glyph == "≢" {
		return g.op(tail.OpNotB, s, same)
	}
	return same
}

// keyRagged is f⌸ of ragged keys: f of each unique item and the cells of y that
// have it, or their numbers.
func (g *infer) keyRagged(d *derived, x, y tail.Expr, s site) tail.Expr {
	keys := y
	if x != nil {
		keys = x
	}
	keys, group := g.name(keys), tail.Expr(lit(s.fn, array.VectorInt(nil)))
	if x != nil {
		y = g.name(y)
		group = y
	}
	none := g.noItemsOf2(d.left.fn, keys, group, s)
	none.call = func(args []tail.Expr) tail.Expr { return g.dyadic(d.left.fn, enclosure(g.name(args[0]), s), group, s) }
	g.whereNoItems(none, s, g.numbersOfItems(keys, s))
	first := g.name(g.outward(g.firstItems(keys, s), s))
	f := &made{func(a, b tail.Expr) tail.Expr {
		key := enclosure(g.name(g.itemOf(keys, g.inward(a, s), s)), s)
		return g.dyadic(d.left.fn, key, b, s)
	}}
	inner := &derived{op: d.op, left: operand{fn: f, at: d.left.at}, at: d.at}
	if x == nil {
		return g.key(inner, nil, first, s)
	}
	return g.key(inner, first, y, s)
}

// besideSimple is a search, a set function or a comparison of a simple array and a nested
// one that is stored, none of whose items is a scalar, so that nothing matches: what one of
// them has is not found in the other. It is nil for other functions and arrays.
func (g *infer) besideSimple(glyph string, x, y tail.Expr, s site) tail.Expr {
	simple, nested := x, y
	if isTuple(x) {
		simple, nested = y, x
	}
	if isTuple(simple) || !isRagged(nested) && !isColumns(nested) || !g.holdsNoScalars(nested) || !strings.Contains("≡≢∊⍳~∩", glyph) {
		return nil
	}
	rank := rankOf(simple)
	if (glyph == "~" || glyph == "∩") && rank > 1 || glyph == "⍳" && !isTuple(x) && rank != 1 {
		return nil
	}
	if x, y = g.names2(x, y); glyph == "≡" || glyph == "≢" {
		return lit(s.fn, array.ScalarBool(glyph == "≢"))
	}
	of := func(glyph string, e tail.Expr) tail.Expr {
		return g.primitiveMonadic(&primitive{glyph: glyph, at: s.fn}, e, s)
	}
	alike := func(e, value tail.Expr) tail.Expr { return g.op(tail.OpReshape, s, of("⍴", e), value) }
	switch glyph {
	case "∊":
		return alike(x, lit(s.fn, array.ScalarBool(false)))
	case "⍳":
		return alike(y, g.op(tail.OpAddI, s, of("≢", x), g.intLit(s, g.origin)))
	}
	if !isTuple(x) {
		x = g.ravel(x, s)
	}
	if glyph == "∩" {
		return g.primitiveDyadic(&primitive{glyph: "↑", at: s.fn}, g.intLit(s, 0), x, s)
	}
	return x
}

// holdsNoScalars reports whether no item of a stored array is a scalar.
func (g *infer) holdsNoScalars(e tail.Expr) bool {
	if isRowwise(e) || isRanked(e) {
		return false
	}
	switch t := storedItemType(e.Type()).(type) {
	case *tail.Array:
		return t.Dims() > 0
	case *tail.TupleType:
		return !isEitherType(t)
	}
	return false
}
