package facts

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// reach bounds the magnitude of an integer in a step of a loop: it is at most
// m×M + c + e×E, where M is the greatest magnitude in the loop's arrays before
// the step and E that of its scalars and of the arrays that it only reads.
type reach struct{ m, c, e int64 }

// Reaches are bounds one of which holds.
type Reaches []reach

// maxReaches is the number of bounds that are told apart; maxFactor bounds
// their coefficients, so that no bound overflows where M and E have 32 bits.
const (
	maxReaches = 4
	maxFactor  = 1 << 24
)

func (r reach) within(s reach) bool { return r.m <= s.m && r.c <= s.c && r.e <= s.e }

// with adds a bound.
func (rs Reaches) with(r reach) Reaches {
	var out Reaches
	for _, s := range rs {
		if r.within(s) {
			return rs
		}
		if !s.within(r) {
			out = append(out, s)
		}
	}
	if len(out) == maxReaches {
		for _, s := range out {
			r = reach{max(r.m, s.m), max(r.c, s.c), max(r.e, s.e)}
		}
		return Reaches{r}
	}
	return append(out, r)
}

// Union has the bounds of both.
func (rs Reaches) Union(ss Reaches) Reaches {
	for _, s := range ss {
		rs = rs.with(s)
	}
	return rs
}

// plus bounds a sum or a difference.
func (rs Reaches) plus(ss Reaches) (Reaches, bool) {
	var out Reaches
	for _, r := range rs {
		for _, s := range ss {
			out = out.with(reach{r.m + s.m, r.c + s.c, r.e + s.e})
		}
	}
	return out, out.small()
}

// times bounds a product with a number of magnitude k at most.
func (rs Reaches) times(k int64) (Reaches, bool) {
	var out Reaches
	for _, r := range rs {
		if max(r.m, r.c, r.e) > maxFactor || k > maxFactor {
			return nil, false
		}
		out = out.with(reach{r.m * k, r.c * k, r.e * k})
	}
	return out, out.small()
}

func (rs Reaches) small() bool {
	for _, r := range rs {
		if max(r.m, r.e) > maxFactor || r.c > math.MaxInt32 {
			return false
		}
	}
	return true
}

// constant returns the greatest magnitude where it depends on neither arrays
// nor scalars.
func (rs Reaches) constant() (int64, bool) {
	k := int64(0)
	for _, r := range rs {
		if r.m != 0 || r.e != 0 {
			return 0, false
		}
		k = max(k, r.c)
	}
	return k, true
}

// Expr returns the greatest of the bounds.
func (rs Reaches) Expr(m, e ir.Expr) ir.Expr {
	var x ir.Expr = ir.Integer(0)
	for i, r := range rs {
		y := ir.Add(ir.Add(ir.Mul(m, ir.Integer(r.m)), ir.Mul(e, ir.Integer(r.e))), ir.Integer(r.c))
		if i == 0 {
			x = y
		} else {
			x = ir.OpMax.Of(x, y)
		}
	}
	return x
}

// Bounded bounds a range of 32 bits.
func Bounded(r Interval) (Reaches, bool) {
	if !r.Within(-math.MaxInt32, math.MaxInt32) {
		return nil, false
	}
	return Reaches{{c: max(-r.Lo, r.Hi, 0)}}, true
}

// Gain returns how far they are above M where E is this; it reports false where M is
// multiplied.
func (rs Reaches) Gain(e int64) (int64, bool) {
	most := int64(0)
	for _, r := range rs {
		x, ok := MulInt(r.e, e)
		if !ok || r.m > 1 {
			return 0, false
		}
		if x, ok = AddInt(x, r.c); !ok {
			return 0, false
		}
		most = max(most, x)
	}
	return most, true
}

// Step is the body of a loop, with what it sets.
type Step struct {
	Base    *Base
	Arrays  map[*ir.Buf]bool      // arrays that become narrow
	Outside map[*ir.Buf]bool      // those of them that exist before the step
	Input   map[*ir.Buf]bool      // those of these that do not change
	Stored  map[*ir.Buf][]ir.Expr // what is stored in them; nil is a copy of any of them
	Values  map[*ir.Var][]ir.Expr // what variables of the step are set to; nil is unknown
	Dims    map[*ir.Var]ir.Dim    // the loops of the step
	Known   map[*ir.Var]Reaches
	Begun   map[*ir.Var]bool
	Filled  map[*ir.Buf]Reaches
	Filling map[*ir.Buf]bool
	Symbols []*ir.Var // variables from before the step that bounds depend on
}

// NewStep returns a step of which nothing is noted.
func NewStep(b *Base) *Step {
	return &Step{Base: b, Arrays: map[*ir.Buf]bool{}, Outside: map[*ir.Buf]bool{}, Input: map[*ir.Buf]bool{}, Stored: map[*ir.Buf][]ir.Expr{}, Values: map[*ir.Var][]ir.Expr{},
		Dims: map[*ir.Var]ir.Dim{}, Known: map[*ir.Var]Reaches{}, Begun: map[*ir.Var]bool{}, Filled: map[*ir.Buf]Reaches{}, Filling: map[*ir.Buf]bool{}}
}

// Of bounds x; it reports false where nothing is known.
func (s *Step) Of(x ir.Expr) (Reaches, bool) {
	if r, ok := s.bound(x); ok {
		return r, true
	}
	return Bounded(s.Base.RangeOf(x))
}

func (s *Step) bound(x ir.Expr) (Reaches, bool) {
	if !x.Kind().Exact() {
		return nil, false
	}
	switch x := x.(type) {
	case *ir.Int:
		return Bounded(Interval{x.Val, x.Val})
	case *ir.Use:
		return s.Variable(x.Var)
	case *ir.Load:
		if s.Arrays[x.Buf] {
			return s.contents(x.Buf)
		}
	case *ir.Select:
		return s.either(x.Then, x.Else)
	case *ir.Convert:
		if x.To == ir.I64 {
			return s.Of(x.X)
		}
	case *ir.Unary:
		if x.Op == ir.OpNeg || x.Op == ir.OpAbs {
			return s.Of(x.X)
		}
	case *ir.Binary:
		if x.Op >= ir.OpLt || x.Kind() != ir.I64 {
			return nil, false
		}
		return s.binary(x)
	}
	return nil, false
}

func (s *Step) either(x, y ir.Expr) (Reaches, bool) {
	a, ok := s.Of(x)
	b, ok2 := s.Of(y)
	return append(Reaches{}, a...).Union(b), ok && ok2
}

func (s *Step) binary(x *ir.Binary) (Reaches, bool) {
	switch x.Op {
	case ir.OpMin, ir.OpMax:
		return s.either(x.X, x.Y)
	case ir.OpAdd, ir.OpSub, ir.OpMul:
		a, ok := s.Of(x.X)
		b, ok2 := s.Of(x.Y)
		if !ok || !ok2 {
			return nil, false
		}
		if x.Op != ir.OpMul {
			return a.plus(b)
		}
		if k, ok := a.constant(); ok {
			return b.times(k)
		}
		if k, ok := b.constant(); ok {
			return a.times(k)
		}
	case ir.OpRem: // below the divisor
		if r, ok := s.Of(x.Y); ok {
			return r, true
		}
		return s.Of(x.X)
	case ir.OpQuo:
		return s.Of(x.X)
	case ir.OpAnd:
		if s.Chosen(x) {
			return s.either(x.X, x.Y)
		}
	}
	return nil, false
}

// Chosen reports whether x is a number where a truth value is 1, and else 0: -b & y.
func (s *Step) Chosen(x *ir.Binary) bool {
	mask := func(y ir.Expr) bool {
		n, ok := y.(*ir.Unary)
		return ok && n.Op == ir.OpNeg && s.Base.RangeOf(n.X).Within(0, 1)
	}
	return x.Op == ir.OpAnd && (mask(x.X) || mask(x.Y))
}

// Variable bounds what a variable can be in a step.
func (s *Step) Variable(v *ir.Var) (Reaches, bool) {
	if r, ok := s.Known[v]; ok {
		return r, r != nil
	}
	if v.Kind != ir.I64 {
		return Bounded(RangeOfKind(v.Kind))
	}
	if s.Begun[v] {
		return nil, false
	}
	s.Begun[v] = true
	r, ok := s.fresh(v)
	if !ok {
		r, ok = Bounded(s.Base.RangeOf(v.Use()))
	}
	delete(s.Begun, v)
	if !ok {
		r = nil
	}
	s.Known[v] = r
	return r, ok
}

func (s *Step) fresh(v *ir.Var) (Reaches, bool) {
	if d, ok := s.Dims[v]; ok {
		return s.either(d.Lo, d.Hi)
	}
	xs, ok := s.Values[v]
	if !ok {
		s.Symbols = append(s.Symbols, v)
		return Reaches{{e: 1}}, true
	}
	var all Reaches
	for _, x := range xs {
		if x == nil {
			return nil, false
		}
		r, ok := s.Of(Others(v, x))
		if !ok {
			return nil, false
		}
		all = append(Reaches{}, all...).Union(r)
	}
	return all, true
}

// Others returns what v becomes besides itself: y for the greater, or the
// lesser, one of v and y.
func Others(v *ir.Var, x ir.Expr) ir.Expr {
	b, ok := x.(*ir.Binary)
	if !ok || b.Op != ir.OpMin && b.Op != ir.OpMax {
		return x
	}
	if u, ok := b.X.(*ir.Use); ok && u.Var == v {
		return b.Y
	}
	if u, ok := b.Y.(*ir.Use); ok && u.Var == v {
		return b.X
	}
	return x
}

// contents bounds the elements of an array during a step.
func (s *Step) contents(b *ir.Buf) (Reaches, bool) {
	if r, ok := s.Filled[b]; ok {
		return r, r != nil
	}
	if s.Filling[b] {
		return nil, false
	}
	s.Filling[b] = true
	all, ok := Reaches{{}}, true
	switch {
	case s.Input[b]:
		all = Reaches{{e: 1}}
	case s.Outside[b]:
		all = Reaches{{m: 1}}
	}
	for _, x := range s.Stored[b] {
		r, known := s.Of(x)
		ok = ok && known
		all = append(Reaches{}, all...).Union(r)
	}
	delete(s.Filling, b)
	if !ok {
		all = nil
	}
	s.Filled[b] = all
	return all, ok
}
