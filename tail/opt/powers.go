package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// powers makes a loop that counts its steps, and uses the count for nothing else, into a
// power: recursion over a number of steps is ⍣ then, whatever passes know of that.
//
//	while(fn s => #0(s), fn s => if eqi(0,#1(s)) then (ff,#1(s),#2(s)) else (tt,subi(#1(s),1),f(#2(s))), (tt,9,x))
//
// becomes
//
//	(ff,0,power(fn w => f(w),9,x))
//
// Requires: let-normal form; that the first count and the limit are constants.
// Preserves: faults; what stands before the test is total, since it is left out after
// the last step. Leaves projections of tuples; run simplify after.
func powers(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		c := &countFinder{optimiser: o, defs: map[*tail.Var]tail.Expr{}}
		return c.expr(e)
	})
}

type countFinder struct {
	*optimiser
	defs map[*tail.Var]tail.Expr
}

// expr rewrites the loops in e, innermost first.
func (c *countFinder) expr(e tail.Expr) tail.Expr {
	frames, last := unlet(e, nil)
	for i := range frames {
		frames[i].bind = c.replaced(tail.MapChildren(frames[i].bind, c.expr))
		c.defs[frames[i].v] = frames[i].bind
	}
	last = c.replaced(tail.MapChildren(last, c.expr))
	return rebuilt(frames, last)
}

func (c *countFinder) replaced(e tail.Expr) tail.Expr {
	if a, ok := e.(*tail.Apply); ok && a.Op == tail.OpWhile {
		if p := c.power(a); p != nil {
			return p
		}
	}
	return e
}

// countedLoop is a while that counts.
type countedLoop struct {
	state         *tail.Var // of the function
	flag, counter int       // components of the state
	step          int64
	kept          map[int]int // the other components, and their numbers among them
	power         *tail.Var   // the state without flag and counter
}

// power returns the tuple that e is with a power in place of the loop, or nil.
func (c *countFinder) power(e *tail.Apply) tail.Expr {
	cond, ok := e.Args[0].(*tail.Lam)
	f, ok2 := e.Args[1].(*tail.Lam)
	init, ok3 := c.resolve(e.Args[2]).(*tail.Tuple)
	if !ok || !ok2 || !ok3 {
		return nil
	}
	ty, ok := f.Params[0].Type.(*tail.TupleType)
	running, ok2 := cond.Body.(*tail.Proj)
	if !ok || !ok2 || !tail.IsRef(running.X, cond.Params[0]) {
		return nil
	}
	l := &countedLoop{state: f.Params[0], flag: running.I, kept: map[int]int{}}
	frames, last := unlet(f.Body, nil)
	branch, ok := last.(*tail.If)
	if !ok {
		return nil
	}
	for _, x := range frames {
		c.defs[x.v] = x.bind
		if !c.effects.Total(x.bind) {
			return nil
		}
	}
	n, end, ok := c.steps(l, branch, init)
	if !ok {
		return nil
	}
	var types []tail.Type
	var first []tail.Expr
	for i, t := range ty.Elems {
		if i != l.flag && i != l.counter {
			l.kept[i] = len(types)
			types, first = append(types, t), append(first, init.Elems[i])
		}
	}
	if len(types) == 0 {
		return nil
	}
	at := tail.At{Where: e.Where}
	l.power = c.variable("w", tail.Type(&tail.TupleType{Elems: types}))
	start := tail.Expr(&tail.Tuple{At: at, Elems: first})
	if len(types) == 1 {
		l.power.Type, start = types[0], first[0]
	}
	goes := branch.Else
	if c.ends(l, branch.Else) {
		goes = branch.Then
	}
	body, ok := c.body(l, frames, goes)
	if !ok {
		return nil
	}
	lam := &tail.Lam{At: at, Params: []*tail.Var{l.power}, Body: body}
	times := tail.NewInt(e.Where, n)
	done := c.variable("w", l.power.Type)
	out := &tail.Tuple{At: at}
	for i := range ty.Elems {
		switch i {
		case l.flag:
			out.Elems = append(out.Elems, tail.NewLit(e.Where, array.ScalarBool(false)))
		case l.counter:
			out.Elems = append(out.Elems, tail.NewInt(e.Where, end))
		default:
			out.Elems = append(out.Elems, l.component(done, i, at))
		}
	}
	return &tail.Let{At: at, Var: done, Bind: mustApply(e.Where, tail.OpPower, lam, times, start), Body: out}
}

// component returns component i of the state as one of v, which has no flag and no counter.
func (l *countedLoop) component(v *tail.Var, i int, at tail.At) tail.Expr {
	x := tail.Expr(&tail.Ref{At: at, Var: v})
	if len(l.kept) > 1 {
		x = &tail.Proj{At: at, X: x, I: l.kept[i]}
	}
	return x
}

// resolve returns what a variable is bound to.
func (c *countFinder) resolve(e tail.Expr) tail.Expr {
	for range 16 {
		r, ok := e.(*tail.Ref)
		if !ok || c.defs[r.Var] == nil {
			break
		}
		e = c.defs[r.Var]
	}
	return e
}

// part returns the component of the state that e is.
func (c *countFinder) part(l *countedLoop, e tail.Expr) (int, bool) {
	p, ok := c.resolve(e).(*tail.Proj)
	if !ok || !tail.IsRef(c.resolve(p.X), l.state) {
		return 0, false
	}
	return p.I, true
}

// ends reports whether a branch leaves the state as it is, and the loop.
func (c *countFinder) ends(l *countedLoop, e tail.Expr) bool {
	t, ok := c.resolve(e).(*tail.Tuple)
	if !ok || !isLitBool(t.Elems[l.flag], false) {
		return false
	}
	for i, x := range t.Elems {
		if j, ok := c.part(l, x); i != l.flag && (!ok || i != j) {
			return false
		}
	}
	return true
}

func isLitBool(e tail.Expr, b bool) bool {
	l, ok := e.(*tail.Lit)
	return ok && l.Value.Rank() == 0 && len(l.Value.Bools) == 1 && (l.Value.Bools[0] != 0) == b
}

// steps returns how many steps the loop takes, and its counter at the end.
func (c *countFinder) steps(l *countedLoop, branch *tail.If, init *tail.Tuple) (n, end int64, ok bool) {
	test, ok := c.resolve(branch.Cond).(*tail.Apply)
	if !ok || len(test.Args) != 2 || !isLitBool(init.Elems[l.flag], true) {
		return 0, 0, false
	}
	op, other := test.Op, test.Args[1]
	if l.counter, ok = c.part(l, test.Args[0]); !ok {
		op, other = mirrored[op], test.Args[0]
		if l.counter, ok = c.part(l, test.Args[1]); !ok {
			return 0, 0, false
		}
	}
	out, goes := branch.Then, branch.Else
	if !c.ends(l, out) {
		op, out, goes = negated[op], goes, out
	}
	limit, ok := c.constInt(c.resolve(other))
	first, ok2 := c.constInt(c.resolve(init.Elems[l.counter]))
	const most = 1 << 50
	if l.counter == l.flag || !c.ends(l, out) || !c.goesOn(l, goes) || !ok || !ok2 || max(limit, -limit, first, -first) > most {
		return 0, 0, false
	}
	n, ok = stepsTo(op, first, limit, l.step)
	return n, first + n*l.step, ok
}

// Relations of integers: what they are with their arguments exchanged, and where they do
// not hold.
var (
	mirrored = map[tail.Op]tail.Op{tail.OpEqI: tail.OpEqI, tail.OpNeqI: tail.OpNeqI, tail.OpLtI: tail.OpGtI, tail.OpGtI: tail.OpLtI, tail.OpLteI: tail.OpGteI, tail.OpGteI: tail.OpLteI}
	negated  = map[tail.Op]tail.Op{tail.OpEqI: tail.OpNeqI, tail.OpNeqI: tail.OpEqI, tail.OpLtI: tail.OpGteI, tail.OpGteI: tail.OpLtI, tail.OpGtI: tail.OpLteI, tail.OpLteI: tail.OpGtI}
)

// stepsTo returns how many steps lead from first to where it relates to limit by op; it is
// not ok where none may do.
func stepsTo(op tail.Op, first, limit, step int64) (int64, bool) {
	d := (limit - first) * step
	switch {
	case op == tail.OpEqI:
		return d, d >= 0
	case op == tail.OpGtI && step > 0, op == tail.OpLtI && step < 0:
		return max(d+1, 0), true
	case op == tail.OpGteI && step > 0, op == tail.OpLteI && step < 0:
		return max(d, 0), true
	}
	return 0, false
}

// goesOn reports whether a branch ends in states that go on, and whose counter grows or
// shrinks by 1, always the same.
func (c *countFinder) goesOn(l *countedLoop, e tail.Expr) bool {
	frames, last := unlet(e, nil)
	for _, f := range frames {
		c.defs[f.v] = f.bind
	}
	switch x := last.(type) {
	case *tail.If:
		return c.goesOn(l, x.Then) && c.goesOn(l, x.Else)
	case *tail.Tuple:
		k, ok := c.growth(l, x.Elems[l.counter])
		if !ok || l.step != 0 && l.step != k {
			return false
		}
		l.step = k
		return isLitBool(x.Elems[l.flag], true)
	}
	return false
}

// growth returns by how much e is more than the counter, if that is 1 or ¯1.
func (c *countFinder) growth(l *countedLoop, e tail.Expr) (int64, bool) {
	a, ok := c.resolve(e).(*tail.Apply)
	if !ok || a.Op != tail.OpAddI && a.Op != tail.OpSubI {
		return 0, false
	}
	x, y := a.Args[0], a.Args[1]
	if i, ok := c.part(l, y); ok && i == l.counter && a.Op == tail.OpAddI {
		x, y = y, x
	}
	i, ok := c.part(l, x)
	k, ok2 := c.constInt(c.resolve(y))
	if a.Op == tail.OpSubI {
		k = -k
	}
	return k, ok && ok2 && i == l.counter && (k == 1 || k == -1)
}

// body returns a step of the power; it is not ok where it needs the flag, the counter or
// the whole state.
func (c *countFinder) body(l *countedLoop, frames []letFrame, goes tail.Expr) (tail.Expr, bool) {
	inner, last := unlet(l.stripped(goes), nil)
	e := last
	all := append(append([]letFrame{}, frames...), inner...)
	for i := len(all) - 1; i >= 0; i-- {
		f := all[i]
		if _, counts := c.growth(l, f.bind); tail.Mentions(e, f.v) || !counts && !c.effects.Total(f.bind) {
			e = &tail.Let{At: f.at, Var: f.v, Bind: f.bind, Body: e}
		}
	}
	ok := true
	var visit func(e tail.Expr) tail.Expr
	visit = func(e tail.Expr) tail.Expr {
		switch x := e.(type) {
		case *tail.Proj:
			if tail.IsRef(x.X, l.state) {
				if _, kept := l.kept[x.I]; !kept {
					ok = false
					return e
				}
				return l.component(l.power, x.I, x.At)
			}
		case *tail.Ref:
			ok = ok && x.Var != l.state
			return e
		}
		return tail.MapChildren(e, visit)
	}
	e = visit(e)
	return e, ok
}

// stripped takes the flag and the counter off the states that e ends in.
func (l *countedLoop) stripped(e tail.Expr) tail.Expr {
	switch x := e.(type) {
	case *tail.Let:
		return &tail.Let{At: x.At, Var: x.Var, Bind: x.Bind, Body: l.stripped(x.Body)}
	case *tail.If:
		return &tail.If{At: x.At, Cond: x.Cond, Then: l.stripped(x.Then), Else: l.stripped(x.Else), Ty: l.power.Type}
	case *tail.Tuple:
		t := &tail.Tuple{At: x.At}
		for i, y := range x.Elems {
			if _, kept := l.kept[i]; kept {
				t.Elems = append(t.Elems, y)
			}
		}
		if len(t.Elems) == 1 {
			return t.Elems[0]
		}
		return t
	}
	return e
}
