package build

import (
	"math"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Numbers equal to a constant within the comparison tolerance are those of an
// interval, whose ends are doubles that are known when compiling. So a
// tolerant comparison with a constant is an exact one:
//
//	tl_gted(x, 4)   becomes   x >= 3.99999999999996
//	tl_eqd(x, 4)    becomes   x >= 3.99999999999996 & x <= 4.00000000000004

// mirrored has the comparisons with their arguments exchanged.
var mirrored = map[string]string{
	"tl_ltd": "tl_gtd", "tl_lted": "tl_gted", "tl_gtd": "tl_ltd", "tl_gted": "tl_lted",
	"tl_eqd": "tl_eqd", "tl_neqd": "tl_neqd",
}

// compareConstant returns the tolerant comparison fn of an expression with a
// constant as exact comparisons.
func (g *Builder) compareConstant(fn string, args []ir.Expr) (ir.Expr, bool) {
	other, ok := mirrored[fn]
	if !ok {
		return nil, false
	}
	x := args[0]
	c, ok := args[1].(*ir.Float)
	if !ok {
		x, fn = args[1], other
		if c, ok = args[0].(*ir.Float); !ok {
			return nil, false
		}
	}
	lo, hi, ok := equals(c.Val, g.In.Tolerance())
	if !ok {
		return nil, false
	}
	if z, ok := g.compareInteger(fn, x, lo, hi); ok {
		return z, true
	}
	low, high := &ir.Float{Val: lo}, &ir.Float{Val: hi}
	switch fn {
	case "tl_ltd":
		return ir.OpLt.Of(x, low), true
	case "tl_lted":
		return ir.OpLe.Of(x, high), true
	case "tl_gtd":
		return ir.OpGt.Of(x, high), true
	case "tl_gted":
		return ir.OpGe.Of(x, low), true
	}
	var equal ir.Expr = ir.OpEq.Of(x, low)
	if lo != hi {
		x = g.Atom("x", x)
		equal = ir.OpAnd.Of(ir.OpGe.Of(x, low), ir.OpLe.Of(x, high))
	}
	if fn == "tl_neqd" {
		equal = ir.OpNot.Of(equal)
	}
	return equal, true
}

// compareInteger is the tolerant comparison of an integer x, as a double, with the numbers
// from lo to hi: one with the integers beside them. Doubles are in the order of the
// integers that they are made of, and those below 2*52 are exact.
//
//	x >= 3.99999999999996   becomes   i >= 4
func (g *Builder) compareInteger(fn string, x ir.Expr, lo, hi float64) (ir.Expr, bool) {
	const exact = 1 << 52
	c, ok := x.(*ir.Convert)
	if !ok || !c.X.Kind().Exact() || c.X.Kind() == ir.C32 || lo < -exact || hi > exact {
		return nil, false
	}
	i := ir.ConvertTo(ir.I64, c.X)
	least, most := int64(math.Ceil(lo)), int64(math.Floor(hi)) // of the integers between
	switch fn {
	case "tl_ltd":
		return g.Compare(ir.OpLt, i, ir.Integer(least)), true
	case "tl_lted":
		return g.Compare(ir.OpLe, i, ir.Integer(most)), true
	case "tl_gtd":
		return g.Compare(ir.OpGt, i, ir.Integer(most)), true
	case "tl_gted":
		return g.Compare(ir.OpGe, i, ir.Integer(least)), true
	}
	switch {
	case least > most:
		return ir.Boolean(fn == "tl_neqd"), true
	case least == most && fn == "tl_eqd":
		return g.Compare(ir.OpEq, i, ir.Integer(least)), true
	case least == most:
		return g.Compare(ir.OpNe, i, ir.Integer(least)), true
	}
	return nil, false
}

// equals returns the least and the greatest number equal to c within the
// comparison tolerance.
func equals(c, ct float64) (lo, hi float64, ok bool) {
	const least, greatest = 1e-280, 1e280 // beyond, the tolerance itself over- or underflows
	switch a := math.Abs(c); {
	case c == 0:
		return 0, 0, true
	case !(a >= least && a <= greatest):
		return 0, 0, false
	default:
		away, toward := lastEqual(a, a*(1+4*ct), ct), lastEqual(a, a*(1-4*ct), ct)
		if c < 0 {
			return -away, -toward, true
		}
		return toward, away, true
	}
}

// lastEqual returns the number furthest from c, on the way to bound, that
// equals c.
func lastEqual(c, bound, ct float64) float64 {
	in, out := int64(math.Float64bits(c)), int64(math.Float64bits(bound))
	for in-out > 1 || out-in > 1 {
		mid := in + (out-in)/2
		if num.Equal(math.Float64frombits(uint64(mid)), c, ct) {
			in = mid
		} else {
			out = mid
		}
	}
	return math.Float64frombits(uint64(in))
}
