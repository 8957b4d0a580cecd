package session

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"unsafe"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/memfile"
)

// Arrays and compiled lines. A compiled line is a process of its own, which a fault
// or Ctrl-C ends without the session. It inherits open files that have no name, in
// memory where the system has such files: one with records of the arrays that it is
// given, one that it writes the arrays to that it gives back, and those that have the
// elements of large arrays. cgen/rt/session.c is the other side. What one line gives
// back another one gets from the same file, so that an array goes through the
// session's own memory only to be shown.

const (
	recordBytes = 256     // of a record, and what elements begin at a multiple of
	ownFile     = 1 << 16 // bytes from which an array is not copied for a line
)

// record says where the elements of an array are; -1 is the file of the record.
type record struct {
	File, Offset, Elem, Rank int64
	Shape                    [recordBytes/8 - 4]int64
}

// memory remembers the files that have large arrays.
type memory struct {
	places map[*array.Array]location
}

// location is where the elements of an array begin in a file.
type location struct {
	file   *shared
	offset int64
}

// shared is a file, and how many arrays in it are remembered.
type shared struct {
	*os.File
	arrays int
}

// forget closes files whose arrays are no longer known.
func (m *memory) forget(known map[*array.Array]bool) {
	for a, p := range m.places {
		if !known[a] {
			delete(m.places, a)
			m.drop(p.file)
		}
	}
}

// drop forgets an array of a file.
func (m *memory) drop(f *shared) {
	if f.arrays--; f.arrays == 0 {
		f.Close()
	}
}

// remember notes the place of a large array.
func (m *memory) remember(a *array.Array, p location) {
	if m.places == nil {
		m.places = map[*array.Array]location{}
	}
	if _, ok := m.places[a]; !ok {
		m.places[a] = p
		p.file.arrays++
	}
}

// put writes an array to a file of its own.
func (m *memory) put(a *array.Array) (location, error) {
	f, err := memfile.New()
	if err != nil {
		return location{}, noMemory(err)
	}
	p := location{&shared{File: f}, recordBytes}
	if err := writeElements(f, recordBytes, a); err != nil {
		f.Close()
		return location{}, err
	}
	m.remember(a, p)
	return p, nil
}

// exchange is what one line is given and gives back.
type exchange struct {
	memory  *memory
	in, out *os.File
	files   []*os.File // of the process, from descriptor 3 on
}

// The descriptors of a process's first two files.
const inherited = 3

// environment tells the process its files.
func (x *exchange) environment() string {
	return fmt.Sprintf("TAILOR_SESSION=%d,%d", inherited, inherited+1)
}

// exchange returns the files for a line that is given some arrays.
func (m *memory) exchange(given []*array.Array) (x *exchange, err error) {
	x = &exchange{memory: m}
	defer func() {
		if err != nil {
			x.close()
		}
	}()
	if x.in, err = memfile.New(); err != nil {
		return nil, noMemory(err)
	}
	if x.out, err = memfile.New(); err != nil {
		return nil, noMemory(err)
	}
	x.files = []*os.File{x.in, x.out}
	descriptors := map[*shared]int64{}
	end := int64(len(given)) * recordBytes
	for i, a := range given {
		r := record{File: inherited, Offset: end + recordBytes, Elem: int64(a.Elem), Rank: int64(a.Rank())}
		for k, n := range a.Shape {
			r.Shape[k] = int64(n)
		}
		if len(bytesOf(a)) >= ownFile {
			if err := x.lend(a, &r, descriptors); err != nil {
				return nil, err
			}
		} else {
			if err := writeElements(x.in, r.Offset, a); err != nil {
				return nil, err
			}
			end = r.Offset + padded(int64(len(bytesOf(a))))
		}
		if err := writeRecord(x.in, int64(i)*recordBytes, r); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// lend gives the process the file of a large array.
func (x *exchange) lend(a *array.Array, r *record, descriptors map[*shared]int64) (err error) {
	p, ok := x.memory.places[a]
	if !ok {
		if p, err = x.memory.put(a); err != nil {
			return err
		}
	}
	if descriptors[p.file] == 0 {
		descriptors[p.file] = int64(inherited + len(x.files))
		x.files = append(x.files, p.file.File)
	}
	r.File, r.Offset = descriptors[p.file], p.offset
	return nil
}

// values reads what the process gave back. The file is kept for as long as it has
// large arrays.
func (x *exchange) values() ([]*array.Array, error) {
	info, err := x.out.Stat()
	if err != nil {
		return nil, err
	}
	kept := &shared{File: x.out, arrays: 1}
	defer x.memory.drop(kept)
	x.out = nil
	var all []*array.Array
	for at := int64(0); at < info.Size(); {
		var r record
		if err := binary.Read(io.NewSectionReader(kept, at, recordBytes), binary.NativeEndian, &r); err != nil {
			return nil, err
		}
		shape := make([]int, r.Rank)
		for k := range shape {
			shape[k] = int(r.Shape[k])
		}
		a := array.New(array.Elem(r.Elem), shape...)
		if _, err := kept.ReadAt(bytesOf(a), at+recordBytes); err != nil && err != io.EOF {
			return nil, err
		}
		if len(bytesOf(a)) >= ownFile {
			x.memory.remember(a, location{kept, at + recordBytes})
		}
		all = append(all, a)
		at += recordBytes + padded(int64(len(bytesOf(a))))
	}
	return all, nil
}

func (x *exchange) close() {
	for _, f := range []*os.File{x.in, x.out} {
		if f != nil {
			f.Close()
		}
	}
}

// padded rounds a number of bytes up, so that a vector behind the last element is
// still in the file.
func padded(n int64) int64 { return (n + recordBytes - 1) / recordBytes * recordBytes }

func writeRecord(f *os.File, at int64, r record) error {
	if err := binary.Write(io.NewOffsetWriter(f, at), binary.NativeEndian, r); err != nil {
		return noMemory(err)
	}
	return nil
}

// writeElements writes the elements of an array, and makes the file long enough.
func writeElements(f *os.File, at int64, a *array.Array) error {
	bytes := bytesOf(a)
	if _, err := f.WriteAt(bytes, at); err != nil {
		return noMemory(err)
	}
	if err := f.Truncate(at + padded(int64(len(bytes)))); err != nil {
		return noMemory(err)
	}
	return nil
}

func noMemory(err error) error {
	return fmt.Errorf("no memory to give arrays to a compiled line: %w", err)
}

// bytesOf returns the memory of an array's elements.
func bytesOf(a *array.Array) []byte {
	switch a.Elem {
	case array.Bool:
		return a.Bools
	case array.Int:
		return memoryOf(a.Ints)
	case array.Double:
		return memoryOf(a.Doubles)
	case array.Complex:
		return memoryOf(a.Complexes)
	}
	return memoryOf(a.Chars)
}

func memoryOf[T any](v []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(one)))
}
