package reduce

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Inner lowers inner products. Where the right argument has a last axis that
// is not reduced, rows of the result are accumulators (loops i, k, j), so that
// memory is read and written in order.
func Inner(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	f, h := tail.LamOf(e.Args[0]), tail.LamOf(e.Args[0])
	if e.Op == tail.OpChain {
		f = doubleSum(g)
	} else {
		h = tail.LamOf(e.Args[1])
	}
	x, y := g.Array(args[len(args)-2]), g.Array(args[len(args)-1])
	var neutral ir.Expr
	if e.Op != tail.OpInner1 {
		neutral = args[len(args)-3].X
	}
	n := x.Dims[x.Rank()-1]
	if _, ok := ir.IntOf(y.Dims[0]); ok {
		n = y.Dims[0]
	}
	tx, ty := tail.TypeOf(e.Args[len(args)-2]), tail.TypeOf(e.Args[len(args)-1])
	if tx.Dims() == 0 || ty.Dims() == 0 || !tx.Extent(tx.Dims()-1).Equal(ty.Extent(0)) {
		g.FailIf(g.Compare(ir.OpNe, x.Dims[x.Rank()-1], y.Dims[0]), tail.FaultInner, build.SiteOf(e), func() []ir.FailArg {
			return []ir.FailArg{build.ShapeArg(x.Dims), build.ShapeArg(y.Dims)}
		})
	}
	if g.Impure(f) || g.Impure(h) {
		g.Refuse(e.Where, "an inner product of functions with effects")
	}
	k := build.KindOf(tail.TypeOf(e).Elem)
	rng := facts.RangeOfKind(k)
	g.Pullable(x)
	g.Pullable(y)
	if x.Rank() == 1 && y.Rank() == 1 && chained(h) {
		fd := newFolding(g, e, f, n, nil, k, rng, neutral)
		fd.chain = h.Body
		return build.Scalar1(foldTerms(g, fd, func(acc, i ir.Expr) ir.Expr { return addTerm(g, fd, h, acc, pairAt(g, x, y, nil, i, nil)) }))
	}
	if x.Rank() == 1 && y.Rank() == 1 {
		r := g.Mapped([]ir.Expr{n}, k, h, x, y)
		r.Rng, _ = g.Sampled(r)
		fd := newFolding(g, e, f, n, nil, k, r.Rng, neutral)
		if c, ok := ir.IntOf(n); fd.Zero != nil && g.Nest == nil && !(ok && c <= UnrollLimit) {
			return build.Scalar1(Segred(g, fd, r))
		}
		return build.Scalar1(Fold(g, fd, func(i ir.Expr) ir.Expr { return g.Index(r, []ir.Expr{i}) }))
	}
	dims := append(append([]ir.Expr{}, x.Dims[:x.Rank()-1]...), y.Dims[1:]...)
	if hot, rows, pick := oneHotSide(x, y, h); hot != nil && e.Op != tail.OpInner1 {
		fd := newFolding(g, e, f, n, dims, k, mapped2(g, k, h, x, y), neutral)
		fd.plain = rows.Rank() > 1
		if fill := groupSums(g, hot, rows, pick, fd); fill != nil {
			return build.Array1(&build.Pull{Elem: k, Dims: dims, Rng: fd.resultRange(g), Cost: 1000, Faults: g.CanFault(f) || g.CanFault(h), Srcs: []*build.Pull{hot.Source, rows}, Fill: fill})
		}
	}
	upright(g, x, y)
	upright(g, y, x)
	if y.Rank() > 1 {
		g.Reread(x)
	}
	if x.Rank() > 1 {
		g.Reread(y)
	}
	sample := mapped2(g, k, h, x, y)
	fd := newFolding(g, e, f, n, dims, k, sample, neutral)
	fd.plain = y.Rank() > 1
	if chained(h) {
		fd.chain = h.Body
	}
	q := &build.Pull{Elem: k, Dims: dims, Rng: rng, Cost: 1000, Faults: g.CanFault(f) || g.CanFault(h) || x.Faults || y.Faults, Srcs: []*build.Pull{x, y}}
	q.Rng = fd.resultRange(g)
	lead := x.Rank() - 1
	term := func(ix []ir.Expr, i ir.Expr, jx []ir.Expr) ir.Expr {
		t := pairAt(g, x, y, ix, i, jx)
		return g.Lam(h, t.a, t.b)
	}
	extend := func(acc ir.Expr, ix []ir.Expr, i ir.Expr, jx []ir.Expr) ir.Expr {
		return addTerm(g, fd, h, acc, pairAt(g, x, y, ix, i, jx))
	}
	c, known := ir.IntOf(n)
	if y.Rank() == 1 && x.Rank() == 2 && fd.Zero != nil && g.Nest == nil && !(known && c <= rowReadLimit) && g.On("panels") && (far(g, x, 1) && !far(g, x, 0) || isFlat(g, x)) {
		// As row vector by matrix: memory is read in order.
		terms := &build.Pull{Elem: k, Dims: []ir.Expr{n, x.Dims[0]}, Rng: sample, Cost: x.Cost + y.Cost + g.LamCost(h), Faults: q.Faults, Srcs: q.Srcs,
			At: func(ix []ir.Expr) ir.Expr { return term([]ir.Expr{ix[1]}, ix[0], nil) }}
		if chained(h) {
			terms.At, terms.Extend = nil, func(acc ir.Expr, ix []ir.Expr) ir.Expr { return extend(acc, []ir.Expr{ix[1]}, ix[0], nil) }
		}
		q.Fill = func(dst *ir.Buf) { reduceRows(g, terms, 0, fd, dst) }
		return build.Array1(q)
	}
	if x.Rank() == 1 && y.Rank() == 2 && fd.Zero != nil && fd.neutral == nil && g.Nest == nil && !(known && c <= rowReadLimit) && g.On("panels") && !q.Faults && !slender(y) && !onePanel(y.Dims[1]) && !far(g, y, 1) {
		terms := &build.Pull{Elem: k, Dims: []ir.Expr{n, y.Dims[1]}, Rng: sample, Cost: x.Cost + y.Cost + g.LamCost(h), Srcs: q.Srcs,
			At: func(ix []ir.Expr) ir.Expr { return term(nil, ix[0], ix[1:]) }}
		if chained(h) {
			terms.At, terms.Extend = nil, func(acc ir.Expr, ix []ir.Expr) ir.Expr { return extend(acc, nil, ix[0], ix[1:]) }
		}
		q.Fill = func(dst *ir.Buf) { reduceRows(g, terms, 0, fd, dst) }
		return build.Array1(q)
	}
	if y.Rank() == 1 || known && c > 0 && c <= UnrollLimit {
		q.At = func(all []ir.Expr) ir.Expr {
			if chained(h) {
				return foldTerms(g, fd, func(acc, i ir.Expr) ir.Expr { return extend(acc, all[:lead:lead], i, all[lead:]) })
			}
			return Fold(g, fd, func(i ir.Expr) ir.Expr { return term(all[:lead:lead], i, all[lead:]) })
		}
		return build.Array1(q)
	}
	rows := func(dst *ir.Buf) { innerRows(g, x, y, fd, dst, term, extend) }
	if isLarge(g, x, y, h, fd) && !slender(y) {
		if m := newMicroStep(g, x, y, h, fd, g.StoreKind(q)); m != nil {
			q.Fill = func(dst *ir.Buf) {
				if g.Nest != nil || dst.Elem != m.Kind {
					rows(dst)
					return
				}
				innerBlocks(g, m, x, y, fd, dst)
			}
			return build.Array1(q)
		}
	}
	if y.Buf == nil && g.Nest == nil && far(g, y, y.Rank()-1) {
		g.Materialise(y)
	}
	if isThin(g, x, y, fd, q) {
		q.Fill = func(dst *ir.Buf) { thin(g, x, y, fd, dst, extend) }
		return build.Array1(q)
	}
	q.Fill = rows
	return build.Array1(q)
}

// mapped2 bounds the terms of an inner product.
func mapped2(g *build.Builder, k ir.Kind, h *tail.Lam, x, y *build.Pull) facts.Interval {
	if k != ir.I64 {
		return facts.RangeOfKind(k)
	}
	r := facts.RangeOfKind(k)
	st := g.Nest
	g.Nest = &build.NestState{Inside: true}
	g.Block(func() {
		a, b := g.NewVar("a", x.Elem), g.NewVar("b", y.Elem)
		g.Ranges[a], g.Ranges[b] = x.Rng, y.Rng
		r = g.RangeOf(g.Lam(h, a.Use(), b.Use()))
	})
	g.Nest = st
	return r
}

// RowTerms is the greatest known number of terms that are added in registers.
const RowTerms = 16

// innerRows computes rows of the result as accumulators.
func innerRows(g *build.Builder, x, y *build.Pull, fd *Folding, dst *ir.Buf, term func(ix []ir.Expr, i ir.Expr, jx []ir.Expr) ir.Expr, extend func(acc ir.Expr, ix []ir.Expr, i ir.Expr, jx []ir.Expr) ir.Expr) {
	lead, rest := x.Dims[:x.Rank()-1], y.Dims[1:]
	stride := g.Elements(rest)
	acc := func(at ir.Expr) ir.Expr { return ir.ConvertTo(fd.Kind, dst.Load(at)) }
	g.SegmapOrOnce(lead, func(ix []ir.Expr) {
		base := g.Atom("row", ir.Mul(g.RavelIndex(lead, ix), stride))
		rows := func(write func(at ir.Expr, jx []ir.Expr)) {
			g.Segmap(rest, func(jx []ir.Expr) { write(ir.Add(base, g.RavelIndex(rest, jx)), jx) })
		}
		put := func(at, v ir.Expr) { g.Emit(dst.Store(at, ir.ConvertTo(dst.Elem, v))) }
		if terms, ok := ir.IntOf(fd.N); ok && terms <= RowTerms && fd.Zero != nil && fd.neutral == nil {
			rows(func(at ir.Expr, jx []ir.Expr) {
				v := fd.Zero
				for i := int64(0); i < terms; i++ {
					v = g.Atom("acc", extend(v, ix, ir.Integer(i), jx))
				}
				put(at, v)
			})
			return
		}
		if fd.Zero != nil {
			start := fd.Zero
			if fd.neutral != nil {
				start = ir.Choose(ir.OpEq.Of(fd.N, ir.Integer(0)), fd.neutral, fd.Zero)
			}
			rows(func(at ir.Expr, _ []ir.Expr) { put(at, start) })
			terms := rowLoop(g, fd.N, func(i ir.Expr) {
				rows(func(at ir.Expr, jx []ir.Expr) { put(at, extend(bounded(g, fd, acc(at)), ix, i, jx)) })
			})
			terms.Terms, terms.At = true, fd.where()
			return
		}
		last := g.Atom("n", ir.Sub(fd.N, ir.Integer(1)))
		rows(func(at ir.Expr, jx []ir.Expr) {
			first := func() ir.Expr { return term(ix, last, jx) }
			if fd.neutral == nil {
				put(at, first())
				return
			}
			put(at, g.IfElse(ir.OpEq.Of(fd.N, ir.Integer(0)), func() ir.Expr { return fd.neutral }, first))
		})
		rowLoop(g, last, func(i ir.Expr) {
			rows(func(at ir.Expr, jx []ir.Expr) {
				put(at, g.Lam(fd.F, term(ix, ir.Sub(ir.Sub(last, ir.Integer(1)), i), jx), acc(at)))
			})
		})
	})
}
