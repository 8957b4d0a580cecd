package laila

import (
	"github.com/tailor-lang/tailor/laila/ir"
)

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
func (f *fuser) contract(block []ir.Stmt, n *ir.Nest) []ir.Stmt {
	elsewhere := map[*ir.Buf]bool{}
	for _, s := range block {
		switch s := s.(type) {
		case *ir.DeclBuf, *ir.Free:
		default:
			if s != ir.Stmt(n) {
				for x := range f.of(s).Buffers() {
					elsewhere[x] = true
				}
			}
		}
	}
	here := f.of(n)
	gone := map[*ir.Buf]bool{}
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
	var out []ir.Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *ir.DeclBuf:
			if gone[s.Buf] {
				continue
			}
		case *ir.Free:
			if gone[s.Buf] {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// toVar makes a variable of an array that is used at one place an iteration.
func (f *fuser) toVar(n *ir.Nest, b *ir.Buf) {
	v := f.l.NewVar("e", b.Elem)
	if r, ok := f.l.Bufs[b]; ok {
		f.l.Ranges[v] = r
	}
	if s, ok := f.l.BufSpans[b]; ok {
		f.l.Spans[v] = s
	}
	first := -1
	for k, s := range n.Body {
		t := f.of(s)
		if t.Loads[b] || t.Stores[b] {
			first = k
			break
		}
	}
	st, atOnce := n.Body[first].(*ir.Store)
	if atOnce {
		load := false
		ir.EachLoad(st.X, func(x *ir.Buf) { load = load || x == b })
		atOnce = !load && st.Buf == b
	}
	r := &rewriter{load: func(l *ir.Load) ir.Expr {
		if l.Buf == b {
			return v.Use()
		}
		return l
	}, store: func(s *ir.Store) ir.Stmt {
		if s.Buf != b {
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

// toRow makes a row on the stack of an array that is used within a row of size
// elements an iteration.
func (f *fuser) toRow(n *ir.Nest, p *places, d *ir.DeclBuf, size int64) {
	b := d.Buf
	row := &ir.Buf{Name: b.Name, Elem: b.Elem, Stack: size}
	if r, ok := f.l.Bufs[b]; ok {
		f.l.Bufs[row] = r
	}
	if s, ok := f.l.BufSpans[b]; ok {
		f.l.BufSpans[row] = s
	}
	place := func(index ir.Expr) ir.Expr {
		_, rest := p.read(index).Split(p.space[0].Var)
		return rest.Expr()
	}
	r := &rewriter{load: func(l *ir.Load) ir.Expr {
		if l.Buf == b {
			return row.Load(place(l.Index))
		}
		return l
	}, store: func(s *ir.Store) ir.Stmt {
		if s.Buf == b {
			return row.Store(place(s.Index), s.X)
		}
		return s
	}}
	n.Body = append([]ir.Stmt{&ir.DeclBuf{Buf: row, Count: ir.Integer(size), Shape: []ir.Expr{ir.Integer(size)}, At: d.At}}, r.block(n.Body)...)
}

// rewriter copies statements with loads and stores replaced.
type rewriter struct {
	load  func(l *ir.Load) ir.Expr
	store func(s *ir.Store) ir.Stmt
}

func (r *rewriter) block(block []ir.Stmt) []ir.Stmt {
	if block == nil {
		return nil
	}
	out := make([]ir.Stmt, len(block))
	for i, s := range block {
		out[i] = r.stmt(s)
	}
	return out
}

func (r *rewriter) dims(dims []ir.Dim) []ir.Dim {
	out := make([]ir.Dim, len(dims))
	for i, d := range dims {
		out[i] = ir.Dim{Var: d.Var, Lo: r.expr(d.Lo), Hi: r.expr(d.Hi)}
	}
	return out
}

func (r *rewriter) stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Decl:
		return s.Var.Decl(r.expr(s.Init))
	case *ir.Assign:
		return s.Var.Assign(r.expr(s.X))
	case *ir.Checked:
		return &ir.Checked{Var: s.Var, Op: s.Op, X: r.expr(s.X), Y: r.expr(s.Y), Flag: s.Flag}
	case *ir.Store:
		t := s.Buf.Store(r.expr(s.Index), r.expr(s.X))
		u := r.store(s)
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
		return &ir.For{Var: s.Var, Lo: r.expr(s.Lo), Hi: r.expr(s.Hi), Body: r.block(s.Body), Independent: s.Independent}
	case *ir.Nest:
		n := *s
		n.Dims, n.Red = r.dims(s.Dims), r.dims(s.Red)
		n.Pre, n.Body, n.Post = r.block(s.Pre), r.block(s.Body), r.block(s.Post)
		return &n
	case *ir.Loop:
		return &ir.Loop{Body: r.block(s.Body)}
	case *ir.BreakIf:
		return &ir.BreakIf{Cond: r.expr(s.Cond)}
	case *ir.If:
		return &ir.If{Cond: r.expr(s.Cond), Then: r.block(s.Then), Else: r.block(s.Else)}
	}
	return s
}

func (r *rewriter) expr(x ir.Expr) ir.Expr {
	switch x := x.(type) {
	case nil:
		return nil
	case *ir.Load:
		return r.load(x.Buf.Load(r.expr(x.Index)))
	case *ir.Unary:
		return x.Op.Of(r.expr(x.X))
	case *ir.Binary:
		return x.Op.Of(r.expr(x.X), r.expr(x.Y))
	case *ir.Select:
		return &ir.Select{Cond: r.expr(x.Cond), Then: r.expr(x.Then), Else: r.expr(x.Else)}
	case *ir.Convert:
		return &ir.Convert{To: x.To, X: r.expr(x.X)}
	case *ir.Math:
		args := make([]ir.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = r.expr(a)
		}
		return &ir.Math{Fn: x.Fn, K: x.K, Args: args}
	}
	return x
}
