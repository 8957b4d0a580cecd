package conform

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/interp"
)

// interpret returns what a program prints in the interpreter, and its error.
func interpret(source string) (string, error) {
	prog, err := apl.Parse(diag.NewSource("case.apl", source))
	var list diag.List
	if errors.As(err, &list) {
		return "", list[0]
	}
	var out strings.Builder
	err = interp.Run(prog, &interp.Env{Stdout: &out})
	return out.String(), err
}

// TestInterpreted runs the cases of testdata/expr in the interpreter,
// and those of testdata/interp, which are not compiled.
func TestInterpreted(t *testing.T) {
	for _, file := range append(files(t, "expr"), files(t, "interp")...) {
		base := filepath.Base(file)
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			cases, err := Expressions(file)
			require.NoError(t, err)
			for _, c := range cases {
				if skip(base, c.Source) || slices.Contains(longRunning, base) && !sampling.Keep(c.Source, 8) {
					continue
				}
				out, err := interpret(c.Source)
				if wrong := differs(c, out, err); wrong != "" {
					t.Errorf("%s:%d\n%s%s", base, c.Line, c.Source, wrong)
				}
			}
		})
	}
}

// longRunning are the files whose cases have arrays of the size that fast code
// of loops needs to show itself; make test interprets a sample of them.
var longRunning = []string{"bittables.txt", "defer.txt", "nearest.txt", "stencilsteps.txt"}

// differs says how an outcome differs from what a case expects. Of errors only
// the kind is compared: the words are the interpreter's own.
func differs(c Case, out string, err error) string {
	kind := ""
	var fault *diag.Error
	if errors.As(err, &fault) {
		kind = fault.Kind().String()
	} else if err != nil {
		kind = err.Error()
	}
	wanted := strings.SplitN(c.Fault, ":", 2)[0]
	switch {
	case goesOn(c.Fault):
		return ""
	case c.Fault == "" && err != nil:
		return "got:\n" + out + err.Error() + "\nwant:\n" + c.Output
	case c.Fault != "" && err == nil:
		return "no error:\n" + out + "want:\n" + c.Fault
	case c.Fault != "" && strings.Contains(wanted, "ERROR") && !strings.Contains(kind, wanted):
		return "got " + err.Error() + "\nwant " + c.Fault
	case c.Fault != "" && strings.HasPrefix(out, c.Output): // the compiler may see a fault before anything is printed
		return ""
	case out != c.Output:
		return "got:\n" + out + "want:\n" + c.Output
	}
	return ""
}

// goesOn reports whether a fault is a limit of compiled code, where the interpreter
// goes on as Dyalog does: with doubles, or with complex numbers.
func goesOn(fault string) bool {
	for _, part := range []string{"integer overflow", "NOT SUPPORTED", "is not real", "the prototype of", "must be known when compiling", "LIMIT ERROR"} {
		if strings.Contains(fault, part) {
			return true
		}
	}
	return false
}

// skip reports whether a case is in the list of those that are left out.
func skip(file, source string) bool {
	for _, s := range skipped {
		if s.file == file && strings.Contains(source, s.part) {
			return true
		}
	}
	return false
}

// skipped are cases that the interpreter answers in another way, and why.
var skipped = []struct{ file, part, why string }{
	{"claims.txt", "f 12345679", "a result that is not what the annotation says is a TYPE ERROR"},
	{"columns.txt", "⊃+/{2 2⍴⍵}¨⍳n", "compiled code knows no prototypes of nested arrays"},
	{"inner.txt", "¨⍳n", "a function that changes variables is called for the prototype"},
	{"inner.txt", "¨⍳m", "the same"},
	{"inner.txt", "¨2+⍳⍺", "the same; and integers go on as doubles"},
	{"inner.txt", "v[1+3|⍵]+←1000", "integers go on as doubles"},
	{"strips.txt", "+/a+⍸1 0 1 1 0", "the same"},
	{"truths.txt", "2-/x", "the same"},
	{"dfns.txt", "k←{⍺>⍵:⍺ ⋄ (⍺+1)∇⍵}", "the same: the recursion does not end"},
	{"complexparts.txt", "⍣40⊢(0×z)", "a double that overflows is an error"},
	{"scalar.txt", "⌊1E300", "⌊ of doubles beyond 64 bits is a double"},
	{"typed.txt", "2*1024", "a double that overflows is an error"},
	{"typed.txt", "perm←", "ranks may differ"},
	{"operators.txt", "⍴↑1,/⍳3", "a reduction of one element does not call the function"},
	{"structural.txt", "((?1),1)⍉2 2⍴⍳4", "axes need not be known before"},
	{"tolerance.txt", "⎕CT←1E¯9", "Dyalog's limit"},
	{"documented.txt", "'1J2'", "⎕VFI knows complex numbers"},
	{"behind.txt", "y←{⍺+0.5×⍵}\\x", "4,500,000 calls"},
}
