package laila

// value finds the parts of what the update st stores: the element itself, what
// depends on its row only, and what depends on its column only.
func (d *deferred) value(st *Store, index Expr, inner map[*Var]bool) bool {
	k := st.Buf.Elem
	d.acc, d.x, d.y = d.l.newVar("c", k), d.l.newVar("x", k), d.l.newVar("y", k)
	x, ok := d.expand(st.X, d.nest, inner)
	if !ok {
		return false
	}
	d.step, ok = d.part(x, index)
	if !ok || d.buf == nil || d.left == nil || d.right == nil || !vectorCode(d.step, k) {
		return false
	}
	if d.buf != st.Buf {
		d.other = st.Buf
	}
	return true
}

// part returns x, a part of the value, in terms of the element, its row's value
// and its column's.
func (d *deferred) part(x, index Expr) (Expr, bool) {
	byRow, byColumn := mentions(x, d.nest.Dims[0].Var), mentions(x, d.nest.Dims[1].Var)
	switch x.(type) {
	case *Int, *Float:
		return x, true
	}
	switch {
	case !byRow && !byColumn:
		if d.right == nil || !same(d.right, x) {
			return d.held(&d.left, d.x, x)
		}
		return &Use{d.y}, true
	case !byColumn:
		return d.held(&d.left, d.x, x)
	case !byRow:
		return d.held(&d.right, d.y, x)
	}
	if load, ok := x.(*Load); ok {
		if d.buf != nil && d.buf != load.Buf || load.Buf.Elem != d.acc.Kind || !same(load.Index, index) {
			return nil, false
		}
		d.buf = load.Buf
		return &Use{d.acc}, true
	}
	ok := true
	y := mapOperands(x, func(y Expr) Expr {
		z, fits := d.part(y, index)
		if !fits {
			ok = false
			return y
		}
		return z
	})
	return y, ok
}

// held makes v stand for x, which is the only expression that it stands for.
func (d *deferred) held(place *Expr, v *Var, x Expr) (Expr, bool) {
	if x.Kind() != v.Kind || *place != nil && !alike(*place, x) {
		return nil, false
	}
	*place = x
	return &Use{v}, true
}

// generations looks for the exchange of two generations, and for other uses of
// the next one: statements between the update and the exchange use it as the
// matrix.
func (d *deferred) generations() bool {
	d.body = d.loop.Body
	if d.other == nil {
		return true
	}
	at, after := -1, map[Stmt]bool{}
	r := &rewriter{}
	r.load = func(l *Load) Expr {
		if l.Buf == d.other {
			return &Load{d.buf, l.Index}
		}
		return l
	}
	r.store = func(s *Store) Stmt {
		if s.Buf == d.other {
			return &Store{d.buf, r.expr(s.Index), s.X}
		}
		return s
	}
	var body []Stmt
	for i, s := range d.loop.Body {
		w, swap := s.(*Swap)
		switch {
		case s == Stmt(d.nest):
			at = i
		case swap && (w.A == d.buf && w.B == d.other || w.A == d.other && w.B == d.buf):
			if d.swap != nil || at < 0 {
				return false
			}
			d.swap = w
			continue
		case beginsOrEnds(s, d.other):
			after[s] = true
			continue
		case at >= 0 && d.swap == nil:
			if mentionsBuf(s, d.buf) {
				return false
			}
			Walk([]Stmt{s}, func(t Stmt) { after[t] = true })
			s = r.stmt(s)
		}
		body = append(body, s)
	}
	d.body = body
	u := d.sv.of(d.other)
	if d.swap == nil || len(u.whole) > 0 || u.decl == nil {
		return false
	}
	for _, list := range [][]spot{u.reads, u.stores, u.other} {
		for _, x := range list {
			if !after[x.stmt] && x.stmt != Stmt(d.swap) && x.stmt != d.nest.Body[len(d.nest.Body)-1] {
				return false
			}
		}
	}
	return true
}

// beginsOrEnds reports whether s begins or ends the use of b.
func beginsOrEnds(s Stmt, b *Buf) bool {
	switch s := s.(type) {
	case *DeclBuf:
		return s.Buf == b
	case *Free:
		return s.Buf == b
	}
	return false
}

// mentionsBuf reports whether s uses b.
func mentionsBuf(s Stmt, b *Buf) bool {
	found := false
	Walk([]Stmt{s}, func(t Stmt) { bufsOf(t, func(c *Buf) { found = found || c == b }) })
	return found
}
