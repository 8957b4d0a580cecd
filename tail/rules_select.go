package tail

import "github.com/tailor-lang/tailor/array"

// selection types compress and replicate; extent gives the extent that count
// v selects, and the sign of what is put there.
func (t *typing) selection(elem array.Elem) Type {
	v, x := t.vector(0, elem), t.withAxis(1)
	if v.Extent(0).Differ(x.Extent(t.axis)) {
		t.fault(FaultReplicate, v.Extent(0), Extents(x), ConstSize(int64(t.axis+1)))
	}
	counts, ok := Constants(v)
	if !ok {
		return Shaped(x.Elem, replaced(Extents(x), t.axis, AnySize)...)
	}
	total := ConstSize(0)
	for _, n := range counts {
		total = AddSizes(total, Magnitude(ConstSize(n)), 1)
	}
	ty := Shaped(x.Elem, replaced(Extents(x), t.axis, total)...)
	if n, ok := total.IsConst(); !ok || n > MaxValues || x.Values == nil || len(x.Values) != len(counts) || x.Dims() != 1 {
		return ty
	}
	values := []Size{}
	for i, n := range counts {
		for ; n > 0; n-- {
			values = append(values, x.Values[i])
		}
		for ; n < 0; n++ {
			values = append(values, ConstSize(0))
		}
	}
	return withValues(ty, values)
}

func typeCompress(t *typing) Type { return t.selection(array.Bool) }

func typeReplicate(t *typing) Type { return t.selection(array.Int) }

// typeExpand types x\y: a positive count repeats the next item, a negative one
// gives as many fill elements, zero gives one.
func typeExpand(t *typing) Type {
	v, x := t.vector(0, array.Int), t.withAxis(1)
	counts, ok := Constants(v)
	if !ok {
		return Shaped(x.Elem, replaced(Extents(x), t.axis, AnySize)...)
	}
	total, items := ConstSize(0), int64(0)
	for _, n := range counts {
		total = AddSizes(total, Magnitude(ConstSize(n)), 1)
		switch {
		case n > 0:
			items++
		case n == 0:
			total = AddSizes(total, ConstSize(1), 1)
		}
	}
	if ConstSize(items).Differ(x.Extent(t.axis)) && !x.Extent(t.axis).Equal(ConstSize(1)) {
		t.fault(FaultExpand, ConstSize(items), Extents(x), ConstSize(int64(t.axis+1)))
	}
	return Shaped(x.Elem, replaced(Extents(x), t.axis, total)...)
}

// indices checks the index arguments of index and update and returns the
// extents of the selection.
func (t *typing) indices(x *Array, args []Type) []Size {
	if len(args) != x.Dims() {
		t.fault(FaultIndexRank, ConstSize(int64(len(args))), Extents(x))
		return nil
	}
	var sizes []Size
	for axis, arg := range args {
		if arg == Type(Unit) || IsUnit(arg) {
			sizes = append(sizes, x.Extent(axis))
			continue
		}
		i, ok := arg.(*Array)
		if !ok || i.Elem != array.Int {
			t.wrong(axis+1, "%v: an index has type %v", t.op, arg)
			return nil
		}
		t.inRange(i, x.Extent(axis), axis)
		sizes = append(sizes, Extents(t.array(axis+1))...)
	}
	return sizes
}

func IsUnit(ty Type) bool {
	u, ok := ty.(*TupleType)
	return ok && len(u.Elems) == 0
}

// inRange reports known values of an index that are certainly out of range.
func (t *typing) inRange(i *Array, extent Size, axis int) {
	for _, v := range i.Values {
		n, ok := v.IsConst()
		over, known := CompareSizes(OpGtI, v, extent).IsConst()
		if ok && n < 1 || known && over == 1 {
			t.fault(FaultIndex, v, extent, ConstSize(int64(axis+1)))
		}
	}
}

func typeIndex(t *typing) Type {
	if len(t.args) == 0 {
		t.wrong(-1, "index takes an array")
		return Unit
	}
	x := t.array(0)
	sizes := t.indices(x, t.args[1:])
	if t.bad != nil {
		return x
	}
	ty := Shaped(x.Elem, sizes...)
	i, ok := (*Array)(nil), false
	if len(t.args) == 2 {
		i, ok = t.args[1].(*Array)
	}
	if !ok || x.Values == nil || i.Values == nil {
		return ty
	}
	values := anySizes(len(i.Values))
	for k, v := range i.Values {
		if n, ok := v.IsConst(); ok {
			values[k] = x.Values[n-1]
		}
	}
	return withValues(ty, AnyKnown(values))
}

func typeUpdate(t *typing) Type {
	if len(t.args) < 2 {
		t.wrong(-1, "update takes an array, indices and a value")
		return Unit
	}
	last := len(t.args) - 1
	x, v := t.array(0), t.array(last)
	t.sameElem(x, v)
	sizes := t.indices(x, t.args[1:last])
	if t.bad != nil {
		return x
	}
	if v.Dims() != 0 && v.Dims() != len(sizes) {
		t.fault(FaultUpdate, sizes, Extents(v))
	}
	for i := 0; v.Dims() > 0 && i < len(sizes) && i < v.Dims(); i++ {
		if sizes[i].Differ(v.Extent(i)) {
			t.fault(FaultUpdate, sizes, Extents(v))
		}
	}
	return Shaped(x.Elem, Extents(x)...)
}

// Searching.
