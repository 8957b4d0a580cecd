package session

import (
	"context"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/value"
)

// shown is how much of what a line shows has been shown already: values with their
// types, and before the rest of them bytes of output.
type shown struct{ values, bytes int }

// again returns what the interpreter runs a line in, of which some has been shown.
func (s *Session) again(ctx context.Context, done shown) *interp.Env {
	rest := &driver.Skipper{Writer: s.Out, Bytes: done.bytes}
	return &interp.Env{Stdout: rest, Interrupt: ctx.Done(), Picture: s.Pictures, Display: func(v *value.Array, text string, pp int) {
		switch {
		case done.values > 0:
			done.values--
		case rest.Bytes > 0:
			rest.Bytes = max(rest.Bytes-len(text), 0)
		default:
			s.showDynamic(v, text, pp)
		}
	}}
}
