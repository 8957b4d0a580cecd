package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// A list of records grows as a list of vectors does (joinRagged): of different numbers of items it
// has the type of one that is stored by columns.
//
//	db←⍬ ⋄ :For i :In ⍳n ⋄ db,←⊂('name',⍕i)(10|i) ⋄ :EndFor

// joinColumns is joinTypes of types of which one or both are nested vectors of strands.
func joinColumns(a, b tail.Type) (tail.Type, bool) {
	x, y := columnsType(a), columnsType(b)
	switch {
	case x == nil && y == nil:
		return nil, false
	case x == nil:
		x = y
		if !isNothing(a) {
			return nil, false
		}
	case y == nil:
		if !isNothing(b) {
			return nil, false
		}
	default:
		return joinParts(x, y)
	}
	return joinParts(x, x)
}

// joinParts is joinTypes of nested vectors that are stored by columns, of any number of items.
func joinParts(x, y *tail.TupleType) (tail.Type, bool) {
	if len(x.Elems) != len(y.Elems) || !sameShape(x.Shape, y.Shape) {
		return nil, false
	}
	z := &tail.TupleType{Shape: x.Shape, Proto: tail.SameProto(x, y)}
	for i := range x.Elems {
		t, ok := joinColumn(x.Elems[i], y.Elems[i])
		if !ok {
			return nil, false
		}
		z.Elems = append(z.Elems, t)
	}
	return z, true
}

// joinColumn is joinTypes of columns.
func joinColumn(a, b tail.Type) (tail.Type, bool) {
	x, nested := a.(*tail.TupleType)
	y, both := b.(*tail.TupleType)
	switch {
	case nested != both:
		return nil, false
	case !nested:
		elem, ok := joinElem(a.(*tail.Array).Elem, b.(*tail.Array).Elem)
		return tail.Shaped(elem, tail.AnySize), ok
	case IsRagged(x) && IsRagged(y):
		return joinRagged(x, y)
	}
	return joinParts(x, y)
}

// isNothing reports whether t is the type of a vector without items.
func isNothing(t tail.Type) bool {
	if tuple, ok := t.(*tail.TupleType); ok {
		return tuple.Shape == nil && len(tuple.Elems) == 0
	}
	a := t.(*tail.Array)
	return a.Dims() == 1 && a.Extent(0).Equal(tail.ConstSize(0))
}

// columnsType is the type of a nested vector of strands where it is stored by columns, which are
// vectors, or vectors of vectors, or such nested vectors; nil for others.
func columnsType(t tail.Type) *tail.TupleType {
	tuple, ok := t.(*tail.TupleType)
	if !ok || tuple.Item != nil || len(tuple.Elems) == 0 {
		return nil
	}
	if IsColumns(t) {
		if !growsAsColumn(t) {
			return nil
		}
		return tuple
	}
	if tuple.Shape != nil || !canBeColumn(tuple.Elems) {
		return nil
	}
	z, _ := columnType(tuple.Elems).(*tail.TupleType)
	if z == nil || IsRagged(z) {
		return nil
	}
	return z
}

// growsAsColumn reports whether a column of a type is a vector, a vector of vectors, or made of such.
func growsAsColumn(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	switch {
	case !ok:
		return t.(*tail.Array).Dims() == 1
	case IsRagged(t):
		return true
	case !IsColumns(t) || tuple.Shape[0] != ofStrands && !slices.Equal(tuple.Shape, []int{ofShaped, ofStrands}) && !isShapedRagged(tuple):
		return false
	}
	return !slices.ContainsFunc(tuple.Elems, func(e tail.Type) bool { return !growsAsColumn(e) })
}

// isShapedRagged reports whether the items of a column are vectors of vectors.
func isShapedRagged(t *tail.TupleType) bool {
	return slices.Equal(t.Shape, append([]int{ofShaped}, raggedShape...))
}

// columnType is the type of a column of items; nil where there is none that grows.
func columnType(items []tail.Type) tail.Type {
	first, nested := items[0].(*tail.TupleType)
	if !nested {
		return simpleColumn(items)
	}
	z := &tail.TupleType{Shape: columnsShape(first), Proto: first.Proto}
	for k := range first.Elems {
		var column []tail.Type
		for _, t := range items {
			tuple := t.(*tail.TupleType)
			column, z.Proto = append(column, tuple.Elems[k]), tail.SameProto(z, tuple)
		}
		t := columnType(column)
		if t == nil {
			return nil
		}
		z.Elems = append(z.Elems, t)
	}
	if !growsAsColumn(z) {
		return nil
	}
	return z
}

// simpleColumn is columnType of simple arrays.
func simpleColumn(items []tail.Type) tail.Type {
	rank, elem := items[0].(*tail.Array).Dims(), array.NoElem
	for _, t := range items {
		a := t.(*tail.Array)
		ok := a.Dims() == rank
		if elem == array.NoElem {
			elem = a.Elem
		} else if ok {
			elem, ok = joinElem(elem, a.Elem)
		}
		if !ok {
			return nil
		}
	}
	switch rank {
	case 0:
		return tail.Shaped(elem, tail.AnySize)
	case 1:
		numbers := tail.Shaped(array.Int, tail.AnySize)
		return &tail.TupleType{Elems: []tail.Type{tail.Shaped(elem, tail.AnySize), numbers, numbers}, Shape: raggedShape}
	}
	return nil
}

// adaptColumns makes a nested vector, or one without items, one that is stored by columns of a type.
func (g *infer) adaptColumns(e tail.Expr, to *tail.TupleType) tail.Expr {
	if isNothing(e.Type()) {
		g.effect(e)
		return g.noColumns(e, to)
	}
	s := g.at
	if !s.fn.Valid() {
		s = site{fn: e.Span(), left: e.Span(), right: e.Span()}
	}
	return g.columnOf(g.items(e), s)
}

// noColumns is a vector of a type without items, in the place of e.
func (g *infer) noColumns(e tail.Expr, to tail.Type) tail.Expr {
	tuple, ok := to.(*tail.TupleType)
	switch {
	case !ok:
		return lit(e.Span(), array.New(to.(*tail.Array).Elem, 0))
	case IsRagged(to):
		return g.adaptRagged(&tail.Tuple{At: tail.At{Where: e.Span()}}, tuple)
	}
	z := &tail.Tuple{At: tail.At{Where: e.Span()}, Shape: tuple.Shape, Proto: tuple.Proto}
	for _, t := range tuple.Elems {
		z.Elems = append(z.Elems, g.noColumns(e, t))
	}
	return z
}
