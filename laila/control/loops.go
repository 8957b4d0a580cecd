package control

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/laila/search"
	"github.com/tailor-lang/tailor/laila/shape"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// leaf is one scalar or array of a loop's state.
type leaf struct {
	v       *ir.Var   // a scalar
	buf     *ir.Buf   // an array: its current value
	dims    []ir.Expr // its extents: invariant ones are those of the first value
	vars    []*ir.Var // the variables among dims, or nil where dims are invariant
	spare   *ir.Buf   // the second buffer, when the extents are invariant
	elem    ir.Kind
	initial *build.Value
	fixed   ir.Expr // the value, of a scalar that the loop itself computes
	kept    bool    // buf belongs to the state of a loop around this one
	grows   bool    // and its extents change there
	none    bool    // an array that has no elements, whatever happens: nothing stores it
}

// withoutElements returns the extents that arrays of a type have where they are known,
// and one of them is 0.
func withoutElements(t *tail.Array) ([]ir.Expr, bool) {
	var dims []ir.Expr
	empty := false
	for i := range t.Dims() {
		n, ok := t.Extent(i).IsConst()
		if !ok {
			return nil, false
		}
		dims = append(dims, ir.Integer(n))
		empty = empty || n == 0
	}
	return dims, empty
}

// dropped sees to the faults of an array whose elements nothing needs.
func dropped(g *build.Builder, p *build.Pull) {
	if p.Faults {
		g.Materialise(p)
	}
	g.Settle(p)
}

// leaves lists the scalars and arrays of a value.
func leaves(v *build.Value) []*build.Value {
	if v.Tup == nil {
		return []*build.Value{v}
	}
	var all []*build.Value
	for _, t := range v.Tup {
		all = append(all, leaves(t)...)
	}
	return all
}

// rebuild makes a value of the structure of v from new leaves.
func rebuild(v *build.Value, ls *[]*build.Value) *build.Value {
	if v.Tup == nil {
		x := (*ls)[0]
		*ls = (*ls)[1:]
		return x
	}
	t := &build.Value{Tup: make([]*build.Value, len(v.Tup))}
	for i := range v.Tup {
		t.Tup[i] = rebuild(v.Tup[i], ls)
	}
	return t
}

// Power applies a function n times.
func Power(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	n := g.Atom("n", args[1].X)
	g.FailIf(g.Compare(ir.OpLt, n, ir.Integer(0)), tail.FaultInverse, build.SiteOf(e), func() []ir.FailArg { return []ir.FailArg{{X: n}} })
	if v, ok := powerElements(g, e, n, args[2]); ok {
		return v
	}
	return powerSteps(g, e, n, args[2])
}

// powerSteps applies a function n times to whole arrays.
func powerSteps(g *build.Builder, e *tail.Apply, n ir.Expr, x *build.Value) *build.Value {
	if v, ok := countSteps(g, e, n, x); ok {
		return v
	}
	v := stepNumber(g, n)
	return loopOver(g, e, nil, tail.LamOf(e.Args[0]), x, nil, stepsUpTo(g, v, n), func(body []ir.Stmt) {
		g.Emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: n, Body: body})
	})
}

// While applies a function as long as another gives 1.
func While(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	if v, ok := countedSteps(g, e, args[2]); ok {
		return v
	}
	return loopOver(g, e, tail.LamOf(e.Args[0]), tail.LamOf(e.Args[1]), args[2], nil, nil, func(body []ir.Stmt) {
		g.Emit(&ir.Loop{Body: body})
	})
}

// loopOver lowers a loop over a state: scalars live in variables; arrays in two
// buffers that change places, or in one that is updated in place. The buffers
// are allocated once where the extents do not change.
func loopOver(g *build.Builder, e *tail.Apply, cond, f *tail.Lam, x *build.Value, fixed map[int]ir.Expr, steps *stepping, emit func(body []ir.Stmt)) *build.Value {
	g.Force()
	state := enter(g, e, f, x, fixed, steps.most(g))
	var exts []*extent
	if !knownShapes(e.Ty) {
		varyingShapes(g, state, cond, f, x)
		if g.On("knowledge") {
			exts = inductive(g, state, cond, f, x, steps)
		}
		forget(g, f.Body)
	}
	for _, s := range state { // the variables are needed by the body
		if s.vars != nil {
			for a, v := range s.vars {
				g.Emit(v.Decl(s.initial.Arr.Dims[a]))
			}
		}
	}
	body := g.Block(func() { advanceAll(g, state, cond, f, x) })
	for _, s := range state {
		if s.spare != nil {
			g.Emit(&ir.DeclBuf{Buf: s.spare, Count: g.Elements(s.dims), Shape: s.dims, At: g.Src})
			g.Own(s.spare)
		}
	}
	emit(body)
	for _, e := range exts {
		e.leaves(g, steps)
	}
	noteState(g, state)
	for _, s := range state {
		delete(g.State, s.buf)
		delete(g.Growing, s.buf)
		if s.kept {
			g.State[s.buf], g.Growing[s.buf] = true, s.grows
		}
	}
	return stateValue(g, state, x)
}

// noteState remembers the arrays of integers in the state of the loop that has
// just been emitted.
func noteState(g *build.Builder, state []*leaf) {
	info := pass.LoopState{At: g.Src}
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
		g.Loops[g.Blk.Stmts[len(g.Blk.Stmts)-1]] = info
	}
}

// enter puts the first state into variables and buffers. An array that nothing
// needs any more is the state itself, not a copy of it.
func enter(g *build.Builder, e *tail.Apply, f *tail.Lam, x *build.Value, fixed map[int]ir.Expr, steps int64) []*leaf {
	var state []*leaf
	vs := leaves(x)
	ranges := stateRanges(f, vs, fixed, steps, g.RangeOf)
	types := arrays(e.Ty)
	for i, v := range vs {
		s := &leaf{initial: v, fixed: fixed[i]}
		if dims, none := withoutElements(types[i]); none {
			dropped(g, v.Arr)
			state = append(state, &leaf{initial: v, elem: v.Arr.Elem, dims: dims, none: true})
			continue
		}
		if s.fixed != nil {
			s.elem = s.fixed.Kind()
		} else if v.X != nil {
			s.elem = v.X.Kind()
			s.v = g.Mutable("s", s.elem, v.X)
			if r := ranges[i]; r.Known {
				g.Ranges[s.v] = facts.Between(r.Low, r.High)
			}
		} else {
			s.elem = v.Arr.Elem
			s.dims = v.Arr.Dims
			rng := elementRange(s.elem, ranges[i])
			kind := g.StoreKind(&build.Pull{Elem: s.elem, Rng: rng})
			if handsOver(g, e, i, vs, kind) {
				s.buf, s.kept, s.grows = v.Arr.Buf, g.State[v.Arr.Buf], g.Growing[v.Arr.Buf]
				delete(g.BufSpans, s.buf)
			} else {
				s.buf = ownCopy(g, v.Arr, kind)
			}
			if s.elem.Exact() {
				g.Bufs[s.buf] = rng
			}
			g.Settle(v.Arr)
		}
		state = append(state, s)
	}
	return state
}

// stateRanges bounds the integers of a state that begins as vs in every step by f, which
// does not compute those that are fixed. There are at most so many steps, 0 where that is
// not known.
func stateRanges(f *tail.Lam, vs []*build.Value, fixed map[int]ir.Expr, steps int64, rangeOf func(x ir.Expr) facts.Interval) []analysis.Range {
	first, held := make([]analysis.Range, len(vs)), make([]bool, len(vs))
	for i, v := range vs {
		r := facts.AnyInt
		if x := fixed[i]; x != nil && x.Kind() == ir.I64 {
			r, held[i] = rangeOf(x), true
		} else if v.X != nil && v.X.Kind() == ir.I64 {
			r = rangeOf(v.X)
		} else if v.X == nil && v.Arr.Elem == ir.I64 {
			r = v.Arr.Rng
		}
		first[i] = analysis.Range{Low: r.Lo, High: r.Hi, Known: r != facts.AnyInt}
	}
	return analysis.StateRanges(f, first, held, steps)
}

// elementRange is what is known of elements of kind k with bounds r.
func elementRange(k ir.Kind, r analysis.Range) facts.Interval {
	if r.Known {
		return facts.Between(r.Low, r.High)
	}
	return facts.RangeOfKind(k)
}

// ownCopy stores p in a buffer of its own.
func ownCopy(g *build.Builder, p *build.Pull, kind ir.Kind) *ir.Buf {
	b := g.Heap("s", kind, p.Dims)
	g.FillBuf(p, b)
	return b
}

// handsOver reports whether the buffer of component i of a loop's first state
// may become that of the state: it is the loop's to overwrite, and no other
// component is in it.
func handsOver(g *build.Builder, e *tail.Apply, i int, vs []*build.Value, kind ir.Kind) bool {
	p := vs[i].Arr
	if p.Buf == nil || p.Buf.Stack > 0 || p.Buf.Elem != kind {
		return false
	}
	for k, v := range vs {
		if k != i && v.Arr != nil && build.Reads(v, p.Buf) {
			return false
		}
	}
	first := components(e.Args[2])
	return len(first) == len(vs) && shape.DeadFrom(g, e, first[i], p)
}

// components are the expressions of the leaves of a state, of which several may come from
// one that gives a tuple.
func components(e tail.Expr) []tail.Expr {
	if t, ok := e.(*tail.Tuple); ok {
		var all []tail.Expr
		for _, x := range t.Elems {
			all = append(all, components(x)...)
		}
		return all
	}
	all := make([]tail.Expr, len(arrays(e.Type())))
	for i := range all {
		all[i] = e
	}
	return all
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
// one, where its extents stay, is copied, and so is one in a narrower kind that is joined.
func varyingShapes(g *build.Builder, state []*leaf, cond, f *tail.Lam, x *build.Value) {
	for changed := true; changed; {
		changed = false
		var alone []*leaf
		own := map[*leaf]bool{}
		g.Block(func() {
			for i, r := range step1(g, state, cond, f, x) {
				s := state[i]
				if s.buf == nil || s.vars != nil || ir.SameShape(r.Arr.Dims, s.dims) {
					continue
				}
				changed = true
				s.dims = nil
				alone = append(alone, s)
				own[s] = storedKind(g, r.Arr) != s.buf.Elem
				for range r.Arr.Dims {
					v := g.NewVar("d", ir.I64)
					g.Ranges[v] = facts.Between(0, facts.MaxExtent)
					g.Steady[v] = true
					s.vars = append(s.vars, v)
					s.dims = append(s.dims, v.Use())
				}
			}
		})
		for _, s := range alone {
			switch {
			case s.kept && !s.grows:
				delete(g.Growing, s.buf)
				s.buf, s.kept = ownCopy(g, s.initial.Arr, s.buf.Elem), false
			case own[s] && s.buf.Elem != s.elem && joined(f, slices.Index(state, s)): // by elements of its own kind: it grows in place
				s.buf, s.kept = ownCopy(g, s.initial.Arr, s.elem), false
			}
		}
	}
}

// storedKind is the kind that the elements of p are stored in.
func storedKind(g *build.Builder, p *build.Pull) ir.Kind {
	if p.Buf != nil {
		return p.Buf.Elem
	}
	return g.StoreKind(p)
}

// joined reports whether a step catenates something to component k of its state, or may.
func joined(f *tail.Lam, k int) bool {
	lets := map[*tail.Var]tail.Expr{}
	isPart := func(e tail.Expr) bool {
		x := resolve(e, lets)
		p, ok := x.(*tail.Proj)
		return tail.IsRef(x, f.Params[0]) || ok && (!tail.IsRef(resolve(p.X, lets), f.Params[0]) || p.I == k)
	}
	found := false
	tail.Walk(f.Body, func(e tail.Expr) bool {
		switch e := e.(type) {
		case *tail.Let:
			lets[e.Var] = e.Bind
		case *tail.Call:
			found = found || slices.ContainsFunc(e.Args, isPart)
		case *tail.Apply:
			joins := e.Op == tail.OpCat || e.Op == tail.OpCons || e.Op == tail.OpSnoc
			found = found || joins && slices.ContainsFunc(e.Args, isPart)
		}
		return !found
	})
	return found
}

// forget takes the variables that e binds, parameters of functions too, out of
// the environment. After e was lowered on trial they would stand for arrays that
// read the state, which then could not be updated in place.
func forget(g *build.Builder, e tail.Expr) {
	tail.Walk(e, func(x tail.Expr) bool {
		switch x := x.(type) {
		case *tail.Let:
			g.Env.Set(x.Var, nil)
		case *tail.Lam:
			for _, p := range x.Params {
				g.Env.Set(p, nil)
			}
		}
		return true
	})
}

// step1 lowers the function applied to the current state; the leaves of the
// result.
func step1(g *build.Builder, state []*leaf, cond, f *tail.Lam, x *build.Value) []*build.Value {
	begin(g, state, cond, f, x)
	return leaves(g.Expr(f.Body))
}

// begin tests whether a loop goes on, and binds the parameter of its function.
func begin(g *build.Builder, state []*leaf, cond, f *tail.Lam, x *build.Value) {
	if cond != nil {
		for _, s := range state {
			delete(g.State, s.buf)
		}
		g.Env.Set(cond.Params[0], stateValue(g, state, x))
		more := g.Mutable("more", ir.U8, ir.Boolean(false))
		g.Emit(g.Block(func() { g.Emit(more.Assign(g.Scalar(cond.Body))) })...)
		g.Emit(&ir.BreakIf{Cond: ir.Not(more.Use())})
		g.Env.Set(cond.Params[0], nil)
	}
	g.Env.Set(f.Params[0], stateValue(g, state, x))
	for _, s := range state {
		if s.buf != nil {
			g.State[s.buf], g.Growing[s.buf] = true, s.vars != nil
		}
	}
}

// stateValue is the state as a value.
func stateValue(g *build.Builder, state []*leaf, x *build.Value) *build.Value {
	var ls []*build.Value
	for _, s := range state {
		if s.fixed != nil {
			ls = append(ls, &build.Value{X: s.fixed})
		} else if s.v != nil {
			ls = append(ls, &build.Value{X: s.v.Use()})
		} else if s.none {
			ls = append(ls, build.Array1(g.ConstantPull(ir.Fill(s.elem), s.dims)))
		} else {
			ls = append(ls, build.Array1(g.Stored(s.elem, s.buf, s.dims)))
		}
	}
	return rebuild(x, &ls)
}

// advanceAll computes the next state, all of it before any of the old one is
// replaced.
func advanceAll(g *build.Builder, state []*leaf, cond, f *tail.Lam, x *build.Value) {
	begin(g, state, cond, f, x)
	advance(g, state, f.Body)
}

// advance computes the next state by e. What a branch at the end updates in place stays.
func advance(g *build.Builder, state []*leaf, e tail.Expr) {
	byBranch(g, e, func(v *build.Value) { replace(g, state, leaves(v)) })
}

// byBranch lowers e, and gives its value to each: in the branches of a conditional at the end
// that of each branch.
func byBranch(g *build.Builder, e tail.Expr, each func(v *build.Value)) {
	ended(g, e, func(e tail.Expr) {
		v, versions := shape.Forked(g, e, e)
		if versions != nil {
			shape.InVersions(g, versions, func() { byBranch(g, e, each) })
			return
		}
		each(v)
	})
}

// ended lowers what e binds, and gives its end to each: in the branches of a conditional that of
// each branch.
func ended(g *build.Builder, e tail.Expr, each func(e tail.Expr)) {
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			break
		}
		g.Comment(let)
		if search.Elsewhere(g, let) {
			e = let.Body
			continue
		}
		v, versions := shape.Forked(g, let.Bind, let)
		if versions != nil {
			shape.InVersions(g, versions, func() { ended(g, e, each) })
			return
		}
		g.Bind(let, v)
		e = let.Body
	}
	if branch, ok := e.(*tail.If); ok && g.Decided[branch] != nil {
		ended(g, g.Decided[branch], each)
		return
	} else if ok {
		c := g.Scalar(branch.Cond)
		if _, known := ir.IntOf(c); !known {
			g.Force()
			test := c
			c = g.Atom("c", c)
			then := g.Block(func() { g.Suppose(test, true); ended(g, branch.Then, each) })
			els := g.Block(func() { g.Suppose(test, false); ended(g, branch.Else, each) })
			g.Emit(&ir.If{Cond: c, Then: then, Else: els})
			return
		}
	}
	each(e)
}

// replace makes next the state.
func replace(g *build.Builder, state []*leaf, next []*build.Value) {
	last, moved := rotations(g, state, next)
	for i, s := range state {
		r := next[i]
		if s.fixed != nil {
			continue
		}
		if s.v != nil {
			if u, ok := r.X.(*ir.Use); !ok || u.Var != s.v {
				last = append(last, s.v.Assign(g.Let("t", r.X)))
			}
			continue
		}
		p := r.Arr
		if s.none {
			dropped(g, p)
			continue
		}
		for a, v := range s.vars {
			last = append(last, v.Assign(g.Let("d", p.Dims[a])))
		}
		owned, here := false, false
		if p.Buf != nil {
			owned, here = g.Owns(p.Buf)
		}
		switch {
		case p.Buf == s.buf, moved[i]:
		case owned && here && p.Buf.Stack == 0 && p.Buf.Elem == s.buf.Elem && !usedTwice(next, p.Buf):
			last = append(last, &ir.Swap{A: s.buf, B: p.Buf})
			if s.vars == nil {
				g.Fixed[s.buf], g.Fixed[p.Buf] = true, true
			}
		case s.vars != nil:
			fresh := g.Heap("s", s.buf.Elem, p.Dims)
			g.FillBuf(p, fresh)
			last = append(last, &ir.Swap{A: s.buf, B: fresh})
		default:
			if s.spare == nil {
				s.spare = &ir.Buf{Name: s.buf.Name, Elem: s.buf.Elem}
				if r, ok := g.Bufs[s.buf]; ok {
					g.Bufs[s.spare] = r
				}
				g.Fixed[s.buf], g.Fixed[s.spare] = true, true
			}
			g.StoreIn(p, s.spare)
			last = append(last, &ir.Swap{A: s.buf, B: s.spare})
		}
		g.Settle(p)
	}
	g.Emit(last...)
}

// usedTwice reports whether two leaves are the same array.
func usedTwice(vs []*build.Value, buf *ir.Buf) bool {
	n := 0
	for _, v := range vs {
		if v.Arr != nil && v.Arr.Buf == buf {
			n++
		}
	}
	return n > 1
}
