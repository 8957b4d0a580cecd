package prim

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/value"
)

// counts returns the left argument of ↑ and ↓ for an array of the given rank.
func counts(x *V) ([]int, error) {
	if x.Rank() > 1 {
		return nil, fault(diag.ArgumentRank, "counts of rank %d", x.Rank())
	}
	return sizes(x)
}

// countsFor returns the counts of ↑ and ↓ along the given axes of y, and the shape
// that they are for: a scalar has as many axes of one item as there are counts.
func countsFor(x, y *V, chosen []int) (by, shape []int, err error) {
	if by, err = counts(x); err != nil {
		return nil, nil, err
	}
	shape = y.Shape
	if y.Rank() == 0 && chosen == nil {
		shape = ones(len(by))
	}
	if len(by) > len(shape) || chosen != nil && len(by) != len(chosen) {
		return nil, nil, fault(diag.WrongCount, "%d counts for an array of shape %s", len(by), array.ShapeText(y.Shape))
	}
	return by, shape, nil
}

// take is dyadic ↑ along the given axes; all leading ones if they are nil.
func take(c *Context, x, y *V, chosen []int) (*V, error) {
	by, shape, err := countsFor(x, y, chosen)
	if err != nil {
		return nil, err
	}
	start, size := make([]int, len(shape)), join(shape)
	for k, n := range by {
		i := k
		if chosen != nil {
			i = chosen[k]
		}
		if size[i] = n; n < 0 {
			size[i], start[i] = magnitude(n), shape[i]+n
		}
	}
	if err := sized(size); err != nil {
		return nil, err
	}
	if len(shape) == 1 && start[0] >= 0 && start[0]+size[0] <= shape[0] {
		return y.Ravel().Part(start[0], start[0]+size[0], size), nil
	}
	return y.Gather(size, window(shape, start, size)), nil
}

// drop is dyadic ↓.
func drop(c *Context, x, y *V, chosen []int) (*V, error) {
	by, shape, err := countsFor(x, y, chosen)
	if err != nil {
		return nil, err
	}
	start, size := make([]int, len(shape)), join(shape)
	for k, n := range by {
		i := k
		if chosen != nil {
			i = chosen[k]
		}
		if n >= 0 {
			start[i] = min(n, shape[i])
			size[i] = shape[i] - start[i]
		} else {
			size[i] = shape[i] - min(max(-n, 0), shape[i])
			if n < -shape[i] {
				size[i] = 0
			}
		}
	}
	if len(shape) == 1 {
		return y.Ravel().Part(start[0], start[0]+size[0], size), nil
	}
	return y.Gather(size, window(shape, start, size)), nil
}

// replicate is x/y along an axis. A negative count gives fills in place of its
// element.
func replicate(x, y *V, axis int) (*V, error) {
	if x.Rank() > 1 {
		return nil, fault(diag.ArgumentRank, "counts of rank %d", x.Rank())
	}
	if x.Kind == value.Bool && y.Rank() == 1 && len(x.Bools) == y.Shape[0] {
		return y.Compress(x.Bools), nil
	}
	by, err := sizes(x)
	if err != nil {
		return nil, err
	}
	if y.Rank() == 0 {
		y = y.Ravel()
	}
	n := y.Shape[axis]
	single := n == 1 && len(by) != 1
	if len(by) == 1 && n != 1 {
		by = cycle1(by[0], n)
	}
	if !single && len(by) != n {
		return nil, fault(diag.WrongCount, "%d counts for axis %d of shape %s", len(by), axis+1, array.ShapeText(y.Shape))
	}
	total, err := room(by, 0, y, axis)
	if err != nil {
		return nil, err
	}
	from := make([]int, 0, total) // along the axis; -1 is the fill
	for i, k := range by {
		at := i
		if single {
			at = 0
		}
		if k < 0 {
			at, k = -1, -k
		}
		for ; k > 0; k-- {
			from = append(from, at)
		}
	}
	return along(y, axis, from), nil
}

// room adds up counts, of which those that are 0 stand for none items, and
// refuses y with an axis of that length where there is no room for it.
func room(by []int, none int, y *V, axis int) (int, error) {
	shape := slices.Clone(y.Shape)
	total := 0
	for _, k := range by {
		if k == 0 {
			k = none
		}
		if total += magnitude(k); total < 0 {
			shape[axis] = math.MaxInt
			return 0, fault(diag.TooLarge, "an array of shape %s is too large", array.ShapeText(shape))
		}
	}
	shape[axis] = total
	return total, sized(shape)
}

// magnitude is |k|, or the greatest int where there is none.
func magnitude(k int) int { return max(k, -max(k, -math.MaxInt)) }

// cycle1 returns n times the number k.
func cycle1(k, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = k
	}
	return out
}

// along returns y with the given places of an axis; -1 is the fill.
func along(y *V, axis int, from []int) *V {
	a := around(y.Shape, axis)
	shape := join(y.Shape)
	shape[axis] = len(from)
	at := from
	if a.before != 1 || a.behind != 1 {
		at = make([]int, 0, value.Count(shape))
		for i := 0; i < a.before; i++ {
			for _, j := range from {
				for k := 0; k < a.behind; k++ {
					if j < 0 {
						at = append(at, -1)
					} else {
						at = append(at, (i*a.here+j)*a.behind+k)
					}
				}
			}
		}
	}
	return y.Gather(shape, at)
}

// expand is x\y along an axis.
func expand(x, y *V, axis int) (*V, error) {
	if x.Rank() > 1 {
		return nil, fault(diag.ArgumentRank, "counts of rank %d", x.Rank())
	}
	by, err := sizes(x)
	if err != nil {
		return nil, err
	}
	if y.Rank() == 0 {
		y = y.Ravel()
	}
	n := y.Shape[axis]
	used := 0
	for _, b := range by {
		if b > 0 {
			used++
		}
	}
	single := n == 1
	if used != n && !single {
		return nil, fault(diag.WrongCount, "the left argument selects %d items, axis %d of shape %s has others", used, axis+1, array.ShapeText(y.Shape))
	}
	total, err := room(by, 1, y, axis)
	if err != nil {
		return nil, err
	}
	from := make([]int, 0, total)
	k := 0
	for _, b := range by {
		switch {
		case b > 0:
			at := k
			if single {
				at = 0
			}
			for ; b > 0; b-- {
				from = append(from, at)
			}
			k++
		case b == 0:
			from = append(from, -1)
		default:
			for ; b < 0; b++ {
				from = append(from, -1)
			}
		}
	}
	return along(y, axis, from), nil
}

// pick is dyadic ⊃.
func pick(c *Context, x, y *V) (*V, error) {
	if x.Rank() > 1 {
		return nil, fault(diag.ArgumentRank, "a path of rank %d", x.Rank())
	}
	for i := 0; i < x.Len(); i++ {
		at, err := place(c, x.Item(i), y.Shape)
		if err != nil {
			return nil, err
		}
		y = y.Item(at)
	}
	return y, nil
}

// place returns the place in the ravel of an array of the given shape that one
// item of a path names.
func place(c *Context, index *V, shape []int) (int, error) {
	if index.Rank() > 1 {
		return 0, fault(diag.ArgumentRank, "an index of rank %d", index.Rank())
	}
	at, err := sizes(index)
	if err != nil {
		return 0, err
	}
	if len(at) != len(shape) {
		return 0, fault(diag.IndexCount, "%d indices for an array of shape %s", len(at), array.ShapeText(shape))
	}
	k := 0
	for i, s := range shape {
		j := at[i] - c.Origin
		if j < 0 || j >= s {
			return 0, outOfRange(c, j, s, i)
		}
		k = k*s + j
	}
	return k, nil
}

func outOfRange(c *Context, j, s, axis int) error {
	return fault(diag.IndexOutside, "index %s is outside %d…%d on axis %d", number(float64(j+c.Origin)), c.Origin, s-1+c.Origin, axis+1)
}

// Path returns the places that a path leads through, and the item at its end.
func Path(c *Context, x, y *V) ([]int, *V, error) {
	var steps []int
	for i := 0; i < x.Len(); i++ {
		at, err := place(c, x.Item(i), y.Shape)
		if err != nil {
			return nil, nil, err
		}
		steps = append(steps, at)
		y = y.Item(at)
	}
	return steps, y, nil
}
