package tail

import "github.com/tailor-lang/tailor/array"

func typeEncode(t *typing) Type {
	b, x := t.array(0), t.array(1)
	t.sameElem(b, x)
	return Shaped(x.Elem, append(Extents(b), Extents(x)...)...)
}

func typeDecode(t *typing) Type {
	b, x := t.array(0), t.array(1)
	t.sameElem(b, x)
	left, right := Extents(b), Extents(x)
	last, first := ConstSize(1), ConstSize(1)
	if len(left) > 0 {
		last, left = left[len(left)-1], left[:len(left)-1]
	}
	if len(right) > 0 {
		first, right = right[0], right[1:]
	}
	if one := ConstSize(1); last.Differ(first) && last.Differ(one) && first.Differ(one) {
		t.fault(FaultDecode, Extents(b), Extents(x))
	}
	return Shaped(x.Elem, append(append([]Size{}, left...), right...)...)
}

// floating returns the type of argument i, an array of doubles or of complex
// numbers.
func (t *typing) floating(i int) *Array {
	if x := t.array(i); x.Elem == array.Complex {
		return x
	}
	return t.of(i, array.Double)
}

func typeMatInv(t *typing) Type {
	x := t.floating(0)
	t.ranked(0, x, 2)
	if t.bad != nil {
		return x
	}
	return Shaped(x.Elem, x.Extent(1), x.Extent(0))
}

func typeMatDiv(t *typing) Type {
	b, a := t.floating(0), t.floating(1)
	t.sameElem(b, a)
	t.ranked(1, a, 2)
	if b.Dims() != 1 && b.Dims() != 2 {
		t.wrong(0, "matdiv: the left argument has rank %d", b.Dims())
	}
	if t.bad != nil {
		return b
	}
	if b.Extent(0).Differ(a.Extent(0)) {
		t.fault(FaultShapes, Extents(b), Extents(a), ConstSize(1))
	}
	return Shaped(a.Elem, replaced(Extents(b), 0, a.Extent(1))...)
}

// The rest.

func typeDeal(t *typing) Type {
	n := t.scalar(0, array.Int).Value(0)
	t.scalar(1, array.Int)
	if c, ok := n.IsConst(); ok && c < 0 {
		t.fault(FaultOutOfDomain, n)
	}
	return Shaped(array.Int, n)
}
