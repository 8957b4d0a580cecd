package facts

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// LeastOf returns a number that the double x is not less than, unless x is a
// NaN. Unlike spans it holds for what can be infinite: squares, sums of them,
// and roots.
func (l *Base) LeastOf(x ir.Expr) (float64, bool) {
	if s, ok := l.SpanOf(x); ok {
		return s.Lo, true
	}
	switch x := x.(type) {
	case *ir.Use:
		lo, ok := l.Least[x.Var]
		return lo, ok
	case *ir.Unary:
		switch x.Op {
		case ir.OpAbs:
			return 0, true
		case ir.OpSqrt:
			lo, ok := l.LeastOf(x.X)
			return below(math.Sqrt(max(lo, 0))), ok
		}
	case *ir.Math:
		if x.Fn == "exp" || x.Fn == "cosh" {
			return 0, true
		}
	case *ir.Binary:
		if x.Kind() != ir.F64 {
			break
		}
		if x.Op == ir.OpMul && ir.Same(x.X, x.Y) {
			lo, ok := l.LeastOf(x.X)
			if ok && lo > 0 {
				return below(lo * lo), true
			}
			return 0, true
		}
		a, ok := l.LeastOf(x.X)
		b, ok2 := l.LeastOf(x.Y)
		if !ok || !ok2 {
			break
		}
		switch {
		case x.Op == ir.OpAdd:
			return below(a + b), true
		case x.Op == ir.OpMul && a >= 0 && b >= 0:
			return below(a * b), true
		case x.Op == ir.OpDiv && a >= 0 && b >= 0:
			return 0, true
		case x.Op == ir.OpMin || x.Op == ir.OpMax:
			return min(a, b), true
		}
	}
	return 0, false
}

// below lowers a bound by what rounding can do.
func below(x float64) float64 {
	switch {
	case math.IsNaN(x), math.IsInf(x, 0):
		return math.Inf(-1)
	case x >= 0 && x < 1e-290:
		return 0
	}
	return x - math.Abs(x)*1e-12
}
