package laila

import "github.com/tailor-lang/tailor/laila/ir"

// The constructors of this file are those of ir/fold.go where ranges decide more.

// narrowRem is rem, in 32 bits where the ranges allow: that is faster, and
// vectorises for constant divisors.
func (l *lowerer) narrowRem(x, y ir.Expr) ir.Expr {
	const limit = 1<<31 - 1
	rx, ry := l.rangeOf(x), l.rangeOf(y)
	if _, ok := ir.IntOf(x); ok || !rx.within(-limit, limit) || !ry.within(1, limit) {
		return ir.Rem(x, y)
	}
	return ir.ConvertTo(ir.I64, ir.OpRem.Of(ir.ConvertTo(ir.I32, x), ir.ConvertTo(ir.I32, y)))
}

// narrowQuo is quo, in 32 bits where the ranges allow.
func (l *lowerer) narrowQuo(x, y ir.Expr) ir.Expr {
	const limit = 1<<31 - 1
	if !l.rangeOf(x).within(-limit, limit) || !l.rangeOf(y).within(1, limit) {
		return ir.Quo(x, y)
	}
	return ir.ConvertTo(ir.I64, ir.OpQuo.Of(ir.ConvertTo(ir.I32, x), ir.ConvertTo(ir.I32, y)))
}

// lifted returns x plus the least multiple of k, positive, that makes it
// non-negative, and that multiple; it is not ok where the sum needs more than
// 32 bits. With it, quotients and remainders that round down need no test.
func (l *lowerer) lifted(x ir.Expr, k int64) (ir.Expr, int64, bool) {
	const limit = 1<<31 - 1
	r := l.rangeOf(x)
	if r.lo >= 0 {
		return x, 0, true
	}
	if r.lo < -limit/2 || k <= 0 || k > limit/2 {
		return nil, 0, false
	}
	m := (-r.lo + k - 1) / k * k
	if r.hi > limit-m {
		return nil, 0, false
	}
	return ir.Add(x, ir.Integer(m)), m, true
}

func (l *lowerer) smaller(x, y ir.Expr) ir.Expr {
	rx, ry := l.rangeOf(x), l.rangeOf(y)
	switch {
	case ir.Same(x, y), rx.hi <= ry.lo:
		return x
	case ry.hi <= rx.lo:
		return y
	}
	return ir.OpMin.Of(x, y)
}

func (l *lowerer) larger(x, y ir.Expr) ir.Expr {
	rx, ry := l.rangeOf(x), l.rangeOf(y)
	switch {
	case ir.Same(x, y), rx.lo >= ry.hi:
		return x
	case ry.lo >= rx.hi:
		return y
	}
	return ir.OpMax.Of(x, y)
}

// compare builds a comparison of integers of one kind and decides it where
// the ranges do.
func (l *lowerer) compare(op ir.BinOp, x, y ir.Expr) ir.Expr {
	rx, ry := l.rangeOf(x), l.rangeOf(y)
	switch op {
	case ir.OpLt:
		if rx.hi < ry.lo {
			return ir.Boolean(true)
		}
		if rx.lo >= ry.hi || ir.Same(x, y) {
			return ir.Boolean(false)
		}
	case ir.OpLe:
		if rx.hi <= ry.lo || ir.Same(x, y) {
			return ir.Boolean(true)
		}
		if rx.lo > ry.hi {
			return ir.Boolean(false)
		}
	case ir.OpGt:
		return l.compare(ir.OpLt, y, x)
	case ir.OpGe:
		return l.compare(ir.OpLe, y, x)
	case ir.OpEq, ir.OpNe:
		if d, ok := l.divides(op, x, y); ok {
			return d
		}
		if rx.hi < ry.lo || rx.lo > ry.hi {
			return ir.Boolean(op == ir.OpNe)
		}
		if ir.Same(x, y) || rx.lo == rx.hi && rx == ry {
			return ir.Boolean(op == ir.OpEq)
		}
	}
	return l.narrowCompare(op, x, y)
}

// divides gives, for a test of a remainder for 0, a test without one. With the
// rounded product of a and the reciprocal of b for quotient, below 2*31: where
// b divides a that is the quotient, elsewhere no whole multiple of b is a. In
// loops over a the division is invariant. Below 2*22 single precision does.
func (l *lowerer) divides(op ir.BinOp, x, y ir.Expr) (test ir.Expr, ok bool) {
	if ir.IsInt(x, 0) {
		x, y = y, x
	}
	u, isUse := x.(*ir.Use)
	if !isUse || !ir.IsInt(y, 0) {
		return nil, false
	}
	r, ok := l.residues[u.Var]
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
func (l *lowerer) narrowCompare(op ir.BinOp, x, y ir.Expr) ir.Expr {
	if x.Kind() == ir.C32 {
		if a, b, ok := l.bytes(x, y); ok {
			return op.Of(a, b)
		}
	}
	if x.Kind() == ir.I64 && (ir.Narrowable(x) || ir.Narrowable(y)) {
		if k := ir.Wider(narrowest(l.rangeOf(x).union(l.rangeOf(y))), ir.Wider(ir.LeafKind(x), ir.LeafKind(y))); k != ir.I64 {
			return op.Of(ir.ConvertTo(k, x), ir.ConvertTo(k, y))
		}
	}
	return op.Of(x, y)
}
