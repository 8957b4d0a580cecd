package shape

import (
	"math"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// counts returns the counts of a take or drop.
func counts(g *build.Builder, e *tail.Apply, v *build.Value, p *build.Pull) []ir.Expr {
	if v.X != nil {
		return []ir.Expr{g.Size1(v.X)}
	}
	n, ok := build.LengthOf(e.Args[0], v.Arr)
	if !ok || n > len(p.Dims) {
		return manyCounts(g, e, v.Arr, p)
	}
	return g.ElementsOf(v.Arr, n)
}

// manyCounts returns a count for each axis where it is not known how many
// counts there are: an axis without one is taken, or kept, whole.
func manyCounts(g *build.Builder, e *tail.Apply, counts, p *build.Pull) []ir.Expr {
	g.Total(counts)
	n := g.Atom("n", counts.Dims[0])
	dims := p.Dims
	g.FailIf(g.Compare(ir.OpGt, n, ir.Integer(int64(len(dims)))), tail.FaultTakeLength, build.SiteOf(e), func() []ir.FailArg {
		return []ir.FailArg{{X: n}, build.ShapeArg(dims)}
	})
	ks := make([]ir.Expr, len(dims))
	for a := range ks {
		ks[a] = g.Atom("k", g.IfElse(g.Compare(ir.OpLt, ir.Integer(int64(a)), n),
			func() ir.Expr { return g.Index(counts, []ir.Expr{ir.Integer(int64(a))}) },
			func() ir.Expr {
				if e.Op == tail.OpTake {
					return dims[a]
				}
				return ir.Integer(0)
			}))
	}
	return ks
}

// Take is the first or last items of the leading axes, with fill elements
// beyond.
func Take(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	p := g.Array(args[1])
	ks := counts(g, e, args[0], p)
	if len(ks) == 0 {
		return args[1]
	}
	if args[1].X != nil {
		p = reshaped(g, p, ones(len(ks)))
		g.Pullable(p)
	}
	if xs, ok := takenElems(p, ks); ok {
		return build.Array1(g.ElemsPull(p.Elem, xs))
	}
	g.Total(p)
	if e.Within() && len(ks) == 1 {
		return build.Array1(leading(g, p, ks[0]))
	}
	dims := append([]ir.Expr{}, p.Dims...)
	offset := make([]ir.Expr, len(ks))
	inside := true
	for a, k := range ks {
		offset[a], dims[a] = taken(g, k, p.Dims[a])
		inside = inside && covers(g, k, p.Dims[a])
	}
	tooLarge(g, e, dims)
	for a := range ks {
		dims[a] = g.Extent(dims[a])
	}
	var read func(ix []ir.Expr, a int) ir.Expr
	read = func(ix []ir.Expr, a int) ir.Expr {
		if a == len(ks) {
			return g.Index(p, ix)
		}
		i := ir.Add(ix[a], offset[a])
		next := func() ir.Expr { return read(build.Replaced(ix, a, i), a+1) }
		if covers(g, ks[a], p.Dims[a]) {
			return next()
		}
		empty := func() ir.Expr { return ir.Fill(p.Elem) }
		switch r := g.RangeOf(ks[a]); {
		case r.Lo >= 0 || g.Natural(ks[a]):
			return g.Branch(i, p.Dims[a], next, empty)
		case r.Hi <= 0 || g.Natural(ir.Sub(ir.Integer(0), ks[a])):
			return g.Branch(i, ir.Integer(0), empty, next)
		}
		return g.Branch(i, ir.Integer(0), empty, func() ir.Expr { return g.Branch(i, p.Dims[a], next, empty) })
	}
	q := build.View(p, dims, func(ix []ir.Expr) ir.Expr { return read(ix, 0) })
	if !inside {
		q.Rng = q.Rng.Union(rangeOfFill(p.Elem))
		q.Span = facts.JoinSpans(q.Span, &facts.Span{})
	}
	if p.Flat != nil && len(ks) == 1 && inside { // whole leading items
		base := g.Atom("base", ir.Mul(offset[0], ir.Product(p.Dims[1:])))
		q.Flat = func(i ir.Expr) ir.Expr { return g.IndexFlat(p, ir.Add(i, base)) }
		q.Cut = p.CutAt(base)
	}
	return build.Array1(q)
}

// leading are the first k items of p, which has as many.
func leading(g *build.Builder, p *build.Pull, k ir.Expr) *build.Pull {
	n := p.Dims[0]
	k = within(g, k, n)
	dims := build.Replaced(p.Dims, 0, g.Extent(k))
	q := build.View(p, dims, func(ix []ir.Expr) ir.Expr { return g.Index(p, ix) })
	if p.Flat != nil {
		q.Flat = func(i ir.Expr) ir.Expr { return g.IndexFlat(p, i) }
		q.Cut = p.CutAt(ir.Integer(0))
	}
	return q
}

// within is k, of which whoever made e knows that 0 ≤ k ≤ n.
func within(g *build.Builder, k, n ir.Expr) ir.Expr {
	fits := ir.OpLe.Of(k, n)
	if ir.IsInt(ir.And(g.Compare(ir.OpGe, k, ir.Integer(0)), g.Compare(ir.OpLe, k, n)), 1) {
		return k
	}
	return g.Size(fits, "within", func() ir.Expr {
		v := g.Let("k", k).(*ir.Use)
		g.Ranges[v.Var] = facts.Between(max(g.RangeOf(k).Lo, 0), min(g.RangeOf(k).Hi, g.RangeOf(n).Hi))
		g.Suppose(ir.OpLe.Of(v, n), true)
		return v
	})
}

// takenElems is take of a vector of known elements.
func takenElems(p *build.Pull, ks []ir.Expr) ([]ir.Expr, bool) {
	k, ok := ir.IntOf(ks[0])
	n := int64(len(p.Elems))
	if !ok || p.Elems == nil || len(ks) != 1 || k < -ir.StackLimit || k > ir.StackLimit {
		return nil, false
	}
	offset := int64(0)
	if k < 0 {
		k, offset = -k, n+k
	}
	xs := make([]ir.Expr, k)
	for i := range xs {
		if j := int64(i) + offset; j >= 0 && j < n {
			xs[i] = p.Elems[j]
		} else {
			xs[i] = ir.Fill(p.Elem)
		}
	}
	return xs, true
}

func ones(n int) []ir.Expr {
	dims := make([]ir.Expr, n)
	for i := range dims {
		dims[i] = ir.Integer(1)
	}
	return dims
}

// taken returns where the items start that k↑ takes of n, and how many they
// are, which may be too many.
func taken(g *build.Builder, k, n ir.Expr) (offset, count ir.Expr) {
	r := g.RangeOf(k)
	switch {
	case r.Lo >= 0 || g.Natural(k):
		return ir.Integer(0), k
	case r.Hi <= 0 || g.Natural(ir.Sub(ir.Integer(0), k)):
		from := ir.Add(n, k)
		if c, ok := g.Normal(g.LinearOf(from)).Constant(); ok && g.On("knowledge") {
			from = ir.Integer(c)
		}
		return g.Atom("o", from), g.Size1(g.Absolute(k))
	}
	negative := ir.OpLt.Of(k, ir.Integer(0))
	return g.Let("o", &ir.Select{Cond: negative, Then: ir.OpAdd.Of(n, k), Else: ir.Integer(0)}), g.Size1(g.Absolute(k))
}

// covers reports whether |k| ≤ n for certain.
func covers(g *build.Builder, k, n ir.Expr) bool {
	r := g.RangeOf(k)
	if f := g.LinearOf(n); (r.Lo >= 0 || g.Natural(k)) && g.NotPositive(g.LinearOf(k).Minus(f)) ||
		(r.Hi <= 0 || g.Natural(ir.Sub(ir.Integer(0), k))) && g.NotPositive(g.LinearOf(k).Scaled(-1).Minus(f)) {
		return true
	}
	return max(r.Hi, -r.Lo) <= g.RangeOf(n).Lo && r.Lo > math.MinInt64
}

// Drop is what take leaves.
func Drop(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	p := g.Array(args[1])
	ks := counts(g, e, args[0], p)
	if len(ks) == 0 {
		return args[1]
	}
	if args[1].X != nil {
		p = reshaped(g, p, ones(len(ks)))
		g.Pullable(p)
	}
	if k, ok := ir.IntOf(ks[0]); ok && p.Elems != nil {
		n := int64(len(p.Elems))
		if k >= 0 {
			return build.Array1(g.ElemsPull(p.Elem, p.Elems[min(k, n):]))
		}
		return build.Array1(g.ElemsPull(p.Elem, p.Elems[:max(n+k, 0)]))
	}
	if k, ok := ir.IntOf(ks[0]); ok && k == -1 && p.Before != nil && p.Buf == nil {
		if p.Before.Faults {
			g.Materialise(p.Before)
		}
		return build.Array1(p.Before)
	}
	g.Total(p)
	if e.Within() && len(ks) == 1 {
		return build.Array1(trailing(g, p, ks[0]))
	}
	dims := append([]ir.Expr{}, p.Dims...)
	offset := make([]ir.Expr, len(ks))
	for a, k := range ks {
		offset[a], dims[a] = dropped(g, k, p.Dims[a], tail.TypeOf(e).Extent(a))
	}
	q := build.View(p, dims, func(ix []ir.Expr) ir.Expr {
		from := append([]ir.Expr{}, ix...)
		for a := range ks {
			from[a] = ir.Add(from[a], offset[a])
		}
		return g.Index(p, from)
	})
	if p.Flat != nil && len(ks) == 1 {
		base := g.Atom("base", ir.Mul(offset[0], ir.Product(p.Dims[1:])))
		q.Flat = func(i ir.Expr) ir.Expr { return g.IndexFlat(p, ir.Add(i, base)) }
		place := offset[0]
		if !covers(g, ks[0], p.Dims[0]) {
			place = ir.OpMin.Of(place, p.Dims[0])
		}
		q.Cut = p.CutAt(ir.Mul(place, ir.Product(p.Dims[1:])))
	}
	return build.Array1(q)
}

// trailing are the items of p without the first k, of which there are as many.
func trailing(g *build.Builder, p *build.Pull, k ir.Expr) *build.Pull {
	n := p.Dims[0]
	k = within(g, k, n)
	dims := build.Replaced(p.Dims, 0, g.Extent(g.Size1(ir.Sub(n, k))))
	q := build.View(p, dims, func(ix []ir.Expr) ir.Expr { return g.Index(p, build.Replaced(ix, 0, ir.Add(ix[0], k))) })
	if p.Flat != nil {
		base := g.Atom("base", ir.Mul(k, ir.Product(p.Dims[1:])))
		q.Flat = func(i ir.Expr) ir.Expr { return g.IndexFlat(p, ir.Add(i, base)) }
		q.Cut = p.CutAt(base)
	}
	return q
}

// dropped returns where the items start that k↓ leaves of n, and how many.
func dropped(g *build.Builder, k, n ir.Expr, known tail.Size) (offset, count ir.Expr) {
	r := g.RangeOf(k)
	size := func(m, o ir.Expr) ir.Expr {
		if c, ok := known.IsConst(); ok {
			return ir.Integer(c)
		}
		limit := ir.Sub(n, o) // an index below it, and o more, is below n
		if _, constant := ir.IntOf(k); constant {
			limit = m
		}
		count := m
		if !g.Natural(m) {
			count = g.Larger(m, ir.Integer(0))
		}
		return g.Size(count, ir.IndexKey([]ir.Expr{limit}), func() ir.Expr {
			x := g.Extent(g.Let("n", count))
			if u, ok := x.(*ir.Use); ok {
				g.Limits[u.Var] = g.LinearOf(limit)
			}
			return x
		})
	}
	switch {
	case r.Lo >= 0:
		return k, size(ir.Sub(n, k), k)
	case r.Hi <= 0:
		return ir.Integer(0), size(ir.Add(n, k), ir.Integer(0))
	}
	o := g.Let("o", g.Larger(k, ir.Integer(0)))
	return o, size(ir.OpSub.Of(n, g.Absolute(k)), o)
}
