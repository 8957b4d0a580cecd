package tail

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

// Blame is what a message about a fault of an application mentions besides the
// place: the user's arguments, left and right, either of which may be invalid,
// and where these got their sizes.
type Blame struct {
	Operands [2]diag.Span
	Sizes    [2]*Origin
	FromZero bool // ⎕IO is 0: messages count indices from there
	// Code is the code of the error of op stop; 0 is that of ⎕SIGNAL.
	Code diag.Code
}

// Origin is where an array got its size: the user's expression that makes it.
// Functions that keep the size of an argument keep its origin.
type Origin struct {
	Where diag.Span // the expression, or invalid
	// Of are the variables that the expression takes the size from, as far as
	// they are bound by assignment.
	Of []*Bound
	// Param says "⍵ of f" for a parameter, whose size comes from the calls.
	Param string
	Calls []CallOrigin // the first few
	More  int          // how many others there are
}

// CallOrigin is one call of a function: the place, and where the argument got
// its size.
type CallOrigin struct {
	At   diag.Span
	Size *Origin
}

// Bound is an assignment to a variable of the user.
type Bound struct {
	Name  string
	Value diag.Span
}

// SizeOf returns the origin of the size of e, nil where it is not known or e
// is a scalar.
func SizeOf(e Expr) *Origin {
	switch e := e.(type) {
	case *Ref:
		return e.Var.Size
	case *Apply:
		return e.Size
	case *Call:
		return e.Size
	case *Let:
		return SizeOf(e.Body)
	case *If:
		return SizeOf(e.Then)
	case *Lit, *Vec:
		if a := TypeOf(e); a.Dims() > 0 && e.Span().Valid() {
			return &Origin{Where: e.Span()}
		}
	}
	return nil
}

// maxQuoted is the number of runes of an expression that a note quotes.
const maxQuoted = 40

// quoted returns the text of a span for a note.
func quoted(s diag.Span) string {
	text, _, more := strings.Cut(strings.TrimSpace(s.Text()), "\n")
	if r := []rune(text); len(r) > maxQuoted {
		text, more = string(r[:maxQuoted]), true
	}
	if more {
		text += "…"
	}
	return text
}

// Notes returns a note for every place that the sizes of the arguments come
// from, unless the excerpt of the message shows it.
func (b Blame) Notes(at diag.Span) []diag.Note {
	var all []diag.Note
	for i, o := range b.Sizes {
		if o != nil {
			all = o.notes(all, operandText1(b.Operands[i]), b.Operands[i], at, 0)
		}
	}
	return all
}

// operandText1 is how a note calls an argument.
func operandText1(s diag.Span) string {
	if !s.Valid() {
		return "this"
	}
	name, _, indexed := strings.Cut(quoted(s), "[")
	if indexed && strings.HasSuffix(s.Text(), "]") && name != "" {
		return name
	}
	return quoted(s)
}

// maxCalls is the number of calls of a function that notes mention.
const maxCalls = 3

// notes adds the notes of an origin: what has the size, and where it stands.
func (o *Origin) notes(all []diag.Note, what string, within, at diag.Span, depth int) []diag.Note {
	if depth > 4 {
		return all
	}
	if o.Param != "" {
		return o.callNotes(all, what, at, depth)
	}
	if o.Where.Valid() && !within.Covers(o.Where) {
		all = add(all, o.Where, fmt.Sprintf("the size of %s comes from %s", what, quoted(o.Where)))
	}
	for _, b := range o.Of {
		if !sameLine(b.Value, at) {
			all = add(all, b.Value, b.Name+" is "+quoted(b.Value))
		}
	}
	return all
}

// callNotes adds the notes of a parameter.
func (o *Origin) callNotes(all []diag.Note, what string, at diag.Span, depth int) []diag.Note {
	for _, c := range o.Calls {
		if c.At.Valid() {
			all = add(all, c.At, o.Param+InCall)
		}
		if c.Size != nil && c.Size != o {
			all = c.Size.notes(all, o.Param, c.At, at, depth+1)
		}
	}
	if o.More > 0 {
		all = append(all, diag.Note{Message: fmt.Sprintf("and in other calls of %s", o.Param)})
	}
	return all
}

// InCall ends the note about a call that gives a parameter its size.
const InCall = " gets its size in this call"

// add appends a note that is not there yet.
func add(all []diag.Note, at diag.Span, text string) []diag.Note {
	for _, n := range all {
		if n.Span == at {
			return all
		}
	}
	return append(all, diag.Note{Span: at, Message: text})
}

func sameLine(a, b diag.Span) bool {
	if !a.Valid() || a.Src != b.Src {
		return false
	}
	n, _ := a.Src.Position(a.Start)
	m, _ := b.Src.Position(b.Start)
	return n == m
}

// From notes a call that gives a parameter a value.
func (o *Origin) From(at diag.Span, value Expr) {
	if o == nil {
		return
	}
	if len(o.Calls) >= maxCalls {
		o.More++
		return
	}
	size := SizeOf(value)
	for _, c := range o.Calls {
		if c.At == at && c.Size == size {
			return
		}
	}
	o.Calls = append(o.Calls, CallOrigin{at, size})
}
