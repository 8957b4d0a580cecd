package clgen

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/opencl"
	"github.com/tailor-lang/tailor/tail"
)

// storage is an array's storage: bytes of the host, a buffer of the device, or
// both. Which of them hold the array, onHost and onDevice say; while neither
// does, nothing has been written.
type storage struct {
	name     string
	elem     ir.Kind
	count    int64
	host     []byte
	device   *opencl.Buffer
	onHost   bool
	onDevice bool
	zero     bool // zeros are asked for
	peeks    int  // single elements copied since the device wrote it
	shape    []int
	at       diag.Span
}

// maxPeeks is how many single elements are copied before all are.
const maxPeeks = 4

// sizeOf returns the bytes of an element.
func sizeOf(k ir.Kind) int64 {
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

func (s *storage) bytes() int64 { return s.count * sizeOf(s.elem) }

// toHost makes the host's copy valid.
func (m *machine) toHost(s *storage) {
	if s.onHost {
		return
	}
	if s.host == nil {
		s.host = make([]byte, s.bytes())
	}
	if s.onDevice {
		raw := m.deviceForm(s, s.host)
		m.must(m.queue.Read(s.device, 0, raw, s.name))
		m.widen(s, raw, s.host)
		m.transfer(&m.stats.Read, m.bytes(s), "read", s.name)
	}
	s.onHost = true
}

// toDevice makes the device's copy valid, and reports whether it is to be
// written only, so that nothing need be copied.
func (m *machine) toDevice(s *storage, fresh bool) {
	if s.onDevice {
		return
	}
	if s.device == nil {
		s.device = m.buffer(s)
	}
	switch {
	case s.onHost:
		m.must(m.queue.Write(s.device, 0, m.shortened(s, s.host), s.name))
		m.transfer(&m.stats.Written, m.bytes(s), "write", s.name)
	case s.zero && !fresh:
		m.must(m.queue.Zero(s.device, m.bytes(s)))
	}
	s.onDevice = true
}

// deviceWrote notes that the device's copy is the only one.
func (s *storage) deviceWrote() {
	s.onHost, s.onDevice, s.peeks = false, true, 0
}

// buffer allocates s on the device, from the pool where it has one of the size.
func (m *machine) buffer(s *storage) *opencl.Buffer {
	size := (m.bytes(s) + 255) &^ 255
	if list := m.pool[size]; len(list) > 0 {
		m.pool[size] = list[:len(list)-1]
		return list[len(list)-1]
	}
	b, err := m.queue.Alloc(size, s.name)
	if opencl.OutOfMemory(err) {
		m.drain()
		b, err = m.queue.Alloc(size, s.name)
	}
	if opencl.OutOfMemory(err) {
		panic(stop{tail.NewFault(tail.FaultMemory, s.at, tail.Blame{}, tail.FaultMemory.Text(s.shape))})
	}
	m.must(err)
	m.stats.Buffers++
	return b
}

// drain gives the pool's buffers back.
func (m *machine) drain() {
	for size, list := range m.pool {
		for _, b := range list {
			b.Release()
		}
		delete(m.pool, size)
	}
}

// free releases the storage of s.
func (m *machine) free(s *storage) {
	if s == nil {
		return
	}
	if s.device != nil {
		m.pool[s.device.Size] = append(m.pool[s.device.Size], s.device)
	}
	*s = storage{name: s.name, elem: s.elem}
}

// Single elements.

// peeks reports whether a single element of s, of which the host has no valid
// copy, is to be copied alone.
func (m *machine) peeks(s *storage) bool {
	return s.onDevice && s.peeks < maxPeeks && s.bytes() > 64
}

// peek copies element i of s from the device; to has room for it.
func (m *machine) peek(s *storage, i int64, to []byte) {
	s.peeks++
	n := m.sizeOf(s.elem)
	m.must(m.queue.Read(s.device, i*n, to[:n], s.name))
	m.transfer(&m.stats.Read, n, "read an element of", s.name)
	m.widen(s, to[:n], to)
}

// slow makes element i of s readable where the host's copy is not valid; it
// returns the element where only that was copied.
func (m *machine) slow(s *storage, i int64) (bits uint64, done bool) {
	if !m.peeks(s) {
		m.toHost(s)
		return 0, false
	}
	var b [8]byte
	m.peek(s, i, b[:])
	return binary.LittleEndian.Uint64(b[:]), true
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

func (m *machine) loadInt(s *storage, i int64) int64 {
	if !s.onHost {
		if v, ok := m.slow(s, i); ok {
			return extend(s.elem, v)
		}
	}
	switch s.elem {
	case ir.U8, ir.C8:
		return int64(s.host[i])
	case ir.I8:
		return int64(int8(s.host[i]))
	case ir.I16:
		return int64(*(*int16)(unsafe.Pointer(&s.host[2*i])))
	case ir.I32:
		return int64(*(*int32)(unsafe.Pointer(&s.host[4*i])))
	case ir.C32:
		return int64(*(*uint32)(unsafe.Pointer(&s.host[4*i])))
	}
	return *(*int64)(unsafe.Pointer(&s.host[8*i]))
}

func (m *machine) loadDouble(s *storage, i int64) float64 {
	if !s.onHost {
		if v, ok := m.slow(s, i); ok {
			return math.Float64frombits(v)
		}
	}
	return *(*float64)(unsafe.Pointer(&s.host[8*i]))
}

// writable makes the host's copy the only valid one.
func (m *machine) writable(s *storage) {
	if !s.onHost {
		m.toHost(s)
	}
	s.onDevice = false
}

// pokeFrom is the size in bytes from which single elements are written to the
// device, a few times, rather than all copied to the host.
const pokeFrom = 4096

// poke writes a single element where the device has the array, or where nobody
// has and it is large, and reports whether it did.
func (m *machine) poke(s *storage, i int64, value []byte) bool {
	if s.onHost || m.queue == nil || s.peeks >= maxPeeks || s.bytes() < pokeFrom {
		return false
	}
	m.toDevice(s, false)
	s.peeks++
	n := m.sizeOf(s.elem)
	m.must(m.queue.Write(s.device, i*n, m.shortened(s, value[:sizeOf(s.elem)]), s.name))
	m.transfer(&m.stats.Written, n, "write an element of", s.name)
	return true
}

func (m *machine) storeInt(s *storage, i, v int64) {
	if !s.onHost && m.poke(s, i, binary.LittleEndian.AppendUint64(nil, uint64(v))) {
		return
	}
	m.writable(s)
	switch s.elem {
	case ir.U8, ir.I8, ir.C8:
		s.host[i] = byte(v)
	case ir.I16:
		*(*int16)(unsafe.Pointer(&s.host[2*i])) = int16(v)
	case ir.I32, ir.C32:
		*(*int32)(unsafe.Pointer(&s.host[4*i])) = int32(v)
	default:
		*(*int64)(unsafe.Pointer(&s.host[8*i])) = v
	}
}

func (m *machine) storeDouble(s *storage, i int64, v float64) {
	if !s.onHost && m.poke(s, i, binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))) {
		return
	}
	m.writable(s)
	*(*float64)(unsafe.Pointer(&s.host[8*i])) = v
}

// copy copies elements, on the device where they are only there.
func (m *machine) copy(dst *storage, to int64, src *storage, from, count int64) {
	if count <= 0 {
		return
	}
	n := sizeOf(dst.elem)
	if src.onDevice && (!src.onHost || dst.onDevice && !dst.onHost) && dst != src {
		m.toDevice(dst, to == 0 && count == dst.count)
		n = m.sizeOf(dst.elem)
		m.must(m.queue.Copy(src.device, from*n, dst.device, to*n, count*n))
		dst.deviceWrote()
		return
	}
	m.toHost(src)
	m.writable(dst)
	copy(dst.host[to*n:(to+count)*n], src.host[from*n:(from+count)*n])
}
