package interp

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// changeSpace is ⎕CS: the function that runs goes on in another namespace. Names on the
// left are the namespace's until it returns. Outside of functions it holds for all that follows.
func changeSpace(in *Interp, f *Frame, x, y *V) (*V, error) {
	a := f.trad
	if a == nil && f != in.outside() {
		return nil, prim.Errorf(diag.SystemName, "⎕CS in a dfn")
	}
	old := value.Text(in.this(f).Path())
	in.hide = true
	if y.Kind == value.Char && y.Len() == 0 {
		return old, nil
	}
	space, err := in.spaceNamed(f, y)
	if err != nil {
		return nil, err
	}
	if a == nil {
		if x != nil {
			return nil, prim.Errorf(diag.WrongDomain, "no function is there that ⎕CS could take names along for")
		}
		in.chosen = space
		in.moveTo(space)
		in.hide = true
		return old, nil
	}
	to := in.frameOf(space)
	if x != nil {
		names, err := nameList(x)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			v := in.held(f, name)
			if v == nil {
				return nil, prim.Errorf(diag.NoValue, "%s has no value here", name)
			}
			a.exported = append(a.exported, export{to, name, to.own(name)})
			in.copyInto(space, name, v)
		}
	}
	a.globals = to
	in.moveTo(space)
	in.hide = true
	return old, nil
}

// export is a name that ⎕CS gave to a namespace, and its value there before.
type export struct {
	to     *Frame
	name   string
	before any
}

// shadow is ⎕SHADOW: it makes names local to the function that runs.
func shadow(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⎕SHADOW takes one argument")
	}
	names, err := nameList(y)
	if err != nil {
		return nil, err
	}
	a := f.activation()
	out := make([]byte, len(names))
	for i, name := range names {
		out[i] = 1
		s := apl.LookupSystem(name)
		switch {
		case s != nil && s.Assigned && a != nil:
			a.saved = append(a.saved, savedVariable{s.Name, in.state})
			continue
		case !apl.IsName(name):
			return nil, prim.Errorf(diag.WrongDomain, "%s cannot be made local", name)
		case a == nil || a.trad == nil || a.trad.declares(name):
			continue
		}
		t := a.trad
		if t.shadowed == nil {
			t.shadowed = map[string]any{}
		}
		t.shadowed[name] = t.space.own(name)
		t.space.set(name, nil)
	}
	in.hide = true
	return value.Booleans(out), nil
}

// giveBack gives names that ⎕SHADOW and ⎕CS changed the values that they had.
func (a *activation) giveBack() {
	for i := len(a.exported) - 1; i >= 0; i-- {
		e := a.exported[i]
		e.to.set(e.name, e.before)
	}
	for name, v := range a.shadowed {
		a.space.set(name, v)
	}
}

// callerSpaces is ⎕RSI and ⎕NSI: the namespaces that the functions which run were called
// from.
func (in *Interp) callerSpaces(name string) *V {
	var out []*V
	for f := in.current; f != nil; f = f.caller {
		if f.trad == nil && (f.self == nil || f.self.name == "") {
			continue
		}
		n := in.this(in.outside())
		if f.caller != nil {
			n = in.this(f.caller)
		}
		if name == "⎕NSI" {
			out = append(out, value.Text(strings.TrimSpace(n.Display())))
		} else {
			out = append(out, value.Reference(n))
		}
	}
	if len(out) == 0 {
		return value.Empty([]int{0}, value.Text(""))
	}
	return value.FromItems([]int{len(out)}, out)
}
