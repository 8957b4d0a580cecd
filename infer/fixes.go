package infer

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// describeArguments says which shapes the arguments of a call have, as far as
// they are known.
func describeArguments(args []tail.Expr) string {
	var parts []string
	for i, e := range args {
		name := []string{"⍺", "⍵"}[i+2-len(args)]
		a, ok := e.Type().(*tail.Array)
		if !ok {
			return ""
		}
		switch text := shapeWords(a); {
		case a.Dims() == 0:
			parts = append(parts, name+" is a scalar")
		case strings.ContainsAny(text, "?#"):
			parts = append(parts, fmt.Sprintf("%s has rank %d", name, a.Dims()))
		default:
			parts = append(parts, name+" has shape "+text)
		}
	}
	return ", where " + strings.Join(parts, " and ")
}

// inCall begins the note about a call in which an error was found.
const inCall = "in this call of "

// maxCallNotes is the number of calls inside each other that an error mentions.
const maxCallNotes = 3

// noteCall adds the call in which an error was found, in place of a note that
// says less about it.
func noteCall(e *diag.Error, name string, args []tail.Expr, s site) {
	calls := 0
	var kept []diag.Note
	for _, n := range e.Notes {
		if strings.HasPrefix(n.Message, inCall) {
			calls++
		}
		if n.Span != s.span() || !strings.HasSuffix(n.Message, tail.InCall) {
			kept = append(kept, n)
		}
	}
	if calls < maxCallNotes {
		e.Notes = append(kept, diag.Note{Span: s.fn, Message: inCall + name + describeArguments(args)})
	}
}

// suggestion says what to write instead of an application that always ends in
// a fault, or "". Args are those of the fault.
func suggestion(f tail.Fault, args []any, s site) string {
	glyph := describe(s.fn)
	if len(args) < 2 || glyph == "" {
		return ""
	}
	x, okX := args[0].([]tail.Size)
	y, okY := args[1].([]tail.Size)
	if !okX || !okY {
		return ""
	}
	left, right := short(s.left, "x", true), short(s.right, "y", false)
	switch f {
	case tail.FaultShapes:
		if len(x) == 2 && len(y) == 2 && x[0].Equal(y[1]) && x[1].Equal(y[0]) {
			return fmt.Sprintf("⍉ exchanges the axes of one of them: %s%s⍉%s", left, glyph, right)
		}
	case tail.FaultRanks:
		return rankSuggestion(x, y, glyph, left, right)
	case tail.FaultInner:
		switch {
		case len(y) == 2 && x[len(x)-1].Equal(y[1]):
			return fmt.Sprintf("the second axis of the right argument would fit: %s%s⍉%s", left, productGlyphs(s), right)
		case len(x) == 2 && x[0].Equal(y[0]):
			return fmt.Sprintf("the first axis of the left argument would fit: (⍉%s)%s%s", left, productGlyphs(s), right)
		}
	case tail.FaultCatenate:
		return joinSuggestion(x, y, left, right)
	}
	return ""
}

// short returns the text of an argument where it is short, else a letter that
// stands for it. A left argument that is not simple is put in parentheses.
func short(at diag.Span, letter string, left bool) string {
	text := at.Text()
	if text == "" || len([]rune(text)) > 20 || strings.ContainsAny(text, "\n⍺⍵") && len([]rune(text)) > 1 {
		return letter
	}
	if left && strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _¯.∆⍙⍺⍵", r)
	}) && text[0] != '(' {
		return "(" + text + ")"
	}
	return text
}

// productGlyphs returns the text of an inner product.
func productGlyphs(s site) string {
	if text := describe(s.fn); strings.Contains(text, ".") {
		return text
	}
	return "+.×"
}

// rankSuggestion is for a scalar function between a matrix and a vector.
func rankSuggestion(x, y []tail.Size, glyph, left, right string) string {
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) != 1 || len(y) != 2 {
		return ""
	}
	switch {
	case x[0].Equal(y[1]):
		return fmt.Sprintf("%s[2] takes the vector along the second axis: %s%s[2]%s; %s⍤1 row by row", glyph, left, glyph, right, glyph)
	case x[0].Equal(y[0]):
		return fmt.Sprintf("%s[1] takes the vector along the first axis: %s%s[1]%s", glyph, left, glyph, right)
	}
	return ""
}

// joinSuggestion is for , between arrays that ⍪ would join.
func joinSuggestion(x, y []tail.Size, left, right string) string {
	last := func(s []tail.Size) tail.Size { return s[len(s)-1] }
	if len(x) == 0 || len(y) == 0 || max(len(x), len(y)) != 2 || !last(x).Equal(last(y)) {
		return ""
	}
	return fmt.Sprintf("⍪ joins along the first axis: %s⍪%s", left, right)
}

// exchange suggests ⍨ where the left argument looks like the right one.
func exchange(glyph string) string {
	return fmt.Sprintf("if the arguments are exchanged, write %s⍨, or turn them round", glyph)
}
