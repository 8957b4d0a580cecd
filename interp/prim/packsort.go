package prim

import (
	"math"
	"math/bits"
)

// gradeInts returns the order, counted from origin, of ints in a span of less than 32
// bits; nil for others. A digit at a time, keys and places are sorted packed in a word;
// the first pass reads the ints, and the last one writes the order.
func gradeInts(v []int64, up, origin int) []int64 {
	if len(v) < manyKeys || len(v) > math.MaxInt32 {
		return nil
	}
	lo, hi := leastOf(v), greatestOf(v)
	span := uint64(hi) - uint64(lo)
	if span > math.MaxUint32 {
		return nil
	}
	key := keys{lo, 0}
	if up < 0 {
		key = keys{hi, -1}
	}
	out := make([]int64, len(v))
	width := bits.Len64(span)
	if width <= digitBits {
		gradeDigit(v, out, key, origin)
		return out
	}
	from, to := make([]uint64, len(v)), []uint64(nil)
	firstDigit(v, from, key)
	for shift := digitBits; shift < width; shift += digitBits {
		if shift+digitBits >= width {
			lastDigit(from, out, 32+shift, origin)
			break
		}
		if to == nil {
			to = make([]uint64, len(v))
		}
		middleDigit(from, to, 32+shift)
		from, to = to, from
	}
	return out
}

// keys gives an int its key: its distance from base; turn is ¯1 where it lies below.
type keys struct{ base, turn int64 }

func (k keys) of(x int64) uint64 { return uint64((x - k.base ^ k.turn) - k.turn) }

// digitCounts are the numbers of keys with each digit, or where the next one goes.
type digitCounts [digits]int32

// places turns numbers of keys into where the first one goes.
func (c *digitCounts) places() {
	at := int32(0)
	for d, n := range c {
		c[d] = at
		at += n
	}
}

// gradeDigit is the order of keys of one digit.
func gradeDigit(v, out []int64, key keys, origin int) {
	var count digitCounts
	for _, x := range v {
		count[key.of(x)&(digits-1)]++
	}
	count.places()
	for i, x := range v {
		d := key.of(x) & (digits - 1)
		out[count[d]] = int64(i + origin)
		count[d]++
	}
}

// firstDigit sorts keys, packed above their places, by their last digit.
func firstDigit(v []int64, out []uint64, key keys) {
	var count digitCounts
	for _, x := range v {
		count[key.of(x)&(digits-1)]++
	}
	count.places()
	for i, x := range v {
		k := key.of(x)
		d := k & (digits - 1)
		out[count[d]] = k<<32 | uint64(i)
		count[d]++
	}
}

// middleDigit sorts packed keys by the digit at a place.
func middleDigit(from, to []uint64, shift int) {
	var count digitCounts
	for _, p := range from {
		count[p>>shift&(digits-1)]++
	}
	count.places()
	for _, p := range from {
		d := p >> shift & (digits - 1)
		to[count[d]] = p
		count[d]++
	}
}

// lastDigit sorts packed keys by the digit at a place, and keeps their places.
func lastDigit(from []uint64, out []int64, shift, origin int) {
	var count digitCounts
	for _, p := range from {
		count[p>>shift&(digits-1)]++
	}
	count.places()
	for _, p := range from {
		d := p >> shift & (digits - 1)
		out[count[d]] = int64(uint32(p)) + int64(origin)
		count[d]++
	}
}
