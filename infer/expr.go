package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// eval returns the TAIL expression for an expression.
func (g *infer) eval(x apl.Expr) tail.Expr {
	switch x := x.(type) {
	case *apl.Literal:
		return lit(x.Span(), x.Value)
	case *apl.Var:
		return g.variable(x)
	case *apl.Paren:
		return g.eval(x.X)
	case *apl.Member, *apl.NamespaceLit:
		g.fail(diag.Namespaces, x.Span(), "namespaces: %s", x.Span().Text())
	case *apl.Strand:
		return g.bounded(g.strand(x), x)
	case *apl.Monadic:
		return g.bounded(g.monadicExpr(x), x)
	case *apl.Dyadic:
		return g.bounded(g.dyadicExpr(x), x)
	case *apl.Index:
		return g.indexExpr(x)
	case *apl.Assign:
		return g.assign(x)
	}
	panic("internal error: unknown expression")
}

func (g *infer) variable(x *apl.Var) tail.Expr {
	if s, b := g.scope.lookup(x.Ident); b != nil {
		if b.poisoned {
			g.fail(diag.MissingValue, x.Span(), "")
		}
		return g.use(g.scope, s, x.Ident, x.Span())
	}
	if e := g.systemVariable(x); e != nil {
		return e
	}
	g.find(x.Ident, x.Span())
	return nil
}

func (g *infer) monadicExpr(x *apl.Monadic) tail.Expr {
	if e := g.rowsMonadic(x); e != nil {
		return e
	}
	if e := g.foldExpr(x); e != nil {
		return e
	}
	if e := g.foldEachExpr(x); e != nil {
		return e
	}
	if e := g.enlistExpr(x); e != nil {
		return e
	}
	if e := g.ravelExpr(x); e != nil {
		return e
	}
	if inner, ok := bare(x.Y).(*apl.Monadic); ok && isPrim(x.F, "⍉") && isPrim(inner.F, "↑") {
		if strand, ok := bare(inner.Y).(*apl.Strand); ok {
			return g.columnsExpr(x, inner, strand)
		}
	}
	if p, ok := x.F.(*apl.Prim); ok && p.Glyph == "↑" {
		if e := g.mixExpr(x.Y); e != nil {
			return e
		}
	}
	if p, ok := x.F.(*apl.Prim); ok && (p.Glyph == "⊃" || p.Glyph == "↑") {
		if e := g.joinExpr(x.Y, p.Glyph == "↑"); e != nil {
			return e
		}
	}
	if p, ok := x.F.(*apl.Prim); ok {
		if v, ok := x.Y.(*apl.Var); ok && v.Ident == "⎕ARG" {
			if e := g.arguments(p.Glyph, site{fn: p.Span(), right: v.Span()}); e != nil {
				return e
			}
		}
	}
	var f function
	parts := g.inOrder(
		func() tail.Expr { f = g.function(x.F); return nil },
		func() tail.Expr { return g.eval(x.Y) })
	return g.monadic(f, parts[1], site{fn: x.F.Span(), right: x.Y.Span()})
}

// columnsExpr is ⍉↑ of a strand.
func (g *infer) columnsExpr(x, mix *apl.Monadic, strand *apl.Strand) tail.Expr {
	y := g.name(g.eval(strand))
	s := site{fn: mix.F.Span(), right: mix.Y.Span()}
	if z := g.mixedColumns(y, s); z != nil {
		return z
	}
	z := g.monadic(g.function(mix.F), y, s)
	return g.monadic(g.function(x.F), z, site{fn: x.F.Span(), right: x.Y.Span()})
}

// mixExpr returns ↑y where y is an application of ¨ to simple arrays, nil for
// other expressions, of which nothing is evaluated then.
func (g *infer) mixExpr(y apl.Expr) tail.Expr {
	y = unparenthesised(y)
	var each apl.Func
	switch y := y.(type) {
	case *apl.Monadic:
		each = y.F
	case *apl.Dyadic:
		each = y.F
	}
	if derivedByEach(each) == nil {
		return nil
	}
	var f function
	switch y := y.(type) {
	case *apl.Monadic:
		var r *rows
		parts := g.inOrder(
			func() tail.Expr { f = g.function(y.F); return nil },
			func() (e tail.Expr) { r, e = g.eachArgument(y.Y); return e })
		s := site{fn: y.F.Span(), right: y.Y.Span()}
		if e := g.cellsOfEach(f, r, parts[1], s); e != nil {
			return e
		}
		return g.mixed1(g.monadic(f, parts[1], s), s)
	case *apl.Dyadic:
		parts := g.inOrder(
			func() tail.Expr { return g.eval(y.X) },
			func() tail.Expr { f = g.function(y.F); return nil },
			func() tail.Expr { return g.eval(y.Y) })
		s := site{fn: y.F.Span(), left: y.X.Span(), right: y.Y.Span()}
		if e := g.mixEach(f, parts[0], parts[2], s); e != nil {
			return e
		}
		return g.mixed1(g.dyadic(f, parts[0], parts[2], s), s)
	}
	return nil
}

// mixed1 is ↑e.
func (g *infer) mixed1(e tail.Expr, s site) tail.Expr {
	return g.primitiveMonadic(&primitive{glyph: "↑", at: s.fn}, e, s)
}

func (g *infer) dyadicExpr(x *apl.Dyadic) tail.Expr {
	if e := g.appliedLeft(x); e != nil {
		return g.eval(e)
	}
	if e := g.rowsDyadic(x); e != nil {
		return e
	}
	if e := g.catenateExpr(x); e != nil {
		return e
	}
	var f function
	if p, ok := x.F.(*apl.Prim); ok && p.Glyph == "⊃" {
		if v, ok := x.Y.(*apl.Var); ok && v.Ident == "⎕ARG" {
			return g.argument(g.eval(x.X), site{fn: p.Span(), left: x.X.Span(), right: v.Span()})
		}
	}
	parts := g.inOrder(
		func() tail.Expr { return g.eval(x.X) },
		func() tail.Expr { f = g.function(x.F); return nil },
		func() tail.Expr { return g.eval(x.Y) })
	return g.dyadic(f, parts[0], parts[2], site{fn: x.F.Span(), left: x.X.Span(), right: x.Y.Span()})
}

// strand returns the vector of scalar items, or the tuple of items of which
// some are not scalars.
func (g *infer) strand(x *apl.Strand) tail.Expr {
	if e := g.appliedInStrand(x); e != nil {
		return g.eval(e)
	}
	parts := make([]func() tail.Expr, len(x.Items))
	for i, item := range x.Items {
		parts[i] = func() tail.Expr { return g.eval(item) }
	}
	items := g.inOrder(parts...)
	if elem, ok := scalars(items); ok {
		return g.vector(x.Span(), items, elem)
	}
	return &tail.Tuple{At: tail.At{Where: x.Span()}, Elems: items}
}

// scalars reports whether all items are scalars of element types that have a
// join, and that join.
func scalars(items []tail.Expr) (array.Elem, bool) {
	elem := array.NoElem
	for _, e := range items {
		t, ok := e.Type().(*tail.Array)
		if !ok || t.Dims() != 0 {
			return 0, false
		}
		if elem == array.NoElem {
			elem = t.Elem
		}
		if elem, ok = joinElem(elem, t.Elem); !ok {
			return 0, false
		}
	}
	return elem, len(items) > 0
}

// vector returns the vector of scalars, a constant if they all are.
func (g *infer) vector(at diag.Span, items []tail.Expr, elem array.Elem) tail.Expr {
	constant := array.New(elem, len(items))
	for i := range items {
		items[i] = g.coerce(items[i], elem)
		l, ok := items[i].(*tail.Lit)
		if !ok {
			constant = nil
		}
		if constant != nil {
			setElem(constant, i, l.Value)
		}
	}
	if constant != nil {
		return lit(at, constant)
	}
	return tail.NewVec(at, items...)
}

// setElem copies the scalar x, of the same element type, to element i of a.
func setElem(a *array.Array, i int, x *array.Array) {
	switch a.Elem {
	case array.Bool:
		a.Bools[i] = x.Bools[0]
	case array.Int:
		a.Ints[i] = x.Ints[0]
	case array.Double:
		a.Doubles[i] = x.Doubles[0]
	case array.Char:
		a.Chars[i] = x.Chars[0]
	case array.Complex:
		a.Complexes[i] = x.Complexes[0]
	default:
		panic("internal error: element type is unset")
	}
}

// arr returns the type of e, which must be a simple array.
func (g *infer) arr(e tail.Expr, at diag.Span) *tail.Array {
	t, ok := e.Type().(*tail.Array)
	if !ok {
		g.fail(diag.NestedArrays, at, "a nested array as an argument")
	}
	return t
}

// items returns the components of a tuple, usable many times.
func (g *infer) items(e tail.Expr) []tail.Expr {
	if isEither(e) {
		g.refuseEither(site{fn: e.Span()})
	}
	if isRagged(e) || isColumns(e) {
		g.fail(diag.NestedArrays, e.Span(), "a nested array whose number of items is not known")
	}
	return g.components(e)
}

// components returns the components of a tuple, as expressions that may be used
// many times. Callers may change the slice.
func (g *infer) components(e tail.Expr) []tail.Expr {
	e = g.name(e)
	if t, ok := e.(*tail.Tuple); ok {
		return slices.Clone(t.Elems)
	}
	all := make([]tail.Expr, len(e.Type().(*tail.TupleType).Elems))
	for i := range all {
		all[i] = g.component(&tail.Proj{At: tail.At{Where: e.Span()}, X: e, I: i})
	}
	return all
}

// component is what a component of a tuple was made from, where that is a
// variable or a short constant; else the component.
func (g *infer) component(e *tail.Proj) tail.Expr {
	switch item := g.itemOfVar(e).(type) {
	case *tail.Ref:
		return item
	case *tail.Lit:
		if item.Value.Len() <= maxKnown {
			return item
		}
	}
	return e
}

func isTuple(e tail.Expr) bool {
	_, ok := e.Type().(*tail.TupleType)
	return ok
}
