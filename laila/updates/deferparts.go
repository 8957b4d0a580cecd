package updates

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/place"
	"github.com/tailor-lang/tailor/laila/reduce"
)

// value finds the parts of what the update st stores: the element itself, what
// depends on its row only, and what depends on its column only.
func (d *deferred) value(st *ir.Store, index ir.Expr, inner map[*ir.Var]bool) bool {
	k := st.Buf.Elem
	d.acc, d.x, d.y = d.l.NewVar("c", k), d.l.NewVar("x", k), d.l.NewVar("y", k)
	x, ok := d.expand(st.X, d.nest, inner)
	if !ok {
		return false
	}
	d.step, ok = d.part(x, index)
	if !ok || d.buf == nil || d.left == nil || d.right == nil || !reduce.VectorCode(d.step, k) {
		return false
	}
	if d.buf != st.Buf {
		d.other = st.Buf
	}
	return true
}

// part returns x, a part of the value, in terms of the element, its row's value
// and its column's.
func (d *deferred) part(x, index ir.Expr) (ir.Expr, bool) {
	byRow, byColumn := ir.Mentions(x, d.nest.Dims[0].Var), ir.Mentions(x, d.nest.Dims[1].Var)
	switch x.(type) {
	case *ir.Int, *ir.Float:
		return x, true
	}
	switch {
	case !byRow && !byColumn:
		if d.right == nil || !ir.Same(d.right, x) {
			return d.held(&d.left, d.x, x)
		}
		return d.y.Use(), true
	case !byColumn:
		return d.held(&d.left, d.x, x)
	case !byRow:
		return d.held(&d.right, d.y, x)
	}
	if load, ok := x.(*ir.Load); ok {
		if d.buf != nil && d.buf != load.Buf || load.Buf.Elem != d.acc.Kind || !ir.Same(load.Index, index) {
			return nil, false
		}
		d.buf = load.Buf
		return d.acc.Use(), true
	}
	ok := true
	y := ir.MapOperands(x, func(y ir.Expr) ir.Expr {
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
func (d *deferred) held(place *ir.Expr, v *ir.Var, x ir.Expr) (ir.Expr, bool) {
	if x.Kind() != v.Kind || *place != nil && !ir.Alike(*place, x) {
		return nil, false
	}
	*place = x
	return v.Use(), true
}

// generations looks for the exchange of two generations, and for other uses of
// the next one: statements between the update and the exchange use it as the
// matrix.
func (d *deferred) generations() bool {
	d.body = d.loop.Body
	if d.other == nil {
		return true
	}
	at, after := -1, map[ir.Stmt]bool{}
	r := &place.Rewriter{}
	r.Load = func(l *ir.Load) ir.Expr {
		if l.Buf == d.other {
			return d.buf.Load(l.Index)
		}
		return l
	}
	r.Store = func(s *ir.Store) ir.Stmt {
		if s.Buf == d.other {
			return d.buf.Store(r.Expr(s.Index), s.X)
		}
		return s
	}
	var body []ir.Stmt
	for i, s := range d.loop.Body {
		w, swap := s.(*ir.Swap)
		switch {
		case s == ir.Stmt(d.nest):
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
			if ir.MentionsBuf(s, d.buf) {
				return false
			}
			ir.Walk([]ir.Stmt{s}, func(t ir.Stmt) { after[t] = true })
			s = r.Stmt(s)
		}
		body = append(body, s)
	}
	d.body = body
	u := d.sv.Of(d.other)
	if d.swap == nil || len(u.Whole) > 0 || u.Decl == nil {
		return false
	}
	for _, list := range [][]flow.Spot{u.Reads, u.Stores, u.Other} {
		for _, x := range list {
			if !after[x.Stmt] && x.Stmt != ir.Stmt(d.swap) && x.Stmt != d.nest.Body[len(d.nest.Body)-1] {
				return false
			}
		}
	}
	return true
}

// beginsOrEnds reports whether s begins or ends the use of b.
func beginsOrEnds(s ir.Stmt, b *ir.Buf) bool {
	switch s := s.(type) {
	case *ir.DeclBuf:
		return s.Buf == b
	case *ir.Free:
		return s.Buf == b
	}
	return false
}
