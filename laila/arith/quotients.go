package arith

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/tailor-lang/tailor/laila/ir"
)

// divisorExponents bounds divisors: they are between 2*-this and 2*this.
const divisorExponents = 60

// byConstant takes a division by a constant apart.
func byConstant(x ir.Expr) (div *ir.Binary, d float64, ok bool) {
	div, ok = x.(*ir.Binary)
	if !ok || div.Op != ir.OpDiv {
		return nil, 0, false
	}
	y, ok := div.Y.(*ir.Float)
	if !ok {
		return nil, 0, false
	}
	return div, y.Val, true
}

// reciprocal returns 1÷d as the sum of two doubles, towards zero. It is ok where
// fma(x, h, x×l) is x÷d, rounded, for all x of moderate size.
//
// With x and d scaled to integers X and D of 53 bits, the sum differs from x÷d by
// less than 2*¯105, so that a number M÷2*54, half way between two doubles below
// 1, or M÷2*53 above, can only be between them where X×2*54 or X×2*53 differs
// from M×D by less than 4, or 2. For each such difference there are a few M.
func reciprocal(d float64) (h, l float64, ok bool) {
	fraction, exponent := math.Frexp(math.Abs(d))
	if !(fraction > 0.5 && fraction < 1) || exponent > divisorExponents || exponent < -divisorExponents {
		return 0, 0, false
	}
	whole := new(big.Float).SetPrec(400)
	whole.Quo(big.NewFloat(1).SetPrec(400), new(big.Float).SetPrec(400).SetFloat64(d))
	h, _ = new(big.Float).SetPrec(53).SetMode(big.ToZero).Set(whole).Float64()
	rest := new(big.Float).SetPrec(400).Sub(whole, new(big.Float).SetPrec(400).SetFloat64(h))
	l, _ = new(big.Float).SetPrec(53).SetMode(big.ToNearestEven).Set(rest).Float64()
	if l == 0 || (l > 0) != (h > 0) {
		return 0, 0, false
	}
	one := math.Ldexp(fraction, 1) // d between 1 and 2
	hs, ls := math.Ldexp(math.Abs(h), exponent-1), math.Ldexp(math.Abs(l), exponent-1)
	same := func(x float64) bool { return math.FMA(x, hs, x*ls) == x/one }
	digits := uint64(math.Ldexp(fraction, 53))
	for _, k := range []uint{54, 53} {
		for c := int64(-4); c <= 4; c++ {
			for _, x := range halfway(digits, k, c) {
				if !same(math.Ldexp(float64(x), -52)) {
					return 0, 0, false
				}
			}
		}
	}
	return h, l, true
}

// halfway returns the X between 2*52 and 2*53 for which X×2*k - M×digits is c
// for some M between 2*53 and 2*54.
func halfway(digits uint64, k uint, c int64) []uint64 {
	zeros := uint(bits.TrailingZeros64(digits))
	if c == 0 || uint(bits.TrailingZeros64(uint64(c))) < zeros {
		return nil
	}
	odd := digits >> zeros
	inverse := odd // of an odd number modulo 2*64: each step doubles the digits that are right
	for range 6 {
		inverse *= 2 - odd*inverse
	}
	period := uint64(1) << (k - zeros)
	m := (uint64(-(c >> zeros)) * inverse) & (period - 1)
	var found []uint64
	for m += (1<<53 - min(m, 1<<53) + period - 1) / period * period; m < 1<<54; m += period {
		hi, lo := bits.Mul64(m, digits)
		sum, carry := bits.Add64(lo, uint64(c), 0)
		hi += carry + uint64(c>>63)
		x := hi<<(64-k) | sum>>k
		if x >= 1<<52 && x < 1<<53 {
			found = append(found, x)
		}
	}
	return found
}
