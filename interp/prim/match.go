package prim

import (
	"encoding/binary"
	"math"

	"github.com/tailor-lang/tailor/interp/value"
)

// Match reports whether x and y are the same in shape, structure and elements,
// and in their prototypes where they are empty.
func Match(c *Context, x, y *V) bool {
	if !sameShape(x.Shape, y.Shape) {
		return false
	}
	if x.Ref != nil || y.Ref != nil {
		return x.Ref == y.Ref
	}
	if x.Len() == 0 {
		return Match(c, shallow(x.Prototype()), shallow(y.Prototype()))
	}
	for i, n := 0, x.Len(); i < n && (x.Kind == value.Mixed || y.Kind == value.Mixed); i++ {
		if !Match(c, x.Item(i), y.Item(i)) {
			return false
		}
		if i == n-1 {
			return true
		}
	}
	if (x.Kind == value.Char) != (y.Kind == value.Char) {
		return false
	}
	r, err := comparisons["="].apply(c, x, y, x.Shape, 1, 1)
	if err != nil {
		return false
	}
	for _, b := range r.Bools {
		if b == 0 {
			return false
		}
	}
	return true
}

// shallow returns a prototype as an array whose match says whether prototypes
// are the same.
func shallow(p *V) *V { return p }

func match(c *Context, x, y *V) (*V, error)    { return value.Truth(Match(c, x, y)), nil }
func notMatch(c *Context, x, y *V) (*V, error) { return value.Truth(!Match(c, x, y)), nil }

// exact bounds the numbers that a key stands for: others may equal, with
// tolerance, a number of another key.
const exact = 1e13

// key appends to dst a text that two arrays share exactly if they match; false if
// there is none, because comparison is tolerant.
func key(dst []byte, y *V) ([]byte, bool) {
	dst = append(dst, byte(len(y.Shape)))
	for _, s := range y.Shape {
		dst = binary.AppendUvarint(dst, uint64(s))
	}
	if y.Len() == 0 {
		if y.Kind == value.Mixed {
			return key(append(dst, 'p'), y.Prototype())
		}
		if y.Kind == value.Char {
			return append(dst, 'c'), true
		}
		return append(dst, 'n'), true
	}
	return keyElements(dst, y)
}

func keyElements(dst []byte, y *V) ([]byte, bool) {
	switch y.Kind {
	case value.Char:
		for _, r := range y.Chars {
			dst = binary.LittleEndian.AppendUint32(append(dst, 'c'), uint32(r))
		}
	case value.Bool, value.Int:
		for i, n := 0, y.Len(); i < n; i++ {
			k := y.Int(i)
			if k > exact || k < -exact {
				return dst, false
			}
			dst = binary.LittleEndian.AppendUint64(append(dst, 'n'), uint64(k))
		}
	case value.Double:
		for _, x := range y.Doubles {
			if x != math.Trunc(x) || math.Abs(x) > exact {
				return dst, false
			}
			dst = binary.LittleEndian.AppendUint64(append(dst, 'n'), uint64(int64(x)))
		}
	case value.Mixed:
		if y.Ref != nil {
			return dst, false
		}
		for _, x := range y.Items {
			var ok bool
			if dst, ok = key(dst, x); !ok {
				return dst, false
			}
		}
	default:
		return dst, false
	}
	return dst, true
}

// finder finds the first major cell of an array that matches another one.
type finder struct {
	c       *Context
	cells   []*V
	byKey   map[string]int
	skipped []int // cells without a key
}

func newFinder(c *Context, cells []*V) *finder {
	f := &finder{c: c, byKey: make(map[string]int, len(cells))}
	for _, x := range cells {
		f.add(x)
	}
	return f
}

// add adds a cell and reports whether it is new.
func (f *finder) add(x *V) bool {
	k, ok := key(nil, x)
	if f.find(x, k, ok) >= 0 {
		f.cells = append(f.cells, x)
		return false
	}
	if ok {
		f.byKey[string(k)] = len(f.cells)
	} else {
		f.skipped = append(f.skipped, len(f.cells))
	}
	f.cells = append(f.cells, x)
	return true
}

// index returns the place of the first cell that matches x, or -1.
func (f *finder) index(x *V) int {
	k, ok := key(nil, x)
	return f.find(x, k, ok)
}

func (f *finder) find(x *V, k []byte, ok bool) int {
	best := -1
	if ok {
		if i, there := f.byKey[string(k)]; there {
			best = i
		}
		for _, i := range f.skipped {
			if (best < 0 || i < best) && Match(f.c, f.cells[i], x) {
				best = i
			}
		}
		return best
	}
	for i, cell := range f.cells {
		if Match(f.c, cell, x) {
			return i
		}
	}
	return -1
}

// Places returns, for each major cell of y of the rank of x's major cells, the
// place of the first match among those of x; len if there is none.
func places(c *Context, x, y *V, cells int) ([]int, error) {
	if x.Cell() == 1 && x.Kind != value.Mixed && y.Kind != value.Mixed {
		if out := simplePlaces(c, x, y); out != nil {
			return out, nil
		}
	}
	f := newFinder(c, majors(x))
	out := make([]int, cells)
	shape := []int{}
	if x.Rank() > 0 {
		shape = x.Shape[1:]
	}
	n := value.Count(shape)
	for i := range out {
		if out[i] = f.index(y.Part(i*n, (i+1)*n, shape)); out[i] < 0 {
			out[i] = x.Tally()
		}
	}
	return out, nil
}

func majors(x *V) []*V {
	out := make([]*V, x.Tally())
	for i := range out {
		out[i] = x.Major(i)
	}
	return out
}

// simplePlaces is places of cells of one element that are characters or integers;
// nil if they are not.
func simplePlaces(c *Context, x, y *V) []int {
	switch {
	case x.Kind == value.Char && y.Kind == value.Char:
		return hashed(x.Chars, y.Chars)
	case x.Kind <= value.Int && y.Kind <= value.Int:
		if y.Len() == 1 {
			return hashed(x.AsInts(), y.AsInts())
		}
		return intPlaces(x.AsInts(), y.AsInts())
	case x.Kind <= value.Double && y.Kind <= value.Double:
		if c.Tolerance == 0 {
			return hashed(x.AsDoubles(), y.AsDoubles())
		}
		return tolerant(c.Tolerance, x.AsDoubles(), y.AsDoubles())
	case (x.Kind == value.Char) != (y.Kind == value.Char):
		out := make([]int, y.Len())
		for i := range out {
			out[i] = x.Len()
		}
		return out
	}
	return nil
}

func hashed[T comparable](x, y []T) []int {
	out := make([]int, len(y))
	if len(y) == 1 {
		for i, k := range x {
			if k == y[0] {
				out[0] = i
				return out
			}
		}
		out[0] = len(x)
		return out
	}
	first := make(map[T]int, len(x))
	for i, k := range x {
		if _, ok := first[k]; !ok {
			first[k] = i
		}
	}
	for i, k := range y {
		at, ok := first[k]
		if !ok {
			at = len(x)
		}
		out[i] = at
	}
	return out
}
