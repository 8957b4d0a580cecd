package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// x[i]f←y takes the indices one after the other: where one is repeated, f is
// applied to what it gave before. Source: Dyalog's documentation, "Assignment
// (Indexed Modified)" and "(Selective Modified)". Where all positions are known
// to be distinct, f is applied to all of them at once.

// modified returns x, a vector, with f applied between its elements at the
// positions and y, a scalar or an array of as many elements.
func (g *infer) modified(m *modifier, x, positions, y tail.Expr, s site) tail.Expr {
	tp, ty := tail.TypeOf(positions), g.arr(y, s.right)
	switch {
	case ty.Dims() == 0 || isSingleton(ty):
		y = g.op(tail.OpReshape, s, g.shapeOf(positions, s), g.firstOf(y, s))
	case !sameRank(tp, ty):
		g.faultOf([]tail.Expr{positions, y}, tail.FaultRanks, s, extents(tp), extents(ty))
	}
	strand := &tail.Tuple{At: tail.At{Where: s.span()}, Elems: []tail.Expr{g.ravel(positions, s), g.ravel(y, s)}}
	f := operand{fn: m.f, at: m.x.F.Span()}
	return g.fromPrelude(g.preludeClosure("modify", f), x, strand, s)
}

// sameRank reports whether two arrays may have the same extents but for those
// that are 1.
func sameRank(a, b *tail.Array) bool {
	longer := func(t *tail.Array) (n int, sure bool) {
		sure = true
		for i := range t.Dims() {
			c, ok := t.Extent(i).IsConst()
			sure = sure && ok
			if !ok || c != 1 {
				n++
			}
		}
		return n, sure
	}
	m, one := longer(a)
	n, other := longer(b)
	return m == n || !one || !other
}

// oneByOne reports whether the positions that a modified assignment selects
// may be repeated.
func (g *infer) oneByOne(items []tail.Expr) bool {
	for _, e := range items {
		if e != nil && !g.distinctPlaces(e) {
			return true
		}
	}
	return false
}

// distinctPlaces reports whether no index of e is repeated. The products of different
// integers by a scalar are different, or all of them are 0, which is no index from 1 on.
func (g *infer) distinctPlaces(e tail.Expr) bool {
	if r, ok := e.(*tail.Ref); ok && g.known[r.Var] != nil {
		return g.distinctPlaces(g.known[r.Var].e)
	}
	a, ok := e.(*tail.Apply)
	if !ok || g.origin != 1 {
		return g.distinct(e, 0)
	}
	if l, ok := firstLam(a); ok {
		product, ok := l.Body.(*tail.Apply)
		if ok && product.Op == tail.OpMulI {
			x, _ := g.operands(product, l.Params[0])
			return x != nil && g.injective(x, l.Params[0]) && g.distinct(a.Args[1], 0)
		}
	}
	return g.distinct(e, 0)
}

// maxDistinct is how far definitions are followed.
const maxDistinct = 32

// distinct reports whether all elements of e are known to differ.
func (g *infer) distinct(e tail.Expr, depth int) bool {
	t, ok := e.Type().(*tail.Array)
	if !ok || depth > maxDistinct {
		return false
	}
	if t.Dims() == 0 || isSingleton(t) {
		return true
	}
	if a := g.value(e); a != nil {
		return allDiffer(a)
	}
	switch e := e.(type) {
	case *tail.Lit:
		return e.Value.Elem == array.Int && allDiffer(e.Value)
	case *tail.Ref:
		k := g.known[e.Var]
		return k != nil && g.distinct(k.e, depth+1)
	case *tail.Apply:
		return g.distinctOp(e, depth+1)
	}
	return false
}

func (g *infer) distinctOp(e *tail.Apply, depth int) bool {
	last := e.Args[max(len(e.Args)-1, 0):]
	switch e.Op {
	case tail.OpIota, tail.OpGradeUp, tail.OpGradeDown, tail.OpWhere, tail.OpUnique, tail.OpDeal:
		return true
	case tail.OpRavel, tail.OpReverse, tail.OpRotate, tail.OpRotateM, tail.OpTransp, tail.OpDrop, tail.OpCompress:
		return g.distinct(last[0], depth)
	case tail.OpReshape:
		from := tail.TypeOf(last[0])
		n, ok := countOf(from), from.Dims() < 2
		return ok && countsOf(e.Args[0]).Equal(n) && g.distinct(last[0], depth)
	case tail.OpIndex:
		for _, a := range e.Args {
			if all, ok := a.(*tail.Apply); ok && all.Op == tail.OpAll {
				continue
			}
			if !g.distinct(a, depth) {
				return false
			}
		}
		return true
	case tail.OpEach:
		l, ok := firstLam(e)
		return ok && g.injective(l.Body, l.Params[0]) && g.distinct(last[0], depth)
	}
	return false
}

// countsOf returns the product of the elements of a shape, as far as it is
// known.
func countsOf(shape tail.Expr) tail.Size {
	t := tail.TypeOf(shape)
	n, ok := t.Extent(0).IsConst()
	if !ok || n != 1 || len(t.Values) != 1 {
		return tail.AnySize
	}
	return t.Values[0]
}

// injective reports whether a scalar differs wherever the integer v does.
func (g *infer) injective(e tail.Expr, v *tail.Var) bool {
	switch e := e.(type) {
	case *tail.Ref:
		return e.Var == v
	case *tail.Apply:
		x, by := g.operands(e, v)
		if x == nil || !g.injective(x, v) {
			return false
		}
		if e.Op == tail.OpMulI {
			c := g.value(by)
			return c != nil && c.Rank() == 0 && c.Double(0) != 0
		}
		return e.Op == tail.OpAddI || e.Op == tail.OpSubI
	}
	return false
}

// operands returns the argument of an application that depends on v, and the other,
// nil where there is no such pair.
func (g *infer) operands(e *tail.Apply, v *tail.Var) (x, by tail.Expr) {
	if len(e.Args) != 2 {
		return nil, nil
	}
	x, by = e.Args[0], e.Args[1]
	if tail.Mentions(by, v) {
		x, by = by, x
	}
	if !tail.Mentions(x, v) || tail.Mentions(by, v) {
		return nil, nil
	}
	return x, by
}

// allDiffer reports whether no integer of a is repeated.
func allDiffer(a *array.Array) bool {
	seen := map[float64]bool{}
	for i := range a.Len() {
		if !isReal(a.Elem) || seen[a.Double(i)] {
			return false
		}
		seen[a.Double(i)] = true
	}
	return true
}

// modifyIndex is x[i;j]f←e where positions may be repeated: on the ravel.
func (g *infer) modifyIndex(m *modifier, x tail.Expr, items []tail.Expr, e tail.Expr, s site) tail.Expr {
	tx := g.arr(x, s.left)
	if len(items) != tx.Dims() {
		g.fault(tail.FaultIndexRank, s, tail.ConstSize(int64(len(items))), extents(tx))
	}
	shape := g.name(g.shapeOf(x, s))
	positions := g.op(tail.OpReshape, s, shape, g.op(tail.OpIota, s, g.op(tail.OpCount, s, x)))
	chosen := g.name(g.op(tail.OpIndex, s, append([]tail.Expr{positions}, g.indexArgs(items, s)...)...))
	flat := g.modified(m, g.ravel(x, s), chosen, e, s)
	if tx.Dims() == 1 {
		return flat
	}
	return g.op(tail.OpReshape, s, shape, flat)
}

// elementwise applies the function of a modified assignment to corresponding
// elements.
func (g *infer) elementwise(m *modifier, x, y tail.Expr, s site) tail.Expr {
	at := site{fn: m.x.F.Span(), left: s.left, right: m.x.Y.Span()}
	if p, ok := m.f.(*primitive); ok && (isScalarDyadic(p.glyph) || p.glyph == "⊢" || p.glyph == "⊣") {
		return g.dyadic(m.f, x, y, at)
	}
	if tail.TypeOf(x).Dims() == 0 && (isTuple(y) || tail.TypeOf(y).Dims() == 0) {
		return g.dyadic(m.f, x, y, at)
	}
	if isTuple(y) {
		g.fail(diag.NestedArrays, s.fn, "a modified assignment of a nested array")
	}
	return g.eachOf2(operand{fn: m.f, at: m.x.F.Span()}, x, y, at)
}
