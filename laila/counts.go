package laila

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// poly is a sum of products of variables: the number of elements of an array
// whose extents are sums. The keys are the variables' numbers, in order.
type poly map[string]monomial

// monomial is a number times variables, in the order of their creation.
type monomial struct {
	k    int64
	vars []*ir.Var
}

// Limits of what is multiplied out.
const (
	maxTerms  = 6
	maxDegree = 4
)

func (l *lowerer) key(vars []*ir.Var) string {
	var b strings.Builder
	for _, v := range vars {
		fmt.Fprintf(&b, "%d ", l.seq[v])
	}
	return b.String()
}

// plus adds k times a product of variables.
func (p poly) plus(l *lowerer, k int64, vars []*ir.Var) {
	key := l.key(vars)
	m := p[key]
	m.k, m.vars = m.k+k, vars
	if p[key] = m; m.k == 0 {
		delete(p, key)
	}
}

// polyOf multiplies x out, down to variables that are no sums or products of
// others; it is not ok where that takes too many terms.
func (g *gen) polyOf(x ir.Expr, depth int) (poly, bool) {
	p := poly{}
	if depth > 24 {
		return nil, false
	}
	switch x := x.(type) {
	case *ir.Int:
		p.plus(g.lowerer, x.Val, nil)
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
				a.plus(g.lowerer, sign*m.k, m.vars)
			}
			return a, len(a) <= maxTerms
		case ir.OpMul:
			return g.times(a, b)
		}
	}
	return nil, false
}

func (l *lowerer) times(a, b poly) (poly, bool) {
	p := poly{}
	for _, m := range a {
		for _, n := range b {
			if len(m.vars)+len(n.vars) > maxDegree {
				return nil, false
			}
			vars := append(append([]*ir.Var{}, m.vars...), n.vars...)
			slices.SortFunc(vars, func(v, w *ir.Var) int { return l.seq[v] - l.seq[w] })
			p.plus(l, m.k*n.k, vars)
		}
	}
	return p, len(p) <= maxTerms
}

func (g *gen) polyOfVar(v *ir.Var, depth int) (poly, bool) {
	if r := g.rangeOf(v.Use()); r.lo == r.hi {
		return g.polyOf(ir.Integer(r.lo), depth+1)
	}
	if x, ok := g.products[v]; ok {
		return g.polyOf(x, depth+1)
	}
	p := poly{}
	f := g.normal(linear{coef: map[*ir.Var]int64{v: 1}})
	if len(f.coef) != 1 || f.coef[v] != 1 || f.c != 0 {
		for w, k := range f.coef {
			q, ok := g.polyOf(w.Use(), depth+1)
			if !ok {
				return nil, false
			}
			for _, m := range q {
				p.plus(g.lowerer, k*m.k, m.vars)
			}
		}
		p.plus(g.lowerer, f.c, nil)
		return p, len(p) <= maxTerms
	}
	p.plus(g.lowerer, 1, []*ir.Var{v})
	return p, true
}

// countPoly is the number of elements of an array of the given extents.
func (g *gen) countPoly(dims []ir.Expr) (poly, bool) {
	p := poly{}
	p.plus(g.lowerer, 1, nil)
	for _, d := range dims {
		q, ok := g.polyOf(d, 0)
		if !ok {
			return nil, false
		}
		if p, ok = g.times(p, q); !ok {
			return nil, false
		}
	}
	return g.withFacts(p), true
}

// withFacts replaces products of variables by what is known of them.
func (g *gen) withFacts(p poly) poly {
	for _, fact := range g.held.counts {
		out := poly{}
		for _, m := range p {
			if rest, ok := takeOut(m.vars, fact.vars); ok {
				out.plus(g.lowerer, m.k*fact.k, rest)
			} else {
				out.plus(g.lowerer, m.k, m.vars)
			}
		}
		p = out
	}
	return p
}

// takeOut removes some of several variables.
func takeOut(vars, some []*ir.Var) ([]*ir.Var, bool) {
	rest := append([]*ir.Var{}, vars...)
	for _, v := range some {
		i := slices.Index(rest, v)
		if i < 0 {
			return nil, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest, true
}

// sameCount reports whether two arrays have as many elements for certain.
func (g *gen) sameCount(a, b []ir.Expr) bool {
	p, ok := g.countPoly(a)
	q, ok2 := g.countPoly(b)
	if !ok || !ok2 || len(p) != len(q) {
		return false
	}
	for key, m := range p {
		if n, ok := q[key]; !ok || n.k != m.k {
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
	m, n := p.only(), q.only()
	if len(m.vars) == 0 {
		m, n = n, m
	}
	if len(m.vars) == 0 || len(n.vars) > 0 || m.k == 0 || n.k%m.k != 0 {
		return
	}
	facts := g.held.counts
	g.held.counts = append(facts[:len(facts):len(facts)], monomial{n.k / m.k, m.vars})
}

func (p poly) only() monomial {
	for _, m := range p {
		return m
	}
	return monomial{}
}
