package native

import (
	"math"
	"runtime"
	"unsafe"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/cgen"
	"github.com/tailor-lang/tailor/laila"
)

// Function is a compiled function.
type Function struct {
	entry, free     uintptr
	params, results []slot
	in, out         []int64
	bound           []*array.Array // see Bind
}

// slot is where an argument or a result is among the words.
type slot struct {
	elem array.Elem
	kind laila.Kind // of the stored elements
	rank int
	at   int
}

// Load returns the function that a shared object exports by a name. Its parameters and
// results are those of the lowered entry.
func Load(path, export string, entry *laila.Func) (*Function, error) {
	found, err := open(path, export, "tailor_free")
	if err != nil {
		return nil, err
	}
	f := &Function{entry: found[0], free: found[1]}
	var words int
	f.params, words = slots(entry.Params)
	f.in = make([]int64, words+1) // no empty slice, whose address is asked for
	f.results, words = slots(entry.Results)
	f.out = make([]int64, words+1)
	return f, nil
}

// slots lays arrays out in words.
func slots(arrays []laila.Array) (all []slot, words int) {
	for _, a := range arrays {
		s := slot{elem: elemOf(a.Elem), kind: a.Elem, rank: len(a.Dims), at: words}
		if a.Buf != nil {
			s.kind = a.Buf.Elem
		}
		all = append(all, s)
		words += cgen.Words(a)
	}
	return all, words
}

// elemOf returns the element type that a kind stores.
func elemOf(k laila.Kind) array.Elem {
	switch k {
	case laila.U8:
		return array.Bool
	case laila.F64:
		return array.Double
	case laila.C64:
		return array.Complex
	case laila.C8, laila.C32:
		return array.Char
	}
	return array.Int
}

// Call calls the function with the arrays of its parameters, which have their element
// types and ranks. It returns the arrays of the result; ok is false where there was a
// fault.
func (f *Function) Call(args []*array.Array) (results []*array.Array, ok bool) {
	for i, a := range args {
		f.put(&f.params[i], a)
	}
	failed := call2(f.entry, &f.in[0], &f.out[0])
	runtime.KeepAlive(args)
	if failed != 0 {
		return nil, false
	}
	results = make([]*array.Array, len(f.results))
	for i := range f.results {
		results[i] = f.take(&f.results[i])
	}
	return results, true
}

// put sets the words of an argument.
func (f *Function) put(s *slot, a *array.Array) {
	w := f.in[s.at:]
	if s.rank > 0 {
		w[0] = address(a)
		for i, n := range a.Shape {
			w[1+i] = int64(n)
		}
		return
	}
	switch a.Elem {
	case array.Bool:
		w[0] = int64(a.Bools[0])
	case array.Int:
		w[0] = a.Ints[0]
	case array.Double:
		w[0] = int64(math.Float64bits(a.Doubles[0]))
	case array.Complex:
		w[0] = int64(math.Float64bits(real(a.Complexes[0])))
		w[1] = int64(math.Float64bits(imag(a.Complexes[0])))
	case array.Char:
		w[0] = int64(a.Chars[0])
	}
}

// nothing is where arrays without elements are.
var nothing [8]int64

// address returns where the elements of an array are.
func address(a *array.Array) int64 {
	p := unsafe.Pointer(&nothing[0])
	switch {
	case a.Len() == 0:
	case a.Elem == array.Bool:
		p = unsafe.Pointer(&a.Bools[0])
	case a.Elem == array.Int:
		p = unsafe.Pointer(&a.Ints[0])
	case a.Elem == array.Double:
		p = unsafe.Pointer(&a.Doubles[0])
	case a.Elem == array.Complex:
		p = unsafe.Pointer(&a.Complexes[0])
	case a.Elem == array.Char:
		p = unsafe.Pointer(&a.Chars[0])
	}
	return int64(uintptr(p))
}

// take returns a result, and frees what the function stored.
func (f *Function) take(s *slot) *array.Array {
	w := f.out[s.at:]
	if s.rank == 0 {
		return scalar(s.elem, w)
	}
	shape := make([]int, s.rank)
	for i := range shape {
		shape[i] = int(w[1+i])
	}
	data := *(*unsafe.Pointer)(unsafe.Pointer(&w[0]))
	a := copied(s, shape, data)
	call1(f.free, data)
	return a
}

// scalar returns a scalar of the element type from its words.
func scalar(e array.Elem, w []int64) *array.Array {
	switch e {
	case array.Bool:
		return array.ScalarBool(w[0] != 0)
	case array.Double:
		return array.ScalarDouble(math.Float64frombits(uint64(w[0])))
	case array.Char:
		return array.ScalarChar(rune(w[0]))
	case array.Complex:
		z := complex(math.Float64frombits(uint64(w[0])), math.Float64frombits(uint64(w[1])))
		return &array.Array{Elem: array.Complex, Shape: []int{}, Complexes: []complex128{z}}
	}
	return array.ScalarInt(w[0])
}

// copied returns an array of elements that C has stored.
func copied(s *slot, shape []int, data unsafe.Pointer) *array.Array {
	n := array.Count(shape)
	a := &array.Array{Elem: s.elem, Shape: shape}
	switch s.kind {
	case laila.U8:
		a.Bools = same[byte](data, n)
	case laila.I8:
		a.Ints = wide[int8, int64](data, n)
	case laila.I16:
		a.Ints = wide[int16, int64](data, n)
	case laila.I32:
		a.Ints = wide[int32, int64](data, n)
	case laila.I64:
		a.Ints = same[int64](data, n)
	case laila.F64:
		a.Doubles = same[float64](data, n)
	case laila.C64:
		a.Complexes = same[complex128](data, n)
	case laila.C8:
		a.Chars = wide[byte, rune](data, n)
	case laila.C32:
		a.Chars = same[rune](data, n)
	}
	return a
}

// same copies elements.
func same[T any](data unsafe.Pointer, n int) []T {
	out := make([]T, n)
	if n > 0 {
		copy(out, unsafe.Slice((*T)(data), n))
	}
	return out
}

// wide copies elements into a wider type.
func wide[S int8 | int16 | int32 | byte, T int64 | rune](data unsafe.Pointer, n int) []T {
	out := make([]T, n)
	if n > 0 {
		for i, x := range unsafe.Slice((*S)(data), n) {
			out[i] = T(x)
		}
	}
	return out
}
