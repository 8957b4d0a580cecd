package session

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail/eval"
)

// mostForCalls bounds the time in which the evaluator looks for the calls that led to a
// fault of a compiled line.
const mostForCalls = time.Second

// withCalls adds to the fault of a compiled line the calls that led to it. Compiled
// code keeps no account of them: the evaluator runs the line again, without output, and
// has the calls if it comes to the same fault soon, and not by random numbers or by
// input, which may be others.
func (s *Session) withCalls(ctx context.Context, line string, err error) error {
	said := faultOf(err)
	if said == "" {
		return err
	}
	_, p, _, again := s.typed(line)
	if again == nil {
		ctx, cancel := context.WithTimeout(ctx, mostForCalls)
		defer cancel()
		_, again = eval.Values(p, &eval.Env{
			Stdout: io.Discard, Display: func(*array.Array, int) {}, Interrupt: ctx.Done(), Calls: true,
			Commit: func() error { return eval.ErrInterrupted },
		})
	}
	var fault *diag.Error
	var list diag.List
	if errors.As(again, &list) && len(list) == 1 {
		fault = list[0]
	}
	if (fault != nil || errors.As(again, &fault)) && strings.HasPrefix(fault.Render(), headAndExcerpt(said)) {
		return fault
	}
	return err
}

// faultOf returns what a compiled line, or the device, says of a fault of the program.
func faultOf(err error) string {
	var text faultText
	var fault *diag.Error
	switch {
	case errors.As(err, &text):
		return string(text)
	case errors.As(err, &fault) && fault.RunTime:
		return fault.Render()
	}
	return ""
}

// headAndExcerpt returns the lines of a fault before its notes.
func headAndExcerpt(text string) string {
	head, _, _ := strings.Cut(text, "\n  note: ")
	head, _, _ = strings.Cut(head, "\n  help: ")
	return head
}
