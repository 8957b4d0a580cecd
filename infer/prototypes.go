package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// The prototype of an array is its first item with zeroes for numbers and blanks
// for characters: overtaking and expanding fill with it, and it says what the items
// of an array without any would be.
//
//	0⍴⊂1 2      its items would be 0 0
//	3↑'ab' 1    the third one is two blanks

// protoOf is the type of the prototype of values of a type, where their extents
// are known; nil where they are not.
func protoOf(t tail.Type) tail.Type {
	switch t := t.(type) {
	case *tail.Array:
		shape, ok := constShape(t)
		if !ok {
			return nil
		}
		elem := t.Elem
		if elem != array.Char {
			elem = array.Int
		}
		return array0(elem, shape)
	case *tail.TupleType:
		if IsRagged(t) || IsColumns(t) || len(t.Elems) == 0 && t.Proto == nil {
			return nil
		}
		z := &tail.TupleType{Shape: t.Shape, Proto: t.Proto}
		for _, e := range t.Elems {
			p := protoOf(e)
			if p == nil {
				return nil
			}
			z.Elems = append(z.Elems, p)
		}
		return z
	}
	return nil
}

// array0 is the type of simple arrays of a shape.
func array0(elem array.Elem, shape []int) tail.Type {
	sizes := make([]tail.Size, len(shape))
	for i, n := range shape {
		sizes[i] = tail.ConstSize(int64(n))
	}
	return tail.Shaped(elem, sizes...)
}

// itemProto is the type of the prototype of the items of a nested array, nil where
// it is not known.
func itemProto(e tail.Expr) tail.Type {
	t := e.Type().(*tail.TupleType)
	if len(t.Elems) == 0 {
		return t.Proto
	}
	return protoOf(t.Elems[0])
}

// fillOfType is the array of zeroes and blanks of a type that protoOf gave.
func (g *infer) fillOfType(p tail.Type, s site) tail.Expr {
	switch p := p.(type) {
	case *tail.Array:
		shape, _ := constShape(p)
		a := array.New(p.Elem, shape...)
		for i := range a.Chars {
			a.Chars[i] = ' '
		}
		return lit(s.fn, a)
	case *tail.TupleType:
		z := &tail.Tuple{At: tail.At{Where: s.fn}, Shape: p.Shape, Proto: p.Proto}
		for _, e := range p.Elems {
			z.Elems = append(z.Elems, g.fillOfType(e, s))
		}
		return z
	}
	panic("internal error: unknown prototype")
}

// fillLike is a value with zeroes for its numbers and blanks for its characters.
func (g *infer) fillLike(what string, e tail.Expr, s site) tail.Expr {
	switch {
	case isStored(e) || isColumns(e):
		g.fail(diag.NestedArrays, s.fn, "%s with fill elements of this nested array", what)
	case isTuple(e):
		t := e.Type().(*tail.TupleType)
		z := &tail.Tuple{At: tail.At{Where: s.fn}, Shape: t.Shape, Proto: t.Proto}
		for _, item := range g.items(e) {
			z.Elems = append(z.Elems, g.fillLike(what, item, s))
		}
		return z
	}
	fill := array.ScalarInt(0)
	if tail.TypeOf(e).Elem == array.Char {
		fill = array.ScalarChar(' ')
	}
	if tail.TypeOf(e).Dims() == 0 {
		return lit(s.fn, fill)
	}
	return g.op(tail.OpReshape, s, g.shapeOf(e, s), lit(s.fn, fill))
}

// prototype is the fill element of a nested array of the given items, or of one
// without items that would have the type p.
func (g *infer) prototype(what string, items []tail.Expr, p tail.Type, s site) tail.Expr {
	if len(items) > 0 {
		return g.fillLike(what, items[0], s)
	}
	if p == nil {
		g.fail(diag.NestedArrays, s.fn, "%s with fill elements of this nested array", what)
	}
	return g.fillOfType(p, s)
}

// withoutItems is the array of a shape with an extent of 0 whose items would have
// the type p: it is simple where that is a scalar's.
func (g *infer) withoutItems(shape []int, p tail.Type, s site) tail.Expr {
	if a, ok := p.(*tail.Array); ok && a.Dims() == 0 {
		return lit(s.fn, array.New(a.Elem, shape...))
	}
	z := &tail.Tuple{At: tail.At{Where: s.span()}, Proto: p}
	if len(shape) != 1 {
		z.Shape = slices.Clone(shape)
	}
	return z
}

// matchEmpty is x≡y of nested arrays without items, of one shape.
func (g *infer) matchEmpty(a, b *tail.TupleType, s site) tail.Expr {
	if a.Proto == nil || b.Proto == nil {
		g.fail(diag.NestedArrays, s.fn, "≡ of nested arrays without items whose prototypes are not known")
	}
	return lit(s.fn, array.ScalarBool(tail.SameProto(a, b) != nil))
}

// emptyMonadic applies a primitive to a nested array without items; nil for
// functions that need none.
func (g *infer) emptyMonadic(glyph string, y tail.Expr, s site) tail.Expr {
	t := y.Type().(*tail.TupleType)
	shape := t.Shape
	if shape == nil {
		shape = []int{0}
	}
	p := itemProto(y)
	switch glyph {
	case "≢", "⍴", ",", "⊢", "⊣", "⌽", "⊖", "⍉", "⍪":
		return nil
	case "⊂":
		return enclosure(y, s)
	case "⊆":
		return y
	case "∪":
		if len(shape) == 1 {
			return y
		}
	case "⊃":
		if p != nil {
			g.effect(y)
			return g.fillOfType(p, s)
		}
	case "↑":
		if a, ok := p.(*tail.Array); ok {
			g.effect(y)
			cell, _ := constShape(a)
			return lit(s.fn, array.New(a.Elem, append(slices.Clone(shape), cell...)...))
		}
	case "∊":
		if elem := simpleElem(p); elem != array.NoElem {
			g.effect(y)
			return lit(s.fn, array.New(elem, 0))
		}
	}
	g.fail(diag.NestedArrays, s.fn, "%s of an empty nested array", glyph)
	return nil
}

// simpleElem is the type of the first simple scalar that a prototype has at its
// depth; none where it has none, or is not known.
func simpleElem(p tail.Type) array.Elem {
	switch p := p.(type) {
	case *tail.Array:
		return p.Elem
	case *tail.TupleType:
		if len(p.Elems) > 0 {
			return simpleElem(p.Elems[0])
		}
		return simpleElem(p.Proto)
	}
	return array.NoElem
}
