package memory

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// touch is a use of elements: one, count of them that follow on each other, or all.
type touch struct {
	at    *place
	index affine.Poly
	count affine.Poly
	one   bool
}

// most is how many pairs of uses are looked at for one copy.
const most = 64

// meets reports whether an element of dst may be used when an element of src is in its place
// already, and the copy has not come (thesis 003, section 5.2: no write to the elements of
// src meets a later use of dst).
func (c *circuit) meets() bool {
	first := c.from.order
	if c.fresh {
		first = c.to.order
	}
	var uses []touch
	for i, x := range c.of[c.dst] {
		if x.at.order <= first || x.at.order >= c.at.order || i > 0 && x == c.of[c.dst][i-1] {
			continue
		}
		if x.do == hands || x.do == frees && x.at.block != c.from.block {
			return true
		}
		if x.do == frees {
			continue
		}
		uses = append(uses, c.touches(c.dst, x)...)
	}
	var writes []touch
	for _, x := range c.of[c.src] {
		if x.do != stores || x.at.within(c.at) {
			continue
		}
		for _, w := range c.touches(c.src, x) {
			w, ok := c.projected(w)
			if !ok {
				return true
			}
			writes = append(writes, w)
		}
	}
	if len(uses)*len(writes) > most {
		return true
	}
	for _, w := range writes {
		for _, u := range uses {
			if c.clash(w, u) {
				return true
			}
		}
	}
	return false
}

// projected returns what a use of src uses of dst. It is not ok where the axes of an element
// have to be known, and are not.
func (c *circuit) projected(t touch) (touch, bool) {
	dims := c.view.lmad.Dims
	p, ok := c.project(t.index, t.at)
	if c.view.turn != nil {
		size := affine.Const(1)
		for _, d := range dims {
			size = size.Times(d.Count)
		}
		return touch{at: t.at, count: size}, ok
	}
	switch {
	case ok, len(dims) > 1:
		t.index = p
	case c.view.dense:
		t = touch{at: t.at, index: c.view.lmad.Offset, count: dims[0].Count}
	}
	return t, ok || len(dims) <= 1
}

// touches returns the elements of b that a statement loads or stores.
func (c *circuit) touches(b *ir.Buf, x access) []touch {
	one := func(index ir.Expr) touch { return touch{x.at, c.poly(index), affine.Const(1), true} }
	switch s := x.at.stmt.(type) {
	case *ir.Copy:
		if x.do == stores && s.Dst == b {
			return []touch{{x.at, c.poly(s.DstIndex), c.poly(s.Count), false}}
		} else if x.do == loads && s.Src == b {
			return []touch{{x.at, c.poly(s.SrcIndex), c.poly(s.Count), false}}
		}
	case *ir.Store:
		if x.do == stores {
			return []touch{one(s.Index)}
		}
	}
	var list []touch
	if x.do == loads {
		eachLoadOf(x.at.stmt, b, func(index ir.Expr) { list = append(list, one(index)) })
	}
	if len(list) == 0 {
		list = []touch{{at: x.at, index: affine.Unknown}}
	}
	return list
}

// round is a loop around a place: its axis, which is unset for a loop that is not counted.
type round struct {
	ir.Dim
	stmt ir.Stmt
}

// loops returns the loops around p that are within the block of src, outermost first.
func (c *circuit) loops(p *place) []round {
	if p.block == c.from.block || p.parent == nil {
		return nil
	}
	around := c.loops(p.parent)
	switch s := p.parent.stmt.(type) {
	case *ir.For:
		around = append(around, round{ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}, s})
	case *ir.Loop, *ir.Filter:
		around = append(around, round{stmt: s})
	case *ir.Nest:
		for _, d := range s.Dims {
			around = append(around, round{d, s})
		}
		if p.block == &s.Body {
			for _, d := range s.Red {
				around = append(around, round{d, s})
			}
		}
	}
	return around
}

// bounds is what the bounds of a loop say of its variable.
func (c *circuit) bounds(l round) []affine.Poly {
	if l.Var == nil {
		return nil
	}
	v := affine.Of(l.Var)
	return []affine.Poly{v.Minus(c.poly(l.Lo)), c.poly(l.Hi).Minus(v).Add(-1)}
}

// clash reports whether u may use an element of dst after w has put one of src there.
func (c *circuit) clash(w, u touch) bool {
	around, others := c.loops(w.at), c.loops(u.at)
	known := c.known
	common := 0
	for common < len(around) && common < len(others) && around[common] == others[common] {
		l := around[common]
		common++
		if !c.apartIn(l, known, c.places(w, around[common:]), c.places(u, others[common:])) {
			return true
		}
		known = known.Where(c.bounds(l)...)
	}
	if c.comesFirst(w, u) {
		return false
	}
	return c.places(w, around[common:]).Disjoint(known, c.places(u, others[common:])).Is != affine.Yes
}

// apartIn reports whether no iteration of l uses in u what another one, or an earlier one if
// they are in order, writes in w.
func (c *circuit) apartIn(l round, known affine.Assumptions, w, u affine.Set) bool {
	if l.Var == nil {
		return w.Disjoint(known, u).Is == affine.Yes
	}
	v, lo, hi := affine.Of(l.Var), c.poly(l.Lo), c.poly(l.Hi)
	known = known.Where(c.bounds(l)...)
	if later := u.Expand(l.Var, v.Add(1), hi.Minus(v).Add(-1)); w.Disjoint(known, later).Is != affine.Yes {
		return false
	}
	if _, ordered := l.stmt.(*ir.For); ordered {
		return true
	}
	return w.Disjoint(known, u.Expand(l.Var, lo, v.Minus(lo))).Is == affine.Yes
}

// comesFirst reports whether u is before w in every iteration of the loops around both: in
// the order of the text, or as an operand of a store.
func (c *circuit) comesFirst(w, u touch) bool {
	if w.at != u.at {
		return u.at.order < w.at.order
	}
	_, store := w.at.stmt.(*ir.Store)
	return store || w.index.Known() && w.index.Equal(u.index)
}

// places returns the places of a use in all iterations of some loops.
func (c *circuit) places(t touch, loops []round) affine.Set {
	var dims []ir.Dim
	for _, l := range loops {
		if l.Var != nil {
			dims = append(dims, l.Dim)
		}
	}
	l, ok := c.lmadOf(t.index, dims)
	if !ok || !t.one && !t.count.Known() {
		return affine.Set{All: true}
	}
	if !t.one {
		l.Dims = append(l.Dims, affine.Dim{Count: t.count, Stride: affine.Const(1)})
	}
	return affine.Set{Of: []affine.LMAD{l}}
}

// lmadOf returns the index function of a sum over the axes that it mentions, the last one
// first.
func (c *circuit) lmadOf(p affine.Poly, dims []ir.Dim) (affine.LMAD, bool) {
	var vars []*ir.Var
	var counts []affine.Poly
	for i := len(dims) - 1; i >= 0; i-- {
		d := dims[i]
		if !p.Mentions(d.Var) {
			continue
		}
		lo := c.poly(d.Lo)
		p = p.Substitute(d.Var, affine.Of(d.Var).Plus(lo))
		vars, counts = append(vars, d.Var), append(counts, c.poly(d.Hi).Minus(lo))
	}
	return affine.FromIndex(p, vars, counts)
}
