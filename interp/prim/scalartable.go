package prim

import (
	"math"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/interp/value"
)

// scalars are the dyadic scalar functions.
var scalars map[string]*scalar

func init() {
	scalars = map[string]*scalar{
		"+": {whole: addInts, two: num.Add, real: realPlus, complex: total(func(x, y complex128) complex128 { return x + y }), identity: zero},
		"-": {whole: subtractInts, two: num.Sub, real: realMinus, complex: total(func(x, y complex128) complex128 { return x - y }), identity: zero},
		"×": {whole: multiplyInts, two: num.Mul, real: realTimes, complex: total(num.MulZ), identity: one},
		"÷": {real: realDivide, complex: complexDivide, identity: one},
		"*": {whole: powInts, real: realPower, complex: complexPower, identity: one},
		"⍟": {real: realLog, complex: complexLog},
		"|": {whole: residueInts, two: surely(num.ResidueInt), real: realResidue, complex: func(c *Context, x, y complex128) (complex128, state) {
			return num.ResidueZ(x, y, c.Tolerance), good
		}, identity: zero},
		"⌈": {whole: ints(maxInt), real: func(c *Context, x, y float64) (float64, state) { return max(x, y), good },
			identity: func() *V { return value.Number(-math.MaxFloat64) }},
		"⌊": {whole: ints(minInt), real: func(c *Context, x, y float64) (float64, state) { return min(x, y), good },
			identity: func() *V { return value.Number(math.MaxFloat64) }},
		"!": {real: realBinomial, complex: complexBinomial, identity: one},
		"○": {real: realCircle, complex: complexCircle},
		"∧": {whole: testedInts(num.LCMInt), real: func(c *Context, x, y float64) (float64, state) { return num.LCM(x, y, c.inexact()), good },
			complex: func(c *Context, x, y complex128) (complex128, state) { return num.LCMZ(x, y, c.inexact()), good }, identity: one},
		"∨": {whole: testedInts(num.GCDInt), real: func(c *Context, x, y float64) (float64, state) { return num.GCD(x, y, c.inexact()), good },
			complex: func(c *Context, x, y complex128) (complex128, state) { return num.GCDZ(x, y, c.inexact()), good }, identity: zero},
		"⍲": {whole: truths(1), real: nearTruths(1)},
		"⍱": {whole: truths(0), real: nearTruths(0)},
	}
	for glyph, cmp := range comparisons {
		scalars[glyph] = &scalar{compare: cmp, identity: cmp.identity}
	}
}

// inexact is the tolerance of ∨ and ∧, which decides when Euclid's algorithm ends: that of
// ⎕CT, or of the doubles where ⎕CT is 0.
func (c *Context) inexact() float64 {
	if c.Tolerance == 0 {
		return num.Tolerance
	}
	return c.Tolerance
}

func zero() *V { return value.Int64(0) }
func one() *V  { return value.Int64(1) }

// Identity returns the identity element of a scalar function, or nil.
func Identity(glyph string) *V {
	if s := scalars[glyph]; s != nil && s.identity != nil {
		return s.identity()
	}
	return nil
}

func total(f func(x, y complex128) complex128) func(*Context, complex128, complex128) (complex128, state) {
	return func(_ *Context, x, y complex128) (complex128, state) { return f(x, y), good }
}

func addInts(x, y []int64, sx, sy int, out []int64) bool {
	if sx == 1 && sy == 1 {
		var over int64
		for i := range out {
			r := x[i] + y[i]
			over |= (r ^ x[i]) & (r ^ y[i])
			out[i] = r
		}
		return over >= 0
	}
	for i := range out {
		r, ok := num.Add(x[i*sx], y[i*sy])
		if !ok {
			return false
		}
		out[i] = r
	}
	return true
}

func subtractInts(x, y []int64, sx, sy int, out []int64) bool {
	for i := range out {
		r, ok := num.Sub(x[i*sx], y[i*sy])
		if !ok {
			return false
		}
		out[i] = r
	}
	return true
}

func multiplyInts(x, y []int64, sx, sy int, out []int64) bool {
	const small = 1 << 31
	for i := range out {
		a, b := x[i*sx], y[i*sy]
		if a < small && a > -small && b < small && b > -small {
			out[i] = a * b
			continue
		}
		r, ok := num.Mul(a, b)
		if !ok {
			return false
		}
		out[i] = r
	}
	return true
}

func powInts(x, y []int64, sx, sy int, out []int64) bool {
	for i := range out {
		if y[i*sy] < 0 {
			return false
		}
		r, ok := num.PowInt(x[i*sx], y[i*sy])
		if !ok {
			return false
		}
		out[i] = r
	}
	return true
}

func residueInts(x, y []int64, sx, sy int, out []int64) bool {
	for i := range out {
		out[i] = num.ResidueInt(x[i*sx], y[i*sy])
	}
	return true
}

// testedInts is f element by element, until one result does not fit.
func testedInts(f func(x, y int64) (int64, bool)) func(x, y []int64, sx, sy int, out []int64) bool {
	return func(x, y []int64, sx, sy int, out []int64) bool {
		for i := range out {
			r, ok := f(x[i*sx], y[i*sy])
			if !ok {
				return false
			}
			out[i] = r
		}
		return true
	}
}

func ints(f func(x, y int64) int64) func(x, y []int64, sx, sy int, out []int64) bool {
	return func(x, y []int64, sx, sy int, out []int64) bool {
		for i := range out {
			out[i] = f(x[i*sx], y[i*sy])
		}
		return true
	}
}

func maxInt(x, y int64) int64 { return max(x, y) }
func minInt(x, y int64) int64 { return min(x, y) }

// truths is ⍲ (all, the value of both is 1) or ⍱ (0) of 0 and 1.
func truths(both int64) func(x, y []int64, sx, sy int, out []int64) bool {
	return func(x, y []int64, sx, sy int, out []int64) bool {
		for i := range out {
			a, b := x[i*sx], y[i*sy]
			if a|b|1 != 1 {
				return false
			}
			if both == 1 {
				out[i] = 1 - a&b
			} else {
				out[i] = 1 - (a | b)
			}
		}
		return true
	}
}

// nearTruths is truths of doubles, which are near to 0 or 1.
func nearTruths(both int64) func(c *Context, x, y float64) (float64, state) {
	f := truths(both)
	return func(_ *Context, x, y float64) (float64, state) {
		a, okX := num.NearInt(x, nearInt)
		b, okY := num.NearInt(y, nearInt)
		out := []int64{0}
		if !okX || !okY || !f([]int64{a}, []int64{b}, 0, 0, out) {
			return 0, outside
		}
		return float64(out[0]), good
	}
}

// quickReals are the functions of reals that need no test of their arguments.
var quickReals = map[string]func(x, y, out []float64){
	"+": func(x, y, out []float64) {
		x, y = x[:len(out)], y[:len(out)]
		for i := range out {
			out[i] = x[i] + y[i]
		}
	},
	"-": func(x, y, out []float64) {
		x, y = x[:len(out)], y[:len(out)]
		for i := range out {
			out[i] = x[i] - y[i]
		}
	},
	"×": func(x, y, out []float64) {
		x, y = x[:len(out)], y[:len(out)]
		for i := range out {
			out[i] = x[i] * y[i]
		}
	},
}

func realPlus(_ *Context, x, y float64) (float64, state)  { return x + y, good }
func realMinus(_ *Context, x, y float64) (float64, state) { return x - y, good }
func realTimes(_ *Context, x, y float64) (float64, state) { return x * y, good }

func realDivide(c *Context, x, y float64) (float64, state) {
	if y == 0 {
		switch {
		case c.Division:
			return 0, good
		case x == 0:
			return 1, good
		}
		return 0, byZero
	}
	return x / y, good
}

func complexDivide(c *Context, x, y complex128) (complex128, state) {
	if y == 0 && c.Division {
		return 0, good
	}
	z, ok := num.DivideZ(x, y)
	if !ok {
		return 0, byZero
	}
	return z, good
}

func realPower(_ *Context, x, y float64) (float64, state) {
	switch {
	case x == 0 && y < 0:
		return 0, byZero
	case num.PowerLeavesReals(x, y):
		return 0, notReal
	}
	return num.Pow(x, y), good
}

func complexPower(_ *Context, x, y complex128) (complex128, state) {
	z, ok := num.PowZ(x, y)
	if !ok {
		return 0, outside
	}
	return z, good
}

func realLog(_ *Context, x, y float64) (float64, state) {
	if num.LogLeavesReals(x, y) {
		return 0, notReal
	}
	z, ok := num.Log(x, y)
	if !ok {
		return 0, outside
	}
	return z, good
}

func complexLog(_ *Context, x, y complex128) (complex128, state) {
	z, ok := num.LogZ(x, y)
	if !ok {
		return 0, outside
	}
	return z, good
}

func realResidue(c *Context, x, y float64) (float64, state) {
	return num.Residue(x, y, c.Tolerance), good
}

func realBinomial(_ *Context, x, y float64) (float64, state) {
	z, ok := num.Binomial(x, y)
	if !ok {
		return 0, outside
	}
	return z, good
}

func complexBinomial(_ *Context, x, y complex128) (complex128, state) {
	z, ok := num.BinomialZ(x, y)
	if !ok {
		return 0, outside
	}
	return z, good
}

func realCircle(_ *Context, x, y float64) (float64, state) {
	k, ok := num.NearInt(x, nearInt)
	if !ok || k < -12 || k > 12 {
		return 0, outside
	}
	if num.CircleLeavesReals(k, y) {
		return 0, notReal
	}
	z, ok := num.Circle(k, y)
	if !ok {
		return 0, outside
	}
	return z, good
}

func complexCircle(_ *Context, x, y complex128) (complex128, state) {
	k, ok := num.NearInt(real(x), nearInt)
	if !ok || imag(x) != 0 || k < -12 || k > 12 {
		return 0, outside
	}
	z, ok := num.CircleZ(k, y)
	if !ok {
		return 0, outside
	}
	return z, good
}
