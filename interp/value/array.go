package value

import (
	"github.com/tailor-lang/tailor/array"
)

// Kind says which slice of an array holds its elements.
type Kind uint8

// The kinds. The numeric ones are in the order of their extents. The zero value is
// "unset" and never occurs in an array.
const (
	NoKind Kind = iota
	Bool
	Int
	Double
	Complex
	Char
	Mixed // characters and numbers together, or arrays inside
)

// Numeric reports whether k is a kind of numbers.
func (k Kind) Numeric() bool { return k <= Complex && k != NoKind }

// Array is an array in row-major order.
type Array struct {
	Kind Kind
	// Sole says that one name has the array as its value, and that no other array
	// shares its elements, so that an assignment to a part may change it in place.
	Sole      bool
	Shape     []int
	Bools     []byte
	Ints      []int64
	Doubles   []float64
	Complexes []complex128
	Chars     []rune
	Items     []*Array
	// Fill is the prototype of an item, for an empty array of kind Mixed.
	Fill *Array
	// Ref is a value that is no array: a namespace, or a function. It is a scalar of
	// kind Mixed whose only item is itself.
	Ref any
	// room is where a catenation may store elements beside those of the array, or nil.
	room *room
}

// Count returns the number of elements of an array of the given shape.
func Count(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

// Len returns the number of elements of a.
func (a *Array) Len() int {
	switch a.Kind {
	case Bool:
		return len(a.Bools)
	case Int:
		return len(a.Ints)
	case Double:
		return len(a.Doubles)
	case Complex:
		return len(a.Complexes)
	case Char:
		return len(a.Chars)
	}
	return len(a.Items)
}

// Rank returns the number of axes of a.
func (a *Array) Rank() int { return len(a.Shape) }

// Tally returns the number of major cells of a; 1 for a scalar.
func (a *Array) Tally() int {
	if len(a.Shape) == 0 {
		return 1
	}
	return a.Shape[0]
}

// Cell returns the number of elements of a major cell.
func (a *Array) Cell() int {
	if len(a.Shape) == 0 {
		return 1
	}
	return Count(a.Shape[1:])
}

// Simple reports whether a is a scalar that is not nested: one number, character
// or reference.
func (a *Array) SimpleScalar() bool {
	return len(a.Shape) == 0 && (a.Kind != Mixed || a.Ref != nil)
}

// Constructors. Those of vectors keep the slice that they are given.

func Number(x float64) *Array { return &Array{Kind: Double, Doubles: []float64{x}} }
func Integer(i int) *Array    { return &Array{Kind: Int, Ints: []int64{int64(i)}} }
func ComplexNumber(z complex128) *Array {
	return &Array{Kind: Complex, Complexes: []complex128{z}}
}
func Character(c rune) *Array    { return &Array{Kind: Char, Chars: []rune{c}} }
func Text(s string) *Array       { return Characters([]rune(s)) }
func Characters(v []rune) *Array { return &Array{Kind: Char, Shape: []int{len(v)}, Chars: v} }
func Integers(v []int64) *Array  { return &Array{Kind: Int, Shape: []int{len(v)}, Ints: v} }
func Numbers(v []float64) *Array { return &Array{Kind: Double, Shape: []int{len(v)}, Doubles: v} }
func Booleans(v []byte) *Array   { return &Array{Kind: Bool, Shape: []int{len(v)}, Bools: v} }

// intScalar holds a scalar and its number in one piece of memory.
type intScalar struct {
	Array
	number [1]int64
}

// small holds the scalars of small numbers, which are made once.
var small [256]intScalar

func init() {
	for i := range small {
		s := &small[i]
		s.number[0] = int64(i)
		s.Kind, s.Ints = Int, s.number[:]
	}
}

// Int64 returns a scalar.
func Int64(i int64) *Array {
	if uint64(i) < uint64(len(small)) {
		return &small[i].Array
	}
	s := &intScalar{number: [1]int64{i}}
	s.Kind, s.Ints = Int, s.number[:]
	return &s.Array
}

var truths = [2]*Array{{Kind: Bool, Bools: []byte{0}}, {Kind: Bool, Bools: []byte{1}}}

// Truth returns the scalar 0 or 1.
func Truth(b bool) *Array {
	if b {
		return truths[1]
	}
	return truths[0]
}

// Zilde returns the empty numeric vector.
func Zilde() *Array { return &Array{Kind: Int, Shape: []int{0}} }

// Sizes returns a vector of ints.
func Sizes(v []int) *Array {
	out := make([]int64, len(v))
	for i, x := range v {
		out[i] = int64(x)
	}
	return Integers(out)
}

// Reference returns the scalar that holds a value that is no array.
func Reference(x any) *Array {
	a := &Array{Kind: Mixed, Ref: x}
	a.Items = []*Array{a}
	return a
}

// Deep is what a reference has that is a scalar of depth 1: its enclosure is another
// array, and in arrays its display is short.
type Deep interface{ Short() string }

// Enclose returns the scalar whose item is a; a itself if it is a simple scalar.
func Enclose(a *Array) *Array {
	if _, deep := a.Ref.(Deep); a.SimpleScalar() && !deep {
		return a
	}
	return &Array{Kind: Mixed, Items: []*Array{a}}
}

// Item returns element i of the ravel: a scalar, or the array that is there.
func (a *Array) Item(i int) *Array {
	switch a.Kind {
	case Bool:
		return &Array{Kind: Bool, Bools: a.Bools[i : i+1 : i+1]}
	case Int:
		return &Array{Kind: Int, Ints: a.Ints[i : i+1 : i+1]}
	case Double:
		return &Array{Kind: Double, Doubles: a.Doubles[i : i+1 : i+1]}
	case Complex:
		z := a.Complexes[i]
		if imag(z) == 0 {
			return Number(real(z))
		}
		return &Array{Kind: Complex, Complexes: a.Complexes[i : i+1 : i+1]}
	case Char:
		return &Array{Kind: Char, Chars: a.Chars[i : i+1 : i+1]}
	}
	return a.Items[i]
}

// AllItems returns the items of the ravel.
func (a *Array) AllItems() []*Array {
	if a.Kind == Mixed {
		return a.Items
	}
	items := make([]*Array, a.Len())
	for i := range items {
		items[i] = a.Item(i)
	}
	return items
}

// WithShape returns the elements of a in another shape of the same count.
func (a *Array) WithShape(shape []int) *Array {
	if a.Ref != nil {
		return &Array{Kind: Mixed, Shape: shape, Items: []*Array{a}}
	}
	b := *a
	b.Shape, b.Sole, b.room = shape, false, nil
	return &b
}

// Ravel returns a as a vector.
func (a *Array) Ravel() *Array { return a.WithShape([]int{a.Len()}) }

// Slice returns elements lo…hi-1 of the ravel in the given shape. It shares the
// elements and may be of kind Mixed though it is simple; see Narrowed.
func (a *Array) slice(lo, hi int, shape []int) *Array {
	b := &Array{Kind: a.Kind, Shape: shape}
	switch a.Kind {
	case Bool:
		b.Bools = a.Bools[lo:hi:hi]
	case Int:
		b.Ints = a.Ints[lo:hi:hi]
	case Double:
		b.Doubles = a.Doubles[lo:hi:hi]
	case Complex:
		b.Complexes = a.Complexes[lo:hi:hi]
	case Char:
		b.Chars = a.Chars[lo:hi:hi]
	default:
		b.Items = a.Items[lo:hi:hi]
		if lo == hi {
			b.Fill = a.Prototype()
		}
	}
	return b
}

// Part returns elements lo…hi-1 of the ravel in the given shape.
func (a *Array) Part(lo, hi int, shape []int) *Array { return a.slice(lo, hi, shape).Narrowed() }

// Major returns major cell i.
func (a *Array) Major(i int) *Array {
	if len(a.Shape) == 0 {
		return a
	}
	n := a.Cell()
	return a.Part(i*n, (i+1)*n, a.Shape[1:])
}

// Simple returns a as an array of the compiler; false if a is nested or mixed.
func (a *Array) Simple() (*array.Array, bool) {
	shape := a.Shape
	if shape == nil {
		shape = []int{}
	}
	switch a.Kind {
	case Bool:
		return &array.Array{Elem: array.Bool, Shape: shape, Bools: a.Bools}, true
	case Int:
		return &array.Array{Elem: array.Int, Shape: shape, Ints: a.Ints}, true
	case Double:
		return &array.Array{Elem: array.Double, Shape: shape, Doubles: a.Doubles}, true
	case Complex:
		return &array.Array{Elem: array.Complex, Shape: shape, Complexes: a.Complexes}, true
	case Char:
		return &array.Array{Elem: array.Char, Shape: shape, Chars: a.Chars}, true
	}
	return nil, false
}

var kindOf = map[array.Elem]Kind{array.Bool: Bool, array.Int: Int, array.Double: Double, array.Char: Char, array.Complex: Complex}

// From returns an array of the compiler as a value.
func From(a *array.Array) *Array {
	return &Array{Kind: kindOf[a.Elem], Shape: a.Shape, Bools: a.Bools, Ints: a.Ints, Doubles: a.Doubles, Chars: a.Chars, Complexes: a.Complexes}
}
