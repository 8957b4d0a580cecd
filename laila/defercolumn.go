package laila

// heldColumn is a column of the matrix that the steps of a loop use in memory of
// its own: its elements are far apart in the matrix.
type heldColumn struct {
	key     string
	at      linear
	first   linear // the first row that is used
	written bool
	usable  bool
	start   Expr // the first row that is held
}

// holdable notes what the elements of a column that a statement uses say about
// holding it.
func (d *deferred) holdable(a access, key string) {
	if key == "" {
		return
	}
	h := d.columnsOf[key]
	if h == nil {
		h = &heldColumn{key: key, usable: true}
		d.columnsOf[key] = h
	}
	h.written = h.written || a.written
	t := &touching{}
	least, most, ok := d.extremes(a.row, a.byRow)
	at, ok2 := d.sum(a.column)
	end, ok3 := d.sum(d.rows)
	if !ok || !ok2 || !ok3 || !d.onAxis(t, a.column, nil) || len(t.wrong) > 0 || d.l.rangeOfLinear(plus(end, most, -1)).lo < 1 || d.l.rangeOfLinear(least).lo < 0 {
		h.usable = false
		return
	}
	if h.at.coef == nil {
		h.at, h.first = at, least
		return
	}
	c, ok := plus(least, h.first, -1).constant()
	if !ok {
		h.usable = false
	} else if c < 0 {
		h.first = least
	}
}

// constant returns the value of a sum without variables.
func (f linear) constant() (int64, bool) { return f.c, len(f.coef) == 0 }

// canHold reports whether a column can be held from here on.
func (q *queueCode) canHold(x line) bool {
	h := q.columnsOf[x.key]
	return x.key != "" && h != nil && h.usable
}

// hold copies a column and applies to the copy what it lacks. A column that is
// changed has all updates then.
func (q *queueCode) hold(x line, ready map[string]bool) {
	g := q.g
	q.release(ready)
	h := q.columnsOf[x.key]
	q.held = h
	at := g.let("line", x.at)
	from := g.let("done", &Select{&Binary{Lt, at, q.column.end}, &Load{q.column.done, at}, &Use{q.queued}})
	first := q.counter("first", q.written(h.first))
	if h.written {
		q.reach(first, at, from)
	}
	h.start = g.let("start", &Use{first})
	q.gather(at, h.start, from)
	if h.written {
		g.emit(&If{&Binary{Lt, from, &Use{q.queued}}, g.block(func() {
			q.enlist(q.column, at, from)
			g.emit(&Store{q.column.done, at, &Use{q.queued}})
		}), nil})
	}
}

// gather copies the column at a place from row start on, and applies to it the
// updates from one on.
func (q *queueCode) gather(at, start, from Expr) {
	g := q.g
	column := q.column1
	q.loop(start, q.row.end, true, func(i Expr) { g.emit(&Store{column, i, &Load{q.buf, add(mul(i, q.stride), at)}}) })
	q.loop(from, &Use{q.queued}, false, func(p Expr) {
		g.emit(&If{&Binary{Le, &Load{q.colFrom, p}, at}, g.block(func() {
			y := g.let("y", &Load{q.rights, add(mul(p, q.stride), at)})
			lefts := g.let("lefts", mul(p, q.pitch))
			top := g.let("top", &Binary{Max, &Load{q.rowFrom, p}, start})
			q.pieces(q.row, top, p, func(i Expr, value func(x, old Expr) Expr) {
				c := g.let("c", &Load{column, i})
				x := g.let("x", &Load{q.lefts, add(lefts, i)})
				g.emit(&Store{column, i, value(q.update(c, x, y), c)})
			})
		}), nil})
	})
}

// reach makes first the first row of the column that updates from one on change,
// if they change one before it.
func (q *queueCode) reach(first *Var, at, from Expr) {
	g := q.g
	q.loop(from, &Use{q.queued}, false, func(p Expr) {
		g.emit(&If{&Binary{Le, &Load{q.colFrom, p}, at}, []Stmt{&Assign{first, &Binary{Min, &Use{first}, &Load{q.rowFrom, p}}}}, nil})
	})
}

// scatter puts the column back.
func (q *queueCode) scatter(at, start Expr) {
	q.loop(start, q.row.end, true, func(i Expr) {
		q.g.emit(&Store{q.buf, add(mul(i, q.stride), at), &Load{q.column1, i}})
	})
}

// touchColumn applies to a column what it lacks.
func (q *queueCode) touchColumn(at Expr) {
	g := q.g
	q.begin(q.column, at, func(from Expr) {
		first := q.counter("first", q.row.end)
		q.reach(first, at, from)
		start := g.let("start", &Use{first})
		q.gather(at, start, from)
		q.scatter(at, start)
	})
}

// release ends the use of a held column.
func (q *queueCode) release(ready map[string]bool) {
	h := q.held
	if h == nil {
		return
	}
	q.held = nil
	if h.written {
		q.scatter(q.g.let("line", q.written(h.at)), h.start)
	} else {
		delete(ready, h.key)
	}
}

// prepareFor puts a held column back where s may use it in other ways, or uses
// the memory that it is held in.
func (q *queueCode) prepareFor(s Stmt, ready map[string]bool) {
	if q.held != nil && !q.compatible(s) {
		q.release(ready)
	}
	if t := q.touched[s]; t != nil && q.held != nil {
		for _, c := range t.columns {
			if c.key != q.held.key {
				q.release(ready)
				return
			}
		}
	}
}

// compatible reports whether a held column can stay while s runs.
func (q *queueCode) compatible(s Stmt) bool {
	if b, ok := s.(*If); ok {
		for _, inner := range [][]Stmt{b.Then, b.Else} {
			for _, t := range inner {
				if _, branch := t.(*If); branch || len(q.all[t]) > 0 {
					return false
				}
			}
		}
	}
	for _, a := range q.all[s] {
		if q.inColumn(a) {
			switch s.(type) {
			case *Fail, *If:
				return false
			}
			continue
		}
		if !a.written && !q.held.written {
			continue
		}
		least, most, ok := q.extremes(a.column, a.byColumn)
		if !ok || q.l.rangeOfLinear(plus(least, q.held.at, -1)).lo < 1 && q.l.rangeOfLinear(plus(q.held.at, most, -1)).lo < 1 {
			return false
		}
	}
	return true
}

// inColumn reports whether an element is one of the held column.
func (q *queueCode) inColumn(a access) bool {
	return len(a.byColumn) == 0 && q.held != nil && q.key("c", a.column) == q.held.key
}

// fromColumn is s with the elements of the held column where they are held.
func (q *queueCode) fromColumn(s Stmt) Stmt {
	if q.held == nil {
		return s
	}
	w := &accessWalk{d: q.deferred, root: s, loops: map[*Var]bool{}}
	if !w.stmt(s, nil, false) || len(w.found) == 0 {
		return s
	}
	r := &rewriter{load: func(l *Load) Expr {
		if row := q.rowInColumn(l.Buf, l.Index, s, w.loops); row != nil {
			return &Load{q.column1, row}
		}
		return l
	}, store: func(t *Store) Stmt {
		if row := q.rowInColumn(t.Buf, t.Index, s, w.loops); row != nil {
			return &Store{q.column1, row, t.X}
		}
		return t
	}}
	return r.stmt(s)
}

// fromColumnIn is fromColumn of a value of the update.
func (q *queueCode) fromColumnIn(x Expr) Expr {
	loops := map[*Var]bool{q.nest.Dims[0].Var: true, q.nest.Dims[1].Var: true}
	return mapExpr(x, func(y Expr) Expr {
		if l, ok := y.(*Load); ok {
			if row := q.rowInColumn(l.Buf, l.Index, q.nest, loops); row != nil {
				return &Load{q.column1, row}
			}
		}
		return y
	})
}

// rowInColumn returns the row of an element of the held column, nil for others.
func (q *queueCode) rowInColumn(b *Buf, index Expr, in Stmt, loops map[*Var]bool) Expr {
	if b != q.buf || q.held == nil {
		return nil
	}
	x, ok := q.expand(index, in, loops)
	if !ok {
		return nil
	}
	row, column, ok := q.split(x)
	if !ok || q.key("c", column) != q.held.key {
		return nil
	}
	return row
}
