package eval

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Ops along an axis: reversals, rotations, and joining two arrays.

var axisOps = map[tail.Op]builtin{
	tail.OpReverse:  {run: reverse},
	tail.OpRotate:   {run: rotate},
	tail.OpRotateM:  {run: rotateEach},
	tail.OpCat:      {run: func(s *site, a []*array.Array) *array.Array { return catenate(s, a[0], a[1]) }},
	tail.OpCons:     {run: cons},
	tail.OpSnoc:     {run: snoc},
	tail.OpLaminate: {run: laminate},
}

func reverse(s *site, a []*array.Array) *array.Array {
	x := a[0]
	r := s.m.allocRaw(s.Apply, x.Elem, x.Shape...)
	to := strides(x.Shape)
	from := slices.Clone(to)
	from[s.Axis] = -from[s.Axis]
	copyStrided(r, 0, to, x, (x.Shape[s.Axis]-1)*to[s.Axis], from, x.Shape)
	return r
}

// modulo returns the rotation by k of an axis of n items as 0…n-1.
func modulo(k int64, n int) int {
	if n == 0 {
		return 0
	}
	return int((k%int64(n) + int64(n)) % int64(n))
}

func rotate(s *site, a []*array.Array) *array.Array {
	x := a[1]
	r := s.m.allocRaw(s.Apply, x.Elem, x.Shape...)
	outer, n, inner := split(x.Shape, s.Axis)
	k := modulo(a[0].Int(0), n)
	for o := range outer {
		at := o * n * inner
		copyElems(r, at, x, at+k*inner, (n-k)*inner)
		copyElems(r, at+(n-k)*inner, x, at, k*inner)
	}
	return r
}

// rotateEach rotates the vectors along the axis, each by its own count.
func rotateEach(s *site, a []*array.Array) *array.Array {
	counts, x := a[0], a[1]
	if !slices.Equal(counts.Shape, dropAxis(x.Shape, s.Axis)) {
		raise(s.Apply, tail.FaultRotate, counts.Shape, x.Shape)
	}
	r := s.m.allocRaw(s.Apply, x.Elem, x.Shape...)
	outer, n, inner := split(x.Shape, s.Axis)
	step := []int{inner}
	for o := range outer {
		for i := range inner {
			k := modulo(counts.Int(o*inner+i), n)
			at := o*n*inner + i
			copyStrided(r, at, step, x, at+k*inner, step, []int{n - k})
			copyStrided(r, at+(n-k)*inner, step, x, at, step, []int{k})
		}
	}
	return r
}

// catenate joins x and y along the axis.
func catenate(s *site, x, y *array.Array) *array.Array {
	s.joinable(x, y)
	return s.join(x, y, replaceAxis(x.Shape, s.Axis, x.Shape[s.Axis]+y.Shape[s.Axis]))
}

// joinable faults where x and y differ along another axis than that of s.
func (s *site) joinable(x, y *array.Array) {
	for i := range x.Shape {
		if i != s.Axis && x.Shape[i] != y.Shape[i] {
			raise(s.Apply, tail.FaultCatenate, x.Shape, y.Shape, i+1)
		}
	}
}

// join puts the items of x and y, which fit, next to each other.
func (s *site) join(x, y *array.Array, shape []int) *array.Array {
	r := s.m.allocRaw(s.Apply, x.Elem, shape...)
	outer, _, inner := split(shape, s.Axis)
	if outer == 0 || inner == 0 {
		return r
	}
	nx, ny := x.Len()/outer, y.Len()/outer
	for o := range outer {
		at := o * (nx + ny)
		copyElems(r, at, x, o*nx, nx)
		copyElems(r, at+nx, y, o*ny, ny)
	}
	return r
}

// item gives cell an axis of one item, so that it can be catenated to x.
func (s *site) item(cell, x *array.Array, swap bool) *array.Array {
	for i, n := range cell.Shape {
		at := i
		if i >= s.Axis {
			at++
		}
		if x.Shape[at] != n && swap {
			raise(s.Apply, tail.FaultCatenate, x.Shape, cell.Shape, at+1)
		} else if x.Shape[at] != n {
			raise(s.Apply, tail.FaultCatenate, cell.Shape, x.Shape, at+1)
		}
	}
	return reshaped(cell, insertAxis(cell.Shape, s.Axis, 1))
}

func cons(s *site, a []*array.Array) *array.Array {
	return catenate(s, s.item(a[0], a[1], false), a[1])
}

func snoc(s *site, a []*array.Array) *array.Array {
	return catenate(s, a[0], s.item(a[1], a[0], true))
}

func laminate(s *site, a []*array.Array) *array.Array {
	sameShape(s.Apply, a[0].Shape, a[1].Shape)
	return s.join(a[0], a[1], insertAxis(a[0].Shape, s.Axis, 2))
}
