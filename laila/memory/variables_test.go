package memory_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestVariables says which arrays that change hands become variables: small ones
// of known extents, all of whose places are constants.
func TestVariables(t *testing.T) {
	cases := []struct {
		source string
		arrays bool
	}{
		{"{x y k←⍵ ⋄ k≥20:x ⋄ ∇ y (x+y) (k+1)}0.5 1 0", false},
		{"⊃{⍵[2],+/⍵}⍣50⊢0 1.5", false},
		{"⊃({1⌽⍵}⍣5)0.5×⍳3", false},
		{"⊃({1⌽⍵}⍣5)0.5×⍳30", true},                           // too many
		{"⊃({w←⍵ ⋄ w[?3]←9 ⋄ ⌽w}⍣5)0.5×⍳3", true},             // a place that a run knows
		{"{x y k←⍵ ⋄ k≥20:⍵ ⋄ ∇ y (x+y) (k+1)}0.5 1 0", true}, // the array is the result
		{"{1⌽⍵}⍣5⊢0.5×⍳3", true},                              // passed on
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source, "inplace").String()
		require.Equal(t, c.arrays, strings.Contains(out, "swap"), "%s\n%s", c.source, out)
		require.Contains(t, lowertest.Optimised(t, c.source, "variables", "inplace").String(), "swap")
	}
}

// TestBreaks says that loops end where that is decided.
func TestBreaks(t *testing.T) {
	const source = "0{⍵>1E9:⍺ ⋄ ⍵<3:¯5 ⋄ (⍺+1)∇2×⍵}0.5×?9"
	require.Equal(t, 2, strings.Count(lowertest.Optimised(t, source).String(), "break if 1"))
	require.NotContains(t, lowertest.Optimised(t, source, "breaks").String(), "break if 1")
}
