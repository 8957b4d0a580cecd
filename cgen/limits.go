package cgen

import (
	"math"

	"github.com/tailor-lang/tailor/laila"
)

// limits declares the constants that doubles are compared with for ⌊ and ⌈ in
// loops as variables that the C compiler knows nothing of. gcc turns a comparison
// with a constant around, and finds no minimum instruction for what is left:
//
//	double limit = 50.0;
//	TL_UNKNOWN(limit);
//	… tl_mind(limit, x) …
func (b *body) limits() {
	laila.Walk(b.fn.Body, func(s laila.Stmt) {
		n, ok := s.(*laila.Nest)
		if !ok {
			return
		}
		laila.Walk(n.Body, func(s laila.Stmt) {
			for _, x := range laila.Exprs(s) {
				laila.WalkExpr(x, b.limit)
			}
		})
	})
}

// limit declares the constant operands of x.
func (b *body) limit(x laila.Expr) {
	y, ok := x.(*laila.Binary)
	if !ok || y.Op != laila.Min && y.Op != laila.Max {
		return
	}
	for _, side := range []laila.Expr{y.X, y.Y} {
		f, ok := side.(*laila.Float)
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
func (b *body) bound(x laila.Expr, t text) text {
	if f, ok := x.(*laila.Float); ok && b.limitNames[math.Float64bits(f.Val)] != "" {
		return atom("%s", b.limitNames[math.Float64bits(f.Val)])
	}
	return t
}
