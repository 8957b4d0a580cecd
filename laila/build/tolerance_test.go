package build

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/num"
)

// TestEquals says that the ends of the interval of numbers equal to a constant
// are equal to it, and that their neighbours are not.
func TestEquals(t *testing.T) {
	for _, c := range []float64{1, -1, 4, 0.1, -0.3, 1e100, 1e-100, 50, 3758.05, math.Pi, 1 << 40, 0.425, 1e-279} {
		lo, hi, ok := equals(c, num.Tolerance)
		require.True(t, ok, c)
		require.True(t, lo <= c && c <= hi, c)
		for _, end := range []struct{ in, toward float64 }{{lo, math.Inf(-1)}, {hi, math.Inf(1)}} {
			for x, k := end.in, 0; k < 100; k++ {
				require.True(t, num.Equal(x, c, num.Tolerance), "%v within %v", x, c)
				x = math.Nextafter(x, c)
			}
			for x, k := end.in, 0; k < 100; k++ {
				x = math.Nextafter(x, end.toward)
				require.False(t, num.Equal(x, c, num.Tolerance), "%v beyond %v", x, c)
			}
		}
	}
	lo, hi, ok := equals(0, num.Tolerance)
	require.True(t, ok && lo == 0 && hi == 0)
	for _, c := range []float64{math.Inf(1), math.NaN(), 1e300, 1e-300} {
		_, _, ok := equals(c, num.Tolerance)
		require.False(t, ok, c)
	}
}
