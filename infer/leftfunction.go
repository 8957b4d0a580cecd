package infer

import "github.com/tailor-lang/tailor/apl"

// ⍺←⊢ makes ⍺ a function where a dfn is called with one argument. The parser,
// which does not know how a dfn is called, reads ⍺ as an array:
//
//	⍺ f ⍵     is ⊢ f ⍵
//	⍺ 5       is ⊢ 5
//	1,⍺ 5 6   is 1,⊢5 6

// isFunction reports whether x is ⍺, and that is a function now.
func (g *infer) isFunction(x apl.Expr) bool {
	v, ok := x.(*apl.Var)
	if !ok || v.Ident != "⍺" {
		return false
	}
	_, b := g.scope.lookup("⍺")
	return b != nil && b.fn != nil
}

// split returns the items of a strand before the last ⍺ that is a function, that
// ⍺, and the items behind it; nil where there is none.
func (g *infer) split(items []apl.Expr) (before []apl.Expr, f *apl.FuncName, behind []apl.Expr) {
	for i := len(items) - 1; i >= 0; i-- {
		if g.isFunction(items[i]) {
			v := items[i].(*apl.Var)
			return items[:i], &apl.FuncName{At: v.At, Ident: v.Ident}, items[i+1:]
		}
	}
	return nil, nil, nil
}

// itemsOf returns the items that stand at the left end of an expression.
func itemsOf(x apl.Expr) []apl.Expr {
	if s, ok := x.(*apl.Strand); ok {
		return s.Items
	}
	return []apl.Expr{x}
}

// together is the strand of items, nil where there are none.
func together(items []apl.Expr) apl.Expr {
	switch len(items) {
	case 0:
		return nil
	case 1:
		return items[0]
	}
	at := items[0].Span().Join(items[len(items)-1].Span())
	return &apl.Strand{At: apl.At{Where: at}, Items: items}
}

// appliedTo is the application of f to y, and to the items left of it.
func appliedTo(left []apl.Expr, f apl.Func, y apl.Expr) apl.Expr {
	at := apl.At{Where: f.Span().Join(y.Span())}
	if len(left) == 0 {
		return &apl.Monadic{At: at, F: f, Y: y}
	}
	x := together(left)
	return &apl.Dyadic{At: apl.At{Where: x.Span().Join(y.Span())}, X: x, F: f, Y: y}
}

// appliedInStrand is a strand in which ⍺ is a function; nil for others.
func (g *infer) appliedInStrand(x *apl.Strand) apl.Expr {
	before, f, behind := g.split(x.Items)
	if f == nil || len(behind) == 0 {
		return nil
	}
	return appliedTo(before, f, together(behind))
}

// appliedLeft is x f y where x is ⍺, or a strand with ⍺, which is a function; nil
// for others.
func (g *infer) appliedLeft(x *apl.Dyadic) apl.Expr {
	before, f, behind := g.split(itemsOf(x.X))
	if f == nil {
		return nil
	}
	var y apl.Expr = &apl.Monadic{At: apl.At{Where: x.F.Span().Join(x.Y.Span())}, F: x.F, Y: x.Y}
	if left := together(behind); left != nil {
		y = &apl.Dyadic{At: x.At, X: left, F: x.F, Y: x.Y}
	}
	return appliedTo(before, f, y)
}

// appliedIndexed is x[i] where x is a strand with ⍺, which is a function; nil for
// others.
func (g *infer) appliedIndexed(x *apl.Index) apl.Expr {
	before, f, behind := g.split(itemsOf(x.X))
	if f == nil || len(behind) == 0 {
		return nil
	}
	return appliedTo(before, f, &apl.Index{At: x.At, X: together(behind), Items: x.Items, Brackets: x.Brackets})
}
