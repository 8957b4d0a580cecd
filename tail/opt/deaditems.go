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
	o.lengthsFromLive(let, f.Body, len(t.Elems))
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

// lengthsFromLive takes the lengths of components of items, n all in all, of which nothing else
// is used from others, which have as many elements in each item and are used.
func (o *optimiser) lengthsFromLive(let *tail.Let, item tail.Expr, n int) {
	elements, lengths := make([]bool, n), make([]bool, n)
	tail.Walk(let.Body, func(e tail.Expr) bool {
		p, ok := e.(*tail.Proj)
		if c := componentOf(e, let.Var); ok && c != nil {
			lengths[c.I] = lengths[c.I] || p.I == 1
			elements[c.I] = elements[c.I] || p.I != 1
			return false
		}
		if ok && tail.IsRef(p.X, let.Var) {
			elements[p.I] = true
		}
		return true
	})
	from := make([]int, n)
	defs := map[*tail.Var]tail.Expr(nil)
	for k := range n {
		from[k] = k
		for j := 0; j < n && from[k] == k && lengths[k] && !elements[k]; j++ {
			if defs == nil {
				defs = definitions(item)
			}
			if elements[j] && sameLengths(defs, item, j, k) {
				from[k] = j
			}
		}
	}
	if defs == nil {
		return
	}
	let.Body = tail.Map(let.Body, func(e tail.Expr) tail.Expr {
		if c := componentOf(e, let.Var); c != nil && from[c.I] != c.I {
			return &tail.Proj{At: e.(*tail.Proj).At, X: &tail.Proj{At: c.At, X: c.X, I: from[c.I]}, I: e.(*tail.Proj).I}
		}
		return e
	})
}

// componentOf is the component of v of which e is the elements or the lengths, or nil.
func componentOf(e tail.Expr, v *tail.Var) *tail.Proj {
	p, ok := e.(*tail.Proj)
	if !ok {
		return nil
	}
	c, ok := p.X.(*tail.Proj)
	if !ok || !tail.IsRef(c.X, v) {
		return nil
	}
	return c
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
