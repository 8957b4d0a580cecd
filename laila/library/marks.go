package library

import (
	"github.com/tailor-lang/tailor/laila/build"
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
func marked(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	x, y := args[0].Arr, args[1].Arr
	if x == nil || y == nil || g.Nest != nil || !g.On("marks") {
		return nil
	}
	for y.Of != nil && y.Buf == nil {
		y = y.Of
	}
	if x.Elem != ir.I64 || y.Elem != ir.I64 || y.Rank() < 2 || y.Buf != nil || y.At == nil && y.Flat == nil || y.Faults || y.Cost > marksCost || y.Elems != nil {
		return nil
	}
	g.Force()
	x = g.Materialise(x)
	g.Pullable(y)
	n := g.Count(x)
	lo, hi := g.Mutable("lo", ir.I64, ir.Integer(marksRange)), g.Mutable("hi", ir.I64, ir.Integer(-marksRange))
	g.Sequence(n, func(i ir.Expr) {
		v := g.Atom("x", g.IndexFlat(x, i))
		g.Emit(lo.Assign(ir.OpMin.Of(lo.Use(), v)), hi.Assign(ir.OpMax.Of(hi.Use(), v)))
	})
	first, last := g.Let("lo", lo.Use()), g.Let("hi", hi.Use())
	r := g.Alloc("r", ir.U8, x.Dims)
	far := ir.Or(ir.OpLt.Of(first, ir.Integer(-marksRange)), ir.OpGt.Of(last, ir.Integer(marksRange)))
	search := g.Block(func() {
		v := searchedIn(g, e, args)
		g.WriteAll(v.Arr, r, ir.Integer(0))
	})
	mark := g.Block(func() {
		size := g.Let("size", ir.OpMax.Of(ir.Add(ir.Sub(last, first), ir.Integer(1)), ir.Integer(0)))
		g.Ranges[size.(*ir.Use).Var] = facts.Between(0, 2*marksRange+1)
		marks := g.Alloc("mark", ir.U8, []ir.Expr{size})
		g.Sequence(size, func(i ir.Expr) { g.Emit(marks.Store(i, ir.Boolean(false))) })
		markAll(g, y, nil, first, last, marks)
		g.Segmap([]ir.Expr{n}, func(ix []ir.Expr) {
			g.Emit(r.Store(ix[0], marks.Load(ir.Sub(g.IndexFlat(x, ix[0]), first))))
		})
	})
	g.Emit(&ir.If{Cond: far, Then: search, Else: mark})
	q := g.Stored(ir.U8, r, x.Dims)
	q.Rng = facts.Between(0, 1)
	return build.Array1(q)
}

// markAll marks the elements of y at indices that begin with ix.
func markAll(g *build.Builder, y *build.Pull, ix []ir.Expr, lo, hi ir.Expr, marks *ir.Buf) {
	n := y.Dims[len(ix)]
	if len(ix) < y.Rank()-1 {
		g.Sequence(n, func(i ir.Expr) { markAll(g, y, append(ix[:len(ix):len(ix)], i), lo, hi, marks) })
		return
	}
	wanted := func(v ir.Expr) ir.Expr { return ir.And(ir.OpLe.Of(lo, v), ir.OpLe.Of(v, hi)) }
	g.Sequence(ir.Quo(ir.Add(n, ir.Integer(marksStrip-1)), ir.Integer(marksStrip)), func(s ir.Expr) {
		from := g.Atom("from", ir.Mul(s, ir.Integer(marksStrip)))
		count := g.Atom("count", g.Smaller(ir.Sub(n, from), ir.Integer(marksStrip)))
		any := g.Mutable("any", ir.U8, ir.Boolean(false))
		element := func(j ir.Expr) ir.Expr {
			return g.Atom("y", g.Index(y, append(ix[:len(ix):len(ix)], ir.Add(from, j))))
		}
		g.Sequence(count, func(j ir.Expr) { g.Emit(any.Assign(ir.Or(any.Use(), wanted(element(j))))) })
		g.Emit(&ir.If{Cond: any.Use(), Then: g.Block(func() {
			g.Sequence(count, func(j ir.Expr) {
				v := element(j)
				g.Emit(&ir.If{Cond: wanted(v), Then: g.Block(func() { g.Emit(marks.Store(ir.Sub(v, lo), ir.Boolean(true))) })})
			})
		})})
	})
}
