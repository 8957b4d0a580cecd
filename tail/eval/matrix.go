package eval

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// matinv and matdiv.

var matrixOps = map[tail.Op]builtin{
	tail.OpMatInv: {run: matInv},
	tail.OpMatDiv: {run: matDiv},
}

func matInv(s *site, a []*array.Array) *array.Array {
	x := a[0]
	if x.Elem == array.Complex {
		z, ok := num.InverseZ(x.Complexes, x.Shape[0], x.Shape[1])
		if !ok {
			raise(s.Apply, tail.FaultSingular)
		}
		return s.numbers(&array.Array{Elem: array.Complex, Shape: []int{x.Shape[1], x.Shape[0]}, Complexes: z})
	}
	z, ok := num.Inverse(x.Doubles, x.Shape[0], x.Shape[1])
	if !ok {
		raise(s.Apply, tail.FaultSingular)
	}
	return s.numbers(&array.Array{Elem: array.Double, Shape: []int{x.Shape[1], x.Shape[0]}, Doubles: z})
}

func matDiv(s *site, a []*array.Array) *array.Array {
	b, x := a[0], a[1]
	if tally(b) != x.Shape[0] {
		raise(s.Apply, tail.FaultShapes, b.Shape, x.Shape, 1)
	}
	columns, shape := 1, []int{}
	if len(b.Shape) > 0 {
		columns = array.Count(b.Shape[1:])
		shape = append([]int{x.Shape[1]}, b.Shape[1:]...)
	}
	if x.Elem == array.Complex {
		z, ok := num.SolveZ(b.Complexes, columns, x.Complexes, x.Shape[0], x.Shape[1])
		if !ok {
			raise(s.Apply, tail.FaultSingular)
		}
		return s.numbers(&array.Array{Elem: array.Complex, Shape: shape, Complexes: z})
	}
	z, ok := num.Solve(b.Doubles, columns, x.Doubles, x.Shape[0], x.Shape[1])
	if !ok {
		raise(s.Apply, tail.FaultSingular)
	}
	return s.numbers(&array.Array{Elem: array.Double, Shape: shape, Doubles: z})
}

// numbers returns x, whose elements must be numbers.
func (s *site) numbers(x *array.Array) *array.Array {
	s.checkFinite(x)
	return x
}
