package laila

import "github.com/tailor-lang/tailor/laila/ir"

// matches compares arrays of integers, of characters or of truth values up to
// the first elements that differ, and stores neither; nil where the arguments
// are other arrays.
//
//	var same = d == e
//	if same: same = (first i with x[i] ≠ y[i], else d) == d
func (g *gen) matches(args []*value) ir.Expr {
	x, y := args[0].arr, args[1].arr
	if x == nil || y == nil || x.elem != y.elem || x.elem != ir.C32 && x.elem != ir.I64 && x.elem != ir.U8 || x.rank() != y.rank() {
		return nil
	}
	for _, p := range []*pull{x, y} {
		g.total(p)
		g.pullable(p)
		if p.flat == nil && p.rank() != 1 {
			return nil
		}
	}
	alike := ir.Boolean(true)
	for i := range x.dims {
		alike = ir.And(alike, g.Compare(ir.OpEq, x.dims[i], y.dims[i]))
	}
	element := func(p *pull, i ir.Expr) ir.Expr {
		if p.flat != nil {
			return g.indexFlat(p, i)
		}
		return g.index(p, []ir.Expr{i})
	}
	same := g.mutable("same", ir.U8, alike)
	g.emit(&ir.If{Cond: same.Use(), Then: g.block(func() {
		n := g.count(x)
		at := g.firstTrue(n, func(i ir.Expr) ir.Expr { return g.Compare(ir.OpNe, element(x, i), element(y, i)) })
		g.emit(same.Assign(g.Compare(ir.OpEq, at, n)))
	})})
	return same.Use()
}
