package laila

// queueCode writes the code of a queue of updates. The queue has, for each of
// its updates, the values of the rows and of the columns and where its region
// starts; lines that have some of the updates are listed.
type queueCode struct {
	*deferred
	g                 *gen
	queued            *Var // how many updates there are
	pitch             Expr // between the rows' values of two updates
	lefts, rights     *Buf
	rowFrom, colFrom  *Buf // where the regions of the updates start
	row, column       *queueAxis
	panel             *microStep
	width, panels     Expr
	packed            *Buf
	savedRows, savedC *Buf
	column1           *Buf // a column
	held              *heldColumn
}

// queueAxis is what is known of the rows, or of the columns.
type queueAxis struct {
	end      Expr
	done     *Buf // how many updates a line has
	list     *Buf // the lines that have any
	count    *Var
	from, to *Var // the lines of the list are from … to-1
}

// emit returns the loop in two versions: with its updates queued where the
// matrix is large, and as it was.
func (d *deferred) emit() []Stmt {
	q := &queueCode{deferred: d, g: d.l.gen()}
	g := q.g
	g.src = d.nest.At
	other := d.copied()
	return g.block(func() {
		rows, columns := g.atom("rows", q.rows), g.atom("columns", q.columns)
		queues := g.block(func() {
			end := g.atom("end", d.loop.Hi)
			q.prepare(rows, columns)
			body := g.block(func() {
				q.block(d.body, map[string]bool{})
				q.release(nil)
				last := &Binary{Ge, add(&Use{d.loop.Var}, integer(1)), end}
				full := &Binary{Or, &Binary{Ge, &Use{q.queued}, integer(deferCount)}, last}
				g.emit(&If{&Binary{And, &Binary{Gt, &Use{q.queued}, integer(0)}, full}, g.block(q.flush), nil})
			})
			g.emit(&For{Var: d.loop.Var, Lo: d.loop.Lo, Hi: end, Body: body})
		})
		if known, ok := d.large(); ok && known {
			g.emit(queues...)
			return
		}
		least := &Binary{Lt, &Binary{Min, rows, columns}, integer(deferExtent)}
		bytes := mul(mul(rows, columns), integer(int64(width(q.buf.Elem))))
		much := &Binary{And, not(least), &Binary{Ge, bytes, integer(deferLeast)}}
		g.emit(&If{&Binary{And, much, &Binary{Le, columns, q.stride}}, queues, []Stmt{other}})
	})
}

// large reports whether the matrix is large enough for a queue; it is not ok
// where that is only known when the program runs.
func (d *deferred) large() (large, ok bool) {
	rows, ok := intOf(d.rows)
	columns, ok2 := intOf(d.columns)
	stride, ok3 := intOf(d.stride)
	return min(rows, columns) >= deferExtent && columns <= stride && rows*columns*int64(width(d.buf.Elem)) >= deferLeast, ok && ok2 && ok3
}

// copied is a copy of the loop.
func (d *deferred) copied() Stmt {
	body, at := d.unswapped()
	c := newCloner(d.l)
	f := c.stmt(&For{Var: d.loop.Var, Lo: d.loop.Lo, Hi: d.loop.Hi, Body: body, Independent: d.loop.Independent}).(*For)
	if d.swap != nil {
		f.Body = append(f.Body[:at:at], append([]Stmt{&Swap{c.buf(d.swap.A), c.buf(d.swap.B)}}, f.Body[at:]...)...)
	}
	return f
}

// unswapped is the body of the loop without the exchange of generations, which
// is at a position of it.
func (d *deferred) unswapped() (body []Stmt, at int) {
	for i, s := range d.loop.Body {
		if d.swap != nil && s == Stmt(d.swap) {
			at = i
			continue
		}
		body = append(body, s)
	}
	return body, at
}

// counter makes a variable that counts.
func (q *queueCode) counter(name string, init Expr) *Var {
	v := q.g.mutable(name, I64, init)
	q.g.ranges[v] = interval{0, maxExtent}
	return v
}

// prepare declares what the queue needs.
func (q *queueCode) prepare(rows, columns Expr) {
	g := q.g
	height, breadth := rows, q.stride
	q.row, q.column = q.axis(rows, height), q.axis(columns, breadth)
	q.queued = q.counter("queued", integer(0))
	q.pitch = g.atom("pitch", add(height, integer(8)))
	q.lefts = g.heap("left", q.x.Kind, []Expr{q.pitch, integer(deferCount)})
	q.rights = g.heap("right", q.y.Kind, []Expr{breadth, integer(deferCount)})
	q.column1 = g.heap("column", q.buf.Elem, []Expr{height})
	q.savedRows = g.heap("rows", q.buf.Elem, []Expr{breadth, integer(deferCount)})
	q.savedC = g.heap("columns", q.buf.Elem, []Expr{height, integer(deferCount)})
	starts := func(name string) *Buf {
		b := &Buf{Name: name, Elem: I64, Stack: deferCount}
		g.emit(&DeclBuf{Buf: b, Count: integer(deferCount), Shape: []Expr{integer(deferCount)}, At: g.src})
		g.bufs[b] = interval{0, maxExtent}
		return b
	}
	q.rowFrom, q.colFrom = starts("from"), starts("from")
	q.panel = &microStep{kind: q.acc.Kind, acc: q.acc, a: q.x, b: q.y, x: q.step}
	w := g.newVar("width", I64)
	g.ranges[w] = interval{2, maxPanel}
	g.emit(&Decl{w, &Math{"tl_panel", I64, []Expr{integer(int64(width(q.acc.Kind)))}}})
	q.width = &Use{w}
	room := g.atom("panels", quo(add(breadth, &Use{w}), &Use{w}))
	q.packed = g.heap("packed", q.acc.Kind, []Expr{room, &Use{w}, integer(deferCount)})
}

func (q *queueCode) axis(end, n Expr) *queueAxis {
	g := q.g
	a := &queueAxis{end: end}
	a.done = g.heap("done", I64, []Expr{n})
	g.blk.stmts[len(g.blk.stmts)-1].(*DeclBuf).Zero = true
	a.list = g.heap("lines", I64, []Expr{add(n, integer(1))})
	g.bufs[a.done], g.bufs[a.list] = interval{0, deferCount}, interval{0, maxExtent}
	a.count, a.from, a.to = q.counter("lines", integer(0)), q.counter("from", end), q.counter("to", integer(0))
	return a
}

// loop emits a sequential loop.
func (q *queueCode) loop(lo, hi Expr, independent bool, body func(i Expr)) {
	g := q.g
	v := g.loopVar(lo, hi, nil)
	g.emit(&For{Var: v, Lo: lo, Hi: hi, Independent: independent, Body: g.block(func() { body(&Use{v}) })})
}

// block writes a block of the loop; ready has the lines that are up to date.
func (q *queueCode) block(block []Stmt, ready map[string]bool) {
	g := q.g
	for _, s := range block {
		q.prepareFor(s, ready)
		if t := q.touched[s]; t != nil {
			_, branch := s.(*If)
			_, fault := s.(*Fail)
			q.touch(t, ready, !branch && !fault)
		}
		switch x := s.(type) {
		case *If:
			then := g.block(func() { q.branch(x.Then, ready) })
			s = &If{x.Cond, then, g.block(func() { q.branch(x.Else, ready) })}
		case *Nest:
			if x == q.nest {
				q.enqueue()
				q.release(ready)
				clear(ready)
				continue
			}
		}
		g.emit(q.fromColumn(s))
	}
}

// branch writes a block that may not run: what is held from it on is put back at
// its end.
func (q *queueCode) branch(block []Stmt, ready map[string]bool) {
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
func (q *queueCode) update(c, x, y Expr) Expr {
	return mapExpr(q.step, func(e Expr) Expr {
		if u, ok := e.(*Use); ok {
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
	at := &Use{q.queued}
	from := func(lo, shift Expr) Expr { return g.let("from", add(lo, shift)) }
	row, column := from(i.Lo, q.rowAt), from(j.Lo, q.columnAt)
	values := func(dst *Buf, d Dim, base Expr, x Expr) {
		v := g.newVar(d.Var.Name, I64)
		g.ranges[v] = g.ranges[d.Var]
		x = mapExpr(x, func(y Expr) Expr {
			if u, ok := y.(*Use); ok && u.Var == d.Var {
				return &Use{v}
			}
			return y
		})
		g.emit(&Nest{Kind: SegMap, Dims: []Dim{{v, d.Lo, d.Hi}}, Body: []Stmt{&Store{dst, add(base, &Use{v}), x}}, At: q.nest.At})
	}
	some := &Binary{And, &Binary{Lt, row, q.row.end}, &Binary{Lt, column, q.column.end}}
	g.emit(&If{some, g.block(func() {
		g.emit(&Store{q.rowFrom, at, row}, &Store{q.colFrom, at, column})
		values(q.lefts, i, g.let("base", add(mul(at, q.pitch), q.rowAt)), q.fromColumnIn(q.left))
		values(q.rights, j, g.let("base", add(mul(at, q.stride), q.columnAt)), q.fromColumnIn(q.right))
		g.emit(&Assign{q.queued, add(at, integer(1))})
	}), nil})
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
	g.emit(&If{&Binary{Gt, &Use{q.queued}, integer(0)}, g.block(func() {
		var wrong Expr
		for _, x := range t.wrong {
			if wrong == nil {
				wrong = x
			} else {
				wrong = &Binary{Or, wrong, x}
			}
		}
		if wrong != nil { // then all rows are brought up to date
			rows = append(rows, line{})
			wrong = g.let("wrong", wrong)
		}
		q.eachLine(rows, wrong, q.touchRow)
		q.eachLine(columns, nil, q.touchColumn)
	}), nil})
}

// eachLine runs do for lines, with one copy of its code for those without
// loops. The line without a place stands for all rows, where wrong is 1.
func (q *queueCode) eachLine(lines []line, wrong Expr, do func(at Expr)) {
	g := q.g
	var single []Expr
	all := false
	for _, x := range lines {
		switch {
		case x.at == nil:
			all = true
		case len(x.loops) == 0:
			single = append(single, g.let("line", x.at))
		default:
			q.inLoops(x.loops, x.at, do)
		}
	}
	if len(single) == 0 && !all {
		return
	}
	if len(single) == 1 && !all {
		do(single[0])
		return
	}
	var n Expr = integer(int64(len(single)))
	if all {
		n = g.let("n", &Select{wrong, q.row.end, n})
	}
	q.loop(integer(0), n, false, func(t Expr) {
		at := t
		for i := len(single) - 1; i >= 0; i-- {
			if i == len(single)-1 && !all {
				at = single[i]
				continue
			}
			here := Expr(&Binary{Eq, t, integer(int64(i))})
			if all {
				here = &Binary{And, not(wrong), here}
			}
			at = &Select{here, single[i], at}
		}
		do(g.let("line", at))
	})
}

// inLoops runs do for a line of each iteration of loops.
func (q *queueCode) inLoops(loops []Dim, at Expr, do func(at Expr)) {
	if len(loops) == 0 {
		do(q.g.let("line", at))
		return
	}
	v := loops[0]
	q.loop(v.Lo, v.Hi, false, func(i Expr) {
		q.inLoops(loops[1:], mapExpr(at, func(y Expr) Expr {
			if u, ok := y.(*Use); ok && u.Var == v.Var {
				return i
			}
			return y
		}), do)
	})
}

// begin runs body where a line lacks updates, from the first one it lacks on;
// the line is listed.
func (q *queueCode) begin(a *queueAxis, at Expr, body func(from Expr)) {
	g := q.g
	there := &Binary{And, &Binary{Ge, at, integer(0)}, &Binary{Lt, at, a.end}}
	g.emit(&If{there, g.block(func() {
		from := g.let("done", &Load{a.done, at})
		g.emit(&If{&Binary{Lt, from, &Use{q.queued}}, g.block(func() {
			q.enlist(a, at, from)
			body(from)
			g.emit(&Store{a.done, at, &Use{q.queued}})
		}), nil})
	}), nil})
}

// enlist lists a line that has its first updates.
func (q *queueCode) enlist(a *queueAxis, at, from Expr) {
	q.g.emit(&If{&Binary{Eq, from, integer(0)}, []Stmt{
		&Store{a.list, &Use{a.count}, at}, &Assign{a.count, add(&Use{a.count}, integer(1))},
		&Assign{a.from, &Binary{Min, &Use{a.from}, at}}, &Assign{a.to, &Binary{Max, &Use{a.to}, add(at, integer(1))}},
	}, nil})
}

// pieces runs each for the lines from … across an axis: those between the
// listed ones with a test of whether they have update p.
func (q *queueCode) pieces(a *queueAxis, from, p Expr, each func(i Expr, value func(x, old Expr) Expr)) {
	g := q.g
	plain := func(x, _ Expr) Expr { return x }
	lo := g.let("lo", &Binary{Min, &Binary{Max, &Use{a.from}, from}, a.end})
	hi := g.let("hi", &Binary{Min, &Binary{Max, &Use{a.to}, lo}, a.end})
	q.loop(from, lo, true, func(i Expr) { each(i, plain) })
	q.loop(lo, hi, true, func(i Expr) {
		each(i, func(x, old Expr) Expr { return &Select{&Binary{Le, &Load{a.done, i}, p}, x, old} })
	})
	q.loop(hi, a.end, true, func(i Expr) { each(i, plain) })
}

// touchRow applies to a row what it lacks.
func (q *queueCode) touchRow(at Expr) {
	g := q.g
	q.begin(q.row, at, func(from Expr) {
		base := g.let("base", mul(at, q.stride))
		q.loop(from, &Use{q.queued}, false, func(p Expr) {
			g.emit(&If{&Binary{Le, &Load{q.rowFrom, p}, at}, g.block(func() {
				x := g.let("x", &Load{q.lefts, add(mul(p, q.pitch), at)})
				rights := g.let("rights", mul(p, q.stride))
				start := g.let("start", &Load{q.colFrom, p})
				q.pieces(q.column, start, p, func(j Expr, value func(x, old Expr) Expr) {
					place := add(base, j)
					c := g.let("c", &Load{q.buf, place})
					y := g.let("y", &Load{q.rights, add(rights, j)})
					g.emit(&Store{q.buf, place, value(q.update(c, x, y), c)})
				})
			}), nil})
		})
	})
}
