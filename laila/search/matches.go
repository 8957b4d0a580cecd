package search

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Matches compares arrays of integers, of characters or of truth values up to
// the first elements that differ, and stores neither; nil where the arguments
// are other arrays. Of a scan all elements are compared, so that it may be run a strip at
// a time.
//
//	var same = d == e
//	if same: same = (first i with x[i] ≠ y[i], else d) == d
func Matches(g *build.Builder, args []*build.Value) ir.Expr {
	x, y := args[0].Arr, args[1].Arr
	if x == nil || y == nil || x.Elem != y.Elem || x.Elem != ir.C32 && x.Elem != ir.I64 && x.Elem != ir.U8 || x.Rank() != y.Rank() {
		return nil
	}
	ordered := false // elements come one after the other
	for _, p := range []*build.Pull{x, y} {
		ordered = ordered || p.At == nil && p.Flat == nil && p.Fill != nil
		g.Total(p)
		g.Pullable(p)
		if p.Flat == nil && p.Rank() != 1 {
			return nil
		}
	}
	alike := ir.Boolean(true)
	for i := range x.Dims {
		alike = ir.And(alike, g.Compare(ir.OpEq, x.Dims[i], y.Dims[i]))
	}
	element := func(p *build.Pull, i ir.Expr) ir.Expr {
		if p.Flat != nil {
			return g.IndexFlat(p, i)
		}
		return g.Index(p, []ir.Expr{i})
	}
	if ordered && ir.IsInt(alike, 1) {
		return extreme(g, g.Count(x), ir.OpAnd, ir.Boolean(true), func(i ir.Expr) ir.Expr { return g.Compare(ir.OpEq, element(x, i), element(y, i)) })
	}
	same := g.Mutable("same", ir.U8, alike)
	g.Emit(&ir.If{Cond: same.Use(), Then: g.Block(func() {
		n := g.Count(x)
		at := firstTrue(g, n, func(i ir.Expr) ir.Expr { return g.Compare(ir.OpNe, element(x, i), element(y, i)) })
		g.Emit(same.Assign(g.Compare(ir.OpEq, at, n)))
	})})
	return same.Use()
}
