package num

import "math"

// GCD returns x∨y by Euclid's algorithm. A remainder that errors of ct in the
// arguments can amount to counts as 0: for a divisor d they contribute up to
// ct×|x×y÷d. Whole numbers have no such errors.
func GCD(x, y, ct float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	if max(a, b) < 1<<53 && a == math.Floor(a) && b == math.Floor(b) {
		ct = 0
	}
	x, y = a, b
	for steps := 0; b != 0 && steps < 4096; steps++ {
		r := Residue(b, a, ct)
		if r <= ct*x*(y/b) {
			return b
		}
		a, b = b, r
	}
	return a
}

// LCM returns x∧y.
func LCM(x, y, ct float64) float64 {
	g := GCD(x, y, ct)
	if x == 0 || y == 0 {
		return 0
	}
	return x * (y / g)
}

// Divide returns x÷y; 0÷0 is 1, and false tells a division by zero.
func Divide(x, y float64) (float64, bool) {
	if y == 0 {
		return 1, x == 0
	}
	return x / y, true
}

// Log returns x⍟y, and whether it is real; 1⍟1 is 1.
func Log(x, y float64) (float64, bool) {
	if x == 1 && y == 1 {
		return 1, true
	}
	if x <= 0 || y <= 0 || x == 1 {
		return math.NaN(), false
	}
	return Ln(y) / Ln(x), true
}

// Ln returns ⍟y. Go's own logarithm loses the denormals on some machines.
func Ln(y float64) float64 {
	if y > 0 && y < 0x1p-1022 {
		return math.Log(y*0x1p54) - 54*math.Ln2
	}
	return math.Log(y)
}

func whole(x float64) bool         { return x == math.RoundToEven(x) }
func negativeWhole(x float64) bool { return x < 0 && whole(x) }

// Factorial returns !y, gamma of y+1; false for negative integers.
func Factorial(y float64) (float64, bool) {
	switch {
	case !whole(y):
		return gamma1(y), true
	case y < 0:
		return math.NaN(), false
	case y > 170:
		return math.Inf(1), true
	}
	return factorials[int(y)], true
}

// choose returns the number of k-subsets of n things, 0 ≤ k ≤ n.
func choose(n, k float64) float64 {
	r := 1.0
	if k > n-k {
		k = n - k
	}
	for i := 1.0; i <= k && r <= math.MaxFloat64; i++ {
		r = r * (n - k + i) / i
	}
	if r < 0x1p53 {
		return math.RoundToEven(r)
	}
	return r
}

func alternate(k float64) float64 {
	if k == 2*math.Floor(k/2) {
		return 1
	}
	return -1
}

// Binomial returns x!y; false where y is a negative integer and x is not an
// integer. For integers it is Dyalog's table by the signs of x, y and y-x.
func Binomial(x, y float64) (float64, bool) {
	d := y - x
	switch {
	case whole(x) && whole(y):
		return wholeBinomial(x, y), true
	case negativeWhole(y):
		return math.NaN(), false
	case negativeWhole(x) || negativeWhole(d):
		return 0, true
	case min(x, y, d) > -150 && max(x, y, d) < 1e15:
		return binomial(x, y), true
	}
	ly, sy := math.Lgamma(y + 1)
	lx, sx := math.Lgamma(x + 1)
	ld, sd := math.Lgamma(d + 1)
	return float64(sy*sx*sd) * math.Exp(ly-lx-ld), true
}

func wholeBinomial(x, y float64) float64 {
	d := y - x
	switch {
	case x >= 0 && y >= 0:
		if d >= 0 {
			return choose(y, x)
		}
		return 0
	case x >= 0:
		return alternate(x) * choose(x-y-1, x)
	case y < 0 && d >= 0:
		return alternate(d) * choose(-x-1, -y-1)
	}
	return 0
}

// Circle returns x○y for x from ¯7…7 and ¯10…¯9, 9…12, and whether it is real.
func Circle(x int64, y float64) (float64, bool) {
	switch x {
	case 0:
		return math.Sqrt((1 - y) * (1 + y)), !(math.Abs(y) > 1)
	case 1:
		return sin(y), true
	case 2:
		return cos(y), true
	case 3:
		return tan(y), true
	case 4:
		return root1(y), true
	case 5:
		return math.Sinh(y), true
	case 6:
		return math.Cosh(y), true
	case 7:
		return math.Tanh(y), true
	case 9, -9, -10:
		return y, true
	case 10:
		return math.Abs(y), true
	case 11:
		return 0, true
	case 12:
		if y < 0 {
			return math.Pi, true
		}
		return 0, true
	}
	return inverseCircle(x, y)
}

// CircleLeavesReals reports whether x○y of a real y is a complex number that
// is not real, or may be taken for one: 8, ¯8, ¯11 and ¯12 always count.
func CircleLeavesReals(x int64, y float64) bool {
	switch x {
	case 0, -1, -2, -7:
		return math.Abs(y) > 1
	case -4:
		return math.Abs(y) < 1
	case -6:
		return y < 1
	}
	return x == 8 || x == -8 || x == -11 || x == -12
}

// PowerLeavesReals and LogLeavesReals report whether x*y and x⍟y of real
// numbers have values that are not real.
func PowerLeavesReals(x, y float64) bool { return x < 0 && y != math.RoundToEven(y) }

func LogLeavesReals(x, y float64) bool {
	return x != 0 && x != 1 && y != 0 && (x < 0 || y < 0)
}

// arccos is precise near 1, where Go's own is not.
func arccos(y float64) float64 { return 2 * math.Atan2(math.Sqrt(1-y), math.Sqrt(1+y)) }

func inverseCircle(x int64, y float64) (float64, bool) {
	switch x {
	case -1:
		return arcsin(y), !(math.Abs(y) > 1)
	case -2:
		return arccos(y), !(math.Abs(y) > 1)
	case -3:
		return math.Atan(y), true
	case -4:
		if y == -1 {
			return 0, true
		}
		return (y + 1) * math.Sqrt((y-1)/(y+1)), !(math.Abs(y) < 1)
	case -5:
		return math.Asinh(y), true
	case -6:
		return math.Acosh(y), !(y < 1)
	case -7:
		return math.Atanh(y), !(math.Abs(y) >= 1)
	}
	return math.NaN(), false
}
