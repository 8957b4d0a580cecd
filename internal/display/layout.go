package display

import (
	"strings"

	"github.com/tailor-lang/tailor/array"
)

// AppendNested appends the display of an array of any depth: lines, each ended,
// folded at width pw.
func AppendNested(dst []byte, x *Nested, pp, pw int) []byte {
	if x.Simple != nil {
		return Append(dst, x.Simple, pp, pw)
	}
	b := blockOf(x, pp)
	from, margin := 0, 0
	for {
		to := b.fold(from, pw-margin)
		for _, line := range b.lines {
			dst = appendBlanks(dst, margin)
			dst = append(dst, string(line[min(from, len(line)):min(to, len(line))])...)
			dst = append(dst, '\n')
		}
		if to >= b.width {
			return dst
		}
		from, margin = to, indent
	}
}

// Lines returns the lines of the display of an array of any depth, not folded.
func Lines(x *Nested, pp int) [][]rune {
	return blockOf(x, pp).lines
}

// FormatNested is monadic ⍕ of an array that is not simple: its only line, or the
// matrix of its lines.
func FormatNested(x *Nested, pp int) *array.Array {
	b := blockOf(x, pp)
	if len(b.lines) == 1 && len(x.Shape) < 2 {
		return array.VectorChar(b.lines[0])
	}
	return b.matrix()
}

// block is the display of an array: lines of one width. Breaks are the columns
// where a line may be folded; nil is any.
type block struct {
	lines  [][]rune
	width  int
	breaks []int
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

// matrix is the matrix of the lines.
func (b *block) matrix() *array.Array {
	out := make([]rune, 0, len(b.lines)*b.width)
	for _, l := range b.lines {
		out = append(out, padded(l, b.width, false)...)
	}
	return &array.Array{Elem: array.Char, Shape: []int{len(b.lines), b.width}, Chars: out}
}

// blockOf lays out an array of any depth.
func blockOf(x *Nested, pp int) block {
	switch {
	case x.Text != "":
		return lines([][]rune{[]rune(x.Text)})
	case x.Simple != nil:
		return simpleBlock(x.Simple, FormatArray(x.Simple, pp))
	}
	return layout(x, pp)
}

func lines(l [][]rune) block {
	b := block{lines: l}
	for _, x := range l {
		b.width = max(b.width, len(x))
	}
	return b
}

// simpleBlock returns the lines of the formatted text of a simple array.
func simpleBlock(y, text *array.Array) block {
	if y.Rank() < 2 {
		return lines([][]rune{text.Chars})
	}
	width := text.Shape[text.Rank()-1]
	rows := array.Count(text.Shape[:text.Rank()-1])
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
type stack struct {
	cells []block
	width int
	// It has numbers, characters, arrays.
	numeric, chars, nested bool
}

// gap is the number of blanks between two columns. Those with arrays have blanks of
// their own.
func gap(a, b *stack) int {
	if a.numeric && !a.nested || b.numeric && !b.nested || a.numeric && b.chars || a.chars && b.numeric {
		return 1
	}
	return 0
}

// layout is the display of an array of items: columns of one width, rows of one
// height.
func layout(y *Nested, pp int) block {
	n := 1
	if len(y.Shape) > 0 {
		n = y.Shape[len(y.Shape)-1]
	}
	rows := 0
	if n > 0 {
		rows = len(y.Items) / n
	}
	columns := make([]stack, n)
	nested := false
	for j := range columns {
		columns[j] = columnOf(y, j, n, rows, pp)
		nested = nested || columns[j].nested
	}
	b := block{}
	for j := range columns {
		if j > 0 {
			b.breaks = append(b.breaks, b.width)
			b.width += gap(&columns[j-1], &columns[j])
		}
		b.width += columns[j].width
	}
	if nested {
		b.breaks = nil
	}
	if len(y.Items) == 0 {
		if len(y.Shape) < 2 {
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

// columnOf formats the items of column j. Where there are numbers the items stand at the
// right. In a column with arrays, or with references, there is a blank on the left and on
// the right of all items.
func columnOf(y *Nested, j, n, rows, pp int) stack {
	col := stack{cells: make([]block, rows)}
	var numbers []*array.Array
	var at []int
	for i := range col.cells {
		x := y.Items[i*n+j]
		if x.number() {
			numbers, at = append(numbers, x.Simple), append(at, i)
		}
		col.nested = col.nested || !x.scalar() || x.Text != ""
		col.chars = col.chars || x.scalar() && !x.number() && x.Text == ""
	}
	col.numeric = len(numbers) > 0
	for i := range col.cells {
		x := y.Items[i*n+j]
		if x.number() {
			continue
		}
		b := blockOf(x, pp)
		if col.nested {
			b = b.framed()
		}
		col.cells[i] = b
		col.width = max(col.width, b.width)
	}
	if col.numeric {
		text := FormatArray(oneColumn(numbers), pp)
		w := text.Shape[1]
		for k, i := range at {
			b := lines([][]rune{text.Chars[k*w : (k+1)*w]})
			if col.nested {
				b = b.framed()
			}
			col.cells[i] = b
			col.width = max(col.width, b.width)
		}
	}
	return col
}

// oneColumn is the matrix of one column of numbers.
func oneColumn(numbers []*array.Array) *array.Array {
	elem := array.Bool
	for _, x := range numbers {
		if x.Elem == array.Complex || x.Elem == array.Double && elem != array.Complex || x.Elem == array.Int && elem == array.Bool {
			elem = x.Elem
		}
	}
	m := array.New(elem, len(numbers), 1)
	for i, x := range numbers {
		switch {
		case elem == array.Complex && x.Elem == array.Complex:
			m.Complexes[i] = x.Complexes[0]
		case elem == array.Complex:
			m.Complexes[i] = complex(x.Double(0), 0)
		case elem == array.Double:
			m.Doubles[i] = x.Double(0)
		case elem == array.Int:
			m.Ints[i] = x.Int(0)
		default:
			m.Bools[i] = x.Bools[0]
		}
	}
	return m
}

// framed puts a blank on the left and on the right of the lines.
func (b *block) framed() block {
	f := block{width: b.width + 2}
	for _, l := range b.lines {
		line := append([]rune{' '}, padded(l, b.width, false)...)
		f.lines = append(f.lines, padded(line, f.width, false))
	}
	return f
}

// row returns the lines of row i of the columns.
func row(columns []stack, i int) [][]rune {
	height := 1
	for j := range columns {
		height = max(height, len(columns[j].cells[i].lines))
	}
	out := make([][]rune, height)
	for j := range columns {
		col := &columns[j]
		for k := range out {
			if j > 0 && gap(&columns[j-1], col) > 0 {
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
