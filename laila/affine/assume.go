package affine

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Assumptions are what holds of the variables of sums: that some are not negative
// (i ≥ 0, n-1-i ≥ 0, n-b×q ≥ 0), that variables are sums of others (n = q×b + 1), and
// ranges. The zero value knows nothing. Values do not change: Where and WhereEqual
// return more assumptions.
//
// Proofs are by symbolic elimination (thesis 003, section 6.7, asks for them in place
// of an SMT solver): sums stand for variables; then variables give way to their bounds
// one by one. What is not proved may hold all the same.
type Assumptions struct {
	// Range bounds the values of a variable; nil knows no bounds.
	Range func(v *ir.Var) (lo, hi int64)

	equal  []equation
	least  []Poly // not negative
	models *models
	steps  *int // what proofs may take together, where that is limited
}

type equation struct {
	v *ir.Var
	p Poly
}

// Where assumes that sums are not negative, too.
func (a Assumptions) Where(least ...Poly) Assumptions {
	a.least, a.models = slices.Clip(a.least), &models{}
	for _, p := range least {
		p = a.Normal(p)
		if _, constant := p.Constant(); p.Known() && !constant {
			a.least = append(a.least, p)
		}
	}
	return a
}

// Len is how many sums are assumed not to be negative.
func (a Assumptions) Len() int { return len(a.least) }

// WhereEqual assumes that v is p, in which v is not.
func (a Assumptions) WhereEqual(v *ir.Var, p Poly) Assumptions {
	p = a.Normal(p)
	if !p.Known() || p.Mentions(v) {
		return a
	}
	equal := []equation{{v, p}}
	for _, e := range a.equal {
		equal = append(equal, equation{e.v, e.p.Substitute(v, p)})
	}
	a.equal = equal
	least := a.least
	a.least = nil
	return a.Where(least...)
}

// Normal returns p in terms of variables that nothing is known to be equal to.
func (a Assumptions) Normal(p Poly) Poly {
	for _, e := range a.equal {
		if q := p.Substitute(e.v, e.p); q.Known() {
			p = q
		}
	}
	return p
}

// Equal reports whether p and q are one value, for certain.
func (a Assumptions) Equal(p, q Poly) bool { return a.Normal(p.Minus(q)).IsZero() }

// Less reports whether p < q for certain.
func (a Assumptions) Less(p, q Poly) bool { return a.NotNegative(q.Minus(p).Add(-1)) }

// AtMost reports whether p ≤ q for certain.
func (a Assumptions) AtMost(p, q Poly) bool { return a.NotNegative(q.Minus(p)) }

// Positive reports whether p > 0 for certain.
func (a Assumptions) Positive(p Poly) bool { return a.NotNegative(p.Add(-1)) }

// Steps of a proof, and of eliminations in a row.
const (
	proofSteps = 100
	proofDepth = 12
)

// NotNegative reports whether p ≥ 0 for certain.
func (a Assumptions) NotNegative(p Poly) bool {
	s := &proof{a: a, steps: proofSteps}
	if a.steps != nil {
		s.steps = min(s.steps, *a.steps)
		left := s.steps
		defer func() { *a.steps -= left - s.steps }()
	}
	s.first = s.steps
	return s.notNegative(a.Normal(p), nil, 0)
}

// Sign says whether p ≥ 0: yes, no, or the test whether it is.
func (a Assumptions) Sign(p Poly) Answer {
	switch p = a.Normal(p); {
	case a.NotNegative(p):
		return Answer{Is: Yes}
	case a.NotNegative(p.Scaled(-1).Add(-1)):
		return Answer{Is: No}
	}
	return Answer{Is: Depends, Test: atLeastZero(p)}
}

type proof struct {
	a     Assumptions
	steps int // that are left
	first int // and were at first
}

// notNegative proves p ≥ 0. With p = a×v + c and an assumption q = k×v + r ≥ 0, where
// k is a number, |k|×p - (a×sign k)×q has no a×v, and p is not negative where that
// and a×sign k are not. The variables in gone are not brought back.
func (s *proof) notNegative(p Poly, gone []*ir.Var, depth int) bool {
	if c, ok := p.Constant(); ok || !p.Known() {
		return ok && c >= 0
	}
	lo, hi := s.bounds(p)
	if lo >= 0 || hi < 0 || depth > proofDepth || s.refutes(p) {
		return lo >= 0
	}
	if depth == 0 && slices.ContainsFunc(s.a.least, func(q Poly) bool {
		d := p.Minus(q)
		lo, _ := s.bounds(d)
		return lo >= 0 && d.Known()
	}) {
		return true
	}
	for _, v := range p.Vars() {
		a, _ := p.Split(v)
		for _, q := range s.about(v) {
			if s.steps--; s.steps < 0 {
				return false
			}
			k, r := q.Split(v)
			if slices.ContainsFunc(gone, r.Mentions) {
				continue
			}
			n, _ := k.Constant()
			factor := a.Scaled(sign(n))
			rest := p.Scaled(abs(n)).Minus(factor.Times(q))
			// The bound of a variable that is a factor of itself stays.
			left := gone
			if !rest.Mentions(v) {
				left = append(gone[:len(gone):len(gone)], v)
			}
			if s.notNegative(factor, nil, depth+4) && s.notNegative(rest, left, depth+1) {
				return true
			}
		}
	}
	return false
}

func sign(n int64) int64 {
	if n < 0 {
		return -1
	}
	return 1
}

// about returns the assumptions with a multiple of v: those on other variables first.
func (s *proof) about(v *ir.Var) []Poly {
	var list []Poly
	for _, q := range s.a.least {
		k, _ := q.Split(v)
		if n, ok := k.Constant(); ok && n != 0 {
			list = append(list, q)
		}
	}
	slices.SortStableFunc(list, func(p, q Poly) int { return len(q.terms) - len(p.terms) })
	lo, hi := s.rangeOf(v)
	if lo > -farAway {
		list = append(list, Of(v).Add(-lo))
	}
	if hi < farAway {
		list = append(list, Const(hi).Minus(Of(v)))
	}
	return list
}

// farAway is what takes no part in proofs as a bound.
const farAway = 1 << 48

func (s *proof) rangeOf(v *ir.Var) (lo, hi int64) {
	lo, hi = math.MinInt64, math.MaxInt64
	if s.a.Range != nil {
		lo, hi = s.a.Range(v)
	}
	for _, q := range s.a.least { // k×v + c ≥ 0
		n := len(q.terms)
		if n > 2 || len(q.terms[n-1].Vars) != 1 || q.terms[n-1].Vars[0] != v || n == 2 && len(q.terms[0].Vars) > 0 {
			continue
		}
		k, c := q.terms[n-1].K, q.Coef()
		if k > 0 {
			lo = max(lo, -floorDiv(c, k))
		} else {
			hi = min(hi, floorDiv(c, -k))
		}
	}
	return lo, hi
}

func floorDiv(a, b int64) int64 {
	if q := a / b; q*b > a {
		return q - 1
	} else {
		return q
	}
}

// bounds bounds p by the ranges of its variables.
func (s *proof) bounds(p Poly) (lo, hi int64) {
	for _, t := range p.terms {
		l, h := t.K, t.K
		for _, v := range t.Vars {
			vl, vh := s.rangeOf(v)
			a, b, c, d := mulBound(l, vl), mulBound(l, vh), mulBound(h, vl), mulBound(h, vh)
			l, h = min(a, b, c, d), max(a, b, c, d)
		}
		if lo != math.MinInt64 { // else there is no bound
			lo = addBound(lo, l)
		}
		if hi != math.MaxInt64 {
			hi = addBound(hi, h)
		}
		if l == math.MinInt64 {
			lo = l
		}
		if h == math.MaxInt64 {
			hi = h
		}
	}
	return lo, hi
}

// addBound adds; what is less than the least integer, or more than the greatest one,
// is that.
func addBound(a, b int64) int64 {
	switch c := a + b; {
	case a > 0 && b > 0 && c < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && c >= 0:
		return math.MinInt64
	default:
		return c
	}
}

// mulBound multiplies in the same way.
func mulBound(a, b int64) int64 {
	if c, ok := mulInt(a, b); ok {
		return c
	}
	if (a < 0) == (b < 0) {
		return math.MaxInt64
	}
	return math.MinInt64
}
