package infer

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// A ragged vector is a vector of vectors of which the number is not known, or is
// large: x⊆y of marks that the program computes, the lines of a file, f¨y where f
// gives vectors. It is a tuple of three vectors that has a shape of its own:
//
//	elements   of all items, and maybe others
//	offsets    where each item begins in the elements, counted from 0
//	lengths    of the items
//
// What is made of its items is a loop over their numbers. Where there are none, the
// prototype is an empty vector if the elements are empty, too, and the type says so:
// the prototype of its type is an empty vector then. It is not known after f¨y, whose
// function may give prototypes of any length, and after ↓ of a matrix without rows.

// raggedShape is the shape of the tuple of a ragged vector.
var raggedShape = []int{-1}

// isRagged reports whether e is a ragged vector.
func isRagged(e tail.Expr) bool { return IsRagged(e.Type()) }

// IsRagged reports whether t is the type of a ragged vector, a vector of vectors
// of which the number is not known.
func IsRagged(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	return ok && len(tuple.Shape) == 1 && tuple.Shape[0] == raggedShape[0]
}

// RaggedType is the type of vectors of vectors of elements.
func RaggedType(elem array.Elem) *tail.TupleType {
	return &tail.TupleType{Elems: []tail.Type{tail.Ranked(elem, 1), tail.Ranked(array.Int, 1), tail.Ranked(array.Int, 1)}, Shape: raggedShape}
}

// ragged marks the three vectors that a definition of the prelude gives as a
// ragged vector.
func (g *infer) ragged(e tail.Expr, s site) tail.Expr {
	if !isTuple(e) { // it certainly faults
		g.effect(e)
		none := lit(s.fn, array.VectorInt(nil))
		e = &tail.Tuple{Elems: []tail.Expr{none, none, none}}
	}
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: g.components(e), Shape: raggedShape}
}

// raggedOfEmpty is ragged where the prototype is an empty vector if there are no
// elements.
func (g *infer) raggedOfEmpty(e tail.Expr, s site) tail.Expr {
	z := g.ragged(e, s).(*tail.Tuple)
	z.Proto = emptyVector(tail.TypeOf(z.Elems[0]).Elem)
	return z
}

// emptyVector is the type of empty vectors of numbers, or of characters.
func emptyVector(elem array.Elem) tail.Type {
	return protoOf(tail.Shaped(elem, tail.ConstSize(0)))
}

// raggedLike is ragged with the prototype that y has.
func (g *infer) raggedLike(y, e tail.Expr, s site) tail.Expr {
	z := g.ragged(e, s).(*tail.Tuple)
	z.Proto = y.Type().(*tail.TupleType).Proto
	return z
}

// lost is 0 where the prototype of a ragged vector is known even if it has no items.
func (g *infer) lost(y tail.Expr, s site) tail.Expr {
	if y.Type().(*tail.TupleType).Proto == nil {
		return g.intLit(s, 1)
	}
	return g.op(tail.OpTally, s, g.components(y)[0])
}

// filledBy is raggedBy of a definition that looks at the prototype.
func (g *infer) filledBy(name string, x, y tail.Expr, s site) tail.Expr {
	parts := &tail.Tuple{At: tail.At{Where: y.Span()}, Elems: append(slices.Clone(g.components(y)), g.lost(y, s))}
	return g.fromPrelude(g.preludeClosure(name), x, parts, s)
}

// raggedRows is the ragged vector of the rows of a matrix.
func (g *infer) raggedRows(y tail.Expr, s site) tail.Expr {
	z := g.ragged(g.fromPrelude(g.preludeClosure("raggedrows"), nil, y, s), s).(*tail.Tuple)
	z.Item = itemFrom(tail.Shaped(tail.TypeOf(z.Elems[0]).Elem, g.arr(y, s.right).Extent(1)), "")
	return z
}

// plainStrand is a ragged vector as the strand of its three vectors, for the prelude.
func (g *infer) plainStrand(e tail.Expr) tail.Expr {
	return &tail.Tuple{At: tail.At{Where: e.Span()}, Elems: g.components(e)}
}

// raggedBy applies a definition of the prelude to a ragged vector, and to x
// where it is not nil.
func (g *infer) raggedBy(name string, x, y tail.Expr, s site) tail.Expr {
	return g.fromPrelude(g.preludeClosure(name), x, g.plainStrand(y), s)
}

// madeOf calls a definition of the prelude, which cannot fault, for a ragged
// vector: all places that need it share one function.
func (g *infer) madeOf(name string, x, y tail.Expr, s site) tail.Expr {
	c := g.preludeClosure(name)
	c.name = name
	return g.fromPrelude(c, x, g.plainStrand(y), s)
}

// joinedElements is the vector of the elements of all items, one behind the other.
func (g *infer) joinedElements(y tail.Expr, s site) tail.Expr {
	y = g.name(y)
	l := g.lambda(s.fn, []tail.Type{tail.Scalar(array.Int)}, func(a []tail.Expr) tail.Expr { return g.itemOf(y, a[0], s) })
	return withTotal(g.op(tail.OpSegments, s, l, g.components(y)[2]), y.Type())
}

// countOfRagged is the number of items.
func (g *infer) countOfRagged(y tail.Expr, s site) tail.Expr {
	return g.op(tail.OpTally, s, g.components(y)[1])
}

// numbersOfItems is the vector of the numbers of the items, from 1.
func (g *infer) numbersOfItems(y tail.Expr, s site) tail.Expr {
	return g.op(tail.OpIota, s, g.countOfRagged(y, s))
}

// itemOf is item i of a ragged vector, counted from 1.
func (g *infer) itemOf(y, i tail.Expr, s site) tail.Expr {
	i = g.name(i)
	parts := g.components(y)
	item := asItem(g.partOf(parts, i, s), y.Type().(*tail.TupleType).Item, tail.TypeOf(i).Value(0))
	if a, ok := item.(*tail.Apply); ok {
		g.itemsMade[a] = &madeItem{&tail.Tuple{At: a.At, Elems: parts, Shape: raggedShape}, i}
	}
	return item
}

// madeItem is item number i of the ragged vector of.
type madeItem struct {
	of *tail.Tuple
	i  tail.Expr
}

// partOf is item i of the elements, offsets and lengths of a ragged vector, whose elements
// all lie in the elements.
func (g *infer) partOf(parts []tail.Expr, i tail.Expr, s site) tail.Expr {
	from := g.name(g.op(tail.OpIndex, s, parts[1], i))
	length := g.name(g.op(tail.OpIndex, s, parts[2], i))
	return g.partAt(parts[0], from, length, s)
}

// asMany is a vector that has as many elements as another, which is tested.
func (g *infer) asMany(other, numbers tail.Expr, s site) tail.Expr {
	m, known := tail.TypeOf(other).Extent(0).IsConst()
	n, both := tail.TypeOf(numbers).Extent(0).IsConst()
	if known && both && m != n {
		g.fail(diag.TuplesDiffer, s.fn, "%d items and %d items", m, n)
	}
	return g.fromPrelude(g.preludeClosure("asmany"), g.op(tail.OpTally, s, other), numbers, s)
}

// namedItems are the n items of a ragged vector, which must have as many.
func (g *infer) namedItems(y tail.Expr, n int, s site) []tail.Expr {
	wanted := lit(s.fn, array.VectorInt(make([]int64, n)))
	numbers := g.name(g.asMany(wanted, g.numbersOfStored(y, s), s))
	items := make([]tail.Expr, n)
	for i := range items {
		items[i] = g.name(g.storedItem(y, g.op(tail.OpIndex, s, numbers, g.intLit(s, i+1)), s))
	}
	return items
}

// eachNumber applies f to the elements of a vector: the results are a vector
// where they are scalars, and a ragged vector where they are vectors.
func (g *infer) eachNumber(y tail.Expr, f change, s site) tail.Expr {
	y = g.name(y)
	l, at := g.applied(y, f, s)
	t, ok := l.Body.Type().(*tail.Array)
	switch {
	case !ok || t.Dims() > 1:
		return g.storedEach(y, f, l.Body.Type(), at, s)
	case t.Dims() == 0:
		if z := g.byPosition(y, l.Body, at, s); z != nil {
			return z
		}
		return g.cells(y, 0, s, f)
	}
	all, bases := g.placed(y, f, s)
	z := g.ragged(&tail.Tuple{Elems: g.partsOf(all, bases[0], s)}, s).(*tail.Tuple)
	z.Item = itemFrom(t, at)
	return z
}

// gathered are the vectors that f gives for the elements of a vector, one behind the
// other, and their lengths.
func (g *infer) gathered(y tail.Expr, f change, s site) tail.Expr {
	y = g.name(y)
	count := g.countedTo(y, s)
	l := g.lambda(s.fn, []tail.Type{tail.Scalar(array.Int)}, func(a []tail.Expr) tail.Expr {
		if count != nil {
			return f(a[0])
		}
		return f(g.name(g.op(tail.OpIndex, s, y, a[0])))
	})
	if count == nil {
		count = g.op(tail.OpTally, s, y)
	}
	return g.name(g.op(tail.OpItems, s, l, count))
}

// countedTo is how many numbers y is, where it is 1 2 … of so many as something has;
// nil for others.
func (g *infer) countedTo(y tail.Expr, s site) tail.Expr {
	r, ok := y.(*tail.Ref)
	if !ok || g.known[r.Var] == nil {
		return nil
	}
	iota, ok := g.known[r.Var].e.(*tail.Apply)
	if !ok || iota.Op != tail.OpIota {
		return nil
	}
	if n, ok := iota.Args[0].(*tail.Apply); ok && n.Op == tail.OpTally {
		if x, ok := n.Args[0].(*tail.Ref); ok {
			return g.op(tail.OpTally, s, ref(x.Var, n.Where))
		}
	}
	return nil
}

// isLong reports whether e is a simple vector of many elements, or of an unknown
// number.
func isLong(e tail.Expr) bool { return isVector(e) && !few(e) }

// eachRagged is f¨y of a ragged vector.
func (g *infer) eachRagged(f function, y tail.Expr, s site) tail.Expr {
	y = g.name(y)
	apply := func(i tail.Expr) tail.Expr {
		item := g.surely(func() tail.Expr { return g.storedItem(y, i, s) })
		return g.monadic(f, item, s)
	}
	numbers := g.name(g.numbersOfStored(y, s))
	none := g.noItemsOf(f, y, s)
	if comparesAndSelects(f) && len(g.changedBy(f)) == 0 {
		l := func() *tail.Lam { return g.ofElement(tail.TypeOf(numbers), apply, s) }
		if by := g.byGroups(f, numbers, l, s); by != nil {
			apply = by.apply
		}
	}
	return g.eachItem(f, numbers, apply, none, s)
}

// eachItem is eachNumber for 1 2 …, where apply applies f, which may change variables. What
// is done where there is no item may be nil.
func (g *infer) eachItem(f function, numbers tail.Expr, apply change, none *noItems, s site) tail.Expr {
	numbers = g.name(numbers)
	if vars := g.changedBy(f); len(vars) > 0 {
		return g.eachCarried(vars, numbers, g.givesUnread(f), apply, s)
	}
	g.whereNoItems(none, s, numbers)
	return g.eachNumber(numbers, apply, s)
}

// eachRagged2 is x f¨y where one of them is ragged or both are. The other may be a
// scalar, enclosed or not, or a vector.
func (g *infer) eachRagged2(f function, x, y tail.Expr, s site) tail.Expr {
	x, y = g.names2(x, y)
	first, other := x, y
	if !isStored(first) {
		first, other = y, x
	}
	numbers := g.numbersOfStored(first, s)
	if isStored(other) {
		numbers = g.asMany(g.name(g.numbersOfStored(other, s)), numbers, s)
	} else if t, ok := other.Type().(*tail.Array); ok && t.Dims() == 1 && !isSingleton(t) {
		if _, known := t.Extent(0).IsConst(); !known { // one element stands for as many as there are items
			many := g.name(g.opAxis(tail.OpStretch, s, 0, g.countOfStored(first, s), other))
			if other == x {
				x = many
			} else {
				y = many
			}
			other = many
		}
		numbers = g.asMany(other, numbers, s)
	}
	side := func(e, i tail.Expr) tail.Expr {
		switch t, simple := e.Type().(*tail.Array); {
		case isStored(e):
			return g.storedItem(e, i, s)
		case simple && t.Dims() == 0:
			return e
		case simple && isSingleton(t):
			return g.op(tail.OpFirst, s, g.ravel(e, s))
		case simple && t.Dims() == 1:
			return g.op(tail.OpIndex, s, e, i)
		case !simple && len(g.items(e)) == 1:
			return g.items(e)[0]
		}
		g.fail(diag.NestedArrays, s.fn, "¨ between a nested array whose number of items is not known and %s", describeType(e.Type()))
		return nil
	}
	return g.eachItem(f, numbers, func(i tail.Expr) tail.Expr {
		right := side(y, i)
		return g.dyadic(f, side(x, i), right, s)
	}, g.noItemsOf2(f, x, y, s), s)
}

// raggedMonadic applies a primitive to a ragged vector; nil where it has no such
// form.
func (g *infer) raggedMonadic(glyph string, y tail.Expr, s site) tail.Expr {
	y = g.name(y)
	switch glyph {
	case "⊢", "⊣", "⌷", ",", "⊆", "⍉":
		return y
	case "⍪":
		return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: []tail.Expr{y}, Shape: []int{ofRows}}
	case "⊂", "↓":
		return enclosure(y, s)
	case "≢":
		return g.countOfRagged(y, s)
	case "⍴":
		return g.ravel(g.countOfRagged(y, s), s)
	case "≡":
		return g.intLit(s, 2)
	case "⊃":
		return g.filledBy("firstof", nil, y, s)
	case "↑":
		if item := anyItem(y.Type()); item != nil && y.Type().(*tail.TupleType).Proto == nil {
			if n, known := item.Extent(0).IsConst(); known && n > 0 {
				g.effect(g.fromPrelude(g.preludeClosure("unlost"), g.lost(y, s), g.components(y)[1], s))
				shape := g.vector(s.fn, []tail.Expr{g.countOfRagged(y, s), g.intLit(s, int(n))}, array.Int)
				return g.op(tail.OpReshape, s, shape, g.joinedElements(y, s))
			}
		}
		return g.filledBy("sheet", nil, y, s)
	case "∊":
		return g.joinedElements(y, s)
	case "⍕":
		return g.formatNested(y, s)
	case "⌽", "⊖":
		return g.turned(&primitive{glyph: glyph, at: s.fn}, nil, y, s)
	}
	if z := g.comparedItems(glyph, y, s); z != nil {
		return z
	}
	if isScalarMonadic(glyph) || glyph == "⎕C" || glyph == "⎕UCS" {
		return g.eachRagged(&primitive{glyph: glyph, at: s.fn}, y, s)
	}
	g.fail(diag.NestedArrays, s.fn, "%s of a nested array whose number of items is not known", glyph)
	return nil
}

// raggedDyadic applies a primitive to a ragged vector and something.
func (g *infer) raggedDyadic(glyph string, x, y tail.Expr, s site) tail.Expr {
	x, y = g.names2(x, y)
	p := &primitive{glyph: glyph, at: s.fn}
	switch {
	case glyph == "⊣":
		return x
	case glyph == "⊢":
		return y
	case isScalarDyadic(glyph) || glyph == "⎕C":
		return g.eachRagged2(p, x, y, s)
	case glyph == "," && max(rankOf(x), rankOf(y)) == 2:
		if z := g.joinedColumns(x, y, s); z != nil {
			return z
		}
	case glyph == "," || glyph == "⍪":
		y, x = g.name(g.besideRagged(y, x, s)), g.name(g.besideRagged(x, y, s))
		g.same(g.components(x)[0], g.components(y)[0], s)
		z := g.ragged(g.raggedBy("bothof", g.plainStrand(x), y, s), s).(*tail.Tuple)
		z.Proto = tail.SameProto(x.Type().(*tail.TupleType), y.Type().(*tail.TupleType))
		return z
	case strings.Contains(searchDyadic, glyph):
		return g.searchDyadic(p, x, y, s)
	case glyph == "↑" && !isTuple(x):
		return g.raggedLike(y, g.filledBy("taken", g.toInt(g.single(x, s, "the left argument of ↑")), y, s), s)
	case (glyph == "\\" || glyph == "⍀") && !isTuple(x):
		numbers := g.name(g.primitiveDyadic(p, x, g.numbersOfStored(y, s), s))
		return g.raggedLike(y, g.filledBy("expanded", numbers, y, s), s)
	}
	return g.selectedOfStored(p, x, y, s)
}

// besideRagged is toRagged of one of two arrays that are joined: one without items has the
// type of the other.
func (g *infer) besideRagged(e, other tail.Expr, s site) tail.Expr {
	elem, ok := raggedElem(e.Type())
	if isRagged(e) || !isRagged(other) || !ok || elem != array.NoElem || isTuple(e) && !emptyTuple(e) {
		return g.toRagged(e, s)
	}
	return g.adaptRagged(e, other.Type().(*tail.TupleType))
}

// toRagged is a nested vector, or a nested scalar, as a ragged vector.
func (g *infer) toRagged(e tail.Expr, s site) tail.Expr {
	if isRagged(e) {
		return e
	}
	if !isTuple(e) || rankOf(e) > 1 {
		g.fail(diag.NestedArrays, s.fn, "a nested array whose number of items is not known beside %s", describeType(e.Type()))
	}
	items := g.items(e)
	if len(items) == 0 {
		g.fail(diag.NestedArrays, s.fn, "an empty nested array beside one whose number of items is not known")
	}
	var lengths []tail.Expr
	for _, x := range items {
		if isTuple(x) || g.arr(x, s.fn).Dims() != 1 {
			g.fail(diag.NestedArrays, s.fn, "a nested array whose number of items is not known beside one with items that are no vectors")
		}
		lengths = append(lengths, g.op(tail.OpTally, s, x))
	}
	all := g.name(g.vector(s.fn, lengths, array.Int))
	offsets := g.fromPrelude(g.preludeClosure("offsets"), nil, all, s)
	return g.raggedOfEmpty(&tail.Tuple{Elems: []tail.Expr{g.joinAll(items, s), offsets, all}}, s)
}
