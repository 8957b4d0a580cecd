package laila

// rowLimit is the largest row, in elements, that is kept on the stack.
const rowLimit = 256

// contract replaces the arrays that are used in one nest of a block only, each
// iteration using places of its own, by variables or by rows on the stack:
//
//	alloc a: f64[n]
//	segmap i = 0 … n: a[i] = f(x[i]); b[i] = g(a[i])
//
// becomes
//
//	segmap i = 0 … n: var e = f(x[i]); b[i] = g(e)
func (f *fuser) contract(block []Stmt, n *Nest) []Stmt {
	elsewhere := map[*Buf]bool{}
	for _, s := range block {
		switch s := s.(type) {
		case *DeclBuf, *Free:
		default:
			if s != Stmt(n) {
				for x := range f.of(s).buffers() {
					elsewhere[x] = true
				}
			}
		}
	}
	here := f.of(n)
	gone := map[*Buf]bool{}
	var p *places
	for _, s := range block {
		d, ok := s.(*DeclBuf)
		if !ok || d.Count == nil || d.Zero && d.Buf.Stack == 0 || elsewhere[d.Buf] || !here.stores[d.Buf] || d.Buf.Const {
			continue
		}
		if p == nil {
			p = f.places(n)
		}
		uses := p.at[d.Buf]
		if p.odd[d.Buf] || len(uses) == 0 {
			continue
		}
		if p.single(uses) {
			f.toVar(n, d.Buf)
			gone[d.Buf] = true
		} else if rows, ok := p.rowOf(uses); ok && rows <= rowLimit {
			f.toRow(n, p, d, rows)
			gone[d.Buf] = true
		}
	}
	if len(gone) == 0 {
		return block
	}
	delete(f.sums, n)
	var out []Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *DeclBuf:
			if gone[s.Buf] {
				continue
			}
		case *Free:
			if gone[s.Buf] {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// toVar makes a variable of an array that is used at one place an iteration.
func (f *fuser) toVar(n *Nest, b *Buf) {
	v := f.l.newVar("e", b.Elem)
	if r, ok := f.l.bufs[b]; ok {
		f.l.ranges[v] = r
	}
	if s, ok := f.l.bufSpans[b]; ok {
		f.l.spans[v] = s
	}
	first := -1
	for k, s := range n.Body {
		t := f.of(s)
		if t.loads[b] || t.stores[b] {
			first = k
			break
		}
	}
	st, atOnce := n.Body[first].(*Store)
	if atOnce {
		load := false
		loadsOf(st.X, func(x *Buf) { load = load || x == b })
		atOnce = !load && st.Buf == b
	}
	r := &rewriter{load: func(l *Load) Expr {
		if l.Buf == b {
			return &Use{v}
		}
		return l
	}, store: func(s *Store) Stmt {
		if s.Buf != b {
			return s
		}
		if s == st && atOnce {
			return &Decl{v, s.X}
		}
		return &Assign{v, s.X}
	}}
	n.Body = r.block(n.Body)
	if !atOnce {
		n.Body = append([]Stmt{&Decl{v, zeroOf(b.Elem)}}, n.Body...)
	}
}

func zeroOf(k Kind) Expr {
	switch k {
	case F64:
		return &Float{0}
	case C64:
		return complexNumber(0)
	}
	return &Int{0, k}
}

// toRow makes a row on the stack of an array that is used within a row of size
// elements an iteration.
func (f *fuser) toRow(n *Nest, p *places, d *DeclBuf, size int64) {
	b := d.Buf
	row := &Buf{Name: b.Name, Elem: b.Elem, Stack: size}
	if r, ok := f.l.bufs[b]; ok {
		f.l.bufs[row] = r
	}
	if s, ok := f.l.bufSpans[b]; ok {
		f.l.bufSpans[row] = s
	}
	place := func(index Expr) Expr {
		h := form{terms: map[product2]int64{}}
		p.add(&h, index, 1, 0)
		delete(h.terms, product2{x: p.space[0].Var})
		lin := linear{coef: map[*Var]int64{}, c: h.c}
		for t, k := range h.terms {
			lin.coef[t.x] = k
		}
		return lin.expr(func(v *Var) int { return f.l.seq[v] })
	}
	r := &rewriter{load: func(l *Load) Expr {
		if l.Buf == b {
			return &Load{row, place(l.Index)}
		}
		return l
	}, store: func(s *Store) Stmt {
		if s.Buf == b {
			return &Store{row, place(s.Index), s.X}
		}
		return s
	}}
	n.Body = append([]Stmt{&DeclBuf{Buf: row, Count: integer(size), Shape: []Expr{integer(size)}, At: d.At}}, r.block(n.Body)...)
}

// rewriter copies statements with loads and stores replaced.
type rewriter struct {
	load  func(l *Load) Expr
	store func(s *Store) Stmt
}

func (r *rewriter) block(block []Stmt) []Stmt {
	if block == nil {
		return nil
	}
	out := make([]Stmt, len(block))
	for i, s := range block {
		out[i] = r.stmt(s)
	}
	return out
}

func (r *rewriter) dims(dims []Dim) []Dim {
	out := make([]Dim, len(dims))
	for i, d := range dims {
		out[i] = Dim{d.Var, r.expr(d.Lo), r.expr(d.Hi)}
	}
	return out
}

func (r *rewriter) stmt(s Stmt) Stmt {
	switch s := s.(type) {
	case *Decl:
		return &Decl{s.Var, r.expr(s.Init)}
	case *Assign:
		return &Assign{s.Var, r.expr(s.X)}
	case *Checked:
		return &Checked{s.Var, s.Op, r.expr(s.X), r.expr(s.Y), s.Flag}
	case *Store:
		t := &Store{s.Buf, r.expr(s.Index), r.expr(s.X)}
		u := r.store(s)
		switch u := u.(type) {
		case *Decl:
			u.Init = t.X
		case *Assign:
			u.X = t.X
		case *Store:
			if u == s {
				return t
			}
			u.X = t.X
		}
		return u
	case *For:
		return &For{Var: s.Var, Lo: r.expr(s.Lo), Hi: r.expr(s.Hi), Body: r.block(s.Body), Independent: s.Independent}
	case *Nest:
		n := *s
		n.Dims, n.Red = r.dims(s.Dims), r.dims(s.Red)
		n.Pre, n.Body, n.Post = r.block(s.Pre), r.block(s.Body), r.block(s.Post)
		return &n
	case *Loop:
		return &Loop{r.block(s.Body)}
	case *BreakIf:
		return &BreakIf{r.expr(s.Cond)}
	case *If:
		return &If{r.expr(s.Cond), r.block(s.Then), r.block(s.Else)}
	}
	return s
}

func (r *rewriter) expr(x Expr) Expr {
	switch x := x.(type) {
	case nil:
		return nil
	case *Load:
		return r.load(&Load{x.Buf, r.expr(x.Index)})
	case *Unary:
		return &Unary{x.Op, r.expr(x.X)}
	case *Binary:
		return &Binary{x.Op, r.expr(x.X), r.expr(x.Y)}
	case *Select:
		return &Select{r.expr(x.Cond), r.expr(x.Then), r.expr(x.Else)}
	case *Convert:
		return &Convert{x.To, r.expr(x.X)}
	case *Math:
		args := make([]Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = r.expr(a)
		}
		return &Math{x.Fn, x.K, args}
	}
	return x
}
