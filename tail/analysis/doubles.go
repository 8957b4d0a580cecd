package analysis

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// rounded bounds the integers next to the doubles of e.
func (r *Ranger) rounded(e tail.Expr, depth int) Range {
	const exact = 1 << 53
	low, high := r.doubles(e, depth)
	if !(low >= -exact && high <= exact) {
		return Range{}
	}
	return between(int64(math.Floor(low)), int64(math.Ceil(high)))
}

// doubles returns numbers between which the elements of e, of doubles, lie; infinities
// where nothing is known. Operations on doubles are monotone as they are rounded.
func (r *Ranger) doubles(e tail.Expr, depth int) (low, high float64) {
	if l, ok := e.(*tail.Lit); ok && l.Value.Elem == array.Double && len(l.Value.Doubles) > 0 {
		return either(l.Value.Doubles...)
	}
	a, ok := e.(*tail.Apply)
	if !ok || depth == 0 {
		return magnitude(reach(e, depth))
	}
	arg := func(i int) (float64, float64) { return r.doubles(a.Args[i], depth-1) }
	switch a.Op {
	case tail.OpI2D:
		if x := r.Of(a.Args[0], depth-1); x.Known {
			return float64(x.Low), float64(x.High)
		}
	case tail.OpNegD:
		low, high = arg(0)
		return -high, -low
	case tail.OpAddD:
		low, high = arg(0)
		least, most := arg(1)
		return either(low+least, high+most)
	case tail.OpSubD:
		low, high = arg(0)
		least, most := arg(1)
		return either(low-most, high-least)
	case tail.OpMulD, tail.OpDivD:
		low, high = arg(0)
		least, most := arg(1)
		if a.Op == tail.OpMulD {
			return either(low*least, low*most, high*least, high*most)
		}
		if least > 0 || most < 0 {
			return either(low/least, low/most, high/least, high/most)
		}
	case tail.OpMinD:
		low, high = arg(0)
		least, most := arg(1)
		return math.Min(low, least), math.Min(high, most)
	case tail.OpMaxD:
		low, high = arg(0)
		least, most := arg(1)
		return math.Max(low, least), math.Max(high, most)
	}
	return magnitude(reach(e, depth))
}

// magnitude are the bounds of numbers whose magnitude is bounded.
func magnitude(most float64) (low, high float64) { return -most, most }

// either are the bounds of some numbers, infinities where one of them is none.
func either(all ...float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range all {
		if math.IsNaN(x) {
			return magnitude(math.Inf(1))
		}
		low, high = math.Min(low, x), math.Max(high, x)
	}
	return low, high
}
