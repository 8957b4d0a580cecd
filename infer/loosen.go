package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// A nested vector of known items whose result depends on values that only the
// run knows, as w[⍋≢¨w] and ∪w do, is taken for one whose number of items is not
// known, if its items are vectors of one kind.

// canLoosen reports whether a nested array can be a ragged vector.
func (g *infer) canLoosen(e tail.Expr) bool {
	if isRagged(e) {
		return true
	}
	items := ofOneKind(e)
	return items != nil && items[0].Dims() == 1
}

// ofOneKind returns the types of the items of a nested vector, where they are
// arrays of one rank, of numbers or of characters; nil for others.
func ofOneKind(e tail.Expr) []*tail.Array {
	t, ok := e.Type().(*tail.TupleType)
	if !ok || t.Shape != nil {
		return nil
	}
	var items []*tail.Array
	for _, item := range t.Elems {
		a, ok := item.(*tail.Array)
		if !ok {
			return nil
		}
		items = append(items, a)
		if first := items[0]; a.Dims() != first.Dims() || (a.Elem == array.Char) != (first.Elem == array.Char) {
			return nil
		}
	}
	return items
}

// loosened is a nested vector as a ragged one; nil where it cannot be one.
func (g *infer) loosened(e tail.Expr, s site) tail.Expr {
	if !g.canLoosen(e) {
		return nil
	}
	return g.name(g.toRagged(e, s))
}

// looseMonadic applies a primitive to a nested vector or matrix as to one that is stored; nil
// where it cannot be.
func (g *infer) looseMonadic(glyph string, y tail.Expr, s site) tail.Expr {
	stored := g.storedItems(y, s)
	if stored == nil {
		stored = g.rowwise(y, s)
	}
	if stored == nil {
		return nil
	}
	return g.tupleMonadic(glyph, g.name(stored), s)
}

// looseDyadic applies a primitive to a nested vector y, and to x as it is, as to
// a ragged one; nil where it cannot be one.
func (g *infer) looseDyadic(glyph string, x, y tail.Expr, s site) tail.Expr {
	if e := g.loosened(y, s); e != nil {
		return g.raggedDyadic(glyph, x, e, s)
	}
	if e := g.byColumns(y, s); e != nil {
		return g.storedDyadic(glyph, x, e, s)
	}
	return nil
}

// byColumns is a nested vector of known items stored by columns, where these are
// strands of one length whose components are of one kind and rank each, or arrays
// of one kind and rank, or scalars and vectors of one kind; nil for others.
func (g *infer) byColumns(e tail.Expr, s site) tail.Expr {
	t, ok := e.Type().(*tail.TupleType)
	if !ok || t.Shape != nil || len(t.Elems) == 0 || !canBeColumn(t.Elems) {
		return nil
	}
	return g.name(g.columnOf(g.items(e), s))
}

// canBeColumn reports whether items of some types can be one column.
func canBeColumn(types []tail.Type) bool {
	first, nested := types[0].(*tail.TupleType)
	for _, t := range types {
		tuple, ok := t.(*tail.TupleType)
		switch {
		case ok != nested || ok && (!sameShape(tuple.Shape, first.Shape) || len(tuple.Elems) == 0 || len(tuple.Elems) != len(first.Elems)):
			return false
		case ok:
			continue
		}
		a, b := t.(*tail.Array), types[0].(*tail.Array)
		if a.Dims() != b.Dims() && max(a.Dims(), b.Dims()) > 1 || (a.Elem == array.Char) != (b.Elem == array.Char) {
			return false
		}
	}
	for k := 0; nested && k < len(first.Elems); k++ {
		var column []tail.Type
		for _, t := range types {
			column = append(column, t.(*tail.TupleType).Elems[k])
		}
		if !canBeColumn(column) {
			return false
		}
	}
	return true
}

// columnOf is the column of items.
func (g *infer) columnOf(items []tail.Expr, s site) tail.Expr {
	at := tail.At{Where: s.span()}
	if t, ok := items[0].Type().(*tail.TupleType); ok {
		z := &tail.Tuple{At: at, Shape: columnsShape(t), Proto: t.Proto}
		for _, item := range items[1:] {
			z.Proto = tail.SameProto(&tail.TupleType{Proto: z.Proto}, item.Type().(*tail.TupleType))
		}
		for k := range t.Elems {
			var column []tail.Expr
			for _, item := range items {
				column = append(column, g.components(item)[k])
			}
			z.Elems = append(z.Elems, g.columnOf(column, s))
		}
		return z
	}
	if some := scalarItems(items); slices.Contains(some.Bools, 0) && slices.Contains(some.Bools, 1) {
		ravels := make([]tail.Expr, len(items))
		for i, item := range items {
			ravels[i] = g.name(g.raveledScalar(item, s))
		}
		return &tail.Tuple{At: at, Elems: []tail.Expr{g.columnOf(ravels, s), lit(s.fn, some)}, Shape: append([]int{ofShaped}, eitherShape...)}
	}
	switch tail.TypeOf(items[0]).Dims() {
	case 0:
		elem, _ := scalars(items)
		return g.name(g.vector(s.fn, append([]tail.Expr{}, items...), elem))
	case 1:
		return g.toRagged(&tail.Tuple{At: at, Elems: items}, s)
	}
	var ravels, shapes []tail.Expr
	for _, item := range items {
		ravels = append(ravels, g.name(g.ravel(item, s)))
		shapes = append(shapes, g.name(g.shapeOf(item, s)))
	}
	parts := g.components(g.toRagged(&tail.Tuple{At: at, Elems: ravels}, s))
	return &tail.Tuple{At: at, Elems: append(append([]tail.Expr{}, parts...), g.name(g.mix(shapes, s))), Shape: []int{ofArrays}}
}

// scalarItems says which of some arrays are scalars.
func scalarItems(items []tail.Expr) *array.Array {
	which := array.New(array.Bool, len(items))
	for i, item := range items {
		if rankOf(item) == 0 {
			which.Bools[i] = 1
		}
	}
	return which
}

// chosenLater is y[x] or, with the glyph ⊃, x⊃y of a nested vector where only
// the run knows x; nil where it has no such form.
func (g *infer) chosenLater(glyph string, x, y tail.Expr, s site) tail.Expr {
	t, ok := x.Type().(*tail.Array)
	if !ok || g.value(g.toInt(x)) != nil {
		return nil
	}
	if e := g.loosened(y, s); e != nil {
		return g.itemsOfStored(glyph, x, e, s)
	}
	if e := g.byColumns(y, s); e != nil && !areAlike(y) {
		return g.itemsOfStored(glyph, x, e, s)
	}
	if glyph == "⊃" && t.Dims() == 0 && areAlike(y) {
		return g.primitiveDyadic(&primitive{glyph: "⌷", at: s.fn}, x, g.name(g.mix(append([]tail.Expr{}, g.items(y)...), s)), s)
	}
	return nil
}

// areAlike reports whether the items of a nested vector have one known shape and
// are of one kind, so that they are the cells of an array.
func areAlike(e tail.Expr) bool {
	items := ofOneKind(e)
	for _, a := range items {
		for k := range a.Dims() {
			if n, known := a.Extent(k).IsConst(); !known || !items[0].Extent(k).Equal(tail.ConstSize(n)) {
				return false
			}
		}
	}
	return items != nil
}
