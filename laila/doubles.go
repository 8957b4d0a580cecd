package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// span is a range of doubles; it excludes NaN.
type span struct{ lo, hi float64 }

// wide widens a range by what rounding can do.
func (s span) wide() span {
	return span{s.lo - math.Abs(s.lo)*1e-12, s.hi + math.Abs(s.hi)*1e-12}
}

// spanOf bounds a double expression, where that is possible.
func (l *lowerer) spanOf(x ir.Expr) (span, bool) {
	switch x := x.(type) {
	case *ir.Float:
		return span{x.Val, x.Val}, !math.IsNaN(x.Val)
	case *ir.Use:
		s, ok := l.spans[x.Var]
		return s, ok
	case *ir.Load:
		s, ok := l.bufSpans[x.Buf]
		return s, ok
	case *ir.Convert:
		if x.X.Kind() == ir.F64 {
			break
		}
		r := l.rangeOf(x.X)
		return span{float64(r.lo), float64(r.hi)}, true
	case *ir.Unary:
		s, ok := l.spanOf(x.X)
		switch x.Op {
		case ir.OpNeg:
			return span{-s.hi, -s.lo}, ok
		case ir.OpSqrt:
			return span{math.Sqrt(s.lo), math.Sqrt(s.hi)}.wide(), ok && s.lo >= 0
		case ir.OpAbs:
			if s.lo >= 0 {
				return s, ok
			}
			return span{0, max(-s.lo, s.hi)}, ok
		}
	case *ir.Binary:
		return l.spanOfBinary(x)
	case *ir.Select:
		s, ok := l.spanOf(x.Then)
		t, ok2 := l.spanOf(x.Else)
		return span{min(s.lo, t.lo), max(s.hi, t.hi)}, ok && ok2
	case *ir.Math:
		switch x.Fn {
		case "tl_floord", "tl_floorx", "tl_ceild", "tl_ceilx", "floor", "ceil":
			s, ok := l.spanOf(x.Args[0])
			return span{s.lo - 1, s.hi + 1}, ok
		case "tl_rolld_at":
			return units, true
		}
	}
	return span{}, false
}

func (l *lowerer) spanOfBinary(x *ir.Binary) (span, bool) {
	s, ok := l.spanOf(x.X)
	t, ok2 := l.spanOf(x.Y)
	if !ok || !ok2 {
		return span{}, false
	}
	var r span
	switch x.Op {
	case ir.OpAdd:
		r = span{s.lo + t.lo, s.hi + t.hi}
	case ir.OpSub:
		r = span{s.lo - t.hi, s.hi - t.lo}
	case ir.OpMul, ir.OpDiv:
		if x.Op == ir.OpDiv {
			if t.lo <= 0 && t.hi >= 0 {
				return span{}, false
			}
			t = span{1 / t.hi, 1 / t.lo}
		}
		a, b, c, d := s.lo*t.lo, s.lo*t.hi, s.hi*t.lo, s.hi*t.hi
		r = span{min(a, b, c, d), max(a, b, c, d)}
	case ir.OpMin:
		r = span{min(s.lo, t.lo), min(s.hi, t.hi)}
	case ir.OpMax:
		r = span{max(s.lo, t.lo), max(s.hi, t.hi)}
	default:
		return span{}, false
	}
	r = r.wide()
	return r, !math.IsInf(r.lo, 0) && !math.IsInf(r.hi, 0) && !math.IsNaN(r.lo+r.hi)
}

func (l *lowerer) spanPointer(x ir.Expr) *span {
	if x.Kind() != ir.F64 {
		return nil
	}
	if s, ok := l.spanOf(x); ok {
		return &s
	}
	return nil
}

// joinSpans bounds the elements of two arrays.
func joinSpans(x, y *span) *span {
	if x == nil || y == nil {
		return nil
	}
	return &span{min(x.lo, y.lo), max(x.hi, y.hi)}
}
