package infer

import (
	"fmt"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// Lengths of items may be functions of the position. Of what ¨ makes of 1 2 …, the function
// is typed for the number at a position, a variable, and the type of the result says what
// is known of the item there:
//
//	⍳¨⍳n       [i<n → <int>(i+1)]
//	≢¨⍳¨⍳n     ⍳n, which needs no items

// applied is f of the element of a vector at some position, of which more may be known
// where it is typed for the position, which a variable stands for; there may be no items,
// so that no fault there is one of the program.
func (g *infer) applied(y tail.Expr, f change, s site) (l *tail.Lam, at string) {
	of := func(t tail.Type) *tail.Lam {
		return g.lambda(s.fn, []tail.Type{t}, func(a []tail.Expr) tail.Expr { return f(a[0]) })
	}
	t, at := g.elementAt(y)
	if at != "" && g.tried(func() { l = of(t) }) {
		return l, at
	}
	return of(tail.Scalar(tail.TypeOf(y).Elem)), ""
}

// tried runs f, and reports whether it has found no fault; else everything is as before.
func (g *infer) tried(f func()) (ok bool) {
	scope, frame, lets, depth, block := g.scope, g.frame, g.lets, g.depth, g.blockID
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case unwound, bottom:
			g.scope, g.frame, g.lets, g.depth, g.blockID = scope, frame, lets, depth, block
			ok = false
		default:
			panic(r)
		}
	}()
	f()
	return true
}

// elementAt is the type of the element of a vector at some position, which a variable
// stands for where the elements are 1 2 …
func (g *infer) elementAt(y tail.Expr) (t tail.Type, at string) {
	elem := tail.TypeOf(y).Elem
	r, ok := y.(*tail.Ref)
	if !ok || g.known[r.Var] == nil {
		return tail.Scalar(elem), ""
	}
	iota, ok := g.known[r.Var].e.(*tail.Apply)
	if !ok || iota.Op != tail.OpIota {
		return tail.Scalar(elem), ""
	}
	g.serial++
	at = fmt.Sprintf("#%d'", firstPosition+g.serial)
	return tail.Singleton(array.Int, tail.VarSize(at).Plus(tail.ConstSize(1))), at
}

// firstPosition is above the numbers of extents that annotations do not state.
const firstPosition = 1_000_000

// itemFrom is what the type of the item at a position, which a variable stands for, says
// of all; nil where that is nothing.
func itemFrom(t *tail.Array, at string) *tail.Array {
	if !t.Extent(0).Known() {
		return nil
	}
	item := tail.NestOf(tail.AnySize, at, tail.Shaped(t.Elem, t.Extent(0))).Item
	return item.(*tail.Array)
}

// anyItem is what is known of an item of a ragged vector at any position; nil where that is
// nothing.
func anyItem(t tail.Type) *tail.Array {
	item := t.(*tail.TupleType).Item
	if item == nil || !tail.SamePlaces(item) {
		return nil
	}
	return item
}

// asItem gives an item, that with a number from 1, the type that is known of it.
func asItem(e tail.Expr, item *tail.Array, number tail.Size) tail.Expr {
	a, ok := e.(*tail.Apply)
	if item == nil || !ok || !tail.SamePlaces(item) && !number.Known() {
		return e
	}
	at := tail.AnySize
	if number.Known() {
		at = number.Minus(tail.ConstSize(1))
	}
	t := tail.ItemAt(item, at)
	if given := tail.TypeOf(a); tail.Consistent(given, t) && !given.Extent(0).Known() {
		a.Ty = t
	}
	return e
}

// withTotal gives the elements of all items their number, where items are equally long.
func withTotal(e tail.Expr, ragged tail.Type) tail.Expr {
	a, ok := e.(*tail.Apply)
	item := anyItem(ragged)
	if !ok || item == nil {
		return e
	}
	length, constant := item.Extent(0).IsConst()
	if n := storedCount(ragged); constant && n.Known() && !tail.TypeOf(a).Extent(0).Known() {
		a.Ty = tail.Shaped(tail.TypeOf(a).Elem, n.Times(length))
	}
	return e
}

// byPosition is the vector of what a function gives for the elements 1 2 … of a vector,
// where its type says that and nothing else happens; nil where it does not.
func (g *infer) byPosition(y, body tail.Expr, at string, s site) tail.Expr {
	t := tail.TypeOf(body)
	v := t.Value(0)
	if at == "" || t.Elem != array.Int || !v.Known() || analysis.Visible(body, g.isSafe) {
		return nil
	}
	times := int64(0)
	for _, term := range v.Terms {
		if term.Var != at {
			return nil
		}
		times = term.Coef
	}
	plus := v.Const - times // the position is one less than the element
	if times == 1 && plus == 0 {
		return y
	}
	return g.each(y, s, func(i tail.Expr) tail.Expr {
		if times == 0 {
			return g.intLit(s, int(plus))
		}
		return g.op(tail.OpAddI, s, g.op(tail.OpMulI, s, g.intLit(s, int(times)), i), g.intLit(s, int(plus)))
	})
}
