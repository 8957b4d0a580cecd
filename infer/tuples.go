package infer

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Vectors of arrays that are not all scalars are tuples: they exist while
// compiling, as arguments, results and the state of loops.
// maxItems is the number of items that a nested array may have.
const maxItems = 200

// fewEnough reports more items than a nested array of known items may have.
func (g *infer) fewEnough(n int, s site) {
	if n > maxItems {
		g.fail(diag.NestedArrays, s.fn, "a nested array of more than %d known items", maxItems)
	}
}

// maxLeaves is the number of simple arrays that a nested array may have at all
// depths: each is an expression of its own.
const maxLeaves = 6000

// bounded returns e, unless it has too many leaves. Types may double with every
// call of a function that would end for the values at hand.
func (g *infer) bounded(e tail.Expr, x apl.Expr) tail.Expr {
	if t, ok := e.(*tail.Tuple); ok && countLeaves(t, 0) > maxLeaves {
		err := diag.Errorf(diag.TooLarge, g.visible(x.Span()), "a nested array of more than %d items at all depths", maxLeaves)
		panic(unwound{err: err, needs: true})
	}
	return e
}

// countLeaves adds the leaves of e to n; it stops where they are too many.
func countLeaves(e tail.Expr, n int) int {
	if t, ok := e.(*tail.Tuple); ok {
		for _, x := range t.Elems {
			if n = countLeaves(x, n); n > maxLeaves {
				return n
			}
		}
		return n
	}
	return countTypes(e.Type(), n)
}

func countTypes(t tail.Type, n int) int {
	tuple, ok := t.(*tail.TupleType)
	if !ok {
		return n + 1
	}
	for _, t := range tuple.Elems {
		if n = countTypes(t, n); n > maxLeaves {
			return n
		}
	}
	return n
}

// tupleMonadic applies a primitive to a tuple; nil where it has no such form.
func (g *infer) tupleMonadic(glyph string, y tail.Expr, s site) tail.Expr {
	if isRagged(y) {
		return g.raggedMonadic(glyph, y, s)
	}
	if isColumns(y) {
		return g.storedMonadic(glyph, y, s)
	}
	n := len(y.Type().(*tail.TupleType).Elems)
	if n == 0 {
		if e := g.emptyMonadic(glyph, y, s); e != nil {
			return e
		}
	}
	if glyph == "," && g.shapeOfTuple(y) != nil {
		return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: g.items(y), Proto: y.Type().(*tail.TupleType).Proto}
	}
	if shape := g.shapeOfTuple(y); shape != nil {
		switch glyph {
		case "⍴":
			g.effect(y)
			all := make([]int64, len(shape))
			for i, n := range shape {
				all[i] = int64(n)
			}
			return lit(s.fn, array.VectorInt(all))
		case "≢":
			g.effect(y)
			return g.intLit(s, shape[0])
		case "↑":
			return g.mixShaped(y, shape, s)
		case "↓":
			return g.splitShaped(y, shape, s)
		}
	}
	if glyph == "⍕" {
		return g.formatNested(y, s)
	}
	if g.shapeOfTuple(y) != nil || glyph == "⍪" || glyph == "⍉" || glyph == "⊖" {
		if e := g.rearranged(glyph, nil, y, s); e != nil {
			return e
		}
	}
	if g.shapeOfTuple(y) != nil && strings.Contains("≠∪⍋⍒", glyph) {
		if e := g.looseMonadic(glyph, y, s); e != nil {
			return e
		}
	}
	if g.shapeOfTuple(y) != nil && glyph != "⊃" && glyph != "⊢" && glyph != "⊣" && glyph != "≡" && glyph != "∊" && glyph != "⎕C" && !isScalarMonadic(glyph) {
		g.fail(diag.NestedArrays, s.fn, "%s of a nested array of rank %d", glyph, len(g.shapeOfTuple(y)))
	}
	switch glyph {
	case "⊃":
		return g.items(y)[0]
	case ",":
		return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: g.items(y), Proto: y.Type().(*tail.TupleType).Proto}
	case "⊢", "⊣":
		return y
	case "↓":
		if isEnclosed(y) {
			return y
		}
		return enclosure(g.name(y), s)
	case "≢":
		g.effect(y)
		return g.intLit(s, n)
	case "⍴":
		g.effect(y)
		if isEnclosed(y) {
			return lit(s.fn, array.VectorInt(nil))
		}
		return lit(s.fn, array.VectorInt([]int64{int64(n)}))
	case "⌽":
		items := append([]tail.Expr{}, g.items(y)...)
		for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
			items[i], items[j] = items[j], items[i]
		}
		if isEnclosed(y) {
			return y
		}
		return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: items}
	case "↑":
		if isEnclosed(y) {
			return g.items(y)[0]
		}
		return g.mix(g.items(y), s)
	case "≡":
		g.effect(y)
		return g.intLit(s, depthOf(y.Type()))
	case "∊":
		items := g.items(y)
		parts := make([]tail.Expr, n)
		for i := range items {
			parts[i] = g.monadic(&primitive{glyph: "∊", at: s.fn}, items[i], s)
		}
		return g.joinAll(parts, s)
	}
	if isScalarMonadic(glyph) || glyph == "⎕C" {
		return g.eachTuple(&primitive{glyph: glyph, at: s.fn}, y, s)
	}
	if glyph == "⍋" || glyph == "⍒" {
		if rankOf(y) == 0 {
			g.fail(diag.ArgumentRank, s.fn, "grade of a scalar")
		}
		return g.looseMonadic(glyph, y, s)
	}
	return g.tupleUnique(glyph, y, s)
}

// joinAll catenates arrays.
func (g *infer) joinAll(items []tail.Expr, s site) tail.Expr {
	e := items[len(items)-1]
	for i := len(items) - 2; i >= 0; i-- {
		e = g.primitiveDyadic(&primitive{glyph: ",", at: s.fn}, items[i], e, s)
	}
	return e
}

// tupleDyadic applies a primitive to a tuple and something; nil where it has
// no such form.
func (g *infer) tupleDyadic(glyph string, x, y tail.Expr, s site) tail.Expr {
	if (glyph == "⊂" || glyph == "⊆") && isStored(y) && !isTuple(x) {
		return g.partsOfStored(glyph, x, y, s)
	}
	if glyph == "⌷" && isTuple(y) && rankOf(y) == 1 {
		if x = g.indexOfAxis(x, s); x == nil {
			return y
		}
	}
	if z := g.besideSimple(glyph, x, y, s); z != nil {
		return z
	}
	if isColumns(x) || isColumns(y) {
		return g.storedDyadic(glyph, x, y, s)
	}
	if glyph == "⌷" && isTuple(y) && len(g.shapeOfTuple(y)) == 2 && isTuple(x) && isEnclosed(x) && !isTuple(g.items(x)[0]) {
		return g.index(y, []tail.Expr{g.items(x)[0], nil}, s)
	}
	if isRagged(x) || isRagged(y) {
		return g.raggedDyadic(glyph, x, y, s)
	}
	if emptyTuple(x) && !strings.Contains("⊣⊢≡≢,⍪", glyph) || emptyTuple(y) && !strings.Contains("⊣⊢≡≢,⍪∊⍴"+rearrangeDyadic, glyph) {
		g.fail(diag.NestedArrays, s.fn, "%s of an empty nested array", glyph)
	}
	if glyph == "⍳" && rankOf(x) == 0 {
		g.failFix(diag.ArgumentRank, s.fn, exchange(describe(s.fn)), "the left argument of ⍳ is a scalar")
	}
	if glyph == "," || glyph == "⍪" {
		join := func(x, y tail.Expr) tail.Expr {
			return g.primitiveDyadic(&primitive{glyph: glyph, at: s.fn}, x, y, s)
		}
		if glyph == "," && !isTuple(x) != !isTuple(y) && max(rankOf(x), rankOf(y)) == 2 && !few(simpleOf(x, y)) {
			if z := g.joinedColumns(x, y, s); z != nil {
				return z
			}
		}
		if z := g.joinedMany(glyph, x, y, s); z != nil {
			return z
		}
		return g.joined(glyph, join, x, y, s)
	}
	if isTuple(y) && !isTuple(x) && (g.shapeOfTuple(y) != nil || strings.Contains("↑↓⌽⊖⍉\\⍀/⌿", glyph)) {
		if e := g.rearranged(glyph, x, y, s); e != nil {
			return e
		}
	}
	if (g.shapeOfTuple(x) != nil || g.shapeOfTuple(y) != nil) && !isScalarDyadic(glyph) && !strings.Contains("⊣⊢⊃≡≢⎕C", glyph) {
		g.fail(diag.NestedArrays, s.fn, "%s of a nested array of higher rank than 1", glyph)
	}
	switch {
	case glyph == "⊣" || glyph == "⊢":
		return dyadics[glyph](g, x, y, s)
	case glyph == "⊃" && isTuple(x) && rankOf(x) > 1:
		g.fail(diag.ArgumentRank, s.fn, "the left argument of ⊃ has rank %d", rankOf(x))
	case glyph == "⊃" && !isTuple(y) && len(x.Type().(*tail.TupleType).Elems) == 1 && !isTuple(g.items(x)[0]):
		return g.pickAt(g.items(x)[0], y, s)
	case glyph == "⊃":
		return g.tuplePick(y, x, s)
	case glyph == "⌷" && isTuple(y):
		if isTuple(x) {
			x = g.items(x)[0]
		}
		x, y = g.names2(x, y)
		if e := g.chosenLater(glyph, x, y, s); e != nil {
			return e
		}
		return g.enclosed(g.tupleIndex(y, x, s), x, s)
	case glyph == "⍴" && isTuple(y) && !isTuple(x):
		return g.tupleReshape(x, y, s)
	case glyph == "⌷" && isTuple(x):
		return g.squad(g.items(x), y, s)
	case isScalarDyadic(glyph) || glyph == "⎕C" && isTuple(y):
		return g.eachTuple2(&primitive{glyph: glyph, at: s.fn}, x, y, s)
	}
	return g.tupleSearch(glyph, x, y, s)
}

// indexOfAxis is the one item of the left argument of ⌷, for a nested vector on the
// right; nil where it has no items.
func (g *infer) indexOfAxis(x tail.Expr, s site) tail.Expr {
	n, known := int64(1), true
	if t, ok := x.Type().(*tail.Array); ok && t.Dims() > 0 {
		n, known = countOf(t).IsConst()
	} else if !ok && !isEnclosed(x) {
		n = int64(len(g.items(x)))
	}
	switch {
	case rankOf(x) > 1:
		g.fail(diag.ArgumentRank, s.fn, "the left argument of ⌷ has rank %d", rankOf(x))
	case !known:
		g.needsConstant(diag.NotCompiled, s.fn, "the rank of the result of ⌷ depends on the length of its left argument, which is not known")
	case n > 1:
		g.fail(diag.WrongLength, s.fn, "%s for an array of rank 1", diag.Count(int(n), "index", "indices"))
	case n == 0:
		g.effect(x)
		return nil
	case !isTuple(x):
		return g.single(x, s, "an index")
	}
	return x
}

// simpleOf is the simple one of two arrays.
func simpleOf(x, y tail.Expr) tail.Expr {
	if isTuple(x) {
		return y
	}
	return x
}

// enclosed is the scalar that an item of a tuple at a single index is in its
// place; the items at a vector of indices are as they are.
func (g *infer) enclosed(e, index tail.Expr, s site) tail.Expr {
	if t, ok := index.Type().(*tail.Array); ok && t.Dims() > 0 {
		return e
	}
	if t, ok := e.Type().(*tail.Array); ok && t.Dims() == 0 {
		return e
	}
	return enclosure(g.name(e), s)
}

// tuplePick is x⊃y: an item, or with several numbers one item of an item, and
// so on. An item of x is a number, or has one for each axis.
func (g *infer) tuplePick(y, x tail.Expr, s site) tail.Expr {
	var path []tail.Expr
	if isTuple(x) {
		path = g.items(x)
	} else if t := g.arr(x, s.left); t.Dims() == 1 {
		if n, ok := countOf(t).IsConst(); ok && n != 1 {
			y = g.name(y)
			path = append([]tail.Expr{}, g.spread(g.name(x), int(n), s.left)...)
		}
	}
	if path == nil {
		if rankOf(x) > 1 {
			g.fail(diag.ArgumentRank, s.fn, "the left argument of ⊃ has rank %d", rankOf(x))
		}
		path = []tail.Expr{x}
	}
	y = g.name(y)
	for _, k := range path {
		g.pathItem(k, s)
		switch {
		case isTuple(k):
			g.fail(diag.NestedArrays, s.left, "⊃ with a nested index")
		case isTuple(y):
			y = g.itemAt(y, k, s)
		default:
			if g.arr(k, s.left).Dims() == 0 {
				y = dyadicPick(g, k, y, s)
			} else {
				y = g.pickAt(k, y, s)
			}
		}
	}
	return y
}

// pathItem tests an item of a left argument of ⊃, which has at most one axis.
func (g *infer) pathItem(k tail.Expr, s site) {
	if rankOf(k) > 1 {
		g.fail(diag.ArgumentRank, s.fn, "⊃ with an index of rank %d", rankOf(k))
	}
}

// itemAt is the item of a tuple at a constant index, which has one number for
// each axis.
func (g *infer) itemAt(y, k tail.Expr, s site) tail.Expr {
	shape := g.shapeOfTuple(y)
	n, counted := countOf(g.arr(k, s.left)).IsConst()
	if counted && !isStored(y) && int(n) != rankOf(y) {
		g.fail(diag.ArgumentRank, s.fn, "⊃ with an index of %d numbers of a nested array of rank %d", n, rankOf(y))
	}
	if isEnclosed(y) {
		g.effect(k)
		return g.items(y)[0]
	}
	if shape == nil {
		k = g.name(k)
		if e := g.chosenLater("⊃", k, y, s); e != nil {
			return e
		}
		return g.tupleIndex(y, g.single(k, s, "the index of an item"), s)
	}
	at := g.value(g.toInt(k))
	if at == nil {
		g.needsConstant(diag.NestedArrays, s.fn, "the index into a nested array must be known when compiling")
	}
	if at.Len() != len(shape) {
		g.fail(diag.ArgumentRank, s.fn, "an index of %d numbers of a nested array of rank %d", at.Len(), len(shape))
	}
	place := 0
	for axis, n := range shape {
		i := int(at.Int(axis)) - g.origin
		if i < 0 || i >= n {
			g.fail(diag.IndexOutside, s.fn, "index %d on axis %d of a nested array, which has %d", at.Int(axis), axis+1, n)
		}
		place = place*n + i
	}
	g.effect(k)
	return g.items(y)[place]
}

// tupleIndex picks an item of a tuple by a constant, or several.
func (g *infer) tupleIndex(y, x tail.Expr, s site) tail.Expr {
	items := g.items(y)
	if rankOf(y) != 1 {
		g.fail(diag.ArgumentRank, s.fn, "an index of one axis of a nested array of rank %d", rankOf(y))
	}
	if a := g.value(g.toInt(x)); a != nil && a.Rank() > 0 {
		g.effect(x)
		if a.Len() == 0 {
			return g.withoutItems(a.Shape, itemProto(y), s)
		}
		return g.tupleAt(items, a, s)
	}
	if t := g.arr(x, s.left); t.Dims() > 1 {
		g.fail(diag.NestedArrays, s.fn, "an index of rank %d of a nested array, which is not known when compiling, or empty", t.Dims())
	} else if countOf(t).Equal(tail.ConstSize(1)) {
		x = g.single(x, s, "the index of an item")
	}
	a := g.value(g.toInt(x))
	if a == nil {
		g.fail(diag.NestedArrays, s.fn, "an index that is not known when compiling, into a nested array whose items are not all vectors of one kind")
	}
	if a.Len() == 0 {
		g.fail(diag.NestedArrays, s.fn, "an empty index into a nested array")
	}
	k := a.Int(0) - int64(g.origin)
	if k < 0 || int(k) >= len(items) {
		g.fail(diag.NoItem, s.fn, "item %d of %d", k+int64(g.origin), len(items))
	}
	return items[k]
}

// tupleAt is the array of the items with the numbers in an array, in ⎕IO.
func (g *infer) tupleAt(items []tail.Expr, numbers *array.Array, s site) tail.Expr {
	chosen := make([]tail.Expr, numbers.Len())
	for i := range chosen {
		k := numbers.Int(i) - int64(g.origin)
		if k < 0 || int(k) >= len(items) {
			g.fail(diag.NoItem, s.fn, "item %d of %d", numbers.Int(i), len(items))
		}
		chosen[i] = items[k]
	}
	var shape []int
	if numbers.Rank() > 1 {
		shape = numbers.Shape
	}
	return g.shaped(g.strandOf(chosen, s), shape)
}

// shapeOfTuple returns the shape of a tuple that is not a vector, nil for
// others.
func (g *infer) shapeOfTuple(e tail.Expr) []int {
	t, ok := e.Type().(*tail.TupleType)
	if !ok || len(t.Shape) == 0 || isRagged(e) || isColumns(e) || isEither(e) {
		return nil
	}
	return t.Shape
}

// emptyTuple reports whether an argument is a nested array without items.
func emptyTuple(e tail.Expr) bool {
	t, ok := e.Type().(*tail.TupleType)
	return ok && len(t.Elems) == 0
}

// isEnclosed reports whether a tuple is a scalar, as ⊂1 2 3 is.
func isEnclosed(e tail.Expr) bool {
	t, ok := e.Type().(*tail.TupleType)
	return ok && t.Shape != nil && len(t.Shape) == 0
}

// enclosure is the scalar whose item is e.
func enclosure(e tail.Expr, s site) tail.Expr {
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: []tail.Expr{e}, Shape: []int{}}
}

// likeScalar makes the result of a function on the items of scalars a scalar.
func (g *infer) likeScalar(e tail.Expr, s site) tail.Expr {
	if t, ok := e.(*tail.Tuple); ok {
		return &tail.Tuple{At: t.At, Elems: t.Elems, Shape: []int{}}
	}
	if tail.TypeOf(e).Dims() == 1 {
		return g.op(tail.OpFirst, s, e)
	}
	return e
}

// shaped gives a tuple, or a vector of scalars, a shape.
func (g *infer) shaped(e tail.Expr, shape []int) tail.Expr {
	if shape == nil {
		return e
	}
	if t, ok := e.(*tail.Tuple); ok {
		return &tail.Tuple{At: t.At, Elems: t.Elems, Shape: shape}
	}
	items := make([]int64, len(shape))
	for i, n := range shape {
		items[i] = int64(n)
	}
	at := site{fn: e.Span(), right: e.Span()}
	return g.op(tail.OpReshape, at, lit(e.Span(), array.VectorInt(items)), e)
}

// strandOf returns the array of scalars or the tuple of items.
func (g *infer) strandOf(items []tail.Expr, s site) tail.Expr {
	if elem, ok := scalars(items); ok {
		return g.vector(s.span(), items, elem)
	}
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: items}
}

// mixShaped is ↑ of a nested array of higher rank.
func (g *infer) mixShaped(y tail.Expr, shape []int, s site) tail.Expr {
	z := g.name(g.mix(append([]tail.Expr{}, g.items(y)...), s))
	if isTuple(z) {
		all := append([]int{}, shape...)
		if g.shapeOfTuple(z) != nil { // its items are vectors
			all = append(all, g.shapeOfTuple(z)[1:]...)
		}
		return g.shaped(&tail.Tuple{At: tail.At{Where: s.span()}, Elems: g.items(z)}, all)
	}
	var extents []tail.Expr
	for _, n := range shape {
		extents = append(extents, g.intLit(s, n))
	}
	for i := 1; i < tail.TypeOf(z).Dims(); i++ {
		extents = append(extents, g.extentOf(z, i, s))
	}
	return g.op(tail.OpReshape, s, g.vector(s.fn, extents, array.Int), z)
}

// maxReshaped is the number of items that ⍴ gives a nested array of known items.
const maxReshaped = 1000

// tupleReshape is x⍴y for a tuple: its items, cyclically. They are stored where x is
// not constant or great.
func (g *infer) tupleReshape(x, y tail.Expr, s site) tail.Expr {
	const most = maxReshaped
	a := g.value(g.toInt(x))
	y = g.name(y)
	from := g.items(y)
	if e := g.storedReshape(x, y, a, s); e != nil {
		return e
	}
	if a == nil || a.Rank() > 1 {
		g.refuse(diag.NestedArrays, "⍴", "of a nested array, unless its left argument is constant", s)
	}
	count, shape := 1, make([]int, a.Len())
	for i := range shape {
		shape[i] = int(max(min(a.Int(i), most+1), -1))
		if count *= shape[i]; shape[i] < 0 || count > most {
			g.refuse(diag.NestedArrays, "⍴", "of a nested array to more than 1000 items", s)
		}
	}
	g.effect(x)
	p := itemProto(y)
	switch {
	case count == 0:
		return g.withoutItems(shape, p, s)
	case len(from) == 0:
		from = []tail.Expr{g.name(g.prototype("⍴", nil, p, s))}
	}
	t := &tail.Tuple{At: tail.At{Where: s.span()}}
	for i := range count {
		t.Elems = append(t.Elems, from[i%len(from)])
	}
	if len(shape) != 1 {
		t.Shape = shape
	}
	return t
}
