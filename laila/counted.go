package laila

import "github.com/tailor-lang/tailor/tail"

// counted is a loop that ends when a scalar of its state, which grows by 1 in
// every step, reaches a number that is known before.
type counted struct {
	flag, counter int // the components of the state
	limit         tail.Expr
	more          int64 // the loop runs while the counter is below limit + more
	branch        *tail.If
	goes          tail.Expr // the branch that goes on
}

// Limits of what is looked at for the step of a loop.
const countedEnds = 8

// countedLoop finds that a while counts:
//
//	while(fn s => #0(s), fn s => if gti(#1(s),5) then (ff,#1(s),#2(s)) else … (tt,addi(#1(s),1),w), (tt,1,w0))
//
// becomes a loop over the counter from 1 to 5: its range is known in the body,
// and the number of steps before the first one.
//
// Requires: the branch that ends leaves the rest of the state as it is.
func countedLoop(e *tail.Apply) (*counted, bool) {
	cond, f := lamOf(e.Args[0]), lamOf(e.Args[1])
	flag, ok := cond.Body.(*tail.Proj)
	if !ok || !isRef(flag.X, cond.Params[0]) {
		return nil, false
	}
	c := &counted{flag: flag.I}
	lets := map[*tail.Var]tail.Expr{}
	body := unlet(f.Body, lets)
	if c.branch, ok = body.(*tail.If); !ok {
		return nil, false
	}
	ends := 0
	part := func(x tail.Expr) (int, bool) { // the component of the state that x is
		p, ok := resolve(x, lets).(*tail.Proj)
		return projOf(p, ok, f.Params[0])
	}
	// stays reports whether a branch ends the loop; steps, whether it goes on.
	stays := func(x tail.Expr) bool {
		t, ok := unlet(x, lets).(*tail.Tuple)
		if !ok || !isTruth(t.Elems[c.flag], false) {
			return false
		}
		for i, y := range t.Elems {
			if j, ok := part(y); i != c.flag && (!ok || j != i) {
				return false
			}
		}
		return true
	}
	var steps func(x tail.Expr) bool
	steps = func(x tail.Expr) bool {
		x = unlet(x, lets)
		if ends++; ends > countedEnds {
			return false
		}
		switch x := x.(type) {
		case *tail.If:
			return steps(x.Then) && steps(x.Else)
		case *tail.Tuple:
			if !isTruth(x.Elems[c.flag], true) {
				return false
			}
			next, ok := resolve(x.Elems[c.counter], lets).(*tail.Apply)
			if !ok || next.Op != tail.OpAddI {
				return false
			}
			for k, y := range next.Args {
				if i, ok := part(y); ok && i == c.counter && isOne(resolve(next.Args[1-k], lets)) {
					return true
				}
			}
		}
		return false
	}
	test, ok := resolve(c.branch.Cond, lets).(*tail.Apply)
	if !ok || len(test.Args) != 2 {
		return nil, false
	}
	op, left := test.Op, true
	c.counter, ok = part(test.Args[0])
	if !ok {
		if c.counter, ok = part(test.Args[1]); !ok {
			return nil, false
		}
		left = false
	}
	c.limit = test.Args[1]
	if !left {
		c.limit = test.Args[0]
	}
	ended := true
	switch { // the loop ends where the counter is …
	case op == tail.OpGtI && left, op == tail.OpLtI && !left:
		c.more = 1
	case op == tail.OpGteI && left, op == tail.OpLteI && !left:
	case op == tail.OpLteI && left, op == tail.OpGteI && !left:
		c.more, ended = 1, false
	case op == tail.OpLtI && left, op == tail.OpGtI && !left:
		ended = false
	default:
		return nil, false
	}
	out, goes := c.branch.Then, c.branch.Else
	if !ended {
		out, goes = goes, out
	}
	c.goes = goes
	if c.counter == c.flag || !stays(out) || !steps(goes) || !outside(c.limit, f.Body) {
		return nil, false
	}
	return c, true
}

// countedSteps lowers a loop that counts, where its numbers allow: with the
// limit and the first value of the counter no sum overflows.
func (g *gen) countedSteps(e *tail.Apply, x *value) (*value, bool) {
	if !g.on("counted") || x.tup == nil {
		return nil, false
	}
	c, ok := countedLoop(e)
	if !ok || x.tup[c.flag].x == nil || x.tup[c.counter].x == nil || !isInt(x.tup[c.flag].x, 1) {
		return nil, false
	}
	for _, t := range x.tup {
		if t.tup != nil {
			return nil, false
		}
	}
	limit, first := g.scalar(c.limit), x.tup[c.counter].x
	const most = 1 << 53
	if !g.rangeOf(limit).within(-most, most) || !g.rangeOf(first).within(-most, most) {
		return nil, false
	}
	first, end := g.atom("first", first), g.atom("end", add(limit, integer(c.more)))
	v := g.newVar("i", I64)
	g.steady[v] = true
	g.ranges[v] = interval{g.rangeOf(first).lo, max(g.rangeOf(end).hi-1, g.rangeOf(first).lo)}
	if plainSum(first, 0) && plainSum(end, 0) {
		g.facts[v] = &bounds{lowers: []linear{g.linearOf(first)}, uppers: []linear{g.linearOf(end)}}
	}
	g.decided[c.branch] = c.goes
	defer delete(g.decided, c.branch)
	fixed := map[int]Expr{c.flag: boolean(true), c.counter: &Use{v}}
	done := g.loopOver(e, nil, lamOf(e.Args[1]), x, fixed, func(body []Stmt) {
		g.emit(&For{Var: v, Lo: first, Hi: end, Body: body})
	})
	done.tup[c.flag] = scalar1(boolean(false))
	done.tup[c.counter] = scalar1(g.larger(first, end))
	return done, true
}

// unlet notes the variables that lets around e bind, and returns what is
// inside.
func unlet(e tail.Expr, lets map[*tail.Var]tail.Expr) tail.Expr {
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			return e
		}
		lets[let.Var] = let.Bind
		e = let.Body
	}
}

// resolve returns what a variable is bound to.
func resolve(e tail.Expr, lets map[*tail.Var]tail.Expr) tail.Expr {
	for range 64 {
		r, ok := e.(*tail.Ref)
		if !ok || lets[r.Var] == nil {
			break
		}
		e = lets[r.Var]
	}
	return e
}

func isRef(e tail.Expr, v *tail.Var) bool {
	r, ok := e.(*tail.Ref)
	return ok && r.Var == v
}

// projOf returns which component of v p selects.
func projOf(p *tail.Proj, ok bool, v *tail.Var) (int, bool) {
	if !ok || !isRef(p.X, v) {
		return 0, false
	}
	return p.I, true
}

// isTruth reports whether e is the truth value t.
func isTruth(e tail.Expr, t bool) bool {
	l, ok := e.(*tail.Lit)
	return ok && l.Value.Rank() == 0 && len(l.Value.Bools) == 1 && (l.Value.Bools[0] != 0) == t
}

// isOne reports whether e is the integer 1.
func isOne(e tail.Expr) bool {
	l, ok := e.(*tail.Lit)
	return ok && l.Value.Rank() == 0 && len(l.Value.Ints) == 1 && l.Value.Ints[0] == 1
}

// outside reports whether e is a number, or a variable that body does not bind.
func outside(e, body tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Lit:
		return true
	case *tail.Ref:
		bound := false
		tail.Walk(body, func(x tail.Expr) bool {
			if let, ok := x.(*tail.Let); ok && let.Var == e.Var {
				bound = true
			}
			return !bound
		})
		return !bound
	}
	return false
}
