package cgen

import (
	"fmt"
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// rangeOf returns the values that an integer expression can have: by what is known of
// the program, and of the indices of the loops that are open.
func (b *body) rangeOf(x ir.Expr) facts.Interval { return b.base.RangeOf(x) }

// noteRange remembers the values of a variable that is set only here.
func (b *body) noteRange(v *ir.Var, r facts.Interval) {
	if !v.Kind.Exact() || b.survey.assign[v] {
		return
	}
	if old, ok := b.opt.Facts.Ranges[v]; ok {
		r = facts.Interval{Lo: max(r.Lo, old.Lo), Hi: min(r.Hi, old.Hi)}
	}
	b.base.Ranges[v] = r
}

// indexRange returns the values of the index of a loop.
func (b *body) indexRange(d ir.Dim) facts.Interval {
	return facts.Interval{Lo: b.rangeOf(d.Lo).Lo, Hi: below(b.rangeOf(d.Hi))}
}

// below is the greatest integer that is less than some in r.
func below(r facts.Interval) int64 { return max(r.Hi, math.MinInt64+1) - 1 }

// remainder returns x % c for a constant c in a form that becomes vector code:
// there is no instruction for the high half of a product of 64 bits.
func (b *body) remainder(x *ir.Binary, l, r text) (text, bool) {
	c, ok := x.Y.(*ir.Int)
	if !ok || !b.vector || x.X.Kind() != ir.I64 || c.Val < 2 || c.Val > math.MaxUint32 {
		return text{}, false
	}
	const wide = 1 << 12 // quotients have less than 52 bits from here on
	switch v := b.rangeOf(x.X); {
	case v.Within(0, math.MaxUint32):
		return text{s: "(int64_t)((uint32_t)" + l.in(precUnary) + " % " + r.s + "u)", prec: precUnary}, true
	case v.Within(0, 1<<50-1):
		return atom("tl_remc(%s, %s)", l.s, r.s), true
	case v.Lo >= 0 && c.Val >= wide:
		return atom("tl_remw(%s, %s)", l.s, r.s), true
	}
	return text{}, false
}

// unsigned returns x / c or x % c for a constant c and numbers of 32 bits that are not
// negative: no sign is looked at behind the product that compilers divide by.
func (b *body) unsigned(x *ir.Binary, l, r text) (text, bool) {
	c, ok := x.Y.(*ir.Int)
	if !ok || x.Op != ir.OpQuo && x.Op != ir.OpRem || x.X.Kind() != ir.I32 || c.Val < 2 || b.rangeOf(x.X).Lo < 0 || !hasFactor(uint64(c.Val)) {
		return text{}, false
	}
	op := map[ir.BinOp]string{ir.OpQuo: "/", ir.OpRem: "%"}[x.Op]
	return text{s: fmt.Sprintf("(int32_t)((uint32_t)%s %s %su)", l.in(precUnary), op, r.s), prec: precUnary}, true
}

// hasFactor reports whether quotients of 32 bits by d are the high bits of one product by a
// factor of 32 bits, without a correction behind it.
func hasFactor(d uint64) bool {
	for shift := range 32 {
		power := uint64(1) << (32 + shift)
		factor := (power + d - 1) / d
		if factor <= math.MaxUint32 && factor*d-power <= 1<<shift {
			return true
		}
	}
	return false
}
