package cgen

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// limits declares the constants that doubles are compared with for ⌊ and ⌈ in
// loops as variables that the C compiler knows nothing of. gcc turns a comparison
// with a constant around, and finds no minimum instruction for what is left:
//
//	double limit = 50.0;
//	TL_UNKNOWN(limit);
//	… tl_mind(limit, x) …
func (b *body) limits() {
	ir.Walk(b.fn.Body, func(s ir.Stmt) {
		n, ok := s.(*ir.Nest)
		if !ok {
			return
		}
		ir.Walk(n.Body, func(s ir.Stmt) {
			for _, x := range ir.Exprs(s) {
				ir.WalkExpr(x, b.limit)
			}
		})
	})
}

// limit declares the constant operands of x.
func (b *body) limit(x ir.Expr) {
	y, ok := x.(*ir.Binary)
	if !ok || y.Op != ir.OpMin && y.Op != ir.OpMax {
		return
	}
	for _, side := range []ir.Expr{y.X, y.Y} {
		f, ok := side.(*ir.Float)
		if !ok || b.limitNames[math.Float64bits(f.Val)] != "" || math.IsNaN(f.Val) || math.IsInf(f.Val, 0) {
			continue
		}
		name := b.names.fresh("limit")
		b.line("double %s = %s;", name, b.render(f, false).s)
		b.line("TL_UNKNOWN(%s);", name)
		b.limitNames[math.Float64bits(f.Val)] = name
	}
}

// bound is an operand of ⌊ or ⌈: its variable, where limits made one.
func (b *body) bound(x ir.Expr, t text) text {
	if f, ok := x.(*ir.Float); ok && b.limitNames[math.Float64bits(f.Val)] != "" {
		return atom("%s", b.limitNames[math.Float64bits(f.Val)])
	}
	return t
}
