package golden

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
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

// sampleSize is how many programs a variant of the compiler is tested with, if
// not with all; of the variants without a pass, one in passSample is.
const (
	sampleSize = 3
	lookLimit  = 100 // programs that are looked at where there are not as many
	passSample = 24
)

// samplesFile has a line a variant of the compiler: its name, and the digests of
// programs whose C it changes, so that they need not be looked for. What is out of
// date is looked for again; -update, without -run of single variants,
// rewrites the file.
const samplesFile = "testdata/passes.txt"

// TestPassesOff compiles programs without optimisation, and with each pass, or
// each of a sample, left out in turn, and compares what they print with the
// oracle. Programs whose C is the same as ever need not run.
func TestPassesOff(t *testing.T) {
	list := everyProgram(t)
	k, err := NewBackend(driver.C)
	if err != nil {
		t.Skip(err)
	}
	k.Level = func(string) string { return "-O0" }
	relaxed := map[string]bool{"reciprocals": true, "contraction": true} // run with --relaxed only
	variants := []driver.Options{{Level0: true}}
	names, _ := driver.Passes()
	for _, name := range names {
		if *update || sampling.Keep(name, passSample) {
			variants = append(variants, driver.Options{Skip: []string{name}, Relaxed: relaxed[name]})
		}
	}
	usual := make([]func() string, len(list))
	wanted := make([]func() Outcome, len(list))
	for i, p := range list {
		usual[i] = sync.OnceValue(func() string { return emitted(p, driver.Options{}) })
		wanted[i] = sync.OnceValue(func() Outcome { return Evaluate(p) })
	}
	changes := func(i int, o driver.Options) bool {
		if o.Relaxed && asksForLastDigits(list[i]) {
			return false
		}
		if o.Relaxed {
			return emitted(list[i], o) != emitted(list[i], driver.Options{Relaxed: true})
		}
		return emitted(list[i], o) != usual[i]()
	}
	known := knownSamples(t, list)
	found := make([][]string, len(variants))
	if *update {
		known = nil
		t.Cleanup(func() { writeSamples(t, variants, found) })
	}
	run := func(t *testing.T, places []int, sample []Program) {
		for i, o := range k.Run(sample) {
			if want := wanted[places[i]](); !Agree(want, o) {
				assert.Equal(t, want.String(), o.String(), "%s without %s\n%s", sample[i].Name, variantName(*sample[i].Variant), sample[i].Source)
			}
		}
	}
	everyPlace := make([][]int, len(variants))
	everySample := make([][]Program, len(variants))
	look := func(t *testing.T, v int) {
		o, tried := variants[v], map[int]bool{}
		name := variantName(o)
		for _, i := range slices.Concat(known[name], scattered(len(list), v*len(list)/len(variants))) {
			enough := len(found[v]) == sampleSize || !*update && len(found[v]) > 0 && len(tried) >= lookLimit
			if enough && !sampling.All() {
				break
			}
			if !tried[i] && changes(i, o) {
				p := list[i]
				p.Variant = &o
				everyPlace[v], everySample[v], found[v] = append(everyPlace[v], i), append(everySample[v], p), append(found[v], digest(p))
			}
			tried[i] = true
		}
		assert.NotEmpty(t, found[v], "%s changes no program", name)
	}
	if !sampling.All() { // programs of all variants share translation units
		atOnce(len(variants), func(v int) { look(t, v) })
		run(t, slices.Concat(everyPlace...), slices.Concat(everySample...))
		return
	}
	for v, o := range variants {
		t.Run(variantName(o), func(t *testing.T) {
			t.Parallel()
			look(t, v)
			run(t, everyPlace[v], everySample[v])
			everySample[v] = nil
		})
	}
}

// scattered returns the numbers 0 … n-1, beginning at first, those that follow
// each other far apart.
func scattered(n, first int) []int {
	stride := 37
	if n%stride == 0 { // it would not come to all
		stride = 41
	}
	order := make([]int, n)
	for j := range order {
		order[j] = (j*stride + first) % n
	}
	return order
}

// variantName returns the name of a variant of the compiler.
func variantName(o driver.Options) string {
	if o.Level0 {
		return "O0"
	}
	return o.Skip[0]
}

// digest tells programs apart.
func digest(p Program) string {
	sum := sha256.Sum256([]byte(p.Source))
	return hex.EncodeToString(sum[:5])
}

// knownSamples returns the places in list of the programs of samplesFile.
func knownSamples(t *testing.T, list []Program) map[string][]int {
	t.Helper()
	text, err := os.ReadFile(samplesFile)
	require.NoError(t, err)
	at := map[string]int{}
	for i, p := range list {
		at[digest(p)] = i
	}
	known := map[string][]int{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		for _, d := range fields[1:] {
			if i, ok := at[d]; ok {
				known[fields[0]] = append(known[fields[0]], i)
			}
		}
	}
	return known
}

// writeSamples writes samplesFile. Every variant has to have been tested.
func writeSamples(t *testing.T, variants []driver.Options, found [][]string) {
	t.Helper()
	var b strings.Builder
	for v, o := range variants {
		fmt.Fprintln(&b, variantName(o), strings.Join(found[v][:min(sampleSize, len(found[v]))], " "))
	}
	require.NoError(t, os.WriteFile(samplesFile, []byte(b.String()), 0o644))
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
	own, _ := suite(t, programs.Own)
	list = append(list, own...)
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
