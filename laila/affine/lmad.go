package affine

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// LMAD is a linear memory access descriptor τ + {(σ₁:δ₁), …} (thesis 003, chapter 3):
// an offset, and for each axis a number of elements and the distance between
// neighbours, in elements; it may be negative, or 0. It is the index function of an
// array, τ + Σ yᵢ×δᵢ; a slice of a vector; and the set of the addresses at which the
// index function arrives. The functions of this file are those of figure 3.6 and
// section 3.4.1, and keep the index function's meaning; those of set.go keep the set.
type LMAD struct {
	Offset Poly
	Dims   []Dim
}

// Dim is an axis of an LMAD.
type Dim struct{ Count, Stride Poly }

// RowMajor is the index function of an array of the given extents whose elements are
// stored row by row: 0 + {(xᵢ : Π xⱼ for j>i)}.
func RowMajor(counts ...Poly) LMAD {
	l := LMAD{Dims: make([]Dim, len(counts))}
	stride := Const(1)
	for i := len(counts) - 1; i >= 0; i-- {
		l.Dims[i] = Dim{counts[i], stride}
		stride = stride.Times(counts[i])
	}
	return l
}

// ColumnMajor is the same column by column: 0 + {(xᵢ : Π xⱼ for j<i)}.
func ColumnMajor(counts ...Poly) LMAD {
	l := RowMajor(reversed(counts)...)
	slices.Reverse(l.Dims)
	return l
}

func reversed(list []Poly) []Poly {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// FromIndex returns the index function that p is of variables which count from 0; it
// is not ok where p is not linear in them, or a count depends on them.
func FromIndex(p Poly, vars []*ir.Var, counts []Poly) (LMAD, bool) {
	l := LMAD{Dims: make([]Dim, len(vars))}
	for i, v := range vars {
		l.Dims[i].Count = counts[i]
		l.Dims[i].Stride, p = p.Split(v)
	}
	l.Offset = p
	for _, v := range vars {
		if l.inDims(v) {
			return LMAD{}, false
		}
	}
	return l, p.Known()
}

// Known reports whether all of l is known.
func (l LMAD) Known() bool {
	return l.Offset.Known() && !slices.ContainsFunc(l.Dims, func(d Dim) bool { return !d.Count.Known() || !d.Stride.Known() })
}

// inDims reports whether v is in a count or in a stride.
func (l LMAD) inDims(v *ir.Var) bool {
	return slices.ContainsFunc(l.Dims, func(d Dim) bool { return d.Count.Mentions(v) || d.Stride.Mentions(v) })
}

// Substitute returns l with q in the place of v.
func (l LMAD) Substitute(v *ir.Var, q Poly) LMAD {
	return l.each(func(p Poly) Poly { return p.Substitute(v, q) })
}

// each replaces the sums that l is made of.
func (l LMAD) each(f func(Poly) Poly) LMAD {
	out := LMAD{Offset: f(l.Offset), Dims: make([]Dim, len(l.Dims))}
	for i, d := range l.Dims {
		out.Dims[i] = Dim{f(d.Count), f(d.Stride)}
	}
	return out
}

// At applies the index function.
func (l LMAD) At(index ...Poly) Poly {
	at := l.Offset
	for i, y := range index {
		at = at.Plus(y.Times(l.Dims[i].Stride))
	}
	return at
}

// Counts returns the extents.
func (l LMAD) Counts() []Poly {
	counts := make([]Poly, len(l.Dims))
	for i, d := range l.Dims {
		counts[i] = d.Count
	}
	return counts
}

// Triplet takes Count elements of an axis, from Offset on, each Step behind the last.
type Triplet struct{ Offset, Count, Step Poly }

// Slice takes a triplet of each axis.
func (l LMAD) Slice(by ...Triplet) LMAD {
	out := LMAD{Offset: l.Offset, Dims: make([]Dim, len(l.Dims))}
	for i, t := range by {
		out.Offset = out.Offset.Plus(t.Offset.Times(l.Dims[i].Stride))
		out.Dims[i] = Dim{t.Count, t.Step.Times(l.Dims[i].Stride)}
	}
	return out
}

// SliceLMAD takes a slice that is an LMAD of each axis; its axes stand in the place of
// the one.
func (l LMAD) SliceLMAD(by ...LMAD) LMAD {
	out := LMAD{Offset: l.Offset}
	for i, s := range by {
		stride := l.Dims[i].Stride
		out.Offset = out.Offset.Plus(s.Offset.Times(stride))
		for _, d := range s.Dims {
			out.Dims = append(out.Dims, Dim{d.Count, d.Stride.Times(stride)})
		}
	}
	return out
}

// Fix takes the cell at k of the first axis.
func (l LMAD) Fix(k Poly) LMAD {
	return LMAD{l.Offset.Plus(k.Times(l.Dims[0].Stride)), slices.Clone(l.Dims[1:])}
}

// Permute puts axis order[i] in place i.
func (l LMAD) Permute(order ...int) LMAD {
	out := LMAD{Offset: l.Offset}
	for _, k := range order {
		out.Dims = append(out.Dims, l.Dims[k])
	}
	return out
}

// Transpose exchanges the first two axes.
func (l LMAD) Transpose() LMAD {
	dims := slices.Clone(l.Dims)
	dims[0], dims[1] = dims[1], dims[0]
	return LMAD{l.Offset, dims}
}

// Reverse turns an axis round, which has an element at least.
func (l LMAD) Reverse(axis int) LMAD {
	d := l.Dims[axis]
	return l.with(axis, l.Offset.Plus(d.Count.Add(-1).Times(d.Stride)), Dim{d.Count, d.Stride.Scaled(-1)})
}

// with replaces the offset, and an axis by others.
func (l LMAD) with(axis int, offset Poly, dims ...Dim) LMAD {
	return LMAD{offset, slices.Concat(l.Dims[:axis], dims, l.Dims[axis+1:])}
}

// Diagonal lets axis j go with axis i, in whose place the diagonal is. It is not ok
// where the shorter of them is not known.
func (l LMAD) Diagonal(a Assumptions, i, j int) (LMAD, bool) {
	d, e := l.Dims[i], l.Dims[j]
	count := d.Count
	switch {
	case a.AtMost(d.Count, e.Count):
	case a.AtMost(e.Count, d.Count):
		count = e.Count
	default:
		return LMAD{}, false
	}
	out := l.with(i, l.Offset, Dim{count, d.Stride.Plus(e.Stride)})
	return out.with(j, out.Offset), true
}

// Broadcast repeats all n times along a new first axis. It is for reading only.
func (l LMAD) Broadcast(n Poly) LMAD {
	return LMAD{l.Offset, slices.Insert(slices.Clone(l.Dims), 0, Dim{Count: n})}
}

// Window replaces an axis by the windows of w elements and the elements of a window.
// It is for reading only.
func (l LMAD) Window(axis int, w Poly) LMAD {
	d := l.Dims[axis]
	return l.with(axis, l.Offset, Dim{d.Count.Minus(w).Add(1), d.Stride}, Dim{w, d.Stride})
}

// Rotate returns the two parts of l rotated by k, 0 ≤ k ≤ the count, along an axis:
// where each begins on that axis of the result, and its elements. A rotated array has
// no index function that is an LMAD (section 3.4.1).
func (l LMAD) Rotate(axis int, k Poly) (at [2]Poly, parts [2]LMAD) {
	n, stride := l.Dims[axis].Count, l.Dims[axis].Stride
	at[1] = n.Minus(k)
	parts[0] = l.with(axis, l.Offset.Plus(k.Times(stride)), Dim{at[1], stride})
	parts[1] = l.with(axis, l.Offset, Dim{k, stride})
	return at, parts
}

// Reshape gives l other extents, of the same number of elements, in row-major order.
// It is not ok where that is no LMAD, or is not seen to be one: IndexFn.Reshape always
// can.
func (l LMAD) Reshape(a Assumptions, counts ...Poly) (LMAD, bool) {
	axes := l.coalesced(a)
	out := LMAD{Offset: l.Offset, Dims: make([]Dim, len(counts))}
	for i := len(counts) - 1; i >= 0; i-- { // each takes from the last axis that is left
		m := a.Normal(counts[i])
		if a.Equal(m, Const(1)) {
			out.Dims[i] = Dim{m, Const(1)}
			continue
		}
		if len(axes) == 0 {
			return LMAD{}, false
		}
		d := &axes[len(axes)-1]
		left, rest := d.Count.DivMod(m)
		if !rest.IsZero() {
			return LMAD{}, false
		}
		out.Dims[i] = Dim{m, d.Stride}
		d.Count, d.Stride = left, d.Stride.Times(m)
		if a.Equal(left, Const(1)) {
			axes = axes[:len(axes)-1]
		}
	}
	return out, len(axes) == 0 && out.Known()
}

// coalesced returns the axes, neighbours joined where rows follow on each other
// without a gap, and none of one element.
func (l LMAD) coalesced(a Assumptions) []Dim {
	var axes []Dim
	for _, d := range l.Dims {
		d = Dim{a.Normal(d.Count), a.Normal(d.Stride)}
		n := len(axes)
		switch {
		case a.Equal(d.Count, Const(1)):
		case n > 0 && a.Equal(axes[n-1].Stride, d.Stride.Times(d.Count)):
			axes[n-1] = Dim{a.Normal(axes[n-1].Count.Times(d.Count)), d.Stride}
		default:
			axes = append(axes, d)
		}
	}
	return axes
}

// Flatten makes l a vector; it is not ok where rows do not follow on each other.
func (l LMAD) Flatten(a Assumptions) (LMAD, bool) {
	n := Const(1)
	for _, d := range l.Dims {
		n = n.Times(d.Count)
	}
	return l.Reshape(a, n)
}

// Aligned says whether l and m are one index function: of the same extents, with each
// element at the same place.
func (l LMAD) Aligned(a Assumptions, m LMAD) Answer {
	if len(l.Dims) != len(m.Dims) || !l.Known() || !m.Known() {
		return Answer{}
	}
	same := Cond{op: always}
	equal := func(p, q Poly) (differ bool) {
		d := a.Normal(p.Minus(q))
		if d.IsZero() {
			return false
		}
		same = both(same, both(atLeastZero(d), atLeastZero(d.Scaled(-1))))
		return a.Positive(d) || a.Positive(d.Scaled(-1))
	}
	no := equal(l.Offset, m.Offset)
	for i, d := range l.Dims {
		no = equal(d.Count, m.Dims[i].Count) || no
		if !a.AtMost(d.Count, Const(1)) { // else the stride does not matter
			no = equal(d.Stride, m.Dims[i].Stride) && a.Less(Const(1), d.Count) || no
		}
	}
	return answer(same, no)
}

// String writes l as 2+{(3:5),(4:1)}.
func (l LMAD) String() string {
	var b strings.Builder
	b.WriteString(l.Offset.String() + "+{")
	for i, d := range l.Dims {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("(" + d.Count.String() + ":" + d.Stride.String() + ")")
	}
	return b.String() + "}"
}
