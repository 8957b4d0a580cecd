package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// amend is f@i y and a@i y: y with its major cells i replaced by what f makes
// of them, or by a. With a function to the right, that gives a truth value for
// every element, and elements are replaced. x is f's left argument, or nil.
func (g *infer) amend(d *derived, x, y tail.Expr, s site) tail.Expr {
	y = g.name(y)
	if x != nil {
		x = g.name(x)
	}
	value := func(old tail.Expr) tail.Expr {
		switch {
		case d.left.fn == nil:
			return g.array(d.left)
		case x != nil:
			return g.dyadic(d.left.fn, x, old, s)
		}
		return g.monadic(d.left.fn, old, s)
	}
	inner := site{fn: d.at, left: s.right, right: s.right}
	if isTuple(y) {
		return g.amendItems(d, y, value, inner)
	}
	t := g.arr(y, s.right)
	if t.Dims() == 0 {
		g.fail(diag.OperatorForm, d.at, "@ on a scalar")
	}
	if d.right.fn == nil {
		items := make([]tail.Expr, t.Dims())
		items[0] = g.name(g.array(d.right))
		if isTuple(items[0]) {
			chosen := g.chosen(g.items(items[0]), y, inner)
			return g.amendFlat(d, y, chosen, value, inner)
		}
		var old tail.Expr
		if d.left.fn != nil {
			old = g.name(g.index(y, items, inner))
		}
		v := g.name(value(old))
		if few := g.otherKind(y, v); few != nil {
			return g.withItems(few, g.index(g.placesIn(few, inner), items, inner), v, nil, inner)
		}
		return g.update(y, items, v, inner)
	}
	mask := g.toBool(g.monadic(d.right.fn, y, inner))
	where := g.name(g.op(tail.OpWhere, inner, g.ravel(mask, inner)))
	return g.amendFlat(d, y, where, value, inner)
}

// otherKind is a simple array as the tuple of its elements, where values that become
// elements are of another kind; nil where they are not, and where the array has many.
func (g *infer) otherKind(y, value tail.Expr) tail.Expr {
	if t, ok := value.Type().(*tail.Array); ok && (t.Elem == array.Char) == (tail.TypeOf(y).Elem == array.Char) {
		return nil
	}
	return g.elementsAsTuple(y)
}

// amendItems is amend for a nested y.
func (g *infer) amendItems(d *derived, y tail.Expr, value change, s site) tail.Expr {
	if d.right.fn != nil {
		mask := g.toBool(g.monadic(d.right.fn, y, s))
		where := g.name(g.op(tail.OpWhere, s, g.ravel(mask, s)))
		var old tail.Expr
		if d.left.fn != nil {
			flat := g.primitiveMonadic(&primitive{glyph: ",", at: s.fn}, y, s)
			old = g.name(g.index(flat, []tail.Expr{g.outward(where, s)}, s))
		}
		return g.withItems(y, where, value(old), nil, s)
	}
	items := make([]tail.Expr, max(rankOf(y), 1))
	items[0] = g.name(g.array(d.right))
	reached := g.someReach(items[0], y)
	if isTuple(items[0]) {
		items = items[:1]
	}
	var old tail.Expr
	if d.left.fn != nil {
		old = g.name(g.index(y, items, s))
	}
	if reached {
		return g.withReached(y, items[0], value(old), nil, s)
	}
	return g.withItems(y, g.index(g.placesIn(y, s), items, s), value(old), nil, s)
}

// chosen is the positions in the ravel of y of the elements with the given
// indices, one number an axis.
func (g *infer) chosen(indices []tail.Expr, y tail.Expr, s site) tail.Expr {
	positions := g.op(tail.OpReshape, s, g.shapeOf(y, s), g.op(tail.OpIota, s, g.op(tail.OpCount, s, y)))
	positions = g.name(positions)
	at := make([]tail.Expr, len(indices))
	for i, e := range indices {
		at[i] = g.name(g.pickAt(e, positions, s))
		if tail.TypeOf(at[i]).Dims() != 0 {
			g.fail(diag.OperatorForm, s.fn, "@ at indices of several elements of an axis")
		}
	}
	return g.name(g.vector(s.fn, at, array.Int))
}

// amendFlat replaces the elements of y at positions of its ravel.
func (g *infer) amendFlat(d *derived, y, where tail.Expr, value change, s site) tail.Expr {
	flat := g.name(g.ravel(y, s))
	var old tail.Expr
	if d.left.fn != nil {
		old = g.name(g.op(tail.OpIndex, s, flat, where))
	}
	v := g.name(value(old))
	if few := g.otherKind(y, v); few != nil {
		return g.withItems(few, where, v, nil, s)
	}
	if tv := g.arr(v, d.left.at); tv.Dims() > 0 && isSingleton(tv) {
		v = g.op(tail.OpFirst, s, v)
	}
	flat, v = g.same(flat, v, s)
	flat = g.op(tail.OpUpdate, s, flat, where, v)
	if tail.TypeOf(y).Dims() == 1 {
		return flat
	}
	return g.op(tail.OpReshape, s, g.shapeOf(y, s), flat)
}

// mixEach is ↑f¨y and ↑x f¨y where f gives arrays of one shape: they are the
// cells of the result. It returns nil for other expressions.
func (g *infer) mixEach(f function, x, y tail.Expr, s site) tail.Expr {
	d, ok := f.(*derived)
	if !ok || d.op != "¨" || d.left.fn == nil || isTuple(y) || x != nil && isTuple(x) {
		return nil
	}
	if tail.TypeOf(y).Dims() == 0 && (x == nil || tail.TypeOf(x).Dims() == 0) {
		return nil
	}
	zero := lit(d.at, array.ScalarInt(0))
	rank := &derived{op: "⍤", left: d.left, right: operand{lit: zero, at: d.at}, at: d.at}
	apply := func() tail.Expr {
		if x == nil {
			return g.rankMonadic(rank, y, s)
		}
		return g.rankDyadic(rank, x, y, s)
	}
	if !few(y) || x != nil && !few(x) {
		return apply()
	}
	var e tail.Expr
	if !g.succeeds(func() { e = apply() }) { // as where f gives nested arrays
		return nil
	}
	return e
}
