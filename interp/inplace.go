package interp

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// Assignments of parts change an array in place where nothing but the name has it, so
// that n of them take time that is linear in n. The array that an assignment makes has
// no other name (value.Array.Sole); it loses that where the name is read, but for what
// keeps no part of it:
//
//	t[i]←t[i-1]+≢t    t stays alone
//	u←t               the next assignment of a part of t, or of u, copies it

// assignee is an array that a name has, of which a part is assigned.
type assignee struct {
	in    *Interp
	name  string
	where *Frame
	old   *V
	sole  bool // old is changed in place
}

// assigneeOf returns what a name stands for where a part of it is assigned, by a function
// if fn is not nil.
func (in *Interp) assigneeOf(f *Frame, n apl.Node, name string, fn Function) (*assignee, error) {
	if v, where := f.find(name); !systemName(name) && !in.watching {
		_, plain := fn.(*primitive)
		if a, ok := v.(*V); ok && a.Sole && (fn == nil || plain) {
			return &assignee{in, name, where, a, true}, nil
		}
	}
	old, where, err := in.old(f, n, name)
	return &assignee{in, name, where, old, false}, err
}

// put assigns the elements of y to places.
func (v *assignee) put(s prim.Selection, y *V) error {
	if err := fitting(s, y); err != nil {
		return err
	}
	if len(s.At) == 0 {
		v.where.set(v.name, v.old)
		return nil
	}
	u := updater{}
	if v.sole {
		u.own(v.old)
	}
	v.set(u.finish(u.fill(v.old, s, y)), u)
	return nil
}

// reach assigns where the items of an index are paths.
func (v *assignee) reach(index *V, fn Function, y *V) error {
	u := updater{}
	if v.sole && index.Len() == 1 { // there is no fault behind a change
		u.own(v.old)
	}
	new, err := v.in.storeReach(u, v.old, index, fn, y)
	if err == nil {
		v.set(new, u)
	}
	return err
}

// set gives the name its new array.
func (v *assignee) set(new *V, u updater) {
	v.where.set(v.name, new)
	new.Sole = u[new] != nil && len(new.Shape) > 0 && !v.in.watching
}

// updater holds the arrays that are changed in place, and what was changed in them.
// Others are copied before they are.
type updater map[*V]*changes

// changes are places of an array of kind Mixed whose items were replaced. If other says
// so, one that makes the array mixed may be gone.
type changes struct {
	places []int
	other  bool
}

// own lets an array be changed in place.
func (u updater) own(a *V) { u[a] = &changes{} }

// holding returns an array like node that is changed in place and may hold elements of e.
func (u updater) holding(node, e *V) *V {
	if u[node] == nil || !node.Holds(e) {
		node = node.Copy(e)
		u.own(node)
	}
	return node
}

// put replaces element i of node, which is changed in place, by element j of e.
func (u updater) put(node *V, i int, e *V, j int) {
	if node.Kind == value.Mixed {
		c := u[node]
		c.other = c.other || class(node.Items[i]) != class(e.Item(j))
		c.places = append(c.places, i)
	}
	node.Put(i, e, j)
}

// class tells numbers, characters and arrays apart.
func class(item *V) int {
	switch {
	case !item.SimpleScalar() || item.Kind == value.Mixed:
		return 2
	case item.Kind == value.Char:
		return 1
	}
	return 0
}

// fill returns node with the elements of y, or its only one, at places.
func (u updater) fill(node *V, s prim.Selection, y *V) *V {
	node = u.holding(node, y)
	single := y.Len() == 1
	for i, at := range s.At {
		if single {
			i = 0
		}
		u.put(node, at, y, i)
	}
	return node
}

// set returns node with val as the item that a path of places leads to.
func (u updater) set(node *V, path []int, val *V) *V {
	if len(path) > 1 {
		val = u.set(node.Item(path[0]), path[1:], val)
	}
	e := value.Enclose(val)
	node = u.holding(node, e)
	u.put(node, path[0], e, 0)
	return node
}

// finish returns the array, in which what was written has the narrowest kinds.
func (u updater) finish(node *V) *V {
	c := u[node]
	if c == nil || node.Kind != value.Mixed {
		return node
	}
	for _, i := range c.places {
		if x := node.Items[i]; u[x] != nil {
			node.Items[i] = u.finish(x)
			c.other = c.other || class(node.Items[i]) != class(x)
		}
	}
	if !c.other {
		return node
	}
	narrow := node.Narrowed()
	if narrow != node && narrow.Ref == nil {
		u.own(narrow)
	}
	return narrow
}

// alone returns the array that a name has and nothing else; nil if the expression is
// another one.
func (in *Interp) alone(f *Frame, x apl.Expr) *V {
	name, ok := x.(*apl.Var)
	if !ok || systemName(name.Ident) || name == in.traced.name {
		return nil
	}
	v, _ := f.find(name.Ident)
	if c := f.call(); name.Ident == "⍵" && c != nil {
		v = c.omega
	}
	if a, ok := v.(*V); ok && a != nil && a.Sole {
		return a
	}
	return nil
}

// picked is x⊃y for a y that is alone: an item that shares no elements with it.
func (in *Interp) picked(f *Frame, d *apl.Dyadic) (r *V, ok bool, err error) {
	p, ok := d.F.(*apl.Prim)
	if !ok || p.Glyph != "⊃" || !plainIndex(f, d.X) {
		return nil, false, nil
	}
	y := in.alone(f, d.Y)
	if y == nil {
		return nil, false, nil
	}
	l, err := in.need(f, d.X)
	if err == nil {
		r, err = in.apply(d, p, d.X, d.Y, primitives["⊃"], l, y)
	}
	switch {
	case err != nil:
	case r == y:
		y.Sole = false
	case y.Kind != value.Mixed:
		r = r.Copy(r)
	}
	return r, true, err
}

// plainIndex reports whether an expression is a constant or an array that has a name.
func plainIndex(f *Frame, x apl.Expr) bool {
	switch x := x.(type) {
	case *apl.Literal:
		return true
	case *apl.Var:
		v, _ := f.find(x.Ident)
		_, ok := v.(*V)
		return ok || x.Ident == "⍵"
	}
	return false
}

// replacePicked is (i⊃x)←y. ok is false where it is to be done in another way: i is
// evaluated then, too.
func (in *Interp) replacePicked(f *Frame, t *apl.SelectTarget, fn Function, y *V) (ok bool, err error) {
	d, ok := unwrapped(t.X).(*apl.Dyadic)
	if !ok || in.watching {
		return false, nil
	}
	p, ok1 := d.F.(*apl.Prim)
	name, ok2 := d.Y.(*apl.Var)
	if !ok1 || !ok2 || p.Glyph != "⊃" || systemName(name.Ident) || !plainIndex(f, d.X) {
		return false, nil
	}
	l, err := in.need(f, d.X)
	if err != nil {
		return false, nil
	}
	v, err := in.assigneeOf(f, t, name.Ident, fn)
	if err != nil || l.Rank() > 1 || l.Len() == 0 {
		return false, nil
	}
	path, was, err := prim.Path(&in.state, l, v.old)
	if err != nil {
		return false, nil
	}
	if fn != nil {
		if y, err = value1(fn.Call(in, was, y)); err != nil {
			return true, err
		}
	}
	u := updater{}
	if v.sole {
		u.own(v.old)
	}
	v.set(u.finish(u.set(v.old, path, y)), u)
	return true, nil
}

// unwrapped returns an expression without parentheses around it.
func unwrapped(x apl.Expr) apl.Expr {
	for {
		p, ok := x.(*apl.Paren)
		if !ok {
			return x
		}
		x = p.X
	}
}

// appended does x,←y, or x⍪←y, for the value x of a name in a frame, if it gives no
// other array than one that is longer.
func (in *Interp) appended(where *Frame, name string, v any, fn Function, y *V) bool {
	p, ok := fn.(*primitive)
	if !ok || p.glyph != "," && p.glyph != "⍪" || in.watching {
		return false
	}
	x, ok := v.(*V)
	if !ok || x.Len() == 0 || y.Len() == 0 || !follows(x, y, p.glyph) {
		return false
	}
	if x.Sole && x.Holds(y) {
		x.Append(y)
	} else {
		x = x.Longer(y)
	}
	where.set(name, x)
	x.Sole = true
	return true
}

// grow runs the statement x←x,y, of which nothing takes the value. ok is false if it is
// another one.
func (in *Interp) grow(f *Frame, x apl.Expr) (ok bool, err error) {
	a, ok := x.(*apl.Assign)
	if !ok || a.F != nil || in.watching {
		return false, nil
	}
	name, ok1 := a.Target.(*apl.NameTarget)
	d, ok2 := a.Y.(*apl.Dyadic)
	if !ok1 || !ok2 || systemName(name.Ident) {
		return false, nil
	}
	l, ok1 := d.X.(*apl.Var)
	p, ok2 := d.F.(*apl.Prim)
	if !ok1 || !ok2 || l.Ident != name.Ident || p.Glyph != "," && p.Glyph != "⍪" {
		return false, nil
	}
	y, err := in.need(f, d.Y)
	if err != nil {
		return true, err
	}
	if v, where := f.find(name.Ident); where == f.scope(name.Ident) && in.appended(where, name.Ident, v, primitives[p.Glyph], y) {
		in.shy = true
		return true, nil
	}
	was, err := in.need(f, l)
	if err == nil {
		y, err = in.apply(d, p, l, d.Y, primitives[p.Glyph], was, y)
	}
	if err == nil {
		err = in.store(f, name, nil, y)
	}
	if err != nil {
		return true, at(err, a, nil, nil)
	}
	in.shy = true
	return true, nil
}

// follows reports whether y consists of major cells like those of x, or is one.
func follows(x, y *V, glyph string) bool {
	if x.Rank() == 0 || glyph == "," && x.Rank() != 1 {
		return false
	}
	cell := y.Shape
	if y.Rank() == x.Rank() {
		cell = cell[1:]
	}
	return slices.Equal(cell, x.Shape[1:])
}
