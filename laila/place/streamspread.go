package place

import (
	"github.com/tailor-lang/tailor/laila/ir"
)

// spread is a loop over items each of which gives a number of elements that are alike:
//
//	for i = 0 … m
//	  var k = c[i]; x = y[i]
//	  for j = 0 … k; independent: a[at + j] = x
//	  at = at + k
//
// In a stream it fills a strip, and goes on with the same item in the next one:
//
//	loop
//	  break if at >= to
//	  if left <= 0
//	    k = c[i]; x = y[i]
//	    left = k; i = i + 1
//	  n = left min to - at
//	  for j = 0 … n; independent: a[at - from + j] = x
//	  at = at + n; left = left - n
type spread struct {
	loop, inner *ir.For
	store       *ir.Store
	at          *ir.Var
	item, left  *ir.Var
}

// spreadOf reads a loop as a spread that fills all of an array, nil where it is none.
func (st *stream) spreadOf(l *ir.For) *spread {
	n := len(l.Body)
	if n < 2 || !ir.IsInt(l.Lo, 0) || !straight(l.Body[:n-2]) {
		return nil
	}
	inner, ok := l.Body[n-2].(*ir.For)
	step, ok2 := l.Body[n-1].(*ir.Assign)
	if !ok || !ok2 || !inner.Independent || !ir.IsInt(inner.Lo, 0) || len(inner.Body) != 1 {
		return nil
	}
	w, ok := inner.Body[0].(*ir.Store)
	if !ok || ir.Mentions(w.X, inner.Var) || st.decl[w.Buf] == nil || st.decl[w.Buf].Count == nil {
		return nil
	}
	at := step.Var
	if !ir.Same(w.Index, ir.Add(at.Use(), inner.Var.Use())) || !ir.Same(step.X, ir.Add(at.Use(), inner.Hi)) {
		return nil
	}
	for _, x := range l.Body[:n-2] {
		if st.Of(x).Reads[at] || st.Of(x).Loads[w.Buf] {
			return nil
		}
	}
	zero, known := st.declared[at]
	if !known || !ir.IsInt(st.block[zero].(*ir.Decl).Init, 0) {
		return nil
	}
	for k, x := range st.block {
		if t := st.Of(x); x != ir.Stmt(l) && (t.Reads[at] || t.Writes[at] && k != zero) {
			return nil
		}
	}
	return &spread{loop: l, inner: inner, store: w, at: at, item: st.counter("item"), left: st.counter("left")}
}

// state declares what a spread keeps from strip to strip.
func (s *spread) state() []ir.Stmt {
	out := []ir.Stmt{s.at.Decl(ir.Integer(0)), s.item.Decl(ir.Integer(0)), s.left.Decl(ir.Integer(0))}
	for _, x := range s.loop.Body {
		if d, ok := x.(*ir.Decl); ok {
			out = append(out, d.Var.Decl(ir.Zero(d.Var.Kind)))
		}
	}
	return out
}

// spreadOver returns what a spread does in the strip of the stream that ends at hi.
func (st *stream) spreadOver(p *step, hi ir.Expr) []ir.Stmt {
	s := p.spread
	var next []ir.Stmt
	for _, x := range st.counted((&Rewriter{Load: func(l *ir.Load) ir.Expr { return l }}).block(s.loop.Body[:len(s.loop.Body)-2])) {
		if d, ok := x.(*ir.Decl); ok {
			ir.MapExprs(d, func(e ir.Expr) ir.Expr {
				if ir.IsUse(e, s.loop.Var) {
					return s.item.Use()
				}
				return e
			})
			next = append(next, d.Var.Assign(d.Init))
		}
	}
	next = append(next, s.left.Assign(s.inner.Hi), s.item.Assign(ir.Add(s.item.Use(), ir.Integer(1))))
	n, end := st.counter("n"), st.counter("end")
	dst, at := s.store.Buf, ir.Expr(s.at.Use())
	if small := st.small[dst]; small != nil {
		at = ir.Add(ir.Sub(at, p.clock.from.Use()), ir.Integer(st.keep[dst]))
		dst = small
	}
	first := st.counter("first")
	return []ir.Stmt{end.Decl(hi), &ir.Loop{Body: []ir.Stmt{
		&ir.BreakIf{Cond: ir.OpGe.Of(s.at.Use(), end.Use())},
		&ir.If{Cond: ir.OpLe.Of(s.left.Use(), ir.Integer(0)), Then: next},
		n.Decl(ir.OpMin.Of(s.left.Use(), ir.OpSub.Of(end.Use(), s.at.Use()))),
		first.Decl(at),
		&ir.For{Var: s.inner.Var, Lo: ir.Integer(0), Hi: n.Use(), Independent: true, Body: []ir.Stmt{dst.Store(ir.Add(first.Use(), s.inner.Var.Use()), s.store.X)}},
		s.at.Assign(ir.Add(s.at.Use(), n.Use())),
		s.left.Assign(ir.Sub(s.left.Use(), n.Use())),
	}}}
}
