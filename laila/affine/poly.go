package affine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Poly is a sum of products of variables: the number of elements of an array
// whose extents are sums. The keys are the variables' numbers, in order.
type Poly map[string]Monomial

// Monomial is a number times variables, in the order of their creation.
type Monomial struct {
	K    int64
	Vars []*ir.Var
}

// MaxTerms is the number of terms, and maxDegree that of the variables of a term,
// up to which products are multiplied out.
const (
	MaxTerms  = 6
	maxDegree = 4
)

func monomialKey(seq map[*ir.Var]int, vars []*ir.Var) string {
	var b strings.Builder
	for _, v := range vars {
		fmt.Fprintf(&b, "%d ", seq[v])
	}
	return b.String()
}

// Add adds k times a product of variables.
func (p Poly) Add(seq map[*ir.Var]int, k int64, vars []*ir.Var) {
	at := monomialKey(seq, vars)
	m := p[at]
	m.K, m.Vars = m.K+k, vars
	if p[at] = m; m.K == 0 {
		delete(p, at)
	}
}

// Times multiplies sums out; it is not ok where that takes too many terms.
func Times(seq map[*ir.Var]int, a, b Poly) (Poly, bool) {
	p := Poly{}
	for _, m := range a {
		for _, n := range b {
			if len(m.Vars)+len(n.Vars) > maxDegree {
				return nil, false
			}
			vars := append(append([]*ir.Var{}, m.Vars...), n.Vars...)
			slices.SortFunc(vars, func(v, w *ir.Var) int { return seq[v] - seq[w] })
			p.Add(seq, m.K*n.K, vars)
		}
	}
	return p, len(p) <= MaxTerms
}

// Only returns a term of p, the one that there is.
func (p Poly) Only() Monomial {
	for _, m := range p {
		return m
	}
	return Monomial{}
}

// Minus returns p - q, or p + q.
func (p Poly) Minus(seq map[*ir.Var]int, q Poly, subtract bool) Poly {
	out := Poly{}
	for _, m := range p {
		out.Add(seq, m.K, m.Vars)
	}
	for _, m := range q {
		k := m.K
		if subtract {
			k = -k
		}
		out.Add(seq, k, m.Vars)
	}
	return out
}

// Constant returns the value of a sum without variables.
func (p Poly) Constant() (int64, bool) {
	if len(p) == 0 {
		return 0, true
	}
	m := p.Only()
	return m.K, len(p) == 1 && len(m.Vars) == 0
}

// Expr writes p, its terms in the order of their keys.
func (p Poly) Expr() ir.Expr {
	keys := make([]string, 0, len(p))
	for k := range p {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var x ir.Expr = ir.Integer(0)
	for _, k := range keys {
		var term ir.Expr = ir.Integer(p[k].K)
		for _, v := range p[k].Vars {
			term = ir.Mul(v.Use(), term)
		}
		x = ir.Add(x, term)
	}
	return x
}
