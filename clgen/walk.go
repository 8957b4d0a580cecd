package clgen

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// exprs calls visit for the expressions of s itself that a kernel computes, and all in them.
func exprs(s ir.Stmt, visit func(ir.Expr)) {
	if _, fault := s.(*ir.Fail); fault {
		return
	}
	for _, x := range ir.Exprs(s) {
		ir.WalkExpr(x, visit)
	}
}

// allExprs calls visit for all expressions of statements.
func allExprs(list []ir.Stmt, visit func(ir.Expr)) {
	ir.Walk(list, func(s ir.Stmt) { exprs(s, visit) })
}

func isLoad(x ir.Expr, b *ir.Buf) bool {
	l, ok := x.(*ir.Load)
	return ok && l.Buf == b
}

// uses is what statements make of variables and buffers: those that come from
// outside, in the order of their first use.
type uses struct {
	bufs     []*ir.Buf
	vars     []*ir.Var // read or assigned
	written  map[*ir.Buf]bool
	read     map[*ir.Buf]bool
	assigned map[*ir.Var]bool // by Assign or Checked
	inside   map[*ir.Var]bool // declared by the statements
	local    map[*ir.Buf]bool
}

// usesOf collects the uses of statements; bound are variables that something
// around them binds.
func usesOf(list []ir.Stmt, bound ...*ir.Var) *uses {
	u := &uses{written: map[*ir.Buf]bool{}, read: map[*ir.Buf]bool{}, assigned: map[*ir.Var]bool{},
		inside: map[*ir.Var]bool{}, local: map[*ir.Buf]bool{}}
	for _, v := range bound {
		u.inside[v] = true
	}
	ir.Walk(list, u.binds)
	ir.Walk(list, u.stmt)
	return u
}

// binds notes what a statement declares.
func (u *uses) binds(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Decl:
		u.inside[s.Var] = true
	case *ir.For:
		u.inside[s.Var] = true
	case *ir.Nest:
		for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
			u.inside[d.Var] = true
		}
	case *ir.DeclBuf:
		u.local[s.Buf] = true
	}
}

func (u *uses) stmt(s ir.Stmt) {
	exprs(s, u.expr)
	switch s := s.(type) {
	case *ir.Assign:
		u.assigned[s.Var] = true
		u.use(s.Var)
	case *ir.Checked:
		u.assigned[s.Var], u.assigned[s.Flag] = true, true
		u.use(s.Var)
		u.use(s.Flag)
	case *ir.Store:
		u.written[s.Buf] = true
		u.buf(s.Buf)
	case *ir.Copy:
		u.written[s.Dst], u.read[s.Src] = true, true
		u.buf(s.Dst)
		u.buf(s.Src)
	}
}

func (u *uses) expr(x ir.Expr) {
	switch x := x.(type) {
	case *ir.Use:
		u.use(x.Var)
	case *ir.Load:
		u.read[x.Buf] = true
		u.buf(x.Buf)
	}
}

func (u *uses) use(v *ir.Var) {
	if !u.inside[v] && !slices.Contains(u.vars, v) {
		u.vars = append(u.vars, v)
	}
}

func (u *uses) buf(b *ir.Buf) {
	if !u.local[b] && !slices.Contains(u.bufs, b) {
		u.bufs = append(u.bufs, b)
	}
}

// outer reports whether x depends on one of the variables, or on memory.
func outer(x ir.Expr, vars map[*ir.Var]bool) bool {
	return ir.MentionsAny(x, vars) || !ir.IsLoadFree(x)
}
