package build

import (
	"cmp"
	"slices"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// StoreKind is the kind that p is stored in: narrower than its elements' kind
// when their range allows.
func (g *Builder) StoreKind(p *Pull) ir.Kind {
	if p.Elem == ir.C32 && g.On("bytes") && p.Rng.Within(0, 255) {
		return ir.C8
	}
	if p.Elem != ir.I64 || !g.On("narrow") {
		return p.Elem
	}
	return facts.Narrowest(p.Rng)
}

// Materialise makes p a stored array, owned by the current block.
func (g *Builder) Materialise(p *Pull) *Pull {
	if p.Buf != nil {
		return p
	}
	if p.Elem == ir.I64 && p.Rng == facts.AnyInt && p.Cost > 40 {
		of := p
		for of.At == nil && of.Flat == nil && of.Of != nil { // the same elements in another shape
			of = of.Of
		}
		if of.At != nil || of.Flat != nil {
			p.Rng, _ = g.sampledAlways(of)
		}
	}
	return g.store(p, g.StoreKind(p))
}

// Canonical makes p a stored array whose kind is its elements' kind, as calls
// and the run-time need it.
func (g *Builder) Canonical(p *Pull) *Pull {
	if p.Buf != nil && p.Buf.Elem == p.Elem {
		return p
	}
	if p.Buf != nil {
		return g.Copied(p)
	}
	return g.store(p, p.Elem)
}

// Gatherable makes p a stored array whose elements take 32 bits at least: vector code
// of CPUs reads such ones at computed places. A narrower array in storage is copied.
func (g *Builder) Gatherable(p *Pull) *Pull {
	k := g.StoreKind(p)
	if p.Buf != nil {
		k = p.Buf.Elem
	}
	if ir.Width(k) >= 4 || p.Elem == ir.U8 || !g.CPU() {
		return g.Materialise(p)
	}
	if p.Buf != nil {
		from := p
		p = View(p, p.Dims, func(ix []ir.Expr) ir.Expr { return g.Index(from, ix) })
	}
	if p.Elem == ir.C32 {
		return g.store(p, ir.C32)
	}
	return g.store(p, ir.I32)
}

// store fills a new buffer of kind k with p and makes p that array.
func (g *Builder) store(p *Pull, k ir.Kind) *Pull {
	if !g.Src.Valid() { // p was delayed
		g.Src = p.Src
		defer func() { g.Src = diag.Span{} }()
	}
	if k == ir.NoKind {
		panic("internal error: array without a kind")
	}
	g.apart(p)
	buf := g.Alloc("a", k, p.Dims)
	decl := g.Blk.Stmts[len(g.Blk.Stmts)-1].(*ir.DeclBuf)
	g.bounds(buf, p)
	g.split = false
	pending := g.Pending
	g.Pending = g.before(p)
	g.FillBuf(p, buf)
	g.Pending = pending
	decl.Zero = buf.Stack > 0 && g.split // C compilers cannot see that the pieces cover it
	g.Settle(p)
	g.Blk.undo = append(g.Blk.undo, undo{p, *p})
	elems := p.Elems
	g.become(p, p.Elem, buf, p.Dims)
	p.Elems = elems
	return p
}

// bounds notes that the elements of buf are those of p.
func (g *Builder) bounds(buf *ir.Buf, p *Pull) {
	if r := p.Rng; buf.Elem.Exact() && (p.Elem == ir.I64 || r != facts.Interval{}) {
		g.Bufs[buf] = r
	}
	if p.Span != nil {
		g.BufSpans[buf] = *p.Span
	}
}

// before returns the arrays whose faults come before those of p: what p's
// elements are made by must not wait for p itself.
func (g *Builder) before(p *Pull) []*Pull {
	for i, q := range g.Pending {
		if q == p {
			return g.Pending[:i:i]
		}
	}
	return g.Pending
}

// Settle takes p from the arrays whose faults are pending.
func (g *Builder) Settle(p *Pull) {
	for i, q := range g.Pending {
		if q == p {
			g.Pending = append(append([]*Pull{}, g.Pending[:i]...), g.Pending[i+1:]...)
			return
		}
	}
}

// Copied returns a new stored array with p's elements in their own kind.
func (g *Builder) Copied(p *Pull) *Pull { return g.copied(p, p.Elem) }

// copied is Copied in kind k.
func (g *Builder) copied(p *Pull, k ir.Kind) *Pull {
	q := &Pull{Elem: p.Elem, Dims: p.Dims, At: p.At, Flat: p.Flat, Fill: p.Fill, Rng: p.Rng, Span: p.Span,
		Elems: p.Elems, Drive: p.Drive, Backward: p.Backward, Faults: p.Faults, Cost: p.Cost, Srcs: []*Pull{p}}
	return g.store(q, k)
}

// Alloc declares a buffer for an array, owned by the current block.
func (g *Builder) Alloc(name string, k ir.Kind, dims []ir.Expr) *ir.Buf {
	b := &ir.Buf{Name: name, Elem: k}
	n := g.Elements(dims)
	if most := g.RangeOf(n).Hi; most <= ir.StackLimit {
		b.Stack = max(most, 1)
		n = ir.Integer(b.Stack)
	}
	g.Emit(&ir.DeclBuf{Buf: b, Count: n, Shape: dims, At: g.Src})
	g.Own(b)
	return b
}

// Heap declares a buffer that can be moved and swapped.
func (g *Builder) Heap(name string, k ir.Kind, dims []ir.Expr) *ir.Buf {
	b := &ir.Buf{Name: name, Elem: k}
	g.Emit(&ir.DeclBuf{Buf: b, Count: g.Elements(dims), Shape: dims, At: g.Src})
	g.Own(b)
	return b
}

// apart stores the parts of a vector before room for it is made: passes know how an array
// grows by copies of them, and may leave these out.
func (g *Builder) apart(p *Pull) {
	if p.joined != nil {
		g.Pullable(p)
	}
}

// FillBuf writes all elements of p, in row-major order, to dst.
func (g *Builder) FillBuf(p *Pull, dst *ir.Buf) {
	g.apart(p)
	switch {
	case p.Buf != nil && p.Buf.Elem == dst.Elem:
		g.Emit(&ir.Copy{Dst: dst, DstIndex: ir.Integer(0), Src: p.Buf, SrcIndex: ir.Integer(0), Count: g.Count(p)})
	case p.Fill != nil:
		p.Fill(dst)
	case g.filters(p):
		g.filtered(p.Filter, dst, ir.Integer(0), p.Dims[0])
	case p.Drive != nil:
		g.driven(p, dst, ir.Integer(0))
	default:
		g.WriteAll(p, dst, ir.Integer(0))
	}
}

// StoreIn stores the elements of p in dst. Uses of p that are to come load them, where it
// would be computed again for these.
func (g *Builder) StoreIn(p *Pull, dst *ir.Buf) {
	g.FillBuf(p, dst)
	if p.Buf != nil || !p.Shared || p.Cost <= 1 {
		return
	}
	g.Blk.undo = append(g.Blk.undo, undo{p, *p})
	g.become(p, p.Elem, dst, p.Dims)
}

// driven stores the elements of a push array as they come, from position base on.
func (g *Builder) driven(p *Pull, dst *ir.Buf, base ir.Expr) {
	if p.Steps != nil {
		p.Steps(func(i, x ir.Expr) { g.Emit(dst.Store(ir.Add(base, i), ir.ConvertTo(dst.Elem, x))) })
		return
	}
	if p.Backward {
		n := g.Mutable("n", ir.I64, ir.Add(base, g.Count(p)))
		p.Drive(func(x ir.Expr) {
			g.Emit(n.Assign(ir.Sub(n.Use(), ir.Integer(1))), dst.Store(n.Use(), ir.ConvertTo(dst.Elem, x)))
		})
		return
	}
	n := g.Mutable("n", ir.I64, base)
	p.Drive(func(x ir.Expr) {
		g.Emit(dst.Store(n.Use(), ir.ConvertTo(dst.Elem, x)), n.Assign(ir.Add(n.Use(), ir.Integer(1))))
	})
}

// WriteAll stores the elements of p from position base of dst on. Where p is more vectors
// after each other than a loop is split into, they are stored one by one.
func (g *Builder) WriteAll(p *Pull, dst *ir.Buf, base ir.Expr) {
	if p.Buf == nil && p.Pair != nil && p.Pieces > maxSplits {
		x, y := p.Pair[0], p.Pair[1]
		base = g.Atom("base", base)
		g.FillAt(x, dst, base)
		g.FillAt(y, dst, ir.Add(base, x.Dims[0]))
		return
	}
	g.Pullable(p)
	if p.Flat != nil {
		n := g.Count(p)
		g.Segmap([]ir.Expr{n}, func(ix []ir.Expr) {
			x := g.IndexFlat(p, ix[0])
			g.Emit(dst.Store(ir.Add(base, ix[0]), ir.ConvertTo(dst.Elem, x)))
		})
		return
	}
	g.Segmap(p.Dims, func(ix []ir.Expr) {
		x := g.Index(p, ix)
		g.Emit(dst.Store(ir.Add(base, g.RavelIndex(p.Dims, ix)), ir.ConvertTo(dst.Elem, x)))
	})
}

// NestState collects the flags of the parallel nest that is being filled.
type NestState struct {
	Flags  []*Flag
	Find   *Flag // the failure that is being looked for, or nil
	Inside bool  // in the body of a nest: what follows are sequential loops
	now    bool  // a failure ends the program at once
	rank   int   // of the array whose elements are computed, or 0
}

// Flag is a variable that a nest ORs a failure into.
type Flag struct {
	V     *ir.Var
	fault tail.Fault
	at    Site
	args  bool // the message needs the failing element
	rank  int  // flags are tested in this order; unranked ones, with 0, after the others
}

// compareRanks orders flags.
func compareRanks(a, b *Flag) int {
	if a.rank == 0 || b.rank == 0 {
		return cmp.Compare(b.rank, a.rank)
	}
	return cmp.Compare(a.rank, b.rank)
}

// flag returns the flag of a failure at a place of the source.
func (st *NestState) flag(g *Builder, f tail.Fault, at Site, args bool) *ir.Var {
	for _, known := range st.Flags {
		if known.fault == f && known.at == at {
			if compareRanks(&Flag{rank: st.rank}, known) < 0 {
				known.rank = st.rank
			}
			return known.V
		}
	}
	v := g.NewVar("bad", ir.U8)
	st.Flags = append(st.Flags, &Flag{v, f, at, args, st.rank})
	return v
}

// Guarded runs gen, which fills one or more nests; the flags that it asks for
// are declared before and tested after. Where a message needs the element, the
// nests are repeated, sequentially, on the failing path only. gen must give
// the same code every time.
func (g *Builder) Guarded(gen func()) {
	if g.Nest != nil {
		gen()
		return
	}
	st := &NestState{}
	g.Nest = st
	body := g.Plain(gen)
	g.Nest = nil
	slices.SortStableFunc(st.Flags, compareRanks)
	for _, f := range st.Flags {
		g.Emit(f.V.Decl(ir.Boolean(false)))
	}
	g.Emit(body...)
	for _, f := range st.Flags {
		then := g.Block(func() {
			g.probeAll()
			g.Emit(&ir.Fail{Fault: f.fault, At: f.at.at, Blame: f.at.blame})
		})
		if f.args {
			then = g.Block(func() {
				g.probeAll()
				g.Nest = &NestState{Find: f}
				gen()
				g.Nest = nil
			})
		}
		g.Emit(&ir.If{Cond: f.V.Use(), Then: then})
	}
}

// Stepwise runs gen, which fills nests whose elements have effects: they are
// sequential loops, and a failure is seen before the effects of what follows.
func (g *Builder) Stepwise(gen func()) {
	outer := g.Nest
	g.Nest = &NestState{Inside: true, now: true}
	gen()
	g.Nest = outer
}

// Plain collects the statements of body without making a scope: what body
// allocates belongs to the current block.
func (g *Builder) Plain(body func()) []ir.Stmt {
	outer := g.Blk.Stmts
	g.Blk.Stmts = nil
	body()
	inner := g.Blk.Stmts
	g.Blk.Stmts = outer
	return inner
}

// fails makes sure that the program stops when cond holds, in a nest after
// all elements, elsewhere at once. args, which may be nil, gives the operands.
func (g *Builder) fails(cond ir.Expr, f tail.Fault, at Site, args func() []ir.FailArg) {
	if ir.IsInt(cond, 0) {
		return
	}
	if g.Nest == nil {
		g.FailIf(cond, f, at, args)
		return
	}
	if find := g.Nest.Find; find != nil {
		if find.fault == f && find.at == at {
			g.FailNow(cond, f, at, args)
		}
		return
	}
	if g.Nest.now {
		g.FailNow(cond, f, at, args)
		return
	}
	v := g.Nest.flag(g, f, at, args != nil)
	g.Emit(v.Assign(ir.OpOr.Of(v.Use(), cond)))
}

// FailIf stops at once when cond holds. Arrays whose faults come first are
// computed on the failing path.
func (g *Builder) FailIf(cond ir.Expr, f tail.Fault, at Site, args func() []ir.FailArg) {
	if ir.IsInt(cond, 0) {
		return
	}
	g.FailNow(cond, f, at, args)
}

// Site is where a fault is reported, and what the message mentions besides.
type Site struct {
	at    diag.Span
	blame tail.Blame
}

// SiteOf is where faults of e are reported.
func SiteOf(e *tail.Apply) Site { return Site{e.Where, e.Blame} }

// FailNow ends the program with a fault where cond holds; arrays whose faults come
// first are looked at before.
func (g *Builder) FailNow(cond ir.Expr, f tail.Fault, at Site, args func() []ir.FailArg) {
	if ir.IsInt(cond, 0) {
		return
	}
	then := g.Block(func() {
		if g.Nest == nil {
			g.probeAll()
		}
		fail := &ir.Fail{Fault: f, At: at.at, Blame: at.blame}
		if args != nil {
			fail.Args = args()
		}
		g.Emit(fail)
	})
	g.Emit(&ir.If{Cond: cond, Then: then})
	if g.Nest == nil {
		g.Suppose(cond, false)
	}
}

// probeAll computes the arrays whose faults come first.
func (g *Builder) probeAll() {
	for _, p := range append([]*Pull{}, g.Pending...) {
		g.probe(p)
	}
}

// probe computes all elements of p for their faults only. It may lower the
// body of the function around it once more, whose variables then mean again
// what they meant before.
func (g *Builder) probe(p *Pull) {
	q := *p
	q.Shared = false
	saved := g.Pending
	g.Pending = nil
	buf := &ir.Buf{Name: "probe", Elem: p.Elem}
	g.Emit(&ir.DeclBuf{Buf: buf, Count: g.Elements(p.Dims), Shape: p.Dims, At: g.Src})
	g.Own(buf)
	restore := g.Env.Save()
	g.FillBuf(&q, buf)
	restore()
	g.Pending = saved
}

// Force computes the arrays whose faults are pending, before something with
// an effect. A nest has none but its own faults, which probeAll orders; the
// array that it fills may be pending itself.
func (g *Builder) Force() {
	if g.Nest != nil {
		return
	}
	for len(g.Pending) > 0 {
		p := g.Pending[0]
		g.Materialise(p)
		g.Settle(p)
	}
}
