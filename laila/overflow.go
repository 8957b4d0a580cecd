package laila

import (
	"math"

	"github.com/tailor-lang/tailor/tail"
)

// Doubles that overflow. In a program that is Sticky nothing tests for them: the
// processor notes an overflow in a flag, which is looked at before the program
// writes anything, and where it is raised a program that is not Sticky runs in its
// place. In that one, and in those for devices, every operation whose result may be
// infinite is followed by a test.

// number returns x, a double or a complex number, which must be finite: if the
// program is Sticky, this is only tested of constants.
func (g *gen) number(x Expr, at site) Expr {
	if f, ok := x.(*Float); ok && !math.IsInf(f.Val, 0) && !math.IsNaN(f.Val) {
		return x
	} else if !ok && g.in.Sticky {
		return x
	}
	if s, ok := g.spanOf(x); ok && s.lo >= -math.MaxFloat64 && s.hi <= math.MaxFloat64 {
		return x
	}
	x = g.atom("d", x)
	g.fails(infinite(x), tail.FaultFloat, at, nil)
	return x
}

// infinite is 1 where x, or a part of it, is infinite or no number.
func infinite(x Expr) Expr {
	if x.Kind() == C64 {
		return or(infinite(&Math{"tl_rez", F64, []Expr{x}}), infinite(&Math{"tl_imz", F64, []Expr{x}}))
	}
	return &Math{"tl_infinite", U8, []Expr{x}}
}

// numbers tests the elements of a stored array.
func (g *gen) numbers(v *value, at site) {
	if g.in.Sticky || v.arr == nil {
		return
	}
	g.guarded(func() {
		g.segmap(v.arr.dims, func(ix []Expr) { g.number(g.index(v.arr, ix), at) })
	})
}
