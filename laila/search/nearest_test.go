package search_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestNearest says which places are found by approximate distances: those of
// the least of sums of squares of differences that nothing else reads.
func TestNearest(t *testing.T) {
	const data = "n←⍎'1000' ⋄ p←(n,4)⍴÷⍳4×n ⋄ c←9 4⍴÷⍳36\n"
	cases := []struct {
		source string
		calls  int
	}{
		{"{⍵⍳⌊/⍵}⍤1⊢p+.{(⍺-⍵)*2}⍉c", 1},
		{"{⊃⍋⍵}⍤1⊢0.5*⍨p+.{(⍵-⍺)*2}⍉c", 1},
		{"far←p+.{(⍺-⍵)*2}⍉c ⋄ least←⌊/far\n1++/∧\\far≠⍉(9,n)⍴least", 1},
		{"{x←⍵ ⋄ d←+/(c-(9,⍴x)⍴x)*2 ⋄ d⍳⌊/d}⍤1⊢p", 1},
		{"{x←⍵ ⋄ ⊃⍋{+/(⍵-x)*2}⍤1⊢c}⍤1⊢p", 1},
		{"far←p+.{(⍺-⍵)*2}⍉c ⋄ least←⌊/far\n(+/least),1++/∧\\far≠⍉(9,n)⍴least", 0}, // the distances are read
		{"{⎕←⍵[1] ⋄ ⍵⍳⌊/⍵}⍤1⊢p+.{(⍺-⍵)*2}⍉c", 0},                                   // so is each row
		{"{⊃⍒⍵}⍤1⊢p+.{(⍺-⍵)*2}⍉c", 0},                                              // the farthest
		{"{⍵⍳⌊/⍵}⍤1⊢p+.{|⍺-⍵}⍉c", 0},                                               // of another kind
		{"{⍵⍳⌊/⍵}⍤1⊢p+.{(⍺-⍵)*2}⍉2↑c", 0},                                          // too few
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, data+c.source).String()
		require.Equal(t, c.calls, strings.Count(out, "run-time nearest"), "%s\n%s", c.source, out)
		require.NotContains(t, lowertest.Optimised(t, data+c.source, "nearest").String(), "run-time nearest")
	}
}
