package reduce

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// picks reports whether h multiplies its second argument by a truth value, its
// first one, and adds its third one, where there is one.
func picks(h *tail.Lam) bool {
	e, ok := h.Body.(*tail.Apply)
	if !ok || e.Op != tail.OpMulD && e.Op != tail.OpMulI && e.Op != tail.OpFmaD || len(e.Args) != len(h.Params) {
		return false
	}
	is := func(e tail.Expr, v *tail.Var) bool {
		r, ok := e.(*tail.Ref)
		return ok && r.Var == v
	}
	truth := func(e tail.Expr) bool {
		c, ok := e.(*tail.Apply)
		return ok && (c.Op == tail.OpB2D || c.Op == tail.OpB2I) && is(c.Args[0], h.Params[0])
	}
	if chained(h) && !is(e.Args[2], h.Params[2]) {
		return false
	}
	return truth(e.Args[0]) && is(e.Args[1], h.Params[1]) || truth(e.Args[1]) && is(e.Args[0], h.Params[1])
}

// fewGroups is how many groups are counted by comparisons, which are vector code.
const fewGroups = 32

// groupCounts computes +⌿v∘.=⍳n, and +/(⍳n)∘.=v, in one pass over v, nil for
// other reductions:
//
//	z ← 0
//	for each i: if v[i] is in 1 … n: z[v[i]] ← z[v[i]] + 1
//
// Counts cannot overflow.
func groupCounts(g *build.Builder, p *build.Pull, a int, fd *Folding) func(dst *ir.Buf) {
	o := p.Onehot
	if o == nil || p.Rank() != 2 || fd.Op != tail.OpAddI || !g.On("groups") || fd.Zero == nil || fd.neutral != nil || o.Source.Faults || o.Flipped != (a == 1) {
		return nil
	}
	if n, ok := ir.IntOf(o.N); ok && n <= fewGroups {
		return nil
	}
	return func(dst *ir.Buf) {
		g.Segmap([]ir.Expr{o.N}, func(ix []ir.Expr) { g.Emit(dst.Store(ix[0], ir.ConvertTo(dst.Elem, fd.Zero))) })
		g.Sequence(fd.N, func(i ir.Expr) {
			v := g.Atom("v", g.Index(o.Source, []ir.Expr{i}))
			in := ir.And(g.Compare(ir.OpGe, v, ir.Integer(1)), g.Compare(ir.OpLe, v, o.N))
			g.Emit(&ir.If{Cond: in, Then: g.Block(func() {
				at := g.Atom("at", ir.Sub(v, ir.Integer(1)))
				acc := bounded(g, fd, ir.ConvertTo(fd.Kind, dst.Load(at)))
				g.Emit(dst.Store(at, ir.ConvertTo(dst.Elem, ir.Add(acc, ir.Integer(1)))))
			})})
		})
	}
}

// countedRange is how many values there may be from the least to the greatest of
// those that are counted.
const countedRange = 1 << 22

// valueCounts computes +/t∘.=x, and +⌿x∘.=t, how often each element of t is in x, in
// one pass over x, nil for other reductions:
//
//	c ← 0, for each value from the least to the greatest of t
//	for each i: if x[i] is in this range: c[x[i]] ← c[x[i]] + 1
//	for each j: z[j] ← c[t[j]]
//
// Where the values of t are too far apart, all pairs are compared.
func valueCounts(g *build.Builder, p *build.Pull, a int, fd *Folding) func(dst *ir.Buf) {
	if len(p.Pairs) != 2 || p.Rank() != 2 || fd.Op != tail.OpAddI || g.Nest != nil || !g.On("groups") || !g.CPU() || fd.Zero == nil || fd.neutral != nil {
		return nil
	}
	x, t := p.Pairs[a], p.Pairs[1-a]
	if n, ok := ir.IntOf(t.Dims[0]); ok && n <= fewGroups || x.Faults || t.Faults {
		return nil
	}
	element := func(p *build.Pull, i ir.Expr) ir.Expr {
		return g.Atom("v", ir.ConvertTo(ir.I64, g.Index(p, []ir.Expr{i})))
	}
	return func(dst *ir.Buf) {
		pairwise := func() {
			if a == 0 {
				reduceRows(g, p, a, fd, dst)
				return
			}
			g.Segmap(t.Dims, func(ix []ir.Expr) {
				n := Fold(g, fd, func(i ir.Expr) ir.Expr { return g.Index(p, []ir.Expr{ix[0], i}) })
				g.Emit(dst.Store(ix[0], ir.ConvertTo(dst.Elem, n)))
			})
		}
		if g.Nest != nil {
			pairwise()
			return
		}
		lo, hi := g.Mutable("lo", ir.I64, ir.Integer(1<<40)), g.Mutable("hi", ir.I64, ir.Integer(-1<<40))
		g.Sequence(t.Dims[0], func(i ir.Expr) {
			v := element(t, i)
			g.Emit(lo.Assign(ir.OpMin.Of(lo.Use(), v)), hi.Assign(ir.OpMax.Of(hi.Use(), v)))
		})
		first, last := g.Let("lo", lo.Use()), g.Let("hi", hi.Use())
		far := ir.Or(ir.OpLt.Of(first, ir.Integer(-1<<40)), ir.Or(ir.OpGt.Of(last, ir.Integer(1<<40)),
			ir.OpGe.Of(ir.OpSub.Of(last, first), ir.Integer(countedRange))))
		g.Emit(&ir.If{Cond: far, Then: g.Block(pairwise), Else: g.Block(func() { countValues(g, x, t, first, last, fd, dst, element) })})
	}
}

// countValues counts the elements of x from lo to hi, and stores the counts of
// those of t.
func countValues(g *build.Builder, x, t *build.Pull, lo, hi ir.Expr, fd *Folding, dst *ir.Buf, element func(p *build.Pull, i ir.Expr) ir.Expr) {
	size := g.Let("size", ir.OpMax.Of(ir.Add(ir.Sub(hi, lo), ir.Integer(1)), ir.Integer(0)))
	g.Ranges[size.(*ir.Use).Var] = facts.Between(0, countedRange)
	counts := g.Alloc("count", dst.Elem, []ir.Expr{size})
	g.Segmap([]ir.Expr{size}, func(ix []ir.Expr) { g.Emit(counts.Store(ix[0], ir.ConvertTo(dst.Elem, fd.Zero))) })
	g.Sequence(fd.N, func(i ir.Expr) {
		v := element(x, i)
		g.Emit(&ir.If{Cond: ir.And(ir.OpLe.Of(lo, v), ir.OpLe.Of(v, hi)), Then: g.Block(func() {
			at := g.Atom("at", ir.Sub(v, lo))
			acc := bounded(g, fd, ir.ConvertTo(fd.Kind, counts.Load(at)))
			g.Emit(counts.Store(at, ir.ConvertTo(dst.Elem, ir.Add(acc, ir.Integer(1)))))
		})})
	})
	g.Segmap(t.Dims, func(ix []ir.Expr) {
		g.Emit(dst.Store(ix[0], counts.Load(ir.Sub(element(t, ix[0]), lo))))
	})
}

// oneHotSide returns, of x f.h y, the argument on the left that compares a vector with ⍳n, the other one, and
// h; and of a vector x and y the same with the arguments exchanged, and y transposed.
func oneHotSide(x, y *build.Pull, h *tail.Lam) (*build.OneHot, *build.Pull, *tail.Lam) {
	if o := y.Onehot; o != nil && x.Rank() == 1 {
		exchanged := append([]*tail.Var{h.Params[1], h.Params[0]}, h.Params[2:]...)
		return &build.OneHot{Source: o.Source, N: o.N, Flipped: !o.Flipped}, x, &tail.Lam{At: h.At, Params: exchanged, Body: h.Body}
	}
	return x.Onehot, y, h
}

// groupSums computes (⍉v∘.=⍳n)+.×y as sums of groups of rows of y, one pass
// over v:
//
//	z ← 0
//	for each i: if v[i] is in 1 … n: z[v[i];] ← z[v[i];] + y[i;]
//
// Terms that are 0 are left out; as y is finite, they do not change the sums,
// whose terms are added in the same order; products with 1 need no rounding. It is nil where x f.h y is no such
// product.
func groupSums(g *build.Builder, o *build.OneHot, y *build.Pull, h *tail.Lam, fd *Folding) func(dst *ir.Buf) {
	sum := fd.Op == tail.OpAddD || fd.Op == tail.OpAddI
	if !o.Flipped || !sum || !g.On("groups") || fd.Zero == nil || fd.neutral != nil || !picks(h) || y.Faults || o.Source.Faults || y.Rank() > 2 {
		return nil
	}
	if fd.Op == tail.OpAddI {
		if _, ok := fd.accRange(g); !ok {
			return nil
		}
	}
	rest := y.Dims[1:]
	return func(dst *ir.Buf) {
		stride := g.Elements(rest)
		size := g.Atom("n", ir.Mul(o.N, stride))
		g.Segmap([]ir.Expr{size}, func(ix []ir.Expr) { g.Emit(dst.Store(ix[0], ir.ConvertTo(dst.Elem, fd.Zero))) })
		if fd.ordered() {
			orderedGroups(g, o, y, fd, dst)
			return
		}
		g.Sequence(fd.N, func(i ir.Expr) {
			v := g.Atom("v", g.Index(o.Source, []ir.Expr{i}))
			in := ir.And(g.Compare(ir.OpGe, v, ir.Integer(1)), g.Compare(ir.OpLe, v, o.N))
			add1 := g.Block(func() {
				row := g.Atom("row", ir.Mul(ir.Sub(v, ir.Integer(1)), stride))
				g.SegmapOrOnce(rest, func(jx []ir.Expr) {
					at := ir.Add(row, g.RavelIndex(rest, jx))
					acc := bounded(g, fd, ir.ConvertTo(fd.Kind, dst.Load(at)))
					g.Emit(dst.Store(at, ir.ConvertTo(dst.Elem, step(g, fd, acc, ir.ConvertTo(fd.Kind, g.Index(y, append([]ir.Expr{i}, jx...)))))))
				})
			})
			g.Emit(&ir.If{Cond: in, Then: add1})
		})
	}
}

// orderedGroups is groupSums of a vector y in the order of num.Ordered. The places of
// a lane of a block are gone through twice: first their terms are added to the sums of
// the lane, then these to those of the block, where they become 0; those of blocks
// likewise.
func orderedGroups(g *build.Builder, o *build.OneHot, y *build.Pull, fd *Folding, dst *ir.Buf) {
	if o.Source.Buf == nil && o.Source.Cost > 4 {
		g.Materialise(o.Source)
	}
	sums := func(name string) *ir.Buf {
		b := g.Alloc(name, ir.F64, []ir.Expr{o.N})
		g.Segmap([]ir.Expr{o.N}, func(ix []ir.Expr) { g.Emit(b.Store(ix[0], fd.Zero)) })
		return b
	}
	lane, block, super := sums("lane"), sums("block"), sums("super")
	at := func(i ir.Expr, then func(at ir.Expr)) {
		v := g.Atom("v", g.Index(o.Source, []ir.Expr{i}))
		in := ir.And(g.Compare(ir.OpGe, v, ir.Integer(1)), g.Compare(ir.OpLe, v, o.N))
		g.Emit(&ir.If{Cond: in, Then: g.Block(func() { then(g.Atom("at", ir.Sub(v, ir.Integer(1)))) })})
	}
	add1 := func(to *ir.Buf, at, x ir.Expr) { g.Emit(to.Store(at, step(g, fd, to.Load(at), x))) }
	move := func(to, from *ir.Buf) func(at ir.Expr) {
		return func(at ir.Expr) {
			x := g.Let("x", from.Load(at))
			add1(to, at, x)
			g.Emit(from.Store(at, fd.Zero))
		}
	}
	g.Guarded(func() {
		cutInto(g, fd.N, num.SuperBlock, func(from, to ir.Expr) {
			cutInto(g, ir.Sub(to, from), num.Block, func(lo, hi ir.Expr) {
				first, n := g.Atom("first", ir.Add(from, lo)), g.Atom("n", ir.Sub(hi, lo))
				g.Loop(ir.Integer(0), ir.Integer(num.Lanes), false, func(l ir.Expr) {
					terms := g.Atom("terms", ir.Quo(ir.Sub(ir.Add(n, ir.Integer(num.Lanes-1)), l), ir.Integer(num.Lanes)))
					place := func(k ir.Expr) ir.Expr {
						return g.Atom("i", ir.Add(ir.Add(first, l), ir.Mul(k, ir.Integer(num.Lanes))))
					}
					g.Loop(ir.Integer(0), terms, false, func(k ir.Expr) {
						i := place(k)
						at(i, func(at ir.Expr) { add1(lane, at, ir.ConvertTo(ir.F64, g.Index(y, []ir.Expr{i}))) })
					})
					g.Loop(ir.Integer(0), terms, false, func(k ir.Expr) { at(place(k), move(block, lane)) })
				})
				g.Loop(ir.Integer(0), n, false, func(k ir.Expr) { at(g.Atom("i", ir.Add(first, k)), move(super, block)) })
			})
			g.Segmap([]ir.Expr{o.N}, func(ix []ir.Expr) { move(dst, super)(ix[0]) })
		})
	})
}
