package prim

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/value"
)

// marksFor returns the left argument of ⊂ and ⊆ for y.
func marksFor(x, y *V) ([]int, error) {
	if x.Rank() > 1 || y.Rank() == 0 {
		return nil, fault(diag.ArgumentRank, "arguments of rank %d and %d", x.Rank(), y.Rank())
	}
	marks, err := sizes(x)
	if err != nil {
		return nil, err
	}
	for _, m := range marks {
		if m < 0 {
			return nil, fault(diag.Negative, "%s is negative", number(float64(m)))
		}
	}
	return marks, nil
}

// partitionedEnclose is dyadic ⊂ along an axis.
func partitionedEnclose(x, y *V, axis int) (*V, error) {
	marks, err := marksFor(x, y)
	if err != nil {
		return nil, err
	}
	n := y.Shape[axis]
	if x.Rank() == 0 {
		m := marks[0]
		marks = make([]int, n)
		for i := range marks {
			marks[i] = m
		}
	}
	if len(marks) > n+1 {
		return nil, fault(diag.WrongCount, "%d counts for axis %d of shape %s", len(marks), axis+1, array.ShapeText(y.Shape))
	}
	var starts []int
	for i, m := range marks {
		for ; m > 0; m-- {
			starts = append(starts, i)
		}
	}
	parts := make([][]int, len(starts))
	for i, lo := range starts {
		hi := n
		if i+1 < len(starts) {
			hi = starts[i+1]
		}
		parts[i] = span(lo, hi)
	}
	return cut(y, axis, parts), nil
}

func span(lo, hi int) []int {
	out := make([]int, 0, max(hi-lo, 0))
	for k := lo; k < hi; k++ {
		out = append(out, k)
	}
	return out
}

// cut returns the vector of the parts of y along the last axis, as it is used by
// both partitions; along another axis the parts stand beside each other there.
func cut(y *V, axis int, parts [][]int) *V {
	if len(parts) == 0 {
		return value.Empty([]int{0}, along(y, axis, nil))
	}
	items := make([]*V, len(parts))
	for i, p := range parts {
		items[i] = along(y, axis, p)
	}
	return value.FromItems([]int{len(items)}, items)
}

// partition is dyadic ⊆ along an axis.
func partition(x, y *V, axis int) (*V, error) {
	marks, err := marksFor(x, y)
	if err != nil {
		return nil, err
	}
	n := y.Shape[axis]
	if len(marks) == 1 {
		m := marks[0]
		marks = make([]int, n)
		for i := range marks {
			marks[i] = m
		}
	}
	if len(marks) != n {
		return nil, fault(diag.WrongCount, "%d counts for axis %d of shape %s", len(marks), axis+1, array.ShapeText(y.Shape))
	}
	var parts [][]int
	last := 0
	for i, m := range marks {
		switch {
		case m == 0:
		case m > last:
			parts = append(parts, []int{i})
		default:
			parts[len(parts)-1] = append(parts[len(parts)-1], i)
		}
		last = m
	}
	return vectors(y, axis, parts), nil
}

// vectors returns y with, in place of an axis, the parts of its vectors along it.
func vectors(y *V, axis int, parts [][]int) *V {
	a := around(y.Shape, axis)
	shape := join(y.Shape)
	shape[axis] = len(parts)
	if value.Count(shape) == 0 {
		return value.Empty(shape, value.Filled([]int{0}, y.Prototype()))
	}
	items := make([]*V, 0, value.Count(shape))
	for i := 0; i < a.before; i++ {
		for _, p := range parts {
			for k := 0; k < a.behind; k++ {
				at := make([]int, len(p))
				for m, j := range p {
					at[m] = (i*a.here+j)*a.behind + k
				}
				items = append(items, y.Gather([]int{len(at)}, at))
			}
		}
	}
	return value.FromItems(shape, items)
}
