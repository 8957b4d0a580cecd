package tail

import "github.com/tailor-lang/tailor/array"

func typeMember(t *typing) Type {
	x, y := t.array(0), t.array(1)
	t.sameElem(x, y)
	return Shaped(array.Bool, Extents(x)...)
}

func typeIndexOf(t *typing) Type {
	x, y := t.array(0), t.array(1)
	t.ranked(0, x, 1)
	t.sameElem(x, y)
	return Shaped(array.Int, Extents(y)...)
}

func typeWhere(t *typing) Type {
	v := t.vector(0, array.Bool)
	bools, ok := Constants(v)
	if !ok {
		return Ranked(array.Int, 1)
	}
	var values []Size
	for i, b := range bools {
		if b != 0 {
			values = append(values, ConstSize(int64(i+1)))
		}
	}
	return VectorOf(values...)
}

func typeUnique(t *typing) Type {
	x := t.array(0)
	t.ranked(0, x, 1)
	return Ranked(x.Elem, 1)
}

func typeWithout(t *typing) Type {
	x, y := t.array(0), t.array(1)
	t.ranked(0, x, 1)
	t.sameElem(x, y)
	return Ranked(x.Elem, 1)
}

func typeGrade(t *typing) Type {
	x := t.array(0)
	if x.Dims() == 0 {
		t.wrong(0, "%v: the argument has no axis", t.op)
		return x
	}
	return Shaped(array.Int, x.Extent(0))
}

func typeFirstItem(t *typing) Type {
	t.ranked(0, t.array(0), 1)
	t.vector(1, array.Int)
	return Shaped(array.Int, t.vector(2, array.Int).Extent(0))
}

func typeItemTable(t *typing) Type {
	t.hashed(0)
	return Ranked(array.Int, 1)
}

func typeItemPlace(t *typing) Type {
	t.vector(0, array.Int)
	t.scalar(2, t.hashed(1))
	return Scalar(array.Int)
}

func typeRaggedTable(t *typing) Type {
	t.hashed(0)
	t.vector(1, array.Int)
	t.vector(2, array.Int)
	return Ranked(array.Int, 1)
}

func typeRaggedPlace(t *typing) Type {
	t.vector(0, array.Int)
	t.vector(2, array.Int)
	t.vector(3, array.Int)
	t.vector(4, t.hashed(1))
	return Scalar(array.Int)
}

// hashed demands a vector of integers or characters, and returns which of them.
func (t *typing) hashed(i int) array.Elem {
	x := t.array(i)
	t.ranked(i, x, 1)
	if x.Elem != array.Int && x.Elem != array.Char {
		t.wrong(i, "%v: elements of type %v have no table", t.op, x.Elem)
	}
	return x.Elem
}

func typeFind(t *typing) Type {
	x, y := t.array(0), t.array(1)
	t.sameElem(x, y)
	return Shaped(array.Bool, Extents(y)...)
}

func typeMatch(t *typing) Type {
	t.array(0)
	t.array(1)
	return Scalar(array.Bool)
}

// Number systems and linear algebra.
