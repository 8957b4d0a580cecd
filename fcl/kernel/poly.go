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

// Least reports whether a ≤ b is proved, and Less whether a < b.
func Least(a, b Expr) bool {
	if a.Type() != types.Int || !isIndex(a) || !isIndex(b) {
		return a.Type() == types.Int && Same(a, b)
	}
	return (&prover{}).nonNegative(polyOf(b).plus(polyOf(a), -1))
}

// Less reports whether a < b is proved.
func Less(a, b Expr) bool {
	if a.Type() != types.Int || !isIndex(a) || !isIndex(b) {
		return false
	}
	return (&prover{}).nonNegative(polyOf(b).plus(polyOf(a), -1).plus(number(1), -1))
}

// inside reports whether 0 ≤ i < n is proved where conditions hold.
func inside(i, n Expr, given []Expr) bool {
	if !isIndex(i) || !isIndex(n) {
		return false
	}
	p := polyOf(i)
	rest := polyOf(n).plus(p, -1).plus(number(1), -1)
	var facts []poly
	for _, c := range given {
		facts = append(facts, factsOf(c)...)
	}
	return follows(p, facts) && follows(rest, facts)
}

// follows reports whether p ≥ 0 is proved, with at most one of the facts, which are not
// negative.
func follows(p poly, facts []poly) bool {
	if (&prover{}).nonNegative(p) {
		return true
	}
	for _, f := range facts {
		if (&prover{}).nonNegative(p.plus(f, -1)) {
			return true
		}
	}
	return false
}

// factsOf returns what is not negative where a condition holds.
func factsOf(c Expr) []poly {
	op, ok := c.(*Op)
	if !ok {
		return nil
	}
	switch op.Name {
	case "&&":
		return append(factsOf(op.Args[0]), factsOf(op.Args[1])...)
	case "not":
		if o, ok := Opposite(op.Args[0]).(*Op); ok && o.Name != "not" {
			return factsOf(o)
		}
		return nil
	}
	if len(op.Args) != 2 || op.Of != types.Bool || !isIndex(op.Args[0]) || !isIndex(op.Args[1]) {
		return nil
	}
	a, b := polyOf(op.Args[0]), polyOf(op.Args[1])
	up, down := b.plus(a, -1), a.plus(b, -1)
	switch op.Name {
	case "<":
		return []poly{up.plus(number(1), -1)}
	case "<=":
		return []poly{up}
	case ">":
		return []poly{down.plus(number(1), -1)}
	case ">=":
		return []poly{down}
	case "==":
		return []poly{up, down}
	case "!=":
		if Least(op.Args[1], op.Args[0]) {
			return []poly{down.plus(number(1), -1)}
		}
		if Least(op.Args[0], op.Args[1]) {
			return []poly{up.plus(number(1), -1)}
		}
	}
	return nil
}

// prover counts the steps of a proof.
type prover struct{ steps int }

// nonNegative reports whether p ≥ 0 is proved: atoms are replaced by their bounds, the
// one with the sign of its factor, and that first which leaves the fewest terms, until what is left is a sum of products that are not negative.
func (pr *prover) nonNegative(p poly) bool {
	if pr.steps++; pr.steps > maxSteps || len(p) > maxTerms {
		return false
	}
	if c, ok := p.constant(); ok {
		return c >= 0
	}
	if pr.obvious(p) {
		return true
	}
	for _, a := range atomsOf(p) {
		factor, rest, ok := split(p, a)
		if !ok {
			continue
		}
		if pr.either(a, factor, rest) {
			return true
		}
		sums := pr.bounds(a, factor)
		for i, least := range sums {
			sums[i] = rest.plus(least, 1)
		}
		sort.SliceStable(sums, func(i, j int) bool { return len(sums[i]) < len(sums[j]) })
		for _, sum := range sums {
			if pr.nonNegative(sum) {
				return true
			}
		}
	}
	return false
}

// either reports whether factor*a + rest ≥ 0 is proved where a is one of two: a minimum
// with a factor that is not negative, or a maximum with another one.
func (pr *prover) either(a Expr, factor, rest poly) bool {
	if v, ok := a.(*Var); ok && v.Def != nil {
		a = v.Def
	}
	op, ok := a.(*Op)
	if !ok || op.Name != "min" && op.Name != "max" {
		return false
	}
	if s := pr.sign(factor); s == 0 || (s > 0) != (op.Name == "min") {
		return false
	}
	for _, x := range op.Args {
		if !pr.nonNegative(rest.plus(factor.times(polyOf(x)), 1)) {
			return false
		}
	}
	return true
}

// obvious reports whether no term is negative.
func (pr *prover) obvious(p poly) bool {
	for _, t := range p {
		if t.factor < 0 {
			return false
		}
		for _, a := range t.atoms {
			if !natural(a) {
				return false
			}
		}
	}
	return true
}

// natural reports whether an atom is not negative by itself.
func natural(a Expr) bool {
	switch a := a.(type) {
	case *Var:
		if a.Lo != nil {
			v, ok := value(a.Lo)
			return ok && v >= 0
		}
		return a.Def != nil && natural(a.Def)
	case *Const:
		return a.Value.I >= 0
	case *Op:
		switch a.Name {
		case "check", "size":
			return true
		case "bitAnd":
			return masked(a) != nil
		case "/", "%", "min", "*":
			return natural(a.Args[0]) && natural(a.Args[1])
		case "+":
			return natural(a.Args[0]) && natural(a.Args[1]) || a.notNegative()
		case "max":
			return natural(a.Args[0]) || natural(a.Args[1])
		case "fit", "same":
			return natural(a.Args[0])
		case "-":
			return a.notNegative()
		case "<<":
			return a.small()
		}
	case *Cond:
		return natural(a.A) && natural(a.B)
	}
	return false
}

// notNegative reports whether a short proof shows that a sum or difference of sizes and
// indices is not negative.
func (e *Op) notNegative() bool {
	if e.sign == 0 {
		e.sign = -1
		if isIndex(e) && (&prover{steps: maxSteps - 40}).nonNegative(polyOf(e)) {
			e.sign = 1
		}
	}
	return e.sign > 0
}

// sign returns 1 where a factor is not negative, -1 where it is not positive, 0 where
// neither is known.
func (pr *prover) sign(factor poly) int {
	if c, ok := factor.constant(); ok {
		if c >= 0 {
			return 1
		}
		return -1
	}
	switch {
	case pr.obvious(factor):
		return 1
	case pr.obvious(poly{}.plus(factor, -1)):
		return -1
	}
	return 0
}

// bounds returns what factor*a is at least, numbers first.
func (pr *prover) bounds(a Expr, factor poly) []poly {
	s := pr.sign(factor)
	if s == 0 {
		return nil
	}
	var numbers, others []poly
	if v, ok := a.(*Var); ok && v.Def != nil {
		a = v.Def
	}
	if op, ok := a.(*Op); ok && op.Name == "/" && natural(op.Args[0]) && natural(op.Args[1]) {
		others = multiples(op, factor, s)
	}
	for _, e := range limits(a, s > 0) {
		p := factor.times(polyOf(e))
		if isConstant(e) {
			numbers = append(numbers, p)
		} else {
			others = append(others, p)
		}
	}
	return append(numbers, others...)
}

// multiples returns what factor*(x/b) is at least, where b divides the factor:
// x-b+1 ≤ b*(x/b) ≤ x.
func multiples(op *Op, factor poly, sign int) []poly {
	b := polyOf(op.Args[1])
	times, rest := divisible(factor, b)
	if times == nil || len(rest) > 0 {
		return nil
	}
	x := polyOf(op.Args[0])
	if sign > 0 {
		x = x.plus(b, -1).plus(number(1), 1)
	}
	return []poly{times.times(x)}
}

// limits returns bounds of an atom, lower or upper ones.
func limits(a Expr, lower bool) []Expr {
	switch a := a.(type) {
	case *Var:
		switch {
		case a.Def != nil:
			return limits(a.Def, lower)
		case lower && a.Lo != nil:
			return []Expr{a.Lo}
		case !lower && a.Hi != nil:
			return []Expr{a.Hi}
		}
	case *Cond:
		x, ok := value(a.A)
		y, ok2 := value(a.B)
		switch {
		case !ok || !ok2:
		case lower:
			return []Expr{Int(min(x, y))}
		default:
			return []Expr{Int(max(x, y))}
		}
	case *Op:
		return opLimits(a, lower)
	}
	return nil
}

func opLimits(a *Op, lower bool) []Expr {
	switch a.Name {
	case "min":
		if !lower {
			return a.Args
		}
	case "max":
		if lower {
			return a.Args
		}
	case "check":
		if lower {
			return []Expr{Int(0)}
		}
	case "bitAnd":
		if m := masked(a); m != nil && !lower {
			return []Expr{m}
		}
	case "fit":
		if !lower {
			return a.Args[1:]
		}
	case "size":
		if lower {
			return []Expr{Int(0), a.Args[0]}
		}
	case "%":
		b, ok := value(a.Args[1])
		switch {
		case !natural(a.Args[0]) || !natural(a.Args[1]):
		case lower:
			return []Expr{Int(0)}
		case ok && b > 0:
			return []Expr{Int(b - 1), a.Args[0]}
		default: // of a divisor that may be 0 there is a fault
			return []Expr{&Op{Name: "-", Of: types.Int, Args: []Expr{a.Args[1], Int(1)}}, a.Args[0]}
		}
	case "/":
		return quotientLimits(a, lower)
	}
	return nil
}

// quotientLimits gives x/c, for a number c: (x-c+1)/c ≤ x/c ≤ x/c, exact where the
// polynomial x is a multiple of c.
func quotientLimits(a *Op, lower bool) []Expr {
	if !natural(a.Args[0]) || !natural(a.Args[1]) {
		return nil
	}
	if lower {
		return []Expr{Int(0)}
	}
	if most, ok := most(a.Args[0], 8); ok {
		if c, ok := value(a.Args[1]); ok && c > 0 {
			return []Expr{Int(most / c), a.Args[0]}
		}
	}
	return []Expr{a.Args[0]}
}

// most returns a number that a sum, product or quotient of numbers that are not negative is
// at most; depth bounds how far it looks.
func most(e Expr, depth int) (int64, bool) {
	if depth == 0 {
		return 0, false
	}
	switch e := e.(type) {
	case *Const:
		return e.Value.I, e.Value.I >= 0
	case *Var:
		if e.Def != nil {
			return most(e.Def, depth-1)
		}
		if e.Hi != nil {
			return most(e.Hi, depth-1)
		}
	case *Cond:
		a, okA := most(e.A, depth-1)
		b, okB := most(e.B, depth-1)
		return max(a, b), okA && okB
	case *Op:
		if len(e.Args) != 2 || e.Of != types.Int {
			break
		}
		a, okA := most(e.Args[0], depth-1)
		if e.Name == "-" && okA && natural(e.Args[1]) {
			if c, ok := value(e.Args[1]); ok {
				return a - c, a >= c
			}
			return a, true
		}
		b, okB := most(e.Args[1], depth-1)
		switch {
		case e.Name == "check" && okB:
			return b - 1, b > 0
		case e.Name == "%" && okB && natural(e.Args[0]):
			return b - 1, b > 0
		case e.Name == "min" && okA != okB:
			return a + b, true // the other is 0
		case e.Name == "min":
			return min(a, b), okA
		case e.Name == "max":
			return max(a, b), okA && okB
		case !okA || !okB || a > 1<<30 || b > 1<<30:
		case e.Name == "+":
			return a + b, true
		case e.Name == "*" && natural(e.Args[0]) && natural(e.Args[1]):
			return a * b, true
		case e.Name == "/" && b > 0 && isConstant(e.Args[1]):
			return a / b, true
		}
	}
	return 0, false
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
