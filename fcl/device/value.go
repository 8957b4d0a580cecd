package device

import (
	"encoding/binary"
	"math"

	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/opencl"
)

// Vector is an array of scalars as the device stores it: little-endian, truth values as
// bytes.
type Vector struct {
	Elem  types.Scalar
	Bytes []byte
}

// Len returns the number of elements.
func (v *Vector) Len() int { return len(v.Bytes) / v.Elem.Size() }

// At returns an element.
func (v *Vector) At(i int) scalar.Scalar {
	b := v.Bytes[i*v.Elem.Size():]
	le := binary.LittleEndian
	switch v.Elem {
	case types.F64:
		return scalar.Number(v.Elem, 0, math.Float64frombits(le.Uint64(b)))
	case types.F32:
		return scalar.Number(v.Elem, 0, float64(math.Float32frombits(le.Uint32(b))))
	case types.I64:
		return scalar.Int(int64(le.Uint64(b)))
	case types.I32:
		return scalar.Number(v.Elem, int64(int32(le.Uint32(b))), 0)
	case types.I16:
		return scalar.Number(v.Elem, int64(int16(le.Uint16(b))), 0)
	}
	return scalar.Number(v.Elem, int64(int8(b[0])), 0)
}

// Append adds an element.
func (v *Vector) Append(s scalar.Scalar) {
	le := binary.LittleEndian
	switch v.Elem {
	case types.F64:
		v.Bytes = le.AppendUint64(v.Bytes, math.Float64bits(s.F))
	case types.F32:
		v.Bytes = le.AppendUint32(v.Bytes, math.Float32bits(float32(s.F)))
	case types.I64:
		v.Bytes = le.AppendUint64(v.Bytes, uint64(s.I))
	case types.I32:
		v.Bytes = le.AppendUint32(v.Bytes, uint32(s.I))
	case types.I16:
		v.Bytes = le.AppendUint16(v.Bytes, uint16(s.I))
	default:
		v.Bytes = append(v.Bytes, byte(s.I))
	}
}

// Array is an array of scalars in a buffer of the device, which may be longer.
type Array struct {
	Elem   types.Scalar
	Buffer *opencl.Buffer
	N      int64
}

// Value is a scalar.Scalar, a *Vector, an *Array, a Tuple, or an Array of tuples.
type Value interface{}

// Tuple is a tuple of results.
type Tuple []Value

// Columns is an array of tuples: an array for each item.
type Columns []Value
