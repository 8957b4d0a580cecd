package interp

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// amend is f@g: the left operand is a function or the new values, the right one a
// function that marks places, or the places.
type amend struct{ left, right any }

func deriveAt(_ *Interp, left, right any) (Function, error) { return &amend{left, right}, nil }

func (a *amend) Call(in *Interp, x, y *V) (*V, error) {
	places, err := a.places(in, y)
	if prim.IsReach(err) {
		return a.reach(in, x, y)
	}
	if err != nil {
		return nil, err
	}
	was := y.Gather(places.Shape, places.At)
	new, ok := a.left.(*V)
	if !ok {
		if new, err = value1(a.left.(Function).Call(in, x, was)); err != nil {
			return nil, err
		}
	}
	return store(y, places, new)
}

// reach replaces items that paths lead to.
func (a *amend) reach(in *Interp, x, y *V) (*V, error) {
	paths := a.right.(*V)
	new, ok := a.left.(*V)
	if !ok {
		was, err := prim.Index(&in.state, y, []*V{paths})
		if err == nil {
			new, err = value1(a.left.(Function).Call(in, x, was))
		}
		if err != nil {
			return nil, err
		}
	}
	return in.storeReach(updater{}, y, paths, nil, new)
}

// places returns which elements are replaced.
func (a *amend) places(in *Interp, y *V) (prim.Selection, error) {
	if g, ok := a.right.(Function); ok {
		mask, err := value1(g.Call(in, nil, y))
		if err != nil {
			return prim.Selection{}, err
		}
		b, err := prim.Truths(mask)
		if err != nil {
			return prim.Selection{}, err
		}
		if array.ShapeText(mask.Shape) != array.ShapeText(y.Shape) {
			return prim.Selection{}, prim.Errorf(diag.WrongLength, "a mask of shape %s for an array of shape %s", array.ShapeText(mask.Shape), array.ShapeText(y.Shape))
		}
		var s prim.Selection
		for i, t := range b {
			if t == 1 {
				s.At = append(s.At, i)
			}
		}
		s.Shape = []int{len(s.At)}
		return s, nil
	}
	k := a.right.(*V)
	if k.Kind == value.Mixed {
		return prim.Brackets(&in.state, []*V{k}, y.Shape)
	}
	if y.Rank() == 0 {
		return prim.Selection{}, prim.Errorf(diag.WrongRank, "places in a scalar")
	}
	items := make([]*V, y.Rank())
	items[0] = k
	return prim.Brackets(&in.state, items, y.Shape)
}

// store returns y with new elements at places.
func store(y *V, places prim.Selection, new *V) (*V, error) {
	if err := fitting(places, new); err != nil || len(places.At) == 0 {
		return y, err
	}
	u := updater{}
	return u.finish(u.fill(y, places, new)), nil
}

// fitting returns an error if an array cannot be assigned to places.
func fitting(places prim.Selection, new *V) error {
	single := new.Len() == 1 && len(places.At) != 1
	if !single && !fits(new.Shape, places.Shape) {
		return prim.Errorf(diag.SelectionDiffers, "cannot assign shape %s to a selection of shape %s", array.ShapeText(new.Shape), array.ShapeText(places.Shape))
	}
	return nil
}

// fits reports whether a value of shape a can be assigned to a selection of shape b:
// axes of one element do not count.
func fits(a, b []int) bool {
	a, b = trimmed(a), trimmed(b)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func trimmed(shape []int) []int {
	var out []int
	for _, s := range shape {
		if s != 1 {
			out = append(out, s)
		}
	}
	return out
}
