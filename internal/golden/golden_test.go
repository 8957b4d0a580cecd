package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/conform"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

var update = flag.Bool("update", false, "rewrite the sections of the cases")

// The programs read their data by paths from the root of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestCases(t *testing.T) {
	t.Parallel()
	cases, err := ReadCases("testdata/tests")
	require.NoError(t, err)
	var list []Program
	var want []Outcome
	for _, c := range cases {
		o := Evaluate(c.Program)
		if *update {
			require.NoError(t, c.Update(o))
		}
		list, want = append(list, c.Program), append(want, o)
		t.Run(c.Name(), func(t *testing.T) {
			expected := c.Expected()
			assert.Equal(t, expected.Stdout, o.Stdout)
			assert.Equal(t, expected.Stderr, o.Stderr)
			for _, section := range []string{"tail", "stats"} {
				if text, ok := c.Section(section); ok && o.Status != driver.ExitSource {
					now, err := c.Derived(section)
					assert.NoError(t, err)
					assert.Equal(t, text, now, section)
				}
			}
			checkPasses(t, c.Program, o)
		})
	}
	t.Run("C", func(t *testing.T) { checkBackend(t, driver.C, list, want) })
	t.Run("OpenMP", func(t *testing.T) { checkBackend(t, driver.OpenMP, list, want) })
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	const dir = "testdata/programs"
	names, err := programs.Names(dir)
	require.NoError(t, err)
	var list []Program
	var want []Outcome
	for _, name := range names {
		p, err := programs.Read(dir, name, programs.Test)
		require.NoError(t, err)
		q := Program{Name: name + ".apl", Source: p.Source}
		list, want = append(list, q), append(want, Outcome{Stdout: p.Output})
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, p.Output, Evaluate(q).String())
			checkPasses(t, q, Outcome{Stdout: p.Output})
		})
	}
	t.Run("C", func(t *testing.T) { checkBackend(t, driver.C, list, want) })
	t.Run("OpenMP", func(t *testing.T) { checkBackend(t, driver.OpenMP, list, want) })
}

// TestExpressions compares C, and the evaluator after every pass, with the
// evaluator on the cases of testdata/expr and testdata/errors; package conform
// compares the evaluator with Dyalog.
func TestExpressions(t *testing.T) {
	for _, folder := range []string{"expr", "errors"} {
		files, err := filepath.Glob("testdata/" + folder + "/*.txt")
		require.NoError(t, err)
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				list := fileCases(t, folder, file)
				want := make([]Outcome, len(list))
				for i, p := range list {
					want[i] = Evaluate(p)
					checkPasses(t, p, want[i])
				}
				checkBackend(t, driver.C, list, want)
			})
		}
	}
}

// fileCases returns the programs of a file of testdata/expr or testdata/errors.
func fileCases(t *testing.T, folder, file string) []Program {
	var list []Program
	add := func(line int, source string) {
		list = append(list, Program{Name: fmt.Sprintf("%s:%d", filepath.Base(file), line), Source: source})
	}
	if folder == "errors" {
		faults, err := conform.Faults(file)
		require.NoError(t, err)
		for _, c := range faults {
			add(c.Line, c.Source)
		}
		return list
	}
	cases, err := conform.Expressions(file)
	require.NoError(t, err)
	for _, c := range cases {
		add(c.Line, c.Source)
	}
	return list
}

// checkPasses compares the evaluator after every pass with the oracle.
func checkPasses(t *testing.T, p Program, want Outcome) {
	t.Helper()
	if want.Status == driver.ExitSource {
		return
	}
	for _, o := range EvaluatePasses(p) {
		if !Agree(want, o.Outcome) {
			assert.Equal(t, want.String(), o.String(), "after pass %s", o.Pass)
			return
		}
	}
}

// checkBackend compares compiled code with the oracle.
func checkBackend(t *testing.T, target driver.Target, list []Program, want []Outcome) {
	t.Helper()
	k, err := NewBackend(target)
	if err != nil {
		t.Skip(err)
	}
	k.Options.ShareAll = target == driver.OpenMP
	for i, o := range k.Run(list) {
		t.Run(list[i].Name, func(t *testing.T) {
			if !Agree(want[i], o) {
				assert.Equal(t, want[i].String(), o.String(), list[i].Source)
			}
		})
	}
}
