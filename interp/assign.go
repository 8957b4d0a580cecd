package interp

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// assign evaluates an assignment. Its value is what stands right of the arrow.
func (in *Interp) assign(f *Frame, x *apl.Assign) (*V, error) {
	y, err := in.givenUp(f, x.Y), error(nil)
	if y == nil {
		y, err = in.need(f, x.Y)
	}
	if err != nil {
		return nil, err
	}
	var fn Function
	if x.F != nil {
		if fn, err = in.function(f, x.F); err != nil {
			return nil, err
		}
	}
	store := func() error { return in.store(f, x.Target, fn, y) }
	if in.watching {
		err = in.observed(store)
	} else {
		err = store()
	}
	if err != nil {
		return nil, at(err, x, nil, nil)
	}
	in.shy = true
	return y, nil
}

// store assigns y to a target, or fn of its value and y.
func (in *Interp) store(f *Frame, t apl.Target, fn Function, y *V) error {
	switch t := t.(type) {
	case *apl.NameTarget:
		return in.storeName(f, t, fn, y)
	case *apl.MemberTarget:
		return in.storeMember(f, t, fn, y)
	case *apl.StrandTarget:
		return in.storeStrand(f, t, fn, y)
	case *apl.IndexTarget:
		return in.storeIndex(f, t, fn, y)
	case *apl.SelectTarget:
		return in.storeSelected(f, t, fn, y)
	}
	return in.fault(t, diag.NotCompiled, "an assignment that is not interpreted")
}

func (in *Interp) storeName(f *Frame, t *apl.NameTarget, fn Function, y *V) error {
	switch {
	case t.Ident == "⍺":
		if c := f.call(); c != nil && c.alpha == nil {
			c.alpha = y
		}
		return nil
	case t.Ident == "⎕":
		return in.print(y, t)
	case t.Ident == "⍞":
		if err := prim.Shown(y); err != nil {
			return at(err, t, nil, nil)
		}
		in.bare(prim.Bare(&in.state, y))
		return nil
	}
	owner := f.scope(t.Ident)
	if fn != nil {
		if v, where := f.find(t.Ident); in.appended(where, t.Ident, v, fn, y) {
			return nil
		}
		old, where, err := in.old(f, t, t.Ident)
		if err != nil {
			return err
		}
		if y, err = value1(fn.Call(in, old, y)); err != nil {
			return at(err, t, nil, nil)
		}
		owner = where
	}
	if strings.HasPrefix(t.Ident, "⎕") {
		return in.setSystem(f, t.Ident, y)
	}
	owner.set(t.Ident, y)
	return nil
}

// old returns the value of a name that is modified, and the frame that has it.
func (in *Interp) old(f *Frame, n apl.Node, name string) (*V, *Frame, error) {
	if strings.HasPrefix(name, "⎕") {
		v, err := in.systemVariable(name)
		return v, f, err
	}
	v, where := f.lookup(name)
	if a, ok := v.(*V); ok {
		return a, where, nil
	}
	return nil, nil, in.fault(n, diag.NoValue, "%s has no value here", name)
}

// storeStrand assigns the items of y to the items of the target.
func (in *Interp) storeStrand(f *Frame, t *apl.StrandTarget, fn Function, y *V) error {
	n := len(t.Items)
	single := y.Len() == 1
	switch {
	case y.Rank() > 1 && !single:
		return in.fault(t, diag.WrongRank, "%d names for an array of shape %s", n, array.ShapeText(y.Shape))
	case !single && y.Len() != n:
		return in.fault(t, diag.NamesDiffer, "%d names for %d values", n, y.Len())
	}
	for i := n - 1; i >= 0; i-- {
		item := y
		if single {
			item = y.Item(0)
		} else {
			item = y.Item(i)
		}
		if err := in.store(f, t.Items[i], fn, item); err != nil {
			return err
		}
	}
	return nil
}

// storeIndex is x[i]←y.
func (in *Interp) storeIndex(f *Frame, t *apl.IndexTarget, fn Function, y *V) error {
	return in.storeElement(f, f, t, fn, y)
}

// storeElement is x[i]←y, where i is evaluated in a frame and x is in another one.
func (in *Interp) storeElement(f, home *Frame, t *apl.IndexTarget, fn Function, y *V) error {
	items, err := in.indices(f, t.Items)
	if err != nil {
		return err
	}
	v, err := in.assigneeOf(home, t, t.Ident, fn)
	if err != nil {
		return err
	}
	s, err := prim.Brackets(&in.state, items, v.old.Shape)
	if prim.IsReach(err) {
		return v.reach(items[0], fn, y)
	}
	if err != nil {
		return err
	}
	in.indexed(s)
	if fn != nil {
		if repeats(s.At, v.old.Len()) {
			return in.modifyEach(v, s, fn, y)
		}
		if y, err = value1((&each{fn}).Call(in, v.old.Gather(s.Shape, s.At), y)); err != nil {
			return err
		}
	}
	return v.put(s, y)
}

// fewPlaces is the number of places that are compared with each other.
const fewPlaces = 8

// repeats reports whether a place of an array of n elements stands twice.
func repeats(places []int, n int) bool {
	if len(places) <= fewPlaces {
		for i, k := range places {
			if slices.Contains(places[:i], k) {
				return true
			}
		}
		return false
	}
	seen := make([]bool, n)
	for _, k := range places {
		if seen[k] {
			return true
		}
		seen[k] = true
	}
	return false
}

// modifyEach applies a modification to one element after the other, because
// places repeat.
func (in *Interp) modifyEach(v *assignee, s prim.Selection, fn Function, y *V) error {
	single := y.Len() == 1
	if !single && !fits(y.Shape, s.Shape) {
		return prim.Errorf(diag.SelectionDiffers, "cannot assign shape %s to a selection of shape %s", array.ShapeText(y.Shape), array.ShapeText(s.Shape))
	}
	places := make([]int, 0, len(s.At))
	now := map[int]*V{}
	for i, at := range s.At {
		k := i
		if single {
			k = 0
		}
		was, seen := now[at]
		if !seen {
			was = value.Enclose(v.old.Item(at))
			places = append(places, at)
		}
		r, err := value1(fn.Call(in, was, value.Enclose(y.Item(k))))
		if err != nil {
			return err
		}
		if r.Rank() != 0 {
			r = value.Enclose(r)
		}
		now[at] = r
	}
	items := make([]*V, len(places))
	for i, at := range places {
		items[i] = now[at].Item(0)
	}
	shape := []int{len(places)}
	return v.put(prim.Selection{Shape: shape, At: places}, value.FromItems(shape, items))
}

// storeReach assigns where the items of an index are paths.
func (in *Interp) storeReach(u updater, root, index *V, fn Function, y *V) (*V, error) {
	single := y.Len() == 1
	if !single && !fits(y.Shape, index.Shape) {
		return nil, prim.Errorf(diag.SelectionDiffers, "cannot assign shape %s to a selection of shape %s", array.ShapeText(y.Shape), array.ShapeText(index.Shape))
	}
	for i, path := range index.AllItems() {
		steps, was, err := prim.Path(&in.state, prim.PathOf(path, root.Rank()), root)
		if err != nil {
			return nil, err
		}
		k := i
		if single {
			k = 0
		}
		item := y.Item(k)
		if fn != nil {
			if item, err = value1(fn.Call(in, was, item)); err != nil {
				return nil, err
			}
		}
		if len(steps) == 0 {
			root = item
			continue
		}
		root = u.set(root, steps, item)
	}
	return u.finish(root), nil
}
