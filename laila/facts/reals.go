package facts

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Reals says between which numbers a double lies. A result of a sum, a
// difference, a product or a root of numbers within bounds lies within what the
// same operation makes of the bounds, since rounding keeps order.
type Reals struct {
	Lo, Hi float64
	nan    bool // it may be NaN
	Minus  bool // it may be ¯0
}

var anyDouble = Reals{math.Inf(-1), math.Inf(1), true, true}

// Finite reports whether b has neither infinities nor NaN.
func (b Reals) Finite() bool { return !b.nan && !math.IsInf(b.Lo, 0) && !math.IsInf(b.Hi, 0) }

// Within reports whether a number in b lies between -limit and limit and is not
// ¯0.
func (b Reals) Within(limit float64) bool {
	return !b.nan && !b.Minus && -limit <= b.Lo && b.Hi <= limit
}

// Union bounds a number of b or of c.
func (b Reals) Union(c Reals) Reals {
	return Reals{min(b.Lo, c.Lo), max(b.Hi, c.Hi), b.nan || c.nan, b.Minus || c.Minus}
}

// Bounder bounds the doubles of a block without loops, each of whose variables
// is set once.
type Bounder struct {
	Base  *Base
	Defs  map[*ir.Var]ir.Expr           // what variables are
	Known map[*ir.Var]Reals             // of variables that are not defined in the block
	Rows  map[*ir.Buf]Reals             // of arrays
	Sum   func(x ir.Expr) (Reals, bool) // of sums that are known otherwise
	Memo  map[*ir.Var]Reals
	Under bool // a condition is assumed
}

// With returns bounds that hold where cond is true.
func (b *Bounder) With(cond ir.Expr) *Bounder {
	c := &Bounder{Base: b.Base, Defs: b.Defs, Rows: b.Rows, Sum: b.Sum, Known: map[*ir.Var]Reals{}, Memo: map[*ir.Var]Reals{}, Under: true}
	for v, r := range b.Known {
		c.Known[v] = r
	}
	c.assume(cond, 8)
	return c
}

// assume notes what follows from the truth of cond.
func (b *Bounder) assume(cond ir.Expr, depth int) {
	if depth == 0 {
		return
	}
	switch x := cond.(type) {
	case *ir.Use:
		if def := b.Defs[x.Var]; def != nil {
			b.assume(def, depth-1)
		}
	case *ir.Binary:
		less, more := x.X, x.Y
		switch x.Op {
		case ir.OpAnd:
			b.assume(x.X, depth-1)
			b.assume(x.Y, depth-1)
			return
		case ir.OpGt, ir.OpGe:
			less, more = more, less
		case ir.OpLt, ir.OpLe:
		default:
			return
		}
		if less.Kind() == ir.F64 {
			low, high := b.Of(less).Lo, b.Of(more).Hi
			b.limit(less, math.Inf(-1), high, depth)
			b.limit(more, low, math.Inf(1), depth)
		}
	}
}

// limit notes what follows from lo ≤ x and x ≤ hi, which say too that x is no
// NaN, and so that none of its terms and factors are.
func (b *Bounder) limit(x ir.Expr, lo, hi float64, depth int) {
	// Rounding may have made x a little less or more than it would be.
	if !math.IsInf(lo, 0) {
		lo -= math.Abs(lo)*1e-12 + 1e-300
	}
	if !math.IsInf(hi, 0) {
		hi += math.Abs(hi)*1e-12 + 1e-300
	}
	if depth == 0 || math.IsNaN(lo) || math.IsNaN(hi) {
		return
	}
	switch x := x.(type) {
	case *ir.Use:
		r := b.Of(x)
		b.Known[x.Var] = Reals{max(r.Lo, lo), min(r.Hi, hi), false, r.Minus}
		if def := b.Defs[x.Var]; def != nil {
			b.limit(def, lo, hi, depth-1)
		}
		clear(b.Memo)
	case *ir.Unary:
		switch x.Op {
		case ir.OpAbs:
			b.limit(x.X, -hi, hi, depth-1)
		case ir.OpNeg:
			b.limit(x.X, -hi, -lo, depth-1)
		}
	case *ir.Binary:
		switch {
		case x.Op == ir.OpAdd:
			p, q := b.Of(x.X), b.Of(x.Y)
			b.limit(x.X, lo-q.Hi, hi-q.Lo, depth-1)
			b.limit(x.Y, lo-p.Hi, hi-p.Lo, depth-1)
		case x.Op == ir.OpSub:
			p, q := b.Of(x.X), b.Of(x.Y)
			b.limit(x.X, lo+q.Lo, hi+q.Hi, depth-1)
			b.limit(x.Y, p.Lo-hi, p.Hi-lo, depth-1)
		case x.Op == ir.OpMul && ir.Same(x.X, x.Y) && hi >= 0:
			root := math.Sqrt(hi) * (1 + 1e-12)
			b.limit(x.X, -root, root, depth-1)
		}
	}
}

// Of bounds x.
func (b *Bounder) Of(x ir.Expr) Reals {
	switch x := x.(type) {
	case *ir.Float:
		return Reals{x.Val, x.Val, math.IsNaN(x.Val), x.Val == 0 && math.Signbit(x.Val)}.tidy()
	case *ir.Use:
		if r, ok := b.Memo[x.Var]; ok {
			return r
		}
		r, isKnown := b.Known[x.Var]
		if def := b.Defs[x.Var]; def != nil {
			d := b.Of(def)
			if !isKnown {
				r = d
			} else {
				r = Reals{max(r.Lo, d.Lo), min(r.Hi, d.Hi), r.nan && d.nan, r.Minus && d.Minus}
			}
		} else if !isKnown {
			r = anyDouble
		}
		b.Memo[x.Var] = r
		return r
	case *ir.Load:
		if r, ok := b.Rows[x.Buf]; ok && x.Kind() == ir.F64 {
			return r
		}
	case *ir.Convert:
		if x.To == ir.F64 && x.X.Kind().Exact() {
			r := b.Base.RangeOf(x.X)
			return Reals{float64(r.Lo), float64(r.Hi), false, false}
		}
	case *ir.Select:
		switch {
		case x.Kind() != ir.F64:
		case b.Under:
			return b.Of(x.Then).Union(b.Of(x.Else))
		default:
			return b.With(x.Cond).Of(x.Then).Union(b.Of(x.Else))
		}
	case *ir.Unary:
		return b.ofUnary(x)
	case *ir.Binary:
		return b.ofBinary(x)
	}
	return anyDouble
}

// tidy gives bounds that arithmetic left without order the widest.
func (b Reals) tidy() Reals {
	if math.IsNaN(b.Lo) || math.IsNaN(b.Hi) {
		return Reals{math.Inf(-1), math.Inf(1), true, b.Minus}
	}
	return b
}

func (b *Bounder) ofUnary(x *ir.Unary) Reals {
	if x.Kind() != ir.F64 {
		return anyDouble
	}
	r := b.Of(x.X)
	switch x.Op {
	case ir.OpNeg:
		return Reals{-r.Hi, -r.Lo, r.nan, r.Lo <= 0 && r.Hi >= 0}
	case ir.OpAbs:
		if r.Lo >= 0 {
			return Reals{r.Lo, r.Hi, r.nan, false}
		}
		return Reals{0, max(-r.Lo, r.Hi), r.nan, false}
	case ir.OpSqrt:
		if r.Lo >= 0 {
			return Reals{math.Sqrt(r.Lo), math.Sqrt(r.Hi), r.nan, r.Minus}
		}
	}
	return anyDouble
}

func (b *Bounder) ofBinary(x *ir.Binary) Reals {
	if x.Kind() != ir.F64 {
		return anyDouble
	}
	if x.Op == ir.OpAdd && b.Sum != nil && !b.Under {
		if r, ok := b.Sum(x); ok {
			return r
		}
	}
	p, q := b.Of(x.X), b.Of(x.Y)
	nan := p.nan || q.nan
	switch x.Op {
	case ir.OpAdd: // ¯0 is the sum of ¯0 and ¯0 only
		r := Reals{p.Lo + q.Lo, p.Hi + q.Hi, nan, p.Minus && q.Minus}
		r.nan = r.nan || math.IsInf(p.Lo, -1) && math.IsInf(q.Hi, 1) || math.IsInf(p.Hi, 1) && math.IsInf(q.Lo, -1)
		return r.tidy()
	case ir.OpSub: // ¯0 is the difference of ¯0 and 0 only
		r := Reals{p.Lo - q.Hi, p.Hi - q.Lo, nan, p.Minus}
		r.nan = r.nan || math.IsInf(p.Lo, -1) && math.IsInf(q.Lo, -1) || math.IsInf(p.Hi, 1) && math.IsInf(q.Hi, 1)
		return r.tidy()
	case ir.OpMul:
		if ir.Same(x.X, x.Y) {
			far := max(math.Abs(p.Lo), math.Abs(p.Hi))
			r := Reals{0, far * far, nan, false}
			if p.Lo > 0 || p.Hi < 0 {
				near := min(math.Abs(p.Lo), math.Abs(p.Hi))
				r.Lo = near * near
			}
			return r
		}
		if !p.Finite() || !q.Finite() {
			return anyDouble
		}
		a, c, d, e := p.Lo*q.Lo, p.Lo*q.Hi, p.Hi*q.Lo, p.Hi*q.Hi
		return Reals{min(a, c, d, e), max(a, c, d, e), false, p.Lo < 0 || q.Lo < 0 || p.Minus || q.Minus}
	case ir.OpMin, ir.OpMax:
		if nan {
			return anyDouble
		}
		if x.Op == ir.OpMin {
			return Reals{min(p.Lo, q.Lo), min(p.Hi, q.Hi), false, p.Minus || q.Minus}
		}
		return Reals{max(p.Lo, q.Lo), max(p.Hi, q.Hi), false, p.Minus || q.Minus}
	}
	return anyDouble
}
