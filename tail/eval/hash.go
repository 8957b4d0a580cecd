package eval

import "math/bits"

// hashTable maps keys to places: open addressing, at most half full. It holds
// as many keys as were announced.
type hashTable struct {
	keys   []uint64
	places []int32 // -1 where free
	shift  int
}

func newHashTable(n int) *hashTable {
	size := max(16, 1<<bits.Len(uint(2*n-1)))
	h := &hashTable{make([]uint64, size), make([]int32, size), 64 - bits.Len(uint(size-1))}
	fillSlice(h.places, -1)
	return h
}

// at returns the index of a key, or of where it would be put.
func (h *hashTable) at(key uint64) int {
	mask := len(h.keys) - 1
	i := int(key * 0x9E3779B97F4A7C15 >> h.shift)
	for h.places[i] >= 0 && h.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// slot returns the place of a key, to be set if it is negative.
func (h *hashTable) slot(key uint64) *int32 {
	i := h.at(key)
	h.keys[i] = key
	return &h.places[i]
}

// find returns the place of a key, or -1.
func (h *hashTable) find(key uint64) int { return int(h.places[h.at(key)]) }
