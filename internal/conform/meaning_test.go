package conform

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/golden"
	"github.com/tailor-lang/tailor/internal/programs"
	"github.com/tailor-lang/tailor/internal/sampling"
)

// TestLoopsInterpreted compares the loops of programs with the evaluator: their
// interpreter runs them for all targets, and for some programs after every pass that
// changed them.
func TestLoopsInterpreted(t *testing.T) {
	for name, sources := range corpus(t, programs.Test) {
		t.Run(name, func(t *testing.T) {
			wrong := make([]string, len(sources))
			atOnce(len(sources), func(i int) {
				if sampling.Keep(sources[i], 8) {
					wrong[i] = loopsDiffer(sources[i], sampling.Keep(sources[i], 64))
				}
			})
			for i, w := range wrong {
				if w != "" {
					t.Errorf("%s\n%s", strings.TrimSpace(sources[i]), w)
				}
			}
		})
	}
}

// loopsDiffer returns where the loops of a program do something else than the evaluator, ""
// where they do not. Each asks for all targets, and for what every pass leaves.
func loopsDiffer(source string, each bool) string {
	p := golden.Program{Name: "case.apl", Source: source}
	want := golden.Evaluate(p)
	if want.Status == driver.ExitSource {
		return ""
	}
	targets := loopTargets
	if !each {
		targets = targets[:1]
	}
	for _, o := range targets {
		if o.Relaxed {
			continue
		}
		outcomes := golden.InterpretLoopPasses(p, o, each)
		for _, got := range outcomes {
			refused := got.Status == driver.ExitSource && strings.Contains(got.Stderr, "NOT SUPPORTED")
			if !refused && !golden.Agree(want, got.Outcome) {
				return fmt.Sprintf("target %s, schedule %d, after %s\nevaluator:\n%vloops:\n%v", o.Target, o.Device.Schedule, got.Pass, want, got.Outcome)
			}
		}
	}
	return ""
}
