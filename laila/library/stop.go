package library

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// StopsWhere lowers op stop whose message and number are there on one condition: neither
// is computed, and the run-time is not called, where it does not hold. It is nil for
// others.
//
//	stop(if c then 'bad' else '', if c then 11 else 0)      if c: stop('bad', 11)
func StopsWhere(g *build.Builder, e *tail.Apply) *build.Value {
	if e.Op != tail.OpStop {
		return nil
	}
	message, ok := e.Args[0].(*tail.If)
	number, ok2 := e.Args[1].(*tail.If)
	if !ok || !ok2 || !sameCondition(message, number) || !isZero(number.Else) {
		return nil
	}
	if _, ok := message.Else.(*tail.Lit); !ok {
		return nil
	}
	g.Force()
	c := g.Atom("c", g.Scalar(number.Cond))
	r := g.Mutable("r", ir.I64, ir.Integer(0))
	then := g.Block(func() {
		v := Library(g, e, g.Args([]tail.Expr{message.Then, number.Then}))
		g.Emit(r.Assign(v.X))
	})
	g.Emit(&ir.If{Cond: c, Then: then})
	return build.Scalar1(r.Use())
}

// sameCondition reports whether two conditionals go by one variable.
func sameCondition(x, y *tail.If) bool {
	v, ok := x.Cond.(*tail.Ref)
	return ok && build.RefersTo(y.Cond, v.Var)
}

func isZero(e tail.Expr) bool {
	l, ok := e.(*tail.Lit)
	return ok && l.Value.Rank() == 0 && ir.IsInt(build.Constant(l.Value, 0), 0)
}
