package native

import (
	"math"
	"runtime"
	"unsafe"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/cgen"
	"github.com/tailor-lang/tailor/interp/value"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Function is a compiled function.
type Function struct {
	entry, free     uintptr
	params, results []slot
	in, out         []int64        // one slice: the words of a call
	bound           []*value.Array // see Bind
}

// slot is where an argument or a result is among the words.
type slot struct {
	elem value.Kind
	kind ir.Kind // of the stored elements
	rank int
	at   int
}

// Load returns the function that a shared object exports by a name. Its parameters and
// results are those of the lowered entry.
func Load(path, export string, entry *ir.Func) (*Function, error) {
	found, err := open(path, export, "tailor_free")
	if err != nil {
		return nil, err
	}
	f := &Function{entry: found[0], free: found[1]}
	var in, out int
	f.params, in = slots(entry.Params)
	f.results, out = slots(entry.Results)
	f.in = make([]int64, in+out)
	f.out = f.in[in:]
	return f, nil
}

// LoadObject is Load for the contents of a shared object.
func LoadObject(object []byte, export string, entry *ir.Func) (*Function, error) {
	path, drop, err := stored(object)
	if err != nil {
		return nil, err
	}
	defer drop()
	return Load(path, export, entry)
}

// slots lays arrays out in words.
func slots(arrays []ir.Array) (all []slot, words int) {
	for _, a := range arrays {
		s := slot{elem: kindOf(a.Elem), kind: a.Elem, rank: len(a.Dims), at: words}
		if a.Buf != nil {
			s.kind = a.Buf.Elem
		}
		all = append(all, s)
		words += cgen.Words(a)
	}
	return all, words
}

// kindOf returns the kind of values that the run-time stores so.
func kindOf(k ir.Kind) value.Kind {
	switch k {
	case ir.U8:
		return value.Bool
	case ir.F64:
		return value.Double
	case ir.C64:
		return value.Complex
	case ir.C8, ir.C32:
		return value.Char
	}
	return value.Int
}

// Bind gives the function its last arguments, which are the same for all calls by
// Apply.
func (f *Function) Bind(last []*array.Array) {
	first := len(f.params) - len(last)
	for i, a := range last {
		v := value.From(a)
		f.bound = append(f.bound, v)
		f.put(&f.params[first+i], v)
	}
}

// Apply calls a function of one result with values of the interpreter, x being nil
// where it takes one beside those of Bind. They are simple arrays that have the types of
// the parameters. ok is false where there was a fault. Scalars are passed without
// memory being allocated but for the result.
func (f *Function) Apply(x, y *value.Array) (r *value.Array, ok bool) {
	i := 0
	if x != nil {
		f.put(&f.params[0], x)
		i = 1
	}
	f.put(&f.params[i], y)
	failed := call(f.entry, unsafe.Pointer(unsafe.SliceData(f.in)))
	runtime.KeepAlive(x)
	runtime.KeepAlive(y)
	if failed != 0 {
		return nil, false
	}
	s := &f.results[0]
	if s.rank > 0 {
		return f.take(s), true
	}
	return scalar(s.elem, f.out), true
}

// ApplyAll is Apply for any number of arguments and results, which are nil where there
// was a fault.
func (f *Function) ApplyAll(args []*value.Array) []*value.Array {
	for i, a := range args {
		f.put(&f.params[i], a)
	}
	failed := call(f.entry, unsafe.Pointer(unsafe.SliceData(f.in)))
	runtime.KeepAlive(args)
	if failed != 0 {
		return nil
	}
	results := make([]*value.Array, len(f.results))
	for i := range f.results {
		if s := &f.results[i]; s.rank > 0 {
			results[i] = f.take(s)
		} else {
			results[i] = scalar(s.elem, f.out[s.at:])
		}
	}
	return results
}

// put sets the words of an argument.
func (f *Function) put(s *slot, v *value.Array) {
	w := f.in[s.at:]
	if s.rank > 0 {
		w[0] = int64(uintptr(elements(v)))
		for i, n := range v.Shape {
			w[1+i] = int64(n)
		}
		return
	}
	switch v.Kind {
	case value.Bool:
		w[0] = int64(v.Bools[0])
	case value.Int:
		w[0] = v.Ints[0]
	case value.Double:
		w[0] = int64(math.Float64bits(v.Doubles[0]))
	case value.Complex:
		w[0] = int64(math.Float64bits(real(v.Complexes[0])))
		w[1] = int64(math.Float64bits(imag(v.Complexes[0])))
	case value.Char:
		w[0] = int64(v.Chars[0])
	}
}

// nothing is where arrays without elements are.
var nothing [8]int64

// elements returns where the elements of a simple array are.
func elements(v *value.Array) unsafe.Pointer {
	switch {
	case v.Len() == 0:
	case v.Kind == value.Bool:
		return unsafe.Pointer(&v.Bools[0])
	case v.Kind == value.Int:
		return unsafe.Pointer(&v.Ints[0])
	case v.Kind == value.Double:
		return unsafe.Pointer(&v.Doubles[0])
	case v.Kind == value.Complex:
		return unsafe.Pointer(&v.Complexes[0])
	case v.Kind == value.Char:
		return unsafe.Pointer(&v.Chars[0])
	}
	return unsafe.Pointer(&nothing[0])
}

// take returns a result that is no scalar, and frees what the function stored.
func (f *Function) take(s *slot) *value.Array {
	w := f.out[s.at:]
	shape := make([]int, s.rank)
	for i := range shape {
		shape[i] = int(w[1+i])
	}
	data := *(*unsafe.Pointer)(unsafe.Pointer(&w[0]))
	a := copied(s, shape, data)
	call(f.free, data)
	return a
}

// scalar returns a scalar of a kind from its words.
func scalar(k value.Kind, w []int64) *value.Array {
	switch k {
	case value.Bool:
		return value.Truth(w[0] != 0)
	case value.Double:
		return value.Number(math.Float64frombits(uint64(w[0])))
	case value.Char:
		return value.Character(rune(w[0]))
	case value.Complex:
		return value.ComplexNumber(complex(math.Float64frombits(uint64(w[0])), math.Float64frombits(uint64(w[1]))))
	}
	return value.Int64(w[0])
}

// copied returns an array of elements that C has stored.
func copied(s *slot, shape []int, data unsafe.Pointer) *value.Array {
	n := array.Count(shape)
	a := &value.Array{Kind: s.elem, Shape: shape}
	switch s.kind {
	case ir.U8:
		a.Bools = same[byte](data, n)
	case ir.I8:
		a.Ints = wide[int8, int64](data, n)
	case ir.I16:
		a.Ints = wide[int16, int64](data, n)
	case ir.I32:
		a.Ints = wide[int32, int64](data, n)
	case ir.I64:
		a.Ints = same[int64](data, n)
	case ir.F64:
		a.Doubles = same[float64](data, n)
	case ir.C64:
		a.Complexes = same[complex128](data, n)
	case ir.C8:
		a.Chars = wide[byte, rune](data, n)
	case ir.C32:
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
