package arith

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Wholes divides doubles by constants with products. A division takes as long as several
// of these, and keeps all lanes of a vector waiting:
//
//	y[i] = x[i] / 1009   →   y[i] = tl_ratio(x[i], h, l, 1009)
//
// where h+l is 1÷1009 in two doubles, and tl_ratio is fma(x, h, x×l). The sum before it
// is rounded is so near to x÷d that only few x, which can be found from d, could be
// rounded to another double; divisors for which one of them is are divided by as before.
// Machines without fused multiply-add divide.
//
// Preserves: every bit, but that x×l underflows where the magnitude of x is below 2*¯960,
// and the last digit of the quotient, one of few, may differ there.
func Wholes(_ *pass.Context, f *ir.Func) {
	known := map[float64]*[2]float64{}
	replace := func(x ir.Expr) ir.Expr {
		div, d, ok := byConstant(x)
		if !ok {
			return x
		}
		if _, constant := div.X.(*ir.Float); constant {
			return x
		}
		r, seen := known[d]
		if !seen {
			if h, l, ok := reciprocal(d); ok {
				r = &[2]float64{h, l}
			}
			known[d] = r
		}
		if r == nil {
			return x
		}
		return &ir.Math{Fn: "tl_ratio", K: ir.F64, Args: []ir.Expr{div.X, &ir.Float{Val: r[0]}, &ir.Float{Val: r[1]}, div.Y}}
	}
	ir.Walk(f.Body, func(s ir.Stmt) { ir.MapExprs(s, replace) })
}
