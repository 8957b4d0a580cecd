package loop_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
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
		{"x←100 50⍴0.5×⍳7\n+/{⍺+0.5×1-⍵}/x", true},                   // rows are recurrences
		{"x←100 50⍴0.5×⍳7\n⌈/x", false},
		{"x←?1000⍴0\nx[3]←2\n+/|x-0,¯1↓x", false}, // a branch of the first term
		{"x←(-9+7|(⍳30000)*2),30000 15⍴900|⌊(1000003|(⍳450000)*2)÷13\n+/{f←⍵ ⋄ {⍵-(+/f÷(1+⍵)*⍳16)÷+/f×⍵*⍳16}⍣3⊢0.1}⍤1⊢x", true}, // an array of two pieces
		{"w←100 12⍴+\\7|(⍳1200)*2\nf←{x←⍺ ⋄ y←⍵ ⋄ {i r←⍵ ⋄ i>12:⊃⌽r ⋄ ∇(i+1)(⌊\\r+y≠x[i])}1(⍳12)}\n+/(¯1↓w)f⍤1⊢1↓w", true},      // rows are read again and again
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.groups, strings.Contains(out, "var base"), "%s\n%s", c.source, out)
		require.NotContains(t, lowertest.Optimised(t, c.source, "lanes").String(), "var base")
	}
}

// TestStaged says that lanes copy the places that they read often, and only these.
func TestStaged(t *testing.T) {
	cases := []struct {
		source string
		rows   bool
	}{
		{"w←100 12⍴+\\7|(⍳1200)*2\nf←{x←⍺ ⋄ y←⍵ ⋄ {i r←⍵ ⋄ i>12:⊃⌽r ⋄ ∇(i+1)(⌊\\r+y≠x[i])}1(⍳12)}\n+/(¯1↓w)f⍤1⊢1↓w", true},
		{"w←100 12⍴+\\7|(⍳1200)*2\nf←{y←⍵ ⋄ {i r←⍵ ⋄ i>12:⊃⌽r ⋄ ∇(i+1)(⌊\\r+y[i])}1(⍳12)}\n+/f⍤1⊢w", false},
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.rows, strings.Contains(out, "stack row"), "%s\n%s", c.source, out)
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
		{"1{⍺=5:⍵ ⋄ (⍺+1)∇⍵+⍺}?9", true},
		{"1{⍺≠5:(⍺+1)∇⍵+⍺ ⋄ ⍵}?9", true},
		{"7{⍺=5:⍵ ⋄ (⍺+1)∇⍵+⍺}?9", false},    // away from the limit
		{"(?9){⍺=5:⍵ ⋄ (⍺+1)∇⍵+⍺}?9", false}, // perhaps
		{"5{⍺=0:⍵ ⋄ (⍺-1)∇⍵+⍺}?9", true},
		{"(?9){0=⍺:⍵ ⋄ (⍺-1)∇⍵+⍺}?9", true},
		{"5{⍺<1:⍵ ⋄ (⍺-1)∇⍵+⍺}?9", true},
		{"5{0≥⍺:⍵ ⋄ (¯1+⍺)∇⍵+⍺}?9", true},
		{"5{⍺>0:(⍺-1)∇⍵+⍺ ⋄ ⍵}?9", true},
		{"(?9){⍺>0:⍵ ⋄ (⍺-1)∇⍵+⍺}?9", false}, // never, or at once
		{"¯1{⍺=0:⍵ ⋄ (⍺-1)∇⍵+⍺}?9", false},
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source)
		require.Equal(t, !c.counted, strings.Contains(out.String(), "break if"), "%s\n%s", c.source, out)
	}
}

// TestSteps says which loops of a known number of steps have no variable that
// counts.
func TestSteps(t *testing.T) {
	cases := []struct {
		source string
		counts bool
	}{
		{"k←0\n{k+←1 ⋄ ⍵×0.5+k}⍣9⊢0.5×?9", true},
		{"k←?9\n{k-←3 ⋄ ⍵×0.5+k}⍣(?9)⊢0.5×?9\nk", true},
		{"k←0\n{k+←1+k ⋄ ⍵×0.5+k}⍣9⊢0.5×?9", false},
		{"k←0\n{k+←1000 ⋄ ⍵×0.5+k}⍣9⊢0.5×?9", false},
		{"k←0\n{⍵>1:⍵⊣k+←2 ⋄ k+←1 ⋄ ⍵×0.5+k}⍣9⊢0.5×?9", false},
	}
	for _, c := range cases {
		mutable := func(out string) bool { return strings.Contains(out, "var s_2: i64") }
		require.Equal(t, !c.counts, mutable(lowertest.Optimised(t, c.source).String()), "%s\n%s", c.source, lowertest.Optimised(t, c.source))
		require.True(t, mutable(lowertest.Optimised(t, c.source, "steps").String()), "%s\n%s", c.source, lowertest.Optimised(t, c.source, "steps"))
	}
}

// TestBranchesInPlace says that an array that both branches of a conditional
// change, or one of them, is changed in place unless it is needed as it was.
func TestBranchesInPlace(t *testing.T) {
	cases := []struct {
		source string
		copied bool
	}{
		{"a←9⍴0.5 ⋄ {a[1]>1:0⊣a[⍵]←3 ⋄ a[⍵]+←2 ⋄ 0}¨⍳9\na", false},
		{"a←9⍴0.5 ⋄ {a[1]>1:0⊣a[⍵]←3 ⋄ 0}¨⍳9\na", false},
		{"a←9⍴0.5 ⋄ {a[1]>1:0⊣a[⍵]←3 ⋄ ⍵>3:0⊣a[⍵]←5 ⋄ a[2]+←2 ⋄ 0}¨⍳9\na", false},
		{"a←9⍴0.5 ⋄ {b←a ⋄ a[1]>1:+/b⊣a[⍵]←3 ⋄ a[⍵]+←2 ⋄ 0}¨⍳9\na", true},
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.copied, strings.Contains(out, "copy"), "%s\n%s", c.source, out)
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
		{"i←1+1009|7×⍳9000\nx←⍳⌊/i+5\nx[i]←9\nx", true},
		{"i←5+1009|7×⍳9000\nx←⍳⌊/i\n+/x[i]", false}, // 1 is no such index
		{"i←1+9|7×⍳30\nx←⍳⌊/i+5\n+/x[i]", false},    // few
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.noted, strings.Contains(out, "var wrong"), "%s\n%s", c.source, out)
		require.NotContains(t, lowertest.Optimised(t, c.source, "indices").String(), "var wrong")
	}
}
