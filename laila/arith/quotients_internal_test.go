package arith

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReciprocal compares quotients by reciprocals in two parts with divisions,
// for dividends at random, those whose quotients are nearest to the middle
// between two doubles, and what is no ordinary number.
func TestReciprocal(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	refused := 0
	for i := range 3000 {
		d := math.Ldexp(1+r.Float64(), r.Intn(40)-20)
		switch i % 4 {
		case 1:
			d = float64(1+r.Intn(1000)) / 8
		case 2:
			d = -d
		case 3: // few digits, or many ones
			d = math.Float64frombits(math.Float64bits(d) | (1<<r.Intn(50) - 1))
		}
		h, l, ok := reciprocal(d)
		if !ok {
			refused++
			continue
		}
		try := func(x float64) {
			got, want := math.FMA(x, h, x*l), x/d
			require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%v÷%v", x, d)
		}
		for range 50 {
			try(math.Ldexp(r.Float64()-0.5, r.Intn(1500)-700))
		}
		f, _ := math.Frexp(math.Abs(d))
		digits := uint64(math.Ldexp(f, 53))
		for _, k := range []uint{54, 53} {
			for c := int64(-40); c <= 40; c++ {
				for _, x := range halfway(digits, k, c) {
					try(float64(x))
					try(-math.Ldexp(float64(x), -300))
				}
			}
		}
		for _, x := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.MaxFloat64, 0x1p-800} {
			try(x)
		}
		for range 50 { // one digit of few
			x := math.Ldexp(1+r.Float64(), -960-r.Intn(120))
			got, want := math.FMA(x, h, x*l), x/d
			require.LessOrEqual(t, math.Abs(got-want), max(math.Abs(want)*0x1p-52, 0x1p-1074), "%v÷%v", x, d)
		}
	}
	require.Less(t, refused, 1200)
	for _, d := range []float64{0, 1, 2, 0.25, math.Inf(1), math.NaN(), 1e300, 1e-300} {
		_, _, ok := reciprocal(d)
		require.False(t, ok, "%v", d)
	}
}

// TestHalfway counts the dividends that halfway finds against a search, with
// quotients near the middle between two doubles by construction.
func TestHalfway(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 300 {
		digits := 1<<52 + uint64(r.Int63n(1<<52))
		for _, k := range []uint{54, 53} {
			for c := int64(-9); c <= 9; c++ {
				for _, x := range halfway(digits, k, c) {
					// x×2*k - c is a multiple of digits.
					rest := modShift(x, k, digits)
					want := uint64((c%int64(digits) + int64(digits)) % int64(digits))
					require.Equal(t, want, rest)
				}
			}
		}
	}
}

// modShift is x×2*k modulo d.
func modShift(x uint64, k uint, d uint64) uint64 {
	x %= d
	for ; k > 0; k-- {
		x = 2 * x % d
	}
	return x
}
