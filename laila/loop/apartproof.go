package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// independent finds what has to hold for no iteration to read or write what
// another one writes, the one at the split excepted. It is not ok where that is
// not so for certain.
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
			ok := false
			switch {
			case w.by.Equal(a.by):
				ok = p.parallel(w, a)
			case a.by.IsZero() && !a.write:
				ok = p.once(w, a)
			default:
				ok = p.hulls(w, a)
			}
			if !ok {
				return false
			}
		}
	}
	return len(p.tests) <= 3
}

// moves finds out, or tests, that a place is another one in each iteration: an
// amount that only the run knows may be 0.
func (p *parting) moves(w *place) bool {
	if _, constant := w.by.Constant(); constant {
		return true
	}
	if r := p.l.RangeOfSum(w.by); r.Lo > 0 || r.Hi < 0 {
		return true
	}
	return p.test(ir.OpNe.Of(w.by.Expr(), ir.Integer(0)))
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
		return p.test(p.parted(w, d))
	}
	by = max(by, -by)
	if far, ok := d.Constant(); ok {
		far = max(far, -far)
		n, known := ir.Trips(ir.Dim{Var: p.loop.Var, Lo: p.loop.Lo, Hi: p.loop.Hi})
		return far%by != 0 || known && far/by >= n
	}
	if by == 1 && p.rows(d) || p.distant(d, by) {
		return true
	}
	return p.test(p.parted(w, d))
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

// trips returns how often the loop runs.
func (p *parting) trips() ir.Expr { return ir.Sub(p.loop.Hi, p.loop.Lo) }

// parted tests whether places that are d apart do not meet in different
// iterations.
func (p *parting) parted(w *place, d affine.Poly) ir.Expr {
	far, by := ir.OpAbs.Of(d.Expr()), w.by.Expr()
	k, ok := w.by.Constant()
	if ok {
		by = ir.Integer(max(k, -k))
	}
	test := ir.Or(ir.OpLt.Of(far, by), ir.OpGe.Of(far, ir.Mul(by, p.trips())))
	if ok {
		return test
	}
	return ir.And(ir.OpGt.Of(by, ir.Integer(0)), test)
}

func (p *parting) test(x ir.Expr) bool {
	for _, y := range p.tests {
		if ir.Same(x, y) {
			return true
		}
	}
	p.tests = append(p.tests, x)
	return true
}

// holds is the conjunction of the tests.
func (p *parting) holds() ir.Expr {
	test := p.tests[0]
	for _, t := range p.tests[1:] {
		test = ir.And(test, t)
	}
	return test
}

// once compares a place that is written in every iteration with one that
// stays: only one iteration can write there, or none.
func (p *parting) once(w, a *place) bool {
	by, ok := w.by.Constant()
	if !ok || by != 1 {
		return p.hulls(w, a)
	}
	at := a.from.Minus(w.from)
	if !at.Known() {
		return false
	}
	if p.outside(at) {
		return true
	}
	if p.at == nil {
		p.split, p.at, p.there = at, at.Expr(), a.buf.Load(a.from.Expr())
		return true
	}
	if p.split.Equal(at) {
		return true
	}
	x := at.Expr()
	return p.test(ir.Or(ir.OpLt.Of(x, p.loop.Lo), ir.OpGe.Of(x, p.loop.Hi)))
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

// hulls tests whether all that is written is before all that is read, or behind.
func (p *parting) hulls(w, a *place) bool {
	low := func(x *place, j ir.Expr) ir.Expr { return ir.Add(ir.Mul(x.by.Expr(), j), x.from.Expr()) }
	last := ir.Sub(p.loop.Hi, ir.Integer(1))
	ends := func(x *place) (ir.Expr, ir.Expr) {
		from, to := low(x, p.loop.Lo), low(x, last)
		if k, ok := x.by.Constant(); ok && k >= 0 {
			return from, to
		}
		return ir.OpMin.Of(from, to), ir.OpMax.Of(from, to)
	}
	wl, wh := ends(w)
	al, ah := ends(a)
	return p.test(ir.Or(ir.OpLt.Of(wh, al), ir.OpLt.Of(ah, wl)))
}
