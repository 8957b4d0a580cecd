package affine

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Poly is a sum of products of variables with whole coefficients: an index, an
// offset, a stride, or the number of elements of an array. It is in normal form, so
// that equal sums are Equal; it is immutable, and the zero Poly is 0. A sum that is
// too long, or whose coefficients do not fit an integer, is Unknown: it equals
// nothing, and what is made of it is Unknown too.
type Poly struct {
	terms   []Term // by their variables; no coefficient is 0
	unknown bool
}

// Term is a coefficient times variables, in the order of their creation.
type Term struct {
	K    int64
	Vars []*ir.Var
}

// Limits of a Poly: its terms, and the variables of a term.
const (
	maxTerms  = 32
	maxDegree = 8
)

// Unknown is the sum of which nothing is known.
var Unknown = Poly{unknown: true}

// Const is the sum without variables.
func Const(c int64) Poly {
	if c == 0 {
		return Poly{}
	}
	return Poly{terms: []Term{{K: c}}}
}

// Of is the sum that is a variable.
func Of(v *ir.Var) Poly { return Poly{terms: []Term{{1, []*ir.Var{v}}}} }

// Product is k times variables.
func Product(k int64, vars ...*ir.Var) Poly {
	if k == 0 {
		return Poly{}
	}
	if len(vars) > maxDegree {
		return Unknown
	}
	vars = slices.Clone(vars)
	slices.SortStableFunc(vars, compareVar)
	return Poly{terms: []Term{{k, vars}}}
}

// compareVar is the order of creation. The names, which are unique in a program
// that was parsed, tell variables without a number apart.
func compareVar(v, w *ir.Var) int {
	if c := cmp.Compare(v.ID, w.ID); c != 0 || v == w {
		return c
	}
	return strings.Compare(v.Name, w.Name)
}

func compareVars(v, w []*ir.Var) int { return slices.CompareFunc(v, w, compareVar) }

// Known reports whether anything is known of p.
func (p Poly) Known() bool { return !p.unknown }

// Terms returns the terms of p, which callers do not change.
func (p Poly) Terms() []Term { return p.terms }

// IsZero reports whether p is 0.
func (p Poly) IsZero() bool { return !p.unknown && len(p.terms) == 0 }

// Constant returns the value of a sum without variables.
func (p Poly) Constant() (int64, bool) {
	switch {
	case p.unknown:
		return 0, false
	case len(p.terms) == 0:
		return 0, true
	}
	return p.terms[0].K, len(p.terms) == 1 && len(p.terms[0].Vars) == 0
}

// Coef returns the coefficient of a product of variables, given in the order of
// their creation; of none, the constant.
func (p Poly) Coef(vars ...*ir.Var) int64 {
	for _, t := range p.terms {
		if slices.Equal(t.Vars, vars) {
			return t.K
		}
	}
	return 0
}

// Equal reports whether p and q are one value for all values of their variables.
func (p Poly) Equal(q Poly) bool { return p.Minus(q).IsZero() }

// Plus returns p + q.
func (p Poly) Plus(q Poly) Poly { return p.plus(q, 1) }

// Minus returns p - q.
func (p Poly) Minus(q Poly) Poly { return p.plus(q, -1) }

// Add returns p + c.
func (p Poly) Add(c int64) Poly { return p.plus(Const(c), 1) }

// plus returns p + k×q.
func (p Poly) plus(q Poly, k int64) Poly {
	if p.unknown || q.unknown {
		return Unknown
	}
	if k == 0 || len(q.terms) == 0 {
		return p
	}
	out := make([]Term, 0, len(p.terms)+len(q.terms))
	i, j := 0, 0
	for i < len(p.terms) || j < len(q.terms) {
		c := -1
		switch {
		case i == len(p.terms):
			c = 1
		case j < len(q.terms):
			c = compareVars(p.terms[i].Vars, q.terms[j].Vars)
			if c == 0 && !slices.Equal(p.terms[i].Vars, q.terms[j].Vars) {
				c = -1 // variables that are not told apart
			}
		}
		if c < 0 {
			out = append(out, p.terms[i])
			i++
			continue
		}
		t, ok := Term{Vars: q.terms[j].Vars}, true
		if t.K, ok = mulInt(q.terms[j].K, k); ok && c == 0 {
			t.K, ok = addInt(p.terms[i].K, t.K)
			i++
		}
		if j++; !ok {
			return Unknown
		}
		if t.K != 0 {
			out = append(out, t)
		}
	}
	if len(out) > maxTerms {
		return Unknown
	}
	return Poly{terms: out}
}

// Scaled returns k×p.
func (p Poly) Scaled(k int64) Poly { return Poly{}.plus(p, k).orUnknown(p) }

// orUnknown returns p; Unknown where one of what it was made of is.
func (p Poly) orUnknown(of ...Poly) Poly {
	for _, q := range of {
		if q.unknown {
			return Unknown
		}
	}
	return p
}

// Times returns p×q.
func (p Poly) Times(q Poly) Poly {
	if c, ok := q.Constant(); ok {
		return p.Scaled(c)
	}
	out := Poly{}.orUnknown(p, q)
	for _, t := range p.terms {
		out = out.Plus(q.times(t))
	}
	return out
}

// times returns p times a term.
func (p Poly) times(t Term) Poly {
	if len(t.Vars) == 0 {
		return p.Scaled(t.K)
	}
	out := Poly{}
	for _, u := range p.terms {
		k, ok := mulInt(t.K, u.K)
		if !ok {
			return Unknown
		}
		out = out.Plus(Product(k, append(slices.Clone(t.Vars), u.Vars...)...))
	}
	return out.orUnknown(p)
}

// Split returns p as a×v + rest, where v is not in rest.
func (p Poly) Split(v *ir.Var) (a, rest Poly) {
	if p.unknown {
		return Unknown, Unknown
	}
	for _, t := range p.terms {
		i := slices.Index(t.Vars, v)
		if i < 0 {
			rest.terms = append(rest.terms, t)
			continue
		}
		a = a.Plus(Poly{terms: []Term{{t.K, slices.Delete(slices.Clone(t.Vars), i, i+1)}}})
	}
	return a, rest
}

// IsLinear reports whether p is a sum of variables with coefficients, and a constant.
func (p Poly) IsLinear() bool {
	return !p.unknown && !slices.ContainsFunc(p.terms, func(t Term) bool { return len(t.Vars) > 1 })
}

// Mentions reports whether v is in p.
func (p Poly) Mentions(v *ir.Var) bool {
	return slices.ContainsFunc(p.terms, func(t Term) bool { return slices.Contains(t.Vars, v) })
}

// Vars returns the variables of p in the order of their creation.
func (p Poly) Vars() []*ir.Var {
	var vars []*ir.Var
	for _, t := range p.terms {
		for _, v := range t.Vars {
			if !slices.Contains(vars, v) {
				vars = append(vars, v)
			}
		}
	}
	slices.SortStableFunc(vars, compareVar)
	return vars
}

// Substitute returns p with q in the place of v.
func (p Poly) Substitute(v *ir.Var, q Poly) Poly {
	a, rest := p.Split(v)
	if a.IsZero() || p.unknown {
		return p
	}
	return a.Substitute(v, q).Times(q).Plus(rest)
}

// leading returns the greatest term of p that is less than t: of the highest degree,
// and the first one of several. It is of no variables and 0 where there is none.
func (p Poly) leading(t *Term) Term {
	best := Term{}
	for _, u := range p.terms {
		if (best.K == 0 || u.greater(best)) && (t == nil || t.greater(u)) {
			best = u
		}
	}
	return best
}

// greater is the order of terms for divisions, which products keep.
func (t Term) greater(u Term) bool {
	if len(t.Vars) != len(u.Vars) {
		return len(t.Vars) > len(u.Vars)
	}
	return compareVars(t.Vars, u.Vars) < 0
}

// DivMod divides by the leading term of d: p is quotient×d + rest. Coefficients that
// do not divide are rounded to the nearest, so that 19 is 2×10 - 1.
func (p Poly) DivMod(d Poly) (quotient, rest Poly) {
	lead := d.leading(nil)
	rest = p.orUnknown(d)
	if lead.K == 0 {
		return Poly{}, rest
	}
	for t := rest.leading(nil); t.K != 0; t = rest.leading(&t) {
		vars, ok := without(t.Vars, lead.Vars)
		k := nearest(t.K, lead.K)
		if !ok || k == 0 {
			continue
		}
		q := Product(k, vars...)
		if r := rest.Minus(d.Times(q)); r.Known() {
			quotient, rest = quotient.Plus(q), r
		}
	}
	return quotient, rest
}

// nearest returns a÷b rounded to the nearest integer, halves towards zero.
func nearest(a, b int64) int64 {
	q, r := a/b, a%b
	if abs(r) > abs(b)-abs(r) {
		if (a < 0) == (b < 0) {
			return q + 1
		}
		return q - 1
	}
	return q
}

// without removes some of several variables.
func without(vars, some []*ir.Var) ([]*ir.Var, bool) {
	rest := slices.Clone(vars)
	for _, v := range some {
		i := slices.Index(rest, v)
		if i < 0 {
			return nil, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest, true
}

// Replace returns p where q stands for the product of the variables of a term t,
// whose coefficient is 1, wherever that divides a term.
func (p Poly) Replace(vars []*ir.Var, q Poly) Poly {
	out := Poly{}.orUnknown(p, q)
	for _, t := range p.terms {
		if rest, ok := without(t.Vars, vars); ok {
			out = out.Plus(q.times(Term{t.K, rest}))
		} else {
			out = out.Plus(Poly{terms: []Term{t}})
		}
	}
	return out
}

// Divisor returns the greatest number that divides all coefficients.
func (p Poly) Divisor() int64 { return gcd(p.Content(), p.Coef()) }

// Content returns the greatest number that divides all coefficients but the constant.
func (p Poly) Content() int64 {
	g := int64(0)
	for _, t := range p.terms {
		if len(t.Vars) > 0 {
			g = gcd(g, t.K)
		}
	}
	return g
}

// At returns the value of p for values of its variables; those that are missing are 0.
func (p Poly) At(value map[*ir.Var]int64) int64 {
	sum := int64(0)
	for _, t := range p.terms {
		x := t.K
		for _, v := range t.Vars {
			x *= value[v]
		}
		sum += x
	}
	return sum
}

// Expr writes p, which is Known; the constant comes last.
func (p Poly) Expr() ir.Expr {
	var x ir.Expr
	for _, t := range p.terms {
		if len(t.Vars) == 0 {
			continue
		}
		var term ir.Expr = ir.Integer(t.K)
		for _, v := range t.Vars {
			term = ir.Mul(v.Use(), term)
		}
		if x == nil {
			x = term
		} else {
			x = ir.Add(x, term)
		}
	}
	if x == nil {
		return ir.Integer(p.Coef())
	}
	return ir.Add(x, ir.Integer(p.Coef()))
}

// String writes p with the names of its variables: 2×i×n-3, _ where it is Unknown.
func (p Poly) String() string {
	if p.unknown {
		return "_"
	}
	var b strings.Builder
	for i := range p.terms { // the constant last
		t := p.terms[(i+1)%len(p.terms)]
		if len(p.terms[0].Vars) > 0 {
			t = p.terms[i]
		}
		if t.K >= 0 && b.Len() > 0 {
			b.WriteByte('+')
		}
		var factors []string
		if t.K != 1 && t.K != -1 || len(t.Vars) == 0 {
			factors = append(factors, strconv.FormatInt(t.K, 10))
		} else if t.K < 0 {
			b.WriteByte('-')
		}
		for _, v := range t.Vars {
			factors = append(factors, v.Name)
		}
		b.WriteString(strings.Join(factors, "×"))
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

func abs(a int64) int64 { return max(a, -a) }

// gcd returns the greatest common divisor, which is not negative.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return abs(a)
}

// addInt adds; it is not ok where that overflows, or nearly.
func addInt(a, b int64) (int64, bool) {
	c := a + b
	return c, a > -1<<62 && a < 1<<62 && b > -1<<62 && b < 1<<62
}

// mulInt multiplies; it is not ok where that overflows, or nearly.
func mulInt(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(abs(a)), uint64(abs(b)))
	return a * b, hi == 0 && lo < 1<<62
}
