package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// ordering is a call of the run-time that grades the vector x. Where x is
// indexed by the grade, the call gives the sorted elements, too:
//
//	(r) = run-time order(x, 0)               (r, s) = run-time order(x, 0)
//	segmap i = 0 … n: s[i] = x[r[i] - 1]  becomes
//
// It gives them away once; who asks again may find them changed in place.
type ordering struct {
	call  *ir.Runtime
	blk   *block // the block that the call is in
	x     *pull
	given bool
}

// orders reports whether e grades a vector as this file does.
func (g *gen) orders(e *tail.Apply) bool {
	if e.Op != tail.OpGradeUp && e.Op != tail.OpGradeDown || !g.On("order") {
		return false
	}
	t := tail.TypeOf(e.Args[0])
	return t.Dims() == 1 && kindOf(t.Elem) != ir.C64
}

// graded stores a vector, as narrow as it may be, for the run-time to order it.
func (g *gen) graded(p *pull) ir.RuntimeArg {
	g.force()
	g.materialise(p)
	return ir.RuntimeArg{Array: &ir.Array{Elem: p.elem, Buf: p.buf, Dims: p.dims}}
}

// orderCall is the call of fn for the vector that e, a grade, is of.
func orderCall(fn string, e *tail.Apply, x ir.RuntimeArg) *ir.Runtime {
	down := ir.Integer(0)
	if e.Op == tail.OpGradeDown {
		down = ir.Integer(1)
	}
	return &ir.Runtime{Fn: fn, Args: []ir.RuntimeArg{x, {X: down}}, At: e.Where}
}

// order lowers a grade of a vector.
func (g *gen) order(e *tail.Apply, args []*value) *value {
	x := args[0].arr
	s := orderCall("order", e, g.graded(x))
	v := g.placesOf(s, e, x.dims[0])
	v.arr.dims = x.dims[:1:1]
	v.arr.order = &ordering{call: s, blk: g.blk, x: x}
	return v
}

// placesOf emits the call s, which gives places of n elements, for the grade e.
func (g *gen) placesOf(s *ir.Runtime, e *tail.Apply, n ir.Expr) *value {
	t := tail.TypeOf(e)
	most := max(g.RangeOf(n).Hi, 1)
	a := g.declared("r", t)
	if most <= math.MaxInt32 && g.On("narrow") {
		a.Buf.Elem = ir.I32
	}
	s.Results = []ir.Array{a}
	g.Bufs[a.Buf] = facts.Between(1, most)
	v := g.received(a, t)
	g.emit(s)
	return v
}

// sortedBy is the vector p indexed by ix where ix is its grade; nil where it is
// something else.
func (g *gen) sortedBy(p, ix *pull) *pull {
	if ix == nil || ix.order == nil || ix.order.x != p || ix.order.given {
		return nil
	}
	o := ix.order
	o.given = true
	a, q := g.sortedArray(o.call, p)
	o.blk.owned = append(o.blk.owned, a.Buf)
	return q
}

// sortedArray adds the sorted elements of p to what s gives.
func (g *gen) sortedArray(s *ir.Runtime, p *pull) (ir.Array, *pull) {
	v := g.NewVar("d", ir.I64)
	g.Ranges[v], g.steady[v] = facts.Between(0, facts.MaxExtent), true
	k := s.Args[0].Array.Buf.Elem
	a := ir.Array{Elem: p.elem, Buf: &ir.Buf{Name: "sorted", Elem: k}, Dims: []ir.Expr{v.Use()}}
	s.Results = append(s.Results, a)
	if k.Exact() {
		g.Bufs[a.Buf] = p.rng
	}
	if p.span != nil {
		g.BufSpans[a.Buf] = *p.span
	}
	return a, g.stored(p.elem, a.Buf, p.dims)
}

// sortedVector lowers x[⍋x] and x[⍒x], whose grade nothing else uses; nil where
// e is something else.
func (g *gen) sortedVector(e *tail.Apply) *value {
	if len(e.Args) != 2 {
		return nil
	}
	x, isRef := e.Args[0].(*tail.Ref)
	grade, isApply := e.Args[1].(*tail.Apply)
	if !isRef || !isApply || !g.orders(grade) || !refersTo(grade.Args[0], x.Var) {
		return nil
	}
	p := g.args(e.Args[:1])[0].arr
	if v := g.sortedFew(e, p, grade.Op == tail.OpGradeDown); v != nil {
		return v
	}
	s := orderCall("sorted", grade, g.graded(p))
	a, q := g.sortedArray(s, p)
	g.own(a.Buf)
	g.emit(s)
	return array1(q)
}

// leadingPlaces lowers k↑⍋x and k↑⍒x for one k, of whose places the run-time finds the
// first without an order of all, where it is not negative; nil where e is something else.
func (g *gen) leadingPlaces(e *tail.Apply) *value {
	grade, isApply := e.Args[1].(*tail.Apply)
	if !isApply || !g.orders(grade) {
		return nil
	}
	if t := tail.TypeOf(e.Args[0]); t.Dims() > 0 && !t.Extent(0).Equal(tail.ConstSize(1)) {
		return nil
	}
	x := g.args(grade.Args)[0].arr
	s := orderCall("leading", grade, g.graded(x))
	count := g.expr(e.Args[0])
	k := count.x
	if k == nil {
		k = g.elementsOf(count.arr, 1)[0]
	}
	k = g.atom("k", k)
	n := x.dims[0]
	m := g.atom("n", ir.Choose(g.Compare(ir.OpLt, k, ir.Integer(0)), n, ir.OpMin.Of(k, n)))
	s.Args = append(s.Args, ir.RuntimeArg{X: m})
	v := g.placesOf(s, grade, n)
	v.arr.dims = []ir.Expr{m}
	return g.take(e, []*value{scalar1(k), v})
}
