package num

import (
	"math"
	"testing"
)

// FoldDoubles has the digits of Ordered, which defines the order.
func TestFoldDoubles(t *testing.T) {
	v := make([]float64, SuperBlock+2*Block+5)
	state := uint64(1)
	for i := range v {
		state = state*6364136223846793005 + 1442695040888963407
		v[i] = math.Ldexp(float64(int64(state)), int(state>>58)-64-31)
	}
	sizes := []int{SuperBlock - 1, SuperBlock, SuperBlock + 1, len(v)}
	for n := 0; n <= 2050; n++ {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		for _, product := range []bool{false, true} {
			zero := neutral[float64](product)
			at := func(i int) float64 {
				if product {
					return 1 + v[i]/(1<<62)
				}
				return v[i]
			}
			terms := make([]float64, n)
			for i := range terms {
				terms[i] = at(i)
			}
			join := func(x, y float64) float64 { return combined(x, y, product) }
			want := Ordered(n, zero, func(acc float64, i int) float64 { return join(acc, terms[i]) }, join)
			if got := FoldDoubles(terms, product); math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%d terms, product %v: %v, want %v", n, product, got, want)
			}
		}
	}
	zeros := []float64{math.Copysign(0, -1), math.Copysign(0, -1)}
	if r := FoldDoubles(zeros, false); !math.Signbit(r) {
		t.Errorf("¯0+¯0 is %v", r)
	}
}
