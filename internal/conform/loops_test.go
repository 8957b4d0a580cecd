package conform

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/fuzz"
	"github.com/tailor-lang/tailor/internal/golden"
	"github.com/tailor-lang/tailor/internal/programs"
	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/laila/ir"
)

// TestLoopsAreWellFormed lowers a sample of the programs, or all there are, with
// the checker of loops after each pass: one in 4 for CPUs, one in 16 for both
// schedules of devices, too, where what the host does is checked as well.
func TestLoopsAreWellFormed(t *testing.T) {
	for name, sources := range corpus(t, programs.Test, programs.Bench) {
		t.Run(name, func(t *testing.T) {
			wrong := make([]string, len(sources))
			atOnce(len(sources), func(i int) {
				targets := loopTargets
				if !sampling.Keep(sources[i], 32) {
					targets = targets[:1]
				}
				if !sampling.Keep(sources[i], 8) {
					return
				}
				wrong[i] = illFormed(sources[i], targets)
			})
			for i, w := range wrong {
				if w != "" {
					t.Errorf("%s\n%s", strings.TrimSpace(sources[i]), w)
				}
			}
		})
	}
}

// fuzzed is the number of generated programs that are lowered.
const fuzzed = 200

// corpus returns the sources of all programs, by the files that they are in; sizes are
// those of testdata/programs.
func corpus(t *testing.T, sizes ...programs.Size) map[string][]string {
	all := map[string][]string{}
	for _, file := range files(t, "expr") {
		cases, err := Expressions(file)
		require.NoError(t, err)
		for _, c := range cases {
			all[filepath.Base(file)] = append(all[filepath.Base(file)], c.Source)
		}
	}
	for _, file := range files(t, "errors") {
		faults, err := Faults(file)
		require.NoError(t, err)
		for _, f := range faults {
			all["errors"] = append(all["errors"], f.Source)
		}
	}
	cases, err := golden.ReadCases("../../testdata/tests")
	require.NoError(t, err)
	for _, c := range cases {
		all["tests"] = append(all["tests"], c.Program.Source)
	}
	names, err := programs.Names("../../testdata/programs")
	require.NoError(t, err)
	for _, name := range names {
		for _, size := range sizes {
			p, err := programs.Read("../../testdata/programs", name, size)
			require.NoError(t, err)
			all["programs"] = append(all["programs"], p.Source)
		}
	}
	for seed := range int64(fuzzed) {
		all["fuzz"] = append(all["fuzz"], fuzz.Generate(seed).Text())
	}
	return all
}

// atOnce calls do for every number below n, as many at once as there are cores.
func atOnce(n int, do func(i int)) {
	var wait sync.WaitGroup
	places := make(chan struct{}, runtime.NumCPU())
	for i := range n {
		wait.Add(1)
		places <- struct{}{}
		go func() {
			defer wait.Done()
			do(i)
			<-places
		}()
	}
	wait.Wait()
}

// loopTargets are the ways in which loops are made.
var loopTargets = []driver.Options{
	{Target: driver.C},
	{Target: driver.C, Relaxed: true},
	{Target: driver.OpenCL, Device: clgen.Options{Schedule: clgen.Groups}},
	{Target: driver.OpenCL, Device: clgen.Options{Schedule: clgen.Chunks}},
}

// illFormed returns what is wrong with the loops of a program for one of the
// targets, "" where nothing is, or the program is refused.
func illFormed(source string, targets []driver.Options) string {
	for _, o := range targets {
		if err := wellFormed(source, o); err != nil && strings.Contains(err.Error(), "internal error") {
			return fmt.Sprintf("target %s, relaxed %v: %v", o.Target, o.Relaxed, err)
		}
	}
	return ""
}

// TestTextOfLoops says that the text form of loops is read as what was written, for
// a sample of the programs.
func TestTextOfLoops(t *testing.T) {
	for name, sources := range corpus(t, programs.Test, programs.Bench) {
		t.Run(name, func(t *testing.T) {
			atOnce(len(sources), func(i int) {
				if !sampling.Keep(sources[i], 8) {
					return
				}
				p, err := driver.New(diag.NewSource("case.apl", sources[i]), driver.Options{Target: driver.C}).Loops()
				if err != nil {
					return
				}
				text := p.Text()
				again, err := ir.Parse(text)
				if !assert.NoError(t, err, "%s\n%s", sources[i], text) {
					return
				}
				assert.Equal(t, text, again.Text(), sources[i])
				assert.NoError(t, ir.Check(again), sources[i])
			})
		})
	}
}

func wellFormed(source string, o driver.Options) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	o.Verify = true
	c := driver.New(diag.NewSource("case.apl", source), o)
	if o.Target != driver.OpenCL {
		_, err := c.Loops()
		return err
	}
	plan, err := c.Plan(o.Device)
	if err != nil {
		return err
	}
	return ir.Check(plan.Host())
}
