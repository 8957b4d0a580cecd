package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// printExtreme displays the value of a statement. Where that is the smallest
// or the greatest of integers whose number is not known, there may be none: the
// identity element, which is no integer, is displayed then. Anywhere else the
// reduction of no integers by ⌊ or ⌈ is a fault.
func (g *infer) printExtreme(e tail.Expr, at diag.Span) tail.Expr {
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpReduce1 || tail.TypeOf(a).Dims() > 0 {
		return g.print(e, at)
	}
	identity, ok := extremeIdentity(a.Args[0].(*tail.Lam))
	none := tail.ScalarValue(tail.OpEqI, []tail.Size{tail.TypeOf(a.Args[1]).Extent(0), tail.ConstSize(0)})
	if !ok || none.Known() {
		return g.print(e, at)
	}
	s := site{fn: at, right: at}
	y := g.name(a.Args[1])
	empty := g.block(func() tail.Expr {
		g.effect(g.print(lit(at, array.ScalarDouble(identity)), at))
		return lit(at, array.New(tail.TypeOf(a).Elem))
	})
	some := g.block(func() tail.Expr {
		reduced := *a
		reduced.Args = []tail.Expr{a.Args[0], y}
		return g.print(&reduced, at)
	})
	return g.branch(g.op(tail.OpEqI, s, g.op(tail.OpTally, s, y), g.intLit(s, 0)), empty, some, at, at)
}

// extremeIdentity returns the identity element of ⌊ or ⌈ on integers.
func extremeIdentity(l *tail.Lam) (float64, bool) {
	body, ok := l.Body.(*tail.Apply)
	if !ok {
		return 0, false
	}
	switch body.Op {
	case tail.OpMinI, tail.OpAndB:
		return largest, true
	case tail.OpMaxI, tail.OpOrB:
		return -largest, true
	}
	return 0, false
}
