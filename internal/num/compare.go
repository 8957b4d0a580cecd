package num

import "math"

// larger is ⌈ as compiled code computes it; it is not symmetric for NaN.
func larger(x, y float64) float64 {
	if x > y {
		return x
	}
	return y
}

// Equal reports whether x equals y with tolerance ct.
func Equal(x, y, ct float64) bool {
	d := math.Abs(x - y)
	return x == y || d <= ct*larger(math.Abs(x), math.Abs(y)) && d <= math.MaxFloat64
}

// Less, LessEqual, Greater and GreaterEqual compare with tolerance ct; all
// are false for NaN.
func Less(x, y, ct float64) bool         { return x < y && !Equal(x, y, ct) }
func LessEqual(x, y, ct float64) bool    { return x <= y || Equal(x, y, ct) }
func Greater(x, y, ct float64) bool      { return x > y && !Equal(x, y, ct) }
func GreaterEqual(x, y, ct float64) bool { return x >= y || Equal(x, y, ct) }

// Floor returns ⌊x as a double.
func Floor(x, ct float64) float64 {
	if ct == 0 {
		return math.Floor(x)
	}
	r := math.RoundToEven(x)
	if r-x > ct*larger(math.Abs(r), math.Abs(x)) {
		r--
	}
	return r
}

// Ceil returns ⌈x as a double.
func Ceil(x, ct float64) float64 {
	if ct == 0 {
		return math.Ceil(x)
	}
	r := math.RoundToEven(x)
	if x-r > ct*larger(math.Abs(r), math.Abs(x)) {
		r++
	}
	return r
}

// Int converts a double that holds an integer; false where it does not fit.
func Int(x float64) (int64, bool) {
	if !(x >= -0x1p63 && x < 0x1p63) {
		return 0, false
	}
	return int64(x), true
}

// NearInt returns the integer that x equals with tolerance ct, if there is one.
func NearInt(x, ct float64) (int64, bool) {
	r := math.RoundToEven(x)
	if !Equal(x, r, ct) {
		return 0, false
	}
	return Int(r)
}

// Residue returns x|y.
func Residue(x, y, ct float64) float64 {
	if x == 0 {
		return y
	}
	q := y / x
	v := y - float64(x*math.Floor(q))
	if v == x {
		return 0
	}
	if ct == 0 {
		if (v < 0) != (x < 0) || math.Abs(q) > math.MaxFloat64 {
			return 0
		}
		return v
	}
	r := math.RoundToEven(q)
	if q == r || math.Abs(q-r) <= ct*larger(math.Abs(q), math.Abs(r)) {
		return 0
	}
	return v
}

// Sign returns ×x: ¯1, 0 or 1, 0 for NaN.
func Sign(x float64) int64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
