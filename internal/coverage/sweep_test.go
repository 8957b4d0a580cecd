package coverage

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/golden"
)

// palette has arguments of every element type and rank, empty ones on each
// axis, single elements, and the ends of ranges.
var palette = []string{
	"0", "1", "¯1", "2", "3", "2.5", "¯0.5", "¯9223372036854775807", "'a'",
	"⍬", "''", "(0⍴0.5)", "(,1)", "(,¯2)", "(,'a')", "1 0 1", "0 0 1 1", "1 2 3", "3 1 2", "¯1 0 2", "1.5 ¯2 0", "'abc'", "'banana'",
	"(2 2⍴⍳4)", "(2 3⍴⍳6)", "(3 2⍴1 0 1)", "(2 3⍴0.5×⍳6)", "(2 3⍴'abcdef')", "(0 3⍴0)", "(3 0⍴0)", "(0 3⍴'a')", "(1 1⍴7)", "(1 3⍴⍳3)",
	"(2 2 2⍴⍳8)", "(2 3 2⍴0.5)", "(0 2 3⍴0)", "(2 1 3⍴1 0)",
}

// TestSweep applies the function glyphs to arguments of the palette, and
// compares the evaluator with the optimiser and with C. COVERAGE_SWEEP is the
// number of programs.
func TestSweep(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("COVERAGE_SWEEP"))
	if n == 0 {
		t.Skip("COVERAGE_SWEEP is not set")
	}
	seed, _ := strconv.ParseUint(os.Getenv("COVERAGE_SEED"), 10, 64)
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func() string { return palette[r.IntN(len(palette))] }
	var uses []func() string
	for _, g := range apl.Glyphs {
		glyph := g.Glyph
		if g.Class != apl.FunctionGlyph && g.Class != apl.HybridGlyph || glyph == "?" {
			continue
		}
		if g.Monadic != "" {
			uses = append(uses, func() string { return glyph + pick() })
		}
		uses = append(uses, func() string { return pick() + glyph + pick() }, func() string { return pick() + glyph + pick() },
			func() string { return pick() + glyph + pick() })
	}
	var programs []golden.Program
	for i := range n {
		text := uses[i%len(uses)]() + "\n"
		switch r.IntN(4) {
		case 0:
			text = "⍴" + text
		case 1: // an argument that is not constant
			text = "f←{⍵}\n" + text
		}
		programs = append(programs, golden.Program{Name: "case.apl", Source: text})
	}
	backend, err := golden.NewBackend(driver.C)
	if err != nil {
		t.Skip(err)
	}
	compiled := backend.Run(programs)
	failures, refusals := 0, map[string]string{}
	for i, p := range programs {
		o := golden.Evaluate(p)
		if strings.Contains(o.Stderr, "NOT SUPPORTED") {
			refusals[o.Stderr[:strings.Index(o.Stderr, "\n")]] = p.Source
		}
		wrong := ""
		if o.Status == 3 {
			wrong = fmt.Sprint("evaluator: ", o)
		} else if q := golden.EvaluateOptimised(p); !golden.Agree(o, q) {
			wrong = fmt.Sprintf("evaluator: %voptimised: %v", o, q)
		} else if !golden.Agree(o, compiled[i]) {
			wrong = fmt.Sprintf("evaluator: %vC: %v", o, compiled[i])
		}
		if wrong != "" {
			failures++
			t.Errorf("%s%s", p.Source, wrong)
		}
	}
	for message, source := range refusals {
		t.Logf("%s: %s", strings.TrimSpace(source), message)
	}
	t.Logf("%d programs, %d differ", n, failures)
}
