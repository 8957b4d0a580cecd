package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Assignments of a dfn to parts of variables of the enclosing one, where ¨ or
// ⍣ applies it many times, or behind a guard. The variables become a part of
// the state of a loop, or of the value of a conditional:
//
//	a←0 0 0 ⋄ _←{a[⍵]+←1}¨1 2 1
//
// is a loop whose state is a count, the results so far, and a.

// carried is a variable of an enclosing function that a dfn changes.
type carried struct {
	s    *scope
	name string
}

// changes returns the variables of enclosing functions that a dfn, which was
// written in scope s, changes, itself or through functions that it calls by
// name; nil where there are none, or where one of them cannot be changed here.
func (g *infer) changes(node apl.Node, s *scope) []carried {
	if !g.changing {
		return nil
	}
	w := changeWalk{seen: map[apl.Node]bool{}}
	w.body(node, s)
	return g.changeable(w.all)
}

// changeable returns variables, or nil where one of them cannot be changed here.
func (g *infer) changeable(vars []carried) []carried {
	for _, v := range vars {
		b := v.s.names[v.name]
		if b.v == nil || b.poisoned || b.frameIn(v.s) != g.frame || v.s != g.scope && v.s.block != g.blockID {
			return nil
		}
	}
	return vars
}

// changedBy is changes for a function.
func (g *infer) changedBy(f function) []carried {
	if !g.changing {
		return nil
	}
	w := changeWalk{seen: map[apl.Node]bool{}}
	w.function(f)
	return g.changeable(w.all)
}

// changesOuter reports whether a function assigns to parts of variables of
// enclosing ones, and whether it calls itself, by name or by ∇. It is expanded
// in place where it does not call itself.
func (g *infer) changesOuter(c *closure) (changes, recursive bool) {
	if !g.changing {
		return false, c.recursive
	}
	w := changeWalk{seen: map[apl.Node]bool{}}
	w.body(c.node, c.scope)
	return len(w.all) > 0, c.recursive || w.again == c.node
}

// made is c, a closure whose function the walks below may come to. Programs in which
// no function changes a variable of an enclosing one need no such walks, which visit
// all functions that a function calls.
func (g *infer) made(c *closure) *closure {
	g.changing = g.changing || slices.ContainsFunc(apl.FreeNames(c.node).Free, func(f apl.FreeName) bool { return f.Modified })
	return c
}

// changeWalk collects the variables that functions change outside of
// themselves, each once, in the order of their first mention.
type changeWalk struct {
	all   []carried
	seen  map[apl.Node]bool
	start apl.Node // the first function
	again apl.Node // start, where a function that it calls calls it
}

// body adds what a dfn or a dop that was written in scope s changes.
func (w *changeWalk) body(node apl.Node, s *scope) {
	switch node.(type) {
	case *apl.Dfn, *apl.Dop:
	default:
		return
	}
	if w.start == nil {
		w.start = node
	}
	if w.seen[node] {
		if node == w.start {
			w.again = node
		}
		return
	}
	w.seen[node] = true
	for _, f := range apl.FreeNames(node).Free {
		owner, b := s.lookup(f.Ident)
		switch {
		case b == nil:
		case f.Modified:
			if v := (carried{owner, f.Ident}); !slices.Contains(w.all, v) {
				w.all = append(w.all, v)
			}
		default:
			w.function(b.fn)
		}
	}
}

// function adds what the functions that f is made of change.
func (w *changeWalk) function(f function) {
	switch f := f.(type) {
	case *closure:
		w.body(f.node, f.scope)
		for _, o := range f.operands {
			w.function(o.fn)
		}
	case *derived:
		w.function(f.left.fn)
		w.function(f.right.fn)
	case *fork:
		w.function(f.f.fn)
		w.function(f.g)
		w.function(f.h)
	case *atop:
		w.function(f.f)
		w.function(f.g)
	case *axis:
		w.function(f.f)
	}
}

// valuesOf returns what the variables are now.
func (g *infer) valuesOf(vars []carried, s site) []tail.Expr {
	all := make([]tail.Expr, len(vars))
	for i, v := range vars {
		all[i] = ref(v.s.names[v.name].v, s.fn)
	}
	return all
}

// carry runs body in the current block with new values of the variables, which
// body may change; it returns what they are then. Outside they stay.
func (g *infer) carry(vars []carried, values []tail.Expr, s site, body func()) []tail.Expr {
	defer g.kept(vars)()
	for i, v := range vars {
		g.within(v.s, func() { g.bindVar(v.name, values[i]) })
		v.s.block = g.blockID
	}
	body()
	return g.valuesOf(vars, s)
}

// kept returns how to give the variables back the values that they have now.
func (g *infer) kept(vars []carried) func() {
	blocks, bindings := make([]int, len(vars)), make([]*binding, len(vars))
	for i, v := range vars {
		blocks[i], bindings[i] = v.s.block, v.s.names[v.name]
	}
	return func() {
		for i := len(vars) - 1; i >= 0; i-- { // of one scope, perhaps
			vars[i].s.block, vars[i].s.names[vars[i].name] = blocks[i], bindings[i]
		}
	}
}

// change gives the variables new values: components of a tuple, from from on.
func (g *infer) change(vars []carried, state tail.Expr, from int, s site) {
	for i, v := range vars {
		e := &tail.Proj{At: tail.At{Where: s.fn}, X: state, I: from + i}
		g.within(v.s, func() { g.bindVar(v.name, e) })
	}
}

// eachChanging is f¨y where f changes variables; nil where it does not.
func (g *infer) eachChanging(f function, y tail.Expr, s site) tail.Expr {
	vars := g.changedBy(f)
	t := g.arr(y, s.right)
	if len(vars) == 0 || t.Dims() == 0 {
		return nil
	}
	y = g.name(y)
	flat := g.name(g.ravel(y, s))
	return g.eachCarried(vars, y, g.givesUnread(f), func(i tail.Expr) tail.Expr {
		return g.monadic(f, g.op(tail.OpIndex, s, flat, i), s)
	}, s)
}

// eachChanging2 is the same for x f¨y.
func (g *infer) eachChanging2(f function, x, y tail.Expr, s site) tail.Expr {
	vars := g.changedBy(f)
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	if len(vars) == 0 || tx.Dims() == 0 && ty.Dims() == 0 {
		return nil
	}
	x, y = g.names2(x, y)
	like := y
	element := func(e tail.Expr, alone bool) func(i tail.Expr) tail.Expr {
		if alone {
			e = g.name(g.firstOf(e, s))
			return func(tail.Expr) tail.Expr { return e }
		}
		e = g.name(g.ravel(e, s))
		return func(i tail.Expr) tail.Expr { return g.op(tail.OpIndex, s, e, i) }
	}
	alone, only := g.extends(tx, ty, s), g.extends(ty, tx, s)
	switch {
	case alone:
	case only:
		like = x
	default: // the shapes have to be equal
		x = g.name(g.zip(x, y, s, func(a, b tail.Expr) tail.Expr { return a }))
	}
	left, right := element(x, alone), element(y, only)
	return g.eachCarried(vars, like, g.givesUnread(f), func(i tail.Expr) tail.Expr {
		b := right(i)
		return g.dyadic(f, left(i), b, s)
	}, s)
}

// eachCarried returns the array of like's shape of what apply gives for the
// place of each element; apply may change the variables. What it gives for the
// elements of a vector may be nested, and is stored by columns then; where nobody reads
// it, it is 0.
func (g *infer) eachCarried(vars []carried, like tail.Expr, unread bool, apply func(i tail.Expr) tail.Expr, s site) tail.Expr {
	count := g.name(g.op(tail.OpCount, s, like))
	start := g.valuesOf(vars, s)
	value := func(i tail.Expr, before []tail.Expr) (e tail.Expr, after []tail.Expr) {
		after = g.carry(vars, before, s, func() { e = g.name(apply(i)) })
		if unread {
			e = g.intLit(s, 0)
		}
		return e, after
	}
	var t tail.Type
	vector := tail.TypeOf(like).Dims() == 1
	g.lambda(s.fn, []tail.Type{tail.Scalar(array.Int)}, func(a []tail.Expr) tail.Expr { // to see its type
		e, _ := value(a[0], start)
		if !vector || g.blamed != nil {
			g.scalarResult(&tail.Lam{Body: e}, "¨", s)
		}
		t = e.Type()
		return e
	})
	one, growing := g.intLit(s, 1), g.emptyColumn(t, count, s)
	var z, done tail.Expr
	if !g.succeeds(func() { z, done = g.columnLoop(count, one, growing, t, "", start, value, s) }) {
		// The first item changes the rank of a variable; without one the interpreter goes on.
		left := g.name(g.fromPrelude(g.preludeClosure("turnsleft"), nil, count, s))
		e, after := value(one, start)
		growing = g.grown(growing, e, one, s)
		z, done = g.columnLoop(left, g.intLit(s, 2), growing, t, "", after, value, s)
	}
	g.change(vars, done, 2, s)
	if vector {
		return z
	}
	return g.op(tail.OpReshape, s, g.shapeOf(like, s), z)
}

// powerChanging is f⍣n y where f changes variables; nil where it does not.
func (g *infer) powerChanging(f function, n, y tail.Expr, step func(tail.Expr) tail.Expr, s site) tail.Expr {
	vars := g.changedBy(f)
	if len(vars) == 0 {
		return nil
	}
	at := tail.At{Where: s.fn}
	init := g.name(&tail.Tuple{At: at, Elems: append([]tail.Expr{y}, g.valuesOf(vars, s)...)})
	state, l := g.loop(init, func(e tail.Expr) tail.Expr {
		items := g.items(e)
		var z tail.Expr
		after := g.carry(vars, items[1:], s, func() { z = g.name(step(items[0])) })
		return &tail.Tuple{At: at, Elems: append([]tail.Expr{z}, after...)}
	}, s)
	done := g.name(g.op(tail.OpPower, s, l, n, g.adapt(init, state)))
	g.change(vars, done, 1, s)
	return &tail.Proj{At: at, X: done, I: 0}
}

// carrying returns, of the branches of a guard in a dfn, how to infer one: its
// value and the variables that it may change are a tuple; and how to take that
// apart behind the conditional.
func (g *infer) carrying(node apl.Node, s site) (branch func(func() tail.Expr) func() tail.Expr, done func(tail.Expr) tail.Expr) {
	var vars []carried
	if g.scope.parent != nil {
		vars = g.changes(node, g.scope.parent)
	}
	if len(vars) == 0 {
		same := func(f func() tail.Expr) func() tail.Expr { return f }
		return same, func(e tail.Expr) tail.Expr { return e }
	}
	at := tail.At{Where: s.fn}
	start := g.valuesOf(vars, s)
	branch = func(f func() tail.Expr) func() tail.Expr {
		return func() tail.Expr {
			var e tail.Expr
			after := g.carry(vars, start, s, func() { e = g.name(f()) })
			return g.changed(at, e, after)
		}
	}
	return branch, func(e tail.Expr) tail.Expr {
		e = g.name(e)
		g.change(vars, e, 1, s)
		return &tail.Proj{At: at, X: e, I: 0}
	}
}

// changed returns the tuple of a value and of what the variables are after it:
// the very tuple that they were taken from, so that a call in tail position
// stays one.
func (g *infer) changed(at tail.At, e tail.Expr, after []tail.Expr) tail.Expr {
	elems := append([]tail.Expr{e}, after...)
	var whole *tail.Var
	for i, x := range elems {
		if r, ok := x.(*tail.Ref); ok && g.known[r.Var] != nil {
			x = g.known[r.Var].e
		}
		p, ok := x.(*tail.Proj)
		if !ok || p.I != i {
			return &tail.Tuple{At: at, Elems: elems}
		}
		r, ok := p.X.(*tail.Ref)
		if !ok || whole != nil && r.Var != whole {
			return &tail.Tuple{At: at, Elems: elems}
		}
		whole = r.Var
	}
	if t := whole.Type.(*tail.TupleType); len(t.Elems) != len(elems) || t.Shape != nil {
		return &tail.Tuple{At: at, Elems: elems}
	}
	return ref(whole, at.Where)
}
