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
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/gradual"
	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/interp"
)

// TestSpecialised interprets the cases of testdata/interp, and a sample of those of
// testdata/expr, with every dfn compiled at its first call, and for some of them every
// primitive function, too: output and error are those of plain interpretation.
func TestSpecialised(t *testing.T) {
	for _, dir := range []string{"interp", "expr"} {
		for _, file := range files(t, dir) {
			base := filepath.Base(file)
			t.Run(base, func(t *testing.T) {
				t.Parallel()
				cases, err := Expressions(file)
				require.NoError(t, err)
				for _, c := range cases {
					if skip(base, c.Source) || unlike(c.Source) || dir == "expr" && (slices.Contains(longRunning, base) || !sampling.Keep(c.Source, 8)) {
						continue
					}
					functions := gradual.New(func() (*driver.Cache, *driver.Compiler) { return nil, nil })
					compareSpecialised(t, base, c, functions)
				}
			})
		}
	}
}

// TestSpecialisedC interprets the cases of testdata/interp, or a sample of them, as
// target auto does when it has compiled everything to C: what is called, and loops and
// statements, run as C from the start.
func TestSpecialisedC(t *testing.T) {
	cc, err := driver.FindCompiler()
	var missing *driver.MissingTool
	if errors.As(err, &missing) {
		t.Skip(missing)
	}
	require.NoError(t, err)
	cache, err := driver.OpenCache(t.TempDir())
	require.NoError(t, err)
	for _, file := range files(t, "interp") {
		base := filepath.Base(file)
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			cases, err := Expressions(file)
			require.NoError(t, err)
			for _, c := range cases {
				if skip(base, c.Source) || unlike(c.Source) || !sampling.Keep("C"+c.Source, 64) {
					continue
				}
				functions := gradual.New(func() (*driver.Cache, *driver.Compiler) { return cache, cc })
				functions.Synchronous = true
				compareSpecialised(t, base, c, functions)
			}
		})
	}
}

// unlike reports whether two runs of a program differ.
func unlike(source string) bool {
	for _, part := range []string{"⎕TS", "⎕AI", "⎕RL←⍬", "⎕DL", "?0", "⎕SH", "⎕NPUT", "⎕NINFO", "⎕MKDIR"} {
		if strings.Contains(source, part) {
			return true
		}
	}
	return false
}

func compareSpecialised(t *testing.T, base string, c Case, functions *gradual.Compiler) {
	want, wanted := interpretWith(c.Source, nil)
	got, err := interpretWith(c.Source, functions)
	if strings.Contains(text(wanted), "WS FULL") { // what is compiled may need less memory
		return
	}
	if want != got || text(wanted) != text(err) {
		t.Errorf("%s:%d\n%s\ngot:\n%s%s\nwant:\n%s%s", base, c.Line, c.Source, got, text(err), want, text(wanted))
	}
}

func text(err error) string {
	var e *diag.Error
	if errors.As(err, &e) {
		return e.Render()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// interpretWith is interpret with functions compiled at their first calls.
func interpretWith(source string, c interp.Compiler) (string, error) {
	prog, err := apl.Parse(diag.NewSource("case.apl", source))
	var list diag.List
	if errors.As(err, &list) {
		return "", list[0]
	}
	var out strings.Builder
	all := sampling.Keep("arrays"+source, 8)
	err = interp.Run(prog, &interp.Env{Stdout: &out, Compiler: c, Eager: true, EagerArrays: all})
	return out.String(), err
}
