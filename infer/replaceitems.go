package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Assignments to items of nested arrays: x[i]←e, (i⊃x)←e and other selections of
// items. Where the places are known when compiling, the items of the tuple are
// exchanged, and may change their kind; otherwise the array is taken for a ragged
// vector, to which the new items are appended, and the numbers of its items choose
// among old and new ones.

// assignItems is x[items]←e where x, of the given name, or e is nested; it reports
// false where neither is.
func (g *infer) assignItems(name string, x tail.Expr, items []tail.Expr, e tail.Expr, m *modifier, s site) bool {
	x = g.nestedBy(x, e)
	if x == nil {
		return false
	}
	g.replaceItems(name, x, g.index(g.placesIn(x, s), items, s), e, m, s)
	return true
}

// withReached is x with what the paths of a nested index lead to replaced by the
// items of e, or by what a modifier makes of both.
func (g *infer) withReached(x, index, e tail.Expr, m *modifier, s site) tail.Expr {
	paths, shape := g.parts(index, s)
	if shape == nil {
		shape = []int{}
	}
	right := g.sideOf(e, s)
	if !right.isOne() && !fits(right.shape, shape) {
		g.fail(diag.SelectionDiffers, s.fn, "cannot assign %s to %d items", describeType(e.Type()), len(paths))
	}
	x = g.name(x)
	for i, value := range g.itemsOfSide(right, len(paths), s) {
		path := []tail.Expr{paths[i]}
		if reaches(paths[i], x) {
			path = g.pathOf(paths[i], s)
		}
		x = g.withItemAt(x, path, func(old tail.Expr) tail.Expr {
			if m != nil {
				return g.dyadic(m.f, old, value, site{fn: m.x.F.Span(), left: s.left, right: s.right})
			}
			return value
		}, s)
	}
	return x
}

// nestedBy is x where that is nested, or as a tuple of its elements where e is
// nested, or of another kind, and is to become an item of x; nil otherwise.
func (g *infer) nestedBy(x, e tail.Expr) tail.Expr {
	switch {
	case isTuple(x):
		return x
	case isTuple(e):
		return g.elementsAsTuple(x)
	}
	return g.otherKind(x, e)
}

// placesIn is an array of the shape of a nested array, of the numbers of the items
// from 1.
func (g *infer) placesIn(x tail.Expr, s site) tail.Expr {
	if isStored(x) {
		return g.name(g.numbersOfStored(x, s))
	}
	if isRanked(x) {
		_, numbers := g.arrangement(x, s)
		return numbers
	}
	return g.numbers(x, 1, s)
}

// selection evaluates an expression that selects from a variable with another
// value in place of that.
func (g *infer) selection(x apl.Expr, from tail.Expr) (chosen tail.Expr) {
	inner := &scope{parent: g.scope, frame: g.frame, names: map[string]*binding{}}
	g.within(inner, func() {
		name := g.hidden()
		g.bindVar(name, from)
		chosen = g.eval(reselect(x, name))
	})
	return chosen
}

// unparenthesised is an expression without the parentheses around it.
func unparenthesised(x apl.Expr) apl.Expr {
	for {
		p, ok := x.(*apl.Paren)
		if !ok {
			return x
		}
		x = p.X
	}
}

func isPick(f apl.Func) bool {
	p, ok := f.(*apl.Prim)
	return ok && p.Glyph == "⊃"
}

// pathOf are the indices of a left argument of ⊃, one for each level.
func (g *infer) pathOf(x tail.Expr, s site) []tail.Expr {
	if isTuple(x) {
		return g.items(x)
	}
	t := g.arr(x, s.left)
	if n, ok := countOf(t).IsConst(); ok && t.Dims() == 1 {
		return g.spread(x, int(n), s.left)
	}
	return []tail.Expr{g.single(x, s, "the index of an item")}
}

// withItemAt is x with what is at the end of a path of indices changed.
func (g *infer) withItemAt(x tail.Expr, path []tail.Expr, change func(tail.Expr) tail.Expr, s site) tail.Expr {
	if len(path) == 0 {
		return g.name(change(x))
	}
	at := path[0]
	if !isTuple(x) {
		if len(path) > 1 {
			g.fail(diag.WrongRank, s.fn, "⊃ with more indices than there are levels")
		}
		old := g.name(g.pickFrom(x, at, s))
		value := g.name(change(old))
		if isTuple(value) || tail.TypeOf(value).Dims() > 0 {
			if few := g.elementsAsTuple(x); few != nil {
				return g.withItemAt(few, path, func(tail.Expr) tail.Expr { return value }, s)
			}
		}
		positions := g.pickFrom(g.name(g.positionsIn(x, s)), at, s)
		return g.withReplaced(x, positions, value, nil, s)
	}
	if isTuple(at) {
		g.fail(diag.NestedArrays, s.left, "⊃ with a nested index")
	}
	place := g.name(g.pickFrom(g.placesIn(x, s), at, s))
	if isRanked(x) {
		z := g.withItemAt(g.components(x)[0], append([]tail.Expr{g.outward(place, s)}, path[1:]...), change, s)
		return g.ranked(z, g.shapeOfRanked(x, s), s)
	}
	var item tail.Expr
	if isStored(x) {
		item = g.name(g.primitiveDyadic(&primitive{glyph: "⊃", at: s.fn}, at, x, s))
	} else {
		item = g.name(g.itemAt(x, at, s))
	}
	value := g.withItemAt(item, path[1:], change, s)
	return g.withItems(x, place, enclosure(value, s), nil, s)
}

// positionsIn is an array of the shape of a simple one, of the positions in its
// ravel from 1.
func (g *infer) positionsIn(x tail.Expr, s site) tail.Expr {
	shape := g.name(g.shapeOf(x, s))
	return g.name(g.op(tail.OpReshape, s, shape, g.op(tail.OpIota, s, g.op(tail.OpCount, s, x))))
}

// replaceItems assigns to the items of the nested variable x, of the given name,
// at places of its ravel.
func (g *infer) replaceItems(name string, x, places, e tail.Expr, m *modifier, s site) {
	g.rebind(name, s.left, g.withItems(x, places, e, m, s))
}

// withItems is the nested x with the items at some places, counted from 1 in the
// order of the ravel, replaced by those of e, or by what a modifier makes of both.
func (g *infer) withItems(x, places, e tail.Expr, m *modifier, s site) tail.Expr {
	places = g.name(places)
	if isRanked(x) {
		x = g.name(x)
		z := g.withItemsLater(g.components(x)[0], places, e, m, s)
		return g.ranked(z, g.shapeOfRanked(x, s), s)
	}
	known := g.value(g.toInt(places))
	if known == nil || isStored(x) || isStored(e) {
		return g.withItemsLater(x, places, e, m, s)
	}
	items := append([]tail.Expr{}, g.items(g.name(x))...)
	for i, item := range g.itemsFor(known, e, s) {
		k := int(known.Int(i)) - 1
		if k < 0 {
			g.fail(diag.NoItem, s.fn, "a selection of more items than there are")
		}
		if m != nil {
			item = g.dyadic(m.f, items[k], item, site{fn: m.x.F.Span(), left: s.left, right: s.right})
		}
		items[k] = g.name(item)
	}
	return g.withNewItems(x, items, s)
}

// itemsFor are the items of e for some places: one for all of them, or one each.
func (g *infer) itemsFor(places *array.Array, e tail.Expr, s site) []tail.Expr {
	n := places.Len()
	all := make([]tail.Expr, n)
	same := func(item tail.Expr) []tail.Expr {
		for i := range all {
			all[i] = item
		}
		return all
	}
	if isTuple(e) {
		items := g.items(g.name(e))
		if len(items) == 1 {
			return same(items[0])
		}
		shape := g.shapeOfTuple(e)
		if shape == nil {
			shape = []int{len(items)}
		}
		if !fits(shape, places.Shape) {
			g.fail(diag.WrongLength, s.fn, "%d items for %d places", len(items), n)
		}
		return items
	}
	t := tail.TypeOf(e)
	if isSingleton(t) {
		return same(g.name(g.firstOf(e, s)))
	}
	shape, ok := constShape(t)
	if !ok {
		g.fail(diag.NestedArrays, s.fn, "elements of which the number is not known as items of a nested array")
	}
	if !fits(shape, places.Shape) {
		g.fail(diag.SelectionDiffers, s.fn, "cannot assign %s to %d items; ⊂ makes it one item", describeType(t), n)
	}
	return g.spread(g.name(g.ravel(e, s)), n, s.fn)
}

// fits reports whether what has a shape can be assigned to a selection of another: they
// may differ in axes of length 1.
func fits(shape, selection []int) bool {
	one := func(n int) bool { return n == 1 }
	return slices.Equal(slices.DeleteFunc(slices.Clone(shape), one), slices.DeleteFunc(slices.Clone(selection), one))
}

// withItemsLater is withItems where only the run knows the places.
func (g *infer) withItemsLater(x, places, e tail.Expr, m *modifier, s site) tail.Expr {
	y := x
	if !isStored(x) {
		y = g.storedItems(x, s)
	}
	if y == nil {
		g.fail(diag.NestedArrays, s.fn, "an assignment at places that are not known when compiling, to a nested array whose items are not all of one type")
	}
	if t := g.arr(places, s.left); t.Dims() > 1 {
		g.fail(diag.NotCompiled, s.fn, "an assignment to items at an array of places of rank %d", t.Dims())
	}
	if m != nil {
		if z := g.lengthened(y, places, e, m, s); z != nil {
			return z
		}
		if !g.distinct(places, 0) {
			g.fail(diag.NestedArrays, s.fn, "a modified assignment to items of a nested array, of which some may be chosen several times")
		}
		e = g.eachTuple2(m.f, g.itemsOfStored("⌷", g.outward(places, s), y, s), e, site{fn: m.x.F.Span(), left: s.left, right: s.right})
	}
	if !isTuple(e) {
		fix := "⊂ makes a vector one item"
		if tail.TypeOf(e).Dims() == 0 {
			fix = "an item of one element is ⊂,x"
		}
		g.failFix(diag.NestedArrays, s.fn, fix, "%s as an item of a nested array at a place that is not known when compiling", describeType(e.Type()))
	}
	values := g.name(g.storedBeside(g.name(e), y, s))
	if !sameColumns(y.Type(), values.Type()) {
		g.fail(diag.NestedArrays, s.fn, "%s among the items of %s", describeType(e.Type()), describeType(x.Type()))
	}
	at := g.name(g.outward(places, s))
	return g.replacedItems(y, g.name(g.compacted(values, s)), func(old, new tail.Expr) tail.Expr {
		if tail.TypeOf(old).Dims() == 1 {
			return g.update(old, []tail.Expr{at}, new, s)
		}
		n := g.name(g.op(tail.OpTally, s, old))
		added := g.shiftedBy(g.op(tail.OpIota, s, g.op(tail.OpTally, s, new)), n, s)
		rows := g.update(g.name(g.op(tail.OpIota, s, n)), []tail.Expr{at}, added, s)
		return g.op(tail.OpIndex, s, g.rawArgs([]tail.Expr{g.catenate(old, new, 0, s), g.name(rows), nil}, s)...)
	}, s)
}

// lengthened is the ragged vector y with one item, x[i],←e, longer by an element, or by
// the one vector in e; nil for other modifiers, places and items.
func (g *infer) lengthened(y, place, e tail.Expr, m *modifier, s site) tail.Expr {
	f, ok := m.f.(*primitive)
	if !ok || f.glyph != "," || !isRagged(y) || tail.TypeOf(place).Dims() > 0 {
		return nil
	}
	if isEnclosed(e) {
		e = g.items(e)[0]
	} else if isTuple(e) || tail.TypeOf(e).Dims() > 0 {
		return nil
	}
	if isTuple(e) || tail.TypeOf(e).Dims() > 1 {
		return nil
	}
	parts := g.components(g.name(y))
	old, new := tail.TypeOf(parts[0]).Elem, tail.TypeOf(e).Elem
	if old != new && !(old.Numeric() && new.Numeric()) {
		return nil
	}
	more := g.name(g.ravel(e, s))
	z := g.fromPrelude(g.preludeClosure("lengthened"), nil, &tail.Tuple{At: tail.At{Where: y.Span()}, Elems: append(slices.Clone(parts), place, more)}, s)
	return g.raggedLike(y, z, s)
}

// replacedItems is a nested vector that is stored with some items replaced by those of
// another one, whose elements come behind its own. What there is of each item, put replaces.
func (g *infer) replacedItems(y, values tail.Expr, put func(old, new tail.Expr) tail.Expr, s site) tail.Expr {
	if !isTuple(y) {
		return g.name(put(y, values))
	}
	old, new, t := g.components(y), g.components(values), y.Type().(*tail.TupleType)
	z := &tail.Tuple{At: tail.At{Where: s.span()}, Shape: t.Shape, Proto: tail.SameProto(t, values.Type().(*tail.TupleType))}
	switch {
	case isRagged(y):
		offsets := g.shiftedBy(new[1], g.op(tail.OpTally, s, old[0]), s)
		z.Elems = []tail.Expr{g.name(g.catenate(old[0], new[0], 0, s)), g.name(put(old[1], g.name(offsets))), g.name(put(old[2], new[2]))}
	case t.Shape[0] == ofArrays:
		ravels := g.replacedItems(g.raveledItems(old), g.raveledItems(new), put, s)
		z.Elems = append(g.components(ravels), g.name(put(old[3], new[3])))
	default:
		for i, column := range old {
			z.Elems = append(z.Elems, g.replacedItems(column, new[i], put, s))
		}
	}
	return z
}

// shiftedBy adds n to the elements of a vector of integers.
func (g *infer) shiftedBy(e, n tail.Expr, s site) tail.Expr {
	e, n = g.name(e), g.name(n)
	return g.each(e, s, func(a tail.Expr) tail.Expr { return g.op(tail.OpAddI, s, a, n) })
}
