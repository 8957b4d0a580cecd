package search

import (
	"math"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/shape"
	"github.com/tailor-lang/tailor/tail"
)

// OrdersVector reports whether e grades a vector as this file does.
func OrdersVector(g *build.Builder, e *tail.Apply) bool {
	if e.Op != tail.OpGradeUp && e.Op != tail.OpGradeDown || !g.On("order") {
		return false
	}
	t := tail.TypeOf(e.Args[0])
	return t.Dims() == 1 && build.KindOf(t.Elem) != ir.C64
}

// graded stores a vector, as narrow as it may be, for the run-time to order it. Part of an
// array in storage is taken where it is.
func graded(g *build.Builder, p *build.Pull) ir.RuntimeArg {
	g.Force()
	a, ok := g.PartOf(p)
	if !ok {
		g.Materialise(p)
		a = ir.Array{Elem: p.Elem, Buf: p.Buf, Dims: p.Dims}
	}
	return ir.RuntimeArg{Array: &a}
}

// orderCall is the call of fn for the vector that e, a grade, is of.
func orderCall(fn string, e *tail.Apply, x ir.RuntimeArg) *ir.Runtime {
	down := ir.Integer(0)
	if e.Op == tail.OpGradeDown {
		down = ir.Integer(1)
	}
	return &ir.Runtime{Fn: fn, Args: []ir.RuntimeArg{x, {X: down}}, At: e.Where}
}

// Order lowers a grade of a vector.
func Order(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	x := args[0].Arr
	s := orderCall("order", e, graded(g, x))
	v := gradePlaces(g, s, e, x.Dims[0])
	v.Arr.Dims = x.Dims[:1:1]
	v.Arr.Order = &build.Ordering{Call: s, Blk: g.Blk, X: x}
	return v
}

// gradePlaces emits the call s, which gives places of n elements, for the grade e.
func gradePlaces(g *build.Builder, s *ir.Runtime, e *tail.Apply, n ir.Expr) *build.Value {
	t := tail.TypeOf(e)
	most := max(g.RangeOf(n).Hi, 1)
	a := g.Declared("r", t)
	if most <= math.MaxInt32 && g.On("narrow") {
		a.Buf.Elem = ir.I32
	}
	s.Results = []ir.Array{a}
	g.Bufs[a.Buf] = facts.Between(1, most)
	v := g.Received(a, t)
	g.Emit(s)
	return v
}

// SortedVector lowers x[⍋x] and x[⍒x], whose grade nothing else uses; nil where
// e is something else.
func SortedVector(g *build.Builder, e *tail.Apply) *build.Value {
	if len(e.Args) != 2 {
		return nil
	}
	x, isRef := e.Args[0].(*tail.Ref)
	grade, isApply := e.Args[1].(*tail.Apply)
	if !isRef || !isApply || !OrdersVector(g, grade) || !build.RefersTo(grade.Args[0], x.Var) {
		return nil
	}
	p := g.Args(e.Args[:1])[0].Arr
	if v := sortedFew(g, e, p, grade.Op == tail.OpGradeDown); v != nil {
		return v
	}
	s := orderCall("sorted", grade, graded(g, p))
	a, q := g.SortedArray(s, p)
	g.Own(a.Buf)
	g.Emit(s)
	return build.Array1(q)
}

// LeadingPlaces lowers k↑⍋x and k↑⍒x for one k, of whose places the run-time finds the
// first without an order of all, where it is not negative; nil where e is something else.
func LeadingPlaces(g *build.Builder, e *tail.Apply) *build.Value {
	grade, isApply := e.Args[1].(*tail.Apply)
	if !isApply || !OrdersVector(g, grade) {
		return nil
	}
	if t := tail.TypeOf(e.Args[0]); t.Dims() > 0 && !t.Extent(0).Equal(tail.ConstSize(1)) {
		return nil
	}
	x := g.Args(grade.Args)[0].Arr
	s := orderCall("leading", grade, graded(g, x))
	count := g.Expr(e.Args[0])
	k := count.X
	if k == nil {
		k = g.ElementsOf(count.Arr, 1)[0]
	}
	k = g.Atom("k", k)
	n := x.Dims[0]
	m := g.Atom("n", ir.Choose(g.Compare(ir.OpLt, k, ir.Integer(0)), n, ir.OpMin.Of(k, n)))
	s.Args = append(s.Args, ir.RuntimeArg{X: m})
	v := gradePlaces(g, s, grade, n)
	v.Arr.Dims = []ir.Expr{m}
	return shape.Take(g, e, []*build.Value{build.Scalar1(k), v})
}
