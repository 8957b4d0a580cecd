package display

import (
	"unicode/utf8"

	"github.com/tailor-lang/tailor/array"
)

// column is the format that the numbers of one column share: the widths of
// their three parts, whether they have an exponent, and whether all have as many
// decimals. An imaginary part counts as part of the exponent.
type column struct {
	left, frac, exp int
	scaled, padded  bool
}

func (c column) width() int { return c.left + c.frac + c.exp }

// columns is an array of rank 2 or more, seen as rows of columns.
type columns struct {
	array  *array.Array
	pp     int
	rows   int
	points bool     // the elements print as doubles do
	format []column // one a column
}

// columnsOf finds the format of each column of a.
func columnsOf(a *array.Array, pp int) columns {
	last := a.Rank() - 1
	n := a.Shape[last]
	cs := columns{array: a, pp: pp, rows: array.Count(a.Shape[:last])}
	if cs.rows == 0 {
		return cs // nothing is displayed, however many columns there are
	}
	cs.format = make([]column, n)
	if a.Elem == array.Char {
		for j := range cs.format {
			cs.format[j].left = 1
		}
		return cs
	}
	if cs.points = likeDoubles(a); cs.points {
		cs.findScaled()
	}
	var buf [3 * maxDigits]byte
	for i := 0; i < cs.rows; i++ {
		for j := range cs.format {
			c := &cs.format[j]
			t := cs.item(buf[:0], i*n+j, c.scaled)
			c.left, c.frac, c.exp = max(c.left, t.left), max(c.frac, t.frac), max(c.exp, t.exp())
		}
	}
	return cs
}

// findScaled marks the columns of an array like doubles in which a number needs an
// exponent.
func (cs *columns) findScaled() {
	var buf [maxDigits]byte
	n := len(cs.format)
	for i := 0; i < cs.rows; i++ {
		for j := range cs.format {
			if k := i*n + j; !cs.format[j].scaled && !specialAt(cs.array, k) {
				cs.format[j].scaled = roundAt(buf[:], cs.array, k, cs.pp).scaled(cs.pp)
			}
		}
	}
	for i := range cs.array.Len() {
		c := &cs.format[i%n]
		c.padded = c.padded || c.scaled || cs.array.Elem == array.Complex && imag(cs.array.Complexes[i]) != 0
	}
}

// item appends the text of element i, a number of a column.
func (cs *columns) item(dst []byte, i int, scaled bool) text {
	switch {
	case !cs.points:
		dst = appendItem(dst, cs.array, i, cs.pp, false)
		return text{bytes: dst, left: len(dst)}
	case specialAt(cs.array, i):
		dst = appendItem(dst, cs.array, i, cs.pp, true)
		return text{bytes: dst, left: len(dst), special: true}
	}
	var buf [maxDigits]byte
	d, form := roundAt(buf[:], cs.array, i, cs.pp), appendFixed
	if scaled {
		form = appendScaled
	}
	t := form(dst, d)
	if cs.array.Elem == array.Complex {
		t.bytes = appendImaginary(t.bytes, cs.array.Complexes[i], cs.pp)
	}
	return t
}

// gap is the number of blanks between columns.
func (cs *columns) gap() int {
	if cs.array.Elem == array.Char {
		return 0
	}
	return 1
}

// width is the width of columns from…to-1 with the blanks between them.
func (cs *columns) width(from, to int) int {
	w := 0
	for j := from; j < to; j++ {
		if j > from {
			w += cs.gap()
		}
		w += cs.format[j].width()
	}
	return w
}

// fit returns the end of the longest run of columns that starts at column
// from and is at most width wide; it holds at least one column.
func (cs *columns) fit(from, width int) int {
	w := 0
	for j := from; j < len(cs.format); j++ {
		if j > from {
			w += cs.gap()
		}
		w += cs.format[j].width()
		if w > width && j > from {
			return j
		}
	}
	return len(cs.format)
}

// appendRows appends the display of an array of rank 2 or more: one block of
// lines for each run of columns between two folds.
func appendRows(dst []byte, cs columns, pw int) []byte {
	from, margin := 0, 0
	for {
		to := cs.fit(from, pw-margin)
		dst = cs.appendBlock(dst, from, to, margin)
		if to >= len(cs.format) {
			return dst
		}
		from, margin = to, indent
	}
}

// appendBlock appends columns from…to-1 of all rows, behind margin blanks.
func (cs *columns) appendBlock(dst []byte, from, to, margin int) []byte {
	width := margin + cs.width(from, to)
	for i := 0; i < cs.rows; i++ {
		for k := cs.separators(i); k > 0; k-- {
			dst = append(appendBlanks(dst, width), '\n')
		}
		dst = cs.appendRow(appendBlanks(dst, margin), i, from, to)
		dst = append(dst, '\n')
	}
	return dst
}

// separators is the number of lines of blanks before row i: as many as axes,
// the last two aside, that start anew there.
func (cs *columns) separators(i int) int {
	if i == 0 {
		return 0
	}
	n := 0
	for axis := cs.array.Rank() - 2; axis > 0 && i%cs.array.Shape[axis] == 0; axis-- {
		i /= cs.array.Shape[axis]
		n++
	}
	return n
}

// appendRow appends columns from…to-1 of row i.
func (cs *columns) appendRow(dst []byte, i, from, to int) []byte {
	base := i * len(cs.format)
	if cs.array.Elem == array.Char {
		for _, c := range cs.array.Chars[base+from : base+to] {
			dst = utf8.AppendRune(dst, c)
		}
		return dst
	}
	var buf [3 * maxDigits]byte
	for j := from; j < to; j++ {
		if j > from {
			dst = append(dst, ' ')
		}
		c := cs.format[j]
		dst = c.append(dst, cs.item(buf[:0], base+j, c.scaled))
	}
	return dst
}

// append appends t, its parts padded to the column's widths.
func (c column) append(dst []byte, t text) []byte {
	dst = appendBlanks(dst, c.left-t.left)
	if !c.padded || t.special {
		return appendBlanks(emit(dst, t.bytes), c.width()-c.left-(len(t.bytes)-t.left))
	}
	dst = emit(dst, t.bytes[:t.left+t.frac])
	for k := t.frac; k < c.frac; k++ {
		if k == 0 {
			dst = append(dst, '.')
		} else {
			dst = append(dst, '0')
		}
	}
	return appendBlanks(emit(dst, t.bytes[t.left+t.frac:]), c.exp-t.exp())
}
