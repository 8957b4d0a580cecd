package prim

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/value"
)

// state says how an operation on two numbers went.
type state uint8

const (
	good       state = iota
	overflowed       // of ints: doubles go on
	notReal          // of doubles: complex numbers go on
	outside          // DOMAIN ERROR
	tooLarge         // floating-point overflow
	byZero           // division by zero
)

// scalar is a row of the table of dyadic scalar functions. Functions that give
// truth values have compares, the others arithmetic on each kind of numbers.
type scalar struct {
	whole    func(x, y []int64, sx, sy int, out []int64) bool // false: doubles go on
	two      func(x, y int64) (int64, bool)                   // the same of two numbers, or nil
	real     func(c *Context, x, y float64) (float64, state)
	complex  func(c *Context, x, y complex128) (complex128, state)
	compare  *comparison
	identity func() *V // of reductions of nothing, or nil
}

// Scalar applies the dyadic scalar function of a glyph to arrays of any depth.
func Scalar(c *Context, glyph string, x, y *V) (*V, error) {
	return apply(c, glyph, scalars[glyph], x, y)
}

// IsScalar reports whether the glyph is a function that is applied to each
// element, with two arguments.
func IsScalar(glyph string) bool { return scalars[glyph] != nil }

// fit returns the shape of a result and the steps through the arguments.
func fit(x, y *V) (shape []int, sx, sy int, err error) {
	nx, ny := x.Len(), y.Len()
	switch {
	case sameShape(x.Shape, y.Shape):
		return x.Shape, 1, 1, nil
	case nx == 1 && (ny != 1 || y.Rank() >= x.Rank()):
		return y.Shape, 0, 1, nil
	case ny == 1:
		return x.Shape, 1, 0, nil
	case x.Rank() != y.Rank():
		return nil, 0, 0, fault(diag.RanksDiffer, "shapes %s and %s have different ranks", array.ShapeText(x.Shape), array.ShapeText(y.Shape))
	}
	axis := 0
	for x.Shape[axis] == y.Shape[axis] {
		axis++
	}
	return nil, 0, 0, fault(diag.ShapesDiffer, "shapes %s and %s differ on axis %d", array.ShapeText(x.Shape), array.ShapeText(y.Shape), axis+1)
}

func apply(c *Context, glyph string, s *scalar, x, y *V) (*V, error) {
	if x.Kind == value.Int && y.Kind == value.Int && len(x.Shape)+len(y.Shape) == 0 {
		if r := s.twoInts(x.Ints[0], y.Ints[0]); r != nil {
			return r, nil
		}
	}
	shape, sx, sy, err := fit(x, y)
	if err != nil {
		return nil, err
	}
	if t, ok := bitwise[glyph]; ok && x.Kind == value.Bool && y.Kind == value.Bool {
		out := make([]byte, value.Count(shape))
		t.apply(x.Bools, y.Bools, sx, sy, out)
		return &V{Kind: value.Bool, Shape: shape, Bools: out}, nil
	}
	if x.Kind == value.Mixed || y.Kind == value.Mixed {
		return applyNested(c, glyph, s, x, y, shape, sx, sy)
	}
	if x.Kind == value.Complex || y.Kind == value.Complex {
		if s.complex == nil && (s.compare == nil || s.compare.ordered) {
			x, y = nearReals(x), nearReals(y)
		}
	}
	if s.compare != nil {
		return s.compare.apply(c, x, y, shape, sx, sy)
	}
	n := value.Count(shape)
	if x.Kind == value.Char || y.Kind == value.Char {
		if n == 0 {
			return value.Empty(shape, value.Int64(0)), nil
		}
		return nil, fault(diag.Characters, "characters where numbers are needed")
	}
	if x.Kind == value.Double && (glyph == "⍲" || glyph == "⍱") {
		x = x.Whole()
	}
	if y.Kind == value.Double && (glyph == "⍲" || glyph == "⍱") {
		y = y.Whole()
	}
	k := max(x.Kind, y.Kind)
	if k <= value.Int && s.whole != nil {
		if s.whole == nil {
			k = value.Double
		} else if out := make([]int64, n); s.whole(x.AsInts(), y.AsInts(), sx, sy, out) {
			return &V{Kind: value.Int, Shape: shape, Ints: out}, nil
		}
	}
	if k <= value.Double {
		out, st := applyReal(c, glyph, s, x, y, sx, sy, n)
		if st != notReal {
			return &V{Kind: value.Double, Shape: shape, Doubles: out}, stateError(st)
		}
	}
	if s.complex == nil && n > 0 {
		return nil, fault(diag.OutsideDomain, "a value is outside the function's domain")
	}
	xs, ys := x.AsComplexes(), y.AsComplexes()
	out := make([]complex128, n)
	for i := range out {
		z, st := s.complex(c, xs[i*sx], ys[i*sy])
		if st == good && (bad(real(z)) || bad(imag(z))) {
			st = tooLarge
		}
		if st != good {
			return nil, stateError(st)
		}
		out[i] = z
	}
	return (&V{Kind: value.Complex, Shape: shape, Complexes: out}).Reals(), nil
}

// twoInts applies the function to two numbers; nil if doubles have to go on.
func (s *scalar) twoInts(x, y int64) *V {
	if s.compare != nil {
		switch {
		case x < y:
			return value.Truth(s.compare.less == 1)
		case x > y:
			return value.Truth(s.compare.greater == 1)
		}
		return value.Truth(s.compare.equal == 1)
	}
	if s.two != nil {
		if r, ok := s.two(x, y); ok {
			return value.Int64(r)
		}
	}
	return nil
}

func applyReal(c *Context, glyph string, s *scalar, a, b *V, sx, sy, n int) ([]float64, state) {
	if quick, ok := quickReals[glyph]; ok {
		out := make([]float64, n)
		return out, byChunks(quick, doublesOf{a, sx}, doublesOf{b, sy}, out)
	}
	x, y := a.AsDoubles(), b.AsDoubles()
	out := make([]float64, n)
	if glyph == "*" && n > 0 && sy == 0 && quickPower(x, y[0], out) {
		return out, good
	}
	for i := range out {
		r, st := s.real(c, x[i*sx], y[i*sy])
		if st != good {
			return nil, st
		}
		if bad(r) {
			return nil, tooLarge
		}
		out[i] = r
	}
	return out, good
}

// chunk is the number of elements that are worked on at a time, in the nearest cache.
const chunk = 1024

// doublesOf is an argument as doubles, one for each element or, where step is 0, one
// for all.
type doublesOf struct {
	v    *V
	step int
}

// room returns space for the doubles of a chunk of n elements; nil if they are at hand.
func (d doublesOf) room(n int) []float64 {
	if d.v.Kind == value.Double && (d.step != 0 || n == 1) {
		return nil
	}
	return make([]float64, min(chunk, n))
}

// from returns the doubles of the elements from at on, as many as room has elements
// at most: they are made there, or, where room is nil, at hand.
func (d doublesOf) from(at int, room []float64) []float64 {
	switch {
	case room == nil:
		return d.v.Doubles[at:]
	case d.step == 0:
		if at == 0 {
			one := d.v.AsDoubles()[0]
			for i := range room {
				room[i] = one
			}
		}
	case d.v.Kind == value.Int:
		for i, k := range d.v.Ints[at:min(len(d.v.Ints), at+len(room))] {
			room[i] = float64(k)
		}
	default:
		for i, k := range d.v.Bools[at:min(len(d.v.Bools), at+len(room))] {
			room[i] = float64(k)
		}
	}
	return room
}

// byChunks applies a function to a chunk of elements after the other.
func byChunks(f func(x, y, out []float64), x, y doublesOf, out []float64) state {
	left, right := x.room(len(out)), y.room(len(out))
	for at := 0; at < len(out); at += chunk {
		part := out[at:min(len(out), at+chunk)]
		f(x.from(at, left), y.from(at, right), part)
		finite := 0.0
		for _, r := range part {
			finite += r - r
		}
		if finite != 0 {
			return tooLarge
		}
	}
	return good
}

func stateError(st state) error {
	switch st {
	case good:
		return nil
	case byZero:
		return fault(diag.ZeroDivision, "division by zero")
	case tooLarge:
		return fault(diag.FloatOverflow, "floating-point overflow")
	case outside, notReal:
		return fault(diag.OutsideDomain, "a value is outside the function's domain")
	}
	return nil
}

// applyNested applies a scalar function to the items of arrays of which one is
// mixed or nested.
func applyNested(c *Context, glyph string, s *scalar, x, y *V, shape []int, sx, sy int) (*V, error) {
	n := value.Count(shape)
	if n == 0 {
		f, err := apply(c, glyph, s, x.Prototype(), y.Prototype())
		if err != nil {
			return nil, err
		}
		return value.Empty(shape, f), nil
	}
	if x.Ref != nil || y.Ref != nil {
		if s.compare != nil && (glyph == "=" || glyph == "≠") {
			return value.Truth((x.Ref == y.Ref) == (glyph == "=")).WithShape(shape), nil
		}
		return nil, fault(diag.WrongDomain, "a reference where numbers are needed")
	}
	out := make([]*V, n)
	for i := range out {
		r, err := apply(c, glyph, s, x.Item(i*sx), y.Item(i*sy))
		if err != nil {
			return nil, err
		}
		out[i] = r
	}
	return value.FromItems(shape, out), nil
}
