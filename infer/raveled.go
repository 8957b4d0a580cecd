package infer

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Items that are chosen when the program runs must be of one rank. Where , or ∊
// ravels what is chosen, letters among texts are taken for texts of one letter:
//
//	(i⊃'M' 'CM' 'D'),z    i⊃(,'M')'CM'(,'D')

// chosenFrom is an expression that chooses from an array: i⊃y, y⊃⍨i, and where several
// items may be chosen y[i] and i/y.
type chosenFrom struct {
	x, y apl.Expr // in their places
	f    apl.Func // nil for y[i]
	at   *apl.Index
	left bool // y is the left argument, of a function that ⍨ changes
}

// choiceOf returns the choice that an expression is; nil for others.
func choiceOf(x apl.Expr, several bool) *chosenFrom {
	switch x := unparenthesised(x).(type) {
	case *apl.Dyadic:
		f := x.F
		swapped := derivedBy(f, "⍨")
		if swapped != nil {
			f = swapped
		}
		if isPick(f) || several && (isPrim(f, "/") || isPrim(f, "⌿")) {
			return &chosenFrom{x: x.X, y: x.Y, f: x.F, left: swapped != nil}
		}
	case *apl.Index:
		if several && len(x.Items) == 1 && x.Items[0] != nil {
			return &chosenFrom{x: x.X, y: x.Items[0], at: x, left: true}
		}
	}
	return nil
}

// raveledChoice evaluates an expression of which only the ravel is used, where it
// is a choice among scalars and vectors; the result says whether it was.
func (g *infer) raveledChoice(e apl.Expr, several bool) (tail.Expr, bool) {
	c := choiceOf(e, several)
	if c == nil {
		return g.eval(e), false
	}
	s := site{fn: e.Span(), left: c.x.Span(), right: c.y.Span()}
	var f function
	parts := g.inOrder(
		func() tail.Expr { return g.eval(c.x) },
		func() tail.Expr {
			if c.f != nil {
				s.fn = c.f.Span()
				f = g.function(c.f)
			}
			return nil
		},
		func() tail.Expr { return g.eval(c.y) })
	from, index := &parts[2], parts[0]
	if c.left {
		from, index = &parts[0], parts[2]
	}
	raveled := false
	if t, ok := index.Type().(*tail.Array); ok && g.value(g.toInt(index)) == nil && t.Dims() < 2 {
		if y := g.raveledItemsOf(*from, s); y != nil {
			*from, raveled = y, true
		}
	}
	if c.f == nil {
		return g.index(parts[0], []tail.Expr{parts[2]}, s), raveled
	}
	return g.dyadic(f, parts[0], parts[2], s), raveled
}

// raveledItemsOf is a nested vector of scalars and vectors of one kind with vectors
// in place of the scalars; nil for others.
func (g *infer) raveledItemsOf(e tail.Expr, s site) tail.Expr {
	t, ok := e.Type().(*tail.TupleType)
	if !ok || t.Shape != nil || g.canLoosen(e) || areNested(g.items(e)) {
		return nil
	}
	z := &tail.Tuple{At: tail.At{Where: e.Span()}}
	for _, item := range g.items(e) {
		if tail.TypeOf(item).Dims() > 1 {
			return nil
		}
		z.Elems = append(z.Elems, g.name(g.ravel(item, s)))
	}
	return z
}

// enlistExpr is ∊y of a choice among scalars and vectors; nil for other expressions,
// of which nothing is evaluated then.
func (g *infer) enlistExpr(x *apl.Monadic) tail.Expr {
	if !isPrim(x.F, "∊") || choiceOf(x.Y, true) == nil {
		return nil
	}
	y, _ := g.raveledChoice(x.Y, true)
	return g.monadic(g.function(x.F), y, site{fn: x.F.Span(), right: x.Y.Span()})
}

// catenateExpr is x,y of a choice among scalars and vectors on one side or both;
// nil for other expressions, of which nothing is evaluated then.
func (g *infer) catenateExpr(x *apl.Dyadic) tail.Expr {
	if !isPrim(x.F, ",") || choiceOf(x.X, false) == nil && choiceOf(x.Y, false) == nil {
		return nil
	}
	s := site{fn: x.F.Span(), left: x.X.Span(), right: x.Y.Span()}
	var left, right bool
	parts := g.inOrder(
		func() (e tail.Expr) { e, left = g.raveledChoice(x.X, false); return e },
		func() (e tail.Expr) { e, right = g.raveledChoice(x.Y, false); return e })
	if left && rankOf(parts[1]) > 1 || right && rankOf(parts[0]) > 1 {
		g.fail(diag.NotCompiled, s.fn, ", of a matrix and an item that may be a scalar or a vector")
	}
	return g.dyadic(g.function(x.F), parts[0], parts[1], s)
}

// ravelExpr is ,x∘.f y of arrays of which the number of elements is not known, or
// large, where f does not give scalars: a nested vector. It is nil for other
// expressions, of which nothing is evaluated then.
func (g *infer) ravelExpr(x *apl.Monadic) tail.Expr {
	y, ok := unparenthesised(x.Y).(*apl.Dyadic)
	if !ok || !isPrim(x.F, ",") || derivedBy(y.F, "∘.") == nil {
		return nil
	}
	s := site{fn: y.F.Span(), left: y.X.Span(), right: y.Y.Span()}
	var f function
	parts := g.inOrder(
		func() tail.Expr { return g.eval(y.X) },
		func() tail.Expr { f = g.function(y.F); return nil },
		func() tail.Expr { return g.eval(y.Y) })
	if d, ok := f.(*derived); ok && d.op == "∘." && d.left.fn != nil {
		if e := g.storedOuter(d.left.fn, parts[0], parts[2], s); e != nil {
			return e
		}
	}
	z := g.dyadic(f, parts[0], parts[2], s)
	return g.monadic(g.function(x.F), z, site{fn: x.F.Span(), right: x.Y.Span()})
}

// storedOuter is the ravel of x∘.f y of arrays, or of nested vectors of which the
// number of items is not known, where f does not give scalars; nil for others.
func (g *infer) storedOuter(f function, x, y tail.Expr, s site) tail.Expr {
	size := func(e tail.Expr) tail.Expr {
		if isStored(e) {
			return g.countOfStored(e, s)
		}
		return g.op(tail.OpCount, s, e)
	}
	item := func(e, i tail.Expr) tail.Expr {
		if isStored(e) {
			return g.storedItem(e, i, s)
		}
		return g.name(g.op(tail.OpIndex, s, g.name(g.ravel(e, s)), i))
	}
	for _, e := range []tail.Expr{x, y} {
		if isTuple(e) && !isStored(e) {
			return nil
		}
	}
	if !isTuple(x) && !isTuple(y) {
		if few(x) && few(y) || rankOf(x)+rankOf(y) == 0 {
			return nil
		}
		types := []tail.Type{tail.Scalar(tail.TypeOf(x).Elem), tail.Scalar(tail.TypeOf(y).Elem)}
		if p, ok := f.(*primitive); ok && isScalarDyadic(p.glyph) ||
			!givesNested(g.lambda(s.fn, types, func(a []tail.Expr) tail.Expr { return g.dyadic(f, a[0], a[1], s) })) {
			return nil
		}
	}
	x, y = g.names2(x, y)
	n := g.name(size(y))
	m := g.name(size(x))
	pairs := g.name(g.fromPrelude(g.preludeClosure("pairsof"), m, n, s))
	return g.eachNumber(g.name(g.op(tail.OpIota, s, g.op(tail.OpTally, s, g.components(pairs)[0]))), func(k tail.Expr) tail.Expr {
		places := g.components(pairs)
		right := item(y, g.name(g.op(tail.OpIndex, s, places[1], k)))
		return g.dyadic(f, item(x, g.name(g.op(tail.OpIndex, s, places[0], k))), right, s)
	}, s)
}
