package laila

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// polyOf multiplies x out, down to variables that are no sums or products of
// others; it is not ok where that takes too many terms.
func (g *gen) polyOf(x ir.Expr, depth int) (affine.Poly, bool) {
	p := affine.Poly{}
	if depth > 24 {
		return nil, false
	}
	switch x := x.(type) {
	case *ir.Int:
		p.Add(g.seq, x.Val, nil)
		return p, true
	case *ir.Use:
		return g.polyOfVar(x.Var, depth)
	case *ir.Binary:
		a, ok := g.polyOf(x.X, depth+1)
		b, ok2 := g.polyOf(x.Y, depth+1)
		if !ok || !ok2 {
			return nil, false
		}
		switch x.Op {
		case ir.OpAdd, ir.OpSub:
			sign := int64(1)
			if x.Op == ir.OpSub {
				sign = -1
			}
			for _, m := range b {
				a.Add(g.seq, sign*m.K, m.Vars)
			}
			return a, len(a) <= affine.MaxTerms
		case ir.OpMul:
			return affine.Times(g.seq, a, b)
		}
	}
	return nil, false
}

func (g *gen) polyOfVar(v *ir.Var, depth int) (affine.Poly, bool) {
	if r := g.rangeOf(v.Use()); r.lo == r.hi {
		return g.polyOf(ir.Integer(r.lo), depth+1)
	}
	if x, ok := g.products[v]; ok {
		return g.polyOf(x, depth+1)
	}
	p := affine.Poly{}
	f := g.normal(affine.Sum{Coef: map[*ir.Var]int64{v: 1}})
	if len(f.Coef) != 1 || f.Coef[v] != 1 || f.Const != 0 {
		for w, k := range f.Coef {
			q, ok := g.polyOf(w.Use(), depth+1)
			if !ok {
				return nil, false
			}
			for _, m := range q {
				p.Add(g.seq, k*m.K, m.Vars)
			}
		}
		p.Add(g.seq, f.Const, nil)
		return p, len(p) <= affine.MaxTerms
	}
	p.Add(g.seq, 1, []*ir.Var{v})
	return p, true
}

// countPoly is the number of elements of an array of the given extents.
func (g *gen) countPoly(dims []ir.Expr) (affine.Poly, bool) {
	p := affine.Poly{}
	p.Add(g.seq, 1, nil)
	for _, d := range dims {
		q, ok := g.polyOf(d, 0)
		if !ok {
			return nil, false
		}
		if p, ok = affine.Times(g.seq, p, q); !ok {
			return nil, false
		}
	}
	return g.withFacts(p), true
}

// withFacts replaces products of variables by what is known of them.
func (g *gen) withFacts(p affine.Poly) affine.Poly {
	for _, fact := range g.held.counts {
		out := affine.Poly{}
		for _, m := range p {
			if rest, ok := affine.TakeOut(m.Vars, fact.Vars); ok {
				out.Add(g.seq, m.K*fact.K, rest)
			} else {
				out.Add(g.seq, m.K, m.Vars)
			}
		}
		p = out
	}
	return p
}

// sameCount reports whether two arrays have as many elements for certain.
func (g *gen) sameCount(a, b []ir.Expr) bool {
	p, ok := g.countPoly(a)
	q, ok2 := g.countPoly(b)
	if !ok || !ok2 || len(p) != len(q) {
		return false
	}
	for key, m := range p {
		if n, ok := q[key]; !ok || n.K != m.K {
			return false
		}
	}
	return true
}

// learnCount notes for the rest of the current block that two arrays have as
// many elements: a product of extents is a number.
func (g *gen) learnCount(a, b []ir.Expr) {
	p, ok := g.countPoly(a)
	q, ok2 := g.countPoly(b)
	if !ok || !ok2 || len(p) != 1 || len(q) != 1 {
		return
	}
	m, n := p.Only(), q.Only()
	if len(m.Vars) == 0 {
		m, n = n, m
	}
	if len(m.Vars) == 0 || len(n.Vars) > 0 || m.K == 0 || n.K%m.K != 0 {
		return
	}
	facts := g.held.counts
	g.held.counts = append(facts[:len(facts):len(facts)], affine.Monomial{K: n.K / m.K, Vars: m.Vars})
}
