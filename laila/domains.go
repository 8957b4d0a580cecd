package laila

// domains leaves out tests of doubles for 0, and for what has no root or
// logarithm, where bounds show how they come out. What a guard says holds in its
// branch:
//
//	if |q| ≤ 0.4                            if |q| ≤ 0.4
//	  y = 2 - q × q                           y = 2 - q × q
//	  bad |= (y == 0) & (x != 0)         →
//	  z = y == 0 ? 1 : x / y                  z = x / y
//
// NaN passes all of these tests, so bounds of numbers are enough.
func (l *lowerer) domains(f *Func) {
	d := &domains{l: l, defs: map[*Var]Expr{}, flags: map[*Var]bool{}}
	tests := false
	changed := map[*Var]bool{}
	Walk(f.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Decl:
			if _, again := d.defs[s.Var]; again || s.Init == nil {
				changed[s.Var] = true
			}
			d.defs[s.Var] = s.Init
		case *Assign:
			changed[s.Var] = true
		case *Checked:
			changed[s.Var], changed[s.Flag] = true, true
		case *Filter:
			changed[s.Count] = true
		case *Nest:
			for _, a := range s.Accs {
				changed[a.Var] = true
			}
		}
		for _, x := range Exprs(s) {
			tests = tests || testsDouble(x)
		}
	})
	if !tests {
		return
	}
	for v := range changed {
		delete(d.defs, v)
	}
	f.Body = d.block(f.Body, &bounder{l: l, defs: d.defs, known: map[*Var]reals{}, memo: map[*Var]reals{}}, 0)
	if len(d.flags) > 0 {
		(&counting{flags: d.flags}).unset(f.Body)
	}
}

// domains is the state of the pass.
type domains struct {
	l     *lowerer
	defs  map[*Var]Expr // what variables are that are set once
	flags map[*Var]bool // flags that a statement less sets
}

// maxGuards bounds the guards, one in another, that are taken together.
const maxGuards = 4

// testsDouble reports whether x has a test that the pass may decide.
func testsDouble(x Expr) bool {
	found := false
	WalkExpr(x, func(x Expr) {
		_, _, test := doubleTest(x)
		found = found || test
	})
	return found
}

// doubleTest returns the argument of a test for 0 or for being negative.
func doubleTest(x Expr) (y Expr, positive, ok bool) {
	switch x := x.(type) {
	case *Binary:
		if x.Op == Eq && x.X.Kind() == F64 {
			if f, ok := x.Y.(*Float); ok && f.Val == 0 {
				return x.X, true, true
			}
		}
	case *Math:
		switch x.Fn {
		case "tl_bad_lnd":
			return x.Args[0], true, true
		case "tl_bad_sqrtd", "tl_bad_lnd_complex":
			return x.Args[0], false, true
		}
	}
	return nil, false, false
}

func (d *domains) block(block []Stmt, b *bounder, guards int) []Stmt {
	var out []Stmt
	for _, s := range block {
		mapExprs(s, func(x Expr) Expr { return d.decide(x, b) })
		if a, ok := s.(*Assign); ok {
			if u, ok := a.X.(*Use); ok && u.Var == a.Var {
				d.flags[a.Var] = a.Var.Kind == U8
				continue
			}
		}
		if branch, ok := s.(*If); ok && guards < maxGuards && branch.Cond != nil {
			branch.Then = d.block(branch.Then, b.with(branch.Cond), guards+1)
			branch.Else = d.block(branch.Else, b, guards)
		} else {
			for _, inner := range Blocks(s) {
				*inner = d.block(*inner, b, guards)
			}
		}
		out = append(out, s)
	}
	return out
}

// decide simplifies x, whose operands are simple.
func (d *domains) decide(x Expr, b *bounder) Expr {
	if y, positive, ok := doubleTest(x); ok {
		r := b.of(y)
		_, zero := x.(*Binary)
		if r.lo > 0 || zero && r.hi < 0 || !positive && r.lo >= 0 {
			return boolean(false)
		}
		return x
	}
	switch x := x.(type) {
	case *Select:
		if c, ok := intOf(x.Cond); ok {
			if c != 0 {
				return x.Then
			}
			return x.Else
		}
	case *Unary:
		if c, ok := intOf(x.X); ok && x.Op == Not {
			return boolean(c == 0)
		}
	case *Binary:
		if x.Kind() != U8 || x.Op != And && x.Op != Or || x.X.Kind() != U8 {
			break
		}
		for _, p := range [][2]Expr{{x.X, x.Y}, {x.Y, x.X}} {
			if c, ok := intOf(p[0]); ok && (c == 0 || c == 1) {
				if (c == 0) == (x.Op == And) {
					return p[0]
				}
				return p[1]
			}
		}
	}
	return x
}
