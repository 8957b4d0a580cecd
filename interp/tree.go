package interp

import "strings"

// picture is a picture of a tree: lines of the same length, and the column of its
// root.
type picture struct {
	lines [][]rune
	root  int
}

func (b *picture) width() int { return len(b.lines[0]) }

// String returns the lines of the picture.
func (b *picture) String() string {
	lines := make([]string, len(b.lines))
	for i, l := range b.lines {
		lines[i] = string(l)
	}
	return strings.Join(lines, "\n")
}

// leaf is a tree of one node.
func leaf(text string) *picture {
	b := &picture{}
	for _, l := range strings.Split(text, "\n") {
		b.lines = append(b.lines, []rune(l))
	}
	b.square()
	b.root = (b.width() - 1) / 2
	return b
}

// square makes all lines as long as the longest one.
func (b *picture) square() {
	w := 1
	for _, l := range b.lines {
		w = max(w, len(l))
	}
	for i, l := range b.lines {
		b.lines[i] = append(l, []rune(strings.Repeat(" ", w-len(l)))...)
	}
}

// slanted is an operator with one operand, which hangs to the left below it.
func slanted(op string, child *picture) *picture {
	at := child.root + 2
	b := &picture{root: at, lines: [][]rune{
		[]rune(strings.Repeat(" ", at) + op),
		[]rune(strings.Repeat(" ", child.root) + "┌─┘"),
	}}
	b.lines = append(b.lines, child.lines...)
	b.square()
	return b
}

// branches is a node, or none, above two or three trees.
func branches(node string, children ...*picture) *picture {
	b, roots := &picture{}, []int{}
	height := 0
	for _, c := range children {
		height = max(height, len(c.lines))
	}
	b.lines = make([][]rune, height)
	at := 0
	for k, c := range children {
		if k > 0 {
			at++
		}
		for i := range b.lines {
			for len(b.lines[i]) < at {
				b.lines[i] = append(b.lines[i], ' ')
			}
			if i < len(c.lines) {
				b.lines[i] = append(b.lines[i], c.lines[i]...)
			}
		}
		roots = append(roots, at+c.root)
		at += c.width()
	}
	b.square()
	line := []rune(strings.Repeat(" ", roots[0]) + "┌" + strings.Repeat("─", roots[len(roots)-1]-roots[0]-1) + "┐")
	if len(roots) == 3 {
		b.root = roots[1]
		line[b.root] = '┼'
	} else {
		b.root = (roots[0] + roots[1]) / 2
		line[b.root] = '┴'
	}
	head := [][]rune{line}
	if node != "" {
		head = [][]rune{[]rune(strings.Repeat(" ", b.root) + node), line}
	}
	b.lines = append(head, b.lines...)
	b.square()
	return b
}
