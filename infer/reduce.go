package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// accumulator returns the element type of a reduction by f of elements of
// type elem, and the function on it. Its result joins the element type and
// the function's result.
func (g *infer) accumulator(f function, elem array.Elem, s site) (array.Elem, *tail.Lam) {
	for {
		l := g.ofScalars(f, elem, s)
		t, ok := l.Body.Type().(*tail.Array)
		if !ok || t.Dims() != 0 {
			g.fail(diag.OperatorForm, s.fn, "reduction and scan by a function that does not give scalars (this one gives %s)", describeType(l.Body.Type()))
		}
		if t.Elem == elem {
			return elem, l
		}
		join, ok := joinElem(elem, t.Elem)
		if !ok {
			g.fail(diag.OperatorForm, s.fn, "reduction of %s by a function that gives %s", elemNoun(elem), elemNoun(t.Elem))
		}
		if join == elem {
			l.Body = g.block(func() tail.Expr { return g.adaptBody(l.Body, tail.Scalar(elem)) })
			return elem, l
		}
		elem = join
	}
}

// ofScalars is f with two scalars of a kind as arguments.
func (g *infer) ofScalars(f function, elem array.Elem, s site) *tail.Lam {
	return g.lambda(s.fn, []tail.Type{tail.Scalar(elem), tail.Scalar(elem)}, func(a []tail.Expr) tail.Expr {
		return g.dyadic(f, a[0], a[1], site{fn: s.fn, left: s.right, right: s.right})
	})
}

// accumulates reports whether f, of two scalars of a kind, gives what it takes.
func (g *infer) accumulates(f function, elem array.Elem, s site) bool {
	if _, ok := f.(*primitive); ok && elem.Numeric() {
		return true
	}
	t, ok := g.ofScalars(f, elem, s).Body.Type().(*tail.Array)
	if !ok {
		return true
	}
	_, ok = joinElem(elem, t.Elem)
	return ok
}

// decides reports whether f, of two scalars of a kind, gives truth values: what it
// gives for windows of two items or more are such, whatever the items are.
func (g *infer) decides(f function, elem array.Elem, s site) bool {
	t, ok := g.ofScalars(f, elem, s).Body.Type().(*tail.Array)
	return ok && t.Elem == array.Bool
}

// reduce is f/y along an axis.
func (g *infer) reduce(d *derived, y tail.Expr, axis int, s site) tail.Expr {
	f := g.fn(d.left)
	if isTuple(y) {
		return g.reduceTuple(f, y, axis, s)
	}
	t := g.arr(y, s.right)
	if t.Dims() == 0 {
		return y
	}
	f = g.folded(f, t, axis, s)
	if one, ok := t.Extent(axis).IsConst(); ok && one == 1 { // the item itself, whatever f is
		return g.opAxis(tail.OpReduce1, s, axis, g.leftOf(t.Elem, s), y)
	}
	if _, ok := f.(*primitive); ok {
		y = g.noCharacters(y)
		t = tail.TypeOf(y)
	}
	if isGlyph(f, ",") && t.Dims() == 1 {
		if !notOne(t.Extent(axis)) {
			g.fail(diag.OperatorForm, s.fn, ",/ of a vector that may have one element, which is not enclosed then")
		}
		return enclosure(g.name(y), s)
	}
	if p, ok := f.(*primitive); ok && t.Elem == array.Char && isScalarDyadic(p.glyph) {
		y, _ = g.numbered(y, y) // where there are none
		t = tail.TypeOf(y)
		g.perhapsNoneBy(f, t, s)
	}
	if e := g.reduceNothing(f, y, axis, s); e != nil {
		return e
	}
	if e := g.reduceChanging(f, y, s); e != nil {
		return e
	}
	if e := g.nestedReduction(f, y, false, s); e != nil {
		return e
	}
	if e := g.nestedRows(f, y, axis, s); e != nil {
		return e
	}
	elem := t.Elem
	if extremal(f) && elem.Numeric() && t.Extent(axis).Equal(tail.ConstSize(0)) {
		elem = array.Double // whose greatest and smallest numbers are the identities
	}
	elem, l := g.accumulator(f, elem, s)
	y = g.coerce(y, elem)
	if neutral := g.neutral(f, elem, s); neutral != nil {
		return g.opAxis(tail.OpReduce, s, axis, l, neutral, y)
	}
	return g.opAxis(tail.OpReduce1, s, axis, l, y)
}

// notOne reports whether a size is certain to be another one than 1.
func notOne(n tail.Size) bool {
	if _, ok := n.IsConst(); ok {
		return !n.Equal(tail.ConstSize(1))
	}
	negative := slices.ContainsFunc(n.Terms, func(t tail.Term) bool { return t.Coef < 0 })
	return n.Known() && !negative && n.Const > 1
}

// leftOf is the function of two scalars that gives the left one.
func (g *infer) leftOf(elem array.Elem, s site) *tail.Lam {
	return g.lambda(s.fn, []tail.Type{tail.Scalar(elem), tail.Scalar(elem)}, func(a []tail.Expr) tail.Expr { return a[0] })
}

// extremal reports whether f is ⌊ or ⌈, whose identity elements are doubles.
func extremal(f function) bool {
	return isGlyph(f, "⌊") || isGlyph(f, "⌈")
}

// neutral returns the identity element of a function, or nil.
func (g *infer) neutral(f function, elem array.Elem, s site) tail.Expr {
	p, ok := f.(*primitive)
	if !ok {
		return nil
	}
	n, ok := identities[p.glyph]
	if !ok || elem == array.Char {
		return nil
	}
	if p.glyph == "⌊" || p.glyph == "⌈" {
		if elem != array.Double {
			return nil
		}
		return lit(s.fn, array.ScalarDouble(n))
	}
	return lit(s.fn, convert(array.ScalarDouble(n), elem))
}

const largest = 0x1.fffffffffffffp1023

// identities are the identity elements of Dyalog's table. The reductions ⌊/
// and ⌈/ of no integers have no integer for a result and fault.
var identities = map[string]float64{
	"+": 0, "-": 0, "×": 1, "÷": 1, "|": 0, "⌊": largest, "⌈": -largest, "*": 1, "!": 1,
	"∧": 1, "∨": 0, "<": 0, "≤": 1, "=": 1, "≥": 1, ">": 0, "≠": 0,
}

// asDefined notes in e, a scan or an n-wise reduction by f, whether f is a primitive.
func asDefined(f function, e tail.Expr) tail.Expr {
	if _, ok := f.(*primitive); !ok {
		e.(*tail.Apply).Ks = []int{1}
	}
	return e
}

// scan is f\y along an axis.
func (g *infer) scan(d *derived, y tail.Expr, axis int, s site) tail.Expr {
	if isTuple(y) {
		return g.scanTuple(g.fn(d.left), y, axis, s)
	}
	t := g.arr(y, s.right)
	if t.Dims() == 0 {
		return y
	}
	f := g.fn(d.left)
	if one, ok := t.Extent(axis).IsConst(); ok && one == 1 { // the item itself, whatever f is
		return y
	}
	if e := g.nestedReduction(f, y, true, s); e != nil {
		return e
	}
	if _, ok := f.(*primitive); ok {
		y = g.noCharacters(y)
		t = tail.TypeOf(y)
		g.perhapsNoneBy(f, t, s)
	}
	elem, l := g.accumulator(f, t.Elem, s)
	return asDefined(f, g.opAxis(tail.OpScan, s, axis, l, g.coerce(y, elem)))
}

// windows is n f/y, the n-wise reduction along an axis.
func (g *infer) windows(d *derived, x, y tail.Expr, axis int, s site) tail.Expr {
	if isTuple(y) {
		return g.windowsOfItems(g.fn(d.left), x, y, s)
	}
	t := g.arr(y, s.right)
	if t.Dims() == 0 {
		g.fail(diag.ArgumentRank, s.fn, "n-wise reduction of a scalar")
	}
	n := g.toInt(g.single(x, s, "the window of an n-wise reduction"))
	if k, ok := integer(n); ok && k == 0 {
		return g.noWindows(d, y, axis, s)
	}
	if k, ok := integer(n); ok && (k == 1 || k == -1) { // each item by itself
		return y
	}
	if k, ok := integer(n); ok {
		if e := g.nestedWindows(g.fn(d.left), k, y, s); e != nil {
			return e
		}
		if e := g.storedWindows(g.fn(d.left), k, y, s); e != nil {
			return e
		}
	}
	g.perhapsNoneBy(g.fn(d.left), t, s)
	if k, ok := integer(n); ok && (k == 2 || k == -2) && !g.accumulates(g.fn(d.left), t.Elem, s) {
		return g.pairs(d, y, axis, k < 0, s)
	}
	elem, l := g.accumulator(g.fn(d.left), t.Elem, s)
	y = g.coerce(y, elem)
	if k, ok := integer(n); ok && (k > 1 || k < -1) && elem != array.Bool && g.decides(g.fn(d.left), t.Elem, s) {
		all := g.opAxis(tail.OpReduceWin, s, axis, l, n, y)
		return g.scalarDyadic("≠", all, g.intLit(s, 0), s)
	}
	zero := tail.ScalarValue(tail.OpEqI, []tail.Size{tail.TypeOf(n).Value(0), tail.ConstSize(0)})
	if zero.Equal(tail.ConstSize(0)) || g.neutral(g.fn(d.left), elem, s) == nil {
		return asDefined(g.fn(d.left), g.opAxis(tail.OpReduceWin, s, axis, l, n, y))
	}
	n, y = g.names2(n, y)
	none := g.block(func() tail.Expr { return g.noWindows(d, y, axis, s) })
	some := g.block(func() tail.Expr { return g.opAxis(tail.OpReduceWin, s, axis, l, n, y) })
	return g.branch(g.op(tail.OpEqI, s, n, g.intLit(s, 0)), none, some, s.fn, s.fn)
}

// pairs is 2 f/y, and ¯2 f/y where swapped: f has two items of y at a time and
// never a result of its own, which may be a number where the items are
// characters.
func (g *infer) pairs(d *derived, y tail.Expr, axis int, swapped bool, s site) tail.Expr {
	name := "pairs"
	if swapped {
		name = "swappedpairs"
	}
	c := g.preludeClosure(name, d.left)
	t := tail.TypeOf(y)
	if axis == 0 {
		return g.fromPrelude(c, nil, y, s)
	}
	return g.cells(y, t.Dims()-axis, s, func(cell tail.Expr) tail.Expr { return g.fromPrelude(c, nil, cell, s) })
}

// noWindows is 0 f/y: one more identity element than y has items.
func (g *infer) noWindows(d *derived, y tail.Expr, axis int, s site) tail.Expr {
	elem := tail.TypeOf(y).Elem
	if extremal(g.fn(d.left)) && elem.Numeric() {
		elem = array.Double
	}
	elem, _ = g.accumulator(g.fn(d.left), elem, s)
	neutral := g.neutral(g.fn(d.left), elem, s)
	if neutral == nil {
		g.fault(tail.FaultEmptyReduce, s)
	}
	y = g.name(y)
	shape := g.name(g.op(tail.OpShape, s, y))
	items := make([]tail.Expr, tail.TypeOf(y).Dims())
	for i := range items {
		items[i] = g.op(tail.OpIndex, s, shape, g.intLit(s, i+1))
	}
	items[axis] = g.op(tail.OpAddI, s, items[axis], g.intLit(s, 1))
	return g.op(tail.OpReshape, s, g.vector(s.fn, items, array.Int), neutral)
}
