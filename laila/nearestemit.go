package laila

import (
	"math"

	"github.com/tailor-lang/tailor/tail"
)

// nearest emits the search for the nearest centres, and returns the places.
func (g *gen) nearest(t *distance, p *leastPlaces) *value {
	matrix := func(e *element, a *axis) (q *pull, turned bool) {
		q = g.expr(e.of).arr
		return g.canonical(q), e.ix[0] != a
	}
	c, cTurned := matrix(t.c, t.k)
	x, xTurned := matrix(t.x, t.i)
	extent := func(q *pull, turned bool, a int) Expr {
		if turned {
			a = 1 - a
		}
		return q.dims[a]
	}
	n, count, axes := extent(x, xTurned, 0), extent(c, cTurned, 0), extent(x, xTurned, 1)
	kind := wider(I8, narrowest(interval{0, g.rangeOf(count).hi + 1}))
	if width(kind) > 4 {
		kind = I32
	}
	near := &Buf{Name: "near", Elem: kind}
	g.bufs[near] = interval{0, min(g.rangeOf(count).hi+1, math.MaxInt32)}
	dims := []Expr{n}
	if _, ok := intOf(n); !ok {
		v := g.newVar("d", I64)
		g.ranges[v], g.steady[v] = g.rangeOf(n), true
		dims = []Expr{&Use{v}}
	}
	flag := func(b bool) RuntimeArg { return RuntimeArg{X: convert(I64, boolean(b))} }
	g.emit(&Runtime{Fn: "nearest", At: g.src, Results: []Array{{Elem: kind, Buf: near, Dims: dims}},
		Args: []RuntimeArg{{Array: &Array{Elem: F64, Buf: x.buf, Dims: x.dims}}, {Array: &Array{Elem: F64, Buf: c.buf, Dims: c.dims}}, flag(xTurned), flag(cTurned)}})
	g.own(near)
	load := func(q *pull, turned bool, row, col Expr) Expr {
		if turned {
			row, col = col, row
		}
		return g.index(q, []Expr{row, col})
	}
	g.segmap(dims, func(ix []Expr) {
		far := func(k Expr) Expr {
			s := g.sumOfSquares(axes, func(d Expr) Expr {
				return &Binary{Sub, load(x, xTurned, ix[0], d), load(c, cTurned, k, d)}
			})
			if t.root {
				s = &Unary{Sqrt, s}
			}
			return s
		}
		g.emit(&If{Cond: &Binary{Eq, &Load{near, ix[0]}, &Int{0, kind}}, Then: g.block(func() {
			g.emit(&Store{near, ix[0], convert(kind, g.exactPlace(p, count, far))})
		})})
	})
	at := func(i Expr) Expr { return add(convert(I64, &Load{near, i}), integer(p.base-1)) }
	q := &pull{elem: I64, dims: dims, rng: interval{p.base, g.bufs[near].hi + p.base - 1}, cost: 1, flat: at, srcs: []*pull{x, c}}
	return array1(q)
}

// sumOfSquares adds the squares of n differences in the order of a reduction:
// few from the last to the first.
func (g *gen) sumOfSquares(n Expr, read func(i Expr) Expr) Expr {
	square := func(i Expr) Expr {
		v := g.let("v", read(i))
		return &Binary{Mul, v, v}
	}
	c, known := intOf(n)
	if known && c > 0 && c <= unrollLimit {
		acc := square(integer(c - 1))
		for i := c - 2; i >= 0; i-- {
			acc = &Binary{Add, square(integer(i)), acc}
		}
		return acc
	}
	if known && c <= rowTerms {
		var acc Expr = &Float{0}
		for i := range c {
			acc = g.let("acc", &Binary{Add, acc, square(integer(i))})
		}
		return acc
	}
	acc := g.mutable("acc", F64, &Float{0})
	g.sequence(n, func(i Expr) { g.emit(&Assign{acc, &Binary{Add, &Use{acc}, square(i)}}) })
	return g.let("r", &Use{acc})
}

// exactPlace returns the place, from 1, of the least of n distances.
func (g *gen) exactPlace(p *leastPlaces, n Expr, far func(k Expr) Expr) Expr {
	read := far
	if c, ok := intOf(n); ok && c <= nearestRow {
		row := &Buf{Name: "row", Elem: F64, Stack: c}
		g.emit(&DeclBuf{Buf: row, Count: integer(c), At: g.src})
		g.segmap([]Expr{n}, func(ix []Expr) { g.emit(&Store{row, ix[0], far(ix[0])}) })
		read = func(k Expr) Expr { return &Load{row, k} }
	}
	if p.graded {
		best := g.extreme(n, Min, &Float{math.Inf(1)}, read)
		at := g.firstTrue(n, func(k Expr) Expr { return &Binary{Eq, read(k), best} })
		at = add(g.within(rem(at, g.larger(n, integer(1))), 0, n), integer(1))
		return choose(g.compare(Gt, n, integer(0)), at, integer(0))
	}
	least := g.mutable("least", F64, &Float{math.Inf(1)})
	g.sequence(n, func(k Expr) { g.emit(&Assign{least, &Binary{Min, &Use{least}, read(k)}}) })
	best := g.let("e", &Use{least})
	return add(g.firstTrue(n, func(k Expr) Expr {
		x := read(k)
		switch {
		case p.differ:
			return not(g.mathOp(mathOps[tail.OpNeqD], []Expr{x, best}, site{}))
		case g.in.Exact:
			return &Binary{Eq, x, best}
		}
		return g.mathOp(mathOps[tail.OpEqD], []Expr{x, best}, site{})
	}), integer(1))
}
