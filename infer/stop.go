package infer

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// off is the number with which op stop ends the program without an error.
const off = -1

// stopping reports whether an expression is ⎕SIGNAL or ⎕OFF, which have no
// value.
func stopping(x apl.Expr) bool {
	signals := func(f apl.Func) bool {
		p, ok := f.(*apl.Prim)
		return ok && p.Glyph == "⎕SIGNAL"
	}
	switch x := x.(type) {
	case *apl.Paren:
		return stopping(x.X)
	case *apl.Var:
		return x.Ident == "⎕OFF"
	case *apl.Monadic:
		return signals(x.F)
	case *apl.Dyadic:
		return signals(x.F)
	}
	return false
}

// systemSignal is ⎕SIGNAL n, which ends the program with error n; 0 goes on.
func systemSignal(g *infer, y tail.Expr, s site) tail.Expr {
	return g.stop(lit(s.fn, array.VectorChar(nil)), y, "", s)
}

// systemSignalText is text ⎕SIGNAL n.
func systemSignalText(g *infer, x, y tail.Expr, s site) tail.Expr {
	return g.stop(x, y, g.stopCode(s.left, y), s)
}

// stopCode is the code of error n of a definition of the prelude: that of its kind
// and of the expression of its message. It is "" for the program's own.
func (g *infer) stopCode(message diag.Span, n tail.Expr) string {
	number := g.value(n)
	if g.blamed == nil || number == nil || number.Len() != 1 {
		return ""
	}
	for kind, k := range errorNumbers {
		if k == number.Int(0) {
			return (&diag.Error{Kind: kind, Message: message.Text()}).Code()
		}
	}
	return ""
}

// stop ends the program with error n, whose code is that of ⎕SIGNAL where it is "".
func (g *infer) stop(text, n tail.Expr, code string, s site) tail.Expr {
	if t := g.arr(text, s.left); t.Elem != array.Char || t.Dims() > 1 {
		g.fail(diag.Domain, s.fn, "the message of ⎕SIGNAL is %s", describeType(t))
	}
	if t := g.arr(n, s.right); t.Dims() == 1 && t.Extent(0).Equal(tail.ConstSize(0)) {
		g.effect(text)
		return g.intLit(s, 0)
	}
	n = g.toInt(g.single(n, s, "the number of ⎕SIGNAL"))
	s.left = diag.Span{} // the fault names ⎕SIGNAL only
	text, n = g.names2(text, n)
	e := g.op(tail.OpStop, s, g.ravel(text, s), n)
	if a, ok := e.(*tail.Apply); ok {
		a.Blame.Code = code
	}
	return e
}

// stopWhen ends the program as x says where cond holds. The message and the
// number are computed there only.
func (g *infer) stopWhen(cond tail.Expr, x apl.Expr) {
	for {
		p, ok := x.(*apl.Paren)
		if !ok {
			break
		}
		x = p.X
	}
	s := site{fn: x.Span(), right: x.Span()}
	none := array.VectorChar(nil)
	var message apl.Expr
	number := func() tail.Expr { return lit(x.Span(), array.ScalarInt(off)) }
	signal := func(f apl.Func, n apl.Expr) {
		s = site{fn: f.Span(), right: n.Span()}
		number = func() tail.Expr { return g.toInt(g.single(g.eval(n), s, "the number of ⎕SIGNAL")) }
	}
	switch x := x.(type) {
	case *apl.Monadic:
		signal(x.F, x.Y)
	case *apl.Dyadic:
		signal(x.F, x.Y)
		message, s.left = x.X, x.X.Span()
	}
	cond = g.name(cond)
	words := tail.Expr(lit(x.Span(), none))
	var n tail.Expr // as it is where cond holds
	when := func(then func() tail.Expr, otherwise *array.Array) tail.Expr {
		return g.name(g.branch(cond, g.block(then), lit(x.Span(), otherwise), x.Span(), x.Span()))
	}
	stops := when(func() tail.Expr { n = number(); return n }, array.ScalarInt(0))
	if message != nil {
		words = when(func() tail.Expr { return g.ravel(g.eval(message), s) }, none)
	}
	g.effect(g.stop(words, stops, g.stopCode(s.left, n), s))
}
