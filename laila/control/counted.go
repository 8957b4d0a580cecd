package control

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// counted is a loop that ends when a scalar of its state, which grows by 1 in
// every step, or shrinks by 1, reaches a number that is known before.
type counted struct {
	flag, counter int // the components of the state
	step          int64
	limit         tail.Expr
	more          int64 // the loop runs while the counter is below limit + more, or above limit - more
	equal         bool  // or until the counter is the limit, from which it must not go away
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
	cond, f := tail.LamOf(e.Args[0]), tail.LamOf(e.Args[1])
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
			k, ok := growth(resolve(x.Elems[c.counter], lets), f.Params[0], c.counter, lets)
			if !ok || k != 1 && k != -1 || c.step != 0 && c.step != k {
				return false
			}
			c.step = k
			return true
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
	out, goes := c.branch.Then, c.branch.Else
	ended := true // where the test holds
	if !stays(out) {
		ended, out, goes = false, goes, out
	}
	c.goes = goes
	if c.counter == c.flag || !stays(out) || !steps(goes) || !outside(c.limit, f.Body) {
		return nil, false
	}
	return c, c.ends(op, left, ended)
}

// ends notes when the loop ends: where the counter and the limit, or the limit and
// the counter, are related by op, or where they are not.
func (c *counted) ends(op tail.Op, left, ended bool) bool {
	way := orders[op]
	if !left {
		way = -way
	}
	if op == tail.OpEqI && ended || op == tail.OpNeqI && !ended {
		c.equal = true
		return true
	}
	if !ended { // it ends where the opposite holds
		way = opposites[way]
	}
	switch way * int(c.step) {
	case above:
		c.more = 1
	case notBelow:
	default:
		return false
	}
	return true
}

// How a counter is related to a limit; the opposite sign exchanges them.
const (
	above    = 1
	notBelow = 2
)

var orders = map[tail.Op]int{tail.OpGtI: above, tail.OpGteI: notBelow, tail.OpLtI: -above, tail.OpLteI: -notBelow}

// opposites says what holds where a relation does not.
var opposites = map[int]int{above: -notBelow, notBelow: -above, -above: notBelow, -notBelow: above}

// countedSteps lowers a loop that counts, where its numbers allow: with the
// limit and the first value of the counter no sum overflows.
func countedSteps(g *build.Builder, e *tail.Apply, x *build.Value) (*build.Value, bool) {
	if !g.On("counted") || x.Tup == nil {
		return nil, false
	}
	c, ok := countedLoop(e)
	if !ok || x.Tup[c.flag].X == nil || x.Tup[c.counter].X == nil || !ir.IsInt(x.Tup[c.flag].X, 1) {
		return nil, false
	}
	for _, t := range x.Tup {
		if t.Tup != nil {
			return nil, false
		}
	}
	limit, first := g.Scalar(c.limit), x.Tup[c.counter].X
	const most = 1 << 53
	if !g.RangeOf(limit).Within(-most, most) || !g.RangeOf(first).Within(-most, most) {
		return nil, false
	}
	if c.equal && !towards(g, c.step, first, limit) {
		return nil, false
	}
	if c.step < 0 {
		return countedDown(g, e, c, x, first, limit), true
	}
	first, end := g.Atom("first", first), g.Atom("end", ir.Add(limit, ir.Integer(c.more)))
	v := g.NewVar("i", ir.I64)
	g.Steady[v] = true
	g.Ranges[v] = facts.Between(g.RangeOf(first).Lo, max(g.RangeOf(end).Hi-1, g.RangeOf(first).Lo))
	if ir.IsPlainSum(first, 0) && ir.IsPlainSum(end, 0) {
		g.Facts[v] = &build.Bounds{Lowers: []affine.Poly{g.LinearOf(first)}, Uppers: []affine.Poly{g.LinearOf(end)}}
	}
	done := countedOver(g, e, c, x, v.Use(), &stepping{made: affine.Of(v).Minus(g.LinearOf(first)), last: g.LinearOf(end).Minus(g.LinearOf(first)).Add(-1)}, func(body []ir.Stmt) { g.Emit(&ir.For{Var: v, Lo: first, Hi: end, Body: body}) })
	done.Tup[c.counter] = build.Scalar1(g.Larger(first, end))
	return done, true
}

// countedDown lowers a loop whose counter shrinks.
func countedDown(g *build.Builder, e *tail.Apply, c *counted, x *build.Value, first, limit ir.Expr) *build.Value {
	first, end := g.Atom("first", first), g.Atom("end", ir.Sub(limit, ir.Integer(c.more)))
	n := g.Atom("n", g.Larger(ir.Sub(first, end), ir.Integer(0)))
	v := g.NewVar("i", ir.I64)
	g.Steady[v] = true
	g.Ranges[v] = facts.Between(0, max(g.RangeOf(n).Hi-1, 0))
	if ir.IsPlainSum(first, 0) && ir.IsPlainSum(end, 0) {
		g.Facts[v] = &build.Bounds{Lowers: []affine.Poly{{}}, Uppers: []affine.Poly{g.LinearOf(first).Minus(g.LinearOf(end))}}
	}
	done := countedOver(g, e, c, x, ir.Sub(first, v.Use()), stepsUpTo(g, v, n), func(body []ir.Stmt) { g.Emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: n, Body: body}) })
	done.Tup[c.counter] = build.Scalar1(g.Smaller(first, end))
	return done
}

// towards reports whether a counter certainly does not begin behind its limit.
func towards(g *build.Builder, step int64, first, limit ir.Expr) bool {
	d := ir.Sub(first, limit)
	if step < 0 {
		d = ir.Sub(limit, first)
	}
	return g.RangeOf(d).Hi <= 0 || ir.IsPlainSum(d, 0) && g.NotPositive(g.LinearOf(d))
}

// countedOver lowers the loop with its counter and its flag computed.
func countedOver(g *build.Builder, e *tail.Apply, c *counted, x *build.Value, counter ir.Expr, steps *stepping, emit func(body []ir.Stmt)) *build.Value {
	g.Decided[c.branch] = c.goes
	defer delete(g.Decided, c.branch)
	fixed := map[int]ir.Expr{c.flag: ir.Boolean(true), c.counter: counter}
	done := loopOver(g, e, nil, tail.LamOf(e.Args[1]), x, fixed, steps, emit)
	done.Tup[c.flag] = build.Scalar1(ir.Boolean(false))
	return done
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

// outside reports whether e is a number, a variable that body does not bind, or how many
// cells or elements such a variable has.
func outside(e, body tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Lit:
		return true
	case *tail.Apply:
		return (e.Op == tail.OpTally || e.Op == tail.OpCount) && outside(e.Args[0], body)
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
