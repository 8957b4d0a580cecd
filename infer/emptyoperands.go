package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// An operator that applies its operand to each part of an array applies it once
// where there is none: to prototypes, for the prototype of the result, which the
// types say here. What is left of that application are its effects and faults.

// prototype1 is the prototype of an array: 0 or a blank.
func prototype1(t *tail.Array, s site) tail.Expr {
	if t.Elem == array.Char {
		return lit(s.fn, array.ScalarChar(' '))
	}
	return lit(s.fn, array.New(t.Elem))
}

// prototypeCell is a cell of prototypes; nil where its shape is not known.
func prototypeCell(t *tail.Array, s site) tail.Expr {
	shape := make([]int, t.Dims())
	for i := range shape {
		n, ok := t.Extent(i).IsConst()
		if !ok {
			return nil
		}
		shape[i] = int(n)
	}
	cell := array.New(t.Elem, shape...)
	for i := range cell.Chars {
		cell.Chars[i] = ' '
	}
	return lit(s.fn, cell)
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
	g.effect(g.monadic(f, prototype1(t, s), s))
	return y
}

// eachPrototypeLater is eachPrototype where it is known only when the program
// runs whether y is empty, for functions with effects; l applies f to an element.
func (g *infer) eachPrototypeLater(f function, l *tail.Lam, y tail.Expr, s site) tail.Expr {
	t := tail.TypeOf(y)
	call := func() tail.Expr {
		g.effect(g.monadic(f, prototype1(t, s), s))
		return g.intLit(s, 0)
	}
	if !g.perPrototype(f) || !mayBeNone(t) || !tail.Impure(l) || !g.succeeds(func() { g.block(call) }) {
		return y
	}
	y = g.name(y)
	empty := g.name(g.op(tail.OpEqI, s, g.op(tail.OpCount, s, y), g.intLit(s, 0)))
	g.effect(g.branch(empty, g.block(call), g.intLit(s, 0), s.fn, s.fn))
	return y
}

// mayBeNone reports whether it is known only when the program runs if arrays of
// a type are empty.
func mayBeNone(t *tail.Array) bool {
	for i := range t.Dims() {
		if _, ok := t.Extent(i).IsConst(); !ok {
			return true
		}
	}
	return false
}

// pairPrototype is what x f¨y, x∘.f y and x g.f y do where one of x and y is empty:
// with first set an argument that is not gives its first element. It returns x
// and y.
func (g *infer) pairPrototype(f function, x, y tail.Expr, first bool, s site) (tail.Expr, tail.Expr) {
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	if !g.perPrototype(f) || !none(tx, tx.Dims()) && !none(ty, ty.Dims()) {
		return x, y
	}
	x, y = g.names2(x, y)
	side := func(e tail.Expr) tail.Expr {
		if t := tail.TypeOf(e); !first || none(t, t.Dims()) {
			return prototype1(t, s)
		}
		return g.firstOf(e, s)
	}
	right := side(y)
	g.effect(g.dyadic(f, side(x), right, s))
	return x, y
}
