package laila

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// interval is a range of integers, both ends included.
type interval struct{ lo, hi int64 }

var anyInt = interval{math.MinInt64, math.MaxInt64}

// maxExtent bounds every extent and index of an array in memory.
const maxExtent = 1 << 48

func (r interval) within(lo, hi int64) bool { return r.lo >= lo && r.hi <= hi }

func (r interval) union(s interval) interval { return interval{min(r.lo, s.lo), max(r.hi, s.hi)} }

// rangeOfKind returns the values of a kind.
func rangeOfKind(k ir.Kind) interval {
	switch k {
	case ir.U8:
		return interval{0, 1}
	case ir.I8:
		return interval{math.MinInt8, math.MaxInt8}
	case ir.I16:
		return interval{math.MinInt16, math.MaxInt16}
	case ir.I32:
		return interval{math.MinInt32, math.MaxInt32}
	case ir.C32:
		return interval{0, 0x10FFFF}
	case ir.C8:
		return interval{0, 255}
	}
	return anyInt
}

// rangeOf bounds the value of an integer expression.
func (l *lowerer) rangeOf(x ir.Expr) interval {
	switch x := x.(type) {
	case *ir.Int:
		return interval{x.Val, x.Val}
	case *ir.Use:
		if r, ok := l.ranges[x.Var]; ok {
			return r
		}
	case *ir.Load:
		if r, ok := l.bufs[x.Buf]; ok {
			return r
		}
	case *ir.Select:
		return l.rangeOf(x.Then).union(l.rangeOf(x.Else))
	case *ir.Convert:
		if x.X.Kind() == ir.F64 {
			break
		}
		r, k := l.rangeOf(x.X), rangeOfKind(x.To)
		if r.within(k.lo, k.hi) {
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
			return anyInt
		}
		r, exact := arith(x.Op, l.rangeOf(x.X), l.rangeOf(x.Y))
		k := rangeOfKind(x.Kind())
		if x.Kind() == ir.U8 {
			k = interval{0, 255}
		}
		if exact && r.within(k.lo, k.hi) {
			return r
		}
		return k
	}
	return rangeOfKind(x.Kind())
}

func (l *lowerer) rangeOfUnary(x *ir.Unary) interval {
	if x.Kind() == ir.F64 {
		return anyInt
	}
	r := l.rangeOf(x.X)
	switch x.Op {
	case ir.OpNot:
		return interval{0, 1}
	case ir.OpNeg:
		if r.lo > math.MinInt64 {
			return interval{-r.hi, -r.lo}
		}
	case ir.OpAbs:
		if r.lo >= 0 {
			return r
		}
		if r.lo > math.MinInt64 {
			return interval{0, max(-r.lo, r.hi)}
		}
	}
	return rangeOfKind(x.Kind())
}

// arith bounds x op y; exact is false when an intermediate result leaves 64
// bits.
func arith(op ir.BinOp, x, y interval) (r interval, exact bool) {
	switch op {
	case ir.OpAdd:
		lo, ok1 := addInt(x.lo, y.lo)
		hi, ok2 := addInt(x.hi, y.hi)
		return interval{lo, hi}, ok1 && ok2
	case ir.OpSub:
		lo, ok1 := subInt(x.lo, y.hi)
		hi, ok2 := subInt(x.hi, y.lo)
		return interval{lo, hi}, ok1 && ok2
	case ir.OpMul:
		r, exact = interval{math.MaxInt64, math.MinInt64}, true
		for _, a := range []int64{x.lo, x.hi} {
			for _, b := range []int64{y.lo, y.hi} {
				p, ok := mulInt(a, b)
				r, exact = r.union(interval{p, p}), exact && ok
			}
		}
		return r, exact
	case ir.OpMin:
		return interval{min(x.lo, y.lo), min(x.hi, y.hi)}, true
	case ir.OpMax:
		return interval{max(x.lo, y.lo), max(x.hi, y.hi)}, true
	case ir.OpRem:
		if y.lo > 0 {
			lo, hi := int64(0), int64(0)
			if x.lo < 0 {
				lo = max(x.lo, -(y.hi - 1))
			}
			if x.hi > 0 {
				hi = min(x.hi, y.hi-1)
			}
			return interval{lo, hi}, true
		}
	case ir.OpQuo:
		if y.lo > 0 && x.lo >= 0 {
			return interval{x.lo / y.hi, x.hi / y.lo}, true
		}
	case ir.OpAnd:
		if x.lo >= 0 && y.lo >= 0 {
			return interval{0, min(x.hi, y.hi)}, true
		}
		if y.lo >= 0 {
			return interval{0, y.hi}, true
		}
		if x.lo >= 0 {
			return interval{0, x.hi}, true
		}
	case ir.OpOr, ir.OpXor:
		if x.lo >= 0 && y.lo >= 0 {
			return interval{0, 1<<bits.Len64(uint64(x.hi|y.hi)) - 1}, true
		}
	case ir.OpShr:
		if x.lo >= 0 && y.lo >= 0 && y.lo < 64 {
			return interval{0, x.hi >> uint(y.lo)}, true
		}
	}
	return anyInt, false
}

func addInt(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

func subInt(a, b int64) (int64, bool) {
	c := a - b
	return c, (c < a) == (b > 0)
}

func mulInt(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	c := a * b
	ok := c/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
	return c, ok
}

// narrowest returns the smallest kind that holds a range of integers.
func narrowest(r interval) ir.Kind {
	for _, k := range []ir.Kind{ir.I8, ir.I16, ir.I32} {
		if kr := rangeOfKind(k); r.within(kr.lo, kr.hi) {
			return k
		}
	}
	return ir.I64
}

// linearOf returns x as a sum of variables; what is none is bound to a variable
// first.
func (g *gen) linearOf(x ir.Expr) affine.Poly {
	r := affine.Reader{Linear: true, Leaf: func(_ *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok {
			u, ok = g.let("t", x).(*ir.Use)
		}
		if !ok {
			return affine.Unknown
		}
		return affine.Of(u.Var)
	}}
	return r.Read(x)
}

// assumptions are the ranges of variables, for proofs.
func (l *lowerer) assumptions() affine.Assumptions { return affine.Assumptions{Range: l.rangesOf} }

func (l *lowerer) rangesOf(v *ir.Var) (lo, hi int64) {
	r := l.rangeOf(v.Use())
	return r.lo, r.hi
}

// rangeOfSum bounds a sum of products of variables.
func (l *lowerer) rangeOfSum(f affine.Poly) interval {
	return boundsOf(f, func(v *ir.Var) interval { return l.rangeOf(v.Use()) })
}

// boundsOf bounds a sum of products of variables that have bounds; it is anyInt where
// that is not known to be a number.
func boundsOf(f affine.Poly, of func(*ir.Var) interval) interval {
	if !f.Known() {
		return anyInt
	}
	r, exact := interval{}, true
	for _, t := range f.Terms() {
		p := interval{t.K, t.K}
		for _, v := range t.Vars {
			if p, exact = arith(ir.OpMul, p, of(v)); !exact {
				return anyInt
			}
		}
		if r, exact = arith(ir.OpAdd, r, p); !exact {
			return anyInt
		}
	}
	return r
}
