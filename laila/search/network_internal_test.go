package search

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExchanges says that the networks sort: by the principle of 0 and 1 one that sorts
// all sequences of these sorts everything.
func TestExchanges(t *testing.T) {
	for n := 1; n <= 14; n++ {
		for bits := range 1 << n {
			for _, network := range []func(int, func(i, j int)){exchanges, stableExchanges} {
				xs := make([]int, n)
				for i := range xs {
					xs[i] = bits >> i & 1
				}
				network(n, func(i, j int) {
					require.Less(t, i, j)
					xs[i], xs[j] = min(xs[i], xs[j]), max(xs[i], xs[j])
				})
				require.True(t, slices.IsSorted(xs), "%d elements: %b", n, bits)
			}
		}
	}
}
