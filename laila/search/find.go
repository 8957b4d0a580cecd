package search

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// findTerms is the length of the longest pattern that is compared element by
// element.
const findTerms = 8

// FindShort lowers p⍷a for vectors, where p is short and of known length: an
// element of the result is the conjunction of as many comparisons, so that
// nothing is stored that what follows does not need:
//
//	'ab'⍷a   becomes   z[i] = i < n-1 ? (a[i] = 'a') ∧ (a[i+1] = 'b') : 0
//
// It is nil where p or a is something else. Comparison is that of =: tolerant
// for doubles. Elements of a that can fault are all computed, before.
func FindShort(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	if args[0].Arr == nil || args[1].Arr == nil || args[0].Arr.Rank() != 1 || args[1].Arr.Rank() != 1 {
		return nil
	}
	p, a := args[0].Arr, args[1].Arr
	m, ok := build.LengthOf(e.Args[0], p)
	if !ok || m < 1 || m > findTerms || p.Elem != a.Elem && (p.Elem == ir.C32 || !p.Elem.Exact() || a.Elem == ir.C32 || !a.Elem.Exact()) || p.Elem == ir.C64 {
		return nil
	}
	xs := g.ElementsOf(g.Total(p), m)
	g.Reread(g.Total(a))
	n := a.Dims[0]
	last := g.Atom("last", ir.Sub(n, ir.Integer(int64(m-1))))
	q := &build.Pull{Elem: ir.U8, Dims: a.Dims, Rng: facts.Between(0, 1), Cost: m * (a.Cost + 2), Srcs: []*build.Pull{a}}
	q.At = func(ix []ir.Expr) ir.Expr {
		here := func() ir.Expr {
			all := ir.Boolean(true)
			for k, x := range xs {
				y := g.Index(a, []ir.Expr{ir.Add(ix[0], ir.Integer(int64(k)))})
				all = ir.And(all, EqualTo(g, e, y, x))
			}
			return all
		}
		return g.Branch(ix[0], last, here, func() ir.Expr { return ir.Boolean(false) })
	}
	return build.Array1(q)
}

// EqualTo compares elements as = does.
func EqualTo(g *build.Builder, e *tail.Apply, x, y ir.Expr) ir.Expr {
	switch {
	case x.Kind() != ir.F64:
		return g.Compare(ir.OpEq, x, y)
	case g.In.Exact:
		return ir.OpEq.Of(x, y)
	}
	return g.MathOp(build.MathOps[tail.OpEqD], []ir.Expr{x, y}, build.SiteOf(e))
}
