package laila

import (
	"cmp"
	"slices"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// storeKind is the kind that p is stored in: narrower than its elements' kind
// when their range allows.
func (g *gen) storeKind(p *pull) ir.Kind {
	if p.elem == ir.C32 && g.On("bytes") && p.rng.Within(0, 255) {
		return ir.C8
	}
	if p.elem != ir.I64 || !g.On("narrow") {
		return p.elem
	}
	return facts.Narrowest(p.rng)
}

// materialise makes p a stored array, owned by the current block.
func (g *gen) materialise(p *pull) *pull {
	if p.buf != nil {
		return p
	}
	if p.elem == ir.I64 && p.rng == facts.AnyInt && p.cost > 40 && p.pointwise && (p.at != nil || p.flat != nil) {
		p.rng, _ = g.sampledAlways(p)
	}
	return g.store(p, g.storeKind(p))
}

// canonical makes p a stored array whose kind is its elements' kind, as calls
// and the run-time need it.
func (g *gen) canonical(p *pull) *pull {
	if p.buf != nil && p.buf.Elem == p.elem {
		return p
	}
	if p.buf != nil {
		return g.copied(p)
	}
	return g.store(p, p.elem)
}

// store fills a new buffer of kind k with p and makes p that array.
func (g *gen) store(p *pull, k ir.Kind) *pull {
	if !g.src.Valid() { // p was delayed
		g.src = p.src
		defer func() { g.src = diag.Span{} }()
	}
	if k == ir.NoKind {
		panic("internal error: array without a kind")
	}
	buf := g.alloc("a", k, p.dims)
	decl := g.blk.stmts[len(g.blk.stmts)-1].(*ir.DeclBuf)
	g.bounds(buf, p)
	g.split = false
	pending := g.pending
	g.pending = g.before(p)
	g.fillBuf(p, buf)
	g.pending = pending
	decl.Zero = buf.Stack > 0 && g.split // C compilers cannot see that the pieces cover it
	g.settle(p)
	g.blk.undo = append(g.blk.undo, undo{p, *p})
	elems := p.elems
	g.become(p, p.elem, buf, p.dims)
	p.elems = elems
	return p
}

// bounds notes that the elements of buf are those of p.
func (g *gen) bounds(buf *ir.Buf, p *pull) {
	if r := p.rng; buf.Elem.Exact() && (p.elem == ir.I64 || r != facts.Interval{}) {
		g.Bufs[buf] = r
	}
	if p.span != nil {
		g.BufSpans[buf] = *p.span
	}
}

// before returns the arrays whose faults come before those of p: what p's
// elements are made by must not wait for p itself.
func (g *gen) before(p *pull) []*pull {
	for i, q := range g.pending {
		if q == p {
			return g.pending[:i:i]
		}
	}
	return g.pending
}

// settle takes p from the arrays whose faults are pending.
func (g *gen) settle(p *pull) {
	for i, q := range g.pending {
		if q == p {
			g.pending = append(append([]*pull{}, g.pending[:i]...), g.pending[i+1:]...)
			return
		}
	}
}

// copied returns a new stored array with p's elements in their own kind.
func (g *gen) copied(p *pull) *pull {
	q := &pull{elem: p.elem, dims: p.dims, at: p.at, flat: p.flat, fill: p.fill, rng: p.rng, span: p.span,
		elems: p.elems, drive: p.drive, faults: p.faults, cost: p.cost, srcs: []*pull{p}}
	return g.store(q, p.elem)
}

// alloc declares a buffer for an array, owned by the current block.
func (g *gen) alloc(name string, k ir.Kind, dims []ir.Expr) *ir.Buf {
	b := &ir.Buf{Name: name, Elem: k}
	n := g.atom("n", ir.Product(dims))
	if c, ok := ir.IntOf(n); ok && c <= ir.StackLimit {
		b.Stack = max(c, 1)
		n = ir.Integer(b.Stack)
	}
	g.emit(&ir.DeclBuf{Buf: b, Count: n, Shape: dims, At: g.src})
	g.own(b)
	return b
}

// heap declares a buffer that can be moved and swapped.
func (g *gen) heap(name string, k ir.Kind, dims []ir.Expr) *ir.Buf {
	b := &ir.Buf{Name: name, Elem: k}
	g.emit(&ir.DeclBuf{Buf: b, Count: g.atom("n", ir.Product(dims)), Shape: dims, At: g.src})
	g.own(b)
	return b
}

// fillBuf writes all elements of p, in row-major order, to dst.
func (g *gen) fillBuf(p *pull, dst *ir.Buf) {
	switch {
	case p.buf != nil && p.buf.Elem == dst.Elem:
		g.emit(&ir.Copy{Dst: dst, DstIndex: ir.Integer(0), Src: p.buf, SrcIndex: ir.Integer(0), Count: g.count(p)})
	case p.fill != nil:
		p.fill(dst)
	case p.filter != nil && g.nest == nil && g.On("filter"):
		g.filtered(p.filter, dst)
	case p.drive != nil:
		n := g.mutable("n", ir.I64, ir.Integer(0))
		p.drive(func(x ir.Expr) {
			g.emit(dst.Store(n.Use(), ir.ConvertTo(dst.Elem, x)), n.Assign(ir.Add(n.Use(), ir.Integer(1))))
		})
	default:
		g.writeAll(p, dst, ir.Integer(0))
	}
}

// writeAll stores the elements of p from position base of dst on.
func (g *gen) writeAll(p *pull, dst *ir.Buf, base ir.Expr) {
	g.pullable(p)
	if p.flat != nil {
		n := g.count(p)
		g.segmap([]ir.Expr{n}, func(ix []ir.Expr) {
			x := g.indexFlat(p, ix[0])
			g.emit(dst.Store(ir.Add(base, ix[0]), ir.ConvertTo(dst.Elem, x)))
		})
		return
	}
	g.segmap(p.dims, func(ix []ir.Expr) {
		x := g.index(p, ix)
		g.emit(dst.Store(ir.Add(base, g.ravelIndex(p.dims, ix)), ir.ConvertTo(dst.Elem, x)))
	})
}

// nestState collects the flags of the parallel nest that is being filled.
type nestState struct {
	flags  []*flag
	find   *flag // the failure that is being looked for, or nil
	inside bool  // in the body of a nest: what follows are sequential loops
	now    bool  // a failure ends the program at once
	rank   int   // of the array whose elements are computed, or 0
}

// flag is a variable that a nest ORs a failure into.
type flag struct {
	v     *ir.Var
	fault tail.Fault
	at    site
	args  bool // the message needs the failing element
	rank  int  // flags are tested in this order; unranked ones, with 0, after the others
}

// compareRanks orders flags.
func compareRanks(a, b *flag) int {
	if a.rank == 0 || b.rank == 0 {
		return cmp.Compare(b.rank, a.rank)
	}
	return cmp.Compare(a.rank, b.rank)
}

// flag returns the flag of a failure at a place of the source.
func (st *nestState) flag(g *gen, f tail.Fault, at site, args bool) *ir.Var {
	for _, known := range st.flags {
		if known.fault == f && known.at == at {
			if compareRanks(&flag{rank: st.rank}, known) < 0 {
				known.rank = st.rank
			}
			return known.v
		}
	}
	v := g.NewVar("bad", ir.U8)
	st.flags = append(st.flags, &flag{v, f, at, args, st.rank})
	return v
}

// guarded runs gen, which fills one or more nests; the flags that it asks for
// are declared before and tested after. Where a message needs the element, the
// nests are repeated, sequentially, on the failing path only. gen must give
// the same code every time.
func (g *gen) guarded(gen func()) {
	if g.nest != nil {
		gen()
		return
	}
	st := &nestState{}
	g.nest = st
	body := g.plain(gen)
	g.nest = nil
	slices.SortStableFunc(st.flags, compareRanks)
	for _, f := range st.flags {
		g.emit(f.v.Decl(ir.Boolean(false)))
	}
	g.emit(body...)
	for _, f := range st.flags {
		then := g.block(func() {
			g.probeAll()
			g.emit(&ir.Fail{Fault: f.fault, At: f.at.at, Blame: f.at.blame})
		})
		if f.args {
			then = g.block(func() {
				g.probeAll()
				g.nest = &nestState{find: f}
				gen()
				g.nest = nil
			})
		}
		g.emit(&ir.If{Cond: f.v.Use(), Then: then})
	}
}

// stepwise runs gen, which fills nests whose elements have effects: they are
// sequential loops, and a failure is seen before the effects of what follows.
func (g *gen) stepwise(gen func()) {
	outer := g.nest
	g.nest = &nestState{inside: true, now: true}
	gen()
	g.nest = outer
}

// plain collects the statements of body without making a scope: what body
// allocates belongs to the current block.
func (g *gen) plain(body func()) []ir.Stmt {
	outer := g.blk.stmts
	g.blk.stmts = nil
	body()
	inner := g.blk.stmts
	g.blk.stmts = outer
	return inner
}

// fails makes sure that the program stops when cond holds, in a nest after
// all elements, elsewhere at once. args, which may be nil, gives the operands.
func (g *gen) fails(cond ir.Expr, f tail.Fault, at site, args func() []ir.FailArg) {
	if ir.IsInt(cond, 0) {
		return
	}
	if g.nest == nil {
		g.failIf(cond, f, at, args)
		return
	}
	if find := g.nest.find; find != nil {
		if find.fault == f && find.at == at {
			g.failNow(cond, f, at, args)
		}
		return
	}
	if g.nest.now {
		g.failNow(cond, f, at, args)
		return
	}
	v := g.nest.flag(g, f, at, args != nil)
	g.emit(v.Assign(ir.OpOr.Of(v.Use(), cond)))
}

// failIf stops at once when cond holds. Arrays whose faults come first are
// computed on the failing path.
func (g *gen) failIf(cond ir.Expr, f tail.Fault, at site, args func() []ir.FailArg) {
	if ir.IsInt(cond, 0) {
		return
	}
	g.failNow(cond, f, at, args)
}

// site is where a fault is reported, and what the message mentions besides.
type site struct {
	at    diag.Span
	blame tail.Blame
}

func siteOf(e *tail.Apply) site { return site{e.Where, e.Blame} }

func (g *gen) failNow(cond ir.Expr, f tail.Fault, at site, args func() []ir.FailArg) {
	if ir.IsInt(cond, 0) {
		return
	}
	then := g.block(func() {
		if g.nest == nil {
			g.probeAll()
		}
		fail := &ir.Fail{Fault: f, At: at.at, Blame: at.blame}
		if args != nil {
			fail.Args = args()
		}
		g.emit(fail)
	})
	g.emit(&ir.If{Cond: cond, Then: then})
	if g.nest == nil {
		g.suppose(cond, false)
	}
}

// probeAll computes the arrays whose faults come first.
func (g *gen) probeAll() {
	for _, p := range append([]*pull{}, g.pending...) {
		g.probe(p)
	}
}

// probe computes all elements of p for their faults only. It may lower the
// body of the function around it once more, whose variables then mean again
// what they meant before.
func (g *gen) probe(p *pull) {
	q := *p
	q.shared = false
	saved := g.pending
	g.pending = nil
	buf := &ir.Buf{Name: "probe", Elem: p.elem}
	g.emit(&ir.DeclBuf{Buf: buf, Count: g.atom("n", ir.Product(p.dims)), Shape: p.dims, At: g.src})
	g.own(buf)
	restore := g.env.save()
	g.fillBuf(&q, buf)
	restore()
	g.pending = saved
}

// force computes the arrays whose faults are pending, before something with
// an effect. A nest has none but its own faults, which probeAll orders; the
// array that it fills may be pending itself.
func (g *gen) force() {
	if g.nest != nil {
		return
	}
	for len(g.pending) > 0 {
		p := g.pending[0]
		g.materialise(p)
		g.settle(p)
	}
}
