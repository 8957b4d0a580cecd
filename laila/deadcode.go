package laila

// uses says which variables and buffers are read. What only goes into their
// own next value does not count.
type uses struct {
	vars map[*Var]bool
	bufs map[*Buf]bool
	// checked are operations whose overflow may matter though their value
	// does not.
	checked []*Checked
}

func newUses() *uses { return &uses{vars: map[*Var]bool{}, bufs: map[*Buf]bool{}} }

// dropDead removes statements that compute what nobody reads.
func dropDead(f *Func) {
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
func (u *uses) expr(x Expr, v *Var, b *Buf) {
	switch x := x.(type) {
	case *Use:
		if x.Var != v {
			u.vars[x.Var] = true
		}
		return
	case *Load:
		if x.Buf != b {
			u.bufs[x.Buf] = true
		}
	}
	for _, y := range Operands(x) {
		u.expr(y, v, b)
	}
}

func (u *uses) block(block []Stmt) {
	for _, s := range block {
		u.stmt(s)
		for _, inner := range Blocks(s) {
			u.block(*inner)
		}
	}
}

func (u *uses) stmt(s Stmt) {
	var v *Var
	var b *Buf
	switch s := s.(type) {
	case *Assign:
		v = s.Var
	case *Checked:
		v = s.Var
		u.checked = append(u.checked, s)
	case *Store:
		b = s.Buf
	case *Copy:
		u.bufs[s.Src] = true
	case *Micro:
		u.bufs[s.A], u.bufs[s.B] = true, true
	case *Move, *Swap, *Alias, *Call, *Runtime:
		bufsOf(s, func(b *Buf) { u.bufs[b] = true })
	}
	for _, x := range Exprs(s) {
		u.expr(x, v, b)
	}
	switch s := s.(type) {
	case *Call:
		for _, a := range s.Args {
			u.vars[a.Scalar] = true
		}
	case *Runtime:
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

func (s *sweep) block(block []Stmt) []Stmt {
	var out []Stmt
	for _, x := range block {
		if s.dead(x) {
			s.changed = true
			continue
		}
		if branch, ok := x.(*If); ok {
			if c, known := intOf(branch.Cond); known {
				s.changed = true
				taken := branch.Else
				if c != 0 {
					taken = branch.Then
				}
				out = append(out, s.block(taken)...)
				continue
			}
		}
		nested := Blocks(x)
		empty := len(nested) > 0
		for _, inner := range nested {
			*inner = s.block(*inner)
			empty = empty && len(*inner) == 0
		}
		if _, filter := x.(*Filter); filter {
			empty = false
		}
		if _, loop := x.(*Loop); empty && !loop {
			s.changed = true
			continue
		}
		if n, ok := x.(*Nest); ok {
			s.accs(n)
			s.flags(n)
		}
		out = append(out, x)
	}
	return out
}

func (s *sweep) dead(x Stmt) bool {
	switch x := x.(type) {
	case *Decl:
		return !s.vars[x.Var]
	case *Assign:
		return !s.vars[x.Var]
	case *Checked:
		return !s.vars[x.Var] && !s.vars[x.Flag]
	case *DeclBuf:
		return !s.bufs[x.Buf]
	case *Free:
		return !s.bufs[x.Buf]
	case *Store:
		return !s.bufs[x.Buf]
	case *Copy:
		return !s.bufs[x.Dst]
	case *Filter:
		return !s.bufs[x.Dst]
	case *Micro:
		return !s.bufs[x.C]
	}
	return false
}

// accs drops the accumulators of n that nobody reads.
func (s *sweep) accs(n *Nest) {
	var live []Acc
	for _, a := range n.Accs {
		if s.vars[a.Var] {
			live = append(live, a)
		}
	}
	n.Accs = live
}

// flags drops the flags of n that nobody reads, whose declarations are gone.
func (s *sweep) flags(n *Nest) {
	var live []*Var
	for _, f := range n.Flags {
		if s.vars[f] {
			live = append(live, f)
		}
	}
	n.Flags = live
}
