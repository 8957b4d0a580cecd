package search

import (
	"math/bits"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// IntervalIndex lowers v⍸y: how many elements of v, which ascend, are not greater
// than each one of y. The search by halves takes the same steps for all elements, so
// that it can be vector code, and its results need not be stored:
//
//	at = v[power-1] ≤ x ? n-power+1 : 0       power: the largest power of 2 ≤ n
//	for step = power/2, power/4 … 1: at = at + (v[at+step-1] ≤ x ? step : 0)
//
// It is nil for complex numbers, and where many integers or characters are looked for on
// CPUs in a vector whose length is a constant: gcc 12 makes vector code of comparisons of
// 32 bits that choose places of 64, and it reads wrong elements. One that is looked for in a loop goes
// through the steps as if the length was not known.
func IntervalIndex(g *build.Builder, args []*build.Value) *build.Value {
	v, y := args[0].Arr, args[1]
	whole := func(k ir.Kind) bool { return k.Exact() && k != ir.C32 }
	if v.Elem == ir.C64 || v.Elem != y.Kind() && (y.X == nil || !whole(v.Elem) || !whole(y.Kind())) {
		return nil
	}
	h := &halves{Builder: g, n: v.Dims[0]}
	if n, known := ir.IntOf(v.Dims[0]); known && (y.X == nil || g.Nest != nil) && v.Elem != ir.F64 && g.CPU() {
		if y.X == nil {
			return nil
		}
		length := g.Mutable("n", ir.I64, v.Dims[0])
		g.Ranges[length] = facts.Between(0, n)
		h.n = length.Use()
	}
	h.prepare()
	if y.X != nil {
		h.table = g.Materialise(v)
		return build.Scalar1(h.count(y.X))
	}
	h.table = g.Gatherable(v)
	x := g.Pullable(y.Arr)
	q := &build.Pull{Elem: ir.I64, Dims: x.Dims, Rng: facts.Between(0, g.RangeOf(h.n).Hi), Cost: x.Cost + 4*h.most(), Faults: x.Faults, Pieces: x.Pieces, Srcs: []*build.Pull{x}, Pointwise: true}
	if x.At != nil || x.Flat != nil {
		q.At = func(ix []ir.Expr) ir.Expr { return h.count(g.Index(x, ix)) }
	}
	if x.Flat != nil {
		q.Flat = func(i ir.Expr) ir.Expr { return h.count(g.IndexFlat(x, i)) }
	}
	return build.Array1(q)
}

// halves is a search by halves in a stored vector of n elements.
type halves struct {
	*build.Builder
	table *build.Pull
	n     ir.Expr
	power ir.Expr // the largest power of 2 that is not greater than n; 0 where n is
	steps ir.Expr // how often power can be halved
}

// most is the largest number of steps.
func (h *halves) most() int { return bits.Len64(uint64(max(h.RangeOf(h.n).Hi, 0))) }

// prepare computes the power of 2 that the steps begin with.
func (h *halves) prepare() {
	if n, ok := ir.IntOf(h.n); ok {
		k := max(bits.Len64(uint64(n))-1, 0)
		h.power, h.steps = ir.Integer(min(n, 1<<k)), ir.Integer(int64(k))
		return
	}
	most := int64(h.most())
	power := h.Mutable("power", ir.I64, ir.OpMin.Of(h.n, ir.Integer(1)))
	steps := h.Mutable("steps", ir.I64, ir.Integer(0))
	h.Ranges[power], h.Ranges[steps] = facts.Between(0, 1<<most), facts.Between(0, most)
	h.Emit(&ir.Loop{Body: h.Block(func() {
		h.Emit(&ir.BreakIf{Cond: ir.Or(ir.OpGt.Of(ir.OpMul.Of(power.Use(), ir.Integer(2)), h.n), ir.OpEq.Of(h.n, ir.Integer(0)))})
		h.Emit(power.Assign(ir.OpMul.Of(power.Use(), ir.Integer(2))), steps.Assign(ir.OpAdd.Of(steps.Use(), ir.Integer(1))))
	})})
	h.power, h.steps = h.Let("power", power.Use()), h.Let("steps", steps.Use())
}

// count returns how many elements are not greater than x.
func (h *halves) count(x ir.Expr) ir.Expr {
	if ir.IsInt(h.n, 0) {
		return ir.Integer(0)
	}
	x = h.Atom("x", x)
	if _, ok := ir.IntOf(h.n); ok {
		at := h.first(x)
		for step := h.steps.(*ir.Int).Val - 1; step >= 0; step-- {
			at = h.step(x, at, ir.Integer(1<<step))
		}
		return at
	}
	at := h.Mutable("at", ir.I64, ir.Integer(0))
	h.Ranges[at] = facts.Between(0, h.RangeOf(h.n).Hi)
	h.Emit(&ir.If{Cond: h.Compare(ir.OpGt, h.n, ir.Integer(0)), Then: h.Block(func() { h.Emit(at.Assign(h.first(x))) })})
	h.Sequence(h.steps, func(i ir.Expr) {
		step := h.Let("step", ir.OpShr.Of(h.power, ir.OpAdd.Of(i, ir.Integer(1))))
		h.Emit(at.Assign(h.step(x, at.Use(), step)))
	})
	return h.Let("at", at.Use())
}

// first returns where the interval of power-1 elements begins in which the search
// goes on.
func (h *halves) first(x ir.Expr) ir.Expr {
	beyond := ir.Add(ir.Sub(h.n, h.power), ir.Integer(1))
	return h.Within(ir.Choose(h.notGreater(ir.Sub(h.power, ir.Integer(1)), x), beyond, ir.Integer(0)), 0, h.n)
}

// step returns at, or what stands step further where the elements up to there are not
// greater than x.
func (h *halves) step(x, at, step ir.Expr) ir.Expr {
	next := ir.Choose(h.notGreater(ir.OpSub.Of(ir.OpAdd.Of(at, step), ir.Integer(1)), x), step, ir.Integer(0))
	return h.Within(ir.OpAdd.Of(at, next), 0, h.n)
}

// notGreater compares an element with x. NaN comes after all numbers.
func (h *halves) notGreater(i, x ir.Expr) ir.Expr {
	e := ir.ConvertTo(h.table.Elem, h.table.Buf.Load(i))
	if h.table.Elem != ir.F64 {
		if x.Kind() != h.table.Elem {
			e, x = ir.ConvertTo(ir.I64, e), ir.ConvertTo(ir.I64, x)
		}
		return h.Compare(ir.OpLe, e, x)
	}
	return ir.Or(ir.OpLe.Of(e, x), ir.OpNe.Of(x, x))
}
