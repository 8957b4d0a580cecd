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
	of             tail.Expr
	picture        tail.Expr
	number, letter bool // a scalar, and which
}

// array reports whether the item is no simple scalar.
func (it *item) array() bool { return !it.number && !it.letter }

// picture is what a strand or a nested matrix looks like, a matrix of
// characters.
func (g *infer) picture(e tail.Expr, s site) tail.Expr {
	if isColumns(e) {
		return g.storedPicture(e, s)
	}
	if isRagged(e) {
		return g.fromPrelude(g.preludeClosure("line"), nil, g.raggedMonadic("⍕", e, s), s)
	}
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
// and those of a row one height. A column with a number stands at the right, and
// has a blank between it and its neighbours; another one stands at the left.
func (g *infer) table(items []tail.Expr, rows, columns int, s site) tail.Expr {
	if rows*columns == 0 {
		g.unsupported(s.fn, "display of an empty nested array")
	}
	cells := make([]item, rows*columns)
	for j := range columns {
		column := make([]*item, rows)
		for i := range rows {
			cells[i*columns+j] = g.item(items[i*columns+j], s)
			column[i] = &cells[i*columns+j]
		}
		g.justify(column, s)
	}
	all := g.besideEachOther(cells[:columns], s)
	for i := 1; i < rows; i++ {
		all = g.primitiveDyadic(&primitive{glyph: "⍪", at: s.fn}, all, g.besideEachOther(cells[i*columns:(i+1)*columns], s), s)
	}
	return all
}

// justify gives the pictures of a column one width. In a column with a number
// they end where the numbers end, so arrays there have no blank behind them.
func (g *infer) justify(column []*item, s site) {
	numbers, arrays := 0, 0
	for _, it := range column {
		if it.number {
			numbers++
		} else if it.array() {
			arrays++
		}
	}
	edge := "widened"
	if numbers > 0 {
		edge = "atright"
		g.numberColumn(column, s)
	}
	for _, it := range column {
		switch {
		case numbers > 0 && it.array():
			it.picture = g.fromPrelude(g.preludeClosure("shortened"), nil, it.picture, s)
		case numbers == 0 && arrays > 0 && it.letter:
			it.picture = g.fromPrelude(g.preludeClosure("padded"), nil, it.picture, s)
		}
	}
	width := g.widest(column, s)
	for _, it := range column {
		it.number = numbers > 0
		it.picture = g.fromPrelude(g.preludeClosure(edge), width, it.picture, s)
	}
}

// numberColumn makes the pictures of the numbers of a column, which are
// formatted together.
func (g *infer) numberColumn(column []*item, s site) {
	var numbers []tail.Expr
	for _, it := range column {
		if it.number {
			numbers = append(numbers, it.of)
		}
	}
	elem, _ := scalars(numbers)
	all := g.primitiveMonadic(&primitive{glyph: "⍪", at: s.fn}, g.vector(s.fn, numbers, elem), s)
	text := g.name(monadicFormat(g, all, s))
	k := 0
	for _, it := range column {
		if it.number {
			k++
			it.picture = g.fromPrelude(g.preludeClosure("rowof"), g.intLit(s, k), text, s)
		}
	}
}

// widest returns the greatest width of the pictures in a column.
func (g *infer) widest(column []*item, s site) tail.Expr {
	var most tail.Expr
	for _, it := range column {
		it.picture = g.name(it.picture)
		n := g.extentOf(it.picture, 1, s)
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
		return item{of: x, picture: g.fromPrelude(g.preludeClosure("padded"), nil, g.picture(x, s), s)}
	}
	t := g.arr(x, s.fn)
	text := x
	if t.Elem != array.Char {
		text = monadicFormat(g, x, s)
	}
	switch t.Dims() {
	case 0:
		text = g.fromPrelude(g.preludeClosure("line"), nil, text, s)
		return item{of: x, picture: text, number: t.Elem != array.Char, letter: t.Elem == array.Char}
	case 1:
		text = g.fromPrelude(g.preludeClosure("line"), nil, text, s)
	case 2:
	case 3:
		text = g.fromPrelude(g.preludeClosure("planes"), nil, text, s)
	default:
		g.unsupported(s.fn, "display of an array of rank %d in a nested array", t.Dims())
	}
	return item{of: x, picture: g.fromPrelude(g.preludeClosure("padded"), nil, text, s)}
}
