package infer

import (
	"github.com/tailor-lang/tailor/apl"
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
		g.unsupported(s.fn, ", of a matrix and an item that may be a scalar or a vector")
	}
	return g.dyadic(g.function(x.F), parts[0], parts[1], s)
}
