package eval

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/memory"
	"github.com/tailor-lang/tailor/tail"
)

// freelyBytes is the size below which arrays are made without asking how much
// memory is left.
const freelyBytes = 16 << 20

func elemSize(e array.Elem) int {
	switch e {
	case array.Bool:
		return 1
	case array.Char:
		return 4
	case array.Complex:
		return 16
	}
	return 8
}

// countOf returns the number of elements of a shape, false where it is more
// than an int holds.
func countOf(shape []int) (int, bool) {
	n := uint64(1)
	for _, s := range shape {
		if s == 0 {
			return 0, true
		}
	}
	for _, s := range shape {
		hi, lo := bits.Mul64(n, uint64(s))
		if hi != 0 || lo > math.MaxInt64 {
			return 0, false
		}
		n = lo
	}
	return int(n), true
}

// alloc makes an array for a result of e, of zeros or blanks; it faults where
// memory does not suffice.
func (m *machine) alloc(e *tail.Apply, elem array.Elem, shape ...int) *array.Array {
	a, used := m.place(e, elem, shape)
	if used || elem == array.Char {
		clearElems(a)
	}
	return a
}

// allocRaw is alloc for a result all of whose elements will be written.
func (m *machine) allocRaw(e *tail.Apply, elem array.Elem, shape ...int) *array.Array {
	a, _ := m.place(e, elem, shape)
	return a
}

// place finds room for an array; used reports that it has old contents.
func (m *machine) place(e *tail.Apply, elem array.Elem, shape []int) (a *array.Array, used bool) {
	n, ok := countOf(shape)
	if !ok {
		raise(e, tail.FaultTooLarge, shape)
	}
	if bytes := int64(n) * int64(elemSize(elem)); n > math.MaxInt64/16 || bytes > freelyBytes && !m.room(bytes) || memory.Short() {
		raise(e, tail.FaultMemory, shape)
	}
	if m.env.Meter != nil {
		m.env.Meter.Alloc(int64(n) * int64(elemSize(elem)))
	}
	if a := m.pool.take(elem, n, shape); a != nil {
		return a, true
	}
	return newRaw(elem, n, shape), false
}

// concat returns the shape x, y, which is good until the next call.
func (m *machine) concat(x, y []int) []int {
	m.shape = append(append(m.shape[:0], x...), y...)
	return m.shape
}

// room reports whether an array of so many bytes may be made.
func (m *machine) room(bytes int64) bool {
	if m.env.MaxBytes == 0 {
		return memory.Room(bytes)
	}
	return bytes <= m.env.MaxBytes
}
