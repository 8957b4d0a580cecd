package infer

import (
	"maps"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Quotients of integers are integers where the divisor is known to divide them:
//
//	0=2|n: n÷2      behind the guard n is even
//	(n-10|n)÷10     a number less its residue
//	(n×n-1)÷2       one of two neighbours is even
//	0=p|n: n÷p      so it is with a variable
//	n÷n∨m           a divisor of both
//
// becomes quoi(…,2) in place of divd(i2d(…),2.0). Arrays stay doubles: vector code
// divides these faster.

// maxMultiple is how far multiples are looked at.
const maxMultiple = 8

// quotient returns how x÷y is computed where it is an integer, nil where it may be none.
func (g *infer) quotient(x, y tail.Expr, s site) combine {
	d, ok := integer(y)
	_, constant := integer(x)
	t := tail.TypeOf(x)
	switch {
	case t.Elem != array.Int || t.Dims() > 0 || constant:
		return nil
	case g.dividesVar(y, x):
		return func(a, b tail.Expr) tail.Expr { return g.variableQuotient(a, b, s) }
	case !ok || d < 2 || !g.multiple(x, d, maxMultiple):
		return nil
	}
	return func(a, b tail.Expr) tail.Expr { return g.op(tail.OpQuoI, s, a, b) }
}

// dividesVar reports whether a variable y is known to divide a variable x: a guard says so,
// or it is the greatest divisor of it and another number.
func (g *infer) dividesVar(y, x tail.Expr) bool {
	r, ok := x.(*tail.Ref)
	d, ok2 := y.(*tail.Ref)
	if !ok || !ok2 || tail.TypeOf(y).Elem != array.Int || tail.TypeOf(y).Dims() > 0 {
		return false
	}
	if known := g.divisors[r.Var]; known != nil && tail.IsRef(known, d.Var) {
		return true
	}
	a, ok := g.bindingOf(y).(*tail.Apply)
	return ok && a.Op == tail.OpGcdI && (sameVar(x, a.Args[0]) || sameVar(x, a.Args[1]))
}

// variableQuotient is a÷b, where b divides a. Both are variables. 0÷0 is 1.
func (g *infer) variableQuotient(a, b tail.Expr, s site) tail.Expr {
	op := func(o tail.Op, args ...tail.Expr) tail.Expr { return g.op(o, s, args...) }
	choice := func(cond, then, els tail.Expr) tail.Expr {
		return &tail.If{At: tail.At{Where: s.fn}, Cond: cond, Then: then, Else: els, Ty: tail.Scalar(array.Int)}
	}
	small := op(tail.OpAddI, op(tail.OpMulI, a, b), op(tail.OpB2I, op(tail.OpEqI, b, g.intLit(s, 0))))
	negative := op(tail.OpQuoI, op(tail.OpNegI, a), op(tail.OpNegI, b))
	return choice(op(tail.OpGtI, b, g.intLit(s, 1)), op(tail.OpQuoI, a, b),
		choice(op(tail.OpLtI, b, g.intLit(s, -1)), negative, small))
}

// multiple reports whether d divides e, as far as that is seen in some steps.
func (g *infer) multiple(e tail.Expr, d int64, steps int) bool {
	if n, ok := integer(e); ok {
		return n%d == 0
	}
	if r, ok := e.(*tail.Ref); ok && g.divisors[r.Var] != nil {
		if by, ok := integer(g.divisors[r.Var]); ok && by%d == 0 {
			return true
		}
	}
	a, ok := g.bindingOf(e).(*tail.Apply)
	if !ok || steps == 0 {
		return false
	}
	arg := func(i int) bool { return g.multiple(a.Args[i], d, steps-1) }
	switch a.Op {
	case tail.OpNegI, tail.OpAbsI:
		return arg(0)
	case tail.OpAddI:
		return arg(0) && arg(1)
	case tail.OpSubI:
		return g.lessResidue(a, d) || arg(0) && arg(1)
	case tail.OpMulI:
		return arg(0) || arg(1) || d == 2 && (g.next(a.Args[0], a.Args[1]) || g.next(a.Args[1], a.Args[0]))
	}
	return false
}

// bindingOf returns e, or where that is a variable the expression that it names.
func (g *infer) bindingOf(e tail.Expr) tail.Expr {
	if r, ok := e.(*tail.Ref); ok && g.known[r.Var] != nil {
		return g.known[r.Var].e
	}
	return e
}

// lessResidue reports whether a is x less its residue of a multiple of d.
func (g *infer) lessResidue(a *tail.Apply, d int64) bool {
	r, ok := g.bindingOf(a.Args[1]).(*tail.Apply)
	if !ok || r.Op != tail.OpResI {
		return false
	}
	k, known := integer(r.Args[0])
	return known && k != 0 && k%d == 0 && sameVar(a.Args[0], r.Args[1])
}

// next reports whether y is x and 1, or x less 1.
func (g *infer) next(x, y tail.Expr) bool {
	a, ok := g.bindingOf(y).(*tail.Apply)
	if !ok || a.Op != tail.OpAddI && a.Op != tail.OpSubI {
		return false
	}
	one := func(i int) bool {
		n, ok := integer(a.Args[i])
		return ok && n == 1
	}
	return one(1) && sameVar(x, a.Args[0]) || one(0) && sameVar(x, a.Args[1])
}

// sameVar reports whether two expressions are one variable.
func sameVar(x, y tail.Expr) bool {
	r, ok := x.(*tail.Ref)
	return ok && tail.IsRef(y, r.Var)
}

// knowing runs do, which a condition guards, with what the condition, or that it does
// not hold, says of divisors.
func (g *infer) knowing(cond tail.Expr, holds bool, do func() tail.Expr) func() tail.Expr {
	v, d := g.divided(cond, holds, maxMultiple)
	if v == nil {
		return do
	}
	return func() tail.Expr {
		outer := g.divisors
		defer func() { g.divisors = outer }()
		if g.divisors = maps.Clone(outer); g.divisors == nil {
			g.divisors = map[*tail.Var]tail.Expr{}
		}
		g.divisors[v] = d
		return do()
	}
}

// divided returns a variable and what divides it where a condition holds, or does not.
func (g *infer) divided(cond tail.Expr, holds bool, steps int) (*tail.Var, tail.Expr) {
	a, ok := g.bindingOf(cond).(*tail.Apply)
	if !ok || steps == 0 {
		return nil, nil
	}
	switch a.Op {
	case tail.OpNotB:
		return g.divided(a.Args[0], !holds, steps-1)
	case tail.OpI2B, tail.OpB2I:
		if r, ok := g.bindingOf(a.Args[0]).(*tail.Apply); ok && r.Op == tail.OpResI && !holds {
			return residueIsZero(r)
		}
		return g.divided(a.Args[0], holds, steps-1)
	case tail.OpEqI, tail.OpNeqI:
		for i, x := range a.Args {
			n, known := integer(x)
			r, ok := g.bindingOf(a.Args[1-i]).(*tail.Apply)
			if !known || !ok || r.Op != tail.OpResI {
				continue
			}
			k, _ := integer(r.Args[0])
			if equal := holds == (a.Op == tail.OpEqI); equal && n == 0 || !equal && n == 1 && k == 2 {
				return residueIsZero(r)
			}
		}
	}
	return nil, nil
}

// residueIsZero returns the variable whose residue is r, and the number or the variable that
// divides it.
func residueIsZero(r *tail.Apply) (*tail.Var, tail.Expr) {
	by := r.Args[0]
	_, variable := by.(*tail.Ref)
	k, ok := integer(by)
	x, isRef := r.Args[1].(*tail.Ref)
	if !isRef || !variable && (!ok || k < 2) {
		return nil, nil
	}
	return x.Var, by
}
