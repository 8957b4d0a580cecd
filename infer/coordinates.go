package infer

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Vectors of vectors of one length never exist as such: f¨⍳2 3 is f of the rows
// of a matrix. The same holds for f¨⍸m and f¨↓m, for what ↑ makes of these, and
// for the coordinates that x[⍸m] and x[⍳s] choose.

// rows are the items of a nested array: the rows of a matrix, and the shape
// of the array, nil for a vector.
type rows struct {
	matrix, shape tail.Expr
	rank          int
}

// rowsExpr returns the items of ⍳y of a vector, ⍸y of a matrix, ↓y and x/,⍳y, of
// which x and y are evaluated. For other functions and ranks of y the value is
// returned.
func (g *infer) rowsExpr(x apl.Expr) (*rows, tail.Expr) {
	if d, ok := x.(*apl.Dyadic); ok {
		return g.keptRows(d)
	}
	m := x.(*apl.Monadic)
	p := m.F.(*apl.Prim)
	if inner, ok := raveledRows(m); ok {
		r, e := g.rowsExpr(inner)
		if r == nil {
			return nil, g.monadic(&primitive{glyph: ",", at: p.Span()}, e, site{fn: p.Span(), right: m.Y.Span()})
		}
		return &rows{matrix: r.matrix, rank: 1}, nil
	}
	y := g.eval(m.Y)
	s := site{fn: p.Span(), right: m.Y.Span()}
	t, ok := y.Type().(*tail.Array)
	switch {
	case !ok || t.Elem == array.Char && p.Glyph != "↓":
	case p.Glyph == "⍸" && t.Dims() > 1:
		return &rows{matrix: g.fromPreludeOutward("whererows", y, s), rank: 1}, nil
	case p.Glyph == "↓" && t.Dims() > 1 && !g.splits(t):
		return &rows{matrix: y, rank: t.Dims() - 1}, nil
	case p.Glyph == "⍳" && t.Dims() == 1 && !isSingleton(t):
		n, known := t.Extent(0).IsConst()
		if !known || n == 0 || g.fewCoordinates(y, maxCoordinates) {
			break
		}
		shape := g.name(g.toInt(y))
		return &rows{matrix: g.fromPreludeOutward("iotarows", shape, s), shape: shape, rank: int(n)}, nil
	}
	return nil, g.monadic(&primitive{glyph: p.Glyph, at: p.Span()}, y, s)
}

// fromPreludeOutward applies a definition of the prelude whose results are
// indices.
func (g *infer) fromPreludeOutward(name string, y tail.Expr, s site) tail.Expr {
	return g.outward(g.fromPrelude(g.preludeClosure(name), nil, y, s), s)
}

// givesRows reports whether an expression is of a form that rowsExpr knows, and
// returns it without parentheses.
func givesRows(x apl.Expr) (apl.Expr, bool) {
	x = unparenthesised(x)
	if d, ok := x.(*apl.Dyadic); ok {
		m, monadic := unparenthesised(d.Y).(*apl.Monadic)
		if !monadic || !isPrim(d.F, "/") {
			return nil, false
		}
		_, raveled := raveledRows(m)
		return x, raveled
	}
	m, ok := x.(*apl.Monadic)
	if !ok {
		return nil, false
	}
	p, ok := m.F.(*apl.Prim)
	_, raveled := raveledRows(m)
	return x, ok && (p.Glyph == "⍳" || p.Glyph == "⍸" || p.Glyph == "↓" || raveled)
}

// keptRows returns the items of x/,⍳y, whose number may be 0: they keep their
// length, which a vector of vectors without items does not.
func (g *infer) keptRows(d *apl.Dyadic) (*rows, tail.Expr) {
	var r *rows
	parts := g.inOrder(
		func() tail.Expr { return g.eval(d.X) },
		func() (e tail.Expr) { r, e = g.rowsExpr(unparenthesised(d.Y)); return e })
	s := site{fn: d.F.Span(), left: d.X.Span(), right: d.Y.Span()}
	if r == nil {
		return nil, g.dyadic(&primitive{glyph: "/", at: s.fn}, parts[0], parts[1], s)
	}
	r.matrix = g.ordered(r.matrix, parts[0])
	return &rows{matrix: g.dyadic(&primitive{glyph: "⌿", at: s.fn}, parts[0], r.matrix, s), rank: 1}, nil
}

// isIota reports whether an expression is written as ⍳s.
func isIota(x apl.Expr) bool {
	m, ok := unparenthesised(x).(*apl.Monadic)
	return ok && isPrim(m.F, "⍳")
}

// raveledRows is ⍳s of an expression ,⍳s.
func raveledRows(m *apl.Monadic) (apl.Expr, bool) {
	inner, ok := unparenthesised(m.Y).(*apl.Monadic)
	return inner, ok && isPrim(m.F, ",") && isPrim(inner.F, "⍳")
}

// eachOperand returns the operand of ¨ where f is f¨, as a function.
func eachOperand(f function) (function, *derived) {
	if d, ok := f.(*derived); ok && d.op == "¨" && d.left.fn != nil {
		return d.left.fn, d
	}
	return nil, nil
}

// eachArgument is what f¨y applies f to: rows, where y gives them, or an array.
func (g *infer) eachArgument(y apl.Expr) (*rows, tail.Expr) {
	if inner, ok := givesRows(y); ok {
		return g.rowsExpr(inner)
	}
	return nil, g.eval(y)
}

// cellsOfEach is ↑f¨ of rows, or of an array y; nil where mixEach is.
func (g *infer) cellsOfEach(f function, r *rows, y tail.Expr, s site) tail.Expr {
	if r != nil {
		return g.eachRow(f, r, true, s)
	}
	return g.mixEach(f, nil, y, s)
}

// isEach reports whether a function is written as f¨.
func isEach(f apl.Func) bool {
	for {
		p, ok := f.(*apl.ParenFunc)
		if !ok {
			break
		}
		f = p.F
	}
	return derivedByEach(f) != nil
}

// derivedByEach returns f as g¨, nil where it is not written so.
func derivedByEach(f apl.Func) *apl.Derived {
	d, ok := f.(*apl.Derived)
	if !ok {
		return nil
	}
	if op, ok := d.Op.(*apl.PrimOp); !ok || op.Glyph != "¨" {
		return nil
	}
	return d
}

// eachRow is f¨ of rows, or with mixed ↑f¨: f of each row.
func (g *infer) eachRow(f function, r *rows, mixed bool, s site) tail.Expr {
	h, d := eachOperand(f)
	if d == nil {
		g.fail(diag.WrongOperand, s.fn, "an array where a function operand is needed")
	}
	r.matrix = g.name(r.matrix)
	if tail.TypeOf(r.matrix).Dims() == 2 && g.blamed == nil {
		if e := g.eachRowChanging(h, r, s); e != nil {
			if mixed {
				return g.monadic(&primitive{glyph: "↑", at: s.fn}, e, s)
			}
			return e
		}
		if !mixed && r.shape == nil {
			if e := g.eachNestedRow(h, r.matrix, s); e != nil {
				return e
			}
		}
	}
	z := g.cells(r.matrix, 1, site{fn: d.at, right: s.right}, func(a tail.Expr) tail.Expr { return g.monadic(h, a, s) })
	t := g.arr(z, s.fn)
	own := t.Dims() - (tail.TypeOf(r.matrix).Dims() - 1)
	if own > 0 && !mixed {
		g.fail(diag.OperatorForm, s.fn, "¨ by a function that does not give scalars here")
	}
	return g.framedRows(z, r, own, s)
}

// eachNestedRow is f¨ of the rows of a matrix where f does not give scalars; nil
// where it does.
func (g *infer) eachNestedRow(f function, m tail.Expr, s site) tail.Expr {
	row := tail.Ranked(tail.TypeOf(m).Elem, 1)
	if !givesNested(g.lambda(s.fn, []tail.Type{row}, func(a []tail.Expr) tail.Expr { return g.monadic(f, a[0], s) })) {
		return nil
	}
	numbers, apply := g.numberedRows(f, m, s)
	return g.eachNumber(numbers, apply, s)
}

// eachRowChanging is f¨ of rows where f changes variables; nil where it does not.
func (g *infer) eachRowChanging(f function, r *rows, s site) tail.Expr {
	vars := g.changedBy(f)
	if len(vars) == 0 {
		return nil
	}
	numbers, apply := g.numberedRows(f, r.matrix, s)
	z := g.eachCarried(vars, numbers, g.givesUnread(f), apply, s)
	if r.shape == nil {
		return z
	}
	g.arr(z, s.fn)
	return g.framedRows(z, r, 0, s)
}

// numberedRows returns the numbers of the rows of a matrix, and f of the row that has one.
func (g *infer) numberedRows(f function, m tail.Expr, s site) (numbers tail.Expr, apply change) {
	numbers = g.name(g.op(tail.OpIota, s, g.op(tail.OpTally, s, m)))
	return numbers, func(i tail.Expr) tail.Expr {
		return g.monadic(f, g.name(g.op(tail.OpIndex, s, g.rawArgs([]tail.Expr{m, i, nil}, s)...)), s)
	}
}

// framedRows gives results for rows, of rank own each, the shape of the nested
// array.
func (g *infer) framedRows(z tail.Expr, r *rows, own int, s site) tail.Expr {
	if r.shape == nil {
		return z
	}
	z = g.name(z)
	shape := r.shape
	if own > 0 {
		shape = g.catenate(shape, g.dropped(g.intLit(s, 1), g.shapeOf(z, s), s), 0, s)
	}
	return g.op(tail.OpReshape, s, shape, z)
}

// rowsMonadic is f y where y gives rows and f is ↑, ≢, ⊃ or f¨; nil for other
// expressions, of which nothing is evaluated then.
func (g *infer) rowsMonadic(x *apl.Monadic) tail.Expr {
	y, ok := givesRows(x.Y)
	p, prim := x.F.(*apl.Prim)
	raveled := prim && p.Glyph == "," && isIota(x.Y)
	if !ok || !isEach(x.F) && !raveled && !(prim && (p.Glyph == "↑" || p.Glyph == "≢" || p.Glyph == "⊃")) {
		return nil
	}
	s := site{fn: x.F.Span(), right: x.Y.Span()}
	var f function
	var r *rows
	parts := g.inOrder(
		func() tail.Expr { f = g.function(x.F); return nil },
		func() (e tail.Expr) { r, e = g.rowsExpr(y); return e })
	if r == nil {
		return g.monadic(f, parts[1], s)
	}
	if !prim {
		return g.eachRow(f, r, false, s)
	}
	switch {
	case raveled:
		return g.raggedRows(r.matrix, s)
	case p.Glyph == "↑":
		return g.framedRows(r.matrix, r, 1, s)
	case p.Glyph == "≢" && r.shape == nil:
		return g.op(tail.OpTally, s, r.matrix)
	case p.Glyph == "≢":
		g.effect(r.matrix)
		return g.op(tail.OpFirst, s, r.shape)
	}
	one := make([]tail.Expr, tail.TypeOf(r.matrix).Dims()-1)
	for i := range one {
		one[i] = g.intLit(s, 1)
	}
	first := g.op(tail.OpTake, s, g.vector(s.fn, one, array.Int), r.matrix)
	return g.ravel(first, s)
}

// rowsDyadic is x f¨y where y gives rows; nil for other expressions, of which
// nothing is evaluated then. x is a scalar, or one item for each row, or y gives a tuple.
func (g *infer) rowsDyadic(x *apl.Dyadic) tail.Expr {
	y, ok := givesRows(x.Y)
	if !ok || !isEach(x.F) {
		return nil
	}
	s := site{fn: x.F.Span(), left: x.X.Span(), right: x.Y.Span()}
	var f function
	var r *rows
	parts := g.inOrder(
		func() tail.Expr { return g.eval(x.X) },
		func() tail.Expr { f = g.function(x.F); return nil },
		func() (e tail.Expr) { r, e = g.rowsExpr(y); return e })
	if r == nil {
		return g.dyadic(f, parts[0], parts[2], s)
	}
	left := parts[0]
	if t, ok := left.Type().(*tail.TupleType); ok && r.shape == nil && !isStored(left) && len(t.Elems) > 1 {
		if z := g.loosened(left, s); z != nil {
			left = z
		}
	}
	if r.shape == nil && tail.TypeOf(r.matrix).Dims() == 2 && (isStored(left) || !isTuple(left) && rankOf(left) == 1) {
		rows := g.raggedRows(g.ordered(r.matrix, left), s)
		return g.dyadic(f, g.name(left), rows, s)
	}
	if isTuple(left) && len(left.Type().(*tail.TupleType).Elems) == 1 {
		left = g.items(left)[0]
	} else if g.arr(left, s.left).Dims() > 0 {
		g.fail(diag.NestedArrays, s.fn, "¨ between an array and nested items")
	}
	h, d := eachOperand(f)
	if d == nil {
		g.fail(diag.WrongOperand, s.fn, "an array where a function operand is needed")
	}
	r.matrix = g.ordered(r.matrix, left)
	left = g.name(left)
	bound := &changing{func(a tail.Expr) tail.Expr { return g.dyadic(h, left, a, s) }}
	return g.eachRow(&derived{op: "¨", left: operand{fn: bound, at: d.at}, at: d.at}, r, false, s)
}

// splits reports whether ↓ of arrays of a type is the tuple of its rows.
func (g *infer) splits(t *tail.Array) bool {
	n, ok := t.Extent(0).IsConst()
	return ok && t.Dims() == 2 && n > 0 && n <= maxSplit
}

// fewCoordinates reports whether ⍳ of a shape has at most a number of items.
func (g *infer) fewCoordinates(shape tail.Expr, most float64) bool {
	a := g.value(shape)
	if a == nil || !isReal(a.Elem) {
		return false
	}
	n := 1.0
	for i := range a.Len() {
		n *= a.Double(i)
	}
	return n >= 1 && n <= most
}

// maxCoordinates is the number of items of ⍳s as a tuple in f¨⍳s, where more are
// a loop; elsewhere it is maxUnrolled.
const maxCoordinates = 16

// coordinates is ⍳y of a constant vector, the tuple of all indices of an array
// of that shape; nil where there are many.
func (g *infer) coordinates(y tail.Expr, s site) tail.Expr {
	a := g.value(y)
	if a == nil || !g.fewCoordinates(y, maxUnrolled) {
		return nil
	}
	shape, count := make([]int, a.Len()), 1
	for i := range shape {
		shape[i] = int(a.Double(i))
		count *= shape[i]
	}
	t := &tail.Tuple{At: tail.At{Where: s.span()}}
	for k := range count {
		index := make([]int64, len(shape))
		for i := len(shape) - 1; i >= 0; i-- {
			index[i] = int64(k%shape[i] + g.origin)
			k /= shape[i]
		}
		t.Elems = append(t.Elems, lit(s.fn, array.VectorInt(index)))
	}
	g.effect(y)
	t.Shape = shape
	return t
}

// chosenRows is the positions in the ravel of x, from 1, of the elements at
// rows of coordinates.
func (g *infer) chosenRows(r *rows, x tail.Expr, s site) tail.Expr {
	matrix := g.inward(r.matrix, s)
	if n := tail.TypeOf(matrix).Dims(); n > 2 {
		matrix = g.name(matrix)
		shape := make([]tail.Expr, n)
		for i := range shape {
			shape[i] = g.extentOf(matrix, i, s)
		}
		count := shape[0]
		for _, m := range shape[1 : n-1] {
			count = g.op(tail.OpMulI, s, count, m)
		}
		all := g.op(tail.OpReshape, s, g.vector(s.fn, []tail.Expr{count, shape[n-1]}, array.Int), matrix)
		frame := g.name(g.vector(s.fn, shape[:n-1], array.Int))
		return g.chosenRows(&rows{matrix: g.outward(all, s), shape: frame, rank: n - 1}, x, s)
	}
	z := g.fromPrelude(g.preludeClosure("positions"), g.shapeOf(x, s), matrix, s)
	if r.shape != nil {
		z = g.op(tail.OpReshape, s, r.shape, z)
	}
	return z
}

// chosenTuple is the positions in the ravel of x, from 1, of the elements at the
// indices that are the items of a tuple: one number an axis each.
func (g *infer) chosenTuple(index, x tail.Expr, s site) tail.Expr {
	if isRagged(index) {
		axes := g.intLit(s, tail.TypeOf(x).Dims())
		return g.chosenRows(&rows{matrix: g.raggedBy("indexrows", axes, index, s), rank: 1}, x, s)
	}
	items := g.items(index)
	where := g.name(g.op(tail.OpReshape, s, g.shapeOf(x, s), g.op(tail.OpIota, s, g.op(tail.OpCount, s, x))))
	at := make([]tail.Expr, len(items))
	for i, e := range items {
		if isTuple(e) {
			g.fail(diag.NestedArrays, s.fn, "an index that reaches into nested items")
		}
		if at[i] = g.name(g.pickAt(e, where, s)); tail.TypeOf(at[i]).Dims() != 0 {
			g.fail(diag.NestedArrays, s.fn, "nested indices of several elements of an axis")
		}
	}
	if len(at) == 1 && g.shapeOfTuple(index) == nil {
		return at[0]
	}
	return g.shaped(g.vector(s.fn, at, array.Int), g.shapeOfTuple(index))
}
