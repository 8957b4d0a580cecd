package ulp

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"testing"

	cnum "github.com/tailor-lang/tailor/internal/num"
)

// complexFunction is a function of complex numbers, its reference and the error
// that is allowed: the magnitude of the difference, in units of the last place of
// the magnitude of the result.
type complexFunction struct {
	apl   string
	got   func(x, y complex128) (complex128, bool)
	want  func(x, y complexBig) complexBig
	limit float64
}

func one1(f func(complex128) complex128) func(x, y complex128) (complex128, bool) {
	return func(_, y complex128) (complex128, bool) { return f(y), true }
}

func circle(n int64) func(x, y complex128) (complex128, bool) {
	return func(_, y complex128) (complex128, bool) { return cnum.CircleZ(n, y) }
}

func of(f func(y complexBig) complexBig) func(x, y complexBig) complexBig {
	return func(_, y complexBig) complexBig { return f(y) }
}

// wholeOf is a whole number between ¯32 and 32 that depends on y.
func wholeOf(y complex128) complex128 { return complex(float64(int(real(y)*1e6)%33), 0) }

var complexFunctions = []complexFunction{
	{"x×y", func(x, y complex128) (complex128, bool) { return cnum.MulZ(x, y), true }, complexBig.mul, 4},
	{"x÷y", cnum.DivideZ, complexBig.quo, 4},
	{"*y", one1(cnum.ExpZ), of(complexBig.exp), 4},
	{"⍟y", one1(cnum.LnZ), of(complexBig.ln), 4},
	{"x*y", cnum.PowZ, func(x, y complexBig) complexBig { return y.mul(x.ln()).exp() }, 4},
	{"x*n", func(x, y complex128) (complex128, bool) { return cnum.PowZ(x, wholeOf(y)) },
		func(x, y complexBig) complexBig {
			n, _ := y.re.Float64()
			return complexOf(wholeOf(complex(n, 0))).mul(x.ln()).exp()
		}, 4},
	{"x⍟y", cnum.LogZ, func(x, y complexBig) complexBig { return y.ln().quo(x.ln()) }, 0},
	{"y*0.5", one1(cnum.SqrtZ), of(complexBig.sqrt), 4},
	{"0○y", circle(0), of(func(y complexBig) complexBig { return complexOne.sub(y.mul(y)).sqrt() }), 4},
	{"1○y", circle(1), of(func(y complexBig) complexBig { return y.timesI().sinh().overI() }), 4},
	{"2○y", circle(2), of(func(y complexBig) complexBig { return y.timesI().cosh() }), 4},
	{"3○y", circle(3), of(func(y complexBig) complexBig { return y.timesI().tanh().overI() }), 4},
	{"4○y", circle(4), of(func(y complexBig) complexBig { return complexOne.add(y.mul(y)).sqrt() }), 4},
	{"5○y", circle(5), of(complexBig.sinh), 4},
	{"6○y", circle(6), of(complexBig.cosh), 4},
	{"7○y", circle(7), of(complexBig.tanh), 4},
	{"¯1○y", circle(-1), of(func(y complexBig) complexBig { return y.timesI().arcsinh().overI() }), 4},
	{"¯2○y", circle(-2), of(complexBig.arccos), 4},
	{"¯3○y", circle(-3), of(func(y complexBig) complexBig { return y.timesI().arctanh().overI() }), 4},
	{"¯5○y", circle(-5), of(complexBig.arcsinh), 4},
	{"¯6○y", circle(-6), of(complexBig.arccosh), 4},
	{"¯7○y", circle(-7), of(complexBig.arctanh), 4},
}

// offZ returns by how many units in the last place of the magnitude of want got
// differs from it.
func offZ(got complex128, want complexBig) float64 {
	if math.IsNaN(real(got)+imag(got)) || math.IsInf(real(got), 0) || math.IsInf(imag(got), 0) {
		return math.Inf(1)
	}
	d := complexOf(got).sub(want).abs()
	return floatOf(scale(d, 53-want.abs().MantExp(nil)))
}

// complexSample returns a number whose parts are between 2*¯20 and 2*4, near 1 one
// time in four.
func complexSample(r *rand.Rand) complex128 {
	part := func() float64 {
		x := math.Ldexp(1+r.Float64(), r.Intn(24)-20)
		if r.Intn(2) == 0 {
			return -x
		}
		return x
	}
	if r.Intn(4) == 0 {
		return complex(1+part()/16, part()/16)
	}
	return complex(part(), part())
}

// TestComplex measures the functions that the evaluator and the interpreter share; the
// run-time library in C has the same formulas.
func TestComplex(t *testing.T) {
	n, full := 40, os.Getenv("TAILOR_ULP") != ""
	if full {
		n = 1500
	}
	for i, f := range complexFunctions {
		r := rand.New(rand.NewSource(int64(i)))
		worst, at := 0.0, [2]complex128{}
		for range n {
			x, y := complexSample(r), complexSample(r)
			got, ok := f.got(x, y)
			if !ok {
				continue
			}
			if d := offZ(got, f.want(complexOf(x), complexOf(y))); d > worst {
				worst, at = d, [2]complex128{x, y}
			}
		}
		if f.limit > 0 && worst > f.limit {
			t.Errorf("%s is off by %.1f units in the last place for x=%g y=%g", f.apl, worst, at[0], at[1])
		}
		if full {
			fmt.Printf("| `%s`, complex | %.2f | %g\n", f.apl, worst, at)
		}
	}
}
