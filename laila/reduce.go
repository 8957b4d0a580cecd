package laila

import (
	"math"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// orderedOp is opOf for the function of e, a reduction or a scan: NoOp where it must
// be applied as it is written.
func orderedOp(e *tail.Apply, f *tail.Lam) tail.Op {
	if op := tail.OpOf(f); !op.Inexact() || !e.AsDefined() {
		return op
	}
	return tail.NoOp
}

// neutralOf returns the true neutral element of an associative op.
func neutralOf(op tail.Op) ir.Expr {
	switch op {
	case tail.OpAddI, tail.OpBitOr, tail.OpBitXor:
		return ir.Integer(0)
	case tail.OpMulI:
		return ir.Integer(1)
	case tail.OpMinI:
		return ir.Integer(math.MaxInt64)
	case tail.OpMaxI:
		return ir.Integer(math.MinInt64)
	case tail.OpBitAnd:
		return ir.Integer(-1)
	case tail.OpAddD:
		return &ir.Float{Val: 0}
	case tail.OpMulD:
		return &ir.Float{Val: 1}
	case tail.OpAddZ:
		return ir.Complex(0)
	case tail.OpMulZ:
		return ir.Complex(1)
	case tail.OpMinD:
		return &ir.Float{Val: math.Inf(1)}
	case tail.OpMaxD:
		return &ir.Float{Val: math.Inf(-1)}
	case tail.OpAndB, tail.OpEqB:
		return ir.Boolean(true)
	case tail.OpOrB, tail.OpXorB:
		return ir.Boolean(false)
	}
	return nil
}

// folding is a reduction along an axis of n elements.
type folding struct {
	at      *tail.Apply
	f       *tail.Lam
	n       ir.Expr
	kind    ir.Kind
	rng     facts.Interval // of the elements
	neutral ir.Expr        // nil when the axis is not empty
	zero    ir.Expr        // the true neutral element of an associative op, or nil
	op      tail.Op
	chain   tail.Expr // the body of the function that extends a chain, or nil
	plain   bool      // terms are from the first to the last, whatever they are
	planes  bool      // neighbours read the terms beside these: an expression reads all of a place
}

// unrollLimit is the longest known axis whose reduction becomes an expression.
const unrollLimit = 4

// folding prepares the reduction e, whose axis has n elements; neutral is nil where
// the axis must not be empty, which is tested where no extent of dims is 0.
func (g *gen) folding(e *tail.Apply, f *tail.Lam, n ir.Expr, dims []ir.Expr, k ir.Kind, rng facts.Interval, neutral ir.Expr) *folding {
	f = unmasked(f, rng)
	fd := &folding{at: e, f: f, n: n, kind: k, rng: rng, neutral: neutral, op: orderedOp(e, f)}
	if fd.op != tail.NoOp && fd.op.Row().Assoc {
		fd.zero = neutralOf(fd.op)
	}
	empty := g.Compare(ir.OpEq, n, ir.Integer(0))
	if neutral == nil {
		for _, d := range dims {
			if some := g.Compare(ir.OpNe, d, ir.Integer(0)); !ir.IsInt(some, 1) {
				empty = ir.OpAnd.Of(empty, some)
			}
		}
		g.failIf(empty, tail.FaultEmptyReduce, siteOf(e), nil)
	} else if ir.IsInt(empty, 0) || fd.zero != nil && ir.Same(neutral, fd.zero) || isZero(neutral, fd.zero) {
		fd.neutral = nil
	} else {
		fd.neutral = g.atom("neutral", neutral)
	}
	fd.tighten()
	return fd
}

// tighten replaces the neutral element of a minimum or maximum by the end of
// the elements' range, which narrow storage can hold.
func (fd *folding) tighten() {
	switch {
	case fd.kind != ir.I64:
	case fd.op == tail.OpMinI:
		fd.zero = ir.Integer(fd.rng.Hi)
	case fd.op == tail.OpMaxI:
		fd.zero = ir.Integer(fd.rng.Lo)
	}
}

func isZero(x, y ir.Expr) bool {
	f, ok := x.(*ir.Float)
	h, ok2 := y.(*ir.Float)
	return ok && ok2 && f.Val == 0 && h.Val == 0
}

// accRange bounds the partial results of a forward reduction.
func (fd *folding) accRange(g *gen) (facts.Interval, bool) {
	if !fd.kind.Exact() {
		return facts.AnyInt, false
	}
	if fd.kind == ir.U8 {
		return facts.Between(0, 1), true
	}
	switch fd.op {
	case tail.OpAddI:
		n := g.RangeOf(fd.n).Hi
		lo, ok1 := facts.MulInt(min(fd.rng.Lo, 0), n)
		hi, ok2 := facts.MulInt(max(fd.rng.Hi, 0), n)
		return facts.Between(lo, hi), ok1 && ok2
	case tail.OpBitAnd, tail.OpBitOr, tail.OpBitXor:
		if fd.rng.Lo >= 0 && fd.op != tail.OpBitAnd {
			r, _ := facts.Arith(ir.OpOr, fd.rng, fd.rng)
			return r, true
		}
	}
	return facts.AnyInt, false
}

// resultRange bounds the result.
func (fd *folding) resultRange(g *gen) facts.Interval {
	r, ok := fd.accRange(g)
	switch fd.op {
	case tail.OpMinI, tail.OpMaxI:
		if fd.neutral == nil {
			return fd.rng
		}
	}
	if !ok {
		return facts.RangeOfKind(fd.kind)
	}
	if fd.neutral != nil {
		r = r.Union(g.RangeOf(fd.neutral))
	}
	return r
}

// step returns f applied in forward order.
func (g *gen) step(fd *folding, acc, x ir.Expr) ir.Expr { return g.lam(fd.f, acc, x) }

// stepAt is step with an element of p, which may be terms of a chain.
func (g *gen) stepAt(fd *folding, acc ir.Expr, p *pull, ix []ir.Expr) ir.Expr {
	if p.extend != nil {
		return p.extend(acc, ix)
	}
	return g.step(fd, acc, g.index(p, ix))
}

// fold reduces the elements that read gives, in the current block.
func (g *gen) fold(fd *folding, read func(i ir.Expr) ir.Expr) ir.Expr {
	if n, ok := ir.IntOf(fd.n); ok && n > 0 && (n <= unrollLimit || fd.planes) {
		if fd.sums() {
			return g.foldTogether(fd, n, read)
		}
		acc := read(ir.Integer(n - 1))
		for i := n - 2; i >= 0; i-- {
			acc = g.lam(fd.f, read(ir.Integer(i)), acc)
		}
		return acc
	}
	if g.neighbours(fd, read) {
		n, _ := ir.IntOf(fd.n)
		if fd.sums() {
			return g.foldTogether(fd, n, read)
		}
		acc := read(ir.Integer(n - 1))
		for i := n - 2; i >= 0; i-- {
			acc = g.keep(g.lam(fd.f, read(ir.Integer(i)), acc))
		}
		return acc
	}
	if g.unrolls(fd, read) {
		n, _ := ir.IntOf(fd.n)
		return g.foldTogether(fd, n, read)
	}
	if fd.zero != nil {
		return g.foldForward(fd, func(out *ir.Var) {
			g.guarded(func() { g.segredOver(fd, fd.n, out, read) })
		})
	}
	return g.foldBackward(fd, read)
}

// foldTogether is an expression that reduces n elements in order.
func (g *gen) foldTogether(fd *folding, n int64, read func(i ir.Expr) ir.Expr) ir.Expr {
	lanes := n
	if fd.ordered() {
		lanes = num.Lanes
	}
	var accs []ir.Expr
	for i := range n {
		if i < lanes {
			accs = append(accs, read(ir.Integer(i)))
		} else {
			accs[i%lanes] = g.keep(g.step(fd, accs[i%lanes], read(ir.Integer(i))))
		}
	}
	acc := accs[0]
	for _, x := range accs[1:] {
		acc = g.keep(g.step(fd, acc, x))
	}
	return acc
}

func (g *gen) foldForward(fd *folding, loop func(acc *ir.Var)) ir.Expr {
	acc := g.accumulator(fd)
	outer := g.untested
	if fd.sums() {
		g.untested = append(outer[:len(outer):len(outer)], fd.f.Body, fd.chain)
	}
	loop(acc)
	g.untested = outer
	if fd.neutral != nil {
		g.emit(&ir.If{Cond: ir.OpEq.Of(fd.n, ir.Integer(0)), Then: []ir.Stmt{acc.Assign(fd.neutral)}})
	}
	return g.result(fd, acc)
}

func (g *gen) accumulator(fd *folding) *ir.Var {
	acc := g.mutable("acc", fd.kind, fd.zero)
	if r, ok := fd.accRange(g); ok {
		g.Ranges[acc] = r
	}
	return acc
}

// result fixes what an accumulator has reached.
func (g *gen) result(fd *folding, acc *ir.Var) ir.Expr {
	v := g.NewVar("r", fd.kind)
	if fd.kind.Exact() {
		g.Ranges[v] = fd.resultRange(g)
	}
	g.emit(v.Decl(acc.Use()))
	if fd.sums() {
		return g.number(v.Use(), fd.site())
	}
	return v.Use()
}

// sums reports whether fd adds or multiplies doubles or complex numbers: what is
// infinite stays so, and one test of the result finds it.
func (fd *folding) sums() bool {
	switch fd.op {
	case tail.OpAddD, tail.OpMulD, tail.OpAddZ, tail.OpMulZ:
		return fd.at != nil
	}
	return false
}

// site is where the function of fd stands.
func (fd *folding) site() site {
	if a, ok := fd.f.Body.(*tail.Apply); ok && a.Where.Valid() {
		return siteOf(a)
	}
	return siteOf(fd.at)
}

// foldBackward goes from the last element to the first.
func (g *gen) foldBackward(fd *folding, read func(i ir.Expr) ir.Expr) ir.Expr {
	acc := g.NewVar("acc", fd.kind)
	g.emit(acc.Decl(nil))
	last := ir.Sub(fd.n, ir.Integer(1))
	run := func() {
		g.emit(acc.Assign(read(last)))
		g.sequence(g.atom("n", last), func(i ir.Expr) {
			g.emit(acc.Assign(g.lam(fd.f, read(ir.Sub(ir.Sub(last, ir.Integer(1)), i)), acc.Use())))
		})
	}
	if fd.neutral == nil {
		g.emit(g.plain(run)...)
	} else {
		g.emit(&ir.If{Cond: ir.OpEq.Of(fd.n, ir.Integer(0)), Then: []ir.Stmt{acc.Assign(fd.neutral)}, Else: g.block(run)})
	}
	return g.result(fd, acc)
}

// reduce lowers reduce and reduce1.
func (g *gen) reduce(e *tail.Apply, args []*value) *value {
	f := tail.LamOf(e.Args[0])
	v := args[len(args)-1]
	if v.x != nil {
		return v
	}
	p, a := v.arr, e.Axis
	var neutral ir.Expr
	if e.Op == tail.OpReduce {
		neutral = args[1].x
	}
	fd := g.folding(e, f, p.dims[a], nil, p.elem, p.rng, neutral)
	if g.impure(f) {
		g.force()
		g.materialise(p)
	}
	if p.rank() > 1 {
		q := g.reduceAxis(p, a, fd)
		if g.impure(f) { // whether or not its elements are used
			g.stepwise(func() { g.materialise(q) })
		}
		return array1(q)
	}
	if p.drive != nil && fd.zero != nil {
		return scalar1(g.foldForward(fd, func(acc *ir.Var) {
			if fd.ordered() {
				g.streamed(fd, acc, p.drive)
				return
			}
			p.drive(func(x ir.Expr) { g.emit(acc.Assign(g.step(fd, acc.Use(), x))) })
		}))
	}
	g.pullable(p)
	if n, ok := ir.IntOf(fd.n); fd.zero != nil && g.nest == nil && !(ok && n <= unrollLimit) {
		return scalar1(g.segred(fd, p))
	}
	read := func(i ir.Expr) ir.Expr { return g.index(p, []ir.Expr{i}) }
	if !g.impure(f) {
		return scalar1(g.fold(fd, read))
	}
	var r ir.Expr
	g.stepwise(func() { r = g.fold(fd, read) })
	return scalar1(r)
}

// segred reduces a vector in a parallel nest.
func (g *gen) segred(fd *folding, p *pull) ir.Expr {
	return g.foldForward(fd, func(out *ir.Var) {
		g.guarded(func() {
			g.segredOver(fd, p.dims[0], out, func(i ir.Expr) ir.Expr { return g.index(p, []ir.Expr{i}) })
		})
	})
}

// segredOver accumulates n elements in out.
func (g *gen) segredOver(fd *folding, n ir.Expr, out *ir.Var, read func(i ir.Expr) ir.Expr) {
	g.segredSteps(fd, n, out, func(acc, i ir.Expr) ir.Expr { return g.step(fd, acc, read(i)) })
}

// segredSteps is segredOver where step adds element i to what there is.
func (g *gen) segredSteps(fd *folding, n ir.Expr, out *ir.Var, step func(acc, i ir.Expr) ir.Expr) {
	it := &iteration{g: g, dims: []ir.Expr{n}, nest: g.nest.find == nil, whole: fd.ordered()}
	acc := out
	if it.nest {
		it.open = func() *ir.Nest {
			acc = g.NewVar("acc", fd.kind)
			if r, ok := fd.accRange(g); ok {
				g.Ranges[acc] = r
			}
			return &ir.Nest{Kind: ir.SegRed, Accs: []ir.Acc{g.acc(fd, acc)},
				Pre: []ir.Stmt{acc.Decl(out.Use())}, Post: []ir.Stmt{out.Assign(acc.Use())}}
		}
	}
	it.body = func(ix []ir.Expr) {
		acc := acc
		g.emit(acc.Assign(step(acc.Use(), ix[0])))
	}
	it.serial = func() { acc = out }
	it.run()
}

// acc describes an accumulator.
func (g *gen) acc(fd *folding, v *ir.Var) ir.Acc {
	a := ir.Acc{Var: v, Left: g.NewVar("x", fd.kind), Right: g.NewVar("y", fd.kind), Neutral: fd.zero, Exact: fd.kind.Exact()}
	x, y := a.Left.Use(), a.Right.Use()
	switch fd.op {
	case tail.OpAddI:
		a.Combine = ir.OpAdd.Of(x, y)
	case tail.OpMulI:
		a.Combine = ir.OpMul.Of(x, y)
	case tail.OpEqB:
		a.Combine = ir.Not(ir.OpXor.Of(x, y))
	case tail.OpAddZ, tail.OpMulZ:
		a.Combine = &ir.Math{Fn: complexOps[fd.op].fn, K: ir.C64, Args: []ir.Expr{x, y}}
	default:
		a.Combine = plainOps[fd.op].Of(x, y)
	}
	return a
}

// rowReadLimit is the longest known axis, not the last, that is reduced an
// element at a time rather than a row at a time.
const rowReadLimit = 8

// planesLimit is the longest known axis, not the last, whose reduction becomes an
// expression: a loop over the places of few planes reads all of them at once, which are
// as many streams as processors fetch ahead. planeCost is what an element may cost then.
const (
	planesLimit = num.Lanes
	planeCost   = 6
)

// fewColumns is the largest number of columns that are reduced by nests of
// their own, which are joined later.
const fewColumns = 16

// reduceAxis reduces an array of rank two or more.
func (g *gen) reduceAxis(p *pull, a int, fd *folding) *pull {
	dims := without(p.dims, a)
	q := &pull{elem: fd.kind, dims: dims, rng: fd.resultRange(g), faults: p.faults || g.canFault(fd.f), srcs: []*pull{p}}
	n, known := ir.IntOf(fd.n)
	q.cost = 50 * (p.cost + 1)
	if known {
		q.cost = int(min(n, 1000)) * (p.cost + g.lamCost(fd.f))
	}
	g.pullable(p)
	last := a == p.rank()-1
	if g.asProduct(p, a, fd, q) {
		return q
	}
	if q.fill = g.groupCounts(p, a, fd); q.fill != nil {
		return q
	}
	if q.fill = g.valueCounts(p, a, fd); q.fill != nil {
		return q
	}
	if last && !(known && n <= rowReadLimit) && fd.zero != nil && p.cost <= 16 && g.far(p, a) && !g.far(p, a-1) {
		// Rows of the result as accumulators read memory in order.
		q.fill = func(dst *ir.Buf) {
			g.reduceRows(exchanged(p, func(ix []ir.Expr) ir.Expr { return g.index(p, ix) }), a-1, fd, dst)
		}
		return q
	}
	row, short := ir.IntOf(ir.Product(dims[a:]))
	short = short && row <= smallRow && p.buf == nil && p.cost <= 4 && fd.zero != nil && !last && !g.far(p, a)
	if columns, ok := ir.IntOf(ir.Product(dims)); short && ok && a == 0 && p.rank() == 2 && columns <= fewColumns && g.CPU() && !p.faults {
		q.fill = func(dst *ir.Buf) {
			for j := int64(0); j < columns; j++ {
				x := g.fold(fd, func(i ir.Expr) ir.Expr { return g.index(p, []ir.Expr{i, ir.Integer(j)}) })
				g.emit(dst.Store(ir.Integer(j), ir.ConvertTo(dst.Elem, x)))
			}
		}
		return q
	}
	fd.planes = known && n > 0 && n <= planesLimit && !last && !short && (p.buf != nil || p.cost <= planeCost) && g.Vectors() && g.On("unroll")
	if last || short || known && n > 0 && n <= rowReadLimit || fd.planes {
		q.at = func(ix []ir.Expr) ir.Expr {
			return g.fold(fd, func(i ir.Expr) ir.Expr { return g.index(p, inserted(ix, a, i)) })
		}
		return q
	}
	q.fill = func(dst *ir.Buf) { g.reduceRows(p, a, fd, dst) }
	return q
}

// reduceRows reduces an axis that is not the last: rows of the result are
// accumulators.
func (g *gen) reduceRows(p *pull, a int, fd *folding, dst *ir.Buf) {
	if fd.ordered() && g.nest == nil {
		g.guarded(func() { g.reduceRows(p, a, fd, dst) })
		return
	} else if fd.ordered() && g.nest.find == nil {
		g.orderedRows(p, a, fd, dst)
		return
	}
	lead, rest := p.dims[:a:a], p.dims[a+1:]
	dims := without(p.dims, a)
	rows := func(ix []ir.Expr, write func(at ir.Expr, jx []ir.Expr)) {
		g.segmap(rest, func(jx []ir.Expr) {
			all := append(ix[:len(ix):len(ix)], jx...)
			write(g.atom("at", g.ravelIndex(dims, all)), jx)
		})
	}
	acc := func(at ir.Expr) ir.Expr { return ir.ConvertTo(fd.kind, dst.Load(at)) }
	put := func(at, x ir.Expr) { g.emit(dst.Store(at, ir.ConvertTo(dst.Elem, x))) }
	index := func(ix []ir.Expr, i ir.Expr, jx []ir.Expr) []ir.Expr {
		return append(append(ix[:len(ix):len(ix)], i), jx...)
	}
	each := func(ix []ir.Expr) {
		if fd.zero != nil {
			start := fd.zero
			if fd.neutral != nil {
				start = ir.Choose(ir.OpEq.Of(fd.n, ir.Integer(0)), fd.neutral, fd.zero)
			}
			rows(ix, func(at ir.Expr, jx []ir.Expr) { put(at, start) })
			g.rowLoop(fd.n, func(i ir.Expr) {
				rows(ix, func(at ir.Expr, jx []ir.Expr) { put(at, g.stepAt(fd, g.bounded(fd, acc(at)), p, index(ix, i, jx))) })
			})
			return
		}
		last := g.atom("n", ir.Sub(fd.n, ir.Integer(1)))
		if fd.neutral != nil {
			rows(ix, func(at ir.Expr, jx []ir.Expr) {
				put(at, g.ifElse(ir.OpEq.Of(fd.n, ir.Integer(0)), func() ir.Expr { return fd.neutral },
					func() ir.Expr { return g.index(p, index(ix, last, jx)) }))
			})
		} else {
			rows(ix, func(at ir.Expr, jx []ir.Expr) { put(at, g.index(p, index(ix, last, jx))) })
		}
		g.rowLoop(last, func(i ir.Expr) {
			rows(ix, func(at ir.Expr, jx []ir.Expr) {
				put(at, g.lam(fd.f, g.index(p, index(ix, ir.Sub(ir.Sub(last, ir.Integer(1)), i), jx)), acc(at)))
			})
		})
	}
	switch {
	case len(lead) == 0 && len(rest) == 1 && g.On("panels") && g.nest == nil && fd.zero != nil && fd.neutral == nil:
		g.reducePanels(p, fd, dst)
	case len(lead) == 0:
		g.guarded(func() { each(nil) })
	default:
		g.segmap(lead, each)
	}
}

// bounded returns a partial result, with its range when it is known.
func (g *gen) bounded(fd *folding, x ir.Expr) ir.Expr {
	r, ok := fd.accRange(g)
	if !ok || !fd.kind.Exact() {
		return x
	}
	if c, isConvert := x.(*ir.Convert); isConvert && x.Kind() == ir.I64 && c.X.Kind() != ir.F64 {
		v := g.let("acc", c.X).(*ir.Use)
		g.Ranges[v.Var] = r
		return ir.ConvertTo(ir.I64, v)
	}
	if u, ok := x.(*ir.Use); ok && g.RangeOf(u) == r {
		return x
	}
	v := g.let("acc", x)
	if u, ok := v.(*ir.Use); ok {
		g.Ranges[u.Var] = r
	}
	return v
}

// rowLoop is a sequential loop around parallel nests.
func (g *gen) rowLoop(n ir.Expr, body func(i ir.Expr)) {
	inside := g.nest.inside
	v := g.loopVar(ir.Integer(0), n, nil)
	stmts := g.block(func() {
		g.nest.inside = inside
		body(v.Use())
	})
	g.nest.inside = inside
	g.emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: n, Body: stmts})
}
