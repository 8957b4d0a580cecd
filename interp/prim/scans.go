package prim

import (
	"math"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/interp/value"
)

// sumScan is +\ of rows of n numbers in the order from the first to the last; nil for
// other kinds, and where an int overflows.
func sumScan(y *V, n int) *V {
	r := &V{Kind: value.Int, Shape: y.Shape}
	switch y.Kind {
	case value.Bool:
		r.Ints = make([]int64, len(y.Bools))
		for at := 0; at < len(r.Ints); at += n {
			sum := int64(0)
			row := r.Ints[at : at+n]
			for i, b := range y.Bools[at : at+n] {
				sum += int64(b)
				row[i] = sum
			}
		}
		return r
	case value.Int:
		r.Ints = make([]int64, len(y.Ints))
		over := int64(0)
		for at := 0; at < len(r.Ints); at += n {
			sum := int64(0)
			row := r.Ints[at : at+n]
			for i, k := range y.Ints[at : at+n] {
				next := sum + k
				over |= (next ^ sum) & (next ^ k)
				sum = next
				row[i] = sum
			}
		}
		if over >= 0 {
			return r
		}
	case value.Double:
		return sumScanDoubles(y, n)
	}
	return nil
}

// sumScanDoubles is sumScan of doubles; nil where a sum is infinite.
func sumScanDoubles(y *V, n int) *V {
	out := make([]float64, len(y.Doubles))
	for at := 0; at < len(out); at += n {
		row, terms := out[at:at+n], y.Doubles[at:at+n]
		sum := terms[0]
		row[0] = sum
		for i := 1; i < len(terms); i++ {
			sum += terms[i]
			row[i] = sum
		}
		if bad(sum) { // a sum that is infinite stays so, or becomes NaN
			return nil
		}
	}
	return &V{Kind: value.Double, Shape: y.Shape, Doubles: out}
}

// Scan gives the reductions of all prefixes along an axis where each follows from what is
// known of the ones before, in linear time: of associative functions, of -, whose terms
// alternate in sign, and of comparisons. It is nil for other functions and arrays, and
// where a number overflows.
func Scan(c *Context, glyph string, y *V, before, n, behind int) *V {
	if f := associativeBits[glyph]; f != nil && y.Kind == value.Bool {
		out := make([]byte, len(y.Bools))
		if glyph == "≠" && behind == 1 {
			for i := range before {
				scanParity(out[i*n:(i+1)*n], y.Bools[i*n:(i+1)*n])
			}
		} else {
			scanAll(y.Bools, out, before, n, behind, f)
		}
		return &V{Kind: value.Bool, Shape: y.Shape, Bools: out}
	}
	if isTruth[glyph] && y.Kind <= value.Double {
		return scanTruths(c, glyph, y, before, n, behind)
	}
	if glyph == "-" {
		if y = alternated(y, n, behind); y == nil {
			return nil
		}
		glyph = "+"
	}
	if glyph == "+" && behind == 1 {
		if r := sumScan(y, n); r != nil {
			return r
		}
	}
	f, ok := associative[glyph]
	if !ok {
		f, ok = divisors[glyph]
		ok = ok && y.Kind <= value.Int
	}
	if !ok {
		return nil
	}
	switch y.Kind {
	case value.Bool, value.Int:
		out := make([]int64, y.Len())
		if !scanInts(y.AsInts(), out, before, n, behind, f.ints) {
			return nil
		}
		return &V{Kind: value.Int, Shape: y.Shape, Ints: out}
	case value.Double:
		out := make([]float64, y.Len())
		scanAll(y.Doubles, out, before, n, behind, f.doubles)
		for _, r := range out {
			if bad(r) {
				return nil
			}
		}
		return &V{Kind: value.Double, Shape: y.Shape, Doubles: out}
	}
	return nil
}

// divisors are associative for integers only.
var divisors = map[string]folds{"∨": {ints: num.GCDInt}, "∧": {ints: num.LCMInt}}

// alternated is a copy of y with every other number along an axis negated; nil of other
// arrays, and where an integer has no negative.
func alternated(y *V, n, behind int) *V {
	negated := func(i int) bool { return i/behind%n%2 == 1 }
	switch y.Kind {
	case value.Bool, value.Int:
		out := make([]int64, y.Len())
		for i, k := range y.AsInts() {
			if out[i] = k; negated(i) {
				if k == math.MinInt64 {
					return nil
				}
				out[i] = -k
			}
		}
		return &V{Kind: value.Int, Shape: y.Shape, Ints: out}
	case value.Double:
		out := make([]float64, y.Len())
		for i, d := range y.Doubles {
			if out[i] = d; negated(i) {
				out[i] = -d
			}
		}
		return &V{Kind: value.Double, Shape: y.Shape, Doubles: out}
	}
	return nil
}

// isTruth tells the functions whose results are 0 and 1 whatever their arguments.
var isTruth = map[string]bool{"<": true, "≤": true, "=": true, "≥": true, ">": true, "≠": true, "⍲": true, "⍱": true}

// scanTruths is Scan of a function f whose results are 0 and 1: what the items before
// make of either is carried along, and that of the last two is f of them.
func scanTruths(c *Context, glyph string, y *V, before, n, behind int) *V {
	count := y.Len()
	var made [3]*V // y f 0, y f 1, and y f the next of y along the axis
	for k, right := range []*V{value.Int64(0), value.Int64(1), y.Ravel().Part(min(behind, count), count, []int{max(count-behind, 0)})} {
		left := y.Ravel()
		if k == 2 {
			left = left.Part(0, right.Len(), right.Shape)
		}
		var err error
		if made[k], err = Scalar(c, glyph, left, right); err != nil {
			return nil
		}
	}
	zero, one, next := made[0].AsInts(), made[1].AsInts(), made[2].AsInts()
	out := make([]int64, count)
	for i := range before {
		for j := range behind {
			of := [2]int64{0, 1}
			for m, k := 1, i*n*behind+j+behind; m < n; m, k = m+1, k+behind {
				out[k] = of[next[k-behind]]
				of = [2]int64{of[zero[k-behind]], of[one[k-behind]]}
			}
		}
	}
	r := (&V{Kind: value.Int, Shape: y.Shape, Ints: out}).Widened(max(y.Kind, value.Int))
	for i := range before {
		for j := range behind {
			k := i*n*behind + j
			r.Put(k, y, k)
		}
	}
	if y.Kind == value.Bool {
		truths, _ := Truths(r)
		return &V{Kind: value.Bool, Shape: y.Shape, Bools: truths}
	}
	return r
}

func scanAll[T any](y, out []T, before, n, behind int, f func(x, y T) T) {
	for i := 0; i < before; i++ {
		for j := 0; j < behind; j++ {
			k := i*n*behind + j
			sum := y[k]
			out[k] = sum
			for m := 1; m < n; m++ {
				k += behind
				sum = f(sum, y[k])
				out[k] = sum
			}
		}
	}
}

func scanInts(y, out []int64, before, n, behind int, f func(x, y int64) (int64, bool)) bool {
	for i := 0; i < before; i++ {
		for j := 0; j < behind; j++ {
			k := i*n*behind + j
			sum, ok := y[k], true
			out[k] = sum
			for m := 1; m < n; m++ {
				k += behind
				if sum, ok = f(sum, y[k]); !ok {
					return false
				}
				out[k] = sum
			}
		}
	}
	return true
}
