package tail

import "slices"

// LamOf returns e, which must be a function.
func LamOf(e Expr) *Lam {
	f, ok := e.(*Lam)
	if !ok {
		panic("internal error: a function is expected")
	}
	return f
}

// OpOf returns the op that f applies to its two parameters, or NoOp.
func OpOf(f *Lam) Op {
	e, ok := f.Body.(*Apply)
	if !ok || len(e.Args) != 2 || len(f.Params) != 2 || !e.Op.Row().Scalar {
		return NoOp
	}
	x, okx := e.Args[0].(*Ref)
	y, oky := e.Args[1].(*Ref)
	switch {
	case !okx || !oky:
	case x.Var == f.Params[0] && y.Var == f.Params[1]:
		return e.Op
	case x.Var == f.Params[1] && y.Var == f.Params[0] && e.Op.Row().Commut && !e.Op.Inexact():
		return e.Op
	}
	return NoOp
}

// TestLam returns the test of the two parameters of f whose outcome f makes a
// number by coerce; nil where it does something else.
func TestLam(f *Lam, coerce Op) *Apply {
	number, ok := f.Body.(*Apply)
	if !ok || number.Op != coerce || len(f.Params) != 2 {
		return nil
	}
	test, ok := number.Args[0].(*Apply)
	if !ok || len(test.Args) != 2 {
		return nil
	}
	if !OnlyParams(f, test) {
		return nil
	}
	return test
}

// OnlyParams reports whether a is applied to the two parameters of f.
func OnlyParams(f *Lam, a *Apply) bool {
	return len(f.Params) == 2 && !slices.ContainsFunc(a.Args, func(x Expr) bool {
		r, ok := x.(*Ref)
		return !ok || r.Var != f.Params[0] && r.Var != f.Params[1]
	})
}

// IsOpLam reports whether f applies the scalar op to its parameters.
func IsOpLam(f *Lam, op Op) bool {
	found, ok := EtaReduced(f)
	return ok && found == op
}

// EtaReduced returns op when e is the function that applies the scalar op to
// its parameters.
func EtaReduced(e *Lam) (Op, bool) {
	a, ok := e.Body.(*Apply)
	if !ok || !a.Op.Row().Scalar || len(a.Args) != len(e.Params) || len(a.Args) == 0 {
		return NoOp, false
	}
	scheme := SchemeOf(a.Op)
	if len(scheme.Params) != len(a.Args) || !Equal(a.Ty, scheme.Result) {
		return NoOp, false
	}
	for i, x := range a.Args {
		r, ok := x.(*Ref)
		if !ok || r.Var != e.Params[i] || !Equal(r.Var.Type, scheme.Params[i]) {
			return NoOp, false
		}
	}
	return a.Op, true
}
