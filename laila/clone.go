package laila

// cloner copies statements, with new variables and arrays for those that they
// declare. vars has what stands for variables, which are not assigned where it
// is no variable.
type cloner struct {
	l    *lowerer
	vars map[*Var]Expr
	// load and store, where there are any, replace the places of arrays.
	load  func(l *Load) Expr
	store func(s *Store) *Store
}

func (c *cloner) block(block []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		out = append(out, c.stmt(s))
	}
	return out
}

func (c *cloner) stmt(s Stmt) Stmt {
	switch s := s.(type) {
	case *Decl:
		init := c.expr(s.Init)
		return &Decl{c.fresh(s.Var), init}
	case *Assign:
		return &Assign{c.variable(s.Var), c.expr(s.X)}
	case *Checked:
		return &Checked{c.variable(s.Var), s.Op, c.expr(s.X), c.expr(s.Y), c.variable(s.Flag)}
	case *Store:
		t := &Store{s.Buf, c.expr(s.Index), c.expr(s.X)}
		if c.store != nil {
			return c.store(t)
		}
		return t
	case *If:
		return &If{c.expr(s.Cond), c.block(s.Then), c.block(s.Else)}
	case *For:
		lo, hi := c.expr(s.Lo), c.expr(s.Hi)
		return &For{Var: c.fresh(s.Var), Lo: lo, Hi: hi, Body: c.block(s.Body), Independent: s.Independent}
	}
	panic("internal error: a statement that cannot be copied")
}

// fresh makes a variable that stands for v.
func (c *cloner) fresh(v *Var) *Var {
	w := c.l.twin(v)
	c.vars[v] = &Use{w}
	return w
}

// twin makes a variable of which the same is known as of v.
func (l *lowerer) twin(v *Var) *Var {
	w := l.newVar(v.Name, v.Kind)
	if r, ok := l.ranges[v]; ok {
		l.ranges[w] = r
	}
	if s, ok := l.spans[v]; ok {
		l.spans[w] = s
	}
	return w
}

func (c *cloner) variable(v *Var) *Var {
	if x, ok := c.vars[v]; ok {
		return x.(*Use).Var
	}
	return v
}

func (c *cloner) expr(x Expr) Expr {
	if x == nil {
		return nil
	}
	return mapExpr(x, func(y Expr) Expr {
		switch y := y.(type) {
		case *Use:
			if z, ok := c.vars[y.Var]; ok {
				return z
			}
		case *Load:
			if c.load != nil {
				return c.load(y)
			}
		}
		return foldIndex(y)
	})
}

// foldIndex computes what has become constant in an index.
func foldIndex(x Expr) Expr {
	b, ok := x.(*Binary)
	if !ok || b.X.Kind() != I64 || b.Y.Kind() != I64 {
		return x
	}
	switch b.Op {
	case Add:
		return add(b.X, b.Y)
	case Sub:
		return sub(b.X, b.Y)
	case Mul:
		return mul(b.X, b.Y)
	}
	return x
}
