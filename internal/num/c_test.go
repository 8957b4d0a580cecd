package num

import (
	"math"
	"testing"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/ctest"
)

// grid holds the doubles on which C and Go are compared.
var grid = func() []float64 {
	g := []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64, 1e300, 1e-300, 0x1p63, 0x1p62}
	for _, x := range []float64{1, 2, 3, 7, 10, 100, 12345, 1e9, 1e14, 5e13, 1e15, 1e16, 0x1p52, 0x1p53, 170, 171} {
		g = append(g, x, x+0.5, x*(1+5e-15), x*(1-5e-15), x*(1+1.5e-14), x*(1-1.5e-14), math.Nextafter(x, 0))
	}
	g = append(g, 0.1, 0.2, 0.3, 1.0/3, 0.25, 0.5, 0.75, 1e-7, 1e-14, 1e-15, 2.5, 3.5, 5.5, math.Pi)
	for _, x := range g[2:] {
		g = append(g, -x)
	}
	return g
}()

var intGrid = []int64{0, 1, -1, 2, -2, 3, -3, 5, 10, 12, 62, 63, 64, 100, 1 << 31, -1 << 31, 1 << 32, 3037000499, 3037000500, -3037000500,
	1<<53 + 1, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, 1 << 62, -1 << 62, 6074001001, 1518500249}

// close reports whether x and y agree: exactly, or but for a few of the last
// digits where the mathematical library made them.
func close(x, y, within float64) bool {
	if x == y || math.IsNaN(x) && math.IsNaN(y) {
		return true
	}
	return math.Abs(x-y) <= within*math.Max(math.Abs(x), math.Abs(y))
}

type comparison struct {
	t    *testing.T
	rest []byte
}

func (c *comparison) next() *array.Array {
	var a *array.Array
	a, c.rest = ctest.Decode(c.rest)
	return a
}

func (c *comparison) predicate(name string, f func(x, y float64) bool) {
	a := c.next()
	for i, got := range a.Bools {
		x, y := grid[i/len(grid)], grid[i%len(grid)]
		if want := f(x, y); (got == 1) != want {
			c.t.Errorf("%v %s %v: C says %d, Go %v", x, name, y, got, want)
		}
	}
}

func (c *comparison) pairs(name string, within float64, f func(x, y float64) (float64, bool)) {
	a, bad := c.next(), c.next()
	errors := 0
	for i, got := range a.Doubles {
		x, y := grid[i/len(grid)], grid[i%len(grid)]
		want, ok := f(x, y)
		if name == "!" && max(math.Abs(x), math.Abs(y)) > 1e5 && want != 0 {
			continue // differences of large logarithms have few good digits
		}
		if (bad.Bools[i] == 0) != ok || ok && !close(got, want, within) {
			if errors++; errors < 20 {
				c.t.Errorf("%v %s %v: C gives %v (fault %d), Go %v (%v)", x, name, y, got, bad.Bools[i], want, ok)
			}
		}
	}
}

func (c *comparison) each(name string, within float64, f func(x float64) (float64, bool)) {
	a, bad := c.next(), c.next()
	for i, got := range a.Doubles {
		want, ok := f(grid[i])
		if (bad.Bools[i] == 0) != ok || ok && !close(got, want, within) {
			c.t.Errorf("%s %v: C gives %v (fault %d), Go %v (%v)", name, grid[i], got, bad.Bools[i], want, ok)
		}
	}
}

func (c *comparison) ints(name string, f func(x, y int64) (int64, bool)) {
	a, bad := c.next(), c.next()
	for i, got := range a.Ints {
		x, y := intGrid[i/len(intGrid)], intGrid[i%len(intGrid)]
		want, ok := f(x, y)
		if (bad.Bools[i] == 0) != ok || ok && got != want {
			c.t.Errorf("%d %s %d: C gives %d (fault %d), Go %d (%v)", x, name, y, got, bad.Bools[i], want, ok)
		}
	}
}

func good[T any](f func(x, y T) T) func(x, y T) (T, bool) {
	return func(x, y T) (T, bool) { return f(x, y), true }
}

// TestC compares the C run-time with this package.
func TestC(t *testing.T) {
	program := ctest.Build(t, "testdata/num.c")
	input := ctest.Encode(nil, array.VectorDouble(grid))
	input = ctest.Encode(input, array.VectorInt(intGrid))
	c := &comparison{t, ctest.Run(t, program, input)}
	const ct, libm = Tolerance, 1e-12
	c.predicate("=", func(x, y float64) bool { return Equal(x, y, ct) })
	c.predicate("<", func(x, y float64) bool { return Less(x, y, ct) })
	c.predicate("≤", func(x, y float64) bool { return LessEqual(x, y, ct) })
	c.predicate(">", func(x, y float64) bool { return Greater(x, y, ct) })
	c.predicate("≥", func(x, y float64) bool { return GreaterEqual(x, y, ct) })
	c.pairs("|", 0, good(func(x, y float64) float64 { return Residue(x, y, ct) }))
	c.pairs("| (exact)", 0, good(func(x, y float64) float64 { return Residue(x, y, 0) }))
	c.pairs("∨", 0, good(func(x, y float64) float64 { return GCD(x, y, ct) }))
	c.pairs("∧", 0, good(func(x, y float64) float64 { return LCM(x, y, ct) }))
	c.pairs("÷", 0, Divide)
	c.pairs("⍟", libm, Log)
	c.pairs("!", 1e-9, Binomial)
	c.pairs("○", libm, func(x, y float64) (float64, bool) {
		i, _ := Int(x)
		return Circle(i, y)
	})
	c.each("⌊", 0, func(x float64) (float64, bool) { return Floor(x, ct), true })
	c.each("⌈", 0, func(x float64) (float64, bool) { return Ceil(x, ct), true })
	c.each("d2i", 0, func(x float64) (float64, bool) {
		i, ok := NearInt(x, ct)
		return float64(i), ok
	})
	c.each("×", 0, func(x float64) (float64, bool) { return float64(Sign(x)), true })
	c.each("!", libm, Factorial)
	c.ints("+", Add)
	c.ints("-", Sub)
	c.ints("×", Mul)
	c.ints("|", good(ResidueInt))
	c.ints("*", func(x, y int64) (int64, bool) {
		if y < 0 {
			return 0, false
		}
		return PowInt(x, y)
	})
	c.ints("∨", GCDInt)
	c.ints("∧", LCMInt)
}
