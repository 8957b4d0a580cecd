package reduce

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
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

// Folding is a reduction along an axis of n elements.
type Folding struct {
	at      *tail.Apply
	F       *tail.Lam
	N       ir.Expr
	Kind    ir.Kind
	Rng     facts.Interval  // of the elements
	prefix  *facts.Interval // of the sums of the first elements, where that is known
	neutral ir.Expr         // nil when the axis is not empty
	Zero    ir.Expr         // the true neutral element of an associative op, or nil
	Op      tail.Op
	chain   tail.Expr // the body of the function that extends a chain, or nil
	plain   bool      // terms are from the first to the last, whatever they are
	planes  bool      // neighbours read the terms beside these: an expression reads all of a place
}

// where returns the place of the reduction in the source.
func (fd *Folding) where() diag.Span {
	if fd.at == nil {
		return diag.Span{}
	}
	return fd.at.Where
}

// UnrollLimit is the longest known axis whose reduction becomes an expression.
const UnrollLimit = 4

// newFolding prepares the reduction e, whose axis has n elements; neutral is nil where
// the axis must not be empty, which is tested where no extent of dims is 0.
func newFolding(g *build.Builder, e *tail.Apply, f *tail.Lam, n ir.Expr, dims []ir.Expr, k ir.Kind, rng facts.Interval, neutral ir.Expr) *Folding {
	f = build.Unmasked(f, rng)
	fd := &Folding{at: e, F: f, N: n, Kind: k, Rng: rng, neutral: neutral, Op: orderedOp(e, f)}
	if fd.Op != tail.NoOp && fd.Op.Row().Assoc {
		fd.Zero = neutralOf(fd.Op)
	}
	empty := g.Compare(ir.OpEq, n, ir.Integer(0))
	if neutral == nil {
		for _, d := range dims {
			if some := g.Compare(ir.OpNe, d, ir.Integer(0)); !ir.IsInt(some, 1) {
				empty = ir.OpAnd.Of(empty, some)
			}
		}
		g.FailIf(empty, tail.FaultEmptyReduce, build.SiteOf(e), nil)
	} else if ir.IsInt(empty, 0) || fd.Zero != nil && ir.Same(neutral, fd.Zero) || isZero(neutral, fd.Zero) {
		fd.neutral = nil
	} else {
		fd.neutral = g.Atom("neutral", neutral)
	}
	fd.tighten()
	return fd
}

// tighten replaces the neutral element of a minimum or maximum by the end of
// the elements' range, which narrow storage can hold.
func (fd *Folding) tighten() {
	switch {
	case fd.Kind != ir.I64:
	case fd.Op == tail.OpMinI:
		fd.Zero = ir.Integer(fd.Rng.Hi)
	case fd.Op == tail.OpMaxI:
		fd.Zero = ir.Integer(fd.Rng.Lo)
	}
}

func isZero(x, y ir.Expr) bool {
	f, ok := x.(*ir.Float)
	h, ok2 := y.(*ir.Float)
	return ok && ok2 && f.Val == 0 && h.Val == 0
}

// accRange bounds the partial results of a forward reduction.
func (fd *Folding) accRange(g *build.Builder) (facts.Interval, bool) {
	if !fd.Kind.Exact() {
		return facts.AnyInt, false
	}
	if fd.Kind == ir.U8 {
		return facts.Between(0, 1), true
	}
	switch fd.Op {
	case tail.OpAddI:
		if fd.prefix != nil {
			return *fd.prefix, true
		}
		n := g.RangeOf(fd.N).Hi
		lo, ok1 := facts.MulInt(min(fd.Rng.Lo, 0), n)
		hi, ok2 := facts.MulInt(max(fd.Rng.Hi, 0), n)
		return facts.Between(lo, hi), ok1 && ok2
	case tail.OpBitAnd, tail.OpBitOr, tail.OpBitXor:
		if fd.Rng.Lo >= 0 && fd.Op != tail.OpBitAnd {
			r, _ := facts.Arith(ir.OpOr, fd.Rng, fd.Rng)
			return r, true
		}
	}
	return facts.AnyInt, false
}

// backwardRange bounds the partial results of a reduction from the last element on.
func (fd *Folding) backwardRange() (facts.Interval, bool) {
	if fd.Kind != ir.I64 || fd.Op != tail.NoOp {
		return facts.AnyInt, false
	}
	r := analysis.FoldRange(fd.F, analysis.Range{Low: fd.Rng.Lo, High: fd.Rng.Hi, Known: fd.Rng != facts.AnyInt})
	return facts.Between(r.Low, r.High), r.Known
}

// resultRange bounds the result.
func (fd *Folding) resultRange(g *build.Builder) facts.Interval {
	r, ok := fd.accRange(g)
	switch fd.Op {
	case tail.OpMinI, tail.OpMaxI:
		if fd.neutral == nil {
			return fd.Rng
		}
	case tail.NoOp:
		if fd.Kind == ir.I64 {
			r, ok = fd.backwardRange()
		}
	}
	if !ok {
		return facts.RangeOfKind(fd.Kind)
	}
	if fd.neutral != nil {
		r = r.Union(g.RangeOf(fd.neutral))
	}
	return r
}

// step returns f applied in forward order.
func step(g *build.Builder, fd *Folding, acc, x ir.Expr) ir.Expr { return g.Lam(fd.F, acc, x) }

// stepAt is step with an element of p, which may be terms of a chain.
func stepAt(g *build.Builder, fd *Folding, acc ir.Expr, p *build.Pull, ix []ir.Expr) ir.Expr {
	if p.Extend != nil {
		return p.Extend(acc, ix)
	}
	return step(g, fd, acc, g.Index(p, ix))
}

// Fold reduces the elements that read gives, in the current block.
func Fold(g *build.Builder, fd *Folding, read func(i ir.Expr) ir.Expr) ir.Expr {
	if n, ok := ir.IntOf(fd.N); ok && n > 0 && (n <= UnrollLimit || fd.planes) {
		if fd.sums() {
			return foldTogether(g, fd, n, read)
		}
		acc := read(ir.Integer(n - 1))
		for i := n - 2; i >= 0; i-- {
			acc = g.Lam(fd.F, read(ir.Integer(i)), acc)
		}
		return acc
	}
	if g.Neighbours(fd.at, fd.N, read) {
		n, _ := ir.IntOf(fd.N)
		if fd.sums() {
			return foldTogether(g, fd, n, read)
		}
		acc := read(ir.Integer(n - 1))
		for i := n - 2; i >= 0; i-- {
			acc = g.Keep(g.Lam(fd.F, read(ir.Integer(i)), acc))
		}
		return acc
	}
	if fd.Zero != nil && fd.Kind.Exact() && g.Unrolls(fd.N, read) {
		n, _ := ir.IntOf(fd.N)
		return foldTogether(g, fd, n, read)
	}
	if fd.Zero != nil {
		return foldForward(g, fd, func(out *ir.Var) {
			g.Guarded(func() { segredOver(g, fd, fd.N, out, read) })
		})
	}
	return foldBackward(g, fd, read)
}

// foldTogether is an expression that reduces n elements in order.
func foldTogether(g *build.Builder, fd *Folding, n int64, read func(i ir.Expr) ir.Expr) ir.Expr {
	lanes := n
	if fd.ordered() {
		lanes = num.Lanes
	}
	var accs []ir.Expr
	for i := range n {
		if i < lanes {
			accs = append(accs, read(ir.Integer(i)))
		} else {
			accs[i%lanes] = g.Keep(step(g, fd, accs[i%lanes], read(ir.Integer(i))))
		}
	}
	acc := accs[0]
	for _, x := range accs[1:] {
		acc = g.Keep(step(g, fd, acc, x))
	}
	return acc
}

func foldForward(g *build.Builder, fd *Folding, loop func(acc *ir.Var)) ir.Expr {
	acc := accumulator(g, fd)
	outer := g.Untested
	if fd.sums() {
		g.Untested = append(outer[:len(outer):len(outer)], fd.F.Body, fd.chain)
	}
	loop(acc)
	g.Untested = outer
	if fd.neutral != nil {
		g.Emit(&ir.If{Cond: ir.OpEq.Of(fd.N, ir.Integer(0)), Then: []ir.Stmt{acc.Assign(fd.neutral)}})
	}
	return result(g, fd, acc)
}

func accumulator(g *build.Builder, fd *Folding) *ir.Var {
	acc := g.Mutable("acc", fd.Kind, fd.Zero)
	if r, ok := fd.accRange(g); ok {
		g.Ranges[acc] = r
	}
	return acc
}

// reorders reports whether the result is the same in any order of the elements, and
// no partial result faults.
func (fd *Folding) reorders(g *build.Builder) bool {
	_, bounded := fd.accRange(g)
	return bounded || fd.Kind.Exact() && (fd.Op == tail.OpMinI || fd.Op == tail.OpMaxI)
}

// result fixes what an accumulator has reached.
func result(g *build.Builder, fd *Folding, acc *ir.Var) ir.Expr {
	v := g.NewVar("r", fd.Kind)
	if fd.Kind.Exact() {
		g.Ranges[v] = fd.resultRange(g)
	}
	g.Emit(v.Decl(acc.Use()))
	g.Steady[v] = true
	if fd.sums() {
		return g.Number(v.Use(), fd.site())
	}
	return v.Use()
}

// sums reports whether fd adds or multiplies doubles or complex numbers: what is
// infinite stays so, and one test of the result finds it.
func (fd *Folding) sums() bool {
	switch fd.Op {
	case tail.OpAddD, tail.OpMulD, tail.OpAddZ, tail.OpMulZ:
		return fd.at != nil
	}
	return false
}

// site is where the function of fd stands.
func (fd *Folding) site() build.Site {
	if a, ok := fd.F.Body.(*tail.Apply); ok && a.Where.Valid() {
		return build.SiteOf(a)
	}
	return build.SiteOf(fd.at)
}

// foldBackward goes from the last element to the first.
func foldBackward(g *build.Builder, fd *Folding, read func(i ir.Expr) ir.Expr) ir.Expr {
	acc := g.NewVar("acc", fd.Kind)
	if r, ok := fd.backwardRange(); ok {
		g.Ranges[acc] = r
	}
	g.Emit(acc.Decl(nil))
	last := ir.Sub(fd.N, ir.Integer(1))
	run := func() {
		g.Emit(acc.Assign(read(last)))
		g.Sequence(g.Atom("n", last), func(i ir.Expr) {
			g.Emit(acc.Assign(g.Lam(fd.F, read(ir.Sub(ir.Sub(last, ir.Integer(1)), i)), acc.Use())))
		})
	}
	if fd.neutral == nil {
		g.Emit(g.Plain(run)...)
	} else {
		g.Emit(&ir.If{Cond: ir.OpEq.Of(fd.N, ir.Integer(0)), Then: []ir.Stmt{acc.Assign(fd.neutral)}, Else: g.Block(run)})
	}
	return result(g, fd, acc)
}

// oneOf is ⊣/p or ⊢/p: the elements at one place along an axis.
func oneOf(g *build.Builder, p *build.Pull, a int, at ir.Expr) *build.Value {
	p = g.Total(p)
	if p.Rank() == 1 {
		return build.Scalar1(g.Index(p, []ir.Expr{at}))
	}
	return build.Array1(build.View(p, slices.Delete(slices.Clone(p.Dims), a, a+1), func(ix []ir.Expr) ir.Expr {
		return g.Index(p, slices.Insert(slices.Clone(ix), a, at))
	}))
}

// Reduce lowers reduce and reduce1.
func Reduce(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	f := tail.LamOf(e.Args[0])
	v := args[len(args)-1]
	if v.X != nil {
		return v
	}
	p, a := v.Arr, e.Axis
	var neutral ir.Expr
	if e.Op == tail.OpReduce {
		neutral = args[1].X
	}
	fd := newFolding(g, e, f, p.Dims[a], nil, p.Elem, p.Rng, neutral)
	fd.prefix = p.Sums
	if neutral == nil {
		switch r, ok := f.Body.(*tail.Ref); {
		case ok && r.Var == f.Params[0]:
			return oneOf(g, p, a, ir.Integer(0))
		case ok && r.Var == f.Params[1]:
			return oneOf(g, p, a, ir.Sub(fd.N, ir.Integer(1)))
		}
	}
	if g.Impure(f) {
		g.Force()
		g.Materialise(p)
	}
	if p.Rank() > 1 {
		q := reduceAxis(g, p, a, fd)
		if g.Impure(f) { // whether or not its elements are used
			g.Stepwise(func() { g.Materialise(q) })
		}
		return build.Array1(q)
	}
	if keep := p.Filter; keep != nil && p.Buf == nil && g.Nest == nil && fd.Zero != nil && fd.reorders(g) && cheap(g, keep, p.Elem) {
		return build.Scalar1(segred(g, fd, keep.N, func(i ir.Expr) ir.Expr {
			return fd.kept(g.Index(keep.Mask, []ir.Expr{i}), keep.Value(i))
		}))
	}
	if p.Drive != nil && fd.Zero != nil && (!p.Backward || fd.reorders(g)) {
		return build.Scalar1(foldForward(g, fd, func(acc *ir.Var) {
			if fd.ordered() {
				streamed(g, fd, acc, p.Drive)
				return
			}
			p.Drive(func(x ir.Expr) { g.Emit(acc.Assign(step(g, fd, acc.Use(), x))) })
		}))
	}
	g.Pullable(p)
	if n, ok := ir.IntOf(fd.N); fd.Zero != nil && g.Nest == nil && !(ok && n <= UnrollLimit) {
		return build.Scalar1(Segred(g, fd, p))
	}
	read := func(i ir.Expr) ir.Expr { return g.Index(p, []ir.Expr{i}) }
	if !g.Impure(f) {
		return build.Scalar1(Fold(g, fd, read))
	}
	var r ir.Expr
	g.Stepwise(func() { r = Fold(g, fd, read) })
	return build.Scalar1(r)
}

// kept returns x where the mask is 1, else the neutral element. Truth values are joined without
// a condition: gcc 12 makes 255 of some with one in loops of vector code of 512 bits.
func (fd *Folding) kept(mask, x ir.Expr) ir.Expr {
	switch {
	case fd.Kind == ir.U8 && ir.IsInt(fd.Zero, 0):
		return ir.OpAnd.Of(mask, x)
	case fd.Kind == ir.U8 && ir.IsInt(fd.Zero, 1):
		return ir.OpOr.Of(ir.Not(mask), x)
	}
	return ir.Choose(mask, x, fd.Zero)
}

// keptWeight is what an element that a filter keeps may cost, in operations of vector code, that
// the ones it drops are computed, too, and the neutral element takes their place: no branch,
// and in parallel.
const keptWeight = 16

// cheap reports whether the elements that keep has to choose from cost no more than
// keptWeight: they are read in order.
func cheap(g *build.Builder, keep *build.Filter, k ir.Kind) bool {
	p := &build.Pull{Elem: k, Dims: []ir.Expr{keep.N}, At: func(ix []ir.Expr) ir.Expr { return keep.Value(ix[0]) }}
	return g.StraightWeight(p) <= keptWeight
}

// Segred reduces a vector in a parallel nest.
func Segred(g *build.Builder, fd *Folding, p *build.Pull) ir.Expr {
	return segred(g, fd, p.Dims[0], func(i ir.Expr) ir.Expr { return g.Index(p, []ir.Expr{i}) })
}

// segred reduces the n elements that read gives in a parallel nest.
func segred(g *build.Builder, fd *Folding, n ir.Expr, read func(i ir.Expr) ir.Expr) ir.Expr {
	return foldForward(g, fd, func(out *ir.Var) {
		g.Guarded(func() { segredOver(g, fd, n, out, read) })
	})
}

// segredOver accumulates n elements in out.
func segredOver(g *build.Builder, fd *Folding, n ir.Expr, out *ir.Var, read func(i ir.Expr) ir.Expr) {
	segredSteps(g, fd, n, out, func(acc, i ir.Expr) ir.Expr { return step(g, fd, acc, read(i)) })
}

// segredSteps is segredOver where step adds element i to what there is.
func segredSteps(g *build.Builder, fd *Folding, n ir.Expr, out *ir.Var, step func(acc, i ir.Expr) ir.Expr) {
	it := &build.Iteration{G: g, Dims: []ir.Expr{n}, Nest: g.Nest.Find == nil, Whole: fd.ordered()}
	acc := out
	if it.Nest {
		it.Open = func() *ir.Nest {
			acc = g.NewVar("acc", fd.Kind)
			if r, ok := fd.accRange(g); ok {
				g.Ranges[acc] = r
			}
			return &ir.Nest{Kind: ir.SegRed, Accs: []ir.Acc{accOf(g, fd, acc)}, At: fd.where(),
				Pre: []ir.Stmt{acc.Decl(out.Use())}, Post: []ir.Stmt{out.Assign(acc.Use())}}
		}
	}
	it.Body = func(ix []ir.Expr) {
		acc := acc
		g.Emit(acc.Assign(step(acc.Use(), ix[0])))
	}
	it.Serial = func() { acc = out }
	it.Run()
}

// accOf describes an accumulator.
func accOf(g *build.Builder, fd *Folding, v *ir.Var) ir.Acc {
	a := ir.Acc{Var: v, Left: g.NewVar("x", fd.Kind), Right: g.NewVar("y", fd.Kind), Neutral: fd.Zero, Exact: fd.Kind.Exact()}
	x, y := a.Left.Use(), a.Right.Use()
	switch fd.Op {
	case tail.OpAddI:
		a.Combine = ir.OpAdd.Of(x, y)
	case tail.OpMulI:
		a.Combine = ir.OpMul.Of(x, y)
	case tail.OpEqB:
		a.Combine = ir.Not(ir.OpXor.Of(x, y))
	case tail.OpAddZ, tail.OpMulZ:
		a.Combine = &ir.Math{Fn: build.ComplexOps[fd.Op].Fn, K: ir.C64, Args: []ir.Expr{x, y}}
	default:
		a.Combine = build.PlainOps[fd.Op].Of(x, y)
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
func reduceAxis(g *build.Builder, p *build.Pull, a int, fd *Folding) *build.Pull {
	dims := build.Without(p.Dims, a)
	q := &build.Pull{Elem: fd.Kind, Dims: dims, Rng: fd.resultRange(g), Faults: p.Faults || g.CanFault(fd.F), Srcs: []*build.Pull{p}}
	n, known := ir.IntOf(fd.N)
	q.Cost = 50 * (p.Cost + 1)
	if known {
		q.Cost = int(min(n, 1000)) * (p.Cost + g.LamCost(fd.F))
	}
	g.Pullable(p)
	last := a == p.Rank()-1
	if asProduct(g, p, a, fd, q) {
		return q
	}
	if q.Fill = groupCounts(g, p, a, fd); q.Fill != nil {
		return q
	}
	if q.Fill = valueCounts(g, p, a, fd); q.Fill != nil {
		return q
	}
	if last && !(known && n <= rowReadLimit) && fd.Zero != nil && p.Cost <= 16 && far(g, p, a) && !far(g, p, a-1) {
		// Rows of the result as accumulators read memory in order.
		q.Fill = func(dst *ir.Buf) {
			reduceRows(g, exchanged(p, func(ix []ir.Expr) ir.Expr { return g.Index(p, ix) }), a-1, fd, dst)
		}
		return q
	}
	row, short := ir.IntOf(ir.Product(dims[a:]))
	short = short && row <= smallRow && p.Buf == nil && p.Cost <= 4 && fd.Zero != nil && !last && !far(g, p, a)
	if columns, ok := ir.IntOf(ir.Product(dims)); short && ok && a == 0 && p.Rank() == 2 && columns <= fewColumns && g.CPU() && !p.Faults {
		q.Fill = func(dst *ir.Buf) {
			for j := int64(0); j < columns; j++ {
				x := Fold(g, fd, func(i ir.Expr) ir.Expr { return g.Index(p, []ir.Expr{i, ir.Integer(j)}) })
				g.Emit(dst.Store(ir.Integer(j), ir.ConvertTo(dst.Elem, x)))
			}
		}
		return q
	}
	fd.planes = known && n > 0 && n <= planesLimit && !last && !short && (p.Buf != nil || p.Cost <= planeCost) && g.Vectors() && g.On("unroll")
	if last || short || known && n > 0 && n <= rowReadLimit || fd.planes {
		q.At = func(ix []ir.Expr) ir.Expr {
			return Fold(g, fd, func(i ir.Expr) ir.Expr { return g.Index(p, build.Inserted(ix, a, i)) })
		}
		return q
	}
	q.Fill = func(dst *ir.Buf) { reduceRows(g, p, a, fd, dst) }
	return q
}

// reduceRows reduces an axis that is not the last: rows of the result are
// accumulators.
func reduceRows(g *build.Builder, p *build.Pull, a int, fd *Folding, dst *ir.Buf) {
	if fd.ordered() && g.Nest == nil {
		g.Guarded(func() { reduceRows(g, p, a, fd, dst) })
		return
	} else if fd.ordered() && g.Nest.Find == nil {
		inOrderedRows(g, p, a, fd, dst)
		return
	} else if g.Target == pass.GPUKernels && fd.Zero != nil && !(fd.plain && fd.rounds()) {
		orderedColumns(g, p, a, fd, dst)
		return
	}
	lead, rest := p.Dims[:a:a], p.Dims[a+1:]
	dims := build.Without(p.Dims, a)
	rows := func(ix []ir.Expr, write func(at ir.Expr, jx []ir.Expr)) {
		g.Segmap(rest, func(jx []ir.Expr) {
			all := append(ix[:len(ix):len(ix)], jx...)
			write(g.Atom("at", g.RavelIndex(dims, all)), jx)
		})
	}
	acc := func(at ir.Expr) ir.Expr { return ir.ConvertTo(fd.Kind, dst.Load(at)) }
	put := func(at, x ir.Expr) { g.Emit(dst.Store(at, ir.ConvertTo(dst.Elem, x))) }
	index := func(ix []ir.Expr, i ir.Expr, jx []ir.Expr) []ir.Expr {
		return append(append(ix[:len(ix):len(ix)], i), jx...)
	}
	each := func(ix []ir.Expr) {
		if fd.Zero != nil {
			start := fd.Zero
			if fd.neutral != nil {
				start = ir.Choose(ir.OpEq.Of(fd.N, ir.Integer(0)), fd.neutral, fd.Zero)
			}
			rows(ix, func(at ir.Expr, jx []ir.Expr) { put(at, start) })
			rowLoop(g, fd.N, func(i ir.Expr) {
				rows(ix, func(at ir.Expr, jx []ir.Expr) { put(at, stepAt(g, fd, bounded(g, fd, acc(at)), p, index(ix, i, jx))) })
			})
			return
		}
		last := g.Atom("n", ir.Sub(fd.N, ir.Integer(1)))
		if fd.neutral != nil {
			rows(ix, func(at ir.Expr, jx []ir.Expr) {
				put(at, g.IfElse(ir.OpEq.Of(fd.N, ir.Integer(0)), func() ir.Expr { return fd.neutral },
					func() ir.Expr { return g.Index(p, index(ix, last, jx)) }))
			})
		} else {
			rows(ix, func(at ir.Expr, jx []ir.Expr) { put(at, g.Index(p, index(ix, last, jx))) })
		}
		rowLoop(g, last, func(i ir.Expr) {
			rows(ix, func(at ir.Expr, jx []ir.Expr) {
				put(at, g.Lam(fd.F, g.Index(p, index(ix, ir.Sub(ir.Sub(last, ir.Integer(1)), i), jx)), acc(at)))
			})
		})
	}
	switch {
	case len(lead) == 0 && len(rest) == 1 && g.On("panels") && g.Nest == nil && fd.Zero != nil && fd.neutral == nil:
		reducePanels(g, p, fd, dst)
	case len(lead) == 0:
		g.Guarded(func() { each(nil) })
	default:
		g.Segmap(lead, each)
	}
}

// bounded returns a partial result, with its range when it is known.
func bounded(g *build.Builder, fd *Folding, x ir.Expr) ir.Expr {
	r, ok := fd.accRange(g)
	if !ok || !fd.Kind.Exact() {
		return x
	}
	if c, isConvert := x.(*ir.Convert); isConvert && x.Kind() == ir.I64 && c.X.Kind() != ir.F64 {
		v := g.Let("acc", c.X).(*ir.Use)
		g.Ranges[v.Var] = r
		return ir.ConvertTo(ir.I64, v)
	}
	if u, ok := x.(*ir.Use); ok && g.RangeOf(u) == r {
		return x
	}
	v := g.Let("acc", x)
	if u, ok := v.(*ir.Use); ok {
		g.Ranges[u.Var] = r
	}
	return v
}

// rowLoop is a sequential loop around parallel nests.
func rowLoop(g *build.Builder, n ir.Expr, body func(i ir.Expr)) *ir.For {
	inside := g.Nest.Inside
	v := g.LoopVar(ir.Integer(0), n, nil)
	stmts := g.Block(func() {
		g.Nest.Inside = inside
		body(v.Use())
	})
	g.Nest.Inside = inside
	f := &ir.For{Var: v, Lo: ir.Integer(0), Hi: n, Body: stmts}
	g.Emit(f)
	return f
}
