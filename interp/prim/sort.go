package prim

import (
	"math/bits"
	"slices"

	"github.com/tailor-lang/tailor/interp/value"
)

// Sorted returns y in ascending order (up is 1) or descending (¯1); nil where y is no
// vector of many ints.
func Sorted(y *V, up int) *V {
	if y.Kind != value.Int || y.Rank() != 1 || y.Len() < manyKeys {
		return nil
	}
	lo, hi := leastOf(y.Ints), greatestOf(y.Ints)
	span := uint64(hi) - uint64(lo)
	var out []int64
	switch width := bits.Len64(span); {
	case span < uint64(y.Len()) && width <= 20:
		out = sortCounted(y.Ints, lo, int(span)+1)
	case width <= 4*digitBits:
		out = sortDigits(y.Ints, lo, width)
	default:
		out = slices.Clone(y.Ints)
		slices.Sort(out)
	}
	if up < 0 {
		slices.Reverse(out)
	}
	return &V{Kind: value.Int, Shape: y.Shape, Ints: out}
}

// sortCounted counts each of span values from lo on.
func sortCounted(v []int64, lo int64, span int) []int64 {
	counts := make([]int, span)
	for _, x := range v {
		counts[x-lo]++
	}
	out := make([]int64, len(v))
	at := 0
	for k, n := range counts {
		row := out[at : at+n]
		for i := range row {
			row[i] = lo + int64(k)
		}
		at += n
	}
	return out
}

// sortDigits sorts by the digits of the distances from lo, of width bits.
func sortDigits(v []int64, lo int64, width int) []int64 {
	from, to := v, make([]int64, len(v))
	var spare []int64
	for shift := 0; shift < width; shift += digitBits {
		var count [digits]int
		for _, x := range from {
			count[uint64(x-lo)>>shift&(digits-1)]++
		}
		at := 0
		for d, n := range count {
			count[d] = at
			at += n
		}
		for _, x := range from {
			d := uint64(x-lo) >> shift & (digits - 1)
			to[count[d]] = x
			count[d]++
		}
		if spare == nil {
			spare = make([]int64, len(v))
		}
		from, to, spare = to, spare, to
	}
	return from
}
