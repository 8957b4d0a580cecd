package session

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/interp/value"
	"github.com/tailor-lang/tailor/tail"
)

// boxStyle says around which values ]box draws a frame.
type boxStyle uint8

const (
	noBox  boxStyle = iota
	minBox          // around the items of strands
	midBox          // likewise
	maxBox          // around every array that is not a scalar
)

// limits of what is shown of a value before it is elided.
const (
	maxElements = 20_000 // formatted to find out how many lines there are
	headLines   = 12
)

// show displays a value as Dyalog does, and its type and shape, dimmed, behind
// or below it.
func (s *Session) show(a *array.Array, pp int) {
	if s.framed(a, pp) {
		return
	}
	text, elided := s.text(a, pp)
	note, strand := s.note(a)
	if s.box == maxBox && !strand {
		text = frame(a, text, pp)
	}
	if elided {
		note += fmt.Sprintf(" · %d elements, not all shown", a.Len())
	}
	shown := Shown{Text: text, Note: note}
	if !strand {
		shown.Value = value.From(a)
	}
	s.present(shown)
}

// Shown is a value that a line displays.
type Shown struct {
	Text  string       // as Dyalog displays it: lines, each of them ended
	Note  string       // its type and shape
	Value *value.Array // nil where only the text is there, as of a strand
}

// present writes a value and, behind or below it, its type.
func (s *Session) present(v Shown) {
	if s.Values != nil {
		s.Values(v)
		return
	}
	line, more, _ := strings.Cut(v.Text, "\n")
	if more == "" && v.Text != "" && s.fits(line, v.Note) {
		note := v.Note
		if s.Color {
			note = "\x1b[2m" + note + "\x1b[0m"
		}
		fmt.Fprintf(s.Out, "%s   %s\n", line, note)
		return
	}
	fmt.Fprint(s.Out, v.Text)
	s.Note(v.Note)
}

// fits reports whether a line and a note have room beside each other.
func (s *Session) fits(line, note string) bool {
	width := s.Width
	if width == 0 {
		width = 80
	}
	return utf8.RuneCountInString(line)+3+utf8.RuneCountInString(note) <= width
}

// text formats a value; of a large one only the beginning.
func (s *Session) text(a *array.Array, pp int) (text string, elided bool) {
	if s.Rows == 0 {
		return s.format(a, pp), false
	}
	if a.Len() > maxElements {
		a, elided = head(a), true
	}
	text = s.format(a, pp)
	lines := strings.SplitAfter(text, "\n")
	if len(lines)-1 > s.Rows {
		return strings.Join(lines[:headLines], "") + "…\n", true
	}
	if elided {
		text += "…\n"
	}
	return text, elided
}

// format returns the display of a value in lines of ⎕PW cells.
func (s *Session) format(a *array.Array, pp int) string {
	return string(display.Append(nil, a, pp, s.printWidth()))
}

// printWidth returns ⎕PW.
func (s *Session) printWidth() int {
	switch {
	case s.PW > 0:
		return s.PW
	case s.Width > 0:
		return max(s.Width, 30)
	}
	return display.Width
}

// head returns the first items of a large array along every axis.
func head(a *array.Array) *array.Array {
	shape := append([]int{}, a.Shape...)
	for i := range shape {
		limit := 100
		if i < len(shape)-1 {
			limit = headLines
		}
		shape[i] = min(shape[i], limit)
	}
	part := array.New(a.Elem, shape...)
	at := make([]int, len(shape))
	for i := range array.Count(shape) {
		rest := i
		for k := len(shape) - 1; k >= 0; k-- {
			at[k], rest = rest%shape[k], rest/shape[k]
		}
		from := 0
		for k, n := range a.Shape {
			from = from*n + at[k]
		}
		copyElement(part, i, a, from)
	}
	return part
}

func copyElement(dst *array.Array, i int, src *array.Array, j int) {
	switch src.Elem {
	case array.Bool:
		dst.Bools[i] = src.Bools[j]
	case array.Int:
		dst.Ints[i] = src.Ints[j]
	case array.Double:
		dst.Doubles[i] = src.Doubles[j]
	case array.Char:
		dst.Chars[i] = src.Chars[j]
	case array.Complex:
		dst.Complexes[i] = src.Complexes[j]
	}
}

// note is what is said of a value that is displayed next. A strand is displayed
// as a picture, a matrix of characters, whose type is not the strand's.
func (s *Session) note(a *array.Array) (text string, strand bool) {
	if len(s.displayed) == 0 {
		return describe(a), false
	}
	t := s.displayed[0]
	s.displayed = s.displayed[1:]
	if strand, ok := t.(*tail.TupleType); ok && a.Elem == array.Char && a.Rank() == 2 {
		return describeType(strand), true
	}
	return describe(a), false
}

// describeType returns the type of nested values, in which many items that are not alike
// are left out.
func describeType(t tail.Type) string {
	t = tail.Shown(infer.Nested(t))
	const most, some = 16, 4
	strand, ok := t.(*tail.TupleType)
	if !ok || len(strand.Elems) <= most {
		return tail.Spell(t)
	}
	var parts []string
	for _, e := range strand.Elems[:some] {
		parts = append(parts, tail.Spell(e))
	}
	return fmt.Sprintf("(%s, … %d items)", strings.Join(parts, ", "), len(strand.Elems))
}

// describe returns a value's type and shape: [int]2 · 3 4.
func describe(a *array.Array) string {
	text := fmt.Sprintf("[%v]%d", a.Elem, a.Rank())
	if a.Rank() == 0 {
		return text
	}
	return text + " · " + shape(a)
}

func shape(a *array.Array) string { return spellShape(a.Shape) }
