package laila

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// poly multiplies x out, down to the loop's variable and to what stays.
func (p *parting) poly(x ir.Expr, depth int) (affine.Poly, bool) {
	out := affine.Poly{}
	if depth > 24 {
		return nil, false
	}
	switch x := x.(type) {
	case *ir.Int:
		if x.Val != 0 {
			out.Add(p.l.seq, x.Val, nil)
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
		out.Add(p.l.seq, 1, []*ir.Var{x.Var})
		return out, true
	case *ir.Binary:
		if x.Op != ir.OpAdd && x.Op != ir.OpSub && x.Op != ir.OpMul || x.Kind() != ir.I64 {
			return nil, false
		}
		a, ok := p.poly(x.X, depth+1)
		b, ok2 := p.poly(x.Y, depth+1)
		if u, is := x.Y.(*ir.Use); is && x.Op == ir.OpMul && !p.declared[u.Var] && p.extent(u) { // a row's
			b, ok2 = affine.Poly{}, true
			b.Add(p.l.seq, 1, []*ir.Var{u.Var})
		}
		if !ok || !ok2 {
			return nil, false
		}
		if x.Op == ir.OpMul {
			return affine.Times(p.l.seq, a, b)
		}
		out = a.Minus(p.l.seq, b, x.Op == ir.OpSub)
		return out, len(out) <= affine.MaxTerms
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
func (a *apartner) changes(q affine.Poly) bool {
	for _, m := range q {
		for _, v := range m.Vars {
			if a.changed[v] {
				return true
			}
		}
	}
	return false
}
