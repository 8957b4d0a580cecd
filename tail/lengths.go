package tail

import "github.com/tailor-lang/tailor/array"

// lengthsFirst takes items apart whose lengths are known without their elements: the
// lengths are computed first, so that places are made for all elements at once, and the
// elements where they belong.
//
//	let z:([int]1, <int>n) = items(fn i:[int]0 => reverse(iota(index(v,i))),n) in …
//
// becomes
//
//	let l:<int>n = each(fn i:[int]0 => index(v,i),iota(n)) in
//	let e:[int]1 = segments(fn i:[int]0 => reverse(iota(index(v,i))),l) in …
//
// with e and l for the components of z. Faults of a length come before those of elements
// of items that stand before it. Where only the lengths are used, they alone are
// computed.
//
// Requires: nothing. Preserves: types, effects. Leaves lets of elements that nothing
// uses; run deadcode after.
func lengthsFirst(o *optimiser) {
	o.bodies(func(e Expr) Expr {
		l := &itemLengths{optimiser: o}
		return l.expr(e)
	})
}

type itemLengths struct{ *optimiser }

func (l *itemLengths) expr(e Expr) Expr {
	return Map(e, func(e Expr) Expr {
		let, ok := e.(*Let)
		if !ok {
			return e
		}
		items, ok := let.Bind.(*Apply)
		if !ok || items.Op != OpItems {
			return e
		}
		if x := l.apart(let, items); x != nil {
			return x
		}
		return e
	})
}

// apart is a let of items, with elements and lengths by themselves; nil where the
// lengths depend on elements, or where the items are used as a whole.
func (l *itemLengths) apart(let *Let, items *Apply) Expr {
	f := items.Args[0].(*Lam)
	elements, lengths, ok := projections(let.Body, let.Var)
	if !ok || lengths+elements == 0 || l.effects.Of(f)&Impures != 0 {
		return nil
	}
	at := At{items.Where}
	i := &Var{Name: f.Params[0].Name, Type: Scalar(array.Int)}
	body := CopyWith(f.Body, map[*Var]Expr{f.Params[0]: &Ref{At: at, Var: i}}, nil)
	size := (&sizer{at: at.Where}).of(body)
	if size == nil {
		if elements > 0 || !l.effects.Total(f) {
			return nil
		}
		size = mustSize(at.Where, OpTally, body)
	}
	n := l.variable("n", Scalar(array.Int))
	numbers := mustSize(at.Where, OpIota, &Ref{At: at, Var: n})
	counts := l.variable("lengths", nil)
	each := mustSize(at.Where, OpEach, &Lam{At: at, Params: []*Var{i}, Body: size}, numbers)
	counts.Type = each.Type()
	all := l.variable("items", nil)
	segments := mustSize(at.Where, OpSegments, f, &Ref{At: at, Var: counts})
	segments.Blame = items.Blame
	all.Type = segments.Type()
	parts := []*Var{all, counts}
	rest := Map(let.Body, func(e Expr) Expr {
		if p, ok := e.(*Proj); ok {
			if r, ok := p.X.(*Ref); ok && r.Var == let.Var {
				return &Ref{At: p.At, Var: parts[p.I]}
			}
		}
		return e
	})
	return &Let{At: let.At, Var: n, Bind: items.Args[1],
		Body: &Let{At: let.At, Var: counts, Bind: each,
			Body: &Let{At: let.At, Var: all, Bind: segments, Body: rest}}}
}

// projections counts the uses of the two components of v, and reports whether there are
// no others.
func projections(e Expr, v *Var) (first, second int, ok bool) {
	all := 0
	Walk(e, func(e Expr) bool {
		switch e := e.(type) {
		case *Proj:
			if r, is := e.X.(*Ref); is && r.Var == v {
				if e.I == 0 {
					first++
				} else {
					second++
				}
			}
		case *Ref:
			if e.Var == v {
				all++
			}
		}
		return true
	})
	return first, second, all == first+second
}
