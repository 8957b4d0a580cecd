package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// derivedMonadic applies a derived function to one argument.
func (g *infer) derivedMonadic(d *derived, y tail.Expr, s site) tail.Expr {
	at := site{fn: s.fn, right: s.right}
	if _, ok := d.left.fn.(*closure); ok {
		at.fn = d.at
	}
	switch d.op {
	case "/", "⌿":
		return g.reduce(d, y, g.edge(y, d.op == "/", s), at)
	case "\\", "⍀":
		return g.scan(d, y, g.edge(y, d.op == "\\", s), at)
	case "¨":
		return g.met(d.left.fn, d.op, nil, y, func() tail.Expr { return g.eachOf(d.left, y, at) })
	case "⍨":
		y = g.name(y)
		if d.left.fn == nil {
			return g.array(d.left)
		}
		return g.dyadic(d.left.fn, y, y, site{fn: s.fn, left: s.right, right: s.right})
	case "∘":
		return g.besideMonadic(d, y, at)
	case "⍤":
		if d.right.fn != nil {
			y = g.monadic(d.right.fn, y, at)
			return g.monadic(g.fn(d.left), y, at)
		}
		return g.rankMonadic(d, y, at)
	case "⍥":
		y = g.monadic(g.fn(d.right), y, at)
		return g.monadic(g.fn(d.left), y, at)
	case "⍛":
		y = g.name(y)
		return g.dyadic(g.fn(d.right), g.monadic(g.fn(d.left), y, at), y, site{fn: s.fn, left: s.right, right: s.right})
	case "⍣":
		return g.powerOf(d, nil, y, at)
	case "@":
		return g.amend(d, nil, y, at)
	case "⌶":
		return g.interpreter(d, nil, y, s)
	case "⌸":
		return g.key(d, nil, y, site{fn: d.at, right: s.right})
	case "⌺":
		return g.stencil(d, y, site{fn: d.at, right: s.right})
	}
	g.refuseOperator(d)
	return nil
}

// derivedDyadic applies a derived function to two arguments.
func (g *infer) derivedDyadic(d *derived, x, y tail.Expr, s site) tail.Expr {
	switch d.op {
	case "/", "⌿":
		return g.windows(d, x, y, g.edge(y, d.op == "/", s), s)
	case "¨":
		return g.met(d.left.fn, d.op, x, y, func() tail.Expr { return g.eachOf2(d.left, x, y, s) })
	case "⍨":
		if d.left.fn == nil {
			return g.array(d.left)
		}
		y = g.name(y)
		x = g.name(x)
		return g.dyadic(d.left.fn, y, x, site{fn: s.fn, left: s.right, right: s.left})
	case "∘":
		if d.left.fn == nil || d.right.fn == nil {
			g.fail(diag.WrongOperand, d.at, "∘ with an array operand takes one argument")
		}
		y, x = g.later(y, x, func(y tail.Expr) tail.Expr { return g.monadic(d.right.fn, y, site{fn: s.fn, right: s.right}) })
		return g.dyadic(d.left.fn, x, y, s)
	case "⍤":
		if d.right.fn != nil {
			y = g.dyadic(d.right.fn, x, y, s)
			return g.monadic(g.fn(d.left), y, site{fn: s.fn, right: s.right})
		}
		return g.rankDyadic(d, x, y, s)
	case "⍥":
		y, x = g.later(y, x, func(y tail.Expr) tail.Expr {
			return g.monadic(g.fn(d.right), y, site{fn: s.fn, right: s.right})
		})
		x, y = g.earlier(x, y, func(x tail.Expr) tail.Expr {
			return g.monadic(g.fn(d.right), x, site{fn: s.fn, right: s.left})
		})
		return g.dyadic(g.fn(d.left), x, y, s)
	case "⍛":
		x, y = g.earlier(x, y, func(x tail.Expr) tail.Expr {
			return g.monadic(g.fn(d.left), x, site{fn: s.fn, right: s.left})
		})
		return g.dyadic(g.fn(d.right), x, y, s)
	case "⍣":
		return g.powerOf(d, x, y, s)
	case "@":
		return g.amend(d, x, y, s)
	case "⌶":
		return g.interpreter(d, x, y, s)
	case "⌸":
		return g.key(d, x, y, site{fn: d.at, left: s.left, right: s.right})
	case "∘.":
		return g.outer(d, x, y, s)
	case ".":
		return g.inner(d, x, y, s)
	}
	g.refuseOperator(d)
	return nil
}

// later applies f to y where x was evaluated before; both stay in order.
func (g *infer) later(y, x tail.Expr, f func(tail.Expr) tail.Expr) (tail.Expr, tail.Expr) {
	if !atomic(x) {
		y = g.name(y)
		x = g.name(x)
	}
	return f(y), x
}

// earlier applies f to x where y is already evaluated.
func (g *infer) earlier(x, y tail.Expr, f func(tail.Expr) tail.Expr) (tail.Expr, tail.Expr) {
	y = g.name(y)
	return f(x), y
}

func (g *infer) refuseOperator(d *derived) {
	switch d.op {
	case "∘.", ".":
		g.fail(diag.WrongValence, d.at, "a product takes two arguments")
	case "\\", "⍀":
		g.fail(diag.WrongValence, d.at, "a scan takes one argument")
	}
	e := diag.Errorf(diag.OperatorForm, d.at, "operator %s", d.op)
	e.Fix = operatorRefusals[d.op]
	if e.Fix == "" {
		e.Message += " here"
	}
	panic(unwound{err: e})
}

var operatorRefusals = map[string]string{
	"&": "parallel loops are found by the compiler",
	"⍠": "variants are not supported; ⎕CT and ⎕IO are set at the top of the program",
}

// fn returns a function operand.
func (g *infer) fn(o operand) function {
	if o.fn == nil {
		g.fail(diag.WrongOperand, o.at, "an array where a function operand is needed")
	}
	return o.fn
}

// edge returns the last or the first axis of y, -1 for a scalar.
func (g *infer) edge(y tail.Expr, last bool, s site) int {
	n := rankOf(y)
	if n > 0 && !last {
		return 0
	}
	return n - 1
}

// besideMonadic is f∘g y, or an array bound to a function.
func (g *infer) besideMonadic(d *derived, y tail.Expr, s site) tail.Expr {
	switch {
	case d.left.fn == nil && d.right.fn == nil:
		g.fail(diag.WrongValence, d.at, "∘ between two arrays")
	case d.left.fn == nil:
		return g.dyadic(d.right.fn, g.array(d.left), y, site{fn: s.fn, left: d.left.at, right: s.right})
	case d.right.fn == nil:
		return g.dyadic(d.left.fn, y, g.array(d.right), site{fn: s.fn, left: s.right, right: d.right.at})
	}
	y = g.monadic(d.right.fn, y, s)
	return g.monadic(d.left.fn, y, s)
}

// scalarResult checks that a lambda of scalars gives a scalar.
func (g *infer) scalarResult(l *tail.Lam, what string, s site) {
	t, ok := l.Body.Type().(*tail.Array)
	switch {
	case !ok && g.blamed != nil:
		g.fail(diag.NestedArrays, s.fn, "a nested array of rank 2 and more whose extents only the run knows")
	case !ok || t.Dims() != 0:
		g.failFix(diag.OperatorForm, s.fn, "use ⍤ to join cells, where they all have one shape",
			"%s by a function that does not give scalars (this one gives %s)", what, describeType(l.Body.Type()))
	}
}

// joinsCells reports whether the results of f are joined to one array where
// they are no scalars: that is what definitions of the prelude mean by ¨ and
// by an outer product.
func (g *infer) joinsCells(l *tail.Lam) bool {
	t, ok := l.Body.Type().(*tail.Array)
	return ok && t.Dims() > 0 && g.blamed != nil
}

// outerCells is x∘.f y where the results, which are no scalars, are the cells
// of one array.
func (g *infer) outerCells(f function, x, y tail.Expr, s site) tail.Expr {
	x, y = g.names2(x, y)
	over := func(a tail.Expr) tail.Expr {
		if tail.TypeOf(y).Dims() == 0 {
			return g.dyadic(f, a, y, s)
		}
		return g.cells(y, 0, s, func(b tail.Expr) tail.Expr { return g.dyadic(f, a, b, s) })
	}
	if tail.TypeOf(x).Dims() == 0 {
		return over(x)
	}
	return g.cells(x, 0, s, over)
}

// eachOf is f¨y.
func (g *infer) eachOf(o operand, y tail.Expr, s site) tail.Expr {
	f := g.fn(o)
	if isTuple(y) {
		return g.eachTuple(f, y, s)
	}
	t := g.arr(y, s.right)
	if p, ok := f.(*primitive); ok && isScalarMonadic(p.glyph) {
		return g.monadic(f, y, s)
	}
	if t.Dims() == 0 {
		return g.alone(g.monadic(f, y, s), s)
	}
	y = g.eachPrototype(f, y, s)
	if e := g.eachChanging(f, y, s); e != nil {
		return e
	}
	apply := func(a tail.Expr) tail.Expr { return g.monadic(f, a, s) }
	elements := func(t *tail.Array) *tail.Lam {
		return g.lambda(s.fn, []tail.Type{tail.Scalar(t.Elem)}, func(a []tail.Expr) tail.Expr { return apply(a[0]) })
	}
	l := elements(t)
	y = g.eachPrototypeLater(f, l, y, s)
	over := y
	if by := g.byGroups(f, y, func() *tail.Lam { return l }, s); by != nil {
		y, over, apply = by.vectors[0], by.numbers, by.apply
		l = elements(tail.TypeOf(over))
	}
	if g.joinsCells(l) || g.blamed != nil && isEnclosed(l.Body) {
		return g.cells(over, 0, s, apply)
	}
	if givesNested(l) {
		if few := g.elementsAsTuple(y); few != nil {
			return g.eachTuple(f, few, s)
		}
		if t.Dims() == 1 && g.blamed == nil {
			z := g.eachNumber(over, apply, s)
			return g.withProto(z, g.noItemsOf(f, y, s))
		}
	}
	g.scalarResult(l, "¨", s)
	return g.op(tail.OpEach, s, l, over)
}

// alone is a result of ¨ or of an outer product for scalars: the scalar whose item
// it is. Definitions of the prelude join results.
func (g *infer) alone(e tail.Expr, s site) tail.Expr {
	if g.blamed != nil {
		return e
	}
	return monadicEnclose(g, e, s)
}

// eachOf2 is x f¨y.
func (g *infer) eachOf2(o operand, x, y tail.Expr, s site) tail.Expr {
	f := g.fn(o)
	if isTuple(x) || isTuple(y) {
		return g.eachTuple2(f, x, y, s)
	}
	x, y = g.pairPrototype(f, x, y, false, s)
	if e := g.eachChanging2(f, x, y, s); e != nil {
		return e
	}
	if g.arr(x, s.left).Dims()+g.arr(y, s.right).Dims() == 0 {
		return g.alone(g.dyadic(f, x, y, s), s)
	}
	if e := g.eachElement2(f, x, y, s); e != nil {
		return e
	}
	if p, ok := f.(*primitive); ok {
		x, y = g.widened(p.glyph, x, y, false)
		x, y = g.numberedBy(p.glyph, x, y)
	}
	if e := g.storedEach2(f, x, y, s); e != nil {
		return e
	}
	apply := func(a, b tail.Expr) tail.Expr {
		e := g.dyadic(f, a, b, s)
		if t, ok := e.Type().(*tail.Array); !ok || t.Dims() != 0 {
			g.fail(diag.OperatorForm, s.fn, "¨ by a function that does not give scalars (this one gives %s)", describeType(e.Type()))
		}
		return e
	}
	if z := g.eachByGroups2(f, x, y, apply, s); z != nil {
		return z
	}
	return g.zip(x, y, s, apply)
}

// outer is x∘.f y.
func (g *infer) outer(d *derived, x, y tail.Expr, s site) tail.Expr {
	f := g.fn(d.left)
	if isTuple(x) || isTuple(y) {
		return g.outerTuples(f, x, y, s)
	}
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	if tx.Dims() == 0 && ty.Dims() == 0 {
		return g.alone(g.dyadic(f, x, y, s), s)
	}
	if p, ok := f.(*primitive); ok {
		x, y = g.widened(p.glyph, x, y, true)
		x, y = g.numberedBy(p.glyph, x, y)
		tx, ty = tail.TypeOf(x), tail.TypeOf(y)
	}
	x, y = g.pairPrototype(f, x, y, true, s)
	real := isGlyph(f, "○") && ty.Elem == array.Complex && realCircles(tx)
	l := g.lambda(s.fn, []tail.Type{tail.Scalar(tx.Elem), tail.Scalar(ty.Elem)},
		func(a []tail.Expr) tail.Expr {
			e := g.dyadic(f, a[0], a[1], s)
			if real {
				e = g.op(tail.OpReZ, s, e)
			}
			return e
		})
	if g.joinsCells(l) {
		return g.outerCells(f, x, y, s)
	}
	if few := few(x) && few(y); few && givesNested(l) {
		return g.outerTuples(f, x, y, s)
	}
	if givesNested(l) {
		return g.outerRanked(f, x, y, s)
	}
	if z := g.outerByGroups(f, l, x, y, s); z != nil {
		return z
	}
	return g.op(tail.OpOuter, s, l, x, y)
}

// inner is x f.g y.
func (g *infer) inner(d *derived, x, y tail.Expr, s site) tail.Expr {
	f, h := g.fn(d.left), g.fn(d.right)
	if isTuple(x) || isTuple(y) || g.pairsNested(h, x, y, s) {
		return g.innerItems(d, x, y, s)
	}
	if p, ok := h.(*primitive); ok && isScalarDyadic(p.glyph) {
		x, y = g.noCharacters(x), g.noCharacters(y)
	}
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	if isGlyph(f, "+") && isGlyph(h, "×") && tx.Dims()+ty.Dims() > 0 {
		if elem, ok := joinElem(tx.Elem, ty.Elem); ok && elem == array.Double {
			return g.matrixProduct(x, y, s)
		}
	}
	if tx.Dims() == 0 || ty.Dims() == 0 {
		z := g.zip(x, y, s, func(a, b tail.Expr) tail.Expr { return g.dyadic(h, a, b, s) })
		whole := site{fn: s.fn, right: s.span()}
		axis := 0
		if tx.Dims() > 0 {
			axis = tx.Dims() - 1
		}
		return g.reduce(d, z, axis, whole)
	}
	g.perhapsNoneBy(h, tx, s)
	g.perhapsNoneBy(h, ty, s)
	x, y = g.stretched(x, y, tx.Dims()-1, 0, s)
	pair := g.lambda(s.fn, []tail.Type{tail.Scalar(tx.Elem), tail.Scalar(ty.Elem)},
		func(a []tail.Expr) tail.Expr { return g.dyadic(h, a[0], a[1], s) })
	g.scalarResult(pair, "inner product", s)
	elem, none := tail.TypeOf(pair.Body).Elem, tail.ConstSize(0)
	if extremal(f) && elem.Numeric() && (tx.Extent(tx.Dims()-1).Equal(none) || ty.Extent(0).Equal(none)) {
		elem = array.Double // as reduce does
	}
	elem, l := g.accumulator(f, elem, s)
	pair.Body = g.block(func() tail.Expr { return g.adaptBody(pair.Body, tail.Scalar(elem)) })
	if neutral := g.neutral(f, elem, s); neutral != nil {
		return g.op(tail.OpInner, s, l, pair, neutral, x, y)
	}
	return g.op(tail.OpInner1, s, l, pair, x, y)
}
