package prim

import "github.com/tailor-lang/tailor/interp/value"

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
