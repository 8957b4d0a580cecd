package memory

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// The code of pass ends.

// extent makes a variable for a number of elements or a place.
func (e *ends) extent(name string) *ir.Var {
	v := e.NewVar(name, ir.I64)
	e.Ranges[v] = facts.Between(0, facts.MaxExtent)
	return v
}

// like makes a buffer for elements like those of b.
func (e *ends) like(name string, b *ir.Buf) *ir.Buf {
	c := &ir.Buf{Name: name, Elem: b.Elem}
	e.Like(b, c)
	return c
}

// exchange makes the elements of a part those of storage that it moved to.
func (e *ends) exchange(b, storage *ir.Buf) *ir.Swap {
	s := &ir.Swap{A: b, B: storage}
	e.moves[s] = true
	return s
}

// begin is what goes before the loop. How much room there is, is not known yet.
func (e *ends) begin(p *part) []ir.Stmt {
	var out []ir.Stmt
	for _, v := range []*ir.Var{p.off, p.len, p.room} {
		if v != nil {
			out = append(out, v.Decl(ir.Integer(0)))
		}
	}
	return out
}

// end moves the elements to the beginning of storage.
func (e *ends) end(p *part) []ir.Stmt {
	if p.off == nil {
		return nil
	}
	own := e.like("own", p.buf)
	i := e.extent("i")
	n := p.len.Use()
	return []ir.Stmt{&ir.If{Cond: ir.OpNe.Of(p.off.Use(), ir.Integer(0)), Then: []ir.Stmt{
		&ir.DeclBuf{Buf: own, Count: n, Shape: []ir.Expr{n}, At: p.sites[0].decl.At},
		e.mapped([]ir.Dim{{Var: i, Lo: ir.Integer(0), Hi: n}}, own.Store(i.Use(), p.buf.Load(ir.Add(p.off.Use(), i.Use())))),
		e.exchange(p.buf, own),
		&ir.Free{Buf: own},
	}}}
}

// shiftLoads has the places of a part begin at its offset, outside of the copies.
func (p *part) shiftLoads(body []ir.Stmt) {
	ir.Walk(body, func(s ir.Stmt) {
		ir.MapExprs(s, func(x ir.Expr) ir.Expr {
			if l, ok := x.(*ir.Load); ok && l.Buf == p.buf {
				return l.Buf.Load(ir.Add(p.off.Use(), l.Index))
			}
			return x
		})
		if s, ok := s.(*ir.Store); ok && s.Buf == p.buf {
			s.Index = ir.Add(p.off.Use(), s.Index)
		}
	})
}

// rewrite puts the code of the sites in place.
func (e *ends) rewrite(block []ir.Stmt, p *part) []ir.Stmt {
	first, last := map[ir.Stmt]*emission{}, map[ir.Stmt]*emission{}
	gone := map[ir.Stmt]*emission{}
	single := map[ir.Stmt]bool{}
	for _, s := range p.sites {
		em := &emission{ends: e, part: p, site: s}
		first[s.decl], last[s.swap] = em, em
		gone[s.kept], gone[s.free] = em, em
		for _, x := range s.single {
			single[x] = true
		}
	}
	var visit func(block []ir.Stmt) []ir.Stmt
	visit = func(block []ir.Stmt) []ir.Stmt {
		var out []ir.Stmt
		for i, s := range block {
			if em := first[s]; em != nil {
				out = append(out, em.begin(block[i:])...)
			} else if em := last[s]; em != nil {
				out = append(out, em.change()...)
			} else if em := gone[s]; em != nil {
				if s == ir.Stmt(em.site.free) && em.news != nil && em.news != em.buf && em.news.Stack == 0 {
					out = append(out, &ir.Free{Buf: em.news})
				}
			} else if single[s] {
				n := mapOf(s)
				out = append(append(out, n.Dims[0].Var.Decl(n.Dims[0].Lo)), n.Body...)
			} else {
				for _, inner := range ir.SequentialBlocks(s) {
					*inner = visit(*inner)
				}
				out = append(out, s)
			}
		}
		return out
	}
	return visit(block)
}

// emission is a site that is rewritten.
type emission struct {
	*ends
	*part
	site                   *site
	n, start, count, shift ir.Expr
	same                   ir.Expr
	at                     *ir.Var // where the array begins then
	news                   *ir.Buf // what comes to the array
	decls                  []ir.Stmt
}

// begin stands in place of the new array's declaration: it computes what is needed
// when the array changes, and declares room for what comes to it.
func (em *emission) begin(rest []ir.Stmt) []ir.Stmt {
	s := em.site
	for i := len(s.early) - 1; i >= 0; i-- {
		d := s.early[i]
		twin := em.Twin(d.Var)
		em.decls = append(em.decls, twin.Decl(d.Init))
		s.replace(d.Var, twin.Use())
	}
	em.freeze(rest)
	em.n = em.bound("n", s.decl.Count)
	em.start = em.bound("start", s.start.Expr())
	em.count = em.bound("kept", s.count.Expr())
	em.shift = em.bound("shift", s.shift.Expr())
	if s.same != nil {
		same := em.NewVar("same", ir.U8)
		em.decls = append(em.decls, same.Decl(s.same))
		em.same = same.Use()
	}
	em.at = em.extent("at")
	delete(em.Ranges, em.at)
	if s.direct {
		em.decls = append(em.decls, em.shifted()...)
	}
	if len(s.ends) == 0 {
		return em.decls
	}
	em.news = em.buf
	if !s.direct {
		em.news = em.like("ends", s.decl.Buf)
		size := ir.Sub(em.n, em.count)
		if s.news > 0 {
			em.news.Stack, size = s.news, ir.Integer(s.news)
		}
		em.decls = append(em.decls, &ir.DeclBuf{Buf: em.news, Count: size, Shape: []ir.Expr{size}, At: s.decl.At})
	}
	for _, x := range s.ends {
		em.redirect(x)
	}
	return em.decls
}

// freeze replaces variables in the site that get other values before the array
// changes.
func (em *emission) freeze(rest []ir.Stmt) {
	s := em.site
	set := map[*ir.Var]bool{}
	for _, x := range rest {
		if x == ir.Stmt(s.swap) {
			break
		}
		flow.NoteAssigned([]ir.Stmt{x}, set)
	}
	for _, v := range s.vars() {
		if !set[v] {
			continue
		}
		set[v] = false
		was := em.Twin(v)
		em.decls = append(em.decls, was.Decl(v.Use()))
		s.replace(v, was.Use())
	}
}

// bound returns x as a number or a variable.
func (em *emission) bound(name string, x ir.Expr) ir.Expr {
	if _, ok := ir.IntOf(x); ok {
		return x
	}
	v := em.NewVar(name, ir.I64)
	if name != "shift" {
		em.Ranges[v] = facts.Between(0, facts.MaxExtent)
	}
	em.decls = append(em.decls, v.Decl(x))
	return v.Use()
}

// redirect stores what comes to the array in its place, or where it waits.
func (em *emission) redirect(x ir.Stmt) {
	s := em.site
	place := func(x ir.Stmt, i ir.Expr) ir.Expr {
		switch {
		case s.direct:
			return ir.Add(em.at.Use(), i)
		case s.behind[x]:
			return ir.Sub(i, em.count)
		}
		return i
	}
	ir.Walk([]ir.Stmt{x}, func(x ir.Stmt) {
		switch y := x.(type) {
		case *ir.Store:
			if y.Buf == s.decl.Buf {
				y.Buf, y.Index = em.news, place(x, y.Index)
			}
		case *ir.Copy:
			if y.Dst == s.decl.Buf {
				y.Dst, y.DstIndex = em.news, place(x, y.DstIndex)
			}
		}
	})
}

// change stands in place of the exchange: the array becomes what it is to be.
func (em *emission) change() []ir.Stmt {
	if em.site.direct {
		return nil
	}
	out := em.shifted()
	if em.news == nil {
		return out
	}
	if em.site.front {
		out = append(out, em.put(em.at.Use(), ir.Integer(0), em.start)...)
	}
	if em.site.back {
		to := ir.Add(em.at.Use(), ir.Add(em.start, em.count))
		out = append(out, em.put(to, em.start, ir.Sub(ir.Sub(em.n, em.count), em.start))...)
	}
	return out
}

// shifted makes the array begin where it is to, with room for all elements.
func (em *emission) shifted() []ir.Stmt {
	at, first := em.at, em.shift
	if em.off != nil {
		first = ir.Add(em.off.Use(), em.shift)
	}
	out := []ir.Stmt{at.Decl(first)}
	if c := em.cond(at); c != nil {
		out = append(out, &ir.If{Cond: c, Then: em.move(at)})
	}
	if em.off != nil {
		out = append(out, em.off.Assign(at.Use()), em.len.Assign(em.n))
	}
	return out
}

// cond returns whether the elements have to move: nil if never.
func (em *emission) cond(at *ir.Var) ir.Expr {
	var cond ir.Expr
	or := func(x ir.Expr) {
		if cond == nil {
			cond = x
		} else {
			cond = ir.Or(cond, x)
		}
	}
	if k, ok := ir.IntOf(em.shift); em.off != nil && (!ok || k < 0) {
		or(ir.OpLt.Of(at.Use(), ir.Integer(0)))
	}
	if len(em.site.ends) > 0 {
		or(ir.OpLt.Of(em.room.Use(), ir.Add(at.Use(), em.n)))
	}
	if em.same != nil {
		or(ir.Not(em.same))
	}
	return cond
}

// move moves what stays of the array to storage with room for more.
func (em *emission) move(at *ir.Var) []ir.Stmt {
	s := em.site
	more, to := em.extent("more"), ir.Integer(0)
	out := []ir.Stmt{more.Decl(em.n)}
	if em.room != nil {
		out[0] = more.Decl(ir.OpMax.Of(em.n, ir.Add(ir.Add(em.count, ir.OpQuo.Of(em.count, ir.Integer(2))), ir.Integer(8))))
		if spare := ir.Sub(more.Use(), em.n); em.front && em.back {
			to = ir.OpQuo.Of(spare, ir.Integer(2))
		} else if em.front {
			to = spare
		}
	}
	begin := em.extent("begin")
	storage := em.like("room", em.buf)
	out = append(out, begin.Decl(to), &ir.DeclBuf{Buf: storage, Count: more.Use(), Shape: []ir.Expr{more.Use()}, At: s.decl.At})
	out = append(out, em.moved(storage, begin, at), em.exchange(em.buf, storage), &ir.Free{Buf: storage}, at.Assign(begin.Use()))
	if em.room != nil {
		out = append(out, em.room.Assign(more.Use()))
	}
	return out
}

// moved puts what stays of the array into storage from a place on.
func (em *emission) moved(storage *ir.Buf, begin, at *ir.Var) ir.Stmt {
	s := em.site
	if len(s.dims) == 1 && em.same == nil {
		return &ir.Copy{Dst: storage, DstIndex: ir.Add(begin.Use(), em.start), Src: em.buf, SrcIndex: ir.Add(at.Use(), em.start), Count: em.count}
	}
	dims := make([]ir.Dim, len(s.dims))
	into, from := s.to, s.from
	for i, d := range s.dims {
		v := em.extent("i")
		dims[i] = ir.Dim{Var: v, Lo: d.Lo, Hi: d.Hi}
		into, from = into.Substitute(d.Var, affine.Of(v)), from.Substitute(d.Var, affine.Of(v))
	}
	load := from.Expr()
	if em.off != nil {
		load = ir.Add(em.off.Use(), load)
	}
	return em.mapped(dims, storage.Store(ir.Add(begin.Use(), into.Expr()), em.buf.Load(load)))
}

// put stores n elements that wait, from one on, at a place.
func (em *emission) put(to, from, n ir.Expr) []ir.Stmt {
	if em.news.Stack == 1 {
		return []ir.Stmt{em.buf.Store(to, em.news.Load(ir.Integer(0)))}
	}
	i := em.extent("i")
	return []ir.Stmt{em.mapped([]ir.Dim{{Var: i, Lo: ir.Integer(0), Hi: n}}, em.buf.Store(ir.Add(to, i.Use()), em.news.Load(ir.Add(from, i.Use()))))}
}
