package timetiles

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// rowReader reads the statements of a nest of a loop that may run in tiles.
type rowReader struct {
	t        *timeTiling
	n        *tiledNest
	span     map[*ir.Var]facts.Interval // of the variables of loops
	own      map[*ir.Var]affine.Poly    // what variables of the nest stand for
	declared map[*ir.Var]bool
	changed  map[*ir.Var]bool
}

// largestIndex bounds what takes part in indices that are looked at.
const largestIndex = 1 << 40

// linear returns x as a sum of variables of loops.
func (t *timeTiling) linear(x ir.Expr, r *rowReader) (affine.Poly, bool) {
	read := affine.Reader{Leaf: func(_ *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok {
			return affine.Unknown
		}
		if c, ok := t.fixed[u.Var]; ok {
			return affine.Const(c)
		}
		if r == nil {
			return affine.Unknown
		}
		if _, ok := r.span[u.Var]; ok {
			return affine.Of(u.Var)
		}
		if f, ok := r.own[u.Var]; ok {
			return f
		}
		return affine.Unknown
	}}
	f := read.Read(x)
	return f, f.IsLinear() && !slices.ContainsFunc(f.Terms(), func(t affine.Term) bool { return t.K <= -largestIndex || t.K >= largestIndex })
}

// spanOf bounds a sum of variables of loops.
func spanOf(f affine.Poly, span map[*ir.Var]facts.Interval) (facts.Interval, bool) {
	r := facts.BoundsOf(f, func(v *ir.Var) facts.Interval { return span[v] })
	return r, r.Lo > -largestIndex && r.Hi < largestIndex
}

// loop notes the range of a loop's variable.
func (r *rowReader) loop(d ir.Dim) bool {
	lo, ok := r.t.linear(d.Lo, r)
	hi, fine := r.t.linear(d.Hi, r)
	if !ok || !fine || r.changed[d.Var] {
		return false
	}
	a, ok := spanOf(lo, r.span)
	b, fine := spanOf(hi, r.span)
	r.span[d.Var] = facts.Between(a.Lo, b.Hi-1)
	return ok && fine
}

// block reads statements; it is not ok where they do more than load, compute
// and store.
func (r *rowReader) block(block []ir.Stmt) bool {
	for _, s := range block {
		for _, x := range ir.Exprs(s) {
			if !r.loads(x) {
				return false
			}
		}
		switch s := s.(type) {
		case *ir.Decl:
			r.declared[s.Var] = true
			if s.Init != nil && s.Var.Kind == ir.I64 && !r.changed[s.Var] {
				if f, ok := r.t.linear(s.Init, r); ok {
					r.own[s.Var] = f
				}
			}
		case *ir.Assign:
			if !r.declared[s.Var] {
				return false
			}
		case *ir.Store:
			if !r.access(s.Buf, s.Index, true) {
				return false
			}
		case *ir.For:
			if !r.loop(ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}) || !r.block(s.Body) {
				return false
			}
		case *ir.Nest:
			if s.Kind != ir.SegMap || len(s.Flags) > 0 || len(s.Pre)+len(s.Red)+len(s.Post)+len(s.Accs) > 0 {
				return false
			}
			for _, d := range s.Dims {
				if !r.loop(d) {
					return false
				}
			}
			if !r.block(s.Body) {
				return false
			}
		case *ir.If:
			if !r.block(s.Then) || !r.block(s.Else) {
				return false
			}
		case *ir.Comment:
		default:
			return false
		}
	}
	return true
}

// loads notes the loads of an expression.
func (r *rowReader) loads(x ir.Expr) bool {
	l, ok := x.(*ir.Load)
	if u, is := x.(*ir.Use); is {
		l, ok = r.t.element[u.Var]
	}
	if ok && !r.access(l.Buf, l.Index, false) {
		return false
	}
	for _, y := range ir.Operands(x) {
		if y != nil && !r.loads(y) {
			return false
		}
	}
	return true
}

// access notes a load or a store. Where an array is loaded from is asked later,
// when it is known to be written to.
func (r *rowReader) access(b *ir.Buf, index ir.Expr, store bool) bool {
	f, ok := r.t.linear(index, r)
	if !ok {
		if store {
			return false
		}
		f = affine.Unknown
	}
	a := rowAccess{buf: b, store: store, index: f, span: map[*ir.Var]facts.Interval{}}
	for _, v := range f.Vars() {
		a.span[v] = r.span[v]
	}
	r.n.touch = append(r.n.touch, a)
	row := f.Coef(r.n.nest.Dims[0].Var)
	if store {
		r.t.written[b] = true
		if row > 0 && r.t.width[b] != 0 && r.t.width[b] != row {
			return false
		}
		if row > 0 {
			r.t.width[b] = row
		}
	}
	r.t.bytes[b] = max(r.t.bytes[b], row*bytesOf(b.Elem))
	return true
}

// bytesOf is the size of an element.
func bytesOf(k ir.Kind) int64 {
	if k == ir.C64 {
		return 16
	}
	return int64(ir.Width(k))
}

// place gives all nests one space of rows: that of the arrays which a step
// takes over from the one before. Where an array in between has other rows, the
// nest that computes it stands at the middle of what it reads.
func (t *timeTiling) place() bool {
	origin := map[*ir.Buf]int64{} // the row of the space that row 0 of an array is
	fresh := map[*ir.Buf]bool{}   // arrays that a step writes to before it reads them
	for _, n := range t.nests {
		for _, a := range n.touch {
			if !a.store && t.written[a.buf] && !fresh[a.buf] {
				origin[a.buf] = 0
			}
		}
		for _, a := range n.touch {
			if a.store {
				fresh[a.buf] = true
			}
		}
	}
	for range t.swaps { // what is written to passes from one exchange to the next
		for _, s := range t.swaps {
			w := max(t.width[s.A], t.width[s.B])
			if t.width[s.A] != 0 && t.width[s.A] != w || t.width[s.B] != 0 && t.width[s.B] != w {
				return false
			}
			t.width[s.A], t.width[s.B], t.written[s.A], t.written[s.B] = w, w, true, true
			origin[s.A], origin[s.B] = 0, 0
		}
	}
	for _, n := range t.nests {
		if !t.placed(n, origin) {
			return false
		}
	}
	for _, n := range t.nests {
		if !t.near(n, origin) {
			return false
		}
	}
	return true
}

// placed finds the rows of a nest's accesses, its shift, and the origin of
// arrays that it is the first one to write to; the rows are the arrays' own, as
// far as they are from the nest's row.
func (t *timeTiling) placed(n *tiledNest, origin map[*ir.Buf]int64) bool {
	row := n.nest.Dims[0].Var
	known, middle := false, facts.Between(1<<50, -1<<50)
	var touch []rowAccess
	for _, a := range n.touch {
		w := t.width[a.buf]
		if !t.written[a.buf] {
			n.reads = append(n.reads, a)
			continue
		}
		if w <= 0 || !a.index.Known() {
			return false
		}
		off := a.index.Minus(affine.Of(row).Scaled(w))
		if off.Mentions(row) {
			a.span[row] = facts.Between(n.lo, n.hi-1)
		}
		r, ok := spanOf(off, a.span)
		all, fine := spanOf(a.index, a.span)
		if !ok || !fine || all.Lo < 0 {
			return false
		}
		a.rows = facts.Between(floorQuo(r.Lo, w), floorQuo(r.Hi, w))
		o, placed := origin[a.buf]
		switch {
		case a.store && a.rows.Lo != a.rows.Hi:
			return false
		case a.store && placed && !known:
			n.shift, known = a.rows.Lo+o, true
		case !a.store && placed:
			middle = middle.Union(facts.Between(a.rows.Lo+o, a.rows.Hi+o))
		}
		t.rows = max(t.rows, floorQuo(all.Hi, w)+1+o)
		touch = append(touch, a)
	}
	n.touch = touch
	if !known && middle.Lo <= middle.Hi && middle.Hi-middle.Lo < 64 {
		n.shift = floorQuo(middle.Lo+middle.Hi, 2)
	}
	for _, a := range touch {
		if _, placed := origin[a.buf]; a.store && !placed {
			origin[a.buf] = n.shift - a.rows.Lo
		}
	}
	t.rows = max(t.rows, n.hi+n.shift)
	return n.lo+n.shift >= 0
}

// near counts the rows of accesses from the row of the space that a nest
// computes, around the ring where that is nearer.
func (t *timeTiling) near(n *tiledNest, origin map[*ir.Buf]int64) bool {
	for i := range n.touch {
		a := &n.touch[i]
		o, ok := origin[a.buf]
		if !ok {
			return false
		}
		by := o - n.shift
		switch {
		case a.rows.Lo+by > t.rows/2:
			by, t.ring = by-t.rows, true
		case a.rows.Hi+by < -t.rows/2:
			by, t.ring = by+t.rows, true
		}
		a.rows = facts.Between(a.rows.Lo+by, a.rows.Hi+by)
		if a.rows.Lo < -64 || a.rows.Hi > 64 {
			return false
		}
	}
	return true
}

// floorQuo is ⌊x÷y for a positive y.
func floorQuo(x, y int64) int64 {
	q := x / y
	if x%y < 0 {
		q--
	}
	return q
}
