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
	if x.Order != nil && x.Buf != nil {
		return inverse(g, x, e.Op == tail.OpGradeDown)
	}
	if x.Groups != nil && e.Op == tail.OpGradeUp {
		return placesInGroups(g, x)
	}
	s := orderCall("order", e, graded(g, x))
	v := gradePlaces(g, s, e, x.Dims[0])
	v.Arr.Dims = x.Dims[:1:1]
	v.Arr.Order = &build.Ordering{Call: s, Blk: g.Blk, X: x}
	return v
}

// inverse lowers the grade of a grade x, which has every place once:
//
//	⍋⍋v    for i = 0 … n: r[x[i] - 1] = i + 1
//	⍒⍋v    for i = 0 … n: r[n - x[i]] = i + 1
func inverse(g *build.Builder, x *build.Pull, down bool) *build.Value {
	n := x.Dims[0]
	rng := facts.Between(1, max(g.RangeOf(n).Hi, 1))
	kind := ir.I64
	if g.On("narrow") {
		kind = facts.Narrowest(rng)
	}
	r := g.Alloc("r", kind, x.Dims)
	g.Bufs[r] = rng
	g.Segmap(x.Dims, func(ix []ir.Expr) {
		place := g.IndexFlat(x, ix[0])
		at := ir.Sub(place, ir.Integer(1))
		if down {
			at = ir.Sub(n, place)
		}
		g.Emit(r.Store(at, ir.ConvertTo(kind, ir.Add(ix[0], ir.Integer(1)))))
	})
	return build.Array1(g.Stored(ir.I64, r, x.Dims))
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

// sortedBy returns x and its grade where e is x[⍋x] or x[⍒x] of a variable.
func sortedBy(g *build.Builder, e tail.Expr) (x *tail.Ref, grade *tail.Apply) {
	index, ok := e.(*tail.Apply)
	if !ok || index.Op != tail.OpIndex || len(index.Args) != 2 {
		return nil, nil
	}
	x, isRef := index.Args[0].(*tail.Ref)
	grade, isApply := index.Args[1].(*tail.Apply)
	if !isRef || !isApply || !OrdersVector(g, grade) || !build.RefersTo(grade.Args[0], x.Var) {
		return nil, nil
	}
	return x, grade
}

// SortedVector lowers x[⍋x] and x[⍒x], whose grade nothing else uses; nil where
// e is something else.
func SortedVector(g *build.Builder, e *tail.Apply) *build.Value {
	x, grade := sortedBy(g, e)
	if x == nil {
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
	if !isApply || !OrdersVector(g, grade) || !takesOne(e) {
		return nil
	}
	k, _, places := firstPlaces(g, e, grade, g.Args(grade.Args)[0].Arr)
	return shape.Take(g, e, []*build.Value{build.Scalar1(k), build.Array1(places)})
}

// takesOne reports whether a take has one extent.
func takesOne(e *tail.Apply) bool {
	t := tail.TypeOf(e.Args[0])
	return t.Dims() == 0 || t.Extent(0).Equal(tail.ConstSize(1))
}

// firstPlaces returns the extent k of the take e, the smaller m of it and the number of
// elements of x, and the first m places of a grade of x; all places where k is negative.
func firstPlaces(g *build.Builder, e, grade *tail.Apply, x *build.Pull) (k, m ir.Expr, places *build.Pull) {
	s := orderCall("leading", grade, graded(g, x))
	count := g.Expr(e.Args[0])
	k = count.X
	if k == nil {
		k = g.ElementsOf(count.Arr, 1)[0]
	}
	k = g.Atom("k", k)
	n := x.Dims[0]
	m = g.Atom("n", ir.Choose(g.Compare(ir.OpLt, k, ir.Integer(0)), n, ir.OpMin.Of(k, n)))
	s.Args = append(s.Args, ir.RuntimeArg{X: m})
	v := gradePlaces(g, s, grade, n)
	v.Arr.Dims = []ir.Expr{m}
	return k, m, v.Arr
}

// LeadingElements lowers k↑x[⍋x] and k↑x[⍒x], whose grade nothing else uses, for one k:
// the elements at the places that k↑⍋x has. It is nil where e is something else, and
// where x is sorted by a network.
func LeadingElements(g *build.Builder, e *tail.Apply) *build.Value {
	x, grade := sortedBy(g, e.Args[1])
	if x == nil || !takesOne(e) {
		return nil
	}
	p := g.Args([]tail.Expr{x})[0].Arr
	if n, known := ir.IntOf(p.Dims[0]); known && n <= networkMost {
		return nil
	}
	k, m, places := firstPlaces(g, e, grade, g.Pullable(p))
	q := &build.Pull{Elem: p.Elem, Dims: []ir.Expr{m}, Rng: p.Rng, Span: p.Span, Cost: p.Cost + 1, Srcs: []*build.Pull{p, places},
		At: func(ix []ir.Expr) ir.Expr { return g.IndexFlat(p, ir.Sub(g.Index(places, ix), ir.Integer(1))) }}
	return shape.Take(g, e, []*build.Value{build.Scalar1(k), build.Array1(q)})
}
