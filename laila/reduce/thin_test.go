package reduce_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestThin says which products are computed in few passes over a long axis, and
// that a matrix is not stored beside its transpose.
func TestThin(t *testing.T) {
	cases := []struct {
		source string
		passes int
	}{
		{"n←⍎'1000' ⋄ x←(n,5)⍴÷⍳5×n\n(⍉x)+.×x", 1},
		{"x←1000 5⍴÷⍳5000\n(⍉x)+.×x", 1},
		{"x←1000 5⍴÷⍳5000 ⋄ y←1000 3⍴÷⍳3000\n(⍉x)+.×y", 1},
		{"x←1000 5⍴⍳5000\n(⍉x)+.×x", 0},    // integers
		{"x←100 5⍴÷⍳500\n(⍉x)+.×x", 0},     // short
		{"x←1000 40⍴÷⍳40000\n(⍉x)+.×x", 0}, // wide
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.passes, strings.Count(out, "strips")+strings.Count(out, "stack row"), "%s\n%s", c.source, out)
		require.NotContains(t, lowertest.Optimised(t, c.source, "thin").String(), "stack row")
	}
	both := "x←1000 5⍴(2147483647|630360016×⍳5000)÷7\n(⍉x)+.×x"
	require.Equal(t, 1, strings.Count(lowertest.Optimised(t, both).String(), "f64[5000]"))
	require.Equal(t, 2, strings.Count(lowertest.Optimised(t, both, "thin").String(), "f64[5000]"))
}
