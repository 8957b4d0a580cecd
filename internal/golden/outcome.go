package golden

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

// Program is a program to run through the routes.
type Program struct {
	Name   string // of the source in messages
	Source string
	Args   []string
	Wrap   bool
	// Variant, where not nil, are the options of its compilation to C, in place
	// of those of the Backend; the target stays the Backend's.
	Variant *driver.Options
}

// Outcome is what a program did.
type Outcome struct {
	Stdout string
	Stderr string
	Status int
}

// String shows an outcome in messages of tests.
func (o Outcome) String() string {
	s := o.Stdout + o.Stderr
	if o.Status != 0 {
		s += fmt.Sprintf("(exit status %d)\n", o.Status)
	}
	return s
}

// failed returns the outcome of an error.
func failed(stdout string, err error) Outcome {
	o := Outcome{Stdout: stdout}
	if err != nil {
		var b strings.Builder
		driver.Report(&b, err)
		o.Stderr, o.Status = b.String(), driver.ExitStatus(err)
	}
	return o
}

// guarded runs a route; a panic becomes an outcome with status 3.
func guarded(run func() Outcome) (o Outcome) {
	defer func() {
		if r := recover(); r != nil {
			o = Outcome{Stderr: fmt.Sprintf("internal error: %v\n", r), Status: driver.ExitInternal}
		}
	}()
	return run()
}

// compilation returns p on its way through the pipeline.
func (p Program) compilation(o driver.Options) *driver.Compilation {
	name := p.Name
	if name == "" {
		name = "program.apl"
	}
	o.Wrap = p.Wrap
	return driver.New(diag.NewSource(name, p.Source), o)
}

// evaluate runs TAIL in the evaluator.
func evaluate(p *tail.Program, args []string) Outcome {
	var out bytes.Buffer
	err := eval.Run(p, &eval.Env{Stdout: &out, Args: args})
	return failed(out.String(), err)
}

// Evaluate runs p in the evaluator before optimisation: the oracle.
func Evaluate(p Program) Outcome {
	return guarded(func() Outcome {
		typed, err := p.compilation(driver.Options{Verify: true}).Typed()
		if err != nil {
			return failed("", err)
		}
		return evaluate(typed, p.Args)
	})
}

// EvaluateOptimised runs p in the evaluator after optimisation, checking the
// program after every pass.
func EvaluateOptimised(p Program) Outcome {
	return guarded(func() Outcome {
		optimised, err := p.compilation(driver.Options{Verify: true}).TAIL()
		if err != nil {
			return failed("", err)
		}
		return evaluate(optimised, p.Args)
	})
}

// Interpret runs p in the interpreter.
func Interpret(p Program) Outcome {
	return guarded(func() Outcome {
		var out strings.Builder
		err := p.compilation(driver.Options{}).Interpret(&out, p.Args)
		if err == nil {
			return Outcome{Stdout: out.String()}
		}
		return failed(out.String(), err)
	})
}

// Specialise runs p in the interpreter, which compiles functions, primitive ones
// included, at their first calls.
func Specialise(p Program, c interp.Compiler) Outcome {
	return guarded(func() Outcome {
		var out strings.Builder
		err := p.compilation(driver.Options{Compiler: c, Eager: true, EagerArrays: true}).Interpret(&out, p.Args)
		return failed(out.String(), err)
	})
}

// PassOutcome is the outcome after one pass.
type PassOutcome struct {
	Pass string
	Outcome
}

// EvaluatePasses runs program in the evaluator after every pass of the optimiser that
// changed its text.
func EvaluatePasses(program Program) []PassOutcome {
	var all []PassOutcome
	last := ""
	o := guarded(func() Outcome {
		c := program.compilation(driver.Options{Verify: true, Dump: func(_ int, pass string, p fmt.Stringer) {
			if text := p.String(); text != last {
				last = text
				all = append(all, PassOutcome{pass, evaluate(p.(*tail.Program), program.Args)})
			}
		}})
		_, err := c.TAIL()
		return failed("", err)
	})
	if o.Status != 0 {
		all = append(all, PassOutcome{"optimiser", o})
	}
	return all
}
