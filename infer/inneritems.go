package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// An inner product by a function that does not give scalars, or of nested arrays,
// reduces the items that f¨ gives between rows of x and columns of y:
//
//	1 2+.,3 4                       ⊂(1 3)+(2 4)
//	(2 2⍴(1 2)3 4 5)+.×2 2⍴⍳4       four items, each a sum of two products

// pairsNested reports whether f does not give scalars between the elements of x
// and y, where the results are items: definitions of the prelude join them.
func (g *infer) pairsNested(f function, x, y tail.Expr, s site) bool {
	if p, ok := f.(*primitive); ok && isScalarDyadic(p.glyph) || g.blamed != nil {
		return false
	}
	types := []tail.Type{tail.Scalar(g.arr(x, s.left).Elem), tail.Scalar(g.arr(y, s.right).Elem)}
	return givesNested(g.lambda(s.fn, types, func(a []tail.Expr) tail.Expr { return g.dyadic(f, a[0], a[1], s) }))
}

// innerItems is x f.g y of items.
func (g *infer) innerItems(d *derived, x, y tail.Expr, s site) tail.Expr {
	whole := site{fn: s.fn, right: s.span()}
	if isLine(x) && isLine(y) {
		z := g.eachOf2(d.right, x, y, s)
		return g.reduce(d, z, g.edge(z, true, s), whole)
	}
	if isStored(x) || isStored(y) || isRowwise(x) || isRowwise(y) || isRanked(x) || isRanked(y) {
		g.fail(diag.NestedArrays, s.fn, "an inner product of %s and %s", describeType(x.Type()), describeType(y.Type()))
	}
	f, h := g.fn(d.left), g.fn(d.right)
	right, rightShape := g.parts(y, s)
	left, leftShape := g.parts(x, s)
	rows, columns := [][]int{{0}}, [][]int{{0}}
	var shape []int
	if last := len(leftShape) - 1; last >= 0 {
		rows, shape = linesOf(leftShape, last), slices.Clone(leftShape[:last])
	}
	if len(rightShape) > 0 {
		columns, shape = linesOf(rightShape, 0), append(shape, rightShape[1:]...)
	}
	if len(left)*len(right) == 0 {
		g.fail(diag.NestedArrays, s.fn, "an inner product of an empty nested array")
	}
	n := max(len(rows[0]), len(columns[0]))
	if len(rows[0]) < n && len(left) > 1 || len(columns[0]) < n && len(right) > 1 {
		g.fail(diag.InnerDiffers, s.fn, "shapes %s and %s: the last axis of the left and the first axis of the right differ", array.ShapeText(leftShape), array.ShapeText(rightShape))
	}
	g.fewEnough(len(rows)*len(columns), s)
	var all []tail.Expr
	for _, row := range rows {
		for _, column := range columns {
			terms := make([]tail.Expr, n)
			for k := range terms {
				terms[k] = g.name(g.dyadic(h, left[row[k%len(row)]], right[column[k%len(column)]], s))
			}
			all = append(all, g.name(g.reduceItems(f, terms, whole)))
		}
	}
	if len(shape) == 1 {
		shape = nil
	}
	return g.shaped(g.strandOf(all, s), shape)
}

// isLine reports whether an array is a vector or a scalar.
func isLine(e tail.Expr) bool {
	switch t := e.Type().(type) {
	case *tail.Array:
		return t.Dims() <= 1
	case *tail.TupleType:
		return isStored(e) || !isColumns(e) && len(t.Shape) <= 1
	}
	return false
}
