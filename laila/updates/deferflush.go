package updates

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/reduce"
)

// flush applies the updates that are queued to all of the matrix.
//
//	top, left = where all regions have begun
//	the lines of the list that cross that part are kept
//	tiles of it: for p = 0 … queued: a[i;j] = f(a[i;j], L[p;i], U[p;j])
//	the lines are put back
//	rows above, rows of the list, columns to the left and of the list are brought up to date
func (q *queueCode) flush() {
	g := q.g
	bound := func(from *ir.Buf, end ir.Expr) (first, last *ir.Var) {
		first, last = q.counter("first", end), q.counter("last", ir.Integer(0))
		q.g.Loop(ir.Integer(0), q.queued.Use(), false, func(p ir.Expr) {
			at := g.Let("at", from.Load(p))
			g.Emit(first.Assign(ir.OpMin.Of(first.Use(), at)), last.Assign(ir.OpMax.Of(last.Use(), at)))
		})
		return first, last
	}
	top, bottom := bound(q.rowFrom, q.row.end)
	left, right := bound(q.colFrom, q.column.end)
	rows, columns := q.across(q.row, bottom.Use()), q.across(q.column, right.Use())
	many := ir.OpOr.Of(ir.OpGt.Of(rows.Use(), ir.Integer(deferCount)), ir.OpGt.Of(columns.Use(), ir.Integer(deferCount)))
	// Where too many lines would have to be kept all rows are done one by one.
	g.Emit(&ir.If{Cond: many, Then: []ir.Stmt{bottom.Assign(q.row.end)}})
	row, column := g.Let("row", bottom.Use()), g.Let("column", right.Use())
	g.Emit(&ir.If{Cond: ir.OpLt.Of(row, q.row.end), Then: g.Block(func() {
		q.keep(row, column, false)
		q.tiles(row, column)
		q.keep(row, column, true)
	}), Else: nil})
	q.rest(q.row, top.Use(), row, q.touchRow)
	q.rest(q.column, left.Use(), column, q.touchColumn)
	for _, a := range []*queueAxis{q.row, q.column} {
		q.g.Loop(ir.Integer(0), a.count.Use(), false, func(t ir.Expr) {
			g.Emit(a.done.Store(g.Let("line", a.list.Load(t)), ir.Integer(0)))
		})
		g.Emit(a.count.Assign(ir.Integer(0)), a.from.Assign(a.end), a.to.Assign(ir.Integer(0)))
	}
	g.Emit(q.queued.Assign(ir.Integer(0)))
}

// across counts the lines of a list from a place on.
func (q *queueCode) across(a *queueAxis, from ir.Expr) *ir.Var {
	n := q.counter("n", ir.Integer(0))
	q.g.Loop(ir.Integer(0), a.count.Use(), false, func(t ir.Expr) {
		q.g.Emit(n.Assign(ir.Add(n.Use(), ir.ConvertTo(ir.I64, ir.OpGe.Of(a.list.Load(t), from)))))
	})
	return n
}

// keep keeps the lines of the lists that cross the tiles, or puts them back.
func (q *queueCode) keep(row, column ir.Expr, back bool) {
	g := q.g
	lines := func(a *queueAxis, from ir.Expr, saved *ir.Buf, pitch ir.Expr, other *queueAxis, start ir.Expr, place func(at, i ir.Expr) ir.Expr) {
		n := q.counter("n", ir.Integer(0))
		q.g.Loop(ir.Integer(0), a.count.Use(), false, func(t ir.Expr) {
			at := g.Let("line", a.list.Load(t))
			g.Emit(&ir.If{Cond: ir.OpGe.Of(at, from), Then: g.Block(func() {
				base := g.Let("base", ir.Mul(n.Use(), pitch))
				q.g.Loop(start, other.end, true, func(i ir.Expr) {
					if back {
						g.Emit(q.buf.Store(place(at, i), saved.Load(ir.Add(base, i))))
					} else {
						g.Emit(saved.Store(ir.Add(base, i), q.buf.Load(place(at, i))))
					}
				})
				g.Emit(n.Assign(ir.Add(n.Use(), ir.Integer(1))))
			}), Else: nil})
		})
	}
	lines(q.row, row, q.savedRows, q.stride, q.column, column, func(at, i ir.Expr) ir.Expr { return ir.Add(ir.Mul(at, q.stride), i) })
	lines(q.column, column, q.savedC, q.row.end, q.row, row, func(at, i ir.Expr) ir.Expr { return ir.Add(ir.Mul(i, q.stride), at) })
}

// tiles applies all updates to the part from row and column on.
func (q *queueCode) tiles(row, column ir.Expr) {
	g := q.g
	n := g.Let("terms", q.queued.Use())
	height := g.Let("rows", ir.Sub(q.row.end, row))
	breadth := g.Let("columns", ir.Sub(q.column.end, column))
	x := &build.Pull{Elem: q.x.Kind, Dims: []ir.Expr{height, n}, At: func(ix []ir.Expr) ir.Expr {
		return q.lefts.Load(ir.Add(ir.Mul(ix[1], q.pitch), ir.Add(row, ix[0])))
	}}
	y := &build.Pull{Elem: q.y.Kind, Dims: []ir.Expr{n, breadth}, At: func(ix []ir.Expr) ir.Expr {
		return q.rights.Load(ir.Add(ir.Mul(ix[0], q.stride), ir.Add(column, ix[1])))
	}}
	t := &reduce.Blocks{MicroStep: q.panel, G: g, X: x, Y: y, Rows: height, Columns: breadth, Terms: n, Dst: q.buf, Width: q.width, B: q.packed,
		Origin: g.Let("origin", ir.Add(ir.Mul(row, q.stride), column)), Stride: q.stride}
	panels := t.Count("panels", breadth, q.width)
	bands := t.Count("bands", height, ir.Integer(reduce.BlockRows))
	g.Segmap([]ir.Expr{panels}, func(ix []ir.Expr) { t.PackPanel(ix[0], ir.Integer(0), n) })
	g.Segmap([]ir.Expr{bands}, func(ix []ir.Expr) { t.Band(ix[0], panels, ir.Integer(0), n) })
}

// rest brings the lines from first to where the tiles begin up to date, and
// those of the list.
func (q *queueCode) rest(a *queueAxis, first, tiles ir.Expr, touch func(at ir.Expr)) {
	g := q.g
	listed := g.Let("listed", a.count.Use())
	before := g.Let("before", ir.OpMax.Of(ir.Sub(tiles, first), ir.Integer(0)))
	from := g.Let("first", first)
	q.g.Loop(ir.Integer(0), ir.Add(before, listed), false, func(t ir.Expr) {
		k := ir.OpMax.Of(ir.Sub(t, before), ir.Integer(0))
		touch(g.Let("line", &ir.Select{Cond: ir.OpLt.Of(t, before), Then: ir.Add(from, t), Else: a.list.Load(k)}))
	})
}
