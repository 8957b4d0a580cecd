package cgen

import (
	"math"

	"github.com/tailor-lang/tailor/laila"
)

// countsNarrow reports whether a loop that becomes vector code should count in
// 32 bits: its bounds fit, and its body computes in 32 bits or less with the
// index. A vector of indices of 64 bits would be made narrow at every step.
func (b *body) countsNarrow(d laila.Dim, inner []laila.Stmt) bool {
	lo, hi := b.rangeOf(d.Lo), b.rangeOf(d.Hi)
	if d.Var.Kind != laila.I64 || lo.lo < 0 || hi.lo < math.MinInt32 || hi.hi > math.MaxInt32 {
		return false
	}
	vars := map[*laila.Var]bool{d.Var: true}
	walk(inner, func(s laila.Stmt) {
		if d, ok := s.(*laila.Decl); ok && d.Init != nil && mentions(d.Init, vars) {
			vars[d.Var] = true
		}
	})
	narrow := false
	walk(inner, func(s laila.Stmt) {
		stmtExprs(s, func(x laila.Expr) {
			laila.WalkExpr(x, func(x laila.Expr) {
				if c, ok := x.(*laila.Convert); ok && c.X.Kind() == laila.I64 && c.To != laila.I64 {
					narrow = narrow || mentions(c.X, vars)
				}
			})
		})
	})
	return narrow
}

// narrowLoop opens the loop d over an index v that counts in 32 bits.
func (b *body) narrowLoop(d laila.Dim, v, lo, end, pragma string, used bool) {
	last := b.names.fresh("last")
	k := b.names.fresh("k")
	b.line("const int32_t %s = (int32_t)(%s);", last, end)
	b.line("%s", pragma)
	b.line("for (int32_t %s = (int32_t)(%s); %s < %s; %s++) {", k, lo, k, last, k)
	b.noteLoop(d)
	if used {
		b.depth++
		b.line("const int64_t %s = %s;", v, k)
		b.depth--
	}
}
