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

// late has arguments whose shapes only a run tells; k is 0.
var late = []string{
	"(k↑1 2 3)", "((k+1)↑,5)", "((k+3)↑1 2 3)", "((k+1)↑0.5)", "((k+1)↑'a')", "(k↑'abc')", "((k+4)↑'abc')", "((k=1 0 1)/1 2 3)", "((k=1 0)/1 0)",
	"((k+2 3)⍴⍳6)", "((k+1 3)⍴⍳3)", "((k+3 1)⍴1.5)", "((k+1 1)⍴4)", "((k+0 3)⍴1)", "((k+2 2)⍴1 0 1)", "((k+2 1 3)⍴⍳6)", "(k+1)", "(k=0)",
}

// sweepForms are other forms: X and Y stand for arguments, K for an axis.
var sweepForms = []string{
	"+/[K]Y", "⌈\\[K]Y", "-\\Y", "×⍀Y", "⌊⌿Y", "=/Y", "2+/Y", "¯2-⌿Y", "2×/[K]Y", "⌽[K]Y", "X⌽[K]Y", "X⊖[K]Y", ",[K]Y", "X,[K]Y", "X⍪[K]Y",
	"X/[K]Y", "X\\[K]Y", "X↑[K]Y", "X↓[K]Y", "X⌷[K]Y", "X+[K]Y", "X≤[K]Y", "Y[X]", "Y[X;X]", "Y[;X]", "Y[X;]", "X∘.+Y", "X∘.=Y", "X+.×Y", "X∧.=Y",
	"m←Y ⋄ m[X]←1 ⋄ m", "m←Y ⋄ m[1;]←X ⋄ m", "m←Y ⋄ m[;1]←X ⋄ m", "m←Y ⋄ (,m)←X ⋄ m", "m←Y ⋄ (2↑m)←X ⋄ m", "m←Y ⋄ (1↓m)←X ⋄ m", "m←Y ⋄ (⌽m)←X ⋄ m",
	"m←Y ⋄ (⍉m)←X ⋄ m", "m←Y ⋄ (1 1⍉m)←X ⋄ m", "m←Y ⋄ (⊃m)←X ⋄ m", "m←Y ⋄ (1⌷m)←X ⋄ m", "m←Y ⋄ (1 0/m)←X ⋄ m", "m←Y ⋄ m[2]+←X ⋄ m",
	"⎕UCS Y", "⎕C Y", "⎕DR Y", "(⌽⍤1)Y", "(+/⍤1)Y", "X(+⍤1)Y", "⍋Y", "(⍋Y)≡⍒-Y", "Y[⍋Y]", "Y[⍋Y;]", "X{⍺,⍵}Y", "{⍵[1]←1 ⋄ ⍵}Y", "∪Y", "X∘.(|)Y", "⌽⍉Y", "1↓¯1⌽Y",
	"(⍴Y)⍴⌽,Y", "+/,Y", "⌈/⌊/Y", "(≢Y)↑Y", "Y≡⌽⌽Y", "(X⍳Y)∊⍳5", "Y,⌽Y", "Y⍪Y", "↑Y X", "⊃Y X", "≢Y X", "∊Y X", "Y[1]", "(-@1)Y", "0@1⊢Y", "(+⍨)Y", "X-⍨Y",
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
	pick := func() string {
		if r.IntN(3) == 0 {
			return late[r.IntN(len(late))]
		}
		return palette[r.IntN(len(palette))]
	}
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
	for _, form := range sweepForms {
		uses = append(uses, func() string {
			text := strings.ReplaceAll(form, "X", pick())
			return strings.ReplaceAll(strings.ReplaceAll(text, "Y", pick()), "K", []string{"1", "2", "3", "1.5", "0.5"}[r.IntN(5)])
		})
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
		if strings.Contains(text, "k") {
			text = "k←(?1)-1\n" + text
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
		if strings.Contains(o.Stderr, "LIMIT ERROR") {
			continue // when memory is short is not the same everywhere
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
