package kernel

import (
	"sort"

	"github.com/tailor-lang/tailor/fcl/types"
)

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
