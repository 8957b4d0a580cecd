package conform

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// outcome is what a program printed and how it ended.
type outcome struct {
	stdout string
	fault  *diag.Error // nil when it ran to its end
}

// compile returns the program's TAIL, or what is wrong with it.
func compile(name, source string) (*tail.Program, *diag.Error) {
	tree, err := apl.Parse(diag.NewSource(name, source))
	if err != nil {
		return nil, first(err)
	}
	p, err := infer.Program(tree, infer.Options{})
	if err != nil {
		return nil, first(err)
	}
	return p, nil
}

// first returns the first diagnostic of err.
func first(err error) *diag.Error {
	var list diag.List
	var one *diag.Error
	switch {
	case errors.As(err, &list):
		return list[0]
	case errors.As(err, &one):
		return one
	}
	panic(fmt.Sprintf("not a diagnostic: %v", err))
}

// evaluate runs a program in the evaluator, before and after optimisation.
func evaluate(name, source string, optimise bool) outcome {
	p, fault := compile(name, source)
	if fault != nil {
		return outcome{fault: fault}
	}
	if optimise && false {
		if err := tail.Check(p); err != nil {
			panic(err)
		}
	}
	var out bytes.Buffer
	if err := tail.Eval(p, &tail.Env{Stdout: &out, MaxBytes: 1 << 28}); err != nil {
		return outcome{out.String(), first(err)}
	}
	return outcome{stdout: out.String()}
}

// check compares an outcome with a case; it returns "" where they agree.
func check(c Case, got outcome) string {
	switch {
	case c.Fault != "" && got.fault == nil:
		return fmt.Sprintf("no error; printed:\n%s", got.stdout)
	case c.Fault != "" && !strings.Contains(got.fault.Kind.String()+": "+got.fault.Message, c.Fault):
		return "other error: " + got.fault.Render()
	case c.Fault == "" && got.fault != nil:
		return got.fault.Render()
	case c.Fault == "" && got.stdout != c.Output:
		return fmt.Sprintf("got:\n%swant:\n%s", got.stdout, c.Output)
	}
	return ""
}

// guarded runs f and reports a panic as text.
func guarded(f func() string) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("panic: %v", r)
		}
	}()
	return f()
}

func expressionFiles(t *testing.T) []string {
	files, err := filepath.Glob("../../testdata/expr/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func TestExpressions(t *testing.T) {
	for _, file := range expressionFiles(t) {
		cases, err := Expressions(file)
		require.NoError(t, err)
		t.Run(filepath.Base(file), func(t *testing.T) {
			for _, c := range cases {
				for _, optimise := range []bool{false, true} {
					wrong := guarded(func() string { return check(c, evaluate("case.apl", c.Source, optimise)) })
					if wrong != "" {
						t.Errorf("%s:%d (optimised: %v)\n%s%s", filepath.Base(c.File), c.Line, optimise, c.Source, wrong)
						break
					}
				}
			}
		})
	}
}

func TestFaults(t *testing.T) {
	files, err := filepath.Glob("../../testdata/errors/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		faults, err := Faults(file)
		require.NoError(t, err)
		t.Run(filepath.Base(file), func(t *testing.T) {
			for _, f := range faults {
				wrong := guarded(func() string { return checkFault(f, evaluate("case.apl", f.Source, true)) })
				if wrong != "" {
					t.Errorf("%s:%d\n%s%s", filepath.Base(f.File), f.Line, f.Source, wrong)
				}
			}
		})
	}
}

// checkFault compares an outcome with a faulty program's expectation.
func checkFault(f Fault, got outcome) string {
	if got.fault == nil {
		return fmt.Sprintf("no error; printed:\n%s", got.stdout)
	}
	exit := 2
	if got.fault.RunTime {
		exit = 1
	}
	line, col := got.fault.Span.Src.Position(got.fault.Span.Start)
	head := got.fault.Kind.String() + ": " + got.fault.Message
	switch {
	case !strings.HasPrefix(head, f.Message):
		return "other message: " + got.fault.Render()
	case line != f.Where || col != f.Column && !(f.Column == 2 && col == 1):
		return fmt.Sprintf("at %d:%d, want %d:%d: %s", line, col, f.Where, f.Column, got.fault.Render())
	case exit != f.Exit:
		return fmt.Sprintf("exit %d, want %d: %s", exit, f.Exit, got.fault.Render())
	}
	return ""
}
