package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// independent reports whether it is certain that no iteration reads or writes what
// another one writes, the one at the split excepted.
func (p *parting) independent() bool {
	for i, w := range p.places {
		if !w.write {
			continue
		}
		if w.by.IsZero() || !p.moves(w) {
			return false
		}
		for k, a := range p.places {
			if a.buf != w.buf || k == i || a.write && k < i {
				continue
			}
			if ok := w.by.Equal(a.by) && p.parallel(w, a) || a.by.IsZero() && !a.write && p.once(w, a); !ok {
				return false
			}
		}
	}
	return true
}

// moves reports whether a place is certain to be another one in each iteration.
func (p *parting) moves(w *place) bool {
	if _, constant := w.by.Constant(); constant {
		return true
	}
	r := p.l.RangeOfSum(w.by)
	return r.Lo > 0 || r.Hi < 0
}

// parallel compares places that move by the same amount: they meet in one
// iteration only, or are never closer than the whole loop goes.
func (p *parting) parallel(w, a *place) bool {
	d := a.from.Minus(w.from)
	if d.IsZero() || !d.Known() {
		return d.Known()
	}
	by, constant := w.by.Constant()
	if !constant {
		return false
	}
	by = max(by, -by)
	if far, ok := d.Constant(); ok {
		far = max(far, -far)
		n, known := ir.Trips(ir.Dim{Var: p.loop.Var, Lo: p.loop.Lo, Hi: p.loop.Hi})
		return far%by != 0 || known && far/by >= n
	}
	return by == 1 && p.rows(d) || p.distant(d, by)
}

// rows reports whether d is a multiple of something that the loop does not
// exceed: the places are in one row of a matrix or in different ones.
func (p *parting) rows(d affine.Poly) bool {
	if p.most() <= d.Divisor() {
		return true
	}
	hi, ok := p.loop.Hi.(*ir.Use)
	if !ok || p.l.RangeOf(p.loop.Lo).Lo < 0 {
		return false
	}
	for _, n := range d.Terms() {
		if !slices.Contains(n.Vars, hi.Var) {
			return false
		}
	}
	return true
}

// distant reports whether d is certain to be as much as the loop goes.
func (p *parting) distant(d affine.Poly, by int64) bool {
	r := p.l.RangeOfSum(d)
	most, ok := facts.MulInt(p.most(), by)
	return ok && (r.Lo >= most || r.Hi <= -most)
}

// most bounds how often the loop runs.
func (p *parting) most() int64 {
	return max(p.l.RangeOfSum(p.poly(p.loop.Hi).Minus(p.poly(p.loop.Lo))).Hi, 0)
}

// once compares a place that is written in every iteration with one that
// stays: only one iteration can write there, or none.
func (p *parting) once(w, a *place) bool {
	by, ok := w.by.Constant()
	at := a.from.Minus(w.from)
	if !ok || by != 1 || !at.Known() {
		return false
	}
	if p.outside(at) {
		return true
	}
	if p.at == nil {
		p.split, p.at, p.there = at, at.Expr(), a.buf.Load(a.from.Expr())
		return true
	}
	return p.split.Equal(at)
}

// outside reports whether an iteration is certain to be none of the loop.
func (p *parting) outside(at affine.Poly) bool {
	for _, end := range []struct {
		x      ir.Expr
		before bool
	}{{p.loop.Lo, true}, {p.loop.Hi, false}} {
		r := p.l.RangeOfSum(at.Minus(p.poly(end.x)))
		if end.before && r.Hi < 0 || !end.before && r.Lo >= 0 {
			return true
		}
	}
	return false
}
