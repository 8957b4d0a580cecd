package laila

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// oneHot says that a matrix of truth values is source∘.=⍳n, or, flipped, its
// transpose: in the row of every element of source there is at most one 1.
type oneHot struct {
	source  *pull
	n       Expr
	flipped bool
}

// oneHotOf returns what the matrix f outer a b is, nil where it is no
// comparison of a vector with ⍳n.
func oneHotOf(f *tail.Lam, a, b *value) *oneHot {
	if opOf(f) != tail.OpEqI || a.arr == nil || b.arr == nil || a.arr.rank() != 1 || b.arr.rank() != 1 {
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
func (g *gen) groupCounts(p *pull, a int, fd *folding) func(dst *Buf) {
	o := p.onehot
	if o == nil || p.rank() != 2 || fd.op != tail.OpAddI || !g.on("groups") || !g.opts.Tile || fd.zero == nil || fd.neutral != nil || o.source.faults || o.flipped != (a == 1) {
		return nil
	}
	if n, ok := intOf(o.n); ok && n <= fewGroups {
		return nil
	}
	return func(dst *Buf) {
		g.segmap([]Expr{o.n}, func(ix []Expr) { g.emit(&Store{dst, ix[0], convert(dst.Elem, fd.zero)}) })
		g.sequence(fd.n, func(i Expr) {
			v := g.atom("v", g.index(o.source, []Expr{i}))
			in := and(g.compare(Ge, v, integer(1)), g.compare(Le, v, o.n))
			g.emit(&If{Cond: in, Then: g.block(func() {
				at := g.atom("at", sub(v, integer(1)))
				acc := g.bounded(fd, convert(fd.kind, &Load{dst, at}))
				g.emit(&Store{dst, at, convert(dst.Elem, add(acc, integer(1)))})
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
func (g *gen) valueCounts(p *pull, a int, fd *folding) func(dst *Buf) {
	if len(p.pairs) != 2 || p.rank() != 2 || fd.op != tail.OpAddI || g.nest != nil || !g.on("groups") || !g.opts.Tile || fd.zero == nil || fd.neutral != nil {
		return nil
	}
	x, t := p.pairs[a], p.pairs[1-a]
	if n, ok := intOf(t.dims[0]); ok && n <= fewGroups || x.faults || t.faults {
		return nil
	}
	element := func(p *pull, i Expr) Expr { return g.atom("v", convert(I64, g.index(p, []Expr{i}))) }
	return func(dst *Buf) {
		pairwise := func() {
			if a == 0 {
				g.reduceRows(p, a, fd, dst)
				return
			}
			g.segmap(t.dims, func(ix []Expr) {
				n := g.fold(fd, func(i Expr) Expr { return g.index(p, []Expr{ix[0], i}) })
				g.emit(&Store{dst, ix[0], convert(dst.Elem, n)})
			})
		}
		if g.nest != nil {
			pairwise()
			return
		}
		lo, hi := g.mutable("lo", I64, integer(1<<40)), g.mutable("hi", I64, integer(-1<<40))
		g.sequence(t.dims[0], func(i Expr) {
			v := element(t, i)
			g.emit(&Assign{lo, &Binary{Min, &Use{lo}, v}}, &Assign{hi, &Binary{Max, &Use{hi}, v}})
		})
		first, last := g.let("lo", &Use{lo}), g.let("hi", &Use{hi})
		far := or(&Binary{Lt, first, integer(-1 << 40)}, or(&Binary{Gt, last, integer(1 << 40)},
			&Binary{Ge, &Binary{Sub, last, first}, integer(countedRange)}))
		g.emit(&If{far, g.block(pairwise), g.block(func() { g.countValues(x, t, first, last, fd, dst, element) })})
	}
}

// countValues counts the elements of x from lo to hi, and stores the counts of
// those of t.
func (g *gen) countValues(x, t *pull, lo, hi Expr, fd *folding, dst *Buf, element func(p *pull, i Expr) Expr) {
	size := g.let("size", &Binary{Max, add(sub(hi, lo), integer(1)), integer(0)})
	g.ranges[size.(*Use).Var] = interval{0, countedRange}
	counts := g.alloc("count", dst.Elem, []Expr{size})
	g.segmap([]Expr{size}, func(ix []Expr) { g.emit(&Store{counts, ix[0], convert(dst.Elem, fd.zero)}) })
	g.sequence(fd.n, func(i Expr) {
		v := element(x, i)
		g.emit(&If{Cond: and(&Binary{Le, lo, v}, &Binary{Le, v, hi}), Then: g.block(func() {
			at := g.atom("at", sub(v, lo))
			acc := g.bounded(fd, convert(fd.kind, &Load{counts, at}))
			g.emit(&Store{counts, at, convert(dst.Elem, add(acc, integer(1)))})
		})})
	})
	g.segmap(t.dims, func(ix []Expr) {
		g.emit(&Store{dst, ix[0], &Load{counts, sub(element(t, ix[0]), lo)}})
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
func (g *gen) groupSums(x, y *pull, h *tail.Lam, fd *folding) func(dst *Buf) {
	o := x.onehot
	sum := fd.op == tail.OpAddD || fd.op == tail.OpAddI
	if o == nil || !o.flipped || !sum || !g.on("groups") || fd.zero == nil || fd.neutral != nil || !picks(h) || y.faults || o.source.faults || y.rank() > 2 {
		return nil
	}
	if fd.op == tail.OpAddI {
		if _, ok := fd.accRange(g); !ok {
			return nil
		}
	}
	rest := y.dims[1:]
	return func(dst *Buf) {
		stride := g.atom("n", product(rest))
		size := g.atom("n", mul(o.n, stride))
		g.segmap([]Expr{size}, func(ix []Expr) { g.emit(&Store{dst, ix[0], convert(dst.Elem, fd.zero)}) })
		if fd.ordered() {
			g.orderedGroups(o, y, fd, dst)
			return
		}
		g.sequence(fd.n, func(i Expr) {
			v := g.atom("v", g.index(o.source, []Expr{i}))
			in := and(g.compare(Ge, v, integer(1)), g.compare(Le, v, o.n))
			add1 := g.block(func() {
				row := g.atom("row", mul(sub(v, integer(1)), stride))
				g.segmapOrOnce(rest, func(jx []Expr) {
					at := add(row, g.ravelIndex(rest, jx))
					acc := g.bounded(fd, convert(fd.kind, &Load{dst, at}))
					g.emit(&Store{dst, at, convert(dst.Elem, g.step(fd, acc, convert(fd.kind, g.index(y, append([]Expr{i}, jx...)))))})
				})
			})
			g.emit(&If{Cond: in, Then: add1})
		})
	}
}

// orderedGroups is groupSums of a vector y in the order of num.Ordered. The places of
// a lane of a block are gone through twice: first their terms are added to the sums of
// the lane, then these to those of the block, where they become 0; those of blocks
// likewise.
func (g *gen) orderedGroups(o *oneHot, y *pull, fd *folding, dst *Buf) {
	if o.source.buf == nil && o.source.cost > 4 {
		g.materialise(o.source)
	}
	sums := func(name string) *Buf {
		b := g.alloc(name, F64, []Expr{o.n})
		g.segmap([]Expr{o.n}, func(ix []Expr) { g.emit(&Store{b, ix[0], fd.zero}) })
		return b
	}
	lane, block, super := sums("lane"), sums("block"), sums("super")
	at := func(i Expr, then func(at Expr)) {
		v := g.atom("v", g.index(o.source, []Expr{i}))
		in := and(g.compare(Ge, v, integer(1)), g.compare(Le, v, o.n))
		g.emit(&If{Cond: in, Then: g.block(func() { then(g.atom("at", sub(v, integer(1)))) })})
	}
	add1 := func(to *Buf, at, x Expr) { g.emit(&Store{to, at, g.step(fd, &Load{to, at}, x)}) }
	move := func(to, from *Buf) func(at Expr) {
		return func(at Expr) {
			x := g.let("x", &Load{from, at})
			add1(to, at, x)
			g.emit(&Store{from, at, fd.zero})
		}
	}
	g.guarded(func() {
		g.cutInto(fd.n, num.SuperBlock, func(from, to Expr) {
			g.cutInto(sub(to, from), num.Block, func(lo, hi Expr) {
				first, n := g.atom("first", add(from, lo)), g.atom("n", sub(hi, lo))
				g.steps(integer(0), integer(num.Lanes), func(l Expr) {
					terms := g.atom("terms", quo(sub(add(n, integer(num.Lanes-1)), l), integer(num.Lanes)))
					place := func(k Expr) Expr { return g.atom("i", add(add(first, l), mul(k, integer(num.Lanes)))) }
					g.steps(integer(0), terms, func(k Expr) {
						i := place(k)
						at(i, func(at Expr) { add1(lane, at, convert(F64, g.index(y, []Expr{i}))) })
					})
					g.steps(integer(0), terms, func(k Expr) { at(place(k), move(block, lane)) })
				})
				g.steps(integer(0), n, func(k Expr) { at(g.atom("i", add(first, k)), move(super, block)) })
			})
			g.segmap([]Expr{o.n}, func(ix []Expr) { move(dst, super)(ix[0]) })
		})
	})
}
