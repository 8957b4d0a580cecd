package eval

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Storage is an array's storage: bytes of the host, and, where there is a device, a
// buffer of it. OnHost and OnDevice say which of them hold the array; while neither
// does, nothing has been written.
type Storage struct {
	Name     string
	Elem     ir.Kind
	Count    int64 // elements
	Host     []byte
	OnHost   bool
	OnDevice bool
	Zero     bool // zeros are asked for
	Shape    []int
	At       diag.Span
	// Device is what Far keeps of the array.
	Device any
}

// Far is the memory of a device.
type Far interface {
	// Settle sets the loose variables that are not set yet.
	Settle()
	// Overflowed reports whether doubles have overflowed since it was last asked for.
	Overflowed() bool
	// Fetch copies an array that is OnDevice only to s.Host, which has room.
	Fetch(s *Storage)
	// Peek copies one element of such an array, and reports whether it did; to has
	// room for it.
	Peek(s *Storage, i int64, to []byte) bool
	// Poke writes one element of an array that is not OnHost, and reports whether it did.
	Poke(s *Storage, i int64, value []byte) bool
	// Copy copies elements between arrays, and reports whether it did.
	Copy(dst *Storage, to int64, src *Storage, from, count int64) bool
	// Release frees what the device has of an array.
	Release(s *Storage)
}

// SizeOf returns the bytes of an element.
func SizeOf(k ir.Kind) int64 {
	switch k {
	case ir.U8, ir.I8, ir.C8:
		return 1
	case ir.I16:
		return 2
	case ir.I32, ir.C32:
		return 4
	case ir.I64, ir.F64:
		return 8
	case ir.C64:
		return 16
	}
	panic("internal error: kind is unset")
}

// Bytes returns the bytes of an array on the host.
func (s *Storage) Bytes() int64 { return s.Count * SizeOf(s.Elem) }

// constant returns the storage of a constant array.
func constant(c *ir.Const) *Storage {
	n := max(len(c.Ints), len(c.Floats))
	if c.Buf.Elem == ir.C64 {
		n /= 2
	}
	s := &Storage{Name: c.Buf.Name, Elem: c.Buf.Elem, Count: int64(n), OnHost: true}
	s.Host = make([]byte, s.Bytes())
	m := &Machine{}
	for i, v := range c.Floats {
		*(*float64)(unsafe.Pointer(&s.Host[8*i])) = v
	}
	for i, v := range c.Ints {
		m.storeInt(s, int64(i), v)
	}
	return s
}

// ToHost makes the host's copy valid.
func (m *Machine) ToHost(s *Storage) {
	if s.OnHost {
		return
	}
	if s.Host == nil {
		s.Host = make([]byte, s.Bytes())
	}
	if s.OnDevice {
		m.Far.Fetch(s)
	}
	s.OnHost = true
}

// free releases the storage of s.
func (m *Machine) free(s *Storage) {
	if s == nil {
		return
	}
	if m.Far != nil {
		m.Far.Release(s)
	}
	*s = Storage{Name: s.Name, Elem: s.Elem}
}

// slow makes element i of s readable where the host's copy is not valid; it reports
// whether only that was copied, to the given bytes.
func (m *Machine) slow(s *Storage, i int64, to []byte) bool {
	if s.OnDevice && m.Far.Peek(s, i, to) {
		return true
	}
	m.ToHost(s)
	return false
}

// extend makes a value of kind k from its low bits.
func extend(k ir.Kind, v uint64) int64 {
	switch k {
	case ir.U8, ir.C8:
		return int64(uint8(v))
	case ir.I8:
		return int64(int8(v))
	case ir.I16:
		return int64(int16(v))
	case ir.I32:
		return int64(int32(v))
	case ir.C32:
		return int64(uint32(v))
	}
	return int64(v)
}

func (m *Machine) loadInt(s *Storage, i int64) int64 {
	if !s.OnHost {
		var b [8]byte
		if m.slow(s, i, b[:]) {
			return extend(s.Elem, binary.LittleEndian.Uint64(b[:]))
		}
	}
	switch s.Elem {
	case ir.U8, ir.C8:
		return int64(s.Host[i])
	case ir.I8:
		return int64(int8(s.Host[i]))
	case ir.I16:
		return int64(*(*int16)(unsafe.Pointer(&s.Host[2*i])))
	case ir.I32:
		return int64(*(*int32)(unsafe.Pointer(&s.Host[4*i])))
	case ir.C32:
		return int64(*(*uint32)(unsafe.Pointer(&s.Host[4*i])))
	}
	return *(*int64)(unsafe.Pointer(&s.Host[8*i]))
}

func (m *Machine) loadDouble(s *Storage, i int64) float64 {
	if !s.OnHost {
		var b [8]byte
		if m.slow(s, i, b[:]) {
			return math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
		}
	}
	return *(*float64)(unsafe.Pointer(&s.Host[8*i]))
}

func (m *Machine) loadComplex(s *Storage, i int64) complex128 {
	if !s.OnHost {
		var z complex128
		if m.slow(s, i, unsafe.Slice((*byte)(unsafe.Pointer(&z)), 16)) {
			return z
		}
	}
	return *(*complex128)(unsafe.Pointer(&s.Host[16*i]))
}

// writable makes the host's copy the only valid one.
func (m *Machine) writable(s *Storage) {
	if !s.OnHost {
		m.ToHost(s)
	}
	s.OnDevice = false
}

// poked reports whether element i of s was written on the device.
func (m *Machine) poked(s *Storage, i int64, value []byte) bool {
	return !s.OnHost && m.Far != nil && m.Far.Poke(s, i, value)
}

func (m *Machine) storeInt(s *Storage, i, v int64) {
	if !s.OnHost && m.poked(s, i, binary.LittleEndian.AppendUint64(nil, uint64(v))) {
		return
	}
	m.writable(s)
	switch s.Elem {
	case ir.U8, ir.I8, ir.C8:
		s.Host[i] = byte(v)
	case ir.I16:
		*(*int16)(unsafe.Pointer(&s.Host[2*i])) = int16(v)
	case ir.I32, ir.C32:
		*(*int32)(unsafe.Pointer(&s.Host[4*i])) = int32(v)
	default:
		*(*int64)(unsafe.Pointer(&s.Host[8*i])) = v
	}
}

func (m *Machine) storeDouble(s *Storage, i int64, v float64) {
	if !s.OnHost && m.poked(s, i, binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))) {
		return
	}
	m.writable(s)
	*(*float64)(unsafe.Pointer(&s.Host[8*i])) = v
}

func (m *Machine) storeComplex(s *Storage, i int64, z complex128) {
	if !s.OnHost && m.poked(s, i, unsafe.Slice((*byte)(unsafe.Pointer(&z)), 16)) {
		return
	}
	m.writable(s)
	*(*complex128)(unsafe.Pointer(&s.Host[16*i])) = z
}

// copy copies elements, on the device where it has them.
func (m *Machine) copy(dst *Storage, to int64, src *Storage, from, count int64) {
	if count <= 0 || m.Far != nil && m.Far.Copy(dst, to, src, from, count) {
		return
	}
	n := SizeOf(dst.Elem)
	m.ToHost(src)
	m.writable(dst)
	copy(dst.Host[to*n:(to+count)*n], src.Host[from*n:(from+count)*n])
}
