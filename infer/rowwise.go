package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// A nested matrix of which the number of rows is not known, as {⍺(≢⍵)}⌸y and
// ↑{⍵(≢⍵)}¨y are, is stored by columns: each of them is a simple vector, or a
// nested one.

// mixStored is ↑y of a nested vector that is stored by columns.
func (g *infer) mixStored(y tail.Expr, s site) tail.Expr {
	t := y.Type().(*tail.TupleType)
	if t.Shape[0] == ofShaped && IsRagged(storedItemType(t)) {
		return g.mixedVectors(y, s)
	}
	if t.Shape[0] == ofShaped && len(t.Shape) == 1 {
		return g.components(y)[0] // scalars, whose items are one column
	}
	if t.Shape[0] != ofStrands {
		g.fail(diag.NestedArrays, s.fn, "↑ of a nested array whose number of items is not known")
	}
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: g.components(y), Shape: []int{ofRows}}
}

// mixedRows is what cells joins where f gives strands for the major cells of y.
func (g *infer) mixedRows(y tail.Expr, f change, s site) tail.Expr {
	y = g.name(y)
	numbers := g.name(g.op(tail.OpIota, s, g.op(tail.OpTally, s, y)))
	cell := func(i tail.Expr) tail.Expr {
		at := make([]tail.Expr, tail.TypeOf(y).Dims()+1)
		at[0], at[1] = y, i
		return f(g.name(g.op(tail.OpIndex, s, g.rawArgs(at, s)...)))
	}
	l := g.lambda(s.fn, []tail.Type{tail.Scalar(array.Int)}, func(a []tail.Expr) tail.Expr { return cell(a[0]) })
	z := g.storedEach(numbers, cell, l.Body.Type(), "", s)
	t := z.Type().(*tail.TupleType)
	switch {
	case t.Shape[0] == ofStrands, t.Shape[0] == ofShaped && len(t.Shape) == 1:
		return g.mixStored(z, s)
	}
	g.fail(diag.NestedArrays, s.fn, "a nested array of higher rank whose number of items is not known")
	return nil
}

// rowwiseMonadic applies a primitive to a nested matrix.
func (g *infer) rowwiseMonadic(glyph string, y tail.Expr, s site) tail.Expr {
	columns := g.components(y)
	switch glyph {
	case "⍴":
		return g.vector(s.fn, []tail.Expr{g.countOfStored(y, s), g.intLit(s, len(columns))}, array.Int)
	case "↓":
		return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: columns, Shape: []int{ofStrands}}
	case "⊖":
		return g.turned(&primitive{glyph: glyph, at: s.fn}, nil, y, s)
	case "⌽":
		z := &tail.Tuple{At: tail.At{Where: s.span()}, Shape: []int{ofRows}}
		for i := range columns {
			z.Elems = append(z.Elems, columns[len(columns)-1-i])
		}
		return z
	case "⊃":
		return g.storedItem(columns[0], g.firstNumber(y, s), s)
	case "≡":
		return g.intLit(s, depthOfColumns(y.Type().(*tail.TupleType)))
	}
	return g.rankedMonadic(glyph, y, s)
}

// eachCell is what apply gives for the items of a nested matrix, in order.
func (g *infer) eachCell(f function, y tail.Expr, apply change, s site) tail.Expr {
	y = g.name(y)
	columns := g.components(y)
	none := g.noItemsOf(f, y, s)
	none.call = func(args []tail.Expr) tail.Expr { return apply(args[0]) }
	z := g.name(g.eachItem(f, g.numbersOfStored(y, s), func(i tail.Expr) tail.Expr {
		parts := make([]func() tail.Expr, len(columns))
		for j, column := range columns {
			parts[j] = func() tail.Expr { return g.name(apply(g.storedItem(column, i, s))) }
		}
		return g.strandOf(g.inTurn(parts...), s)
	}, none, s))
	t, nested := z.Type().(*tail.TupleType)
	switch {
	case !nested: // zeroes, which nobody reads
		return z
	case IsColumns(t) && t.Shape[0] == ofStrands:
		return g.mixStored(z, s)
	case isRagged(z): // of rows of scalars
		shape := g.vector(s.fn, []tail.Expr{g.countOfRagged(z, s), g.intLit(s, len(columns))}, array.Int)
		return g.op(tail.OpReshape, s, shape, g.components(z)[0])
	}
	g.fail(diag.NestedArrays, s.fn, "¨ of a nested matrix whose number of rows is not known")
	return nil
}

// only is the item of an array of one for an operand of ¨; nil for other arrays.
func (g *infer) only(e tail.Expr, s site) tail.Expr {
	switch t, simple := e.Type().(*tail.Array); {
	case simple && t.Dims() == 0:
		return g.name(e)
	case simple && isSingleton(t):
		return g.name(g.firstOf(e, s))
	case !simple && !isRagged(e) && !isColumns(e) && len(g.items(e)) == 1:
		return g.items(e)[0]
	}
	return nil
}

// reduceRowwise is f/ along an axis of a nested matrix.
func (g *infer) reduceRowwise(f function, y tail.Expr, axis int, s site) tail.Expr {
	columns := g.components(g.name(y))
	if axis == 0 {
		return g.reduceRanked(f, y, axis, s)
	}
	return g.eachItem(f, g.numbersOfStored(y, s), func(i tail.Expr) tail.Expr {
		items := make([]tail.Expr, len(columns))
		for j, column := range columns {
			items[j] = g.name(g.storedItem(column, i, s))
		}
		return g.name(g.reduceItems(f, items, s))
	}, nil, s)
}

// mixedColumns is ⍉↑y of a strand of vectors of several kinds, or nested ones, of which
// only the run knows how many items they have; nil in other cases. The interpreter goes
// on where they have other numbers of items.
func (g *infer) mixedColumns(y tail.Expr, s site) tail.Expr {
	t, ok := y.Type().(*tail.TupleType)
	if !ok || t.Shape != nil || len(t.Elems) < 2 {
		return nil
	}
	items := g.items(y)
	counts, fixed := make([]tail.Expr, len(items)), true
	for i, e := range items {
		switch {
		case isStored(e):
			counts[i], fixed = g.name(g.countOfStored(e, s)), false
		case isVector(e):
			counts[i], fixed = g.name(g.op(tail.OpTally, s, e)), fixed && few(e)
		default:
			return nil
		}
	}
	if fixed || !areNested(items) {
		return nil
	}
	g.effect(g.fromPrelude(g.preludeClosure("samecounts"), nil, g.vector(s.fn, counts, array.Int), s))
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: items, Shape: []int{ofRows}}
}

// rowwise is a nested matrix of known items by columns, where those of each column are alike
// enough for one; nil for others.
func (g *infer) rowwise(e tail.Expr, s site) tail.Expr {
	shape := g.shapeOfTuple(e)
	if len(shape) != 2 || array.Count(shape) == 0 {
		return nil
	}
	items, columns := g.items(e), make([][]tail.Expr, shape[1])
	for j := range columns {
		var types []tail.Type
		for i := j; i < len(items); i += shape[1] {
			columns[j], types = append(columns[j], items[i]), append(types, items[i].Type())
		}
		if !canBeColumn(types) {
			return nil
		}
	}
	z := &tail.Tuple{At: tail.At{Where: s.span()}, Shape: []int{ofRows}}
	for _, column := range columns {
		z.Elems = append(z.Elems, g.name(g.columnOf(column, s)))
	}
	return z
}

// rowsChosenLater is rowwise for an index of rows that only the run knows, and columns that
// are known.
func (g *infer) rowsChosenLater(x tail.Expr, items []tail.Expr, s site) tail.Expr {
	if len(items) != 2 || items[0] == nil || isTuple(items[0]) || g.value(g.toInt(items[0])) != nil {
		return nil
	}
	if items[1] != nil && (isTuple(items[1]) || g.value(g.toInt(items[1])) == nil) {
		return nil
	}
	return g.rowwise(g.name(x), s)
}

// rowwiseDyadic applies a primitive to something and a nested matrix.
func (g *infer) rowwiseDyadic(glyph string, x, y tail.Expr, s site) tail.Expr {
	p := &primitive{glyph: glyph, at: s.fn}
	if glyph == "," {
		if z := g.joinedColumns(x, y, s); z != nil {
			return z
		}
	}
	if !isTuple(x) && isRowwise(y) {
		t := g.arr(x, s.left)
		one := t.Dims() == 0 || countOf(t).Equal(tail.ConstSize(1))
		switch {
		case (glyph == "⊖" || glyph == "↓") && one:
			return g.turned(p, x, y, s)
		case glyph == "⌿" || glyph == "↑" && one:
			return g.chosenOfStored(y, g.unfilled(p, x, g.numbersOfStored(y, s), s), s)
		case glyph == "⌷" && t.Dims() == 0:
			return g.rowwiseIndex(y, []tail.Expr{x, nil}, s)
		}
	} else if glyph == "⌷" && isRowwise(y) && isEnclosed(x) && !isTuple(g.items(x)[0]) {
		return g.rowwiseIndex(y, []tail.Expr{g.items(x)[0], nil}, s)
	}
	if z := g.rankedDyadic(p, x, y, s); z != nil {
		return z
	}
	g.fail(diag.NestedArrays, s.fn, "%s of a nested matrix whose number of rows is not known", glyph)
	return nil
}

// rowwiseIndex is x[i;j] of a nested matrix. The columns must be known when
// compiling.
func (g *infer) rowwiseIndex(x tail.Expr, items []tail.Expr, s site) tail.Expr {
	if len(items) != 2 {
		g.fail(diag.WrongRank, s.fn, "an index of %d axes into a matrix", len(items))
	}
	columns := g.components(g.name(x))
	single := false
	if items[1] != nil {
		a := g.value(g.toInt(items[1]))
		if a == nil || a.Rank() > 1 {
			return g.rankedIndex(x, items, s)
		}
		var chosen []tail.Expr
		for i := range a.Len() {
			k := int(a.Int(i)) - g.origin
			if k < 0 || k >= len(columns) {
				g.fail(diag.IndexOutside, s.fn, "index %d on axis 2 of a nested matrix of %d columns", a.Int(i), len(columns))
			}
			chosen = append(chosen, columns[k])
		}
		columns, single = chosen, a.Rank() == 0
	}
	if len(columns) == 0 {
		g.fail(diag.NestedArrays, s.fn, "no columns of a nested matrix")
	}
	rank := 1
	if items[0] != nil {
		rank = g.arr(items[0], s.fn).Dims()
		at := g.name(g.inward(g.toInt(items[0]), s))
		for i, column := range columns {
			switch rank {
			case 0:
				columns[i] = g.storedItem(column, at, s)
			case 1:
				columns[i] = g.chosenOfStored(column, at, s)
			default:
				g.fail(diag.NestedArrays, s.fn, "an index of rank %d of a nested matrix", rank)
			}
		}
	}
	switch {
	case rank == 0 && single:
		return g.enclosed(columns[0], g.intLit(s, 0), s)
	case rank == 0:
		return g.strandOf(columns, s)
	case single:
		return columns[0]
	}
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: columns, Shape: []int{ofRows}}
}

// maxColumns is the number of columns of a matrix that becomes columns of a nested
// one.
const maxColumns = 64

// asColumns are the columns of a matrix, or of a vector as one of them, and for a
// scalar the scalar; nil where they are not known.
func (g *infer) asColumns(e tail.Expr, s site) []tail.Expr {
	t, simple := e.Type().(*tail.Array)
	switch {
	case isRowwise(e):
		return g.components(e)
	case isStored(e) || simple && t.Dims() < 2:
		return []tail.Expr{e}
	case isTuple(e) && !isEnclosed(e) && e.Type().(*tail.TupleType).Shape == nil && !emptyTuple(e):
		if z := g.storedItems(e, s); z != nil {
			return []tail.Expr{z}
		}
		return nil
	case !simple || t.Dims() > 2:
		return nil
	}
	n, known := t.Extent(1).IsConst()
	if !known || n < 1 || n > maxColumns {
		return nil
	}
	var all []tail.Expr
	for i := range n {
		all = append(all, g.name(g.op(tail.OpIndex, s, g.rawArgs([]tail.Expr{e, nil, g.intLit(s, int(i)+1)}, s)...)))
	}
	return all
}

// joinedColumns is x,y where one is a matrix and the other a matrix or a column, of
// different kinds, or x,[1.5]y of two columns; nil where it is neither.
func (g *infer) joinedColumns(x, y tail.Expr, s site) tail.Expr {
	x, y = g.names2(x, y)
	right := g.asColumns(y, s)
	left := g.asColumns(x, s)
	if left == nil || right == nil || rankOf(x) == 0 && rankOf(y) == 0 {
		return nil
	}
	count := func(e tail.Expr) tail.Expr { return g.name(g.op(tail.OpTally, s, e)) }
	rows := func(e tail.Expr) tail.Expr {
		if isTuple(e) && (isColumns(e) || isRagged(e)) {
			return g.name(g.countOfStored(e, s))
		}
		if isTuple(e) {
			return g.intLit(s, len(e.Type().(*tail.TupleType).Elems))
		}
		return count(e)
	}
	n := rows(y)
	if rankOf(y) == 0 {
		n = rows(x)
	}
	z := &tail.Tuple{At: tail.At{Where: s.span()}, Shape: []int{ofRows}}
	for i, column := range append(left, right...) {
		switch {
		case rankOf(column) == 0:
			column = g.name(g.op(tail.OpReshape, s, g.ravel(n, s), column))
		case i < len(left) && rankOf(y) > 0 && !isTuple(column):
			column = g.name(g.fromPrelude(g.preludeClosure("asmany"), n, column, s))
		case i < len(left) && rankOf(y) > 0:
			numbers := g.fromPrelude(g.preludeClosure("asmany"), n, g.name(g.numbersOfStored(column, s)), s)
			column = g.chosenOfStored(column, numbers, s)
		}
		z.Elems = append(z.Elems, column)
	}
	return z
}
