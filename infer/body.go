package infer

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// activation returns the scope of one activation of a closure, with its
// operands and itself.
func (g *infer) activation(c *closure) *scope {
	sc := &scope{parent: c.scope, frame: g.frame, names: map[string]*binding{}, shows: c.shows}
	self := *c
	self.shows = false
	sc.names["∇"] = &binding{fn: &self}
	if c.operator != nil {
		sc.names["∇∇"] = &binding{op: c.operator}
	}
	for i, o := range c.operands {
		name := []string{"⍺⍺", "⍵⍵"}[i]
		if o.fn != nil {
			sc.names[name] = &binding{fn: o.fn}
			continue
		}
		e := g.array(o)
		g.within(sc, func() { g.bindVar(name, e) })
	}
	return sc
}

// expand infers the body of a closure in place.
func (g *infer) expand(c *closure, x, y tail.Expr, s site) tail.Expr {
	saved := g.scope
	defer g.localSystem()()
	y = g.name(y)
	sc := g.activation(c)
	sc.call = s.fn
	g.scope = sc
	g.bindArg("⍵", y)
	if x != nil {
		g.bindArg("⍺", x)
	}
	g.findUnreadIn(c)
	e := g.body(c.body, c.node)
	g.scope = saved
	return e
}

// bindArg binds an argument of a function that is expanded in place.
func (g *infer) bindArg(name string, e tail.Expr) {
	switch e := e.(type) {
	case *tail.Ref:
		g.scope.names[name] = &binding{v: e.Var}
	default:
		g.bindVar(name, e)
	}
}

// body infers the statements of a dfn up to the first that is not assigned.
func (g *infer) body(stmts []apl.Stmt, node apl.Node) tail.Expr {
	for i, s := range stmts {
		g.scope.block = g.blockID
		switch s := s.(type) {
		case *apl.ExprStmt:
			if !s.Silent || i == len(stmts)-1 {
				return g.endingStatement(s)
			}
			g.effect(g.noted(s))
		case *apl.Guard:
			return g.guard(s, stmts[i+1:], node)
		case *apl.ErrorGuard:
			e := diag.Errorf(diag.OldForms, g.visible(s.Span()), "error guards (::) are not supported")
			e.Fix = "let a guard in front test what would fault"
			panic(certain(e))
		case *apl.DefaultLeft:
			g.defaultLeft(s)
		case *apl.Unread:
			g.fail(diag.MissingValue, s.Span(), "")
		default:
			g.define(s)
		}
	}
	if g.scope.shows {
		return lit(node.Span(), array.ScalarInt(0))
	}
	g.fail(diag.NoResult, node.Span(), "the dfn has no result")
	return nil
}

func (g *infer) defaultLeft(s *apl.DefaultLeft) {
	if _, given := g.scope.names["⍺"]; given {
		return
	}
	if s.Func != nil {
		g.scope.names["⍺"] = &binding{fn: g.function(s.Func)}
		return
	}
	g.bindVar("⍺", g.eval(s.Value))
}

// guard infers `cond: result` and the statements behind it.
func (g *infer) guard(s *apl.Guard, rest []apl.Stmt, node apl.Node) tail.Expr {
	at := s.Cond.Span()
	cond := g.eval(s.Cond)
	if i := strings.IndexByte(at.Src.Text[at.End:], ':'); i >= 0 {
		at = diag.Span{Src: at.Src, Start: at.End + i, End: at.End + i + 1}
	}
	defer g.applying(site{fn: at, right: s.Cond.Span()})()
	cond = g.toBool(g.single(cond, site{fn: at, right: at}, "the condition of a guard"))
	if n, ok := integer(cond); ok {
		g.effect(cond)
		switch {
		case n == 0:
			return g.body(rest, node)
		case len(rest) == 0 || !stopping(s.Result):
			return g.ending(s.Result)
		}
		stopped := g.name(g.ending(s.Result))
		// What follows is not reached. Callers rely on its type, if it is no scalar, of
		// which the value must not be known.
		a := g.arm(func() tail.Expr { return g.body(rest, node) })
		if !a.ok || a.stop != nil || rankOf(a.body) == 0 {
			return stopped
		}
		return a.body
	}
	if len(rest) == 0 && !g.scope.shows {
		g.fail(diag.NoResult, node.Span(), "the dfn has no result when the condition of its last guard is 0")
	}
	if stopping(s.Result) {
		g.stopWhen(cond, s.Result)
		return g.body(rest, node)
	}
	if x, ok := leading(rest); ok && stopping(x.X) {
		cond = g.name(cond)
		g.stopWhen(g.op(tail.OpNotB, site{fn: at, right: at}, cond), x.X)
		return g.ending(s.Result)
	}
	return g.arms(cond, s, rest, node, site{fn: at, right: at})
}

// arms infers both branches of a guard whose condition is found when the program
// runs.
func (g *infer) arms(cond tail.Expr, s *apl.Guard, rest []apl.Stmt, node apl.Node, at site) tail.Expr {
	branch, done := g.carrying(node, at)
	names := map[string]*binding{}
	for k, v := range g.scope.names {
		names[k] = v
	}
	system := g.localSystem()
	then := g.arm(branch(g.knowing(cond, true, func() tail.Expr { return g.ending(s.Result) })))
	g.scope.names = names
	system()
	if then.stop != nil {
		g.stopIn(then, cond, true)
		return g.otherwise(then, g.knowing(cond, false, func() tail.Expr { return g.body(rest, node) }))
	}
	els := g.arm(branch(g.knowing(cond, false, func() tail.Expr { return g.body(rest, node) })))
	switch {
	case els.stop != nil && !then.ok:
		panic(g.unknown.or(els.stop.err))
	case els.stop != nil:
		g.stopIn(els, cond, false)
		return done(then.body)
	case !then.ok && !els.ok:
		panic(g.unknown)
	case !then.ok:
		g.effect(cond)
		return done(els.body)
	case !els.ok:
		g.effect(cond)
		return done(then.body)
	}
	return done(g.branch(cond, then.body, els.body, s.Result.Span(), node.Span()))
}

// leading returns the first statement, where that is an expression.
func leading(stmts []apl.Stmt) (*apl.ExprStmt, bool) {
	if len(stmts) == 0 {
		return nil, false
	}
	x, ok := stmts[0].(*apl.ExprStmt)
	return x, ok
}

// branch returns the conditional of two branches, whose types are joined.
func (g *infer) branch(cond, then, els tail.Expr, at, other diag.Span) tail.Expr {
	ty, ok := joinTypes(then.Type(), els.Type())
	if !ok {
		panic(unwound{err: &diag.Error{Code: diag.BranchRanks, Span: at,
			Message: fmt.Sprintf("the branches of the guard differ: %s here, %s otherwise", describeBeside(then.Type(), els.Type()), describeBeside(els.Type(), then.Type())),
			Notes:   []diag.Note{{Span: els.Span(), Message: "the other branch"}},
			Fix:     "give both branches one rank and one kind of elements, or enclose both",
		}})
	}
	then = g.block(func() tail.Expr { return g.adaptBody(then, ty) })
	els = g.block(func() tail.Expr { return g.adaptBody(els, ty) })
	return &tail.If{At: tail.At{Where: cond.Span()}, Cond: cond, Then: then, Else: els, Ty: ty}
}
