package fuzz

import "fmt"

// moreForms are forms of the rest of the primitives.
func moreForms() []form {
	return []form{
		divisors, transcendental, letters, mask, indexOfCells, collation, squadAxis, takeAxis, diagonal, digits, value,
		occurrence, counts, selective, mixture, rotation, random,
	}
}

func divisors(g *generator, k kind, shape []int, depth int) *node {
	if k != integer {
		return nil
	}
	x, y := g.operands(integer, integer, shape, depth)
	return dyadic(k, shape, x, g.one("∨", "∧"), y)
}

func transcendental(g *generator, k kind, shape []int, depth int) *node {
	if k != double {
		return nil
	}
	f := g.one("1○", "2○", "¯3○", "6○3⌊", "4○", "9○", "10○", "12○", "!3⌊1⌈", "⍟1+|", "2*10⌊", "0.5*3⌊", "0.5*⍨|", "2!", "0.5!2+|")
	return monadic(k, shape, f, g.expr(double, shape, depth))
}

func letters(g *generator, k kind, shape []int, depth int) *node {
	if k != char {
		return nil
	}
	return monadic(k, shape, g.one("⎕C ", "1 ⎕C ", "¯1 ⎕C ", "⎕UCS 1+⎕UCS "), g.expr(char, shape, depth))
}

// random draws numbers, the same in each run of a program.
func random(g *generator, k kind, shape []int, depth int) *node {
	switch k {
	case integer:
		return monadic(k, shape, g.one("?1⌈100⌊", "?1⌈", "{?1+5|⍵}¨"), g.expr(k, shape, depth))
	case double:
		units := "(?0)"
		if len(shape) > 0 {
			units = "(?" + numbers(shape) + "⍴0)"
		}
		return monadic(k, shape, units+g.one("+", "×", "⌊"), g.expr(k, shape, depth))
	}
	return nil
}

// small returns a shape of rank 1 or 2 with short axes.
func (g *generator) small() []int {
	shape := make([]int, 1+g.rnd.Intn(2))
	for i := range shape {
		shape[i] = 1 + g.rnd.Intn(2)
	}
	return shape
}

func mask(g *generator, k kind, shape []int, depth int) *node {
	if k != boolean || len(shape) != 1 {
		return nil
	}
	return monadic(k, shape, "≠", g.expr(g.anyKind(), append([]int{shape[0]}, g.small()...), depth))
}

func indexOfCells(g *generator, k kind, shape []int, depth int) *node {
	if k != integer {
		return nil
	}
	cell, of := g.small(), g.anyKind()
	x := g.expr(of, append([]int{1 + g.rnd.Intn(4)}, cell...), depth)
	y := g.expr(of, append(append([]int{}, shape...), cell...), depth)
	return dyadic(k, shape, x, "⍳", y)
}

func collation(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 1 {
		return nil
	}
	y := g.expr(char, append([]int{shape[0]}, g.small()[1:]...), depth)
	return monadic(k, shape, g.one("'xy ab'", "(2 3⍴'xy abX')", "(2 2 2⍴'aqxyb abb')")+g.one("⍋", "⍒"), y)
}

func squadAxis(g *generator, k kind, shape []int, depth int) *node {
	n, axis := 1+g.rnd.Intn(3), g.rnd.Intn(len(shape)+1)
	return monadic(k, shape, fmt.Sprintf("%d⌷[%d]", 1+g.rnd.Intn(n), axis+1), g.expr(k, inserted(shape, axis, n), depth))
}

func takeAxis(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	axis := g.rnd.Intn(len(shape))
	if g.rnd.Intn(2) == 0 {
		return monadic(k, shape, fmt.Sprintf("%s%d↑[%d]", g.one("", "¯"), shape[axis], axis+1),
			g.expr(k, with(shape, axis, g.rnd.Intn(5)), depth))
	}
	n := g.rnd.Intn(3)
	return monadic(k, shape, fmt.Sprintf("%s%d↓[%d]", g.one("", "¯"), n, axis+1), g.expr(k, with(shape, axis, shape[axis]+n), depth))
}

// diagonal is that of a matrix, which has no more than some 4,000 elements.
func diagonal(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) != 1 || shape[0] > 65 {
		return nil
	}
	full := []int{shape[0], shape[0] + g.rnd.Intn(2)}
	return monadic(k, shape, "1 1⍉", g.expr(k, full, depth))
}

func digits(g *generator, k kind, shape []int, depth int) *node {
	if k == complexes && len(shape) > 0 && shape[0] == 2 {
		return monadic(k, shape, g.one("0 2⊤", "3 1J1⊤", "0 0J2⊤"), g.expr(complexes, shape[1:], depth))
	}
	if k != integer || len(shape) == 0 || shape[0] == 0 {
		return nil
	}
	base := make([]int, shape[0])
	for i := range base {
		base[i] = g.rnd.Intn(5)
	}
	return monadic(k, shape, numbers(base)+"⊤", g.expr(integer, shape[1:], depth))
}

func value(g *generator, k kind, shape []int, depth int) *node {
	if k != integer && k != complexes {
		return nil
	}
	return monadic(k, shape, g.one("2⊥", "¯3⊥", "10⊥"), g.expr(k, append([]int{g.rnd.Intn(4)}, shape...), depth))
}

func occurrence(g *generator, k kind, shape []int, depth int) *node {
	if k != boolean {
		return nil
	}
	of := g.anyKind()
	pattern := g.expr(of, g.small()[:min(len(shape), 1)], depth)
	return dyadic(k, shape, pattern, "⍷", g.expr(of, shape, depth))
}

// counts are lengths of results whose length depends on the values.
func counts(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 0 {
		return nil
	}
	of := g.anyKind()
	vector := func() *node { return g.expr(of, []int{g.rnd.Intn(6)}, depth) }
	switch g.rnd.Intn(4) {
	case 0:
		return dyadic(k, shape, vector(), g.one("(≢~)", "(≢∪)", "(≢∩)"), vector())
	case 1:
		return monadic(k, shape, "≢∪", g.expr(of, append([]int{g.rnd.Intn(5)}, g.small()...), depth))
	case 2:
		return monadic(k, shape, "≢⍸", g.expr(boolean, []int{g.rnd.Intn(6)}, depth))
	}
	return monadic(k, shape, g.one("≢⍕", "⎕DR "), g.expr(of, g.anyShape(), depth))
}

// selective is a selective assignment.
func selective(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	for _, n := range shape {
		if n == 0 {
			return nil
		}
	}
	target := g.one("1↑m", "¯1↑m", "1↓m", ",m", "⌽m", "⊖m", "⍉m", "⊃m", "1⌽m", "1⌷m")
	fill := literal(k, nil, g.rnd).text()
	return monadic(k, shape, "{m←⍵ ⋄ ("+target+")←"+fill+" ⋄ m}", g.expr(k, shape, depth))
}

func mixture(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 || shape[0] != 2 {
		return nil
	}
	short := shape[1:]
	if len(short) > 0 && short[0] > 0 && g.rnd.Intn(2) == 0 {
		short = with(short, 0, short[0]-1)
	}
	x, y := g.expr(k, shape[1:], depth), g.expr(k, short, depth)
	return &node{k, shape, []string{"↑", "", ""}, []*node{x, y}}
}

// rotation is by a number for each vector along an axis.
func rotation(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) < 2 {
		return nil
	}
	if g.rnd.Intn(2) == 0 {
		return dyadic(k, shape, g.expr(integer, shape[:len(shape)-1], depth), "⌽", g.expr(k, shape, depth))
	}
	return dyadic(k, shape, g.expr(integer, shape[1:], depth), "⊖", g.expr(k, shape, depth))
}
