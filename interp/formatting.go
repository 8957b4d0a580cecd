package interp

import (
	"math"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// formatted is ⎕FMT: the display as a matrix, or columns by the phrases of a format.
func formatted(in *Interp, _ *Frame, x, y *V) (*V, error) {
	if x == nil {
		return displayed(in, y), nil
	}
	spec, err := prim.TextOf(x, "the left argument of ⎕FMT")
	if err != nil {
		return nil, err
	}
	phrases, err := parseSpec(spec)
	if err != nil {
		return nil, err
	}
	columns, rows, err := columnsOf(y)
	if err != nil {
		return nil, err
	}
	l := &page{lines: make([][]rune, rows), tolerance: in.state.Tolerance}
	if err := l.fill(phrases, columns); err != nil {
		return nil, err
	}
	return charMatrix(l.lines, l.width), nil
}

// displayed is monadic ⎕FMT. Characters that end lines do so in the matrix.
func displayed(in *Interp, y *V) *V {
	if n, ok := y.Ref.(*value.Namespace); ok && n.Form != nil {
		y = n.Form
	}
	s := strings.ReplaceAll(prim.Plain(y, in.state.Precision), "\r\n", "\n")
	if y.Rank() > 1 && y.Len() == 0 {
		return charMatrix(nil, 0)
	}
	width := 0
	var rows [][]rune
	for _, l := range strings.FieldsFunc(strings.ReplaceAll(s, "\n", "\n\x00"), func(r rune) bool { return r == '\n' || r == '\r' }) {
		row := backspaced([]rune(strings.TrimPrefix(l, "\x00")))
		rows = append(rows, row)
		width = max(width, len(row))
	}
	if rows == nil {
		rows = [][]rune{nil}
	}
	return charMatrix(rows, width)
}

// backspaced lets backspaces move back, so that what follows replaces what is there.
func backspaced(row []rune) []rune {
	var out []rune
	at := 0
	for _, c := range row {
		switch {
		case c == '\b':
			at = max(at-1, 0)
			continue
		case at < len(out):
			out[at] = c
		default:
			out = append(out, c)
		}
		at++
	}
	return out
}

// charMatrix returns lines as a matrix.
func charMatrix(lines [][]rune, width int) *V {
	out := make([]rune, 0, len(lines)*width)
	for _, l := range lines {
		out = append(out, l...)
		for k := len(l); k < width; k++ {
			out = append(out, ' ')
		}
	}
	return &V{Kind: value.Char, Shape: []int{len(lines), width}, Chars: out}
}

// dataColumn is a column of the right argument of ⎕FMT.
type dataColumn struct {
	array       *V
	first, step int
	rows        int
}

// columnsOf returns the columns of the right argument of ⎕FMT and the length of the
// longest.
func columnsOf(y *V) ([]dataColumn, int, error) {
	items := []*V{y}
	if y.Kind == value.Mixed {
		if y.Rank() > 1 {
			return nil, 0, prim.Errorf(diag.WrongDomain, "⎕FMT of a nested array of rank %d", y.Rank())
		}
		items = y.Items
	}
	var out []dataColumn
	longest := 0
	for _, a := range items {
		switch {
		case a.Kind == value.Mixed || a.Kind == value.Complex:
			return nil, 0, prim.Errorf(diag.Characters, "⎕FMT formats characters and real numbers, in simple arrays")
		case a.Rank() > 2:
			return nil, 0, prim.Errorf(diag.ArgumentRank, "⎕FMT of an array of rank %d", a.Rank())
		}
		columns := 1
		if a.Rank() == 2 {
			columns = a.Shape[1]
		}
		for j := 0; j < columns; j++ {
			rows := a.Tally()
			out = append(out, dataColumn{a, j, columns, rows})
			longest = max(longest, rows)
		}
	}
	return out, longest, nil
}

// page is the result of ⎕FMT while it is filled: all lines have its width, and at is
// the place of the next field.
type page struct {
	lines     [][]rune
	width, at int
	tolerance float64
}

// fill uses the phrases in turn until no column is left. Texts behind the last
// column are written, too, up to the end of a group.
func (l *page) fill(phrases []phrase, columns []dataColumn) error {
	uses := false
	for _, p := range phrases {
		uses = uses || p.takes()
	}
	if !uses && len(columns) > 0 {
		return formatError("the format has no phrase for data")
	}
	done := len(columns) == 0
	for i := 0; ; i++ {
		if i == len(phrases) {
			if done {
				return nil
			}
			i = 0
		}
		switch p := &phrases[i]; {
		case p.form == ')':
			if done {
				return nil
			}
		case p.takes():
			if done {
				return nil
			}
			if err := l.column(p, columns[0]); err != nil {
				return err
			}
			columns = columns[1:]
			done = len(columns) == 0
		case p.form == 'T':
			if l.at = p.width - 1; p.width == 0 {
				l.at = l.width
			}
		case p.form == 'X':
			if l.at += p.width; l.at < 0 {
				return formatError("X of a format goes back beyond the left margin")
			}
		default:
			for k := range l.lines {
				l.put(k, p.text)
			}
			l.at += len(p.text)
		}
		l.extend()
	}
}

// takes reports whether a phrase formats a column.
func (p *phrase) takes() bool { return strings.IndexByte("AEFGI", p.form) >= 0 }

// extend makes the page reach to the place of the next field.
func (l *page) extend() { l.width = max(l.width, l.at) }

// put writes a text into a line.
func (l *page) put(k int, text []rune) {
	line := l.lines[k]
	for len(line) < l.at+len(text) {
		line = append(line, ' ')
	}
	copy(line[l.at:], text)
	l.lines[k] = line
}

// column writes a column of data.
func (l *page) column(p *phrase, c dataColumn) error {
	if (c.array.Kind == value.Char) != (p.form == 'A') {
		if c.array.Kind == value.Char {
			return formatError("characters need the phrase A of a format")
		}
		return formatError("the phrase A of a format is for characters")
	}
	for k := 0; k < c.rows; k++ {
		at := c.first + k*c.step
		if p.form == 'A' {
			l.put(k, p.justified(c.array.Chars[at:at+1], nil))
			continue
		}
		l.put(k, p.number(c.array, at, l.tolerance))
	}
	l.at += p.width
	return nil
}

// justified puts a text into the field, whose other places have blanks, or the
// text of R.
func (p *phrase) justified(text, fill []rune) []rune {
	if len(text) > p.width {
		return p.stars()
	}
	out := make([]rune, p.width)
	for i := range out {
		if out[i] = ' '; len(fill) > 0 {
			out[i] = fill[i%len(fill)]
		}
	}
	if p.left {
		copy(out, text)
	} else {
		copy(out[p.width-len(text):], text)
	}
	return out
}

// symbol returns what stands for a standard character of a field.
func (p *phrase) symbol(c rune) rune {
	if s, ok := p.subs[c]; ok {
		return s
	}
	return c
}

// stars fills a field that is too short.
func (p *phrase) stars() []rune {
	return []rune(strings.Repeat(string(p.symbol('*')), p.width))
}

// number formats an element.
func (p *phrase) number(a *V, at int, tolerance float64) []rune {
	x := a.Double(at)
	for _, o := range p.instead {
		if x == o.value || math.Abs(x-o.value) <= tolerance*max(math.Abs(x), math.Abs(o.value)) {
			return p.justified(o.text, p.affixes['R'])
		}
	}
	v := a.Item(at)
	if p.scale != 0 {
		v = value.Number(scaled(x, p.scale))
	}
	if p.form == 'G' {
		return p.pattern(digitsOf(v, 0))
	}
	digits := digitsOf(v, p.places)
	if p.form == 'E' {
		digits = digitsOf(v, -p.places)
	}
	negative := strings.HasPrefix(digits, "¯")
	digits = strings.TrimPrefix(digits, "¯")
	if p.blank && strings.Trim(digits, "0.") == "" {
		return p.justified(nil, p.affixes['R'])
	}
	return p.affixed(digits, negative)
}

// scaled returns x×10*k.
func scaled(x float64, k int) float64 {
	if k < 0 {
		return x / math.Pow(10, float64(-k))
	}
	return x * math.Pow(10, float64(k))
}

// digitsOf returns a number with so many decimals, or if it is negative, in the
// scaled form.
func digitsOf(v *V, places int) string {
	s, _ := v.Simple()
	return strings.Trim(string(display.FormatBy([]int64{0, int64(places)}, s).Chars), " ")
}

// affixed adds to digits the sign, the affixes and the other marks.
func (p *phrase) affixed(digits string, negative bool) []rune {
	before, behind := p.affixes['P'], p.affixes['Q']
	if negative {
		before, behind = []rune{p.symbol('¯')}, p.affixes['N']
		if m, ok := p.affixes['M']; ok {
			before = m
		}
	}
	whole, rest, _ := strings.Cut(digits, ".")
	if i := strings.IndexByte(whole, 'E'); i >= 0 {
		whole, rest = whole[:i], whole[i:]
	} else if whole != digits {
		rest = digits[len(whole):]
	}
	room := p.width - len(before) - len(behind) - len([]rune(rest))
	var out []rune
	out = append(out, before...)
	out = append(out, p.integerPart(whole, room)...)
	for _, c := range rest {
		out = append(out, p.mark(c))
	}
	return p.justified(append(out, behind...), p.affixes['R'])
}

// mark substitutes the marks of a number that are no digits.
func (p *phrase) mark(c rune) rune {
	if strings.ContainsRune("._¯", c) {
		return p.symbol(c)
	}
	return c
}

// integerPart adds commas, and zeros up to the room there is.
func (p *phrase) integerPart(whole string, room int) []rune {
	var back []rune // from the right
	n := 0
	add := func(c rune) {
		if p.commas && n > 0 && n%3 == 0 {
			back = append(back, p.symbol(','))
		}
		back = append(back, c)
		n++
	}
	for i := len(whole) - 1; i >= 0; i-- {
		add(p.mark(rune(whole[i])))
	}
	for p.zeros && len(back) < room && !(p.commas && n%3 == 0 && len(back)+1 == room) {
		add(p.symbol('0'))
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}

// pattern is G: the digits take the places of 9 and Z in the pattern.
func (p *phrase) pattern(digits string) []rune {
	nine, zed := p.symbol('9'), p.symbol('Z')
	var places []int
	for i, c := range p.text {
		if c == nine || c == zed {
			places = append(places, i)
		}
	}
	if p.blank && digits == "0" {
		return p.justified(nil, nil)
	}
	if len(digits) > len(places) || strings.HasPrefix(digits, "¯") {
		return p.stars()
	}
	digits = strings.Repeat("0", len(places)-len(digits)) + digits
	first, last := len(p.text), -1 // the outermost digits that are shown
	for k, i := range places {
		if p.text[i] == nine || digits[k] != '0' {
			first, last = min(first, i), max(last, i)
		}
	}
	out := append([]rune{}, p.text...)
	for k, i := range places {
		out[i] = rune(digits[k])
	}
	if len(places) == 0 {
		return out
	}
	for i := places[0]; i <= places[len(places)-1]; i++ {
		if i < first || i > last {
			out[i] = ' '
		}
	}
	return out
}
