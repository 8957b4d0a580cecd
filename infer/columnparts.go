package infer

import (
	"github.com/tailor-lang/tailor/tail"
)

// Parts of nested vectors that are stored by columns, such vectors joined, and what
// they look like.

// toColumns is a nested vector, or a nested scalar as one of one item, stored by
// columns; nil where its items are of several types.
func (g *infer) toColumns(e tail.Expr, s site) tail.Expr {
	if isColumns(e) {
		return e
	}
	if isEnclosed(e) && canBeColumn([]tail.Type{g.items(e)[0].Type()}) {
		return g.columnOf(g.items(e), s)
	}
	return g.byColumns(e, s)
}

// columnsBeside is toColumns of e, which is joined to other: where e encloses a strand,
// and the items of other are stored, the strand is, too.
func (g *infer) columnsBeside(e, other tail.Expr, s site) tail.Expr {
	if isColumns(other) && isEnclosed(e) && isTuple(g.items(e)[0]) && !isStored(g.items(e)[0]) {
		if t := storedItemType(other.Type()); IsRagged(t) || IsColumns(t) {
			if item := g.toColumns(g.items(e)[0], s); item != nil {
				return g.columnOf([]tail.Expr{item}, s)
			}
		}
	}
	return g.toColumns(e, s)
}

// sameColumns reports whether columns of two types can be joined.
func sameColumns(a, b tail.Type) bool {
	x, nested := a.(*tail.TupleType)
	y, both := b.(*tail.TupleType)
	if nested != both {
		return false
	}
	if !nested {
		a, b := a.(*tail.Array), b.(*tail.Array)
		_, ok := joinElem(a.Elem, b.Elem)
		return ok && a.Dims() == b.Dims() && (a.Dims() < 2 || a.Extent(1).Equal(b.Extent(1)))
	}
	if len(x.Elems) != len(y.Elems) || !sameShape(x.Shape, y.Shape) {
		return false
	}
	for i := range x.Elems {
		if !sameColumns(x.Elems[i], y.Elems[i]) {
			return false
		}
	}
	return true
}

// bothColumns is x,y of nested vectors that are stored alike.
func (g *infer) bothColumns(x, y tail.Expr, s site) tail.Expr {
	switch {
	case !isTuple(x):
		return g.name(g.catenate(x, y, 0, s))
	case isRagged(x):
		return g.name(g.raggedDyadic(",", x, y, s))
	}
	left, right := g.components(x), g.components(y)
	shape := x.Type().(*tail.TupleType).Shape
	z := &tail.Tuple{At: tail.At{Where: s.span()}, Shape: shape, Proto: tail.SameProto(x.Type().(*tail.TupleType), y.Type().(*tail.TupleType))}
	if shape[0] == ofArrays {
		z.Elems = append(z.Elems, g.components(g.bothColumns(g.raveledItems(left), g.raveledItems(right), s))...)
		z.Elems = append(z.Elems, g.name(g.catenate(left[3], right[3], 0, s)))
		return z
	}
	for i := range left {
		z.Elems = append(z.Elems, g.bothColumns(left[i], right[i], s))
	}
	return z
}

// joinedItems are the items of a stored vector joined by , or ⍪, where they are arrays,
// or vectors that are stored alike; nil for others. The parts of ragged vectors are
// joined one by one: the elements of each begin where those of the ones before end.
func (g *infer) joinedItems(glyph string, y tail.Expr, s site) tail.Expr {
	if !isTuple(y) {
		return nil
	}
	if isRagged(y) {
		return g.name(g.joinedElements(y, s))
	}
	t := y.Type().(*tail.TupleType)
	switch t.Shape[0] {
	case ofArrays:
		return g.joinedArrays(glyph, y, s)
	case ofShaped:
	default:
		return nil
	}
	parts, item := g.components(y), t.Shape[1:]
	z := &tail.Tuple{At: tail.At{Where: s.span()}, Shape: append([]int{}, item...), Proto: t.Proto}
	if arrays := len(item) > 0 && item[0] == ofArrays; arrays || IsRagged(storedItemType(t)) {
		elements, offsets, lengths := g.joinedItems(glyph, parts[0], s), g.joinedItems(glyph, parts[1], s), g.joinedItems(glyph, parts[2], s)
		if g.areTight(parts) {
			z.Elems = []tail.Expr{elements, g.name(g.fromPrelude(g.preludeClosure("offsets"), nil, lengths, s)), lengths}
			return z
		}
		counts := &tail.Tuple{At: tail.At{Where: s.span()}, Elems: []tail.Expr{g.components(parts[0])[2], g.components(parts[1])[2]}}
		z.Elems = []tail.Expr{elements, g.name(g.fromPrelude(g.preludeClosure("joinedoffsets"), offsets, counts, s)), lengths}
		if arrays {
			z.Elems = append(z.Elems, g.joinedArrays("⍪", parts[3], s))
		}
		return z
	}
	if len(item) == 0 || item[0] != ofShaped && item[0] != ofStrands {
		return nil
	}
	for _, column := range parts {
		x := g.joinedItems(glyph, column, s)
		if x == nil {
			return nil
		}
		z.Elems = append(z.Elems, x)
	}
	return z
}

// areTight reports whether parts are the columns of the elements, offsets and lengths of items
// that have no elements but those of their own items.
func (g *infer) areTight(parts []tail.Expr) bool {
	for i, column := range parts {
		elements, ok := g.components(column)[0].(*tail.Proj)
		if !ok || elements.I != 0 {
			return false
		}
		part, ok := elements.X.(*tail.Proj)
		if !ok || part.I != i {
			return false
		}
		if r, ok := part.X.(*tail.Ref); !ok || !g.tight[r.Var] {
			return false
		}
	}
	return true
}

// joinedArrays are the items of a stored vector of arrays of one rank, of 2 and more,
// joined along the first axis, by ⍪, or along the last.
func (g *infer) joinedArrays(glyph string, y tail.Expr, s site) tail.Expr {
	name := "joinedrows"
	if glyph == "," {
		name = "joinedcolumns"
	}
	parts := g.components(y)
	return g.fromPrelude(g.preludeClosure(name), parts[3], g.joinedElements(g.raveledItems(parts), s), s)
}

// partsOfStored is x⊆y or x⊂y of a nested vector y whose number of items is not
// known, or whose parts are not: each part is a nested vector.
func (g *infer) partsOfStored(glyph string, x, y tail.Expr, s site) tail.Expr {
	x, y = g.names2(x, y)
	parts := g.name(g.raggedParts(glyph, x, g.name(g.numbersOfStored(y, s)), s))
	part := func(i tail.Expr) tail.Expr {
		return g.compacted(g.chosenOfStored(y, g.name(g.itemOf(parts, i, s)), s), s)
	}
	numbers := g.name(g.numbersOfItems(parts, s))
	return g.eachNumber(numbers, part, s)
}

// compacted is a nested vector with no elements but those of its items.
func (g *infer) compacted(y tail.Expr, s site) tail.Expr {
	if !isTuple(y) {
		return y
	}
	y = g.name(y)
	if isRagged(y) {
		lengths := g.components(y)[2]
		offsets := g.name(g.fromPrelude(g.preludeClosure("offsets"), nil, lengths, s))
		t := y.Type().(*tail.TupleType)
		return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: []tail.Expr{g.name(g.joinedElements(y, s)), offsets, lengths}, Shape: raggedShape, Proto: t.Proto, Item: t.Item}
	}
	parts, shape := g.components(y), y.Type().(*tail.TupleType).Shape
	z := &tail.Tuple{At: tail.At{Where: s.span()}, Shape: shape, Proto: y.Type().(*tail.TupleType).Proto}
	if shape[0] == ofArrays {
		z.Elems = append(z.Elems, g.components(g.compacted(g.raveledItems(parts), s))...)
		z.Elems = append(z.Elems, parts[3])
		return z
	}
	for _, column := range parts {
		z.Elems = append(z.Elems, g.compacted(column, s))
	}
	return z
}
