package updates

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Updates of a matrix by a row and a column, as of elimination, of shortest
// paths and of closures:
//
//	for k = 0 … n
//	  … l and u, from row k and column k of a …
//	  segmap i, j: a[i;j] = f(a[i;j], l[i], u[j])
//
// pass over the matrix once for each k. They are queued: l and u are kept, and
// a tile of the matrix in registers takes several of them, one after the other:
//
//	for k = 0 … n
//	  apply what is queued to row k and column k
//	  … l and u …
//	  L[q;i] = l[i]; U[q;j] = u[j]; q = q + 1
//	  if (q = 32) | k = n - 1
//	    segmap tiles of a: for p = 0 … q: a[i;j] = f(a[i;j], L[p;i], U[p;j])
//	    q = 0
//
// Legality. An element is only changed by updates, in their order, and by
// statements that first have everything applied to the line, a row or a column,
// that they touch. For each line it is known how many of the queued updates it
// has; an element has as many as the greater of its row's and its column's
// count, so each update reaches each element of its region once, in order, and
// each statement finds what it would find without the queue. Which lines a
// statement touches follows from the indices: one of the two axes does not
// depend on the loops inside it, and the other one is certain to stay on its
// axis. f cannot fault, so all faults stay where
// they are; what the matrix holds does not matter any more when there is one.
//
// The arithmetic of each element, its order included, does not change.
//
// Two generations of a matrix, where every step computes all of the next one
// from the current one by such an f, become one: nothing uses the current one
// between the update and their exchange, and nothing else the next one.

// Limits of deferred updates: how many are queued, the smallest matrix in bytes
// and the shortest axis for which they are, as the queue takes some memory for
// each line, and the greatest number of operations of an index.
const (
	deferCount  = 32
	deferLeast  = 1 << 18
	deferExtent = 64
	deferSize   = 64
)

// deferred is a loop whose updates are queued.
type deferred struct {
	l     *pass.Context
	sv    *flow.Survey
	loop  *ir.For
	nest  *ir.Nest
	swap  *ir.Swap // of two generations, or nil
	buf   *ir.Buf
	other *ir.Buf   // the next generation, or nil
	body  []ir.Stmt // of the loop, with one generation
	// stride is the number of columns. Row i+rowAt and column j+columnAt are
	// updated for the indices i and j of the nest.
	stride          ir.Expr
	rowAt, columnAt ir.Expr
	rows, columns   ir.Expr // the ends of the region, which do not change
	changing        map[*ir.Var]bool
	limits          bool // sums may be those that extents are the greater of 0 and
	acc, x, y       *ir.Var
	left, right     ir.Expr // the values of x and y, in terms of i and j
	step            ir.Expr
	touched         map[ir.Stmt]*touching // lines to bring up to date before statements
	forced          map[string]bool
	all             map[ir.Stmt][]access
	columnsOf       map[string]*heldColumn
}

// DeferUpdates queues the updates of the loops of f.
func DeferUpdates(l *pass.Context, f *ir.Func) {
	var sv *flow.Survey
	var block func(list []ir.Stmt) []ir.Stmt
	block = func(list []ir.Stmt) []ir.Stmt {
		var out []ir.Stmt
		for _, s := range list {
			loop, ok := s.(*ir.For)
			if ok && hasUpdate(loop.Body) {
				if sv == nil {
					sv = flow.SurveyOf(f)
				}
				d := &deferred{l: l, sv: sv, loop: loop}
				if d.found() {
					out = append(out, d.emit()...)
					continue
				}
			}
			for _, inner := range ir.SequentialBlocks(s) {
				*inner = block(*inner)
			}
			out = append(out, s)
		}
		return out
	}
	f.Body = block(f.Body)
}

// hasUpdate reports whether a body has a nest over a matrix that stores one
// element at a point.
func hasUpdate(body []ir.Stmt) bool {
	for _, s := range body {
		if n, ok := s.(*ir.Nest); ok && isUpdate(n) {
			return true
		}
	}
	return false
}

// isUpdate reports whether n stores one element at each point of a matrix.
func isUpdate(n *ir.Nest) bool {
	if n.Kind != ir.SegMap || len(n.Dims) != 2 || len(n.Red)+len(n.Pre)+len(n.Post)+len(n.Flags) > 0 || len(n.Body) == 0 {
		return false
	}
	for i, s := range n.Body {
		switch s.(type) {
		case *ir.Decl, *ir.Comment:
			if i == len(n.Body)-1 {
				return false
			}
		case *ir.Store:
			if i != len(n.Body)-1 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// found looks for the update of the loop, and at everything else in it.
func (d *deferred) found() bool {
	d.changing = map[*ir.Var]bool{d.loop.Var: true}
	ir.Walk(d.loop.Body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Decl:
			d.changing[s.Var] = true
		case *ir.Assign:
			d.changing[s.Var] = true
		case *ir.Checked:
			d.changing[s.Var], d.changing[s.Flag] = true, true
		case *ir.Call:
			d.results(s.Results)
		case *ir.Runtime:
			d.results(s.Results)
		}
	})
	for _, s := range d.loop.Body {
		n, ok := s.(*ir.Nest)
		if !ok || !isUpdate(n) {
			continue
		}
		d.nest = n
		if d.update() && d.generations() && d.lines() {
			body, _ := d.unswapped()
			large, known := d.large()
			return ir.CanCopy(body) && (large || !known)
		}
	}
	return false
}

func (d *deferred) results(as []ir.Array) {
	for _, a := range as {
		for _, v := range flow.Variables(a) {
			d.changing[v] = true
		}
	}
}

// update finds what the nest does to an element.
func (d *deferred) update() bool {
	st := d.nest.Body[len(d.nest.Body)-1].(*ir.Store)
	i, j := d.nest.Dims[0], d.nest.Dims[1]
	inner := map[*ir.Var]bool{i.Var: true, j.Var: true}
	index, ok := d.expand(st.Index, d.nest, inner)
	if !ok || st.Buf.Const || !d.findStride(index, inner) {
		return false
	}
	row, column, ok := d.split(index)
	if !ok {
		return false
	}
	r, ok := d.sum(row)
	c, ok2 := d.sum(column)
	if !ok || !ok2 || r.Coef(i.Var) != 1 || c.Coef(j.Var) != 1 || r.Coef(j.Var) != 0 || c.Coef(i.Var) != 0 {
		return false
	}
	r, c = r.Minus(affine.Of(i.Var)), c.Minus(affine.Of(j.Var))
	d.rowAt, d.columnAt = r.Expr(), c.Expr()
	if d.rows, ok = d.end(r, i.Hi); !ok {
		return false
	}
	if d.columns, ok = d.end(c, j.Hi); !ok {
		return false
	}
	if !d.fromZero(r, i.Lo) || !d.fromZero(c, j.Lo) {
		return false
	}
	return d.value(st, index, inner)
}

// end returns the end of an axis of the region, if it never changes.
func (d *deferred) end(at affine.Poly, hi ir.Expr) (ir.Expr, bool) {
	d.limits = true
	h, ok := d.sum(hi)
	d.limits = false
	if !ok {
		return nil, false
	}
	all := at.Plus(h)
	if slices.ContainsFunc(all.Vars(), func(v *ir.Var) bool { return d.changing[v] }) {
		return nil, false
	}
	return all.Expr(), all.Known()
}

// fromZero reports whether an axis of the region starts at 0 or later.
func (d *deferred) fromZero(at affine.Poly, lo ir.Expr) bool {
	x, ok := d.sum(lo)
	return ok && d.l.RangeOfSum(at.Plus(x)).Lo >= 0
}

// findStride finds the extent of the last axis in the index of an element.
func (d *deferred) findStride(index ir.Expr, inner map[*ir.Var]bool) bool {
	x, ok := index.(*ir.Binary)
	for ok && (x.Op == ir.OpAdd || x.Op == ir.OpSub) {
		x, ok = x.X.(*ir.Binary)
	}
	if !ok || x.Op != ir.OpMul {
		return false
	}
	for _, s := range []ir.Expr{x.Y, x.X} {
		switch s := s.(type) {
		case *ir.Int:
			d.stride = s
			return s.Val > 0
		case *ir.Use:
			if !inner[s.Var] && !d.changing[s.Var] && !d.sv.Assigned[s.Var] {
				d.stride = s
				return true
			}
		}
	}
	return false
}

// split returns the row and the column of an index.
func (d *deferred) split(x ir.Expr) (row, column ir.Expr, ok bool) {
	if ir.Same(x, d.stride) {
		return ir.Integer(1), ir.Integer(0), true
	}
	switch x := x.(type) {
	case *ir.Int:
		if n, known := ir.IntOf(d.stride); known && x.Val >= 0 {
			return ir.Integer(x.Val / n), ir.Integer(x.Val % n), true
		}
	case *ir.Binary:
		switch x.Op {
		case ir.OpMul:
			if ir.Same(x.Y, d.stride) {
				return x.X, ir.Integer(0), true
			}
			if ir.Same(x.X, d.stride) {
				return x.Y, ir.Integer(0), true
			}
		case ir.OpAdd:
			if r, c, ok := d.split(x.X); ok {
				return r, ir.Add(c, x.Y), true
			}
			if _, known := ir.IntOf(x.Y); !known {
				if r, c, ok := d.split(x.Y); ok {
					return r, ir.Add(x.X, c), true
				}
			}
		case ir.OpSub:
			if r, c, ok := d.split(x.X); ok {
				return r, ir.Sub(c, x.Y), true
			}
		}
	case *ir.Use:
		if v := d.steady(x.Var); v != nil {
			return d.split(v)
		}
	}
	return nil, nil, false
}

// steady returns the value of a variable that stands for it everywhere.
func (d *deferred) steady(v *ir.Var) ir.Expr {
	x := d.sv.Value(v)
	if x == nil || ir.Size(x, deferSize) >= deferSize {
		return nil
	}
	ok := true
	ir.MapExpr(x, func(y ir.Expr) ir.Expr {
		switch y := y.(type) {
		case *ir.Use:
			ok = ok && !d.sv.Assigned[y.Var]
		case *ir.Load:
			ok = false
		}
		return y
	})
	if !ok {
		return nil
	}
	return x
}

// expand writes x, in a statement, without variables that the statement
// declares, except for those of its loops.
func (d *deferred) expand(x ir.Expr, in ir.Stmt, loops map[*ir.Var]bool) (ir.Expr, bool) {
	local := map[*ir.Var]ir.Expr{}
	ir.Walk([]ir.Stmt{in}, func(s ir.Stmt) {
		if v, ok := s.(*ir.Decl); ok && s != in {
			local[v.Var] = d.sv.Value(v.Var)
		}
	})
	ok, budget := true, 4*deferSize
	var visit func(x ir.Expr) ir.Expr
	visit = func(x ir.Expr) ir.Expr {
		if budget--; budget < 0 || !ok {
			ok = false
			return x
		}
		if u, isUse := x.(*ir.Use); isUse {
			init, here := local[u.Var]
			switch {
			case loops[u.Var] || !here:
				return x
			case init == nil:
				ok = false
				return x
			}
			return visit(init)
		}
		return ir.MapOperands(x, visit)
	}
	x = visit(x)
	return x, ok
}

// sum is x as a sum of variables; it is not ok where it is none.
func (d *deferred) sum(x ir.Expr) (affine.Poly, bool) {
	r := affine.Reader{Linear: true, Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok {
			return affine.Unknown
		}
		if v := d.steady(u.Var); v != nil {
			if f := r.Read(v); f.Known() {
				return f
			}
		}
		if u.Var.Kind != ir.I64 {
			return affine.Unknown
		}
		return affine.Of(u.Var)
	}}
	f := r.Read(x)
	for _, v := range f.Vars() {
		if limit, ok := d.l.Limits[v]; ok && d.limits && f.Coef(v) > 0 {
			f = f.Substitute(v, limit)
		}
	}
	return f, f.Known()
}

// key names a line; it is empty where its place may change.
func (d *deferred) key(axis string, x ir.Expr) string {
	f, ok := d.sum(x)
	if !ok || slices.ContainsFunc(f.Vars(), func(v *ir.Var) bool { return d.sv.Assigned[v] }) {
		return ""
	}
	var b strings.Builder
	b.WriteString(axis)
	ir.WriteKey(&b, f.Expr())
	return b.String()
}
