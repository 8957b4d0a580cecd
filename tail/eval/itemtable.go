package eval

import (
	"math/bits"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

var itemTableOps = map[tail.Op]builtin{
	tail.OpItemTable: {run: itemTable},
	tail.OpItemPlace: {run: itemPlace},
}

// itemTable puts the places of elements, from 1, into a table by open addressing that is
// at most half full; 0 is free, and the first of equal elements stays.
func itemTable(s *site, a []*array.Array) *array.Array {
	n := a[0].Len()
	r := s.m.alloc(s.Apply, array.Int, 2<<bits.Len(uint(max(n, 1)-1)))
	for i := range n {
		if at := probe(r.Ints, a[0], a[0], i); r.Ints[at] == 0 {
			r.Ints[at] = int64(i) + 1
		}
	}
	return r
}

// itemPlace is the place of an element in a vector, by the table of it.
func itemPlace(s *site, a []*array.Array) *array.Array {
	p := a[0].Ints[probe(a[0].Ints, a[1], a[2], 0)]
	if p == 0 {
		p = int64(a[1].Len()) + 1
	}
	return array.ScalarInt(p)
}

// probe returns where the table of v has element i of x, or is free for it.
func probe(table []int64, v, x *array.Array, i int) int {
	mask, key := len(table)-1, exactKey(x, i)
	at := int(hashCell([]uint64{key})) & mask
	for table[at] != 0 && exactKey(v, int(table[at])-1) != key {
		at = (at + 1) & mask
	}
	return at
}
