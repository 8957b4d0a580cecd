package laila

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// oneHot says that a matrix of truth values is source∘.=⍳n, or, flipped, its
// transpose: in the row of every element of source there is at most one 1.
type oneHot struct {
	source  *pull
	n       ir.Expr
	flipped bool
}

// oneHotOf returns what the matrix f outer a b is, nil where it is no
// comparison of a vector with ⍳n.
func oneHotOf(f *tail.Lam, a, b *value) *oneHot {
	if tail.OpOf(f) != tail.OpEqI || a.arr == nil || b.arr == nil || a.arr.rank() != 1 || b.arr.rank() != 1 {
		return nil
	}
	switch {
	case b.arr.iota:
		return &oneHot{source: a.arr, n: b.arr.dims[0]}
	case a.arr.iota:
		return &oneHot{source: b.arr, n: a.arr.dims[0], flipped: true}
	}
	return nil
}

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
func (g *gen) groupCounts(p *pull, a int, fd *folding) func(dst *ir.Buf) {
	o := p.onehot
	if o == nil || p.rank() != 2 || fd.op != tail.OpAddI || !g.On("groups") || !g.CPU() || fd.zero == nil || fd.neutral != nil || o.source.faults || o.flipped != (a == 1) {
		return nil
	}
	if n, ok := ir.IntOf(o.n); ok && n <= fewGroups {
		return nil
	}
	return func(dst *ir.Buf) {
		g.segmap([]ir.Expr{o.n}, func(ix []ir.Expr) { g.emit(dst.Store(ix[0], ir.ConvertTo(dst.Elem, fd.zero))) })
		g.sequence(fd.n, func(i ir.Expr) {
			v := g.atom("v", g.index(o.source, []ir.Expr{i}))
			in := ir.And(g.Compare(ir.OpGe, v, ir.Integer(1)), g.Compare(ir.OpLe, v, o.n))
			g.emit(&ir.If{Cond: in, Then: g.block(func() {
				at := g.atom("at", ir.Sub(v, ir.Integer(1)))
				acc := g.bounded(fd, ir.ConvertTo(fd.kind, dst.Load(at)))
				g.emit(dst.Store(at, ir.ConvertTo(dst.Elem, ir.Add(acc, ir.Integer(1)))))
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
func (g *gen) valueCounts(p *pull, a int, fd *folding) func(dst *ir.Buf) {
	if len(p.pairs) != 2 || p.rank() != 2 || fd.op != tail.OpAddI || g.nest != nil || !g.On("groups") || !g.CPU() || fd.zero == nil || fd.neutral != nil {
		return nil
	}
	x, t := p.pairs[a], p.pairs[1-a]
	if n, ok := ir.IntOf(t.dims[0]); ok && n <= fewGroups || x.faults || t.faults {
		return nil
	}
	element := func(p *pull, i ir.Expr) ir.Expr { return g.atom("v", ir.ConvertTo(ir.I64, g.index(p, []ir.Expr{i}))) }
	return func(dst *ir.Buf) {
		pairwise := func() {
			if a == 0 {
				g.reduceRows(p, a, fd, dst)
				return
			}
			g.segmap(t.dims, func(ix []ir.Expr) {
				n := g.fold(fd, func(i ir.Expr) ir.Expr { return g.index(p, []ir.Expr{ix[0], i}) })
				g.emit(dst.Store(ix[0], ir.ConvertTo(dst.Elem, n)))
			})
		}
		if g.nest != nil {
			pairwise()
			return
		}
		lo, hi := g.mutable("lo", ir.I64, ir.Integer(1<<40)), g.mutable("hi", ir.I64, ir.Integer(-1<<40))
		g.sequence(t.dims[0], func(i ir.Expr) {
			v := element(t, i)
			g.emit(lo.Assign(ir.OpMin.Of(lo.Use(), v)), hi.Assign(ir.OpMax.Of(hi.Use(), v)))
		})
		first, last := g.let("lo", lo.Use()), g.let("hi", hi.Use())
		far := ir.Or(ir.OpLt.Of(first, ir.Integer(-1<<40)), ir.Or(ir.OpGt.Of(last, ir.Integer(1<<40)),
			ir.OpGe.Of(ir.OpSub.Of(last, first), ir.Integer(countedRange))))
		g.emit(&ir.If{Cond: far, Then: g.block(pairwise), Else: g.block(func() { g.countValues(x, t, first, last, fd, dst, element) })})
	}
}

// countValues counts the elements of x from lo to hi, and stores the counts of
// those of t.
func (g *gen) countValues(x, t *pull, lo, hi ir.Expr, fd *folding, dst *ir.Buf, element func(p *pull, i ir.Expr) ir.Expr) {
	size := g.let("size", ir.OpMax.Of(ir.Add(ir.Sub(hi, lo), ir.Integer(1)), ir.Integer(0)))
	g.Ranges[size.(*ir.Use).Var] = facts.Between(0, countedRange)
	counts := g.alloc("count", dst.Elem, []ir.Expr{size})
	g.segmap([]ir.Expr{size}, func(ix []ir.Expr) { g.emit(counts.Store(ix[0], ir.ConvertTo(dst.Elem, fd.zero))) })
	g.sequence(fd.n, func(i ir.Expr) {
		v := element(x, i)
		g.emit(&ir.If{Cond: ir.And(ir.OpLe.Of(lo, v), ir.OpLe.Of(v, hi)), Then: g.block(func() {
			at := g.atom("at", ir.Sub(v, lo))
			acc := g.bounded(fd, ir.ConvertTo(fd.kind, counts.Load(at)))
			g.emit(counts.Store(at, ir.ConvertTo(dst.Elem, ir.Add(acc, ir.Integer(1)))))
		})})
	})
	g.segmap(t.dims, func(ix []ir.Expr) {
		g.emit(dst.Store(ix[0], counts.Load(ir.Sub(element(t, ix[0]), lo))))
	})
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
func (g *gen) groupSums(x, y *pull, h *tail.Lam, fd *folding) func(dst *ir.Buf) {
	o := x.onehot
	sum := fd.op == tail.OpAddD || fd.op == tail.OpAddI
	if o == nil || !o.flipped || !sum || !g.On("groups") || fd.zero == nil || fd.neutral != nil || !picks(h) || y.faults || o.source.faults || y.rank() > 2 {
		return nil
	}
	if fd.op == tail.OpAddI {
		if _, ok := fd.accRange(g); !ok {
			return nil
		}
	}
	rest := y.dims[1:]
	return func(dst *ir.Buf) {
		stride := g.atom("n", ir.Product(rest))
		size := g.atom("n", ir.Mul(o.n, stride))
		g.segmap([]ir.Expr{size}, func(ix []ir.Expr) { g.emit(dst.Store(ix[0], ir.ConvertTo(dst.Elem, fd.zero))) })
		if fd.ordered() {
			g.orderedGroups(o, y, fd, dst)
			return
		}
		g.sequence(fd.n, func(i ir.Expr) {
			v := g.atom("v", g.index(o.source, []ir.Expr{i}))
			in := ir.And(g.Compare(ir.OpGe, v, ir.Integer(1)), g.Compare(ir.OpLe, v, o.n))
			add1 := g.block(func() {
				row := g.atom("row", ir.Mul(ir.Sub(v, ir.Integer(1)), stride))
				g.segmapOrOnce(rest, func(jx []ir.Expr) {
					at := ir.Add(row, g.ravelIndex(rest, jx))
					acc := g.bounded(fd, ir.ConvertTo(fd.kind, dst.Load(at)))
					g.emit(dst.Store(at, ir.ConvertTo(dst.Elem, g.step(fd, acc, ir.ConvertTo(fd.kind, g.index(y, append([]ir.Expr{i}, jx...)))))))
				})
			})
			g.emit(&ir.If{Cond: in, Then: add1})
		})
	}
}

// orderedGroups is groupSums of a vector y in the order of num.Ordered. The places of
// a lane of a block are gone through twice: first their terms are added to the sums of
// the lane, then these to those of the block, where they become 0; those of blocks
// likewise.
func (g *gen) orderedGroups(o *oneHot, y *pull, fd *folding, dst *ir.Buf) {
	if o.source.buf == nil && o.source.cost > 4 {
		g.materialise(o.source)
	}
	sums := func(name string) *ir.Buf {
		b := g.alloc(name, ir.F64, []ir.Expr{o.n})
		g.segmap([]ir.Expr{o.n}, func(ix []ir.Expr) { g.emit(b.Store(ix[0], fd.zero)) })
		return b
	}
	lane, block, super := sums("lane"), sums("block"), sums("super")
	at := func(i ir.Expr, then func(at ir.Expr)) {
		v := g.atom("v", g.index(o.source, []ir.Expr{i}))
		in := ir.And(g.Compare(ir.OpGe, v, ir.Integer(1)), g.Compare(ir.OpLe, v, o.n))
		g.emit(&ir.If{Cond: in, Then: g.block(func() { then(g.atom("at", ir.Sub(v, ir.Integer(1)))) })})
	}
	add1 := func(to *ir.Buf, at, x ir.Expr) { g.emit(to.Store(at, g.step(fd, to.Load(at), x))) }
	move := func(to, from *ir.Buf) func(at ir.Expr) {
		return func(at ir.Expr) {
			x := g.let("x", from.Load(at))
			add1(to, at, x)
			g.emit(from.Store(at, fd.zero))
		}
	}
	g.guarded(func() {
		g.cutInto(fd.n, num.SuperBlock, func(from, to ir.Expr) {
			g.cutInto(ir.Sub(to, from), num.Block, func(lo, hi ir.Expr) {
				first, n := g.atom("first", ir.Add(from, lo)), g.atom("n", ir.Sub(hi, lo))
				g.steps(ir.Integer(0), ir.Integer(num.Lanes), func(l ir.Expr) {
					terms := g.atom("terms", ir.Quo(ir.Sub(ir.Add(n, ir.Integer(num.Lanes-1)), l), ir.Integer(num.Lanes)))
					place := func(k ir.Expr) ir.Expr {
						return g.atom("i", ir.Add(ir.Add(first, l), ir.Mul(k, ir.Integer(num.Lanes))))
					}
					g.steps(ir.Integer(0), terms, func(k ir.Expr) {
						i := place(k)
						at(i, func(at ir.Expr) { add1(lane, at, ir.ConvertTo(ir.F64, g.index(y, []ir.Expr{i}))) })
					})
					g.steps(ir.Integer(0), terms, func(k ir.Expr) { at(place(k), move(block, lane)) })
				})
				g.steps(ir.Integer(0), n, func(k ir.Expr) { at(g.atom("i", ir.Add(first, k)), move(super, block)) })
			})
			g.segmap([]ir.Expr{o.n}, func(ix []ir.Expr) { move(dst, super)(ix[0]) })
		})
	})
}
