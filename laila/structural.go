package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// shape is the vector of extents.
func (g *gen) shape(e *tail.Apply, args []*value) *value {
	g.finite(e.Args[0], args[0])
	if args[0].x != nil {
		return array1(g.elemsPull(ir.I64, nil))
	}
	p := args[0].arr
	g.demand(p)
	return array1(g.elemsPull(ir.I64, append([]ir.Expr{}, p.dims...)))
}

// demand makes sure that p's faults are seen although nobody reads elements.
func (g *gen) demand(p *pull) {
	if p.faults {
		g.materialise(p)
	}
}

func (g *gen) tally(e *tail.Apply, args []*value) *value {
	g.finite(e.Args[0], args[0])
	if args[0].x != nil {
		return scalar1(ir.Integer(1))
	}
	g.demand(args[0].arr)
	return scalar1(args[0].arr.dims[0])
}

func (g *gen) countOf(e *tail.Apply, args []*value) *value {
	g.finite(e.Args[0], args[0])
	if args[0].x != nil {
		return scalar1(ir.Integer(1))
	}
	g.demand(args[0].arr)
	n := g.count(args[0].arr)
	if u, ok := n.(*ir.Use); ok {
		g.Ranges[u.Var] = facts.Between(0, facts.MaxExtent)
	}
	return scalar1(n)
}

// array returns v as an array of rank one or more: a scalar becomes a vector
// of one element.
func (g *gen) array(v *value) *pull {
	if v.arr != nil {
		return v.arr
	}
	return g.elemsPull(v.x.Kind(), []ir.Expr{g.atom("x", v.x)})
}

// ravel is free where a flat index is understood.
func (g *gen) ravel(e *tail.Apply, args []*value) *value {
	p := g.array(args[0])
	if p.rank() == 1 {
		return array1(p)
	}
	q := g.reshaped(p, []ir.Expr{g.extent(g.count(p))})
	if q.flat == nil && q.at == nil && g.neighbourhood(e, p) {
		q.flat, q.fill = func(i ir.Expr) ir.Expr { return g.indexFlat(p, i) }, nil
	}
	return array1(q)
}

// reshaped gives the elements of p, of which there are as many, another shape.
func (g *gen) reshaped(p *pull, dims []ir.Expr) *pull {
	if p.of != nil && p.buf == nil {
		p = p.of
	}
	if p.buf == nil && ir.SameShape(p.dims, dims) {
		return p
	}
	if q := g.stacked(p, dims); q != nil {
		return q
	}
	if p.buf != nil {
		q := g.stored(p.elem, p.buf, dims)
		q.srcs = []*pull{p}
		if p.buf.Const { // its elements are known
			q.flat = p.flat
		}
		return q
	}
	q := &pull{elem: p.elem, dims: dims, rng: p.rng, span: p.span, cost: p.cost, faults: p.faults, pieces: p.pieces, srcs: []*pull{p}, fill: p.fill, of: p}
	switch {
	case p.flat != nil:
		q.flat = func(i ir.Expr) ir.Expr { return g.indexFlat(p, i) }
		q.fill = nil
	case p.at != nil: // keep the loops over p's own axes
		q.fill = func(dst *ir.Buf) { g.writeAll(p, dst, ir.Integer(0)) }
		q.at = g.regrouped(p, dims)
	case p.fill == nil:
		q.fill = func(dst *ir.Buf) { g.fillBuf(p, dst) }
	}
	return q
}

// reshape repeats the elements of its argument cyclically.
func (g *gen) reshape(e *tail.Apply, args []*value) *value {
	t := tail.TypeOf(e)
	rank := t.Dims()
	var dims []ir.Expr
	if rank > 0 {
		dims = g.elementsOf(args[0].arr, rank)
	}
	dims = g.extents(e, dims)
	if args[1].x != nil {
		if rank == 0 {
			return args[1]
		}
		return array1(g.constantPull(g.atom("x", args[1].x), dims))
	}
	p := args[1].arr
	if rank == 0 {
		return g.first(e, []*value{args[1]})
	}
	if n, ok := ir.IntOf(ir.Product(dims)); ok && n == 0 {
		g.demand(p)
		return array1(g.constantPull(ir.Fill(p.elem), dims))
	}
	have, want := g.atom("n", ir.Product(p.dims)), g.atom("n", ir.Product(dims))
	switch {
	case ir.Same(have, want) || sameCount(tail.TypeOf(e.Args[1]), t) || g.sameCount(p.dims, dims):
		return array1(g.reshaped(p, dims))
	case len(p.elems) == 1:
		return array1(g.constantPull(p.elems[0], dims))
	}
	g.total(p)
	if q := g.repeated(p, dims); q != nil {
		return array1(q)
	}
	g.maybeFork(p, dims, have, want)
	return array1(g.cyclic(p, dims, have, want))
}

// extents checks the extents of a shape.
func (g *gen) extents(e *tail.Apply, dims []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(dims))
	for i := range dims {
		d := g.atom("d", dims[i])
		g.failIf(g.Compare(ir.OpLt, d, ir.Integer(0)), tail.FaultReshape, siteOf(e), func() []ir.FailArg { return []ir.FailArg{{X: d}} })
		out[i] = d
	}
	g.tooLarge(e, out)
	for i := range out {
		out[i] = g.extent(out[i])
	}
	return out
}

// tooLarge checks that the product of extents is one itself. Where it is not, but
// an integer, memory would be short.
func (g *gen) tooLarge(e *tail.Apply, dims []ir.Expr) {
	r := facts.Between(1, 1)
	for _, d := range dims {
		s, exact := facts.Arith(ir.OpMul, r, g.RangeOf(d))
		if !exact || s.Hi > facts.MaxExtent {
			r.Hi = math.MaxInt64
			break
		}
		r = s
	}
	if r.Hi <= facts.MaxExtent {
		return
	}
	n := g.mutable("n", ir.F64, &ir.Float{Val: 1})
	for _, d := range dims {
		g.emit(n.Assign(ir.OpMul.Of(n.Use(), ir.ConvertTo(ir.F64, d))))
	}
	args := func() []ir.FailArg { return []ir.FailArg{shapeArg(append([]ir.Expr{}, dims...))} }
	if len(dims) > 1 {
		g.failIf(ir.OpGe.Of(n.Use(), &ir.Float{Val: 1 << 63}), tail.FaultTooLarge, siteOf(e), args)
	}
	g.failIf(ir.OpGt.Of(n.Use(), &ir.Float{Val: facts.MaxExtent}), tail.FaultMemory, siteOf(e), args)
}

// sameCount reports whether two types have the same number of elements.
func sameCount(a, b *tail.Array) bool {
	na, ok := constCount(a)
	nb, ok2 := constCount(b)
	if ok && ok2 {
		return na == nb
	}
	if a.Dims() == b.Dims() {
		for i := 0; i < a.Dims(); i++ {
			if !a.Extent(i).Equal(b.Extent(i)) {
				return false
			}
		}
		return true
	}
	return false
}

func constCount(t *tail.Array) (int64, bool) {
	n := int64(1)
	for i := 0; i < t.Dims(); i++ {
		c, ok := t.Extent(i).IsConst()
		if !ok {
			return 0, false
		}
		n *= c
	}
	return n, true
}

// repeated reshapes to more leading axes over the same trailing ones: the
// leading indices do not matter.
func (g *gen) repeated(p *pull, dims []ir.Expr) *pull {
	k := p.rank()
	if len(dims) < k || !ir.SameShape(dims[len(dims)-k:], p.dims) {
		return nil
	}
	g.reread(p)
	lead := len(dims) - k
	return view(p, dims, func(ix []ir.Expr) ir.Expr { return g.index(p, ix[lead:]) })
}

// cyclic is the general reshape: as many elements as there are are written in
// runs.
func (g *gen) cyclic(p *pull, dims []ir.Expr, have, want ir.Expr) *pull {
	if g.RangeOf(have).Lo > 0 {
		if d, ok := g.linearOf(have).Minus(g.linearOf(want)).Constant(); ok && d >= 0 { // enough of them
			return g.prefix(p, dims)
		}
		if g.RangeOf(want).Hi <= g.RangeOf(have).Lo {
			return g.prefix(p, dims)
		}
	}
	late := g.CPU() && p.buf == nil && p.cost <= 16 && (p.at != nil || p.flat != nil)
	if !late {
		g.materialise(p)
	}
	q := &pull{elem: p.elem, dims: dims, rng: p.rng.Union(rangeOfFill(p.elem)), cost: 1, srcs: []*pull{p}}
	q.fill = func(dst *ir.Buf) {
		if p.buf == nil && g.nest == nil { // as many, mostly: then nothing is stored in between
			whole := g.block(func() { g.writeAll(p, dst, ir.Integer(0)) })
			again := g.block(func() {
				g.materialise(p)
				q.fill(dst)
			})
			g.emit(&ir.If{Cond: ir.OpEq.Of(have, want), Then: whole, Else: again})
			return
		}
		g.materialise(p)
		if g.cyclicRuns(p, dst, have, want) {
			return
		}
		src := p.buf
		fill := g.block(func() {
			g.segmap([]ir.Expr{want}, func(ix []ir.Expr) { g.emit(dst.Store(ix[0], ir.ConvertTo(dst.Elem, ir.Fill(p.elem)))) })
		})
		runs := g.block(func() {
			done := g.mutable("done", ir.I64, ir.Integer(0))
			body := g.block(func() {
				g.emit(&ir.BreakIf{Cond: ir.OpGe.Of(done.Use(), want)})
				n := g.let("n", ir.OpMin.Of(have, ir.OpSub.Of(want, done.Use())))
				g.copyRun(dst, done.Use(), src, p.elem, n)
				g.emit(done.Assign(ir.OpAdd.Of(done.Use(), n)))
			})
			g.emit(&ir.Loop{Body: body})
		})
		if g.RangeOf(have).Lo > 0 {
			g.emit(runs...)
			return
		}
		g.emit(&ir.If{Cond: ir.OpEq.Of(have, ir.Integer(0)), Then: fill, Else: runs})
	}
	return q
}

// cyclicRuns writes the runs of a reshape as loops, where their number is known
// to be small.
func (g *gen) cyclicRuns(p *pull, dst *ir.Buf, have, want ir.Expr) bool {
	h, ok := ir.IntOf(have)
	w, ok2 := ir.IntOf(want)
	if !ok || !ok2 || h < 1 || w > 4*h || w > ir.StackLimit {
		return false
	}
	for at := int64(0); at < w; at += h {
		g.segmap([]ir.Expr{ir.Integer(min(h, w-at))}, func(ix []ir.Expr) {
			g.emit(dst.Store(ir.Add(ix[0], ir.Integer(at)), ir.ConvertTo(dst.Elem, g.index(p, ix))))
		})
	}
	return true
}

// copyRun copies n elements from the start of src.
func (g *gen) copyRun(dst *ir.Buf, at ir.Expr, src *ir.Buf, elem ir.Kind, n ir.Expr) {
	if dst.Elem == src.Elem {
		g.emit(&ir.Copy{Dst: dst, DstIndex: at, Src: src, SrcIndex: ir.Integer(0), Count: n})
		return
	}
	i := g.NewVar("i", ir.I64)
	x := ir.ConvertTo(dst.Elem, ir.ConvertTo(elem, src.Load(i.Use())))
	g.emit(&ir.For{Var: i, Lo: ir.Integer(0), Hi: n, Body: []ir.Stmt{dst.Store(ir.Add(at, i.Use()), x)}})
}

func rangeOfFill(k ir.Kind) facts.Interval {
	if k == ir.C32 {
		return facts.Between(' ', ' ')
	}
	return facts.Between(0, 0)
}

// prefix is a reshape to fewer elements.
func (g *gen) prefix(p *pull, dims []ir.Expr) *pull {
	if p.flat == nil {
		if len(dims) == 1 && p.rank() == 1 {
			return view(p, dims, func(ix []ir.Expr) ir.Expr { return g.index(p, ix) })
		}
		g.materialise(p)
	}
	q := view(p, dims, nil)
	q.flat = func(i ir.Expr) ir.Expr { return g.indexFlat(p, i) }
	return q
}

// replaced returns xs with element i replaced.
func replaced(xs []ir.Expr, i int, x ir.Expr) []ir.Expr {
	ys := append([]ir.Expr{}, xs...)
	ys[i] = x
	return ys
}

func without(xs []ir.Expr, i int) []ir.Expr {
	return append(append([]ir.Expr{}, xs[:i]...), xs[i+1:]...)
}

func inserted(xs []ir.Expr, i int, x ir.Expr) []ir.Expr {
	return append(append(append([]ir.Expr{}, xs[:i]...), x), xs[i:]...)
}

// reverse reads from the other end.
func (g *gen) reverse(e *tail.Apply, args []*value) *value {
	p := args[0].arr
	if p == nil {
		return args[0]
	}
	if p.elems != nil {
		n := len(p.elems)
		return array1(g.elemsPull(p.elem, picked(p.elems, n, func(i int) int { return n - 1 - i })))
	}
	g.pullable(p)
	a := e.Axis
	return array1(view(p, p.dims, func(ix []ir.Expr) ir.Expr {
		return g.index(p, replaced(ix, a, ir.Sub(ir.Sub(p.dims[a], ir.Integer(1)), ix[a])))
	}))
}

// picked returns n of xs, in the order that from says.
func picked(xs []ir.Expr, n int, from func(i int) int) []ir.Expr {
	ys := make([]ir.Expr, n)
	for i := range ys {
		ys[i] = xs[from(i)]
	}
	return ys
}

// rotate reads k further on, cyclically.
func (g *gen) rotate(e *tail.Apply, args []*value) *value {
	p := args[1].arr
	if p == nil {
		return args[1]
	}
	a, n := e.Axis, p.dims[e.Axis]
	k := g.modulo(args[0].x, n)
	if ir.IsInt(k, 0) {
		return array1(p)
	}
	if by, ok := ir.IntOf(k); ok && p.elems != nil {
		m := len(p.elems)
		return array1(g.elemsPull(p.elem, picked(p.elems, m, func(i int) int { return (i + int(by)) % m })))
	}
	g.pullable(p)
	return array1(view(p, p.dims, func(ix []ir.Expr) ir.Expr {
		return g.rotated(p, ix, a, k, n)
	}))
}

// rotated reads at ix[a]+k, or n less; 0 ≤ k < n.
func (g *gen) rotated(p *pull, ix []ir.Expr, a int, k, n ir.Expr) ir.Expr {
	return g.branch(ix[a], ir.Sub(n, k),
		func() ir.Expr { return g.index(p, replaced(ix, a, ir.Add(ix[a], k))) },
		func() ir.Expr { return g.index(p, replaced(ix, a, ir.Add(ix[a], ir.Sub(k, n)))) })
}

// modulo returns k modulo n, 0 where n is 0.
func (g *gen) modulo(k, n ir.Expr) ir.Expr {
	c, okk := ir.IntOf(k)
	m, okn := ir.IntOf(n)
	switch {
	case okn && m == 0:
		return ir.Integer(0)
	case okk && okn:
		return ir.Integer(((c % m) + m) % m)
	case okk && c >= 0 && g.RangeOf(n).Lo > c:
		return k
	}
	d := g.atom("d", g.Larger(n, ir.Integer(1)))
	r := g.let("r", ir.Rem(k, d))
	v := g.let("k", ir.Choose(ir.OpLt.Of(r, ir.Integer(0)), ir.OpAdd.Of(r, d), r))
	g.Ranges[v.(*ir.Use).Var] = facts.Between(0, max(g.RangeOf(d).Hi-1, 0))
	return v
}

// rotateM rotates every vector by its own count.
func (g *gen) rotateM(e *tail.Apply, args []*value) *value {
	p, a := args[1].arr, e.Axis
	if args[0].x != nil {
		return g.rotate(e, args)
	}
	counts := g.reread(args[0].arr)
	rest := without(p.dims, a)
	for i := range rest {
		g.failIf(g.Compare(ir.OpNe, counts.dims[i], rest[i]), tail.FaultRotate, siteOf(e), func() []ir.FailArg {
			return []ir.FailArg{shapeArg(counts.dims), shapeArg(p.dims)}
		})
	}
	g.total(p)
	g.reread(p)
	q := view(p, p.dims, func(ix []ir.Expr) ir.Expr {
		k := g.modulo(g.index(counts, without(ix, a)), p.dims[a])
		return g.rotated(p, ix, a, k, p.dims[a])
	})
	q.srcs = []*pull{p, counts}
	q.cost += 4
	return array1(q)
}

// transp reverses the axes.
func (g *gen) transp(e *tail.Apply, args []*value) *value {
	p := args[0].arr
	if p == nil || p.rank() == 1 {
		return args[0]
	}
	g.pullable(p)
	backwards := func(xs []ir.Expr) []ir.Expr {
		ys := make([]ir.Expr, len(xs))
		for i, x := range xs {
			ys[len(xs)-1-i] = x
		}
		return ys
	}
	q := view(p, backwards(p.dims), func(ix []ir.Expr) ir.Expr { return g.index(p, backwards(ix)) })
	q.turned = p
	if o := p.onehot; o != nil && p.rank() == 2 {
		q.onehot = &oneHot{source: o.source, n: o.n, flipped: !o.flipped}
	}
	return array1(q)
}

// transp2 permutes axes; repeats give diagonals. The permutation is known.
func (g *gen) transp2(e *tail.Apply, args []*value) *value {
	p := args[1].arr
	if p == nil {
		return args[1]
	}
	perm := g.elementsOf(args[0].arr, p.rank())
	axes := make([]int, len(perm))
	rank := tail.TypeOf(e).Dims()
	dims := make([]ir.Expr, rank)
	for i, x := range perm {
		n, ok := ir.IntOf(x)
		if !ok || n < 1 || int(n) > rank {
			g.refuse(e.Where, "a transpose whose axes are not constants")
		}
		axes[i] = int(n) - 1
		if d := dims[axes[i]]; d == nil {
			dims[axes[i]] = p.dims[i]
		} else {
			dims[axes[i]] = g.atom("d", g.Smaller(d, p.dims[i]))
		}
	}
	g.total(p)
	return array1(view(p, dims, func(ix []ir.Expr) ir.Expr {
		from := make([]ir.Expr, len(axes))
		for i, a := range axes {
			from[i] = ix[a]
		}
		return g.index(p, from)
	}))
}

// first is the first element, or the fill element.
func (g *gen) first(e *tail.Apply, args []*value) *value {
	p := args[0].arr
	if p == nil {
		return args[0]
	}
	g.total(p)
	zeros := make([]ir.Expr, p.rank())
	for i := range zeros {
		zeros[i] = ir.Integer(0)
	}
	return scalar1(g.atom("x", g.ifElse(g.Compare(ir.OpGt, ir.Product(p.dims), ir.Integer(0)),
		func() ir.Expr { return g.index(p, zeros) }, func() ir.Expr { return ir.Fill(p.elem) })))
}
