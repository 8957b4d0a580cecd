package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

func dyadicMember(g *infer, x, y tail.Expr, s site) tail.Expr {
	if g.mixed(x, y, s) {
		x, _ = g.names2(x, y)
		return g.answers(x, array.ScalarBool(false), s)
	}
	x, y = g.same(x, y, s)
	if t := tail.TypeOf(y); t.Dims() == 0 && (t.Elem == array.Int || t.Elem == array.Char) {
		return g.primitiveDyadic(&primitive{glyph: "=", at: s.fn}, x, y, s)
	}
	return g.op(tail.OpMember, s, x, y)
}

func dyadicIndexOf(g *infer, x, y tail.Expr, s site) tail.Expr {
	if t := g.arr(x, s.left); t.Dims() != 1 {
		if t.Dims() == 0 {
			g.failFix(diag.ArgumentRank, s.fn, exchange(describe(s.fn)), "the left argument of ⍳ is a scalar")
		}
		return g.indexOfCells(x, y, s)
	}
	if g.mixed(x, y, s) {
		x, y = g.names2(x, y)
		n := g.name(g.op(tail.OpAddI, s, g.op(tail.OpTally, s, x), g.intLit(s, 1)))
		return g.outward(g.each(y, s, func(tail.Expr) tail.Expr { return n }), s)
	}
	x, y = g.same(x, y, s)
	return g.outward(g.op(tail.OpIndexOf, s, x, y), s)
}

func dyadicInterval(g *infer, x, y tail.Expr, s site) tail.Expr {
	g.noComplex("⍸", s, x, y)
	switch g.arr(x, s.left).Dims() {
	case 0:
		g.fail(diag.ArgumentRank, s.fn, "the left argument of ⍸ is a scalar")
	case 1:
	default:
		return g.intervalOfCells(x, y, s)
	}
	x, y = g.same(x, y, s)
	x, y = g.names2(x, y)
	name := "ascending"
	if tail.TypeOf(x).Elem == array.Char {
		name = "ascendingtext"
	}
	x = g.fromPrelude(g.preludeClosure(name), nil, x, site{fn: s.fn, right: s.left})
	return g.outward(g.op(tail.OpIntervalIndex, s, x, y), s)
}

func dyadicFind(g *infer, x, y tail.Expr, s site) tail.Expr {
	if g.mixed(x, y, s) {
		shape, known := constShape(tail.TypeOf(x))
		switch x, y = g.names2(x, y); {
		case !known:
			g.unsupportedHere(diag.NotCompiled, s.fn, "characters among numbers, unless there are none")
		case !isEmpty(tail.TypeOf(x)):
			return g.answers(y, array.ScalarBool(false), s)
		}
		x = lit(s.fn, array.New(tail.TypeOf(y).Elem, shape...))
	}
	x, y = g.same(x, y, s)
	return g.op(tail.OpFind, s, x, y)
}

// vectorOf returns a scalar as a vector, and refuses matrices.
func (g *infer) vectorOf(glyph string, e tail.Expr, s site) tail.Expr {
	if g.arr(e, s.fn).Dims() > 1 {
		g.fail(diag.ArgumentRank, s.fn, "%s of an array of rank %d", glyph, tail.TypeOf(e).Dims())
	}
	return g.ravel(e, s)
}

func dyadicWithout(g *infer, x, y tail.Expr, s site) tail.Expr {
	x = g.vectorOf("~", x, s)
	if g.mixed(x, y, s) {
		return dyadics["⊣"](g, x, y, s)
	}
	x, y = g.same(x, y, s)
	return g.op(tail.OpWithout, s, x, y)
}

// dyadicUnion is x∪y: x followed by the elements of y that are not in it.
func dyadicUnion(g *infer, x, y tail.Expr, s site) tail.Expr {
	x, y = g.names2(g.vectorOf("∪", x, s), g.vectorOf("∪", y, s))
	return g.catenate(x, dyadicWithout(g, y, x, s), 0, s)
}

// dyadicIntersection is x∩y: the elements of x that are in y.
func dyadicIntersection(g *infer, x, y tail.Expr, s site) tail.Expr {
	x, y = g.names2(g.vectorOf("∩", x, s), g.vectorOf("∩", y, s))
	return g.opAxis(tail.OpCompress, s, 0, dyadicMember(g, x, y, s), x)
}

// match is x≡y.
func (g *infer) match(x, y tail.Expr, s site) tail.Expr {
	if isStored(x) || isStored(y) {
		return g.matchStored("≡", x, y, s)
	}
	if isColumns(x) || isColumns(y) {
		return g.primitiveDyadic(&primitive{glyph: "≡", at: s.fn}, x, y, s)
	}
	if isTuple(x) || isTuple(y) {
		return g.matchTuples(x, y, s)
	}
	tx, ty := tail.TypeOf(x), tail.TypeOf(y)
	if same, known := matchesByShape(tx, ty); known {
		g.effect(y)
		g.effect(x)
		return lit(s.fn, array.ScalarBool(same))
	}
	if tx.Elem != array.Char && ty.Elem != array.Char {
		x, y = g.same(x, y, s)
	}
	return g.op(tail.OpMatch, s, x, y)
}

// matchesByShape reports whether arrays of two types match, where their ranks or
// extents say it.
func matchesByShape(x, y *tail.Array) (same, known bool) {
	if x.Dims() != y.Dims() {
		return false, true
	}
	empty := false
	for i := range x.Dims() {
		m, ok := x.Extent(i).IsConst()
		n, both := y.Extent(i).IsConst()
		if !ok || !both {
			return false, false
		}
		if m != n {
			return false, true
		}
		empty = empty || n == 0
	}
	return (x.Elem == array.Char) == (y.Elem == array.Char), empty
}

func (g *infer) matchTuples(x, y tail.Expr, s site) tail.Expr {
	a, nested := x.Type().(*tail.TupleType)
	b, both := y.Type().(*tail.TupleType)
	if !nested || !both || len(a.Elems) != len(b.Elems) || !sameShape(a.Shape, b.Shape) {
		g.effect(y)
		g.effect(x)
		return lit(s.fn, array.ScalarBool(false))
	}
	if len(a.Elems) == 0 {
		g.effect(y)
		g.effect(x)
		return g.matchEmpty(a, b, s)
	}
	right := g.items(y)
	left := g.items(x)
	var all tail.Expr = lit(s.fn, array.ScalarBool(true))
	for i := range left {
		all = g.op(tail.OpAndB, s, all, g.match(left[i], right[i], s))
	}
	return all
}
