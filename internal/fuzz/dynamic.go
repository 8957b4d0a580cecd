package fuzz

import "fmt"

// dynamicForms are forms whose values, or lengths, only a run tells, and forms
// that are written with functions of several statements.
func dynamicForms() []form {
	return []form{
		hidden, hidden, unsized, locals, locals, branches, branchEach, branchBoth, cellwise, cellwise, repeated, repeatedPair,
		folded, table, assigned, assignedCells, display,
	}
}

// hidden is an expression whose value no compiler knows.
func hidden(g *generator, k kind, shape []int, depth int) *node {
	x := g.expr(k, shape, depth)
	switch {
	case len(shape) > 0:
		return monadic(k, shape, "(¯1+?1)⌽", x)
	case k == boolean:
		return monadic(k, shape, "(1=?1)∧", x)
	case k == char:
		return monadic(k, shape, "⊃(¯1+?1)⌽,", x)
	}
	return monadic(k, shape, "(¯1+?1)+", x)
}

// unsized is an array whose first length no compiler knows.
func unsized(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	x := g.expr(k, shape, depth)
	if len(shape) > 1 && g.rnd.Intn(2) == 0 {
		return monadic(k, shape, "(¯1+?1 1)↓", x)
	}
	return monadic(k, shape, "(¯1+?1)↓", x)
}

// bound gives a variable of a function a name of its own, and makes body with
// it.
func (g *generator) bound(body func(names []string) *node, args ...*node) *node {
	names := make([]string, len(args))
	outer := g.vars
	g.vars = append([]*node{}, outer...)
	for i, a := range args {
		g.locals++
		names[i] = fmt.Sprintf("w%d", g.locals)
		g.vars = append(g.vars, &node{a.kind, a.shape, []string{names[i]}, nil})
	}
	defer func() { g.vars = outer }()
	return body(names)
}

// item is a scalar of a kind, as a function's argument.
func item(k kind) *node { return &node{kind: k} }

// locals is a function with a local variable.
func locals(g *generator, k kind, shape []int, depth int) *node {
	x := g.expr(g.anyKind(), g.anyShape(), depth)
	return g.bound(func(w []string) *node {
		u := g.expr(g.anyKind(), g.anyShape(), depth)
		return g.bound(func(v []string) *node {
			e := g.expr(k, shape, depth)
			return &node{k, shape, []string{fmt.Sprintf("{%s←⍵ ⋄ %s←", w[0], v[0]), " ⋄ ", "}", ""}, []*node{u, e, x}}
		}, u)
	}, x)
}

// branches is a function with a guard.
func branches(g *generator, k kind, shape []int, depth int) *node {
	x := g.expr(g.anyKind(), g.anyShape(), depth)
	return g.bound(func(w []string) *node {
		c, t, e := g.expr(boolean, nil, depth), g.expr(k, shape, depth), g.expr(k, shape, depth)
		return &node{k, shape, []string{fmt.Sprintf("{%s←⍵ ⋄ ", w[0]), ":", " ⋄ ", "}", ""}, []*node{c, t, e, x}}
	}, x)
}

// branchEach is a function with a guard for each element.
func branchEach(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	x := g.expr(g.anyKind(), shape, depth)
	return g.bound(func(w []string) *node {
		c, t, e := g.expr(boolean, nil, depth), g.expr(k, nil, depth), g.expr(k, nil, depth)
		return &node{k, shape, []string{fmt.Sprintf("{%s←⍵ ⋄ ", w[0]), ":", " ⋄ ", "}¨", ""}, []*node{c, t, e, x}}
	}, item(x.kind))
}

// branchBoth is the same for two arguments.
func branchBoth(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	x, y := g.operands(g.anyKind(), g.anyKind(), shape, depth)
	return g.bound(func(w []string) *node {
		c, t, e := g.expr(boolean, nil, depth), g.expr(k, nil, depth), g.expr(k, nil, depth)
		head := fmt.Sprintf("{%s←⍺ ⋄ %s←⍵ ⋄ ", w[0], w[1])
		return &node{k, shape, []string{"", head, ":", " ⋄ ", "}¨", ""}, []*node{x, c, t, e, y}}
	}, item(x.kind), item(y.kind))
}

// cellwise is a function of cells.
func cellwise(g *generator, k kind, shape []int, depth int) *node {
	frame := g.rnd.Intn(len(shape) + 1)
	cell := g.small()
	x := g.expr(g.anyKind(), append(append([]int{}, shape[:frame]...), cell...), depth)
	return g.bound(func(w []string) *node {
		e := g.expr(k, shape[frame:], depth)
		return &node{k, shape, []string{fmt.Sprintf("{%s←⍵ ⋄ ", w[0]), fmt.Sprintf("}⍤%d⊢", len(cell)), ""}, []*node{e, x}}
	}, &node{kind: x.kind, shape: cell})
}

// times is how often ⍣ applies its function.
func (g *generator) times() string { return g.one("1", "2", "3", "(1+?1)", "(?1)") }

// repeated is a function applied some times.
func repeated(g *generator, k kind, shape []int, depth int) *node {
	x := g.expr(k, shape, depth)
	return g.bound(func(w []string) *node {
		e := g.expr(k, shape, depth)
		return &node{k, shape, []string{fmt.Sprintf("({%s←⍵ ⋄ ", w[0]), "}⍣" + g.times() + ")", ""}, []*node{e, x}}
	}, x)
}

// repeatedPair is the first of two arrays that a loop carries.
func repeatedPair(g *generator, k kind, shape []int, depth int) *node {
	x, y := g.expr(k, shape, depth), g.expr(g.anyKind(), g.anyShape(), depth)
	return g.bound(func(w []string) *node {
		a, b := g.expr(k, shape, depth), g.expr(y.kind, y.shape, depth)
		head := fmt.Sprintf("⊃{(%s %s)←⍵ ⋄ ", w[0], w[1])
		return &node{k, shape, []string{head, "", "}⍣" + g.times() + "⊢", "", ""}, []*node{a, b, x, y}}
	}, x, y)
}

// folded is a reduction or a scan by a function of the program.
func folded(g *generator, k kind, shape []int, depth int) *node {
	if k == char {
		return nil
	}
	op, of := "/", append(append([]int{}, shape...), 1+g.rnd.Intn(3))
	if len(shape) > 0 && g.rnd.Intn(2) == 0 {
		op, of = g.one("\\", "⍀"), shape
	}
	x := g.expr(k, of, depth)
	return g.bound(func(w []string) *node {
		e := g.expr(k, nil, depth)
		return &node{k, shape, []string{fmt.Sprintf("{%s←⍺ ⋄ %s←⍵ ⋄ ", w[0], w[1]), "}" + op, ""}, []*node{e, x}}
	}, item(k), item(k))
}

// table is an outer product with a function of the program.
func table(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	split := g.rnd.Intn(len(shape) + 1)
	x, y := g.expr(g.anyKind(), shape[:split], depth), g.expr(g.anyKind(), shape[split:], depth)
	return g.bound(func(w []string) *node {
		e := g.expr(k, nil, depth)
		head := fmt.Sprintf("∘.{%s←⍺ ⋄ %s←⍵ ⋄ ", w[0], w[1])
		return &node{k, shape, []string{"", head, "}", ""}, []*node{x, e, y}}
	}, item(x.kind), item(y.kind))
}

// assigned is an array with one element replaced.
func assigned(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) != 1 || shape[0] == 0 {
		return nil
	}
	x := g.expr(k, shape, depth)
	index := fmt.Sprintf("1+%d|", shape[0])
	return g.bound(func(w []string) *node {
		i, e := g.expr(integer, nil, depth), g.expr(k, nil, depth)
		to := "]←"
		if k == integer || k == double {
			to = g.one("]←", "]+←", "]⌊←")
		}
		head := fmt.Sprintf("{%s←⍵ ⋄ %s[%s", w[0], w[0], index)
		return &node{k, shape, []string{head, to, " ⋄ " + w[0] + "}", ""}, []*node{i, e, x}}
	}, x)
}

// assignedCells is a matrix with a row or a column replaced.
func assignedCells(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) != 2 || shape[0] == 0 || shape[1] == 0 {
		return nil
	}
	axis := g.rnd.Intn(2)
	x := g.expr(k, shape, depth)
	return g.bound(func(w []string) *node {
		i, e := g.expr(integer, nil, depth), g.expr(k, []int{shape[1-axis]}, depth)
		open, shut := "[", ";]←"
		if axis == 1 {
			open, shut = "[;", "]←"
		}
		head := fmt.Sprintf("{%s←⍵ ⋄ %s%s1+%d|", w[0], w[0], open, shape[axis])
		return &node{k, shape, []string{head, shut, " ⋄ " + w[0] + "}", ""}, []*node{i, e, x}}
	}, x)
}

// display is an expression that displays its value on the way.
func display(g *generator, k kind, shape []int, depth int) *node {
	if g.rnd.Intn(3) > 0 {
		return nil
	}
	return monadic(k, shape, "⎕←", g.expr(k, shape, depth))
}
