package tail

func typeCat(t *typing) Type {
	x, y := t.withAxis(0), t.withAxis(1)
	t.sameElem(x, y)
	if x.Dims() != y.Dims() {
		t.fault(FaultRanks, Extents(x), Extents(y))
		return x
	}
	ex, ey := Extents(x), Extents(y)
	sizes := t.meetAll(replaced(ex, t.axis, AnySize), replaced(ey, t.axis, AnySize), FaultCatenate)
	sizes[t.axis] = AddSizes(ex[t.axis], ey[t.axis], 1)
	if t.bad != nil && t.bad.Fault == FaultCatenate {
		t.bad.Args[0], t.bad.Args[1] = ex, ey
	}
	return joined(Shaped(x.Elem, sizes...), knownVector(x), knownVector(y))
}

// knownVector returns the element values of a vector whose length is known,
// each Any when nothing more is known, or nil.
func knownVector(a *Array) []Size {
	if a.Values != nil || !IsRank(a, 1) {
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
	if values := AnyKnown(append(append([]Size{}, x...), y...)); values != nil {
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
		t.fault(FaultRanks, Extents(cell), Extents(x))
		return x
	}
	rest := WithoutExtent(Extents(x), t.axis)
	met := make([]Size, len(rest))
	for i, s := range Extents(cell) {
		if s.Differ(rest[i]) {
			at := i + 1 // of x
			if i >= t.axis {
				at++
			}
			args := []any{Extents(x), Extents(cell), ConstSize(int64(at))}
			if front {
				args[0], args[1] = args[1], args[0]
			}
			t.fault(FaultCatenate, args...)
		}
		met[i] = meet(rest[i], s)
	}
	ty := Shaped(x.Elem, with(met, t.axis, AddSizes(x.Extent(t.axis), ConstSize(1), 1))...)
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
		t.fault(FaultRanks, Extents(x), Extents(y))
		return x
	}
	if t.axis < 0 || t.axis > x.Dims() {
		t.wrong(-1, "laminate: no axis %d can be put into rank %d", t.axis+1, x.Dims())
		return x
	}
	sizes := with(t.meetAll(Extents(x), Extents(y), FaultShapes), t.axis, ConstSize(2))
	ty := Shaped(x.Elem, sizes...)
	if x.Dims() == 0 {
		return joined(ty, []Size{x.Value(0)}, []Size{y.Value(0)})
	}
	return ty
}

// Selection.
