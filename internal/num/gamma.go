package num

import "math"

// Factorials and binomial coefficients of complex numbers. Compiled code
// computes them by the same formulas.

// lanczos are the coefficients of Lanczos's series for the gamma function with
// g = 607÷128, by P. Godfrey: the relative error is below 1E¯15.
var lanczos = [...]float64{
	57.156235665862923517, -59.597960355475491248, 14.136097974741747174,
	-0.49191381609762019978, .33994649984811888699e-4, .46523628927048575665e-4,
	-.98374475304879564677e-4, .15808870322491248884e-3, -.21026444172410488319e-3,
	.21743961811521264320e-3, -.16431810653676389022e-3, .84418223983852743293e-4,
	-.26190838401581408670e-4, .36899182659531622704e-5,
}

// lnFactorialZ returns the logarithm of !z up to multiples of 2π in its
// imaginary part; z is no negative integer.
func lnFactorialZ(z complex128) complex128 {
	if real(z) < -0.5 { // by reflection
		return LnZ(complex(-math.Pi, 0)) - lnSinPi(z) - lnFactorialZ(complex(-1-real(z), -imag(z)))
	}
	sum := complex(0.99999999999999709182, 0)
	for k, c := range lanczos {
		q, _ := DivideZ(complex(c, 0), complex(real(z)+float64(k+1), imag(z)))
		sum += q
	}
	t := complex(real(z)+5.2421875, imag(z))
	power := MulZ(complex(real(z)+0.5, imag(z)), LnZ(t)) - t
	return power + LnZ(complex(2.5066282746310005*real(sum), 2.5066282746310005*imag(sum)))
}

// lnSinPi returns the logarithm of the sine of π×z.
func lnSinPi(z complex128) complex128 {
	x := real(z) - 2*math.RoundToEven(real(z)/2)
	y := imag(z)
	if math.Abs(y) < 20 {
		s, c := sinCos(math.Pi * x)
		return LnZ(complex(s*math.Cosh(math.Pi*y), c*math.Sinh(math.Pi*y)))
	}
	angle := math.Copysign(math.Pi/2-math.Pi*x, y)
	return complex(math.Pi*math.Abs(y)-math.Ln2, angle)
}

// FactorialZ returns !y, gamma of y+1; false for negative integers.
func FactorialZ(y complex128) (complex128, bool) {
	if imag(y) == 0 {
		z, ok := Factorial(real(y))
		return complex(z, 0), ok
	}
	return ExpZ(lnFactorialZ(y)), true
}

// isWhole reports whether z is an integer.
func isWhole(z complex128) bool { return imag(z) == 0 && whole(real(z)) }

// maxFactors is the number of factors up to which a binomial coefficient is a
// product.
const maxFactors = 128

// BinomialZ returns x!y; false where y is a negative integer and x is not an
// integer.
func BinomialZ(x, y complex128) (complex128, bool) {
	if areReal(x, y) {
		z, ok := Binomial(real(x), real(y))
		return complex(z, 0), ok
	}
	d := y - x
	switch {
	case isWhole(y) && real(y) < 0:
		return 0, false
	case isWhole(x) && real(x) < 0, isWhole(d) && real(d) < 0:
		return 0, true
	case isWhole(x) && real(x) <= maxFactors:
		return factorsZ(d, real(x)), true
	case isWhole(d) && real(d) <= maxFactors:
		return factorsZ(x, real(d)), true
	}
	return ExpZ(lnFactorialZ(y) - lnFactorialZ(x) - lnFactorialZ(d)), true
}

// factorsZ returns the product of (z+i)÷i for i from 1 to n.
func factorsZ(z complex128, n float64) complex128 {
	r := complex128(1)
	for i := 1.0; i <= n; i++ {
		p := MulZ(r, complex(real(z)+i, imag(z)))
		r = complex(real(p)/i, imag(p)/i)
	}
	return r
}

// GCDZ returns x∨y by Euclid's algorithm with the nearest Gaussian integers as quotients;
// of the four numbers it can be, the one in the first quadrant. A remainder that errors of
// ct in the arguments can amount to counts as 0, as in GCD.
func GCDZ(x, y complex128, ct float64) complex128 {
	if areReal(x, y) {
		return complex(GCD(real(x), real(y), ct), 0)
	}
	least := ct * AbsZ(x) * AbsZ(y)
	if isGaussian(x) && isGaussian(y) {
		least = 0
	}
	for steps := 0; y != 0 && steps < 4096; steps++ {
		q, _ := DivideZ(x, y)
		r := x - MulZ(y, complex(math.RoundToEven(real(q)), math.RoundToEven(imag(q))))
		x, y = y, r
		if AbsZ(r)*AbsZ(x) <= least {
			break
		}
	}
	return firstQuadrant(x)
}

// isGaussian reports whether the parts of x are whole numbers that doubles hold exactly.
func isGaussian(x complex128) bool {
	a, b := real(x), imag(x)
	return whole(a) && whole(b) && max(math.Abs(a), math.Abs(b)) < 1<<53
}

// firstQuadrant turns x by right angles until its real part is positive and
// its imaginary part is not negative.
func firstQuadrant(x complex128) complex128 {
	a, b := real(x)+0, imag(x)+0
	switch {
	case a > 0 && b >= 0:
		return complex(a, b)
	case a <= 0 && b > 0:
		return complex(b, 0-a)
	case a < 0:
		return complex(0-a, 0-b)
	case b < 0:
		return complex(0-b, a)
	}
	return x
}

// LCMZ returns x∧y.
func LCMZ(x, y complex128, ct float64) complex128 {
	if x == 0 || y == 0 {
		return 0
	}
	if areReal(x, y) {
		return complex(LCM(real(x), real(y), ct), 0)
	}
	q, _ := DivideZ(y, GCDZ(x, y, ct))
	return MulZ(x, q)
}
