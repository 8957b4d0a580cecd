package returns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/tail"
)

// Texts returns the ways in which a condition can be written, as APL would: m = n,
// ⍵ ≥ 0, ⍴⍺ = ⍴⍵. The length of a vector is also that of its last axis.
func (r *Result) Texts(c Condition) []string {
	var all []string
	if text, ok := r.shapes(c); ok {
		all = append(all, text)
	}
	for _, last := range []map[string]bool{{}, {"⍺": true}, {"⍵": true}, {"⍺": true, "⍵": true}} {
		if text := r.text(c, last); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// shapes writes that two parameters have one shape.
func (r *Result) shapes(c Condition) (text string, ok bool) {
	seen := map[int]bool{}
	var a, b axis
	for i := 0; i+1 < len(c.Goals); i += 2 {
		g := c.Goals[i]
		if len(g.Terms) != 2 || g.Const != 0 || !plus(g, c.Goals[i+1]).Equal(constant(0)) {
			return "", false
		}
		a, b = r.axes[g.Terms[0].Var], r.axes[g.Terms[1].Var]
		if a.rank == 0 || a.rank != b.rank || a.i != b.i || a.param == b.param || seen[a.i] {
			return "", false
		}
		seen[a.i] = true
	}
	if len(seen) == 0 || len(seen) != a.rank || len(c.Goals)%2 != 0 {
		return "", false
	}
	return "⍴" + max(a.param, b.param) + " = ⍴" + min(a.param, b.param), true
}

// text writes a condition; last says of which vectors the length is called that of
// the last axis.
func (r *Result) text(c Condition, last map[string]bool) string {
	var parts []string
	add := func(text string) {
		if !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	for i := 0; i < len(c.Goals); i++ {
		g := c.Goals[i]
		if i+1 < len(c.Goals) && plus(g, c.Goals[i+1]).Equal(constant(0)) {
			add(r.relation(g, " = ", last))
			i++
			continue
		}
		add(r.relation(g, "", last))
	}
	return strings.Join(parts, ", ")
}

// relation writes that a size is at least 0, or with a sign that it is 0, with
// positive numbers on both sides.
func (r *Result) relation(s tail.Size, sign string, last map[string]bool) string {
	left, right := tail.ConstSize(0), tail.ConstSize(0)
	for _, t := range s.Terms {
		name, ok := r.display(t, last)
		switch {
		case !ok:
		case t.Coef > 0:
			left = left.Plus(tail.VarSize(name).Times(t.Coef))
		default:
			right = right.Plus(tail.VarSize(name).Times(-t.Coef))
		}
	}
	switch c := tail.ConstSize(s.Const); {
	case len(left.Terms) == 0 && sign == "":
		return right.String() + " ≤ " + c.String()
	case len(left.Terms) == 0:
		return right.String() + sign + c.String()
	case len(right.Terms) > 0 && s.Const > 0:
		left = left.Plus(c)
	default:
		right = right.Minus(c)
	}
	switch {
	case sign != "":
	case r.isValue(right) && !r.isValue(left):
		return right.String() + " ≤ " + left.String()
	default:
		sign = " ≥ "
	}
	return left.String() + sign + right.String()
}

// isValue reports whether a number is the value of a parameter, not a size.
func (r *Result) isValue(s tail.Size) bool {
	for _, t := range s.Terms {
		for _, name := range r.signed {
			if t.Var == name {
				return true
			}
		}
	}
	return false
}

// display returns the name of a variable; ok is false for the second half of a
// signed one.
func (r *Result) display(t tail.Term, last map[string]bool) (name string, ok bool) {
	if base, is := strings.CutSuffix(t.Var, plusMark); is && r.signed[base] != "" {
		return r.signed[base], true
	}
	if base, is := strings.CutSuffix(t.Var, minusMark); is && r.signed[base] != "" {
		return "", false
	}
	if a := r.axes[t.Var]; a.rank > 0 {
		return a.text(last[a.param]), true
	}
	return strings.TrimRight(t.Var, "'"), true
}

// text writes the length of an axis.
func (a axis) text(last bool) string {
	switch {
	case a.i == a.rank-1 && (a.rank > 1 || last):
		return "⊃⌽⍴" + a.param
	case a.i == 0:
		return "≢" + a.param
	}
	return fmt.Sprintf("(⍴%s)[%d]", a.param, a.i+1)
}
