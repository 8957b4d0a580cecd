package laila

// mapExpr returns x with f applied to every subexpression, innermost first; it
// is x itself when f changed nothing. Expressions are shared, so none is
// changed in place.
func mapExpr(x Expr, f func(Expr) Expr) Expr {
	switch y := x.(type) {
	case *Load:
		if i := mapExpr(y.Index, f); i != y.Index {
			x = &Load{y.Buf, i}
		}
	case *Unary:
		if a := mapExpr(y.X, f); a != y.X {
			x = &Unary{y.Op, a}
		}
	case *Binary:
		if a, b := mapExpr(y.X, f), mapExpr(y.Y, f); a != y.X || b != y.Y {
			x = &Binary{y.Op, a, b}
		}
	case *Select:
		if c, a, b := mapExpr(y.Cond, f), mapExpr(y.Then, f), mapExpr(y.Else, f); c != y.Cond || a != y.Then || b != y.Else {
			x = &Select{c, a, b}
		}
	case *Convert:
		if a := mapExpr(y.X, f); a != y.X {
			x = &Convert{y.To, a}
		}
	case *Math:
		args, changed := make([]Expr, len(y.Args)), false
		for i, a := range y.Args {
			args[i] = mapExpr(a, f)
			changed = changed || args[i] != a
		}
		if changed {
			x = &Math{y.Fn, y.K, args}
		}
	}
	return f(x)
}

// mapScalars applies f to the expressions that a statement of straight code
// evaluates itself, in place; it is not ok for other statements.
func mapScalars(s Stmt, f func(Expr) Expr) bool {
	switch s := s.(type) {
	case *Decl:
		if s.Init != nil {
			s.Init = mapExpr(s.Init, f)
		}
	case *Assign:
		s.X = mapExpr(s.X, f)
	case *Checked:
		s.X, s.Y = mapExpr(s.X, f), mapExpr(s.Y, f)
	case *Store:
		s.Index, s.X = mapExpr(s.Index, f), mapExpr(s.X, f)
	case *Comment:
	default:
		return false
	}
	return true
}
