package search

import (
	"math"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/shape"
	"github.com/tailor-lang/tailor/tail"
)

// Grouped lowers y[⍋w] of a vector y, whose grade nothing else uses, where w has the numbers of groups: the elements
// of y go into the order of the groups, and no place is stored. It is nil where e is something else.
func Grouped(g *build.Builder, e *tail.Apply) *build.Value {
	if len(e.Args) != 2 || tail.TypeOf(e.Args[0]).Dims() != 1 {
		return nil
	}
	grade, ok := e.Args[1].(*tail.Apply)
	if !ok || grade.Op != tail.OpGradeUp || !OrdersVector(g, grade) {
		return nil
	}
	v, ok := grade.Args[0].(*tail.Ref)
	if !ok || g.Ref(v).Arr.Groups == nil {
		return nil
	}
	w, y := g.Ref(v).Arr, g.Args(e.Args[:1])[0].Arr
	if !g.SameCount(y.Dims, w.Dims) {
		return shape.Gather(g, e, []*build.Value{build.Array1(y), Order(g, grade, []*build.Value{build.Array1(w)})})
	}
	return inGroups(g, y, w)
}

// placesInGroups lowers ⍋w where w has the numbers of groups.
func placesInGroups(g *build.Builder, w *build.Pull) *build.Value {
	most := max(g.RangeOf(w.Dims[0]).Hi, 1)
	return inGroups(g, &build.Pull{Elem: ir.I64, Dims: w.Dims, Rng: facts.Between(1, most), Cost: 1,
		Flat: func(i ir.Expr) ir.Expr { return ir.Add(i, ir.Integer(1)) }}, w)
}

// inGroups gives the elements of y in the order of the d groups whose numbers w has: each goes behind those of its
// group that went before.
//
//	for k = 0 … d+1: at[k] = 0
//	for i = 0 … n: at[w[i]] = at[w[i]] + 1
//	for k = 0 … d: at[k+1] = at[k+1] + at[k]
//	for i = 0 … n: r[at[w[i]-1]] = y[i]; at[w[i]-1] = at[w[i]-1] + 1
func inGroups(g *build.Builder, y, w *build.Pull) *build.Value {
	if y.Faults {
		g.Force()
		g.Materialise(y)
	}
	g.Materialise(w)
	g.Pullable(y)
	n, d := w.Dims[0], w.Groups
	q := &build.Pull{Elem: y.Elem, Dims: w.Dims[:1:1], Rng: y.Rng, Span: y.Span, Cost: 1000, Srcs: []*build.Pull{y, w}}
	q.Fill = func(dst *ir.Buf) {
		kind, rng := ir.I64, facts.Between(0, max(g.RangeOf(n).Hi, 0))
		if rng.Hi <= math.MaxInt32 && g.On("narrow") {
			kind = ir.I32
		}
		size := g.Atom("n", ir.Add(d, ir.Integer(1)))
		at := g.Alloc("at", kind, []ir.Expr{size})
		g.Bufs[at] = rng
		load := func(k ir.Expr) ir.Expr { return ir.ConvertTo(ir.I64, at.Load(k)) }
		put := func(k, x ir.Expr) { g.Emit(at.Store(k, ir.ConvertTo(kind, x))) }
		g.Segmap([]ir.Expr{size}, func(ix []ir.Expr) { put(ix[0], ir.Integer(0)) })
		g.Sequence(n, func(i ir.Expr) {
			k := g.Atom("k", g.IndexFlat(w, i))
			put(k, ir.Add(load(k), ir.Integer(1)))
		})
		g.Sequence(d, func(k ir.Expr) {
			next := ir.Add(k, ir.Integer(1))
			put(next, ir.Add(load(next), load(k)))
		})
		g.Sequence(n, func(i ir.Expr) {
			k := g.Atom("k", ir.Sub(g.IndexFlat(w, i), ir.Integer(1)))
			x := g.IndexFlat(y, i)
			to := g.Let("to", load(k))
			g.Ranges[to.(*ir.Use).Var] = rng
			g.Emit(dst.Store(to, ir.ConvertTo(dst.Elem, x)))
			put(k, ir.Add(to, ir.Integer(1)))
		})
	}
	return build.Array1(q)
}
