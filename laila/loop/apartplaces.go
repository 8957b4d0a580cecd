package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// poly multiplies x out, down to the loop's variable and to what stays.
func (p *parting) poly(x ir.Expr) affine.Poly {
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		if u, ok := x.(*ir.Use); ok {
			return p.polyOfVar(r, u)
		}
		return affine.Unknown
	}, Factor: func(x ir.Expr) (affine.Poly, bool) { // a row's elements
		u, ok := x.(*ir.Use)
		if ok = ok && !p.declared[u.Var] && p.extent(u); !ok {
			return affine.Unknown, false
		}
		return affine.Of(u.Var), true
	}}
	return r.Read(x)
}

func (p *parting) polyOfVar(r *affine.Reader, x *ir.Use) affine.Poly {
	if init, ok := p.inits[x.Var]; ok {
		if q := r.Read(init); q.Known() || !p.steady[x.Var] {
			return q
		}
	}
	if x.Var.Kind != ir.I64 || x.Var != p.loop.Var && p.declared[x.Var] && !p.steady[x.Var] {
		return affine.Unknown
	}
	if r := p.l.RangeOf(x); r.Lo == r.Hi {
		return affine.Const(r.Lo)
	}
	if !p.declared[x.Var] && p.a.once[x.Var] != nil && !p.a.changed[x.Var] {
		if q := r.Read(p.a.once[x.Var]); q.Known() && !slices.ContainsFunc(q.Vars(), func(v *ir.Var) bool { return p.a.changed[v] }) {
			return q
		}
	}
	return affine.Of(x.Var)
}

// extent reports whether a variable, which multiplies others, is taken for itself
// and not for what it was set to.
func (p *parting) extent(u *ir.Use) bool {
	r := p.l.RangeOf(u)
	return u.Var.Kind == ir.I64 && r.Lo != r.Hi
}
