package tail

import "github.com/tailor-lang/tailor/array"

// counts returns the values of the left argument of take and drop, a vector or
// a scalar, one for each axis of x; has is false for axes that it leaves alone.
func (t *typing) counts(v, x *Array) (values []Size, has []bool) {
	values, has = make([]Size, x.Dims()), make([]bool, x.Dims())
	n, known := v.ElementCount()
	for i := range values {
		values[i] = AnySize
		has[i] = !known || int64(i) < n
		if known && int64(i) < n {
			values[i] = v.Value(i)
		}
	}
	if v.Dims() > 1 {
		t.wrong(0, "%v: the left argument has rank %d", t.op, v.Dims())
	}
	if known && n > int64(x.Dims()) {
		t.fault(FaultTakeLength, ConstSize(n), Extents(x))
	}
	return values, has
}

// ElementCount returns the number of elements of a scalar or vector, if constant.
func (t *Array) ElementCount() (int64, bool) {
	if IsRank(t, 0) {
		return 1, true
	}
	return t.Extent(0).IsConst()
}

func typeTake(t *typing) Type {
	v, x := t.of(0, array.Int), t.array(1)
	counts, has := t.counts(v, x)
	sizes := Extents(x)
	for i := range sizes {
		if has[i] {
			sizes[i] = Magnitude(counts[i])
		}
	}
	ty := Shaped(x.Elem, sizes...)
	if x.Values == nil || !IsRank(x, 1) || !has[0] {
		return ty
	}
	if n, ok := counts[0].IsConst(); ok {
		return withValues(ty, takenValues(n, x.Values))
	}
	return ty
}

func takenValues(n int64, x []Size) []Size {
	if n > MaxValues || n < -MaxValues {
		return nil
	}
	var values []Size
	for i := int64(0); i < max(n, -n); i++ {
		from := i
		if n < 0 {
			from = int64(len(x)) + n + i
		}
		if from >= 0 && from < int64(len(x)) {
			values = append(values, x[from])
		} else {
			values = append(values, ConstSize(0))
		}
	}
	if values == nil {
		values = []Size{}
	}
	return values
}

func typeDrop(t *typing) Type {
	v, x := t.of(0, array.Int), t.array(1)
	counts, has := t.counts(v, x)
	sizes := Extents(x)
	for i := range sizes {
		if has[i] {
			sizes[i] = droppedExtent(sizes[i], counts[i])
		}
	}
	ty := Shaped(x.Elem, sizes...)
	if x.Values == nil || !IsRank(x, 1) || !has[0] {
		return ty
	}
	n, ok := counts[0].IsConst()
	size := int64(len(x.Values))
	switch {
	case !ok:
		return ty
	case n >= 0:
		return withValues(ty, x.Values[min(n, size):])
	}
	return withValues(ty, x.Values[:max(size+n, 0)])
}

// droppedExtent returns 0⌈extent-|count|, as far as it is known.
func droppedExtent(extent, count Size) Size {
	return extreme(OpMaxI, ConstSize(0), AddSizes(extent, Magnitude(count), -1))
}

func typeFirst(t *typing) Type {
	x := t.array(0)
	switch {
	case x.Values == nil:
		return Scalar(x.Elem)
	case len(x.Values) == 0:
		return Singleton(x.Elem, ConstSize(0))
	}
	return Singleton(x.Elem, x.Values[0])
}
