package ulp

import (
	"math"
	"math/big"
)

// precision is the number of bits of references; they lose some by cancellation.
const precision = 400

func num(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func ratio(n, d int64) *big.Float { return quo(num(float64(n)), num(float64(d))) }

func add(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Add(x, y) }
func sub(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Sub(x, y) }
func mul(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Mul(x, y) }
func quo(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Quo(x, y) }
func neg(x *big.Float) *big.Float    { return new(big.Float).Neg(x) }
func sqrt(x *big.Float) *big.Float   { return new(big.Float).SetPrec(precision).Sqrt(x) }

func scale(x *big.Float, e int) *big.Float { return new(big.Float).SetMantExp(x, e) }

// small reports whether x is below 2*-e.
func small(x *big.Float, e int) bool { return x.Sign() == 0 || x.MantExp(nil) < -e }

func floatOf(x *big.Float) float64 { f, _ := x.Float64(); return f }

var (
	one = num(1)
	ln2 = mul(num(2), arctanhSeries(ratio(1, 3), precision))
	pi  = machin()
)

// machin computes π with enough bits to reduce any double modulo π÷2.
func machin() *big.Float {
	const bits = 1600
	arctan := func(n int64) *big.Float {
		sum := new(big.Float).SetPrec(bits)
		power := new(big.Float).SetPrec(bits).Quo(big.NewFloat(1).SetPrec(bits), big.NewFloat(float64(n)).SetPrec(bits))
		square := big.NewFloat(float64(n * n)).SetPrec(bits)
		for k := 1; !small(power, bits); k += 2 {
			term := new(big.Float).SetPrec(bits).Quo(power, big.NewFloat(float64(k)))
			if k%4 == 3 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power.Quo(power, square)
		}
		return sum
	}
	a, b := arctan(5), arctan(239)
	a.Mul(a, big.NewFloat(16))
	return a.Sub(a, b.Mul(b, big.NewFloat(4)))
}

// arctanhSeries sums x + x³÷3 + x⁵÷5 + …
func arctanhSeries(x *big.Float, bits int) *big.Float {
	sum, power, square := num(0), x, mul(x, x)
	for k := int64(1); ; k += 2 {
		term := quo(power, num(float64(k)))
		if term.Sign() == 0 || term.MantExp(nil) < x.MantExp(nil)-bits {
			return sum
		}
		sum, power = add(sum, term), mul(power, square)
	}
}

func exp(x *big.Float) *big.Float {
	k := math.Round(floatOf(quo(x, ln2)))
	r := scale(sub(x, mul(num(k), ln2)), -16)
	sum, term := num(1), num(1)
	for i := 1; !small(term, precision); i++ {
		term = quo(mul(term, r), num(float64(i)))
		sum = add(sum, term)
	}
	for range 16 {
		sum = mul(sum, sum)
	}
	return scale(sum, int(k))
}

// ln takes steps of Halley from what a double gives.
func ln(x *big.Float) *big.Float {
	if x.Cmp(one) == 0 {
		return num(0)
	}
	m := new(big.Float).SetPrec(precision)
	e := x.MantExp(m)
	y := num(math.Log(floatOf(m)))
	for range 3 {
		z := exp(y)
		y = add(y, mul(num(2), quo(sub(m, z), add(m, z))))
	}
	return add(y, mul(num(float64(e)), ln2))
}

// sincos reduces x modulo π÷2 and sums the series.
func sincos(x *big.Float) (s, c *big.Float) {
	half := scale(pi, -1)
	q := new(big.Float).SetPrec(1600).Quo(x, half)
	q.Add(q, big.NewFloat(math.Copysign(0.5, floatOf(x))))
	k, _ := q.Int(nil)
	r := new(big.Float).SetPrec(1600).SetInt(k)
	r.Sub(new(big.Float).SetPrec(1600).Set(x), r.Mul(r, half))
	r.SetPrec(precision)
	s, c = num(0), num(0)
	term := num(1)
	for i := 0; i < 2 || !small(term, precision-min(0, r.MantExp(nil))); i++ {
		sign := add
		if i%4 >= 2 {
			sign = sub
		}
		if i%2 == 0 {
			c = sign(c, term)
		} else {
			s = sign(s, term)
		}
		term = quo(mul(term, r), num(float64(i+1)))
	}
	switch new(big.Int).And(k, big.NewInt(3)).Int64() {
	case 1:
		return c, neg(s)
	case 2:
		return neg(s), neg(c)
	case 3:
		return neg(c), s
	}
	return s, c
}

func arctan(x *big.Float) *big.Float {
	if x.MantExp(nil) > 0 && new(big.Float).Abs(x).Cmp(one) > 0 {
		half := num(0).Set(scale(pi, -1))
		if x.Sign() < 0 {
			half = neg(half)
		}
		return sub(half, arctan(quo(one, x)))
	}
	if x.MantExp(nil) < -40 {
		return series(x, []*big.Float{one, ratio(-1, 3), ratio(1, 5), ratio(-1, 7)})
	}
	y := num(math.Atan(floatOf(x)))
	for range 4 {
		s, c := sincos(y)
		y = add(y, quo(sub(mul(x, c), s), add(c, mul(x, s))))
	}
	return y
}

// series sums odd powers of a small x.
func series(x *big.Float, c []*big.Float) *big.Float {
	square, sum := mul(x, x), num(0)
	for i := len(c) - 1; i >= 0; i-- {
		sum = add(mul(sum, square), c[i])
	}
	return mul(sum, x)
}

func arcsin(x *big.Float) *big.Float {
	if x.MantExp(nil) < -40 {
		return series(x, []*big.Float{one, ratio(1, 6), ratio(3, 40), ratio(15, 336)})
	}
	root := sqrt(mul(sub(one, x), add(one, x)))
	if root.Sign() == 0 {
		return mul(x, scale(pi, -1))
	}
	return arctan(quo(x, root))
}

// arccos halves the angle, so that nothing cancels near 1.
func arccos(x *big.Float) *big.Float {
	if x.Cmp(neg(one)) == 0 {
		return num(0).Set(pi)
	}
	return mul(num(2), arctan(sqrt(quo(sub(one, x), add(one, x)))))
}

func sinh(x *big.Float) *big.Float {
	if x.MantExp(nil) < -40 {
		return series(x, []*big.Float{one, ratio(1, 6), ratio(1, 120), ratio(1, 5040)})
	}
	e := exp(x)
	return scale(sub(e, quo(one, e)), -1)
}

func cosh(x *big.Float) *big.Float {
	e := exp(x)
	return scale(add(e, quo(one, e)), -1)
}

func tanh(x *big.Float) *big.Float { return quo(sinh(x), cosh(x)) }

func arcsinh(x *big.Float) *big.Float {
	if x.Sign() < 0 {
		return neg(arcsinh(neg(x)))
	}
	if x.MantExp(nil) < -40 {
		return series(x, []*big.Float{one, ratio(-1, 6), ratio(3, 40), ratio(-15, 336)})
	}
	return ln(add(x, sqrt(add(mul(x, x), one))))
}

func arccosh(x *big.Float) *big.Float { return ln(add(x, sqrt(mul(sub(x, one), add(x, one))))) }

func arctanh(x *big.Float) *big.Float {
	if x.MantExp(nil) < -40 {
		return series(x, []*big.Float{one, ratio(1, 3), ratio(1, 5), ratio(1, 7)})
	}
	return scale(ln(quo(add(one, x), sub(one, x))), -1)
}

// bernoulli are the numbers B₂, B₄, ….
var bernoulli = bernoullis(30)

func bernoullis(n int) []*big.Float {
	b := make([]*big.Rat, 2*n+1)
	a := make([]*big.Rat, 2*n+1)
	for m := range b { // Akiyama and Tanigawa
		a[m] = big.NewRat(1, int64(m+1))
		for j := m; j > 0; j-- {
			a[j-1] = new(big.Rat).Mul(big.NewRat(int64(j), 1), new(big.Rat).Sub(a[j-1], a[j]))
		}
		b[m] = new(big.Rat).Set(a[0])
	}
	even := make([]*big.Float, n)
	for k := range even {
		even[k] = new(big.Float).SetPrec(precision).SetRat(b[2*k+2])
	}
	return even
}

// factorial is the gamma function of x+1, by Stirling's series at a larger
// argument.
func factorial(x *big.Float) *big.Float {
	z, below := add(x, one), num(1)
	for z.Cmp(num(60)) < 0 {
		below, z = mul(below, z), add(z, one)
	}
	sum := sub(mul(sub(z, num(0.5)), ln(z)), z)
	sum = add(sum, scale(ln(scale(num(0).Set(pi), 1)), -1))
	power, square := z, mul(z, z)
	for k, b := range bernoulli {
		n := float64(2 * (k + 1))
		sum = add(sum, quo(b, mul(num(n*(n-1)), power)))
		power = mul(power, square)
	}
	return quo(exp(sum), below)
}

func binomial(x, y *big.Float) *big.Float {
	return quo(factorial(y), mul(factorial(x), factorial(sub(y, x))))
}

func power(x, y *big.Float) *big.Float {
	if x.Sign() < 0 {
		z := exp(mul(y, ln(neg(x))))
		if n, _ := y.Int64(); n%2 != 0 {
			return neg(z)
		}
		return z
	}
	return exp(mul(y, ln(x)))
}

func log(x, y *big.Float) *big.Float { return quo(ln(y), ln(x)) }
