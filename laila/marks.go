package laila

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

const (
	// marksRange is how many values there may be from the least to the greatest of
	// the elements that are looked for.
	marksRange = 1 << 26
	// marksCost is the largest cost of an element of what is searched: it is
	// computed again where a strip has any that is looked for.
	marksCost = 24
	// marksStrip is the length of a strip.
	marksStrip = 256
)

// marked lowers x∊y for integers where y is a table that has not been stored, as
// an outer product: a byte for each value from the least to the greatest of x
// says whether y has it, and no element of y is stored.
//
//	x∊x∘.×x
//
// becomes
//
//	for i … ; for each strip of j …
//	  any = 0
//	  for j in the strip: any |= lo ≤ x[i]×x[j] ≤ hi
//	  if any
//	    for j in the strip: if lo ≤ x[i]×x[j] ≤ hi: mark[x[i]×x[j] - lo] = 1
//	r[k] = mark[x[k] - lo]
//
// Where the values of x are too far apart, the table is stored and searched. It is
// nil for others: tables that can fault, or whose elements are costly.
func (g *gen) marked(e *tail.Apply, args []*value) *value {
	x, y := args[0].arr, args[1].arr
	if x == nil || y == nil || g.nest != nil || !g.On("marks") {
		return nil
	}
	for y.of != nil && y.buf == nil {
		y = y.of
	}
	if x.elem != ir.I64 || y.elem != ir.I64 || y.rank() < 2 || y.buf != nil || y.at == nil && y.flat == nil || y.faults || y.cost > marksCost || y.elems != nil {
		return nil
	}
	g.force()
	x = g.materialise(x)
	g.pullable(y)
	n := g.count(x)
	lo, hi := g.mutable("lo", ir.I64, ir.Integer(marksRange)), g.mutable("hi", ir.I64, ir.Integer(-marksRange))
	g.sequence(n, func(i ir.Expr) {
		v := g.atom("x", g.indexFlat(x, i))
		g.emit(lo.Assign(ir.OpMin.Of(lo.Use(), v)), hi.Assign(ir.OpMax.Of(hi.Use(), v)))
	})
	first, last := g.let("lo", lo.Use()), g.let("hi", hi.Use())
	r := g.alloc("r", ir.U8, x.dims)
	far := ir.Or(ir.OpLt.Of(first, ir.Integer(-marksRange)), ir.OpGt.Of(last, ir.Integer(marksRange)))
	search := g.block(func() {
		v := g.searchedIn(e, args)
		g.writeAll(v.arr, r, ir.Integer(0))
	})
	mark := g.block(func() {
		size := g.let("size", ir.OpMax.Of(ir.Add(ir.Sub(last, first), ir.Integer(1)), ir.Integer(0)))
		g.Ranges[size.(*ir.Use).Var] = facts.Between(0, 2*marksRange+1)
		marks := g.alloc("mark", ir.U8, []ir.Expr{size})
		g.sequence(size, func(i ir.Expr) { g.emit(marks.Store(i, ir.Boolean(false))) })
		g.markAll(y, nil, first, last, marks)
		g.segmap([]ir.Expr{n}, func(ix []ir.Expr) {
			g.emit(r.Store(ix[0], marks.Load(ir.Sub(g.indexFlat(x, ix[0]), first))))
		})
	})
	g.emit(&ir.If{Cond: far, Then: search, Else: mark})
	q := g.stored(ir.U8, r, x.dims)
	q.rng = facts.Between(0, 1)
	return array1(q)
}

// markAll marks the elements of y at indices that begin with ix.
func (g *gen) markAll(y *pull, ix []ir.Expr, lo, hi ir.Expr, marks *ir.Buf) {
	n := y.dims[len(ix)]
	if len(ix) < y.rank()-1 {
		g.sequence(n, func(i ir.Expr) { g.markAll(y, append(ix[:len(ix):len(ix)], i), lo, hi, marks) })
		return
	}
	wanted := func(v ir.Expr) ir.Expr { return ir.And(ir.OpLe.Of(lo, v), ir.OpLe.Of(v, hi)) }
	g.sequence(ir.Quo(ir.Add(n, ir.Integer(marksStrip-1)), ir.Integer(marksStrip)), func(s ir.Expr) {
		from := g.atom("from", ir.Mul(s, ir.Integer(marksStrip)))
		count := g.atom("count", g.Smaller(ir.Sub(n, from), ir.Integer(marksStrip)))
		any := g.mutable("any", ir.U8, ir.Boolean(false))
		element := func(j ir.Expr) ir.Expr {
			return g.atom("y", g.index(y, append(ix[:len(ix):len(ix)], ir.Add(from, j))))
		}
		g.sequence(count, func(j ir.Expr) { g.emit(any.Assign(ir.Or(any.Use(), wanted(element(j))))) })
		g.emit(&ir.If{Cond: any.Use(), Then: g.block(func() {
			g.sequence(count, func(j ir.Expr) {
				v := element(j)
				g.emit(&ir.If{Cond: wanted(v), Then: g.block(func() { g.emit(marks.Store(ir.Sub(v, lo), ir.Boolean(true))) })})
			})
		})})
	})
}
