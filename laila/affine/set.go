package affine

import "github.com/tailor-lang/tailor/laila/ir"

// Normalise returns an LMAD of the same addresses whose strides are positive and
// descend (thesis 003, procedure 3.3; the offset of an axis turned round grows by
// (σ-1)×δ). It is not ok where the signs are not known; axes whose order is not known
// stay as they are.
func (l LMAD) Normalise(a Assumptions) (LMAD, bool) {
	out := LMAD{Offset: a.Normal(l.Offset)}
	for _, d := range l.Dims {
		d = Dim{a.Normal(d.Count), a.Normal(d.Stride)}
		switch {
		case d.Stride.IsZero():
			d.Count = Const(1)
			continue
		case a.Positive(d.Stride):
		case a.Positive(d.Stride.Scaled(-1)):
			out.Offset = out.Offset.Plus(d.Count.Add(-1).Times(d.Stride))
			d.Stride = d.Stride.Scaled(-1)
		default:
			return LMAD{}, false
		}
		out.Dims = append(out.Dims, d)
	}
	for i := range out.Dims { // by insertion: the order may be partial
		for j := i; j > 0 && a.Less(out.Dims[j-1].Stride, out.Dims[j].Stride); j-- {
			out.Dims[j-1], out.Dims[j] = out.Dims[j], out.Dims[j-1]
		}
	}
	return out, out.Known()
}

// Join makes one axis of axes i and i+1, where rows follow on each other without a gap.
func (l LMAD) Join(a Assumptions, i int) (LMAD, bool) {
	d, e := l.Dims[i], l.Dims[i+1]
	if !a.Equal(d.Stride, e.Count.Times(e.Stride)) {
		return LMAD{}, false
	}
	out := l.with(i+1, l.Offset)
	out.Dims[i] = Dim{d.Count.Times(e.Count), e.Stride}
	return out, true
}

// Split makes two axes of axis i: the second one has n elements, a divisor of its count.
func (l LMAD) Split(a Assumptions, i int, n Poly) (LMAD, bool) {
	d := l.Dims[i]
	rows, rest := a.Normal(d.Count).DivMod(a.Normal(n))
	if !rest.IsZero() {
		return LMAD{}, false
	}
	return l.with(i, l.Offset, Dim{rows, n.Times(d.Stride)}, Dim{n, d.Stride}), true
}

// Expand returns the union of l for count values of v from lo on (procedure 3.4), as
// another axis. It is not ok where v is in a count or in a stride, or not linear in
// the offset: then every address may be in the union.
func (l LMAD) Expand(v *ir.Var, lo, count Poly) (LMAD, bool) {
	stride, _ := l.Offset.Split(v)
	if stride.Mentions(v) || l.inDims(v) {
		return LMAD{}, false
	}
	out := l.Substitute(v, lo)
	out.Dims = append([]Dim{{count, stride}}, out.Dims...)
	return out, out.Known()
}

// Hull returns the least and the greatest address of l, which is not empty. It is not
// ok where the sign of a stride is not known.
func (l LMAD) Hull(a Assumptions) (lo, hi Poly, ok bool) {
	lo, hi = l.Offset, l.Offset
	for _, d := range l.Dims {
		far := d.Count.Add(-1).Times(d.Stride)
		switch {
		case a.NotNegative(d.Stride):
			hi = hi.Plus(far)
		case a.NotNegative(d.Stride.Scaled(-1)):
			lo = lo.Plus(far)
		default:
			return Unknown, Unknown, false
		}
	}
	lo, hi = a.Normal(lo), a.Normal(hi)
	return lo, hi, lo.Known() && hi.Known()
}

// Within says whether all addresses of l, which may be empty, are from 0 to n-1: a
// slice of a vector of n elements is one of the vector.
func (l LMAD) Within(a Assumptions, n Poly) Answer {
	some := l.inhabited(a)
	lo, hi, ok := l.Hull(some)
	if !ok {
		return Answer{}
	}
	low, high := some.Sign(lo), some.Sign(n.Minus(hi).Add(-1))
	return answer(both(low.cond(), high.cond()), (low.Is == No || high.Is == No) && l.hasElement(a))
}

// cond is where an answer is yes.
func (x Answer) cond() Cond {
	if x.Is == Yes {
		return Cond{op: always}
	}
	return x.Test
}

// inhabited assumes that l has an element.
func (l LMAD) inhabited(a Assumptions) Assumptions {
	for _, d := range l.Dims {
		a = a.Where(d.Count.Add(-1))
	}
	return a
}

// hasElement reports whether l has an element for certain.
func (l LMAD) hasElement(a Assumptions) bool {
	for _, d := range l.Dims {
		if !a.Positive(d.Count) {
			return false
		}
	}
	return true
}

// Set is a union of LMADs: what statements access (section 6.4).
type Set struct {
	// All says that it may be anything: it meets every set but the empty one.
	All bool
	Of  []LMAD
}

// Union returns the union of two sets.
func (s Set) Union(t Set) Set {
	if s.All || t.All {
		return Set{All: true}
	}
	return Set{Of: append(s.Of[:len(s.Of):len(s.Of)], t.Of...)}
}

// Expand returns the union of s for count values of v from lo on.
func (s Set) Expand(v *ir.Var, lo, count Poly) Set {
	out := Set{All: s.All}
	for _, l := range s.Of {
		m, ok := l.Expand(v, lo, count)
		if !ok {
			return Set{All: true}
		}
		out.Of = append(out.Of, m)
	}
	return out
}

// Disjoint says whether no address is in both sets.
func (s Set) Disjoint(a Assumptions, t Set) Answer {
	if !s.All && len(s.Of) == 0 || !t.All && len(t.Of) == 0 {
		return Answer{Is: Yes}
	}
	if s.All || t.All {
		return Answer{}
	}
	cond, no := Cond{op: always}, false
	for _, l := range s.Of {
		for _, m := range t.Of {
			x := l.Disjoint(a, m)
			cond, no = both(cond, x.cond()), no || x.Is == No
		}
	}
	return answer(cond, no)
}
