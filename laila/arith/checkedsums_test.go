package arith_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestSumTests says which sums are tested by the magnitudes of their terms, and that
// arrays that only statistics read are not stored.
func TestSumTests(t *testing.T) {
	cases := []struct {
		source string
		allocs int
	}{
		{"x←⌊9×*?1000⍴9\n(+/x),⌈/x", 0},
		{"x←⌊9×*?50 60⍴9\n(+/,x),(⌈/,x),x[3;4]", 0},
		{"t←⌊9×*?9⍴9\nx←t[1+9|50 60⍴⍳3000]\n(+/,x),(⌊/,x),+/,x=7", 0},
	}
	for _, c := range cases {
		p := lowertest.Optimised(t, c.source)
		out := p.String()
		require.Contains(t, out, "size_2 | (e", "%s\n%s", c.source, out)
		require.LessOrEqual(t, p.Stats().Allocs, c.allocs+1, "%s\n%s", c.source, out)
		require.NotContains(t, lowertest.Optimised(t, c.source, "sumtests").String(), "size_2", c.source)
		before, _, _ := strings.Cut(out, " quo ")
		require.NotContains(t, before, ", overflow ", c.source)
	}
}
