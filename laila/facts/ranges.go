package facts

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Interval is a range of integers, both ends included.
type Interval struct{ Lo, Hi int64 }

// AnyInt is the range of all integers of 64 bits.
var AnyInt = Interval{math.MinInt64, math.MaxInt64}

// MaxExtent bounds every extent and index of an array in memory.
const MaxExtent = 1 << 48

// Within reports whether all of r is from lo to hi.
func (r Interval) Within(lo, hi int64) bool { return r.Lo >= lo && r.Hi <= hi }

// Union is the least range that holds r and s.
func (r Interval) Union(s Interval) Interval { return Interval{min(r.Lo, s.Lo), max(r.Hi, s.Hi)} }

// RangeOfKind returns the values of a kind.
func RangeOfKind(k ir.Kind) Interval {
	switch k {
	case ir.U8:
		return Interval{0, 1}
	case ir.I8:
		return Interval{math.MinInt8, math.MaxInt8}
	case ir.I16:
		return Interval{math.MinInt16, math.MaxInt16}
	case ir.I32:
		return Interval{math.MinInt32, math.MaxInt32}
	case ir.C32:
		return Interval{0, 0x10FFFF}
	case ir.C8:
		return Interval{0, 255}
	}
	return AnyInt
}

// RangeOf bounds the value of an integer expression.
func (l *Base) RangeOf(x ir.Expr) Interval {
	switch x := x.(type) {
	case *ir.Int:
		return Interval{x.Val, x.Val}
	case *ir.Use:
		if r, ok := l.Ranges[x.Var]; ok {
			return r
		}
	case *ir.Load:
		if r, ok := l.Bufs[x.Buf]; ok {
			return r
		}
	case *ir.Select:
		return l.RangeOf(x.Then).Union(l.RangeOf(x.Else))
	case *ir.Convert:
		if x.X.Kind() == ir.F64 {
			break
		}
		r, k := l.RangeOf(x.X), RangeOfKind(x.To)
		if r.Within(k.Lo, k.Hi) {
			return r
		}
	case *ir.Unary:
		return l.rangeOfUnary(x)
	case *ir.Math:
		if r, ok := l.rangeOfRoll(x); ok {
			return r
		}
	case *ir.Binary:
		if x.Op >= ir.OpLt {
			break
		}
		if x.Kind() == ir.F64 {
			return AnyInt
		}
		p, q := l.RangeOf(x.X), l.RangeOf(x.Y)
		if x.Op == ir.OpMul && (p.Lo < 0 || q.Lo < 0) && ir.Alike(x.X, x.Y) { // a square
			p.Lo, p.Hi = 0, max(p.Hi, -max(p.Lo, -math.MaxInt64))
			q = p
		}
		r, exact := Arith(x.Op, p, q)
		k := RangeOfKind(x.Kind())
		if x.Kind() == ir.U8 {
			k = Interval{0, 255}
		}
		if exact && r.Within(k.Lo, k.Hi) {
			return r
		}
		return k
	}
	return RangeOfKind(x.Kind())
}

func (l *Base) rangeOfUnary(x *ir.Unary) Interval {
	if x.Kind() == ir.F64 {
		return AnyInt
	}
	r := l.RangeOf(x.X)
	switch x.Op {
	case ir.OpNot:
		return Interval{0, 1}
	case ir.OpNeg:
		if r.Lo > math.MinInt64 {
			return Interval{-r.Hi, -r.Lo}
		}
	case ir.OpAbs:
		if r.Lo >= 0 {
			return r
		}
		if r.Lo > math.MinInt64 {
			return Interval{0, max(-r.Lo, r.Hi)}
		}
	}
	return RangeOfKind(x.Kind())
}

// Arith bounds x op y; exact is false when an intermediate result leaves 64
// bits.
func Arith(op ir.BinOp, x, y Interval) (r Interval, exact bool) {
	switch op {
	case ir.OpAdd:
		lo, ok1 := AddInt(x.Lo, y.Lo)
		hi, ok2 := AddInt(x.Hi, y.Hi)
		return Interval{lo, hi}, ok1 && ok2
	case ir.OpSub:
		lo, ok1 := SubInt(x.Lo, y.Hi)
		hi, ok2 := SubInt(x.Hi, y.Lo)
		return Interval{lo, hi}, ok1 && ok2
	case ir.OpMul:
		r, exact = Interval{math.MaxInt64, math.MinInt64}, true
		for _, a := range []int64{x.Lo, x.Hi} {
			for _, b := range []int64{y.Lo, y.Hi} {
				p, ok := MulInt(a, b)
				r, exact = r.Union(Interval{p, p}), exact && ok
			}
		}
		return r, exact
	case ir.OpMin:
		return Interval{min(x.Lo, y.Lo), min(x.Hi, y.Hi)}, true
	case ir.OpMax:
		return Interval{max(x.Lo, y.Lo), max(x.Hi, y.Hi)}, true
	case ir.OpRem:
		if y.Lo > 0 {
			lo, hi := int64(0), int64(0)
			if x.Lo < 0 {
				lo = max(x.Lo, -(y.Hi - 1))
			}
			if x.Hi > 0 {
				hi = min(x.Hi, y.Hi-1)
			}
			return Interval{lo, hi}, true
		}
	case ir.OpQuo:
		if y.Lo > 0 && x.Lo >= 0 {
			return Interval{x.Lo / y.Hi, x.Hi / y.Lo}, true
		}
	case ir.OpAnd:
		if x.Lo >= 0 && y.Lo >= 0 {
			return Interval{0, min(x.Hi, y.Hi)}, true
		}
		if y.Lo >= 0 {
			return Interval{0, y.Hi}, true
		}
		if x.Lo >= 0 {
			return Interval{0, x.Hi}, true
		}
	case ir.OpOr, ir.OpXor:
		if x.Lo >= 0 && y.Lo >= 0 {
			return Interval{0, 1<<bits.Len64(uint64(x.Hi|y.Hi)) - 1}, true
		}
	case ir.OpShr:
		if x.Lo >= 0 && y.Lo >= 0 && y.Lo < 64 {
			return Interval{0, x.Hi >> uint(y.Lo)}, true
		}
	}
	return AnyInt, false
}

// AddInt returns a+b, and whether it has 64 bits.
func AddInt(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

// SubInt returns a-b, and whether it has 64 bits.
func SubInt(a, b int64) (int64, bool) {
	c := a - b
	return c, (c < a) == (b > 0)
}

// MulInt returns a×b, and whether it has 64 bits.
func MulInt(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	c := a * b
	ok := c/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
	return c, ok
}

// Narrowest returns the smallest kind that holds a range of integers.
func Narrowest(r Interval) ir.Kind {
	for _, k := range []ir.Kind{ir.I8, ir.I16, ir.I32} {
		if kr := RangeOfKind(k); r.Within(kr.Lo, kr.Hi) {
			return k
		}
	}
	return ir.I64
}

// Assumptions are the ranges of variables, for proofs.
func (l *Base) Assumptions() affine.Assumptions { return affine.Assumptions{Range: l.rangesOf} }

func (l *Base) rangesOf(v *ir.Var) (lo, hi int64) {
	r := l.RangeOf(v.Use())
	return r.Lo, r.Hi
}

// RangeOfSum bounds a sum of products of variables.
func (l *Base) RangeOfSum(f affine.Poly) Interval {
	return BoundsOf(f, func(v *ir.Var) Interval { return l.RangeOf(v.Use()) })
}

// BoundsOf bounds a sum of products of variables that have bounds; it is anyInt where
// that is not known to be a number.
func BoundsOf(f affine.Poly, of func(*ir.Var) Interval) Interval {
	if !f.Known() {
		return AnyInt
	}
	r, exact := Interval{}, true
	for _, t := range f.Terms() {
		p := Interval{t.K, t.K}
		for _, v := range t.Vars {
			if p, exact = Arith(ir.OpMul, p, of(v)); !exact {
				return AnyInt
			}
		}
		if r, exact = Arith(ir.OpAdd, r, p); !exact {
			return AnyInt
		}
	}
	return r
}

// rangeOfRoll bounds the result of a roll.
func (l *Base) rangeOfRoll(x *ir.Math) (Interval, bool) {
	if x.Fn != "tl_rolli_at" && x.Fn != "tl_roll32_at" {
		return Interval{}, false
	}
	return Interval{1, max(l.RangeOf(x.Args[2]).Hi, 1)}, true
}

// Fits reports whether a kind holds a range of integers.
func Fits(k ir.Kind, r Interval) bool {
	kr := RangeOfKind(k)
	return r.Within(kr.Lo, kr.Hi)
}

// Between is the range from lo to hi.
func Between(lo, hi int64) Interval { return Interval{lo, hi} }
