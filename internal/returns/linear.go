package returns

import "github.com/tailor-lang/tailor/tail"

// A fact is a size that is known to be at least 0. All variables are natural
// numbers; a number that may be negative is the difference of two of them.

const (
	// maxFacts bounds the inequalities that a proof works with.
	maxFacts = 80
	// maxNumber bounds the numbers in them, so that products do not overflow.
	maxNumber = 1 << 30
)

func constant(n int64) tail.Size { return tail.ConstSize(n) }

func plus(a, b tail.Size) tail.Size  { return tail.ScalarValue(tail.OpAddI, []tail.Size{a, b}) }
func minus(a, b tail.Size) tail.Size { return tail.ScalarValue(tail.OpSubI, []tail.Size{a, b}) }

// times is a product; Any where neither factor is constant.
func times(a, b tail.Size) tail.Size { return tail.ScalarValue(tail.OpMulI, []tail.Size{a, b}) }

// natural reports whether s is at least 0 whatever its variables are.
func natural(s tail.Size) bool {
	if s.Any || s.Const < 0 {
		return false
	}
	for _, t := range s.Terms {
		if t.Coef < 0 {
			return false
		}
	}
	return true
}

// follows reports whether goal is at least 0 wherever all facts are. The answer
// no may be wrong.
func follows(facts []tail.Size, goal tail.Size) bool {
	switch {
	case goal.Any:
		return false
	case natural(goal):
		return true
	}
	opposite := minus(constant(-1), goal)
	if opposite.Any {
		return false
	}
	return contradict(append([]tail.Size{opposite}, related(facts, goal)...))
}

// related returns the facts that share variables with goal, or with such facts.
func related(facts []tail.Size, goal tail.Size) []tail.Size {
	seen := map[string]bool{}
	add := func(s tail.Size) {
		for _, t := range s.Terms {
			seen[t.Var] = true
		}
	}
	add(goal)
	taken := make([]bool, len(facts))
	var found []tail.Size
	for again := true; again; {
		again = false
		for i, f := range facts {
			if taken[i] || !mentions(f, seen) {
				continue
			}
			taken[i], again = true, true
			found = append(found, f)
			add(f)
		}
	}
	return found
}

func mentions(s tail.Size, names map[string]bool) bool {
	for _, t := range s.Terms {
		if names[t.Var] {
			return true
		}
	}
	return len(s.Terms) == 0 && s.Const < 0
}

// contradict reports whether inequalities have no solution in natural numbers,
// by the method of Fourier and Motzkin: one variable after the other is
// eliminated. Solutions in fractions count, so that the answer no may be wrong.
func contradict(all []tail.Size) bool {
	for {
		var kept []tail.Size
		for _, s := range all {
			if s.Any || natural(s) {
				continue
			}
			if len(s.Terms) == 0 {
				return true
			}
			kept = append(kept, s)
		}
		all = kept
		name := cheapest(all)
		if name == "" {
			return impossible(all)
		}
		if all = eliminate(all, name); len(all) > maxFacts {
			return false
		}
	}
}

// impossible reports whether an inequality has no solution: all its numbers are
// negative.
func impossible(all []tail.Size) bool {
	for _, s := range all {
		positive := false
		for _, t := range s.Terms {
			positive = positive || t.Coef > 0
		}
		if !positive && s.Const < 0 {
			return true
		}
	}
	return false
}

// cheapest returns the variable whose elimination makes the fewest inequalities.
func cheapest(all []tail.Size) string {
	type count struct{ up, down int }
	counts := map[string]*count{}
	for _, s := range all {
		for _, t := range s.Terms {
			c := counts[t.Var]
			if c == nil {
				c = &count{}
				counts[t.Var] = c
			}
			if t.Coef > 0 {
				c.up++
			} else {
				c.down++
			}
		}
	}
	best, cost := "", 0
	for name, c := range counts {
		made := c.up*(c.down+1) - c.up - c.down
		if best == "" || made < cost || made == cost && name < best {
			best, cost = name, made
		}
	}
	return best
}

// eliminate returns what inequalities say without a variable, which is natural.
func eliminate(all []tail.Size, name string) []tail.Size {
	var rest, low, high []tail.Size
	low = append(low, tail.VarSize(name))
	for _, s := range all {
		switch c := coefficient(s, name); {
		case c > 0:
			low = append(low, s)
		case c < 0:
			high = append(high, s)
		default:
			rest = append(rest, s)
		}
	}
	for _, h := range high {
		for _, l := range low {
			if s := combine(l, h, name); !s.Any {
				rest = append(rest, s)
			}
		}
	}
	return rest
}

func coefficient(s tail.Size, name string) int64 {
	for _, t := range s.Terms {
		if t.Var == name {
			return t.Coef
		}
	}
	return 0
}

// combine adds two inequalities so that a variable vanishes.
func combine(low, high tail.Size, name string) tail.Size {
	a, b := coefficient(low, name), -coefficient(high, name)
	d := divisor(a, b)
	a, b = a/d, b/d
	if large(low, b) || large(high, a) {
		return tail.AnySize
	}
	return low.Times(b).Plus(high.Times(a))
}

func large(s tail.Size, by int64) bool {
	over := func(n int64) bool { return max(n, -n) > maxNumber/max(by, 1) }
	for _, t := range s.Terms {
		if over(t.Coef) {
			return true
		}
	}
	return over(s.Const)
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, 1)
}
