package driver

import (
	"io"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// WritesFiles reports whether p has ops that write files.
func WritesFiles(p *tail.Program) bool {
	found := false
	look := func(e tail.Expr) {
		tail.Walk(e, func(e tail.Expr) bool {
			a, ok := e.(*tail.Apply)
			found = found || ok && (a.Op == tail.OpWriteText || a.Op == tail.OpWriteNpy)
			return !found
		})
	}
	look(p.Main)
	for _, f := range p.Funcs {
		look(f.Body)
	}
	return found
}

// GoesOn reports whether an error is one of integers that overflow, or of a text for
// ⍎ that is no number.
func GoesOn(e *diag.Error) bool {
	return e.Code == diag.IntegerOverflow || e.Code == diag.NotNumber && strings.HasPrefix(e.Message, `"`)
}

// SaysGoesOn is GoesOn for what a compiled program says of its fault.
func SaysGoesOn(text string) bool {
	head, _, _ := strings.Cut(text, "\n")
	return strings.HasSuffix(head, " [E0606]") || strings.HasSuffix(head, " [E0611]") && strings.Contains(head, `: "`)
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
