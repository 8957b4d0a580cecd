package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// initials reads elements of an array that a loop begins with, and changes, from the array as it is by then, where
// the loop has not changed them yet: nothing needs the array of the beginning any more, and it is changed where it
// is stored.
//
//	power(fn s => (subi(#0(s),1),update(#1(s),#0(s),subd(index(x,#0(s)),index(#1(s),addi(#0(s),1))))),8,(8,x))
//
// becomes
//
//	power(fn s => (subi(#0(s),1),update(#1(s),#0(s),subd(index(#1(s),#0(s)),index(#1(s),addi(#0(s),1))))),8,(8,x))
//
// Requires: that a number of the state grows in all steps that change the array, or shrinks in all, and that they
// change the array at that number on one axis, where x is read, too. Preserves: faults, as both arrays have one shape.
func initials(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		tail.Walk(e, func(e tail.Expr) bool {
			if a, ok := e.(*tail.Apply); ok && (a.Op == tail.OpWhile || a.Op == tail.OpPower) {
				readFromState(a)
			}
			return true
		})
		return e
	})
}

// readFromState rewrites one loop, a while or a power.
func readFromState(e *tail.Apply) {
	f, isLam := e.Args[0].(*tail.Lam)
	if e.Op == tail.OpWhile {
		f, isLam = e.Args[1].(*tail.Lam)
	}
	init, isTuple := e.Args[2].(*tail.Tuple)
	if !isLam || !isTuple {
		return
	}
	l := &changingLoop{state: f.Params[0], defs: map[*tail.Var]tail.Expr{}}
	tail.Walk(f.Body, func(e tail.Expr) bool {
		if let, ok := e.(*tail.Let); ok {
			l.defs[let.Var] = let.Bind
		}
		return true
	})
	free := tail.FreeVars(f.Body)
	for k, x := range init.Elems {
		r, ok := x.(*tail.Ref)
		if !ok || !slices.Contains(free, r.Var) {
			continue
		}
		for i, c := range init.Elems {
			t, ok := c.Type().(*tail.Array)
			if !ok || t.Dims() != 0 || t.Elem != array.Int {
				continue
			}
			l.array, l.counter, l.axis, l.step = k, i, -1, 0
			if l.changes(f.Body) {
				if body, ok := l.rewritten(f.Body, r.Var); ok {
					f.Body = body
					break
				}
			}
		}
	}
}

// changingLoop is a loop that changes an array at a number that only grows, or only shrinks.
type changingLoop struct {
	state          *tail.Var
	defs           map[*tail.Var]tail.Expr
	array, counter int // components of the state
	axis           int // of the changes; -1 where none is known yet
	step           int // the sign of what is added to the counter, 0 where it is not known yet
}

func (l *changingLoop) resolve(e tail.Expr) tail.Expr {
	for range 64 {
		r, ok := e.(*tail.Ref)
		if !ok || l.defs[r.Var] == nil {
			break
		}
		e = l.defs[r.Var]
	}
	return e
}

// is reports whether e is a component of the state at the beginning of a step.
func (l *changingLoop) is(e tail.Expr, component int) bool {
	p, ok := l.resolve(e).(*tail.Proj)
	return ok && p.I == component && tail.IsRef(l.resolve(p.X), l.state)
}

// changes reports whether a step, whose next state e is, changes the array at the counter only, and counts then.
func (l *changingLoop) changes(e tail.Expr) bool {
	switch e := l.resolve(e).(type) {
	case *tail.Let:
		return l.changes(e.Body)
	case *tail.If:
		return l.changes(e.Then) && l.changes(e.Else)
	case *tail.Tuple:
		if l.is(e.Elems[l.counter], l.counter) {
			return l.is(e.Elems[l.array], l.array)
		}
		return l.counts(e.Elems[l.counter]) && l.updates(e.Elems[l.array])
	}
	return false
}

// counts reports whether e is the counter and a constant of the sign that all steps add.
func (l *changingLoop) counts(e tail.Expr) bool {
	a, ok := l.resolve(e).(*tail.Apply)
	if !ok || a.Op != tail.OpAddI && a.Op != tail.OpSubI {
		return false
	}
	x, y := a.Args[0], a.Args[1]
	if a.Op == tail.OpAddI && l.is(y, l.counter) {
		x, y = y, x
	}
	n, ok := l.resolve(y).(*tail.Lit)
	if !ok || n.Value.Rank() != 0 || len(n.Value.Ints) != 1 || n.Value.Ints[0] == 0 || !l.is(x, l.counter) {
		return false
	}
	sign := 1
	if (n.Value.Ints[0] > 0) != (a.Op == tail.OpAddI) {
		sign = -1
	}
	if l.step == 0 {
		l.step = sign
	}
	return l.step == sign
}

// updates reports whether e is the array, changed at the counter on one axis or not at all.
func (l *changingLoop) updates(e tail.Expr) bool {
	switch e := l.resolve(e).(type) {
	case *tail.Proj:
		return l.is(e, l.array)
	case *tail.If:
		return l.updates(e.Then) && l.updates(e.Else)
	case *tail.Let:
		return l.updates(e.Body)
	case *tail.Apply:
		if e.Op != tail.OpUpdate || !l.updates(e.Args[0]) {
			return false
		}
		selectors := e.Args[1 : len(e.Args)-1]
		if l.axis < 0 {
			l.axis = slices.IndexFunc(selectors, func(x tail.Expr) bool { return l.is(x, l.counter) })
		}
		return l.axis >= 0 && l.is(selectors[l.axis], l.counter)
	}
	return false
}

// rewritten reads elements of x at the counter from the state; it is not ok where the step uses x otherwise.
func (l *changingLoop) rewritten(body tail.Expr, x *tail.Var) (tail.Expr, bool) {
	ok := l.axis >= 0
	var expr func(e tail.Expr) tail.Expr
	expr = func(e tail.Expr) tail.Expr {
		a, isApply := e.(*tail.Apply)
		if !isApply || a.Op != tail.OpIndex || !tail.IsRef(a.Args[0], x) {
			ok = ok && !tail.IsRef(e, x)
			return tail.MapChildren(e, expr)
		}
		ok = ok && l.is(a.Args[1+l.axis], l.counter)
		r := &tail.Ref{At: tail.At{Where: a.Args[0].Span()}, Var: l.state}
		now := tail.Expr(&tail.Proj{At: r.At, X: r, I: l.array})
		if !ok || now.Type().String() != x.Type.String() {
			ok = false
			return e
		}
		b := *a
		b.Args = []tail.Expr{now}
		for _, s := range a.Args[1:] {
			b.Args = append(b.Args, expr(s))
		}
		return &b
	}
	body = expr(body)
	return body, ok
}
