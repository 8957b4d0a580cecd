package fuzz

import (
	"fmt"
	"math/rand"
	"strings"
)

// kind is an element type of the generator, or a type of nested arrays (items.go).
type kind uint8

const (
	boolean kind = iota
	integer
	double
	char
	complexes
)

// node is an expression of known element type and shape: a template whose
// parts stand between the texts of its children.
type node struct {
	kind  kind
	shape []int
	parts []string // one more than kids
	kids  []*node
}

// text returns the expression as APL; every child is put in parentheses.
func (n *node) text() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	for i, kid := range n.kids {
		b.WriteString(n.parts[i])
		b.WriteByte('(')
		kid.write(b)
		b.WriteByte(')')
	}
	b.WriteString(n.parts[len(n.kids)])
}

// Program is a generated program: assignments a←…, b←…, and a last line whose
// value is displayed.
type Program struct {
	lines    []*node
	settings []string // one a line, which it stands before; "" is none
}

// Text returns the program's source.
func (p *Program) Text() string {
	var b strings.Builder
	for i, l := range p.lines {
		if p.settings[i] != "" {
			b.WriteString(p.settings[i] + "\n")
		}
		if i < len(p.lines)-1 {
			fmt.Fprintf(&b, "%s←", variable(i))
		}
		b.WriteString(l.text())
		b.WriteByte('\n')
	}
	return b.String()
}

func variable(i int) string { return fmt.Sprintf("v%d", i) }

// Generate returns the program of a seed.
func Generate(seed int64) *Program {
	g := &generator{rnd: rand.New(rand.NewSource(seed))}
	p := &Program{}
	for i, n := 0, 1+g.rnd.Intn(4); i < n; i++ {
		x := g.expr(g.anyKind(), g.anyShape(), 2+g.rnd.Intn(3))
		p.lines, p.settings = append(p.lines, x), append(p.settings, g.setting(i))
		g.vars = append(g.vars, &node{x.kind, x.shape, []string{variable(i)}, nil})
	}
	return p
}

type generator struct {
	rnd    *rand.Rand
	vars   []*node // what v0, v1, … were assigned, and local variables
	locals int     // how many local variables were named
}

func (g *generator) one(choices ...string) string { return choices[g.rnd.Intn(len(choices))] }

func (g *generator) anyKind() kind { return kind(g.rnd.Intn(5)) }

func (g *generator) numeric() kind { return kind(g.rnd.Intn(3)) }

// number returns the type of a numeric operand, complex numbers included.
func (g *generator) number() kind {
	if g.rnd.Intn(3) == 0 {
		return complexes
	}
	return g.numeric()
}

func (g *generator) anyShape() []int {
	shape := make([]int, []int{0, 1, 1, 1, 2, 2, 3}[g.rnd.Intn(7)])
	for i := range shape {
		shape[i] = []int{0, 1, 2, 3, 4, 5}[g.rnd.Intn(6)]
	}
	if len(shape) == 1 && g.rnd.Intn(8) == 0 {
		shape[0] = edgeExtents[g.rnd.Intn(len(edgeExtents))]
	}
	if len(shape) == 2 && g.rnd.Intn(16) == 0 {
		shape[g.rnd.Intn(2)] = edgeExtents[g.rnd.Intn(9)]
	}
	return shape
}

// leaf returns a literal, or a variable where one fits.
func (g *generator) leaf(k kind, shape []int) *node {
	for _, v := range g.vars {
		if v.kind == k && equal(v.shape, shape) && g.rnd.Intn(2) == 0 {
			return &node{k, shape, v.parts[:1], nil}
		}
	}
	return literal(k, shape, g.rnd)
}

// literal returns a constant of the given type and shape.
func literal(k kind, shape []int, rnd *rand.Rand) *node {
	if k.depth() > 0 {
		return ragged(k, rnd)
	}
	items := make([]string, 1+rnd.Intn(5))
	for i := range items {
		switch k {
		case boolean:
			items[i] = fmt.Sprint(rnd.Intn(2))
		case integer:
			items[i] = strings.Replace(fmt.Sprint(rnd.Intn(21)-8), "-", "¯", 1)
		case double:
			items[i] = strings.Replace(fmt.Sprint(float64(rnd.Intn(81)-40)/8+0.25), "-", "¯", 1)
		}
		if edge := rnd.Intn(64); k == integer && edge == 0 {
			items[i] = edgeIntegers[rnd.Intn(len(edgeIntegers))]
		} else if k == double && edge == 0 {
			items[i] = edgeDoubles[rnd.Intn(len(edgeDoubles))]
		}
	}
	if k == complexes {
		for i := range items {
			items[i] = strings.ReplaceAll(fmt.Sprintf("%dJ%d", rnd.Intn(9)-4, rnd.Intn(9)-4), "-", "¯")
		}
	}
	data := strings.Join(items, " ")
	if k == char {
		text := strings.Repeat("xay b", 2)[:2+rnd.Intn(6)]
		if rnd.Intn(16) == 0 {
			text += edgeChars[rnd.Intn(len(edgeChars))]
		}
		data = "'" + text + "'"
	}
	switch {
	case len(shape) == 0 && k == char:
		return &node{k, shape, []string{"'q'"}, nil}
	case len(shape) == 0:
		return &node{k, shape, []string{items[0]}, nil}
	}
	return &node{k, shape, []string{numbers(shape) + "⍴" + data}, nil}
}

// numbers writes a non-empty vector of integers.
func numbers(v []int) string {
	s := make([]string, len(v))
	for i, x := range v {
		s[i] = strings.Replace(fmt.Sprint(x), "-", "¯", 1)
	}
	if len(s) == 1 {
		return "(," + s[0] + ")"
	}
	return strings.Join(s, " ")
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// expr returns an expression of the given type, shape and depth.
func (g *generator) expr(k kind, shape []int, depth int) *node {
	if depth == 0 {
		return g.leaf(k, shape)
	}
	for range 8 {
		make := forms[g.rnd.Intn(len(forms))]
		if n := make(g, k, shape, depth-1); n != nil {
			return n
		}
	}
	return g.leaf(k, shape)
}

// monadic and dyadic make nodes.
func monadic(k kind, shape []int, f string, y *node) *node {
	return &node{k, shape, []string{f, ""}, []*node{y}}
}

func dyadic(k kind, shape []int, x *node, f string, y *node) *node {
	return &node{k, shape, []string{"", f, ""}, []*node{x, y}}
}
