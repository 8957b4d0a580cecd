package prim

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/interp/value"
)

// TestScanByDefinition compares scans of small numbers, whose sums and products are exact,
// with the reductions of all prefixes.
func TestScanByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	c := &Context{Tolerance: 1e-14}
	kinds := []func(count int) *V{
		func(count int) *V {
			v := make([]byte, count)
			for i := range v {
				v[i] = byte(r.IntN(2))
			}
			return value.Booleans(v)
		},
		func(count int) *V {
			v := make([]int64, count)
			for i := range v {
				v[i] = r.Int64N(7) - 3
			}
			return value.Integers(v)
		},
		func(count int) *V {
			v := make([]float64, count)
			for i := range v {
				v[i] = float64(r.IntN(9)-4) / 2
			}
			return value.Numbers(v)
		},
	}
	for _, glyph := range []string{"-", "+", "<", "≤", "=", "≥", ">", "≠", "∧", "∨", "⍲", "⍱", "⌊", "⌈"} {
		for trial := range 300 {
			before, n, behind := 1+r.IntN(3), 1+r.IntN(6), 1+r.IntN(3)
			shape := []int{before, n, behind}
			y := kinds[trial%3](before * n * behind).WithShape(shape)
			got := Scan(c, glyph, y, before, n, behind)
			if got == nil {
				require.True(t, glyph == "∧" || glyph == "∨" || glyph == "⍲" || glyph == "⍱", "%s\\ %v", glyph, y)
				continue
			}
			require.Equal(t, shape, got.Shape)
			for i := range y.Len() {
				want := y.Item(i)
				for k := i - behind; k/(n*behind) == i/(n*behind) && k >= 0; k -= behind {
					var err error
					want, err = Scalar(c, glyph, y.Item(k), want)
					require.NoError(t, err)
				}
				require.Equal(t, want.Double(0), got.Item(i).Double(0), "%s\\ element %d of %v in rows of %d by %d", glyph, i, y, n, behind)
			}
		}
	}
}
