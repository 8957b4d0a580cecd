package ir

import "maps"

// Cloner copies statements, with new variables and arrays for those that they
// declare. vars has the expressions that stand for variables; a variable that an
// expression other than another variable stands for is not assigned.
type Cloner struct {
	Vars map[*Var]Expr
	Bufs map[*Buf]*Buf
	// twin makes the variable that a copy declares in place of v.
	Twin func(v *Var) *Var
	// array is told of the buffer that a copy declares in place of another one.
	Array func(old, copy *Buf)
	// load and store, where there are any, replace the places of arrays.
	Load  func(l *Load) Expr
	Store func(s *Store) *Store
	// branch, where there is one, may replace a branch.
	Branch func(s *If) ([]Stmt, bool)
}

// CanCopy reports whether a cloner can copy all of a block.
func CanCopy(block []Stmt) bool {
	for _, s := range block {
		switch s.(type) {
		case *Decl, *Assign, *Checked, *Store, *If, *For, *Nest, *DeclBuf, *Free, *Copy, *Loop, *BreakIf, *Fail, *Comment:
		default:
			return false
		}
		for _, inner := range Blocks(s) {
			if !CanCopy(*inner) {
				return false
			}
		}
	}
	return true
}

// Block copies a block. What branch makes known holds to its end.
func (c *Cloner) Block(block []Stmt) []Stmt {
	outer := c.Vars
	c.Vars = maps.Clone(outer)
	out := c.List(block)
	c.Vars = outer
	return out
}

// List copies statements that belong to the current block.
func (c *Cloner) List(block []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		if b, ok := s.(*If); ok && c.Branch != nil {
			if other, ok := c.Branch(b); ok {
				out = append(out, other...)
				continue
			}
		}
		out = append(out, c.Stmt(s))
	}
	return out
}

// Stmt copies a statement.
func (c *Cloner) Stmt(s Stmt) Stmt {
	switch s := s.(type) {
	case *Decl:
		init := c.Expr(s.Init)
		return c.Fresh(s.Var).Decl(init)
	case *Assign:
		return c.Variable(s.Var).Assign(c.Expr(s.X))
	case *Checked:
		return &Checked{c.Variable(s.Var), s.Op, c.Expr(s.X), c.Expr(s.Y), c.Variable(s.Flag)}
	case *Store:
		t := c.Buf(s.Buf).Store(c.Expr(s.Index), c.Expr(s.X))
		if c.Store != nil {
			return c.Store(t)
		}
		return t
	case *If:
		return &If{c.Expr(s.Cond), c.Block(s.Then), c.Block(s.Else)}
	case *For:
		lo, hi := c.Expr(s.Lo), c.Expr(s.Hi)
		outer := c.Vars
		c.Vars = maps.Clone(outer)
		f := &For{Var: c.Fresh(s.Var), Lo: lo, Hi: hi, Body: c.Block(s.Body), Independent: s.Independent, Terms: s.Terms}
		c.Vars = outer
		return f
	case *Nest:
		return c.Nest(s)
	case *DeclBuf:
		b := *s.Buf
		c.Bufs[s.Buf] = &b
		c.Array(s.Buf, &b)
		return &DeclBuf{Buf: &b, Count: c.Expr(s.Count), Shape: c.exprs(s.Shape), Zero: s.Zero, At: s.At}
	case *Free:
		return &Free{c.Buf(s.Buf)}
	case *Copy:
		return &Copy{Dst: c.Buf(s.Dst), DstIndex: c.Expr(s.DstIndex), Src: c.Buf(s.Src), SrcIndex: c.Expr(s.SrcIndex), Count: c.Expr(s.Count)}
	case *Loop:
		return &Loop{c.Block(s.Body)}
	case *BreakIf:
		return &BreakIf{c.Expr(s.Cond)}
	case *Fail:
		f := *s
		f.Args = nil
		for _, a := range s.Args {
			f.Args = append(f.Args, FailArg{a.IsShape, c.exprs(a.Shape), c.Expr(a.X), a.Text})
		}
		return &f
	case *Comment:
		return s
	}
	panic("internal error: a statement that cannot be copied")
}

// Nest copies a nest.
func (c *Cloner) Nest(s *Nest) *Nest {
	n := *s
	outer := c.Vars
	c.Vars = maps.Clone(outer)
	n.Dims = c.Dims(s.Dims)
	n.Pre = c.List(s.Pre)
	n.Red = c.Dims(s.Red)
	n.Accs = nil
	for _, a := range s.Accs {
		a.Var = c.Variable(a.Var)
		n.Accs = append(n.Accs, a)
	}
	n.Flags = nil
	for _, f := range s.Flags {
		n.Flags = append(n.Flags, c.Variable(f))
	}
	n.Body = c.Block(s.Body)
	n.Post = c.List(s.Post)
	declared := map[*Var]bool{}
	for _, list := range [][]Stmt{s.Pre, s.Post} {
		for _, t := range list {
			if d, ok := t.(*Decl); ok {
				declared[d.Var] = true
			}
		}
	}
	inner := c.Vars
	c.Vars = outer
	if len(s.Dims) == 0 { // Pre and Post belong to the block around the nest
		c.Vars = maps.Clone(outer)
		for v := range declared {
			c.Vars[v] = inner[v]
		}
	}
	return &n
}

// Dims copies axes, with new variables.
func (c *Cloner) Dims(dims []Dim) []Dim {
	out := make([]Dim, len(dims))
	for i, d := range dims {
		lo, hi := c.Expr(d.Lo), c.Expr(d.Hi)
		out[i] = Dim{c.Fresh(d.Var), lo, hi}
	}
	return out
}

// Buf returns the buffer that stands for b.
func (c *Cloner) Buf(b *Buf) *Buf {
	if w, ok := c.Bufs[b]; ok {
		return w
	}
	return b
}

// Fresh makes a variable that stands for v.
func (c *Cloner) Fresh(v *Var) *Var {
	w := c.Twin(v)
	c.Vars[v] = w.Use()
	return w
}

// Variable returns the variable that stands for v.
func (c *Cloner) Variable(v *Var) *Var {
	if x, ok := c.Vars[v]; ok {
		return x.(*Use).Var
	}
	return v
}

func (c *Cloner) exprs(xs []Expr) []Expr {
	if xs == nil {
		return nil
	}
	out := make([]Expr, len(xs))
	for i, x := range xs {
		out[i] = c.Expr(x)
	}
	return out
}

// Expr copies x, which may be nil.
func (c *Cloner) Expr(x Expr) Expr {
	if x == nil {
		return nil
	}
	return MapExpr(x, func(y Expr) Expr {
		switch y := y.(type) {
		case *Use:
			if z, ok := c.Vars[y.Var]; ok {
				return z
			}
		case *Load:
			if b := c.Buf(y.Buf); b != y.Buf {
				y = b.Load(y.Index)
			}
			if c.Load != nil {
				return c.Load(y)
			}
			return y
		}
		return FoldIndex(y)
	})
}

// FoldIndex computes what has become constant in an index.
func FoldIndex(x Expr) Expr {
	b, ok := x.(*Binary)
	if !ok || b.X.Kind() != I64 || b.Y.Kind() != I64 {
		return x
	}
	switch b.Op {
	case OpAdd:
		return Add(b.X, b.Y)
	case OpSub:
		return Sub(b.X, b.Y)
	case OpMul:
		return Mul(b.X, b.Y)
	}
	return x
}
