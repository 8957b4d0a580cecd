package num

import "math"

// Powers of complex numbers. The logarithm of the base, its product with the exponent
// and whole powers are computed in pairs of doubles, so that what remains are the
// roundings of an exponential, a sine and a cosine; cgen/rt/powers.c in Go.

// fewProducts is the greatest exponent whose power is products of doubles.
const fewProducts = 4

// PowZ returns x*y, and false for a negative power of 0. Whole powers of Gaussian
// integers are exact.
func PowZ(x, y complex128) (complex128, bool) {
	n := real(y)
	isWhole := imag(y) == 0 && whole(n) && math.Abs(n) <= 64
	switch {
	case y == 0:
		return 1, true
	case x == 0:
		return 0, n > 0
	case areReal(x, y) && !PowerLeavesReals(real(x), n):
		return complex(Pow(real(x), n), 0), true
	case isWhole && n > 0 && n <= fewProducts:
		return wholePowZ(x, int(n)), true
	case imag(y) == 0 && n == 0.5:
		return SqrtZ(x), true
	case isWhole && n == -1:
		return DivideZ(1, x)
	case isWhole:
		return pairPowZ(x, int(n)), true
	case math.Abs(n) > 0x1p60 || math.Abs(imag(y)) > 0x1p60:
		return ExpZ(MulZ(y, LnZ(x))), true
	}
	return generalPowZ(x, y), true
}

// wholePowZ returns x*n for n from 1 on, by squares: 2 is x×x.
func wholePowZ(x complex128, n int) complex128 {
	for ; n&1 == 0; n >>= 1 {
		x = MulZ(x, x)
	}
	z := x
	for n >>= 1; n > 0; n >>= 1 {
		if x = MulZ(x, x); n&1 != 0 {
			z = MulZ(z, x)
		}
	}
	return z
}

// unscaled returns the parts of x divided by a power of two, which is returned as its
// exponent, so that the greater one is between 1 and 2.
func unscaled(x complex128) (a, b float64, e int) {
	a, b = real(x), imag(x)+0
	e = math.Ilogb(max(math.Abs(a), math.Abs(b)))
	return math.Ldexp(a, -e), math.Ldexp(b, -e), e
}

// pairPowZ returns x*n for n other than 0, rounded once.
func pairPowZ(x complex128, n int) complex128 {
	a, b, e := unscaled(x)
	p, q := single(a), single(b)
	re, im := single(1), single(0)
	for k := max(n, -n); ; {
		if k&1 != 0 {
			re, im = re.mul(p).sub(im.mul(q)), re.mul(q).add(im.mul(p))
		}
		if k >>= 1; k == 0 {
			break
		}
		p, q = p.mul(p).sub(q.mul(q)), p.mul(q).times(2)
	}
	if n < 0 {
		m := re.mul(re).add(im.mul(im))
		re, im = re.div(m), im.neg().div(m)
	}
	return complex(math.Ldexp(re.value(), e*n), math.Ldexp(im.value(), e*n))
}

// generalPowZ returns x*y for x other than 0.
func generalPowZ(x, y complex128) complex128 {
	a, b, e := unscaled(x)
	square := twoProduct(a, a).add(twoProduct(b, b))
	k := math.Ilogb(square.hi / 0.7)
	square = pair{math.Ldexp(square.hi, -k), math.Ldexp(square.lo, -k)}
	l, t := logPair(square, k+2*e).half(), angleOf(a, b)
	c, d := real(y), imag(y)
	return expCis(l.times(c).sub(t.times(d)), l.times(d).add(t.times(c)))
}

// logPair returns the logarithm of x×2*k, for x between 0.7 and 1.5: one step of
// Newton's method squares the error of that in doubles.
func logPair(x pair, k int) pair {
	y := math.Log(x.hi)
	r := y / -16
	z := single(float64((float64(overFactorials[9].hi*r)+overFactorials[8].hi)*r) + overFactorials[7].hi)
	for n := 6; n >= 0; n-- {
		z = z.times(r).add(overFactorials[n])
	}
	for range 4 {
		z = z.mul(z)
	}
	return x.mul(z).plus(-1).plus(y).add(ln2Pair.times(float64(k)))
}

// overFactorials are 1÷!n for n from 0 to 21.
var overFactorials = func() (all [22]pair) {
	all[0] = single(1)
	for n := 1; n < len(all); n++ {
		all[n] = all[n-1].div(single(float64(n)))
	}
	return all
}()

// angleOf returns the angle of aJb as a pair: what the angle that is rounded to a
// double leaves is that of the number turned back by it.
func angleOf(a, b float64) pair {
	t := math.Atan2(b, a)
	if t == 0 {
		return pair{}
	}
	s, c := sinCosPair(t)
	rest := c.times(b).sub(s.times(a))
	return quickSum(t, rest.hi/(float64(c.hi*a)+float64(s.hi*b)))
}

// sinCosPair returns the sine and the cosine of x, for |x| up to 4.
func sinCosPair(x float64) (sine, cosine pair) {
	k := math.RoundToEven(x * (2 / math.Pi))
	r := twoSum(x, -k*(piPair.hi/2)).plus(-k * (piPair.lo / 2))
	square := r.mul(r).neg()
	v, u := overFactorials[20].hi, overFactorials[21].hi
	for n := 18; n >= 14; n -= 2 { // Taylor's series, whose small terms need no pairs
		v = float64(v*square.hi) + overFactorials[n].hi
		u = float64(u*square.hi) + overFactorials[n+1].hi
	}
	c, s := single(v), single(u)
	for n := 12; n >= 0; n -= 2 {
		c = c.mul(square).add(overFactorials[n])
		s = s.mul(square).add(overFactorials[n+1])
	}
	s = s.mul(r)
	switch int(k) & 3 {
	case 1:
		return c, s.neg()
	case 2:
		return s.neg(), c.neg()
	case 3:
		return c.neg(), s
	}
	return s, c
}

// expCis returns the number of magnitude *r and angle t. A sine or a cosine that is
// smaller than what rounding of the angle amounts to is 0: ¯1J0*65 is ¯1.
func expCis(r, t pair) complex128 {
	half := 0.0 // the magnitude may be beyond the numbers where the parts are not
	if math.Abs(r.hi) > 700 {
		half = math.Max(-750, math.Min(r.hi/2, 710))
	}
	g, h := math.Exp(math.Max(-750, math.Min(r.hi-half, 710))), math.Exp(half)
	g += float64(g * r.lo)
	s, c := sinCos(t.hi)
	s, c = s+float64(t.lo*c), c-float64(t.lo*s)
	least := math.Abs(t.hi) * 0x1p-53
	if math.Abs(s) <= least {
		s = 0
	}
	if math.Abs(c) <= least {
		c = 0
	}
	if half == 0 {
		return complex(g*c, g*s)
	}
	return complex(float64(g*c)*h, float64(g*s)*h)
}
