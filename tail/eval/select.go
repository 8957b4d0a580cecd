package eval

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Selection along an axis: compress, replicate and expand. Each makes the list
// of items to copy; -1 stands for an item of fill elements.

var selectOps = map[tail.Op]builtin{
	tail.OpCompress:  {run: compress},
	tail.OpReplicate: {run: replicate},
	tail.OpExpand:    {run: expand},
	tail.OpWhere:     {run: where},
	tail.OpLongest:   {run: longest},
}

// selected returns the items of x along the axis.
func (s *site) selected(x *array.Array, items []int) *array.Array {
	alloc := s.m.allocRaw
	if slices.Contains(items, -1) {
		alloc = s.m.alloc
	}
	r := alloc(s.Apply, x.Elem, replaceAxis(x.Shape, s.Axis, len(items))...)
	outer, n, inner := split(x.Shape, s.Axis)
	switch x.Elem {
	case array.Bool:
		gather(r.Bools, x.Bools, items, outer, n, inner)
	case array.Int:
		gather(r.Ints, x.Ints, items, outer, n, inner)
	case array.Double:
		gather(r.Doubles, x.Doubles, items, outer, n, inner)
	case array.Complex:
		gather(r.Complexes, x.Complexes, items, outer, n, inner)
	case array.Char:
		gather(r.Chars, x.Chars, items, outer, n, inner)
	}
	return r
}

func gather[T any](dst, src []T, items []int, outer, n, inner int) {
	to := 0
	for o := range outer {
		from := o * n * inner
		if inner == 1 {
			row := src[from : from+n]
			for _, i := range items {
				if i >= 0 {
					dst[to] = row[i]
				}
				to++
			}
			continue
		}
		for _, i := range items {
			if i >= 0 {
				copy(dst[to:to+inner], src[from+i*inner:])
			}
			to += inner
		}
	}
}

// fit faults unless v has a count for each item of x.
func (s *site) fit(v, x *array.Array) {
	if n := x.Shape[s.Axis]; v.Len() != n {
		raise(s.Apply, tail.FaultReplicate, v.Len(), x.Shape, s.Axis+1)
	}
}

func compress(s *site, a []*array.Array) *array.Array {
	v, x := a[0], a[1]
	s.fit(v, x)
	return s.selected(x, ones(v.Bools))
}

// ones returns where v is 1, from 0.
func ones(v []byte) []int {
	n := 0
	for _, b := range v {
		n += int(b)
	}
	items := make([]int, n+1) // one more, so that the loop needs no branch
	k := 0
	for i, b := range v {
		items[k] = i
		k += int(b)
	}
	return items[:n]
}

func where(_ *site, a []*array.Array) *array.Array {
	items := ones(a[0].Bools)
	r := array.New(array.Int, len(items))
	for i, at := range items {
		r.Ints[i] = int64(at) + 1
	}
	return r
}

func longest(s *site, a []*array.Array) *array.Array {
	run, most := 0, 0
	for _, b := range a[0].Bools {
		if run++; b == 0 {
			run = 0
		}
		most = max(most, run)
	}
	if most == 0 {
		raise(s.Apply, tail.FaultEmptyReduce)
	}
	return array.ScalarInt(int64(most))
}

// items makes the empty list of items for counts v, of which each makes at least
// so many; it faults where the axis would be too long.
func (s *site) items(v, x *array.Array, least int) []int {
	sum := 0
	for i := range v.Len() {
		n := max(least, absInt(int(v.Int(i))))
		if sum > math.MaxInt-n {
			raise(s.Apply, tail.FaultTooLarge, replaceAxis(x.Shape, s.Axis, math.MaxInt))
		}
		sum += n
	}
	if bytes := int64(sum) * 8; sum > math.MaxInt64/16 || bytes > freelyBytes && !s.m.room(bytes) {
		raise(s.Apply, tail.FaultMemory, replaceAxis(x.Shape, s.Axis, sum))
	}
	return make([]int, 0, sum)
}

func replicate(s *site, a []*array.Array) *array.Array {
	v, x := a[0], a[1]
	s.fit(v, x)
	items := s.items(v, x, 0)
	for i := range v.Len() {
		n, item := int(v.Int(i)), i
		if n < 0 {
			n, item = -n, -1
		}
		for range n {
			items = append(items, item)
		}
	}
	return s.selected(x, items)
}

// expand copies the next item of x for each positive count, as often as it
// says; other counts give fill elements, 0 one of them.
func expand(s *site, a []*array.Array) *array.Array {
	v, x := a[0], a[1]
	n := x.Shape[s.Axis]
	positive := 0
	for i := range v.Len() {
		if v.Int(i) > 0 {
			positive++
		}
	}
	if positive != n && n != 1 {
		raise(s.Apply, tail.FaultExpand, positive, x.Shape, s.Axis+1)
	}
	items := s.items(v, x, 1)
	next := 0
	for i := range v.Len() {
		k, item := int(v.Int(i)), -1
		if k > 0 {
			item = min(next, n-1)
			next++
		}
		for range max(absInt(k), 1) {
			items = append(items, item)
		}
	}
	return s.selected(x, items)
}
