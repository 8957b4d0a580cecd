package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// otherIdentities are the identity elements of Dyalog's table of functions that are
// no scalar functions.
var otherIdentities = map[string]int64{"⊤": 0, "⌽": 0, "⊖": 0, "/": 1, "⌿": 1, "\\": 1, "⍀": 1}

// reduceNothing is f/y along an axis that is known to be empty, for functions f that
// are no scalar functions but have an identity element; nil for others.
func (g *infer) reduceNothing(f function, y tail.Expr, axis int, s site) tail.Expr {
	p, ok := f.(*primitive)
	if t := g.arr(y, s.right); !ok || !t.Extent(axis).Equal(tail.ConstSize(0)) {
		return nil
	}
	n, ok := otherIdentities[p.glyph]
	rank := tail.TypeOf(y).Dims()
	switch {
	case p.glyph == "∪" && rank == 1:
		g.effect(y)
		return enclosure(lit(s.fn, array.VectorInt(nil)), s)
	case !ok:
		return nil
	case rank == 1:
		g.effect(y)
		return lit(s.fn, array.ScalarInt(n))
	}
	y = g.name(y)
	var shape []tail.Expr
	for i := range rank {
		if i != axis {
			shape = append(shape, g.extentOf(y, i, s))
		}
	}
	return g.op(tail.OpReshape, s, g.vector(s.fn, shape, array.Int), lit(s.fn, array.ScalarInt(n)))
}

// reduceNoItems is f/y of a nested vector without items: the identity element of f
// for each number of the prototype, enclosed.
func (g *infer) reduceNoItems(f function, y tail.Expr, s site) tail.Expr {
	p, prim := f.(*primitive)
	proto := itemProto(y)
	if rankOf(y) != 1 || prim && proto == nil {
		g.fail(diag.NestedArrays, s.fn, "reduction of an empty nested array")
	}
	g.effect(y)
	if prim && (p.glyph == "," || p.glyph == "⍪") {
		if a, ok := proto.(*tail.Array); ok {
			return enclosure(g.emptiedAlong(a, p.glyph == ",", s), s)
		}
		g.fail(diag.NestedArrays, s.fn, "reduction of an empty nested array")
	}
	if prim {
		if n, ok := identities[p.glyph]; ok {
			return enclosure(g.allOf(proto, n, s), s)
		}
		if n, ok := otherIdentities[p.glyph]; ok {
			return enclosure(g.allOf(proto, float64(n), s), s)
		}
	}
	g.fail(diag.EmptyReduction, s.fn, "reduction of an empty axis: the function has no identity element")
	return nil
}

// emptiedAlong is 0/ or 0⌿ of an array of zeroes and blanks.
func (g *infer) emptiedAlong(a *tail.Array, last bool, s site) tail.Expr {
	shape, _ := constShape(a)
	switch {
	case len(shape) == 0:
		shape = []int{0}
	case last:
		shape[len(shape)-1] = 0
	default:
		shape[0] = 0
	}
	return lit(s.fn, array.New(a.Elem, shape...))
}

// allOf is an array like a prototype with a number for each of its simple scalars.
func (g *infer) allOf(proto tail.Type, n float64, s site) tail.Expr {
	switch p := proto.(type) {
	case *tail.Array:
		shape, _ := constShape(p)
		a := array.New(array.Double, shape...)
		for i := range a.Doubles {
			a.Doubles[i] = n
		}
		if whole := convert(a, array.Int); whole != nil {
			a = whole
		}
		return lit(s.fn, a)
	case *tail.TupleType:
		z := &tail.Tuple{At: tail.At{Where: s.fn}, Shape: p.Shape, Proto: p.Proto}
		for _, e := range p.Elems {
			z.Elems = append(z.Elems, g.allOf(e, n, s))
		}
		return z
	}
	panic("internal error: unknown prototype")
}
