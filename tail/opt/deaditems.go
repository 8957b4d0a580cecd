package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/tail"
)

// dropItems drops the components of items that nothing uses:
//
//	let v:(([int]1, [int]1), ([int]1, [int]1)) = items(fn i:[int]0 => (f(i),g(i)),n) in tally(#0(#1(v)))
//
// becomes
//
//	let v:([int]1, [int]1) = items(fn i:[int]0 => g(i),n) in tally(#0(v))
func dropItems(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr { return tail.Map(e, o.withoutDeadItems) })
}

// withoutDeadItems is a let of items with those components of them that it uses.
func (o *optimiser) withoutDeadItems(e tail.Expr) tail.Expr {
	let, ok := e.(*tail.Let)
	if !ok {
		return e
	}
	items, ok := let.Bind.(*tail.Apply)
	if !ok || items.Op != tail.OpItems {
		return e
	}
	f := tail.LamOf(items.Args[0])
	t, ok := f.Body.Type().(*tail.TupleType)
	if !ok {
		return e
	}
	live, ok := usedComponents(let.Body, let.Var, len(t.Elems))
	eachTail(f.Body, func(e tail.Expr) {
		tuple, strand := e.(*tail.Tuple)
		if ok = ok && strand; ok {
			for i, x := range tuple.Elems {
				live[i] = live[i] || !o.effects.Dropped(x)
			}
		}
	})
	if !ok || !slices.Contains(live, true) || !slices.Contains(live, false) {
		return e
	}
	kept := func(all []tail.Expr) tail.Expr {
		if all = remaining(all, not(live)); len(all) == 1 {
			return all[0]
		}
		return &tail.Tuple{At: tail.At{Where: f.Where}, Elems: all}
	}
	ty := tail.Type(&tail.TupleType{Elems: remaining(t.Elems, not(live))})
	if elems := ty.(*tail.TupleType).Elems; len(elems) == 1 {
		ty = elems[0]
	}
	body := mapTail(f.Body, ty, func(e tail.Expr) tail.Expr { return kept(e.(*tail.Tuple).Elems) })
	body = (&dead{optimiser: o, used: map[*tail.Var]bool{}}).expr(body)
	rest := &tail.Lam{At: f.At, Params: f.Params, Body: body}
	bind := mustApply(items.Where, tail.OpItems, rest, items.Args[1])
	if a, ok := body.Type().(*tail.Array); ok && a.Dims() == 0 {
		bind = mustApply(items.Where, tail.OpEach, rest, mustApply(items.Where, tail.OpIota, items.Args[1]))
	}
	bind.Blame = items.Blame
	v := o.variable(let.Var.Name, bind.Type())
	several := len(remaining(live, not(live))) > 1
	use := tail.Map(let.Body, func(e tail.Expr) tail.Expr {
		p, ok := e.(*tail.Proj)
		if !ok || !tail.IsRef(p.X, let.Var) {
			return e
		}
		r := &tail.Ref{At: p.At, Var: v}
		if !several {
			return r
		}
		return &tail.Proj{At: p.At, X: r, I: len(remaining(live[:p.I], not(live[:p.I])))}
	})
	return &tail.Let{At: let.At, Var: v, Bind: bind, Body: use}
}

// usedComponents says which of n components of a variable an expression uses; it is not ok
// where the expression uses the variable as a whole.
func usedComponents(e tail.Expr, v *tail.Var, n int) (live []bool, ok bool) {
	live, ok = make([]bool, n), true
	tail.Walk(e, func(e tail.Expr) bool {
		if p, is := e.(*tail.Proj); is && tail.IsRef(p.X, v) {
			live[p.I] = true
			return false
		}
		ok = ok && !tail.IsRef(e, v)
		return true
	})
	return live, ok
}
