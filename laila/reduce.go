package laila

import (
	"math"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// opOf returns the op that f applies to its two parameters, or NoOp.
func opOf(f *tail.Lam) tail.Op {
	e, ok := f.Body.(*tail.Apply)
	if !ok || len(e.Args) != 2 || len(f.Params) != 2 || !e.Op.Row().Scalar {
		return tail.NoOp
	}
	x, okx := e.Args[0].(*tail.Ref)
	y, oky := e.Args[1].(*tail.Ref)
	switch {
	case !okx || !oky:
	case x.Var == f.Params[0] && y.Var == f.Params[1]:
		return e.Op
	case x.Var == f.Params[1] && y.Var == f.Params[0] && e.Op.Row().Commut && !e.Op.Inexact():
		return e.Op
	}
	return tail.NoOp
}

// orderedOp is opOf for the function of e, a reduction or a scan: NoOp where it must
// be applied as it is written.
func orderedOp(e *tail.Apply, f *tail.Lam) tail.Op {
	if op := opOf(f); !op.Inexact() || !e.AsDefined() {
		return op
	}
	return tail.NoOp
}

// neutralOf returns the true neutral element of an associative op.
func neutralOf(op tail.Op) Expr {
	switch op {
	case tail.OpAddI, tail.OpBitOr, tail.OpBitXor:
		return integer(0)
	case tail.OpMulI:
		return integer(1)
	case tail.OpMinI:
		return integer(math.MaxInt64)
	case tail.OpMaxI:
		return integer(math.MinInt64)
	case tail.OpBitAnd:
		return integer(-1)
	case tail.OpAddD:
		return &Float{0}
	case tail.OpMulD:
		return &Float{1}
	case tail.OpAddZ:
		return complexNumber(0)
	case tail.OpMulZ:
		return complexNumber(1)
	case tail.OpMinD:
		return &Float{math.Inf(1)}
	case tail.OpMaxD:
		return &Float{math.Inf(-1)}
	case tail.OpAndB, tail.OpEqB:
		return boolean(true)
	case tail.OpOrB, tail.OpXorB:
		return boolean(false)
	}
	return nil
}

// folding is a reduction along an axis of n elements.
type folding struct {
	at      *tail.Apply
	f       *tail.Lam
	n       Expr
	kind    Kind
	rng     interval // of the elements
	neutral Expr     // nil when the axis is not empty
	zero    Expr     // the true neutral element of an associative op, or nil
	op      tail.Op
	chain   tail.Expr // the body of the function that extends a chain, or nil
	plain   bool      // terms are from the first to the last, whatever they are
}

// unrollLimit is the longest known axis whose reduction becomes an expression.
const unrollLimit = 4

// folding prepares the reduction e, whose axis has n elements; neutral is nil where
// the axis must not be empty, which is tested where no extent of dims is 0.
func (g *gen) folding(e *tail.Apply, f *tail.Lam, n Expr, dims []Expr, k Kind, rng interval, neutral Expr) *folding {
	f = unmasked(f, rng)
	fd := &folding{at: e, f: f, n: n, kind: k, rng: rng, neutral: neutral, op: orderedOp(e, f)}
	if fd.op != tail.NoOp && fd.op.Row().Assoc {
		fd.zero = neutralOf(fd.op)
	}
	empty := g.compare(Eq, n, integer(0))
	if neutral == nil {
		for _, d := range dims {
			if some := g.compare(Ne, d, integer(0)); !isInt(some, 1) {
				empty = &Binary{And, empty, some}
			}
		}
		g.failIf(empty, tail.FaultEmptyReduce, siteOf(e), nil)
	} else if isInt(empty, 0) || fd.zero != nil && same(neutral, fd.zero) || isZero(neutral, fd.zero) {
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
	case fd.kind != I64:
	case fd.op == tail.OpMinI:
		fd.zero = integer(fd.rng.hi)
	case fd.op == tail.OpMaxI:
		fd.zero = integer(fd.rng.lo)
	}
}

func isZero(x, y Expr) bool {
	f, ok := x.(*Float)
	h, ok2 := y.(*Float)
	return ok && ok2 && f.Val == 0 && h.Val == 0
}

// accRange bounds the partial results of a forward reduction.
func (fd *folding) accRange(g *gen) (interval, bool) {
	if !fd.kind.exact() {
		return anyInt, false
	}
	if fd.kind == U8 {
		return interval{0, 1}, true
	}
	switch fd.op {
	case tail.OpAddI:
		n := g.rangeOf(fd.n).hi
		lo, ok1 := mulInt(min(fd.rng.lo, 0), n)
		hi, ok2 := mulInt(max(fd.rng.hi, 0), n)
		return interval{lo, hi}, ok1 && ok2
	case tail.OpBitAnd, tail.OpBitOr, tail.OpBitXor:
		if fd.rng.lo >= 0 && fd.op != tail.OpBitAnd {
			r, _ := arith(Or, fd.rng, fd.rng)
			return r, true
		}
	}
	return anyInt, false
}

// resultRange bounds the result.
func (fd *folding) resultRange(g *gen) interval {
	r, ok := fd.accRange(g)
	switch fd.op {
	case tail.OpMinI, tail.OpMaxI:
		if fd.neutral == nil {
			return fd.rng
		}
	}
	if !ok {
		return rangeOfKind(fd.kind)
	}
	if fd.neutral != nil {
		r = r.union(g.rangeOf(fd.neutral))
	}
	return r
}

// step returns f applied in forward order.
func (g *gen) step(fd *folding, acc, x Expr) Expr { return g.lam(fd.f, acc, x) }

// stepAt is step with an element of p, which may be terms of a chain.
func (g *gen) stepAt(fd *folding, acc Expr, p *pull, ix []Expr) Expr {
	if p.extend != nil {
		return p.extend(acc, ix)
	}
	return g.step(fd, acc, g.index(p, ix))
}

// fold reduces the elements that read gives, in the current block.
func (g *gen) fold(fd *folding, read func(i Expr) Expr) Expr {
	if n, ok := intOf(fd.n); ok && n > 0 && n <= unrollLimit {
		if fd.sums() {
			return g.foldTogether(fd, n, read)
		}
		acc := read(integer(n - 1))
		for i := n - 2; i >= 0; i-- {
			acc = g.lam(fd.f, read(integer(i)), acc)
		}
		return acc
	}
	if g.neighbours(fd, read) {
		n, _ := intOf(fd.n)
		if fd.sums() {
			return g.foldTogether(fd, n, read)
		}
		acc := read(integer(n - 1))
		for i := n - 2; i >= 0; i-- {
			acc = g.keep(g.lam(fd.f, read(integer(i)), acc))
		}
		return acc
	}
	if g.unrolls(fd, read) {
		n, _ := intOf(fd.n)
		return g.foldTogether(fd, n, read)
	}
	if fd.zero != nil {
		return g.foldForward(fd, func(out *Var) {
			g.guarded(func() { g.segredOver(fd, fd.n, out, read) })
		})
	}
	return g.foldBackward(fd, read)
}

// foldTogether is an expression that reduces n elements in order.
func (g *gen) foldTogether(fd *folding, n int64, read func(i Expr) Expr) Expr {
	lanes := n
	if fd.ordered() {
		lanes = num.Lanes
	}
	var accs []Expr
	for i := range n {
		if i < lanes {
			accs = append(accs, read(integer(i)))
		} else {
			accs[i%lanes] = g.keep(g.step(fd, accs[i%lanes], read(integer(i))))
		}
	}
	acc := accs[0]
	for _, x := range accs[1:] {
		acc = g.keep(g.step(fd, acc, x))
	}
	return acc
}

func (g *gen) foldForward(fd *folding, loop func(acc *Var)) Expr {
	acc := g.accumulator(fd)
	outer := g.untested
	if fd.sums() {
		g.untested = append(outer[:len(outer):len(outer)], fd.f.Body, fd.chain)
	}
	loop(acc)
	g.untested = outer
	if fd.neutral != nil {
		g.emit(&If{Cond: &Binary{Eq, fd.n, integer(0)}, Then: []Stmt{&Assign{acc, fd.neutral}}})
	}
	return g.result(fd, acc)
}

func (g *gen) accumulator(fd *folding) *Var {
	acc := g.mutable("acc", fd.kind, fd.zero)
	if r, ok := fd.accRange(g); ok {
		g.ranges[acc] = r
	}
	return acc
}

// result fixes what an accumulator has reached.
func (g *gen) result(fd *folding, acc *Var) Expr {
	v := g.newVar("r", fd.kind)
	if fd.kind.exact() {
		g.ranges[v] = fd.resultRange(g)
	}
	g.emit(&Decl{v, &Use{acc}})
	if fd.sums() {
		return g.number(&Use{v}, fd.site())
	}
	return &Use{v}
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
func (g *gen) foldBackward(fd *folding, read func(i Expr) Expr) Expr {
	acc := g.newVar("acc", fd.kind)
	g.emit(&Decl{acc, nil})
	last := sub(fd.n, integer(1))
	run := func() {
		g.emit(&Assign{acc, read(last)})
		g.sequence(g.atom("n", last), func(i Expr) {
			g.emit(&Assign{acc, g.lam(fd.f, read(sub(sub(last, integer(1)), i)), &Use{acc})})
		})
	}
	if fd.neutral == nil {
		g.emit(g.plain(run)...)
	} else {
		g.emit(&If{&Binary{Eq, fd.n, integer(0)}, []Stmt{&Assign{acc, fd.neutral}}, g.block(run)})
	}
	return g.result(fd, acc)
}

// reduce lowers reduce and reduce1.
func (g *gen) reduce(e *tail.Apply, args []*value) *value {
	f := lamOf(e.Args[0])
	v := args[len(args)-1]
	if v.x != nil {
		return v
	}
	p, a := v.arr, e.Axis
	var neutral Expr
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
		return scalar1(g.foldForward(fd, func(acc *Var) {
			if fd.ordered() {
				g.streamed(fd, acc, p.drive)
				return
			}
			p.drive(func(x Expr) { g.emit(&Assign{acc, g.step(fd, &Use{acc}, x)}) })
		}))
	}
	g.pullable(p)
	if n, ok := intOf(fd.n); fd.zero != nil && g.nest == nil && !(ok && n <= unrollLimit) {
		return scalar1(g.segred(fd, p))
	}
	read := func(i Expr) Expr { return g.index(p, []Expr{i}) }
	if !g.impure(f) {
		return scalar1(g.fold(fd, read))
	}
	var r Expr
	g.stepwise(func() { r = g.fold(fd, read) })
	return scalar1(r)
}

// segred reduces a vector in a parallel nest.
func (g *gen) segred(fd *folding, p *pull) Expr {
	return g.foldForward(fd, func(out *Var) {
		g.guarded(func() {
			g.segredOver(fd, p.dims[0], out, func(i Expr) Expr { return g.index(p, []Expr{i}) })
		})
	})
}

// segredOver accumulates n elements in out.
func (g *gen) segredOver(fd *folding, n Expr, out *Var, read func(i Expr) Expr) {
	g.segredSteps(fd, n, out, func(acc, i Expr) Expr { return g.step(fd, acc, read(i)) })
}

// segredSteps is segredOver where step adds element i to what there is.
func (g *gen) segredSteps(fd *folding, n Expr, out *Var, step func(acc, i Expr) Expr) {
	it := &iteration{g: g, dims: []Expr{n}, nest: g.nest.find == nil, whole: fd.ordered()}
	acc := out
	if it.nest {
		it.open = func() *Nest {
			acc = g.newVar("acc", fd.kind)
			if r, ok := fd.accRange(g); ok {
				g.ranges[acc] = r
			}
			return &Nest{Kind: SegRed, Accs: []Acc{g.acc(fd, acc)},
				Pre: []Stmt{&Decl{acc, &Use{out}}}, Post: []Stmt{&Assign{out, &Use{acc}}}}
		}
	}
	it.body = func(ix []Expr) {
		acc := acc
		g.emit(&Assign{acc, step(&Use{acc}, ix[0])})
	}
	it.serial = func() { acc = out }
	it.run()
}

// acc describes an accumulator.
func (g *gen) acc(fd *folding, v *Var) Acc {
	a := Acc{Var: v, Left: g.newVar("x", fd.kind), Right: g.newVar("y", fd.kind), Neutral: fd.zero, Exact: fd.kind.exact()}
	x, y := &Use{a.Left}, &Use{a.Right}
	switch fd.op {
	case tail.OpAddI:
		a.Combine = &Binary{Add, x, y}
	case tail.OpMulI:
		a.Combine = &Binary{Mul, x, y}
	case tail.OpEqB:
		a.Combine = not(&Binary{Xor, x, y})
	case tail.OpAddZ, tail.OpMulZ:
		a.Combine = &Math{complexOps[fd.op].fn, C64, []Expr{x, y}}
	default:
		a.Combine = &Binary{plainOps[fd.op], x, y}
	}
	return a
}

// rowReadLimit is the longest known axis, not the last, that is reduced an
// element at a time rather than a row at a time.
const rowReadLimit = 8

// fewColumns is the largest number of columns that are reduced by nests of
// their own, which are joined later.
const fewColumns = 16

// reduceAxis reduces an array of rank two or more.
func (g *gen) reduceAxis(p *pull, a int, fd *folding) *pull {
	dims := without(p.dims, a)
	q := &pull{elem: fd.kind, dims: dims, rng: fd.resultRange(g), faults: p.faults || g.canFault(fd.f), srcs: []*pull{p}}
	n, known := intOf(fd.n)
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
		q.fill = func(dst *Buf) {
			g.reduceRows(exchanged(p, func(ix []Expr) Expr { return g.index(p, ix) }), a-1, fd, dst)
		}
		return q
	}
	row, short := intOf(product(dims[a:]))
	short = short && row <= smallRow && p.buf == nil && p.cost <= 4 && fd.zero != nil && !last && !g.far(p, a)
	if columns, ok := intOf(product(dims)); short && ok && a == 0 && p.rank() == 2 && columns <= fewColumns && g.opts.Tile && !p.faults {
		q.fill = func(dst *Buf) {
			for j := int64(0); j < columns; j++ {
				x := g.fold(fd, func(i Expr) Expr { return g.index(p, []Expr{i, integer(j)}) })
				g.emit(&Store{dst, integer(j), convert(dst.Elem, x)})
			}
		}
		return q
	}
	if last || short || known && n > 0 && n <= rowReadLimit {
		q.at = func(ix []Expr) Expr {
			return g.fold(fd, func(i Expr) Expr { return g.index(p, inserted(ix, a, i)) })
		}
		return q
	}
	q.fill = func(dst *Buf) { g.reduceRows(p, a, fd, dst) }
	return q
}

// reduceRows reduces an axis that is not the last: rows of the result are
// accumulators.
func (g *gen) reduceRows(p *pull, a int, fd *folding, dst *Buf) {
	if fd.ordered() && g.nest == nil {
		g.guarded(func() { g.reduceRows(p, a, fd, dst) })
		return
	} else if fd.ordered() && g.nest.find == nil {
		g.orderedRows(p, a, fd, dst)
		return
	}
	lead, rest := p.dims[:a:a], p.dims[a+1:]
	dims := without(p.dims, a)
	rows := func(ix []Expr, write func(at Expr, jx []Expr)) {
		g.segmap(rest, func(jx []Expr) {
			all := append(ix[:len(ix):len(ix)], jx...)
			write(g.atom("at", g.ravelIndex(dims, all)), jx)
		})
	}
	acc := func(at Expr) Expr { return convert(fd.kind, &Load{dst, at}) }
	put := func(at, x Expr) { g.emit(&Store{dst, at, convert(dst.Elem, x)}) }
	index := func(ix []Expr, i Expr, jx []Expr) []Expr {
		return append(append(ix[:len(ix):len(ix)], i), jx...)
	}
	each := func(ix []Expr) {
		if fd.zero != nil {
			start := fd.zero
			if fd.neutral != nil {
				start = choose(&Binary{Eq, fd.n, integer(0)}, fd.neutral, fd.zero)
			}
			rows(ix, func(at Expr, jx []Expr) { put(at, start) })
			g.rowLoop(fd.n, func(i Expr) {
				rows(ix, func(at Expr, jx []Expr) { put(at, g.stepAt(fd, g.bounded(fd, acc(at)), p, index(ix, i, jx))) })
			})
			return
		}
		last := g.atom("n", sub(fd.n, integer(1)))
		if fd.neutral != nil {
			rows(ix, func(at Expr, jx []Expr) {
				put(at, g.ifElse(&Binary{Eq, fd.n, integer(0)}, func() Expr { return fd.neutral },
					func() Expr { return g.index(p, index(ix, last, jx)) }))
			})
		} else {
			rows(ix, func(at Expr, jx []Expr) { put(at, g.index(p, index(ix, last, jx))) })
		}
		g.rowLoop(last, func(i Expr) {
			rows(ix, func(at Expr, jx []Expr) {
				put(at, g.lam(fd.f, g.index(p, index(ix, sub(sub(last, integer(1)), i), jx)), acc(at)))
			})
		})
	}
	switch {
	case len(lead) == 0 && len(rest) == 1 && g.opts.Tile && g.on("panels") && g.nest == nil && fd.zero != nil && fd.neutral == nil:
		g.reducePanels(p, fd, dst)
	case len(lead) == 0:
		g.guarded(func() { each(nil) })
	default:
		g.segmap(lead, each)
	}
}

// bounded returns a partial result, with its range when it is known.
func (g *gen) bounded(fd *folding, x Expr) Expr {
	r, ok := fd.accRange(g)
	if !ok || !fd.kind.exact() {
		return x
	}
	if c, isConvert := x.(*Convert); isConvert && x.Kind() == I64 && c.X.Kind() != F64 {
		v := g.let("acc", c.X).(*Use)
		g.ranges[v.Var] = r
		return convert(I64, v)
	}
	if u, ok := x.(*Use); ok && g.rangeOf(u) == r {
		return x
	}
	v := g.let("acc", x)
	if u, ok := v.(*Use); ok {
		g.ranges[u.Var] = r
	}
	return v
}

// rowLoop is a sequential loop around parallel nests.
func (g *gen) rowLoop(n Expr, body func(i Expr)) {
	inside := g.nest.inside
	v := g.loopVar(integer(0), n, nil)
	stmts := g.block(func() {
		g.nest.inside = inside
		body(&Use{v})
	})
	g.nest.inside = inside
	g.emit(&For{Var: v, Lo: integer(0), Hi: n, Body: stmts})
}
