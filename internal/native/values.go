package native

import (
	"math"
	"runtime"
	"unsafe"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/interp/value"
)

// Bind gives the function its last arguments, which are the same for all calls by
// Apply.
func (f *Function) Bind(last []*array.Array) {
	f.bound = last
	first := len(f.params) - len(last)
	for i, a := range last {
		f.put(&f.params[first+i], a)
	}
}

// Apply calls a function of one result with values of the interpreter, x being nil
// where it takes one beside those of Bind. They are simple arrays that have the types of
// the parameters. ok is false where there was a fault. Scalars are passed without
// memory being allocated but for the result.
func (f *Function) Apply(x, y *value.Array) (r *value.Array, ok bool) {
	i := 0
	if x != nil {
		f.putValue(&f.params[0], x)
		i = 1
	}
	f.putValue(&f.params[i], y)
	failed := call2(f.entry, &f.in[0], &f.out[0])
	runtime.KeepAlive(x)
	runtime.KeepAlive(y)
	if failed != 0 {
		return nil, false
	}
	s := &f.results[0]
	if s.rank > 0 {
		return value.From(f.take(s)), true
	}
	return scalarValue(s.elem, f.out), true
}

// putValue sets the words of an argument.
func (f *Function) putValue(s *slot, v *value.Array) {
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

// scalarValue returns a scalar of the element type from its words.
func scalarValue(e array.Elem, w []int64) *value.Array {
	switch e {
	case array.Bool:
		return value.Truth(w[0] != 0)
	case array.Double:
		return value.Number(math.Float64frombits(uint64(w[0])))
	case array.Char:
		return value.Character(rune(w[0]))
	case array.Complex:
		return value.ComplexNumber(complex(math.Float64frombits(uint64(w[0])), math.Float64frombits(uint64(w[1]))))
	}
	return value.Int64(w[0])
}
