package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Values of which a guard or a loop gives one or the other have one type. Nested
// vectors of different numbers of items, as r and r,⊂x are, have that of a ragged
// vector, and ⍬ and '' are the one without items:
//
//	{⍺←⍬ ⋄ 0=≢⍵:⍺ ⋄ (⍺,⊂⍵)∇1↓⍵}
//	{⍵,⊂⍳≢⍵}⍣n

// joinRagged is joinTypes of types of which one or both are nested vectors of
// vectors.
func joinRagged(a, b tail.Type) (tail.Type, bool) {
	x, ok := raggedElem(a)
	y, both := raggedElem(b)
	if !ok || !both {
		return nil, false
	}
	switch {
	case x == array.NoElem:
		x = y
	case y != array.NoElem:
		if x, ok = joinElem(x, y); !ok {
			return nil, false
		}
	}
	if x == array.NoElem {
		if x = emptyElem(a, b); x == array.NoElem {
			return nil, false
		}
	}
	numbers := tail.Shaped(array.Int, tail.AnySize)
	z := &tail.TupleType{Elems: []tail.Type{tail.Shaped(x, tail.AnySize), numbers, numbers}, Shape: raggedShape}
	if ofEmpty(a) && ofEmpty(b) {
		z.Proto = emptyVector(x)
	}
	return z, true
}

// ofEmpty reports whether the prototype of a nested vector of vectors is an empty
// vector if it has no elements.
func ofEmpty(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	if !ok || len(tuple.Elems) > 0 && !IsRagged(t) {
		return ok
	}
	proto, ok := tuple.Proto.(*tail.Array)
	return ok && proto.Dims() == 1 && proto.Extent(0).Equal(tail.ConstSize(0))
}

// raggedElem is the type of the elements of a nested vector's items, which are
// vectors of one kind; none for an array without elements.
func raggedElem(t tail.Type) (array.Elem, bool) {
	tuple, ok := t.(*tail.TupleType)
	switch {
	case !ok:
		a := t.(*tail.Array)
		return array.NoElem, a.Dims() == 1 && a.Extent(0).Equal(tail.ConstSize(0))
	case IsRagged(t):
		return tuple.Elems[0].(*tail.Array).Elem, true
	case tuple.Shape != nil:
		return 0, false
	}
	elem := array.NoElem
	for _, item := range tuple.Elems {
		a, ok := item.(*tail.Array)
		if !ok || a.Dims() != 1 {
			return 0, false
		}
		if a.Extent(0).Equal(tail.ConstSize(0)) {
			continue // of any kind
		}
		if elem == array.NoElem {
			elem = a.Elem
		}
		if elem, ok = joinElem(elem, a.Elem); !ok {
			return 0, false
		}
	}
	return elem, true
}

// emptyElem is the type of the elements of nested vectors whose items are all empty:
// that of the first item.
func emptyElem(types ...tail.Type) array.Elem {
	for _, t := range types {
		if tuple, ok := t.(*tail.TupleType); ok && len(tuple.Elems) > 0 {
			return tuple.Elems[0].(*tail.Array).Elem
		}
	}
	return array.NoElem
}

// adaptRagged makes a nested vector, or an array without elements, a ragged vector
// of a type.
func (g *infer) adaptRagged(e tail.Expr, to *tail.TupleType) tail.Expr {
	s := g.at
	if !s.fn.Valid() {
		s = site{fn: e.Span(), left: e.Span(), right: e.Span()}
	}
	elem := to.Elems[0].(*tail.Array).Elem
	if t, ok := e.Type().(*tail.TupleType); !ok || len(t.Elems) == 0 {
		g.effect(e)
		none := lit(s.fn, array.VectorInt(nil))
		z := g.ragged(&tail.Tuple{Elems: []tail.Expr{lit(s.fn, array.New(elem, 0)), none, none}}, s).(*tail.Tuple)
		if ofEmpty(e.Type()) {
			z.Proto = emptyVector(elem)
		}
		return z
	}
	items := append([]tail.Expr{}, g.items(e)...)
	for i, item := range items {
		if t := tail.TypeOf(item); t.Extent(0).Equal(tail.ConstSize(0)) && (t.Elem == array.Char) != (elem == array.Char) {
			items[i] = lit(s.fn, array.New(elem, 0))
		}
	}
	return g.toRagged(&tail.Tuple{At: tail.At{Where: e.Span()}, Elems: items}, s)
}

// maxGrowing is the number of specialisations of a recursive function, each for
// the call in the one before, after which a nested argument that grows is taken
// for a ragged one.
const maxGrowing = 3

// settled are the arguments of a call: where a function that calls itself has a
// nested vector with ever more items, or ever fewer, it becomes a ragged vector.
func (g *infer) settled(c *closure, args []tail.Expr, s site) []tail.Expr {
	building := g.building[c.node]
	if len(building) == 0 {
		return args
	}
	last := building[len(building)-1]
	for i, e := range args {
		t, ok := e.Type().(*tail.TupleType)
		if !ok || i >= len(last) || isRagged(e) {
			continue
		}
		before, ok := last[i].(*tail.TupleType)
		if !ok || !IsRagged(before) && (len(building) < maxGrowing || len(before.Elems) == len(t.Elems)) {
			continue
		}
		if joined, ok := joinRagged(before, t); ok {
			args[i] = g.name(g.adapt(e, joined))
		}
	}
	return args
}
