package eval

import (
	"math"

	"github.com/tailor-lang/tailor/internal/letters"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/internal/prng"
	"github.com/tailor-lang/tailor/laila/ir"
)

// The functions of the run-time's math header on the host, by their kinds.

func whole(x float64) bool { return x == math.RoundToEven(x) }

func toInt(x float64) int64 {
	v, ok := num.Int(x)
	if !ok {
		return 0
	}
	return v
}

func badInt(x float64) bool { return !(x >= -0x1p63 && x < 0x1p63) }

// first drops whether a result exists.
func first[T any](v T, _ bool) T { return v }

var doubleToDouble = map[string]func(x float64) float64{
	"exp": math.Exp, "log": num.Ln, "sqrt": math.Sqrt, "fabs": math.Abs,
	"floor": math.Floor, "ceil": math.Ceil, "rint": math.RoundToEven, "trunc": math.Trunc,
	"sin":   circle(1),
	"cos":   circle(2),
	"tan":   circle(3),
	"sinh":  circle(5),
	"cosh":  circle(6),
	"tanh":  circle(7),
	"asin":  circle(-1),
	"acos":  circle(-2),
	"atan":  circle(-3),
	"asinh": circle(-5),
	"acosh": circle(-6),
	"atanh": circle(-7),

	"tl_floorx": math.Floor,
	"tl_ceilx":  math.Ceil,
	"tl_recd":   func(x float64) float64 { return 1 / x },
	"tl_lnd":    num.Ln,
	"tl_pid":    func(x float64) float64 { return math.Pi * x },
	"tl_factd":  func(x float64) float64 { return first(num.Factorial(x)) },
}

func circle(which int64) func(float64) float64 {
	return func(x float64) float64 { return first(num.Circle(which, x)) }
}

var doublesToDouble = map[string]func(x, y float64) float64{
	"pow": num.Pow, "tl_powd": num.Pow,
	"tl_resx": func(x, y float64) float64 { return num.Residue(x, y, 0) },
	"tl_logd": func(x, y float64) float64 { return first(num.Log(x, y)) },
	"tl_bind": func(x, y float64) float64 { return first(num.Binomial(x, y)) },

	"tl_magnitude": func(x, y float64) float64 { return num.AbsZ(complex(x, y)) },
}

var doubleToInt = map[string]func(x float64) int64{
	"tl_toi":                toInt,
	"tl_bits_of":            func(x float64) int64 { return int64(math.Float64bits(x)) },
	"tl_d2i":                func(x float64) int64 { return toInt(math.RoundToEven(x)) },
	"tl_d2b":                func(x float64) int64 { return truth(x > 0.5) },
	"tl_signd":              num.Sign,
	"tl_infinite":           func(x float64) int64 { return truth(!(math.Abs(x) <= math.MaxFloat64)) },
	"tl_bad_toi":            func(x float64) int64 { return truth(badInt(x)) },
	"tl_bad_recd":           func(x float64) int64 { return truth(x == 0) },
	"tl_bad_sqrtd":          func(x float64) int64 { return truth(x < 0) },
	"tl_bad_lnd_complex":    func(x float64) int64 { return truth(x < 0) },
	"tl_bad_atanhd_complex": func(x float64) int64 { return truth(math.Abs(x) > 1) },
	"tl_bad_lnd":            func(x float64) int64 { return truth(x <= 0) },
	"tl_bad_factd":          func(x float64) int64 { return truth(x < 0 && whole(x)) },
	"tl_bad_asind":          func(x float64) int64 { return truth(math.Abs(x) > 1) },
	"tl_bad_acosd":          func(x float64) int64 { return truth(math.Abs(x) > 1) },
	"tl_bad_acoshd":         func(x float64) int64 { return truth(x < 1) },
	"tl_bad_atanhd":         func(x float64) int64 { return truth(math.Abs(x) >= 1) },
}

var doublesToInt = map[string]func(x, y float64) int64{
	"tl_bad_powd_complex": func(x, y float64) int64 { return truth(x < 0 && !whole(y)) },
	"tl_bad_powd_zero":    func(x, y float64) int64 { return truth(x == 0 && y < 0) },
	"tl_bad_logd_complex": func(x, y float64) int64 { return truth(num.LogLeavesReals(x, y)) },
	"tl_bad_logd":         func(x, y float64) int64 { return truth(x <= 0 || y <= 0 || x == 1 && y != 1) },
	"tl_bad_bind":         func(x, y float64) int64 { return truth(y < 0 && whole(y) && !whole(x)) },
}

var intsToInt = map[string]func(x, y int64) int64{
	"tl_gcdi":     func(x, y int64) int64 { return first(num.GCDInt(x, y)) },
	"tl_bad_gcdi": func(x, y int64) int64 { _, ok := num.GCDInt(x, y); return truth(!ok) },
	"tl_lcmi":     func(x, y int64) int64 { return first(num.LCMInt(x, y)) },
	"tl_bad_lcmi": func(x, y int64) int64 { _, ok := num.LCMInt(x, y); return truth(!ok) },
	"tl_resi":     num.ResidueInt,
	"tl_divides":  func(m, y int64) int64 { return truth(y%m == 0) },
	"tl_resn":     func(m, y int64) int64 { return y - m*quotient(y, m) },
	"tl_quov":     quotient,
	"tl_remv":     func(x, y int64) int64 { return x - y*quotient(x, y) },
	"tl_powi":     func(x, y int64) int64 { return first(num.PowInt(x, y)) },
	"tl_bad_powi": func(x, y int64) int64 { _, ok := num.PowInt(x, y); return truth(!ok) },
}

// quotient is x÷y, or a number where y is 0.
func quotient(x, y int64) int64 {
	if y == 0 {
		return 0
	}
	return x / y
}

var intToInt = map[string]func(x int64) int64{
	"tl_i2b":     func(x int64) int64 { return truth(x != 0) },
	"tl_i2c":     func(x int64) int64 { return int64(uint32(x)) },
	"tl_panel":   panel,
	"tl_upperc":  func(x int64) int64 { return int64(letters.Upper(rune(x))) },
	"tl_lowerc":  func(x int64) int64 { return int64(letters.Lower(rune(x))) },
	"tl_foldc":   func(x int64) int64 { return int64(letters.Fold(rune(x))) },
	"tl_bad_i2b": func(x int64) int64 { return truth(x != 0 && x != 1) },
	"tl_bad_i2c": func(x int64) int64 { return truth(x < 0 || x > 0x10FFFF) },
}

// Those of doubles that know ⎕CT.

var tolerantToDouble = map[string]func(x, ct float64) float64{"tl_floord": num.Floor, "tl_ceild": num.Ceil}

var tolerantsToDouble = map[string]func(x, y, ct float64) float64{"tl_resd": num.Residue, "tl_gcdd": num.GCD, "tl_lcmd": num.LCM}

var tolerantToInt = map[string]func(x, ct float64) bool{
	"tl_bad_d2i": func(x, ct float64) bool { _, ok := num.NearInt(x, ct); return !ok },
	"tl_bad_d2b": func(x, ct float64) bool { return x != 0 && !num.Equal(x, 1, ct) },
}

var tolerantsToInt = map[string]func(x, y, ct float64) bool{
	"tl_eqd":  num.Equal,
	"tl_neqd": func(x, y, ct float64) bool { return !num.Equal(x, y, ct) },
	"tl_ltd":  num.Less,
	"tl_lted": num.LessEqual,
	"tl_gtd":  num.Greater,
	"tl_gted": num.GreaterEqual,
}

// circleParts are the parts of r×*0J1×b, by the sine or the cosine of b.
var circleParts = map[string]func(r, s, b float64) float64{"tl_sine_part": num.SinePart, "tl_cosine_part": num.CosinePart}

// badCircle reports whether x○y is not real.
func badCircle(x int64, y float64) int64 { _, ok := num.Circle(x, y); return truth(!ok) }

func (c *Code) mathDouble(x *ir.Math) DoubleCode {
	if f, ok := doubleToDouble[x.Fn]; ok {
		a := c.Double(x.Args[0])
		return func(fr *Frame) float64 { return f(a(fr)) }
	}
	if f, ok := doublesToDouble[x.Fn]; ok {
		a, b := c.Double(x.Args[0]), c.Double(x.Args[1])
		return func(fr *Frame) float64 { return f(a(fr), b(fr)) }
	}
	if f, ok := tolerantToDouble[x.Fn]; ok {
		a, ct := c.Double(x.Args[0]), c.program.Source.Tolerance()
		return func(fr *Frame) float64 { return f(a(fr), ct) }
	}
	if f, ok := tolerantsToDouble[x.Fn]; ok {
		a, b, ct := c.Double(x.Args[0]), c.Double(x.Args[1]), c.program.Source.Tolerance()
		return func(fr *Frame) float64 { return f(a(fr), b(fr), ct) }
	}
	switch x.Fn {
	case "tl_ratio":
		a, high, low := c.Double(x.Args[0]), c.Double(x.Args[1]), c.Double(x.Args[2])
		return func(fr *Frame) float64 {
			v := a(fr)
			return math.FMA(v, high(fr), v*low(fr))
		}
	case ir.TwiceFn:
		a, z := c.Double(x.Args[0]), c.Double(x.Args[1])
		return func(fr *Frame) float64 { return math.FMA(2, a(fr), z(fr)) }
	}
	if x.Fn == "tl_rolld_at" {
		state, k := c.Int(x.Args[0]), c.Int(x.Args[1])
		return func(fr *Frame) float64 { return prng.Unit(prng.At(state(fr), k(fr))) }
	}
	if x.Fn == "tl_fma" {
		a, b, z := c.Double(x.Args[0]), c.Double(x.Args[1]), c.Double(x.Args[2])
		return func(fr *Frame) float64 { return math.FMA(a(fr), b(fr), z(fr)) }
	}
	if f, ok := complexToDouble[x.Fn]; ok {
		z := c.Complex(x.Args[0])
		return func(fr *Frame) float64 { return f(z(fr)) }
	}
	if part := circleParts[x.Fn]; part != nil {
		r, s, b := c.Double(x.Args[0]), c.Double(x.Args[1]), c.Double(x.Args[2])
		return func(fr *Frame) float64 { return part(r(fr), s(fr), b(fr)) }
	}
	if x.Fn == "tl_circled" {
		a, b := c.Int(x.Args[0]), c.Double(x.Args[1])
		return func(fr *Frame) float64 { return first(num.Circle(a(fr), b(fr))) }
	}
	panic("internal error: no such function of a double: " + x.Fn)
}

// floorQuotient is ⌊x÷k for k above 1. Below 2*46 the fraction of x÷k is nearer to 1
// than the tolerance only if it is 0.
func floorQuotient(x, k int64, ct float64) int64 {
	if uint64(x)+1<<46 <= 1<<47 {
		return num.FloorQuotient(x, k)
	}
	return toInt(num.Floor(float64(x)/float64(k), ct))
}

func (c *Code) mathInt(x *ir.Math) IntCode {
	switch x.Fn {
	case "tl_floorquoi":
		a, b, ct := c.Int(x.Args[0]), c.Int(x.Args[1]), c.program.Source.Tolerance()
		return func(fr *Frame) int64 { return floorQuotient(a(fr), b(fr), ct) }
	}
	if f, ok := doubleToInt[x.Fn]; ok {
		a := c.Double(x.Args[0])
		return func(fr *Frame) int64 { return f(a(fr)) }
	}
	if f, ok := doublesToInt[x.Fn]; ok {
		a, b := c.Double(x.Args[0]), c.Double(x.Args[1])
		return func(fr *Frame) int64 { return f(a(fr), b(fr)) }
	}
	if f, ok := tolerantToInt[x.Fn]; ok {
		a, ct := c.Double(x.Args[0]), c.program.Source.Tolerance()
		return func(fr *Frame) int64 { return truth(f(a(fr), ct)) }
	}
	if f, ok := tolerantsToInt[x.Fn]; ok {
		a, b, ct := c.Double(x.Args[0]), c.Double(x.Args[1]), c.program.Source.Tolerance()
		return func(fr *Frame) int64 { return truth(f(a(fr), b(fr), ct)) }
	}
	if f := c.complexToInt(x); f != nil {
		return f
	}
	if f, ok := intsToInt[x.Fn]; ok {
		a, b := c.Int(x.Args[0]), c.Int(x.Args[1])
		return func(fr *Frame) int64 { return f(a(fr), b(fr)) }
	}
	if f, ok := intToInt[x.Fn]; ok {
		a := c.Int(x.Args[0])
		return func(fr *Frame) int64 { return f(a(fr)) }
	}
	if x.Fn == "tl_rolli_at" || x.Fn == "tl_roll32_at" {
		state, k, n := c.Int(x.Args[0]), c.Int(x.Args[1]), c.Int(x.Args[2])
		return func(fr *Frame) int64 { return prng.Whole(prng.At(state(fr), k(fr)), n(fr)) }
	}
	if x.Fn == "tl_bad_circled_complex" {
		a, b := c.Int(x.Args[0]), c.Double(x.Args[1])
		return func(fr *Frame) int64 { return truth(num.CircleLeavesReals(a(fr), b(fr))) }
	}
	if x.Fn == "tl_bad_circled" {
		a, b := c.Int(x.Args[0]), c.Double(x.Args[1])
		return func(fr *Frame) int64 { return badCircle(a(fr), b(fr)) }
	}
	panic("internal error: no such function: " + x.Fn)
}
