package build

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// Doubles that overflow. In a program that is Sticky nothing tests for them: the
// processor, or a kernel, notes an overflow in a flag, which is looked at before the
// program writes anything, and where it is raised a program that is not Sticky runs in
// its place. In that one every operation whose result may be infinite is followed by a
// test.

// Number returns x, a double or a complex number, which must be finite: if the
// program is Sticky, this is only tested of constants.
func (g *Builder) Number(x ir.Expr, at Site) ir.Expr {
	if f, ok := x.(*ir.Float); ok && !math.IsInf(f.Val, 0) && !math.IsNaN(f.Val) {
		return x
	} else if !ok && g.In.Sticky {
		return x
	}
	if s, ok := g.SpanOf(x); ok && s.Lo >= -math.MaxFloat64 && s.Hi <= math.MaxFloat64 {
		return x
	}
	x = g.Atom("d", x)
	g.fails(infinite(x), tail.FaultFloat, at, nil)
	return x
}

// infinite is 1 where x, or a part of it, is infinite or no number.
func infinite(x ir.Expr) ir.Expr {
	if x.Kind() == ir.C64 {
		return ir.Or(infinite(&ir.Math{Fn: "tl_rez", K: ir.F64, Args: []ir.Expr{x}}), infinite(&ir.Math{Fn: "tl_imz", K: ir.F64, Args: []ir.Expr{x}}))
	}
	return &ir.Math{Fn: "tl_infinite", K: ir.U8, Args: []ir.Expr{x}}
}

// Numbers tests the elements of a stored array.
func (g *Builder) Numbers(v *Value, at Site) {
	if g.In.Sticky || v.Arr == nil {
		return
	}
	g.Guarded(func() {
		g.Segmap(v.Arr.Dims, func(ix []ir.Expr) { g.Number(g.Index(v.Arr, ix), at) })
	})
}

// Finite tests the value of e, whose elements nothing reads, for overflow, which the
// processor does not note where nothing is computed.
func (g *Builder) Finite(e tail.Expr, v *Value) {
	if a, ok := e.(*tail.Apply); ok && a.Op.Row().Impure || !g.In.Sticky || !analysis.MayOverflow(e) {
		return
	}
	at := Site{at: e.Span()}
	switch {
	case v.X != nil:
		g.tested(v.X, at)
	case v.Arr != nil && (v.Arr.Elem == ir.F64 || v.Arr.Elem == ir.C64):
		if v.Arr.Elems == nil {
			g.Materialise(v.Arr)
		}
		g.Segmap(v.Arr.Dims, func(ix []ir.Expr) { g.tested(g.Index(v.Arr, ix), at) })
	}
}

// tested stops the program where x is infinite.
func (g *Builder) tested(x ir.Expr, at Site) {
	if k := x.Kind(); k == ir.F64 || k == ir.C64 {
		g.fails(infinite(g.Atom("d", x)), tail.FaultFloat, at, nil)
	}
}
