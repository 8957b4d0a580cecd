package interp

import (
	"github.com/tailor-lang/tailor/apl"
)

// Call is a call of a dfn of a program.
type Call struct {
	Node *apl.Dfn
	Form string // ¨ where it is applied to the items
	X, Y *V     // arguments of the types that matter; X is nil for one argument
}

// Units returns the units of calls that a program may make: those that it would have
// when the definitions among the statements were run, and variables had the values
// given. For a call of a function that is not compiled the unit is nil.
func Units(body []apl.Stmt, values map[string]*V, calls []Call) []*Unit {
	in := New(&Env{})
	for name, v := range values {
		in.global.set(name, v)
	}
	for _, s := range body {
		in.define(in.global, s) // else the name is unknown, and what refers to it no unit
	}
	var all []*Unit
	for _, c := range calls {
		x, y := c.X, c.Y
		if c.Form == "¨" {
			x, y = listed(x), listed(y)
		}
		u, _, err := in.unit(in.closureOf(c.Node), c.Form, x, y)
		if err != nil {
			u = nil
		}
		all = append(all, u)
	}
	return all
}

// closureOf returns the function of a dfn: that which has a name, if there is one.
func (in *Interp) closureOf(d *apl.Dfn) *closure {
	for _, b := range in.global.bindings() {
		if c, ok := b.value.(*closure); ok && c.node == d {
			return c
		}
	}
	return &closure{body: d.Body, frame: in.global, node: d}
}

// listed returns an argument of ¨ as compiled functions get it: a vector of items, or
// the item that is the same for all.
func listed(a *V) *V {
	if a == nil || len(a.Shape) == 0 {
		return a
	}
	return a.Ravel()
}
