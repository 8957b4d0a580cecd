package interp

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// A selective assignment (f x)←y evaluates f of an array like x whose elements are
// numbers that tell where they come from. Items that are arrays are known by
// themselves, since functions that select pass them on.

// origin is an array like the one that is assigned to.
type origin struct {
	leaves [][]int      // the path of each number, less 1
	items  map[*V][]int // the path of each item that is an array
}

// trace returns an array of the structure of v, with numbers for its elements.
func (o *origin) trace(v *V, path []int) *V {
	step := func(i int) []int { return append(append([]int{}, path...), i) }
	if v.Kind != value.Mixed {
		ids := make([]int64, v.Len())
		for i := range ids {
			o.leaves = append(o.leaves, step(i))
			ids[i] = int64(len(o.leaves))
		}
		return &V{Kind: value.Int, Shape: v.Shape, Ints: ids}
	}
	items := make([]*V, len(v.Items))
	for i, x := range v.Items {
		if x.SimpleScalar() {
			o.leaves = append(o.leaves, step(i))
			items[i] = value.Integer(len(o.leaves))
			continue
		}
		t := o.trace(x, step(i))
		o.items[t] = step(i)
		items[i] = t
	}
	if len(items) == 0 {
		return v
	}
	return value.FromItems(v.Shape, items)
}

// storeSelected is (f x)←y.
func (in *Interp) storeSelected(f *Frame, t *apl.SelectTarget, fn Function, y *V) error {
	if ok, err := in.replacePicked(f, t, fn, y); ok {
		return err
	}
	var name string
	saved, now := in.traced, tracing{}
	where := f
	switch target := apl.Selected(t.X).(type) {
	case *apl.Var:
		now.name, name = target, target.Ident
	case *apl.Member:
		ref, err := in.need(f, target.X)
		if err != nil {
			return err
		}
		space, ok := ref.Ref.(*value.Namespace)
		if !ok {
			return in.fault(target.X, diag.Unreadable, "%s is no namespace", target.X.Span().Text())
		}
		now.member, name, where = target, target.Name, in.frameOf(space)
	}
	old, where, err := in.old(where, t, name)
	if err != nil {
		return err
	}
	o := &origin{items: map[*V][]int{}}
	now.value = o.trace(old, nil)
	in.traced = now
	chosen, err := in.need(f, t.X)
	in.traced = saved
	if err != nil {
		return err
	}
	in.indexed(o.chosen(chosen))
	w := &writer{in: in, fn: fn, o: o, u: updater{}, root: old}
	if picks(t.X) && (chosen.SimpleScalar() || o.items[chosen] != nil) {
		err = w.whole(chosen, y)
	} else {
		err = w.assign(chosen, y)
	}
	if err != nil {
		return err
	}
	where.set(name, w.u.finish(w.root))
	return nil
}

// chosen returns the places of the elements that a selection of a simple array has.
func (o *origin) chosen(ids *V) prim.Selection {
	s := prim.Selection{Shape: ids.Shape}
	for _, id := range ids.AllItems() {
		k, err := prim.Whole(id)
		if err != nil || k < 1 || k > len(o.leaves) {
			return prim.Selection{Shape: []int{0}}
		}
		s.At = append(s.At, o.leaves[k-1][0])
	}
	return s
}

// tracing is a use of a name, or of a member, that stands for another value for a while.
type tracing struct {
	name   *apl.Var
	member *apl.Member
	value  *V
}

// picks reports whether an expression selects one item by ⊃.
func picks(x apl.Expr) bool {
	var f apl.Func
	switch x := x.(type) {
	case *apl.Paren:
		return picks(x.X)
	case *apl.Monadic:
		f = x.F
	case *apl.Dyadic:
		f = x.F
	}
	p, ok := f.(*apl.Prim)
	return ok && p.Glyph == "⊃"
}

// writer assigns values to the places that a traced array tells.
type writer struct {
	in   *Interp
	fn   Function // of a modified assignment, or nil
	o    *origin
	u    updater
	root *V
}

// whole replaces one item by y.
func (w *writer) whole(chosen, y *V) error {
	path := w.o.items[chosen]
	if path == nil {
		if path = w.path(chosen); path == nil {
			return prim.Errorf(diag.NoItem, "an item that is not there")
		}
	}
	return w.set(path, y)
}

// set replaces the item at a path, by y or by what the function makes of both.
func (w *writer) set(path []int, y *V) error {
	if w.fn != nil {
		was := w.root
		for _, k := range path {
			was = was.Item(k)
		}
		var err error
		if y, err = value1(w.fn.Call(w.in, was, y)); err != nil {
			return err
		}
	}
	w.root = w.u.set(w.root, path, y)
	return nil
}

// path returns the path of a number, or nil for a fill.
func (w *writer) path(id *V) []int {
	if id.Kind > value.Int {
		return nil
	}
	k := int(id.Int(0))
	if k < 1 || k > len(w.o.leaves) {
		return nil
	}
	return w.o.leaves[k-1]
}

// assign gives the chosen places the elements of y.
func (w *writer) assign(chosen, y *V) error {
	single := y.Len() == 1 && chosen.Len() != 1 || y.Rank() == 0
	if !single && !fits(y.Shape, chosen.Shape) {
		code := diag.SelectionDiffers
		if len(trimmed(y.Shape)) != len(trimmed(chosen.Shape)) {
			code = diag.WrongRank
		}
		return prim.Errorf(code, "cannot assign shape %s to a selection of shape %s", array.ShapeText(y.Shape), array.ShapeText(chosen.Shape))
	}
	for i, n := 0, chosen.Len(); i < n; i++ {
		k := i
		if single {
			k = 0
		}
		x, item := chosen.Item(i), y.Item(k)
		path := w.o.items[x]
		if path == nil && x.SimpleScalar() {
			path = w.path(x)
		}
		if path == nil && x.SimpleScalar() {
			return prim.Errorf(diag.WrongIndex, "the selection has more elements than there are")
		}
		if path != nil {
			if err := w.set(path, item); err != nil {
				return err
			}
		} else if !x.SimpleScalar() {
			if err := w.assign(x, item); err != nil {
				return err
			}
		}
	}
	return nil
}
