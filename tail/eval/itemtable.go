package eval

import (
	"math/bits"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

var itemTableOps = map[tail.Op]builtin{
	tail.OpItemTable:   {run: itemTable},
	tail.OpItemPlace:   {run: itemPlace},
	tail.OpRaggedTable: {run: raggedTable},
	tail.OpRaggedPlace: {run: raggedPlace},
}

// itemTable puts the places of elements, from 1, into a table by open addressing that is
// at most half full; 0 is free, and the first of equal elements stays.
func itemTable(s *site, a []*array.Array) *array.Array {
	return s.placed(a[0].Len(), func(i int) []uint64 { return keysOf(a[0], i, 1) })
}

// itemPlace is the place of an element in a vector, by the table of it.
func itemPlace(_ *site, a []*array.Array) *array.Array {
	item := func(i int) []uint64 { return keysOf(a[1], i, 1) }
	return foundAt(a[0].Ints, item, keysOf(a[2], 0, 1), a[1].Len())
}

// raggedTable is itemTable of the items of a ragged vector.
func raggedTable(s *site, a []*array.Array) *array.Array {
	return s.placed(a[2].Len(), itemsOf(a[0], a[1], a[2]))
}

// raggedPlace is the place of the vector among the items of a ragged one, by the table of
// them or, where that is empty, by looking at each.
func raggedPlace(_ *site, a []*array.Array) *array.Array {
	item, x, n := itemsOf(a[1], a[2], a[3]), keysOf(a[4], 0, a[4].Len()), a[3].Len()
	if a[0].Len() > 0 {
		return foundAt(a[0].Ints, item, x, n)
	}
	p := 0
	for p < n && !slices.Equal(item(p), x) {
		p++
	}
	return array.ScalarInt(int64(p) + 1)
}

// itemsOf returns the function that gives the elements of an item of a ragged vector.
func itemsOf(elements, from, lengths *array.Array) func(i int) []uint64 {
	return func(i int) []uint64 { return keysOf(elements, int(from.Ints[i]), int(lengths.Ints[i])) }
}

// keysOf are n elements, from one on.
func keysOf(a *array.Array, from, n int) []uint64 {
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = exactKey(a, from+i)
	}
	return keys
}

// placed is the table of n items.
func (s *site) placed(n int, item func(i int) []uint64) *array.Array {
	r := s.m.alloc(s.Apply, array.Int, 2<<bits.Len(uint(max(n, 1)-1)))
	for i := range n {
		if at := probe(r.Ints, item, item(i)); r.Ints[at] == 0 {
			r.Ints[at] = int64(i) + 1
		}
	}
	return r
}

// foundAt is the place of x among n items, by a table of them.
func foundAt(table []int64, item func(i int) []uint64, x []uint64, n int) *array.Array {
	p := table[probe(table, item, x)]
	if p == 0 {
		p = int64(n) + 1
	}
	return array.ScalarInt(p)
}

// probe returns where a table has x, or is free for it.
func probe(table []int64, item func(i int) []uint64, x []uint64) int {
	mask := len(table) - 1
	at := int(hashCell(x)) & mask
	for table[at] != 0 && !slices.Equal(item(int(table[at])-1), x) {
		at = (at + 1) & mask
	}
	return at
}
