package returns

import (
	"fmt"

	"github.com/tailor-lang/tailor/tail"
)

// ratio is a double that is a size divided by a constant, which is at least 1.
type ratio struct {
	num tail.Size
	den int64
}

// maxRatio bounds the constants in ratios, so that doubles hold them exactly.
const maxRatio = 1 << 20

// ratioOf is the ratio that an application gives, nil where none is known.
func ratioOf(e *tail.Apply, args []*Value) *ratio {
	switch e.Op {
	case tail.OpI2D:
		if n := args[0].Array().Value(0); args[0].Array().Dims() == 0 && n.Known() {
			return &ratio{n, 1}
		}
	case tail.OpDivD:
		x, y := args[0].ratio, args[1].ratio
		if x == nil || y == nil || y.den != 1 {
			return nil
		}
		if n, ok := y.num.IsConst(); ok && n > 0 && n*x.den <= maxRatio {
			return &ratio{x.num, n * x.den}
		}
	case tail.OpMulD:
		x, y := args[0].ratio, args[1].ratio
		if x != nil && y != nil && x.den*y.den <= maxRatio {
			if n := times(x.num, y.num); n.Known() {
				return &ratio{n, x.den * y.den}
			}
		}
	}
	return nil
}

// literalRatio is the ratio of a number whose double is exact: 2, 0.5, 0.75.
func literalRatio(x float64) *ratio {
	for _, den := range []int64{1, 2, 4, 8} {
		if n := x * float64(den); n == float64(int64(n)) && max(n, -n) <= maxRatio {
			return &ratio{tail.ConstSize(int64(n)), den}
		}
	}
	return nil
}

// rounded is a ratio of lengths rounded down, or up: den×k is at most num, and
// more than num-den. Numbers that are no lengths may be so large that ⎕CT makes
// them whole.
func (f *finder) rounded(r *ratio, up bool) (k tail.Size, ok bool) {
	for _, t := range r.num.Terms {
		if !f.lengths[t.Var] {
			return k, false
		}
	}
	num := r.num
	if up {
		num = plus(num, constant(r.den-1))
	}
	k = f.remembered(fmt.Sprintf("⌊%s÷%d", num, r.den), natural(num), func(tail.Size) {})
	f.rounds[baseOf(k)] = ratio{num, r.den}
	f.atLeast(num, times(k, constant(r.den)))
	f.atLeast(times(k, constant(r.den)), minus(num, constant(r.den-1)))
	return k, true
}
