package interp

import (
	"slices"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// everyName is the name in `:Implements Trigger *`: all variables of the namespace.
const everyName = "*"

// trigger is a function that assignments to a name call.
type trigger struct {
	fn    *tradfn
	local bool // the name was local to a running function when the trigger was fixed
}

// triggers are those of the names in one namespace.
type triggers struct {
	in *Interp
	of map[string]trigger
}

// assigned is an assignment that is to call a trigger.
type assigned struct {
	fn       *tradfn
	name     string
	old, new *V
	indexers *V // the places that were assigned; nil for all
}

// arm makes a function the trigger of the names that its lines tell.
func (in *Interp) arm(t *tradfn) {
	names := t.node.Triggers()
	if len(names) == 0 {
		return
	}
	if t.space.triggers == nil {
		t.space.triggers = &triggers{in, map[string]trigger{}}
	}
	in.watching = true
	for _, n := range names {
		t.space.triggers.of[n.Ident] = trigger{t, in.localNow(t.space, n.Ident)}
	}
}

// disarm takes the trigger away that a name has.
func (f *Frame) disarm(name string) {
	if f.triggers != nil {
		delete(f.triggers.of, name)
	}
}

// localNow reports whether a name of a namespace is local to a function that runs.
func (in *Interp) localNow(space *Frame, name string) bool {
	for c := in.current; c != nil; c = c.caller {
		if c.trad != nil && c.trad.space == space && c.trad.declares(name) {
			return true
		}
	}
	return false
}

// note takes down that a name gets a value.
func (t *triggers) note(f *Frame, name string, v any) {
	y, ok := v.(*V)
	if !ok {
		return
	}
	old, _ := f.own(name).(*V)
	for _, key := range []string{name, everyName} {
		if g, ok := t.of[key]; ok && t.in.localNow(f, name) == g.local {
			t.in.assigned = append(t.in.assigned, assigned{g.fn, name, old, y, t.in.indexers})
		}
	}
}

// fire calls the triggers of the assignments that were noted, the first name first.
func (in *Interp) fire() error {
	if in.untriggered {
		return nil
	}
	all := in.assigned
	in.assigned = nil
	for _, a := range slices.Backward(all) {
		n := value.NewNamespace("#.[TriggerArguments]")
		n.Set("Name", value.Text(a.name))
		n.Set("NewValue", a.new)
		if a.old != nil {
			n.Set("OldValue", a.old)
		}
		if a.indexers != nil {
			n.Set("Indexers", a.indexers)
		}
		var y *V
		if len(a.fn.node.Header.Right) > 0 {
			y = value.Reference(n)
		}
		if _, err := a.fn.Call(in, nil, y); err != nil {
			return err
		}
	}
	return nil
}

// observed does an assignment and calls the triggers of the names.
func (in *Interp) observed(store func() error) error {
	if !in.untriggered {
		in.assigned = nil
	}
	in.indexers = nil
	err := store()
	in.indexers = nil
	if err != nil {
		return err
	}
	return in.fire()
}

// indexed notes which elements an assignment replaces: those at places less 1.
func (in *Interp) indexed(s prim.Selection) {
	if in.watching {
		at := make([]int64, len(s.At))
		for i, k := range s.At {
			at[i] = int64(k + in.state.Origin)
		}
		in.indexers = value.Integers(at)
		in.indexers.Shape = s.Shape
	}
}

// withTriggers makes a system function with the option Trigger of one that assigns.
func withTriggers(call func(in *Interp, f *Frame, x, y *V) (*V, error)) func(*Interp, options.Set, *V, *V) (*V, error) {
	return func(in *Interp, o options.Set, x, y *V) (*V, error) {
		fires, err := o.Flag("Trigger", false)
		if err != nil {
			return nil, err
		}
		var r *V
		store := func() (err error) {
			r, err = call(in, in.frame(), x, y)
			return err
		}
		if !fires {
			return r, store()
		}
		hidden := false
		err = in.observed(func() error {
			err := store()
			slices.Reverse(in.assigned)
			hidden = in.hide
			return err
		})
		in.hide = hidden
		return r, err
	}
}

// disableTriggers is 2007⌶: whether triggers wait; it returns whether they did before.
func disableTriggers(in *Interp, _ options.Set, _, y *V) (*V, error) {
	n, err := prim.Whole(y)
	if err != nil {
		return nil, err
	}
	if n != 0 && n != 1 {
		return nil, prim.Errorf(diag.WrongDomain, "2007⌶ takes 0 or 1")
	}
	before := 0
	if in.untriggered {
		before = 1
	}
	in.untriggered = n == 1
	return value.Integer(before), in.fire()
}
