package infer

import (
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// printNested displays a strand and returns it. Items that are arrays stand
// between blanks; a number that is a scalar has a blank between it and its
// neighbours, a character none where its neighbours are characters.
func (g *infer) printNested(e tail.Expr, at diag.Span) tail.Expr {
	e = g.name(e)
	s := site{fn: at, right: at}
	g.effect(g.op(tail.OpPrint, s, g.picture(e, s)))
	return e
}

// storedByItem reports whether a nested array has an array for each of its items, and so
// have its nested items: neither elements with offsets, nor columns.
func storedByItem(t tail.Type) bool {
	strand, ok := t.(*tail.TupleType)
	if !ok || IsRagged(t) || IsColumns(t) {
		return false
	}
	if strand.Shape != nil && array.Count(strand.Shape) != len(strand.Elems) {
		return false
	}
	for _, item := range strand.Elems {
		if _, nested := item.(*tail.TupleType); nested && !storedByItem(item) {
			return false
		}
	}
	return true
}

// printArrays displays the announcement of a strand and its arrays, and returns
// the strand.
func (g *infer) printArrays(e tail.Expr, at diag.Span) tail.Expr {
	if shape := g.shapeOfTuple(e); shape != nil && !g.options.Shaped {
		g.fail(diag.NestedArrays, at, "display of a nested array of rank %d", len(shape))
	}
	e = g.name(e)
	s := site{fn: at, right: at}
	text := g.options.Announced(e.Type().(*tail.TupleType))
	g.effect(g.op(tail.OpPrint, s, lit(at, array.VectorChar([]rune(text)))))
	var each func(x tail.Expr)
	each = func(x tail.Expr) {
		if !isTuple(x) {
			g.effect(g.op(tail.OpPrint, s, x))
			return
		}
		for _, item := range g.items(x) {
			each(item)
		}
	}
	each(e)
	return e
}

// picture is what a nested array looks like, a matrix of characters. Package display
// tells how its form says which nested array is made of simple ones.
func (g *infer) picture(e tail.Expr, s site) tail.Expr {
	e, _ = g.raveledEither(g.name(e), s)
	form := lit(s.fn, array.VectorChar([]rune(formOf(e.Type()))))
	return g.op(tail.OpPicture, s, append([]tail.Expr{form}, g.simpleParts(e)...)...)
}

// simpleParts are the simple arrays that a nested one is made of.
func (g *infer) simpleParts(e tail.Expr) []tail.Expr {
	if !isTuple(e) {
		return []tail.Expr{e}
	}
	var all []tail.Expr
	for _, x := range g.components(e) {
		all = append(all, g.simpleParts(x)...)
	}
	return all
}

// formOf is the form of values of a type.
func formOf(t tail.Type) string {
	tuple, ok := t.(*tail.TupleType)
	switch {
	case !ok:
		return "a"
	case IsColumns(t) && tuple.Shape[0] == ofRows:
		text := formOfShape("#", len(tuple.Elems))
		for _, x := range tuple.Elems {
			text += columnForm(x)
		}
		return text
	case IsColumns(t) && tuple.Shape[0] == ofRanked:
		return "@" + columnForm(tuple.Elems[0]) + "a"
	case IsRagged(t) || IsColumns(t):
		return "*" + columnForm(t)
	}
	shape := tuple.Shape
	switch {
	case isEitherType(t):
		return "e" + formOf(tuple.Elems[0])
	case shape == nil:
		shape = []int{len(tuple.Elems)}
	}
	text := formOfShape("(", shape...)
	for _, x := range tuple.Elems {
		text += formOf(x)
	}
	return text + ")"
}

func formOfShape(open string, shape ...int) string {
	extents := make([]string, len(shape))
	for i, n := range shape {
		extents[i] = strconv.Itoa(n)
	}
	return open + strings.Join(extents, " ") + ":"
}

// columnForm is the form of a column of a type.
func columnForm(t tail.Type) string {
	tuple, ok := t.(*tail.TupleType)
	switch {
	case !ok:
		return "a"
	case IsRagged(t):
		return "r"
	case tuple.Shape[0] == ofArrays:
		return "h"
	}
	return "<" + partForms(tuple) + "|" + formOf(storedItemType(t)) + ">"
}

// partForms are the forms of the columns of simple arrays that a tuple of columns
// is made of.
func partForms(tuple *tail.TupleType) string {
	text := ""
	for _, x := range tuple.Elems {
		if part, ok := x.(*tail.TupleType); ok && !IsRagged(x) && part.Shape[0] != ofArrays {
			text += partForms(part)
		} else {
			text += columnForm(x)
		}
	}
	return text
}
