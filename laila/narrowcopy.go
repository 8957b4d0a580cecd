package laila

import "math"

// narrower copies the body of a loop with its arrays, and what is computed
// from them, in fewer bits.
type narrower struct {
	*step
	kind   Kind
	vars   map[*Var]*Var // the copies of variables of the step
	small  map[*Var]bool // those that are narrow
	bufs   map[*Buf]*Buf
	used   reaches // of all that is computed in few bits
	next   reaches // of all that is stored in narrow arrays
	depth  int     // of the loops around the statement
	failed bool
}

// touches reports whether x depends on an element of a narrow array.
func (n *narrower) touches(x Expr) bool {
	switch x := x.(type) {
	case *Load:
		return n.arrays[x.Buf]
	case *Use:
		return n.small[x.Var]
	}
	for _, y := range Operands(x) {
		if y != nil && n.touches(y) {
			return true
		}
	}
	return false
}

// fits reports whether x is to be computed in few bits.
func (n *narrower) fits(x Expr) bool {
	if x.Kind() != I64 || !n.touches(x) {
		return false
	}
	_, ok := n.of(x)
	return ok
}

// expr returns x of its own kind, with what fits computed in few bits.
func (n *narrower) expr(x Expr) Expr {
	if x == nil {
		return nil
	}
	if n.depth > 0 {
		switch y := x.(type) {
		case *Binary:
			if truth, ok := n.decided(y); ok {
				return boolean(truth)
			}
			if y.Op >= Lt && y.X.Kind() == I64 && (n.touches(y.X) || n.touches(y.Y)) && n.bounded(y.X) && n.bounded(y.Y) {
				return &Binary{y.Op, n.narrow(y.X), n.narrow(y.Y)}
			}
		case *Convert:
			if n.fits(y.X) {
				return convert(y.To, n.narrow(y.X))
			}
		}
		if n.fits(x) {
			return convert(I64, n.narrow(x))
		}
	}
	switch y := x.(type) {
	case *Use:
		return n.use(y)
	case *Load:
		return n.load(y)
	}
	return mapOperands(x, n.expr)
}

// decided reports the outcome of a comparison of what fits with a number that
// does not.
func (n *narrower) decided(x *Binary) (truth, ok bool) {
	k, isInt := intOf(x.Y)
	if !isInt || x.Y.Kind() != I64 || x.Op < Lt || k >= -math.MaxInt32 && k <= math.MaxInt32 || !n.fits(x.X) {
		return false, false
	}
	n.narrow(x.X)
	switch x.Op {
	case Eq:
		return false, true
	case Ne:
		return true, true
	case Lt, Le:
		return k > 0, true
	}
	return k < 0, true
}

func (n *narrower) bounded(x Expr) bool {
	_, ok := n.of(x)
	return ok
}

// place returns x for an index or an extent: nothing but elements and
// variables in it changes.
func (n *narrower) place(x Expr) Expr {
	switch y := x.(type) {
	case nil:
		return nil
	case *Use:
		return n.use(y)
	case *Load:
		return n.load(y)
	}
	return mapOperands(x, n.place)
}

func (n *narrower) use(x *Use) Expr {
	v, ok := n.vars[x.Var]
	if !ok {
		return x
	}
	return convert(x.Var.Kind, &Use{v})
}

func (n *narrower) load(x *Load) Expr {
	return convert(x.Buf.Elem, &Load{n.buf(x.Buf), n.place(x.Index)})
}

func (n *narrower) buf(b *Buf) *Buf {
	if c, ok := n.bufs[b]; ok {
		return c
	}
	return b
}

// narrow returns x, which is bounded, in few bits.
func (n *narrower) narrow(x Expr) Expr {
	r, ok := n.of(x)
	if !ok || x.Kind() != I64 {
		n.failed = true
		return x
	}
	n.used = append(reaches{}, n.used...).union(r)
	switch y := x.(type) {
	case *Int:
		return &Int{y.Val, n.kind}
	case *Unary:
		if y.Op == Neg || y.Op == Abs {
			return &Unary{y.Op, n.narrow(y.X)}
		}
	case *Binary:
		if n.narrows(y) {
			return &Binary{y.Op, n.narrow(y.X), n.narrow(y.Y)}
		}
	case *Select:
		if n.bounded(y.Then) && n.bounded(y.Else) {
			return &Select{n.expr(y.Cond), n.narrow(y.Then), n.narrow(y.Else)}
		}
	case *Convert:
		if y.X.Kind() == I64 {
			return n.narrow(y.X)
		}
		return convert(n.kind, n.expr(y.X))
	}
	switch y := x.(type) {
	case *Use:
		return convert(n.kind, stripped(n.use(y)))
	case *Load:
		return convert(n.kind, stripped(n.load(y)))
	}
	return convert(n.kind, mapOperands(x, n.expr))
}

// stripped returns x without a conversion to 64 bits.
func stripped(x Expr) Expr {
	if c, ok := x.(*Convert); ok && c.To == I64 && c.X.Kind().exact() {
		return c.X
	}
	return x
}

// narrows reports whether an operation of few bits does what one of 64 does.
func (n *narrower) narrows(x *Binary) bool {
	switch x.Op {
	case Add, Sub, Mul, Min, Max:
		return n.bounded(x.X) && n.bounded(x.Y)
	case Rem, Quo:
		return n.kind == I32 && n.bounded(x.X) && n.bounded(x.Y)
	}
	return false
}

// declare returns the copy of a variable that the step declares.
func (n *narrower) declare(v *Var) *Var {
	if c, ok := n.vars[v]; ok {
		return c
	}
	k := v.Kind
	if n.small[v] {
		k = n.kind
	}
	c := n.l.newVar(v.Name, k)
	if r, ok := n.l.ranges[v]; ok && k == v.Kind {
		n.l.ranges[c] = r
	}
	if s, ok := n.l.spans[v]; ok {
		n.l.spans[c] = s
	}
	if lo, ok := n.l.least[v]; ok {
		n.l.least[c] = lo
	}
	n.vars[v] = c
	return c
}

// value returns x for a variable.
func (n *narrower) value(v *Var, x Expr) Expr {
	if n.small[v] {
		if x == nil {
			return nil
		}
		return n.narrow(x)
	}
	return n.expr(x)
}

// target returns the variable that an assignment sets.
func (n *narrower) target(v *Var) *Var {
	if c, ok := n.vars[v]; ok {
		return c
	}
	return v
}

func (n *narrower) block(block []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		if c := n.stmt(s); c != nil {
			out = append(out, c)
		}
	}
	return out
}

func (n *narrower) stmt(s Stmt) Stmt {
	switch s := s.(type) {
	case *Decl:
		x := n.value(s.Var, s.Init)
		return &Decl{n.declare(s.Var), x}
	case *Assign:
		x := n.value(s.Var, s.X)
		if b, ok := x.(*Binary); ok && b.Op == Or && isInt(b.Y, 0) {
			x = b.X
		}
		if u, ok := x.(*Use); ok && u.Var == n.target(s.Var) {
			return nil
		}
		return &Assign{n.target(s.Var), x}
	case *Checked:
		return n.checked(s)
	case *DeclBuf:
		return n.declBuf(s)
	case *Free:
		return &Free{n.buf(s.Buf)}
	case *Move:
		return &Move{n.buf(s.Dst), n.buf(s.Src)}
	case *Swap:
		return &Swap{n.buf(s.A), n.buf(s.B)}
	case *Copy:
		return &Copy{Dst: n.buf(s.Dst), DstIndex: n.place(s.DstIndex), Src: n.buf(s.Src), SrcIndex: n.place(s.SrcIndex), Count: n.place(s.Count)}
	case *Store:
		return n.store(s)
	case *For:
		lo, hi := n.place(s.Lo), n.place(s.Hi)
		return &For{n.declare(s.Var), lo, hi, n.inner(s.Body), s.Independent}
	case *Nest:
		return n.nest(s)
	case *BreakIf:
		return &BreakIf{n.expr(s.Cond)}
	case *If:
		return &If{n.expr(s.Cond), n.block(s.Then), n.block(s.Else)}
	case *Fail:
		c := *s
		c.Args = nil
		for _, a := range s.Args {
			b := a
			b.X, b.Shape = n.place(a.X), n.placed(a.Shape)
			c.Args = append(c.Args, b)
		}
		return &c
	case *Comment:
		return s
	}
	n.failed = true
	return s
}

func (n *narrower) placed(xs []Expr) []Expr {
	var out []Expr
	for _, x := range xs {
		out = append(out, n.place(x))
	}
	return out
}

func (n *narrower) inner(block []Stmt) []Stmt {
	n.depth++
	out := n.block(block)
	n.depth--
	return out
}

// checked needs no check where the result fits.
func (n *narrower) checked(s *Checked) Stmt {
	x := &Binary{s.Op, s.X, s.Y}
	if n.depth > 0 && n.fits(x) {
		if n.small[s.Var] {
			return &Assign{n.target(s.Var), n.narrow(x)}
		}
		return &Assign{n.target(s.Var), convert(I64, n.narrow(x))}
	}
	if n.small[s.Var] {
		n.failed = true
	}
	return &Checked{Var: n.target(s.Var), Op: s.Op, X: n.expr(s.X), Y: n.expr(s.Y), Flag: n.target(s.Flag)}
}

func (n *narrower) declBuf(s *DeclBuf) Stmt {
	c := *s
	b := *s.Buf
	if n.arrays[s.Buf] {
		b.Elem = n.kind
	} else if r, ok := n.l.bufs[s.Buf]; ok {
		n.l.bufs[&b] = r
	}
	if r, ok := n.l.bufSpans[s.Buf]; ok {
		n.l.bufSpans[&b] = r
	}
	n.bufs[s.Buf] = &b
	n.l.fixed[&b] = n.l.fixed[s.Buf]
	c.Buf, c.Shape = &b, n.placed(s.Shape)
	if s.Count != nil {
		c.Count = n.place(s.Count)
	}
	return &c
}

func (n *narrower) store(s *Store) Stmt {
	at := n.place(s.Index)
	if !n.arrays[s.Buf] {
		return &Store{n.buf(s.Buf), at, n.expr(s.X)}
	}
	r, ok := n.of(s.X)
	if !ok {
		n.failed = true
		return s
	}
	n.next = append(reaches{}, n.next...).union(r)
	return &Store{n.buf(s.Buf), at, n.narrow(s.X)}
}

func (n *narrower) nest(s *Nest) Stmt {
	c := *s
	space := func(dims []Dim) []Dim {
		var out []Dim
		for _, d := range dims {
			lo, hi := n.place(d.Lo), n.place(d.Hi)
			out = append(out, Dim{n.declare(d.Var), lo, hi})
		}
		return out
	}
	c.Dims = space(s.Dims)
	if len(s.Dims) > 0 {
		c.Pre = n.inner(s.Pre)
	} else {
		c.Pre = n.block(s.Pre)
	}
	c.Red = space(s.Red)
	c.Body = n.inner(s.Body)
	if len(s.Dims) > 0 {
		c.Post = n.inner(s.Post)
	} else {
		c.Post = n.block(s.Post)
	}
	c.Accs, c.Flags = nil, nil
	for _, a := range s.Accs {
		a.Var = n.target(a.Var)
		c.Accs = append(c.Accs, a)
	}
	for _, f := range s.Flags {
		c.Flags = append(c.Flags, n.target(f))
	}
	return &c
}
