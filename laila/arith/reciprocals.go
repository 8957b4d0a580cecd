package arith

import (
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Reciprocals makes products of divisions by constants:
//
//	y = x ÷ 3   →   y = x × 0.3333333333333333
//
// which differ in the last digit, so it runs only with Options.Relaxed. Quotients
// of what is a whole number by its type stay, and those that decide something; see
// looks. Reciprocals must keep all their digits, and x×(1÷d) must not overflow or
// lose digits where x÷d does not: d is not near the limits of doubles.
//
// Requires: variables with one definition do not change. Preserves: faults,
// truth values, integers.
func Reciprocals(l *pass.Context, f *ir.Func) {
	var k *facts.Looks
	replace := func(x ir.Expr) ir.Expr {
		q, d, ok := byConstant(x)
		if !ok || !invertible(d) {
			return x
		}
		if k == nil {
			k = l.LooksOf(f)
		}
		if k.Kept(q) || isWhole(k, q.X, 8) {
			return x
		}
		return ir.OpMul.Of(q.X, &ir.Float{Val: 1 / d})
	}
	ir.Walk(f.Body, func(s ir.Stmt) { ir.ReplaceExprs(s, func(x ir.Expr) ir.Expr { return outermost(x, replace) }) })
}

// outermost applies replace to x, then to the operands of what it gives.
func outermost(x ir.Expr, replace func(ir.Expr) ir.Expr) ir.Expr {
	return ir.MapOperands(replace(x), func(y ir.Expr) ir.Expr { return outermost(y, replace) })
}

// invertible reports whether a product by 1÷d is as good as a division by d.
func invertible(d float64) bool {
	d = math.Abs(d)
	return d >= 0x1p-500 && d <= 0x1p500
}

// isWhole reports whether a double holds a whole number by the type of what it is
// made of.
func isWhole(k *facts.Looks, x ir.Expr, depth int) bool {
	if depth == 0 {
		return true
	}
	switch x := x.(type) {
	case *ir.Float:
		return x.Val == math.Trunc(x.Val)
	case *ir.Convert:
		return x.X.Kind().Exact()
	case *ir.Use:
		return k.Defs[x.Var] != nil && isWhole(k, k.Defs[x.Var], depth-1)
	case *ir.Unary:
		return (x.Op == ir.OpNeg || x.Op == ir.OpAbs) && isWhole(k, x.X, depth-1)
	case *ir.Select:
		return isWhole(k, x.Then, depth-1) || isWhole(k, x.Else, depth-1)
	case *ir.Math:
		return facts.WholeMath[x.Fn]
	case *ir.Binary:
		return x.Op != ir.OpDiv && isWhole(k, x.X, depth-1) && isWhole(k, x.Y, depth-1)
	}
	return false
}
