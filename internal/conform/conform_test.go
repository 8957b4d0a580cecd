package conform

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/golden"
)

// files returns the files of a folder under testdata.
func files(t *testing.T, folder string) []string {
	names, err := filepath.Glob("../../testdata/" + folder + "/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	return names
}

// routes runs programs through the evaluator before and after optimisation and
// through C, and returns a function that compares the routes for one of them.
// Without a C compiler that route is left out, with its reason.
func routes(t *testing.T, programs []golden.Program) (oracle []golden.Outcome, compare func(i int) string) {
	backend, err := golden.NewBackend(driver.C)
	if err != nil {
		t.Logf("without C: %v", err)
	}
	var compiled []golden.Outcome
	if backend != nil {
		compiled = backend.Run(programs)
	}
	for _, p := range programs {
		oracle = append(oracle, golden.Evaluate(p))
	}
	return oracle, func(i int) string {
		if o := golden.EvaluateOptimised(programs[i]); !golden.Agree(oracle[i], o) {
			return fmt.Sprintf("optimised:\n%v", o)
		}
		if compiled != nil && !golden.Agree(oracle[i], compiled[i]) {
			return fmt.Sprintf("evaluator:\n%vC:\n%v", oracle[i], compiled[i])
		}
		return ""
	}
}

// check compares an outcome with a case; it returns "" where they agree.
func check(c Case, got golden.Outcome) string {
	switch {
	case c.Fault != "" && got.Status != 1 && got.Status != 2:
		return fmt.Sprintf("no error:\n%v", got)
	case c.Fault != "" && (got.Stdout != c.Output || !strings.Contains(got.Stderr, c.Fault)),
		c.Fault == "" && (got.Status != 0 || got.Stdout != c.Output):
		return fmt.Sprintf("got:\n%vwant:\n%s%s", got, c.Output, c.Fault)
	}
	return ""
}

func TestExpressions(t *testing.T) {
	for _, file := range files(t, "expr") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			cases, err := Expressions(file)
			require.NoError(t, err)
			programs := make([]golden.Program, len(cases))
			for i, c := range cases {
				programs[i] = golden.Program{Name: "case.apl", Source: c.Source}
			}
			oracle, compare := routes(t, programs)
			for i, c := range cases {
				wrong := check(c, oracle[i])
				if wrong == "" {
					wrong = compare(i)
				}
				if wrong != "" {
					t.Errorf("%s:%d\n%s%s", filepath.Base(file), c.Line, c.Source, wrong)
				}
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for _, file := range files(t, "errors") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			faults, err := Faults(file)
			require.NoError(t, err)
			programs := make([]golden.Program, len(faults))
			for i, f := range faults {
				programs[i] = golden.Program{Name: "case.apl", Source: f.Source}
			}
			oracle, compare := routes(t, programs)
			for i, f := range faults {
				wrong := checkFault(f, oracle[i])
				if wrong == "" {
					wrong = compare(i)
				}
				if wrong != "" {
					t.Errorf("%s:%d\n%s%s", filepath.Base(file), f.Line, f.Source, wrong)
				}
			}
		})
	}
}

// checkFault compares an outcome with a faulty program's expectation.
func checkFault(f Fault, got golden.Outcome) string {
	at := fmt.Sprintf("case.apl:%d:%d: ", f.Where, f.Column)
	first := fmt.Sprintf("case.apl:%d:1: ", f.Where)
	switch {
	case got.Status != f.Exit:
		return fmt.Sprintf("want exit status %d:\n%v", f.Exit, got)
	case strings.HasPrefix(got.Stderr, at+f.Message):
	case f.Column == 2 && strings.HasPrefix(got.Stderr, first+f.Message):
	default:
		return fmt.Sprintf("want %s%s\ngot:\n%v", at, f.Message, got)
	}
	return ""
}
