package cgen

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// countsNarrow reports whether a loop that becomes vector code should count in
// 32 bits: its bounds fit, and its body computes in 32 bits or less with the
// index. A vector of indices of 64 bits would be made narrow at every step.
func (b *body) countsNarrow(d ir.Dim, inner []ir.Stmt) bool {
	lo, hi := b.rangeOf(d.Lo), b.rangeOf(d.Hi)
	if d.Var.Kind != ir.I64 || lo.Lo < 0 || !hi.Within(math.MinInt32, math.MaxInt32) {
		return false
	}
	vars := map[*ir.Var]bool{d.Var: true}
	walk(inner, func(s ir.Stmt) {
		if d, ok := s.(*ir.Decl); ok && d.Init != nil && mentions(d.Init, vars) {
			vars[d.Var] = true
		}
	})
	narrow := false
	walk(inner, func(s ir.Stmt) {
		stmtExprs(s, func(x ir.Expr) {
			ir.WalkExpr(x, func(x ir.Expr) {
				if c, ok := x.(*ir.Convert); ok && c.X.Kind() == ir.I64 && c.To != ir.I64 {
					narrow = narrow || mentions(c.X, vars)
				}
			})
		})
	})
	return narrow
}

// narrowLoop opens the loop d over an index v that counts in 32 bits.
func (b *body) narrowLoop(d ir.Dim, v, lo, end, pragma string, used bool) {
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
