package search

import (
	"math"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/elements"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/reduce"
	"github.com/tailor-lang/tailor/tail"
)

// nearest emits the search for the nearest centres, and returns the places.
func nearest(g *build.Builder, t *distance, p *leastPlaces) *build.Value {
	matrix := func(e *elements.Element, a *elements.Axis) (q *build.Pull, turned bool) {
		q = g.Expr(e.Of).Arr
		return g.Canonical(q), e.Ix[0] != a
	}
	c, cTurned := matrix(t.c, t.k)
	x, xTurned := matrix(t.x, t.i)
	extent := func(q *build.Pull, turned bool, a int) ir.Expr {
		if turned {
			a = 1 - a
		}
		return q.Dims[a]
	}
	n, count, axes := extent(x, xTurned, 0), extent(c, cTurned, 0), extent(x, xTurned, 1)
	kind := ir.Wider(ir.I8, facts.Narrowest(facts.Between(0, g.RangeOf(count).Hi+1)))
	if ir.Width(kind) > 4 {
		kind = ir.I32
	}
	near := &ir.Buf{Name: "near", Elem: kind}
	g.Bufs[near] = facts.Between(0, min(g.RangeOf(count).Hi+1, math.MaxInt32))
	dims := []ir.Expr{n}
	if _, ok := ir.IntOf(n); !ok {
		v := g.NewVar("d", ir.I64)
		g.Ranges[v], g.Steady[v] = g.RangeOf(n), true
		dims = []ir.Expr{v.Use()}
	}
	flag := func(b bool) ir.RuntimeArg { return ir.RuntimeArg{X: ir.ConvertTo(ir.I64, ir.Boolean(b))} }
	g.Emit(&ir.Runtime{Fn: "nearest", At: g.Src, Results: []ir.Array{{Elem: kind, Buf: near, Dims: dims}},
		Args: []ir.RuntimeArg{{Array: &ir.Array{Elem: ir.F64, Buf: x.Buf, Dims: x.Dims}}, {Array: &ir.Array{Elem: ir.F64, Buf: c.Buf, Dims: c.Dims}}, flag(xTurned), flag(cTurned)}})
	g.Own(near)
	load := func(q *build.Pull, turned bool, row, col ir.Expr) ir.Expr {
		if turned {
			row, col = col, row
		}
		return g.Index(q, []ir.Expr{row, col})
	}
	g.Segmap(dims, func(ix []ir.Expr) {
		far := func(k ir.Expr) ir.Expr {
			s := sumOfSquares(g, axes, func(d ir.Expr) ir.Expr {
				return ir.OpSub.Of(load(x, xTurned, ix[0], d), load(c, cTurned, k, d))
			})
			if t.root {
				s = ir.OpSqrt.Of(s)
			}
			return s
		}
		g.Emit(&ir.If{Cond: ir.OpEq.Of(near.Load(ix[0]), &ir.Int{Val: 0, K: kind}), Then: g.Block(func() {
			g.Emit(near.Store(ix[0], ir.ConvertTo(kind, exactPlace(g, p, count, far))))
		})})
	})
	at := func(i ir.Expr) ir.Expr { return ir.Add(ir.ConvertTo(ir.I64, near.Load(i)), ir.Integer(p.base-1)) }
	q := &build.Pull{Elem: ir.I64, Dims: dims, Rng: facts.Between(p.base, g.Bufs[near].Hi+p.base-1), Cost: 1, Flat: at, Srcs: []*build.Pull{x, c}}
	return build.Array1(q)
}

// sumOfSquares adds the squares of n differences in the order of a reduction:
// few from the last to the first.
func sumOfSquares(g *build.Builder, n ir.Expr, read func(i ir.Expr) ir.Expr) ir.Expr {
	square := func(i ir.Expr) ir.Expr {
		v := g.Let("v", read(i))
		return ir.OpMul.Of(v, v)
	}
	c, known := ir.IntOf(n)
	if known && c > 0 && c <= reduce.UnrollLimit {
		acc := square(ir.Integer(c - 1))
		for i := c - 2; i >= 0; i-- {
			acc = ir.OpAdd.Of(square(ir.Integer(i)), acc)
		}
		return acc
	}
	if known && c <= reduce.RowTerms {
		var acc ir.Expr = &ir.Float{Val: 0}
		for i := range c {
			acc = g.Let("acc", ir.OpAdd.Of(acc, square(ir.Integer(i))))
		}
		return acc
	}
	acc := g.Mutable("acc", ir.F64, &ir.Float{Val: 0})
	g.Sequence(n, func(i ir.Expr) { g.Emit(acc.Assign(ir.OpAdd.Of(acc.Use(), square(i)))) })
	return g.Let("r", acc.Use())
}

// exactPlace returns the place, from 1, of the least of n distances.
func exactPlace(g *build.Builder, p *leastPlaces, n ir.Expr, far func(k ir.Expr) ir.Expr) ir.Expr {
	read := far
	if c, ok := ir.IntOf(n); ok && c <= nearestRow {
		row := &ir.Buf{Name: "row", Elem: ir.F64, Stack: c}
		g.Emit(&ir.DeclBuf{Buf: row, Count: ir.Integer(c), At: g.Src})
		g.Segmap([]ir.Expr{n}, func(ix []ir.Expr) { g.Emit(row.Store(ix[0], far(ix[0]))) })
		read = func(k ir.Expr) ir.Expr { return row.Load(k) }
	}
	if p.graded {
		best := extreme(g, n, ir.OpMin, &ir.Float{Val: math.Inf(1)}, read)
		at := firstTrue(g, n, func(k ir.Expr) ir.Expr { return ir.OpEq.Of(read(k), best) })
		at = ir.Add(g.Within(ir.Rem(at, g.Larger(n, ir.Integer(1))), 0, n), ir.Integer(1))
		return ir.Choose(g.Compare(ir.OpGt, n, ir.Integer(0)), at, ir.Integer(0))
	}
	least := g.Mutable("least", ir.F64, &ir.Float{Val: math.Inf(1)})
	g.Sequence(n, func(k ir.Expr) { g.Emit(least.Assign(ir.OpMin.Of(least.Use(), read(k)))) })
	best := g.Let("e", least.Use())
	return ir.Add(firstTrue(g, n, func(k ir.Expr) ir.Expr {
		x := read(k)
		switch {
		case p.differ:
			return ir.Not(g.MathOp(build.MathOps[tail.OpNeqD], []ir.Expr{x, best}, build.Site{}))
		case g.In.Exact:
			return ir.OpEq.Of(x, best)
		}
		return g.MathOp(build.MathOps[tail.OpEqD], []ir.Expr{x, best}, build.Site{})
	}), ir.Integer(1))
}
