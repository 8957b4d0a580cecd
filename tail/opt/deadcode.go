package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/tail"
)

// deadcode drops variables that nothing mentions, if what they are bound to is
// total and does not overflow, parameters, results and components of items that are not used and
// functions that are not called.
//
// Requires: nothing. Preserves: types, sharing, faults and effects.
//
//	let v:<int>n = reverse(x) in let w:<int>n = reverse(v) in x   becomes   x
func deadcode(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		d := &dead{optimiser: o, used: map[*tail.Var]bool{}}
		return d.expr(e)
	})
	dropFuncs(o.p)
	dropParams(o)
	dropResults(o)
	dropItems(o)
	dropChoices(o)
}

type dead struct {
	*optimiser
	used map[*tail.Var]bool // variables that what is kept mentions
}

// expr looks at the body of a let before what it binds.
func (d *dead) expr(e tail.Expr) tail.Expr {
	switch e := e.(type) {
	case *tail.Ref:
		d.used[e.Var] = true
		return e
	case *tail.Let:
		frames, last := unlet(e, nil)
		last = d.expr(last)
		var kept []letFrame
		for i := len(frames) - 1; i >= 0; i-- {
			f := frames[i]
			if !d.used[f.v] && d.effects.Dropped(f.bind) {
				continue
			}
			f.bind = d.expr(f.bind)
			kept = append(kept, f)
		}
		slices.Reverse(kept)
		return rebuilt(kept, last)
	}
	return tail.MapChildren(e, d.expr)
}

// dropParams drops parameters that their function does not use, if no argument
// for them can fault or has an effect.
func dropParams(o *optimiser) {
	unused := map[*tail.Func][]bool{}
	for _, f := range o.p.Funcs {
		used := tail.Uses(f.Body)
		drop := make([]bool, len(f.Params))
		for i, p := range f.Params {
			drop[i] = used[p] == 0 && f != o.p.Entry && !o.kept(f)
		}
		unused[f] = drop
	}
	o.bodies(func(e tail.Expr) tail.Expr {
		tail.Walk(e, func(e tail.Expr) bool {
			if c, ok := e.(*tail.Call); ok {
				for i, a := range c.Args {
					unused[c.Fn][i] = unused[c.Fn][i] && o.effects.Dropped(a)
				}
			}
			return true
		})
		return e
	})
	for _, f := range o.p.Funcs {
		f.Params = remaining(f.Params, unused[f])
	}
	o.bodies(func(e tail.Expr) tail.Expr {
		return tail.Map(e, func(e tail.Expr) tail.Expr {
			if c, ok := e.(*tail.Call); ok {
				return &tail.Call{At: c.At, Fn: c.Fn, Args: remaining(c.Args, unused[c.Fn]), Ty: c.Ty}
			}
			return e
		})
	})
}

func remaining[T any](all []T, drop []bool) []T {
	var kept []T
	for i, x := range all {
		if !drop[i] {
			kept = append(kept, x)
		}
	}
	return kept
}
