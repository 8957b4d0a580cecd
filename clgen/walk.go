package clgen

import "github.com/tailor-lang/tailor/laila"

// stmtExprs calls visit for the expressions of s itself that a kernel computes,
// some of which may be nil.
func stmtExprs(s laila.Stmt, visit func(laila.Expr)) {
	switch s := s.(type) {
	case *laila.DeclBuf:
		visit(s.Count)
	case *laila.Decl, *laila.Assign, *laila.Checked, *laila.Copy, *laila.Store, *laila.For, *laila.Nest, *laila.BreakIf, *laila.If:
		for _, x := range laila.Exprs(s) {
			visit(x)
		}
	}
}

// uses is what statements make of variables and buffers: those that come from
// outside, in the order of their first use.
type uses struct {
	bufs     []*laila.Buf
	vars     []*laila.Var // read or assigned
	written  map[*laila.Buf]bool
	read     map[*laila.Buf]bool
	assigned map[*laila.Var]bool // by Assign or Checked
	inside   map[*laila.Var]bool // declared by the statements
	local    map[*laila.Buf]bool
	seenBuf  map[*laila.Buf]bool
	seenVar  map[*laila.Var]bool
}

// usesOf collects the uses of statements; bound are variables that something
// around them binds.
func usesOf(list []laila.Stmt, bound ...*laila.Var) *uses {
	u := &uses{written: map[*laila.Buf]bool{}, read: map[*laila.Buf]bool{}, assigned: map[*laila.Var]bool{},
		inside: map[*laila.Var]bool{}, local: map[*laila.Buf]bool{}, seenBuf: map[*laila.Buf]bool{}, seenVar: map[*laila.Var]bool{}}
	for _, v := range bound {
		u.inside[v] = true
	}
	laila.Walk(list, u.binds)
	laila.Walk(list, u.stmt)
	return u
}

// binds notes what a statement declares.
func (u *uses) binds(s laila.Stmt) {
	switch s := s.(type) {
	case *laila.Decl:
		u.inside[s.Var] = true
	case *laila.For:
		u.inside[s.Var] = true
	case *laila.Nest:
		for _, d := range append(append([]laila.Dim{}, s.Dims...), s.Red...) {
			u.inside[d.Var] = true
		}
	case *laila.DeclBuf:
		u.local[s.Buf] = true
	case *laila.Runtime:
		for _, r := range s.Results {
			u.inside[r.Scalar] = true
		}
	}
}

func (u *uses) stmt(s laila.Stmt) {
	stmtExprs(s, u.expr)
	switch s := s.(type) {
	case *laila.Assign:
		u.assigned[s.Var] = true
		u.use(s.Var)
	case *laila.Checked:
		u.assigned[s.Var], u.assigned[s.Flag] = true, true
		u.use(s.Var)
		u.use(s.Flag)
	case *laila.Runtime:
		for _, a := range s.Args {
			u.expr(a.X)
			if a.Array != nil && a.Array.Buf != nil {
				u.read[a.Array.Buf] = true
				u.buf(a.Array.Buf)
				for _, d := range a.Array.Dims {
					u.expr(d)
				}
			} else if a.Array != nil {
				u.use(a.Array.Scalar)
			}
		}
	case *laila.Store:
		u.written[s.Buf] = true
		u.buf(s.Buf)
	case *laila.Copy:
		u.written[s.Dst], u.read[s.Src] = true, true
		u.buf(s.Dst)
		u.buf(s.Src)
	}
}

func (u *uses) expr(x laila.Expr) {
	laila.WalkExpr(x, func(x laila.Expr) {
		switch x := x.(type) {
		case *laila.Use:
			u.use(x.Var)
		case *laila.Load:
			u.read[x.Buf] = true
			u.buf(x.Buf)
		}
	})
}

func (u *uses) use(v *laila.Var) {
	if !u.inside[v] && !u.seenVar[v] {
		u.seenVar[v] = true
		u.vars = append(u.vars, v)
	}
}

func (u *uses) buf(b *laila.Buf) {
	if !u.local[b] && !u.seenBuf[b] {
		u.seenBuf[b] = true
		u.bufs = append(u.bufs, b)
	}
}
