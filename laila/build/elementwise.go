package build

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Iota is 1 2 … n.
func (g *Builder) Iota(e *tail.Apply, args []*Value) *Value {
	n := g.Atom("n", args[0].X)
	g.FailIf(g.Compare(ir.OpLt, n, ir.Integer(0)), tail.FaultNegative, SiteOf(e), func() []ir.FailArg { return []ir.FailArg{{X: n}} })
	g.FailIf(g.Compare(ir.OpGt, n, ir.Integer(facts.MaxExtent)), tail.FaultMemory, SiteOf(e), func() []ir.FailArg {
		return []ir.FailArg{ShapeArg([]ir.Expr{n})}
	})
	n = g.Extent(n)
	hi := g.RangeOf(n).Hi
	at := func(i ir.Expr) ir.Expr { return ir.Add(i, ir.Integer(1)) }
	return Array1(&Pull{Elem: ir.I64, Dims: []ir.Expr{n}, Rng: facts.Between(1, max(hi, 1)), iota: true, Flat: at,
		At: func(ix []ir.Expr) ir.Expr { return at(ix[0]) }})
}

// Extent notes that x, an atom, is an extent: between 0 and maxExtent.
func (g *Builder) Extent(x ir.Expr) ir.Expr {
	u, ok := x.(*ir.Use)
	if !ok {
		return x
	}
	r := g.RangeOf(x)
	if r.Within(0, facts.MaxExtent) {
		return x
	}
	return g.Size(x, "extent", func() ir.Expr {
		v := g.Let("n", x).(*ir.Use)
		if limit, ok := g.Limits[u.Var]; ok {
			g.Limits[v.Var] = limit
		}
		g.Ranges[v.Var] = facts.Between(max(r.Lo, 0), min(r.Hi, facts.MaxExtent))
		return v
	})
}

// body estimates what applying f costs.
func (g *Builder) LamCost(f *tail.Lam) int {
	n, loops := 0, false
	var walk func(e tail.Expr)
	walk = func(e tail.Expr) {
		switch e := e.(type) {
		case *tail.Apply:
			n++
			if !e.Op.Row().Scalar {
				loops = true
			}
			for _, a := range e.Args {
				walk(a)
			}
			if _, ok := MathOps[e.Op]; ok || ComplexOps[e.Op].tests != nil {
				n += 5
			}
		case *tail.Let:
			walk(e.Bind)
			walk(e.Body)
		case *tail.If:
			n++
			walk(e.Cond)
			walk(e.Then)
			walk(e.Else)
		case *tail.Call:
			loops = true
		case *tail.Lam:
			walk(e.Body)
		case *tail.Vec:
			loops = true
		}
	}
	walk(f.Body)
	if loops {
		n += 100
	}
	return n
}

// Each applies a function to every element.
func (g *Builder) Each(e *tail.Apply, args []*Value) *Value {
	f := tail.LamOf(e.Args[0])
	if args[1].X != nil {
		return Scalar1(g.Lam(f, args[1].X))
	}
	p := args[1].Arr
	if v := g.unrolled(e, f, p); v != nil {
		return v
	}
	if v := g.drawn(e, f, p); v != nil {
		return v
	}
	if g.Impure(f) {
		g.Pullable(p) // elements are read in order, each once
	}
	g.Readable(p)
	r := g.Mapped(p.Dims, KindOf(tail.TypeOf(e).Elem), f, p)
	if b, ok := f.Body.(*tail.Apply); ok && b.Op == tail.OpB2I {
		if x, ok := b.Args[0].(*tail.Ref); ok && x.Var == f.Params[0] {
			r.Onehot, r.Pairs = p.Onehot, p.Pairs
		}
	}
	return g.finish(f, r)
}

// UnrollElems is the longest vector of known elements whose functions are
// computed an element at a time, in variables.
const UnrollElems = 8

// unrolled applies a function to short vectors of known elements.
func (g *Builder) unrolled(e *tail.Apply, f *tail.Lam, ps ...*Pull) *Value {
	cost := g.LamCost(f)
	for _, p := range ps {
		if n := len(p.Elems); p.Elems == nil || n > UnrollElems || n != len(ps[0].Elems) || n*cost > 64 {
			return nil
		}
	}
	if g.Impure(f) {
		return nil
	}
	xs := make([]ir.Expr, len(ps[0].Elems))
	for i := range xs {
		args := make([]ir.Expr, len(ps))
		for j, p := range ps {
			args[j] = p.Elems[i]
		}
		xs[i] = g.Atom("e", g.Lam(f, args...))
	}
	return Array1(g.ElemsPull(KindOf(tail.TypeOf(e).Elem), xs))
}

// Readable makes sure that elements can be had one at a time, in order or at
// any index.
func (g *Builder) Readable(p *Pull) {
	if p.Drive == nil {
		g.Pullable(p)
	}
}

// Mapped returns the array of f applied to elements of the arrays ps.
func (g *Builder) Mapped(dims []ir.Expr, k ir.Kind, f *tail.Lam, ps ...*Pull) *Pull {
	r := &Pull{Elem: k, Dims: dims, Srcs: ps, Cost: g.LamCost(f), Faults: g.CanFault(f), Pointwise: true}
	flat, at := true, true
	for _, p := range ps {
		r.Cost += p.Cost
		r.Pieces = max(r.Pieces, p.Pieces)
		r.Faults = r.Faults || p.Faults
		flat = flat && p.Flat != nil
		at = at && (p.At != nil || p.Flat != nil)
	}
	apply := func(read func(p *Pull) ir.Expr) ir.Expr {
		xs := make([]ir.Expr, len(ps))
		for i := len(ps) - 1; i >= 0; i-- {
			xs[i] = read(ps[i])
		}
		return g.Lam(f, xs...)
	}
	if len(ps) == 2 {
		r.Zip = f
	}
	if at {
		r.At = func(ix []ir.Expr) ir.Expr { return apply(func(p *Pull) ir.Expr { return g.Index(p, ix) }) }
	}
	if flat {
		r.Flat = func(i ir.Expr) ir.Expr { return apply(func(p *Pull) ir.Expr { return g.IndexFlat(p, i) }) }
	}
	push := -1 // the argument that passes elements on
	for i, p := range ps {
		if p.pushes() || len(ps) == 1 && p.Drive != nil {
			push = i
		}
	}
	if push >= 0 {
		g.mapPushed(r, f, ps, push)
	}
	clean := false
	if push >= 0 && r.At == nil && r.Flat == nil {
		r.Rng, clean = g.sampledPush(r, f, ps, push)
	} else {
		r.Rng, clean = g.Sampled(r)
	}
	r.Faults = r.Faults && !clean
	if known, ok := rootRange(f); ok && k == ir.I64 {
		r.Rng = known
	}
	return r
}

// mapPushed makes r, which is f of the elements of ps, pass its elements on as argument
// push does. The others are read at their places.
func (g *Builder) mapPushed(r *Pull, f *tail.Lam, ps []*Pull, push int) {
	p := ps[push]
	if p.Steps == nil {
		r.Backward = p.Backward
		r.Drive = func(body func(x ir.Expr)) {
			g.pushed(p, r.Backward, func(x ir.Expr) { body(g.Lam(f, x)) })
		}
		return
	}
	r.Push(func(body func(i, x ir.Expr)) {
		step := func(i, x ir.Expr) {
			xs := make([]ir.Expr, len(ps))
			for k := len(ps) - 1; k >= 0; k-- {
				if xs[k] = x; k != push {
					xs[k] = g.IndexFlat(ps[k], i)
				}
			}
			body(i, g.Lam(f, xs...))
		}
		if p.Steps != nil {
			p.Steps(step)
			return
		}
		g.Sequence(g.Count(p), func(i ir.Expr) { step(i, g.IndexFlat(p, i)) }) // stored since
	})
}

// sampledPush is Sampled of r, which is f of the elements of ps, of which argument push
// passes its elements on. Where that keeps elements by a mask and f cannot fault, r does,
// too.
func (g *Builder) sampledPush(r *Pull, f *tail.Lam, ps []*Pull, push int) (facts.Interval, bool) {
	p := ps[push]
	v := g.NewVar("x", p.Elem)
	g.Ranges[v] = p.Rng
	if p.Span != nil {
		g.Spans[v] = *p.Span
	}
	sample := &Pull{Elem: r.Elem, Dims: r.Dims, Cost: g.LamCost(f), At: func(ix []ir.Expr) ir.Expr {
		xs := make([]ir.Expr, len(ps))
		for k := range xs {
			if xs[k] = v.Use(); k != push {
				xs[k] = g.Index(ps[k], ix)
			}
		}
		return g.Lam(f, xs...)
	}}
	rng, clean := g.Sampled(sample)
	r.Span = sample.Span
	if keep := p.Filter; keep != nil && clean && len(ps) == 1 && g.LamCost(f) <= 4 {
		r.Filter = &Filter{Mask: keep.Mask, N: keep.N, Value: func(i ir.Expr) ir.Expr { return g.Lam(f, keep.Value(i)) }}
	}
	return rng, clean
}

// pushed runs body with the elements of an array that was a push array, and
// may have been stored since.
func (g *Builder) pushed(p *Pull, backward bool, body func(x ir.Expr)) {
	if p.Drive != nil {
		p.Drive(body)
		return
	}
	n := g.Count(p)
	g.Sequence(n, func(i ir.Expr) {
		if backward {
			i = ir.Sub(ir.Sub(n, ir.Integer(1)), i)
		}
		body(g.IndexFlat(p, i))
	})
}

// Sampled bounds the elements of an array by looking at the expression of one
// of them; the bounds of doubles are noted in p. It is clean where computing an
// element is known not to fault.
func (g *Builder) Sampled(p *Pull) (r facts.Interval, clean bool) {
	if p.Elem != ir.I64 && p.Elem != ir.F64 && p.Elem != ir.C32 || p.At == nil && p.Flat == nil || p.Cost > 40 {
		return facts.RangeOfKind(p.Elem), false
	}
	return g.sampledAlways(p)
}

// sampledAlways is sampled whatever an element costs.
func (g *Builder) sampledAlways(p *Pull) (r facts.Interval, clean bool) {
	r = facts.RangeOfKind(p.Elem)
	st := g.Nest
	g.Nest = &NestState{Inside: true}
	stmts := g.Block(func() {
		ix := make([]ir.Expr, p.Rank())
		for a := range ix {
			ix[a] = g.LoopVar(ir.Integer(0), p.Dims[a], nil).Use()
		}
		x := g.Index(p, ix)
		if p.Elem == ir.F64 {
			p.Span = g.SpanPointer(x)
			return
		}
		r = g.RangeOf(x)
	})
	clean = len(g.Nest.Flags) == 0 && plain(stmts)
	g.Nest = st
	return r, clean
}

// plain reports whether statements only declare variables, which cannot fault.
func plain(stmts []ir.Stmt) bool {
	for _, s := range stmts {
		switch s := s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Comment:
		case *ir.If:
			if !plain(s.Then) || !plain(s.Else) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// finish evaluates at once what has effects.
func (g *Builder) finish(f *tail.Lam, p *Pull) *Value {
	if g.Impure(f) {
		g.Force()
		g.ordered(p)
	}
	return Array1(p)
}

// ordered makes p a stored array, its elements computed one after the other.
func (g *Builder) ordered(p *Pull) {
	buf := g.Alloc("a", g.StoreKind(p), p.Dims)
	g.bounds(buf, p)
	read := p
	n := g.Count(p)
	g.Stepwise(func() {
		g.Sequence(n, func(i ir.Expr) { g.Emit(buf.Store(i, ir.ConvertTo(buf.Elem, g.IndexFlat(read, i)))) })
	})
	g.Blk.undo = append(g.Blk.undo, undo{p, *p})
	g.become(p, p.Elem, buf, p.Dims)
}

// ZipWith applies a function to corresponding elements.
func (g *Builder) ZipWith(e *tail.Apply, args []*Value) *Value {
	f := tail.LamOf(e.Args[0])
	if args[1].X != nil {
		return Scalar1(g.Lam(f, args[1].X, args[2].X))
	}
	a, b := g.extended(args[1].Arr, args[2].Arr, e)
	if v := g.unrolled(e, f, a, b); v != nil {
		return v
	}
	if !a.pushes() || b.pushes() || g.Impure(f) {
		g.Pullable(a)
	}
	if !b.pushes() || a.pushes() || g.Impure(f) {
		g.Pullable(b)
	}
	dims := make([]ir.Expr, len(a.Dims))
	for i := range dims { // prefer constants, and else what is known to be less
		dims[i] = a.Dims[i]
		if _, ok := ir.IntOf(b.Dims[i]); ok || g.RangeOf(b.Dims[i]).Hi < g.RangeOf(a.Dims[i]).Hi {
			dims[i] = b.Dims[i]
		}
	}
	return g.finish(f, g.Mapped(dims, KindOf(tail.TypeOf(e).Elem), f, a, b))
}

// ShapeArg is a shape as part of a message.
func ShapeArg(dims []ir.Expr) ir.FailArg {
	return ir.FailArg{IsShape: true, Shape: append([]ir.Expr{}, dims...)}
}

// provedEqual reports whether the types of the last two arguments of e have
// the same extent on an axis.
func provedEqual(e *tail.Apply, axis int) bool {
	n := len(e.Args)
	x, y := tail.TypeOf(e.Args[n-2]), tail.TypeOf(e.Args[n-1])
	return x.Extent(axis).Equal(y.Extent(axis))
}

// Outer applies a function to all pairs.
func (g *Builder) Outer(e *tail.Apply, args []*Value) *Value {
	f := tail.LamOf(e.Args[0])
	a, b := args[1], args[2]
	if a.X != nil && b.X != nil {
		return Scalar1(g.Lam(f, a.X, b.X))
	}
	hot := oneHotOf(f, a, b)
	read := func(v *Value) (dims []ir.Expr, cost int, srcs []*Pull, get func(ix []ir.Expr) ir.Expr) {
		if v.X != nil {
			x := g.Atom("x", v.X)
			return nil, 0, nil, func([]ir.Expr) ir.Expr { return x }
		}
		p := g.Reread(v.Arr)
		return p.Dims, p.Cost, []*Pull{p}, func(ix []ir.Expr) ir.Expr { return g.Index(p, ix) }
	}
	db, cb, sb, getB := read(b)
	da, ca, sa, getA := read(a)
	p := &Pull{Elem: KindOf(tail.TypeOf(e).Elem), Dims: append(append([]ir.Expr{}, da...), db...),
		Cost: ca + cb + g.LamCost(f), Faults: g.CanFault(f), Srcs: append(sa, sb...)}
	p.Onehot = hot
	if op := tail.OpOf(f); (op == tail.OpEqI || op == tail.OpEqC) && len(da) == 1 && len(db) == 1 {
		p.Pairs = []*Pull{a.Arr, b.Arr}
	}
	p.At = func(ix []ir.Expr) ir.Expr {
		y := getB(ix[len(da):])
		return g.Lam(f, getA(ix[:len(da)]), y)
	}
	clean := false
	p.Rng, clean = g.Sampled(p)
	p.Faults = p.Faults && !clean
	return g.finish(f, p)
}
