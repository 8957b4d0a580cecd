package analysis

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// blend bounds a sum of two numbers of which a truth value takes one and its opposite the
// other: it is one of them.
//
//	(m×x)+y×~m    or (1-m)×y
func (r *Ranger) blend(e *tail.Apply, depth int) (Range, bool) {
	x, y, ok := operands(e, tail.OpAddI)
	if !ok {
		return Range{}, false
	}
	m, a := taken(x)
	n, b := taken(y)
	if a == nil || b == nil || m.v != n.v || m.holds == n.holds {
		return Range{}, false
	}
	return hull(r.Of(a, depth), r.Of(b, depth)), true
}

// operands returns the arguments of a scalar op, or of one that is applied element by element.
func operands(e tail.Expr, op tail.Op) (x, y tail.Expr, ok bool) {
	a, ok := e.(*tail.Apply)
	switch {
	case ok && a.Op == op:
		return a.Args[0], a.Args[1], true
	case ok && a.Op == tail.OpZipWith && tail.IsOpLam(a.Args[0].(*tail.Lam), op):
		return a.Args[1], a.Args[2], true
	}
	return nil, nil, false
}

// condition is that a variable of truth values holds, or that it does not.
type condition struct {
	v     *tail.Var
	holds bool
}

// taken returns the condition by which e is multiplied, and what it takes; nil where e is no
// such product.
func taken(e tail.Expr) (condition, tail.Expr) {
	x, y, ok := operands(e, tail.OpMulI)
	if !ok {
		return condition{}, nil
	}
	for _, of := range [][2]tail.Expr{{x, y}, {y, x}} {
		if c, ok := conditionOf(of[0]); ok && isTruth(c.v) {
			return c, of[1]
		}
	}
	return condition{}, nil
}

func isTruth(v *tail.Var) bool {
	t, ok := v.Type.(*tail.Array)
	return ok && t.Elem == array.Bool
}

// conditionOf returns the condition that numbers are, if its variable has truth values.
func conditionOf(e tail.Expr) (condition, bool) {
	opposite := func(e tail.Expr) (condition, bool) {
		c, ok := conditionOf(e)
		return condition{c.v, !c.holds}, ok
	}
	switch e := e.(type) {
	case *tail.Ref:
		return condition{e.Var, true}, true
	case *tail.Apply:
		switch e.Op {
		case tail.OpB2I:
			return conditionOf(e.Args[0])
		case tail.OpNotB:
			return opposite(e.Args[0])
		case tail.OpSubI:
			if one, ok := tail.ConstInt(e.Args[0]); ok && one == 1 {
				return opposite(e.Args[1])
			}
		case tail.OpEach:
			f := e.Args[0].(*tail.Lam)
			element, ok := conditionOf(f.Body)
			of, ok2 := conditionOf(e.Args[1])
			return condition{of.v, of.holds == element.holds}, ok && ok2 && element.v == f.Params[0]
		}
	}
	return condition{}, false
}
