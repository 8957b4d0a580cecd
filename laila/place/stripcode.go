package place

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// sunk moves k into the branches of x that read it.
func (s *stripper) sunk(block []ir.Stmt, x *ir.If, k *kept) []ir.Stmt {
	into := func(branch []ir.Stmt) []ir.Stmt {
		reads := false
		for _, y := range branch {
			reads = reads || s.of(y).Loads[k.buf]
		}
		if !reads {
			return branch
		}
		b := s.copyBuf(k.buf, 0)
		count := s.copyVar(k.zero.Var)
		out := []ir.Stmt{&ir.DeclBuf{Buf: b, Count: k.decl.Count, Shape: k.decl.Shape, At: k.decl.At}, count.Decl(k.zero.Init)}
		for _, f := range k.filters {
			out = append(out, s.copyFilter(f, b, count, f.Room, f.Lo, f.Hi))
		}
		r := &Rewriter{Load: func(l *ir.Load) ir.Expr {
			if l.Buf == k.buf {
				return b.Load(l.Index)
			}
			return l
		}, Store: func(t *ir.Store) ir.Stmt { return t }}
		return append(append(out, r.block(branch)...), &ir.Free{Buf: b})
	}
	branch := &ir.If{Cond: x.Cond, Then: into(x.Then), Else: into(x.Else)}
	var out []ir.Stmt
	for _, y := range block {
		switch {
		case k.has(y):
		case y == ir.Stmt(x):
			out = append(out, branch)
		default:
			out = append(out, y)
		}
	}
	return out
}

// has reports whether x belongs to k.
func (k *kept) has(x ir.Stmt) bool {
	switch x := x.(type) {
	case *ir.DeclBuf:
		return x == k.decl
	case *ir.Decl:
		return x == k.zero
	case *ir.Free:
		return x.Buf == k.buf
	case *ir.Filter:
		return x.Dst == k.buf
	}
	return false
}

// copyBuf returns a new buffer for elements like those of b; on the stack where
// size is not 0.
func (s *stripper) copyBuf(b *ir.Buf, size int64) *ir.Buf {
	c := &ir.Buf{Name: b.Name, Elem: b.Elem, Stack: size}
	if r, ok := s.l.Bufs[b]; ok {
		s.l.Bufs[c] = r
	}
	if r, ok := s.l.BufSpans[b]; ok {
		s.l.BufSpans[c] = r
	}
	return c
}

// copyVar returns a new variable for values like those of v.
func (s *stripper) copyVar(v *ir.Var) *ir.Var {
	c := s.l.NewVar(v.Name, v.Kind)
	if r, ok := s.l.Ranges[v]; ok {
		s.l.Ranges[c] = r
	}
	if r, ok := s.l.Spans[v]; ok {
		s.l.Spans[c] = r
	}
	return c
}

// copyFilter returns f over lo … hi, into dst.
func (s *stripper) copyFilter(f *ir.Filter, dst *ir.Buf, count *ir.Var, room, lo, hi ir.Expr) *ir.Filter {
	names := map[*ir.Var]*ir.Var{f.Var: s.copyVar(f.Var)}
	renamed := func(x ir.Expr) ir.Expr {
		return ir.MapExpr(x, func(y ir.Expr) ir.Expr {
			if u, ok := y.(*ir.Use); ok && names[u.Var] != nil {
				return names[u.Var].Use()
			}
			return y
		})
	}
	decls := func(block []ir.Stmt) []ir.Stmt {
		var out []ir.Stmt
		for _, x := range block {
			d := x.(*ir.Decl)
			init := renamed(d.Init)
			names[d.Var] = s.copyVar(d.Var)
			out = append(out, names[d.Var].Decl(init))
		}
		return out
	}
	c := &ir.Filter{Var: names[f.Var], Lo: lo, Hi: hi, Dst: dst, Count: count, Room: room}
	c.MaskPre, c.Mask = decls(f.MaskPre), renamed(f.Mask)
	c.XPre, c.X = decls(f.XPre), renamed(f.X)
	return c
}

// strip is the state of a buffer that is filled a strip at a time.
type strip struct {
	*kept
	small            *ir.Buf
	from, have, next *ir.Var // the first element not yet read, their number, where filters go on
}

// streamed puts a loop over strips in the place of the nest n at position q,
// which reads ks.
func (s *stripper) streamed(block []ir.Stmt, q int, n *ir.Nest, ks []*kept) []ir.Stmt {
	l := s.l
	counter := func(name string, most int64) *ir.Var {
		v := l.NewVar(name, ir.I64)
		l.Ranges[v] = facts.Between(0, most)
		return v
	}
	var state, fills, steps []ir.Stmt
	k, w := counter("k", facts.MaxExtent), counter("w", stripLength)
	hi := ir.SpaceOf(n)[0].Hi
	var width ir.Expr = ir.OpSub.Of(hi, k.Use())
	at := map[*ir.Buf]*strip{}
	for _, b := range ks {
		t := &strip{kept: b, small: s.copyBuf(b.buf, stripLength),
			from: counter("from", stripLength), have: counter("have", stripLength), next: counter("next", facts.MaxExtent)}
		at[b.buf] = t
		state = append(state, &ir.DeclBuf{Buf: t.small, Count: ir.Integer(stripLength), Shape: []ir.Expr{ir.Integer(stripLength)}, At: b.decl.At},
			t.from.Decl(ir.Integer(0)), t.have.Decl(ir.Integer(0)), t.next.Decl(ir.Integer(0)))
		fills = append(fills, &ir.If{Cond: ir.OpGe.Of(t.from.Use(), t.have.Use()), Then: s.refill(t)})
		width = ir.OpMin.Of(width, ir.OpSub.Of(t.have.Use(), t.from.Use()))
		steps = append(steps, t.from.Assign(ir.Add(t.from.Use(), w.Use())))
	}
	inner := s.overStrip(n, k, w, at)
	body := append([]ir.Stmt{&ir.BreakIf{Cond: ir.OpGe.Of(k.Use(), hi)}}, fills...)
	body = append(append(body, w.Decl(width), inner), steps...)
	body = append(body, k.Assign(ir.Add(k.Use(), w.Use())))
	state = append(append(state, k.Decl(ir.Integer(0))), n.Pre...)
	state = append(append(state, &ir.Loop{Body: body}), n.Post...)
	var out []ir.Stmt
	for i, x := range block {
		if i == q {
			out = append(out, state...)
			continue
		}
		gone := false
		for _, b := range ks {
			gone = gone || b.has(x)
		}
		if !gone {
			out = append(out, x)
		}
	}
	return out
}

// refill fills a strip with at least one element.
func (s *stripper) refill(t *strip) []ir.Stmt {
	var pick []ir.Stmt
	for i := len(t.filters) - 1; i >= 0; i-- {
		f := t.filters[i]
		end := s.l.NewVar("end", ir.I64)
		s.l.Ranges[end] = facts.Between(0, facts.MaxExtent)
		step := []ir.Stmt{
			t.next.Assign(ir.OpMax.Of(t.next.Use(), f.Lo)),
			end.Decl(ir.OpMin.Of(ir.Add(t.next.Use(), ir.Integer(stripLength)), f.Hi)),
			s.copyFilter(f, t.small, t.have, ir.Integer(stripLength), t.next.Use(), end.Use()),
			t.next.Assign(ir.OpMax.Of(t.next.Use(), end.Use())),
		}
		if i == len(t.filters)-1 {
			pick = step
			continue
		}
		pick = []ir.Stmt{&ir.If{Cond: ir.OpLt.Of(t.next.Use(), f.Hi), Then: step, Else: pick}}
	}
	loop := append([]ir.Stmt{&ir.BreakIf{Cond: ir.OpGt.Of(t.have.Use(), ir.Integer(0))}}, pick...)
	return []ir.Stmt{t.from.Assign(ir.Integer(0)), t.have.Assign(ir.Integer(0)), &ir.Loop{Body: loop}}
}

// overStrip returns n over w elements from k on.
func (s *stripper) overStrip(n *ir.Nest, k, w *ir.Var, at map[*ir.Buf]*strip) *ir.Nest {
	old := ir.SpaceOf(n)[0]
	i := s.l.NewVar("i", ir.I64)
	s.l.Ranges[i] = facts.Between(0, stripLength-1)
	r := &Rewriter{Load: func(l *ir.Load) ir.Expr {
		if t := at[l.Buf]; t != nil {
			return t.small.Load(ir.Add(t.from.Use(), i.Use()))
		}
		return l
	}, Store: func(t *ir.Store) ir.Stmt { return t }}
	body := append([]ir.Stmt{old.Var.Decl(ir.Add(k.Use(), i.Use()))}, r.block(n.Body)...)
	dims := []ir.Dim{{Var: i, Lo: ir.Integer(0), Hi: w.Use()}}
	if n.Kind == ir.SegMap {
		return &ir.Nest{Kind: ir.SegMap, Dims: dims, Body: body, Flags: n.Flags, At: n.At}
	}
	return &ir.Nest{Kind: ir.SegRed, Red: dims, Accs: n.Accs, Body: body, Flags: n.Flags, At: n.At}
}
