package laila

import (
	"slices"

	"github.com/tailor-lang/tailor/tail"
)

// scan gives the reductions of all prefixes along an axis. For an associative
// function they are running values; for - they alternate; for functions of
// truth values, and those whose results are 0 and 1, the two possible outcomes
// are carried along; otherwise every prefix is reduced from its end.
func (g *gen) scan(e *tail.Apply, args []*value) *value {
	f, p, a := lamOf(e.Args[0]), args[1].arr, e.Axis
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
	q := &pull{elem: p.elem, dims: p.dims, rng: rangeOfKind(p.elem), faults: p.faults || g.canFault(f), cost: 1000, srcs: []*pull{p}}
	if r, ok := fd.runningRange(g); ok && fd.zero != nil {
		q.rng = r
	}
	switch {
	case fd.zero != nil:
		g.pullable(p)
		q.fill = func(dst *Buf) {
			g.runningScan(p, a, dst, func(acc, x, _ Expr) Expr { return g.step(fd, g.bounded(fd, acc), x) }, q.rng)
		}
	case op == tail.OpSubD:
		g.pullable(p)
		q.fill = func(dst *Buf) {
			g.runningScan(p, a, dst, func(acc, x, i Expr) Expr {
				return g.number(choose(odd(i), &Binary{Sub, acc, x}, &Binary{Add, acc, x}), siteOf(f.Body.(*tail.Apply)))
			}, q.rng)
		}
	case op == tail.OpSubI:
		g.pullable(p)
		q.fill = func(dst *Buf) {
			g.runningScan(p, a, dst, func(acc, x, i Expr) Expr {
				x = g.atom("x", x)
				y := g.let("y", choose(odd(i), &Unary{Neg, x}, x))
				if u, ok := y.(*Use); ok && p.rng.lo > -1<<62 && p.rng.hi < 1<<62 {
					g.ranges[u.Var] = p.rng.union(interval{-p.rng.hi, -p.rng.lo})
				}
				return g.checked(Add, acc, y, siteOf(f.Body.(*tail.Apply)))
			}, q.rng)
		}
	case p.elem == U8 && !q.faults:
		g.pullable(p)
		q.fill = func(dst *Buf) { g.boolScan(p, a, f, dst) }
	case testOf(f) != nil && !q.faults:
		g.pullable(p)
		q.rng = p.rng.union(interval{0, 1})
		q.fill = func(dst *Buf) { g.testScan(p, a, testOf(f), dst) }
	case g.repeats(e.Args[1], p, a):
		g.pullable(p)
		q.fill = func(dst *Buf) {
			g.runningScan(p, a, dst, func(acc, x, _ Expr) Expr { return g.lam(f, x, acc) }, q.rng)
		}
	default:
		g.reread(p)
		q.fill = func(dst *Buf) { g.prefixScan(p, a, fd, dst) }
	}
	return array1(q)
}

func odd(i Expr) Expr { return &Binary{Ne, &Binary{And, i, integer(1)}, integer(0)} }

// runningRange bounds the running values; it is not ok where nothing is known.
func (fd *folding) runningRange(g *gen) (interval, bool) {
	if fd.op == tail.OpMinI || fd.op == tail.OpMaxI {
		return fd.rng, fd.kind.exact()
	}
	return fd.accRange(g)
}

// runningScan combines each element with the result before it; the results are
// in rng where elements are integers.
func (g *gen) runningScan(p *pull, a int, dst *Buf, step func(acc, x, i Expr) Expr, rng interval) {
	if a == p.rank()-1 {
		g.lines(p, a, func(ix []Expr) {
			p := p
			if n, ok := intOf(p.dims[a]); ok && n <= scanRow && len(ix) > 0 && p.buf == nil && p.cost > 2 && !p.faults {
				p = g.rowOnStack(p, ix, n)
			}
			at := g.atom("at", g.ravelIndex(p.dims, append(ix[:len(ix):len(ix)], integer(0))))
			g.emit(&If{Cond: g.compare(Gt, p.dims[a], integer(0)), Then: g.block(func() {
				acc := g.mutable("acc", p.elem, g.index(p, append(ix[:len(ix):len(ix)], integer(0))))
				if p.elem.exact() {
					g.ranges[acc] = rng
				}
				g.emit(&Store{dst, at, convert(dst.Elem, &Use{acc})})
				g.sequence(g.atom("n", sub(p.dims[a], integer(1))), func(i Expr) {
					j := add(i, integer(1))
					x := step(&Use{acc}, g.index(p, append(ix[:len(ix):len(ix)], j)), j)
					g.emit(&Assign{acc, x}, &Store{dst, add(at, j), convert(dst.Elem, &Use{acc})})
				})
			})})
		})
		return
	}
	lead, rest := p.dims[:a:a], p.dims[a+1:]
	stride := g.atom("n", product(rest))
	g.segmapOrOnce(lead, func(ix []Expr) {
		row := func(i Expr, write func(at Expr, all []Expr)) {
			g.segmap(rest, func(jx []Expr) {
				all := append(append(ix[:len(ix):len(ix)], i), jx...)
				write(g.atom("at", g.ravelIndex(p.dims, all)), all)
			})
		}
		g.emit(&If{Cond: g.compare(Gt, p.dims[a], integer(0)), Then: g.block(func() {
			row(integer(0), func(at Expr, all []Expr) { g.emit(&Store{dst, at, convert(dst.Elem, g.index(p, all))}) })
			g.rowLoop(g.atom("n", sub(p.dims[a], integer(1))), func(i Expr) {
				j := g.atom("j", add(i, integer(1)))
				row(j, func(at Expr, all []Expr) {
					acc := convert(p.elem, &Load{dst, sub(at, stride)})
					g.emit(&Store{dst, at, convert(dst.Elem, step(acc, g.index(p, all), j))})
				})
			})
		})})
	})
}

// lines runs body for each line along the last axis.
func (g *gen) lines(p *pull, a int, body func(ix []Expr)) {
	g.segmapOrOnce(without(p.dims, a), body)
}

// segmapOrOnce is segmap, for a space that may have no axes.
func (g *gen) segmapOrOnce(dims []Expr, body func(ix []Expr)) {
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
func (g *gen) boolScan(p *pull, a int, f *tail.Lam, dst *Buf) {
	g.lines(p, a, func(ix []Expr) {
		zero := g.mutable("zero", U8, boolean(false))
		one := g.mutable("one", U8, boolean(true))
		g.sequence(p.dims[a], func(i Expr) {
			all := inserted(ix, a, i)
			x := g.atom("x", g.index(p, all))
			g.emit(&Store{dst, g.ravelIndex(p.dims, all), &Select{x, &Use{one}, &Use{zero}}})
			f0 := g.atom("f0", g.lam(f, x, boolean(false)))
			f1 := g.atom("f1", g.lam(f, x, boolean(true)))
			n0 := g.let("n0", &Select{f0, &Use{one}, &Use{zero}})
			n1 := g.let("n1", &Select{f1, &Use{one}, &Use{zero}})
			g.emit(&Assign{zero, n0}, &Assign{one, n1})
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
func (g *gen) testScan(p *pull, a int, f *tail.Lam, dst *Buf) {
	put := func(all []Expr, x Expr) { g.emit(&Store{dst, g.ravelIndex(p.dims, all), convert(dst.Elem, x)}) }
	g.lines(p, a, func(ix []Expr) {
		g.emit(&If{Cond: g.compare(Gt, p.dims[a], integer(0)), Then: g.block(func() {
			before := g.mutable("before", p.elem, g.index(p, inserted(ix, a, integer(0))))
			put(inserted(ix, a, integer(0)), &Use{before})
			zero := g.mutable("zero", U8, boolean(false))
			one := g.mutable("one", U8, boolean(true))
			after := func(test Expr) Expr { return &Select{test, &Use{one}, &Use{zero}} }
			g.sequence(g.atom("n", sub(p.dims[a], integer(1))), func(i Expr) {
				all := inserted(ix, a, g.atom("j", add(i, integer(1))))
				x := g.let("x", g.index(p, all))
				put(all, convert(p.elem, after(g.atom("t", g.lam(f, &Use{before}, x)))))
				f0 := g.atom("f0", g.lam(f, &Use{before}, convert(p.elem, integer(0))))
				f1 := g.atom("f1", g.lam(f, &Use{before}, convert(p.elem, integer(1))))
				n0, n1 := g.let("n0", after(f0)), g.let("n1", after(f1))
				g.emit(&Assign{zero, n0}, &Assign{one, n1}, &Assign{before, x})
			})
		})})
	})
}

// repeats reports whether the elements of p, which is e, are known to be the same
// along an axis.
func (g *gen) repeats(e tail.Expr, p *pull, a int) bool {
	ix := make([]*axis, p.rank())
	for i := range ix {
		ix[i] = &axis{}
	}
	el := (&element{of: e, ix: ix}).settled()
	if of, ok := el.of.(*tail.Apply); ok && of.Op == tail.OpReshape && tail.TypeOf(of.Args[1]).Dims() == 0 {
		return true
	}
	return !slices.Contains(el.ix, ix[a])
}

// prefixScan reduces every prefix from its end.
func (g *gen) prefixScan(p *pull, a int, fd *folding, dst *Buf) {
	g.segmap(p.dims, func(ix []Expr) {
		prefix := *fd
		prefix.n = g.atom("n", add(ix[a], integer(1)))
		x := g.fold(&prefix, func(i Expr) Expr { return g.index(p, replaced(ix, a, i)) })
		g.emit(&Store{dst, g.ravelIndex(p.dims, ix), convert(dst.Elem, x)})
	})
}

// scanRow is the longest known row whose elements are computed before it is
// scanned: the scan itself is no vector code.
const scanRow = 256

// rowOnStack stores the row of p at index ix of the leading axes, of n
// elements, and returns an array of p's shape that reads it.
func (g *gen) rowOnStack(p *pull, ix []Expr, n int64) *pull {
	row := &Buf{Name: "row", Elem: p.elem, Stack: n}
	g.emit(&DeclBuf{Buf: row, Count: integer(n), Shape: []Expr{integer(n)}, At: g.src})
	g.segmap([]Expr{integer(n)}, func(jx []Expr) {
		g.emit(&Store{row, jx[0], g.index(p, append(ix[:len(ix):len(ix)], jx[0]))})
	})
	if p.elem.exact() {
		g.bufs[row] = p.rng
	}
	return view(p, p.dims, func(all []Expr) Expr { return &Load{row, all[len(all)-1]} })
}
