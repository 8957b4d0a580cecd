package ulp

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/internal/data"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/golden"
)

// limit is the greatest error that is allowed, in units of the last place.
const limit = 4.0

// function is an elementary function: the APL that applies it to y, and to x
// where it has two arguments, its reference, and the arguments it is tried with.
type function struct {
	apl     string
	one     func(y *big.Float) *big.Float
	two     func(x, y *big.Float) *big.Float
	samples func(r *rand.Rand) (x, y float64)
}

// within returns numbers of all exponents whose magnitudes are between two
// bounds, of both signs where signed.
func within(low, high float64, signed bool) func(r *rand.Rand) (float64, float64) {
	lo, hi := math.Ilogb(low), math.Ilogb(high)
	return func(r *rand.Rand) (float64, float64) {
		for {
			y := math.Ldexp(1+r.Float64(), lo+r.Intn(hi-lo+1))
			if r.Intn(8) == 0 {
				y = math.Round(y)
			}
			if y < low || y > high {
				continue
			}
			if signed && r.Intn(2) == 0 {
				y = -y
			}
			return 0, y
		}
	}
}

// around mixes in numbers near 1.
func around(f func(r *rand.Rand) (float64, float64), below, above bool) func(r *rand.Rand) (float64, float64) {
	return func(r *rand.Rand) (float64, float64) {
		if r.Intn(4) > 0 {
			return f(r)
		}
		d := math.Ldexp(1+r.Float64(), -1-r.Intn(53))
		if below && (!above || r.Intn(2) == 0) {
			return 0, 1 - d/2
		}
		return 0, 1 + d
	}
}

const (
	tiny = math.SmallestNonzeroFloat64
	huge = math.MaxFloat64
)

func powers(r *rand.Rand) (x, y float64) {
	for {
		_, x = within(tiny, huge, false)(r)
		l := math.Log(x*0x1p54) - 54*math.Ln2
		if x > 1 {
			l = math.Log(x)
		}
		y = (r.Float64()*2 - 1) * 740 / math.Max(math.Abs(l), 1e-3)
		if r.Intn(3) == 0 {
			y = math.Round(y)
			if r.Intn(2) == 0 {
				x = -x
			}
		}
		if z := l * y; z < 709 && z > -744 && y != 0 {
			return x, y
		}
	}
}

func nearOnes(r *rand.Rand) (x, y float64) {
	d := math.Ldexp(r.Float64()*2-1, -r.Intn(50))
	x = 1 + d/2
	return x, (r.Float64()*2 - 1) * 700 / math.Max(math.Abs(math.Log(x)), 1e-14)
}

func bases(r *rand.Rand) (x, y float64) {
	for x = 1; x == 1; {
		_, x = within(tiny, huge, false)(r)
	}
	_, y = around(within(tiny, huge, false), true, true)(r)
	return x, y
}

func binomials(r *rand.Rand) (x, y float64) {
	return r.Float64()*70 - 5, r.Float64()*70 + 0.01
}

var functions = []function{
	{"*y", exp, nil, within(tiny, 709, true)},
	{"⍟y", ln, nil, around(within(tiny, huge, false), true, true)},
	{"x*y", nil, power, powers},
	{"x*y", nil, power, nearOnes},
	{"x⍟y", nil, log, bases},
	{"y*0.5", sqrt, nil, within(tiny, huge, false)},
	{"÷y", func(y *big.Float) *big.Float { return quo(one, y) }, nil, within(1e-300, 1e300, true)},
	{"○y", func(y *big.Float) *big.Float { return mul(y, num(0).Set(pi)) }, nil, within(tiny, 1e300, true)},
	{"!y", factorial, nil, within(tiny, 169.5, false)},
	{"!y", factorial, nil, func(r *rand.Rand) (float64, float64) { return 0, -r.Float64() * 100 }},
	{"x!y", nil, binomial, binomials},
	{"0○y", func(y *big.Float) *big.Float { return sqrt(mul(sub(one, y), add(one, y))) }, nil, around(within(tiny, 1, true), true, false)},
	{"1○y", func(y *big.Float) *big.Float { s, _ := sincos(y); return s }, nil, within(tiny, huge, true)},
	{"2○y", func(y *big.Float) *big.Float { _, c := sincos(y); return c }, nil, within(tiny, huge, true)},
	{"3○y", func(y *big.Float) *big.Float { s, c := sincos(y); return quo(s, c) }, nil, within(tiny, huge, true)},
	{"1○y", func(y *big.Float) *big.Float { s, _ := sincos(y); return s }, nil, within(0.1, 100, true)},
	{"2○y", func(y *big.Float) *big.Float { _, c := sincos(y); return c }, nil, within(0.1, 100, true)},
	{"3○y", func(y *big.Float) *big.Float { s, c := sincos(y); return quo(s, c) }, nil, within(0.1, 100, true)},
	{"4○y", func(y *big.Float) *big.Float { return sqrt(add(one, mul(y, y))) }, nil, within(tiny, huge, true)},
	{"5○y", sinh, nil, within(tiny, 709, true)},
	{"6○y", cosh, nil, within(tiny, 709, true)},
	{"7○y", tanh, nil, within(tiny, huge, true)},
	{"¯1○y", arcsin, nil, around(within(tiny, 1, true), true, false)},
	{"¯2○y", arccos, nil, around(within(tiny, 1, true), true, false)},
	{"¯3○y", arctan, nil, within(tiny, huge, true)},
	{"¯4○y", func(y *big.Float) *big.Float {
		z := sqrt(mul(sub(y, one), add(y, one)))
		if y.Sign() < 0 {
			return neg(z)
		}
		return z
	}, nil, around(within(1, huge, true), false, true)},
	{"¯5○y", arcsinh, nil, within(tiny, huge, true)},
	{"¯6○y", arccosh, nil, around(within(1, huge, false), false, true)},
	{"¯7○y", arctanh, nil, around(within(tiny, 0.999999, true), true, false)},
}

// reference returns what f gives; 7○ of large numbers is 1 without computing it.
func (f *function) reference(x, y float64) *big.Float {
	switch {
	case f.apl == "7○y" && math.Abs(y) > 400:
		return num(math.Copysign(1, y))
	case f.two != nil:
		return f.two(num(x), num(y))
	}
	return f.one(num(y))
}

// off returns by how many units in the last place got differs from want.
func off(got float64, want *big.Float) float64 {
	if math.IsNaN(got) || math.IsInf(got, 0) {
		return math.Inf(1)
	}
	exponent := max(want.MantExp(nil)-53, -1074)
	if want.Sign() == 0 {
		exponent = -1074
	}
	d := sub(num(got), want)
	return math.Abs(floatOf(scale(d, -exponent)))
}

// sampled holds the arguments of a function.
type sampled struct {
	x, y []float64
}

func draw(n int) []sampled {
	all := make([]sampled, len(functions))
	for i, f := range functions {
		r := rand.New(rand.NewSource(int64(i)))
		for range n {
			x, y := f.samples(r)
			all[i].x, all[i].y = append(all[i].x, x), append(all[i].y, y)
		}
	}
	return all
}

// program reads the arguments and writes the results of all functions.
func program(t *testing.T, dir string, all []sampled) string {
	var b strings.Builder
	name := func(what string, i int) string { return filepath.Join(dir, fmt.Sprintf("%s%d.npy", what, i)) }
	write := func(what string, i int, v []float64) {
		a := array.New(array.Double, len(v))
		copy(a.Doubles, v)
		_, err := data.WriteNpy(a, name(what, i))
		require.NoError(t, err)
	}
	for i, f := range functions {
		write("y", i, all[i].y)
		fmt.Fprintf(&b, "y%d←⎕NPY '%s' ⍝: [double]1\n", i, name("y", i))
		if f.two != nil {
			write("x", i, all[i].x)
			fmt.Fprintf(&b, "x%d←⎕NPY '%s' ⍝: [double]1\n", i, name("x", i))
		}
		apl := strings.NewReplacer("x", fmt.Sprint("x", i), "y", fmt.Sprint("y", i)).Replace(f.apl)
		fmt.Fprintf(&b, "(%s) ⎕NPY '%s'\n", apl, name("z", i))
	}
	return b.String()
}

// result reads what a program made of the arguments of function i.
func result(t *testing.T, dir string, i int) []float64 {
	a, err := data.ReadNpy(filepath.Join(dir, fmt.Sprintf("z%d.npy", i)), array.Double, 1)
	require.NoError(t, err)
	return a.Doubles
}

// targets are the ways to run a program; nil where a tool is missing.
func targets(t *testing.T) map[string]func(p golden.Program) golden.Outcome {
	all := map[string]func(p golden.Program) golden.Outcome{"eval": golden.Evaluate}
	if c, err := golden.NewBackend(driver.C); err == nil {
		c.Level = func(string) string { return "-O3" }
		c.Flags = append(c.Flags, "-march=native")
		all["c"] = func(p golden.Program) golden.Outcome { return c.Run([]golden.Program{p})[0] }
	} else {
		t.Log(err)
	}
	if d, err := golden.NewDevice(golden.OnDevice(clgen.Chunks)); err == nil {
		t.Cleanup(d.Queue.Close)
		all["opencl"] = func(p golden.Program) golden.Outcome { o, _ := d.Run(p); return o }
	} else {
		t.Log(err)
	}
	return all
}

func TestElementary(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("TAILOR_ULP"))
	full := err == nil
	if !full {
		n = 150
	}
	all := draw(n)
	references := make([][]*big.Float, len(functions))
	for i, f := range functions {
		for k := range n {
			references[i] = append(references[i], f.reference(all[i].x[k], all[i].y[k]))
		}
	}
	names := []string{"eval", "c", "opencl"}
	if only := os.Getenv("TAILOR_ULP_TARGET"); only != "" {
		names = []string{only}
	}
	table := make([][]string, len(functions))
	run := targets(t)
	for _, name := range names {
		dir := t.TempDir()
		source := program(t, dir, all)
		if run[name] == nil {
			continue
		}
		o := run[name](golden.Program{Name: "ulp.apl", Source: source})
		require.Equal(t, 0, o.Status, "%s: %v", name, o)
		for i, f := range functions {
			worst, at := 0.0, 0
			for k, z := range result(t, dir, i) {
				if d := off(z, references[i][k]); d > worst {
					worst, at = d, k
				}
			}
			if worst > limit {
				t.Errorf("%s: %s is off by %.1f units in the last place for x=%g y=%g: %g, not %g", name, f.apl, worst,
					all[i].x[at], all[i].y[at], result(t, dir, i)[at], floatOf(references[i][at]))
			}
			table[i] = append(table[i], fmt.Sprintf("%.2f", worst))
		}
	}
	if full {
		for i, f := range functions {
			fmt.Printf("| `%s` | %s |\n", f.apl, strings.Join(table[i], " | "))
		}
	}
}
