package memory_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestHandover says which arguments of recursive functions are freed before the
// calls that they make.
func TestHandover(t *testing.T) {
	cases := []struct {
		source string
		owned  bool
	}{
		{"{1=≢⍵:⊃⍵ ⋄ ⍵[1;1]×∇(1 1↓⍵)-⍵[1↓⍳≢⍵;1]∘.×1↓⍵[1;]÷⍵[1;1]}?9 9⍴0", true},
		{"{1≥≢⍵:⍵ ⋄ p←⍵[1] ⋄ (∇(⍵<p)/⍵),((⍵=p)/⍵),∇(⍵>p)/⍵}?99⍴9", true},
		{"2{⍵=0:+/⍺ ⋄ 1+⍺∇⍵-1}?9", false},                          // a scalar
		{"(?9⍴9){⍵=0:+/⍺ ⋄ (⍺∇⍵-1)+⍺∇⍵-1}?9", false},               // used by two calls
		{"(?9⍴9){⍵=0:⍺ ⋄ r←⍺,⍵ ⋄ (+/r),r∇⍵-1}?9", false},           // and after the call
		{"(?9⍴9){⍵=0:⍺ ⋄ (⍵>5)∨9<≢⍺:⍺∇⍵-1 ⋄ 1,(⍺,⍵)∇⍵-1}?9", true}, // handed on
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.owned, strings.Contains(out, "own: u8"), "%s\n%s", c.source, out)
		require.NotContains(t, lowertest.Optimised(t, c.source, "handover").String(), "own: u8")
	}
}

// TestHandedResult says that an argument that is handed over is the result.
func TestHandedResult(t *testing.T) {
	out := lowertest.Optimised(t, "{1=≢⍵:⍵ ⋄ (∇2×1 1↓⍵),1}?9 9⍴0").String()
	require.Contains(t, out, "move r = w")
	require.Equal(t, 1, strings.Count(out, "copy"), out)
}

// TestThreaded says that an array that functions change from call to call, as a name from outside,
// is not copied: where a call is the last one on its path, or what it gives takes its place.
func TestThreaded(t *testing.T) {
	for _, source := range []string{
		"m←99⍴¯1 ⋄ f←{⍵≤0:1 ⋄ m[⍵]≥0:m[⍵] ⋄ r←(f ⍵-1)+{⍵>50:f⍵-2 ⋄ 1}⍵ ⋄ m[⍵]←r ⋄ r} ⋄ ⎕←f ?60",
		"m←⍳99 ⋄ f←{⍵=m[⍵]:⍵ ⋄ m[⍵]←m[m[⍵]] ⋄ r←f m[⍵] ⋄ m[⍵]←r ⋄ r} ⋄ ⎕←+/{x←f⍵ ⋄ m[x]←f 1⌈x-1 ⋄ x}¨⍳99",
	} {
		out := lowertest.Optimised(t, source).String()
		require.Contains(t, out, "move")
		require.Equal(t, strings.Count(out, "if own"), strings.Count(out, "copy "), out)
	}
}

// TestLetGo says that rows of a matrix that is handed over are copied before a
// call, not read from it afterwards.
func TestLetGo(t *testing.T) {
	const source = "{1=≢⍵:⍵ ⋄ u←1↓⍵[1;] ⋄ l←1↓⍵[;1] ⋄ s←∇(1 1↓⍵)-l∘.×u ⋄ (1,u)⍪l,s}?9 9⍴0"
	out := lowertest.Optimised(t, source).String()
	call := strings.Index(out, ") = ")
	require.Less(t, strings.LastIndex(out, "free w"), call, out)
}

// TestOtherBranch says that what another branch uses does not keep an array from
// being updated in place.
func TestOtherBranch(t *testing.T) {
	for _, source := range []string{
		"1{⍺≥≢⍵:⍵ ⋄ ⍵[⍺]>⍵[⍺+1]:(⍺+1)∇{t←⍵ ⋄ t[⍺,⍺+1]←⌽⍵[⍺,⍺+1] ⋄ t}⍨⍵ ⋄ (⍺+1)∇⍵}?999⍴9",
		"1{⍺≥≢⍵:⍵ ⋄ a←⍵ ⋄ a[⍺]>3:(⍺+1)∇⍺{t←⍵ ⋄ t[⍺]←7 ⋄ t}a ⋄ a[⍺]>2:(⍺+1)∇⍺{t←⍵ ⋄ t[⍺]←6 ⋄ t}a ⋄ (⍺+1)∇a}?999⍴9",
	} {
		out := lowertest.Optimised(t, source).String()
		require.NotContains(t, out, "copy", source)
	}
}

// TestCuts says which arguments are passed where they are.
func TestCuts(t *testing.T) {
	cases := []struct {
		source string
		cuts   int
	}{
		{"{1≥≢⍵:⊃⍵ ⋄ h←⌊2÷⍨≢⍵ ⋄ (∇h↑⍵)⌈∇h↓⍵}?99⍴9", 2},
		{"{0=≢⍵:0 ⋄ 3<⊃⍵:∇1↓⍵ ⋄ (⊃⍵)-∇1↓⍵}?99⍴9", 2},
		{"{0=≢⍵:0 ⋄ (+/⍵[1;])+∇2↓3↓⍵}?99 3⍴9", 1},
		{"{0=≢⍵:0 ⋄ (⊃⍵)+∇1↓2×⍵}?99⍴9", 0},     // there is no such array yet
		{"{0=≢⍵:0 ⋄ (⊃⍵)+∇9↑⍵}?99⍴9", 0},       // with fill elements
		{"{0=≢⍵:0 ⋄ (+/,⍵)+∇0 1↓⍵}?99 3⍴9", 0}, // of each row
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.cuts, strings.Count(out, " from "), "%s\n%s", c.source, out)
		require.NotContains(t, lowertest.Optimised(t, c.source, "cuts").String(), " from ")
	}
}

// TestKnownSteps says which sums guards keep from overflowing.
func TestKnownSteps(t *testing.T) {
	cases := []struct {
		source string
		tests  int
	}{
		{"{⍵<2:⍵ ⋄ (∇⍵-1)+∇⍵-2}?30", 1}, // the sum of the results
		{"{⍵>99:,⍵ ⋄ 1,∇⍵+1}?30", 0},
		{"{⍵≤¯9:,⍵ ⋄ 1,∇1+⍵-3}?30", 0}, // from ¯10 to 30
		{"{⍵=0:,⍵ ⋄ 1,∇⍵-1}?30", 0},
		{"{⍵=0:,⍵ ⋄ 1,∇⍵-1}(?30)-2", 1}, // which may be negative
		{"{⍵<2:,⍵ ⋄ 1,∇⍵-5000000000000000000}?30", 1},
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		out = out[:strings.Index(out, "fun main")]
		require.Equal(t, c.tests, strings.Count(out, "overflow bad"), "%s\n%s", c.source, out)
	}
}
