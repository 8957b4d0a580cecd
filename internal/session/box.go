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
		s.frames(s.withFrames(strandOf(d.strand, &all), pp), note)
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
	if proto := ofType(strand.Proto); proto != nil {
		return value.Empty(shape, proto)
	}
	return value.FromItems(shape, items)
}

// ofType is an array of fill elements of a type, nil where its shape is not known.
func ofType(t tail.Type) *value.Array {
	switch t := t.(type) {
	case *tail.Array:
		shape := make([]int, t.Dims())
		for i := range shape {
			n, ok := t.Extent(i).IsConst()
			if !ok {
				return nil
			}
			shape[i] = int(n)
		}
		return value.From(array.New(t.Elem, shape...)).Zeroed()
	case *tail.TupleType:
		items := make([]*value.Array, len(t.Elems))
		for i, item := range t.Elems {
			if items[i] = ofType(item); items[i] == nil {
				return nil
			}
		}
		shape := t.Shape
		if shape == nil {
			shape = []int{len(items)}
		}
		return value.FromItems(shape, items)
	}
	return nil
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

// withFrames returns the picture of a value, as lines that are ended.
func (s *Session) withFrames(v *value.Array, pp int) string {
	return strings.Join(s.picture(v, pp), "\n") + "\n"
}

// picture draws a value. Its lines are equally wide.
func (s *Session) picture(v *value.Array, pp int) []string {
	if a, ok := v.Simple(); ok {
		text, _ := s.text(a, pp)
		if s.box == maxBox {
			text = frame(a, text, pp)
		}
		return split(text)
	}
	items, simple := v.AllItems(), true
	for _, item := range items {
		simple = simple && item.SimpleScalar()
	}
	if v.Ref != nil || simple && (v.Len() > 0 || s.box != maxBox) {
		lines := split(prim.Display(&prim.Context{Precision: pp, Width: s.printWidth()}, v))
		if s.box != maxBox || v.Rank() == 0 {
			return lines
		}
		return boxed(lines, edges(v.Shape), "+")
	}
	shape := v.Shape
	if len(items) == 0 { // one prototype stands for the items
		shape = make([]int, v.Rank())
		for i := range shape {
			shape[i] = 1
		}
		items = []*value.Array{v.Prototype()}
	}
	pictures := make([][]string, len(items))
	for i, item := range items {
		pictures[i] = s.picture(item, pp)
		if s.box == maxBox && item.SimpleScalar() {
			under := " "
			if item.Kind == value.Char {
				under = "-"
			}
			pictures[i] = even([]string{"", pictures[i][0], under})
		}
	}
	var lines []string
	for _, plane := range planes(pictures, shape) {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		if s.box == maxBox {
			lines = append(lines, beside(plane)...)
		} else {
			lines = append(lines, joined(plane)...)
		}
	}
	if lines = even(lines); s.box == maxBox {
		return boxed(lines, edges(v.Shape), "∊")
	}
	return lines
}

// split returns the lines of a text, equally wide.
func split(text string) []string {
	return even(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
}

// planes arranges the pictures of the items of an array as its matrices, each a list of
// rows. Those of a column are made equally wide, those of a row equally high.
func planes(pictures [][]string, shape []int) [][][][]string {
	columns, rows := 1, 1
	if n := len(shape); n > 0 {
		columns = shape[n-1]
		if n > 1 {
			rows = shape[n-2]
		}
	}
	var all [][][][]string
	for ; len(pictures) > 0; pictures = pictures[rows*columns:] {
		plane := make([][][]string, rows)
		for i := range plane {
			plane[i] = pictures[i*columns : (i+1)*columns]
			height := 0
			for _, p := range plane[i] {
				height = max(height, len(p))
			}
			for k, p := range plane[i] {
				plane[i][k] = append(slices.Clone(p), make([]string, height-len(p))...)
			}
		}
		for k := range columns {
			var column []string
			for _, row := range plane {
				column = append(column, row[k]...)
			}
			column = even(column)
			for _, row := range plane {
				row[k], column = column[:len(row[k])], column[len(row[k]):]
			}
		}
		all = append(all, plane)
	}
	return all
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

// across returns the lines of pictures of one height that stand in a row.
func across(row [][]string, join func(parts []string) string) []string {
	lines := make([]string, len(row[0]))
	parts := make([]string, len(row))
	for i := range lines {
		for k, p := range row {
			parts[k] = p[i]
		}
		lines[i] = join(parts)
	}
	return lines
}

// joined draws frames with common sides around the pictures of a plane.
func joined(plane [][][]string) []string {
	sides := make([]string, len(plane[0]))
	for k, p := range plane[0] {
		sides[k] = strings.Repeat("─", utf8.RuneCountInString(p[0]))
	}
	lines := []string{"┌" + strings.Join(sides, "┬") + "┐"}
	for i, row := range plane {
		if i > 0 {
			lines = append(lines, "├"+strings.Join(sides, "┼")+"┤")
		}
		lines = append(lines, across(row, func(parts []string) string { return "│" + strings.Join(parts, "│") + "│" })...)
	}
	return append(lines, "└"+strings.Join(sides, "┴")+"┘")
}

// beside draws the pictures of a plane, which have their own frames, with space between.
func beside(plane [][][]string) []string {
	var lines []string
	for _, row := range plane {
		lines = append(lines, across(row, func(parts []string) string { return " " + strings.Join(parts, " ") + " " })...)
	}
	return lines
}

// edges returns the marks of the axes of an array, on the top and on the left side of its
// frame: an arrow, or ⊖ and ⌽ where there is nothing along them.
func edges(shape []int) (marks [2]string) {
	marks = [2]string{"─", "│"}
	if n := len(shape); n > 0 {
		if marks[0] = "→"; shape[n-1] == 0 {
			marks[0] = "⊖"
		}
		if n > 1 {
			if marks[1] = "↓"; shape[0] == 0 {
				marks[1] = "⌽"
			}
		}
	}
	return marks
}

// boxed draws a frame around lines that are equally wide, with marks on the
// top and the left side, and one on the bottom.
func boxed(lines []string, marks [2]string, bottom string) []string {
	width := max(1, utf8.RuneCountInString(lines[0]))
	all := []string{"┌" + marks[0] + strings.Repeat("─", width-1) + "┐"}
	for i, l := range lines {
		left := "│"
		if i == 0 {
			left = marks[1]
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
	bottom := "~"
	if a.Elem == array.Char {
		bottom = "─"
	}
	if a.Len() == 0 {
		text = display.Format(prototype(a), pp)
	}
	return strings.Join(boxed(split(text), edges(a.Shape), bottom), "\n") + "\n"
}
