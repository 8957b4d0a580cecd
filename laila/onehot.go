package laila

import "github.com/tailor-lang/tailor/tail"

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
