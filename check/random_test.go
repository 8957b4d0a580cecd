package check

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
)

// generator writes expressions of ⍺ and ⍵, most of which stop for some arguments.
type generator struct{ *rand.Rand }

func (g generator) of(all ...string) string { return all[g.IntN(len(all))] }

func (g generator) expr(depth int) string {
	if depth == 0 {
		return g.of("⍵", "⍵", "⍺", "(≢⍵)", "2", "0", "1", "(⍳≢⍵)", "(⍴⍺)")
	}
	x, y := g.expr(g.IntN(depth)), g.expr(depth-1)
	switch g.IntN(12) {
	case 0, 1, 2:
		return "(" + g.of("⍳|", "⌽", ",", "≢", "⍴", "-", "|", "+/", "⌈/", "+\\", "⍋", "∪", "⊃", "2-/", "⍳", "⍉", "⌊/", "1∘↓", "⍸0<", "~2|") + y + ")"
	case 3:
		return y + "[" + x + "]"
	case 4:
		return "{" + x + g.of("<", "=", "≥") + "0:" + y + " ⋄ " + g.of("⍵", "0", x) + "}⍵"
	case 5:
		return "({" + y + "}⍣" + g.of("2", "(0⌈"+g.of("⍺", "≢⍵")+")") + ")" + x
	}
	return "(" + x + g.of("+", "×", "⌊", "⌈", "↑", "↓", "⍴", "/", "⌷", "⊃", ",", "⍪", "∘.+", "+.×", "⌽", "∊", "⍳", "=", "|", "-") + y + ")"
}

var (
	randomClaims = flag.Int("random", 10, "how many random functions TestRandomClaims annotates")
	firstClaim   = flag.Int("first", 0, "the number of the first one")
)

// TestRandomClaims attacks proofs of claims about random functions.
func TestRandomClaims(t *testing.T) {
	proved := 0
	for seed := *firstClaim; seed < *firstClaim+*randomClaims; seed++ {
		g := generator{rand.New(rand.NewPCG(uint64(seed), 7))}
		body := g.expr(3)
		params := g.of("int → <int>n", "<int>n → <int>m", "<int>n → <int>n", "<int>n → [n,m]int", "int → <double>n+1")
		for _, result := range []string{"[_]0", "[_]1", "[_]2", "<_>n", "<_>k+1", "<bool>n", "[n,k]_", "[k,k]int", "bool"} {
			source := fmt.Sprintf("f←{%s} ⍝: %s → %s", body, params, result)
			tree, err := apl.Parse(diag.NewSource("a", source+"\n"))
			require.NoError(t, err, source)
			r := Program(tree, infer.Options{})
			if len(r.Reports) == 1 && r.Reports[0].Verdict() <= infer.Conditional {
				proved++
				newClaim(t, source).proved(t, fmt.Sprint("seed ", seed, " ", source), r.Reports[0])
			}
		}
	}
	t.Logf("%d proved", proved)
}
