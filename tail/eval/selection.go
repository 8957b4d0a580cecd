package eval

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// selection is what the index arrays of index or update select: boxes of inner
// elements that lie together, one for each choice of an offset an axis. The
// last axes whose indices are elided are in the boxes.
type selection struct {
	shape   []int
	offsets [][]int
	inner   int
}

// resolve checks the index arrays ix of x; nil ones are elided.
func (s *site) resolve(x *array.Array, ix []*array.Array) selection {
	st, last := strides(x.Shape), len(ix)
	sel := selection{inner: 1}
	for last > 0 && ix[last-1] == nil {
		last--
		sel.inner *= x.Shape[last]
	}
	sel.offsets = make([][]int, last)
	for axis := last - 1; axis >= 0; axis-- {
		if ix[axis] == nil {
			sel.offsets[axis] = multiples(x.Shape[axis], st[axis])
		} else {
			sel.offsets[axis] = s.offsets(ix[axis], axis, x.Shape[axis], st[axis])
		}
	}
	for axis, v := range ix {
		if v == nil {
			sel.shape = append(sel.shape, x.Shape[axis])
		} else {
			sel.shape = append(sel.shape, v.Shape...)
		}
	}
	return sel
}

// multiples returns 0 stride … (n-1)×stride.
func multiples(n, stride int) []int {
	off := make([]int, n)
	for i := range off {
		off[i] = i * stride
	}
	return off
}

// offsets returns where the items lie that v selects along an axis of n.
func (s *site) offsets(v *array.Array, axis, n, stride int) []int {
	off := make([]int, v.Len())
	for i := range off {
		k := v.Int(i)
		if uint64(k-1) >= uint64(n) {
			raise(s.Apply, tail.FaultIndex, k, n, axis+1)
		}
		off[i] = int(k-1) * stride
	}
	return off
}

// each calls f for the rows of the selection: where the row begins, the
// offsets of its boxes from there, and where they lie in the selection.
func (sel selection) each(f func(base int, row []int, at int)) {
	last := len(sel.offsets) - 1
	if last < 0 {
		f(0, []int{0}, 0)
		return
	}
	row := sel.offsets[last]
	if slices.ContainsFunc(sel.offsets, func(o []int) bool { return len(o) == 0 }) {
		return
	}
	at, which := 0, make([]int, last)
	for {
		base := 0
		for axis, i := range which {
			base += sel.offsets[axis][i]
		}
		f(base, row, at)
		at += len(row) * sel.inner
		axis := last - 1
		for ; axis >= 0; axis-- {
			if which[axis]++; which[axis] < len(sel.offsets[axis]) {
				break
			}
			which[axis] = 0
		}
		if axis < 0 {
			return
		}
	}
}
