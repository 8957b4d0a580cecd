package loop

import (
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// narrower copies the body of a loop with its arrays, and what is computed
// from them, in fewer bits.
type narrower struct {
	*facts.Step
	kind   ir.Kind
	vars   map[*ir.Var]*ir.Var // the copies of variables of the step
	small  map[*ir.Var]bool    // those that are narrow
	bufs   map[*ir.Buf]*ir.Buf
	used   facts.Reaches // of all that is computed in few bits
	next   facts.Reaches // of all that is stored in narrow arrays
	depth  int           // of the loops around the statement
	failed bool
}

// touches reports whether x depends on an element of a narrow array.
func (n *narrower) touches(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Load:
		return n.Arrays[x.Buf]
	case *ir.Use:
		return n.small[x.Var]
	}
	for _, y := range ir.Operands(x) {
		if y != nil && n.touches(y) {
			return true
		}
	}
	return false
}

// fits reports whether x is to be computed in few bits.
func (n *narrower) fits(x ir.Expr) bool {
	if x.Kind() != ir.I64 || !n.touches(x) {
		return false
	}
	_, ok := n.Of(x)
	return ok
}

// expr returns x of its own kind, with what fits computed in few bits.
func (n *narrower) expr(x ir.Expr) ir.Expr {
	if x == nil {
		return nil
	}
	if n.depth > 0 {
		switch y := x.(type) {
		case *ir.Binary:
			if truth, ok := n.decided(y); ok {
				return ir.Boolean(truth)
			}
			if y.Op >= ir.OpLt && y.X.Kind() == ir.I64 && (n.touches(y.X) || n.touches(y.Y)) && n.bounded(y.X) && n.bounded(y.Y) {
				return y.Op.Of(n.narrow(y.X), n.narrow(y.Y))
			}
		case *ir.Convert:
			if n.fits(y.X) {
				return ir.ConvertTo(y.To, n.narrow(y.X))
			}
		}
		if n.fits(x) {
			return ir.ConvertTo(ir.I64, n.narrow(x))
		}
	}
	switch y := x.(type) {
	case *ir.Use:
		return n.use(y)
	case *ir.Load:
		return n.load(y)
	}
	return ir.MapOperands(x, n.expr)
}

// decided reports the outcome of a comparison of what fits with a number that
// does not.
func (n *narrower) decided(x *ir.Binary) (truth, ok bool) {
	k, isInt := ir.IntOf(x.Y)
	if !isInt || x.Y.Kind() != ir.I64 || x.Op < ir.OpLt || k >= -math.MaxInt32 && k <= math.MaxInt32 || !n.fits(x.X) {
		return false, false
	}
	n.narrow(x.X)
	switch x.Op {
	case ir.OpEq:
		return false, true
	case ir.OpNe:
		return true, true
	case ir.OpLt, ir.OpLe:
		return k > 0, true
	}
	return k < 0, true
}

func (n *narrower) bounded(x ir.Expr) bool {
	_, ok := n.Of(x)
	return ok
}

// place returns x for an index or an extent: nothing but elements and
// variables in it changes.
func (n *narrower) place(x ir.Expr) ir.Expr {
	switch y := x.(type) {
	case nil:
		return nil
	case *ir.Use:
		return n.use(y)
	case *ir.Load:
		return n.load(y)
	}
	return ir.MapOperands(x, n.place)
}

func (n *narrower) use(x *ir.Use) ir.Expr {
	v, ok := n.vars[x.Var]
	if !ok {
		return x
	}
	return ir.ConvertTo(x.Var.Kind, v.Use())
}

func (n *narrower) load(x *ir.Load) ir.Expr {
	return ir.ConvertTo(x.Buf.Elem, n.buf(x.Buf).Load(n.place(x.Index)))
}

func (n *narrower) buf(b *ir.Buf) *ir.Buf {
	if c, ok := n.bufs[b]; ok {
		return c
	}
	return b
}

// narrow returns x, which is bounded, in few bits.
func (n *narrower) narrow(x ir.Expr) ir.Expr {
	r, ok := n.Of(x)
	if !ok || x.Kind() != ir.I64 {
		n.failed = true
		return x
	}
	n.used = append(facts.Reaches{}, n.used...).Union(r)
	switch y := x.(type) {
	case *ir.Int:
		return ir.ConvertTo(n.kind, y) // wraps where the kind is too narrow to be used
	case *ir.Unary:
		if y.Op == ir.OpNeg || y.Op == ir.OpAbs {
			return y.Op.Of(n.narrow(y.X))
		}
	case *ir.Binary:
		if n.narrows(y) {
			return y.Op.Of(n.narrow(y.X), n.narrow(y.Y))
		}
	case *ir.Select:
		if n.bounded(y.Then) && n.bounded(y.Else) {
			return &ir.Select{Cond: n.expr(y.Cond), Then: n.narrow(y.Then), Else: n.narrow(y.Else)}
		}
	case *ir.Convert:
		if y.X.Kind() == ir.I64 {
			return n.narrow(y.X)
		}
		return ir.ConvertTo(n.kind, n.expr(y.X))
	}
	switch y := x.(type) {
	case *ir.Use:
		return ir.ConvertTo(n.kind, stripped(n.use(y)))
	case *ir.Load:
		return ir.ConvertTo(n.kind, stripped(n.load(y)))
	}
	return ir.ConvertTo(n.kind, ir.MapOperands(x, n.expr))
}

// stripped returns x without a conversion to 64 bits.
func stripped(x ir.Expr) ir.Expr {
	if c, ok := x.(*ir.Convert); ok && c.To == ir.I64 && c.X.Kind().Exact() {
		return c.X
	}
	return x
}

// narrows reports whether an operation of few bits does what one of 64 does.
func (n *narrower) narrows(x *ir.Binary) bool {
	switch x.Op {
	case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpMin, ir.OpMax:
		return n.bounded(x.X) && n.bounded(x.Y)
	case ir.OpAnd:
		return n.Chosen(x) && n.bounded(x.X) && n.bounded(x.Y)
	case ir.OpRem, ir.OpQuo:
		return n.kind == ir.I32 && n.bounded(x.X) && n.bounded(x.Y)
	}
	return false
}

// declare returns the copy of a variable that the step declares.
func (n *narrower) declare(v *ir.Var) *ir.Var {
	if c, ok := n.vars[v]; ok {
		return c
	}
	k := v.Kind
	if n.small[v] {
		k = n.kind
	}
	c := n.Base.NewVar(v.Name, k)
	if r, ok := n.Base.Ranges[v]; ok && k == v.Kind {
		n.Base.Ranges[c] = r
	}
	if s, ok := n.Base.Spans[v]; ok {
		n.Base.Spans[c] = s
	}
	if lo, ok := n.Base.Least[v]; ok {
		n.Base.Least[c] = lo
	}
	n.vars[v] = c
	return c
}

// value returns x for a variable.
func (n *narrower) value(v *ir.Var, x ir.Expr) ir.Expr {
	if n.small[v] {
		if x == nil {
			return nil
		}
		return n.narrow(x)
	}
	return n.expr(x)
}

// target returns the variable that an assignment sets.
func (n *narrower) target(v *ir.Var) *ir.Var {
	if c, ok := n.vars[v]; ok {
		return c
	}
	return v
}

func (n *narrower) block(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		if c := n.stmt(s); c != nil {
			out = append(out, c)
		}
	}
	return out
}

func (n *narrower) stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Decl:
		x := n.value(s.Var, s.Init)
		return n.declare(s.Var).Decl(x)
	case *ir.Assign:
		x := n.value(s.Var, s.X)
		if b, ok := x.(*ir.Binary); ok && b.Op == ir.OpOr && ir.IsInt(b.Y, 0) {
			x = b.X
		}
		if u, ok := x.(*ir.Use); ok && u.Var == n.target(s.Var) {
			return nil
		}
		return n.target(s.Var).Assign(x)
	case *ir.Checked:
		return n.checked(s)
	case *ir.DeclBuf:
		return n.declBuf(s)
	case *ir.Free:
		return &ir.Free{Buf: n.buf(s.Buf)}
	case *ir.Move:
		return &ir.Move{Dst: n.buf(s.Dst), Src: n.buf(s.Src)}
	case *ir.Swap:
		return &ir.Swap{A: n.buf(s.A), B: n.buf(s.B)}
	case *ir.Copy:
		return &ir.Copy{Dst: n.buf(s.Dst), DstIndex: n.place(s.DstIndex), Src: n.buf(s.Src), SrcIndex: n.place(s.SrcIndex), Count: n.place(s.Count)}
	case *ir.Store:
		return n.store(s)
	case *ir.For:
		lo, hi := n.place(s.Lo), n.place(s.Hi)
		return &ir.For{Var: n.declare(s.Var), Lo: lo, Hi: hi, Body: n.inner(s.Body), Independent: s.Independent}
	case *ir.Nest:
		return n.nest(s)
	case *ir.Loop:
		return &ir.Loop{Body: n.block(s.Body)}
	case *ir.BreakIf:
		return &ir.BreakIf{Cond: n.expr(s.Cond)}
	case *ir.If:
		return &ir.If{Cond: n.expr(s.Cond), Then: n.block(s.Then), Else: n.block(s.Else)}
	case *ir.Fail:
		c := *s
		c.Args = nil
		for _, a := range s.Args {
			b := a
			b.X, b.Shape = n.place(a.X), n.placed(a.Shape)
			c.Args = append(c.Args, b)
		}
		return &c
	case *ir.Comment:
		return s
	}
	n.failed = true
	return s
}

func (n *narrower) placed(xs []ir.Expr) []ir.Expr {
	var out []ir.Expr
	for _, x := range xs {
		out = append(out, n.place(x))
	}
	return out
}

func (n *narrower) inner(block []ir.Stmt) []ir.Stmt {
	n.depth++
	out := n.block(block)
	n.depth--
	return out
}

// checked needs no check where the result fits.
func (n *narrower) checked(s *ir.Checked) ir.Stmt {
	x := s.Op.Of(s.X, s.Y)
	if n.depth > 0 && n.fits(x) {
		if n.small[s.Var] {
			return n.target(s.Var).Assign(n.narrow(x))
		}
		return n.target(s.Var).Assign(ir.ConvertTo(ir.I64, n.narrow(x)))
	}
	if n.small[s.Var] {
		n.failed = true
	}
	return &ir.Checked{Var: n.target(s.Var), Op: s.Op, X: n.expr(s.X), Y: n.expr(s.Y), Flag: n.target(s.Flag)}
}

func (n *narrower) declBuf(s *ir.DeclBuf) ir.Stmt {
	c := *s
	b := *s.Buf
	if n.Arrays[s.Buf] {
		b.Elem = n.kind
	} else if r, ok := n.Base.Bufs[s.Buf]; ok {
		n.Base.Bufs[&b] = r
	}
	if r, ok := n.Base.BufSpans[s.Buf]; ok {
		n.Base.BufSpans[&b] = r
	}
	n.bufs[s.Buf] = &b
	n.Base.Fixed[&b] = n.Base.Fixed[s.Buf]
	c.Buf, c.Shape = &b, n.placed(s.Shape)
	if s.Count != nil {
		c.Count = n.place(s.Count)
	}
	return &c
}

func (n *narrower) store(s *ir.Store) ir.Stmt {
	at := n.place(s.Index)
	if !n.Arrays[s.Buf] {
		return n.buf(s.Buf).Store(at, n.expr(s.X))
	}
	r, ok := n.Of(s.X)
	if !ok {
		n.failed = true
		return s
	}
	n.next = append(facts.Reaches{}, n.next...).Union(r)
	return n.buf(s.Buf).Store(at, n.narrow(s.X))
}

func (n *narrower) nest(s *ir.Nest) ir.Stmt {
	c := *s
	space := func(dims []ir.Dim) []ir.Dim {
		var out []ir.Dim
		for _, d := range dims {
			lo, hi := n.place(d.Lo), n.place(d.Hi)
			out = append(out, ir.Dim{Var: n.declare(d.Var), Lo: lo, Hi: hi})
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
