package laila

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/elements"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// scan gives the reductions of all prefixes along an axis. For an associative
// function they are running values; for - they alternate; for functions of
// truth values, and those whose results are 0 and 1, the two possible outcomes
// are carried along; otherwise every prefix is reduced from its end.
func (g *gen) scan(e *tail.Apply, args []*value) *value {
	f, p, a := tail.LamOf(e.Args[0]), args[1].arr, e.Axis
	if p == nil {
		return args[1]
	}
	if g.impure(f) {
		g.refuse(e.Where, "a scan by a function with effects")
	}
	op := orderedOp(e, f)
	fd := &folding{f: f, n: p.dims[a], kind: p.elem, rng: p.rng, op: op}
	if op != tail.NoOp && op.Row().Assoc {
		fd.zero = neutralOf(op)
	}
	q := &pull{elem: p.elem, dims: p.dims, rng: facts.RangeOfKind(p.elem), faults: p.faults || g.canFault(f), cost: 1000, srcs: []*pull{p}}
	if r, ok := fd.runningRange(g); ok && fd.zero != nil {
		q.rng = r
	}
	switch {
	case fd.zero != nil:
		g.pullable(p)
		q.fill = func(dst *ir.Buf) {
			g.runningScan(p, a, dst, func(acc, x, _ ir.Expr) ir.Expr { return g.step(fd, g.bounded(fd, acc), x) }, q.rng)
		}
	case op == tail.OpSubD:
		g.pullable(p)
		q.fill = func(dst *ir.Buf) {
			g.runningScan(p, a, dst, func(acc, x, i ir.Expr) ir.Expr {
				return g.number(ir.Choose(odd(i), ir.OpSub.Of(acc, x), ir.OpAdd.Of(acc, x)), siteOf(f.Body.(*tail.Apply)))
			}, q.rng)
		}
	case op == tail.OpSubI:
		g.pullable(p)
		q.fill = func(dst *ir.Buf) {
			g.runningScan(p, a, dst, func(acc, x, i ir.Expr) ir.Expr {
				x = g.atom("x", x)
				y := g.let("y", ir.Choose(odd(i), ir.OpNeg.Of(x), x))
				if u, ok := y.(*ir.Use); ok && p.rng.Lo > -1<<62 && p.rng.Hi < 1<<62 {
					g.Ranges[u.Var] = p.rng.Union(facts.Between(-p.rng.Hi, -p.rng.Lo))
				}
				return g.checked(ir.OpAdd, acc, y, siteOf(f.Body.(*tail.Apply)))
			}, q.rng)
		}
	case p.elem == ir.U8 && !q.faults:
		g.pullable(p)
		q.fill = func(dst *ir.Buf) { g.boolScan(p, a, f, dst) }
	case testOf(f) != nil && !q.faults:
		g.pullable(p)
		q.rng = p.rng.Union(facts.Between(0, 1))
		q.fill = func(dst *ir.Buf) { g.testScan(p, a, testOf(f), dst) }
	case g.repeats(e.Args[1], p, a):
		g.pullable(p)
		q.fill = func(dst *ir.Buf) {
			g.runningScan(p, a, dst, func(acc, x, _ ir.Expr) ir.Expr { return g.lam(f, x, acc) }, q.rng)
		}
	default:
		g.reread(p)
		q.fill = func(dst *ir.Buf) { g.prefixScan(p, a, fd, dst) }
	}
	return array1(q)
}

func odd(i ir.Expr) ir.Expr { return ir.OpNe.Of(ir.OpAnd.Of(i, ir.Integer(1)), ir.Integer(0)) }

// runningRange bounds the running values; it is not ok where nothing is known.
func (fd *folding) runningRange(g *gen) (facts.Interval, bool) {
	if fd.op == tail.OpMinI || fd.op == tail.OpMaxI {
		return fd.rng, fd.kind.Exact()
	}
	return fd.accRange(g)
}

// runningScan combines each element with the result before it; the results are
// in rng where elements are integers.
func (g *gen) runningScan(p *pull, a int, dst *ir.Buf, step func(acc, x, i ir.Expr) ir.Expr, rng facts.Interval) {
	if a == p.rank()-1 {
		g.lines(p, a, func(ix []ir.Expr) {
			p := p
			if n, ok := ir.IntOf(p.dims[a]); ok && n <= scanRow && len(ix) > 0 && p.buf == nil && p.cost > 2 && !p.faults {
				p = g.rowOnStack(p, ix, n)
			}
			at := g.atom("at", g.ravelIndex(p.dims, append(ix[:len(ix):len(ix)], ir.Integer(0))))
			g.emit(&ir.If{Cond: g.Compare(ir.OpGt, p.dims[a], ir.Integer(0)), Then: g.block(func() {
				acc := g.mutable("acc", p.elem, g.index(p, append(ix[:len(ix):len(ix)], ir.Integer(0))))
				if p.elem.Exact() {
					g.Ranges[acc] = rng
				}
				g.emit(dst.Store(at, ir.ConvertTo(dst.Elem, acc.Use())))
				g.sequence(g.atom("n", ir.Sub(p.dims[a], ir.Integer(1))), func(i ir.Expr) {
					j := ir.Add(i, ir.Integer(1))
					x := step(acc.Use(), g.index(p, append(ix[:len(ix):len(ix)], j)), j)
					g.emit(acc.Assign(x), dst.Store(ir.Add(at, j), ir.ConvertTo(dst.Elem, acc.Use())))
				})
			})})
		})
		return
	}
	lead, rest := p.dims[:a:a], p.dims[a+1:]
	stride := g.atom("n", ir.Product(rest))
	g.segmapOrOnce(lead, func(ix []ir.Expr) {
		row := func(i ir.Expr, write func(at ir.Expr, all []ir.Expr)) {
			g.segmap(rest, func(jx []ir.Expr) {
				all := append(append(ix[:len(ix):len(ix)], i), jx...)
				write(g.atom("at", g.ravelIndex(p.dims, all)), all)
			})
		}
		g.emit(&ir.If{Cond: g.Compare(ir.OpGt, p.dims[a], ir.Integer(0)), Then: g.block(func() {
			row(ir.Integer(0), func(at ir.Expr, all []ir.Expr) { g.emit(dst.Store(at, ir.ConvertTo(dst.Elem, g.index(p, all)))) })
			g.rowLoop(g.atom("n", ir.Sub(p.dims[a], ir.Integer(1))), func(i ir.Expr) {
				j := g.atom("j", ir.Add(i, ir.Integer(1)))
				row(j, func(at ir.Expr, all []ir.Expr) {
					acc := ir.ConvertTo(p.elem, dst.Load(ir.Sub(at, stride)))
					g.emit(dst.Store(at, ir.ConvertTo(dst.Elem, step(acc, g.index(p, all), j))))
				})
			})
		})})
	})
}

// lines runs body for each line along the last axis.
func (g *gen) lines(p *pull, a int, body func(ix []ir.Expr)) {
	g.segmapOrOnce(without(p.dims, a), body)
}

// segmapOrOnce is segmap, for a space that may have no axes.
func (g *gen) segmapOrOnce(dims []ir.Expr, body func(ix []ir.Expr)) {
	if len(dims) == 0 {
		g.guarded(func() {
			inside := g.nest.inside
			body(nil)
			g.nest.inside = inside
		})
		return
	}
	g.segmap(dims, body)
}

// boolScan carries what the prefix before gives for 0 and for 1.
func (g *gen) boolScan(p *pull, a int, f *tail.Lam, dst *ir.Buf) {
	g.lines(p, a, func(ix []ir.Expr) {
		zero := g.mutable("zero", ir.U8, ir.Boolean(false))
		one := g.mutable("one", ir.U8, ir.Boolean(true))
		g.sequence(p.dims[a], func(i ir.Expr) {
			all := inserted(ix, a, i)
			x := g.atom("x", g.index(p, all))
			g.emit(dst.Store(g.ravelIndex(p.dims, all), &ir.Select{Cond: x, Then: one.Use(), Else: zero.Use()}))
			f0 := g.atom("f0", g.lam(f, x, ir.Boolean(false)))
			f1 := g.atom("f1", g.lam(f, x, ir.Boolean(true)))
			n0 := g.let("n0", &ir.Select{Cond: f0, Then: one.Use(), Else: zero.Use()})
			n1 := g.let("n1", &ir.Select{Cond: f1, Then: one.Use(), Else: zero.Use()})
			g.emit(zero.Assign(n0), one.Assign(n1))
		})
	})
}

// testOf returns the test whose outcome, as a number, is what a function of two
// numbers gives; nil where it gives something else.
func testOf(f *tail.Lam) *tail.Lam {
	b, ok := f.Body.(*tail.Apply)
	if !ok || b.Op != tail.OpB2I && b.Op != tail.OpB2D || len(f.Params) != 2 {
		return nil
	}
	return &tail.Lam{At: f.At, Params: f.Params, Body: b.Args[0]}
}

// testScan is boolScan for any numbers. All but the last term of a prefix are
// compared with 0 or 1; zero and one are what those before make of these.
func (g *gen) testScan(p *pull, a int, f *tail.Lam, dst *ir.Buf) {
	put := func(all []ir.Expr, x ir.Expr) {
		g.emit(dst.Store(g.ravelIndex(p.dims, all), ir.ConvertTo(dst.Elem, x)))
	}
	g.lines(p, a, func(ix []ir.Expr) {
		g.emit(&ir.If{Cond: g.Compare(ir.OpGt, p.dims[a], ir.Integer(0)), Then: g.block(func() {
			before := g.mutable("before", p.elem, g.index(p, inserted(ix, a, ir.Integer(0))))
			put(inserted(ix, a, ir.Integer(0)), before.Use())
			zero := g.mutable("zero", ir.U8, ir.Boolean(false))
			one := g.mutable("one", ir.U8, ir.Boolean(true))
			after := func(test ir.Expr) ir.Expr { return &ir.Select{Cond: test, Then: one.Use(), Else: zero.Use()} }
			g.sequence(g.atom("n", ir.Sub(p.dims[a], ir.Integer(1))), func(i ir.Expr) {
				all := inserted(ix, a, g.atom("j", ir.Add(i, ir.Integer(1))))
				x := g.let("x", g.index(p, all))
				put(all, ir.ConvertTo(p.elem, after(g.atom("t", g.lam(f, before.Use(), x)))))
				f0 := g.atom("f0", g.lam(f, before.Use(), ir.ConvertTo(p.elem, ir.Integer(0))))
				f1 := g.atom("f1", g.lam(f, before.Use(), ir.ConvertTo(p.elem, ir.Integer(1))))
				n0, n1 := g.let("n0", after(f0)), g.let("n1", after(f1))
				g.emit(zero.Assign(n0), one.Assign(n1), before.Assign(x))
			})
		})})
	})
}

// repeats reports whether the elements of p, which is e, are known to be the same
// along an axis.
func (g *gen) repeats(e tail.Expr, p *pull, a int) bool {
	ix := make([]*elements.Axis, p.rank())
	for i := range ix {
		ix[i] = &elements.Axis{}
	}
	el := (&elements.Element{Of: e, Ix: ix}).Settled()
	if of, ok := el.Of.(*tail.Apply); ok && of.Op == tail.OpReshape && tail.TypeOf(of.Args[1]).Dims() == 0 {
		return true
	}
	return !slices.Contains(el.Ix, ix[a])
}

// prefixScan reduces every prefix from its end.
func (g *gen) prefixScan(p *pull, a int, fd *folding, dst *ir.Buf) {
	g.segmap(p.dims, func(ix []ir.Expr) {
		prefix := *fd
		prefix.n = g.atom("n", ir.Add(ix[a], ir.Integer(1)))
		x := g.fold(&prefix, func(i ir.Expr) ir.Expr { return g.index(p, replaced(ix, a, i)) })
		g.emit(dst.Store(g.ravelIndex(p.dims, ix), ir.ConvertTo(dst.Elem, x)))
	})
}

// scanRow is the longest known row whose elements are computed before it is
// scanned: the scan itself is no vector code.
const scanRow = 256

// rowOnStack stores the row of p at index ix of the leading axes, of n
// elements, and returns an array of p's shape that reads it.
func (g *gen) rowOnStack(p *pull, ix []ir.Expr, n int64) *pull {
	row := &ir.Buf{Name: "row", Elem: p.elem, Stack: n}
	g.emit(&ir.DeclBuf{Buf: row, Count: ir.Integer(n), Shape: []ir.Expr{ir.Integer(n)}, At: g.src})
	g.segmap([]ir.Expr{ir.Integer(n)}, func(jx []ir.Expr) {
		g.emit(row.Store(jx[0], g.index(p, append(ix[:len(ix):len(ix)], jx[0]))))
	})
	if p.elem.Exact() {
		g.Bufs[row] = p.rng
	}
	return view(p, p.dims, func(all []ir.Expr) ir.Expr { return row.Load(all[len(all)-1]) })
}
