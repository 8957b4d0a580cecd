package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Reshapes, windows, scans and outer products of nested vectors, where only the run
// knows how many items there are:
//
//	n⍴'ab' 'cde'    the items 1+2|¯1+⍳n
//	3,/v            (v[1 2 3])(v[2 3 4]) …
//	2{≢⍺∩⍵}/lists   one number a pair of neighbours
//	k∘.≡lists       a matrix of truth values
//	,\lists         the first list, it and the second one joined, …

// storedReshape is x⍴y of a nested array of known items, where x has one element for
// each axis of the result, a is the value of x or nil, and the number of items is not
// known, or great; nil in other cases. A matrix is stored by columns.
func (g *infer) storedReshape(x, y tail.Expr, a *array.Array, s site) tail.Expr {
	t, ok := x.Type().(*tail.Array)
	if !ok || t.Dims() > 1 || len(g.items(y)) == 0 {
		return nil
	}
	if a != nil {
		n, most := 1.0, maxReshaped
		for i := range a.Len() {
			n *= float64(a.Int(i))
		}
		other := func(e tail.Expr) bool { return !isTuple(e) && rankOf(e) != 1 }
		if a.Len() == 1 && !slices.ContainsFunc(g.items(y), other) { // as much can be done with these where they are stored
			most = maxItems
		}
		if n <= float64(most) {
			return nil
		}
	}
	axes, known := countOf(t).IsConst()
	if !known || axes < 1 || axes > 2 {
		return nil
	}
	if axes == 2 {
		return g.rowsOfItems(x, y, s)
	}
	z := g.storedItems(y, s)
	if z == nil {
		return nil
	}
	p := &primitive{glyph: "⍴", at: s.fn}
	return g.chosenOfStored(z, g.unfilled(p, g.toInt(x), g.numbersOfStored(z, s), s), s)
}

// rowsOfItems is x⍴y where x has a number of rows and a known number of columns, of
// each of which the items can be stored; nil in other cases.
//
//	(n,2)⍴'ab' 1 'cde' 2    the columns n⍴'ab' 'cde' and n⍴1 2
func (g *infer) rowsOfItems(x, y tail.Expr, s site) tail.Expr {
	x = g.name(g.toInt(x))
	items := g.items(y)
	k, ok := tail.TypeOf(x).Value(1).IsConst()
	if !ok || k < 1 || k > maxColumns {
		return nil
	}
	width, period := int(k), len(items) // of the items, in a column
	if period%width == 0 {
		period /= width
	}
	rows := g.name(g.op(tail.OpIndex, s, x, g.intLit(s, 1)))
	p := &primitive{glyph: "⍴", at: s.fn}
	z := &tail.Tuple{At: tail.At{Where: s.span()}, Shape: []int{ofRows}}
	for j := range width {
		column := make([]tail.Expr, period)
		types := make([]tail.Type, period)
		for i := range period {
			column[i] = items[(i*width+j)%len(items)]
			types[i] = column[i].Type()
		}
		if !canBeColumn(types) {
			return nil
		}
		stored := g.name(g.columnOf(column, s))
		numbers := g.name(g.unfilled(p, rows, g.op(tail.OpIota, s, g.intLit(s, period)), s))
		z.Elems = append(z.Elems, g.chosenOfStored(stored, numbers, s))
	}
	return z
}

// storedItems is a nested scalar or vector of known items as one whose number of
// items is not known; nil where it cannot be one.
func (g *infer) storedItems(y tail.Expr, s site) tail.Expr {
	if isEnclosed(y) {
		y = &tail.Tuple{At: tail.At{Where: y.Span()}, Elems: g.items(y)}
	}
	if z := g.loosened(y, s); z != nil {
		return z
	}
	return g.byColumns(y, s)
}

// windowsOfItems is x f/y of a nested vector.
func (g *infer) windowsOfItems(f function, x, y tail.Expr, s site) tail.Expr {
	n, ok := integer(g.toInt(g.single(x, s, "the window of an n-wise reduction")))
	if !ok {
		g.needsConstant(diag.NestedArrays, s.fn, "the window of an n-wise reduction of a nested array must be known when compiling")
	}
	size := max(n, -n)
	switch {
	case rankOf(y) != 1 || isRowwise(y) || n == 0 || size > maxUnrolled:
		g.fail(diag.NestedArrays, s.fn, "windows of %d on %s", n, describeType(y.Type()))
	case size == 1:
		return y
	}
	y = g.name(y)
	if isStored(y) {
		return g.eachWindow(n, g.countOfStored(y, s), func(i tail.Expr) tail.Expr { return g.storedItem(y, i, s) }, f, s)
	}
	items := g.items(y)
	if int(size) > len(items) {
		g.fail(diag.NestedArrays, s.fn, "windows of %d on %d nested items", n, len(items))
	}
	var all []tail.Expr
	for i := range len(items) - int(size) + 1 {
		all = append(all, g.name(g.windowOf(n, func(k int) tail.Expr { return items[i+k] }, f, s)))
	}
	return g.strandOf(all, s)
}

// storedWindows is n f/y of a vector where f does not give scalars; nil in other cases.
func (g *infer) storedWindows(f function, n int64, y tail.Expr, s site) tail.Expr {
	t := tail.TypeOf(y)
	size := max(n, -n)
	if p, ok := f.(*primitive); size < 2 || t.Dims() != 1 || g.blamed != nil || ok && isScalarDyadic(p.glyph) {
		return nil
	}
	joins := isGlyph(f, ",")
	if size > maxUnrolled && !joins || !givesNested(g.ofScalars(f, t.Elem, s)) {
		return nil
	}
	y = g.name(y)
	count := g.op(tail.OpTally, s, y)
	if !joins {
		return g.eachWindow(n, count, func(i tail.Expr) tail.Expr { return g.name(g.op(tail.OpIndex, s, y, i)) }, f, s)
	}
	return g.eachNumber(g.windowNumbers(size, count, s), func(i tail.Expr) tail.Expr {
		from := g.name(g.op(tail.OpSubI, s, i, g.intLit(s, 1)))
		window := g.partAt(y, from, g.intLit(s, int(size)), s)
		if n < 0 {
			return g.op(tail.OpReverse, s, window)
		}
		return window
	}, s)
}

// windowNumbers are the numbers of the windows of so many items of count.
func (g *infer) windowNumbers(size int64, count tail.Expr, s site) tail.Expr {
	return g.name(g.fromPrelude(g.preludeClosure("windownumbers"), g.intLit(s, int(size)), count, s))
}

// eachWindow is f between the n neighbours that begin with each of count items.
func (g *infer) eachWindow(n int64, count tail.Expr, item change, f function, s site) tail.Expr {
	numbers := g.windowNumbers(max(n, -n), g.name(count), s)
	return g.eachNumber(numbers, func(i tail.Expr) tail.Expr {
		return g.windowOf(n, func(k int) tail.Expr {
			return item(g.name(g.op(tail.OpAddI, s, i, g.intLit(s, k))))
		}, f, s)
	}, s)
}

// windowOf is f between the items of a window, from its last one on, or, where n is
// negative, from its first one on.
func (g *infer) windowOf(n int64, item func(k int) tail.Expr, f function, s site) tail.Expr {
	last := int(max(n, -n)) - 1
	at := func(k int) tail.Expr {
		if n < 0 {
			k = last - k
		}
		return item(k)
	}
	e := at(last)
	for k := last - 1; k >= 0; k-- {
		e = g.name(g.dyadic(f, at(k), e, site{fn: s.fn, left: s.right, right: s.right}))
	}
	return e
}

// outerStored is x∘.f y where f gives scalars, and one or both are nested vectors whose
// numbers of items are not known.
func (g *infer) outerStored(f function, x, y tail.Expr, s site) tail.Expr {
	if z := g.outerMatches(f, x, y, s); z != nil {
		return z
	}
	places := func(e tail.Expr) (numbers tail.Expr, item change) {
		if isRanked(e) {
			items, numbers := g.arrangement(e, s)
			return numbers, func(i tail.Expr) tail.Expr { return g.storedItem(items, i, s) }
		}
		if isTuple(e) && !isStored(e) {
			if z := g.storedItems(e, s); z != nil {
				e = z
			}
		}
		e = g.name(e)
		switch {
		case isStored(e):
			return g.name(g.numbersOfStored(e, s)), func(i tail.Expr) tail.Expr { return g.storedItem(e, i, s) }
		case isTuple(e):
			g.fail(diag.NestedArrays, s.fn, "an outer product of a nested array whose number of items is not known and %s", describeType(e.Type()))
		}
		return e, func(a tail.Expr) tail.Expr { return a }
	}
	enclosed := isEnclosed(x) || isEnclosed(y)
	x, y = g.names2(x, y)
	right, b := places(y)
	left, a := places(x)
	types := []tail.Type{tail.Scalar(tail.TypeOf(left).Elem), tail.Scalar(tail.TypeOf(right).Elem)}
	l := g.lambda(s.fn, types, func(args []tail.Expr) tail.Expr {
		item := b(args[1])
		return g.dyadic(f, a(args[0]), item, s)
	})
	if enclosed {
		g.fail(diag.NestedArrays, s.fn, "an outer product with an enclosed array")
	}
	if givesNested(l) {
		return g.outerRanked(f, x, y, s)
	}
	g.whereNoItems(g.noPairs(f, x, y, s), s, left, right)
	return g.op(tail.OpOuter, s, l, left, right)
}

// outerMatches is x∘.≡y, or x∘.≢y, of vectors of vectors whose elements match exactly, by the numbers of the first
// items of x that match: (x⍳x)∘.=x⍳y. It is nil in other cases.
func (g *infer) outerMatches(f function, x, y tail.Expr, s site) tail.Expr {
	compare := map[bool]string{true: "=", false: "≠"}[isGlyph(f, "≡")]
	if !isGlyph(f, "≡") && !isGlyph(f, "≢") || !isRagged(x) || !isRagged(y) || !exactItems(x) || !exactItems(y) {
		return nil
	}
	x, y = g.names2(x, y)
	of := &derived{op: "∘.", left: operand{fn: &primitive{glyph: compare, at: s.fn}, at: s.fn}, at: s.fn}
	find := &primitive{glyph: "⍳", at: s.fn}
	places := g.name(g.primitiveDyadic(find, x, y, s))
	return g.outer(of, g.name(g.primitiveDyadic(find, x, x, s)), places, s)
}
