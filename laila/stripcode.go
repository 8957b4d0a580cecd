package laila

// sunk moves k into the branches of x that read it.
func (s *stripper) sunk(block []Stmt, x *If, k *kept) []Stmt {
	into := func(branch []Stmt) []Stmt {
		reads := false
		for _, y := range branch {
			reads = reads || s.of(y).loads[k.buf]
		}
		if !reads {
			return branch
		}
		b := s.copyBuf(k.buf, 0)
		count := s.copyVar(k.zero.Var)
		out := []Stmt{&DeclBuf{Buf: b, Count: k.decl.Count, Shape: k.decl.Shape, At: k.decl.At}, &Decl{count, k.zero.Init}}
		for _, f := range k.filters {
			out = append(out, s.copyFilter(f, b, count, f.Lo, f.Hi))
		}
		r := &rewriter{load: func(l *Load) Expr {
			if l.Buf == k.buf {
				return &Load{b, l.Index}
			}
			return l
		}, store: func(t *Store) Stmt { return t }}
		return append(append(out, r.block(branch)...), &Free{b})
	}
	branch := &If{x.Cond, into(x.Then), into(x.Else)}
	var out []Stmt
	for _, y := range block {
		switch {
		case k.has(y):
		case y == Stmt(x):
			out = append(out, branch)
		default:
			out = append(out, y)
		}
	}
	return out
}

// has reports whether x belongs to k.
func (k *kept) has(x Stmt) bool {
	switch x := x.(type) {
	case *DeclBuf:
		return x == k.decl
	case *Decl:
		return x == k.zero
	case *Free:
		return x.Buf == k.buf
	case *Filter:
		return x.Dst == k.buf
	}
	return false
}

// copyBuf returns a new buffer for elements like those of b; on the stack where
// size is not 0.
func (s *stripper) copyBuf(b *Buf, size int64) *Buf {
	c := &Buf{Name: b.Name, Elem: b.Elem, Stack: size}
	if r, ok := s.l.bufs[b]; ok {
		s.l.bufs[c] = r
	}
	if r, ok := s.l.bufSpans[b]; ok {
		s.l.bufSpans[c] = r
	}
	return c
}

// copyVar returns a new variable for values like those of v.
func (s *stripper) copyVar(v *Var) *Var {
	c := s.l.newVar(v.Name, v.Kind)
	if r, ok := s.l.ranges[v]; ok {
		s.l.ranges[c] = r
	}
	if r, ok := s.l.spans[v]; ok {
		s.l.spans[c] = r
	}
	return c
}

// copyFilter returns f over lo … hi, into dst.
func (s *stripper) copyFilter(f *Filter, dst *Buf, count *Var, lo, hi Expr) *Filter {
	names := map[*Var]*Var{f.Var: s.copyVar(f.Var)}
	renamed := func(x Expr) Expr {
		return mapExpr(x, func(y Expr) Expr {
			if u, ok := y.(*Use); ok && names[u.Var] != nil {
				return &Use{names[u.Var]}
			}
			return y
		})
	}
	decls := func(block []Stmt) []Stmt {
		var out []Stmt
		for _, x := range block {
			d := x.(*Decl)
			init := renamed(d.Init)
			names[d.Var] = s.copyVar(d.Var)
			out = append(out, &Decl{names[d.Var], init})
		}
		return out
	}
	c := &Filter{Var: names[f.Var], Lo: lo, Hi: hi, Dst: dst, Count: count}
	c.MaskPre, c.Mask = decls(f.MaskPre), renamed(f.Mask)
	c.XPre, c.X = decls(f.XPre), renamed(f.X)
	return c
}

// strip is the state of a buffer that is filled a strip at a time.
type strip struct {
	*kept
	small            *Buf
	from, have, next *Var // the first element not yet read, their number, where filters go on
}

// streamed puts a loop over strips in the place of the nest n at position q,
// which reads ks.
func (s *stripper) streamed(block []Stmt, q int, n *Nest, ks []*kept) []Stmt {
	l := s.l
	counter := func(name string, most int64) *Var {
		v := l.newVar(name, I64)
		l.ranges[v] = interval{0, most}
		return v
	}
	var state, fills, steps []Stmt
	k, w := counter("k", maxExtent), counter("w", stripLength)
	hi := spaceOf(n)[0].Hi
	var width Expr = &Binary{Sub, hi, &Use{k}}
	at := map[*Buf]*strip{}
	for _, b := range ks {
		t := &strip{kept: b, small: s.copyBuf(b.buf, stripLength),
			from: counter("from", stripLength), have: counter("have", stripLength), next: counter("next", maxExtent)}
		at[b.buf] = t
		state = append(state, &DeclBuf{Buf: t.small, Count: integer(stripLength), Shape: []Expr{integer(stripLength)}, At: b.decl.At},
			&Decl{t.from, integer(0)}, &Decl{t.have, integer(0)}, &Decl{t.next, integer(0)})
		fills = append(fills, &If{Cond: &Binary{Ge, &Use{t.from}, &Use{t.have}}, Then: s.refill(t)})
		width = &Binary{Min, width, &Binary{Sub, &Use{t.have}, &Use{t.from}}}
		steps = append(steps, &Assign{t.from, add(&Use{t.from}, &Use{w})})
	}
	inner := s.overStrip(n, k, w, at)
	body := append([]Stmt{&BreakIf{&Binary{Ge, &Use{k}, hi}}}, fills...)
	body = append(append(body, &Decl{w, width}, inner), steps...)
	body = append(body, &Assign{k, add(&Use{k}, &Use{w})})
	state = append(append(state, &Decl{k, integer(0)}), n.Pre...)
	state = append(append(state, &Loop{body}), n.Post...)
	var out []Stmt
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
func (s *stripper) refill(t *strip) []Stmt {
	var pick []Stmt
	for i := len(t.filters) - 1; i >= 0; i-- {
		f := t.filters[i]
		end := s.l.newVar("end", I64)
		s.l.ranges[end] = interval{0, maxExtent}
		step := []Stmt{
			&Assign{t.next, &Binary{Max, &Use{t.next}, f.Lo}},
			&Decl{end, &Binary{Min, add(&Use{t.next}, integer(stripLength)), f.Hi}},
			s.copyFilter(f, t.small, t.have, &Use{t.next}, &Use{end}),
			&Assign{t.next, &Binary{Max, &Use{t.next}, &Use{end}}},
		}
		if i == len(t.filters)-1 {
			pick = step
			continue
		}
		pick = []Stmt{&If{Cond: &Binary{Lt, &Use{t.next}, f.Hi}, Then: step, Else: pick}}
	}
	loop := append([]Stmt{&BreakIf{&Binary{Gt, &Use{t.have}, integer(0)}}}, pick...)
	return []Stmt{&Assign{t.from, integer(0)}, &Assign{t.have, integer(0)}, &Loop{loop}}
}

// overStrip returns n over w elements from k on.
func (s *stripper) overStrip(n *Nest, k, w *Var, at map[*Buf]*strip) *Nest {
	old := spaceOf(n)[0]
	i := s.l.newVar("i", I64)
	s.l.ranges[i] = interval{0, stripLength - 1}
	r := &rewriter{load: func(l *Load) Expr {
		if t := at[l.Buf]; t != nil {
			return &Load{t.small, add(&Use{t.from}, &Use{i})}
		}
		return l
	}, store: func(t *Store) Stmt { return t }}
	body := append([]Stmt{&Decl{old.Var, add(&Use{k}, &Use{i})}}, r.block(n.Body)...)
	dims := []Dim{{i, integer(0), &Use{w}}}
	if n.Kind == SegMap {
		return &Nest{Kind: SegMap, Dims: dims, Body: body, Flags: n.Flags, At: n.At}
	}
	return &Nest{Kind: SegRed, Red: dims, Accs: n.Accs, Body: body, Flags: n.Flags, At: n.At}
}
