package prim

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/value"
)

// catenate joins x and y along an axis, counted from 0.
func catenate(x, y *V, axis int) (*V, error) {
	rank := max(x.Rank(), y.Rank(), 1)
	if axis >= rank {
		return nil, fault(diag.NoAxis, "axis %d of arrays of rank %d", axis+1, rank)
	}
	if x.Rank() <= 1 && y.Rank() <= 1 {
		return value.Catenated([]int{x.Len() + y.Len()}, x, y), nil
	}
	like := x
	if y.Rank() > x.Rank() {
		like = y
	}
	a, err := alike(x, y, like.Shape, axis)
	if err != nil {
		return nil, err
	}
	b, err := alike(y, x, like.Shape, axis)
	if err != nil {
		return nil, err
	}
	for i := range a.Shape {
		if i != axis && a.Shape[i] != b.Shape[i] {
			return nil, fault(diag.NotJoined, "shapes %s and %s cannot be catenated: axis %d differs", array.ShapeText(x.Shape), array.ShapeText(y.Shape), i+1)
		}
	}
	shape := join(a.Shape)
	shape[axis] += b.Shape[axis]
	if err := sized(shape); err != nil {
		return nil, err
	}
	return joinAxis(a, b, axis), nil
}

// alike gives x the rank of the other array: a scalar is repeated, and a rank of
// one less gets the axis.
func alike(x, other *V, shape []int, axis int) (*V, error) {
	switch {
	case x.Rank() == len(shape):
		return x, nil
	case x.Rank() == 0:
		full := join(shape)
		full[axis] = 1
		return x.Gather(full, make([]int, value.Count(full))), nil
	case x.Rank() == len(shape)-1:
		return x.WithShape(join(x.Shape[:axis], []int{1}, x.Shape[axis:])), nil
	}
	return nil, fault(diag.WrongRank, "shapes %s and %s cannot be catenated", array.ShapeText(x.Shape), array.ShapeText(other.Shape))
}

// joinAxis joins arrays whose shapes differ in one axis.
func joinAxis(x, y *V, axis int) *V {
	shape := join(x.Shape)
	shape[axis] += y.Shape[axis]
	n := value.Count(shape[:axis])
	if n == 1 {
		return value.Catenated(shape, x, y)
	}
	p, q := value.Count(x.Shape[axis:]), value.Count(y.Shape[axis:])
	both := value.Joined([]int{x.Len() + y.Len()}, x, y)
	at := make([]int, 0, value.Count(shape))
	for i := 0; i < n; i++ {
		for k := i * p; k < (i+1)*p; k++ {
			at = append(at, k)
		}
		for k := i * q; k < (i+1)*q; k++ {
			at = append(at, x.Len()+k)
		}
	}
	if len(at) == 0 {
		return value.Empty(shape, x.Prototype())
	}
	return both.Gather(shape, at)
}

// laminate joins x and y along a new axis before the given one.
func laminate(x, y *V, axis int) (*V, error) {
	switch {
	case x.Rank() == 0 && y.Rank() > 0:
		x = x.Gather(y.Shape, make([]int, y.Len()))
	case y.Rank() == 0 && x.Rank() > 0:
		y = y.Gather(x.Shape, make([]int, x.Len()))
	case x.Rank() != y.Rank():
		return nil, fault(diag.RanksDiffer, "shapes %s and %s have different ranks", array.ShapeText(x.Shape), array.ShapeText(y.Shape))
	case !sameShape(x.Shape, y.Shape):
		return nil, fault(diag.NotJoined, "shapes %s and %s cannot be joined", array.ShapeText(x.Shape), array.ShapeText(y.Shape))
	}
	shape := join(x.Shape[:axis], []int{1}, x.Shape[axis:])
	return joinAxis(x.WithShape(shape), y.WithShape(shape), axis), nil
}

// catenateLast and catenateFirst are , and ⍪.
func catenateLast(_ *Context, x, y *V) (*V, error) {
	return catenate(x, y, max(x.Rank(), y.Rank(), 1)-1)
}

func catenateFirst(_ *Context, x, y *V) (*V, error) { return catenate(x, y, 0) }

// catenateAxis is ,[k]: along an axis, or along a new one if k is no integer.
func catenateAxis(c *Context, axis, x, y *V) (*V, error) {
	k, whole, err := fraction(c, axis)
	if err != nil {
		return nil, err
	}
	rank := max(x.Rank(), y.Rank())
	switch {
	case whole && (k < 0 || k >= float64(rank)):
		return nil, fault(diag.NoAxis, "axis %s of arrays of rank %d", number(k+float64(c.Origin)), rank)
	case whole:
		return catenate(x, y, int(k))
	case k < -1 || k > float64(rank):
		return nil, fault(diag.NoAxis, "axis %s of arrays of rank %d", number(k+float64(c.Origin)), rank)
	}
	return laminate(x, y, int(math.Ceil(k)))
}

// fraction returns an axis, counted from 0, that may lie between two.
func fraction(c *Context, axis *V) (float64, bool, error) {
	if axis.Len() != 1 {
		return 0, false, fault(diag.WrongLength, "one axis is needed")
	}
	v, err := reals(axis)
	if err != nil {
		return 0, false, err
	}
	k := v[0] - float64(c.Origin)
	return k, k == math.Trunc(k), nil
}

// ravelAxes is monadic ,[k].
func ravelAxes(c *Context, axis, y *V) (*V, error) {
	if axis.Len() == 0 {
		return y.WithShape(join(y.Shape, []int{1})), nil
	}
	if axis.Len() == 1 {
		k, whole, err := fraction(c, axis)
		if err != nil {
			return nil, err
		}
		if !whole {
			if k < -1 || k > float64(y.Rank()) {
				return nil, fault(diag.NoAxis, "axis %s of an array of rank %d", number(k+float64(c.Origin)), y.Rank())
			}
			i := int(math.Ceil(k))
			return y.WithShape(join(y.Shape[:i], []int{1}, y.Shape[i:])), nil
		}
	}
	list, err := axesOf(c, axis, y.Rank())
	if err != nil {
		return nil, fault(diag.ArgumentRank, "no such axis of an array of rank %d", y.Rank())
	}
	for i := 1; i < len(list); i++ {
		if list[i] != list[i-1]+1 {
			return nil, fault(diag.WrongLength, "the axes are not neighbours")
		}
	}
	lo, hi := list[0], list[len(list)-1]+1
	return y.WithShape(join(y.Shape[:lo], []int{value.Count(y.Shape[lo:hi])}, y.Shape[hi:])), nil
}

// Catenate joins x and y along an axis, counted from 0.
func Catenate(x, y *V, axis int) (*V, error) { return catenate(x, y, axis) }
