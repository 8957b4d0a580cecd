package arith_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestSelections says which sums of numbers times truth values become
// selections: those of which the condition of the step keeps both finite.
func TestSelections(t *testing.T) {
	cases := []struct {
		source  string
		selects bool
	}{
		{"c←0.1×⍳99\n+/({in←4≥⍵×⍵ ⋄ (in×c+⍵×⍵)+⍵×~in}⍣9)0×c", true},
		{"c←0.1×⍳99\n+/({in←4≥|⍵ ⋄ (⍵×~in)+(c+⍵×⍵)×in}⍣9)0×c", true},
		{"c←0.1×⍳99\n+/({in←4≥⍵ ⋄ (in×c+⍵×⍵)+⍵×~in}⍣9)0×c", false},   // below, nothing bounds it
		{"c←0.1×⍳99\n+/({in←4≥⍵×⍵ ⋄ (in×-⍵×⍵)+⍵×~in}⍣9)0×c", false},  // ¯0
		{"c←0.1×⍳99\n+/({in←4≥⍵×⍵ ⋄ (in×c+⍵×⍵)+⍵×in}⍣9)0×c", false},  // no opposites
		{"c←0.1×⍳99\n+/({in←4≥c×c ⋄ (in×c+⍵×⍵)+⍵×~in}⍣9)0×c", false}, // of something else
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.selects, strings.Contains(out, "? "), "%s\n%s", c.source, out)
		require.NotContains(t, lowertest.Optimised(t, c.source, "selections").String(), "? ")
	}
}

// TestTwice says which numbers are added twice by one operation: those that are
// bounded where sums become selections.
func TestTwice(t *testing.T) {
	cases := []struct {
		step  string
		twice bool
	}{
		{"in←4≥⍵×⍵ ⋄ (in×c+2×⍵×⍵)+⍵×~in", true},
		{"in←4≥⍵×⍵ ⋄ (in×c-2×⍵×⍵)+⍵×~in", true},
		{"in←4≥⍵×⍵ ⋄ (in×(2×⍵×⍵)+c)+⍵×~in", true},
		{"in←4≥⍵×⍵ ⋄ (in×(2×⍵)-c)+⍵×~in", false},
		{"in←4≥⍵×⍵ ⋄ (in×c+3×⍵×⍵)+⍵×~in", false},
		{"c+2×⍵×⍵", false}, // without bounds
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, "c←0.1×⍳99\n+/({"+c.step+"}⍣9)0×c").String()
		require.Equal(t, c.twice, strings.Contains(out, "tl_twice("), "%s\n%s", c.step, out)
	}
}

// TestStepCounts says which elements of doubles are counted in integers.
func TestStepCounts(t *testing.T) {
	cases := []struct {
		source string
		counts bool
	}{
		{"c←0.1×⍳99\n+/⊃⌽({(a k)←⍵ ⋄ (c+a×a)(k+4≥a)}⍣9)(0×c)(99⍴0)", true},
		{"c←0.1×⍳99\n+/⊃⌽({(a k)←⍵ ⋄ (c+a×a)(k+0.5)}⍣9)(0×c)(99⍴0)", false},
		{"c←0.1×⍳99\n+/⊃⌽({(a k)←⍵ ⋄ (c+a×a)(k+4≥a)}⍣9)(0×c)c", false}, // from elsewhere
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.counts, strings.Contains(out, "i8[99]"), "%s\n%s", c.source, out)
	}
}
