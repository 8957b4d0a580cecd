package clgen

import (
	"github.com/tailor-lang/tailor/laila/ir/eval"
	"github.com/tailor-lang/tailor/opencl"
	"github.com/tailor-lang/tailor/tail"
)

// far is what the device has of an array.
type far struct {
	buffer *opencl.Buffer
	peeks  int // single elements copied since the device wrote it
}

// maxPeeks is how many single elements are copied before all are.
const maxPeeks = 4

// farOf returns what the device has of s.
func farOf(s *storage) *far {
	if s.Device == nil {
		s.Device = &far{}
	}
	return s.Device.(*far)
}

// device returns the buffer of s, or nil.
func device(s *storage) *opencl.Buffer {
	if f, ok := s.Device.(*far); ok {
		return f.buffer
	}
	return nil
}

// Fetch copies an array to the host's memory.
func (m *machine) Fetch(s *storage) {
	raw := m.deviceForm(s, s.Host)
	eval.Must(m.queue.Read(device(s), 0, raw, s.Name))
	m.widen(s, raw, s.Host)
	m.transfer(&m.stats.Read, m.bytes(s), "read", s.Name)
}

// toDevice makes the device's copy valid, and reports whether it is to be
// written only, so that nothing need be copied.
func (m *machine) toDevice(s *storage, fresh bool) {
	if s.OnDevice {
		return
	}
	f := farOf(s)
	if f.buffer == nil {
		f.buffer = m.buffer(s)
	}
	switch {
	case s.OnHost:
		eval.Must(m.queue.Write(f.buffer, 0, m.shortened(s, s.Host), s.Name))
		m.transfer(&m.stats.Written, m.bytes(s), "write", s.Name)
	case s.Zero && !fresh:
		eval.Must(m.queue.Zero(f.buffer, m.bytes(s)))
	}
	s.OnDevice = true
}

// deviceWrote notes that the device's copy is the only one.
func deviceWrote(s *storage) {
	s.OnHost, s.OnDevice, farOf(s).peeks = false, true, 0
}

// buffer allocates s on the device; a fault where its memory is used up.
func (m *machine) buffer(s *storage) *opencl.Buffer {
	b, err := m.lend(m.bytes(s), s.Name)
	if opencl.OutOfMemory(err) {
		eval.Must(tail.NewFault(tail.FaultMemory, s.At, tail.Blame{}, tail.FaultMemory.Text(s.Shape)))
	}
	eval.Must(err)
	return b
}

// lend returns a buffer of at least some bytes, from the pool where it has one of the size.
func (m *machine) lend(bytes int64, name string) (*opencl.Buffer, error) {
	size := (bytes + 255) &^ 255
	if list := m.pool[size]; len(list) > 0 {
		m.pool[size] = list[:len(list)-1]
		return list[len(list)-1], nil
	}
	b, err := m.queue.Alloc(size, name)
	if opencl.OutOfMemory(err) {
		m.drain()
		b, err = m.queue.Alloc(size, name)
	}
	if err == nil {
		m.stats.Buffers++
	}
	return b, err
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

// Release puts the buffer of s into the pool.
func (m *machine) Release(s *storage) {
	if b := device(s); b != nil {
		m.pool[b.Size] = append(m.pool[b.Size], b)
	}
}

// Peek copies element i of s alone, a few times.
func (m *machine) Peek(s *storage, i int64, to []byte) bool {
	f := farOf(s)
	if f.peeks >= maxPeeks || s.Bytes() <= 64 {
		return false
	}
	f.peeks++
	n := m.sizeOf(s.Elem)
	eval.Must(m.queue.Read(f.buffer, i*n, to[:n], s.Name))
	m.transfer(&m.stats.Read, n, "read an element of", s.Name)
	m.widen(s, to[:n], to)
	return true
}

// pokeFrom is the size in bytes from which single elements are written to the
// device, a few times, rather than all copied to the host.
const pokeFrom = 4096

// Poke writes a single element where the device has the array, or where nobody
// has and it is large.
func (m *machine) Poke(s *storage, i int64, value []byte) bool {
	f := farOf(s)
	if m.queue == nil || f.peeks >= maxPeeks || s.Bytes() < pokeFrom {
		return false
	}
	m.toDevice(s, false)
	f.peeks++
	n := m.sizeOf(s.Elem)
	eval.Must(m.queue.Write(f.buffer, i*n, m.shortened(s, value[:eval.SizeOf(s.Elem)]), s.Name))
	m.transfer(&m.stats.Written, n, "write an element of", s.Name)
	return true
}

// Copy copies elements on the device where they are only there.
func (m *machine) Copy(dst *storage, to int64, src *storage, from, count int64) bool {
	if !src.OnDevice || src.OnHost && !(dst.OnDevice && !dst.OnHost) || dst == src {
		return false
	}
	m.toDevice(dst, to == 0 && count == dst.Count)
	n := m.sizeOf(dst.Elem)
	eval.Must(m.queue.Copy(device(src), from*n, device(dst), to*n, count*n))
	deviceWrote(dst)
	return true
}
