package prim

import (
	"cmp"
	"math"
)

// sortable is a key of numbers in order, and the place of its cell.
type sortable struct {
	key uint64
	at  int32
}

const (
	digitBits = 11
	digits    = 1 << digitBits
	manyKeys  = 512 // from here on sorting by digits is quicker
)

// gradeKeys returns the stable order of n keys.
func gradeKeys(n int, key func(i int) uint64) []int {
	from, to := make([]sortable, n), make([]sortable, n)
	all, any := ^uint64(0), uint64(0)
	for i := range from {
		k := key(i)
		from[i] = sortable{k, int32(i)}
		all, any = all&k, any|k
	}
	for shift := 0; shift < 64; shift += digitBits {
		if (all^any)>>shift&(digits-1) == 0 { // all keys have the same digit
			continue
		}
		var count [digits]int
		for _, s := range from {
			count[s.key>>shift&(digits-1)]++
		}
		at := 0
		for d, c := range count {
			count[d] = at
			at += c
		}
		for _, s := range from {
			d := s.key >> shift & (digits - 1)
			to[count[d]] = s
			count[d]++
		}
		from, to = to, from
	}
	order := make([]int, n)
	for i, s := range from {
		order[i] = int(s.at)
	}
	return order
}

// keyOf returns the function that gives the keys of elements, upwards or downwards.
func keyOf[T cmp.Ordered](v []T, up int) func(i int) uint64 {
	flip := uint64(0)
	if up < 0 {
		flip = ^flip
	}
	switch v := any(v).(type) {
	case []int64:
		return func(i int) uint64 { return (uint64(v[i]) ^ 1<<63) ^ flip }
	case []float64:
		return func(i int) uint64 { return doubleKey(v[i]) ^ flip }
	case []rune:
		return func(i int) uint64 { return uint64(v[i]) ^ flip }
	}
	return nil
}

// doubleKey returns a number that is in the order of doubles; 0 and ¯0 are the same.
func doubleKey(x float64) uint64 {
	if x == 0 {
		return 1 << 63
	}
	b := math.Float64bits(x)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}
