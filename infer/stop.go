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
	n, _ := g.signalled(y, s)
	return g.stop(lit(s.fn, array.VectorChar(nil)), n, 0, s)
}

// systemSignalText is text ⎕SIGNAL n.
func systemSignalText(g *infer, x, y tail.Expr, s site) tail.Expr {
	n, code := g.signalled(y, s)
	return g.stop(x, n, code, s)
}

// signalled returns the number that ⎕SIGNAL is given, the first one of several, and
// the code of the error: a definition of the prelude names this one instead of a
// number. It is 0 for the program's own errors, whose numbers are tested.
func (g *infer) signalled(n tail.Expr, s site) (tail.Expr, diag.Code) {
	if named := g.value(n); g.blamed != nil && named != nil && named.Len() == 1 {
		code := diag.Code(named.Int(0))
		if number, ok := errorNumbers[code.Kind()]; ok {
			return lit(n.Span(), array.ScalarInt(number)), code
		}
	}
	if g.blamed != nil {
		return g.toInt(g.single(n, s, "the number of ⎕SIGNAL")), 0
	}
	n = g.toInt(n)
	if tail.TypeOf(n).Dims() > 0 {
		n = g.op(tail.OpFirst, s, n) // 0, which goes on, if there is none
	}
	return g.fromPrelude(g.preludeClosure("eventnumber"), nil, n, s), 0
}

// stop ends the program with error n, whose code is that of ⎕SIGNAL where it is 0.
func (g *infer) stop(text, n tail.Expr, code diag.Code, s site) tail.Expr {
	switch t := g.arr(text, s.left); {
	case t.Dims() > 1:
		g.fail(diag.ArgumentRank, s.fn, "the message of ⎕SIGNAL is %s", describeType(t))
	case t.Elem != array.Char:
		g.fail(diag.WrongDomain, s.fn, "the message of ⎕SIGNAL is %s", describeType(t))
	}
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
	number := func() (tail.Expr, diag.Code) { return lit(x.Span(), array.ScalarInt(off)), 0 }
	signal := func(f apl.Func, n apl.Expr) {
		s = site{fn: f.Span(), right: n.Span()}
		number = func() (tail.Expr, diag.Code) { return g.signalled(g.eval(n), s) }
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
	var code diag.Code
	when := func(then func() tail.Expr, otherwise *array.Array) tail.Expr {
		return g.name(g.branch(cond, g.block(then), lit(x.Span(), otherwise), x.Span(), x.Span()))
	}
	stops := when(func() (n tail.Expr) { n, code = number(); return n }, array.ScalarInt(0))
	if message != nil {
		words = when(func() tail.Expr { return g.ravel(g.eval(message), s) }, none)
	}
	g.effect(g.stop(words, stops, code, s))
}
