package driver

import (
	"io"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// WritesFiles reports whether p has ops that write files.
func WritesFiles(p *tail.Program) bool { return mentions(p, tail.OpWriteText, tail.OpWriteNpy) }

// UsesFiles reports whether p has ops that read or write files.
func UsesFiles(p *tail.Program) bool {
	return WritesFiles(p) || mentions(p, tail.OpReadText, tail.OpReadCSV, tail.OpReadNpy)
}

// mentions reports whether p has one of some ops.
func mentions(p *tail.Program, ops ...tail.Op) bool {
	found := false
	look := func(e tail.Expr) {
		tail.Walk(e, func(e tail.Expr) bool {
			a, ok := e.(*tail.Apply)
			found = found || ok && slices.Contains(ops, a.Op)
			return !found
		})
	}
	look(p.Main)
	for _, f := range p.Funcs {
		look(f.Body)
	}
	return found
}

// GoesOn reports whether an error is one that the interpreter, which finds types when
// the program runs, does not meet: integers that overflow, a result that is not real,
// the reduction of no elements, the prototype of a nested array that lost its items,
// a text for ⍎ that is no number, ?0, or ⍣ with a negative number.
func GoesOn(e *diag.Error) bool { return goesOn(e.Code.String(), e.Message) }

// SaysGoesOn is GoesOn for what a compiled program says of its fault.
func SaysGoesOn(text string) bool {
	head, _, _ := strings.Cut(text, "\n")
	_, message, _ := strings.Cut(head, " ERROR: ")
	code := strings.LastIndex(message, " [")
	return code >= 0 && goesOn(strings.Trim(message[code:], " []"), message)
}

func goesOn(code, message string) bool {
	switch code {
	case diag.IntegerOverflow.String(), diag.EmptyReduction.String(), diag.EmptyFill.String():
		return true
	case diag.OutsideDomain.String():
		return strings.HasPrefix(message, "the result for ") || strings.HasPrefix(message, "no integer is among")
	case diag.Negative.String():
		return strings.HasPrefix(message, "a function is applied ")
	case diag.NotNumber.String():
		return strings.HasPrefix(message, `"`)
	}
	return false
}

// Counter counts the bytes that are written.
type Counter struct {
	io.Writer
	Bytes int
}

func (c *Counter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.Bytes += n
	return n, err
}

// Skipper leaves out the first bytes that are written, as many as Bytes says.
type Skipper struct {
	io.Writer
	Bytes int
}

func (s *Skipper) Write(p []byte) (int, error) {
	drop := min(s.Bytes, len(p))
	s.Bytes -= drop
	if drop == len(p) {
		return drop, nil
	}
	n, err := s.Writer.Write(p[drop:])
	return drop + n, err
}
