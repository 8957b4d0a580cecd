package num

import (
	"math"
	"math/big"
)

// Elementary functions whose error is about one unit in the last place: Go's own
// are off by hundreds of them for some arguments.

// IsSmallPower reports whether powers with the exponent y are products, quotients and
// roots.
func IsSmallPower(y float64) bool {
	switch y {
	case -3, -2, -1.5, -1, -0.5, 0.5, 1.5, 2, 3, 4:
		return true
	}
	return false
}

// SmallPower returns x*y where IsSmallPower. No step overflows where the result does
// not. Optimised programs take the same steps (tail/opt/laws_scalar.go).
func SmallPower(x, y float64) float64 {
	switch y {
	case 0.5:
		return math.Sqrt(x)
	case -0.5:
		return 1 / math.Sqrt(x)
	case 1.5:
		return x * math.Sqrt(x)
	case -1.5:
		y := 1 / math.Sqrt(x)
		return y * (y * y)
	case 4:
		return x * x * (x * x)
	}
	if y < 0 {
		x, y = 1/x, -y
	}
	switch y {
	case 1:
		return x
	case 2:
		return x * x
	}
	return x * (x * x)
}

// Pow returns x*y; a negative x has a whole y.
func Pow(x, y float64) float64 {
	if x == 0 || y == 0 || x == 1 || math.IsInf(x, 0) || math.IsInf(y, 0) || x != x || y != y {
		return math.Pow(x, y)
	}
	if IsSmallPower(y) {
		return SmallPower(x, y)
	}
	l := lnPair(single(math.Abs(x)))
	z := l.times(y)
	var r float64
	switch {
	case z.hi > 710:
		r = math.Inf(1)
	case z.hi < -746:
		r = 0
	default:
		s, k := expPair(z)
		r = s.scaled(k)
	}
	if x < 0 && math.Mod(y, 2) != 0 {
		return -r
	}
	return r
}

// quarter returns y modulo π÷2, between ¯π÷4 and π÷4, and the number of the
// quarter modulo 4.
func quarter(y float64) (pair, int) {
	if math.Abs(y) < 0x1p20 {
		k := math.RoundToEven(y * (2 / math.Pi))
		// The first part of π÷2 has 33 bits, so that k times it is exact.
		r := twoSum(y, -float64(k*halfPi[0])).plus(-float64(k * halfPi[1]))
		return r.add(twoProduct(-k, halfPi[2])).add(twoProduct(-k, halfPi[3])), int(int64(k) & 3)
	}
	q := new(big.Float).SetPrec(1300).SetFloat64(y)
	q.Mul(q, twoOverPi)
	k, _ := new(big.Float).SetPrec(1300).Add(q, big.NewFloat(math.Copysign(0.5, y))).Int(nil)
	q.Sub(q, new(big.Float).SetPrec(1300).SetInt(k))
	hi, _ := q.Float64()
	lo, _ := q.Sub(q, big.NewFloat(hi)).Float64()
	return pair{hi, lo}.mul(piPair.half()), int(new(big.Int).And(k, big.NewInt(3)).Int64())
}

// halfPi are the bits of π÷2 in order: two parts of 33 bits, and two of 53.
var halfPi = [4]float64{0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69, 0x1.129024e088a67p-123}

// twoOverPi has enough bits to reduce any double.
var twoOverPi = func() *big.Float {
	const bits = "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b6babf0cfbc209af4361da9e39"
	n, _ := new(big.Int).SetString(bits, 16)
	return new(big.Float).SetMantExp(new(big.Float).SetPrec(1300).SetInt(n), -1300)
}()

// sinCos returns the sine and the cosine of y.
func sinCos(y float64) (float64, float64) {
	if math.IsInf(y, 0) || y != y {
		return math.NaN(), math.NaN()
	}
	r, k := pair{y, 0}, 0
	if math.Abs(y) > math.Pi/4 {
		r, k = quarter(y)
	}
	s, c := math.Sin(r.hi), math.Cos(r.hi)
	s, c = s+float64(r.lo*c), c-float64(r.lo*s)
	switch k {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}

func sin(y float64) float64 { s, _ := sinCos(y); return s }
func cos(y float64) float64 { _, c := sinCos(y); return c }

func tan(y float64) float64 {
	s, c := sinCos(y)
	return s / c
}

// arcsin is precise near 1, where Go's own is not.
func arcsin(y float64) float64 { return math.Atan2(y, math.Sqrt((1-y)*(1+y))) }

// root1 returns the square root of 1+y*2, whose square may be beyond the numbers.
func root1(y float64) float64 {
	if math.Abs(y) > 0x1p30 {
		return math.Abs(y)
	}
	return math.Sqrt(1 + float64(y*y))
}

// stirling are the coefficients B₂ₖ÷2k(2k-1) of Stirling's series.
var stirling = func() (all [12]pair) {
	for i, f := range [12][2]float64{{1, 12}, {-1, 360}, {1, 1260}, {-1, 1680}, {1, 1188}, {-691, 360360},
		{1, 156}, {-3617, 122400}, {43867, 244188}, {-174611, 125400}, {77683, 5796}, {-236364091, 1506960}} {
		all[i] = single(f[0]).div(single(f[1]))
	}
	return all
}()

// halfLnTau is the logarithm of the square root of 2π.
var halfLnTau = lnPair(piPair.times(2)).half()

// gammaPairs returns p and l, so that gamma of z is e*l divided by p; z is no
// integer below 1, and not below ¯300.
func gammaPairs(z pair) (p, l pair) {
	p = single(1)
	for z.hi < 24 {
		p, z = p.mul(z), z.plus(1)
	}
	inverse := single(1).div(z)
	square, sum := inverse.mul(inverse), stirling[len(stirling)-1]
	for i := len(stirling) - 2; i >= 0; i-- {
		sum = sum.mul(square).add(stirling[i])
	}
	l = z.plus(-0.5).mul(lnPair(z)).sub(z).add(halfLnTau).add(sum.mul(inverse))
	return p, l
}

// gamma1 returns gamma of y+1 for a y that is no integer, with the error of one
// rounding: y+1 itself has no error.
func gamma1(y float64) float64 {
	switch {
	case y > 171:
		return math.Inf(1)
	case y < -170:
		return math.Gamma(y + 1)
	}
	p, l := gammaPairs(twoSum(y, 1))
	s, k := expPair(l)
	return s.div(p).scaled(k)
}

// binomial returns x!y where x, y or y-x is no integer.
func binomial(x, y float64) float64 {
	py, ly := gammaPairs(twoSum(y, 1))
	px, lx := gammaPairs(twoSum(x, 1))
	pd, ld := gammaPairs(twoSum(y, -x).plus(1))
	l := ly.sub(lx).sub(ld)
	switch {
	case l.hi > 1400:
		return math.Inf(1)
	case l.hi < -1400:
		return 0
	}
	s, k := expPair(l)
	return s.mul(px).div(py).mul(pd).scaled(k)
}
