package laila

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// inner lowers inner products. Where the right argument has a last axis that
// is not reduced, rows of the result are accumulators (loops i, k, j), so that
// memory is read and written in order.
func (g *gen) inner(e *tail.Apply, args []*value) *value {
	f, h := tail.LamOf(e.Args[0]), tail.LamOf(e.Args[0])
	if e.Op == tail.OpChain {
		f = g.doubleSum()
	} else {
		h = tail.LamOf(e.Args[1])
	}
	x, y := g.array(args[len(args)-2]), g.array(args[len(args)-1])
	var neutral ir.Expr
	if e.Op != tail.OpInner1 {
		neutral = args[len(args)-3].x
	}
	n := x.dims[x.rank()-1]
	if _, ok := ir.IntOf(y.dims[0]); ok {
		n = y.dims[0]
	}
	tx, ty := tail.TypeOf(e.Args[len(args)-2]), tail.TypeOf(e.Args[len(args)-1])
	if tx.Dims() == 0 || ty.Dims() == 0 || !tx.Extent(tx.Dims()-1).Equal(ty.Extent(0)) {
		g.failIf(g.Compare(ir.OpNe, x.dims[x.rank()-1], y.dims[0]), tail.FaultInner, siteOf(e), func() []ir.FailArg {
			return []ir.FailArg{shapeArg(x.dims), shapeArg(y.dims)}
		})
	}
	if g.impure(f) || g.impure(h) {
		g.refuse(e.Where, "an inner product of functions with effects")
	}
	k := kindOf(tail.TypeOf(e).Elem)
	rng := facts.RangeOfKind(k)
	g.pullable(x)
	g.pullable(y)
	if x.rank() == 1 && y.rank() == 1 && chained(h) {
		fd := g.folding(e, f, n, nil, k, rng, neutral)
		fd.chain = h.Body
		return scalar1(g.foldTerms(fd, func(acc, i ir.Expr) ir.Expr { return g.addTerm(fd, h, acc, g.pairAt(x, y, nil, i, nil)) }))
	}
	if x.rank() == 1 && y.rank() == 1 {
		r := g.mapped([]ir.Expr{n}, k, h, x, y)
		r.rng, _ = g.sampled(r)
		fd := g.folding(e, f, n, nil, k, r.rng, neutral)
		if c, ok := ir.IntOf(n); fd.zero != nil && g.nest == nil && !(ok && c <= unrollLimit) {
			return scalar1(g.segred(fd, r))
		}
		return scalar1(g.fold(fd, func(i ir.Expr) ir.Expr { return g.index(r, []ir.Expr{i}) }))
	}
	dims := append(append([]ir.Expr{}, x.dims[:x.rank()-1]...), y.dims[1:]...)
	if x.onehot != nil && e.Op != tail.OpInner1 {
		fd := g.folding(e, f, n, dims, k, g.mapped2(k, h, x, y), neutral)
		fd.plain = y.rank() > 1
		if fill := g.groupSums(x, y, h, fd); fill != nil {
			return array1(&pull{elem: k, dims: dims, rng: fd.resultRange(g), cost: 1000, faults: g.canFault(f) || g.canFault(h), srcs: []*pull{x.onehot.source, y}, fill: fill})
		}
	}
	g.upright(x, y)
	g.upright(y, x)
	if y.rank() > 1 {
		g.reread(x)
	}
	if x.rank() > 1 {
		g.reread(y)
	}
	sample := g.mapped2(k, h, x, y)
	fd := g.folding(e, f, n, dims, k, sample, neutral)
	fd.plain = y.rank() > 1
	if chained(h) {
		fd.chain = h.Body
	}
	q := &pull{elem: k, dims: dims, rng: rng, cost: 1000, faults: g.canFault(f) || g.canFault(h) || x.faults || y.faults, srcs: []*pull{x, y}}
	q.rng = fd.resultRange(g)
	lead := x.rank() - 1
	term := func(ix []ir.Expr, i ir.Expr, jx []ir.Expr) ir.Expr {
		t := g.pairAt(x, y, ix, i, jx)
		return g.lam(h, t.a, t.b)
	}
	extend := func(acc ir.Expr, ix []ir.Expr, i ir.Expr, jx []ir.Expr) ir.Expr {
		return g.addTerm(fd, h, acc, g.pairAt(x, y, ix, i, jx))
	}
	c, known := ir.IntOf(n)
	if y.rank() == 1 && x.rank() == 2 && fd.zero != nil && g.nest == nil && !(known && c <= rowReadLimit) && g.On("panels") && (g.far(x, 1) && !g.far(x, 0) || g.isFlat(x)) {
		// As row vector by matrix: memory is read in order.
		terms := &pull{elem: k, dims: []ir.Expr{n, x.dims[0]}, rng: sample, cost: x.cost + y.cost + g.lamCost(h), faults: q.faults, srcs: q.srcs,
			at: func(ix []ir.Expr) ir.Expr { return term([]ir.Expr{ix[1]}, ix[0], nil) }}
		if chained(h) {
			terms.at, terms.extend = nil, func(acc ir.Expr, ix []ir.Expr) ir.Expr { return extend(acc, []ir.Expr{ix[1]}, ix[0], nil) }
		}
		q.fill = func(dst *ir.Buf) { g.reduceRows(terms, 0, fd, dst) }
		return array1(q)
	}
	if x.rank() == 1 && y.rank() == 2 && fd.zero != nil && fd.neutral == nil && g.nest == nil && !(known && c <= rowReadLimit) && g.On("panels") && !q.faults && !g.slender(y) && !g.few(y.dims[1]) && !g.far(y, 1) {
		terms := &pull{elem: k, dims: []ir.Expr{n, y.dims[1]}, rng: sample, cost: x.cost + y.cost + g.lamCost(h), srcs: q.srcs,
			at: func(ix []ir.Expr) ir.Expr { return term(nil, ix[0], ix[1:]) }}
		if chained(h) {
			terms.at, terms.extend = nil, func(acc ir.Expr, ix []ir.Expr) ir.Expr { return extend(acc, nil, ix[0], ix[1:]) }
		}
		q.fill = func(dst *ir.Buf) { g.reduceRows(terms, 0, fd, dst) }
		return array1(q)
	}
	if y.rank() == 1 || known && c > 0 && c <= unrollLimit {
		q.at = func(all []ir.Expr) ir.Expr {
			if chained(h) {
				return g.foldTerms(fd, func(acc, i ir.Expr) ir.Expr { return extend(acc, all[:lead:lead], i, all[lead:]) })
			}
			return g.fold(fd, func(i ir.Expr) ir.Expr { return term(all[:lead:lead], i, all[lead:]) })
		}
		return array1(q)
	}
	tiled := g.tiled(x, y, h, fd)
	if !tiled && y.buf == nil && g.nest == nil && g.far(y, y.rank()-1) {
		g.materialise(y)
	}
	if tiled {
		if m := g.microStep(x, y, h, fd, g.storeKind(q)); m != nil && !g.slender(y) {
			q.fill = func(dst *ir.Buf) {
				if g.nest != nil || dst.Elem != m.kind {
					g.innerTiles(g.rowMajor(x), g.rowMajor(y), h, fd, dst)
					return
				}
				g.innerBlocks(m, x, y, fd, dst)
			}
			return array1(q)
		}
	}
	if !tiled && g.isThin(x, y, fd, q) {
		q.fill = func(dst *ir.Buf) { g.thin(x, y, fd, dst, extend) }
		return array1(q)
	}
	if tiled {
		g.rowMajor(x)
		g.rowMajor(y)
	}
	q.fill = func(dst *ir.Buf) {
		if tiled {
			g.innerTiles(x, y, h, fd, dst)
			return
		}
		g.innerRows(x, y, fd, dims, dst, term, extend)
	}
	return array1(q)
}

// mapped2 bounds the terms of an inner product.
func (g *gen) mapped2(k ir.Kind, h *tail.Lam, x, y *pull) facts.Interval {
	if k != ir.I64 {
		return facts.RangeOfKind(k)
	}
	r := facts.RangeOfKind(k)
	st := g.nest
	g.nest = &nestState{inside: true}
	g.block(func() {
		a, b := g.NewVar("a", x.elem), g.NewVar("b", y.elem)
		g.Ranges[a], g.Ranges[b] = x.rng, y.rng
		r = g.RangeOf(g.lam(h, a.Use(), b.Use()))
	})
	g.nest = st
	return r
}

// rowTerms is the greatest known number of terms that are added in registers.
const rowTerms = 16

// innerRows computes rows of the result as accumulators.
func (g *gen) innerRows(x, y *pull, fd *folding, dims []ir.Expr, dst *ir.Buf, term func(ix []ir.Expr, i ir.Expr, jx []ir.Expr) ir.Expr, extend func(acc ir.Expr, ix []ir.Expr, i ir.Expr, jx []ir.Expr) ir.Expr) {
	lead, rest := x.dims[:x.rank()-1], y.dims[1:]
	stride := g.atom("n", ir.Product(rest))
	acc := func(at ir.Expr) ir.Expr { return ir.ConvertTo(fd.kind, dst.Load(at)) }
	g.segmapOrOnce(lead, func(ix []ir.Expr) {
		base := g.atom("row", ir.Mul(g.ravelIndex(lead, ix), stride))
		rows := func(write func(at ir.Expr, jx []ir.Expr)) {
			g.segmap(rest, func(jx []ir.Expr) { write(ir.Add(base, g.ravelIndex(rest, jx)), jx) })
		}
		put := func(at, v ir.Expr) { g.emit(dst.Store(at, ir.ConvertTo(dst.Elem, v))) }
		if terms, ok := ir.IntOf(fd.n); ok && terms <= rowTerms && fd.zero != nil && fd.neutral == nil {
			rows(func(at ir.Expr, jx []ir.Expr) {
				v := fd.zero
				for i := int64(0); i < terms; i++ {
					v = g.atom("acc", extend(v, ix, ir.Integer(i), jx))
				}
				put(at, v)
			})
			return
		}
		if fd.zero != nil {
			start := fd.zero
			if fd.neutral != nil {
				start = ir.Choose(ir.OpEq.Of(fd.n, ir.Integer(0)), fd.neutral, fd.zero)
			}
			rows(func(at ir.Expr, _ []ir.Expr) { put(at, start) })
			g.rowLoop(fd.n, func(i ir.Expr) {
				rows(func(at ir.Expr, jx []ir.Expr) { put(at, extend(g.bounded(fd, acc(at)), ix, i, jx)) })
			})
			return
		}
		last := g.atom("n", ir.Sub(fd.n, ir.Integer(1)))
		rows(func(at ir.Expr, jx []ir.Expr) {
			first := func() ir.Expr { return term(ix, last, jx) }
			if fd.neutral == nil {
				put(at, first())
				return
			}
			put(at, g.ifElse(ir.OpEq.Of(fd.n, ir.Integer(0)), func() ir.Expr { return fd.neutral }, first))
		})
		g.rowLoop(last, func(i ir.Expr) {
			rows(func(at ir.Expr, jx []ir.Expr) {
				put(at, g.lam(fd.f, term(ix, ir.Sub(ir.Sub(last, ir.Integer(1)), i), jx), acc(at)))
			})
		})
	})
}
