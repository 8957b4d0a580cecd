package arith

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Wholes divides by constants what is made of whole numbers. A division takes as long
// as several products, and keeps all lanes of a vector waiting:
//
//	y[i] = f64(i rem 1009) / 1009   →   y[i] = tl_ratio(f64(i rem 1009), h, l, 1009)
//
// where h+l is 1÷1009 in two doubles, and tl_ratio is fma(x, h, x×l). The sum before it
// is rounded is so near to x÷d that only few x, which can be found from d, could be
// rounded to another double; divisors for which one of them is are divided by as before.
// x×l must not lose digits to underflow: whole numbers are 0 or not small, and so are
// their sums and products, and a sum or a product of them with constants. Machines
// without fused multiply-add divide.
//
// Requires: variables with one definition do not change. Preserves: every bit.
func Wholes(l *pass.Context, f *ir.Func) {
	var q dividends
	known := map[float64]*[2]float64{}
	replace := func(x ir.Expr) ir.Expr {
		div, d, ok := byConstant(x)
		if !ok {
			return x
		}
		if _, constant := div.X.(*ir.Float); constant {
			return x
		}
		if q == nil {
			q, _ = flow.DefinedOnce(f)
		}
		if least, ok := q.least(div.X); !ok || least < smallestDividend {
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
