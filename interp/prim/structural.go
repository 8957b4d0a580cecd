package prim

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/value"
)

func shapeOf(_ *Context, y *V) (*V, error) { return value.Sizes(y.Shape), nil }

func tally(_ *Context, y *V) (*V, error) { return value.Integer(y.Tally()), nil }

// reshape is dyadic ⍴.
func reshape(_ *Context, x, y *V) (*V, error) {
	if x.Rank() > 1 {
		return nil, fault(diag.ArgumentRank, "a shape of rank %d", x.Rank())
	}
	shape, err := sizes(x)
	if err != nil {
		return nil, err
	}
	if shape == nil {
		shape = []int{}
	}
	for _, s := range shape {
		if s < 0 {
			return nil, fault(diag.Negative, "negative extent %s in a shape", number(float64(s)))
		}
	}
	if err := sized(shape); err != nil {
		return nil, err
	}
	n, m := value.Count(shape), y.Len()
	switch {
	case n == m && m > 0:
		return y.WithShape(shape).Narrowed(), nil
	case m == 0 || n == 0:
		return value.Filled(shape, y.Prototype()), nil
	}
	return y.Gather(shape, cycle(n, m)), nil
}

// cycle returns n places of an array of m elements, from the first on, again and
// again.
func cycle(n, m int) []int {
	at := make([]int, n)
	for i, k := 0, 0; i < n; i++ {
		at[i] = k
		if k++; k == m {
			k = 0
		}
	}
	return at
}

func ravel(_ *Context, y *V) (*V, error) { return y.Ravel(), nil }

// table is monadic ⍪.
func table(_ *Context, y *V) (*V, error) {
	if y.Rank() == 0 {
		return y.WithShape([]int{1, 1}), nil
	}
	return y.WithShape([]int{y.Shape[0], value.Count(y.Shape[1:])}), nil
}

// axes are three extents around an axis: of the axes before it, of itself, and of
// those behind it.
type axes struct{ before, here, behind int }

func around(shape []int, axis int) axes {
	return axes{value.Count(shape[:axis]), shape[axis], value.Count(shape[axis+1:])}
}

// reverse is ⌽ along an axis.
func reverse(y *V, axis int) (*V, error) {
	if y.Rank() == 0 {
		return y, nil
	}
	a := around(y.Shape, axis)
	at := make([]int, 0, y.Len())
	for i := 0; i < a.before; i++ {
		for j := a.here - 1; j >= 0; j-- {
			for k := 0; k < a.behind; k++ {
				at = append(at, (i*a.here+j)*a.behind+k)
			}
		}
	}
	return y.Gather(y.Shape, at), nil
}

// rotate is x⌽y along an axis.
func rotate(x, y *V, axis int) (*V, error) {
	by, err := sizes(x)
	if err != nil {
		return nil, err
	}
	if y.Rank() == 0 {
		if x.Len() != 1 {
			return nil, fault(diag.WrongRank, "rotation counts of shape %s do not fit shape %s", array.ShapeText(x.Shape), array.ShapeText(y.Shape))
		}
		return y, nil
	}
	a := around(y.Shape, axis)
	rest := join(y.Shape[:axis], y.Shape[axis+1:])
	single := x.Len() == 1
	if !single && !sameShape(x.Shape, rest) {
		code := diag.RotationDiffers
		if x.Rank() != len(rest) {
			code = diag.WrongRank
		}
		return nil, fault(code, "rotation counts of shape %s do not fit shape %s", array.ShapeText(x.Shape), array.ShapeText(y.Shape))
	}
	at := make([]int, 0, y.Len())
	for i := 0; i < a.before; i++ {
		for j := 0; j < a.here; j++ {
			for k := 0; k < a.behind; k++ {
				r := by[0]
				if !single {
					r = by[i*a.behind+k]
				}
				at = append(at, (i*a.here+modulo(j+r%a.here, a.here))*a.behind+k)
			}
		}
	}
	return y.Gather(y.Shape, at), nil
}

func modulo(i, n int) int {
	if i %= n; i < 0 {
		i += n
	}
	return i
}

func transpose(_ *Context, y *V) (*V, error) {
	n := y.Rank()
	if n == 2 {
		rows, columns := y.Shape[0], y.Shape[1]
		switch shape := []int{columns, rows}; y.Kind {
		case value.Bool:
			return &V{Kind: y.Kind, Shape: shape, Bools: transposed(y.Bools, rows, columns)}, nil
		case value.Int:
			return &V{Kind: y.Kind, Shape: shape, Ints: transposed(y.Ints, rows, columns)}, nil
		case value.Double:
			return &V{Kind: y.Kind, Shape: shape, Doubles: transposed(y.Doubles, rows, columns)}, nil
		case value.Char:
			return &V{Kind: y.Kind, Shape: shape, Chars: transposed(y.Chars, rows, columns)}, nil
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = n - 1 - i
	}
	return permute(order, y)
}

// transposed transposes a matrix, a square block that fits the nearest cache at a time.
func transposed[T any](y []T, rows, columns int) []T {
	const side = 16
	out := make([]T, len(y))
	for i := 0; i < rows; i += side {
		for j := 0; j < columns; j += side {
			for r := i; r < min(rows, i+side); r++ {
				for c, x := range y[r*columns+j : r*columns+min(columns, j+side)] {
					out[(j+c)*rows+r] = x
				}
			}
		}
	}
	return out
}

// transposeBy is dyadic ⍉.
func transposeBy(c *Context, x, y *V) (*V, error) {
	if x.Rank() > 1 {
		return nil, fault(diag.ArgumentRank, "a choice of axes of rank %d", x.Rank())
	}
	order, err := sizes(x)
	if err != nil {
		return nil, err
	}
	if len(order) != y.Rank() {
		return nil, fault(diag.WrongLength, "%d axes for an array of shape %s", len(order), array.ShapeText(y.Shape))
	}
	used := make([]bool, y.Rank())
	top := -1
	for i := range order {
		order[i] -= c.Origin
		if order[i] < 0 || order[i] >= y.Rank() {
			return nil, fault(diag.NotPermutation, "the left argument is not a valid choice of axes for shape %s", array.ShapeText(y.Shape))
		}
		used[order[i]], top = true, max(top, order[i])
	}
	for i := 0; i <= top; i++ {
		if !used[i] {
			return nil, fault(diag.NotPermutation, "the left argument is not a valid choice of axes for shape %s", array.ShapeText(y.Shape))
		}
	}
	return permute(order, y)
}

// permute makes axis i of y axis order[i] of the result; axes that become one
// give a diagonal.
func permute(order []int, y *V) (*V, error) {
	rank := 0
	for _, k := range order {
		rank = max(rank, k+1)
	}
	shape, stride := make([]int, rank), make([]int, rank)
	for i := range shape {
		shape[i] = -1
	}
	step := 1
	for i := len(order) - 1; i >= 0; i-- {
		k := order[i]
		if shape[k] < 0 || y.Shape[i] < shape[k] {
			shape[k] = y.Shape[i]
		}
		stride[k] += step
		step *= y.Shape[i]
	}
	return y.Gather(shape, strided(shape, stride)), nil
}

// strided returns the places that the elements of an array of a shape have when
// its axes go in the given strides.
func strided(shape, stride []int) []int {
	n := value.Count(shape)
	at := make([]int, 0, n)
	if n == 0 {
		return at
	}
	at = append(at, 0)
	for i, s := range shape {
		next := make([]int, 0, len(at)*s)
		for _, base := range at {
			for k := 0; k < s; k++ {
				next = append(next, base+k*stride[i])
			}
		}
		at = next
	}
	return at
}

// first is monadic ⊃.
func first(_ *Context, y *V) (*V, error) {
	if y.Len() == 0 {
		return y.Prototype(), nil
	}
	return y.Item(0), nil
}

func enclose(_ *Context, y *V) (*V, error) { return value.Enclose(y), nil }

// nest is monadic ⊆.
func nest(_ *Context, y *V) (*V, error) {
	if y.Kind != value.Mixed || simple(y) {
		return value.Enclose(y), nil
	}
	return y, nil
}

// simple reports whether no item of y is an array of its own.
func simple(y *V) bool {
	if y.Kind != value.Mixed {
		return true
	}
	for _, x := range y.Items {
		if !x.SimpleScalar() {
			return false
		}
	}
	return len(y.Items) > 0 || y.Prototype().SimpleScalar()
}

// encloseAxes is ⊂[axes].
func encloseAxes(c *Context, axis, y *V) (*V, error) {
	chosen, err := axesOf(c, axis, y.Rank())
	if err != nil {
		return nil, err
	}
	in := make([]bool, y.Rank())
	order := make([]int, y.Rank())
	var outer, inner []int
	for k, a := range chosen {
		in[a] = true
		order[a] = y.Rank() - len(chosen) + k
		inner = append(inner, y.Shape[a])
	}
	for i, s := range y.Shape {
		if !in[i] {
			order[i] = len(outer)
			outer = append(outer, s)
		}
	}
	t, err := permute(order, y)
	if err != nil {
		return nil, err
	}
	return split(t, outer, inner)
}

// split returns the array of shape outer whose items are the cells of shape inner
// of y.
func split(y *V, outer, inner []int) (*V, error) {
	n, m := value.Count(outer), value.Count(inner)
	if outer == nil {
		outer = []int{}
	}
	if n == 0 {
		cell, err := Filled(inner, y.Prototype())
		if err != nil {
			return nil, err
		}
		return value.Empty(outer, cell), nil
	}
	items := make([]*V, n)
	for i := range items {
		items[i] = y.Part(i*m, (i+1)*m, inner)
	}
	return value.FromItems(outer, items), nil
}

// errTwice is the error of an axis that stands twice in a list.
var errTwice = fault(diag.NoAxis, "an axis stands twice")

// axesOf returns different axes counted from 0.
func axesOf(c *Context, axis *V, rank int) ([]int, error) {
	if axis.Rank() > 1 {
		return nil, fault(diag.ArgumentRank, "axes of rank %d", axis.Rank())
	}
	list, err := sizes(axis)
	if err != nil && axis.Kind == value.Double {
		return nil, fault(diag.NoAxis, "an axis that is no integer")
	}
	if err != nil {
		return nil, err
	}
	seen := make([]bool, rank)
	for i := range list {
		list[i] -= c.Origin
		if list[i] < 0 || list[i] >= rank {
			return nil, fault(diag.NoAxis, "axis %s of an array of rank %d", number(float64(list[i]+c.Origin)), rank)
		}
		if seen[list[i]] {
			return nil, errTwice
		}
		seen[list[i]] = true
	}
	return list, nil
}

// Axis returns one axis counted from 0.
func Axis(c *Context, axis *V, rank int) (int, error) {
	if axis.Len() != 1 {
		return 0, fault(diag.WrongLength, "one axis is needed")
	}
	list, err := axesOf(c, axis.Ravel(), rank)
	if err != nil {
		return 0, err
	}
	return list[0], nil
}

// splitAxis is ↓ along an axis.
func splitAxis(y *V, axis int) (*V, error) {
	if y.Rank() == 0 {
		return y, nil
	}
	order := make([]int, y.Rank())
	var outer []int
	for i, s := range y.Shape {
		if i == axis {
			order[i] = y.Rank() - 1
			continue
		}
		order[i] = len(outer)
		outer = append(outer, s)
	}
	t, err := permute(order, y)
	if err != nil {
		return nil, err
	}
	return split(t, outer, []int{y.Shape[axis]})
}

// mix is ↑ with the new axes behind the given number of axes of y, in place of
// the last ones.
func mix(y *V, axis float64, given bool) (*V, error) {
	items := y.AllItems()
	if len(items) == 0 {
		items = []*V{y.Prototype()}
	}
	rank := 0
	for _, x := range items {
		rank = max(rank, x.Rank())
	}
	cell := make([]int, rank)
	for _, x := range items {
		for i, s := range x.Shape {
			k := rank - x.Rank() + i
			cell[k] = max(cell[k], s)
		}
		for i := 0; i < rank-x.Rank(); i++ {
			cell[i] = max(cell[i], 1)
		}
	}
	shape := join(y.Shape, cell)
	if y.Len() == 0 {
		r := value.Filled(shape, items[0].Prototype())
		if !given || rank == 0 {
			return r, nil
		}
		return behind(r, y.Rank(), rank, axis)
	}
	parts := make([]*V, len(items))
	for i, x := range items {
		parts[i] = overtake(x, cell)
	}
	if err := sized(shape); err != nil {
		return nil, err
	}
	r := value.Joined(shape, parts...)
	if !given || rank == 0 {
		return r, nil
	}
	return behind(r, y.Rank(), rank, axis)
}

// mixAxes is ↑ with the places that the axes of the items have in the result.
func mixAxes(c *Context, axis, y *V) (*V, error) {
	r, err := mix(y, 0, false)
	if err != nil {
		return nil, err
	}
	list, err := axesOf(c, axis, r.Rank())
	if err != nil {
		return nil, err
	}
	if len(list) != r.Rank()-y.Rank() {
		return nil, fault(diag.WrongLength, "%d axes for items of rank %d", len(list), r.Rank()-y.Rank())
	}
	order, used := make([]int, r.Rank()), make([]bool, r.Rank())
	for i, k := range list {
		order[y.Rank()+i], used[k] = k, true
	}
	at := 0
	for i := 0; i < y.Rank(); i++ {
		for used[at] {
			at++
		}
		order[i] = at
		at++
	}
	return permute(order, r)
}

// behind moves the last n axes of r, which follow the given number of axes, behind
// as many axes as lie before the fraction.
func behind(r *V, rank, n int, axis float64) (*V, error) {
	before := 0
	for before < rank && float64(before) < axis {
		before++
	}
	order := make([]int, rank+n)
	for i := range order {
		switch {
		case i < before:
			order[i] = i
		case i < rank:
			order[i] = i + n
		default:
			order[i] = before + i - rank
		}
	}
	return permute(order, r)
}

// overtake fills x up to the given shape, which has at least its rank.
func overtake(x *V, shape []int) *V {
	if sameShape(x.Shape, shape) {
		return x
	}
	from := join(ones(len(shape)-x.Rank()), x.Shape)
	return x.Gather(shape, window(from, make([]int, len(shape)), shape))
}

func ones(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// window returns the places, in an array of shape from, of the elements of a
// window of the given shape that starts at the given indices; -1 is outside.
func window(from, start, shape []int) []int {
	at := []int{0}
	if value.Count(shape) == 0 {
		return []int{}
	}
	for i, s := range shape {
		next := make([]int, 0, len(at)*s)
		for _, base := range at {
			for k := start[i]; k < start[i]+s; k++ {
				if base < 0 || k < 0 || k >= from[i] {
					next = append(next, -1)
				} else {
					next = append(next, base*from[i]+k)
				}
			}
		}
		at = next
	}
	return at
}

// enlist is monadic ∊.
func enlist(_ *Context, y *V) (*V, error) {
	if y.Kind != value.Mixed {
		return y.Ravel(), nil
	}
	if err := fits(y, listedItem); err != nil {
		return nil, err
	}
	var parts []*V
	leaves(y, &parts)
	if len(parts) == 0 {
		return value.Empty([]int{0}, deepest(y)), nil
	}
	n := 0
	for _, p := range parts {
		n += p.Len()
	}
	return value.Joined([]int{n}, parts...), nil
}

func leaves(y *V, parts *[]*V) {
	if y.Kind != value.Mixed || y.Ref != nil {
		*parts = append(*parts, y)
		return
	}
	for _, x := range y.Items {
		leaves(x, parts)
	}
}

// depth is monadic ≡.
func depth(_ *Context, y *V) (*V, error) {
	d, even := depthOf(y)
	if !even {
		d = -d
	}
	return value.Integer(d), nil
}

func depthOf(y *V) (int, bool) {
	if _, deep := y.Ref.(value.Deep); deep {
		return 1, true
	}
	if y.SimpleScalar() {
		return 0, true
	}
	if y.Kind != value.Mixed {
		return 1, true
	}
	items := y.Items
	if len(items) == 0 {
		items = []*V{y.Prototype()}
	}
	most, even := 0, true
	for i, x := range items {
		d, e := depthOf(x)
		even = even && e && (i == 0 || d == most)
		most = max(most, d)
	}
	return most + 1, even
}

// deepest returns the simple prototype inside an array without elements.
func deepest(y *V) *V {
	for !y.SimpleScalar() {
		y = y.Prototype()
	}
	return y
}
