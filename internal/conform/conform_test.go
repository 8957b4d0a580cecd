package conform

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/golden"
)

// files returns the files of a folder under testdata.
func files(t *testing.T, folder string) []string {
	names, err := filepath.Glob("../../testdata/" + folder + "/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	return names
}

// check runs a program through the evaluator before and after optimisation and
// says where it differs from the case; C is compared with the evaluator in
// package golden.
func check(source string, judge func(golden.Outcome) string) string {
	p := golden.Program{Name: "case.apl", Source: source}
	oracle := golden.Evaluate(p)
	if wrong := judge(oracle); wrong != "" {
		return wrong
	}
	if o := golden.EvaluateOptimised(p); !golden.Agree(oracle, o) {
		return fmt.Sprintf("optimised:\n%v", o)
	}
	return ""
}

// checkCase compares an outcome with a case; it returns "" where they agree.
func checkCase(c Case, got golden.Outcome) string {
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
			t.Parallel()
			cases, err := Expressions(file)
			require.NoError(t, err)
			for _, c := range cases {
				if wrong := check(c.Source, func(o golden.Outcome) string { return checkCase(c, o) }); wrong != "" {
					t.Errorf("%s:%d\n%s%s", filepath.Base(file), c.Line, c.Source, wrong)
				}
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for _, file := range files(t, "errors") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			faults, err := Faults(file)
			require.NoError(t, err)
			for _, f := range faults {
				if wrong := check(f.Source, func(o golden.Outcome) string { return checkFault(f, o) }); wrong != "" {
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
	unknown := map[string]bool{}
	for _, name := range unknownNames.FindAllString(got.Stderr, -1) {
		if unknown[name] {
			return fmt.Sprintf("told twice: %s\n%v", name, got)
		}
		unknown[name] = true
	}
	return ""
}

var unknownNames = regexp.MustCompile(`unknown name: \S+`)
