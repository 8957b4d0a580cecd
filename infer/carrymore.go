package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// More operators whose operand changes variables of the enclosing function: see
// carry.go.

// untilChanging is f⍣g y where f or g changes variables; nil where neither does.
// The state is the new value, the one before, whether to stop, and the variables.
func (g *infer) untilChanging(f, stop function, step func(tail.Expr) tail.Expr, y tail.Expr, s site) tail.Expr {
	vars := g.changedBy(f)
	for _, v := range g.changedBy(stop) {
		if !slices.Contains(vars, v) {
			vars = append(vars, v)
		}
	}
	if len(vars) == 0 {
		return nil
	}
	at := tail.At{Where: s.fn}
	next := func(e tail.Expr) tail.Expr {
		items := g.items(e)
		var z, c tail.Expr
		after := g.carry(vars, items[3:], s, func() {
			z = g.name(step(items[0]))
			c = g.dyadic(stop, z, items[0], s)
			c = g.name(g.toBool(g.single(c, s, "the result of ⍣'s right operand")))
		})
		return &tail.Tuple{At: at, Elems: append([]tail.Expr{z, items[0], c}, after...)}
	}
	y = g.name(y)
	never := lit(s.fn, array.ScalarBool(false))
	init := g.name(&tail.Tuple{At: at, Elems: append([]tail.Expr{y, y, never}, g.valuesOf(vars, s)...)})
	state, l := g.loop(init, next, s)
	cond := g.lambda(s.fn, []tail.Type{state}, func(a []tail.Expr) tail.Expr {
		return g.op(tail.OpNotB, s, g.items(a[0])[2])
	})
	first := g.name(g.adapt(g.name(next(g.name(g.adapt(init, state)))), state))
	done := g.name(g.op(tail.OpWhile, s, cond, l, first))
	g.change(vars, done, 3, s)
	return &tail.Proj{At: at, X: done, I: 0}
}

// reduceChanging is f/y of a vector where f changes variables; nil in other
// cases. The state is the place of the next element, the result so far, and the
// variables.
func (g *infer) reduceChanging(f function, y tail.Expr, s site) tail.Expr {
	vars := g.changedBy(f)
	t := g.arr(y, s.right)
	if len(vars) == 0 || t.Dims() != 1 {
		return nil
	}
	if n, ok := t.Extent(0).IsConst(); ok && n == 0 {
		g.fault(tail.FaultEmptyReduce, s)
	}
	at := tail.At{Where: s.fn}
	y = g.name(y)
	count := g.name(g.op(tail.OpTally, s, y))
	last := g.name(g.op(tail.OpIndex, s, y, count))
	steps := g.name(g.op(tail.OpSubI, s, count, g.intLit(s, 1)))
	init := g.name(&tail.Tuple{At: at, Elems: append([]tail.Expr{steps, last}, g.valuesOf(vars, s)...)})
	state, l := g.loop(init, func(e tail.Expr) tail.Expr {
		items := g.items(e)
		x := g.name(g.op(tail.OpIndex, s, y, items[0]))
		var z tail.Expr
		after := g.carry(vars, items[2:], s, func() { z = g.name(g.dyadic(f, x, items[1], s)) })
		return &tail.Tuple{At: at, Elems: append([]tail.Expr{g.op(tail.OpSubI, s, items[0], g.intLit(s, 1)), z}, after...)}
	}, s)
	done := g.name(g.op(tail.OpPower, s, l, steps, g.adapt(init, state)))
	g.change(vars, done, 2, s)
	return &tail.Proj{At: at, X: done, I: 1}
}

// cellsChanging is f⍤k y where f changes variables and gives scalars; nil where
// it does not change any.
func (g *infer) cellsChanging(f function, y tail.Expr, k int, s site) tail.Expr {
	vars := g.changedBy(f)
	if len(vars) == 0 {
		return nil
	}
	y = g.name(y)
	frame := tail.TypeOf(y).Dims() - k
	shape := g.name(g.shapeOf(y, s))
	extents := make([]tail.Expr, frame)
	for i := range extents {
		extents[i] = g.op(tail.OpIndex, s, shape, g.intLit(s, i+1))
	}
	like := g.name(g.op(tail.OpReshape, s, g.vector(s.fn, extents, array.Int), g.intLit(s, 0)))
	flat := []tail.Expr{g.op(tail.OpCount, s, like)}
	for i := range k {
		flat = append(flat, g.op(tail.OpIndex, s, shape, g.intLit(s, frame+i+1)))
	}
	cells := g.name(g.op(tail.OpReshape, s, g.vector(s.fn, flat, array.Int), y))
	return g.eachCarried(vars, like, false, func(i tail.Expr) tail.Expr {
		at := []tail.Expr{cells, i}
		for range k {
			at = append(at, g.op(tail.OpAll, s))
		}
		return g.monadic(f, g.op(tail.OpIndex, s, at...), s)
	}, s)
}
