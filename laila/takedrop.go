package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// counts returns the counts of a take or drop.
func (g *gen) counts(e *tail.Apply, v *value, p *pull) []ir.Expr {
	if v.x != nil {
		return []ir.Expr{g.size1(v.x)}
	}
	n, ok := lengthOf(e.Args[0], v.arr)
	if !ok || n > len(p.dims) {
		return g.manyCounts(e, v.arr, p)
	}
	return g.elementsOf(v.arr, n)
}

// manyCounts returns a count for each axis where it is not known how many
// counts there are: an axis without one is taken, or kept, whole.
func (g *gen) manyCounts(e *tail.Apply, counts, p *pull) []ir.Expr {
	g.total(counts)
	n := g.atom("n", counts.dims[0])
	dims := p.dims
	g.failIf(g.Compare(ir.OpGt, n, ir.Integer(int64(len(dims)))), tail.FaultTakeLength, siteOf(e), func() []ir.FailArg {
		return []ir.FailArg{{X: n}, shapeArg(dims)}
	})
	ks := make([]ir.Expr, len(dims))
	for a := range ks {
		ks[a] = g.atom("k", g.ifElse(g.Compare(ir.OpLt, ir.Integer(int64(a)), n),
			func() ir.Expr { return g.index(counts, []ir.Expr{ir.Integer(int64(a))}) },
			func() ir.Expr {
				if e.Op == tail.OpTake {
					return dims[a]
				}
				return ir.Integer(0)
			}))
	}
	return ks
}

// take is the first or last items of the leading axes, with fill elements
// beyond.
func (g *gen) take(e *tail.Apply, args []*value) *value {
	p := g.array(args[1])
	ks := g.counts(e, args[0], p)
	if len(ks) == 0 {
		return args[1]
	}
	if args[1].x != nil {
		p = g.reshaped(p, ones(len(ks)))
		g.pullable(p)
	}
	if xs, ok := g.takenElems(p, ks); ok {
		return array1(g.elemsPull(p.elem, xs))
	}
	g.total(p)
	dims := append([]ir.Expr{}, p.dims...)
	offset := make([]ir.Expr, len(ks))
	inside := true
	for a, k := range ks {
		offset[a], dims[a] = g.taken(k, p.dims[a])
		inside = inside && g.covers(k, p.dims[a])
	}
	g.tooLarge(e, dims)
	for a := range ks {
		dims[a] = g.extent(dims[a])
	}
	var read func(ix []ir.Expr, a int) ir.Expr
	read = func(ix []ir.Expr, a int) ir.Expr {
		if a == len(ks) {
			return g.index(p, ix)
		}
		i := ir.Add(ix[a], offset[a])
		next := func() ir.Expr { return read(replaced(ix, a, i), a+1) }
		if g.covers(ks[a], p.dims[a]) {
			return next()
		}
		empty := func() ir.Expr { return ir.Fill(p.elem) }
		switch r := g.RangeOf(ks[a]); {
		case r.Lo >= 0 || g.natural(ks[a]):
			return g.branch(i, p.dims[a], next, empty)
		case r.Hi <= 0 || g.natural(ir.Sub(ir.Integer(0), ks[a])):
			return g.branch(i, ir.Integer(0), empty, next)
		}
		return g.branch(i, ir.Integer(0), empty, func() ir.Expr { return g.branch(i, p.dims[a], next, empty) })
	}
	q := view(p, dims, func(ix []ir.Expr) ir.Expr { return read(ix, 0) })
	if !inside {
		q.rng = q.rng.Union(rangeOfFill(p.elem))
		q.span = facts.JoinSpans(q.span, &facts.Span{})
	}
	if p.flat != nil && len(ks) == 1 && inside { // whole leading items
		base := g.atom("base", ir.Mul(offset[0], ir.Product(p.dims[1:])))
		q.flat = func(i ir.Expr) ir.Expr { return g.indexFlat(p, ir.Add(i, base)) }
		q.cut = p.cutAt(base)
	}
	return array1(q)
}

// cutAt is where part of p begins, or nil where that is not in storage.
func (p *pull) cutAt(place ir.Expr) *cut {
	switch {
	case p.cut != nil:
		return &cut{p.cut.buf, ir.Add(p.cut.at, place)}
	case p.buf != nil && p.buf.Elem == p.elem:
		return &cut{p.buf, place}
	}
	return nil
}

// takenElems is take of a vector of known elements.
func (g *gen) takenElems(p *pull, ks []ir.Expr) ([]ir.Expr, bool) {
	k, ok := ir.IntOf(ks[0])
	n := int64(len(p.elems))
	if !ok || p.elems == nil || len(ks) != 1 || k < -ir.StackLimit || k > ir.StackLimit {
		return nil, false
	}
	offset := int64(0)
	if k < 0 {
		k, offset = -k, n+k
	}
	xs := make([]ir.Expr, k)
	for i := range xs {
		if j := int64(i) + offset; j >= 0 && j < n {
			xs[i] = p.elems[j]
		} else {
			xs[i] = ir.Fill(p.elem)
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
func (g *gen) taken(k, n ir.Expr) (offset, count ir.Expr) {
	r := g.RangeOf(k)
	switch {
	case r.Lo >= 0 || g.natural(k):
		return ir.Integer(0), k
	case r.Hi <= 0 || g.natural(ir.Sub(ir.Integer(0), k)):
		from := ir.Add(n, k)
		if c, ok := g.normal(g.linearOf(from)).Constant(); ok && g.On("knowledge") {
			from = ir.Integer(c)
		}
		return g.atom("o", from), g.size1(g.absolute(k))
	}
	negative := ir.OpLt.Of(k, ir.Integer(0))
	return g.let("o", &ir.Select{Cond: negative, Then: ir.OpAdd.Of(n, k), Else: ir.Integer(0)}), g.size1(g.absolute(k))
}

// covers reports whether |k| ≤ n for certain.
func (g *gen) covers(k, n ir.Expr) bool {
	r := g.RangeOf(k)
	if f := g.linearOf(n); (r.Lo >= 0 || g.natural(k)) && g.notPositive(g.linearOf(k).Minus(f)) ||
		(r.Hi <= 0 || g.natural(ir.Sub(ir.Integer(0), k))) && g.notPositive(g.linearOf(k).Scaled(-1).Minus(f)) {
		return true
	}
	return max(r.Hi, -r.Lo) <= g.RangeOf(n).Lo && r.Lo > math.MinInt64
}

// drop is what take leaves.
func (g *gen) drop(e *tail.Apply, args []*value) *value {
	p := g.array(args[1])
	ks := g.counts(e, args[0], p)
	if len(ks) == 0 {
		return args[1]
	}
	if args[1].x != nil {
		p = g.reshaped(p, ones(len(ks)))
		g.pullable(p)
	}
	if k, ok := ir.IntOf(ks[0]); ok && p.elems != nil {
		n := int64(len(p.elems))
		if k >= 0 {
			return array1(g.elemsPull(p.elem, p.elems[min(k, n):]))
		}
		return array1(g.elemsPull(p.elem, p.elems[:max(n+k, 0)]))
	}
	g.total(p)
	dims := append([]ir.Expr{}, p.dims...)
	offset := make([]ir.Expr, len(ks))
	for a, k := range ks {
		offset[a], dims[a] = g.dropped(k, p.dims[a], tail.TypeOf(e).Extent(a))
	}
	q := view(p, dims, func(ix []ir.Expr) ir.Expr {
		from := append([]ir.Expr{}, ix...)
		for a := range ks {
			from[a] = ir.Add(from[a], offset[a])
		}
		return g.index(p, from)
	})
	if p.flat != nil && len(ks) == 1 {
		base := g.atom("base", ir.Mul(offset[0], ir.Product(p.dims[1:])))
		q.flat = func(i ir.Expr) ir.Expr { return g.indexFlat(p, ir.Add(i, base)) }
		place := offset[0]
		if !g.covers(ks[0], p.dims[0]) {
			place = ir.OpMin.Of(place, p.dims[0])
		}
		q.cut = p.cutAt(ir.Mul(place, ir.Product(p.dims[1:])))
	}
	return array1(q)
}

// dropped returns where the items start that k↓ leaves of n, and how many.
func (g *gen) dropped(k, n ir.Expr, known tail.Size) (offset, count ir.Expr) {
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
		if !g.natural(m) {
			count = g.Larger(m, ir.Integer(0))
		}
		return g.size(count, ir.IndexKey([]ir.Expr{limit}), func() ir.Expr {
			x := g.extent(g.let("n", count))
			if u, ok := x.(*ir.Use); ok {
				g.Limits[u.Var] = g.linearOf(limit)
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
	o := g.let("o", g.Larger(k, ir.Integer(0)))
	return o, size(ir.OpSub.Of(n, g.absolute(k)), o)
}
