package laila_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLanes says which nests run in groups of lanes: those with small arrays,
// short loops or costly branches, but not those whose loops are vector code by
// themselves.
func TestLanes(t *testing.T) {
	cases := []struct {
		source string
		groups bool
	}{
		{"+/{w←⍵×1 2 3 ⋄ w[2]←w[1]+w[3] ⋄ ⌈/w}¨⍳100", true},
		{"+/{w←⍵×1 2 3 ⋄ w[2]←w[1]+w[3] ⋄ ⌈/w}¨⍳20", false},          // too few
		{"+/{⍵>3:⍟⍵+(⍵*÷3)×*-⍵ ⋄ (*⍵)+(1-⍵)*0.2}¨0.5×⍳100", true},    // costly branches
		{"+/{⍵>3:⍵ ⋄ -⍵}¨0.5×⍳100", false},                           // a selection
		{"x←100 100⍴⍳7\n+/x", false},                                 // rows are read in order
		{"x←100 3⍴0.5×⍳7\n+/x×x", false},                             // lanes would be 3 apart
		{"+/{⍵>3:3○⍟⍵+(⍵*÷3)×*-⍵ ⋄ (*⍵)+(1-⍵)*0.2}¨0.5×⍳100", false}, // a function without vector code
	}
	for _, c := range cases {
		out := optimised(t, c.source).String()
		require.Equal(t, c.groups, strings.Contains(out, "var base"), "%s\n%s", c.source, out)
		require.NotContains(t, optimised(t, c.source, "lanes").String(), "var base")
	}
}

// TestCounted says which recursions become loops over a range.
func TestCounted(t *testing.T) {
	cases := []struct {
		source  string
		counted bool
	}{
		{"1{⍺>5:⍵ ⋄ (⍺+1)∇⍵+⍺}?9", true},
		{"1{5<⍺:⍵ ⋄ (1+⍺)∇⍵+⍺}?9", true},
		{"1{⍺≤5:(⍺+1)∇⍵+⍺ ⋄ ⍵}?9", true},
		{"1{⍺>5:⍵ ⋄ (⍺+2)∇⍵+⍺}?9", false},
		{"1{⍺>5:⍵+1 ⋄ (⍺+1)∇⍵+⍺}?9", true}, // the branch that ends gives what is no state
		{"1{⍺>⍵:⍵ ⋄ (⍺+1)∇⍵-1}?9", false},  // the limit changes
	}
	for _, c := range cases {
		out := optimised(t, c.source)
		require.Equal(t, !c.counted, strings.Contains(out.String(), "break if"), "%s\n%s", c.source, out)
	}
}

// TestIndices says which tests of indices stop the program at once: those of
// nests that are run in order where one of them fails, and those that must.
func TestIndices(t *testing.T) {
	cases := []struct {
		source string
		noted  bool
	}{
		{"i←1+1009|7×⍳9000\nx←⍳⌊/i+5\n+/x[i]", true},
		{"i←1+1009|7×⍳9000\nx←⍳⌊/i+5\n{x[⍵]}¨i", true},
		{"i←1+1009|7×⍳9000\nx←⍳⌊/i+5\nx[i]←9\nx", false}, // places that are written to
		{"i←5+1009|7×⍳9000\nx←⍳⌊/i\n+/x[i]", false},      // 1 is no such index
		{"i←1+9|7×⍳30\nx←⍳⌊/i+5\n+/x[i]", false},         // few
	}
	for _, c := range cases {
		out := optimised(t, c.source).String()
		require.Equal(t, c.noted, strings.Contains(out, "var wrong"), "%s\n%s", c.source, out)
		require.NotContains(t, optimised(t, c.source, "indices").String(), "var wrong")
	}
}
