package prim

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/interp/value"
)

// Fit returns the shape that a scalar function of x and y gives, and the steps
// through their ravels.
func Fit(x, y *V) (shape []int, sx, sy int, err error) { return fit(x, y) }

// folds are the functions whose reductions may go from left to right.
type folds struct {
	ints    func(x, y int64) (int64, bool)
	doubles func(x, y float64) float64
}

func surely(f func(x, y int64) int64) func(x, y int64) (int64, bool) {
	return func(x, y int64) (int64, bool) { return f(x, y), true }
}

var associative = map[string]folds{
	"+": {num.Add, func(x, y float64) float64 { return x + y }},
	"×": {num.Mul, func(x, y float64) float64 { return x * y }},
	"⌈": {surely(maxInt), func(x, y float64) float64 { return max(x, y) }},
	"⌊": {surely(minInt), func(x, y float64) float64 { return min(x, y) }},
}

var associativeBits = map[string]func(x, y byte) byte{
	"∧": func(x, y byte) byte { return x & y },
	"∨": func(x, y byte) byte { return x | y },
	"×": func(x, y byte) byte { return x & y },
	"⌊": func(x, y byte) byte { return x & y },
	"⌈": func(x, y byte) byte { return x | y },
	"≠": func(x, y byte) byte { return x ^ y },
	"=": func(x, y byte) byte { return 1 ^ x ^ y },
}

// Reduce reduces a simple array along an axis by a function whose order does not
// matter; nil if it is no such array or function, or a number overflows.
func Reduce(c *Context, glyph string, y *V, before, n, behind int, shape []int) *V {
	if f := associativeBits[glyph]; f != nil && y.Kind == value.Bool {
		out := make([]byte, before*behind)
		if behind == 1 {
			reduceRows(y.Bools, out, n, foldBits[glyph])
		} else {
			foldAll(y.Bools, out, before, n, behind, f)
		}
		return &V{Kind: value.Bool, Shape: shape, Bools: out}
	}
	f, ok := associative[glyph]
	if !ok {
		return nil
	}
	switch y.Kind {
	case value.Bool, value.Int:
		out := make([]int64, before*behind)
		if glyph == "+" && behind == 1 {
			if !sumInts(y, out, n) {
				return nil
			}
		} else if e, ok := extremes[glyph]; ok && behind == 1 {
			reduceRows(y.AsInts(), out, n, e.ints)
		} else if !foldInts(y.AsInts(), out, before, n, behind, f.ints) {
			return nil
		}
		return &V{Kind: value.Int, Shape: shape, Ints: out}
	case value.Double:
		out := make([]float64, before*behind)
		if glyph == "+" || glyph == "×" {
			foldRows(y.Doubles, out, before, n, behind, glyph == "×")
		} else if behind == 1 {
			reduceRows(y.Doubles, out, n, extremes[glyph].doubles)
		} else {
			foldAll(y.Doubles, out, before, n, behind, f.doubles)
		}
		for _, r := range out {
			if bad(r) {
				return nil
			}
		}
		return &V{Kind: value.Double, Shape: shape, Doubles: out}
	}
	return foldComplex(glyph, y, before, n, behind, shape)
}

// foldComplex is Reduce for + of complex numbers, nil for others.
func foldComplex(glyph string, y *V, before, n, behind int, shape []int) *V {
	if glyph != "+" || y.Kind != value.Complex {
		return nil
	}
	out := make([]complex128, before*behind)
	foldRows(y.Complexes, out, before, n, behind, false)
	for _, r := range out {
		if bad(real(r)) || bad(imag(r)) {
			return nil
		}
	}
	return &V{Kind: value.Complex, Shape: shape, Complexes: out}
}

// foldRows adds up or multiplies along an axis in the order of num.Ordered.
func foldRows[T num.Number](y, out []T, before, n, behind int, product bool) {
	for i := 0; i < before; i++ {
		rows := y[i*n*behind : (i+1)*n*behind]
		if behind == 1 {
			out[i] = num.Fold(rows, product)
		} else {
			num.FoldRows(out[i*behind:(i+1)*behind], rows, n, product)
		}
	}
}

// ReduceWindows gives the sums or products of windows of so many doubles that their
// order matters, nil for other windows; w is negative for reversed ones.
func ReduceWindows(glyph string, y *V, before, n, behind, w int, shape []int) *V {
	size, step := w, behind
	if w < 0 {
		size, step = -w, -behind
	}
	if size <= num.Lanes || y.Kind != value.Double || glyph != "+" && glyph != "×" {
		return nil
	}
	out := make([]float64, 0, value.Count(shape))
	for i := range before * (n - size + 1) * behind {
		line := (n - size + 1) * behind
		at := i/line*n*behind + i%line
		if w < 0 {
			at += (size - 1) * behind
		}
		v := make([]float64, size)
		for k := range v {
			v[k] = y.Doubles[at+k*step]
		}
		r := num.Fold(v, glyph == "×")
		if bad(r) {
			return nil
		}
		out = append(out, r)
	}
	return &V{Kind: value.Double, Shape: shape, Doubles: out}
}

// sumInts adds up rows of n numbers; false if a sum leaves 64 bits.
func sumInts(y *V, out []int64, n int) bool {
	if y.Kind == value.Bool {
		for i := range out {
			out[i] = int64(countOnes(y.Bools[i*n : (i+1)*n]))
		}
		return true
	}
	for i := range out {
		sum, over := int64(0), int64(0)
		for _, k := range y.Ints[i*n : (i+1)*n] {
			r := sum + k
			over |= (r ^ sum) & (r ^ k)
			sum = r
		}
		if out[i] = sum; over < 0 {
			return false
		}
	}
	return true
}

func foldAll[T any](y, out []T, before, n, behind int, f func(x, y T) T) {
	for i := 0; i < before; i++ {
		for j := 0; j < behind; j++ {
			k := i*n*behind + j
			sum := y[k]
			for m := 1; m < n; m++ {
				k += behind
				sum = f(sum, y[k])
			}
			out[i*behind+j] = sum
		}
	}
}

func foldInts(y, out []int64, before, n, behind int, f func(x, y int64) (int64, bool)) bool {
	for i := 0; i < before; i++ {
		for j := 0; j < behind; j++ {
			k := i*n*behind + j
			sum, ok := y[k], true
			for m := 1; m < n; m++ {
				k += behind
				if sum, ok = f(sum, y[k]); !ok {
					return false
				}
			}
			out[i*behind+j] = sum
		}
	}
	return true
}

// Assemble returns the array of the given frame whose cells are the given arrays,
// filled up to one shape.
func Assemble(frame []int, cells []*V) (*V, error) {
	return mix(&V{Kind: value.Mixed, Shape: frame, Items: cells}, 0, false)
}
