package prim

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/interp/value"
)

// block is the display of an array: lines of one width. Breaks are the columns
// where a line may be folded; nil is any.
type block struct {
	lines  [][]rune
	width  int
	breaks []int
}

// Display returns what the session prints for y: lines, each ended, folded at the
// print width.
func Display(c *Context, y *V) string {
	if s, ok := y.Simple(); ok {
		return string(display.Append(nil, s, c.Precision, c.Width))
	}
	b := blockOf(y, c.Precision)
	var out strings.Builder
	from, margin := 0, 0
	for {
		to := b.fold(from, c.Width-margin)
		for _, line := range b.lines {
			out.WriteString(strings.Repeat(" ", margin))
			out.WriteString(string(line[min(from, len(line)):min(to, len(line))]))
			out.WriteByte('\n')
		}
		if to >= b.width {
			return out.String()
		}
		from, margin = to, 6
	}
}

// fold returns the end of the part of the lines that starts at from and is at most
// width wide.
func (b *block) fold(from, width int) int {
	if b.width-from <= width {
		return b.width
	}
	if b.breaks == nil {
		return from + width
	}
	to := from + width
	for _, at := range b.breaks {
		if at > from && at <= from+width {
			to = at
		}
	}
	return to
}

// Plain returns the display of y in one piece, without the last line end.
func Plain(y *V, pp int) string {
	b := blockOf(y, pp)
	lines := make([]string, len(b.lines))
	for i, l := range b.lines {
		lines[i] = string(l)
	}
	return strings.Join(lines, "\n")
}

// Bare returns what ⍞← prints.
func Bare(c *Context, y *V) string {
	if s, ok := y.Simple(); ok {
		return display.FormatBare(s, c.Precision)
	}
	return Plain(y, c.Precision)
}

// format is monadic ⍕.
func format(c *Context, y *V) (*V, error) {
	if y.Kind == value.Char {
		return y, nil
	}
	if s, ok := y.Simple(); ok {
		return value.From(display.FormatArray(s, c.Precision)), nil
	}
	b := blockOf(y, c.Precision)
	if len(b.lines) == 1 && y.Rank() < 2 {
		return value.Characters(b.lines[0]), nil
	}
	return b.matrix(), nil
}

func (b *block) matrix() *V {
	out := make([]rune, 0, len(b.lines)*b.width)
	for _, l := range b.lines {
		out = append(out, padded(l, b.width, false)...)
	}
	return &V{Kind: value.Char, Shape: []int{len(b.lines), b.width}, Chars: out}
}

// formatBy is dyadic ⍕.
func formatBy(_ *Context, x, y *V) (*V, error) {
	by, err := Ints(x)
	if err != nil {
		return nil, err
	}
	if x.Rank() > 1 {
		return nil, fault(diag.Rank, "widths of rank %d", x.Rank())
	}
	s, ok := y.Simple()
	if !ok || y.Kind == value.Char || y.Kind == value.Complex {
		return nil, fault(diag.Domain, "real numbers are needed")
	}
	r := display.FormatBy(by, s)
	if r == nil {
		return nil, fault(diag.Length, "%d numbers for an array of shape %s", len(by), shapeText(y.Shape))
	}
	return value.From(r), nil
}

// Named is what a reference has that shows how it is displayed.
type Named interface{ Display() string }

// blockOf lays out an array of any depth.
func blockOf(y *V, pp int) block {
	if y.Ref != nil {
		text := "?"
		if n, ok := y.Ref.(Named); ok {
			text = n.Display()
		}
		return lines([][]rune{[]rune(text)})
	}
	if s, ok := y.Simple(); ok {
		return simpleBlock(y, value.From(display.FormatArray(s, pp)))
	}
	return layout(y, pp)
}

func lines(l [][]rune) block {
	b := block{lines: l}
	for _, x := range l {
		b.width = max(b.width, len(x))
	}
	return b
}

// simpleBlock returns the lines of the formatted text of a simple array.
func simpleBlock(y, text *V) block {
	if y.Rank() < 2 {
		return lines([][]rune{text.Chars})
	}
	width := text.Shape[text.Rank()-1]
	rows := value.Count(text.Shape[:text.Rank()-1])
	b := block{width: width}
	for i := 0; i < rows; i++ {
		b.planes(y.Shape, i)
		b.lines = append(b.lines, text.Chars[i*width:(i+1)*width])
	}
	return b
}

// planes adds blank lines before row i of an array, as many as axes start anew.
func (b *block) planes(shape []int, i int) {
	if i == 0 {
		return
	}
	for axis := len(shape) - 2; axis > 0 && shape[axis] > 0 && i%shape[axis] == 0; axis-- {
		i /= shape[axis]
		b.lines = append(b.lines, []rune(strings.Repeat(" ", b.width)))
	}
}

// column is a column of an array of items.
type column struct {
	cells           []block
	width           int
	numeric, nested bool
}

// layout is the display of an array of items: columns of one width, rows of one
// height.
func layout(y *V, pp int) block {
	n := 1
	if y.Rank() > 0 {
		n = y.Shape[y.Rank()-1]
	}
	rows := 0
	if n > 0 {
		rows = y.Len() / n
	}
	columns := make([]column, n)
	nested := false
	for j := range columns {
		columns[j] = columnOf(y, j, n, rows, pp)
		nested = nested || columns[j].nested
	}
	b := block{}
	for j := range columns {
		b.width += columns[j].width
		if j > 0 && (columns[j].numeric || columns[j-1].numeric) {
			b.breaks = append(b.breaks, b.width-columns[j].width)
			b.width++
		} else if j > 0 {
			b.breaks = append(b.breaks, b.width-columns[j].width)
		}
	}
	if nested {
		b.breaks = nil
	}
	if y.Len() == 0 {
		if y.Rank() < 2 {
			b.lines = [][]rune{nil}
		}
		return b
	}
	for i := 0; i < rows; i++ {
		b.planes(y.Shape, i)
		b.lines = append(b.lines, row(columns, i)...)
	}
	return b
}

// columnOf formats the items of column j. Numbers stand at the right. In a column
// with arrays there is a blank on the left of all items, and on the right unless
// there are numbers.
func columnOf(y *V, j, n, rows, pp int) column {
	col := column{cells: make([]block, rows)}
	var numbers []*V
	var at []int
	for i := range col.cells {
		x := y.Items[i*n+j]
		if x.SimpleScalar() && x.Kind.Numeric() {
			numbers, at = append(numbers, x), append(at, i)
		}
		col.nested = col.nested || !x.SimpleScalar()
	}
	col.numeric = len(numbers) > 0
	for i := range col.cells {
		x := y.Items[i*n+j]
		if x.SimpleScalar() && x.Kind.Numeric() {
			continue
		}
		b := blockOf(x, pp)
		if col.nested {
			b = b.framed(!col.numeric)
		}
		col.cells[i] = b
		col.width = max(col.width, b.width)
	}
	if col.numeric {
		s, _ := value.FromItems([]int{len(numbers), 1}, numbers).Simple()
		text := display.FormatArray(s, pp)
		w := text.Shape[1]
		for k, i := range at {
			col.cells[i] = lines([][]rune{text.Chars[k*w : (k+1)*w]})
		}
		if col.nested {
			w++
		}
		col.width = max(col.width, w)
	}
	return col
}

// framed puts a blank on the left of the lines, and perhaps on the right.
func (b *block) framed(both bool) block {
	f := block{width: b.width + 1}
	if both {
		f.width++
	}
	for _, l := range b.lines {
		line := append([]rune{' '}, padded(l, b.width, false)...)
		f.lines = append(f.lines, padded(line, f.width, false))
	}
	return f
}

// row returns the lines of row i of the columns.
func row(columns []column, i int) [][]rune {
	height := 1
	for j := range columns {
		height = max(height, len(columns[j].cells[i].lines))
	}
	out := make([][]rune, height)
	for j := range columns {
		col := &columns[j]
		for k := range out {
			if j > 0 && (col.numeric || columns[j-1].numeric) {
				out[k] = append(out[k], ' ')
			}
			var line []rune
			if cell := col.cells[i]; k < len(cell.lines) {
				line = padded(cell.lines[k], cell.width, false)
			}
			out[k] = append(out[k], padded(line, col.width, col.numeric)...)
		}
	}
	return out
}

// padded fills a line with blanks up to a width.
func padded(line []rune, width int, right bool) []rune {
	if len(line) >= width {
		return line
	}
	blanks := []rune(strings.Repeat(" ", width-len(line)))
	if right {
		return append(blanks, line...)
	}
	return append(append(make([]rune, 0, width), line...), blanks...)
}
