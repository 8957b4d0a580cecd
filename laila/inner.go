package laila

import "github.com/tailor-lang/tailor/tail"

// inner lowers inner products. Where the right argument has a last axis that
// is not reduced, rows of the result are accumulators (loops i, k, j), so that
// memory is read and written in order.
func (g *gen) inner(e *tail.Apply, args []*value) *value {
	f, h := lamOf(e.Args[0]), lamOf(e.Args[0])
	if e.Op == tail.OpChain {
		f = g.doubleSum()
	} else {
		h = lamOf(e.Args[1])
	}
	x, y := g.array(args[len(args)-2]), g.array(args[len(args)-1])
	var neutral Expr
	if e.Op != tail.OpInner1 {
		neutral = args[len(args)-3].x
	}
	n := x.dims[x.rank()-1]
	if _, ok := intOf(y.dims[0]); ok {
		n = y.dims[0]
	}
	tx, ty := tail.TypeOf(e.Args[len(args)-2]), tail.TypeOf(e.Args[len(args)-1])
	if tx.Dims() == 0 || ty.Dims() == 0 || !tx.Extent(tx.Dims()-1).Equal(ty.Extent(0)) {
		g.failIf(g.compare(Ne, x.dims[x.rank()-1], y.dims[0]), tail.FaultInner, siteOf(e), func() []FailArg {
			return []FailArg{shapeArg(x.dims), shapeArg(y.dims)}
		})
	}
	if g.impure(f) || g.impure(h) {
		g.refuse(e.Where, "an inner product of functions with effects")
	}
	k := kindOf(tail.TypeOf(e).Elem)
	rng := rangeOfKind(k)
	g.pullable(x)
	g.pullable(y)
	if x.rank() == 1 && y.rank() == 1 && chained(h) {
		fd := g.folding(e, f, n, nil, k, rng, neutral)
		fd.chain = h.Body
		return scalar1(g.foldTerms(fd, func(acc, i Expr) Expr { return g.addTerm(fd, h, acc, g.pairAt(x, y, nil, i, nil)) }))
	}
	if x.rank() == 1 && y.rank() == 1 {
		r := g.mapped([]Expr{n}, k, h, x, y)
		r.rng, _ = g.sampled(r)
		fd := g.folding(e, f, n, nil, k, r.rng, neutral)
		if c, ok := intOf(n); fd.zero != nil && g.nest == nil && !(ok && c <= unrollLimit) {
			return scalar1(g.segred(fd, r))
		}
		return scalar1(g.fold(fd, func(i Expr) Expr { return g.index(r, []Expr{i}) }))
	}
	dims := append(append([]Expr{}, x.dims[:x.rank()-1]...), y.dims[1:]...)
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
	term := func(ix []Expr, i Expr, jx []Expr) Expr {
		t := g.pairAt(x, y, ix, i, jx)
		return g.lam(h, t.a, t.b)
	}
	extend := func(acc Expr, ix []Expr, i Expr, jx []Expr) Expr {
		return g.addTerm(fd, h, acc, g.pairAt(x, y, ix, i, jx))
	}
	c, known := intOf(n)
	if y.rank() == 1 && x.rank() == 2 && fd.zero != nil && g.nest == nil && !(known && c <= rowReadLimit) && g.opts.Tile && g.on("panels") && (g.far(x, 1) && !g.far(x, 0) || g.isFlat(x)) {
		// As row vector by matrix: memory is read in order.
		terms := &pull{elem: k, dims: []Expr{n, x.dims[0]}, rng: sample, cost: x.cost + y.cost + g.lamCost(h), faults: q.faults, srcs: q.srcs,
			at: func(ix []Expr) Expr { return term([]Expr{ix[1]}, ix[0], nil) }}
		if chained(h) {
			terms.at, terms.extend = nil, func(acc Expr, ix []Expr) Expr { return extend(acc, []Expr{ix[1]}, ix[0], nil) }
		}
		q.fill = func(dst *Buf) { g.reduceRows(terms, 0, fd, dst) }
		return array1(q)
	}
	if x.rank() == 1 && y.rank() == 2 && fd.zero != nil && fd.neutral == nil && g.nest == nil && !(known && c <= rowReadLimit) && g.opts.Tile && g.on("panels") && !q.faults && !g.slender(y) && !g.few(y.dims[1]) && !g.far(y, 1) {
		terms := &pull{elem: k, dims: []Expr{n, y.dims[1]}, rng: sample, cost: x.cost + y.cost + g.lamCost(h), srcs: q.srcs,
			at: func(ix []Expr) Expr { return term(nil, ix[0], ix[1:]) }}
		if chained(h) {
			terms.at, terms.extend = nil, func(acc Expr, ix []Expr) Expr { return extend(acc, nil, ix[0], ix[1:]) }
		}
		q.fill = func(dst *Buf) { g.reduceRows(terms, 0, fd, dst) }
		return array1(q)
	}
	if y.rank() == 1 || known && c > 0 && c <= unrollLimit {
		q.at = func(all []Expr) Expr {
			if chained(h) {
				return g.foldTerms(fd, func(acc, i Expr) Expr { return extend(acc, all[:lead:lead], i, all[lead:]) })
			}
			return g.fold(fd, func(i Expr) Expr { return term(all[:lead:lead], i, all[lead:]) })
		}
		return array1(q)
	}
	tiled := g.tiled(x, y, h, fd)
	if !tiled && y.buf == nil && g.nest == nil && g.far(y, y.rank()-1) {
		g.materialise(y)
	}
	if tiled {
		if m := g.microStep(x, y, h, fd, g.storeKind(q)); m != nil && !g.slender(y) {
			q.fill = func(dst *Buf) {
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
		q.fill = func(dst *Buf) { g.thin(x, y, fd, dst, extend) }
		return array1(q)
	}
	if tiled {
		g.rowMajor(x)
		g.rowMajor(y)
	}
	q.fill = func(dst *Buf) {
		if tiled {
			g.innerTiles(x, y, h, fd, dst)
			return
		}
		g.innerRows(x, y, fd, dims, dst, term, extend)
	}
	return array1(q)
}

// mapped2 bounds the terms of an inner product.
func (g *gen) mapped2(k Kind, h *tail.Lam, x, y *pull) interval {
	if k != I64 {
		return rangeOfKind(k)
	}
	r := rangeOfKind(k)
	st := g.nest
	g.nest = &nestState{inside: true}
	g.block(func() {
		a, b := g.newVar("a", x.elem), g.newVar("b", y.elem)
		g.ranges[a], g.ranges[b] = x.rng, y.rng
		r = g.rangeOf(g.lam(h, &Use{a}, &Use{b}))
	})
	g.nest = st
	return r
}

// rowTerms is the greatest known number of terms that are added in registers.
const rowTerms = 16

// innerRows computes rows of the result as accumulators.
func (g *gen) innerRows(x, y *pull, fd *folding, dims []Expr, dst *Buf, term func(ix []Expr, i Expr, jx []Expr) Expr, extend func(acc Expr, ix []Expr, i Expr, jx []Expr) Expr) {
	lead, rest := x.dims[:x.rank()-1], y.dims[1:]
	stride := g.atom("n", product(rest))
	acc := func(at Expr) Expr { return convert(fd.kind, &Load{dst, at}) }
	g.segmapOrOnce(lead, func(ix []Expr) {
		base := g.atom("row", mul(g.ravelIndex(lead, ix), stride))
		rows := func(write func(at Expr, jx []Expr)) {
			g.segmap(rest, func(jx []Expr) { write(add(base, g.ravelIndex(rest, jx)), jx) })
		}
		put := func(at, v Expr) { g.emit(&Store{dst, at, convert(dst.Elem, v)}) }
		if terms, ok := intOf(fd.n); ok && terms <= rowTerms && fd.zero != nil && fd.neutral == nil {
			rows(func(at Expr, jx []Expr) {
				v := fd.zero
				for i := int64(0); i < terms; i++ {
					v = g.atom("acc", extend(v, ix, integer(i), jx))
				}
				put(at, v)
			})
			return
		}
		if fd.zero != nil {
			start := fd.zero
			if fd.neutral != nil {
				start = choose(&Binary{Eq, fd.n, integer(0)}, fd.neutral, fd.zero)
			}
			rows(func(at Expr, _ []Expr) { put(at, start) })
			g.rowLoop(fd.n, func(i Expr) {
				rows(func(at Expr, jx []Expr) { put(at, extend(g.bounded(fd, acc(at)), ix, i, jx)) })
			})
			return
		}
		last := g.atom("n", sub(fd.n, integer(1)))
		rows(func(at Expr, jx []Expr) {
			first := func() Expr { return term(ix, last, jx) }
			if fd.neutral == nil {
				put(at, first())
				return
			}
			put(at, g.ifElse(&Binary{Eq, fd.n, integer(0)}, func() Expr { return fd.neutral }, first))
		})
		g.rowLoop(last, func(i Expr) {
			rows(func(at Expr, jx []Expr) {
				put(at, g.lam(fd.f, term(ix, sub(sub(last, integer(1)), i), jx), acc(at)))
			})
		})
	})
}
