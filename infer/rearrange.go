package infer

import (
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Functions that only rearrange do to a nested array what they do to the array
// of the numbers of its items. That is known when compiling:
//
//	1↓(1 2)(3 4)(5 6)     the items 1↓1 2 3, which are 2 3

const (
	rearrangeMonadic = "⌽⊖⍉⍪,"
	rearrangeDyadic  = "↑↓⌽⊖⍉⌷/⌿\\⍀"
	rearrangeLoose   = "↑↓⌽⊖/⌿" // what ragged vectors have too
)

// numbers returns the array of the numbers of the items of a tuple, from first
// on.
func (g *infer) numbers(e tail.Expr, first int, s site) tail.Expr {
	if isRagged(e) || isColumns(e) {
		g.fail(diag.NestedArrays, s.fn, "an axis of a nested array whose number of items is not known")
	}
	t := e.Type().(*tail.TupleType)
	a := &array.Array{Elem: array.Int, Shape: []int{len(t.Elems)}}
	if t.Shape != nil {
		a.Shape = t.Shape
	}
	for i := range t.Elems {
		a.Ints = append(a.Ints, int64(first+i))
	}
	return lit(s.right, a)
}

// rearrangedBy applies f, which rearranges arrays, to a tuple.
func (g *infer) rearrangedBy(what string, f func(y tail.Expr) tail.Expr, y tail.Expr, s site) tail.Expr {
	y = g.name(y)
	if isColumns(y) || isRagged(y) {
		if items, numbers := g.arrangement(y, s); items != nil {
			numbers = f(numbers)
			if what != "⍪" && what != "," {
				numbers = g.fromPrelude(g.preludeClosure("nofills"), nil, numbers, s)
			}
			return g.arranged(items, numbers, s)
		}
	}
	return g.chosenItems(what, f(g.numbers(y, 1, s)), g.items(y), itemProto(y), s)
}

// rearranged is a function of one argument, or of two where x is given, that
// rearranges the tuple y; nil where the function does something else.
func (g *infer) rearranged(glyph string, x, y tail.Expr, s site) tail.Expr {
	p := &primitive{glyph: glyph, at: s.fn}
	y = g.name(y)
	numbers := g.numbers(y, 1, s)
	var e tail.Expr
	switch {
	case x == nil && strings.Contains(rearrangeMonadic, glyph):
		e = g.primitiveMonadic(p, numbers, s)
	case x != nil && !isTuple(x) && strings.Contains(rearrangeDyadic, glyph):
		x = g.name(x)
		e = g.primitiveDyadic(p, x, numbers, s)
		if strings.Contains(rearrangeLoose, glyph) && g.value(e) == nil {
			if loose := g.looseDyadic(glyph, x, g.raveledScalar(y, s), s); loose != nil {
				if isEnclosed(y) { // of whose elements there may be none
					return g.compacted(loose, s)
				}
				return loose
			}
			if rows := g.rowwise(y, s); rows != nil && !strings.Contains("⌽/", glyph) {
				return g.rowwiseDyadic(glyph, x, rows, s)
			}
		}
	default:
		return nil
	}
	return g.chosenItems(glyph, e, g.items(y), itemProto(y), s)
}

// chosenItems returns the items of which an expression gives the numbers, in its
// shape. The number 0 stands for a fill element, which has the type p where there
// are no items.
func (g *infer) chosenItems(what string, e tail.Expr, items []tail.Expr, p tail.Type, s site) tail.Expr {
	a := g.valueWithin(e, maxItems)
	if a == nil {
		g.failFix(diag.NestedArrays, s.fn, "use constants", "%s of a nested array where the result depends on values that are not known when compiling", what)
	}
	g.effect(e)
	if a.Rank() == 0 {
		if t, ok := items[a.Int(0)-1].Type().(*tail.Array); ok && t.Dims() == 0 {
			return items[a.Int(0)-1]
		}
		return enclosure(items[a.Int(0)-1], s)
	}
	if a.Len() == 0 {
		return g.withoutItems(a.Shape, p, s)
	}
	var fill tail.Expr
	t := &tail.Tuple{At: tail.At{Where: s.span()}}
	if a.Rank() > 1 {
		t.Shape = a.Shape
	}
	for i := range a.Len() {
		k := a.Int(i)
		if k == 0 {
			if fill == nil {
				fill = g.name(g.prototype(what, items, p, s))
			}
			t.Elems = append(t.Elems, fill)
			continue
		}
		t.Elems = append(t.Elems, items[k-1])
	}
	if elem, ok := scalars(t.Elems); ok {
		return g.shaped(g.vector(s.span(), t.Elems, elem), t.Shape)
	}
	return t
}

// joined joins nested arrays, or arrays of few elements that have no element
// type in common, in the way that join joins the numbers of their items.
func (g *infer) joined(glyph string, join func(x, y tail.Expr) tail.Expr, x, y tail.Expr, s site) tail.Expr {
	side := func(e tail.Expr) tail.Expr {
		if isTuple(e) {
			return g.name(e)
		}
		if t := g.arr(e, s.fn); t.Dims() == 0 {
			return enclosure(g.name(e), s)
		} else if n, ok := t.Extent(0).IsConst(); ok && n == 0 && t.Dims() == 1 {
			g.effect(e)
			return &tail.Tuple{At: tail.At{Where: e.Span()}, Proto: protoOf(tail.Scalar(t.Elem))}
		}
		few := g.elementsAsTuple(e)
		if few == nil {
			g.fail(diag.NestedArrays, s.fn, "catenation of %s to a nested array", describeType(tail.TypeOf(e)))
		}
		return g.name(few)
	}
	y = side(y)
	x = side(x)
	items := append(append([]tail.Expr{}, g.items(x)...), g.items(y)...)
	g.fewEnough(len(items), s)
	left := g.numbers(x, 1, s)
	right := g.numbers(y, 1+len(g.items(x)), s)
	p := itemProto(x)
	if p == nil {
		p = itemProto(y)
	}
	return g.chosenItems(glyph, join(left, right), items, p, s)
}

// joinedMany is joined of nested vectors that have more items than are known one by one;
// nil for others.
func (g *infer) joinedMany(glyph string, x, y tail.Expr, s site) tail.Expr {
	if !isTuple(x) || !isTuple(y) || max(rankOf(x), rankOf(y)) > 1 || len(g.items(x))+len(g.items(y)) <= maxItems {
		return nil
	}
	x, y = g.names2(x, y)
	if z := g.storedItems(x, s); z != nil {
		return g.tupleDyadic(glyph, g.name(z), y, s)
	}
	return nil
}

// formatNested is ⍕y of a nested array: its picture, which is a vector where it
// has one row.
func (g *infer) formatNested(y tail.Expr, s site) tail.Expr {
	z := g.picture(g.name(y), s)
	if oneLine(y.Type()) {
		return g.ravel(z, s)
	}
	return z
}

// oneLine reports whether values of a type are displayed in one line.
func oneLine(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	switch {
	case IsRagged(t):
		return true
	case isEitherType(t):
		return oneLine(tuple.Elems[0])
	}
	if IsColumns(t) && (tuple.Shape[0] == ofArrays || tuple.Shape[0] == ofRows || tuple.Shape[0] == ofRanked) {
		return false
	}
	if !ok {
		return t.(*tail.Array).Dims() < 2
	}
	for _, e := range tuple.Elems {
		if !oneLine(e) {
			return false
		}
	}
	return len(tuple.Shape) < 2 || IsColumns(t) && oneLine(storedItemType(t))
}
