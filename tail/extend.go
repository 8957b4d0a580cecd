package tail

import "github.com/tailor-lang/tailor/array"

// Scalar extension of arrays of the same rank: an array of one element goes
// with every element of the other, and the result has the other's shape.
//
//	(⍸1 0)+10 20 30
//	11 21 31
//
// What is known when compiling decides the result's extents here; the evaluator
// and laila do the rest where lengths are not known.

// extendAll returns the shape that zipWith gives arrays of shapes a and b of
// one rank. Extents that differ for all values of their variables, as n and
// n+1 do, are a certain fault, although for some value one of the arrays has a
// single element.
func (t *typing) extendAll(a, b []Size) []Size {
	oneA, oneB := OneElement(a), OneElement(b)
	switch {
	case oneA.Equal(ConstSize(1)):
		return b
	case oneB.Equal(ConstSize(1)):
		return a
	}
	all := t.meetAll(a, b, FaultShapes)
	severalA, severalB := oneA.Equal(ConstSize(0)), oneB.Equal(ConstSize(0))
	switch {
	case severalA && severalB:
		return all
	case severalA:
		return a
	case severalB:
		return b
	}
	for i := range all {
		if !a[i].Equal(b[i]) {
			all[i] = AnySize
		}
	}
	return all
}

// OneElement returns 1 where an array of the given extents has one element, 0
// where it has none or several, Any where that is not known.
func OneElement(extents []Size) Size {
	one := ConstSize(1)
	for _, s := range extents {
		switch is := CompareSizes(OpEqI, s, ConstSize(1)); {
		case is.Equal(ConstSize(0)):
			return is
		case is.Any:
			one = AnySize
		}
	}
	return one
}

// MayExtend reports whether an array of type t has one element, as far as its
// type tells.
func (t *Array) MayExtend() bool { return !OneElement(Extents(t)).Equal(ConstSize(0)) }

// typeOnly types only: an array that certainly has no or several elements is a
// fault.
func typeOnly(t *typing) Type {
	x, beside := t.array(0), t.vector(1, array.Int)
	if OneElement(Extents(x)).Equal(ConstSize(0)) {
		if beside.Extent(0).Equal(ConstSize(0)) {
			t.fault(FaultNotScalar, Extents(x))
		} else {
			t.fault(FaultRanks, Extents(x), beside.Values)
		}
	}
	return withValues(Scalar(x.Elem), x.Values)
}

// typeStretch types stretch, by a count that is a natural number.
func typeStretch(t *typing) Type {
	n, x := t.scalar(0, array.Int).Value(0), t.withAxis(1)
	extent := x.Extent(t.axis)
	switch one := CompareSizes(OpEqI, extent, ConstSize(1)); {
	case one.Equal(ConstSize(1)):
		extent = n
	case one.Any && !extent.Equal(n):
		extent = AnySize
	}
	return Shaped(x.Elem, replaced(Extents(x), t.axis, extent)...)
}
