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

// picture is what a strand or a nested matrix looks like, a matrix of
// characters.
func (g *infer) picture(e tail.Expr, s site) tail.Expr {
	switch shape := g.shapeOfTuple(e); len(shape) {
	case 0, 1:
	case 2:
		return g.table(g.items(e), shape[0], shape[1], s)
	default:
		g.unsupported(s.fn, "display of a nested array of rank %d", len(shape))
	}
	var all []item
	for _, x := range g.items(e) {
		all = append(all, g.item(x, s))
	}
	if len(all) == 0 {
		g.unsupported(s.fn, "display of an empty nested array")
	}
	return g.besideEachOther(all, s)
}

// besideEachOther joins the pictures of items, with a blank around numbers.
func (g *infer) besideEachOther(all []item, s site) tail.Expr {
	row := all[0].picture
	for i, it := range all[1:] {
		name := "beside"
		if it.number || all[i].number {
			name = "apart"
		}
		row = g.fromPrelude(g.preludeClosure(name), row, it.picture, s)
	}
	return row
}

// table is the picture of a nested matrix. The items of a column have one width
// and those of a row one height; numbers stand at the right of their columns.
func (g *infer) table(items []tail.Expr, rows, columns int, s site) tail.Expr {
	if rows*columns == 0 {
		g.unsupported(s.fn, "display of an empty nested array")
	}
	cells := make([]item, rows*columns)
	for j := range columns {
		numbers := 0
		for i := range rows {
			cells[i*columns+j] = g.item(items[i*columns+j], s)
			if cells[i*columns+j].number {
				numbers++
			}
		}
		switch {
		case numbers == rows:
			g.numberColumn(items, cells, j, columns, s)
		case numbers > 0:
			g.unsupported(s.fn, "display of a nested matrix with numbers below arrays")
		}
		width := g.greatest(cells, j, columns, 1, s)
		for i := j; i < len(cells); i += columns {
			cells[i].picture = g.fromPrelude(g.preludeClosure("widened"), width, cells[i].picture, s)
		}
	}
	all := g.besideEachOther(cells[:columns], s)
	for i := 1; i < rows; i++ {
		all = g.primitiveDyadic(&primitive{glyph: "⍪", at: s.fn}, all, g.besideEachOther(cells[i*columns:(i+1)*columns], s), s)
	}
	return all
}

// numberColumn makes the pictures of a column of numbers, which are formatted
// together.
func (g *infer) numberColumn(items []tail.Expr, cells []item, j, columns int, s site) {
	var numbers []tail.Expr
	for i := j; i < len(items); i += columns {
		numbers = append(numbers, items[i])
	}
	elem, _ := scalars(numbers)
	column := g.primitiveMonadic(&primitive{glyph: "⍪", at: s.fn}, g.vector(s.fn, numbers, elem), s)
	text := g.name(monadicFormat(g, column, s))
	for i := range numbers {
		cells[i*columns+j].picture = g.fromPrelude(g.preludeClosure("rowof"), g.intLit(s, i+1), text, s)
	}
}

// greatest returns the greatest extent along an axis of the pictures in a column.
func (g *infer) greatest(cells []item, j, columns, axis int, s site) tail.Expr {
	var most tail.Expr
	for i := j; i < len(cells); i += columns {
		cells[i].picture = g.name(cells[i].picture)
		n := g.extentOf(cells[i].picture, axis, s)
		if most != nil {
			n = g.primitiveDyadic(&primitive{glyph: "⌈", at: s.fn}, most, n, s)
		}
		most = n
	}
	return g.name(most)
}

// item is what one item of a strand looks like in it.
func (g *infer) item(x tail.Expr, s site) item {
	if isTuple(x) {
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
