package tail

// Subtype reports whether a value of type a may stand where b is expected:
// the relation ⊆ of thesis 001, section 3.1.1, extended to extents and values:
// knowing more is a subtype. Element types and ranks are equal. Functions are
// contravariant in their parameters.
func Subtype(a, b Type) bool {
	if b, ok := b.(*NestType); ok {
		return subtypeOfNest(a, b)
	}
	switch a := a.(type) {
	case *Array:
		b, ok := b.(*Array)
		return ok && arraySubtype(a, b)
	case *TupleType:
		b, ok := b.(*TupleType)
		if !ok || len(a.Elems) != len(b.Elems) {
			return false
		}
		for i := range a.Elems {
			if !Subtype(a.Elems[i], b.Elems[i]) {
				return false
			}
		}
		return true
	case *FuncType:
		b, ok := b.(*FuncType)
		if !ok || len(a.Params) != len(b.Params) {
			return false
		}
		for i := range a.Params {
			if !Subtype(b.Params[i], a.Params[i]) {
				return false
			}
		}
		return Subtype(a.Result, b.Result)
	}
	return false
}

func arraySubtype(a, b *Array) bool {
	if a == b {
		return true
	}
	if a.Elem != b.Elem || a.ElemVar != b.ElemVar || !a.Rank.Equal(b.Rank) {
		return false
	}
	for i, s := range b.Extents {
		if s.Known() && !s.Equal(a.Extent(i)) {
			return false
		}
	}
	for i, s := range b.Values {
		if s.Known() && (a.Values == nil || !s.Equal(a.Values[i])) {
			return false
		}
	}
	return true
}

// Equal reports whether two types say the same.
func Equal(a, b Type) bool { return Subtype(a, b) && Subtype(b, a) }

// Join returns the least type that both a and b are subtypes of; it exists
// when element types and ranks are equal.
func Join(a, b Type) (Type, bool) {
	switch a := a.(type) {
	case *Array:
		if b, ok := b.(*Array); ok {
			return joinArrays(a, b)
		}
	case *TupleType:
		b, ok := b.(*TupleType)
		if !ok || len(a.Elems) != len(b.Elems) {
			return nil, false
		}
		join := &TupleType{Shape: a.Shape, Proto: SameProto(a, b), Item: joinItems(a, b)}
		for i := range a.Elems {
			ty, ok := Join(a.Elems[i], b.Elems[i])
			if !ok {
				return nil, false
			}
			join.Elems = append(join.Elems, ty)
		}
		return join, true
	case *NestType:
		if b, ok := b.(*NestType); ok {
			return joinNests(a, b)
		}
	case *FuncType:
		return a, Equal(a, b)
	}
	return nil, false
}

func joinArrays(a, b *Array) (Type, bool) {
	if a.Elem != b.Elem || a.ElemVar != b.ElemVar || !a.Rank.Equal(b.Rank) {
		return nil, false
	}
	join := a.Plain()
	if a.Extents != nil && b.Extents != nil {
		sizes := make([]Size, len(a.Extents))
		for i := range sizes {
			sizes[i] = joinSize(a.Extents[i], b.Extents[i])
		}
		join.Extents = AnyKnown(sizes)
		if len(join.Extents) == 0 {
			join.Extents = nil
		}
	}
	if a.Values == nil || b.Values == nil || len(a.Values) != len(b.Values) {
		return join, true
	}
	values := make([]Size, len(a.Values))
	for i := range values {
		values[i] = joinSize(a.Values[i], b.Values[i])
	}
	join.Values = AnyKnown(values)
	return join, true
}

func joinSize(a, b Size) Size {
	if a.Equal(b) {
		return a
	}
	return AnySize
}

// Consistent reports whether one value could be of both types: element types
// and ranks are equal, and no extent and no value certainly differs.
func Consistent(a, b Type) bool {
	switch a := a.(type) {
	case *Array:
		b, ok := b.(*Array)
		return ok && consistentArrays(a, b)
	case *TupleType:
		b, ok := b.(*TupleType)
		if !ok || len(a.Elems) != len(b.Elems) {
			return false
		}
		for i := range a.Elems {
			if !Consistent(a.Elems[i], b.Elems[i]) {
				return false
			}
		}
		return true
	case *NestType:
		b, ok := b.(*NestType)
		return ok && consistentNests(a, b)
	}
	return Equal(a, b)
}

func consistentArrays(a, b *Array) bool {
	if a.Elem != b.Elem || a.ElemVar != b.ElemVar || !a.Rank.Equal(b.Rank) {
		return false
	}
	for i := range a.Extents {
		if a.Extents[i].Differ(b.Extent(i)) {
			return false
		}
	}
	for i := range a.Values {
		if a.Values[i].Differ(b.Value(i)) {
			return false
		}
	}
	return true
}

// Meet returns what two descriptions of one value say together; they must be
// Consistent.
func Meet(a, b Type) Type {
	switch a := a.(type) {
	case *Array:
		b := b.(*Array)
		if a == b || Subtype(a, b) {
			return a
		}
		join := a.Plain()
		if a.Extents != nil || b.Extents != nil {
			join.Extents = make([]Size, a.Dims())
			for i := range join.Extents {
				join.Extents[i] = meet(a.Extent(i), b.Extent(i))
			}
		}
		return withValues(join, meetValues(a.Values, b.Values))
	case *TupleType:
		b := b.(*TupleType)
		join := &TupleType{Shape: a.Shape, Proto: SameProto(a, b)}
		for i := range a.Elems {
			join.Elems = append(join.Elems, Meet(a.Elems[i], b.Elems[i]))
		}
		return join
	case *NestType:
		b := b.(*NestType)
		meets := &NestType{Item: Meet(a.Item, b.Item), ByColumn: a.ByColumn}
		for i := range a.Counts {
			meets.Counts = append(meets.Counts, meet(a.Counts[i], b.Counts[i]))
		}
		return meets
	}
	return a
}

func meetValues(a, b []Size) []Size {
	if a == nil {
		return b
	}
	if b == nil || len(a) != len(b) {
		return a
	}
	values := make([]Size, len(a))
	for i := range values {
		values[i] = meet(a[i], b[i])
	}
	return values
}
