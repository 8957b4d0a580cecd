package tail

import "github.com/tailor-lang/tailor/array"

// Catenation.

func typeCat(t *typing) Type {
	x, y := t.withAxis(0), t.withAxis(1)
	t.sameElem(x, y)
	if x.Dims() != y.Dims() {
		t.fault(FaultRanks, extents(x), extents(y))
		return x
	}
	ex, ey := extents(x), extents(y)
	sizes := t.meetAll(replaced(ex, t.axis, AnySize), replaced(ey, t.axis, AnySize), FaultCatenate)
	sizes[t.axis] = addSizes(ex[t.axis], ey[t.axis], 1)
	if t.bad != nil && t.bad.Fault == FaultCatenate {
		t.bad.Args[0], t.bad.Args[1] = ex, ey
	}
	return joined(Shaped(x.Elem, sizes...), knownVector(x), knownVector(y))
}

// knownVector returns the element values of a vector whose length is known,
// each Any when nothing more is known, or nil.
func knownVector(a *Array) []Size {
	if a.Values != nil || !isRank(a, 1) {
		return a.Values
	}
	n, ok := a.Extent(0).IsConst()
	if !ok || n > MaxValues {
		return nil
	}
	return anySizes(int(n))
}

func anySizes(n int) []Size {
	sizes := make([]Size, n)
	for i := range sizes {
		sizes[i] = AnySize
	}
	return sizes
}

// joined returns ty, of a vector, with the values x followed by y.
func joined(ty *Array, x, y []Size) *Array {
	if x == nil || y == nil {
		return ty
	}
	if values := anyKnown(append(append([]Size{}, x...), y...)); values != nil {
		return withValues(ty, values)
	}
	return ty
}

func typeCons(t *typing) Type { return typePut(t, t.array(0), t.withAxis(1), true) }
func typeSnoc(t *typing) Type { return typePut(t, t.array(1), t.withAxis(0), false) }

// typePut types cons and snoc: a cell put before or behind the items of x.
func typePut(t *typing, cell, x *Array, front bool) Type {
	t.sameElem(cell, x)
	if cell.Dims() != x.Dims()-1 {
		t.fault(FaultRanks, extents(cell), extents(x))
		return x
	}
	rest := without(extents(x), t.axis)
	met := make([]Size, len(rest))
	for i, s := range extents(cell) {
		if s.Differ(rest[i]) {
			args := []any{extents(x), extents(cell), ConstSize(int64(i + 1))}
			if front {
				args[0], args[1] = args[1], args[0]
			}
			t.fault(FaultCatenate, args...)
		}
		met[i] = meet(rest[i], s)
	}
	ty := Shaped(x.Elem, with(met, t.axis, addSizes(x.Extent(t.axis), ConstSize(1), 1))...)
	if x.Dims() != 1 {
		return ty
	}
	head := []Size{cell.Value(0)}
	if front {
		return joined(ty, head, knownVector(x))
	}
	return joined(ty, knownVector(x), head)
}

func typeLaminate(t *typing) Type {
	x, y := t.array(0), t.array(1)
	t.sameElem(x, y)
	if x.Dims() != y.Dims() {
		t.fault(FaultRanks, extents(x), extents(y))
		return x
	}
	if t.axis < 0 || t.axis > x.Dims() {
		t.wrong(-1, "laminate: no axis %d can be put into rank %d", t.axis+1, x.Dims())
		return x
	}
	sizes := with(t.meetAll(extents(x), extents(y), FaultShapes), t.axis, ConstSize(2))
	ty := Shaped(x.Elem, sizes...)
	if x.Dims() == 0 {
		return joined(ty, []Size{x.Value(0)}, []Size{y.Value(0)})
	}
	return ty
}

// Selection.

// selection types compress and replicate; extent gives the extent that count
// v selects, and the sign of what is put there.
func (t *typing) selection(elem array.Elem) Type {
	v, x := t.vector(0, elem), t.withAxis(1)
	if v.Extent(0).Differ(x.Extent(t.axis)) {
		t.fault(FaultReplicate, v.Extent(0), extents(x), ConstSize(int64(t.axis+1)))
	}
	counts, ok := constants(v)
	if !ok {
		return Shaped(x.Elem, replaced(extents(x), t.axis, AnySize)...)
	}
	total := ConstSize(0)
	for _, n := range counts {
		total = addSizes(total, magnitude(ConstSize(n)), 1)
	}
	ty := Shaped(x.Elem, replaced(extents(x), t.axis, total)...)
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

func typeCompress(t *typing) Type  { return t.selection(array.Bool) }
func typeReplicate(t *typing) Type { return t.selection(array.Int) }

// typeExpand types x\y: a positive count repeats the next item, a negative one
// gives as many fill elements, zero gives one.
func typeExpand(t *typing) Type {
	v, x := t.vector(0, array.Int), t.withAxis(1)
	counts, ok := constants(v)
	if !ok {
		return Shaped(x.Elem, replaced(extents(x), t.axis, AnySize)...)
	}
	total, items := ConstSize(0), int64(0)
	for _, n := range counts {
		total = addSizes(total, magnitude(ConstSize(n)), 1)
		switch {
		case n > 0:
			items++
		case n == 0:
			total = addSizes(total, ConstSize(1), 1)
		}
	}
	if ConstSize(items).Differ(x.Extent(t.axis)) && !x.Extent(t.axis).Equal(ConstSize(1)) {
		t.fault(FaultExpand, ConstSize(items), extents(x), ConstSize(int64(t.axis+1)))
	}
	return Shaped(x.Elem, replaced(extents(x), t.axis, total)...)
}

// indices checks the index arguments of index and update and returns the
// extents of the selection.
func (t *typing) indices(x *Array, args []Type) []Size {
	if len(args) != x.Dims() {
		t.fault(FaultIndexRank, ConstSize(int64(len(args))), extents(x))
		return nil
	}
	var sizes []Size
	for axis, arg := range args {
		if arg == Type(Unit) || isUnit(arg) {
			sizes = append(sizes, x.Extent(axis))
			continue
		}
		i, ok := arg.(*Array)
		if !ok || i.Elem != array.Int {
			t.wrong(axis+1, "%v: an index has type %v", t.op, arg)
			return nil
		}
		t.inRange(i, x.Extent(axis), axis)
		sizes = append(sizes, extents(t.array(axis+1))...)
	}
	return sizes
}

func isUnit(ty Type) bool {
	u, ok := ty.(*TupleType)
	return ok && len(u.Elems) == 0
}

// inRange reports known values of an index that are certainly out of range.
func (t *typing) inRange(i *Array, extent Size, axis int) {
	for _, v := range i.Values {
		n, ok := v.IsConst()
		over, known := compareSizes(OpGtI, v, extent).IsConst()
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
	return withValues(ty, anyKnown(values))
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
		t.fault(FaultUpdate, sizes, extents(v))
	}
	for i := 0; v.Dims() > 0 && i < len(sizes) && i < v.Dims(); i++ {
		if sizes[i].Differ(v.Extent(i)) {
			t.fault(FaultUpdate, sizes, extents(v))
		}
	}
	return Shaped(x.Elem, extents(x)...)
}

// Searching.

func typeMember(t *typing) Type {
	x, y := t.array(0), t.array(1)
	t.sameElem(x, y)
	return Shaped(array.Bool, extents(x)...)
}

func typeIndexOf(t *typing) Type {
	x, y := t.array(0), t.array(1)
	t.ranked(0, x, 1)
	t.sameElem(x, y)
	return Shaped(array.Int, extents(y)...)
}

func typeWhere(t *typing) Type {
	v := t.vector(0, array.Bool)
	bools, ok := constants(v)
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

func typeFind(t *typing) Type {
	x, y := t.array(0), t.array(1)
	t.sameElem(x, y)
	return Shaped(array.Bool, extents(y)...)
}

func typeMatch(t *typing) Type {
	t.array(0)
	t.array(1)
	return Scalar(array.Bool)
}

// Number systems and linear algebra.

func typeEncode(t *typing) Type {
	b, x := t.array(0), t.array(1)
	t.sameElem(b, x)
	return Shaped(x.Elem, append(extents(b), extents(x)...)...)
}

func typeDecode(t *typing) Type {
	b, x := t.array(0), t.array(1)
	t.sameElem(b, x)
	left, right := extents(b), extents(x)
	last, first := ConstSize(1), ConstSize(1)
	if len(left) > 0 {
		last, left = left[len(left)-1], left[:len(left)-1]
	}
	if len(right) > 0 {
		first, right = right[0], right[1:]
	}
	if one := ConstSize(1); last.Differ(first) && last.Differ(one) && first.Differ(one) {
		t.fault(FaultDecode, extents(b), extents(x))
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
		t.fault(FaultShapes, extents(b), extents(a), ConstSize(1))
	}
	return Shaped(a.Elem, replaced(extents(b), 0, a.Extent(1))...)
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

// typeText types the display of x: the display of a scalar is a vector.
func typeText(t *typing, x *Array) Type {
	if x.Elem == array.Char && x.Dims() > 0 {
		return Shaped(array.Char, extents(x)...)
	}
	if x.Dims() < 2 {
		return Ranked(array.Char, 1)
	}
	sizes := extents(x)
	sizes[len(sizes)-1] = AnySize
	return Shaped(array.Char, sizes...)
}

func typeFormatBy(t *typing) Type {
	t.vector(0, array.Int)
	return typeText(t, t.array(1))
}

func typeStop(t *typing) Type {
	t.vector(0, array.Char)
	t.scalar(1, array.Int)
	return Scalar(array.Int)
}

func typeWriteText(t *typing) Type {
	t.vector(0, array.Char)
	t.vector(1, array.Char)
	t.scalar(2, array.Int)
	return Scalar(array.Int)
}

func typeReadNpy(t *typing) Type {
	t.vector(0, array.Char)
	t.needs(-1, "the element type and rank of the file have to be given by an annotation")
	return Ranked(array.Double, 1)
}
