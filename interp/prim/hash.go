package prim

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/internal/num"
)

// hashTable finds, for a hash, the elements that were added with it, by open addressing.
type hashTable struct {
	slots []int32 // the number of an element, from 1
	shift uint
}

func newHashTable(n int) *hashTable {
	size := uint(bits.Len(uint(2*n + 1)))
	return &hashTable{slots: make([]int32, 1<<size), shift: 64 - size}
}

// golden is 2*64 divided by the golden ratio.
const golden = 0x9E3779B97F4A7C15

// start returns the first slot of a key.
func (t *hashTable) start(key uint64) int { return int(key * golden >> t.shift) }

// next returns the slot behind slot k.
func (t *hashTable) next(k int) int { return (k + 1) & (len(t.slots) - 1) }

// intPlaces returns the place of the first element of x that is each of y.
func intPlaces(x, y []int64) []int {
	lo, hi := bounds(x)
	if span := uint64(hi) - uint64(lo); len(x) > 0 && span < uint64(4*len(x)+1024) {
		return placesByTable(x, y, lo, int(span)+1)
	}
	t := newHashTable(tableFor(len(x), len(y)))
	slots := t.slots
	for i, v := range x {
		k := t.start(uint64(v))
		for slots[k] != 0 && x[slots[k]-1] != v {
			k = t.next(k)
		}
		if slots[k] == 0 {
			slots[k] = int32(i + 1)
		}
	}
	out := make([]int, len(y))
	for i, v := range y {
		k := t.start(uint64(v))
		s := slots[k]
		for s != 0 && x[s-1] != v {
			k = t.next(k)
			s = slots[k]
		}
		out[i] = len(x)
		if s != 0 {
			out[i] = int(s - 1)
		}
	}
	return out
}

// tableFor returns for how many elements a table of n is made: for more where it is small
// and many elements are looked up, so that most that are not there meet an empty slot.
func tableFor(n, lookups int) int {
	const small = 1 << 12
	if n <= small && lookups > 8*n {
		return 8 * n
	}
	return n
}

func bounds(x []int64) (lo, hi int64) {
	if len(x) == 0 {
		return 0, 0
	}
	return leastOf(x), greatestOf(x)
}

// placesByTable is intPlaces where the elements of x are few different numbers.
func placesByTable(x, y []int64, lo int64, span int) []int {
	first := make([]int32, span)
	for i := len(x) - 1; i >= 0; i-- {
		first[x[i]-lo] = int32(i + 1)
	}
	out := make([]int, len(y))
	for i, v := range y {
		out[i] = len(x)
		if k := uint64(v) - uint64(lo); k < uint64(span) && first[k] != 0 {
			out[i] = int(first[k] - 1)
		}
	}
	return out
}

// memberInts tells for each of x whether it is in y, by a bit for each number from the
// least to the greatest of y; nil where that are too many.
func memberInts(x, y []int64) []byte {
	lo, hi := bounds(y)
	span := uint64(hi) - uint64(lo)
	if len(y) == 0 || span >= uint64(8*(len(x)+len(y))+1024) {
		return nil
	}
	set := make([]uint64, span/64+1)
	for _, v := range y {
		k := uint64(v - lo)
		set[k/64] |= 1 << (k % 64)
	}
	out := make([]byte, len(x))
	for i, v := range x {
		if k := uint64(v) - uint64(lo); k <= span {
			out[i] = byte(set[k/64] >> (k % 64) & 1)
		}
	}
	return out
}

// differentInts returns the first element of each value in x; nil where there are none,
// and where the span of the values is too large for a table.
func differentInts(x []int64) []int64 {
	lo, hi := bounds(x)
	span := uint64(hi) - uint64(lo)
	if len(x) == 0 || span >= uint64(4*len(x)+1024) {
		return nil
	}
	seen := make([]bool, span+1)
	out := make([]int64, min(len(x), len(seen)))
	n := 0
	for _, v := range x {
		if k := v - lo; !seen[k] {
			seen[k] = true
			out[n] = v
			n++
		}
	}
	return out[:n:n]
}

// near finds doubles that are equal with tolerance. Numbers that are equal are in the
// same cell of a grid or in neighbouring ones: a cell is the numbers whose bits agree
// but for the last ones, as many as the tolerance covers.
type near struct {
	tolerance float64
	drop      uint
	table     *hashTable
	values    []float64
	at        []int   // the places of the values
	chain     []int32 // the number of the next value of the same cell, from 1
}

func newNear(tolerance float64, n int) *near {
	drop := 0
	if tolerance > 0 {
		drop = max(0, 54+int(math.Ceil(math.Log2(tolerance))))
	}
	return &near{tolerance: tolerance, drop: uint(drop), table: newHashTable(n),
		values: make([]float64, 0, n), at: make([]int, 0, n), chain: make([]int32, 0, n)}
}

// cell returns the cell of a number.
func (g *near) cell(v float64) int64 {
	if v == 0 {
		return 0
	}
	b := math.Float64bits(v)
	c := int64(b<<1>>1>>g.drop) + 2
	if b>>63 == 1 {
		return -c
	}
	return c
}

// slot returns the slot of a cell: that of its values, or an empty one.
func (g *near) slot(cell int64) int {
	k := g.table.start(uint64(cell))
	for s := g.table.slots[k]; s != 0; s = g.table.slots[k] {
		if g.cell(g.values[s-1]) == cell {
			break
		}
		k = g.table.next(k)
	}
	return k
}

// find returns the first place of a value that equals v, or -1.
func (g *near) find(v float64) int {
	best, cell := -1, g.cell(v)
	for c := cell - 1; c <= cell+1; c++ {
		for s := g.table.slots[g.slot(c)]; s != 0; s = g.chain[s-1] {
			if at := g.at[s-1]; (best < 0 || at < best) && num.Equal(g.values[s-1], v, g.tolerance) {
				best = at
			}
		}
	}
	return best
}

// add adds a value at a place behind those of all before; a value that is there
// already is not added again.
func (g *near) add(v float64, place int) {
	k := g.slot(g.cell(v))
	head := g.table.slots[k]
	for s := head; s != 0; s = g.chain[s-1] {
		if g.values[s-1] == v {
			return
		}
	}
	g.values, g.at, g.chain = append(g.values, v), append(g.at, place), append(g.chain, head)
	g.table.slots[k] = int32(len(g.values))
}

// tolerant finds doubles with tolerance.
func tolerant(ct float64, x, y []float64) []int {
	g := newNear(ct, len(x))
	for i, v := range x {
		g.add(v, i)
	}
	out := make([]int, len(y))
	for i, v := range y {
		if out[i] = g.find(v); out[i] < 0 {
			out[i] = len(x)
		}
	}
	return out
}

// freshDoubles returns for each number whether it equals none of those before it that
// are fresh themselves.
func freshDoubles(ct float64, x []float64) []bool {
	g := newNear(ct, len(x))
	out := make([]bool, len(x))
	for i, v := range x {
		if g.find(v) < 0 {
			out[i] = true
			g.add(v, i)
		}
	}
	return out
}
