package infer

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// A statement whose value may be shy or not, depending on where a dfn ends, is
// displayed where the dfn ends. The dfn is inferred for that once more: it
// displays its result, unless that is shy, and returns 0.

// display infers a statement that is an expression, and displays its value
// unless that is shy.
func (g *infer) display(s *apl.ExprStmt) {
	if g.executesNothing(s.X) {
		return
	}
	switch g.shyness(s.X) {
	case shy:
		g.effect(g.eval(s.X))
	case explicit, 0:
		g.effect(g.printExtreme(g.eval(s.X), s.Span()))
	default:
		g.effect(g.shown(s.X))
	}
}

// executesNothing reports whether x is ⍎ of a text without an expression, which
// needs no value as a statement.
func (g *infer) executesNothing(x apl.Expr) bool {
	m, ok := x.(*apl.Monadic)
	if !ok || !isPrim(m.F, "⍎") {
		return false
	}
	l, ok := bare(m.Y).(*apl.Literal)
	if v, isVar := bare(m.Y).(*apl.Var); isVar {
		if _, b := g.scope.lookup(v.Ident); b != nil && b.lit != nil {
			l, ok = &apl.Literal{Value: b.lit.Value}, true
		}
	}
	return ok && blankText(l)
}

// blankText reports whether a constant is a text without an expression.
func blankText(l *apl.Literal) bool {
	if l.Value.Rank() > 1 || l.Value.Len() > 0 && l.Value.Elem != array.Char {
		return false
	}
	text, _, _ := strings.Cut(string(l.Value.Chars), "⍝")
	return strings.TrimSpace(text) == ""
}

// shown evaluates x and displays its value unless that is shy. It returns 0.
func (g *infer) shown(x apl.Expr) tail.Expr {
	none := lit(x.Span(), array.ScalarInt(0))
	switch ends := g.shyness(x); {
	case g.executesNothing(x):
		return none
	case stopping(x), ends == shy:
		g.effect(g.eval(x))
		return none
	case ends != explicit:
		if e := g.shownCall(x); e != nil {
			return e
		}
	}
	g.effect(g.printExtreme(g.eval(x), x.Span()))
	return none
}

// shownCall is shown for the application of a function that can be made to
// display its result; nil for others, of which nothing is evaluated.
func (g *infer) shownCall(x apl.Expr) tail.Expr {
	var applied apl.Func
	var left, right apl.Expr
	switch x := x.(type) {
	case *apl.Monadic:
		applied, right = x.F, x.Y
	case *apl.Dyadic:
		applied, left, right = x.F, x.X, x.Y
		if _, f, _ := g.split(itemsOf(x.X)); f != nil {
			return nil
		}
	}
	var f function
	s := site{fn: applied.Span(), right: right.Span()}
	parts := []func() tail.Expr{
		func() tail.Expr { f = g.function(applied); return nil },
		func() tail.Expr { return g.eval(right) }}
	if left == nil {
		made := g.inOrder(parts...)
		return g.showResult(f, s, func(f function) tail.Expr { return g.monadic(f, made[1], s) })
	}
	s.left = left.Span()
	made := g.inOrder(append([]func() tail.Expr{func() tail.Expr { return g.eval(left) }}, parts...)...)
	return g.showResult(f, s, func(f function) tail.Expr { return g.dyadic(f, made[0], made[2], s) })
}

// showResult applies a function that displays its result, or one whose result
// is displayed. It returns 0.
func (g *infer) showResult(f function, s site, apply func(function) tail.Expr) tail.Expr {
	if shows := showing(f); shows != nil {
		return apply(shows)
	}
	if d, ok := f.(*derived); ok && (d.op == "¨" || d.op == "⍣" || d.op == "∘.") {
		g.fail(diag.NotCompiled, s.fn, "%s of a function whose last result may be shy or not", d.op)
	}
	g.effect(g.print(apply(f), s.span()))
	return g.intLit(s, 0)
}

// showing returns the function that displays the result of f, unless that is
// shy, and returns 0; nil where there is none.
func showing(f function) function {
	operand := func(d *derived, o *operand) function {
		if o.fn = showing(o.fn); o.fn == nil {
			return nil
		}
		return d
	}
	switch f := f.(type) {
	case *closure:
		if signatureOf(f) != nil {
			return nil
		}
		c := *f
		c.shows = true
		return &c
	case *derived:
		d := *f
		switch {
		case d.op == "∘" && d.left.fn == nil:
			return operand(&d, &d.right)
		case d.op == "∘", d.op == "⍥", d.op == "⍨", d.op == "⍤" && d.right.fn != nil:
			return operand(&d, &d.left)
		}
	}
	return nil
}

// ending is the result of a dfn that ends with x.
func (g *infer) ending(x apl.Expr) tail.Expr {
	if g.scope.shows {
		return g.shown(x)
	}
	return g.eval(x)
}

// endingStatement is the result of a dfn that ends with a statement.
func (g *infer) endingStatement(s *apl.ExprStmt) tail.Expr {
	switch {
	case !g.scope.shows:
		return g.noted(s)
	case s.Silent:
		g.effect(g.noted(s))
		return lit(s.Span(), array.ScalarInt(0))
	}
	return g.shown(s.X)
}
