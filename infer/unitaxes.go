package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Assignment to a selection compares shapes without their axes of length 1:
//
//	m←2 3⍴0 ⋄ m[1;]←1 3⍴⍳3
//
// Which axes these are is decided from the types.

// unitAxes returns y with axes of length 1 left out or put in, so that it has
// the rank of a selection, whose type is given, if that is all that differs.
func (g *infer) unitAxes(y tail.Expr, selection *tail.Array, s site) tail.Expr {
	ty := g.arr(y, s.right)
	unit := func(t *tail.Array, i int) bool { return t.Extent(i).Equal(tail.ConstSize(1)) }
	var long []int // axes of y that are not known to be 1
	for i := range ty.Dims() {
		if !unit(ty, i) {
			long = append(long, i)
		}
	}
	places := 0
	same := ty.Dims() == selection.Dims()
	for i := range selection.Dims() {
		if !unit(selection, i) {
			places++
		}
		same = same && unit(ty, i) == unit(selection, i)
	}
	if same || places != len(long) {
		return y
	}
	y = g.name(y)
	shape := g.name(g.shapeOf(y, s))
	items, next := make([]tail.Expr, selection.Dims()), 0
	for i := range items {
		if unit(selection, i) {
			items[i] = g.intLit(s, 1)
			continue
		}
		items[i] = g.op(tail.OpIndex, s, shape, g.intLit(s, long[next]+1))
		next++
	}
	if len(items) == 0 {
		return g.op(tail.OpFirst, s, y)
	}
	return g.op(tail.OpReshape, s, g.vector(s.fn, items, array.Int), y)
}

// selectionType is the type of the selection of an array by index arguments.
func selectionType(tx *tail.Array, args []tail.Expr) *tail.Array {
	var all []tail.Size
	for i, a := range args {
		if t, ok := a.Type().(*tail.Array); ok {
			all = append(all, extents(t)...)
		} else {
			all = append(all, tx.Extent(i))
		}
	}
	return tail.Shaped(tx.Elem, all...)
}

// fitted returns a value at the rank of the selection of x by index
// arguments: axes of length 1 do not count, and a vector that may have one
// element is extended. The arguments may become variables.
func (g *infer) fitted(value, x tail.Expr, args []tail.Expr, s site) tail.Expr {
	selection := selectionType(tail.TypeOf(x), args)
	if tail.TypeOf(value).Dims() == 0 {
		return value
	}
	value = g.unitAxes(value, selection, s)
	tv := tail.TypeOf(value)
	switch {
	case tv.Dims() != 1 || !oneForAllKnown(tv):
		return value
	case selection.Dims() != 1:
		return g.op(tail.OpOnly, s, value, lit(s.fn, array.VectorInt(nil)))
	case selection.Extent(0).Equal(tv.Extent(0)):
		return value
	}
	for i, a := range args {
		t, ok := a.Type().(*tail.Array)
		if ok && t.Dims() == 0 {
			continue
		}
		if !ok {
			n := g.op(tail.OpIndex, s, g.shapeOf(x, s), g.intLit(s, i+1))
			return g.opAxis(tail.OpStretch, s, 0, n, value)
		}
		value = g.name(value)
		args[i] = g.name(a)
		return g.opAxis(tail.OpStretch, s, 0, g.op(tail.OpTally, s, args[i]), value)
	}
	return value
}
