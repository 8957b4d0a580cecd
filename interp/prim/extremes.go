package prim

import "math"

// Greatest and least elements, in four lanes: the order of the elements does not
// matter to ⌈ and ⌊.

// greatestOf returns the greatest of at least one int.
func greatestOf(v []int64) int64 {
	a, b, c, d := v[0], v[0], v[0], v[0]
	for ; len(v) >= 4; v = v[4:] {
		x := (*[4]int64)(v)
		a, b, c, d = max(a, x[0]), max(b, x[1]), max(c, x[2]), max(d, x[3])
	}
	for _, x := range v {
		a = max(a, x)
	}
	return max(a, b, c, d)
}

// leastOf returns the least of at least one int.
func leastOf(v []int64) int64 {
	a, b, c, d := v[0], v[0], v[0], v[0]
	for ; len(v) >= 4; v = v[4:] {
		x := (*[4]int64)(v)
		a, b, c, d = min(a, x[0]), min(b, x[1]), min(c, x[2]), min(d, x[3])
	}
	for _, x := range v {
		a = min(a, x)
	}
	return min(a, b, c, d)
}

// ordinal returns an int that orders as x does, ¯0 before 0, and itself gives the bits
// of x again.
func ordinal(bits int64) int64 { return bits ^ int64(uint64(bits>>63)>>1) }

func ordinalOf(x float64) int64 { return ordinal(int64(math.Float64bits(x))) }

func fromOrdinal(k int64) float64 { return math.Float64frombits(uint64(ordinal(k))) }

// greatestDouble returns the greatest of at least one double, none of them NaN.
func greatestDouble(v []float64) float64 {
	all := v
	a, b, c, d := v[0], v[0], v[0], v[0]
	for ; len(v) >= 4; v = v[4:] {
		x := (*[4]float64)(v)
		a, b, c, d = greater(a, x[0]), greater(b, x[1]), greater(c, x[2]), greater(d, x[3])
	}
	for _, x := range v {
		a = greater(a, x)
	}
	if a = greater(greater(a, b), greater(c, d)); a == 0 {
		return fromOrdinal(greatestZero(all))
	}
	return a
}

// leastDouble returns the least of at least one double, none of them NaN.
func leastDouble(v []float64) float64 {
	all := v
	a, b, c, d := v[0], v[0], v[0], v[0]
	for ; len(v) >= 4; v = v[4:] {
		x := (*[4]float64)(v)
		a, b, c, d = lesser(a, x[0]), lesser(b, x[1]), lesser(c, x[2]), lesser(d, x[3])
	}
	for _, x := range v {
		a = lesser(a, x)
	}
	if a = lesser(lesser(a, b), lesser(c, d)); a == 0 {
		return fromOrdinal(leastZero(all))
	}
	return a
}

func greater(x, y float64) float64 {
	if y > x {
		return y
	}
	return x
}

func lesser(x, y float64) float64 {
	if y < x {
		return y
	}
	return x
}

// greatestZero returns the ordinal of 0 if it is in v, else that of ¯0: no element is
// greater.
func greatestZero(v []float64) int64 {
	k := ordinalOf(v[0])
	for _, x := range v {
		k = max(k, ordinalOf(x))
	}
	return k
}

// leastZero returns the ordinal of ¯0 if it is in v, else that of 0: no element is less.
func leastZero(v []float64) int64 {
	k := ordinalOf(v[0])
	for _, x := range v {
		k = min(k, ordinalOf(x))
	}
	return k
}

// extremes are the reductions of a row by ⌈ and ⌊.
var extremes = map[string]struct {
	ints    func(v []int64) int64
	doubles func(v []float64) float64
}{
	"⌈": {greatestOf, greatestDouble},
	"⌊": {leastOf, leastDouble},
}

// reduceRows reduces rows of n elements each.
func reduceRows[T any](y, out []T, n int, f func(row []T) T) {
	for i := range out {
		out[i] = f(y[i*n : (i+1)*n])
	}
}
