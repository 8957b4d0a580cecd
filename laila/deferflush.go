package laila

// flush applies the updates that are queued to all of the matrix.
//
//	top, left = where all regions have begun
//	the lines of the list that cross that part are kept
//	tiles of it: for p = 0 … queued: a[i;j] = f(a[i;j], L[p;i], U[p;j])
//	the lines are put back
//	rows above, rows of the list, columns to the left and of the list are brought up to date
func (q *queueCode) flush() {
	g := q.g
	bound := func(from *Buf, end Expr) (first, last *Var) {
		first, last = q.counter("first", end), q.counter("last", integer(0))
		q.loop(integer(0), &Use{q.queued}, false, func(p Expr) {
			at := g.let("at", &Load{from, p})
			g.emit(&Assign{first, &Binary{Min, &Use{first}, at}}, &Assign{last, &Binary{Max, &Use{last}, at}})
		})
		return first, last
	}
	top, bottom := bound(q.rowFrom, q.row.end)
	left, right := bound(q.colFrom, q.column.end)
	rows, columns := q.across(q.row, &Use{bottom}), q.across(q.column, &Use{right})
	many := &Binary{Or, &Binary{Gt, &Use{rows}, integer(deferCount)}, &Binary{Gt, &Use{columns}, integer(deferCount)}}
	// Where too many lines would have to be kept all rows are done one by one.
	g.emit(&If{many, []Stmt{&Assign{bottom, q.row.end}}, nil})
	row, column := g.let("row", &Use{bottom}), g.let("column", &Use{right})
	g.emit(&If{&Binary{Lt, row, q.row.end}, g.block(func() {
		q.keep(row, column, false)
		q.tiles(row, column)
		q.keep(row, column, true)
	}), nil})
	q.rest(q.row, &Use{top}, row, q.touchRow)
	q.rest(q.column, &Use{left}, column, q.touchColumn)
	for _, a := range []*queueAxis{q.row, q.column} {
		q.loop(integer(0), &Use{a.count}, false, func(t Expr) {
			g.emit(&Store{a.done, g.let("line", &Load{a.list, t}), integer(0)})
		})
		g.emit(&Assign{a.count, integer(0)}, &Assign{a.from, a.end}, &Assign{a.to, integer(0)})
	}
	g.emit(&Assign{q.queued, integer(0)})
}

// across counts the lines of a list from a place on.
func (q *queueCode) across(a *queueAxis, from Expr) *Var {
	n := q.counter("n", integer(0))
	q.loop(integer(0), &Use{a.count}, false, func(t Expr) {
		q.g.emit(&Assign{n, add(&Use{n}, convert(I64, &Binary{Ge, &Load{a.list, t}, from}))})
	})
	return n
}

// keep keeps the lines of the lists that cross the tiles, or puts them back.
func (q *queueCode) keep(row, column Expr, back bool) {
	g := q.g
	lines := func(a *queueAxis, from Expr, saved *Buf, pitch Expr, other *queueAxis, start Expr, place func(at, i Expr) Expr) {
		n := q.counter("n", integer(0))
		q.loop(integer(0), &Use{a.count}, false, func(t Expr) {
			at := g.let("line", &Load{a.list, t})
			g.emit(&If{&Binary{Ge, at, from}, g.block(func() {
				base := g.let("base", mul(&Use{n}, pitch))
				q.loop(start, other.end, true, func(i Expr) {
					if back {
						g.emit(&Store{q.buf, place(at, i), &Load{saved, add(base, i)}})
					} else {
						g.emit(&Store{saved, add(base, i), &Load{q.buf, place(at, i)}})
					}
				})
				g.emit(&Assign{n, add(&Use{n}, integer(1))})
			}), nil})
		})
	}
	lines(q.row, row, q.savedRows, q.stride, q.column, column, func(at, i Expr) Expr { return add(mul(at, q.stride), i) })
	lines(q.column, column, q.savedC, q.row.end, q.row, row, func(at, i Expr) Expr { return add(mul(i, q.stride), at) })
}

// tiles applies all updates to the part from row and column on.
func (q *queueCode) tiles(row, column Expr) {
	g := q.g
	n := g.let("terms", &Use{q.queued})
	height := g.let("rows", sub(q.row.end, row))
	breadth := g.let("columns", sub(q.column.end, column))
	x := &pull{elem: q.x.Kind, dims: []Expr{height, n}, at: func(ix []Expr) Expr {
		return &Load{q.lefts, add(mul(ix[1], q.pitch), add(row, ix[0]))}
	}}
	y := &pull{elem: q.y.Kind, dims: []Expr{n, breadth}, at: func(ix []Expr) Expr {
		return &Load{q.rights, add(mul(ix[0], q.stride), add(column, ix[1]))}
	}}
	t := &blocks{microStep: q.panel, g: g, x: x, y: y, rows: height, columns: breadth, terms: n, dst: q.buf, width: q.width, b: q.packed,
		origin: g.let("origin", add(mul(row, q.stride), column)), stride: q.stride}
	panels := t.count("panels", breadth, q.width)
	bands := t.count("bands", height, integer(blockRows))
	g.segmap([]Expr{panels}, func(ix []Expr) { t.packPanel(ix[0], integer(0), n) })
	g.segmap([]Expr{bands}, func(ix []Expr) { t.band(ix[0], panels, integer(0), n) })
}

// rest brings the lines from first to where the tiles begin up to date, and
// those of the list.
func (q *queueCode) rest(a *queueAxis, first, tiles Expr, touch func(at Expr)) {
	g := q.g
	listed := g.let("listed", &Use{a.count})
	before := g.let("before", &Binary{Max, sub(tiles, first), integer(0)})
	from := g.let("first", first)
	q.loop(integer(0), add(before, listed), false, func(t Expr) {
		k := &Binary{Max, sub(t, before), integer(0)}
		touch(g.let("line", &Select{&Binary{Lt, t, before}, add(from, t), &Load{a.list, k}}))
	})
}
