package laila

import "maps"

// cloner copies statements, with new variables and arrays for those that they
// declare. vars has the expressions that stand for variables; a variable that an
// expression other than another variable stands for is not assigned.
type cloner struct {
	vars map[*Var]Expr
	bufs map[*Buf]*Buf
	// twin makes the variable that a copy declares in place of v.
	twin func(v *Var) *Var
	// array is told of the buffer that a copy declares in place of another one.
	array func(old, copy *Buf)
	// load and store, where there are any, replace the places of arrays.
	load  func(l *Load) Expr
	store func(s *Store) *Store
	// branch, where there is one, may replace a branch.
	branch func(s *If) ([]Stmt, bool)
}

// copies reports whether a cloner can copy all of a block.
func copies(block []Stmt) bool {
	for _, s := range block {
		switch s.(type) {
		case *Decl, *Assign, *Checked, *Store, *If, *For, *Nest, *DeclBuf, *Free, *Copy, *Loop, *BreakIf, *Fail, *Comment:
		default:
			return false
		}
		for _, inner := range Blocks(s) {
			if !copies(*inner) {
				return false
			}
		}
	}
	return true
}

// block copies a block. What branch makes known holds to its end.
func (c *cloner) block(block []Stmt) []Stmt {
	outer := c.vars
	c.vars = maps.Clone(outer)
	out := c.list(block)
	c.vars = outer
	return out
}

// list copies statements that belong to the current block.
func (c *cloner) list(block []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		if b, ok := s.(*If); ok && c.branch != nil {
			if other, ok := c.branch(b); ok {
				out = append(out, other...)
				continue
			}
		}
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
		t := &Store{c.buf(s.Buf), c.expr(s.Index), c.expr(s.X)}
		if c.store != nil {
			return c.store(t)
		}
		return t
	case *If:
		return &If{c.expr(s.Cond), c.block(s.Then), c.block(s.Else)}
	case *For:
		lo, hi := c.expr(s.Lo), c.expr(s.Hi)
		outer := c.vars
		c.vars = maps.Clone(outer)
		f := &For{Var: c.fresh(s.Var), Lo: lo, Hi: hi, Body: c.block(s.Body), Independent: s.Independent}
		c.vars = outer
		return f
	case *Nest:
		return c.nest(s)
	case *DeclBuf:
		b := *s.Buf
		c.bufs[s.Buf] = &b
		c.array(s.Buf, &b)
		return &DeclBuf{Buf: &b, Count: c.expr(s.Count), Shape: c.exprs(s.Shape), Zero: s.Zero, At: s.At}
	case *Free:
		return &Free{c.buf(s.Buf)}
	case *Copy:
		return &Copy{Dst: c.buf(s.Dst), DstIndex: c.expr(s.DstIndex), Src: c.buf(s.Src), SrcIndex: c.expr(s.SrcIndex), Count: c.expr(s.Count)}
	case *Loop:
		return &Loop{c.block(s.Body)}
	case *BreakIf:
		return &BreakIf{c.expr(s.Cond)}
	case *Fail:
		f := *s
		f.Args = nil
		for _, a := range s.Args {
			f.Args = append(f.Args, FailArg{a.IsShape, c.exprs(a.Shape), c.expr(a.X), a.Text})
		}
		return &f
	case *Comment:
		return s
	}
	panic("internal error: a statement that cannot be copied")
}

func (c *cloner) nest(s *Nest) *Nest {
	n := *s
	outer := c.vars
	c.vars = maps.Clone(outer)
	n.Dims = c.dims(s.Dims)
	n.Pre = c.list(s.Pre)
	n.Red = c.dims(s.Red)
	n.Accs = nil
	for _, a := range s.Accs {
		a.Var = c.variable(a.Var)
		n.Accs = append(n.Accs, a)
	}
	n.Flags = nil
	for _, f := range s.Flags {
		n.Flags = append(n.Flags, c.variable(f))
	}
	n.Body = c.block(s.Body)
	n.Post = c.list(s.Post)
	declared := map[*Var]bool{}
	for _, list := range [][]Stmt{s.Pre, s.Post} {
		for _, t := range list {
			if d, ok := t.(*Decl); ok {
				declared[d.Var] = true
			}
		}
	}
	inner := c.vars
	c.vars = outer
	if len(s.Dims) == 0 { // Pre and Post belong to the block around the nest
		c.vars = maps.Clone(outer)
		for v := range declared {
			c.vars[v] = inner[v]
		}
	}
	return &n
}

func (c *cloner) dims(dims []Dim) []Dim {
	out := make([]Dim, len(dims))
	for i, d := range dims {
		lo, hi := c.expr(d.Lo), c.expr(d.Hi)
		out[i] = Dim{c.fresh(d.Var), lo, hi}
	}
	return out
}

func (c *cloner) buf(b *Buf) *Buf {
	if w, ok := c.bufs[b]; ok {
		return w
	}
	return b
}

// fresh makes a variable that stands for v.
func (c *cloner) fresh(v *Var) *Var {
	w := c.twin(v)
	c.vars[v] = &Use{w}
	return w
}

func (c *cloner) variable(v *Var) *Var {
	if x, ok := c.vars[v]; ok {
		return x.(*Use).Var
	}
	return v
}

func (c *cloner) exprs(xs []Expr) []Expr {
	if xs == nil {
		return nil
	}
	out := make([]Expr, len(xs))
	for i, x := range xs {
		out[i] = c.expr(x)
	}
	return out
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
			if b := c.buf(y.Buf); b != y.Buf {
				y = &Load{b, y.Index}
			}
			if c.load != nil {
				return c.load(y)
			}
			return y
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
