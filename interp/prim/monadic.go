package prim

import (
	"math"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/interp/value"
)

// unary is a row of the table of monadic scalar functions.
type unary struct {
	whole   func(x int64) (int64, bool) // nil, or false: doubles go on
	real    func(c *Context, x float64) (float64, state)
	complex func(c *Context, x complex128) (complex128, state)
}

var unaries = map[string]*unary{
	"+": {whole: same, real: func(_ *Context, x float64) (float64, state) { return x, good },
		complex: func(_ *Context, x complex128) (complex128, state) { return complex(real(x), -imag(x)), good }},
	"-": {whole: num.Neg, real: func(_ *Context, x float64) (float64, state) { return -x, good },
		complex: func(_ *Context, x complex128) (complex128, state) { return -x, good }},
	"×": {whole: func(x int64) (int64, bool) { return sign(x), true },
		real:    func(_ *Context, x float64) (float64, state) { return float64(num.Sign(x)), good },
		complex: func(_ *Context, x complex128) (complex128, state) { return num.SignZ(x), good }},
	"÷": {real: func(c *Context, x float64) (float64, state) { return realReciprocal(c, x) },
		complex: func(c *Context, x complex128) (complex128, state) { return complexDivide(c, 1, x) }},
	"*": {real: func(_ *Context, x float64) (float64, state) { return math.Exp(x), good },
		complex: func(_ *Context, x complex128) (complex128, state) { return num.ExpZ(x), good }},
	"⍟": {real: realLn, complex: func(_ *Context, x complex128) (complex128, state) { return num.LnZ(x), good }},
	"|": {whole: num.Abs, real: func(_ *Context, x float64) (float64, state) { return math.Abs(x), good },
		complex: func(_ *Context, x complex128) (complex128, state) { return complex(num.AbsZ(x), 0), good }},
	"⌊": {whole: same, real: func(c *Context, x float64) (float64, state) { return num.Floor(x, c.Tolerance), good },
		complex: func(c *Context, x complex128) (complex128, state) { return num.FloorZ(x, c.Tolerance), good }},
	"⌈": {whole: same, real: func(c *Context, x float64) (float64, state) { return num.Ceil(x, c.Tolerance), good },
		complex: func(c *Context, x complex128) (complex128, state) { return -num.FloorZ(-x, c.Tolerance), good }},
	"!": {real: realFactorial, complex: complexFactorial},
	"○": {real: func(_ *Context, x float64) (float64, state) { return math.Pi * x, good },
		complex: func(_ *Context, x complex128) (complex128, state) { return num.ScaleZ(math.Pi, x), good }},
	"~": {whole: func(x int64) (int64, bool) { return 1 - x, x == 0 || x == 1 }, real: realNot},
	"?": {},
}

func same(x int64) (int64, bool) { return x, true }

func sign(x int64) int64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func realReciprocal(c *Context, x float64) (float64, state) {
	if x == 0 && !c.Division {
		return 0, byZero
	}
	return realDivide(c, 1, x)
}

func realLn(_ *Context, x float64) (float64, state) {
	switch {
	case x < 0:
		return 0, notReal
	case x == 0:
		return 0, outside
	}
	return num.Ln(x), good
}

func realNot(_ *Context, x float64) (float64, state) {
	k, ok := num.NearInt(x, nearInt)
	if !ok || k != 0 && k != 1 {
		return 0, outside
	}
	return float64(1 - k), good
}

func realFactorial(_ *Context, x float64) (float64, state) {
	z, ok := num.Factorial(x)
	if !ok {
		return 0, outside
	}
	return z, good
}

func complexFactorial(_ *Context, x complex128) (complex128, state) {
	z, ok := num.FactorialZ(x)
	if !ok {
		return 0, outside
	}
	return z, good
}

// IsUnary reports whether the glyph is a function that is applied to each element,
// with one argument.
func IsUnary(glyph string) bool { return unaries[glyph] != nil }

// Unary applies the monadic scalar function of a glyph.
func Unary(c *Context, glyph string, y *V) (*V, error) {
	u := unaries[glyph]
	switch {
	case y.Ref != nil:
		return nil, fault(diag.WrongDomain, "a reference where numbers are needed")
	case y.Kind == value.Mixed:
		return unaryNested(c, glyph, y)
	case glyph == "+" && y.Kind != value.Complex:
		return y, nil
	case y.Kind == value.Char:
		if y.Len() == 0 {
			return value.Empty(y.Shape, value.Int64(0)), nil
		}
		return nil, fault(diag.Characters, "characters where numbers are needed")
	case y.Kind == value.Complex && y.Len() == 0 && u.complex == nil:
		return value.Empty(y.Shape, value.Int64(0)), nil
	case y.Kind == value.Complex && u.complex == nil && nearReals(y) != y:
		return Unary(c, glyph, nearReals(y))
	case glyph == "?":
		return roll(c, y)
	case y.Kind == value.Bool && glyph == "~":
		out := make([]byte, len(y.Bools))
		turned(out, y.Bools, 1, 1)
		return &V{Kind: value.Bool, Shape: y.Shape, Bools: out}, nil
	}
	if y.Kind <= value.Int && u.whole != nil {
		if out, ok := eachInt(u.whole, y.AsInts()); ok {
			return &V{Kind: value.Int, Shape: y.Shape, Ints: out}, nil
		}
	}
	if y.Kind == value.Double && (glyph == "⌊" || glyph == "⌈") {
		if r := rounded(c, glyph, y); r != nil {
			return r, nil
		}
	}
	if y.Kind <= value.Double {
		out, st := eachReal(c, u, y.AsDoubles())
		if st != notReal {
			r := &V{Kind: value.Double, Shape: y.Shape, Doubles: out}
			if glyph == "⌊" || glyph == "⌈" || glyph == "×" {
				r = r.Whole()
			}
			return r, stateError(st)
		}
	}
	return eachComplex(c, u, y)
}

func eachInt(f func(int64) (int64, bool), y []int64) ([]int64, bool) {
	out := make([]int64, len(y))
	for i, x := range y {
		r, ok := f(x)
		if !ok {
			return nil, false
		}
		out[i] = r
	}
	return out, true
}

func eachReal(c *Context, u *unary, y []float64) ([]float64, state) {
	out := make([]float64, len(y))
	for i, x := range y {
		r, st := u.real(c, x)
		if st == good && bad(r) {
			st = tooLarge
		}
		if st != good {
			return nil, st
		}
		out[i] = r
	}
	return out, good
}

func eachComplex(c *Context, u *unary, y *V) (*V, error) {
	if u.complex == nil {
		return nil, stateError(outside)
	}
	out := make([]complex128, y.Len())
	for i, x := range y.AsComplexes() {
		r, st := u.complex(c, x)
		if st == good && (bad(real(r)) || bad(imag(r))) {
			st = tooLarge
		}
		if st != good {
			return nil, stateError(st)
		}
		out[i] = r
	}
	return (&V{Kind: value.Complex, Shape: y.Shape, Complexes: out}).Reals(), nil
}

func unaryNested(c *Context, glyph string, y *V) (*V, error) {
	if len(y.Items) == 0 {
		f, err := Unary(c, glyph, y.Prototype())
		if err != nil {
			return nil, err
		}
		return value.Empty(y.Shape, f), nil
	}
	out := make([]*V, len(y.Items))
	for i, x := range y.Items {
		r, err := Unary(c, glyph, x)
		if err != nil {
			return nil, err
		}
		out[i] = r
	}
	return value.FromItems(y.Shape, out), nil
}

// roll is monadic ?.
func roll(c *Context, y *V) (*V, error) {
	n, err := Ints(y)
	if err != nil {
		return nil, err
	}
	unit := false
	for _, k := range n {
		if k < 0 {
			return nil, fault(diag.Negative, "%s is negative", number(float64(k)))
		}
		unit = unit || k == 0
	}
	if !unit {
		out := make([]int64, len(n))
		for i, k := range n {
			out[i] = c.Random.Roll(k) - 1 + int64(c.Origin)
		}
		return &V{Kind: value.Int, Shape: y.Shape, Ints: out}, nil
	}
	out := make([]float64, len(n))
	for i, k := range n {
		if k == 0 {
			out[i] = c.Random.RollUnit()
		} else {
			out[i] = float64(c.Random.Roll(k) - 1 + int64(c.Origin))
		}
	}
	return &V{Kind: value.Double, Shape: y.Shape, Doubles: out}, nil
}

// deal is dyadic ?.
func deal(c *Context, x, y *V) (*V, error) {
	k, err := Whole(x)
	if err != nil {
		return nil, err
	}
	n, err := Whole(y)
	if err != nil {
		return nil, err
	}
	if k < 0 || n < k {
		return nil, fault(diag.OutsideDomain, "%s is outside the function's domain", number(float64(k)))
	}
	out := c.Random.Deal(int64(k), int64(n))
	for i := range out {
		out[i] += int64(c.Origin) - 1
	}
	return value.Integers(out), nil
}
