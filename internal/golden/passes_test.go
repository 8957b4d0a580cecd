package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/conform"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

// sampleSize is how many programs a variant of the compiler is tested with;
// all, where the environment has TAILOR_TEST_PASSES=all.
const sampleSize = 3

// TestPassesOff compiles programs without optimisation, and with each pass
// left out in turn, and compares what they print with the oracle. Programs
// whose C is the same as ever need not run.
func TestPassesOff(t *testing.T) {
	all := os.Getenv("TAILOR_TEST_PASSES") == "all"
	list := everyProgram(t)
	k, err := NewBackend(driver.C)
	if err != nil {
		t.Skip(err)
	}
	k.Flags = append(k.Flags, "-O0")
	relaxed := map[string]bool{"reciprocals": true, "contraction": true} // run with --relaxed only
	variants := []driver.Options{{Level0: true}}
	names, _ := driver.Passes()
	for _, name := range names {
		variants = append(variants, driver.Options{Skip: []string{name}, Relaxed: relaxed[name]})
	}
	usual := make([]string, len(list))
	atOnce(len(list), func(i int) { usual[i] = emitted(list[i], driver.Options{}) })
	wanted := make([]func() Outcome, len(list))
	for i, p := range list {
		wanted[i] = sync.OnceValue(func() Outcome { return Evaluate(p) })
	}
	stride := 37
	if len(list)%stride == 0 { // it would not come to all
		stride = 41
	}
	for v, o := range variants {
		name := "O0"
		if !o.Level0 {
			name = o.Skip[0]
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sample []Program
			var want []func() Outcome
			for j := range list {
				// Variants begin at different programs, and take them from
				// far apart.
				i := (j*stride + v*len(list)/len(variants)) % len(list)
				if len(sample) == sampleSize && !all {
					break
				}
				text := usual[i]
				if o.Relaxed && asksForLastDigits(list[i]) {
					continue
				}
				if o.Relaxed {
					text = emitted(list[i], driver.Options{Relaxed: true})
				}
				if emitted(list[i], o) != text {
					sample, want = append(sample, list[i]), append(want, wanted[i])
				}
			}
			if name != "reductions" { // which nests that are fused leave little to do
				require.NotEmpty(t, sample, "the pass changes no program")
			}
			k := *k
			k.Options = o
			for i, o := range k.Run(sample) {
				if want := want[i](); !Agree(want, o) {
					assert.Equal(t, want.String(), o.String(), "%s\n%s", sample[i].Name, sample[i].Source)
				}
			}
		})
	}
}

// everyProgram returns the programs of testdata.
func everyProgram(t *testing.T) []Program {
	t.Helper()
	cases, err := ReadCases("testdata/tests")
	require.NoError(t, err)
	var list []Program
	for _, c := range cases {
		list = append(list, c.Program)
	}
	names, err := programs.Names("testdata/programs")
	require.NoError(t, err)
	for _, name := range names {
		p, err := programs.Read("testdata/programs", name, programs.Test)
		require.NoError(t, err)
		list = append(list, Program{Name: name + ".apl", Source: p.Source})
	}
	files, err := filepath.Glob("testdata/expr/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		cases, err := conform.Expressions(file)
		require.NoError(t, err)
		for _, c := range cases {
			list = append(list, Program{Name: fmt.Sprintf("%s:%d", filepath.Base(file), c.Line), Source: c.Source})
		}
	}
	return list
}

// emitted returns a program's C, or why there is none.
func emitted(p Program, o driver.Options) string {
	var text string
	o.Target = driver.C
	failure := guarded(func() Outcome {
		var err error
		text, err = p.compilation(o).C("x")
		return failed("", err)
	})
	return text + failure.Stderr
}
