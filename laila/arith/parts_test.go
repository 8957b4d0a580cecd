package arith_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestParts says which complex numbers become pairs of doubles: all but those
// in arrays that functions are given, and accumulators.
func TestParts(t *testing.T) {
	const z = "z←(⍳99)∘.+0J1×⍳99\n"
	cases := []struct {
		source string
		whole  bool
	}{
		{z + "+/,2≥|1J1+z×z", false},
		{z + "+/,2≥|({z+⍵×⍵}⍣9)0×z", false},
		{z + "+/,9○z*2", false},
		{z + "+/,9○z*4", false},
		{z + "+/,9○z*5", true},
		{z + "+/,9○z÷⍉z", false},
		{z + "+/,9○÷z", false},
		{z + "{⍺←0 ⋄ ⍺≥9:⍺ ⋄ 2<|⍵:⍺ ⋄ (⍺+1)∇⍵×0J1}¨z", false},
		{z + "+/,9○⍟z", true}, // a function of the run-time
		{z + "+/,9○*z", false},
		{z + "+/,z", true},    // an accumulator
		{z + "z×0J1", true},   // printed
		{z + "⍋9○,z", false},  // what is printed is real
		{z + "+/,z=⍉z", true}, // distances in a plane
		{z + "+/,0=12○z", true},
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.whole, strings.Contains(out, "c64") || strings.Contains(out, "tl_z("), "%s\n%s", c.source, out)
		require.Contains(t, lowertest.Optimised(t, c.source, "parts").String(), "c64")
	}
}

// TestMagnitudes says which comparisons of magnitudes take no square root.
func TestMagnitudes(t *testing.T) {
	cases := []struct {
		test string
		root bool
	}{
		{"2≥|z", false}, {"2>|z", false}, {"2<|z", false}, {"2≤|z", false}, {"2=|z", true},
		{"(|z)<1E¯140", false}, {"(|z)<1E¯160", true}, {"(|z)<1E160", true}, {"0<|z", true}, {"(9○z)<|z", true},
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, "z←(⍳99)∘.+0J1×⍳99\n+/,"+c.test).String()
		require.Equal(t, c.root, strings.Contains(out, "tl_magnitude("), "%s\n%s", c.test, out)
	}
}

// TestRepeats says which scans by any function take one step an element: those
// of one element, again and again.
func TestRepeats(t *testing.T) {
	cases := []struct {
		source string
		once   bool
	}{
		{"{0.5+⍵*2}\\99⍴0.25", true},
		{"{⍺+⍵*2}⍀9 9⍴0.25×⍳9", true},
		{"{⍺+⍵*2}\\9 9⍴0.25×⍳9", false},
		{"{⍺+⍵*2}\\0.25×⍳9", false},
		{"{⍺+⍵*2}\\99⍴0.25 0.5", false},
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.once, strings.Contains(out, "var acc: f64 = ") || strings.Contains(out, "a_2[at - 9]"), "%s\n%s", c.source, out)
	}
}
