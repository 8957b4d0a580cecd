package interp

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// monadicInverse names the primitives that undo others with one argument.
var monadicInverse = map[string]string{
	"+": "+", "-": "-", "÷": "÷", "*": "⍟", "⍟": "*", "~": "~", "⌽": "⌽", "⊖": "⊖", "⍉": "⍉", "⌹": "⌹",
	"⊢": "⊢", "⊣": "⊣", "⊂": "⊃", "↑": "↓", "↓": "↑",
}

// inversePrimitive returns what undoes a primitive.
func inversePrimitive(glyph string, dyadic bool) (Function, error) {
	if dyadic {
		if f := dyadicInverse[glyph]; f != nil {
			return f, nil
		}
		return nil, withoutInverse()
	}
	if g := monadicInverse[glyph]; g != "" {
		return callOf(g), nil
	}
	switch glyph {
	case "○":
		return native(func(in *Interp, _, y *V) (*V, error) {
			pi, err := prim.Monadic(&in.state, "○", value.Int64(1))
			if err != nil {
				return nil, err
			}
			return prim.Scalar(&in.state, "÷", y, pi)
		}), nil
	case "⍸":
		return native(func(in *Interp, _, y *V) (*V, error) { return unwhere(in, y) }), nil
	case "⍎":
		return callOf("⍕"), nil
	case ",", "∊", "∪":
		return native(func(in *Interp, _, y *V) (*V, error) {
			if y.Rank() != 1 {
				return nil, prim.Errorf(diag.WrongDomain, "the function never gives an array of shape %s", array.ShapeText(y.Shape))
			}
			return y, nil
		}), nil
	}
	return nil, withoutInverse()
}

// unwhere counts how often each position is named: y is a vector of numbers, or of
// vectors with a number for each axis, in the order of the positions.
func unwhere(in *Interp, y *V) (*V, error) {
	if y.Rank() != 1 {
		return nil, prim.Errorf(diag.WrongDomain, "⍸ never gives an array of rank %d", y.Rank())
	}
	rank := 1
	if y.Kind == value.Mixed {
		rank = y.Prototype().Len()
	}
	places := make([][]int64, y.Len())
	shape := make([]int, rank)
	for i := range places {
		at, err := prim.Ints(y.Item(i))
		if err != nil {
			return nil, err
		}
		if len(at) != rank || i > 0 && slices.Compare(at, places[i-1]) < 0 || rank > 0 && slices.Min(at) < int64(in.state.Origin) {
			return nil, prim.Errorf(diag.WrongDomain, "positions that are not in order")
		}
		for axis, k := range at {
			shape[axis] = max(shape[axis], int(k)-in.state.Origin+1)
		}
		places[i] = at
	}
	if err := prim.Sized(shape); err != nil {
		return nil, err
	}
	out := make([]int64, value.Count(shape))
	for _, at := range places {
		place := 0
		for axis, k := range at {
			place = place*shape[axis] + int(k) - in.state.Origin
		}
		out[place]++
	}
	return value.Integers(out).WithShape(shape), nil
}

// dyadicInverse holds, for a primitive, the function that finds y from x and x f y.
var dyadicInverse = map[string]native{
	"+": swapped("-"),
	"-": direct("-"),
	"×": swapped("÷"),
	"÷": direct("÷"),
	"*": direct("⍟"),
	"⍟": direct("*"),
	"⊢": func(_ *Interp, _, y *V) (*V, error) { return y, nil },
	"⌽": turned("⌽"),
	"⊖": turned("⊖"),
	"○": func(in *Interp, x, y *V) (*V, error) {
		k, err := prim.Monadic(&in.state, "-", x)
		if err != nil {
			return nil, err
		}
		return prim.Scalar(&in.state, "○", k, y)
	},
	"⍉": func(in *Interp, x, y *V) (*V, error) {
		order, err := prim.Monadic(&in.state, "⍋", x)
		if err != nil {
			return nil, err
		}
		return prim.Dyadic(&in.state, "⍉", order, y)
	},
	"⊤":  direct("⊥"),
	"⊥":  undecode,
	"\\": unexpand("/"),
	"⍀":  unexpand("⌿"),
	"⌹":  func(in *Interp, x, y *V) (*V, error) { return prim.Dyadic(&in.state, "⌹", x, y) },
	"≠":  func(in *Interp, x, y *V) (*V, error) { return prim.Scalar(&in.state, "≠", x, y) },
	"=":  func(in *Interp, x, y *V) (*V, error) { return prim.Scalar(&in.state, "=", x, y) },
	"⊂": func(in *Interp, _, y *V) (*V, error) {
		parts, err := (&reduction{f: primitives[","]}).Call(in, nil, y)
		if err != nil {
			return nil, err
		}
		return prim.Monadic(&in.state, "⊃", parts)
	},
}

// unexpand undoes \ by / and ⍀ by ⌿.
func unexpand(glyph string) native {
	return func(in *Interp, x, y *V) (*V, error) {
		mask, err := prim.Scalar(&in.state, "≠", x, value.Int64(0))
		if err != nil {
			return nil, err
		}
		return prim.Dyadic(&in.state, glyph, mask, y)
	}
}

// direct undoes x f y by x g r, swapped by r g x, and turned by (-x) f r.
func direct(glyph string) native {
	return func(in *Interp, x, y *V) (*V, error) { return prim.Dyadic(&in.state, glyph, x, y) }
}

func swapped(glyph string) native {
	return func(in *Interp, x, y *V) (*V, error) { return prim.Dyadic(&in.state, glyph, y, x) }
}

func turned(glyph string) native {
	return func(in *Interp, x, y *V) (*V, error) {
		k, err := prim.Monadic(&in.state, "-", x)
		if err != nil {
			return nil, err
		}
		return prim.Dyadic(&in.state, glyph, k, y)
	}
}

// reals returns the radix and the least of the numbers.
func reals(x, y *V) ([2]float64, error) {
	if x.Len() != 1 || x.Kind > value.Double || y.Kind > value.Double {
		return [2]float64{}, prim.Errorf(diag.WrongDomain, "real numbers are needed")
	}
	least := 0.0
	for _, v := range y.AsDoubles() {
		least = min(least, v)
	}
	return [2]float64{x.Double(0), least}, nil
}

// undecode finds the digits: a scalar radix gives as many as the largest number
// needs.
func undecode(in *Interp, x, y *V) (*V, error) {
	if x.Rank() > 0 {
		return prim.Dyadic(&in.state, "⊤", x, y)
	}
	if least, err := reals(x, y); err != nil {
		return nil, err
	} else if least[0] <= 1 || least[1] < 0 {
		return nil, prim.Errorf(diag.WrongDomain, "no digits to the base %s", prim.Plain(x, 10))
	}
	if x.Kind <= value.Int && y.Kind <= value.Int {
		return prim.Dyadic(&in.state, "⊤", value.Filled([]int{digitCount(x.Int(0), y.AsInts())}, x), y)
	}
	n := 1
	for rest, zero := y, value.Int64(0); ; n++ {
		next, err := prim.Scalar(&in.state, "÷", rest, x)
		if err != nil {
			return nil, err
		}
		if rest, err = prim.Monadic(&in.state, "⌊", next); err != nil {
			return nil, err
		}
		left, err := prim.Scalar(&in.state, "≠", rest, zero)
		if err != nil {
			return nil, err
		}
		any := byte(0)
		for _, b := range left.Bools {
			any |= b
		}
		if any == 0 || n > 2000 {
			break
		}
	}
	return prim.Dyadic(&in.state, "⊤", value.Filled([]int{n}, x), y)
}

// digitCount returns how many digits the greatest of some integers needs.
func digitCount(base int64, all []int64) int {
	n := 1
	for most := slices.Max(append([]int64{0}, all...)); most >= base; most /= base {
		n++
	}
	return n
}
