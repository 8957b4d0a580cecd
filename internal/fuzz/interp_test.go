package fuzz

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/golden"
	"github.com/tailor-lang/tailor/internal/sampling"
)

// interpreted is the number of programs that TestInterpreted runs, or takes a
// sample of.
const interpreted = 2000

// TestInterpreted runs programs in the interpreter and in the evaluator of TAIL,
// which share the scalar functions only.
func TestInterpreted(t *testing.T) {
	for seed := int64(1); seed <= interpreted; seed++ {
		if !sampling.Keep(fmt.Sprint(seed), 8) {
			continue
		}
		sameInterpreted(t, Generate(seed), seed, unlike)
	}
}

// sameInterpreted fails the test with the smallest program like p for which differs holds.
func sameInterpreted(t *testing.T, p *Program, seed int64, differs func(golden.Program) bool) {
	t.Helper()
	if !differs(asProgram(p)) {
		return
	}
	p = Shrink(p, func(q *Program) bool { return differs(asProgram(q)) })
	q := asProgram(p)
	t.Errorf("seed %d\n%s\nevaluator: %v\ninterpreter: %v", seed, p.Text(), golden.Evaluate(q), golden.Interpret(q))
}

// unlike reports whether the interpreter and the evaluator differ: in what a
// program prints, or in the name of its error. Where compiled code has a limit the
// interpreter goes on.
func unlike(p golden.Program) bool {
	if strings.Contains(p.Source, "⎕←(") || strings.Contains(p.Source, "?") {
		return false // functions with effects may be called in another order, or for a prototype
	}
	return differ(p)
}

// differ is unlike for any program.
func differ(p golden.Program) bool {
	want := golden.Evaluate(p)
	if want.Status == driver.ExitInternal || limited(want.Stderr) {
		return false
	}
	got := golden.Interpret(p)
	if want.Status == driver.ExitDone {
		return got.Status != driver.ExitDone || !golden.Agree(want, got)
	}
	return got.Status == driver.ExitDone || errorName(want.Stderr) != errorName(got.Stderr)
}

// itemsDiffer is differ for a program over nested vectors. Types of these have more limits,
// and compiling finds faults behind the reduction of no items.
func itemsDiffer(p golden.Program) bool {
	want := golden.Evaluate(p)
	for _, part := range []string{"empty nested", "branches of the guard", "each step of", "stands beside several"} {
		if strings.Contains(want.Stderr, part) {
			return false
		}
	}
	faults := want.Status != driver.ExitDone
	return !(faults && strings.Contains(golden.Interpret(p).Stderr, "empty axis")) && differ(p)
}

func limited(message string) bool {
	for _, part := range []string{"integer overflow", "is not real", "the prototype of", "empty axis", "NOT SUPPORTED", "LIMIT ERROR", "TYPE ERROR"} {
		if strings.Contains(message, part) {
			return true
		}
	}
	return false
}

// errorName returns the name of an error.
func errorName(message string) string {
	before, _, _ := strings.Cut(message, " ERROR")
	return before[strings.LastIndex(before, " ")+1:]
}
