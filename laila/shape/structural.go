package shape

import (
	"math"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Shape is the vector of extents.
func Shape(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	g.Finite(e.Args[0], args[0])
	if args[0].X != nil {
		return build.Array1(g.ElemsPull(ir.I64, nil))
	}
	p := args[0].Arr
	demand(g, p)
	return build.Array1(g.ElemsPull(ir.I64, append([]ir.Expr{}, p.Dims...)))
}

// demand makes sure that p's faults are seen although nobody reads elements.
func demand(g *build.Builder, p *build.Pull) {
	if p.Faults {
		g.Materialise(p)
	}
}

// Tally is the number of cells.
func Tally(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	g.Finite(e.Args[0], args[0])
	if args[0].X != nil {
		return build.Scalar1(ir.Integer(1))
	}
	demand(g, args[0].Arr)
	return build.Scalar1(args[0].Arr.Dims[0])
}

// CountOf is the number of elements.
func CountOf(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	g.Finite(e.Args[0], args[0])
	if args[0].X != nil {
		return build.Scalar1(ir.Integer(1))
	}
	demand(g, args[0].Arr)
	n := g.Count(args[0].Arr)
	if u, ok := n.(*ir.Use); ok {
		g.Ranges[u.Var] = facts.Between(0, facts.MaxExtent)
	}
	return build.Scalar1(n)
}

// Ravel is free where a flat index is understood.
func Ravel(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	p := g.Array(args[0])
	if p.Rank() == 1 {
		return build.Array1(p)
	}
	q := reshaped(g, p, []ir.Expr{g.Extent(g.Count(p))})
	if q.Flat == nil && q.At == nil && g.Neighbourhood(e, p) {
		q.Flat, q.Fill = func(i ir.Expr) ir.Expr { return g.IndexFlat(p, i) }, nil
	}
	return build.Array1(q)
}

// reshaped gives the elements of p, of which there are as many, another shape.
func reshaped(g *build.Builder, p *build.Pull, dims []ir.Expr) *build.Pull {
	if p.Of != nil && p.Buf == nil {
		p = p.Of
	}
	if p.Buf == nil && ir.SameShape(p.Dims, dims) {
		return p
	}
	if q := stacked(g, p, dims); q != nil {
		return q
	}
	if p.Buf != nil {
		q := g.Stored(p.Elem, p.Buf, dims)
		q.Srcs = []*build.Pull{p}
		if p.Buf.Const { // its elements are known
			q.Flat = p.Flat
		}
		return q
	}
	q := &build.Pull{Elem: p.Elem, Dims: dims, Rng: p.Rng, Span: p.Span, Cost: p.Cost, Faults: p.Faults, Pieces: p.Pieces, Srcs: []*build.Pull{p}, Fill: p.Fill, Of: p}
	switch {
	case p.Flat != nil:
		q.Flat = func(i ir.Expr) ir.Expr { return g.IndexFlat(p, i) }
		q.Fill = nil
	case p.At != nil: // keep the loops over p's own axes
		q.Fill = func(dst *ir.Buf) { g.WriteAll(p, dst, ir.Integer(0)) }
		q.At = regrouped(g, p, dims)
	case p.Fill == nil:
		q.Fill = func(dst *ir.Buf) { g.FillBuf(p, dst) }
	}
	return q
}

// Reshape repeats the elements of its argument cyclically.
func Reshape(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	t := tail.TypeOf(e)
	rank := t.Dims()
	var dims []ir.Expr
	if rank > 0 {
		dims = g.ElementsOf(args[0].Arr, rank)
	}
	dims = extents(g, e, dims)
	if args[1].X != nil {
		if rank == 0 {
			return args[1]
		}
		return build.Array1(g.ConstantPull(g.Atom("x", args[1].X), dims))
	}
	p := args[1].Arr
	if rank == 0 {
		return First(g, e, []*build.Value{args[1]})
	}
	if n, ok := ir.IntOf(ir.Product(dims)); ok && n == 0 {
		demand(g, p)
		return build.Array1(g.ConstantPull(ir.Fill(p.Elem), dims))
	}
	have, want := g.Elements(p.Dims), g.Elements(dims)
	switch {
	case ir.Same(have, want) || sameCount(tail.TypeOf(e.Args[1]), t) || g.SameCount(p.Dims, dims):
		return build.Array1(reshaped(g, p, dims))
	case len(p.Elems) == 1:
		return build.Array1(g.ConstantPull(p.Elems[0], dims))
	}
	g.Total(p)
	if q := repeated(g, p, dims); q != nil {
		return build.Array1(q)
	}
	maybeFork(g, p, dims, have, want)
	return build.Array1(cyclic(g, p, dims, have, want))
}

// extents checks the extents of a shape.
func extents(g *build.Builder, e *tail.Apply, dims []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(dims))
	for i := range dims {
		d := g.Atom("d", dims[i])
		g.FailIf(g.Compare(ir.OpLt, d, ir.Integer(0)), tail.FaultReshape, build.SiteOf(e), func() []ir.FailArg { return []ir.FailArg{{X: d}} })
		out[i] = d
	}
	tooLarge(g, e, out)
	for i := range out {
		out[i] = g.Extent(out[i])
	}
	return out
}

// tooLarge checks that the product of extents is one itself. Where it is not, but
// an integer, memory would be short.
func tooLarge(g *build.Builder, e *tail.Apply, dims []ir.Expr) {
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
	n := g.Mutable("n", ir.F64, &ir.Float{Val: 1})
	for _, d := range dims {
		g.Emit(n.Assign(ir.OpMul.Of(n.Use(), ir.ConvertTo(ir.F64, d))))
	}
	args := func() []ir.FailArg { return []ir.FailArg{build.ShapeArg(append([]ir.Expr{}, dims...))} }
	if len(dims) > 1 {
		g.FailIf(ir.OpGe.Of(n.Use(), &ir.Float{Val: 1 << 63}), tail.FaultTooLarge, build.SiteOf(e), args)
	}
	g.FailIf(ir.OpGt.Of(n.Use(), &ir.Float{Val: facts.MaxExtent}), tail.FaultMemory, build.SiteOf(e), args)
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
func repeated(g *build.Builder, p *build.Pull, dims []ir.Expr) *build.Pull {
	k := p.Rank()
	if len(dims) < k || !ir.SameShape(dims[len(dims)-k:], p.Dims) {
		return nil
	}
	g.Reread(p)
	lead := len(dims) - k
	return build.View(p, dims, func(ix []ir.Expr) ir.Expr { return g.Index(p, ix[lead:]) })
}

// cyclic is the general reshape.
func cyclic(g *build.Builder, p *build.Pull, dims []ir.Expr, have, want ir.Expr) *build.Pull {
	if g.RangeOf(have).Lo > 0 {
		if d, ok := g.LinearOf(have).Minus(g.LinearOf(want)).Constant(); ok && d >= 0 { // enough of them
			return prefix(g, p, dims)
		}
		if g.RangeOf(want).Hi <= g.RangeOf(have).Lo {
			return prefix(g, p, dims)
		}
	}
	late := g.CPU() && p.Buf == nil && p.Cost <= 16 && (p.At != nil || p.Flat != nil)
	if !late {
		g.Materialise(p)
	}
	q := &build.Pull{Elem: p.Elem, Dims: dims, Rng: p.Rng, Cost: 1, Srcs: []*build.Pull{p}}
	if g.RangeOf(have).Lo <= 0 {
		q.Rng = q.Rng.Union(rangeOfFill(p.Elem))
	}
	q.Fill = func(dst *ir.Buf) {
		if same := g.Compare(ir.OpEq, have, want); p.Buf == nil && g.Nest == nil && !ir.IsInt(same, 0) { // as many, mostly: then nothing is stored in between
			whole := g.Block(func() { g.WriteAll(p, dst, ir.Integer(0)) })
			again := g.Block(func() {
				g.Materialise(p)
				q.Fill(dst)
			})
			g.Emit(&ir.If{Cond: same, Then: whole, Else: again})
			return
		}
		g.Materialise(p)
		if cyclicRuns(g, p, dst, have, want) {
			return
		}
		fill := func() {
			g.Segmap([]ir.Expr{want}, func(ix []ir.Expr) { g.Emit(dst.Store(ix[0], ir.ConvertTo(dst.Elem, ir.Fill(p.Elem)))) })
		}
		runs := func() { repeatRuns(g, p, dst, have, want) }
		switch r := g.RangeOf(have); {
		case r.Lo > 0:
			runs()
		case r.Hi == 0:
			fill()
		default:
			g.Emit(&ir.If{Cond: ir.OpEq.Of(have, ir.Integer(0)), Then: g.Block(fill), Else: g.Block(runs)})
		}
	}
	return q
}

// cyclicRuns writes the runs of a reshape as loops, where their number is known
// to be small.
func cyclicRuns(g *build.Builder, p *build.Pull, dst *ir.Buf, have, want ir.Expr) bool {
	h, ok := ir.IntOf(have)
	w, ok2 := ir.IntOf(want)
	if !ok || !ok2 || h < 1 || w > 4*h || w > ir.StackLimit {
		return false
	}
	for at := int64(0); at < w; at += h {
		g.Segmap([]ir.Expr{ir.Integer(min(h, w-at))}, func(ix []ir.Expr) {
			g.Emit(dst.Store(ir.Add(ix[0], ir.Integer(at)), ir.ConvertTo(dst.Elem, g.Index(p, ix))))
		})
	}
	return true
}

// repeatRuns writes want elements that repeat the have of p, one at least. Processors copy
// runs of a thousand or more; where p has fewer, as many copies of it as that takes
// are made first. On devices each element is computed from its place, and few are where
// the divisor is a constant.
func repeatRuns(g *build.Builder, p *build.Pull, dst *ir.Buf, have, want ir.Expr) {
	const least = 1024
	_, constant := ir.IntOf(have)
	if !g.CPU() || constant && g.RangeOf(want).Hi < least {
		g.Segmap([]ir.Expr{want}, func(ix []ir.Expr) {
			g.Emit(dst.Store(ix[0], ir.ConvertTo(dst.Elem, ir.ConvertTo(p.Elem, p.Buf.Load(ir.Rem(ix[0], have))))))
		})
		return
	}
	src, run := p.Buf, have
	if g.RangeOf(have).Hi < least {
		copies := g.Atom("copies", ir.Quo(ir.Integer(2*least), have))
		src, run = g.Heap("run", dst.Elem, []ir.Expr{copies, have}), g.Atom("n", ir.Mul(copies, have))
		g.Segmap([]ir.Expr{copies, have}, func(ix []ir.Expr) {
			g.Emit(src.Store(g.RavelIndex([]ir.Expr{copies, have}, ix), ir.ConvertTo(dst.Elem, ir.ConvertTo(p.Elem, p.Buf.Load(ix[1])))))
		})
	}
	blocks := g.Atom("blocks", ir.Quo(ir.Add(want, ir.Sub(run, ir.Integer(1))), run))
	g.Segmap([]ir.Expr{blocks}, func(ix []ir.Expr) {
		from := g.Atom("from", ir.Mul(ix[0], run))
		count := g.Within(g.Smaller(run, ir.Sub(want, from)), 1, run)
		if src.Elem == dst.Elem {
			g.Emit(&ir.Copy{Dst: dst, DstIndex: from, Src: src, SrcIndex: ir.Integer(0), Count: count})
			return
		}
		g.Sequence(count, func(i ir.Expr) {
			g.Emit(dst.Store(ir.Add(from, i), ir.ConvertTo(dst.Elem, ir.ConvertTo(p.Elem, src.Load(i)))))
		})
	})
}

func rangeOfFill(k ir.Kind) facts.Interval {
	if k == ir.C32 {
		return facts.Between(' ', ' ')
	}
	return facts.Between(0, 0)
}

// prefix is a reshape to fewer elements.
func prefix(g *build.Builder, p *build.Pull, dims []ir.Expr) *build.Pull {
	if p.Flat == nil {
		if len(dims) == 1 && p.Rank() == 1 {
			return build.View(p, dims, func(ix []ir.Expr) ir.Expr { return g.Index(p, ix) })
		}
		g.Materialise(p)
	}
	q := build.View(p, dims, nil)
	q.Flat = func(i ir.Expr) ir.Expr { return g.IndexFlat(p, i) }
	return q
}

// Reverse reads from the other end.
func Reverse(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	p := args[0].Arr
	if p == nil {
		return args[0]
	}
	if p.Elems != nil {
		n := len(p.Elems)
		return build.Array1(g.ElemsPull(p.Elem, picked(p.Elems, n, func(i int) int { return n - 1 - i })))
	}
	g.Pullable(p)
	a := e.Axis
	return build.Array1(build.View(p, p.Dims, func(ix []ir.Expr) ir.Expr {
		return g.Index(p, build.Replaced(ix, a, ir.Sub(ir.Sub(p.Dims[a], ir.Integer(1)), ix[a])))
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

// Rotate reads k further on, cyclically.
func Rotate(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	p := args[1].Arr
	if p == nil {
		return args[1]
	}
	a, n := e.Axis, p.Dims[e.Axis]
	k := modulo(g, args[0].X, n)
	if ir.IsInt(k, 0) {
		return build.Array1(p)
	}
	if by, ok := ir.IntOf(k); ok && p.Elems != nil {
		m := len(p.Elems)
		return build.Array1(g.ElemsPull(p.Elem, picked(p.Elems, m, func(i int) int { return (i + int(by)) % m })))
	}
	g.Pullable(p)
	return build.Array1(build.View(p, p.Dims, func(ix []ir.Expr) ir.Expr {
		return rotated(g, p, ix, a, k, n)
	}))
}

// rotated reads at ix[a]+k, or n less; 0 ≤ k ≤ n.
func rotated(g *build.Builder, p *build.Pull, ix []ir.Expr, a int, k, n ir.Expr) ir.Expr {
	return g.ByPlace(ix[a], ir.Sub(n, k), ir.Add(ix[a], k), ir.Add(ix[a], ir.Sub(k, n)), n,
		func(at ir.Expr) ir.Expr { return g.Index(p, build.Replaced(ix, a, at)) })
}

// modulo returns k modulo n, or n for it where n is 1; where n is 0, any number.
func modulo(g *build.Builder, k, n ir.Expr) ir.Expr {
	c, okk := ir.IntOf(k)
	m, okn := ir.IntOf(n)
	switch {
	case okn && m == 0:
		return ir.Integer(0)
	case okk && okn:
		return ir.Integer(((c % m) + m) % m)
	case okk && c >= 0 && g.RangeOf(n).Lo > c, okk && c == 1:
		return k
	case okk && c < 0 && g.RangeOf(n).Lo >= -c, okk && c == -1:
		return ir.Add(n, k)
	}
	d := g.Atom("d", g.Larger(n, ir.Integer(1)))
	r := g.Atom("r", k)
	if by := g.RangeOf(k); by.Lo <= -g.RangeOf(d).Lo || by.Hi >= g.RangeOf(d).Lo {
		r = g.Let("r", ir.Rem(k, d))
	}
	v := g.Let("k", ir.Choose(ir.OpLt.Of(r, ir.Integer(0)), ir.OpAdd.Of(r, d), r))
	g.Ranges[v.(*ir.Use).Var] = facts.Between(0, max(g.RangeOf(d).Hi-1, 0))
	return v
}

// RotateM rotates every vector by its own count.
func RotateM(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	p, a := args[1].Arr, e.Axis
	if args[0].X != nil {
		return Rotate(g, e, args)
	}
	counts := g.Reread(args[0].Arr)
	rest := build.Without(p.Dims, a)
	for i := range rest {
		g.FailIf(g.Compare(ir.OpNe, counts.Dims[i], rest[i]), tail.FaultRotate, build.SiteOf(e), func() []ir.FailArg {
			return []ir.FailArg{build.ShapeArg(counts.Dims), build.ShapeArg(p.Dims)}
		})
	}
	g.Total(p)
	g.Reread(p)
	q := build.View(p, p.Dims, func(ix []ir.Expr) ir.Expr {
		k := modulo(g, g.Index(counts, build.Without(ix, a)), p.Dims[a])
		return rotated(g, p, ix, a, k, p.Dims[a])
	})
	q.Srcs = []*build.Pull{p, counts}
	q.Cost += 4
	return build.Array1(q)
}

// Transp reverses the axes.
func Transp(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	p := args[0].Arr
	if p == nil || p.Rank() == 1 {
		return args[0]
	}
	g.Pullable(p)
	backwards := func(xs []ir.Expr) []ir.Expr {
		ys := make([]ir.Expr, len(xs))
		for i, x := range xs {
			ys[len(xs)-1-i] = x
		}
		return ys
	}
	q := build.View(p, backwards(p.Dims), func(ix []ir.Expr) ir.Expr { return g.Index(p, backwards(ix)) })
	q.Turned = p
	if o := p.Onehot; o != nil && p.Rank() == 2 {
		q.Onehot = &build.OneHot{Source: o.Source, N: o.N, Flipped: !o.Flipped}
	}
	return build.Array1(q)
}

// Transp2 permutes axes; repeats give diagonals. The permutation is known.
func Transp2(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	p := args[1].Arr
	if p == nil {
		return args[1]
	}
	perm := g.ElementsOf(args[0].Arr, p.Rank())
	axes := make([]int, len(perm))
	rank := tail.TypeOf(e).Dims()
	dims := make([]ir.Expr, rank)
	for i, x := range perm {
		n, ok := ir.IntOf(x)
		if !ok || n < 1 || int(n) > rank {
			g.Refuse(e.Where, "a transpose whose axes are not constants")
		}
		axes[i] = int(n) - 1
		if d := dims[axes[i]]; d == nil {
			dims[axes[i]] = p.Dims[i]
		} else {
			dims[axes[i]] = g.Atom("d", g.Smaller(d, p.Dims[i]))
		}
	}
	g.Total(p)
	return build.Array1(build.View(p, dims, func(ix []ir.Expr) ir.Expr {
		from := make([]ir.Expr, len(axes))
		for i, a := range axes {
			from[i] = ix[a]
		}
		return g.Index(p, from)
	}))
}

// First is the first element, or the fill element.
func First(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	p := args[0].Arr
	if p == nil {
		return args[0]
	}
	g.Total(p)
	zeros := make([]ir.Expr, p.Rank())
	for i := range zeros {
		zeros[i] = ir.Integer(0)
	}
	return build.Scalar1(g.Atom("x", g.IfElse(g.Compare(ir.OpGt, ir.Product(p.Dims), ir.Integer(0)),
		func() ir.Expr { return g.Index(p, zeros) }, func() ir.Expr { return ir.Fill(p.Elem) })))
}
