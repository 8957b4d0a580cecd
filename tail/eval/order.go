package eval

import (
	"cmp"
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Grades and interval index, which compare exactly.

var orderOps = map[tail.Op]builtin{
	tail.OpGradeUp:   {run: func(s *site, a []*array.Array) *array.Array { return grade(s, a[0], 0) }},
	tail.OpGradeDown: {run: func(s *site, a []*array.Array) *array.Array { return grade(s, a[0], math.MaxUint64) }},
}

// orderKeys returns unsigned numbers that order as the elements of a do. NaN
// comes after everything else.
func orderKeys(a *array.Array) []uint64 {
	keys := make([]uint64, a.Len())
	for i := range keys {
		switch a.Elem {
		case array.Double:
			keys[i] = doubleKey(a.Doubles[i])
		case array.Char:
			keys[i] = uint64(a.Chars[i])
		default:
			keys[i] = uint64(a.Int(i)) ^ 1<<63
		}
	}
	return keys
}

func doubleKey(x float64) uint64 {
	bits := doubleBits(x)
	switch {
	case x != x:
		return math.MaxUint64
	case bits>>63 != 0:
		return ^bits
	}
	return bits | 1<<63
}

// grade sorts the major cells of a; flip inverts the order of keys.
func grade(s *site, a *array.Array, flip uint64) *array.Array {
	n := tally(a)
	r := s.m.allocRaw(s.Apply, array.Int, n)
	if n == 0 {
		return r
	}
	keys := orderKeys(a)
	for i := range keys {
		keys[i] ^= flip
	}
	if m := len(keys) / n; m == 1 {
		gradeKeys(keys, r.Ints)
	} else {
		gradeCells(keys, m, r.Ints)
	}
	return r
}

// pair is a key and where it stands.
type pair struct {
	key   uint64
	place int64
}

// gradeKeys sorts by bytes from the least; bytes that all keys share are
// skipped.
func gradeKeys(keys []uint64, out []int64) {
	v := make([]pair, len(keys))
	var counts [8][256]int
	for i, k := range keys {
		v[i] = pair{k, int64(i) + 1}
		for b := range counts {
			counts[b][byte(k>>(8*b))]++
		}
	}
	spare := make([]pair, len(keys))
	for b := range counts {
		if counts[b][byte(keys[0]>>(8*b))] == len(keys) {
			continue
		}
		var at [256]int
		sum := 0
		for k, c := range counts[b] {
			at[k] = sum
			sum += c
		}
		for _, p := range v {
			k := byte(p.key >> (8 * b))
			spare[at[k]] = p
			at[k]++
		}
		v, spare = spare, v
	}
	for i, p := range v {
		out[i] = p.place
	}
}

// gradeCells sorts cells of m keys each.
func gradeCells(keys []uint64, m int, out []int64) {
	for i := range out {
		out[i] = int64(i) + 1
	}
	cell := func(i int64) []uint64 { return keys[int(i-1)*m : int(i)*m] }
	slices.SortStableFunc(out, func(i, j int64) int { return slices.Compare(cell(i), cell(j)) })
}

// intervalIndex counts the elements of the ascending left argument that are
// not greater.
func intervalIndex(s *site, a []*array.Array) *array.Array {
	r := s.m.allocRaw(s.Apply, array.Int, a[1].Shape...)
	keys := orderKeys(a[0])
	for i, k := range orderKeys(a[1]) {
		n, _ := slices.BinarySearchFunc(keys, k, func(key, k uint64) int {
			if key <= k {
				return -1
			}
			return cmp.Compare(key, k)
		})
		r.Ints[i] = int64(n)
	}
	return r
}
