package prim

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/interp/value"
)

// indexGenerator is monadic ⍳.
func indexGenerator(c *Context, y *V) (*V, error) {
	if y.Rank() > 1 {
		return nil, fault(diag.ArgumentRank, "an argument of rank %d", y.Rank())
	}
	shape, err := sizes(y)
	if err != nil {
		return nil, err
	}
	for _, s := range shape {
		if s < 0 {
			return nil, fault(diag.Negative, "%s is negative", number(float64(s)))
		}
	}
	if err := sized(shape); err != nil {
		return nil, err
	}
	if len(shape) == 1 {
		out := make([]int64, shape[0])
		for i := range out {
			out[i] = int64(i + c.Origin)
		}
		return value.Integers(out), nil
	}
	n := value.Count(shape)
	if n == 0 {
		return value.Empty(shape, value.Sizes(make([]int, len(shape)))), nil
	}
	items := make([]*V, n)
	for i := range items {
		items[i] = value.Sizes(indices(i, shape, c.Origin))
	}
	if shape == nil {
		shape = []int{}
	}
	return value.FromItems(shape, items), nil
}

// indices returns the indices of the element at a place of the ravel.
func indices(at int, shape []int, origin int) []int {
	out := make([]int, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = at%shape[i] + origin
		at /= shape[i]
	}
	return out
}

// indexOf is dyadic ⍳.
func indexOf(c *Context, x, y *V) (*V, error) {
	if x.Rank() == 0 {
		return nil, fault(diag.ArgumentRank, "a scalar has no cells to look through")
	}
	rank := x.Rank() - 1
	if y.Rank() < rank {
		return nil, fault(diag.ArgumentRank, "an argument of rank %d has no cells of rank %d", y.Rank(), rank)
	}
	outer, cell := y.Shape[:y.Rank()-rank], y.Shape[y.Rank()-rank:]
	n := value.Count(outer)
	out := make([]int64, n)
	r := &V{Kind: value.Int, Shape: outer, Ints: out}
	if !sameShape(cell, x.Shape[1:]) {
		return nil, fault(diag.WrongLength, "shapes %s and %s have different cells", array.ShapeText(x.Shape), array.ShapeText(y.Shape))
	}
	at, err := places(c, x, y, n)
	if err != nil {
		return nil, err
	}
	for i, k := range at {
		out[i] = int64(k + c.Origin)
	}
	return r, nil
}

// member is dyadic ∊.
func member(c *Context, x, y *V) (*V, error) {
	if x.Kind == value.Int && y.Kind == value.Int {
		if out := memberInts(x.Ints, y.Ints); out != nil {
			return &V{Kind: value.Bool, Shape: x.Shape, Bools: out}, nil
		}
	}
	out := make([]byte, x.Len())
	at, err := places(c, y.Ravel(), x, len(out))
	if err != nil {
		return nil, err
	}
	for i, k := range at {
		if k < y.Len() {
			out[i] = 1
		}
	}
	return &V{Kind: value.Bool, Shape: x.Shape, Bools: out}, nil
}

// fresh returns for each major cell of y whether it is the first of its kind.
func fresh(c *Context, y *V) []bool {
	out := make([]bool, y.Tally())
	if y.Cell() == 1 && y.Kind != value.Mixed && y.Kind != value.Double && y.Kind != value.Complex {
		at := simplePlaces(c, y, y)
		for i, k := range at {
			out[i] = i == k
		}
		return out
	}
	if y.Cell() == 1 && y.Kind == value.Double {
		return freshDoubles(c.Tolerance, y.Doubles)
	}
	f := newFinder(c, nil)
	for i := range out {
		x := y.Major(i)
		if f.index(x) < 0 {
			out[i] = true
			f.add(x)
		}
	}
	return out
}

// unique is monadic ∪.
func unique(c *Context, y *V) (*V, error) {
	if y.Rank() == 0 {
		return y.Ravel(), nil
	}
	if y.Rank() == 1 && y.Kind == value.Int {
		if different := differentInts(y.Ints); different != nil {
			return value.Integers(different), nil
		}
	}
	var keep []int
	for i, is := range fresh(c, y) {
		if is {
			keep = append(keep, i)
		}
	}
	return along(y, 0, keep), nil
}

// uniqueMask is monadic ≠.
func uniqueMask(c *Context, y *V) (*V, error) {
	out := make([]byte, y.Tally())
	for i, is := range fresh(c, y) {
		if is {
			out[i] = 1
		}
	}
	return value.Booleans(out), nil
}

// vector returns a scalar as a vector of one item, and refuses matrices.
func vector(glyph string, x *V) (*V, error) {
	if x.Rank() > 1 {
		return nil, fault(diag.ArgumentRank, "%s of an array of rank %d", glyph, x.Rank())
	}
	return x.Ravel(), nil
}

// within returns the items of the vector x, in order, that are in y, or those that are
// not.
func within(c *Context, x, y *V, in bool) (*V, error) {
	at, err := places(c, y, x, x.Tally())
	if err != nil {
		return nil, err
	}
	var keep []int
	for i, k := range at {
		if (k < y.Tally()) == in {
			keep = append(keep, i)
		}
	}
	return along(x, 0, keep), nil
}

func without(c *Context, x, y *V) (*V, error) {
	x, err := vector("~", x)
	if err != nil {
		return nil, err
	}
	return within(c, x, y.Ravel(), false)
}

func intersection(c *Context, x, y *V) (*V, error) {
	x, y, err := vectors2("∩", x, y)
	if err != nil {
		return nil, err
	}
	return within(c, x, y, true)
}

// vectors2 is vector of two arguments.
func vectors2(glyph string, x, y *V) (*V, *V, error) {
	x, err := vector(glyph, x)
	if err != nil {
		return nil, nil, err
	}
	y, err = vector(glyph, y)
	return x, y, err
}

func union(c *Context, x, y *V) (*V, error) {
	x, y, err := vectors2("∪", x, y)
	if err != nil {
		return nil, err
	}
	more, err := within(c, y, x, false)
	if err != nil {
		return nil, err
	}
	return catenate(x, more, 0)
}

// find is dyadic ⍷.
func find(c *Context, x, y *V) (*V, error) {
	out := make([]byte, y.Len())
	r := &V{Kind: value.Bool, Shape: y.Shape, Bools: out}
	if x.Rank() > y.Rank() {
		return r, nil
	}
	shape := join(ones(y.Rank()-x.Rank()), x.Shape)
	for i, s := range shape {
		if s > y.Shape[i] {
			return r, nil
		}
	}
	x = x.WithShape(shape)
	for i := range out {
		start := indices(i, y.Shape, 0)
		if startsAt(c, x, y, start, shape) {
			out[i] = 1
		}
	}
	return r, nil
}

func startsAt(c *Context, x, y *V, start, shape []int) bool {
	for i, s := range start {
		if s+shape[i] > y.Shape[i] {
			return false
		}
	}
	if len(shape) == 1 && x.Kind == value.Char && y.Kind == value.Char {
		for k, r := range x.Chars {
			if y.Chars[start[0]+k] != r {
				return false
			}
		}
		return true
	}
	if x.Len() == 0 {
		return true
	}
	return Match(c, x, y.Gather(shape, window(y.Shape, start, shape)))
}

// where is monadic ⍸.
func where(c *Context, y *V) (*V, error) {
	if y.Kind == value.Bool && y.Rank() == 1 {
		return value.Integers(value.Places(y.Bools, c.Origin)), nil
	}
	n, err := Ints(y)
	if err != nil {
		return nil, err
	}
	var at []int
	for i, k := range n {
		if k < 0 {
			return nil, fault(diag.Negative, "%s is negative", number(float64(k)))
		}
		for ; k > 0; k-- {
			at = append(at, i)
		}
	}
	if y.Rank() == 1 {
		for i := range at {
			at[i] += c.Origin
		}
		return value.Sizes(at), nil
	}
	if len(at) == 0 {
		return value.Empty([]int{0}, value.Sizes(make([]int, y.Rank()))), nil
	}
	items := make([]*V, len(at))
	for i, k := range at {
		items[i] = value.Sizes(indices(k, y.Shape, c.Origin))
	}
	return value.FromItems([]int{len(items)}, items), nil
}

// intervalIndex is dyadic ⍸.
func intervalIndex(c *Context, x, y *V) (*V, error) {
	if x.Rank() == 0 {
		return nil, fault(diag.ArgumentRank, "a scalar has no cells to look through")
	}
	rank := x.Rank() - 1
	if y.Rank() < rank {
		return nil, fault(diag.ArgumentRank, "an argument of rank %d has no cells of rank %d", y.Rank(), rank)
	}
	outer, cell := y.Shape[:y.Rank()-rank], y.Shape[y.Rank()-rank:]
	if !sameShape(cell, x.Shape[1:]) {
		return nil, fault(diag.WrongLength, "shapes %s and %s have different cells", array.ShapeText(x.Shape), array.ShapeText(y.Shape))
	}
	if rank == 0 && x.Kind <= value.Double && y.Kind <= value.Double && max(x.Kind, y.Kind) == value.Double {
		return intervals(c, x.AsDoubles(), y.AsDoubles(), outer)
	}
	if rank == 0 && x.Kind <= value.Int && y.Kind <= value.Int {
		return intervals(&Context{Origin: c.Origin}, x.AsInts(), y.AsInts(), outer)
	}
	cells := majors(x)
	for i := 1; i < len(cells); i++ {
		if Order(cells[i-1], cells[i]) > 0 {
			return nil, fault(diag.WrongDomain, "the left argument is not in order")
		}
	}
	out := make([]int64, value.Count(outer))
	n := value.Count(cell)
	for i := range out {
		v := y.Part(i*n, (i+1)*n, cell)
		lo, hi := 0, len(cells)
		for lo < hi {
			if m := (lo + hi) / 2; Order(cells[m], v) <= 0 || Match(c, cells[m], v) {
				lo = m + 1
			} else {
				hi = m
			}
		}
		out[i] = int64(lo - 1 + c.Origin)
	}
	return &V{Kind: value.Int, Shape: outer, Ints: out}, nil
}

// intervals is intervalIndex of real numbers.
func intervals[T int64 | float64](c *Context, x, y []T, shape []int) (*V, error) {
	if !slices.IsSorted(x) {
		return nil, fault(diag.WrongDomain, "the left argument is not in order")
	}
	out := make([]int64, len(y))
	for i, v := range y {
		lo, hi := 0, len(x)
		for lo < hi {
			m := (lo + hi) / 2
			if x[m] <= v || c.Tolerance > 0 && num.Equal(float64(x[m]), float64(v), c.Tolerance) {
				lo = m + 1
			} else {
				hi = m
			}
		}
		out[i] = int64(lo - 1 + c.Origin)
	}
	return &V{Kind: value.Int, Shape: shape, Ints: out}, nil
}

// Groups returns the places of the major cells of y that match, for each different
// one in the order in which they appear.
func Groups(c *Context, y *V) [][]int {
	var groups [][]int
	at, err := places(c, y, y, y.Tally())
	if err != nil {
		return nil
	}
	number := make(map[int]int)
	for i, k := range at {
		g, ok := number[k]
		if !ok {
			g = len(groups)
			number[k] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// Window returns the part of y of the given shape that starts at the given indices,
// with fills where there is nothing.
func Window(y *V, start, shape []int) *V {
	return y.Gather(shape, window(y.Shape, start, shape))
}
