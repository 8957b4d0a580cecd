package prim

import (
	"cmp"
	"math"
	"slices"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/value"
)

// gradeBy returns the stable order of n things.
func gradeBy(n int, compare func(i, j int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}

// grade is monadic ⍋ (up is 1) and ⍒ (¯1).
func grade(c *Context, y *V, up int) (*V, error) {
	if y.Rank() == 0 {
		return nil, fault(diag.ArgumentRank, "a scalar has no cells to sort")
	}
	if y.Ref != nil {
		return nil, fault(diag.WrongDomain, "a reference has no order")
	}
	n := y.Cell()
	if n == 1 && y.Kind == value.Int {
		if order := gradeInts(y.Ints, up, c.Origin); order != nil {
			return value.Integers(order), nil
		}
	}
	var order []int
	switch y.Kind {
	case value.Bool, value.Int:
		order = gradeCells(y.AsInts(), y.Tally(), n, up)
	case value.Double:
		order = gradeCells(y.Doubles, y.Tally(), n, up)
	case value.Char:
		order = gradeCells(y.Chars, y.Tally(), n, up)
	default:
		cells := majors(y)
		order = gradeBy(len(cells), func(i, j int) int { return up * Order(cells[i], cells[j]) })
	}
	for i := range order {
		order[i] += c.Origin
	}
	return value.Sizes(order), nil
}

// gradeCells returns the order of cells of n elements.
func gradeCells[T cmp.Ordered](v []T, cells, n, up int) []int {
	if n == 1 && cells >= manyKeys && cells <= math.MaxInt32 {
		return gradeKeys(cells, keyOf(v, up))
	}
	if n == 1 {
		return gradeBy(cells, func(i, j int) int { return up * cmp.Compare(v[i], v[j]) })
	}
	return gradeBy(cells, func(i, j int) int { return up * slices.Compare(v[i*n:(i+1)*n], v[j*n:(j+1)*n]) })
}

// Order compares two arrays by the total order of arrays.
func Order(x, y *V) int {
	if x.Len() == 0 || y.Len() == 0 {
		return orderEmpty(x, y)
	}
	if x.Rank() == 0 && y.Rank() == 0 {
		return orderScalars(x, y)
	}
	rank := max(x.Rank(), y.Rank())
	sx := join(ones(rank-x.Rank()), x.Shape)
	sy := join(ones(rank-y.Rank()), y.Shape)
	shape := make([]int, rank)
	for i := range shape {
		shape[i] = max(sx[i], sy[i])
	}
	start := make([]int, rank)
	ax, ay := window(sx, start, shape), window(sy, start, shape)
	for i := range ax {
		switch {
		case ax[i] < 0 && ay[i] < 0:
		case ax[i] < 0:
			return -1
		case ay[i] < 0:
			return 1
		default:
			if r := Order(x.Item(ax[i]), y.Item(ay[i])); r != 0 {
				return r
			}
		}
	}
	return cmp.Compare(x.Rank(), y.Rank())
}

// orderEmpty compares arrays of which one is empty: it comes first; of two, the
// prototypes decide, then the ranks and the shapes.
func orderEmpty(x, y *V) int {
	if (x.Len() == 0) != (y.Len() == 0) {
		if x.Len() == 0 {
			return -1
		}
		return 1
	}
	if r := Order(x.Prototype(), y.Prototype()); r != 0 {
		return r
	}
	if r := cmp.Compare(x.Rank(), y.Rank()); r != 0 {
		return r
	}
	return slices.Compare(x.Shape, y.Shape)
}

func orderScalars(x, y *V) int {
	switch {
	case x.Kind == value.Mixed || y.Kind == value.Mixed:
		if x.Kind == value.Mixed && x.Ref == nil {
			x = x.Items[0]
		}
		if y.Kind == value.Mixed && y.Ref == nil {
			y = y.Items[0]
		}
		if x.Ref != nil || y.Ref != nil {
			return 0
		}
		return Order(x, y)
	case x.Kind == value.Char && y.Kind == value.Char:
		return cmp.Compare(x.Chars[0], y.Chars[0])
	case x.Kind == value.Char:
		return 1
	case y.Kind == value.Char:
		return -1
	case x.Kind <= value.Int && y.Kind <= value.Int:
		return cmp.Compare(x.Int(0), y.Int(0))
	}
	a, b := x.AsComplexes()[0], y.AsComplexes()[0]
	if r := cmp.Compare(real(a), real(b)); r != 0 {
		return r
	}
	return cmp.Compare(imag(a), imag(b))
}

// gradeIn is dyadic ⍋ and ⍒: by the places of characters in x.
func gradeIn(c *Context, x, y *V, up int) (*V, error) {
	if y.Rank() == 0 || x.Rank() == 0 {
		return nil, fault(diag.ArgumentRank, "a scalar has no cells to sort")
	}
	if x.Kind != value.Char || y.Kind != value.Char {
		if x.Len() > 0 && y.Len() > 0 {
			return nil, fault(diag.WrongDomain, "characters are needed")
		}
		return indexGenerator(c, value.Integer(y.Tally()))
	}
	weight := map[rune][]int{}
	for i, r := range x.Chars {
		at := indices(i, x.Shape, 0)
		slices.Reverse(at) // the last axis weighs most
		old, ok := weight[r]
		if !ok {
			weight[r] = at
			continue
		}
		for k := range old {
			old[k] = min(old[k], at[k])
		}
	}
	other := join(x.Shape)
	slices.Reverse(other)
	weigh := func(r rune) []int {
		if w, ok := weight[r]; ok {
			return w
		}
		return other
	}
	n := y.Cell()
	order := gradeBy(y.Tally(), func(i, j int) int { return up * orderIn(weigh, y.Chars[i*n:(i+1)*n], y.Chars[j*n:(j+1)*n], x.Rank()) })
	for i := range order {
		order[i] += c.Origin
	}
	return value.Sizes(order), nil
}

// orderIn compares texts first by the heaviest weights of all characters, then by
// the next ones.
func orderIn(weigh func(rune) []int, x, y []rune, rank int) int {
	for k := 0; k < rank; k++ {
		for i := range x {
			if r := cmp.Compare(weigh(x[i])[k], weigh(y[i])[k]); r != 0 {
				return r
			}
		}
	}
	return 0
}
