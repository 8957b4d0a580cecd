package kernel

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/tailor-lang/tailor/fcl/types"
)

// poly is a sum of terms: products of atoms times integers, in the order of their keys. It is exact where
// no operation wraps; bounds of sizes and indices are so small that none does.
type poly []term

type term struct {
	factor int64
	key    string // that of its atoms
	atoms  []Expr // by key
}

// maxTerms and maxSteps bound the work of proofs.
const (
	maxTerms = 24
	maxSteps = 80
)

// unknown is an atom of which nothing is known: factors that overflow become it, and
// it stays, so that nothing is proved of them.
var unknown = &Var{Name: "!", Of: types.Int}

// spoil adds an unknown term.
func (p *poly) spoil() { p.put(term{1, unknown.Name, []Expr{unknown}}) }

// put adds a term, or replaces the one of its key.
func (p *poly) put(t term) {
	if i, ok := p.find(t.key); ok {
		(*p)[i] = t
	} else {
		*p = slices.Insert(*p, i, t)
	}
}

func (p poly) find(key string) (int, bool) {
	return slices.BinarySearchFunc(p, key, func(t term, key string) int { return strings.Compare(t.key, key) })
}

// product returns a*b, and whether it is so small that sums of products do not overflow.
func product(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	return a * b, hi == 0 && lo < 1<<60
}

func magnitude(a int64) uint64 { return uint64(max(a, -a)) }

// add adds the product of atoms, which are in the order of their keys, and a number.
func (p *poly) add(factor int64, atoms []Expr) {
	switch len(atoms) {
	case 0:
		p.addTerm(term{factor, "", nil})
		return
	case 1:
		p.addTerm(term{factor, atoms[0].key(), atoms})
		return
	}
	keys := make([]string, len(atoms))
	for i, a := range atoms {
		keys[i] = a.key()
	}
	p.addTerm(term{factor, strings.Join(keys, "*"), atoms})
}

func (p *poly) addTerm(t term) {
	if slices.Contains(t.atoms, Expr(unknown)) {
		p.spoil()
		return
	}
	i, ok := p.find(t.key)
	if ok {
		t.factor += (*p)[i].factor
	}
	switch {
	case t.factor == 0 && ok:
		*p = slices.Delete(*p, i, i+1)
	case ok:
		(*p)[i] = t
	case t.factor != 0:
		*p = slices.Insert(*p, i, t)
	}
	if magnitude(t.factor) >= 1<<60 {
		p.spoil()
	}
}

// plus returns p + q*factor.
func (p poly) plus(q poly, factor int64) poly {
	r := make(poly, len(p), len(p)+len(q))
	copy(r, p)
	for _, t := range q {
		f, ok := product(t.factor, factor)
		if !ok {
			r.spoil()
		}
		r.addTerm(term{f, t.key, t.atoms})
	}
	return r
}

func (p poly) times(q poly) poly {
	r := poly{}
	for _, a := range p {
		for _, b := range q {
			f, ok := product(a.factor, b.factor)
			if !ok {
				r.spoil()
			}
			switch { // a number has no atoms
			case len(a.atoms) == 0:
				r.addTerm(term{f, b.key, b.atoms})
			case len(b.atoms) == 0:
				r.addTerm(term{f, a.key, a.atoms})
			default:
				atoms := append(slices.Clone(a.atoms), b.atoms...)
				sort.Slice(atoms, func(i, j int) bool { return atoms[i].key() < atoms[j].key() })
				r.add(f, atoms)
			}
		}
	}
	return r
}

func number(i int64) poly {
	p := poly{}
	if i != 0 {
		p.add(i, nil)
	}
	return p
}

// constant returns the number that a polynomial is.
func (p poly) constant() (int64, bool) {
	switch len(p) {
	case 0:
		return 0, true
	case 1:
		if p[0].key == "" {
			return p[0].factor, true
		}
	}
	return 0, false
}

// polyOf returns an int as a polynomial over atoms: variables without definition,
// and other operations.
func polyOf(e Expr) poly {
	switch e := e.(type) {
	case *Const:
		return number(e.Value.I)
	case *Var:
		if e.Def != nil && plain(e.Def) {
			return polyOf(e.Def)
		}
	case *Op:
		if e.Of != types.Int || len(e.Args) != 2 {
			break
		}
		switch e.Name {
		case "+":
			return polyOf(e.Args[0]).plus(polyOf(e.Args[1]), 1)
		case "-":
			return polyOf(e.Args[0]).plus(polyOf(e.Args[1]), -1)
		case "*":
			a, b := polyOf(e.Args[0]), polyOf(e.Args[1])
			if len(a)*len(b) <= maxTerms {
				return a.times(b)
			}
		}
	}
	p := poly{}
	p.add(1, []Expr{e})
	return p
}

// plain reports whether a definition is of variables and numbers only, whose sums do not wrap.
func plain(e Expr) bool { return isIndex(e) }

// isIndex reports whether an expression computes with sizes and indices only.
func isIndex(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		return e.Value.Type == types.Int && e.Value.I > -1<<40 && e.Value.I < 1<<40
	case *Var:
		return e.Of == types.Int && (e.Lo != nil && e.Hi != nil || e.Def != nil && isIndex(e.Def))
	case *Op:
		switch e.Name {
		case "check", "size", "fit", "same":
			return true
		case "bitAnd":
			return masked(e) != nil
		case "<<":
			return e.small()
		case "+", "-", "*", "/", "%", "min", "max":
			if e.Of != types.Int {
				return false
			}
			for _, a := range e.Args {
				if !isIndex(a) {
					return false
				}
			}
			return true
		}
	case *Cond:
		return e.Type() == types.Int && isIndex(e.A) && isIndex(e.B)
	}
	return false
}

// small reports whether a shift to the left is by few places of a small number.
func (e *Op) small() bool {
	c, ok := value(e.Args[0])
	by, known := most(e.Args[1], 16)
	return ok && 0 <= c && c < 1<<16 && known && by < 16 && natural(e.Args[1])
}

// masked returns the number that bitAnd of an int takes bits of, nil where it is not known.
func masked(e *Op) Expr {
	for _, a := range e.Args {
		if c, ok := value(a); ok && c >= 0 {
			return a
		}
	}
	return nil
}

func isConstant(e Expr) bool {
	_, ok := value(e)
	return ok
}

// atomsOf returns the atoms of a polynomial; those of the innermost loops, which have the
// latest names, come first.
func atomsOf(p poly) []Expr {
	type ranked struct {
		Expr
		key  string
		rank int
	}
	var all []ranked
	for _, t := range p {
		for _, a := range t.atoms {
			k := a.key()
			if !slices.ContainsFunc(all, func(r ranked) bool { return r.key == k }) {
				all = append(all, ranked{a, k, rank(a)})
			}
		}
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(b.rank-a.rank, strings.Compare(a.key, b.key)) })
	atoms := make([]Expr, len(all))
	for i, a := range all {
		atoms[i] = a.Expr
	}
	return atoms
}

// rank orders atoms: variables by their number, and operations behind the latest of their
// variables, before those that its bounds are made of.
func rank(e Expr) int {
	if v, ok := e.(*Var); ok {
		return 2 * v.ID
	}
	last := 0
	for _, c := range Children(e) {
		last = max(last, rank(c)|1)
	}
	return last
}

// split writes p as factor*a + rest, where neither has a.
func split(p poly, a Expr) (factor, rest poly, ok bool) {
	factor, rest = poly{}, poly{}
	k := a.key()
	for _, t := range p {
		n := 0
		for _, b := range t.atoms {
			if b == a || b.key() == k {
				n++
			}
		}
		switch n {
		case 0:
			rest = append(rest, t)
		case 1:
			others := slices.DeleteFunc(slices.Clone(t.atoms), func(b Expr) bool { return b == a || b.key() == k })
			factor.add(t.factor, others)
		default:
			return nil, nil, false
		}
	}
	return factor, rest, true
}

// expr returns a polynomial as an expression, positive terms first.
func (p poly) expr() Expr {
	terms := slices.Clone(p)
	sort.SliceStable(terms, func(i, j int) bool {
		a, b := terms[i], terms[j]
		if (a.factor > 0) != (b.factor > 0) {
			return a.factor > 0
		}
		return len(a.atoms) > len(b.atoms)
	})
	var sum Expr
	for _, t := range terms {
		e := t.product(sum != nil && t.factor < 0)
		switch {
		case sum == nil:
			sum = e
		case t.factor < 0:
			sum = &Op{Name: "-", Of: types.Int, Args: []Expr{sum, e}}
		default:
			sum = &Op{Name: "+", Of: types.Int, Args: []Expr{sum, e}}
		}
	}
	if sum == nil {
		return Int(0)
	}
	return sum
}

// product returns a term as an expression, or its negative.
func (t *term) product(negative bool) Expr {
	factor := t.factor
	if negative {
		factor = -factor
	}
	var e Expr
	for _, a := range t.atoms {
		if e == nil {
			e = a
		} else {
			e = &Op{Name: "*", Of: types.Int, Args: []Expr{e, a}}
		}
	}
	switch {
	case e == nil:
		return Int(factor)
	case factor == 1:
		return e
	}
	return &Op{Name: "*", Of: types.Int, Args: []Expr{e, Int(factor)}}
}

// tidy returns the sum, difference or product of sizes and indices as one polynomial where
// that is smaller; nil where it is not.
func tidy(name string, a, b Expr) Expr {
	if name == "*" || !isIndex(a) || !isIndex(b) {
		return nil
	}
	if Atomic(a) && Atomic(b) {
		if _, ok := a.(*Const); !ok {
			if _, ok := b.(*Const); !ok {
				return nil
			}
		}
	}
	whole := shallow(a).plus(shallow(b), map[string]int64{"+": 1, "-": -1}[name])
	if count(whole) < count(shallow(a))+count(shallow(b)) {
		return whole.expr()
	}
	return nil
}

func count(p poly) int { return len(p) }

// shallow is polyOf that keeps variables.
func shallow(e Expr) poly {
	if op, ok := e.(*Op); ok && op.Of == types.Int && len(op.Args) == 2 {
		switch op.Name {
		case "+":
			return shallow(op.Args[0]).plus(shallow(op.Args[1]), 1)
		case "-":
			return shallow(op.Args[0]).plus(shallow(op.Args[1]), -1)
		case "*":
			if a, b := shallow(op.Args[0]), shallow(op.Args[1]); len(a) == 1 && len(b) == 1 {
				return a.times(b)
			}
		}
	}
	if c, ok := e.(*Const); ok {
		return number(c.Value.I)
	}
	p := poly{}
	p.add(1, []Expr{e})
	return p
}

// quotient reduces a division whose dividend is a multiple of the divisor plus a rest that
// is less: (q*b + r) / b is q, and its remainder r. This is how the divisions by the extents
// of tiles go away.
func quotient(name string, a, b Expr) Expr {
	if !isIndex(a) || !isIndex(b) || !natural(b) {
		return nil
	}
	multiple, rest := divisible(polyOf(a), polyOf(b))
	if multiple == nil {
		return nil
	}
	pr := &prover{}
	if !pr.nonNegative(rest) || !pr.nonNegative(multiple) || !pr.nonNegative(polyOf(b).plus(rest, -1).plus(number(1), -1)) {
		return nil
	}
	if name == "%" {
		return rest.expr()
	}
	return multiple.expr()
}

// divisible writes p as multiple*b + rest, with all terms of p that b divides in the
// multiple; nil where b has several terms.
func divisible(p, b poly) (multiple, rest poly) {
	if len(b) != 1 {
		return nil, nil
	}
	multiple, rest = poly{}, poly{}
	for _, by := range b {
		for _, t := range p {
			atoms, ok := without(t.atoms, by.atoms)
			if ok && t.factor%by.factor == 0 {
				multiple.add(t.factor/by.factor, atoms)
			} else {
				rest.add(t.factor, t.atoms)
			}
		}
	}
	return multiple, rest
}

// without removes atoms from a product.
func without(atoms, remove []Expr) ([]Expr, bool) {
	left := slices.Clone(atoms)
	for _, r := range remove {
		i := slices.IndexFunc(left, func(e Expr) bool { return Same(e, r) })
		if i < 0 {
			return nil, false
		}
		left = slices.Delete(left, i, i+1)
	}
	return left, true
}
