package reduce

import (
	"math"

	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/elements"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Scan gives the reductions of all prefixes along an axis. For an associative
// function, as ∨ and ∧ of integers are, too, they are running values; for - they
// alternate; for functions of truth values, and those whose results are 0 and 1,
// the two possible outcomes are carried along; otherwise every prefix is reduced
// from its end.
func Scan(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	f, p, a := tail.LamOf(e.Args[0]), args[1].Arr, e.Axis
	if p == nil {
		return args[1]
	}
	if g.Impure(f) {
		g.Refuse(e.Where, "a scan by a function with effects")
	}
	op := orderedOp(e, f)
	fd := &Folding{F: f, N: p.Dims[a], Kind: p.Elem, Rng: p.Rng, prefix: p.Sums, Op: op}
	if op != tail.NoOp && op.Row().Assoc {
		fd.Zero = neutralOf(op)
		fd.tighten()
	}
	q := &build.Pull{Elem: p.Elem, Dims: p.Dims, Rng: facts.RangeOfKind(p.Elem), Faults: p.Faults || g.CanFault(f), Cost: 1000, Srcs: []*build.Pull{p}}
	if r, ok := fd.runningRange(g); ok && fd.Zero != nil {
		q.Rng = r
	} else if r, ok := fd.backwardRange(); ok {
		q.Rng = r
	}
	running := func(step func(acc, x, i ir.Expr) ir.Expr) {
		g.Pullable(p)
		q.Fill = func(dst *ir.Buf) { runningScan(g, p, a, dst, step, q.Rng) }
	}
	switch {
	case fd.Zero != nil:
		running(func(acc, x, _ ir.Expr) ir.Expr { return step(g, fd, bounded(g, fd, acc), x) })
		if r, ok := fd.runningRange(g); (ok || op == tail.OpMinD || op == tail.OpMaxD) && g.Nest != nil && p.Rank() == 1 && !p.Faults {
			q.Push(func(body func(i, x ir.Expr)) { passScan(g, p, fd, r, body) })
		}
	case op == tail.OpSubD:
		running(func(acc, x, i ir.Expr) ir.Expr {
			return g.Number(ir.Choose(odd(i), ir.OpSub.Of(acc, x), ir.OpAdd.Of(acc, x)), build.SiteOf(f.Body.(*tail.Apply)))
		})
	case op == tail.OpSubI:
		running(func(acc, x, i ir.Expr) ir.Expr {
			x, at := g.Atom("x", x), build.SiteOf(f.Body.(*tail.Apply))
			if p.Rng.Lo == math.MinInt64 { // which has no negative
				r := g.Mutable("r", ir.I64, ir.Integer(0))
				assign := func(op ir.BinOp) []ir.Stmt {
					return g.Block(func() { g.Emit(r.Assign(g.Checked(op, acc, x, at))) })
				}
				g.Emit(&ir.If{Cond: odd(i), Then: assign(ir.OpSub), Else: assign(ir.OpAdd)})
				return g.Let("r", r.Use())
			}
			y := g.Let("y", ir.Choose(odd(i), ir.OpNeg.Of(x), x))
			if u, ok := y.(*ir.Use); ok && p.Rng.Lo > -1<<62 && p.Rng.Hi < 1<<62 {
				g.Ranges[u.Var] = p.Rng.Union(facts.Between(-p.Rng.Hi, -p.Rng.Lo))
			}
			return g.Checked(ir.OpAdd, acc, y, at)
		})
	case op.Accumulates(): // from the first element on, for want of a neutral one
		running(func(acc, x, _ ir.Expr) ir.Expr { return g.Lam(f, acc, x) })
	case testOf(f) != nil && !q.Faults:
		g.Pullable(p)
		q.Rng = p.Rng.Union(facts.Between(0, 1))
		q.Fill = func(dst *ir.Buf) { testScan(g, p, a, testOf(f), dst) }
	case repeats(e.Args[1], p, a):
		running(func(acc, x, _ ir.Expr) ir.Expr { return g.Lam(f, x, acc) })
	default:
		g.Reread(p)
		q.Fill = func(dst *ir.Buf) { prefixScan(g, p, a, fd, dst) }
	}
	fill := q.Fill
	q.Fill = func(dst *ir.Buf) { // elsewhere, where it was delayed
		outer := g.Src
		g.Src = e.Where
		defer func() { g.Src = outer }()
		fill(dst)
	}
	return build.Array1(q)
}

func odd(i ir.Expr) ir.Expr { return ir.OpNe.Of(ir.OpAnd.Of(i, ir.Integer(1)), ir.Integer(0)) }

// runningRange bounds the running values; it is not ok where nothing is known.
func (fd *Folding) runningRange(g *build.Builder) (facts.Interval, bool) {
	if fd.Op == tail.OpMinI || fd.Op == tail.OpMaxI {
		return fd.Rng, fd.Kind.Exact()
	}
	return fd.accRange(g)
}

// runningScan combines each element with the result before it; the results are
// in rng where elements are integers.
func runningScan(g *build.Builder, p *build.Pull, a int, dst *ir.Buf, step func(acc, x, i ir.Expr) ir.Expr, rng facts.Interval) {
	if a == p.Rank()-1 {
		lines(g, p, a, func(ix []ir.Expr) {
			p := p
			if n, ok := ir.IntOf(p.Dims[a]); ok && n <= scanRow && len(ix) > 0 && p.Buf == nil && p.Cost > 2 && !p.Faults {
				p = rowOnStack(g, p, ix, n)
			}
			at := g.Atom("at", g.RavelIndex(p.Dims, append(ix[:len(ix):len(ix)], ir.Integer(0))))
			g.Emit(&ir.If{Cond: g.Compare(ir.OpGt, p.Dims[a], ir.Integer(0)), Then: g.Block(func() {
				acc := g.Mutable("acc", p.Elem, g.Index(p, append(ix[:len(ix):len(ix)], ir.Integer(0))))
				if p.Elem.Exact() {
					g.Ranges[acc] = rng
				}
				g.Emit(dst.Store(at, ir.ConvertTo(dst.Elem, acc.Use())))
				g.Sequence(g.Atom("n", ir.Sub(p.Dims[a], ir.Integer(1))), func(i ir.Expr) {
					j := ir.Add(i, ir.Integer(1))
					x := step(acc.Use(), g.Index(p, append(ix[:len(ix):len(ix)], j)), j)
					g.Emit(acc.Assign(x), dst.Store(ir.Add(at, j), ir.ConvertTo(dst.Elem, acc.Use())))
				})
			})})
		})
		return
	}
	lead, rest := p.Dims[:a:a], p.Dims[a+1:]
	stride := g.Elements(rest)
	g.SegmapOrOnce(lead, func(ix []ir.Expr) {
		row := func(i ir.Expr, write func(at ir.Expr, all []ir.Expr)) {
			g.Segmap(rest, func(jx []ir.Expr) {
				all := append(append(ix[:len(ix):len(ix)], i), jx...)
				write(g.Atom("at", g.RavelIndex(p.Dims, all)), all)
			})
		}
		g.Emit(&ir.If{Cond: g.Compare(ir.OpGt, p.Dims[a], ir.Integer(0)), Then: g.Block(func() {
			row(ir.Integer(0), func(at ir.Expr, all []ir.Expr) { g.Emit(dst.Store(at, ir.ConvertTo(dst.Elem, g.Index(p, all)))) })
			rowLoop(g, g.Atom("n", ir.Sub(p.Dims[a], ir.Integer(1))), func(i ir.Expr) {
				j := g.Atom("j", ir.Add(i, ir.Integer(1)))
				row(j, func(at ir.Expr, all []ir.Expr) {
					acc := ir.ConvertTo(p.Elem, dst.Load(ir.Sub(at, stride)))
					g.Emit(dst.Store(at, ir.ConvertTo(dst.Elem, step(acc, g.Index(p, all), j))))
				})
			})
		})})
	})
}

// SumsBefore is for each element of a vector of integers the sum of those before it, where e
// is its running sums; nil where these are no sums.
func SumsBefore(g *build.Builder, e *tail.Apply, p *build.Pull) *build.Pull {
	f := tail.LamOf(e.Args[0])
	fd := &Folding{F: f, N: p.Dims[0], Kind: p.Elem, Rng: p.Rng, prefix: p.Sums, Op: orderedOp(e, f), Zero: ir.Integer(0)}
	if fd.Op != tail.OpAddI || p.Rank() != 1 || p.Faults || g.Nest != nil {
		return nil
	}
	g.Pullable(p)
	q := &build.Pull{Elem: p.Elem, Dims: p.Dims, Rng: facts.RangeOfKind(p.Elem), Cost: 1000, Faults: true, Srcs: []*build.Pull{p}}
	if r, ok := fd.runningRange(g); ok {
		q.Rng, q.Faults = r.Union(facts.Between(0, 0)), false
	}
	q.Fill = func(dst *ir.Buf) {
		outer := g.Src
		g.Src = e.Where
		defer func() { g.Src = outer }()
		g.Emit(&ir.If{Cond: g.Compare(ir.OpGt, p.Dims[0], ir.Integer(0)), Then: g.Block(func() {
			acc := g.Mutable("acc", p.Elem, ir.Integer(0))
			g.Ranges[acc] = q.Rng
			sum := func(i ir.Expr) ir.Expr {
				return step(g, fd, bounded(g, fd, acc.Use()), g.Index(p, []ir.Expr{i}))
			}
			g.Emit(dst.Store(ir.Integer(0), ir.ConvertTo(dst.Elem, acc.Use())))
			last := g.Atom("n", ir.Sub(p.Dims[0], ir.Integer(1)))
			g.Sequence(last, func(i ir.Expr) {
				x := sum(i)
				g.Emit(acc.Assign(x), dst.Store(ir.Add(i, ir.Integer(1)), ir.ConvertTo(dst.Elem, acc.Use())))
			})
			if q.Faults { // so may the sum of all
				g.Emit(acc.Assign(sum(last)))
			}
		})})
	}
	return q
}

// passScan passes what a scan makes on to body, with the places. fd cannot fault, and r
// bounds what it makes.
func passScan(g *build.Builder, p *build.Pull, fd *Folding, r facts.Interval, body func(i, x ir.Expr)) {
	acc := g.Mutable("acc", p.Elem, fd.Zero)
	if p.Elem.Exact() {
		g.Ranges[acc] = r.Union(g.RangeOf(fd.Zero))
	}
	g.Sequence(p.Dims[0], func(i ir.Expr) {
		g.Emit(acc.Assign(step(g, fd, acc.Use(), g.Index(p, []ir.Expr{i}))))
		x := g.Let("x", acc.Use())
		if u, ok := x.(*ir.Use); ok && p.Elem.Exact() {
			g.Ranges[u.Var] = r
		}
		body(i, x)
	})
}

// lines runs body for each line along the last axis.
func lines(g *build.Builder, p *build.Pull, a int, body func(ix []ir.Expr)) {
	g.SegmapOrOnce(build.Without(p.Dims, a), body)
}

// testOf returns the test whose outcome, as a number, is what a function of two
// numbers gives, and a function of two truth values itself; nil where it gives something else.
func testOf(f *tail.Lam) *tail.Lam {
	if tail.TypeOf(f.Body).Elem == array.Bool {
		return f
	}
	b, ok := f.Body.(*tail.Apply)
	if !ok || b.Op != tail.OpB2I && b.Op != tail.OpB2D || len(f.Params) != 2 {
		return nil
	}
	return &tail.Lam{At: f.At, Params: f.Params, Body: b.Args[0]}
}

// testScan carries what the prefix before gives for 0 and for 1: all but the last term
// of a prefix are compared with 0 or 1.
func testScan(g *build.Builder, p *build.Pull, a int, f *tail.Lam, dst *ir.Buf) {
	put := func(all []ir.Expr, x ir.Expr) {
		g.Emit(dst.Store(g.RavelIndex(p.Dims, all), ir.ConvertTo(dst.Elem, x)))
	}
	lines(g, p, a, func(ix []ir.Expr) {
		g.Emit(&ir.If{Cond: g.Compare(ir.OpGt, p.Dims[a], ir.Integer(0)), Then: g.Block(func() {
			before := g.Mutable("before", p.Elem, g.Index(p, build.Inserted(ix, a, ir.Integer(0))))
			put(build.Inserted(ix, a, ir.Integer(0)), before.Use())
			zero := g.Mutable("zero", ir.U8, ir.Boolean(false))
			one := g.Mutable("one", ir.U8, ir.Boolean(true))
			after := func(test ir.Expr) ir.Expr { return &ir.Select{Cond: test, Then: one.Use(), Else: zero.Use()} }
			g.Sequence(g.Atom("n", ir.Sub(p.Dims[a], ir.Integer(1))), func(i ir.Expr) {
				all := build.Inserted(ix, a, g.Atom("j", ir.Add(i, ir.Integer(1))))
				x := g.Let("x", g.Index(p, all))
				put(all, ir.ConvertTo(p.Elem, after(g.Atom("t", g.Lam(f, before.Use(), x)))))
				f0 := g.Atom("f0", g.Lam(f, before.Use(), ir.ConvertTo(p.Elem, ir.Integer(0))))
				f1 := g.Atom("f1", g.Lam(f, before.Use(), ir.ConvertTo(p.Elem, ir.Integer(1))))
				n0, n1 := g.Let("n0", after(f0)), g.Let("n1", after(f1))
				g.Emit(zero.Assign(n0), one.Assign(n1), before.Assign(x))
			})
		})})
	})
}

// repeats reports whether the elements of p, which is e, are known to be the same
// along an axis.
func repeats(e tail.Expr, p *build.Pull, a int) bool {
	ix := make([]*elements.Axis, p.Rank())
	for i := range ix {
		ix[i] = &elements.Axis{}
	}
	el := (&elements.Element{Of: e, Ix: ix}).Settled()
	if of, ok := el.Of.(*tail.Apply); ok && of.Op == tail.OpReshape && tail.TypeOf(of.Args[1]).Dims() == 0 {
		return true
	}
	return !slices.Contains(el.Ix, ix[a])
}

// prefixScan reduces every prefix from its end: those along other axes than the last one together, as rows.
func prefixScan(g *build.Builder, p *build.Pull, a int, fd *Folding, dst *ir.Buf) {
	if a < p.Rank()-1 && dst.Elem == p.Elem && !p.Faults && !g.CanFault(fd.F) {
		prefixRows(g, p, a, fd, dst)
		return
	}
	g.Segmap(p.Dims, func(ix []ir.Expr) {
		prefix := *fd
		prefix.N = g.Atom("n", ir.Add(ix[a], ir.Integer(1)))
		x := Fold(g, &prefix, func(i ir.Expr) ir.Expr { return g.Index(p, build.Replaced(ix, a, i)) })
		g.Emit(dst.Store(g.RavelIndex(p.Dims, ix), ir.ConvertTo(dst.Elem, x)))
	})
}

// prefixRows is prefixScan along an axis with others behind it, where nothing faults.
func prefixRows(g *build.Builder, p *build.Pull, a int, fd *Folding, dst *ir.Buf) {
	g.Segmap(p.Dims[:a+1:a+1], func(ix []ir.Expr) {
		row := func(i ir.Expr, of func(x, acc ir.Expr) ir.Expr) {
			g.Segmap(p.Dims[a+1:], func(jx []ir.Expr) {
				at := g.Atom("at", g.RavelIndex(p.Dims, append(ix[:a+1:a+1], jx...)))
				x := g.Index(p, append(append(ix[:a:a], i), jx...))
				g.Emit(dst.Store(at, of(x, dst.Load(at))))
			})
		}
		row(ix[a], func(x, _ ir.Expr) ir.Expr { return x })
		g.Sequence(ix[a], func(i ir.Expr) {
			before := g.Atom("i", ir.Sub(ir.Sub(ix[a], ir.Integer(1)), i))
			row(before, func(x, acc ir.Expr) ir.Expr { return g.Lam(fd.F, x, acc) })
		})
	})
}

// scanRow is the longest known row whose elements are computed before it is
// scanned: the scan itself is no vector code.
const scanRow = 256

// rowOnStack stores the row of p at index ix of the leading axes, of n
// elements, and returns an array of p's shape that reads it.
func rowOnStack(g *build.Builder, p *build.Pull, ix []ir.Expr, n int64) *build.Pull {
	row := &ir.Buf{Name: "row", Elem: p.Elem, Stack: n}
	g.Emit(&ir.DeclBuf{Buf: row, Count: ir.Integer(n), Shape: []ir.Expr{ir.Integer(n)}, At: g.Src})
	g.Segmap([]ir.Expr{ir.Integer(n)}, func(jx []ir.Expr) {
		g.Emit(row.Store(jx[0], g.Index(p, append(ix[:len(ix):len(ix)], jx[0]))))
	})
	if p.Elem.Exact() {
		g.Bufs[row] = p.Rng
	}
	return build.View(p, p.Dims, func(all []ir.Expr) ir.Expr { return row.Load(all[len(all)-1]) })
}
