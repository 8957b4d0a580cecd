package updates

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/place"
)

// heldColumn is a column of the matrix that the steps of a loop use in memory of
// its own: its elements are far apart in the matrix.
type heldColumn struct {
	key     string
	at      affine.Poly
	first   affine.Poly // the first row that is used
	written bool
	usable  bool
	placed  bool    // at and first are known
	start   ir.Expr // the first row that is held
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
	least, most, ok := d.extremes(a.row, a.byRow)
	at, ok2 := d.sum(a.column)
	end, ok3 := d.sum(d.rows)
	if !ok || !ok2 || !ok3 || !d.onAxis(a.column, nil) || d.l.RangeOfSum(end.Minus(most)).Lo < 1 || d.l.RangeOfSum(least).Lo < 0 {
		h.usable = false
		return
	}
	if !h.placed {
		h.at, h.first, h.placed = at, least, true
		return
	}
	c, ok := least.Minus(h.first).Constant()
	if !ok {
		h.usable = false
	} else if c < 0 {
		h.first = least
	}
}

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
	at := g.Let("line", x.at)
	from := g.Let("done", &ir.Select{Cond: ir.OpLt.Of(at, q.column.end), Then: q.column.done.Load(at), Else: q.queued.Use()})
	first := q.counter("first", h.first.Expr())
	if h.written {
		q.reach(first, at, from)
	}
	h.start = g.Let("start", first.Use())
	q.gather(at, h.start, from)
	if h.written {
		g.Emit(&ir.If{Cond: ir.OpLt.Of(from, q.queued.Use()), Then: g.Block(func() {
			q.enlist(q.column, at, from)
			g.Emit(q.column.done.Store(at, q.queued.Use()))
		}), Else: nil})
	}
}

// gather copies the column at a place from row start on, and applies to it the
// updates from one on.
func (q *queueCode) gather(at, start, from ir.Expr) {
	g := q.g
	column := q.column1
	q.g.Loop(start, q.row.end, true, func(i ir.Expr) { g.Emit(column.Store(i, q.buf.Load(ir.Add(ir.Mul(i, q.stride), at)))) })
	q.g.Loop(from, q.queued.Use(), false, func(p ir.Expr) {
		g.Emit(&ir.If{Cond: ir.OpLe.Of(q.colFrom.Load(p), at), Then: g.Block(func() {
			y := g.Let("y", q.rights.Load(ir.Add(ir.Mul(p, q.stride), at)))
			lefts := g.Let("lefts", ir.Mul(p, q.pitch))
			top := g.Let("top", ir.OpMax.Of(q.rowFrom.Load(p), start))
			q.pieces(q.row, top, p, func(i ir.Expr, value func(x, old ir.Expr) ir.Expr) {
				c := g.Let("c", column.Load(i))
				x := g.Let("x", q.lefts.Load(ir.Add(lefts, i)))
				g.Emit(column.Store(i, value(q.update(c, x, y), c)))
			})
		}), Else: nil})
	})
}

// reach makes first the first row of the column that updates from one on change,
// if they change one before it.
func (q *queueCode) reach(first *ir.Var, at, from ir.Expr) {
	g := q.g
	q.g.Loop(from, q.queued.Use(), false, func(p ir.Expr) {
		g.Emit(&ir.If{Cond: ir.OpLe.Of(q.colFrom.Load(p), at), Then: []ir.Stmt{first.Assign(ir.OpMin.Of(first.Use(), q.rowFrom.Load(p)))}})
	})
}

// scatter puts the column back.
func (q *queueCode) scatter(at, start ir.Expr) {
	q.g.Loop(start, q.row.end, true, func(i ir.Expr) {
		q.g.Emit(q.buf.Store(ir.Add(ir.Mul(i, q.stride), at), q.column1.Load(i)))
	})
}

// touchColumn applies to a column what it lacks.
func (q *queueCode) touchColumn(at ir.Expr) {
	g := q.g
	q.begin(q.column, at, func(from ir.Expr) {
		first := q.counter("first", q.row.end)
		q.reach(first, at, from)
		start := g.Let("start", first.Use())
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
		q.scatter(q.g.Let("line", h.at.Expr()), h.start)
	} else {
		delete(ready, h.key)
	}
}

// prepareFor puts a held column back where s may use it in other ways, or uses
// the memory that it is held in.
func (q *queueCode) prepareFor(s ir.Stmt, ready map[string]bool) {
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
func (q *queueCode) compatible(s ir.Stmt) bool {
	if b, ok := s.(*ir.If); ok {
		for _, inner := range [][]ir.Stmt{b.Then, b.Else} {
			for _, t := range inner {
				if _, branch := t.(*ir.If); branch || len(q.all[t]) > 0 {
					return false
				}
			}
		}
	}
	for _, a := range q.all[s] {
		if q.inColumn(a) {
			switch s.(type) {
			case *ir.Fail, *ir.If:
				return false
			}
			continue
		}
		if !a.written && !q.held.written {
			continue
		}
		least, most, ok := q.extremes(a.column, a.byColumn)
		if !ok || q.l.RangeOfSum(least.Minus(q.held.at)).Lo < 1 && q.l.RangeOfSum(q.held.at.Minus(most)).Lo < 1 {
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
func (q *queueCode) fromColumn(s ir.Stmt) ir.Stmt {
	if q.held == nil {
		return s
	}
	w := &accessWalk{d: q.deferred, root: s, loops: map[*ir.Var]bool{}}
	if !w.stmt(s, nil, false) || len(w.found) == 0 {
		return s
	}
	r := &place.Rewriter{Load: func(l *ir.Load) ir.Expr {
		if row := q.rowInColumn(l.Buf, l.Index, s, w.loops); row != nil {
			return q.column1.Load(row)
		}
		return l
	}, Store: func(t *ir.Store) ir.Stmt {
		if row := q.rowInColumn(t.Buf, t.Index, s, w.loops); row != nil {
			return q.column1.Store(row, t.X)
		}
		return t
	}}
	return r.Stmt(s)
}

// fromColumnIn is fromColumn of a value of the update.
func (q *queueCode) fromColumnIn(x ir.Expr) ir.Expr {
	loops := map[*ir.Var]bool{q.nest.Dims[0].Var: true, q.nest.Dims[1].Var: true}
	return ir.MapExpr(x, func(y ir.Expr) ir.Expr {
		if l, ok := y.(*ir.Load); ok {
			if row := q.rowInColumn(l.Buf, l.Index, q.nest, loops); row != nil {
				return q.column1.Load(row)
			}
		}
		return y
	})
}

// rowInColumn returns the row of an element of the held column, nil for others.
func (q *queueCode) rowInColumn(b *ir.Buf, index ir.Expr, in ir.Stmt, loops map[*ir.Var]bool) ir.Expr {
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
