package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Doubles that overflow. In a program that is Sticky nothing tests for them: the
// processor notes an overflow in a flag, which is looked at before the program
// writes anything, and where it is raised a program that is not Sticky runs in its
// place. In that one, and in those for devices, every operation whose result may be
// infinite is followed by a test.

// number returns x, a double or a complex number, which must be finite: if the
// program is Sticky, this is only tested of constants.
func (g *gen) number(x ir.Expr, at site) ir.Expr {
	if f, ok := x.(*ir.Float); ok && !math.IsInf(f.Val, 0) && !math.IsNaN(f.Val) {
		return x
	} else if !ok && g.in.Sticky {
		return x
	}
	if s, ok := g.SpanOf(x); ok && s.Lo >= -math.MaxFloat64 && s.Hi <= math.MaxFloat64 {
		return x
	}
	x = g.atom("d", x)
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

// numbers tests the elements of a stored array.
func (g *gen) numbers(v *value, at site) {
	if g.in.Sticky || v.arr == nil {
		return
	}
	g.guarded(func() {
		g.segmap(v.arr.dims, func(ix []ir.Expr) { g.number(g.index(v.arr, ix), at) })
	})
}

// finite tests the value of e, whose elements nothing reads, for overflow, which the
// processor does not note where nothing is computed.
func (g *gen) finite(e tail.Expr, v *value) {
	if a, ok := e.(*tail.Apply); ok && a.Op.Row().Impure || !g.in.Sticky || !tail.MayOverflow(e) {
		return
	}
	at := site{at: e.Span()}
	switch {
	case v.x != nil:
		g.tested(v.x, at)
	case v.arr != nil && (v.arr.elem == ir.F64 || v.arr.elem == ir.C64):
		if v.arr.elems == nil {
			g.materialise(v.arr)
		}
		g.segmap(v.arr.dims, func(ix []ir.Expr) { g.tested(g.index(v.arr, ix), at) })
	}
}

// tested stops the program where x is infinite.
func (g *gen) tested(x ir.Expr, at site) {
	if k := x.Kind(); k == ir.F64 || k == ir.C64 {
		g.fails(infinite(g.atom("d", x)), tail.FaultFloat, at, nil)
	}
}
