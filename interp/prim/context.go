package prim

import (
	"fmt"
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/memory"
	"github.com/tailor-lang/tailor/internal/prng"
	"github.com/tailor-lang/tailor/interp/value"
)

// V is an array.
type V = value.Array

// Context is the state that primitives depend on.
type Context struct {
	Origin    int     // ⎕IO
	Tolerance float64 // ⎕CT
	Precision int     // ⎕PP
	Width     int     // ⎕PW
	Division  bool    // ⎕DIV is 1
	Migration int     // ⎕ML
	Path      string  // ⎕PATH
	Random    *prng.Source
}

// fault returns an error with a code. Its place is not known here.
func fault(code diag.Code, format string, args ...any) error {
	return &diag.Error{Code: code, Message: fmt.Sprintf(format, args...), RunTime: true}
}

// Errorf returns a run-time error with a code and without a place.
func Errorf(code diag.Code, format string, args ...any) error { return fault(code, format, args...) }

// maxElements bounds the arrays that a primitive makes; up to freely elements
// nobody asks how much memory is left.
const (
	maxElements = 1 << 31
	freely      = 1 << 20
)

// sized refuses shapes of too many elements: of more than can be counted, and of
// more than there is memory for.
func sized(shape []int) error {
	if slices.Contains(shape, 0) {
		return nil
	}
	n := 1
	for _, s := range shape {
		if n > math.MaxInt/s {
			return fault(diag.TooLarge, "an array of shape %s is too large", array.ShapeText(shape))
		}
		n *= s
	}
	if n > maxElements || n > freely && !memory.Room(16*int64(n)) { // places and elements
		return fault(diag.NoMemory, "out of memory for an array of shape %s", array.ShapeText(shape))
	}
	return Left()
}

// Filled returns the array of the given shape all of whose items are fill, or the
// error of an array that is too large.
func Filled(shape []int, fill *V) (*V, error) {
	if err := sized(shape); err != nil {
		return nil, err
	}
	return value.Filled(shape, fill), nil
}

// Left returns an error where memory is used up.
func Left() error {
	if memory.Short() {
		return fault(diag.NoMemory, "out of memory")
	}
	return nil
}

// Sized refuses shapes of arrays that do not fit in memory.
func Sized(shape []int) error { return sized(shape) }

func sameShape(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func join(parts ...[]int) []int {
	out := []int{}
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}
