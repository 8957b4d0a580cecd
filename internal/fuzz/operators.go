package fuzz

import "fmt"

// operatorForms are forms of operators whose operands are whole functions.
func operatorForms() []form {
	return []form{key, stencil, at, inverse, joined, tuples, until, userOperator, recursion, outerAssignment}
}

func key(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 0 {
		return nil
	}
	n := 1 + g.rnd.Intn(5)
	keys := g.expr(g.anyKind(), []int{n}, depth)
	if g.rnd.Intn(2) == 0 {
		return monadic(k, shape, g.one("+/{≢⍵}⌸", "+/{⊃⌽⍵}⌸", "+/{(≢⍵)-⊃⍵}⌸", "≢{⊃⍵}⌸"), keys)
	}
	return dyadic(k, shape, keys, g.one("(+/{+/⍵}⌸)", "(-/{⌈/⍵}⌸)", "{-/⍺{⊃⍵}⌸⍵}"), g.expr(integer, []int{n}, depth))
}

func stencil(g *generator, k kind, shape []int, depth int) *node {
	if k != integer && k != double || len(shape) == 0 || len(shape) > 2 {
		return nil
	}
	windows := g.one("3", "1", "5")
	if len(shape) == 2 {
		windows = g.one("3 3", "1 3", "5 3")
	}
	f := g.one("{+/,⍵}", "{⊃,⍵}", "{(⊃⍺)×⊃⌽,⍵}", "{⌈/0,,⍵}")
	return monadic(k, shape, fmt.Sprintf("(%s⌺%s)", f, windows), g.expr(k, shape, depth))
}

func at(g *generator, k kind, shape []int, depth int) *node {
	if k != integer && k != double || len(shape) == 0 || shape[0] == 0 {
		return nil
	}
	i := 1 + g.rnd.Intn(shape[0])
	f := g.one("(0@%d)", "(-@%d)", "(2∘×@%d)", "({⍵+1}@{⍵>%d})", "(7@(%d∘=))")
	return monadic(k, shape, fmt.Sprintf(f, i), g.expr(k, shape, depth))
}

func inverse(g *generator, k kind, shape []int, depth int) *node {
	if k != integer && k != double {
		return nil
	}
	f := g.one("(3∘+⍣¯1)", "(-⍣¯1)", "(5∘-⍣¯2)", "(-∘2⍣¯3)", "(⌽⍣¯1)", "(2∘+∘-⍣¯1)", "(+\\⍣¯1)", "(-⍀⍣¯1)", "-⍛+", "⌽⍛⌈")
	return monadic(k, shape, f, g.expr(k, shape, depth))
}

func joined(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 1 || shape[0]%3 != 0 {
		return nil
	}
	n := shape[0] / 3
	if n == 2 && g.rnd.Intn(2) == 0 {
		return &node{k, shape, []string{"⊃,/{(2×⍵)⍴⍵}¨⍳2"}, nil}
	}
	return monadic(k, shape, g.one("⊃,/{⍵×1 2 3}¨", "⊃,/{3⍴⍵}¨", "⊃,/{(3⌊3+⍵×0)⍴⍵}¨"), g.expr(integer, []int{n}, depth))
}

func tuples(g *generator, k kind, shape []int, depth int) *node {
	if k == char {
		return nil
	}
	x, y := g.expr(k, shape, depth), g.expr(g.anyKind(), g.anyShape(), depth)
	f := g.one("{(a b)←⍺ ⍵ ⋄ a}", "{1⊃⍺ ⍵}", "{⊃⌽⍵ ⍺}", "{⊃{(a b)←⍵ ⋄ a b}⍺ ⍵}", "{⊃({(a b)←⍵ ⋄ (⌽a)(b)}⍣2)⍺ ⍵}")
	return dyadic(k, shape, x, f, y)
}

func until(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 0 {
		return nil
	}
	return monadic(k, shape, g.one("({⌊⍵÷2}⍣≡)", "({⍵+1}⍣{⍺>5})", "({¯1+⍵⌊9}⍣{0>⍺})", "(1∘⌈⍣≡)"), g.expr(k, shape, depth))
}

func userOperator(g *generator, k kind, shape []int, depth int) *node {
	if k != integer && k != double {
		return nil
	}
	f := g.one("(-{⍺⍺ ⍺⍺ ⍵})", "(3{⍺⍺+⍵})", "(-{⍺⍺ ⍵⍵ ⍵}⌽)", "(2{⍵⍵ ⍺⍺+⍵}⌽)", "(1+{⍺←2 ⋄ ⍺ ⍺⍺ ⍵}⊢)")
	return monadic(k, shape, f, g.expr(k, shape, depth))
}

func recursion(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 0 {
		return nil
	}
	f := g.one("{⍵≤0:0 ⋄ 1+∇⍵-2}", "{⍺←0 ⋄ ⍵≤0:⍺ ⋄ (⍺+⍵)∇⍵-1}", "{⍵>9:⍵ ⋄ ∇⍵+3}", "{⍵≤1:1 ⋄ (∇⍵-1)+∇⍵-2}")
	return monadic(k, shape, f+"12⌊", g.expr(k, shape, depth))
}

// outerAssignment changes a variable of the enclosing function many times.
func outerAssignment(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 1 || shape[0] == 0 {
		return nil
	}
	n := shape[0]
	f := g.one("{a←⍵ ⋄ _←{a[⍵]+←1}¨1 %[1]d 1 ⋄ a}", "{a←⍵ ⋄ _←{⍵>1:a[⍵]←⍵ ⋄ a[1]×←2}¨⍳%[1]d ⋄ a}",
		"{a←⍵ ⋄ ⌽{a+←⍵ ⋄ a[%[1]d]}¨⍳%[1]d}", "{a←⍵ ⋄ i←({a[⍵]+←3 ⋄ ⍵+1}⍣%[1]d)1 ⋄ i+a}", "{a←⍵ ⋄ _←4{a[⍵]-←⍺}¨⍳%[1]d ⋄ a}")
	return monadic(k, shape, fmt.Sprintf(f, n), g.expr(k, shape, depth))
}
