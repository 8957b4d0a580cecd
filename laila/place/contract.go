package place

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// rowLimit is the largest row, in elements, that is kept on the stack.
const rowLimit = 256

// contract replaces the arrays that are used in one nest of a block only, each
// iteration using places of its own, by variables, one for each place, or by rows on the
// stack:
//
//	alloc a: f64[n]
//	segmap i = 0 … n: a[i] = f(x[i]); b[i] = g(a[i])
//
// becomes
//
//	segmap i = 0 … n: var e = f(x[i]); b[i] = g(e)
//
// Where branches for faults read such an array, too, it is made again there (faultpath.go).
func (f *Fuser) contract(block []ir.Stmt, n *ir.Nest) []ir.Stmt {
	tests := f.testsBehind(block, n)
	elsewhere, tested := map[*ir.Buf]bool{}, map[*ir.Buf]bool{}
	for k, s := range block {
		switch s.(type) {
		case *ir.DeclBuf, *ir.Free:
			continue
		}
		for x := range f.Of(s).Buffers() {
			switch {
			case tests.has(k):
				tested[x] = true
			case s != ir.Stmt(n):
				elsewhere[x] = true
			}
		}
	}
	here := f.Of(n)
	gone := map[*ir.Buf]bool{}
	var again []contraction
	var p *places
	for _, s := range block {
		d, ok := s.(*ir.DeclBuf)
		if !ok || d.Count == nil || d.Zero && d.Buf.Stack == 0 || elsewhere[d.Buf] || !here.Stores[d.Buf] || d.Buf.Const {
			continue
		}
		if p == nil {
			p = f.places(n)
		}
		uses := p.at[d.Buf]
		if p.odd[d.Buf] || len(uses) == 0 {
			continue
		}
		c := contraction{d: d, own: p.own(uses)}
		if c.own == nil {
			c.row, ok = p.rowOf(uses)
			ok = ok && c.row <= rowLimit
		}
		switch {
		case !ok:
		case tested[d.Buf]:
			again = append(again, c)
		default:
			f.apply(c, n, p)
			gone[d.Buf] = true
		}
	}
	if len(again) > 0 {
		if m := f.remade(n, again); m != nil {
			for _, c := range again {
				f.apply(c, n, p)
				gone[c.d.Buf] = true
			}
			block = tests.with(block, m, again)
		}
	}
	if len(gone) == 0 {
		return block
	}
	delete(f.Sums, n)
	return ir.WithoutBufs(block, gone)
}

// contraction is an array that becomes variables, one for each of its places in an iteration,
// or a row of so many elements.
type contraction struct {
	d   *ir.DeclBuf
	own []affine.Poly
	row int64
}

func (f *Fuser) apply(c contraction, n *ir.Nest, p *places) {
	if c.own == nil {
		f.toRow(n, p, c.d, c.row)
		return
	}
	for _, at := range c.own {
		f.toVar(n, p, c.d.Buf, at)
	}
}

// toVar makes a variable of the element that an iteration has at a place of an array.
func (f *Fuser) toVar(n *ir.Nest, p *places, b *ir.Buf, place affine.Poly) {
	v := f.L.NewVar("e", b.Elem)
	if r, ok := f.L.Bufs[b]; ok {
		f.L.Ranges[v] = r
	}
	if s, ok := f.L.BufSpans[b]; ok {
		f.L.Spans[v] = s
	}
	here := func(index ir.Expr) bool { return p.read(index).Equal(place) }
	st, atOnce := firstUse(n.Body, b, here).(*ir.Store)
	r := &Rewriter{Load: func(l *ir.Load) ir.Expr {
		if l.Buf == b && here(l.Index) {
			return v.Use()
		}
		return l
	}, Store: func(s *ir.Store) ir.Stmt {
		if s.Buf != b || !here(s.Index) {
			return s
		}
		if s == st && atOnce {
			return v.Decl(s.X)
		}
		return v.Assign(s.X)
	}}
	n.Body = r.block(n.Body)
	if !atOnce {
		n.Body = append([]ir.Stmt{v.Decl(ir.Zero(b.Elem))}, n.Body...)
	}
}

// firstUse returns the first statement of a block that uses the element of an array at a
// place: a store that does not load it, or another statement, for which it is nil.
func firstUse(block []ir.Stmt, b *ir.Buf, here func(index ir.Expr) bool) ir.Stmt {
	for _, s := range block {
		loads, stores := false, false
		ir.Walk([]ir.Stmt{s}, func(t ir.Stmt) {
			if st, ok := t.(*ir.Store); ok && st.Buf == b {
				stores = stores || here(st.Index)
			}
			for _, x := range ir.Exprs(t) {
				if x != nil {
					ir.WalkExpr(x, func(x ir.Expr) {
						ld, ok := x.(*ir.Load)
						loads = loads || ok && ld.Buf == b && here(ld.Index)
					})
				}
			}
		})
		switch {
		case loads:
			return nil
		case stores:
			return s
		}
	}
	return nil
}

// toRow makes a row on the stack of an array that is used within a row of size
// elements an iteration.
func (f *Fuser) toRow(n *ir.Nest, p *places, d *ir.DeclBuf, size int64) {
	b := d.Buf
	row := &ir.Buf{Name: b.Name, Elem: b.Elem, Stack: size}
	if r, ok := f.L.Bufs[b]; ok {
		f.L.Bufs[row] = r
	}
	if s, ok := f.L.BufSpans[b]; ok {
		f.L.BufSpans[row] = s
	}
	place := func(index ir.Expr) ir.Expr {
		_, rest := p.read(index).Split(p.space[0].Var)
		return rest.Expr()
	}
	r := &Rewriter{Load: func(l *ir.Load) ir.Expr {
		if l.Buf == b {
			return row.Load(place(l.Index))
		}
		return l
	}, Store: func(s *ir.Store) ir.Stmt {
		if s.Buf == b {
			return row.Store(place(s.Index), s.X)
		}
		return s
	}}
	n.Body = append([]ir.Stmt{&ir.DeclBuf{Buf: row, Count: ir.Integer(size), Shape: []ir.Expr{ir.Integer(size)}, At: d.At}}, r.block(n.Body)...)
}

// Rewriter copies statements with loads and stores replaced.
type Rewriter struct {
	Load  func(l *ir.Load) ir.Expr
	Store func(s *ir.Store) ir.Stmt
}

func (r *Rewriter) block(block []ir.Stmt) []ir.Stmt {
	if block == nil {
		return nil
	}
	out := make([]ir.Stmt, len(block))
	for i, s := range block {
		out[i] = r.Stmt(s)
	}
	return out
}

func (r *Rewriter) dims(dims []ir.Dim) []ir.Dim {
	out := make([]ir.Dim, len(dims))
	for i, d := range dims {
		out[i] = ir.Dim{Var: d.Var, Lo: r.Expr(d.Lo), Hi: r.Expr(d.Hi)}
	}
	return out
}

// Stmt rewrites the expressions of a statement.
func (r *Rewriter) Stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Decl:
		return s.Var.Decl(r.Expr(s.Init))
	case *ir.Assign:
		return s.Var.Assign(r.Expr(s.X))
	case *ir.Checked:
		return &ir.Checked{Var: s.Var, Op: s.Op, X: r.Expr(s.X), Y: r.Expr(s.Y), Flag: s.Flag}
	case *ir.Store:
		t := s.Buf.Store(r.Expr(s.Index), r.Expr(s.X))
		u := r.Store(s)
		switch u := u.(type) {
		case *ir.Decl:
			u.Init = t.X
		case *ir.Assign:
			u.X = t.X
		case *ir.Store:
			if u == s {
				return t
			}
			u.X = t.X
		}
		return u
	case *ir.For:
		return &ir.For{Var: s.Var, Lo: r.Expr(s.Lo), Hi: r.Expr(s.Hi), Body: r.block(s.Body), Independent: s.Independent}
	case *ir.Nest:
		n := *s
		n.Dims, n.Red = r.dims(s.Dims), r.dims(s.Red)
		n.Pre, n.Body, n.Post = r.block(s.Pre), r.block(s.Body), r.block(s.Post)
		return &n
	case *ir.Loop:
		return &ir.Loop{Body: r.block(s.Body)}
	case *ir.BreakIf:
		return &ir.BreakIf{Cond: r.Expr(s.Cond)}
	case *ir.If:
		return &ir.If{Cond: r.Expr(s.Cond), Then: r.block(s.Then), Else: r.block(s.Else)}
	}
	return s
}

// Expr rewrites an expression.
func (r *Rewriter) Expr(x ir.Expr) ir.Expr {
	switch x := x.(type) {
	case nil:
		return nil
	case *ir.Load:
		return r.Load(x.Buf.Load(r.Expr(x.Index)))
	case *ir.Unary:
		return x.Op.Of(r.Expr(x.X))
	case *ir.Binary:
		return x.Op.Of(r.Expr(x.X), r.Expr(x.Y))
	case *ir.Select:
		return &ir.Select{Cond: r.Expr(x.Cond), Then: r.Expr(x.Then), Else: r.Expr(x.Else)}
	case *ir.Convert:
		return &ir.Convert{To: x.To, X: r.Expr(x.X)}
	case *ir.Math:
		args := make([]ir.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = r.Expr(a)
		}
		return &ir.Math{Fn: x.Fn, K: x.K, Args: args}
	}
	return x
}
