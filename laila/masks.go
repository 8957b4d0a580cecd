package laila

// masks converts the outcome of a test to a double once, where straight code
// of a loop uses it several times, and the opposite outcome is 1 less that:
// C compilers make vector code of a mask, but branches of several.
//
//	var in: u8 = x <= 4
//	y[i] = f64(in) * u + f64(!in) * x
//
// becomes
//
//	var in: u8 = x <= 4
//	var m: f64 = f64(in)
//	y[i] = m * u + (1 - m) * x
func masks(block []Stmt) []Stmt {
	uses, changed := map[*Var]int{}, map[*Var]bool{}
	assigned(block, changed)
	count := func(x Expr) Expr {
		if v, _ := mask(x); v != nil {
			uses[v]++
		}
		return x
	}
	for _, s := range block {
		for _, inner := range Blocks(s) {
			*inner = masks(*inner)
		}
		mapScalars(s, count)
	}
	made := map[*Var]*Var{}
	replace := func(x Expr) Expr {
		v, negated := mask(x)
		m := made[v]
		switch {
		case v == nil || m == nil:
			return x
		case negated:
			return &Binary{Sub, &Float{1}, &Use{m}}
		}
		return &Use{m}
	}
	var out []Stmt
	for _, s := range block {
		if len(made) > 0 {
			mapScalars(s, replace)
		}
		out = append(out, s)
		if d, ok := s.(*Decl); ok && d.Init != nil && uses[d.Var] > 1 && !changed[d.Var] {
			m := &Var{Name: "m", Kind: F64}
			out = append(out, &Decl{m, &Convert{F64, &Use{d.Var}}})
			made[d.Var] = m
		}
	}
	return out
}

// mask returns the variable whose truth, or the opposite of it, x is as a
// double; nil when x is something else.
func mask(x Expr) (v *Var, negated bool) {
	c, ok := x.(*Convert)
	if !ok || c.To != F64 || c.X.Kind() != U8 {
		return nil, false
	}
	y := c.X
	if n, ok := y.(*Unary); ok && n.Op == Not {
		y, negated = n.X, true
	}
	if u, ok := y.(*Use); ok {
		return u.Var, negated
	}
	return nil, false
}
