package cgen

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/laila/ir"
)

// interval is what is known of an integer: lo ≤ x ≤ hi.
type interval struct{ lo, hi int64 }

var anyInteger = interval{math.MinInt64, math.MaxInt64}

// kindRange returns the values of a kind.
func kindRange(k ir.Kind) interval {
	switch k {
	case ir.U8:
		return interval{0, 1}
	case ir.I8:
		return interval{math.MinInt8, math.MaxInt8}
	case ir.I16:
		return interval{math.MinInt16, math.MaxInt16}
	case ir.I32:
		return interval{math.MinInt32, math.MaxInt32}
	case ir.C8:
		return interval{0, math.MaxUint8}
	case ir.C32:
		return interval{0, math.MaxUint32}
	}
	return anyInteger
}

// rangeOf returns the values that an integer expression can have, as far as
// constants, loops between constants, variables that are set once, and the ranges of
// the program tell.
func (b *body) rangeOf(x ir.Expr) interval {
	switch x := x.(type) {
	case *ir.Int:
		return interval{x.Val, x.Val}
	case *ir.Use:
		r, ok := b.ranges[x.Var]
		if !ok {
			r = kindRange(x.Var.Kind)
		}
		if known, ok := b.prog.Ranges[x.Var]; ok {
			r = interval{max(r.lo, known.Lo), min(r.hi, known.Hi)}
		}
		return r
	case *ir.Load:
		if known, ok := b.prog.BufRanges[x.Buf]; ok {
			return interval{known.Lo, known.Hi}
		}
	case *ir.Convert:
		if x.X.Kind() != ir.F64 {
			r, k := b.rangeOf(x.X), kindRange(x.To)
			if k.lo <= r.lo && r.hi <= k.hi {
				return r
			}
		}
	case *ir.Binary:
		return b.binaryRange(x)
	}
	return kindRange(x.Kind())
}

func (b *body) binaryRange(x *ir.Binary) interval {
	k := kindRange(x.Kind())
	if x.X.Kind() == ir.F64 || x.Op >= ir.OpLt {
		return k
	}
	l, r := b.rangeOf(x.X), b.rangeOf(x.Y)
	out := k
	switch x.Op {
	case ir.OpAdd:
		out = interval{addCapped(l.lo, r.lo), addCapped(l.hi, r.hi)}
	case ir.OpSub:
		if r.lo == math.MinInt64 || r.hi == math.MinInt64 {
			return k
		}
		out = interval{addCapped(l.lo, -r.hi), addCapped(l.hi, -r.lo)}
	case ir.OpMul:
		if l.lo < 0 || r.lo < 0 {
			return k
		}
		out = interval{mulCapped(l.lo, r.lo), mulCapped(l.hi, r.hi)}
	case ir.OpMin:
		out = interval{min(l.lo, r.lo), min(l.hi, r.hi)}
	case ir.OpMax:
		out = interval{max(l.lo, r.lo), max(l.hi, r.hi)}
	case ir.OpRem:
		if l.lo >= 0 && r.lo > 0 {
			out = interval{0, min(l.hi, r.hi-1)}
		}
	case ir.OpQuo:
		if l.lo >= 0 && r.lo > 0 {
			out = interval{l.lo / r.hi, l.hi / r.lo}
		}
	}
	// What may have wrapped is anything.
	if out.lo <= k.lo && k.lo < 0 || out.hi >= k.hi {
		return k
	}
	return out
}

// addCapped adds; beyond 64 bits it gives the outermost integer.
func addCapped(x, y int64) int64 {
	s := x + y
	switch {
	case x > 0 && y > 0 && s < 0:
		return math.MaxInt64
	case x < 0 && y < 0 && s >= 0:
		return math.MinInt64
	}
	return s
}

// mulCapped multiplies what is not negative.
func mulCapped(x, y int64) int64 {
	high, low := bits.Mul64(uint64(x), uint64(y))
	if high != 0 || low > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(low)
}

// noteRange remembers the values of a variable that is set only here.
func (b *body) noteRange(v *ir.Var, r interval) {
	if v.Kind != ir.F64 && v.Kind != ir.C64 && !b.facts.assign[v] && r != kindRange(v.Kind) {
		b.ranges[v] = r
	} else {
		delete(b.ranges, v)
	}
}

// remainder returns x % c for a constant c in a form that becomes vector code:
// there is no instruction for the high half of a product of 64 bits.
func (b *body) remainder(x *ir.Binary, l, r text) (text, bool) {
	c, ok := x.Y.(*ir.Int)
	if !ok || !b.vector || x.X.Kind() != ir.I64 || c.Val < 2 || c.Val >= math.MaxInt32 {
		return text{}, false
	}
	switch v := b.rangeOf(x.X); {
	case v.lo >= 0 && v.hi <= math.MaxUint32:
		return text{s: "(int64_t)((uint32_t)" + l.in(precUnary) + " % " + r.s + "u)", prec: precUnary}, true
	case v.lo >= 0 && v.hi < 1<<50:
		return atom("tl_remc(%s, %s)", l.s, r.s), true
	}
	return text{}, false
}
