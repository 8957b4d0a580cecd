package play

import (
	"io"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/profile"
	"github.com/tailor-lang/tailor/interp"
)

// Profiled is what the lines of a program cost in a run.
type Profiled struct {
	profile.File
	// Error is that of the run, which the profile ends with; or there is no profile.
	Error string `json:"error,omitempty"`
}

// Profile runs a program, in the evaluator if it has types, and counts what its lines cost.
// What it shows is dropped.
func Profile(text string) (p Profiled) {
	src := diag.NewSource("", text)
	c := driver.New(src, driver.Options{Target: driver.Eval, Access: interp.Access{Nothing: noFiles}, Stdin: strings.NewReader("")})
	_, err := c.TAIL()
	switch {
	case err == nil:
		c.Meter = profile.NewMeter(src, false)
		err = c.Evaluate(io.Discard, nil)
	case c.Dynamic(err):
		c.Target = driver.Interp
		c.Meter = profile.NewMeter(src, true)
		err = c.Interpret(io.Discard, nil)
	}
	if c.Meter != nil {
		p.File = c.Meter.Profile(string(c.Target)).File()
	}
	if err != nil {
		p.Error = fault(err).Text
	}
	return p
}
