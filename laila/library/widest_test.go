package library

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/display"
)

// TestWidestNumber compares the bound with the displays of numbers that are wide.
func TestWidestNumber(t *testing.T) {
	wide := []float64{-1.0 / 3e5, -math.Pi * 1e-300, -math.MaxFloat64, -math.SmallestNonzeroFloat64, -math.Exp2(52) - 0.5, -1.0 / 3, -1e15 / 7, -1e33 / 7}
	for precision := 1; precision <= display.MaxPrecision; precision++ {
		for _, x := range wide {
			shown := display.FormatArray(array.VectorDouble([]float64{x, x, x}), precision)
			require.LessOrEqual(t, int64(shown.Len()), 3*widestNumber(array.Double, precision), "%v at precision %d", x, precision)
			z := array.New(array.Complex, 3)
			for i := range z.Complexes {
				z.Complexes[i] = complex(x, x)
			}
			shown = display.FormatArray(z, precision)
			require.LessOrEqual(t, int64(shown.Len()), 3*widestNumber(array.Complex, precision), "%vJ%v at precision %d", x, x, precision)
		}
		shown := display.FormatArray(array.VectorInt([]int64{math.MinInt64, math.MinInt64}), precision)
		require.LessOrEqual(t, int64(shown.Len()), 2*widestNumber(array.Int, precision), "precision %d", precision)
	}
}
