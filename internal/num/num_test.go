package num

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// Values whose results Dyalog's documentation gives or its definitions fix.
func TestResidue(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{2.5, 7, 2}, {3.5, 5, 1.5}, {3.5, 14, 0}, {5, 2, 2}, {5, -2, 3}, {-5, 2, -3}, {-5, -2, -2},
		{0, 2, 2}, {0, -2, -2}, {-5, 3, -2}, {0.1, 2.5, 0}, {0.1, -1.6, 0}, {1, 2.0 - 1e-15, 0},
		{1, 1e17, 0}, {1e-300, 1e300, 0},
	} {
		if got := Residue(c.x, c.y, Tolerance); got != c.want {
			t.Errorf("%v|%v is %v, want %v", c.x, c.y, got, c.want)
		}
	}
	for _, c := range []struct{ x, y, want int64 }{
		{10, -3, 7}, {-5, 3, -2}, {0, -9, -9}, {-1, math.MinInt64, 0}, {3, math.MinInt64, 1}, {-3, -3, 0},
	} {
		if got := ResidueInt(c.x, c.y); got != c.want {
			t.Errorf("%v|%v is %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

func TestTolerance(t *testing.T) {
	for _, c := range []struct {
		x, y float64
		want bool
	}{
		{1, 1 + 1e-15, true}, {1, 1 + 1e-13, false}, {0, 1e-300, false}, {-1e-300, 1e-300, false},
		{math.Inf(1), math.Inf(1), true}, {math.Inf(1), 1, false}, {math.Inf(1), math.Inf(-1), false},
		{math.NaN(), math.NaN(), false}, {1e308, -1e308, false}, {0, math.Copysign(0, -1), true},
	} {
		if got := Equal(c.x, c.y, Tolerance); got != c.want {
			t.Errorf("%v=%v is %v", c.x, c.y, got)
		}
	}
	for _, c := range []struct{ x, floor, ceil float64 }{
		{2.5, 2, 3}, {-2.5, -3, -2}, {3 - 1e-15, 3, 3}, {3 + 1e-15, 3, 3}, {3 - 1e-12, 2, 3}, {0, 0, 0},
		{-1e-20, -1, 0}, {1e-20, 0, 1}, {1e300, 1e300, 1e300}, {-0.5, -1, 0}, {0.5, 0, 1}, {3.5, 3, 4},
		{math.Inf(1), math.Inf(1), math.Inf(1)},
	} {
		if f, g := Floor(c.x, Tolerance), Ceil(c.x, Tolerance); f != c.floor || g != c.ceil {
			t.Errorf("⌊%v is %v, ⌈%v is %v", c.x, f, c.x, g)
		}
	}
}

func TestIntegers(t *testing.T) {
	edges := []int64{0, 1, -1, 2, -2, 3, 1 << 31, 1 << 32, -1 << 32, 3037000500, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}
	for _, x := range edges {
		for _, y := range edges {
			if r, ok := Mul(x, y); ok != (x == 0 || r/x == y && !(x == -1 && y == math.MinInt64)) {
				t.Errorf("%d×%d is %d, %v", x, y, r, ok)
			}
		}
	}
	for _, c := range []struct {
		x, y, want int64
		ok         bool
	}{{2, 62, 1 << 62, true}, {2, 63, 0, false}, {-2, 63, math.MinInt64, true}, {0, 0, 1, true}, {0, 9, 0, true}, {-1, 1 << 62, 1, true}, {10, 18, 1000000000000000000, true}, {10, 19, 0, false}} {
		if r, ok := PowInt(c.x, c.y); r != c.want || ok != c.ok {
			t.Errorf("%d*%d is %d, %v", c.x, c.y, r, ok)
		}
	}
	if r, ok := LCMInt(15, 35); r != 105 || !ok {
		t.Errorf("15∧35 is %d", r)
	}
	for _, c := range []struct {
		x, y, want int64
		ok         bool
	}{{-6, 4, 2, true}, {0, 0, 0, true}, {math.MinInt64, 12, 4, true}, {math.MinInt64, 0, math.MinInt64, false}} {
		if r, ok := GCDInt(c.x, c.y); r != c.want || ok != c.ok {
			t.Errorf("%d∨%d is %d, %v", c.x, c.y, r, ok)
		}
	}
}

func TestFunctions(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{2, 5, 10}, {3, 5, 10}, {5, 3, 0}, {-1, 3, 0}, {3, -2, -4}, {-3, -2, -2}, {-1, -1, 1}, {-1, -2, 0},
		{5, 52, 2598960}, {0, 0, 1}, {30, 60, 118264581564861424},
	} {
		if got, ok := Binomial(c.x, c.y); math.Abs(got-c.want) > 1e-15*math.Abs(c.want) || !ok {
			t.Errorf("%v!%v is %v, want %v", c.x, c.y, got, c.want)
		}
	}
	if f, _ := Factorial(0.5); math.Abs(f-0.886226925452758) > 1e-15 {
		t.Errorf("!0.5 is %v", f)
	}
	if f, _ := Factorial(20); f != 2432902008176640000 {
		t.Errorf("!20 is %v", f)
	}
	if g := GCD(0.6, 0.9, Tolerance); math.Abs(g-0.3) > 1e-15 {
		t.Errorf("0.6∨0.9 is %v", g)
	}
}

// TestComplexOfReals compares functions of complex numbers without imaginary parts with
// those of the reals: they are equal to the last bit.
func TestComplexOfReals(t *testing.T) {
	const ct = 1e-14
	r := rand.New(rand.NewSource(1))
	some := []float64{0, 1, -1, 2, -2, 0.5, -0.5, 1.75, 7, 0.1, 0.3, 1e10, -1e300, 1e-300, math.MaxFloat64, 170.5}
	number := func() float64 {
		if r.Intn(2) == 0 {
			return some[r.Intn(len(some))]
		}
		return math.Round(r.NormFloat64()*1000) / []float64{1, 8, 10, 1000}[r.Intn(4)]
	}
	for range 20000 {
		x, y := number(), number()
		zx, zy := complex(x, 0), complex(y, 0)
		same := func(name string, z complex128, okZ bool, d float64, ok bool) {
			require.Equal(t, ok, okZ, "%v %s %v", x, name, y)
			if ok && !(math.IsNaN(d) && math.IsNaN(real(z))) {
				require.Equal(t, complex(d+0, 0), complex(real(z)+0, imag(z)+0), "%v %s %v", x, name, y)
			}
		}
		same("∨", GCDZ(zx, zy, ct), true, GCD(x, y, ct), true)
		same("∧", LCMZ(zx, zy, ct), true, LCM(x, y, ct), true)
		same("|", ResidueZ(zx, zy, ct), true, Residue(x, y, ct), true)
		if x != 0 && !PowerLeavesReals(x, y) {
			z, ok := PowZ(zx, zy)
			same("*", z, ok, Pow(x, y), true)
		}
		if !LogLeavesReals(x, y) {
			z, okZ := LogZ(zx, zy)
			d, ok := Log(x, y)
			same("⍟", z, okZ, d, ok)
		}
		if k := r.Int63n(25) - 12; !CircleLeavesReals(k, y) {
			z, okZ := CircleZ(k, zy)
			d, ok := Circle(k, y)
			same("○", z, okZ, d, ok)
		}
	}
}
