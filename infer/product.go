package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// isGlyph reports whether f is the primitive function of a glyph.
func isGlyph(f function, glyph string) bool {
	p, ok := f.(*primitive)
	return ok && p.glyph == glyph
}

// matrixProduct is x +.× y where the products are doubles: each element is a
// chain of fused multiply-adds from 0, in the order of the terms. A scalar goes
// with all terms.
func (g *infer) matrixProduct(x, y tail.Expr, s site) tail.Expr {
	part := func(op tail.Op, n int, of tail.Expr) tail.Expr {
		return g.op(op, s, lit(s.fn, array.VectorInt([]int64{int64(n)})), g.shapeOf(of, s))
	}
	last := tail.TypeOf(x).Dims() - 1
	switch {
	case last < 0:
		x, y = g.names2(x, y)
		x, last = g.op(tail.OpReshape, s, part(tail.OpTake, 1, y), x), 0
	case tail.TypeOf(y).Dims() == 0:
		x, y = g.names2(x, y)
		y = g.op(tail.OpReshape, s, part(tail.OpDrop, last, x), y)
	}
	x, y = g.stretched(x, y, last, 0, s)
	double := tail.Scalar(array.Double)
	f := g.lambda(s.fn, []tail.Type{tail.Scalar(tail.TypeOf(x).Elem), tail.Scalar(tail.TypeOf(y).Elem), double},
		func(a []tail.Expr) tail.Expr {
			return g.op(tail.OpFmaD, s, g.coerce(a[0], array.Double), g.coerce(a[1], array.Double), a[2])
		})
	return g.op(tail.OpChain, s, f, lit(s.fn, array.ScalarDouble(0)), x, y)
}
