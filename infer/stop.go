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
	return g.stop(lit(s.fn, array.VectorChar(nil)), y, s)
}

// systemSignalText is text ⎕SIGNAL n.
func systemSignalText(g *infer, x, y tail.Expr, s site) tail.Expr {
	if t := g.arr(x, s.left); t.Elem != array.Char || t.Dims() > 1 {
		g.fail(diag.Domain, s.fn, "the message of ⎕SIGNAL is %s", describeType(t))
	}
	return g.stop(x, y, s)
}

func (g *infer) stop(text, n tail.Expr, s site) tail.Expr {
	if t := g.arr(n, s.right); t.Dims() == 1 && t.Extent(0).Equal(tail.ConstSize(0)) {
		g.effect(text)
		return g.intLit(s, 0)
	}
	n = g.toInt(g.single(n, s, "the number of ⎕SIGNAL"))
	s.left = diag.Span{} // the fault names ⎕SIGNAL only
	text, n = g.names2(text, n)
	return g.op(tail.OpStop, s, g.ravel(text, s), n)
}

// stopWhen ends the program as x says where cond holds. The message and the
// number are computed there only.
func (g *infer) stopWhen(cond tail.Expr, x apl.Expr) {
	var s site
	text, number := lit(x.Span(), array.VectorChar(nil)), tail.Expr(nil)
	message := tail.Expr(text)
	cond = g.name(cond)
	when := func(then func() tail.Expr, otherwise *array.Array) tail.Expr {
		e := g.block(then)
		return g.name(g.branch(cond, e, lit(x.Span(), otherwise), x.Span(), x.Span()))
	}
	for {
		p, ok := x.(*apl.Paren)
		if !ok {
			break
		}
		x = p.X
	}
	signal := func(n apl.Expr, f apl.Func) {
		s = site{fn: f.Span(), right: n.Span()}
		number = when(func() tail.Expr { return g.toInt(g.single(g.eval(n), s, "the number of ⎕SIGNAL")) }, array.ScalarInt(0))
	}
	switch x := x.(type) {
	case *apl.Var:
		s = site{fn: x.Span(), right: x.Span()}
		number = when(func() tail.Expr { return lit(x.Span(), array.ScalarInt(off)) }, array.ScalarInt(0))
	case *apl.Monadic:
		signal(x.Y, x.F)
	case *apl.Dyadic:
		signal(x.Y, x.F)
		message = when(func() tail.Expr { return g.ravel(g.eval(x.X), s) }, array.VectorChar(nil))
	}
	g.effect(systemSignalText(g, message, number, s))
}
