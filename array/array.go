// Package array holds simple (non-nested) APL arrays: the values that the
// evaluator computes with, that literals in TAIL carry, and that input and
// output move in and out of a program.
package array

import (
	"fmt"
	"strings"
)

// Elem is the type of an array's elements.
type Elem uint8

// The element types. The zero value is "unset" and never occurs in an array.
const (
	NoElem  Elem = iota
	Bool         // one byte, 0 or 1
	Int          // 64 bits, two's complement
	Double       // IEEE 754 binary64
	Char         // a Unicode code point
	Complex      // two binary64
)

func (e Elem) String() string {
	switch e {
	case Bool:
		return "bool"
	case Int:
		return "int"
	case Double:
		return "double"
	case Char:
		return "char"
	case Complex:
		return "complex"
	}
	panic("array: element type is unset")
}

// Numeric reports whether e takes part in arithmetic.
func (e Elem) Numeric() bool { return e == Bool || e == Int || e == Double || e == Complex }

// Within reports whether every element of type e is one of type to: a boolean is an
// integer, and so on.
func (e Elem) Within(to Elem) bool {
	return e == to || e.Numeric() && to.Numeric() && e < to
}

// Array is an array in row-major order. Exactly one of the slices, the one
// that Elem names, holds the ravel; its length is the product of Shape.
// Arrays are values: nobody writes to one that somebody else can see.
type Array struct {
	Elem      Elem
	Shape     []int // one extent an axis; empty for a scalar
	Bools     []byte
	Ints      []int64
	Doubles   []float64
	Chars     []rune
	Complexes []complex128
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
func (a *Array) Len() int { return Count(a.Shape) }

// Rank returns the number of axes of a.
func (a *Array) Rank() int { return len(a.Shape) }

// New returns an array of the given shape filled with the element type's fill
// element (zero, or a blank).
func New(e Elem, shape ...int) *Array {
	a := &Array{Elem: e, Shape: append([]int{}, shape...)}
	n := Count(shape)
	switch e {
	case Bool:
		a.Bools = make([]byte, n)
	case Int:
		a.Ints = make([]int64, n)
	case Double:
		a.Doubles = make([]float64, n)
	case Char:
		a.Chars = make([]rune, n)
		for i := range a.Chars {
			a.Chars[i] = ' '
		}
	case Complex:
		a.Complexes = make([]complex128, n)
	default:
		panic("array: element type is unset")
	}
	return a
}

// Scalars.

func ScalarBool(b bool) *Array {
	a := New(Bool)
	if b {
		a.Bools[0] = 1
	}
	return a
}
func ScalarInt(i int64) *Array { return &Array{Elem: Int, Shape: []int{}, Ints: []int64{i}} }
func ScalarDouble(d float64) *Array {
	return &Array{Elem: Double, Shape: []int{}, Doubles: []float64{d}}
}
func ScalarChar(c rune) *Array { return &Array{Elem: Char, Shape: []int{}, Chars: []rune{c}} }

// Vectors; they keep the slice they are given.

func VectorInt(v []int64) *Array { return &Array{Elem: Int, Shape: []int{len(v)}, Ints: v} }
func VectorDouble(v []float64) *Array {
	return &Array{Elem: Double, Shape: []int{len(v)}, Doubles: v}
}
func VectorChar(v []rune) *Array { return &Array{Elem: Char, Shape: []int{len(v)}, Chars: v} }
func VectorBool(v []byte) *Array { return &Array{Elem: Bool, Shape: []int{len(v)}, Bools: v} }

// Int returns element i of the ravel of a bool or int array.
func (a *Array) Int(i int) int64 {
	switch a.Elem {
	case Bool:
		return int64(a.Bools[i])
	case Int:
		return a.Ints[i]
	}
	panic(fmt.Sprintf("array: Int of %v", a.Elem))
}

// Double returns element i of the ravel of a bool, int or double array.
func (a *Array) Double(i int) float64 {
	if a.Elem == Double {
		return a.Doubles[i]
	}
	return float64(a.Int(i))
}

// ShapeText writes a shape as messages do: "2 3"; "scalar" without axes.
func ShapeText(shape []int) string {
	if len(shape) == 0 {
		return "scalar"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), "-", "¯"), "[]")
}
