package num

import (
	"math"
	"math/bits"
)

// Add returns x+y and whether it fits.
func Add(x, y int64) (int64, bool) {
	r := x + y
	return r, (x^r)&(y^r) >= 0
}

// Sub returns x-y and whether it fits.
func Sub(x, y int64) (int64, bool) {
	r := x - y
	return r, (x^y)&(x^r) >= 0
}

// Mul returns x×y and whether it fits.
func Mul(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	h := int64(hi)
	if x < 0 {
		h -= y
	}
	if y < 0 {
		h -= x
	}
	r := int64(lo)
	return r, h == r>>63
}

// Neg returns -x and whether it fits.
func Neg(x int64) (int64, bool) { return -x, x != math.MinInt64 }

// Abs returns |x and whether it fits.
func Abs(x int64) (int64, bool) {
	if x < 0 {
		return Neg(x)
	}
	return x, true
}

// ResidueInt returns x|y: y modulo x with the sign of x, y where x is 0.
func ResidueInt(x, y int64) int64 {
	switch x {
	case 0:
		return y
	case -1:
		return 0
	}
	r := y % x
	if r != 0 && r^x < 0 {
		r += x
	}
	return r
}

// FloorQuotient returns the greatest integer that is not above v÷x, for an x
// that is not 0. The one quotient that is no int64 wraps.
func FloorQuotient(v, x int64) int64 {
	q := v / x
	if v%x != 0 && (v < 0) != (x < 0) {
		q--
	}
	return q
}

// PowInt returns x*y for y ≥ 0 and whether it fits.
func PowInt(x, y int64) (int64, bool) {
	r, base, ok := int64(1), x, true
	for y > 0 {
		if y&1 != 0 {
			if r, ok = Mul(r, base); !ok {
				return 0, false
			}
		}
		if y >>= 1; y > 0 {
			if base, ok = Mul(base, base); !ok {
				return 0, false
			}
		}
	}
	return r, true
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// GCDInt returns x∨y, which is not negative, and whether it fits, as 2*63 does
// not; 0∨0 is 0.
func GCDInt(x, y int64) (int64, bool) {
	a, b := magnitude(x), magnitude(y)
	for b != 0 {
		a, b = b, a%b
	}
	return int64(a), a <= math.MaxInt64
}

// LCMInt returns x∧y and whether it fits.
func LCMInt(x, y int64) (int64, bool) {
	if x == 0 || y == 0 {
		return 0, true
	}
	g, ok := GCDInt(x, y)
	if !ok {
		return 0, false
	}
	return Mul(x, y/g)
}
