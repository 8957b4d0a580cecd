package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/tail"
)

// dropResults drops the components of what a function gives that its callers do not use:
//
//	fun rec f (w:<int>n) : ([int]1, [int]1) =
//	  if eqi(0,tally(w)) then (int[0]{},int[0]{})
//	  else let r:([int]1, [int]1) = f(drop(1,w)) in (cat(w,#0(r)),cons(tally(w),#1(r)))
//
// where the second one is used only, becomes
//
//	fun rec f (w:<int>n) : [int]1 =
//	  if eqi(0,tally(w)) then int[0]{} else let r:[int]1 = f(drop(1,w)) in cons(tally(w),r)
func dropResults(o *optimiser) {
	for _, f := range o.p.Funcs {
		t, ok := f.Result.(*tail.TupleType)
		if !ok || f == o.p.Entry || o.kept(f) {
			continue
		}
		d := &resultDropper{optimiser: o, f: f, ty: t, live: make([]bool, len(t.Elems)), fits: true, passed: map[*tail.Call]bool{}}
		d.findLive()
		if d.fits && slices.Contains(d.live, true) && slices.Contains(d.live, false) {
			d.drop()
		}
	}
}

type resultDropper struct {
	*optimiser
	f    *tail.Func
	ty   *tail.TupleType
	live []bool // which components are used
	fits bool   // whether only components are used
	// passed are calls whose results the function gives as they are.
	passed map[*tail.Call]bool
}

// findLive finds the components that are used.
func (d *resultDropper) findLive() {
	for _, g := range d.p.Funcs {
		if g != d.f {
			d.uses(g.Body)
		}
	}
	d.uses(d.p.Main)
	for before := []bool(nil); d.fits && !slices.Equal(before, d.live); {
		before = slices.Clone(d.live)
		body := d.some(d.f.Body)
		eachTail(body, func(e tail.Expr) {
			if c, ok := e.(*tail.Call); ok {
				d.passed[c] = true
			}
		})
		d.uses(body)
	}
}

// some is the body of the function with what is live of its results.
func (d *resultDropper) some(body tail.Expr) tail.Expr {
	body = mapTail(body, d.result(), func(e tail.Expr) tail.Expr {
		t, ok := e.(*tail.Tuple)
		if !ok {
			d.fits = d.fits && isCallOf(e, d.f)
			return e
		}
		kept := &tail.Tuple{At: t.At}
		for i, x := range t.Elems {
			if d.live[i] {
				kept.Elems = append(kept.Elems, x)
			}
		}
		if len(kept.Elems) == 1 {
			return kept.Elems[0]
		}
		return kept
	})
	return (&dead{optimiser: d.optimiser, used: map[*tail.Var]bool{}}).expr(body)
}

// result is the type of what is live of the results.
func (d *resultDropper) result() tail.Type {
	t := &tail.TupleType{}
	for i, elem := range d.ty.Elems {
		if d.live[i] {
			t.Elems = append(t.Elems, elem)
		}
	}
	if len(t.Elems) == 1 {
		return t.Elems[0]
	}
	return t
}

// uses notes which components of calls e uses.
func (d *resultDropper) uses(e tail.Expr) {
	calls := map[*tail.Var]bool{}
	var look func(e tail.Expr)
	look = func(e tail.Expr) {
		switch e := e.(type) {
		case *tail.Let:
			if isCallOf(e.Bind, d.f) {
				calls[e.Var] = true
				tail.Children(e.Bind, look)
				look(e.Body)
				return
			}
		case *tail.Proj:
			if r, ok := e.X.(*tail.Ref); ok && calls[r.Var] {
				d.live[e.I] = true
				return
			}
		case *tail.Ref:
			d.fits = d.fits && !calls[e.Var]
		case *tail.Call:
			d.fits = d.fits && (e.Fn != d.f || d.passed[e])
		}
		tail.Children(e, look)
	}
	look(e)
}

// drop drops the components that are not live.
func (d *resultDropper) drop() {
	result := d.result()
	d.f.Body, d.f.Result = d.some(d.f.Body), result
	d.bodies(func(e tail.Expr) tail.Expr {
		return (&resultUses{resultDropper: d, result: result, now: map[*tail.Var]*tail.Var{}}).expr(e)
	})
}

// resultUses replaces calls, and the components of what they give.
type resultUses struct {
	*resultDropper
	result tail.Type
	now    map[*tail.Var]*tail.Var // by variable of a call's results that of what is left of them
}

func (u *resultUses) expr(e tail.Expr) tail.Expr {
	switch x := e.(type) {
	case *tail.Let:
		if !isCallOf(x.Bind, u.f) {
			break
		}
		v := u.variable(x.Var.Name, u.result)
		u.now[x.Var] = v
		return &tail.Let{At: x.At, Var: v, Bind: u.expr(x.Bind), Body: u.expr(x.Body)}
	case *tail.Call:
		if x.Fn == u.f {
			c := *tail.MapChildren(x, u.expr).(*tail.Call)
			c.Ty = u.result
			return &c
		}
	case *tail.Proj:
		if from := u.of(x); from != nil {
			return u.component(from, x.I)
		}
	}
	return tail.MapChildren(e, u.expr)
}

// of is what is left of the results of a call, of which p is a component; nil for others.
func (u *resultUses) of(p *tail.Proj) tail.Expr {
	if r, ok := p.X.(*tail.Ref); ok && u.now[r.Var] != nil {
		return &tail.Ref{At: r.At, Var: u.now[r.Var]}
	}
	return nil
}

// component is component i of what e is left of.
func (u *resultUses) component(e tail.Expr, i int) tail.Expr {
	if len(remaining(u.live, not(u.live))) == 1 {
		return e
	}
	return &tail.Proj{At: tail.At{Where: e.Span()}, X: e, I: len(remaining(u.live[:i], not(u.live[:i])))}
}
