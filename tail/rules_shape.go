package tail

import "github.com/tailor-lang/tailor/array"

func typeShape(t *typing) Type { return VectorOf(Extents(t.array(0))...) }

func typeTally(t *typing) Type {
	x := t.array(0)
	if x.Dims() == 0 {
		return Singleton(array.Int, ConstSize(1))
	}
	return Singleton(array.Int, x.Extent(0))
}

// Product returns the product of sizes, 0 when any is.
func Product(sizes []Size) Size {
	n := ConstSize(1)
	for _, s := range sizes {
		if s.Equal(ConstSize(0)) {
			return s
		}
	}
	for _, s := range sizes {
		n = mulSizes(n, s)
	}
	return n
}

func typeCount(t *typing) Type { return Singleton(array.Int, Product(Extents(t.array(0)))) }

func typeReshape(t *typing) Type {
	v, x := t.vector(0, array.Int), t.array(1)
	rank, ok := v.Extent(0).IsConst()
	if !ok {
		t.needs(0, "the rank of the result of ⍴ is the length of its left argument, which is not known")
		return x
	}
	sizes := make([]Size, rank)
	for i := range sizes {
		sizes[i] = v.Value(i)
		if n, ok := sizes[i].IsConst(); ok && n < 0 {
			t.fault(FaultReshape, sizes[i])
		}
	}
	return withValues(Shaped(x.Elem, sizes...), reshapedValues(sizes, x))
}

// reshapedValues returns the values of x cyclically, in a vector or scalar of
// the given extents.
func reshapedValues(sizes []Size, x *Array) []Size {
	n, ok := Product(sizes).IsConst()
	if len(sizes) > 1 || !ok || n < 0 || n > MaxValues || x.Values == nil {
		return nil
	}
	values := make([]Size, n)
	for i := range values {
		if len(x.Values) == 0 {
			values[i] = ConstSize(0)
		} else {
			values[i] = x.Values[i%len(x.Values)]
		}
	}
	return values
}

func typeRavel(t *typing) Type {
	x := t.array(0)
	return withValues(Shaped(x.Elem, Product(Extents(x))), x.Values)
}

func typeReverse(t *typing) Type {
	x := t.array(0)
	if x.Dims() == 0 {
		return x
	}
	x = t.withAxis(0)
	n := len(x.Values)
	return t.permuted(x, func(i int) int { return n - 1 - i })
}

// permuted returns the type of x with its values, if any, taken from the
// positions that from gives.
func (t *typing) permuted(x *Array, from func(i int) int) *Array {
	ty := Shaped(x.Elem, Extents(x)...)
	if x.Values == nil {
		return ty
	}
	values := make([]Size, len(x.Values))
	for i := range values {
		values[i] = x.Values[from(i)]
	}
	return withValues(ty, values)
}

func typeRotate(t *typing) Type {
	k, x := t.scalar(0, array.Int).Value(0), t.array(1)
	if x.Dims() == 0 {
		return x
	}
	x = t.withAxis(1)
	count, ok := k.IsConst()
	if !ok || len(x.Values) == 0 {
		return Shaped(x.Elem, Extents(x)...)
	}
	n := int64(len(x.Values))
	return t.permuted(x, func(i int) int { return int((int64(i) + Residue(n, count)) % n) })
}

func typeRotateM(t *typing) Type {
	k, x := t.of(0, array.Int), t.withAxis(1)
	if k.Dims() != x.Dims()-1 {
		t.fault(FaultRotate, Extents(k), Extents(x))
		return x
	}
	rest := WithoutExtent(Extents(x), t.axis)
	for i, s := range Extents(k) {
		if s.Differ(rest[i]) {
			t.fault(FaultRotate, Extents(k), Extents(x))
		}
	}
	return Shaped(x.Elem, Extents(x)...)
}

func typeTransp(t *typing) Type {
	x := t.array(0)
	if x.Dims() < 2 {
		return x
	}
	sizes := Extents(x)
	for i, j := 0, len(sizes)-1; i < j; i, j = i+1, j-1 {
		sizes[i], sizes[j] = sizes[j], sizes[i]
	}
	return Shaped(x.Elem, sizes...)
}

// typeTransp2 types x⍉y: axis i of y becomes axis x[i], counted from 1, of the
// result; a repeated axis is a diagonal, as long as the shortest axis in it.
func typeTransp2(t *typing) Type {
	v, x := t.vector(0, array.Int), t.array(1)
	if v.Extent(0).Differ(ConstSize(int64(x.Dims()))) {
		t.fault(FaultPermutation, Extents(x))
		return x
	}
	axes, ok := Constants(v)
	if !ok {
		t.needs(0, "the left argument of ⍉ decides the rank of the result and is not known")
		return x
	}
	rank := int64(0)
	for _, a := range axes {
		rank = max(rank, a)
	}
	if rank > int64(x.Dims()) {
		t.fault(FaultPermutation, Extents(x))
		return x
	}
	sizes := make([]Size, rank)
	used := make([]bool, rank)
	for i, a := range axes {
		if a < 1 {
			t.fault(FaultPermutation, Extents(x))
			return x
		}
		if used[a-1] {
			sizes[a-1] = extreme(OpMinI, sizes[a-1], x.Extent(i))
		} else {
			sizes[a-1], used[a-1] = x.Extent(i), true
		}
	}
	for _, u := range used {
		if !u {
			t.fault(FaultPermutation, Extents(x))
		}
	}
	return Shaped(x.Elem, sizes...)
}
