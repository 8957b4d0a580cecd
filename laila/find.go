package laila

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// findTerms is the length of the longest pattern that is compared element by
// element.
const findTerms = 8

// findShort lowers p⍷a for vectors, where p is short and of known length: an
// element of the result is the conjunction of as many comparisons, so that
// nothing is stored that what follows does not need:
//
//	'ab'⍷a   becomes   z[i] = i < n-1 ? (a[i] = 'a') ∧ (a[i+1] = 'b') : 0
//
// It is nil where p or a is something else. Comparison is that of =: tolerant
// for doubles. Elements of a that can fault are all computed, before.
func (g *gen) findShort(e *tail.Apply, args []*value) *value {
	if args[0].arr == nil || args[1].arr == nil || args[0].arr.rank() != 1 || args[1].arr.rank() != 1 {
		return nil
	}
	p, a := args[0].arr, args[1].arr
	m, ok := lengthOf(e.Args[0], p)
	if !ok || m < 1 || m > findTerms || p.elem != a.elem && (p.elem == ir.C32 || !p.elem.Exact() || a.elem == ir.C32 || !a.elem.Exact()) || p.elem == ir.C64 {
		return nil
	}
	xs := g.elementsOf(g.total(p), m)
	g.reread(g.total(a))
	n := a.dims[0]
	last := g.atom("last", ir.Sub(n, ir.Integer(int64(m-1))))
	q := &pull{elem: ir.U8, dims: a.dims, rng: facts.Between(0, 1), cost: m * (a.cost + 2), srcs: []*pull{a}}
	q.at = func(ix []ir.Expr) ir.Expr {
		here := func() ir.Expr {
			all := ir.Boolean(true)
			for k, x := range xs {
				y := g.index(a, []ir.Expr{ir.Add(ix[0], ir.Integer(int64(k)))})
				all = ir.And(all, g.equals(e, y, x))
			}
			return all
		}
		return g.branch(ix[0], last, here, func() ir.Expr { return ir.Boolean(false) })
	}
	return array1(q)
}

// equals compares elements as = does.
func (g *gen) equals(e *tail.Apply, x, y ir.Expr) ir.Expr {
	switch {
	case x.Kind() != ir.F64:
		return g.Compare(ir.OpEq, x, y)
	case g.in.Exact:
		return ir.OpEq.Of(x, y)
	}
	return g.mathOp(mathOps[tail.OpEqD], []ir.Expr{x, y}, siteOf(e))
}
