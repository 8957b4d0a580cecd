package cgen

import (
	"fmt"
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

// narrowLoop opens the loop d over an index v that counts in 32 bits. It counts from 0, as
// the C compiler does not see of another sum with the index that it stays in 32 bits, and
// then takes places that grow by 1 for any places.
func (b *body) narrowLoop(d ir.Dim, v, end, pragma string, used bool) {
	first, trips := "", end
	if !ir.IsInt(d.Lo, 0) {
		first = b.names.fresh("first")
		b.line("const int64_t %s = %s;", first, b.expr(d.Lo))
		trips, first = fmt.Sprintf("tl_maxi(%s - %s, 0)", end, first), first+" + "
	}
	last, k := b.names.fresh("last"), b.names.fresh("k")
	b.line("const int32_t %s = (int32_t)(%s);", last, trips)
	b.line("%s", pragma)
	b.line("for (int32_t %s = 0; %s < %s; %s++) {", k, k, last, k)
	b.noteLoop(d)
	if used {
		b.depth++
		b.line("const int64_t %s = %s%s;", v, first, k)
		b.depth--
	}
}
