package facts

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// The constructors of this file are those of ir/fold.go where ranges decide more.

// NarrowRem is rem, in 32 bits where the ranges allow: that is faster, and
// vectorises for constant divisors.
func (l *Base) NarrowRem(x, y ir.Expr) ir.Expr {
	const limit = 1<<31 - 1
	rx, ry := l.RangeOf(x), l.RangeOf(y)
	if _, ok := ir.IntOf(x); ok || !rx.Within(-limit, limit) || !ry.Within(1, limit) {
		return ir.Rem(x, y)
	}
	return ir.ConvertTo(ir.I64, ir.OpRem.Of(ir.ConvertTo(ir.I32, x), ir.ConvertTo(ir.I32, y)))
}

// NarrowQuo is quo, in 32 bits where the ranges allow.
func (l *Base) NarrowQuo(x, y ir.Expr) ir.Expr {
	const limit = 1<<31 - 1
	if !l.RangeOf(x).Within(-limit, limit) || !l.RangeOf(y).Within(1, limit) {
		return ir.Quo(x, y)
	}
	return ir.ConvertTo(ir.I64, ir.OpQuo.Of(ir.ConvertTo(ir.I32, x), ir.ConvertTo(ir.I32, y)))
}

// Lifted returns x plus the least multiple of k, positive, that makes it
// non-negative, and that multiple; it is not ok where the sum needs more than
// 32 bits. With it, quotients and remainders that round down need no test.
func (l *Base) Lifted(x ir.Expr, k int64) (ir.Expr, int64, bool) {
	const limit = 1<<31 - 1
	r := l.RangeOf(x)
	if r.Lo >= 0 {
		return x, 0, true
	}
	if r.Lo < -limit/2 || k <= 0 || k > limit/2 {
		return nil, 0, false
	}
	m := (-r.Lo + k - 1) / k * k
	if r.Hi > limit-m {
		return nil, 0, false
	}
	return ir.Add(x, ir.Integer(m)), m, true
}

// Smaller is the smaller one of two integers, without a test where the ranges decide.
func (l *Base) Smaller(x, y ir.Expr) ir.Expr {
	rx, ry := l.RangeOf(x), l.RangeOf(y)
	switch {
	case ir.Same(x, y), rx.Hi <= ry.Lo:
		return x
	case ry.Hi <= rx.Lo:
		return y
	}
	return l.narrowly(ir.OpMin, x, y)
}

// Larger is the larger one of two integers, without a test where the ranges decide.
func (l *Base) Larger(x, y ir.Expr) ir.Expr {
	rx, ry := l.RangeOf(x), l.RangeOf(y)
	switch {
	case ir.Same(x, y), rx.Lo >= ry.Hi:
		return x
	case ry.Lo >= rx.Hi:
		return y
	}
	return l.narrowly(ir.OpMax, x, y)
}

// narrowly is the smaller or the larger one of two integers that are made of narrow ones, in
// the smallest kind that holds both.
func (l *Base) narrowly(op ir.BinOp, x, y ir.Expr) ir.Expr {
	narrow := func(x ir.Expr) bool {
		_, constant := ir.IntOf(x)
		return constant || ir.Narrowable(x)
	}
	if x.Kind() != ir.I64 || !narrow(x) || !narrow(y) {
		return op.Of(x, y)
	}
	k := ir.Wider(Narrowest(l.RangeOf(x).Union(l.RangeOf(y))), ir.Wider(ir.LeafKind(x), ir.LeafKind(y)))
	return ir.ConvertTo(ir.I64, op.Of(ir.ConvertTo(k, x), ir.ConvertTo(k, y)))
}

// Magnitude is |x, which has no overflow, in the smallest kind that holds x and it where x is
// made of narrow integers.
func (l *Base) Magnitude(x ir.Expr) ir.Expr {
	r := l.RangeOf(x)
	if k := Narrowest(r.Union(Interval{-r.Hi, -r.Lo})); r.Lo > math.MinInt64 && ir.Narrowable(x) {
		return ir.ConvertTo(ir.I64, ir.OpAbs.Of(ir.ConvertTo(ir.Wider(k, ir.LeafKind(x)), x)))
	}
	return ir.OpAbs.Of(x)
}

// Compare builds a comparison of integers of one kind and decides it where
// the ranges do.
func (l *Base) Compare(op ir.BinOp, x, y ir.Expr) ir.Expr {
	rx, ry := l.RangeOf(x), l.RangeOf(y)
	switch op {
	case ir.OpLt:
		if rx.Hi < ry.Lo {
			return ir.Boolean(true)
		}
		if rx.Lo >= ry.Hi || ir.Same(x, y) {
			return ir.Boolean(false)
		}
	case ir.OpLe:
		if rx.Hi <= ry.Lo || ir.Same(x, y) {
			return ir.Boolean(true)
		}
		if rx.Lo > ry.Hi {
			return ir.Boolean(false)
		}
	case ir.OpGt:
		return l.Compare(ir.OpLt, y, x)
	case ir.OpGe:
		return l.Compare(ir.OpLe, y, x)
	case ir.OpEq, ir.OpNe:
		if d, ok := l.divides(op, x, y); ok {
			return d
		}
		if rx.Hi < ry.Lo || rx.Lo > ry.Hi {
			return ir.Boolean(op == ir.OpNe)
		}
		if ir.Same(x, y) || rx.Lo == rx.Hi && rx == ry {
			return ir.Boolean(op == ir.OpEq)
		}
	}
	return l.narrowCompare(op, x, y)
}

// divides gives, for a test of a remainder for 0, a test without one. With the
// rounded product of a and the reciprocal of b for quotient, below 2*31: where
// b divides a that is the quotient, elsewhere no whole multiple of b is a. In
// loops over a the division is invariant. Below 2*22 single precision does.
func (l *Base) divides(op ir.BinOp, x, y ir.Expr) (test ir.Expr, ok bool) {
	if ir.IsInt(x, 0) {
		x, y = y, x
	}
	u, isUse := x.(*ir.Use)
	if !isUse || !ir.IsInt(y, 0) {
		return nil, false
	}
	r, ok := l.Residues[u.Var]
	if !ok {
		return nil, false
	}
	a, b := r[0], r[1]
	if a.Kind() == ir.I32 {
		test = &ir.Math{Fn: "tl_divides", K: ir.U8, Args: []ir.Expr{b, a}}
		if op == ir.OpNe {
			test = ir.Not(test)
		}
		return test, true
	}
	scaled := ir.OpMul.Of(a, ir.OpDiv.Of(&ir.Float{Val: 1}, b))
	q := &ir.Math{Fn: "floor", K: ir.F64, Args: []ir.Expr{ir.OpAdd.Of(scaled, &ir.Float{Val: 0.5})}}
	return op.Of(ir.OpMul.Of(q, b), a), true
}

// narrowCompare compares in the smallest kind that holds both sides.
func (l *Base) narrowCompare(op ir.BinOp, x, y ir.Expr) ir.Expr {
	if x.Kind() == ir.C32 {
		if a, b, ok := l.bytes(x, y); ok {
			return op.Of(a, b)
		}
	}
	if x.Kind() == ir.I64 && (ir.Narrowable(x) || ir.Narrowable(y)) {
		if k := ir.Wider(Narrowest(l.RangeOf(x).Union(l.RangeOf(y))), ir.Wider(ir.LeafKind(x), ir.LeafKind(y))); k != ir.I64 {
			return op.Of(ir.ConvertTo(k, x), ir.ConvertTo(k, y))
		}
	}
	return op.Of(x, y)
}

// bytes returns two characters as bytes where one of them is a byte and the
// other one is known to be below 256.
func (l *Base) bytes(x, y ir.Expr) (a, b ir.Expr, ok bool) {
	if !l.Bytes {
		return nil, nil, false
	}
	a, ok = ir.ByteOf(x)
	b, ok2 := ir.ByteOf(y)
	switch {
	case ok && ok2:
	case ok && l.RangeOf(y).Within(0, 255):
		b = &ir.Convert{To: ir.C8, X: y}
	case ok2 && l.RangeOf(x).Within(0, 255):
		a = &ir.Convert{To: ir.C8, X: x}
	default:
		return nil, nil, false
	}
	return a, b, true
}
