package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// printNested displays a strand and returns it. Items that are arrays stand
// between blanks; a number that is a scalar has a blank between it and its
// neighbours, a character none where its neighbours are characters.
func (g *infer) printNested(e tail.Expr, at diag.Span) tail.Expr {
	if shape := g.shapeOfTuple(e); shape != nil {
		g.unsupported(at, "display of a nested array of rank %d", len(shape))
	}
	e = g.name(e)
	s := site{fn: at, right: at}
	g.effect(g.op(tail.OpPrint, s, g.picture(e, s)))
	return e
}

// printArrays displays the announcement of a strand and its arrays, and returns
// the strand.
func (g *infer) printArrays(e tail.Expr, at diag.Span) tail.Expr {
	if shape := g.shapeOfTuple(e); shape != nil {
		g.unsupported(at, "display of a nested array of rank %d", len(shape))
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

// item is an item of a strand as a matrix of characters.
type item struct {
	picture        tail.Expr
	number, letter bool // a scalar, and which
}

// picture is what a strand looks like, a matrix of characters.
func (g *infer) picture(e tail.Expr, s site) tail.Expr {
	var all []item
	arrays := false
	for _, x := range g.items(e) {
		it := g.item(x, s)
		arrays = arrays || !it.number && !it.letter
		all = append(all, it)
	}
	if len(all) == 0 {
		g.unsupported(s.fn, "display of an empty nested array")
	}
	row := all[0].picture
	for i, it := range all[1:] {
		left := all[i]
		if (it.letter || left.letter) && arrays {
			g.unsupported(s.fn, "display of a character beside arrays")
		}
		name := "beside"
		if it.number || left.number {
			name = "apart"
		}
		row = g.fromPrelude(g.preludeClosure(name), row, it.picture, s)
	}
	return row
}

// item is what one item of a strand looks like in it.
func (g *infer) item(x tail.Expr, s site) item {
	if isTuple(x) {
		if shape := g.shapeOfTuple(x); shape != nil {
			g.unsupported(s.fn, "display of a nested array of rank %d", len(shape))
		}
		return item{picture: g.fromPrelude(g.preludeClosure("padded"), nil, g.picture(x, s), s)}
	}
	t := g.arr(x, s.fn)
	text := x
	if t.Elem != array.Char {
		text = monadicFormat(g, x, s)
	}
	switch t.Dims() {
	case 0:
		text = g.fromPrelude(g.preludeClosure("line"), nil, text, s)
		return item{picture: text, number: t.Elem != array.Char, letter: t.Elem == array.Char}
	case 1:
		text = g.fromPrelude(g.preludeClosure("line"), nil, text, s)
	case 2:
	default:
		g.unsupported(s.fn, "display of an array of rank %d in a nested array", t.Dims())
	}
	return item{picture: g.fromPrelude(g.preludeClosure("padded"), nil, text, s)}
}
