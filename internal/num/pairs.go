package num

import "math"

// pair is the unevaluated sum of two doubles, of which the second is at most half
// a unit in the last place of the first: a number of 106 bits.
type pair struct{ hi, lo float64 }

// twoSum returns x+y without error.
func twoSum(x, y float64) pair {
	s := x + y
	t := s - x
	return pair{s, (x - (s - t)) + (y - t)}
}

// quickSum returns x+y without error, where |x| ≥ |y|.
func quickSum(x, y float64) pair {
	s := x + y
	return pair{s, y - (s - x)}
}

// twoProduct returns x×y without error.
func twoProduct(x, y float64) pair {
	p := x * y
	return pair{p, math.FMA(x, y, -p)}
}

func (a pair) add(b pair) pair {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = quickSum(s.hi, s.lo+t.hi)
	return quickSum(s.hi, s.lo+t.lo)
}

func (a pair) neg() pair           { return pair{-a.hi, -a.lo} }
func (a pair) sub(b pair) pair     { return a.add(b.neg()) }
func (a pair) value() float64      { return a.hi + a.lo }
func (a pair) half() pair          { return pair{a.hi / 2, a.lo / 2} }
func single(x float64) pair        { return pair{x, 0} }
func (a pair) plus(x float64) pair { return a.add(single(x)) }

func (a pair) mul(b pair) pair {
	p := twoProduct(a.hi, b.hi)
	return quickSum(p.hi, p.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a pair) times(x float64) pair {
	p := twoProduct(a.hi, x)
	return quickSum(p.hi, p.lo+float64(a.lo*x))
}

func (a pair) div(b pair) pair {
	q := a.hi / b.hi
	r := a.sub(b.times(q))
	s := r.hi / b.hi
	r = r.sub(b.times(s))
	return quickSum(q, s).plus(r.hi / b.hi)
}

var (
	ln2Pair = pair{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	piPair  = pair{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}
)

// expPair returns e*x as a pair times a power of two, for |x| below 10000.
func expPair(x pair) (pair, int) {
	k := math.RoundToEven(x.hi / math.Ln2)
	r := x.sub(ln2Pair.times(k))
	r = pair{r.hi / 256, r.lo / 256}
	sum := single(1.0 / 3628800)
	for n := 9; n >= 0; n-- { // Taylor's series of 11 terms
		sum = sum.mul(r).add(inverseFactorials[n])
	}
	for range 8 {
		sum = sum.mul(sum)
	}
	return sum, int(k)
}

// inverseFactorials are 1÷!n for n from 0 to 9.
var inverseFactorials = func() (all [10]pair) {
	all[0] = single(1)
	for n := 1; n < len(all); n++ {
		all[n] = all[n-1].div(single(float64(n)))
	}
	return all
}()

// lnPair returns the logarithm of a positive number.
func lnPair(x pair) pair {
	m, e := math.Frexp(x.hi)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	m2 := pair{m, math.Ldexp(x.lo, -e)}
	if math.Abs(m-1) < 0x1p-9 && e == 0 {
		return lnNearOne(m2)
	}
	y := single(math.Log(m))
	for range 2 { // y + m×e*-y - 1, which squares the error
		z, k := expPair(y.neg())
		z = pair{math.Ldexp(z.hi, k), math.Ldexp(z.lo, k)}
		d := m2.mul(z).plus(-1)
		y = y.add(d).sub(d.mul(d).half())
	}
	return y.add(ln2Pair.times(float64(e)))
}

// lnNearOne sums 2×s+(s*3)÷3+(s*5)÷5+… for s = (x-1)÷x+1, whose relative error is
// small where the logarithm is.
func lnNearOne(x pair) pair {
	s := x.plus(-1).div(x.plus(1))
	square, sum := s.mul(s), single(0)
	for n := 13; n >= 1; n -= 2 {
		sum = sum.mul(square).add(single(1).div(single(float64(n))))
	}
	return sum.mul(s).times(2)
}

// scaled returns a×2*k, rounded once.
func (a pair) scaled(k int) float64 {
	v := a.value()
	if e := math.Ilogb(v) + k; e >= -1022 {
		return math.Ldexp(v, k)
	}
	// A denormal: round to the bits that it has, and not twice.
	shift := math.Ldexp(1, -1022-k+1)
	s := twoSum(shift, a.hi)
	return math.Ldexp(quickSum(s.hi, s.lo+a.lo).value()-shift, k)
}
