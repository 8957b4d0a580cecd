package returns

import (
	"strings"

	"github.com/tailor-lang/tailor/tail"
)

// extreme is the greater, or the lesser, of two numbers.
type extreme struct {
	a, b    tail.Size
	greater bool
}

// maxCases bounds the goals that one becomes.
const maxCases = 8

// baseOf is the name of a number that is a variable, without its marks.
func baseOf(n tail.Size) string {
	if len(n.Terms) == 0 {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(n.Terms[0].Var, plusMark), minusMark)
}

// factor is how often a size has a number that is a variable, and what is left of the
// size without it.
func factor(s tail.Size, base string) (n int64, rest tail.Size) {
	rest = tail.ConstSize(s.Const)
	for _, t := range s.Terms {
		switch t.Var {
		case base, base + plusMark:
			n = t.Coef
		case base + minusMark:
		default:
			rest = rest.Plus(tail.VarSize(t.Var).Times(t.Coef))
		}
	}
	return n, rest
}

// cases returns goals that hold exactly where one does: both numbers are to be at
// most a bound where the greater of them is to be.
func (f *finder) cases(goal tail.Size) []tail.Size {
	all := []tail.Size{goal}
	for i := 0; i < len(all) && len(all) < maxCases; i++ {
		for again := true; again && len(all) < maxCases; {
			again = false
			for _, t := range all[i].Terms {
				base := strings.TrimSuffix(strings.TrimSuffix(t.Var, plusMark), minusMark)
				x, ok := f.choices[base]
				n, rest := factor(all[i], base)
				if !ok || n == 0 || x.greater == (n > 0) {
					continue
				}
				a, b := plus(rest, times(x.a, tail.ConstSize(n))), plus(rest, times(x.b, tail.ConstSize(n)))
				if a.Any || b.Any {
					continue
				}
				all[i], all, again = a, append(all, b), true
				break
			}
		}
	}
	return all
}

// unrounded is a goal without ratios that are rounded down, which holds exactly where
// the goal does: ⌊n÷d⌋ is at least k where n is at least k×d.
func (f *finder) unrounded(goal tail.Size) tail.Size {
	for _, t := range goal.Terms {
		base := strings.TrimSuffix(strings.TrimSuffix(t.Var, plusMark), minusMark)
		r, ok := f.rounds[base]
		n, rest := factor(goal, base)
		if !ok || n != 1 && n != -1 {
			continue
		}
		den := tail.ConstSize(r.den)
		if n == 1 {
			return plus(r.num, times(rest, den))
		}
		return minus(minus(times(plus(rest, constant(1)), den), constant(1)), r.num)
	}
	return goal
}

// memberOf is a number that is an element of the vector that an application makes,
// nil where none is known.
func memberOf(e *tail.Apply, args []*Value) *tail.Size {
	for _, v := range args {
		if v == nil {
			return nil
		}
	}
	switch e.Op {
	case tail.OpCons, tail.OpSnoc:
		scalar, vector := args[0], args[1]
		if e.Op == tail.OpSnoc {
			scalar, vector = args[1], args[0]
		}
		if n := scalar.Array().Value(0); scalar.Array().Dims() == 0 && n.Known() {
			return &n
		}
		return vector.member
	case tail.OpCat:
		for _, v := range args {
			if t := v.Array(); t.Dims() == 1 && t.Value(0).Known() && t.Elem != 0 && !t.Extent(0).Equal(constant(0)) && len(t.Values) > 0 {
				n := t.Value(0)
				return &n
			}
			if v.member != nil {
				return v.member
			}
		}
	case tail.OpReverse, tail.OpPrint:
		return args[0].member
	}
	return nil
}
