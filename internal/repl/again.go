package repl

import (
	"context"
	"io"

	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/value"
)

// shown is how much of what a line shows has been shown already: values with their
// types, and before the rest of them bytes of output.
type shown struct{ values, bytes int }

// counted counts the bytes that are written.
type counted struct {
	io.Writer
	bytes int
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.bytes += n
	return n, err
}

// again returns what the interpreter runs a line in, of which some has been shown.
func (s *Session) again(ctx context.Context, done shown) *interp.Env {
	rest := &uncounted{Writer: s.Out, bytes: done.bytes}
	return &interp.Env{Stdout: rest, Interrupt: ctx.Done(), Display: func(v *value.Array, text string, pp int) {
		switch {
		case done.values > 0:
			done.values--
		case rest.bytes > 0:
			rest.bytes = max(rest.bytes-len(text), 0)
		default:
			s.showDynamic(v, text, pp)
		}
	}}
}

// uncounted leaves out the first bytes that are written.
type uncounted struct {
	io.Writer
	bytes int
}

func (u *uncounted) Write(p []byte) (int, error) {
	drop := min(u.bytes, len(p))
	u.bytes -= drop
	if drop == len(p) {
		return drop, nil
	}
	n, err := u.Writer.Write(p[drop:])
	return drop + n, err
}
