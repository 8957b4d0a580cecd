package build

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// polyOf multiplies x out, down to variables that are no sums or products of
// others.
func (g *Builder) polyOf(x ir.Expr) affine.Poly {
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok {
			return affine.Unknown
		}
		return g.polyOfVar(r, u.Var)
	}}
	return r.Read(x)
}

func (g *Builder) polyOfVar(r *affine.Reader, v *ir.Var) affine.Poly {
	if r := g.RangeOf(v.Use()); r.Lo == r.Hi {
		return affine.Const(r.Lo)
	}
	if x, ok := g.products[v]; ok {
		return r.Read(x)
	}
	f := g.Normal(affine.Of(v))
	if f.Equal(affine.Of(v)) {
		return f
	}
	p := affine.Const(f.Coef())
	for _, w := range f.Vars() {
		p = p.Plus(r.Read(w.Use()).Scaled(f.Coef(w)))
	}
	return p
}

// Injective reports whether an integer is another one at each value of v.
func (g *Builder) Injective(x ir.Expr, v *ir.Var) bool {
	stride, _ := g.polyOf(x).Split(v)
	return stride.Known() && !stride.Mentions(v) &&
		(g.NotPositive(stride.Scaled(-1).Add(1)) || g.NotPositive(stride.Add(1)))
}

// countPoly is the number of elements of an array of the given extents.
func (g *Builder) countPoly(dims []ir.Expr) affine.Poly {
	p := affine.Const(1)
	for _, d := range dims {
		p = p.Times(g.polyOf(d))
	}
	for _, fact := range g.held.counts {
		p = p.Replace(fact.Vars, affine.Const(fact.K))
	}
	return p
}

// SameCount reports whether two arrays have as many elements for certain.
func (g *Builder) SameCount(a, b []ir.Expr) bool {
	return g.countPoly(a).Equal(g.countPoly(b))
}

// LearnCount notes for the rest of the current block that two arrays have as
// many elements: a product of extents is a number.
func (g *Builder) LearnCount(a, b []ir.Expr) {
	p, q := g.countPoly(a).Terms(), g.countPoly(b).Terms()
	if len(p) != 1 || len(q) != 1 {
		return
	}
	m, n := p[0], q[0]
	if len(m.Vars) == 0 {
		m, n = n, m
	}
	if len(m.Vars) == 0 || len(n.Vars) > 0 || n.K%m.K != 0 {
		return
	}
	facts := g.held.counts
	g.held.counts = append(facts[:len(facts):len(facts)], affine.Term{K: n.K / m.K, Vars: m.Vars})
}
