package eval

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Scalar functions for every element of an array, or every pair of outer.

// args compiles arguments that are no lambdas, for an op that does not return
// one of them; kept ones may be returned or written to.
func (s *scope) args(exprs []tail.Expr, kept bool) []code {
	uses := make([]usage, len(exprs))
	if !kept {
		uses = s.uses(exprs)
	}
	codes := make([]code, len(exprs))
	for i, x := range exprs {
		codes[i] = s.expr(x, uses[i])
	}
	return codes
}

// reusable reports whether a result may be written over v, an argument of
// which the same element is read as is written.
func (m *machine) reusable(v value, elem array.Elem) bool {
	return !m.env.Plain && v.arr != nil && v.owned() && v.arr.Elem == elem
}

// over runs k over all elements of the sources, which have dst's shape.
func (k *kernel) over(fr *frame, dst *array.Array, src ...*array.Array) {
	total := dst.Len()
	if total == 0 {
		return
	}
	k.begin(fr, total)
	for i := 0; i < total; i += blockSize {
		for j, a := range src {
			k.params[j].aim(a, i)
		}
		k.run(fr, dst, i, min(blockSize, total-i))
	}
	k.end()
}

// extendedShape returns the shape to which a scalar function extends arguments
// of shapes x and y, which have one rank: one of them has one element, or the
// shapes are equal.
func extendedShape(e *tail.Apply, x, y []int) []int {
	if slices.Equal(x, y) {
		return x
	}
	if len(x) == len(y) {
		switch {
		case hasOne(x):
			return y
		case hasOne(y):
			return x
		}
	}
	sameShape(e, x, y)
	return x
}

// hasOne reports whether an array of the given shape has one element.
func hasOne(shape []int) bool {
	for _, n := range shape {
		if n != 1 {
			return false
		}
	}
	return true
}

// extendedTo returns a, or where it has another shape that shape filled with
// its only element.
func extendedTo(shape []int, a *array.Array) *array.Array {
	if slices.Equal(shape, a.Shape) {
		return a
	}
	r := array.New(a.Elem, shape...)
	for i := range r.Len() {
		copyElems(r, i, a, 0, 1)
	}
	return r
}

// sameShape faults unless the shapes are equal.
func sameShape(e *tail.Apply, x, y []int) {
	if slices.Equal(x, y) {
		return
	}
	if len(x) != len(y) {
		raise(e, tail.FaultRanks, x, y)
	}
	for i := range x {
		if x[i] != y[i] {
			raise(e, tail.FaultShapes, x, y, i+1)
		}
	}
}

func (s *scope) outer(e *tail.Apply) code {
	k := s.kernel(e.Args[0].(*tail.Lam))
	args, t := s.args(e.Args[1:], false), e.Ty.(*tail.Array)
	tx, ty := tail.TypeOf(e.Args[1]), tail.TypeOf(e.Args[2])
	return func(fr *frame) value {
		vy := args[1](fr)
		vx := args[0](fr)
		x, y := box(vx, tx), box(vy, ty)
		dst := fr.m.allocRaw(e, t.Elem, fr.m.concat(x.Shape, y.Shape)...)
		if dst.Len() > 0 {
			k.begin(fr, dst.Len())
			k.outer(fr, dst, x, y)
			k.end()
		}
		fr.m.pool.give(vx)
		fr.m.pool.give(vy)
		return unbox(dst)
	}
}

// outer runs k over all pairs. The left argument is spread over a block; the
// right is read in place where its rows are long, else repeated.
func (k *kernel) outer(fr *frame, dst, x, y *array.Array) {
	rows, cols := x.Len(), y.Len()
	if cols >= blockSize/16 {
		for i := range rows {
			k.params[0].fill(elemBits(x, i), min(cols, blockSize))
			for j := 0; j < cols; j += blockSize {
				k.params[1].aim(y, j)
				k.run(fr, dst, i*cols+j, min(blockSize, cols-j))
			}
		}
		return
	}
	height := blockSize / cols // rows at a time
	right := k.params[1]
	right.own()
	for i := range height * cols {
		right.put(i, elemBits(y, i%cols))
	}
	for i := 0; i < rows; i += height {
		n := min(height, rows-i)
		left := k.params[0]
		left.own()
		for j := range n * cols {
			left.put(j, elemBits(x, i+j/cols))
		}
		k.run(fr, dst, i*cols, n*cols)
	}
}
