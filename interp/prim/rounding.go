package prim

import (
	"math"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/interp/value"
)

// rounded is ⌊ or ⌈ of doubles as ints, as num.Floor and num.Ceil define them; nil
// where one is too large to be sure that it is one. It has no branch for each number.
func rounded(c *Context, glyph string, y *V) *V {
	const most = 1 << 52
	out := make([]int64, len(y.Doubles))
	ct := c.Tolerance
	up := glyph == "⌈"
	for i, x := range y.Doubles {
		if !(math.Abs(x) <= most) {
			return nil
		}
		r := math.RoundToEven(x)
		d := r - x
		if up {
			d = -d
		}
		one := int64(truth(d > ct*math.Abs(r)) & truth(d > ct*math.Abs(x)))
		if up {
			one = -one
		}
		out[i] = int64(r) - one
	}
	return &V{Kind: value.Int, Shape: y.Shape, Ints: out}
}

// quickPower returns x*y for an exponent y that is 0.5 or 2; false for others, and
// where a number has no such power in the doubles.
func quickPower(x []float64, y float64, out []float64) bool {
	if !num.IsSmallPower(y) {
		return false
	}
	x = x[:len(out)]
	switch y {
	case 0.5:
		for i, v := range x {
			if !(v >= 0) {
				return false
			}
			out[i] = math.Sqrt(v) + 0 // of ¯0, too, it is 0
		}
		return true
	case 2:
		for i, v := range x {
			r := v * v
			if !(r <= math.MaxFloat64) {
				return false
			}
			out[i] = r
		}
		return true
	}
	return false
}
