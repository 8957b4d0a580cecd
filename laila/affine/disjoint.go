package affine

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Two sets of addresses meet where the difference of an address of the one and one of
// the other can be 0. The difference is an offset and a sum of strided intervals
// (thesis 003, section 3.6.2), one for each axis of both:
//
//	d + Σ xₖ×δₖ,  loₖ ≤ xₖ ≤ hiₖ
//
// The paper matches the intervals of both sets, and splits those that overlap
// themselves. In the difference they are matched, and in place of splitting the axis
// below, the coefficient of the axis above is found: it is small, as the rest is small
// beside the stride, and each value that it may have is a case of its own.

// interval is the part of a difference that an axis makes.
type interval struct{ stride, lo, hi Poly }

// solver tells whether a difference can be 0.
type solver struct {
	a       Assumptions
	cases   int  // that are left
	witness bool // it is 0 for some
}

func newSolver(a Assumptions) *solver {
	steps := solverSteps
	a.steps = &steps
	return &solver{a: a, cases: maxCases}
}

// Limits of the solver: cases in all, steps of proofs in all, and values of one coefficient.
const (
	maxCases    = 300
	solverSteps = 4000
	maxValues   = 40
	symbolic    = 2 // greatest value of a coefficient that is not bounded by a number
)

// Disjoint says whether no address is in both l and m. The test is of sizes.
func (l LMAD) Disjoint(a Assumptions, m LMAD) Answer {
	if !l.Known() || !m.Known() {
		return Answer{}
	}
	// Empty sets meet nothing: what is proved for the others holds.
	some := m.inhabited(l.inhabited(a))
	s := newSolver(some)
	d := l.Offset.Minus(m.Offset)
	var parts []interval
	ok := true
	for _, x := range l.Dims {
		parts, ok = s.add(parts, interval{x.Stride, Poly{}, x.Count.Add(-1)}, ok)
	}
	for _, x := range m.Dims {
		parts, ok = s.add(parts, interval{x.Stride, Const(1).Minus(x.Count), Poly{}}, ok)
	}
	if !ok {
		return Answer{}
	}
	c := s.nonZero(d, parts, true)
	return answer(c, s.witness && l.hasElement(a) && m.hasElement(a))
}

// Injective says whether all elements of l have addresses of their own, so that it can
// be written through.
func (l LMAD) Injective(a Assumptions) Answer {
	if !l.Known() {
		return Answer{}
	}
	some := l.inhabited(a)
	cond, witness := Cond{op: always}, false
	for i, d := range l.Dims { // the first axis in which two elements differ
		if a.AtMost(d.Count, Const(1)) {
			continue
		}
		if a.Normal(d.Stride).IsZero() {
			x := a.Sign(Const(1).Minus(d.Count))
			cond, witness = both(cond, x.cond()), witness || x.Is == No
			continue
		}
		s := newSolver(some.Where(d.Count.Add(-2)))
		var parts []interval
		ok := true
		for k, x := range l.Dims[i:] {
			n := x.Count.Add(-1)
			p := interval{x.Stride, n.Scaled(-1), n}
			if k == 0 {
				p.lo = Const(1)
			}
			parts, ok = s.add(parts, p, ok)
		}
		if !ok {
			return Answer{}
		}
		cond = both(cond, s.nonZero(Poly{}, parts, true))
		witness = witness || s.witness && a.Less(Const(1), d.Count)
	}
	return answer(cond, witness && l.hasElement(a))
}

// Independent says whether no iteration of a loop, v from lo to hi-1, touches in m what
// another one touches in l (section 6.6.2).
func Independent(a Assumptions, v *ir.Var, lo, hi Poly, l, m LMAD) Answer {
	here := a.Where(Of(v).Minus(lo), hi.Minus(Of(v)).Add(-1))
	before, ok := m.Expand(v, lo, Of(v).Minus(lo))
	behind, ok2 := m.Expand(v, Of(v).Add(1), hi.Minus(Of(v)).Add(-1))
	if !ok || !ok2 {
		return Answer{}
	}
	x := Set{Of: []LMAD{l}}.Disjoint(here, Set{Of: []LMAD{before, behind}})
	if x.Is == Depends { // the loop's variable is in the test, which is before the loop
		x = Answer{}
	}
	return x
}

// Subset says whether all addresses of l are in m, too: never no.
func (l LMAD) Subset(a Assumptions, m LMAD) Answer {
	a = l.inhabited(a)
	holds := Cond{op: always} // m has an element
	for _, d := range m.Dims {
		holds = both(holds, a.Sign(d.Count.Add(-1)).cond())
	}
	m, ok := m.Normalise(m.inhabited(a))
	l, ok2 := l.Normalise(a)
	if !ok || !ok2 {
		return Answer{}
	}
	cond := Cond{}
	if dense := m.coalesced(a); len(dense) == 0 || len(dense) == 1 && a.Equal(dense[0].Stride, Const(1)) {
		lo, hi, ok := l.Hull(a)
		from, to, ok2 := m.Hull(a)
		if ok && ok2 {
			cond = both(a.Sign(lo.Minus(from)).cond(), a.Sign(to.Minus(hi)).cond())
		}
	}
	if cond.op != always {
		cond = either(cond, subsetByAxes(a, l, m))
	}
	return answer(both(holds, cond), false)
}

// subsetByAxes compares axes of the same strides.
func subsetByAxes(a Assumptions, l, m LMAD) Cond {
	d := l.Offset.Minus(m.Offset)
	cond := Cond{op: always}
	for _, x := range m.Dims {
		var q Poly
		q, d = d.DivMod(x.Stride)
		n := x.Count.Add(-1).Minus(q) // elements of m's axis behind l's
		for i, y := range l.Dims {
			if a.Equal(x.Stride, y.Stride) {
				n = n.Minus(y.Count.Add(-1))
				l = l.with(i, l.Offset)
				break
			}
		}
		cond = both(cond, both(a.Sign(q).cond(), a.Sign(n).cond()))
	}
	for _, y := range l.Dims {
		cond = both(cond, a.Sign(Const(1).Minus(y.Count)).cond())
	}
	if !a.Normal(d).IsZero() {
		return Cond{}
	}
	return cond
}

// add adds an interval, with a positive stride, to that of the same stride, or before
// those of lesser ones. It is not ok where the sign of the stride is not known.
func (s *solver) add(list []interval, x interval, ok bool) ([]interval, bool) {
	x = interval{s.a.Normal(x.stride), s.a.Normal(x.lo), s.a.Normal(x.hi)}
	switch {
	case !ok:
		return nil, false
	case x.stride.IsZero(), x.lo.IsZero() && x.hi.IsZero():
		return list, true
	case s.a.Positive(x.stride):
	case s.a.Positive(x.stride.Scaled(-1)):
		x = interval{x.stride.Scaled(-1), x.hi.Scaled(-1), x.lo.Scaled(-1)}
	default:
		return nil, false
	}
	for i, y := range list {
		if y.stride.Equal(x.stride) {
			list[i].lo, list[i].hi = y.lo.Plus(x.lo), y.hi.Plus(x.hi)
			return list, true
		}
	}
	i := 0
	for i < len(list) && !s.a.Less(list[i].stride, x.stride) {
		i++
	}
	return slices.Insert(list, i, x), true
}

// nonZero is where d and the sum of the intervals are not 0, as far as that is seen.
// All coefficients that were found are within their intervals where real is set.
func (s *solver) nonZero(d Poly, parts []interval, real bool) Cond {
	if s.cases--; s.cases < 0 {
		return Cond{}
	}
	d = s.a.Normal(d)
	if s.indivisible(d, parts) {
		return Cond{op: always}
	}
	for _, p := range parts {
		if s.a.Less(p.hi, p.lo) {
			return Cond{op: always}
		}
	}
	cond := s.apart(sumOf(d, parts))
	if cond.op == always {
		return cond
	}
	parts = slices.Clone(parts)
	for i, p := range parts {
		var q Poly
		q, d = d.DivMod(p.stride)
		parts[i].lo, parts[i].hi = p.lo.Plus(q), p.hi.Plus(q)
	}
	if real && d.IsZero() && s.holdZero(parts) {
		s.witness = true
		return Cond{}
	}
	if len(parts) == 0 || s.witness {
		return cond
	}
	return either(cond, s.byCases(d, parts, real))
}

// byCases finds the values that a coefficient may have, and looks at each.
func (s *solver) byCases(d Poly, parts []interval, real bool) Cond {
	var p interval
	var rest []interval
	var from, to int64
	var cond Cond
	for k := range parts { // the first one that is bounded, else the first
		others := slices.Concat(parts[:k], parts[k+1:])
		lo, hi := sumOf(d, others)
		b, c := s.greatest(parts[k], lo)
		mirrored := interval{parts[k].stride, parts[k].hi.Scaled(-1), parts[k].lo.Scaled(-1)}
		a, e := s.greatest(mirrored, hi.Scaled(-1))
		if x := both(c, e); k == 0 || x.op == always {
			p, rest, from, to, cond = parts[k], others, -a, b, x
		}
		if cond.op == always {
			break
		}
	}
	if to-from >= maxValues {
		return Cond{}
	}
	for c := from; c <= to && cond.op != never; c++ {
		x := Const(c)
		inside := real && s.a.AtMost(p.lo, x) && s.a.AtMost(x, p.hi)
		outside := s.apart(p.lo.Minus(x), p.hi.Minus(x))
		if outside.op != always {
			outside = either(outside, s.nonZero(d.Plus(p.stride.Scaled(c)), rest, inside))
		}
		cond = both(cond, outside)
	}
	return cond
}

// greatest returns the greatest coefficient of p for which the sum can be 0, where the
// rest is lo at least; or 0, and where that is it.
func (s *solver) greatest(p interval, lo Poly) (int64, Cond) {
	hi, most := p.hi.Constant()
	if d, ok := p.stride.Constant(); ok {
		if r, ok := lo.Constant(); ok {
			c := floorDiv(-r, d)
			if most {
				c = min(c, hi)
			}
			return c, Cond{op: always}
		}
	}
	beyond := func(c int64) Poly { return p.stride.Scaled(c + 1).Plus(lo).Add(-1) }
	below := func(c int64) bool { return s.a.AtMost(p.hi, Const(c)) || s.a.NotNegative(beyond(c)) }
	for c := int64(0); c <= symbolic; c++ {
		if !below(c) {
			continue
		}
		for ; c <= 0 && c > -symbolic && below(c-1); c-- {
		}
		return c, Cond{op: always}
	}
	if most {
		return hi, Cond{op: always}
	}
	return 0, atLeastZero(s.a.Normal(beyond(0)))
}

// sumOf bounds d and the sum of intervals.
func sumOf(d Poly, parts []interval) (lo, hi Poly) {
	lo, hi = d, d
	for _, p := range parts {
		lo, hi = lo.Plus(p.stride.Times(p.lo)), hi.Plus(p.stride.Times(p.hi))
	}
	return lo, hi
}

// apart is where 0 is not from lo to hi.
func (s *solver) apart(lo, hi Poly) Cond {
	above, below := lo.Add(-1), hi.Scaled(-1).Add(-1)
	return either(s.a.Sign(above).cond(), s.a.Sign(below).cond())
}

// indivisible reports whether all but a number is a multiple of another number that it
// is not a multiple of.
func (s *solver) indivisible(d Poly, parts []interval) bool {
	g := d.Content()
	for _, p := range parts {
		g = gcd(g, p.stride.Divisor())
	}
	return d.Known() && g > 1 && d.Coef()%g != 0
}

// holdZero reports whether all intervals have 0 for certain.
func (s *solver) holdZero(parts []interval) bool {
	for _, p := range parts {
		if !s.a.NotNegative(p.hi) || !s.a.NotNegative(p.lo.Scaled(-1)) {
			return false
		}
	}
	return true
}
