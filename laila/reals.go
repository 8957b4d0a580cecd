package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// reals says between which numbers a double lies. A result of a sum, a
// difference, a product or a root of numbers within bounds lies within what the
// same operation makes of the bounds, since rounding keeps order.
type reals struct {
	lo, hi float64
	nan    bool // it may be NaN
	minus  bool // it may be ¯0
}

var anyDouble = reals{math.Inf(-1), math.Inf(1), true, true}

func (b reals) finite() bool { return !b.nan && !math.IsInf(b.lo, 0) && !math.IsInf(b.hi, 0) }

// within reports whether a number in b lies between -limit and limit and is not
// ¯0.
func (b reals) within(limit float64) bool {
	return !b.nan && !b.minus && -limit <= b.lo && b.hi <= limit
}

func (b reals) union(c reals) reals {
	return reals{min(b.lo, c.lo), max(b.hi, c.hi), b.nan || c.nan, b.minus || c.minus}
}

// bounder bounds the doubles of a block without loops, each of whose variables
// is set once.
type bounder struct {
	l     *lowerer
	defs  map[*ir.Var]ir.Expr           // what variables are
	known map[*ir.Var]reals             // of variables that are not defined in the block
	rows  map[*ir.Buf]reals             // of arrays
	sum   func(x ir.Expr) (reals, bool) // of sums that are known otherwise
	memo  map[*ir.Var]reals
	under bool // a condition is assumed
}

// with returns bounds that hold where cond is true.
func (b *bounder) with(cond ir.Expr) *bounder {
	c := &bounder{l: b.l, defs: b.defs, rows: b.rows, sum: b.sum, known: map[*ir.Var]reals{}, memo: map[*ir.Var]reals{}, under: true}
	for v, r := range b.known {
		c.known[v] = r
	}
	c.assume(cond, 8)
	return c
}

// assume notes what follows from the truth of cond.
func (b *bounder) assume(cond ir.Expr, depth int) {
	if depth == 0 {
		return
	}
	switch x := cond.(type) {
	case *ir.Use:
		if def := b.defs[x.Var]; def != nil {
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
			low, high := b.of(less).lo, b.of(more).hi
			b.limit(less, math.Inf(-1), high, depth)
			b.limit(more, low, math.Inf(1), depth)
		}
	}
}

// limit notes what follows from lo ≤ x and x ≤ hi, which say too that x is no
// NaN, and so that none of its terms and factors are.
func (b *bounder) limit(x ir.Expr, lo, hi float64, depth int) {
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
		r := b.of(x)
		b.known[x.Var] = reals{max(r.lo, lo), min(r.hi, hi), false, r.minus}
		if def := b.defs[x.Var]; def != nil {
			b.limit(def, lo, hi, depth-1)
		}
		clear(b.memo)
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
			p, q := b.of(x.X), b.of(x.Y)
			b.limit(x.X, lo-q.hi, hi-q.lo, depth-1)
			b.limit(x.Y, lo-p.hi, hi-p.lo, depth-1)
		case x.Op == ir.OpSub:
			p, q := b.of(x.X), b.of(x.Y)
			b.limit(x.X, lo+q.lo, hi+q.hi, depth-1)
			b.limit(x.Y, p.lo-hi, p.hi-lo, depth-1)
		case x.Op == ir.OpMul && ir.Same(x.X, x.Y) && hi >= 0:
			root := math.Sqrt(hi) * (1 + 1e-12)
			b.limit(x.X, -root, root, depth-1)
		}
	}
}

// of bounds x.
func (b *bounder) of(x ir.Expr) reals {
	switch x := x.(type) {
	case *ir.Float:
		return reals{x.Val, x.Val, math.IsNaN(x.Val), x.Val == 0 && math.Signbit(x.Val)}.tidy()
	case *ir.Use:
		if r, ok := b.memo[x.Var]; ok {
			return r
		}
		r, isKnown := b.known[x.Var]
		if def := b.defs[x.Var]; def != nil {
			d := b.of(def)
			if !isKnown {
				r = d
			} else {
				r = reals{max(r.lo, d.lo), min(r.hi, d.hi), r.nan && d.nan, r.minus && d.minus}
			}
		} else if !isKnown {
			r = anyDouble
		}
		b.memo[x.Var] = r
		return r
	case *ir.Load:
		if r, ok := b.rows[x.Buf]; ok && x.Kind() == ir.F64 {
			return r
		}
	case *ir.Convert:
		if x.To == ir.F64 && x.X.Kind().Exact() {
			r := b.l.rangeOf(x.X)
			return reals{float64(r.lo), float64(r.hi), false, false}
		}
	case *ir.Select:
		switch {
		case x.Kind() != ir.F64:
		case b.under:
			return b.of(x.Then).union(b.of(x.Else))
		default:
			return b.with(x.Cond).of(x.Then).union(b.of(x.Else))
		}
	case *ir.Unary:
		return b.ofUnary(x)
	case *ir.Binary:
		return b.ofBinary(x)
	}
	return anyDouble
}

// tidy gives bounds that arithmetic left without order the widest.
func (b reals) tidy() reals {
	if math.IsNaN(b.lo) || math.IsNaN(b.hi) {
		return reals{math.Inf(-1), math.Inf(1), true, b.minus}
	}
	return b
}

func (b *bounder) ofUnary(x *ir.Unary) reals {
	if x.Kind() != ir.F64 {
		return anyDouble
	}
	r := b.of(x.X)
	switch x.Op {
	case ir.OpNeg:
		return reals{-r.hi, -r.lo, r.nan, r.lo <= 0 && r.hi >= 0}
	case ir.OpAbs:
		if r.lo >= 0 {
			return reals{r.lo, r.hi, r.nan, false}
		}
		return reals{0, max(-r.lo, r.hi), r.nan, false}
	case ir.OpSqrt:
		if r.lo >= 0 {
			return reals{math.Sqrt(r.lo), math.Sqrt(r.hi), r.nan, r.minus}
		}
	}
	return anyDouble
}

func (b *bounder) ofBinary(x *ir.Binary) reals {
	if x.Kind() != ir.F64 {
		return anyDouble
	}
	if x.Op == ir.OpAdd && b.sum != nil && !b.under {
		if r, ok := b.sum(x); ok {
			return r
		}
	}
	p, q := b.of(x.X), b.of(x.Y)
	nan := p.nan || q.nan
	switch x.Op {
	case ir.OpAdd: // ¯0 is the sum of ¯0 and ¯0 only
		r := reals{p.lo + q.lo, p.hi + q.hi, nan, p.minus && q.minus}
		r.nan = r.nan || math.IsInf(p.lo, -1) && math.IsInf(q.hi, 1) || math.IsInf(p.hi, 1) && math.IsInf(q.lo, -1)
		return r.tidy()
	case ir.OpSub: // ¯0 is the difference of ¯0 and 0 only
		r := reals{p.lo - q.hi, p.hi - q.lo, nan, p.minus}
		r.nan = r.nan || math.IsInf(p.lo, -1) && math.IsInf(q.lo, -1) || math.IsInf(p.hi, 1) && math.IsInf(q.hi, 1)
		return r.tidy()
	case ir.OpMul:
		if ir.Same(x.X, x.Y) {
			far := max(math.Abs(p.lo), math.Abs(p.hi))
			r := reals{0, far * far, nan, false}
			if p.lo > 0 || p.hi < 0 {
				near := min(math.Abs(p.lo), math.Abs(p.hi))
				r.lo = near * near
			}
			return r
		}
		if !p.finite() || !q.finite() {
			return anyDouble
		}
		a, c, d, e := p.lo*q.lo, p.lo*q.hi, p.hi*q.lo, p.hi*q.hi
		return reals{min(a, c, d, e), max(a, c, d, e), false, p.lo < 0 || q.lo < 0 || p.minus || q.minus}
	case ir.OpMin, ir.OpMax:
		if nan {
			return anyDouble
		}
		if x.Op == ir.OpMin {
			return reals{min(p.lo, q.lo), min(p.hi, q.hi), false, p.minus || q.minus}
		}
		return reals{max(p.lo, q.lo), max(p.hi, q.hi), false, p.minus || q.minus}
	}
	return anyDouble
}
