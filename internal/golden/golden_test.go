package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/conform"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
	"github.com/tailor-lang/tailor/internal/sampling"
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
			if sampling.Keep(c.Program.Source, programPasses) {
				checkPasses(t, c.Program, o)
			}
		})
	}
	t.Run("C", func(t *testing.T) { checkBackend(t, driver.C, list, want) })
	t.Run("OpenMP", func(t *testing.T) { checkBackend(t, driver.OpenMP, list, want) })
}

// suite returns the programs of a suite at the size of the tests, and what they print.
func suite(t *testing.T, s programs.Suite) (list []Program, want []Outcome) {
	t.Helper()
	names, err := programs.Names(s.Programs())
	require.NoError(t, err)
	for _, name := range names {
		p, err := programs.Read(s.Programs(), name, programs.Test)
		require.NoError(t, err)
		list, want = append(list, Program{Name: name + ".apl", Source: p.Source}), append(want, Outcome{Stdout: p.Output})
	}
	return list, want
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	list, want := suite(t, programs.Own)
	for i, p := range list {
		t.Run(strings.TrimSuffix(p.Name, ".apl"), func(t *testing.T) {
			assert.Equal(t, want[i].Stdout, Evaluate(p).String())
			if sampling.Keep(p.Source, programPasses) {
				checkPasses(t, p, want[i])
			}
		})
	}
	t.Run("C", func(t *testing.T) { checkBackend(t, driver.C, list, want) })
	t.Run("OpenMP", func(t *testing.T) { checkBackend(t, driver.OpenMP, list, want) })
}

// TestCorpus runs the programs of the suites that have a name: all in the interpreter, in
// the evaluator those that have a static type, and of these a sample compiled.
func TestCorpus(t *testing.T) {
	t.Parallel()
	var all []Program
	var outputs []Outcome
	for _, s := range programs.Named {
		some, theirs := suite(t, s)
		all, outputs = append(all, some...), append(outputs, theirs...)
	}
	var list []Program
	var want []Outcome
	for i, p := range all {
		t.Run(strings.TrimSuffix(p.Name, ".apl"), func(t *testing.T) {
			assert.Equal(t, outputs[i].Stdout, Interpret(p).String())
			if o := Evaluate(p); o.Status != driver.ExitSource {
				assert.Equal(t, outputs[i].Stdout, o.String())
				list, want = append(list, p), append(want, outputs[i])
			}
		})
	}
	require.Greater(t, len(list), len(all)*4/5, "programs with a static type")
	for _, target := range []driver.Target{driver.C, driver.OpenMP} {
		t.Run(string(target), func(t *testing.T) {
			some, outcomes := sampledWith(list, want, corpusSample)
			checkBackend(t, target, some, outcomes)
		})
	}
}

// The samples of make test are one in so many: of the cases of testdata/expr and
// testdata/errors that are compiled, of those and of the programs that are
// evaluated after every pass, of the programs compiled for OpenMP, and of the corpus.
const (
	expressionSample    = 24
	expressionPasses    = 32
	programPasses       = 4
	programSampleOpenMP = 3
	corpusSample        = 16
)

// TestExpressions compares C, and the evaluator after every pass, with the
// evaluator on the cases of testdata/expr and testdata/errors, or a sample of
// them; package conform compares the evaluator with Dyalog on all.
func TestExpressions(t *testing.T) {
	var some []Program
	for _, folder := range []string{"expr", "errors"} {
		files, err := filepath.Glob("testdata/" + folder + "/*.txt")
		require.NoError(t, err)
		for _, file := range files {
			list := fileCases(t, folder, file)
			if !sampling.All() {
				some = append(some, sampled(list, expressionSample)...)
				continue
			}
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				checkCases(t, list)
			})
		}
	}
	checkCases(t, some)
}

// checkCases compares C, and the evaluator after every pass, with the evaluator.
func checkCases(t *testing.T, list []Program) {
	t.Helper()
	want := make([]Outcome, len(list))
	atOnce(len(list), func(i int) {
		want[i] = Evaluate(list[i])
		if sampling.Keep(list[i].Source, expressionPasses) {
			checkPasses(t, list[i], want[i])
		}
	})
	if sampling.All() {
		t.Run("unfolded", func(t *testing.T) { checkBackend(t, driver.C, unfolded(list), want) })
		checkBackend(t, driver.C, list, want)
		return
	}
	half := unfolded(list)
	for i := range half {
		if sampling.Keep("folded "+half[i].Source, 2) {
			half[i].Variant = nil
		}
	}
	checkBackend(t, driver.C, half, want)
}

// unfolded returns programs of which the compiler evaluates nothing: what has
// no input would be no more than its output.
func unfolded(list []Program) []Program {
	all := slices.Clone(list)
	for i := range all {
		all[i].Variant = &driver.Options{Skip: []string{"constfold"}}
	}
	return all
}

// sampled returns the programs that are in a sample of one in n.
func sampled(list []Program, n uint64) []Program {
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = p.Source
	}
	var kept []Program
	for _, i := range sampling.Of(texts, n) {
		kept = append(kept, list[i])
	}
	return kept
}

// sampledWith is sampled for programs with their outcomes.
func sampledWith(list []Program, want []Outcome, n uint64) (some []Program, outcomes []Outcome) {
	for i, p := range list {
		if sampling.Keep(p.Source, n) {
			some, outcomes = append(some, p), append(outcomes, want[i])
		}
	}
	return some, outcomes
}

// atOnce calls do for every number below n, as many at once as there are cores.
func atOnce(n int, do func(i int)) {
	var wait sync.WaitGroup
	places := make(chan struct{}, runtime.NumCPU())
	for i := range n {
		places <- struct{}{}
		wait.Go(func() {
			do(i)
			<-places
		})
	}
	wait.Wait()
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
			assert.Equal(t, want.String(), o.String(), "%s after pass %s\n%s", p.Name, o.Pass, p.Source)
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
	if target == driver.OpenMP {
		k.Options.ShareAll = true
		list, want = sampledWith(list, want, programSampleOpenMP)
	}
	for i, o := range k.Run(list) {
		t.Run(list[i].Name, func(t *testing.T) {
			if !Agree(want[i], o) {
				assert.Equal(t, want[i].String(), o.String(), list[i].Source)
			}
		})
	}
}
