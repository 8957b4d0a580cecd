package eval

import (
	"unsafe"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// cell is the Go type of an element: int64 for int, float64 for double, byte
// for bool, rune for char, complex128 for complex.
type cell interface {
	int64 | float64 | byte | rune | complex128
}

// toBits and fromBits move a scalar in and out of a value.
func toBits[T cell](v T) (u word) {
	*(*T)(unsafe.Pointer(&u)) = v
	return u
}

func fromBits[T cell](u word) T { return *(*T)(unsafe.Pointer(&u)) }

// scalar returns the value of a scalar.
func scalar[T cell](v T) value { return value{word: toBits(v)} }

// boolByte returns 1 for true.
func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// elemBits returns element i of a's ravel as bits.
func elemBits(a *array.Array, i int) word {
	switch a.Elem {
	case array.Bool:
		return toBits(a.Bools[i])
	case array.Int:
		return toBits(a.Ints[i])
	case array.Double:
		return toBits(a.Doubles[i])
	case array.Complex:
		return toBits(a.Complexes[i])
	case array.Char:
		return toBits(a.Chars[i])
	}
	panic("internal error: the evaluator has no elements of type " + a.Elem.String())
}

// putBits sets element i of a's ravel.
func putBits(a *array.Array, i int, bits word) {
	switch a.Elem {
	case array.Bool:
		a.Bools[i] = fromBits[byte](bits)
	case array.Int:
		a.Ints[i] = fromBits[int64](bits)
	case array.Double:
		a.Doubles[i] = fromBits[float64](bits)
	case array.Complex:
		a.Complexes[i] = fromBits[complex128](bits)
	case array.Char:
		a.Chars[i] = fromBits[rune](bits)
	default:
		panic("internal error: the evaluator has no elements of type " + a.Elem.String())
	}
}

// box returns v, of type t, as an array.
func box(v value, t *tail.Array) *array.Array {
	if v.arr != nil {
		return v.arr
	}
	a := array.New(t.Elem)
	putBits(a, 0, v.word)
	return a
}

// unbox returns a as a value.
func unbox(a *array.Array) value {
	if len(a.Shape) == 0 {
		return value{word: elemBits(a, 0)}
	}
	return value{arr: a}
}

// isScalar reports whether values of type t are kept in bits.
func isScalar(t tail.Type) bool {
	a, ok := t.(*tail.Array)
	return ok && a.Dims() == 0
}
