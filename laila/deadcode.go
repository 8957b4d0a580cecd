package laila

import "github.com/tailor-lang/tailor/laila/ir"

// uses says which variables and buffers are read. What only goes into their
// own next value does not count.
type uses struct {
	vars map[*ir.Var]bool
	bufs map[*ir.Buf]bool
	// checked are operations whose overflow may matter though their value
	// does not.
	checked []*ir.Checked
}

func newUses() *uses { return &uses{vars: map[*ir.Var]bool{}, bufs: map[*ir.Buf]bool{}} }

// dropDead removes statements that compute what nobody reads.
func dropDead(f *ir.Func) {
	for {
		u := newUses()
		for _, r := range f.Results {
			u.bufs[r.Buf] = true
			u.vars[r.Scalar] = true
			for _, d := range r.Dims {
				u.expr(d, nil, nil)
			}
		}
		u.block(f.Body)
		for _, c := range u.checked {
			u.vars[c.Var] = u.vars[c.Var] || u.vars[c.Flag]
		}
		s := &sweep{uses: u}
		f.Body = s.block(f.Body)
		if !s.changed {
			return
		}
	}
}

// expr notes what x reads, but for v and b.
func (u *uses) expr(x ir.Expr, v *ir.Var, b *ir.Buf) {
	switch x := x.(type) {
	case *ir.Use:
		if x.Var != v {
			u.vars[x.Var] = true
		}
		return
	case *ir.Load:
		if x.Buf != b {
			u.bufs[x.Buf] = true
		}
	}
	for _, y := range ir.Operands(x) {
		u.expr(y, v, b)
	}
}

func (u *uses) block(block []ir.Stmt) {
	for _, s := range block {
		u.stmt(s)
		for _, inner := range ir.Blocks(s) {
			u.block(*inner)
		}
	}
}

func (u *uses) stmt(s ir.Stmt) {
	var v *ir.Var
	var b *ir.Buf
	switch s := s.(type) {
	case *ir.Assign:
		v = s.Var
	case *ir.Checked:
		v = s.Var
		u.checked = append(u.checked, s)
	case *ir.Store:
		b = s.Buf
	case *ir.Copy:
		u.bufs[s.Src] = true
	case *ir.Micro:
		u.bufs[s.A], u.bufs[s.B] = true, true
	case *ir.Move, *ir.Swap, *ir.Alias, *ir.Call, *ir.Runtime:
		ir.EachBuffer(s, func(b *ir.Buf) { u.bufs[b] = true })
	}
	for _, x := range ir.Exprs(s) {
		u.expr(x, v, b)
	}
	switch s := s.(type) {
	case *ir.Call:
		for _, a := range s.Args {
			u.vars[a.Scalar] = true
		}
	case *ir.Runtime:
		for _, a := range s.Args {
			if a.Array != nil {
				u.vars[a.Array.Scalar] = true
			}
		}
	}
}

// sweep removes what is dead.
type sweep struct {
	*uses
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
		if n, ok := x.(*ir.Nest); ok {
			s.accs(n)
			s.flags(n)
		}
		out = append(out, x)
	}
	return out
}

func (s *sweep) dead(x ir.Stmt) bool {
	switch x := x.(type) {
	case *ir.Decl:
		return !s.vars[x.Var]
	case *ir.Assign:
		return !s.vars[x.Var]
	case *ir.Checked:
		return !s.vars[x.Var] && !s.vars[x.Flag]
	case *ir.DeclBuf:
		return !s.bufs[x.Buf]
	case *ir.Free:
		return !s.bufs[x.Buf]
	case *ir.Store:
		return !s.bufs[x.Buf]
	case *ir.Copy:
		return !s.bufs[x.Dst]
	case *ir.Filter:
		return !s.bufs[x.Dst]
	case *ir.Micro:
		return !s.bufs[x.C]
	}
	return false
}

// accs drops the accumulators of n that nobody reads.
func (s *sweep) accs(n *ir.Nest) {
	var live []ir.Acc
	for _, a := range n.Accs {
		if s.vars[a.Var] {
			live = append(live, a)
		}
	}
	n.Accs = live
}

// flags drops the flags of n that nobody reads, whose declarations are gone.
func (s *sweep) flags(n *ir.Nest) {
	var live []*ir.Var
	for _, f := range n.Flags {
		if s.vars[f] {
			live = append(live, f)
		}
	}
	n.Flags = live
}

// dropConsts removes the constants of p that nobody reads.
func dropConsts(p *ir.Program) {
	read := newUses()
	for _, f := range append(append([]*ir.Func{}, p.Funcs...), p.Main) {
		read.block(f.Body)
	}
	var used []*ir.Const
	for _, c := range p.Consts {
		if read.bufs[c.Buf] {
			used = append(used, c)
		}
	}
	p.Consts = used
}
