package ir

// MapExpr returns x with f applied to every subexpression, innermost first; it
// is x itself when f changed nothing. Expressions are shared, so none is
// changed in place.
func MapExpr(x Expr, f func(Expr) Expr) Expr {
	return f(MapOperands(x, func(y Expr) Expr { return MapExpr(y, f) }))
}

// MapOperands returns x with f applied to its operands.
func MapOperands(x Expr, f func(Expr) Expr) Expr {
	switch y := x.(type) {
	case *Load:
		if i := f(y.Index); i != y.Index {
			return y.Buf.Load(i)
		}
	case *Unary:
		if a := f(y.X); a != y.X {
			return y.Op.Of(a)
		}
	case *Binary:
		if a, b := f(y.X), f(y.Y); a != y.X || b != y.Y {
			return y.Op.Of(a, b)
		}
	case *Select:
		if c, a, b := f(y.Cond), f(y.Then), f(y.Else); c != y.Cond || a != y.Then || b != y.Else {
			return &Select{c, a, b}
		}
	case *Convert:
		if a := f(y.X); a != y.X {
			return &Convert{y.To, a}
		}
	case *Math:
		args, changed := make([]Expr, len(y.Args)), false
		for i, a := range y.Args {
			args[i] = f(a)
			changed = changed || args[i] != a
		}
		if changed {
			return &Math{y.Fn, y.K, args}
		}
	}
	return x
}

// MapScalars applies f to the expressions that a statement of straight code
// evaluates itself, and to those in them, in place; it is not ok for other
// statements.
func MapScalars(s Stmt, f func(Expr) Expr) bool {
	return replaceScalars(s, func(x Expr) Expr { return MapExpr(x, f) })
}

// replaceScalars is MapScalars for a function of whole expressions.
func replaceScalars(s Stmt, f func(Expr) Expr) bool {
	switch s := s.(type) {
	case *Decl:
		if s.Init != nil {
			s.Init = f(s.Init)
		}
	case *Assign:
		s.X = f(s.X)
	case *Checked:
		s.X, s.Y = f(s.X), f(s.Y)
	case *Store:
		s.Index, s.X = f(s.Index), f(s.X)
	case *Comment:
	default:
		return false
	}
	return true
}

// MapExprs applies f to all expressions that a statement evaluates itself, and
// to those in them, in place.
func MapExprs(s Stmt, f func(Expr) Expr) {
	ReplaceExprs(s, func(x Expr) Expr { return MapExpr(x, f) })
}

// ReplaceExprs is MapExprs for a function of whole expressions.
func ReplaceExprs(s Stmt, f func(Expr) Expr) {
	if replaceScalars(s, f) {
		return
	}
	one := func(x *Expr) {
		if *x != nil {
			*x = f(*x)
		}
	}
	all := func(xs []Expr) {
		for i := range xs {
			one(&xs[i])
		}
	}
	dims := func(dims []Dim) {
		for i := range dims {
			one(&dims[i].Lo)
			one(&dims[i].Hi)
		}
	}
	array := func(a *Array) {
		if a != nil {
			all(a.Dims)
			one(&a.At)
		}
	}
	switch s := s.(type) {
	case *DeclBuf:
		one(&s.Count)
		all(s.Shape)
	case *Copy:
		one(&s.DstIndex)
		one(&s.SrcIndex)
		one(&s.Count)
	case *For:
		one(&s.Lo)
		one(&s.Hi)
	case *Nest:
		dims(s.Dims)
		dims(s.Red)
	case *Filter:
		one(&s.Lo)
		one(&s.Hi)
		one(&s.Room)
		one(&s.Mask)
		one(&s.X)
	case *Micro:
		one(&s.CAt)
		one(&s.Stride)
		one(&s.AAt)
		one(&s.BAt)
		one(&s.Count)
	case *BreakIf:
		one(&s.Cond)
	case *If:
		one(&s.Cond)
	case *Fail:
		for i := range s.Args {
			all(s.Args[i].Shape)
			one(&s.Args[i].X)
		}
	case *Call:
		for i := range s.Args {
			array(&s.Args[i])
		}
	case *Runtime:
		for i := range s.Args {
			one(&s.Args[i].X)
			array(s.Args[i].Array)
		}
	}
}

// WithoutBufs returns a block without the declarations and the Frees of buffers.
func WithoutBufs(block []Stmt, gone map[*Buf]bool) []Stmt {
	var out []Stmt
	for _, s := range block {
		var b *Buf
		switch s := s.(type) {
		case *DeclBuf:
			b = s.Buf
		case *Free:
			b = s.Buf
		}
		if b == nil || !gone[b] {
			out = append(out, s)
		}
	}
	return out
}
