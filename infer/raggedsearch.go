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

// comparedItems applies ⍋, ⍒, ≠ or ∪ to a nested vector that is stored; nil for others.
func (g *infer) comparedItems(glyph string, y tail.Expr, s site) tail.Expr {
	switch glyph {
	case "≠":
		same := &primitive{glyph: "=", at: s.fn}
		return g.primitiveDyadic(same, g.classesOf(y, s), g.numbersOfStored(y, s), s)
	case "∪":
		first := g.comparedItems("≠", y, s)
		return g.chosenOfStored(y, g.op(tail.OpWhere, s, first), s)
	case "⍋":
		return g.outward(g.orderOfStored(y, s), s)
	case "⍒": // from the last one on, so that equal items stay in order
		back := &primitive{glyph: "⌽", at: s.fn}
		last := g.name(g.op(tail.OpAddI, s, g.countOfStored(y, s), g.intLit(s, 1)))
		z := g.scalarDyadic("-", last, g.orderOfStored(g.name(g.turned(back, nil, y, s)), s), s)
		return g.outward(g.primitiveMonadic(back, z, s), s)
	}
	return nil
}

// exactItems reports whether the elements of the items of a ragged vector match others exactly or not at all.
func exactItems(y tail.Expr) bool {
	elem := y.Type().(*tail.TupleType).Elems[0].(*tail.Array).Elem
	return elem == array.Char || elem == array.Int || elem == array.Bool
}

// searchDyadic are the functions of two arguments that search for items, or match them.
const searchDyadic = "⍳∊~∩∪≡≢"

// searchDyadic applies one of them to two arrays of which one is stored, or both are.
func (g *infer) searchDyadic(p *primitive, x, y tail.Expr, s site) tail.Expr {
	switch p.glyph {
	case "≡", "≢":
		return g.matchStored(p.glyph, x, y, s)
	case "⍳":
		if rankOf(x) == 0 {
			g.failFix(diag.ArgumentRank, s.fn, exchange(describe(s.fn)), "the left argument of ⍳ is a scalar")
		}
		return g.searchStored(p, x, y, y, s)
	case "∊":
		if isRagged(x) && isEnclosed(y) && isVector(g.items(y)[0]) && exactItems(x) { // x≡¨y
			x, y = g.names2(x, y)
			return g.each(g.name(g.numbersOfItems(x, s)), s, func(i tail.Expr) tail.Expr {
				return g.primitiveDyadic(&primitive{glyph: "≡", at: s.fn}, g.itemOf(x, i, s), g.items(y)[0], s)
			})
		}
		return g.searchStored(p, x, y, x, s)
	case "∪":
		y, x = g.name(g.storedBeside(y, x, s)), g.name(g.storedBeside(x, y, s))
		more := g.searchDyadic(&primitive{glyph: "~", at: s.fn}, y, x, s)
		return g.bothColumns(x, g.name(more), s)
	}
	x = g.name(g.storedBeside(x, y, s))
	kept := g.primitiveDyadic(&primitive{glyph: "∊", at: s.fn}, x, y, s)
	if p.glyph == "~" {
		kept = g.primitiveMonadic(p, kept, s)
	}
	return g.chosenOfStored(x, g.op(tail.OpWhere, s, kept), s)
}

// storedBeside is e as it is stored beside another array that is, one of one item where it
// is a scalar.
func (g *infer) storedBeside(e, other tail.Expr, s site) tail.Expr {
	if isRagged(e) || isRagged(other) {
		return g.toRagged(e, s)
	}
	z := g.columnsBeside(e, other, s)
	if z == nil {
		g.fail(diag.NestedArrays, s.fn, "a nested array whose number of items is not known beside %s", describeType(e.Type()))
	}
	return z
}

// searchStored is x⍳y or x∊y; the result has the shape of query. The items of both
// are one vector, in which the first ones that match are looked for.
func (g *infer) searchStored(p *primitive, x, y, query tail.Expr, s site) tail.Expr {
	if z := g.searchVectors(p, x, y, query, s); z != nil {
		return z
	}
	y, x = g.name(g.storedBeside(y, x, s)), g.name(g.storedBeside(x, y, s))
	table, items := x, y
	if p.glyph == "∊" {
		table, items = y, x
	}
	n := g.name(g.countOfStored(table, s))
	none := g.name(g.op(tail.OpAddI, s, n, g.intLit(s, 1)))
	var found tail.Expr
	switch {
	case isRagged(x) && g.mixed(g.components(x)[0], g.components(y)[0], s):
		found = g.each(g.numbersOfItems(items, s), s, func(tail.Expr) tail.Expr { return none })
	case !sameColumns(x.Type(), y.Type()):
		g.fail(diag.NestedArrays, s.fn, "a search of %s beside %s", describeType(x.Type()), describeType(y.Type()))
	case isEnclosed(query) && g.isHashed(table) && g.isHashed(items):
		found = g.vector(s.fn, []tail.Expr{g.placeAmong(table, items, s)}, array.Int)
	default:
		found = g.dropped(n, g.classesOf(g.bothColumns(table, items, s), s), s)
	}
	if p.glyph == "∊" {
		return g.likeQuery(g.scalarDyadic("≤", g.name(found), n, s), query, s)
	}
	found = g.each(found, s, func(p tail.Expr) tail.Expr { return g.op(tail.OpMinI, s, p, none) })
	return g.likeQuery(g.outward(found, s), query, s)
}

// isHashed reports whether e is a ragged vector of integers, truth values or characters.
func (g *infer) isHashed(e tail.Expr) bool {
	if !isRagged(e) {
		return false
	}
	elem := tail.TypeOf(g.components(e)[0]).Elem
	return elem == array.Int || elem == array.Bool || elem == array.Char
}

// placeAmong is the place of the one item of a ragged vector among those of another, both of
// characters or both of numbers.
func (g *infer) placeAmong(table, item tail.Expr, s site) tail.Expr {
	parts, elements := g.components(table), g.components(item)[0]
	if tail.TypeOf(elements).Elem != array.Char {
		parts[0], elements = g.toInt(parts[0]), g.toInt(elements)
	}
	return g.op(tail.OpRaggedPlace, s, lit(s.fn, array.VectorInt(nil)), parts[0], parts[1], parts[2], elements)
}

// searchVectors is searchStored where one of them has known items of which some are no
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
		return g.searchStored(p, x, vectors, query, s)
	case inTable:
		numbers := g.origin0(append(places, int64(len(items))), s)
		found := g.searchStored(p, vectors, y, query, s)
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
		found := g.searchStored(p, left, right, vectors, s)
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

// likeQuery makes the result of a search for an enclosed item a scalar.
func (g *infer) likeQuery(found, query tail.Expr, s site) tail.Expr {
	if isEnclosed(query) {
		return g.op(tail.OpFirst, s, found)
	}
	return found
}

// keyStored is f⌸ of nested keys that are stored: f of each unique cell of the keys and
// the cells of y that have it, or their numbers.
func (g *infer) keyStored(d *derived, x, y tail.Expr, s site) tail.Expr {
	keys := y
	if x != nil {
		keys = x
	}
	keys, group := g.name(keys), tail.Expr(lit(s.fn, array.VectorInt(nil)))
	if x != nil {
		y = g.name(y)
		group = y
	}
	if isStored(keys) {
		none := g.noItemsOf2(d.left.fn, keys, group, s)
		none.call = func(args []tail.Expr) tail.Expr { return g.dyadic(d.left.fn, enclosure(g.name(args[0]), s), group, s) }
		g.whereNoItems(none, s, g.numbersOfStored(keys, s))
	}
	first := g.name(g.outward(g.cellPlaces(g.classes(keys, s), s), s))
	f := &made{func(a, b tail.Expr) tail.Expr {
		key := g.primitiveDyadic(&primitive{glyph: "⌷", at: s.fn}, a, keys, s)
		return g.dyadic(d.left.fn, g.name(key), b, s)
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
