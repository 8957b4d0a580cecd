package laila

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail"
)

// leaf is one scalar or array of a loop's state.
type leaf struct {
	v       *ir.Var   // a scalar
	buf     *ir.Buf   // an array: its current value
	dims    []ir.Expr // its extents: invariant ones are those of the first value
	vars    []*ir.Var // the variables among dims, or nil where dims are invariant
	spare   *ir.Buf   // the second buffer, when the extents are invariant
	elem    ir.Kind
	initial *value
	fixed   ir.Expr // the value, of a scalar that the loop itself computes
	kept    bool    // buf belongs to the state of a loop around this one
	grows   bool    // and its extents change there
}

// leaves lists the scalars and arrays of a value.
func leaves(v *value) []*value {
	if v.tup == nil {
		return []*value{v}
	}
	var all []*value
	for _, t := range v.tup {
		all = append(all, leaves(t)...)
	}
	return all
}

// rebuild makes a value of the structure of v from new leaves.
func rebuild(v *value, ls *[]*value) *value {
	if v.tup == nil {
		x := (*ls)[0]
		*ls = (*ls)[1:]
		return x
	}
	t := &value{tup: make([]*value, len(v.tup))}
	for i := range v.tup {
		t.tup[i] = rebuild(v.tup[i], ls)
	}
	return t
}

// power applies a function n times.
func (g *gen) power(e *tail.Apply, args []*value) *value {
	n := g.atom("n", args[1].x)
	g.failIf(g.Compare(ir.OpLt, n, ir.Integer(0)), tail.FaultInverse, siteOf(e), func() []ir.FailArg { return []ir.FailArg{{X: n}} })
	if v, ok := g.powerElements(e, n, args[2]); ok {
		return v
	}
	return g.powerSteps(e, n, args[2])
}

// powerSteps applies a function n times to whole arrays.
func (g *gen) powerSteps(e *tail.Apply, n ir.Expr, x *value) *value {
	if v, ok := g.countSteps(e, n, x); ok {
		return v
	}
	return g.loop(e, nil, tail.LamOf(e.Args[0]), x, func(body []ir.Stmt) {
		g.emit(&ir.For{Var: g.NewVar("step", ir.I64), Lo: ir.Integer(0), Hi: n, Body: body})
	})
}

// while applies a function as long as another gives 1.
func (g *gen) while(e *tail.Apply, args []*value) *value {
	if v, ok := g.countedSteps(e, args[2]); ok {
		return v
	}
	return g.loop(e, tail.LamOf(e.Args[0]), tail.LamOf(e.Args[1]), args[2], func(body []ir.Stmt) {
		g.emit(&ir.Loop{Body: body})
	})
}

// loop lowers a loop over a state: scalars live in variables; arrays in two
// buffers that change places, or in one that is updated in place. The buffers
// are allocated once where the extents do not change.
func (g *gen) loop(e *tail.Apply, cond, f *tail.Lam, x *value, emit func(body []ir.Stmt)) *value {
	return g.loopOver(e, cond, f, x, nil, emit)
}

// loopOver lowers a loop over a state of which fixed scalars are computed by
// the loop itself.
func (g *gen) loopOver(e *tail.Apply, cond, f *tail.Lam, x *value, fixed map[int]ir.Expr, emit func(body []ir.Stmt)) *value {
	g.force()
	state := g.enter(e, f, x, fixed)
	if !knownShapes(e.Ty) {
		g.varyingShapes(state, cond, f, x)
		if g.On("knowledge") {
			g.inductive(state, cond, f, x)
		}
		g.forget(f.Body)
	}
	for _, s := range state { // the variables are needed by the body
		if s.vars != nil {
			for a, v := range s.vars {
				g.emit(v.Decl(s.initial.arr.dims[a]))
			}
		}
	}
	body := g.block(func() { g.iteration(state, cond, f, x) })
	for _, s := range state {
		if s.spare != nil {
			g.emit(&ir.DeclBuf{Buf: s.spare, Count: g.atom("n", ir.Product(s.dims)), Shape: s.dims, At: g.src})
			g.own(s.spare)
		}
	}
	emit(body)
	g.noteState(state)
	for _, s := range state {
		delete(g.state, s.buf)
		delete(g.growing, s.buf)
		if s.kept {
			g.state[s.buf], g.growing[s.buf] = true, s.grows
		}
	}
	return g.stateValue(state, x)
}

// noteState remembers the arrays of integers in the state of the loop that has
// just been emitted.
func (g *gen) noteState(state []*leaf) {
	info := pass.LoopState{At: g.src}
	for _, s := range state {
		if s.buf == nil || s.buf.Elem != ir.I64 {
			continue
		}
		info.Arrays = append(info.Arrays, pass.StateArray{Buf: s.buf, Dims: s.dims})
		if s.spare != nil {
			info.Arrays = append(info.Arrays, pass.StateArray{Buf: s.spare, Dims: s.dims, Spare: true})
		}
	}
	if len(info.Arrays) > 0 {
		g.Loops[g.blk.stmts[len(g.blk.stmts)-1]] = info
	}
}

// enter puts the first state into variables and buffers. An array that nothing
// needs any more is the state itself, not a copy of it.
func (g *gen) enter(e *tail.Apply, f *tail.Lam, x *value, fixed map[int]ir.Expr) []*leaf {
	var state []*leaf
	vs := leaves(x)
	ranges := stateRanges(f, vs, g.RangeOf)
	for i, v := range vs {
		s := &leaf{initial: v, fixed: fixed[i]}
		if s.fixed != nil {
			s.elem = s.fixed.Kind()
		} else if v.x != nil {
			s.elem = v.x.Kind()
			s.v = g.mutable("s", s.elem, v.x)
			if r := ranges[i]; r.Known {
				g.Ranges[s.v] = facts.Between(r.Low, r.High)
			}
		} else {
			s.elem = v.arr.elem
			s.dims = v.arr.dims
			rng := facts.RangeOfKind(s.elem)
			if r := ranges[i]; r.Known {
				rng = facts.Between(r.Low, r.High)
			}
			kind := g.storeKind(&pull{elem: s.elem, rng: rng})
			if g.handsOver(e, i, vs, kind) {
				s.buf, s.kept, s.grows = v.arr.buf, g.state[v.arr.buf], g.growing[v.arr.buf]
				delete(g.BufSpans, s.buf)
			} else {
				s.buf = g.ownCopy(v.arr, kind)
			}
			if s.elem.Exact() {
				g.Bufs[s.buf] = rng
			}
			g.settle(v.arr)
		}
		state = append(state, s)
	}
	return state
}

// stateRanges bounds the integers of a state that begins as vs in every step by f.
func stateRanges(f *tail.Lam, vs []*value, rangeOf func(x ir.Expr) facts.Interval) []tail.Range {
	first := make([]tail.Range, len(vs))
	for i, v := range vs {
		r := facts.AnyInt
		if v.x != nil && v.x.Kind() == ir.I64 {
			r = rangeOf(v.x)
		} else if v.x == nil && v.arr.elem == ir.I64 {
			r = v.arr.rng
		}
		first[i] = tail.Range{Low: r.Lo, High: r.Hi, Known: r != facts.AnyInt}
	}
	return tail.StateRanges(f, first)
}

// ownCopy stores p in a buffer of its own.
func (g *gen) ownCopy(p *pull, kind ir.Kind) *ir.Buf {
	b := g.heap("s", kind, p.dims)
	g.fillBuf(p, b)
	return b
}

// handsOver reports whether the buffer of component i of a loop's first state
// may become that of the state: it is the loop's to overwrite, and no other
// component is in it.
func (g *gen) handsOver(e *tail.Apply, i int, vs []*value, kind ir.Kind) bool {
	p := vs[i].arr
	if p.buf == nil || p.buf.Stack > 0 || p.buf.Elem != kind {
		return false
	}
	for k, v := range vs {
		if k != i && v.arr != nil && reads(v, p.buf) {
			return false
		}
	}
	first := e.Args[2]
	if t, ok := first.(*tail.Tuple); ok && len(t.Elems) == len(vs) {
		first = t.Elems[i]
	}
	return g.deadFrom(e, first, p)
}

// knownShapes reports whether every extent of a loop's state is in its type.
func knownShapes(t tail.Type) bool {
	switch t := t.(type) {
	case *tail.TupleType:
		for _, e := range t.Elems {
			if !knownShapes(e) {
				return false
			}
		}
	case *tail.Array:
		for i := 0; i < t.Dims(); i++ {
			if !t.Extent(i).Known() {
				return false
			}
		}
	}
	return true
}

// varyingShapes lowers the body on trial, to find the arrays whose extents
// change; these get variables for extents. One that belongs to a loop around this
// one, where its extents stay, is copied.
func (g *gen) varyingShapes(state []*leaf, cond, f *tail.Lam, x *value) {
	for changed := true; changed; {
		changed = false
		var alone []*leaf
		g.block(func() {
			for i, r := range g.step1(state, cond, f, x) {
				s := state[i]
				if s.buf == nil || s.vars != nil || ir.SameShape(r.arr.dims, s.dims) {
					continue
				}
				changed = true
				s.dims = nil
				alone = append(alone, s)
				for range r.arr.dims {
					v := g.NewVar("d", ir.I64)
					g.Ranges[v] = facts.Between(0, facts.MaxExtent)
					g.steady[v] = true
					s.vars = append(s.vars, v)
					s.dims = append(s.dims, v.Use())
				}
			}
		})
		for _, s := range alone {
			if s.kept && !s.grows {
				delete(g.growing, s.buf)
				s.buf, s.kept = g.ownCopy(s.initial.arr, s.buf.Elem), false
			}
		}
	}
}

// forget takes the variables that e binds, parameters of functions too, out of
// the environment. After e was lowered on trial they would stand for arrays that
// read the state, which then could not be updated in place.
func (g *gen) forget(e tail.Expr) {
	tail.Walk(e, func(x tail.Expr) bool {
		switch x := x.(type) {
		case *tail.Let:
			g.env.set(x.Var, nil)
		case *tail.Lam:
			for _, p := range x.Params {
				g.env.set(p, nil)
			}
		}
		return true
	})
}

// step1 lowers the function applied to the current state; the leaves of the
// result.
func (g *gen) step1(state []*leaf, cond, f *tail.Lam, x *value) []*value {
	g.begin(state, cond, f, x)
	return leaves(g.expr(f.Body))
}

// begin tests whether a loop goes on, and binds the parameter of its function.
func (g *gen) begin(state []*leaf, cond, f *tail.Lam, x *value) {
	if cond != nil {
		for _, s := range state {
			delete(g.state, s.buf)
		}
		g.env.set(cond.Params[0], g.stateValue(state, x))
		more := g.mutable("more", ir.U8, ir.Boolean(false))
		g.emit(g.block(func() { g.emit(more.Assign(g.scalar(cond.Body))) })...)
		g.emit(&ir.BreakIf{Cond: ir.Not(more.Use())})
		g.env.set(cond.Params[0], nil)
	}
	g.env.set(f.Params[0], g.stateValue(state, x))
	for _, s := range state {
		if s.buf != nil {
			g.state[s.buf], g.growing[s.buf] = true, s.vars != nil
		}
	}
}

// stateValue is the state as a value.
func (g *gen) stateValue(state []*leaf, x *value) *value {
	var ls []*value
	for _, s := range state {
		if s.fixed != nil {
			ls = append(ls, &value{x: s.fixed})
		} else if s.v != nil {
			ls = append(ls, &value{x: s.v.Use()})
		} else {
			ls = append(ls, array1(g.stored(s.elem, s.buf, s.dims)))
		}
	}
	return rebuild(x, &ls)
}

// iteration computes the next state, all of it before any of the old one is
// replaced.
func (g *gen) iteration(state []*leaf, cond, f *tail.Lam, x *value) {
	g.begin(state, cond, f, x)
	g.advance(state, f.Body)
}

// advance computes the next state by e. In the branches of a conditional at
// the end each branch does, so that what a branch updates in place stays.
func (g *gen) advance(state []*leaf, e tail.Expr) {
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			break
		}
		g.comment(let)
		if g.elsewhere(let) {
			e = let.Body
			continue
		}
		v, versions := g.forked(let.Bind, let)
		if versions != nil {
			g.inVersions(versions, func() { g.advance(state, e) })
			return
		}
		g.bind(let, v)
		e = let.Body
	}
	if branch, ok := e.(*tail.If); ok && g.decided[branch] != nil {
		g.advance(state, g.decided[branch])
		return
	} else if ok {
		c := g.scalar(branch.Cond)
		if _, known := ir.IntOf(c); !known {
			g.force()
			test := c
			c = g.atom("c", c)
			then := g.block(func() { g.suppose(test, true); g.advance(state, branch.Then) })
			els := g.block(func() { g.suppose(test, false); g.advance(state, branch.Else) })
			g.emit(&ir.If{Cond: c, Then: then, Else: els})
			return
		}
	}
	v, versions := g.forked(e, e)
	if versions != nil {
		g.inVersions(versions, func() { g.advance(state, e) })
		return
	}
	g.replace(state, leaves(v))
}

// replace makes next the state.
func (g *gen) replace(state []*leaf, next []*value) {
	last, moved := g.rotations(state, next)
	for i, s := range state {
		r := next[i]
		if s.fixed != nil {
			continue
		}
		if s.v != nil {
			if u, ok := r.x.(*ir.Use); !ok || u.Var != s.v {
				last = append(last, s.v.Assign(g.let("t", r.x)))
			}
			continue
		}
		p := r.arr
		for a, v := range s.vars {
			last = append(last, v.Assign(g.let("d", p.dims[a])))
		}
		owned, here := false, false
		if p.buf != nil {
			owned, here = g.owns(p.buf)
		}
		switch {
		case p.buf == s.buf, moved[i]:
		case owned && here && p.buf.Stack == 0 && p.buf.Elem == s.buf.Elem && !usedTwice(next, p.buf):
			last = append(last, &ir.Swap{A: s.buf, B: p.buf})
			if s.vars == nil {
				g.Fixed[s.buf], g.Fixed[p.buf] = true, true
			}
		case s.vars != nil:
			fresh := g.heap("s", s.buf.Elem, p.dims)
			g.fillBuf(p, fresh)
			last = append(last, &ir.Swap{A: s.buf, B: fresh})
		default:
			if s.spare == nil {
				s.spare = &ir.Buf{Name: s.buf.Name, Elem: s.buf.Elem}
				if r, ok := g.Bufs[s.buf]; ok {
					g.Bufs[s.spare] = r
				}
				g.Fixed[s.buf], g.Fixed[s.spare] = true, true
			}
			g.fillBuf(p, s.spare)
			last = append(last, &ir.Swap{A: s.buf, B: s.spare})
		}
		g.settle(p)
	}
	g.emit(last...)
}

// usedTwice reports whether two leaves are the same array.
func usedTwice(vs []*value, buf *ir.Buf) bool {
	n := 0
	for _, v := range vs {
		if v.arr != nil && v.arr.buf == buf {
			n++
		}
	}
	return n > 1
}
