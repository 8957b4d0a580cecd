package infer

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// A nested vector of which the number of items is not known, or is large, and whose
// items are no simple vectors, is stored by columns where all items have one type:
//
//	scalars           a vector
//	vectors           a ragged vector
//	arrays of rank r  the ragged vector of their ravels, and a matrix of their
//	                  shapes, one a row, as a tuple of four
//	tuples            the tuple of the columns of their components
//
// The items of f¨y where f gives matrices, strands, or vectors of vectors are
// stored so, and those of x⊆y where y is a vector of vectors. The shape of the
// tuple says what it is, and how the items look, whose prototype is its own:
const (
	ofStrands = -2 // the items are strands
	ofShaped  = -3 // the items are tuples of the shape that follows
	ofArrays  = -4 // the items are arrays of rank 2 and more
	ofRows    = -5 // a nested matrix, whose columns these are
	ofRanked  = -6 // an array of the rank that follows: its items, stored, and its shape
)

// Storage says how a nested array of a type is stored.
type Storage int

const (
	ByComponents Storage = iota // each item by itself
	ByOffsets                   // elements, offsets and lengths of vectors
	ByColumns                   // columns of the components of the items, strands or arrays of a shape
	ByRavels                    // elements, offsets, lengths and shapes of arrays
	ByRows                      // the columns of a matrix
	ByShape                     // the items of an array, and its shape
	ByEither                    // one of two forms
)

// StorageOf returns how a nested array is stored; the shape is that of the array where it is stored
// by components, and that of its items where it is stored by columns, nil for a vector.
func StorageOf(t *tail.TupleType) (s Storage, shape []int) {
	if len(t.Shape) == 0 || t.Shape[0] >= 0 {
		return ByComponents, t.Shape
	}
	switch t.Shape[0] {
	case ofStrands:
		return ByColumns, nil
	case ofShaped:
		return ByColumns, t.Shape[1:]
	case ofArrays:
		return ByRavels, nil
	case ofRows:
		return ByRows, nil
	case ofRanked:
		return ByShape, nil
	}
	if len(t.Shape) > 1 {
		return ByEither, nil
	}
	return ByOffsets, nil
}

// StoredType is the type of a nested array that is stored as parts of some types: the items of a
// vector, or the columns of a matrix or of the components of the items of a vector.
func StoredType(s Storage, parts []tail.Type) *tail.TupleType {
	t := &tail.TupleType{Elems: parts}
	switch s {
	case ByRows:
		t.Shape = []int{ofRows}
	case ByColumns:
		t.Shape = []int{ofStrands}
	}
	return t
}

// argumentType returns the type of arguments that have a type: arrays, vectors of vectors, and nested
// arrays of them that StoredType knows; nil for others.
func argumentType(t tail.Type) tail.Type {
	tuple, ok := t.(*tail.TupleType)
	switch {
	case !ok:
		if a := foreseenType(t); a != nil {
			return a
		}
		return nil
	case IsRagged(t):
		return RaggedType(tuple.Elems[0].(*tail.Array).Elem)
	}
	s, shape := StorageOf(tuple)
	if s != ByRows && (s != ByColumns || shape != nil) && (s != ByComponents || len(shape) > 1) {
		return nil
	}
	var parts []tail.Type
	for _, e := range tuple.Elems {
		p := argumentType(e)
		if p == nil {
			return nil
		}
		parts = append(parts, p)
	}
	return StoredType(s, parts)
}

// IsColumns reports whether t is the type of a nested array that is stored by
// columns.
func IsColumns(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	return ok && len(tuple.Shape) > 0 && tuple.Shape[0] <= ofStrands
}

// isColumns reports whether e is stored by columns; isRowwise, whether it is a
// nested matrix.
func isColumns(e tail.Expr) bool { return IsColumns(e.Type()) }
func isRowwise(e tail.Expr) bool {
	return isColumns(e) && e.Type().(*tail.TupleType).Shape[0] == ofRows
}

// isStored reports whether e is a nested vector of which the number of items is
// not known.
func isStored(e tail.Expr) bool {
	return isRagged(e) || isColumns(e) && !isRowwise(e) && !isRanked(e)
}

// countOfStored is the number of items of such a vector, or of rows.
func (g *infer) countOfStored(e tail.Expr, s site) tail.Expr {
	if !isTuple(e) {
		return g.op(tail.OpTally, s, e)
	}
	if isRagged(e) {
		return g.countOfRagged(e, s)
	}
	if isRanked(e) {
		return g.name(g.op(tail.OpIndex, s, g.components(e)[1], g.intLit(s, 1)))
	}
	first := g.components(e)[0]
	if isTuple(first) && e.Type().(*tail.TupleType).Shape[0] != ofArrays {
		return g.countOfStored(first, s)
	}
	if e.Type().(*tail.TupleType).Shape[0] == ofArrays {
		first = g.components(e)[1]
	}
	return g.op(tail.OpTally, s, first)
}

// numbersOfStored are the numbers of the items, from 1.
func (g *infer) numbersOfStored(e tail.Expr, s site) tail.Expr {
	return g.op(tail.OpIota, s, g.countOfStored(e, s))
}

// storedItem is item i, counted from 1, of a column.
func (g *infer) storedItem(e, i tail.Expr, s site) tail.Expr {
	switch {
	case !isTuple(e):
		return g.name(g.op(tail.OpIndex, s, e, i))
	case isRagged(e):
		return g.name(g.itemOf(e, i, s))
	}
	parts, shape := g.components(e), e.Type().(*tail.TupleType).Shape
	if shape[0] == ofArrays {
		ravel := g.name(g.itemOf(g.raveledItems(parts), i, s))
		return g.name(g.op(tail.OpReshape, s, g.op(tail.OpIndex, s, g.rawArgs([]tail.Expr{parts[3], i, nil}, s)...), ravel))
	}
	item := &tail.Tuple{At: tail.At{Where: s.span()}, Proto: e.Type().(*tail.TupleType).Proto}
	for _, column := range parts {
		item.Elems = append(item.Elems, g.storedItem(column, i, s))
	}
	if shape[0] == ofShaped {
		item.Shape = append([]int{}, shape[1:]...)
	}
	return item
}

// raveledItems is the ragged vector of the ravels of arrays.
func (g *infer) raveledItems(parts []tail.Expr) tail.Expr {
	return &tail.Tuple{Elems: parts[:3], Shape: raggedShape}
}

// chosenOfStored are the items with the numbers in a vector, counted from 1.
func (g *infer) chosenOfStored(e, numbers tail.Expr, s site) tail.Expr {
	numbers = g.name(numbers)
	return g.alongItems(e, func(part tail.Expr) tail.Expr {
		args := []tail.Expr{part, numbers, nil}
		return g.op(tail.OpIndex, s, g.rawArgs(args[:1+rankOf(part)], s)...)
	}, s)
}

// turned applies ↓, ⌽ or ⊖ to the items of a nested vector that is stored, which x is left
// of where it is given: they stay where they are.
func (g *infer) turned(p *primitive, x, e tail.Expr, s site) tail.Expr {
	along := &primitive{glyph: p.glyph, at: p.at}
	if p.glyph == "⌽" {
		along.glyph = "⊖"
	}
	return g.alongItems(e, func(part tail.Expr) tail.Expr {
		if x == nil {
			return g.primitiveMonadic(along, part, s)
		}
		return g.primitiveDyadic(along, x, part, s)
	}, s)
}

// alongItems changes each of the arrays of a nested vector that is stored that have an
// element or a row for every item.
func (g *infer) alongItems(e tail.Expr, change change, s site) tail.Expr {
	if !isTuple(e) {
		return g.name(change(e))
	}
	parts, t := g.components(e), e.Type().(*tail.TupleType)
	z := &tail.Tuple{At: tail.At{Where: s.span()}, Shape: t.Shape, Proto: t.Proto}
	switch {
	case isRagged(e):
		z.Elems = []tail.Expr{parts[0], g.name(change(parts[1])), g.name(change(parts[2]))}
		z.Item = anyItem(t)
	case t.Shape[0] == ofArrays:
		z.Elems = append(g.components(g.alongItems(g.raveledItems(parts), change, s)), g.name(change(parts[3])))
	default:
		for _, column := range parts {
			z.Elems = append(z.Elems, g.alongItems(column, change, s))
		}
	}
	return z
}

// storedItemType is the type of the items of a column of a type.
func storedItemType(t tail.Type) tail.Type {
	tuple, ok := t.(*tail.TupleType)
	switch {
	case !ok:
		return tail.Scalar(t.(*tail.Array).Elem)
	case IsRagged(t):
		return tail.Shaped(tuple.Elems[0].(*tail.Array).Elem, tail.AnySize)
	case tuple.Shape[0] == ofArrays:
		rank, _ := tuple.Elems[3].(*tail.Array).Extent(1).IsConst()
		return tail.Ranked(tuple.Elems[0].(*tail.Array).Elem, int(rank))
	}
	item := &tail.TupleType{Proto: tuple.Proto}
	if tuple.Shape[0] == ofShaped {
		item.Shape = append([]int{}, tuple.Shape[1:]...)
	}
	for _, e := range tuple.Elems {
		item.Elems = append(item.Elems, storedItemType(e))
	}
	return item
}

// A growing column is the state of the loop that makes one: of scalars the vector,
// else how many elements there are, a vector that has room for them, and the
// lengths of the items, and of arrays of rank 2 and more their shapes.

// emptyColumn is the growing column of n items of a type, before the first one.
func (g *infer) emptyColumn(t tail.Type, n tail.Expr, s site) tail.Expr {
	if tuple, ok := t.(*tail.TupleType); ok {
		if len(tuple.Elems) == 0 {
			g.fail(diag.NestedArrays, s.fn, "¨ by a function that gives empty nested arrays")
		}
		z := &tail.Tuple{}
		for _, e := range tuple.Elems {
			z.Elems = append(z.Elems, g.emptyColumn(e, n, s))
		}
		return z
	}
	a := t.(*tail.Array)
	fill := array.ScalarChar(' ')
	if a.Elem != array.Char {
		fill = convert(array.ScalarInt(0), a.Elem)
	}
	many := func(x tail.Expr, extents ...tail.Expr) tail.Expr {
		return g.name(g.op(tail.OpReshape, s, g.vector(s.fn, extents, array.Int), x))
	}
	if a.Dims() == 0 {
		return many(lit(s.fn, fill), n)
	}
	zero := g.intLit(s, 0)
	z := &tail.Tuple{Elems: []tail.Expr{zero, lit(s.fn, array.New(a.Elem, 0)), many(zero, n)}}
	if a.Dims() > 1 {
		z.Elems = append(z.Elems, many(zero, n, g.intLit(s, a.Dims())))
	}
	return z
}

// grown is a growing column with one more item, that with number i.
func (g *infer) grown(column, item, i tail.Expr, s site) tail.Expr {
	if isTuple(item) {
		items := g.components(item)
		columns := g.components(column)
		z := &tail.Tuple{}
		for k := range items {
			z.Elems = append(z.Elems, g.grown(columns[k], items[k], i, s))
		}
		return z
	}
	if !isTuple(column) {
		column, item = g.same(column, item, s)
		return g.name(g.op(tail.OpUpdate, s, column, i, item))
	}
	parts := g.components(column)
	room, flat := g.same(parts[1], g.ravel(item, s), s)
	flat = g.name(flat)
	both := g.components(g.name(g.fromPrelude(g.preludeClosure("grown"), &tail.Tuple{Elems: []tail.Expr{parts[0], room}}, flat, s)))
	z := &tail.Tuple{Elems: []tail.Expr{both[0], both[1], g.name(g.op(tail.OpUpdate, s, parts[2], i, g.op(tail.OpTally, s, flat)))}}
	if len(parts) > 3 {
		shape := g.name(g.shapeOf(item, s))
		z.Elems = append(z.Elems, g.name(g.op(tail.OpUpdate, s, append(g.rawArgs([]tail.Expr{parts[3], i, nil}, s), shape)...)))
	}
	return z
}

// finished is the column of items of a type that a growing one has become. A variable may
// stand for the position in the type.
func (g *infer) finished(column tail.Expr, t tail.Type, place string, s site) tail.Expr {
	at := tail.At{Where: s.span()}
	tuple, ok := t.(*tail.TupleType)
	if !ok && t.(*tail.Array).Dims() == 0 {
		return column
	}
	parts := g.components(column)
	if ok {
		z := &tail.Tuple{At: at, Shape: columnsShape(t), Proto: tuple.Proto}
		for k, e := range storedElems(tuple) {
			z.Elems = append(z.Elems, g.finished(parts[k], e, place, s))
		}
		return z
	}
	offsets := g.name(g.fromPrelude(g.preludeClosure("offsets"), nil, parts[2], s))
	z := &tail.Tuple{At: at, Elems: []tail.Expr{parts[1], offsets, parts[2]}, Shape: raggedShape}
	if len(parts) > 3 {
		z.Elems, z.Shape = append(z.Elems, parts[3]), []int{ofArrays}
		return z
	}
	z.Item = itemFrom(t.(*tail.Array), place)
	return z
}

// columnsShape is the shape of the columns of items of a type of tuples.
func columnsShape(t tail.Type) []int {
	shape := t.(*tail.TupleType).Shape
	if shape == nil {
		return []int{ofStrands}
	}
	return append([]int{ofShaped}, shape...)
}

// storedEach applies f, whose results have a type, to the elements of a vector, and
// stores what it gives by columns. A variable may stand for the position in the type.
func (g *infer) storedEach(y tail.Expr, f change, t tail.Type, place string, s site) tail.Expr {
	at := tail.At{Where: s.fn}
	if tuple, ok := t.(*tail.TupleType); ok && len(tuple.Elems) == 1 { // one column, without a state of several
		column := g.eachNumber(y, func(x tail.Expr) tail.Expr { return g.components(g.name(f(x)))[0] }, s)
		return &tail.Tuple{At: at, Elems: []tail.Expr{column}, Shape: columnsShape(t), Proto: tuple.Proto}
	}
	if hasEmpty(t) {
		g.fail(diag.NestedArrays, s.fn, "¨ by a function that gives empty nested arrays")
	}
	var now tail.Type // may be another one in a function whose result's type is not settled yet
	all, bases := g.placed(y, func(x tail.Expr) tail.Expr {
		e := f(x)
		if now = e.Type(); hasTables(now) {
			return g.withExtents(g.name(e), s)
		}
		return e
	}, s)
	if !sameLayout(t, now) {
		t, place = now, ""
	}
	return g.columnsOf(all, t, &bases, place, s)
}

// sameLayout reports whether values of two types have alike components.
func sameLayout(a, b tail.Type) bool {
	x, nested := a.(*tail.TupleType)
	y, both := b.(*tail.TupleType)
	if !nested || !both {
		return nested == both && a.(*tail.Array).Dims() == b.(*tail.Array).Dims()
	}
	return slices.Equal(x.Shape, y.Shape) && slices.EqualFunc(x.Elems, y.Elems, sameLayout)
}

// hasEmpty reports whether there are nested arrays without items among items of a type.
func hasEmpty(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	return ok && (len(tuple.Elems) == 0 || slices.ContainsFunc(tuple.Elems, hasEmpty))
}

// hasTables reports whether there are arrays of rank 2 and more among items of a type.
func hasTables(t tail.Type) bool {
	if t, ok := t.(*tail.TupleType); ok {
		return slices.ContainsFunc(t.Elems, hasTables)
	}
	return t.(*tail.Array).Dims() > 1
}

// withExtents is an item of arrays, with the ravel and the extents of one of rank 2 and
// more in its place.
func (g *infer) withExtents(e tail.Expr, s site) tail.Expr {
	at := tail.At{Where: s.span()}
	t, ok := e.Type().(*tail.Array)
	switch {
	case !ok:
		z := &tail.Tuple{At: at}
		for _, part := range g.components(e) {
			z.Elems = append(z.Elems, g.withExtents(part, s))
		}
		return z
	case t.Dims() < 2:
		return e
	}
	z := &tail.Tuple{At: at, Elems: []tail.Expr{g.ravel(e, s)}}
	shape := g.name(g.shapeOf(e, s))
	for i := range t.Dims() {
		z.Elems = append(z.Elems, g.op(tail.OpIndex, s, shape, g.intLit(s, i+1)))
	}
	return z
}

// columnsOf is the column of items of a type that were placed; their vectors lie in the first
// of bases.
func (g *infer) columnsOf(all tail.Expr, t tail.Type, bases *[]tail.Expr, place string, s site) tail.Expr {
	if !isTuple(all) {
		return all
	}
	at, parts := tail.At{Where: s.span()}, g.components(all)
	tuple, ok := t.(*tail.TupleType)
	if !ok && t.(*tail.Array).Dims() > 1 {
		ravels, extents := g.columnsOf(parts[0], tail.Shaped(t.(*tail.Array).Elem, tail.AnySize), bases, place, s), parts[1:]
		shapes := g.cells(g.op(tail.OpIota, s, g.op(tail.OpTally, s, extents[0])), 0, s, func(i tail.Expr) tail.Expr {
			shape := make([]tail.Expr, len(extents))
			for k, n := range extents {
				shape[k] = g.op(tail.OpIndex, s, n, i)
			}
			return g.vector(s.fn, shape, array.Int)
		})
		return &tail.Tuple{At: at, Elems: append(g.components(ravels), g.name(shapes)), Shape: []int{ofArrays}}
	}
	if !ok {
		base := (*bases)[0]
		*bases = (*bases)[1:]
		return &tail.Tuple{At: at, Elems: g.partsOf(all, base, s), Shape: raggedShape, Item: itemFrom(t.(*tail.Array), place)}
	}
	z := &tail.Tuple{At: at, Shape: columnsShape(t), Proto: tuple.Proto}
	for k, e := range storedElems(tuple) {
		z.Elems = append(z.Elems, g.columnsOf(parts[k], e, bases, place, s))
	}
	return z
}

// storedElems are the types of the components of an item that is stored. The elements of a
// nested vector may be fewer or more than before: it has none but those of its items then.
func storedElems(t *tail.TupleType) []tail.Type {
	if !IsRagged(t) {
		return t.Elems
	}
	return append([]tail.Type{tail.Shaped(t.Elems[0].(*tail.Array).Elem, tail.AnySize)}, t.Elems[1:]...)
}

// columnLoop is a growing column with n more items of a type, which step gives for the
// numbers from first on, one after the other, and other values, which step changes. The
// state of the loop, the number, the growing column and these values, is done.
func (g *infer) columnLoop(n, first, growing tail.Expr, t tail.Type, place string, values []tail.Expr, step func(i tail.Expr, before []tail.Expr) (item tail.Expr, after []tail.Expr), s site) (z, done tail.Expr) {
	at := tail.At{Where: s.fn}
	init := g.name(&tail.Tuple{At: at, Elems: append([]tail.Expr{first, growing}, values...)})
	state, l := g.loop(init, func(e tail.Expr) tail.Expr {
		parts := g.items(e)
		item, after := step(parts[0], parts[2:])
		l := &lies{g: g, s: s, inner: map[*tail.Var]tail.Expr{}}
		l.enter()
		item = l.owned(item, item.Type())
		column := g.grown(parts[1], item, parts[0], s)
		next := []tail.Expr{g.op(tail.OpAddI, s, parts[0], g.intLit(s, 1)), column}
		return &tail.Tuple{At: at, Elems: append(next, after...)}
	}, s)
	done = g.name(g.op(tail.OpPower, s, l, n, g.adapt(init, state)))
	return g.finished(g.components(done)[1], t, place, s), done
}

// storedEach2 is x f¨y of vectors, or of one and a scalar, where f does not give
// scalars; nil where it does, and for arrays of other ranks.
func (g *infer) storedEach2(f function, x, y tail.Expr, s site) tail.Expr {
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	if p, ok := f.(*primitive); ok && isScalarDyadic(p.glyph) || g.blamed != nil || max(tx.Dims(), ty.Dims()) != 1 {
		return nil
	}
	types := []tail.Type{tail.Scalar(tx.Elem), tail.Scalar(ty.Elem)}
	if !givesNested(g.lambda(s.fn, types, func(a []tail.Expr) tail.Expr { return g.dyadic(f, a[0], a[1], s) })) {
		return nil
	}
	x, y = g.names2(x, y)
	long := func(t *tail.Array) bool { return t.Dims() == 1 && !isSingleton(t) }
	numbers := y
	if !long(ty) && (long(tx) || ty.Dims() == 0) {
		numbers = x
	}
	numbers = g.name(g.op(tail.OpIota, s, g.op(tail.OpTally, s, numbers)))
	if long(tx) && long(ty) {
		numbers = g.name(g.asMany(x, numbers, s))
	}
	side := func(e, i tail.Expr) tail.Expr {
		switch t := tail.TypeOf(e); {
		case t.Dims() == 0:
			return e
		case !long(t):
			return g.op(tail.OpFirst, s, e)
		}
		return g.name(g.op(tail.OpIndex, s, e, i))
	}
	z := g.eachNumber(numbers, func(i tail.Expr) tail.Expr {
		right := side(y, i)
		return g.dyadic(f, side(x, i), right, s)
	}, s)
	return g.withProto(z, g.noItemsOf2(f, x, y, s))
}

// storedMonadic applies a primitive to a nested vector that is stored by columns.
func (g *infer) storedMonadic(glyph string, y tail.Expr, s site) tail.Expr {
	y = g.name(y)
	p := &primitive{glyph: glyph, at: s.fn}
	switch glyph {
	case "⊢", "⊣", "⌷", "⊆":
		return y
	case "⊂":
		return enclosure(y, s)
	case "≢":
		return g.countOfStored(y, s)
	case "⍕":
		return g.formatNested(y, s)
	}
	if isRowwise(y) {
		return g.rowwiseMonadic(glyph, y, s)
	}
	if isRanked(y) {
		return g.rankedMonadic(glyph, y, s)
	}
	switch glyph {
	case ",", "⍉":
		return y
	case "↓":
		return enclosure(y, s)
	case "⍪":
		return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: []tail.Expr{y}, Shape: []int{ofRows}}
	case "⍴":
		return g.ravel(g.countOfStored(y, s), s)
	case "≡":
		return g.intLit(s, depthOfColumns(y.Type().(*tail.TupleType)))
	case "⊃":
		return g.storedItem(y, g.firstNumber(y, s), s)
	case "⌽", "⊖":
		return g.turned(p, nil, y, s)
	case "↑":
		return g.mixStored(y, s)
	case "∊":
		if z := g.eachRagged(p, y, s); isRagged(z) {
			return g.primitiveMonadic(p, z, s)
		}
	}
	if z := g.comparedItems(glyph, y, s); z != nil {
		return z
	}
	if isScalarMonadic(glyph) || glyph == "⎕C" || glyph == "⎕UCS" {
		return g.eachRagged(p, y, s)
	}
	g.fail(diag.NestedArrays, s.fn, "%s of a nested array whose number of items is not known", glyph)
	return nil
}

// storedDyadic applies a primitive to something and a nested vector that is stored
// by columns, on one side or both.
func (g *infer) storedDyadic(glyph string, x, y tail.Expr, s site) tail.Expr {
	x, y = g.names2(x, y)
	p := &primitive{glyph: glyph, at: s.fn}
	switch {
	case glyph == "⊣":
		return x
	case glyph == "⊢":
		return y
	case isRowwise(x) || isRowwise(y):
		return g.rowwiseDyadic(glyph, x, y, s)
	case isRanked(x) || isRanked(y):
		if z := g.rankedDyadic(p, x, y, s); z != nil {
			return z
		}
		g.fail(diag.NestedArrays, s.fn, "%s of a nested array of rank 2 and more whose extents are not known", glyph)
	case isScalarDyadic(glyph) || glyph == "⎕C":
		return g.eachRagged2(p, x, y, s)
	case glyph == "," && isTuple(x) && isTuple(y):
		right := g.columnsBeside(y, x, s)
		left := g.columnsBeside(x, y, s)
		if left != nil && right != nil && sameColumns(left.Type(), right.Type()) {
			return g.bothColumns(left, right, s)
		}
	case strings.Contains(searchDyadic, glyph):
		return g.searchDyadic(p, x, y, s)
	}
	return g.selectedOfStored(p, x, y, s)
}

// selectedOfStored is x⌷y and what else selects items of a nested vector that is stored, or
// puts them in another order.
func (g *infer) selectedOfStored(p *primitive, x, y tail.Expr, s site) tail.Expr {
	switch glyph := p.glyph; {
	case glyph == "⌷" && isEnclosed(x) && !isTuple(g.items(x)[0]):
		return g.itemsOfStored(glyph, g.items(x)[0], y, s)
	case isTuple(x):
	case glyph == "⊃" || glyph == "⌷":
		return g.itemsOfStored(glyph, x, y, s)
	case glyph == "⍴" && !countOf(g.arr(x, s.left)).Equal(tail.ConstSize(1)):
		return g.rankedDyadic(p, x, y, s)
	case strings.Contains("⍴↑/⌿\\⍀", glyph):
		return g.chosenOfStored(y, g.unfilled(p, x, g.numbersOfStored(y, s), s), s)
	case glyph == "↓", glyph == "⌽", glyph == "⊖":
		return g.turned(p, x, y, s)
	}
	g.fail(diag.NestedArrays, s.fn, "%s of a nested array whose number of items is not known", p.glyph)
	return nil
}

// firstNumber is the number of the first item of a nested array that is stored by
// columns: one without items ends the program.
func (g *infer) firstNumber(y tail.Expr, s site) tail.Expr {
	return g.name(g.fromPrelude(g.preludeClosure("firstnumber"), nil, g.countOfStored(y, s), s))
}

// unfilled applies a primitive that selects, and that may fill, to the numbers of the
// items of a nested array; fill items end the program.
func (g *infer) unfilled(p *primitive, x, numbers tail.Expr, s site) tail.Expr {
	numbers = g.primitiveDyadic(p, x, numbers, s)
	replicates := p.glyph == "/" || p.glyph == "⌿"
	if strings.Contains("↑⍴\\⍀", p.glyph) || replicates && g.arr(x, s.left).Elem != array.Bool {
		if slices.ContainsFunc(tail.TypeOf(numbers).Values, tail.ConstSize(0).Equal) {
			g.fail(diag.NestedArrays, s.fn, "%s with fill elements of this nested array", p.glyph)
		}
		return g.fromPrelude(g.preludeClosure("nofills"), nil, numbers, s)
	}
	return numbers
}

// itemsOfStored is x⊃y, x⌷y and y[x].
func (g *infer) itemsOfStored(glyph string, x, y tail.Expr, s site) tail.Expr {
	t := g.arr(x, s.left)
	at := g.name(g.inward(g.toInt(x), s))
	switch {
	case t.Dims() > 1 && glyph != "⊃" && few(at):
		return g.storedItemsAt(y, at, s)
	case t.Dims() > 1:
		g.unsupportedHere(diag.NestedArrays, s.fn, "an index of rank %d of a nested array whose number of items is not known", t.Dims())
	case glyph == "⊃" && (t.Dims() == 0 || isSingleton(t)):
		return g.storedItem(y, g.single(at, s, "the index of an item"), s)
	case glyph == "⊃":
		n, ok := countOf(t).IsConst()
		if !ok || n == 0 {
			g.fail(diag.NestedArrays, s.fn, "⊃ with an unknown number of indices of a nested array whose number of items is not known")
		}
		all := g.spread(g.name(g.toInt(x)), int(n), s.left)
		rest := g.vector(s.fn, all[1:], array.Int)
		item := g.storedItem(y, g.inward(all[0], s), s)
		return g.primitiveDyadic(&primitive{glyph: "⊃", at: s.fn}, rest, item, s)
	case t.Dims() == 0:
		return enclosure(g.name(g.storedItem(y, at, s)), s)
	}
	return g.chosenOfStored(y, at, s)
}

// storedItemsAt are the items with the numbers in an array of few elements, counted
// from 1.
func (g *infer) storedItemsAt(y, numbers tail.Expr, s site) tail.Expr {
	all, shape := g.elementsOf(numbers)
	z := &tail.Tuple{At: tail.At{Where: s.span()}, Shape: shape}
	for _, i := range all {
		z.Elems = append(z.Elems, g.storedItem(y, i, s))
	}
	return z
}

// foldStored is f/ of a nested vector that is stored by columns: what f between the
// items gives, from the last one on, enclosed where it is no scalar.
func (g *infer) foldStored(f function, y tail.Expr, s site) tail.Expr {
	y = g.name(y)
	n := g.name(g.fromPrelude(g.preludeClosure("someitems"), nil, g.countOfStored(y, s), s))
	if p, ok := f.(*primitive); ok && (p.glyph == "," || p.glyph == "⍪") {
		if z := g.joinedItems(p.glyph, y, s); z != nil {
			return enclosure(g.name(z), s)
		}
	}
	z := g.foldedFrom(f, y, n, s)
	if t, ok := z.Type().(*tail.Array); ok && t.Dims() == 0 {
		return z
	}
	return enclosure(z, s)
}

// foldedFrom is f between the items of y up to the one with the number n, from that one
// on to the first.
func (g *infer) foldedFrom(f function, y, n tail.Expr, s site) tail.Expr {
	return g.foldedOn(f, y, g.name(g.op(tail.OpSubI, s, n, g.intLit(s, 1))), g.storedItem(y, n, s), s)
}

// foldedOn is f between the first items of y, of which there are left, and z.
func (g *infer) foldedOn(f function, y, left, z tail.Expr, s site) tail.Expr {
	at := tail.At{Where: s.fn}
	init := g.name(&tail.Tuple{At: at, Elems: []tail.Expr{left, z}})
	state, l := g.loop(init, func(e tail.Expr) tail.Expr {
		parts := g.items(e)
		z := g.name(g.dyadic(f, g.storedItem(y, parts[0], s), parts[1], site{fn: s.fn, left: s.right, right: s.right}))
		return &tail.Tuple{At: at, Elems: []tail.Expr{g.op(tail.OpSubI, s, parts[0], g.intLit(s, 1)), z}}
	}, s)
	return g.items(g.name(g.op(tail.OpPower, s, l, left, g.adapt(init, state))))[1]
}

// depthOfColumns is the depth of nested arrays that are stored by columns.
func depthOfColumns(t *tail.TupleType) int {
	d := depthOf(storedItemType(t))
	switch {
	case t.Shape[0] == ofRanked:
		return depthOf(t.Elems[0])
	case t.Shape[0] == ofRows: // which has no rows as items
		return d
	case d < 0:
		return d - 1
	}
	return d + 1
}
