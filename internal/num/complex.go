package num

import (
	"math"
	"math/cmplx"
)

// Functions of complex numbers. Compiled code computes them by the same
// formulas. An imaginary part of -0 counts as 0, as in an interpreter that
// keeps such a number as a real one; so values on a branch cut have one answer.

// AbsZ returns the magnitude of y: the square root of the sum of the squares of
// its parts, each operation rounded, where neither the squares of great parts
// overflow nor those of two small ones vanish; there the parts are scaled by a
// power of two. A comparison of it with a constant is one of the sum.
func AbsZ(y complex128) float64 {
	const great, small = 0x1p500, 0x1p-500
	a, b := math.Abs(real(y)), math.Abs(imag(y))
	in, out := 1.0, 1.0
	if a > great || b > great {
		in, out = 0x1p-600, 0x1p600
	} else if a < small && b < small {
		in, out = 0x1p600, 0x1p-600
	}
	a, b = a*in, b*in
	return math.Sqrt(float64(a*a)+float64(b*b)) * out
}

// EqualZ reports whether x equals y with tolerance ct: their distance is at
// most ct times the greater magnitude.
func EqualZ(x, y complex128, ct float64) bool {
	if x == y {
		return true
	}
	d := AbsZ(x - y)
	return d <= ct*larger(AbsZ(x), AbsZ(y)) && d <= math.MaxFloat64
}

// RealZ returns the real number that x is with tolerance ct, if it is one.
func RealZ(x complex128, ct float64) (float64, bool) {
	return real(x), imag(x) == 0 || math.Abs(imag(x)) <= ct*AbsZ(x)
}

// DivideZ returns x÷y by Smith's method; 0÷0 is 1, and false tells a division
// by zero.
func DivideZ(x, y complex128) (complex128, bool) {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	switch {
	case c == 0 && d == 0:
		return 1, x == 0
	case d == 0:
		return complex(a/c, b/c), true
	case math.Abs(c) >= math.Abs(d):
		r := d / c
		t := c + float64(d*r)
		return complex((a+float64(b*r))/t, (b-float64(a*r))/t), true
	}
	r := c / d
	t := float64(c*r) + d
	return complex((float64(a*r)+b)/t, (float64(b*r)-a)/t), true
}

// SignZ returns the number of magnitude 1 in the direction of y; 0 for 0.
func SignZ(y complex128) complex128 {
	if y == 0 {
		return 0
	}
	m := AbsZ(y)
	return complex(real(y)/m, imag(y)/m)
}

// ExpZ returns *y. A sine or a cosine that is smaller than what rounding of the angle
// amounts to is 0: *○0J1 is ¯1, and *○0J0.5 is 0J1.
func ExpZ(y complex128) complex128 {
	r := math.Exp(real(y))
	if imag(y) == 0 {
		return complex(r, imag(y))
	}
	s, c := sinCos(imag(y))
	return complex(CosinePart(r, c, imag(y)), SinePart(r, s, imag(y)))
}

// expI returns *0J1×y, which is ¯12○y: ExpZ whose cosine is as it is.
func expI(y complex128) complex128 {
	y = timesI(y)
	r, b := math.Exp(real(y)), imag(y)
	if b == 0 {
		return complex(r, b)
	}
	s, c := sinCos(b)
	return complex(r*c, SinePart(r, s, b))
}

// CosinePart returns the real part of r×*0J1×b, where c is the cosine of b.
func CosinePart(r, c, b float64) float64 {
	if vanishes(c, b) {
		return 0
	}
	return r * c
}

// SinePart returns the imaginary part of r×*0J1×b, where s is the sine of b.
func SinePart(r, s, b float64) float64 {
	switch {
	case b == 0:
		return b
	case vanishes(s, b):
		return 0
	}
	return r * s
}

// vanishes reports whether a sine or a cosine of b is small, and no more than what
// rounding of b amounts to.
func vanishes(s, b float64) bool {
	return math.Abs(s) <= math.Abs(b)*0x1p-53 && math.Abs(s) <= 0x1p-27
}

// LnZ returns ⍟y, its imaginary part in -π…π. The logarithm of a magnitude near 1
// is that of 1 more than the excess of its square.
func LnZ(y complex128) complex128 {
	m := AbsZ(y)
	if !(m > 0.7 && m < 1.4) {
		return complex(Ln(m), Phase(y))
	}
	a, b := math.Abs(real(y)), math.Abs(imag(y))
	a, b = max(a, b), min(a, b)
	return complex(0.5*math.Log1p(float64((a-1)*(a+1))+float64(b*b)), Phase(y))
}

// Phase returns the angle of y.
func Phase(y complex128) float64 { return math.Atan2(imag(y)+0, real(y)) }

// areReal reports whether x and y have no imaginary parts. Functions of two such numbers
// are those of the reals, so that a result does not depend on the type that holds it.
func areReal(x, y complex128) bool { return imag(x) == 0 && imag(y) == 0 }

// LogZ returns x⍟y, and false where it is not defined.
func LogZ(x, y complex128) (complex128, bool) {
	if x == 1 && y == 1 {
		return 1, true
	}
	if x == 0 || y == 0 || x == 1 {
		return 0, false
	}
	if areReal(x, y) && !LogLeavesReals(real(x), real(y)) {
		r, ok := Log(real(x), real(y))
		return complex(r, 0), ok
	}
	return DivideZ(LnZ(y), LnZ(x))
}

// SqrtZ returns the square root of y in the right half-plane.
func SqrtZ(y complex128) complex128 {
	a, b := real(y), imag(y)+0
	if a == 0 && b == 0 {
		return 0
	}
	t := math.Sqrt((math.Abs(a) + AbsZ(complex(a, b))) / 2)
	if a >= 0 {
		return complex(t, b/(2*t))
	}
	return complex(math.Abs(b)/(2*t), math.Copysign(t, b))
}

// MulZ returns x×y, rounded after each operation.
func MulZ(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	return complex(float64(a*c)-float64(b*d), float64(a*d)+float64(b*c))
}

// ScaleZ returns x×y for a real x, which multiplies each part.
func ScaleZ(x float64, y complex128) complex128 { return complex(x*real(y), x*imag(y)) }

func timesI(y complex128) complex128  { return complex(-imag(y), real(y)) }
func overI(y complex128) complex128   { return complex(imag(y), -real(y)) }
func oneLess(y complex128) complex128 { return complex(1-real(y), -imag(y)) } // 1-y
func oneMore(y complex128) complex128 { return complex(1+real(y), imag(y)) }

// squareAndOne returns 1+y*2 as a product, which loses no digits near its zeros.
func squareAndOne(y complex128) complex128 {
	return MulZ(complex(1-imag(y), real(y)), complex(1+imag(y), -real(y)))
}

// sinhZ and coshZ are the hyperbolic functions; sine and cosine follow.
func sinhZ(y complex128) complex128 {
	s, c := sinCos(imag(y))
	return complex(math.Sinh(real(y))*c, math.Cosh(real(y))*s)
}

func coshZ(y complex128) complex128 {
	s, c := sinCos(imag(y))
	return complex(math.Cosh(real(y))*c, math.Sinh(real(y))*s)
}

// tanhZ does not overflow where sinh and cosh do.
func tanhZ(y complex128) complex128 {
	a, b := real(y), imag(y)
	if math.Abs(a) > 20 {
		return complex(math.Copysign(1, a), 2*sin(2*b)*math.Exp(-2*math.Abs(a)))
	}
	s, h := sin(b), math.Sinh(a)
	c := cos(b)
	d := float64(h*h) + float64(c*c)
	return complex(h*math.Cosh(a)/d, s*c/d)
}

// asinZ, acosZ, acoshZ and atanhZ are Kahan's formulas ("Branch cuts for
// complex elementary functions", 1987), which lose no digits.
func asinZ(y complex128) complex128 {
	l, r := SqrtZ(oneLess(y)), SqrtZ(oneMore(y))
	return complex(math.Atan2(real(y), real(MulZ(l, r))), math.Asinh(imag(MulZ(cmplx.Conj(l), r))))
}

func acosZ(y complex128) complex128 {
	l, r := SqrtZ(oneLess(y)), SqrtZ(oneMore(y))
	return complex(2*math.Atan2(real(l), real(r)), math.Asinh(imag(MulZ(cmplx.Conj(r), l))))
}

func acoshZ(y complex128) complex128 {
	l, r := SqrtZ(complex(real(y)-1, imag(y))), SqrtZ(oneMore(y))
	return complex(math.Asinh(real(MulZ(cmplx.Conj(l), r))), 2*math.Atan2(imag(l), real(r)))
}

func atanhZ(y complex128) complex128 {
	a, b := real(y), imag(y)+0
	if b == 0 && a > 1 {
		b = math.Copysign(0, -1)
	}
	m := math.Abs(a)
	d := float64((1-m)*(1-m)) + float64(b*b)
	return complex(math.Copysign(0.25*math.Log1p(4*m/d), a), 0.5*math.Atan2(2*b, float64((1-a)*(1+a))-float64(b*b)))
}

// CircleZ returns x○y for x from ¯12 to 12, and false where it has no value.
func CircleZ(x int64, y complex128) (complex128, bool) {
	if imag(y) == 0 && !CircleLeavesReals(x, real(y)) {
		r, ok := Circle(x, real(y))
		return complex(r, 0), ok
	}
	switch x {
	case 0:
		return SqrtZ(MulZ(oneLess(y), oneMore(y))), true
	case 1:
		return overI(sinhZ(timesI(y))), true
	case 2:
		return coshZ(timesI(y)), true
	case 3:
		return overI(tanhZ(timesI(y))), true
	case 4:
		return SqrtZ(squareAndOne(y)), true
	case 5:
		return sinhZ(y), true
	case 6:
		return coshZ(y), true
	case 7:
		return tanhZ(y), true
	case 8, -8:
		z := SqrtZ(-squareAndOne(y))
		if x < 0 {
			z = -z
		}
		return z, true
	case 9:
		return complex(real(y), 0), true
	case 10:
		return complex(AbsZ(y), 0), true
	case 11:
		return complex(imag(y), 0), true
	case 12:
		return complex(Phase(y), 0), true
	}
	return inverseCircleZ(x, y)
}

func inverseCircleZ(x int64, y complex128) (complex128, bool) {
	switch x {
	case -1:
		return asinZ(y), true
	case -2:
		return acosZ(y), true
	case -3:
		return overI(atanhZ(timesI(y))), !(real(y) == 0 && math.Abs(imag(y)) == 1)
	case -4:
		if y == -1 {
			return 0, true
		}
		q, _ := DivideZ(complex(real(y)-1, imag(y)), oneMore(y))
		return MulZ(oneMore(y), SqrtZ(q)), true
	case -5:
		return overI(asinZ(timesI(y))), true
	case -6:
		return acoshZ(y), true
	case -7:
		return atanhZ(y), !(imag(y) == 0 && math.Abs(real(y)) == 1)
	case -9:
		return y, true
	case -10:
		return cmplx.Conj(y), true
	case -11:
		return timesI(y), true
	case -12:
		return expI(y), true
	}
	return 0, false
}

// FloorZ returns ⌊y of a complex y by McDonnell's definition ("Complex floor",
// 1973): the Gaussian integer at the lower left of y's unit square where the
// fractions of its parts add up to less than 1, else the next to the right of
// it or above it, whichever part has the greater fraction. A number that
// equals a Gaussian integer with tolerance ct is that integer.
func FloorZ(y complex128, ct float64) complex128 {
	near := complex(math.RoundToEven(real(y)), math.RoundToEven(imag(y)))
	if EqualZ(y, near, ct) {
		return near
	}
	a, b := math.Floor(real(y)), math.Floor(imag(y))
	p, q := real(y)-a, imag(y)-b
	switch {
	case Less(p+q, 1, ct):
		return complex(a, b)
	case p >= q:
		return complex(a+1, b)
	}
	return complex(a, b+1)
}

// ResidueZ returns x|y; y where x is 0, and 0 where y÷x is a Gaussian integer
// with tolerance ct.
func ResidueZ(x, y complex128, ct float64) complex128 {
	if x == 0 {
		return y
	}
	if areReal(x, y) {
		return complex(Residue(real(x), real(y), ct), 0)
	}
	q, _ := DivideZ(y, x)
	f := FloorZ(q, ct)
	if EqualZ(q, f, ct) {
		return 0
	}
	return y - MulZ(x, f)
}
