package updates

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/reduce"
)

// queueCode writes the code of a queue of updates. The queue has, for each of
// its updates, the values of the rows and of the columns and where its region
// starts; lines that have some of the updates are listed.
type queueCode struct {
	*deferred
	g                 *build.Builder
	queued            *ir.Var // how many updates there are
	pitch             ir.Expr // between the rows' values of two updates
	lefts, rights     *ir.Buf
	rowFrom, colFrom  *ir.Buf // where the regions of the updates start
	row, column       *queueAxis
	panel             *reduce.MicroStep
	width             ir.Expr
	packed            *ir.Buf
	savedRows, savedC *ir.Buf
	column1           *ir.Buf // a column
	held              *heldColumn
}

// queueAxis is what is known of the rows, or of the columns.
type queueAxis struct {
	end      ir.Expr
	done     *ir.Buf // how many updates a line has
	list     *ir.Buf // the lines that have any
	count    *ir.Var
	from, to *ir.Var // the lines of the list are from … to-1
}

// emit returns the loop in two versions: with its updates queued where the
// matrix is large, and as it was.
func (d *deferred) emit() []ir.Stmt {
	q := &queueCode{deferred: d, g: build.NewWriter(d.l)}
	g := q.g
	g.Src = d.nest.At
	other := d.copied()
	return g.Block(func() {
		rows, columns := g.Atom("rows", q.rows), g.Atom("columns", q.columns)
		queues := g.Block(func() {
			end := g.Atom("end", d.loop.Hi)
			q.prepare(rows, columns)
			body := g.Block(func() {
				q.block(d.body, map[string]bool{})
				q.release(nil)
				last := ir.OpGe.Of(ir.Add(d.loop.Var.Use(), ir.Integer(1)), end)
				full := ir.OpOr.Of(ir.OpGe.Of(q.queued.Use(), ir.Integer(deferCount)), last)
				g.Emit(&ir.If{Cond: ir.OpAnd.Of(ir.OpGt.Of(q.queued.Use(), ir.Integer(0)), full), Then: g.Block(q.flush)})
			})
			g.Emit(&ir.For{Var: d.loop.Var, Lo: d.loop.Lo, Hi: end, Body: body})
		})
		if known, ok := d.large(); ok && known {
			g.Emit(queues...)
			return
		}
		least := ir.OpLt.Of(ir.OpMin.Of(rows, columns), ir.Integer(deferExtent))
		bytes := ir.Mul(ir.Mul(rows, columns), ir.Integer(int64(ir.Width(q.buf.Elem))))
		much := ir.OpAnd.Of(ir.Not(least), ir.OpGe.Of(bytes, ir.Integer(deferLeast)))
		g.Emit(&ir.If{Cond: ir.OpAnd.Of(much, ir.OpLe.Of(columns, q.stride)), Then: queues, Else: []ir.Stmt{other}})
	})
}

// large reports whether the matrix is large enough for a queue; it is not ok
// where that is only known when the program runs.
func (d *deferred) large() (large, ok bool) {
	rows, ok := ir.IntOf(d.rows)
	columns, ok2 := ir.IntOf(d.columns)
	stride, ok3 := ir.IntOf(d.stride)
	return min(rows, columns) >= deferExtent && columns <= stride && rows*columns*int64(ir.Width(d.buf.Elem)) >= deferLeast, ok && ok2 && ok3
}

// copied is a copy of the loop.
func (d *deferred) copied() ir.Stmt {
	body, at := d.unswapped()
	c := d.l.NewCloner()
	f := c.Stmt(&ir.For{Var: d.loop.Var, Lo: d.loop.Lo, Hi: d.loop.Hi, Body: body, Independent: d.loop.Independent}).(*ir.For)
	if d.swap != nil {
		f.Body = append(f.Body[:at:at], append([]ir.Stmt{&ir.Swap{A: c.Buf(d.swap.A), B: c.Buf(d.swap.B)}}, f.Body[at:]...)...)
	}
	return f
}

// unswapped is the body of the loop without the exchange of generations, which
// is at a position of it.
func (d *deferred) unswapped() (body []ir.Stmt, at int) {
	for i, s := range d.loop.Body {
		if d.swap != nil && s == ir.Stmt(d.swap) {
			at = i
			continue
		}
		body = append(body, s)
	}
	return body, at
}

// counter makes a variable that counts.
func (q *queueCode) counter(name string, init ir.Expr) *ir.Var {
	v := q.g.Mutable(name, ir.I64, init)
	q.g.Ranges[v] = facts.Between(0, facts.MaxExtent)
	return v
}

// prepare declares what the queue needs.
func (q *queueCode) prepare(rows, columns ir.Expr) {
	g := q.g
	height, breadth := rows, q.stride
	q.row, q.column = q.axis(rows, height), q.axis(columns, breadth)
	q.queued = q.counter("queued", ir.Integer(0))
	q.pitch = g.Atom("pitch", ir.Add(height, ir.Integer(8)))
	q.lefts = g.Heap("left", q.x.Kind, []ir.Expr{q.pitch, ir.Integer(deferCount)})
	q.rights = g.Heap("right", q.y.Kind, []ir.Expr{breadth, ir.Integer(deferCount)})
	q.column1 = g.Heap("column", q.buf.Elem, []ir.Expr{height})
	q.savedRows = g.Heap("rows", q.buf.Elem, []ir.Expr{breadth, ir.Integer(deferCount)})
	q.savedC = g.Heap("columns", q.buf.Elem, []ir.Expr{height, ir.Integer(deferCount)})
	starts := func(name string) *ir.Buf {
		b := &ir.Buf{Name: name, Elem: ir.I64, Stack: deferCount}
		g.Emit(&ir.DeclBuf{Buf: b, Count: ir.Integer(deferCount), Shape: []ir.Expr{ir.Integer(deferCount)}, At: g.Src})
		g.Bufs[b] = facts.Between(0, facts.MaxExtent)
		return b
	}
	q.rowFrom, q.colFrom = starts("from"), starts("from")
	q.panel = &reduce.MicroStep{Kind: q.acc.Kind, Acc: q.acc, A: q.x, B: q.y, X: q.step}
	w := g.NewVar("width", ir.I64)
	g.Ranges[w] = facts.Between(2, reduce.MaxPanel)
	g.Emit(w.Decl(&ir.Math{Fn: "tl_panel", K: ir.I64, Args: []ir.Expr{ir.Integer(int64(ir.Width(q.acc.Kind)))}}))
	q.width = w.Use()
	room := g.Atom("panels", ir.Quo(ir.Add(breadth, w.Use()), w.Use()))
	q.packed = g.Heap("packed", q.acc.Kind, []ir.Expr{room, w.Use(), ir.Integer(deferCount)})
}

func (q *queueCode) axis(end, n ir.Expr) *queueAxis {
	g := q.g
	a := &queueAxis{end: end}
	a.done = g.Heap("done", ir.I64, []ir.Expr{n})
	g.Blk.Stmts[len(g.Blk.Stmts)-1].(*ir.DeclBuf).Zero = true
	a.list = g.Heap("lines", ir.I64, []ir.Expr{ir.Add(n, ir.Integer(1))})
	g.Bufs[a.done], g.Bufs[a.list] = facts.Between(0, deferCount), facts.Between(0, facts.MaxExtent)
	a.count, a.from, a.to = q.counter("lines", ir.Integer(0)), q.counter("from", end), q.counter("to", ir.Integer(0))
	return a
}

// block writes a block of the loop; ready has the lines that are up to date.
func (q *queueCode) block(block []ir.Stmt, ready map[string]bool) {
	g := q.g
	for _, s := range block {
		q.prepareFor(s, ready)
		if t := q.touched[s]; t != nil {
			_, branch := s.(*ir.If)
			_, fault := s.(*ir.Fail)
			q.touch(t, ready, !branch && !fault)
		}
		switch x := s.(type) {
		case *ir.If:
			then := g.Block(func() { q.branch(x.Then, ready) })
			s = &ir.If{Cond: x.Cond, Then: then, Else: g.Block(func() { q.branch(x.Else, ready) })}
		case *ir.Nest:
			if x == q.nest {
				q.enqueue()
				q.release(ready)
				clear(ready)
				continue
			}
		}
		g.Emit(q.fromColumn(s))
	}
}

// branch writes a block that may not run: what is held from it on is put back at
// its end.
func (q *queueCode) branch(block []ir.Stmt, ready map[string]bool) {
	before, own := q.held, copyOf(ready)
	q.block(block, own)
	if q.held != before {
		q.release(own)
	}
}

func copyOf(m map[string]bool) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

// update is what an element becomes.
func (q *queueCode) update(c, x, y ir.Expr) ir.Expr {
	return ir.MapExpr(q.step, func(e ir.Expr) ir.Expr {
		if u, ok := e.(*ir.Use); ok {
			switch u.Var {
			case q.acc:
				return c
			case q.x:
				return x
			case q.y:
				return y
			}
		}
		return e
	})
}

// enqueue keeps the update of this step.
func (q *queueCode) enqueue() {
	g := q.g
	i, j := q.nest.Dims[0], q.nest.Dims[1]
	at := q.queued.Use()
	from := func(lo, shift ir.Expr) ir.Expr { return g.Let("from", ir.Add(lo, shift)) }
	row, column := from(i.Lo, q.rowAt), from(j.Lo, q.columnAt)
	values := func(dst *ir.Buf, d ir.Dim, base ir.Expr, x ir.Expr) {
		v := g.NewVar(d.Var.Name, ir.I64)
		g.Ranges[v] = g.Ranges[d.Var]
		x = ir.MapExpr(x, func(y ir.Expr) ir.Expr {
			if u, ok := y.(*ir.Use); ok && u.Var == d.Var {
				return v.Use()
			}
			return y
		})
		g.Emit(&ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: v, Lo: d.Lo, Hi: d.Hi}}, Body: []ir.Stmt{dst.Store(ir.Add(base, v.Use()), x)}, At: q.nest.At})
	}
	some := ir.OpAnd.Of(ir.OpLt.Of(row, q.row.end), ir.OpLt.Of(column, q.column.end))
	g.Emit(&ir.If{Cond: some, Then: g.Block(func() {
		g.Emit(q.rowFrom.Store(at, row), q.colFrom.Store(at, column))
		values(q.lefts, i, g.Let("base", ir.Add(ir.Mul(at, q.pitch), q.rowAt)), q.fromColumnIn(q.left))
		values(q.rights, j, g.Let("base", ir.Add(ir.Mul(at, q.stride), q.columnAt)), q.fromColumnIn(q.right))
		g.Emit(q.queued.Assign(ir.Add(at, ir.Integer(1))))
	}), Else: nil})
}

// touch brings the lines of a statement up to date; one column may be held.
func (q *queueCode) touch(t *touching, ready map[string]bool, hold bool) {
	g := q.g
	var rows, columns []line
	pick := func(lines []line, out *[]line) {
		for _, x := range lines {
			if x.key == "" || !ready[x.key] {
				*out = append(*out, x)
			}
			if x.key != "" {
				ready[x.key] = true
			}
		}
	}
	pick(t.rows, &rows)
	pick(t.columns, &columns)
	if n := len(columns); n > 0 && hold && q.canHold(columns[n-1]) {
		defer q.hold(columns[n-1], ready)
		columns = columns[:n-1]
	}
	if len(rows)+len(columns) == 0 {
		return
	}
	g.Emit(&ir.If{Cond: ir.OpGt.Of(q.queued.Use(), ir.Integer(0)), Then: g.Block(func() {
		q.eachLine(rows, q.touchRow)
		q.eachLine(columns, q.touchColumn)
	}), Else: nil})
}

// eachLine runs do for lines, with one copy of its code.
func (q *queueCode) eachLine(lines []line, do func(at ir.Expr)) {
	g := q.g
	var at []ir.Expr
	for _, x := range lines {
		at = append(at, g.Let("line", x.at))
	}
	switch len(at) {
	case 0:
		return
	case 1:
		do(at[0])
		return
	}
	q.g.Loop(ir.Integer(0), ir.Integer(int64(len(at))), false, func(t ir.Expr) {
		x := at[len(at)-1]
		for i := len(at) - 2; i >= 0; i-- {
			x = &ir.Select{Cond: ir.OpEq.Of(t, ir.Integer(int64(i))), Then: at[i], Else: x}
		}
		do(g.Let("line", x))
	})
}

// begin runs body where a line lacks updates, from the first one it lacks on;
// the line is listed.
func (q *queueCode) begin(a *queueAxis, at ir.Expr, body func(from ir.Expr)) {
	g := q.g
	there := ir.OpAnd.Of(ir.OpGe.Of(at, ir.Integer(0)), ir.OpLt.Of(at, a.end))
	g.Emit(&ir.If{Cond: there, Then: g.Block(func() {
		from := g.Let("done", a.done.Load(at))
		g.Emit(&ir.If{Cond: ir.OpLt.Of(from, q.queued.Use()), Then: g.Block(func() {
			q.enlist(a, at, from)
			body(from)
			g.Emit(a.done.Store(at, q.queued.Use()))
		}), Else: nil})
	}), Else: nil})
}

// enlist lists a line that has its first updates.
func (q *queueCode) enlist(a *queueAxis, at, from ir.Expr) {
	q.g.Emit(&ir.If{Cond: ir.OpEq.Of(from, ir.Integer(0)), Then: []ir.Stmt{
		a.list.Store(a.count.Use(), at), a.count.Assign(ir.Add(a.count.Use(), ir.Integer(1))),
		a.from.Assign(ir.OpMin.Of(a.from.Use(), at)), a.to.Assign(ir.OpMax.Of(a.to.Use(), ir.Add(at, ir.Integer(1)))),
	}, Else: nil})
}

// pieces runs each for the lines from … across an axis: those between the
// listed ones with a test of whether they have update p.
func (q *queueCode) pieces(a *queueAxis, from, p ir.Expr, each func(i ir.Expr, value func(x, old ir.Expr) ir.Expr)) {
	g := q.g
	plain := func(x, _ ir.Expr) ir.Expr { return x }
	lo := g.Let("lo", ir.OpMin.Of(ir.OpMax.Of(a.from.Use(), from), a.end))
	hi := g.Let("hi", ir.OpMin.Of(ir.OpMax.Of(a.to.Use(), lo), a.end))
	q.g.Loop(from, lo, true, func(i ir.Expr) { each(i, plain) })
	q.g.Loop(lo, hi, true, func(i ir.Expr) {
		each(i, func(x, old ir.Expr) ir.Expr {
			return &ir.Select{Cond: ir.OpLe.Of(a.done.Load(i), p), Then: x, Else: old}
		})
	})
	q.g.Loop(hi, a.end, true, func(i ir.Expr) { each(i, plain) })
}

// touchRow applies to a row what it lacks.
func (q *queueCode) touchRow(at ir.Expr) {
	g := q.g
	q.begin(q.row, at, func(from ir.Expr) {
		base := g.Let("base", ir.Mul(at, q.stride))
		q.g.Loop(from, q.queued.Use(), false, func(p ir.Expr) {
			g.Emit(&ir.If{Cond: ir.OpLe.Of(q.rowFrom.Load(p), at), Then: g.Block(func() {
				x := g.Let("x", q.lefts.Load(ir.Add(ir.Mul(p, q.pitch), at)))
				rights := g.Let("rights", ir.Mul(p, q.stride))
				start := g.Let("start", q.colFrom.Load(p))
				q.pieces(q.column, start, p, func(j ir.Expr, value func(x, old ir.Expr) ir.Expr) {
					place := ir.Add(base, j)
					c := g.Let("c", q.buf.Load(place))
					y := g.Let("y", q.rights.Load(ir.Add(rights, j)))
					g.Emit(q.buf.Store(place, value(q.update(c, x, y), c)))
				})
			}), Else: nil})
		})
	})
}
