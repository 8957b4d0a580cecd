package eval

import "github.com/tailor-lang/tailor/array"

// pool keeps a few arrays that nobody sees any more, so that programs with many
// small arrays do not live on the garbage collector. An op may give back an
// argument that it owns, once it has made its result from it.
type pool struct {
	closed bool // Env.Plain
	free   [array.Complex + 1][]*array.Array
	bytes  int // of the elements of the arrays in it
}

const (
	poolSize  = 16
	poolBytes = 128 << 20
)

// give puts an array into the pool if v is the only reference to it.
func (p *pool) give(v value) {
	if v.arr == nil || !v.owned() || p.closed {
		return
	}
	size := capacity(v.arr) * elemSize(v.arr.Elem)
	if free := &p.free[v.arr.Elem]; len(*free) < poolSize && p.bytes+size <= poolBytes {
		*free = append(*free, v.arr)
		p.bytes += size
	}
}

// take returns an array of n elements with any contents, or nil.
func (p *pool) take(elem array.Elem, n int, shape []int) *array.Array {
	free := p.free[elem]
	for i := len(free) - 1; i >= 0; i-- {
		a := free[i]
		if c := capacity(a); c >= n && c <= 2*n+64 {
			free[i] = free[len(free)-1]
			p.free[elem] = free[:len(free)-1]
			p.bytes -= c * elemSize(elem)
			a.Shape = append(a.Shape[:0], shape...)
			resize(a, n)
			return a
		}
	}
	return nil
}

// shaped is an array together with room for its shape.
type shaped struct {
	array.Array
	room [3]int
}

// newRaw makes an array of zeros.
func newRaw(elem array.Elem, n int, shape []int) *array.Array {
	s := &shaped{}
	s.Elem = elem
	s.Shape = append(s.room[:0], shape...)
	switch elem {
	case array.Bool:
		s.Bools = make([]byte, n)
	case array.Int:
		s.Ints = make([]int64, n)
	case array.Double:
		s.Doubles = make([]float64, n)
	case array.Complex:
		s.Complexes = make([]complex128, n)
	case array.Char:
		s.Chars = make([]rune, n)
	default:
		panic("internal error: the evaluator has no elements of type " + elem.String())
	}
	return &s.Array
}

func capacity(a *array.Array) int {
	switch a.Elem {
	case array.Bool:
		return cap(a.Bools)
	case array.Int:
		return cap(a.Ints)
	case array.Double:
		return cap(a.Doubles)
	case array.Complex:
		return cap(a.Complexes)
	}
	return cap(a.Chars)
}

// resize sets the number of elements within the capacity.
func resize(a *array.Array, n int) {
	switch a.Elem {
	case array.Bool:
		a.Bools = a.Bools[:n]
	case array.Int:
		a.Ints = a.Ints[:n]
	case array.Double:
		a.Doubles = a.Doubles[:n]
	case array.Complex:
		a.Complexes = a.Complexes[:n]
	default:
		a.Chars = a.Chars[:n]
	}
}

// clearElems sets all elements to the fill element.
func clearElems(a *array.Array) {
	switch a.Elem {
	case array.Bool:
		clear(a.Bools)
	case array.Int:
		clear(a.Ints)
	case array.Double:
		clear(a.Doubles)
	case array.Complex:
		clear(a.Complexes)
	default:
		fillSlice(a.Chars, ' ')
	}
}
