package tail

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
