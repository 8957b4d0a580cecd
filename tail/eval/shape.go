package eval

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Ops on shapes, and those that keep the ravel or permute axes.

var shapeOps = map[tail.Op]builtin{
	tail.OpIota:    {run: iota1},
	tail.OpShape:   {run: func(_ *site, a []*array.Array) *array.Array { return intVector(a[0].Shape) }},
	tail.OpTally:   {run: func(_ *site, a []*array.Array) *array.Array { return array.ScalarInt(int64(tally(a[0]))) }},
	tail.OpCount:   {run: func(_ *site, a []*array.Array) *array.Array { return array.ScalarInt(int64(a[0].Len())) }},
	tail.OpReshape: {run: reshape, alias: true},
	tail.OpRavel: {run: func(_ *site, a []*array.Array) *array.Array {
		return reshaped(a[0], []int{a[0].Len()})
	}, alias: true},
	tail.OpTransp:  {run: transpose, alias: true},
	tail.OpTransp2: {run: transpose2, alias: true},
	tail.OpTake:    {run: take},
	tail.OpExpect:  {run: expect, alias: true},
	tail.OpDrop:    {run: drop},
	tail.OpFirst:   {run: first},
	tail.OpOnly:    {run: only},
	tail.OpStretch: {run: stretch, alias: true},
}

func intVector(v []int) *array.Array {
	a := array.New(array.Int, len(v))
	for i, n := range v {
		a.Ints[i] = int64(n)
	}
	return a
}

// tally returns the extent of the first axis, 1 for a scalar.
func tally(a *array.Array) int {
	if len(a.Shape) == 0 {
		return 1
	}
	return a.Shape[0]
}

func iota1(s *site, a []*array.Array) *array.Array {
	n := a[0].Int(0)
	if n < 0 {
		raise(s.Apply, tail.FaultNegative, n)
	}
	r := s.m.allocRaw(s.Apply, array.Int, int(n))
	for i := range r.Ints {
		r.Ints[i] = int64(i) + 1
	}
	return r
}

// reshaped returns a with another shape of as many elements.
func reshaped(a *array.Array, shape []int) *array.Array {
	r := stretchOf(a, 0, a.Len(), false)
	r.Shape = shape
	return &r.Array
}

func reshape(s *site, a []*array.Array) *array.Array {
	x := a[1]
	shape := make([]int, a[0].Len())
	for i := range shape {
		n := a[0].Int(i)
		if n < 0 {
			raise(s.Apply, tail.FaultReshape, n)
		}
		shape[i] = int(n)
	}
	total, ok := countOf(shape)
	if !ok {
		raise(s.Apply, tail.FaultTooLarge, shape)
	}
	n := x.Len()
	if n == total {
		return reshaped(x, shape)
	}
	if n == 0 {
		return s.m.alloc(s.Apply, x.Elem, shape...)
	}
	r := s.m.allocRaw(s.Apply, x.Elem, shape...)
	if total > 0 {
		copyElems(r, 0, x, 0, min(n, total))
		for done := n; done < total; done *= 2 { // what is there, over and over
			copyElems(r, done, r, 0, min(done, total-done))
		}
	}
	return r
}

func transpose(s *site, a []*array.Array) *array.Array {
	x := a[0]
	if len(x.Shape) < 2 {
		return x
	}
	shape, st := slices.Clone(x.Shape), strides(x.Shape)
	slices.Reverse(shape)
	slices.Reverse(st)
	r := s.m.allocRaw(s.Apply, x.Elem, shape...)
	copyStrided(r, 0, strides(shape), x, 0, st, shape)
	return r
}

// transpose2 moves axis i of the argument to axis v[i]; axes that go to the
// same place are walked together, along a diagonal.
func transpose2(s *site, a []*array.Array) *array.Array {
	v, x := a[0], a[1]
	rank := 0
	bad := v.Len() != len(x.Shape)
	for i := range v.Len() {
		bad = bad || v.Int(i) < 1 || v.Int(i) > int64(v.Len())
		rank = max(rank, int(v.Int(i)))
	}
	if bad {
		raise(s.Apply, tail.FaultPermutation, x.Shape)
	}
	shape, st, from := make([]int, rank), make([]int, rank), strides(x.Shape)
	for i := range shape {
		shape[i] = -1
	}
	for i, n := range x.Shape {
		to := int(v.Int(i)) - 1
		st[to] += from[i]
		if shape[to] < 0 || n < shape[to] {
			shape[to] = n
		}
	}
	if slices.Contains(shape, -1) {
		raise(s.Apply, tail.FaultPermutation, x.Shape)
	}
	r := s.m.allocRaw(s.Apply, x.Elem, shape...)
	copyStrided(r, 0, strides(shape), x, 0, st, shape)
	return r
}

// take keeps the first or last items of the leading axes. Places beyond the
// argument hold fill elements.
func take(s *site, a []*array.Array) *array.Array {
	v, x := a[0], a[1]
	counts := s.counts(v, x)
	shape, box := slices.Clone(x.Shape), slices.Clone(x.Shape)
	st := strides(x.Shape)
	from := 0
	for i, n := range counts {
		shape[i] = absInt(n)
		box[i] = min(shape[i], x.Shape[i])
		if n < 0 && box[i] == shape[i] {
			from += (x.Shape[i] - shape[i]) * st[i]
		}
	}
	alloc := s.m.allocRaw
	if !slices.Equal(box, shape) {
		alloc = s.m.alloc
	}
	r := alloc(s.Apply, x.Elem, shape...)
	rst, to := strides(shape), 0
	for i, n := range counts {
		if n < 0 {
			to += (shape[i] - box[i]) * rst[i]
		}
	}
	copyStrided(r, to, rst, x, from, st, box)
	return r
}

// counts returns the counts of take and drop.
func (s *site) counts(v, x *array.Array) []int {
	if v.Len() > len(x.Shape) {
		raise(s.Apply, tail.FaultTakeLength, v.Len(), x.Shape)
	}
	counts := make([]int, v.Len())
	for i := range counts {
		counts[i] = int(v.Int(i))
	}
	return counts
}

func absInt(n int) int {
	switch {
	case n == math.MinInt:
		return math.MaxInt
	case n < 0:
		return -n
	}
	return n
}

func drop(s *site, a []*array.Array) *array.Array {
	v, x := a[0], a[1]
	shape, st, from := slices.Clone(x.Shape), strides(x.Shape), 0
	for i, n := range s.counts(v, x) {
		k := min(absInt(n), x.Shape[i])
		shape[i] -= k
		if n > 0 {
			from += k * st[i]
		}
	}
	r := s.m.allocRaw(s.Apply, x.Elem, shape...)
	copyStrided(r, 0, strides(shape), x, from, st, shape)
	return r
}

func first(_ *site, a []*array.Array) *array.Array {
	r := array.New(a[0].Elem)
	if a[0].Len() > 0 {
		copyElems(r, 0, a[0], 0, 1)
	}
	return r
}

func only(s *site, a []*array.Array) *array.Array {
	switch {
	case a[0].Len() == 1:
	case a[1].Len() == 0:
		raise(s.Apply, tail.FaultNotScalar, a[0].Shape)
	default:
		beside := make([]int, a[1].Len())
		for i := range beside {
			beside[i] = int(a[1].Ints[i])
		}
		raise(s.Apply, tail.FaultRanks, a[0].Shape, beside)
	}
	return first(s, a)
}

func stretch(s *site, a []*array.Array) *array.Array {
	n, x := int(a[0].Int(0)), a[1]
	if x.Shape[s.Axis] != 1 || n == 1 {
		return x
	}
	return s.selected(x, make([]int, n))
}
