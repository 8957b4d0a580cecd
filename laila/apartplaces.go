package laila

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// poly multiplies x out, down to the loop's variable and to what stays.
func (p *parting) poly(x ir.Expr, depth int) (poly, bool) {
	out := poly{}
	if depth > 24 {
		return nil, false
	}
	switch x := x.(type) {
	case *ir.Int:
		if x.Val != 0 {
			out.plus(p.l, x.Val, nil)
		}
		return out, true
	case *ir.Use:
		if init, ok := p.inits[x.Var]; ok {
			if q, ok := p.poly(init, depth+1); ok || !p.steady[x.Var] {
				return q, ok
			}
		}
		if x.Var.Kind != ir.I64 || x.Var != p.loop.Var && p.declared[x.Var] && !p.steady[x.Var] {
			return nil, false
		}
		if r := p.l.rangeOf(x); r.lo == r.hi {
			return p.poly(ir.Integer(r.lo), depth+1)
		}
		if !p.declared[x.Var] && p.a.once[x.Var] != nil && !p.a.changed[x.Var] {
			if q, ok := p.poly(p.a.once[x.Var], depth+1); ok && !p.a.changes(q) {
				return q, true
			}
		}
		out.plus(p.l, 1, []*ir.Var{x.Var})
		return out, true
	case *ir.Binary:
		if x.Op != ir.OpAdd && x.Op != ir.OpSub && x.Op != ir.OpMul || x.Kind() != ir.I64 {
			return nil, false
		}
		a, ok := p.poly(x.X, depth+1)
		b, ok2 := p.poly(x.Y, depth+1)
		if u, is := x.Y.(*ir.Use); is && x.Op == ir.OpMul && !p.declared[u.Var] && p.extent(u) { // a row's
			b, ok2 = poly{}, true
			b.plus(p.l, 1, []*ir.Var{u.Var})
		}
		if !ok || !ok2 {
			return nil, false
		}
		if x.Op == ir.OpMul {
			return p.l.times(a, b)
		}
		out = a.minus(p.l, b, x.Op == ir.OpSub)
		return out, len(out) <= maxTerms
	}
	return nil, false
}

// extent reports whether a variable, which multiplies others, is taken for itself
// and not for what it was set to.
func (p *parting) extent(u *ir.Use) bool {
	r := p.l.rangeOf(u)
	return u.Var.Kind == ir.I64 && r.lo != r.hi
}

// changes reports whether a variable of q is set again.
func (a *apartner) changes(q poly) bool {
	for _, m := range q {
		for _, v := range m.vars {
			if a.changed[v] {
				return true
			}
		}
	}
	return false
}

// minus returns p - q, or p + q.
func (p poly) minus(l *lowerer, q poly, subtract bool) poly {
	out := poly{}
	for _, m := range p {
		out.plus(l, m.k, m.vars)
	}
	for _, m := range q {
		k := m.k
		if subtract {
			k = -k
		}
		out.plus(l, k, m.vars)
	}
	return out
}

// constant returns the value of a sum without variables.
func (p poly) constant() (int64, bool) {
	if len(p) == 0 {
		return 0, true
	}
	m := p.only()
	return m.k, len(p) == 1 && len(m.vars) == 0
}

// expr writes p, its terms in the order of their keys.
func (p poly) expr() ir.Expr {
	keys := make([]string, 0, len(p))
	for k := range p {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var x ir.Expr = ir.Integer(0)
	for _, k := range keys {
		var term ir.Expr = ir.Integer(p[k].k)
		for _, v := range p[k].vars {
			term = ir.Mul(v.Use(), term)
		}
		x = ir.Add(x, term)
	}
	return x
}
