package prim

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/value"
)

// Selection is where an index selects: the places in the ravel, and their shape.
type Selection struct {
	Shape []int
	At    []int
}

// Brackets returns what y[items] selects from an array of the given shape; a nil
// item is a whole axis.
func Brackets(c *Context, items []*V, shape []int) (Selection, error) {
	if len(items) == 1 && items[0] != nil && items[0].Kind == value.Mixed {
		return chooseOrReach(c, items[0], shape)
	}
	if len(items) == 1 && items[0] == nil && len(shape) > 0 {
		items = make([]*V, len(shape))
	}
	if len(items) != len(shape) {
		return Selection{}, fault(diag.IndexCount, "%d indices for an array of shape %s", len(items), array.ShapeText(shape))
	}
	if len(items) == 1 && items[0] != nil {
		at, err := axisPlaces(c, items[0], shape[0], 0)
		return Selection{items[0].Shape, at}, err
	}
	s := Selection{Shape: []int{}, At: []int{0}}
	for i, x := range items {
		var at []int
		if x == nil {
			at = cycle(shape[i], shape[i])
			s.Shape = append(s.Shape, shape[i])
		} else {
			var err error
			if at, err = axisPlaces(c, x, shape[i], i); err != nil {
				return s, err
			}
			s.Shape = append(s.Shape, x.Shape...)
		}
		next := make([]int, 0, len(s.At)*len(at))
		for _, base := range s.At {
			for _, k := range at {
				next = append(next, base*shape[i]+k)
			}
		}
		s.At = next
	}
	return s, nil
}

// places is sizes where doubles are integers with the comparison tolerance.
func (c *Context) places(x *V) ([]int, error) {
	if x.Kind == value.Double && c.Tolerance > nearInt {
		r, err := Unary(c, "⌊", x)
		if err != nil {
			return nil, err
		}
		same, err := Scalar(c, "=", r, x)
		if err != nil {
			return nil, err
		}
		for _, b := range same.Bools {
			if b == 0 {
				return sizes(x)
			}
		}
		return sizes(r)
	}
	return sizes(x)
}

// axisPlaces returns the places along an axis that an index names.
func axisPlaces(c *Context, x *V, extent, axis int) ([]int, error) {
	at, err := c.places(x)
	if err != nil {
		return nil, err
	}
	for i := range at {
		at[i] -= c.Origin
		if at[i] < 0 || at[i] >= extent {
			return nil, outOfRange(c, at[i], extent, axis)
		}
	}
	return at, nil
}

// chooseOrReach is an index whose items are arrays: each names one element, or is a
// path; paths that go deeper than one level give no selection here.
func chooseOrReach(c *Context, x *V, shape []int) (Selection, error) {
	s := Selection{Shape: x.Shape}
	for _, item := range x.AllItems() {
		if reaches(item, len(shape)) {
			return s, errReach
		}
		k, err := place(c, item, shape)
		if err != nil {
			return s, err
		}
		s.At = append(s.At, k)
	}
	return s, nil
}

// reaches reports whether an item of an index of an array of a rank is a path to an
// item at some depth, and not the coordinates of one.
func reaches(item *V, rank int) bool {
	return item.Kind == value.Mixed || item.Rank() < 2 && item.Len() != rank
}

// PathOf is an item of an index with paths, of an array of a rank, as a path:
// coordinates are one of one step.
func PathOf(item *V, rank int) *V {
	if reaches(item, rank) {
		return item
	}
	return value.FromItems([]int{1}, []*V{item})
}

// errReach tells that an index has paths.
var errReach = fault(diag.WrongDomain, "a path where an index is needed")

// IsReach reports whether the error of Brackets says that the index has paths.
func IsReach(err error) bool { return err == errReach }

// Index is y[items].
func Index(c *Context, y *V, items []*V) (*V, error) {
	if len(items) == 1 && items[0] != nil && items[0].Kind == value.Int && y.Rank() == 1 {
		if r := y.Select(items[0], c.Origin); r != nil {
			return r, nil
		}
	}
	s, err := Brackets(c, items, y.Shape)
	if IsReach(err) {
		return reach(c, items[0], y)
	}
	if err != nil {
		return nil, err
	}
	return y.Gather(s.Shape, s.At), nil
}

// reach is y[x] where the items of x are paths.
func reach(c *Context, x, y *V) (*V, error) {
	out := make([]*V, x.Len())
	for i, path := range x.AllItems() {
		r, err := pick(c, PathOf(path, y.Rank()), y)
		if err != nil {
			return nil, err
		}
		out[i] = r
	}
	return value.FromItems(x.Shape, out), nil
}

// squad is dyadic ⌷, along the given axes or the leading ones.
func squad(c *Context, x, y *V, chosen []int) (*V, error) {
	items, err := SquadItems(x, y.Rank(), chosen)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return y, nil
	}
	return Index(c, y, items)
}

// SquadItems returns the index, one item an axis, that x⌷ means.
func SquadItems(x *V, rank int, chosen []int) ([]*V, error) {
	if x.Rank() > 1 {
		return nil, fault(diag.ArgumentRank, "an index of rank %d", x.Rank())
	}
	n := x.Len()
	if n > rank || chosen != nil && n != len(chosen) {
		return nil, fault(diag.WrongLength, "%d indices for an array of rank %d", n, rank)
	}
	items := make([]*V, rank)
	for k := 0; k < n; k++ {
		i := k
		if chosen != nil {
			i = chosen[k]
		}
		items[i] = x.Item(k)
		if items[i].Kind == value.Mixed {
			return nil, fault(diag.WrongDomain, "a nested index")
		}
	}
	return items, nil
}
