package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Scalar functions of complex numbers. An argument of a smaller type becomes
// complex; functions that need real numbers check that the imaginary part is
// zero. A result that is real by definition (magnitude, real part, …) has
// type double. A real factor multiplies each part.

var complexDyadic = map[string]tail.Op{
	"+": tail.OpAddZ, "-": tail.OpSubZ, "×": tail.OpMulZ, "÷": tail.OpDivZ,
	"*": tail.OpPowZ, "⍟": tail.OpLogZ, "=": tail.OpEqZ, "≠": tail.OpNeqZ, "|": tail.OpResZ,
	"∨": tail.OpGcdZ, "∧": tail.OpLcmZ, "!": tail.OpBinZ,
}

var complexMonadic = map[string]tail.Op{
	"+": tail.OpConjZ, "-": tail.OpNegZ, "×": tail.OpSignZ, "÷": tail.OpRecZ,
	"|": tail.OpAbsZ, "*": tail.OpExpZ, "⍟": tail.OpLnZ, "○": tail.OpPiZ,
	"⌊": tail.OpFloorZ, "⌈": tail.OpCeilZ, "!": tail.OpFactZ,
}

// complexCircles are the circular functions whose values are real, and those
// that have ops of their own.
var complexCircles = map[int64]tail.Op{
	9: tail.OpReZ, 10: tail.OpAbsZ, 11: tail.OpImZ, 12: tail.OpArgZ, -10: tail.OpConjZ,
}

// leavesReals reports whether the circular function k of a real number is, in
// general, complex.
func leavesReals(k int64) bool { return k == 8 || k == -8 || k == -11 || k == -12 }

func (g *infer) overloadComplex(glyph string, x, y tail.Expr, s site) (tail.Expr, tail.Expr, combine) {
	switch glyph {
	case "<", "≤", ">", "≥", "⌊", "⌈":
		x, y = g.toDouble(x), g.toDouble(y)
		return g.overload(glyph, x, y, tail.TypeOf(x), tail.TypeOf(y), s)
	case "⍲", "⍱":
		x, y = g.toBool(x), g.toBool(y)
		return g.overload(glyph, x, y, tail.TypeOf(x), tail.TypeOf(y), s)
	}
	op, ok := complexDyadic[glyph]
	if !ok {
		g.refuse(diag.ComplexNumbers, glyph, "of complex numbers", s)
	}
	if g.exact && (glyph == "=" || glyph == "≠") {
		return g.toComplex(x), g.toComplex(y), g.exactlyEqual(glyph, s)
	}
	g.noExact(glyph, op, s)
	if glyph == "×" {
		switch {
		case tail.TypeOf(x).Elem != array.Complex:
			return g.toDouble(x), y, func(a, b tail.Expr) tail.Expr { return g.op(tail.OpScaleZ, s, a, b) }
		case tail.TypeOf(y).Elem != array.Complex:
			return x, g.toDouble(y), func(a, b tail.Expr) tail.Expr { return g.op(tail.OpScaleZ, s, b, a) }
		}
	}
	return g.both(x, y, array.Complex, op, s)
}

// exactlyEqual compares complex numbers where ⎕CT is 0.
func (g *infer) exactlyEqual(glyph string, s site) combine {
	return func(a, b tail.Expr) tail.Expr {
		a, b = g.names2(a, b)
		part := func(op tail.Op) tail.Expr {
			return g.op(tail.OpEqX, s, g.op(op, s, a), g.op(op, s, b))
		}
		e := g.op(tail.OpAndB, s, part(tail.OpReZ), part(tail.OpImZ))
		if glyph == "≠" {
			e = g.op(tail.OpNotB, s, e)
		}
		return e
	}
}

func (g *infer) overloadCircleComplex(k int64, known bool, x, y tail.Expr, s site) (tail.Expr, tail.Expr, combine) {
	y = g.toComplex(y)
	if op, ok := complexCircles[k]; known && ok {
		return x, y, func(a, b tail.Expr) tail.Expr { return g.op(op, s, b) }
	}
	if known && k == -9 {
		return x, y, func(a, b tail.Expr) tail.Expr { return b }
	}
	real := realCircles(tail.TypeOf(x))
	return x, y, func(a, b tail.Expr) tail.Expr {
		z := g.op(tail.OpCircleZ, s, a, b)
		if real {
			return g.op(tail.OpReZ, s, z)
		}
		return z
	}
}

// realCircles reports whether all circular functions of known numbers are real.
func realCircles(x *tail.Array) bool {
	for _, v := range x.Values {
		if k, ok := v.IsConst(); !ok || k < 9 || k > 12 {
			return false
		}
	}
	return len(x.Values) > 0
}

// complexMonadic applies a scalar glyph to complex numbers.
func (g *infer) complexMonadic(glyph string, y tail.Expr, s site) tail.Expr {
	switch glyph {
	case "~", "?":
		return g.scalarMonadic(glyph, g.toDouble(y), s)
	}
	op, ok := complexMonadic[glyph]
	if !ok {
		g.refuse(diag.ComplexNumbers, glyph, "of complex numbers", s)
	}
	g.noExact(glyph, op, s)
	return g.map1(y, op, s)
}

// noExact refuses functions that compare complex numbers with tolerance where
// ⎕CT is 0.
func (g *infer) noExact(glyph string, op tail.Op, s site) {
	if !g.exact {
		return
	}
	switch op {
	case tail.OpFloorZ, tail.OpCeilZ, tail.OpResZ, tail.OpGcdZ, tail.OpLcmZ, tail.OpEncode:
		g.refuse(diag.ComplexNumbers, glyph, "of complex numbers where ⎕CT is 0", s)
	}
}

// noComplex refuses complex arguments of a function that has no meaning for
// them here.
func (g *infer) noComplex(glyph string, s site, args ...tail.Expr) {
	for _, e := range args {
		if t, ok := e.Type().(*tail.Array); ok && t.Elem == array.Complex {
			g.refuse(diag.ComplexNumbers, glyph, "of complex numbers", s)
		}
	}
}

// realParts returns complex numbers as pairs of real and imaginary parts along
// a new last axis, in whose order they are sorted; other arrays as they are.
func (g *infer) realParts(y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	if t.Elem != array.Complex {
		return y
	}
	y = g.name(y)
	return g.opAxis(tail.OpLaminate, s, t.Dims(), g.map1(y, tail.OpReZ, s), g.map1(y, tail.OpImZ, s))
}
