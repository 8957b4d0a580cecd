package updates

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// line is a row or a column.
type line struct {
	at  ir.Expr
	key string
}

// touching has the lines that a statement uses.
type touching struct{ rows, columns []line }

// access is an element that a statement reads or writes.
type access struct {
	row, column     ir.Expr
	byRow, byColumn []ir.Dim // loops of the statement that they depend on
	written         bool
}

// lines finds which lines the statements of the loop touch.
func (d *deferred) lines() bool {
	d.touched, d.forced = map[ir.Stmt]*touching{}, map[string]bool{}
	all := map[ir.Stmt][]access{}
	d.all, d.columnsOf = all, map[string]*heldColumn{}
	if !d.accesses(d.body, all) {
		return false
	}
	for _, as := range all { // lines that are needed whatever is chosen for single elements
		for _, a := range as {
			if len(a.byRow) == 0 && len(a.byColumn) > 0 {
				d.forced[d.key("r", a.row)] = true
			}
			if len(a.byColumn) == 0 && len(a.byRow) > 0 {
				d.forced[d.key("c", a.column)] = true
			}
			if len(a.byColumn) == 0 {
				d.holdable(a, d.key("c", a.column))
			}
		}
	}
	for s, as := range all {
		t := &touching{}
		for _, a := range as {
			if !d.choose(t, a) {
				return false
			}
		}
		d.touched[s] = t
	}
	return true
}

// accesses finds the elements that the statements of a block use.
func (d *deferred) accesses(block []ir.Stmt, all map[ir.Stmt][]access) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Comment:
			continue
		case *ir.If:
			if !d.inStmt(&ir.If{Cond: s.Cond}, s, all) || !d.accesses(s.Then, all) || !d.accesses(s.Else, all) {
				return false
			}
			continue
		}
		if s == ir.Stmt(d.nest) {
			n := *d.nest
			n.Body = []ir.Stmt{d.l.NewVar("x", d.x.Kind).Decl(d.left), d.l.NewVar("y", d.y.Kind).Decl(d.right)}
			if !d.inStmt(&n, s, all) {
				return false
			}
			continue
		}
		if !d.inStmt(s, s, all) {
			return false
		}
	}
	return true
}

// inStmt finds the elements that s uses, which stands for a statement of the
// loop.
func (d *deferred) inStmt(s, of ir.Stmt, all map[ir.Stmt][]access) bool {
	w := &accessWalk{d: d, root: s, loops: map[*ir.Var]bool{}}
	if !w.stmt(s, nil, false) {
		return false
	}
	if len(w.found) > 0 {
		all[of] = w.found
	}
	return true
}

type accessWalk struct {
	d     *deferred
	root  ir.Stmt
	loops map[*ir.Var]bool
	found []access
}

func (w *accessWalk) stmt(s ir.Stmt, loops []ir.Dim, guarded bool) bool {
	switch s := s.(type) {
	case *ir.Return, *ir.BreakIf:
		if _, ok := w.root.(*ir.Loop); !ok {
			return false
		}
	case *ir.Store:
		if s.Buf == w.d.buf && !w.access(s.Index, loops, guarded, true) {
			return false
		}
	case *ir.DeclBuf, *ir.Free, *ir.Move, *ir.Swap, *ir.Copy, *ir.Call, *ir.Runtime, *ir.Filter, *ir.Micro:
		other := false
		ir.EachBuffer(s, func(b *ir.Buf) { other = other || b == w.d.buf || b == w.d.other })
		if other {
			return false
		}
	}
	for _, x := range ir.Exprs(s) {
		if !w.expr(x, loops, guarded) {
			return false
		}
	}
	inner := loops[:len(loops):len(loops)]
	switch s := s.(type) {
	case *ir.For:
		inner = append(inner, ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi})
	case *ir.Nest:
		inner = append(append(inner, s.Dims...), s.Red...)
	case *ir.Filter:
		inner = append(inner, ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi})
	}
	for _, v := range inner[len(loops):] {
		w.loops[v.Var] = true
	}
	_, branch := s.(*ir.If)
	for _, block := range ir.Blocks(s) {
		for _, t := range *block {
			if !w.stmt(t, inner, guarded || branch) {
				return false
			}
		}
	}
	return true
}

func (w *accessWalk) expr(x ir.Expr, loops []ir.Dim, guarded bool) bool {
	if l, ok := x.(*ir.Load); ok {
		if l.Buf == w.d.other || l.Buf == w.d.buf && !w.access(l.Index, loops, guarded, false) {
			return false
		}
	}
	for _, y := range ir.Operands(x) {
		if !w.expr(y, loops, guarded) {
			return false
		}
	}
	return true
}

// access notes an element, if its index is a row and a column whose values are
// known before the statement.
func (w *accessWalk) access(index ir.Expr, loops []ir.Dim, guarded, written bool) bool {
	d := w.d
	index, ok := d.expand(index, w.root, w.loops)
	if !ok {
		return false
	}
	a := access{written: written}
	if a.row, a.column, ok = d.split(index); !ok {
		return false
	}
	assigned := map[*ir.Var]bool{}
	ir.Walk([]ir.Stmt{w.root}, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Assign:
			assigned[s.Var] = true
		case *ir.Checked:
			assigned[s.Var], assigned[s.Flag] = true, true
		}
	})
	stored := map[*ir.Buf]bool{}
	ir.Walk([]ir.Stmt{w.root}, func(s ir.Stmt) {
		if st, ok := s.(*ir.Store); ok {
			stored[st.Buf] = true
		}
	})
	for _, x := range []ir.Expr{a.row, a.column} {
		ir.MapExpr(x, func(y ir.Expr) ir.Expr {
			switch y := y.(type) {
			case *ir.Load:
				ok = ok && y.Buf != d.buf && y.Buf != d.other && !stored[y.Buf] && !guarded
			case *ir.Use:
				ok = ok && !assigned[y.Var]
			}
			return y
		})
	}
	for _, v := range loops {
		if ir.Mentions(a.row, v.Var) {
			a.byRow = append(a.byRow, v)
		}
		if ir.Mentions(a.column, v.Var) {
			a.byColumn = append(a.byColumn, v)
		}
	}
	if ok {
		w.found = append(w.found, a)
	}
	return ok
}

// choose adds the line of an element to what a statement touches.
func (d *deferred) choose(t *touching, a access) bool {
	row, column := line{a.row, d.key("r", a.row)}, line{a.column, d.key("c", a.column)}
	switch {
	case len(a.byRow) == 0 && len(a.byColumn) == 0:
		if d.forced[column.key] && !d.forced[row.key] {
			return t.addColumn(d, column, a)
		}
		return t.addRow(d, row, a)
	case len(a.byRow) == 0:
		return t.addRow(d, row, a)
	case len(a.byColumn) == 0:
		return t.addColumn(d, column, a)
	}
	return false
}

// addRow adds a row, whose columns are on their axis.
func (t *touching) addRow(d *deferred, row line, a access) bool {
	if !d.onAxis(a.column, a.byColumn) {
		return false
	}
	t.rows = appendLine(t.rows, row)
	return true
}

// addColumn adds a column, which is on the axis itself.
func (t *touching) addColumn(d *deferred, column line, a access) bool {
	if !d.onAxis(a.column, a.byColumn) {
		return false
	}
	t.columns = appendLine(t.columns, column)
	return true
}

func appendLine(lines []line, x line) []line {
	for _, y := range lines {
		if x.key != "" && x.key == y.key {
			return lines
		}
	}
	return append(lines, x)
}

// onAxis reports whether a column is certain to be one of the matrix for all
// iterations of the loops that it depends on.
func (d *deferred) onAxis(column ir.Expr, loops []ir.Dim) bool {
	least, most, ok := d.extremes(column, loops)
	stride, ok2 := d.sum(d.stride)
	if !ok || !ok2 {
		return false
	}
	return d.l.RangeOfSum(least).Lo >= 0 && d.l.RangeOfSum(stride.Minus(most)).Lo >= 1
}

// extremes returns the least and the greatest value of a sum for all iterations
// of loops.
func (d *deferred) extremes(x ir.Expr, loops []ir.Dim) (least, most affine.Poly, ok bool) {
	if least, ok = d.sum(x); !ok {
		return least, most, false
	}
	d.limits = true
	defer func() { d.limits = false }()
	most = least
	for i := len(loops) - 1; i >= 0; i-- {
		if least, ok = d.extreme(least, loops[i], false); !ok {
			return least, most, false
		}
		if most, ok = d.extreme(most, loops[i], true); !ok {
			return least, most, false
		}
	}
	return least, most, true
}

// extreme replaces the index of a loop by its last or first value.
func (d *deferred) extreme(f affine.Poly, v ir.Dim, most bool) (affine.Poly, bool) {
	k := f.Coef(v.Var)
	if k == 0 {
		return f, true
	}
	at := v.Lo
	if most == (k > 0) {
		at = ir.Sub(v.Hi, ir.Integer(1))
	}
	x, ok := d.sum(at)
	return f.Substitute(v.Var, x), ok
}
