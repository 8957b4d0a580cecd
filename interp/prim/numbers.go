package prim

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/interp/value"
)

// nearInt is the tolerance within which a double counts as an integer where one
// is needed.
const nearInt = 1e-14

// Ints returns the elements of an array of integers. Arrays that are empty have
// them whatever their type.
func Ints(a *V) ([]int64, error) {
	switch {
	case a.Kind == value.Bool || a.Kind == value.Int:
		return a.AsInts(), nil
	case a.Len() == 0:
		return nil, nil
	case a.Kind == value.Complex:
		if r := nearReals(a); r.Kind == value.Double {
			return Ints(r)
		}
		return nil, fault(diag.WrongDomain, "a real number is needed")
	case a.Kind == value.Char:
		return nil, fault(diag.Characters, "characters where numbers are needed")
	case a.Kind == value.Mixed:
		return nil, fault(diag.WrongDomain, "simple numbers are needed")
	}
	out := make([]int64, len(a.Doubles))
	for i, x := range a.Doubles {
		k, ok := num.NearInt(x, nearInt)
		if !ok {
			return nil, fault(diag.NotInteger, "%s is not an integer", number(x))
		}
		out[i] = k
	}
	return out, nil
}

// sizes is Ints of numbers that may be extents or places.
func sizes(a *V) ([]int, error) {
	v, err := Ints(a)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = int(x)
	}
	return out, nil
}

// Whole returns the only element of an array, which is an integer.
func Whole(a *V) (int, error) {
	if a.Len() != 1 {
		return 0, fault(diag.NotSingle, "shape %s where a single value is needed", array.ShapeText(a.Shape))
	}
	v, err := Ints(a)
	if err != nil {
		return 0, err
	}
	return int(v[0]), nil
}

// Truths returns the elements of an array of 0 and 1.
func Truths(a *V) ([]byte, error) {
	if a.Kind == value.Bool {
		return a.Bools, nil
	}
	v, err := Ints(a)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(v))
	for i, x := range v {
		if x != 0 && x != 1 {
			return nil, fault(diag.NotTruth, "%s is not 0 or 1", number(float64(x)))
		}
		out[i] = byte(x)
	}
	return out, nil
}

// nearReals returns complex numbers whose imaginary parts are negligible as
// doubles, and any other array as it is.
func nearReals(a *V) *V {
	if a.Kind != value.Complex {
		return a
	}
	out := make([]float64, len(a.Complexes))
	for i, z := range a.Complexes {
		x, ok := num.RealZ(z, nearInt)
		if !ok {
			return a
		}
		out[i] = x
	}
	return &V{Kind: value.Double, Shape: a.Shape, Doubles: out}
}

// reals returns the elements of an array of real numbers.
func reals(a *V) ([]float64, error) {
	a = nearReals(a)
	if a.Kind > value.Double || a.Kind == value.NoKind {
		if a.Len() == 0 {
			return nil, nil
		}
		return nil, fault(diag.WrongDomain, "real numbers are needed")
	}
	return a.AsDoubles(), nil
}

func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		s := array.ShapeText([]int{int(x)})
		return s
	}
	return Plain(value.Number(x), 10)
}

func bad(x float64) bool { return math.IsInf(x, 0) || math.IsNaN(x) }
