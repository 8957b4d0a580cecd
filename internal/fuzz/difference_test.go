package fuzz

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/golden"
)

// batch is the number of programs that are compiled at a time, and itemBatch that of
// programs over nested vectors, whose C is long.
const (
	batch     = 96
	itemBatch = 24
)

// maxShrink bounds the attempts to shrink a program, each of which compiles C.
const maxShrink = 300

// TestNoDifference runs generated programs through the evaluator, before and
// after optimisation, C, and the host's part for OpenCL, or a device where
// FUZZOPENCL asks for it. FUZZTIME says for how long; FUZZSEED is the first
// seed, by default 1 for a short run and the time of day for a long one.
// FUZZRELAXED compiles to C with --relaxed; last digits that decide something then
// make differences that are none.
func TestNoDifference(t *testing.T) { noDifference(t, Generate, batch) }

// TestItems is TestNoDifference for nested vectors, which the interpreter runs, too.
func TestItems(t *testing.T) {
	noDifference(t, func(seed int64) *Program {
		p := GenerateItems(seed)
		sameInterpreted(t, p, seed, itemsDiffer)
		return p
	}, itemBatch)
}

// noDifference compares the routes on the programs that generate makes of seeds, a
// batch at a time.
func noDifference(t *testing.T, generate func(seed int64) *Program, batch int64) {
	limit, seed := time.Duration(0), int64(1)
	if s := os.Getenv("FUZZTIME"); s != "" {
		d, err := time.ParseDuration(s)
		require.NoError(t, err)
		limit, seed = d, time.Now().UnixNano()%1e12
	}
	if s := os.Getenv("FUZZSEED"); s != "" {
		_, err := fmt.Sscan(s, &seed)
		require.NoError(t, err)
	}
	k, err := golden.NewBackend(driver.C)
	if err != nil {
		t.Log("without C: ", err)
		k = nil
	} else {
		k.Cache = &driver.Cache{Dir: t.TempDir()}
		k.Options.Relaxed = os.Getenv("FUZZRELAXED") != ""
	}
	d := openDevices(t)
	t.Logf("the first seed is %d", seed)
	start, ran, total := time.Now(), int64(0), census{}
	for {
		ran += batch
		total.add(compare(t, k, d, seed, batch, generate))
		seed += batch
		if t.Failed() || time.Since(start) >= limit {
			break
		}
	}
	t.Logf("%d programs, of which %d end with a fault and C refuses %d by name", ran, total.faults, total.refused)
}

// census counts programs that end with a fault, and that C refuses.
type census struct{ faults, refused int }

func (t *census) add(u census) {
	t.faults += u.faults
	t.refused += u.refused
}

// compare runs a batch of programs through all routes.
func compare(t *testing.T, k *golden.Backend, d *devices, seed, batch int64, generate func(seed int64) *Program) (total census) {
	var programs []*Program
	var list []golden.Program
	for i := int64(0); i < batch; i++ {
		p := generate(seed + i)
		programs, list = append(programs, p), append(list, asProgram(p))
	}
	var compiled []golden.Outcome
	if k != nil {
		compiled = k.Run(list)
	}
	for i, p := range list {
		want := golden.Evaluate(p)
		if want.Status != driver.ExitDone {
			total.faults++
		}
		if want.Status == driver.ExitInternal {
			report(t, programs[i], seed+int64(i), func(q *Program) bool {
				return golden.Evaluate(asProgram(q)).Status == driver.ExitInternal
			}, nil)
			continue
		}
		optimised := golden.EvaluateOptimised(p)
		if !golden.Agree(want, optimised) {
			report(t, programs[i], seed+int64(i), func(q *Program) bool {
				return !golden.Agree(golden.Evaluate(asProgram(q)), golden.EvaluateOptimised(asProgram(q)))
			}, nil)
			continue
		}
		d.compare(t, programs[i], seed+int64(i), want)
		if k != nil && refused(compiled[i]) {
			total.refused++
			continue
		}
		if k != nil && !golden.Agree(want, compiled[i]) {
			left := maxShrink
			report(t, programs[i], seed+int64(i), func(q *Program) bool {
				left--
				if left <= 0 {
					return false
				}
				got := k.Run([]golden.Program{asProgram(q)})[0]
				return !refused(got) && !golden.Agree(golden.Evaluate(asProgram(q)), got)
			}, k)
		}
	}
	return total
}

// refused reports whether C names what it does not compile.
func refused(o golden.Outcome) bool {
	return o.Status == driver.ExitSource && strings.Contains(o.Stderr, "NOT SUPPORTED")
}

func asProgram(p *Program) golden.Program {
	return golden.Program{Name: "fuzz.apl", Source: p.Text()}
}

// report fails the test with the smallest program that fails.
func report(t *testing.T, p *Program, seed int64, fails func(*Program) bool, k *golden.Backend) {
	t.Helper()
	if fails(p) {
		p = Shrink(p, fails)
	}
	q := asProgram(p)
	text := fmt.Sprintf("seed %d\n%s\nevaluator: %v\noptimised: %v", seed, p.Text(), golden.Evaluate(q), golden.EvaluateOptimised(q))
	if k != nil {
		text += fmt.Sprintf("\nC:         %v", k.Run([]golden.Program{q})[0])
	}
	t.Error(text)
}
