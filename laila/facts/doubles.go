package facts

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Span is a range of doubles; it excludes NaN.
type Span struct{ Lo, Hi float64 }

// rounded is the range of what an operation makes of ranges whose ends it has made s of:
// rounding keeps order. Where results may differ in their last digits it is a little wider.
func (l *Base) rounded(s Span) Span {
	if !l.Relaxed {
		return s
	}
	return Span{s.Lo - math.Abs(s.Lo)*1e-12, s.Hi + math.Abs(s.Hi)*1e-12}
}

// near is more than the comparison tolerance: a number that is as near to an integer may
// have it for its floor.
const near = 1e-8

// floor is the range of the floors of s, tolerant or not.
func (s Span) floor() Span {
	return Span{math.Floor(s.Lo), math.Floor(s.Hi + near*max(1, math.Abs(s.Hi)))}
}

// SpanOf bounds a double expression, where that is possible.
func (l *Base) SpanOf(x ir.Expr) (Span, bool) {
	switch x := x.(type) {
	case *ir.Float:
		return Span{x.Val, x.Val}, !math.IsNaN(x.Val)
	case *ir.Use:
		s, ok := l.Spans[x.Var]
		return s, ok
	case *ir.Load:
		s, ok := l.BufSpans[x.Buf]
		return s, ok
	case *ir.Convert:
		if x.X.Kind() == ir.F64 {
			break
		}
		r := l.RangeOf(x.X)
		return Span{float64(r.Lo), float64(r.Hi)}, true
	case *ir.Unary:
		s, ok := l.SpanOf(x.X)
		switch x.Op {
		case ir.OpNeg:
			return Span{-s.Hi, -s.Lo}, ok
		case ir.OpSqrt:
			return l.rounded(Span{math.Sqrt(s.Lo), math.Sqrt(s.Hi)}), ok && s.Lo >= 0
		case ir.OpAbs:
			if s.Lo >= 0 {
				return s, ok
			}
			return Span{0, max(-s.Lo, s.Hi)}, ok
		}
	case *ir.Binary:
		return l.spanOfBinary(x)
	case *ir.Select:
		s, ok := l.SpanOf(x.Then)
		t, ok2 := l.SpanOf(x.Else)
		return Span{min(s.Lo, t.Lo), max(s.Hi, t.Hi)}, ok && ok2
	case *ir.Math:
		switch x.Fn {
		case "tl_floord", "tl_floorx", "floor":
			s, ok := l.SpanOf(x.Args[0])
			return s.floor(), ok
		case "tl_ceild", "tl_ceilx", "ceil":
			s, ok := l.SpanOf(x.Args[0])
			s = Span{-s.Hi, -s.Lo}.floor()
			return Span{-s.Hi, -s.Lo}, ok
		case "tl_ratio":
			return l.spanOfBinary(&ir.Binary{Op: ir.OpDiv, X: x.Args[0], Y: x.Args[3]})
		case "tl_rolld_at":
			return Units, true
		}
	}
	return Span{}, false
}

func (l *Base) spanOfBinary(x *ir.Binary) (Span, bool) {
	s, ok := l.SpanOf(x.X)
	t, ok2 := l.SpanOf(x.Y)
	if !ok || !ok2 {
		return Span{}, false
	}
	if x.Op == ir.OpMul && s.Lo < 0 && ir.Alike(x.X, x.Y) { // a square
		s = Span{0, max(-s.Lo, s.Hi)}
		t = s
	}
	var r Span
	switch x.Op {
	case ir.OpAdd:
		r = Span{s.Lo + t.Lo, s.Hi + t.Hi}
	case ir.OpSub:
		r = Span{s.Lo - t.Hi, s.Hi - t.Lo}
	case ir.OpMul, ir.OpDiv:
		if x.Op == ir.OpDiv && t.Lo <= 0 && t.Hi >= 0 {
			return Span{}, false
		}
		op := func(x, y float64) float64 { return x * y }
		if x.Op == ir.OpDiv {
			op = func(x, y float64) float64 { return x / y }
		}
		a, b, c, d := op(s.Lo, t.Lo), op(s.Lo, t.Hi), op(s.Hi, t.Lo), op(s.Hi, t.Hi)
		r = Span{min(a, b, c, d), max(a, b, c, d)}
	case ir.OpMin:
		r = Span{min(s.Lo, t.Lo), min(s.Hi, t.Hi)}
	case ir.OpMax:
		r = Span{max(s.Lo, t.Lo), max(s.Hi, t.Hi)}
	default:
		return Span{}, false
	}
	r = l.rounded(r)
	return r, !math.IsInf(r.Lo, 0) && !math.IsInf(r.Hi, 0) && !math.IsNaN(r.Lo+r.Hi)
}

// SpanPointer is SpanOf, nil where nothing is known of x.
func (l *Base) SpanPointer(x ir.Expr) *Span {
	if x.Kind() != ir.F64 {
		return nil
	}
	if s, ok := l.SpanOf(x); ok {
		return &s
	}
	return nil
}

// JoinSpans bounds the elements of two arrays.
func JoinSpans(x, y *Span) *Span {
	if x == nil || y == nil {
		return nil
	}
	return &Span{min(x.Lo, y.Lo), max(x.Hi, y.Hi)}
}

// Units bounds random numbers between 0 and 1.
var Units = Span{0x1p-53, 1}
