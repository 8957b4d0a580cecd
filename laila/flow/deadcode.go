package flow

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Uses says which variables and buffers are read. What only goes into their
// own next value does not count.
type Uses struct {
	Vars map[*ir.Var]bool
	Bufs map[*ir.Buf]bool
	// waiting are statements that only compute, where wait is set: what they read counts where
	// somebody reads what they compute.
	wait    bool
	waiting []ir.Stmt
	noted   map[ir.Stmt][]ir.Expr
}

// NewUses returns the uses of nothing.
func NewUses() *Uses { return &Uses{Vars: map[*ir.Var]bool{}, Bufs: map[*ir.Buf]bool{}} }

// DropDead removes statements that compute what nobody reads. What is noted of a statement, for
// passes that have not run, is read where the statement stays.
func DropDead(f *ir.Func, noted map[ir.Stmt][]ir.Expr) {
	for {
		u := NewUses()
		u.wait, u.noted = true, noted
		for _, r := range f.Results {
			u.Bufs[r.Buf] = true
			u.Vars[r.Scalar] = true
			for _, d := range r.Dims {
				u.Expr(d, nil, nil)
			}
		}
		u.Block(f.Body)
		u.settle()
		s := &sweep{Uses: u}
		f.Body = s.block(f.Body)
		if !s.changed {
			return
		}
	}
}

// Expr notes what x reads, but for v and b.
func (u *Uses) Expr(x ir.Expr, v *ir.Var, b *ir.Buf) {
	switch x := x.(type) {
	case *ir.Use:
		if x.Var != v {
			u.Vars[x.Var] = true
		}
		return
	case *ir.Load:
		if x.Buf != b {
			u.Bufs[x.Buf] = true
		}
	}
	for _, y := range ir.Operands(x) {
		u.Expr(y, v, b)
	}
}

// Block adds the uses of a block.
func (u *Uses) Block(block []ir.Stmt) {
	for _, s := range block {
		u.stmt(s)
		for _, inner := range ir.Blocks(s) {
			u.Block(*inner)
		}
	}
}

// settle adds what the statements read that compute what is read, which may be read by others.
// Most uses follow what they use, so that the last statements come first.
func (u *Uses) settle() {
	u.wait = false
	for live := true; live; {
		live = false
		all := u.waiting
		u.waiting = nil
		for i := len(all) - 1; i >= 0; i-- {
			if u.dead(all[i]) {
				u.waiting = append(u.waiting, all[i])
				continue
			}
			live = true
			u.stmt(all[i])
			if c, ok := all[i].(*ir.Checked); ok { // its overflow may matter though its value does not
				u.Vars[c.Var] = true
			}
		}
		slices.Reverse(u.waiting)
	}
}

func (u *Uses) stmt(s ir.Stmt) {
	switch s.(type) {
	case *ir.Decl, *ir.Assign, *ir.Checked, *ir.Store:
		if u.wait {
			u.waiting = append(u.waiting, s)
			return
		}
	}
	for _, x := range u.noted[s] {
		u.Expr(x, nil, nil)
	}
	var v *ir.Var
	var b *ir.Buf
	switch s := s.(type) {
	case *ir.Assign:
		v = s.Var
	case *ir.Checked:
		v = s.Var
	case *ir.Store:
		b = s.Buf
	case *ir.Copy:
		u.Bufs[s.Src] = true
	case *ir.Micro:
		u.Bufs[s.A], u.Bufs[s.B] = true, true
	case *ir.Move, *ir.Swap, *ir.Alias, *ir.Call, *ir.Runtime:
		ir.EachBuffer(s, func(b *ir.Buf) { u.Bufs[b] = true })
	}
	for _, x := range ir.Exprs(s) {
		u.Expr(x, v, b)
	}
	switch s := s.(type) {
	case *ir.Call:
		for _, a := range s.Args {
			u.Vars[a.Scalar] = true
		}
	case *ir.Runtime:
		for _, a := range s.Args {
			if a.Array != nil {
				u.Vars[a.Array.Scalar] = true
			}
		}
	}
}

// sweep removes what is dead.
type sweep struct {
	*Uses
	changed bool
}

func (s *sweep) block(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, x := range block {
		if s.dead(x) {
			s.changed = true
			continue
		}
		if branch, ok := x.(*ir.If); ok {
			if c, known := ir.IntOf(branch.Cond); known {
				s.changed = true
				taken := branch.Else
				if c != 0 {
					taken = branch.Then
				}
				out = append(out, s.block(taken)...)
				continue
			}
		}
		nested := ir.Blocks(x)
		empty := len(nested) > 0
		for _, inner := range nested {
			*inner = s.block(*inner)
			empty = empty && len(*inner) == 0
		}
		if _, filter := x.(*ir.Filter); filter {
			empty = false
		}
		if _, loop := x.(*ir.Loop); empty && !loop {
			s.changed = true
			continue
		}
		switch y := x.(type) {
		case *ir.Nest:
			s.accs(y)
			s.flags(y)
		case *ir.Checked:
			if !s.Vars[y.Flag] {
				x = unchecked(y)
			}
		}
		out = append(out, x)
	}
	return out
}

// dead reports whether nobody reads what a statement computes that does nothing else.
func (u *Uses) dead(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Decl:
		return !u.Vars[s.Var]
	case *ir.Assign:
		return !u.Vars[s.Var]
	case *ir.Checked:
		return !u.Vars[s.Var] && !u.Vars[s.Flag]
	case *ir.DeclBuf:
		return !u.Bufs[s.Buf]
	case *ir.Free:
		return !u.Bufs[s.Buf]
	case *ir.Store:
		return !u.Bufs[s.Buf]
	case *ir.Copy:
		return !u.Bufs[s.Dst]
	case *ir.Filter:
		return !u.Bufs[s.Dst]
	case *ir.Micro:
		return !u.Bufs[s.C]
	}
	return false
}

// unchecked is the arithmetic of c, where nobody reads whether it overflows.
func unchecked(c *ir.Checked) ir.Stmt {
	switch c.Op {
	case ir.OpAdd:
		return c.Var.Assign(ir.Add(c.X, c.Y))
	case ir.OpSub:
		return c.Var.Assign(ir.Sub(c.X, c.Y))
	case ir.OpMul:
		return c.Var.Assign(ir.Mul(c.X, c.Y))
	}
	return c
}

// accs drops the accumulators of n that nobody reads.
func (s *sweep) accs(n *ir.Nest) {
	var live []ir.Acc
	for _, a := range n.Accs {
		if s.Vars[a.Var] {
			live = append(live, a)
		}
	}
	n.Accs = live
}

// flags drops the flags of n that nobody reads, whose declarations are gone.
func (s *sweep) flags(n *ir.Nest) {
	var live []*ir.Var
	for _, f := range n.Flags {
		if s.Vars[f] {
			live = append(live, f)
		}
	}
	n.Flags = live
}

// DropConsts removes the constants of p that nobody reads.
func DropConsts(p *ir.Program) {
	read := NewUses()
	for _, f := range append(append([]*ir.Func{}, p.Funcs...), p.Main) {
		read.Block(f.Body)
	}
	var used []*ir.Const
	for _, c := range p.Consts {
		if read.Bufs[c.Buf] {
			used = append(used, c)
		}
	}
	p.Consts = used
}
