package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// reach bounds the magnitude of an integer in a step of a loop: it is at most
// m×M + c + e×E, where M is the greatest magnitude in the loop's arrays before
// the step and E that of its scalars and of the arrays that it only reads.
type reach struct{ m, c, e int64 }

// reaches are bounds one of which holds.
type reaches []reach

// maxReaches is the number of bounds that are told apart; maxFactor bounds
// their coefficients, so that no bound overflows where M and E have 32 bits.
const (
	maxReaches = 4
	maxFactor  = 1 << 24
)

func (r reach) within(s reach) bool { return r.m <= s.m && r.c <= s.c && r.e <= s.e }

// with adds a bound.
func (rs reaches) with(r reach) reaches {
	var out reaches
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
		return reaches{r}
	}
	return append(out, r)
}

func (rs reaches) union(ss reaches) reaches {
	for _, s := range ss {
		rs = rs.with(s)
	}
	return rs
}

// plus bounds a sum or a difference.
func (rs reaches) plus(ss reaches) (reaches, bool) {
	var out reaches
	for _, r := range rs {
		for _, s := range ss {
			out = out.with(reach{r.m + s.m, r.c + s.c, r.e + s.e})
		}
	}
	return out, out.small()
}

// times bounds a product with a number of magnitude k at most.
func (rs reaches) times(k int64) (reaches, bool) {
	var out reaches
	for _, r := range rs {
		if max(r.m, r.c, r.e) > maxFactor || k > maxFactor {
			return nil, false
		}
		out = out.with(reach{r.m * k, r.c * k, r.e * k})
	}
	return out, out.small()
}

func (rs reaches) small() bool {
	for _, r := range rs {
		if max(r.m, r.e) > maxFactor || r.c > math.MaxInt32 {
			return false
		}
	}
	return true
}

// constant returns the greatest magnitude where it depends on neither arrays
// nor scalars.
func (rs reaches) constant() (int64, bool) {
	k := int64(0)
	for _, r := range rs {
		if r.m != 0 || r.e != 0 {
			return 0, false
		}
		k = max(k, r.c)
	}
	return k, true
}

// expr returns the greatest of the bounds.
func (rs reaches) expr(m, e ir.Expr) ir.Expr {
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

// reachOf bounds a range.
func reachOf(r interval) (reaches, bool) {
	if !r.within(-math.MaxInt32, math.MaxInt32) {
		return nil, false
	}
	return reaches{{c: max(-r.lo, r.hi, 0)}}, true
}

// step is the body of a loop, with what it sets.
type step struct {
	l       *lowerer
	arrays  map[*ir.Buf]bool      // arrays that become narrow
	outside map[*ir.Buf]bool      // those of them that exist before the step
	input   map[*ir.Buf]bool      // those of these that do not change
	stored  map[*ir.Buf][]ir.Expr // what is stored in them; nil is a copy of any of them
	values  map[*ir.Var][]ir.Expr // what variables of the step are set to; nil is unknown
	dims    map[*ir.Var]ir.Dim    // the loops of the step
	known   map[*ir.Var]reaches
	begun   map[*ir.Var]bool
	filled  map[*ir.Buf]reaches
	filling map[*ir.Buf]bool
	symbols []*ir.Var // variables from before the step that bounds depend on
}

// of bounds x; it reports false where nothing is known.
func (s *step) of(x ir.Expr) (reaches, bool) {
	if r, ok := s.bound(x); ok {
		return r, true
	}
	return reachOf(s.l.rangeOf(x))
}

func (s *step) bound(x ir.Expr) (reaches, bool) {
	if !x.Kind().Exact() {
		return nil, false
	}
	switch x := x.(type) {
	case *ir.Int:
		return reachOf(interval{x.Val, x.Val})
	case *ir.Use:
		return s.variable(x.Var)
	case *ir.Load:
		if s.arrays[x.Buf] {
			return s.contents(x.Buf)
		}
	case *ir.Select:
		return s.either(x.Then, x.Else)
	case *ir.Convert:
		if x.To == ir.I64 {
			return s.of(x.X)
		}
	case *ir.Unary:
		if x.Op == ir.OpNeg || x.Op == ir.OpAbs {
			return s.of(x.X)
		}
	case *ir.Binary:
		if x.Op >= ir.OpLt || x.Kind() != ir.I64 {
			return nil, false
		}
		return s.binary(x)
	}
	return nil, false
}

func (s *step) either(x, y ir.Expr) (reaches, bool) {
	a, ok := s.of(x)
	b, ok2 := s.of(y)
	return append(reaches{}, a...).union(b), ok && ok2
}

func (s *step) binary(x *ir.Binary) (reaches, bool) {
	switch x.Op {
	case ir.OpMin, ir.OpMax:
		return s.either(x.X, x.Y)
	case ir.OpAdd, ir.OpSub, ir.OpMul:
		a, ok := s.of(x.X)
		b, ok2 := s.of(x.Y)
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
		if r, ok := s.of(x.Y); ok {
			return r, true
		}
		return s.of(x.X)
	case ir.OpQuo:
		return s.of(x.X)
	}
	return nil, false
}

// variable bounds what a variable can be in a step.
func (s *step) variable(v *ir.Var) (reaches, bool) {
	if v.Kind != ir.I64 {
		return reachOf(rangeOfKind(v.Kind))
	}
	if r, ok := s.known[v]; ok {
		return r, r != nil
	}
	if s.begun[v] {
		return nil, false
	}
	s.begun[v] = true
	r, ok := s.fresh(v)
	if !ok {
		r, ok = reachOf(s.l.rangeOf(v.Use()))
	}
	delete(s.begun, v)
	if !ok {
		r = nil
	}
	s.known[v] = r
	return r, ok
}

func (s *step) fresh(v *ir.Var) (reaches, bool) {
	if d, ok := s.dims[v]; ok {
		return s.either(d.Lo, d.Hi)
	}
	xs, ok := s.values[v]
	if !ok {
		s.symbols = append(s.symbols, v)
		return reaches{{e: 1}}, true
	}
	var all reaches
	for _, x := range xs {
		if x == nil {
			return nil, false
		}
		r, ok := s.of(others(v, x))
		if !ok {
			return nil, false
		}
		all = append(reaches{}, all...).union(r)
	}
	return all, true
}

// others returns what v becomes besides itself: y for the greater, or the
// lesser, one of v and y.
func others(v *ir.Var, x ir.Expr) ir.Expr {
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
func (s *step) contents(b *ir.Buf) (reaches, bool) {
	if r, ok := s.filled[b]; ok {
		return r, r != nil
	}
	if s.filling[b] {
		return nil, false
	}
	s.filling[b] = true
	all, ok := reaches{{}}, true
	switch {
	case s.input[b]:
		all = reaches{{e: 1}}
	case s.outside[b]:
		all = reaches{{m: 1}}
	}
	for _, x := range s.stored[b] {
		r, known := s.of(x)
		ok = ok && known
		all = append(reaches{}, all...).union(r)
	}
	delete(s.filling, b)
	if !ok {
		all = nil
	}
	s.filled[b] = all
	return all, ok
}
