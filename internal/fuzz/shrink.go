package fuzz

import "math/rand"

// Shrink returns a smaller program for which fails still holds, by replacing
// expressions with literals and with parts of themselves, and dropping lines.
func Shrink(p *Program, fails func(*Program) bool) *Program {
	for {
		smaller := step(p, fails)
		if smaller == nil {
			return p
		}
		p = smaller
	}
}

// step returns the first smaller program that fails, or nil.
func step(p *Program, fails func(*Program) bool) *Program {
	rnd := rand.New(rand.NewSource(1))
	for i := range p.lines {
		for _, x := range smaller(p.lines[i], rnd) {
			lines := append([]*node{}, p.lines...)
			lines[i] = x
			if q := (&Program{lines: lines, settings: p.settings}); fails(q) {
				return q
			}
		}
		if p.settings[i] != "" {
			settings := append([]string{}, p.settings...)
			settings[i] = ""
			if q := (&Program{lines: p.lines, settings: settings}); fails(q) {
				return q
			}
		}
	}
	return nil
}

// smaller returns expressions of n's type and shape with fewer nodes.
func smaller(n *node, rnd *rand.Rand) []*node {
	var out []*node
	if len(n.kids) == 0 {
		return nil
	}
	out = append(out, literal(n.kind, n.shape, rnd))
	for i, kid := range n.kids {
		if kid.kind == n.kind && equal(kid.shape, n.shape) {
			out = append(out, kid)
		}
		for _, x := range smaller(kid, rnd) {
			kids := append([]*node{}, n.kids...)
			kids[i] = x
			out = append(out, &node{n.kind, n.shape, n.parts, kids})
		}
	}
	return out
}
