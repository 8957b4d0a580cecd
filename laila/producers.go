package laila

// producers computes the elements of a matrix where they are used, when they
// are used by one reduction of its rows only, though by several of its
// accumulators:
//
//	segmap i, j: w[i*n + j] = f(i, j)
//	segmap i: segred { red j: a = a + g(j) * w[i*n + j]; b = b + h(j) * w[i*n + j] }
//
// becomes
//
//	segmap i: segred { red j: e = f(i, j); a = a + g(j) * e; b = b + h(j) * e }
//
// so that the matrix is never in memory.
//
// Requires: nests and reductions that have been joined. Preserves: faults,
// since what can fault stays where it is.
func producers(f *Func) {
	f.Body = inlineProducers(f.Body, bufUses(f.Body, map[*Buf]int{}))
}

// bufUses counts the statements that mention buffers, but for their
// declarations and ends.
func bufUses(block []Stmt, n map[*Buf]int) map[*Buf]int {
	for _, s := range block {
		switch s.(type) {
		case *DeclBuf, *Free:
			continue
		}
		bufsOf(s, func(b *Buf) { n[b]++ })
		for _, inner := range Blocks(s) {
			bufUses(*inner, n)
		}
	}
	return n
}

func inlineProducers(block []Stmt, uses map[*Buf]int) []Stmt {
	for _, s := range block {
		for _, inner := range Blocks(s) {
			*inner = inlineProducers(*inner, uses)
		}
	}
	for i := 0; i < len(block); i++ {
		p := producerOf(block[i])
		if p == nil || !declares(block, p.buf) {
			continue
		}
		if j := p.consumer(block, i, uses); j >= 0 {
			block = append(append([]Stmt{}, block[:i]...), block[i+1:]...)
			block = withoutBuf(block, p.buf)
			i = -1
		}
	}
	return block
}

// producer is a nest that makes a matrix.
type producer struct {
	nest  *Nest
	buf   *Buf
	index *Binary // of the element
	reads *touched
}

// producerOf returns the producer that s is, or nil.
func producerOf(s Stmt) *producer {
	n, ok := s.(*Nest)
	if !ok || n.Kind != SegMap || len(n.Dims) != 2 || len(n.Red) != 0 || len(n.Flags) != 0 || len(n.Body) == 0 {
		return nil
	}
	st, ok := n.Body[len(n.Body)-1].(*Store)
	if !ok || st.Buf.Const {
		return nil
	}
	for _, s := range n.Body[:len(n.Body)-1] {
		switch s := s.(type) {
		case *Decl:
			if s.Init == nil {
				return nil
			}
		case *Comment:
		default:
			return nil
		}
	}
	p := &producer{nest: n, buf: st.Buf, reads: newTouched()}
	for _, s := range n.Body {
		p.reads.stmt(s)
	}
	p.index, ok = st.Index.(*Binary)
	row, ok2 := rowOf(p.index)
	if !ok || !ok2 || p.reads.bufs[p.buf] || !isUse(row, n.Dims[0].Var) || !isUse(p.index.Y, n.Dims[1].Var) {
		return nil
	}
	return p
}

// rowOf returns i of i*n + j.
func rowOf(x *Binary) (Expr, bool) {
	if x == nil || x.Op != Add {
		return nil, false
	}
	m, ok := x.X.(*Binary)
	if !ok || m.Op != Mul {
		return nil, false
	}
	return m.X, true
}

func isUse(x Expr, v *Var) bool {
	u, ok := x.(*Use)
	return ok && u.Var == v
}

func declares(block []Stmt, b *Buf) bool {
	for _, s := range block {
		if d, ok := s.(*DeclBuf); ok && d.Buf == b {
			return true
		}
	}
	return false
}

func withoutBuf(block []Stmt, b *Buf) []Stmt {
	var out []Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *DeclBuf:
			if s.Buf == b {
				continue
			}
		case *Free:
			if s.Buf == b {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// consumer moves the producer at position i of a block into the reduction that
// uses its matrix, and returns the position of that; -1 where there is none.
func (p *producer) consumer(block []Stmt, i int, uses map[*Buf]int) int {
	for j := i + 1; j < len(block) && j <= i+fuseWindow; j++ {
		if n, ok := block[j].(*Nest); ok && bufUses([]Stmt{n}, map[*Buf]int{})[p.buf] > 0 {
			if !p.undisturbed(block[j:j+1]) || !p.into(n, uses) {
				return -1
			}
			return j
		}
		if !p.undisturbed(block[j : j+1]) {
			return -1
		}
	}
	return -1
}

// undisturbed reports whether statements write nothing that the producer reads.
func (p *producer) undisturbed(block []Stmt) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *Assign:
			if p.reads.reads[s.Var] {
				return false
			}
		case *Store:
			if p.reads.bufs[s.Buf] {
				return false
			}
		case *Copy:
			if p.reads.bufs[s.Dst] {
				return false
			}
		case *Decl, *DeclBuf, *Comment, *Nest, *For, *If:
		case *Free:
			if p.reads.bufs[s.Buf] {
				return false
			}
		default:
			return false
		}
		for _, inner := range Blocks(s) {
			if !p.undisturbed(*inner) {
				return false
			}
		}
	}
	return true
}

// into moves the producer into a reduction of n.
func (p *producer) into(n *Nest, uses map[*Buf]int) bool {
	outer := p.nest.Dims[0]
	if n.Kind != SegMap || len(n.Dims) != 1 || len(n.Red) != 0 || !same(n.Dims[0].Lo, outer.Lo) || !same(n.Dims[0].Hi, outer.Hi) {
		return false
	}
	alias := map[*Var]*Var{}
	var red *Nest
	for _, s := range n.Body {
		aliases(s, alias)
		if r, ok := s.(*Nest); ok && bufUses([]Stmt{r}, map[*Buf]int{})[p.buf] > 0 {
			red = r
			break
		}
	}
	inner := p.nest.Dims[1]
	if red == nil || red.Kind != SegRed || len(red.Dims) != 0 || len(red.Red) != 1 ||
		!same(red.Red[0].Lo, inner.Lo) || !same(red.Red[0].Hi, inner.Hi) {
		return false
	}
	here, odd := 1, false // the store
	width := p.index.X.(*Binary).Y
	e := &Var{Name: "e", Kind: p.buf.Elem}
	replace := func(x Expr) Expr {
		ld, ok := x.(*Load)
		if !ok || ld.Buf != p.buf {
			return x
		}
		here++
		at, _ := ld.Index.(*Binary)
		row, ok := rowOf(at)
		if !ok || !same(at.X.(*Binary).Y, width) || !isAlias(row, n.Dims[0].Var, alias) || !isAlias(at.Y, red.Red[0].Var, alias) {
			odd = true
			return x
		}
		return &Use{e}
	}
	// Look first, change then.
	body := make([]Stmt, len(red.Body))
	for i, s := range red.Body {
		aliases(s, alias)
		c := copyScalar(s)
		if c == nil || !mapScalars(c, replace) {
			return false
		}
		body[i] = c
	}
	if odd || here != uses[p.buf] {
		return false
	}
	st := p.nest.Body[len(p.nest.Body)-1].(*Store)
	moved := []Stmt{&Decl{outer.Var, &Use{n.Dims[0].Var}}, &Decl{inner.Var, &Use{red.Red[0].Var}}}
	moved = append(moved, p.nest.Body[:len(p.nest.Body)-1]...)
	moved = append(moved, &Decl{e, st.X})
	red.Body = append(moved, body...)
	return true
}

// aliases notes that a statement declares another name of a variable.
func aliases(s Stmt, alias map[*Var]*Var) {
	if d, ok := s.(*Decl); ok && d.Init != nil {
		if u, ok := d.Init.(*Use); ok {
			alias[d.Var] = u.Var
		}
	}
}

func isAlias(x Expr, v *Var, alias map[*Var]*Var) bool {
	u, ok := x.(*Use)
	if !ok {
		return false
	}
	w := u.Var
	for range 8 {
		if w == v {
			return true
		}
		if w = alias[w]; w == nil {
			break
		}
	}
	return false
}

// copyScalar returns a copy of a statement of straight code, or nil.
func copyScalar(s Stmt) Stmt {
	switch s := s.(type) {
	case *Decl:
		c := *s
		return &c
	case *Assign:
		c := *s
		return &c
	case *Store:
		c := *s
		return &c
	case *Comment:
		return s
	}
	return nil
}
