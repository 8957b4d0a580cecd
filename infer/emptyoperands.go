package infer

import (
	"fmt"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// An operator that applies its operand to each part of an array applies it once
// where there is none: to prototypes, for the prototype of the result, which the
// types say here. What is left of that application are its effects and faults.

// prototype1 is the prototype of an array: 0 or a blank.
func (g *infer) prototype1(t *tail.Array, s site) tail.Expr {
	return g.filled(t, nil, g.intLit(s, 0), s)
}

// prototypeCell is a cell of prototypes; nil where its shape is not known. It is
// made when the program runs, which may lack the memory.
func (g *infer) prototypeCell(t *tail.Array, s site) tail.Expr {
	extents := make([]tail.Expr, t.Dims())
	for i := range extents {
		n, ok := t.Extent(i).IsConst()
		if !ok {
			return nil
		}
		extents[i] = g.intLit(s, int(n))
	}
	return g.filled(t, extents, g.intLit(s, 0), s)
}

// none reports whether arrays of a type are known to be empty along the first n
// axes.
func none(t *tail.Array, n int) bool {
	for i := range n {
		if k, ok := t.Extent(i).IsConst(); ok && k == 0 {
			return true
		}
	}
	return false
}

// perPrototype reports whether an operand is applied to prototypes: scalar
// primitives have no effects, definitions of the prelude mean none, and a function
// of the number of an item has no item 0 to read.
func (g *infer) perPrototype(f function) bool {
	switch f := f.(type) {
	case *primitive:
		return g.blamed == nil && !isScalarMonadic(f.glyph) && !isScalarDyadic(f.glyph)
	case *changing, *made:
		return false
	}
	return g.blamed == nil
}

// eachPrototype is what f¨y does where y is known to be empty. It returns y.
func (g *infer) eachPrototype(f function, y tail.Expr, s site) tail.Expr {
	t := tail.TypeOf(y)
	if !g.perPrototype(f) || !none(t, t.Dims()) {
		return y
	}
	y = g.name(y)
	g.effect(g.monadic(f, g.prototype1(t, s), s))
	return y
}

// eachPrototypeLater is eachPrototype where it is known only when the program
// runs whether y is empty; l applies f to an element.
func (g *infer) eachPrototypeLater(f function, l *tail.Lam, y tail.Expr, s site) tail.Expr {
	t := tail.TypeOf(y)
	if !mayBeNone(t, t.Dims()) || !analysis.Visible(l, g.isSafe) {
		return y
	}
	g.whereNone(f, []*tail.Expr{&y}, func() tail.Expr { return g.op(tail.OpCount, s, y) }, func(zero tail.Expr) {
		g.effect(g.monadic(f, g.filled(t, nil, zero, s), s))
	}, s)
	return y
}

// filled is an array of prototypes of some shape, made from a zero: a scalar where
// the shape is empty.
func (g *infer) filled(t *tail.Array, shape []tail.Expr, zero tail.Expr, s site) tail.Expr {
	fill := tail.Expr(lit(s.fn, array.ScalarChar(' ')))
	if t.Elem != array.Char {
		fill = g.coerce(zero, t.Elem)
	}
	if len(shape) == 0 {
		return fill
	}
	return g.op(tail.OpReshape, s, g.vector(s.fn, shape, array.Int), fill)
}

// whereNone does what applying the operand f to prototypes does where count is 0. The
// zero of which call makes the prototypes is a constant. Where f is sure to fault with
// it, its code must not be left out, and the zero is count. Prototypes are made for
// known arguments only while f is applied so. The arguments of f are named where code is
// made.
func (g *infer) whereNone(f function, args []*tail.Expr, count func() tail.Expr, call func(zero tail.Expr), s site) {
	if g.prototyping || !g.perPrototype(f) {
		return
	}
	g.prototyping = true
	defer func() { g.prototyping = false }()
	var stop *unwound
	var e tail.Expr
	apply := func(zero tail.Expr) func() tail.Expr {
		return func() tail.Expr {
			call(zero)
			return g.intLit(s, 0)
		}
	}
	zero := tail.Expr(g.intLit(s, 0))
	ok := g.succeeds(func() { stop = g.tryCertain(func() { e = g.block(apply(zero)) }) })
	ok = ok && stop == nil
	if ok && (g.value(e) != nil || !analysis.Visible(e, g.isSafe)) {
		return
	}
	for i := range args {
		arg := args[len(args)-1-i]
		*arg = g.name(*arg)
	}
	n := g.name(count())
	if !ok {
		if zero = n; !g.succeeds(func() { g.block(apply(zero)) }) {
			return
		}
	}
	empty := g.name(g.op(tail.OpEqI, s, n, g.intLit(s, 0)))
	g.effect(g.branch(empty, g.block(apply(zero)), g.intLit(s, 0), s.fn, s.fn))
}

// noItems is what an operator does where it has no items to apply its operand f to: call
// applies f, and protos are the prototypes that it gets.
type noItems struct {
	f      function
	call   func(args []tail.Expr) tail.Expr
	types  []tail.Type
	protos func() []tail.Expr
}

// noItemsOf is noItems for an operand of one argument that gets items of y.
func (g *infer) noItemsOf(f function, y tail.Expr, s site) *noItems {
	call := func(args []tail.Expr) tail.Expr { return g.monadic(f, args[0], s) }
	return &noItems{f, call, []tail.Type{g.typeOfPrototype(y)}, func() []tail.Expr { return []tail.Expr{g.prototypeOfItems(y, s)} }}
}

// noItemsOf2 is noItems for an operand that gets items of x and y.
func (g *infer) noItemsOf2(f function, x, y tail.Expr, s site) *noItems {
	call := func(args []tail.Expr) tail.Expr { return g.dyadic(f, args[0], args[1], s) }
	protos := func() []tail.Expr {
		right := g.prototypeOfItems(y, s)
		return []tail.Expr{g.prototypeOfItems(x, s), right}
	}
	return &noItems{f, call, []tail.Type{g.typeOfPrototype(x), g.typeOfPrototype(y)}, protos}
}

// noPairs is noItems for an outer product of vectors: one that has items gives its first.
func (g *infer) noPairs(f function, x, y tail.Expr, s site) *noItems {
	none := g.noItemsOf2(f, x, y, s)
	none.protos = func() []tail.Expr {
		first := &primitive{glyph: "⊃", at: s.fn}
		right := g.name(g.primitiveMonadic(first, y, s))
		return []tail.Expr{g.name(g.primitiveMonadic(first, x, s)), right}
	}
	return none
}

// whereNoItems does what applying an operand to prototypes has for effects and faults, where
// the run finds that one of some arrays, of the numbers of items, is empty. Where a prototype
// is lost the interpreter goes on.
func (g *infer) whereNoItems(e *noItems, s site, numbers ...tail.Expr) {
	numbers = slices.DeleteFunc(numbers, func(e tail.Expr) bool {
		n, known := countOf(tail.TypeOf(e)).IsConst()
		return known && n > 0
	})
	if e == nil || g.prototyping || !g.perPrototype(e.f) || len(numbers) == 0 {
		return
	}
	g.prototyping = true
	defer func() { g.prototyping = false }()
	var l *tail.Lam
	if g.succeeds(func() { l = g.lambda(s.fn, e.types, e.call) }) && !analysis.Visible(l, g.isSafe) {
		return
	}
	zero := g.intLit(s, 0)
	least := g.op(tail.OpCount, s, numbers[0])
	for _, e := range numbers[1:] {
		least = g.op(tail.OpMinI, s, least, g.op(tail.OpCount, s, e))
	}
	empty := g.name(g.op(tail.OpEqI, s, least, zero))
	g.effect(g.branch(empty, g.block(func() tail.Expr {
		if !g.succeeds(func() { g.effect(g.perhaps(func() tail.Expr { return e.call(e.protos()) }, zero, s.fn)) }) {
			g.effect(g.fromPrelude(g.preludeClosure("unlost"), g.intLit(s, 1), lit(s.fn, array.VectorInt(nil)), s))
		}
		return zero
	}), zero, s.fn, s.fn))
}

// withProto is z, what an operator without items gives that has them, with its prototype in
// the type, where e is known to give an empty vector. The elements of z are none then.
func (g *infer) withProto(z tail.Expr, e *noItems) tail.Expr {
	tuple, ok := z.(*tail.Tuple)
	if !ok || !isRagged(z) || tuple.Proto != nil || !g.perPrototype(e.f) {
		return z
	}
	var t tail.Type
	g.succeeds(func() { t = g.block(func() tail.Expr { return e.call(e.protos()) }).Type() })
	if a, ok := t.(*tail.Array); ok && a.Dims() == 1 && a.Extent(0).Equal(tail.ConstSize(0)) {
		tuple.Proto = emptyVector(tail.TypeOf(tuple.Elems[0]).Elem)
	}
	return z
}

// typeOfPrototype is the type of what stands for an item of e where there is none.
func (g *infer) typeOfPrototype(e tail.Expr) tail.Type {
	t, nested := e.Type().(*tail.TupleType)
	switch {
	case !nested:
		return tail.Scalar(tail.TypeOf(e).Elem)
	case isRanked(e) || isRowwise(e):
		return g.typeOfPrototype(g.components(e)[0])
	case IsRagged(t):
		g.serial++
		return tail.Shaped(t.Elems[0].(*tail.Array).Elem, tail.VarSize(fmt.Sprintf("n%d", g.serial)))
	case isStored(e):
		return storedItemType(t)
	case len(t.Elems) == 0:
		return t.Proto
	}
	return t.Elems[0]
}

// prototypeOfItems is what stands for an item of e where there is none. It is refused where
// the type does not say that, and stops where the prototype is lost.
func (g *infer) prototypeOfItems(e tail.Expr, s site) tail.Expr {
	t, nested := e.Type().(*tail.TupleType)
	switch {
	case !nested:
		return g.prototype1(e.Type().(*tail.Array), s)
	case isRanked(e):
		return g.prototypeOfItems(g.components(e)[0], s)
	case IsRagged(t) && t.Proto != nil:
		g.effect(g.fromPrelude(g.preludeClosure("unlost"), g.lost(e, s), g.components(e)[1], s))
		return lit(s.fn, array.New(tail.TypeOf(g.components(e)[0]).Elem, 0))
	case isStored(e) || isRowwise(e):
		g.fail(diag.NestedArrays, s.fn, "the prototype of %s", describeType(t))
	}
	return g.prototype("¨", g.items(e), t.Proto, s)
}

// cellsWhereNone is whereNone for the cells of rank k of y, which call applies f to.
func (g *infer) cellsWhereNone(f function, y tail.Expr, k int, s site, call func(cell, zero tail.Expr) tail.Expr) tail.Expr {
	t := tail.TypeOf(y)
	frame := t.Dims() - k
	switch {
	case none(t, frame) && g.perPrototype(f):
		y = g.name(y)
		zero := g.intLit(s, 0)
		g.effect(call(g.prototypesLike(y, frame, zero, s), zero))
	case mayBeNone(t, frame):
		g.whereNone(f, []*tail.Expr{&y}, func() tail.Expr { return g.countOfFrame(y, frame, s) }, func(zero tail.Expr) {
			g.effect(call(g.prototypesLike(y, frame, zero, s), zero))
		}, s)
	}
	return y
}

// prototypesLike is a cell of prototypes of the shape that y has behind its first
// axes, made from a zero.
func (g *infer) prototypesLike(y tail.Expr, axes int, zero tail.Expr, s site) tail.Expr {
	t := tail.TypeOf(y)
	return g.filled(t, g.frameOf(y, t.Dims(), s)[axes:], zero, s)
}

// countOfFrame is the number of cells along the first n axes of y.
func (g *infer) countOfFrame(y tail.Expr, n int, s site) tail.Expr {
	count := g.extentOf(y, 0, s)
	for i := 1; i < n; i++ {
		count = g.op(tail.OpMulI, s, count, g.extentOf(y, i, s))
	}
	return count
}

// mayBeNone reports whether it is known only when the program runs if arrays of
// a type are empty along the first n axes.
func mayBeNone(t *tail.Array, n int) bool {
	open := false
	for i := range n {
		k, known := t.Extent(i).IsConst()
		if known && k == 0 {
			return false
		}
		open = open || !known
	}
	return open
}

// pairPrototype is what x f¨y, x∘.f y and x g.f y do where one of x and y is empty:
// with first set an argument that is not gives its first element. It returns x
// and y.
func (g *infer) pairPrototype(f function, x, y tail.Expr, first bool, s site) (tail.Expr, tail.Expr) {
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	if !g.perPrototype(f) || !none(tx, tx.Dims()) && !none(ty, ty.Dims()) {
		return g.pairPrototypeLater(f, x, y, first, s)
	}
	x, y = g.names2(x, y)
	side := func(e tail.Expr) tail.Expr {
		if t := tail.TypeOf(e); !first || none(t, t.Dims()) {
			return g.prototype1(t, s)
		}
		return g.firstOf(e, s)
	}
	right := side(y)
	g.effect(g.dyadic(f, side(x), right, s))
	return x, y
}

// pairPrototypeLater is pairPrototype where it is known only when the program runs
// whether x or y is empty.
func (g *infer) pairPrototypeLater(f function, x, y tail.Expr, first bool, s site) (tail.Expr, tail.Expr) {
	tx, ty := tail.TypeOf(x), tail.TypeOf(y)
	if !mayBeNone(tx, tx.Dims()) && !mayBeNone(ty, ty.Dims()) {
		return x, y
	}
	count := func(e tail.Expr) tail.Expr { return g.op(tail.OpCount, s, e) }
	g.whereNone(f, []*tail.Expr{&x, &y}, func() tail.Expr { return g.op(tail.OpMinI, s, count(x), count(y)) }, func(zero tail.Expr) {
		side := func(e tail.Expr) tail.Expr {
			if first {
				return g.firstOf(e, s)
			}
			return g.filled(tail.TypeOf(e), nil, zero, s)
		}
		right := side(y)
		g.effect(g.dyadic(f, side(x), right, s))
	}, s)
	return x, y
}
