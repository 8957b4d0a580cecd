package laila

// matches compares arrays of integers, of characters or of truth values up to
// the first elements that differ, and stores neither; nil where the arguments
// are other arrays.
//
//	var same = d == e
//	if same: same = (first i with x[i] ≠ y[i], else d) == d
func (g *gen) matches(args []*value) Expr {
	x, y := args[0].arr, args[1].arr
	if x == nil || y == nil || x.elem != y.elem || x.elem != C32 && x.elem != I64 && x.elem != U8 || x.rank() != y.rank() {
		return nil
	}
	for _, p := range []*pull{x, y} {
		g.total(p)
		g.pullable(p)
		if p.flat == nil && p.rank() != 1 {
			return nil
		}
	}
	alike := boolean(true)
	for i := range x.dims {
		alike = and(alike, g.compare(Eq, x.dims[i], y.dims[i]))
	}
	element := func(p *pull, i Expr) Expr {
		if p.flat != nil {
			return g.indexFlat(p, i)
		}
		return g.index(p, []Expr{i})
	}
	same := g.mutable("same", U8, alike)
	g.emit(&If{Cond: &Use{same}, Then: g.block(func() {
		n := g.count(x)
		at := g.firstTrue(n, func(i Expr) Expr { return g.compare(Ne, element(x, i), element(y, i)) })
		g.emit(&Assign{same, g.compare(Eq, at, n)})
	})})
	return &Use{same}
}
