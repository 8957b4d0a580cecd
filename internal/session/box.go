package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
	"github.com/tailor-lang/tailor/tail"
)

// A strand that is displayed with frames, or as a value, arrives as an announcement, a
// text that begins with NUL, and then array by array.

// drawing is a strand of which some arrays have arrived.
type drawing struct {
	strand  *tail.TupleType
	arrays  []*array.Array
	missing int
}

// announceStrand returns the announcement of a strand of a type.
func (s *Session) announceStrand(t *tail.TupleType) string {
	s.strands = append(s.strands, t)
	return "\x00" + strconv.Itoa(len(s.strands)-1)
}

// framed takes a value that belongs to a strand with frames, which it displays
// when it is complete. It reports whether the value was one.
func (s *Session) framed(a *array.Array, pp int) bool {
	if s.drawing == nil {
		if a.Elem != array.Char || a.Rank() != 1 || a.Len() < 2 || a.Chars[0] != 0 {
			return false
		}
		k, err := strconv.Atoi(string(a.Chars[1:]))
		if err != nil || k >= len(s.strands) {
			return false
		}
		s.drawing = &drawing{strand: s.strands[k], missing: leaves(s.strands[k])}
	} else {
		s.drawing.arrays = append(s.drawing.arrays, a)
		s.drawing.missing--
	}
	if d := s.drawing; d.missing == 0 {
		s.drawing = nil
		all := d.arrays
		if s.box == noBox {
			s.presentStrand(d.strand, all, pp)
			return true
		}
		note := describeType(arrived(d.strand, slices.Clone(all)))
		s.frames(strings.Join(s.picture(d.strand, &all, pp), "\n")+"\n", note)
	}
	return true
}

// presentStrand displays a strand that has arrived as a value.
func (s *Session) presentStrand(strand *tail.TupleType, all []*array.Array, pp int) {
	n := 0
	for _, a := range all {
		n += a.Len()
	}
	elided := s.Rows > 0 && n > maxElements
	if elided {
		parts := make([]*array.Array, len(all))
		for i, a := range all {
			parts[i] = head(a)
		}
		all = parts
	}
	note := describeType(arrived(strand, slices.Clone(all)))
	v := strandOf(strand, &all)
	if len(s.displayed) > 0 {
		s.displayed = s.displayed[1:]
	}
	text := prim.Display(&prim.Context{Precision: pp, Width: s.printWidth()}, v)
	lines := strings.SplitAfter(text, "\n")
	if s.Rows > 0 && len(lines)-1 > s.Rows {
		text, elided = strings.Join(lines[:headLines], ""), true
	}
	shown := Shown{Text: text, Note: note, Value: v}
	if elided {
		shown.Text += "…\n"
		shown.Note += fmt.Sprintf(" · %d elements, not all shown", n)
		shown.Value = nil
	}
	s.present(shown)
}

// strandOf returns the value of a type whose arrays are the first of all, which it takes
// off.
func strandOf(t tail.Type, all *[]*array.Array) *value.Array {
	strand, ok := t.(*tail.TupleType)
	if !ok {
		a := (*all)[0]
		*all = (*all)[1:]
		return value.From(a)
	}
	items := make([]*value.Array, len(strand.Elems))
	for i, item := range strand.Elems {
		items[i] = strandOf(item, all)
	}
	shape := strand.Shape
	if shape == nil {
		shape = []int{len(items)}
	}
	return value.FromItems(shape, items)
}

// frames writes a picture of frames, and its type below it.
func (s *Session) frames(text, note string) {
	if s.Values != nil {
		s.Values(Shown{Text: text, Note: note})
		return
	}
	fmt.Fprint(s.Out, text)
	s.Note(note)
}

// leaves returns the number of arrays in a strand of a type.
func leaves(t tail.Type) int {
	strand, ok := t.(*tail.TupleType)
	if !ok {
		return 1
	}
	n := 0
	for _, item := range strand.Elems {
		n += leaves(item)
	}
	return n
}

// arrived is the type of a strand whose arrays are those of all, in order.
func arrived(t tail.Type, all []*array.Array) tail.Type {
	return typeOfArrived(t, &all)
}

func typeOfArrived(t tail.Type, all *[]*array.Array) tail.Type {
	if strand, ok := t.(*tail.TupleType); ok {
		z := &tail.TupleType{Shape: strand.Shape, Proto: strand.Proto}
		for _, item := range strand.Elems {
			z.Elems = append(z.Elems, typeOfArrived(item, all))
		}
		return z
	}
	a := (*all)[0]
	*all = (*all)[1:]
	return infer.TypeOfArray(a)
}

// picture draws a value whose arrays are the first of all, which it takes off.
// Its lines are equally wide.
func (s *Session) picture(t tail.Type, all *[]*array.Array, pp int) []string {
	strand, ok := t.(*tail.TupleType)
	if !ok {
		a := (*all)[0]
		*all = (*all)[1:]
		text, _ := s.text(a, pp)
		if s.box == maxBox {
			text = frame(a, text, pp)
		}
		return even(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
	}
	pictures := make([][]string, len(strand.Elems))
	simple := true
	for k, item := range strand.Elems {
		pictures[k] = s.picture(item, all, pp)
		a, ok := item.(*tail.Array)
		simple = simple && ok && a.Dims() == 0
	}
	switch {
	case s.box == maxBox:
		return separate(strand, pictures, simple)
	case simple:
		return rows(pictures, func(parts []string) string { return strings.Join(parts, " ") })
	}
	return joined(pictures)
}

// even makes lines equally wide.
func even(lines []string) []string {
	width := 0
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(l))
	}
	for i, l := range lines {
		lines[i] = l + strings.Repeat(" ", width-utf8.RuneCountInString(l))
	}
	return lines
}

// rows sets pictures beside each other, line by line.
func rows(pictures [][]string, join func(parts []string) string) []string {
	height := 0
	for _, p := range pictures {
		height = max(height, len(p))
	}
	lines := make([]string, height)
	for i := range lines {
		parts := make([]string, len(pictures))
		for k, p := range pictures {
			parts[k] = strings.Repeat(" ", utf8.RuneCountInString(p[0]))
			if i < len(p) {
				parts[k] = p[i]
			}
		}
		lines[i] = join(parts)
	}
	return lines
}

// joined draws frames with common sides around the items of a strand.
func joined(pictures [][]string) []string {
	if len(pictures) == 0 {
		return []string{"┌┐", "└┘"}
	}
	sides := make([]string, len(pictures))
	for k, p := range pictures {
		sides[k] = strings.Repeat("─", utf8.RuneCountInString(p[0]))
	}
	lines := []string{"┌" + strings.Join(sides, "┬") + "┐"}
	lines = append(lines, rows(pictures, func(parts []string) string { return "│" + strings.Join(parts, "│") + "│" })...)
	return append(lines, "└"+strings.Join(sides, "┴")+"┘")
}

// separate draws a frame around the items of a strand, which have their own:
// ∊ below says that items are arrays, + that they are scalars of both kinds.
func separate(strand *tail.TupleType, pictures [][]string, simple bool) []string {
	below, edge := "+", ""
	if !simple {
		below, edge = "∊", " "
		for k, item := range strand.Elems {
			if a, ok := item.(*tail.Array); ok && a.Dims() == 0 {
				under := " "
				if a.Elem == array.Char {
					under = "-"
				}
				pictures[k] = even([]string{"", pictures[k][0], under})
			}
		}
	}
	lines := rows(pictures, func(parts []string) string { return edge + strings.Join(parts, " ") + edge })
	if len(lines) == 0 {
		lines = []string{" "}
	}
	return boxed(lines, "→", "│", below)
}

// boxed draws a frame around lines that are equally wide, with marks on the
// top, the left side and the bottom.
func boxed(lines []string, top, side, bottom string) []string {
	width := max(1, utf8.RuneCountInString(lines[0]))
	all := []string{"┌" + top + strings.Repeat("─", width-1) + "┐"}
	for i, l := range lines {
		left := "│"
		if i == 0 {
			left = side
		}
		all = append(all, left+l+strings.Repeat(" ", width-utf8.RuneCountInString(l))+"│")
	}
	return append(all, "└"+bottom+strings.Repeat("─", width-1)+"┘")
}

// prototype returns an array of fill elements with one where an extent of an
// empty array is 0.
func prototype(a *array.Array) *array.Array {
	shape := append([]int{}, a.Shape...)
	for i := range shape {
		shape[i] = max(shape[i], 1)
	}
	p := array.New(a.Elem, shape...)
	for i := range p.Chars {
		p.Chars[i] = ' '
	}
	return p
}

// frame draws a box around a value, as Dyalog's ]box -style=max does: an arrow
// on each axis, ⊖ and ⌽ on an empty one, where a fill element is shown, and ~ for
// numbers below.
func frame(a *array.Array, text string, pp int) string {
	if a.Rank() == 0 {
		return text
	}
	top, side, bottom := "→", "↓", "~"
	if a.Shape[a.Rank()-1] == 0 {
		top = "⊖"
	}
	if a.Elem == array.Char {
		bottom = "─"
	}
	if a.Rank() < 2 {
		side = "│"
	} else if a.Shape[0] == 0 {
		side = "⌽"
	}
	if a.Len() == 0 {
		text = display.Format(prototype(a), pp)
	}
	lines := even(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
	return strings.Join(boxed(lines, top, side, bottom), "\n") + "\n"
}
