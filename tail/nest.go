package tail

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// NestType is the type [i<n → T(i)] of nested arrays whose items have one type up to
// sizes (the position-dependent arrays of Pizzuti, Steuwer and Dubach): n items, of
// which that at position i, counted from 0, has the type T(i). ⍳¨⍳5 has the type
// [i<5 → <int>(i+1)]. There is a count an axis, [i<n,j<m → T(i,j)], and none where a
// scalar encloses an item, which is written ⊂T.
//
// Sizes in Item mention the positions as variables that no program has: those of the
// outermost axes are ·1 ·2 …, those of a nest in an item follow. So types that say the
// same are the same, and nothing is captured by substitution.
//
// ByColumn is a matrix whose columns have types of their own, a table: Item is the tuple
// of these, and the type is written [i<n,j<2 → (T,U)[j]].
type NestType struct {
	Counts   []Size
	Item     Type
	ByColumn bool
}

func (*NestType) typ() {}

// Position is the variable of the position along an axis, counted from 0 and from the
// outside.
func Position(axis int) Size { return VarSize(positionVar(axis)) }

func positionVar(axis int) string { return positionMark + strconv.Itoa(axis+1) }

const positionMark = "·"

// IsPosition reports whether a variable is the position along an axis.
func IsPosition(name string) bool {
	_, ok := positionOf(name)
	return ok
}

// positionOf is the axis of which a variable is the position.
func positionOf(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, positionMark)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n - 1, err == nil
}

// At is the type of the item at a position.
func (t *NestType) At(position ...Size) Type {
	item := t.Item
	if c, ok := item.(*TupleType); ok && t.ByColumn {
		if k, known := position[1].IsConst(); known && k >= 0 && int(k) < len(c.Elems) {
			item = c.Elems[k]
		}
	}
	of := map[string]Size{}
	for i, p := range position {
		of[positionVar(i)] = p
	}
	r := len(t.Counts)
	return mapSizes(item, func(s Size) Size { return shiftPositions(s, -r, of) })
}

// NestOf is the type of n items, of which the one at the position that a variable stands
// for has a type.
func NestOf(n Size, at string, item Type) *NestType {
	named := mapSizes(inNest(item, 1), func(s Size) Size { return s.Subst(map[string]Size{at: Position(0)}) })
	return &NestType{Counts: []Size{n}, Item: named}
}

// ItemAt is the type of the item at a position, from what is known of all.
func ItemAt(item *Array, at Size) *Array {
	return mapSizes(item, func(s Size) Size { return s.Subst(map[string]Size{positionVar(0): at}) }).(*Array)
}

// SamePlaces reports whether a type says the same of all positions.
func SamePlaces(t Type) bool {
	same := true
	mapSizes(t, func(s Size) Size {
		for _, term := range s.Terms {
			same = same && !IsPosition(term.Var)
		}
		return s
	})
	return same
}

// InTable is what is said of the items of a vector, said of those of a column of a
// matrix.
func InTable(t Type) Type {
	return mapSizes(t, func(s Size) Size { return shiftPositions(s, 1, map[string]Size{positionVar(0): Position(0)}) })
}

// inNest is a type as it is said of an item of a nest with r axes.
func inNest(t Type, r int) Type {
	return mapSizes(t, func(s Size) Size { return shiftPositions(s, r, nil) })
}

// shiftPositions moves positions outwards or inwards, except those that it replaces.
func shiftPositions(s Size, by int, replaced map[string]Size) Size {
	of := map[string]Size{}
	for _, t := range s.Terms {
		if size, ok := replaced[t.Var]; ok {
			of[t.Var] = size
		} else if axis, ok := positionOf(t.Var); ok {
			of[t.Var] = Position(axis + by)
		}
	}
	if len(of) == 0 {
		return s
	}
	return s.Subst(of)
}

// mapSizes is a type with f of each of its extents, values and counts.
func mapSizes(t Type, f func(Size) Size) Type {
	all := func(sizes []Size) []Size {
		if sizes == nil {
			return nil
		}
		r := make([]Size, len(sizes))
		for i, s := range sizes {
			r[i] = f(s)
		}
		return r
	}
	switch t := t.(type) {
	case *Array:
		r := *t
		r.Extents, r.Values = AnyKnown(all(t.Extents)), all(t.Values)
		if len(r.Extents) == 0 {
			r.Extents = nil
		}
		return &r
	case *TupleType:
		r := *t
		r.Elems = mapTypes(t.Elems, f)
		return &r
	case *NestType:
		return &NestType{Counts: all(t.Counts), Item: mapSizes(t.Item, f), ByColumn: t.ByColumn}
	case *FuncType:
		return &FuncType{Params: mapTypes(t.Params, f), Result: mapSizes(t.Result, f)}
	}
	return t
}

func mapTypes(types []Type, f func(Size) Size) []Type {
	var all []Type
	for _, t := range types {
		all = append(all, mapSizes(t, f))
	}
	return all
}

// EnclosedType is the type of a scalar that encloses an item.
func EnclosedType(item Type) *NestType { return &NestType{Item: item} }

// FitNest is the type of a nested array of a shape whose items have some types: nil where
// these differ by more than sizes. Values are left out. A size that grows by as much
// from each item to the next is a function of the position; others that differ are not
// known.
func FitNest(shape []int, items []Type) *NestType {
	r := len(shape)
	if r == 0 {
		return &NestType{Item: items[0]}
	}
	t := &NestType{}
	rest := make([]Type, len(items))
	for i, item := range items {
		rest[i] = inNest(item, r)
	}
	for axis := r - 1; axis >= 0; axis-- {
		n := shape[axis]
		if n == 0 {
			return nil
		}
		t.Counts = append([]Size{ConstSize(int64(n))}, t.Counts...)
		var along []Type
		for begin := 0; begin < len(rest); begin += n {
			item := fitTypes(rest[begin:begin+n], axis, r)
			if item == nil {
				return nil
			}
			along = append(along, item)
		}
		rest = along
	}
	t.Item = rest[0]
	return t
}

// fitTypes is the one type that types along an axis have up to sizes; nil where they
// differ by more. There are depth axes outside of the types.
func fitTypes(types []Type, axis, depth int) Type {
	switch first := types[0].(type) {
	case *Array:
		return fitArrays(types, first, axis)
	case *TupleType:
		z := &TupleType{Shape: first.Shape, Proto: first.Proto}
		for i := range first.Elems {
			part := make([]Type, len(types))
			for k, t := range types {
				t, ok := t.(*TupleType)
				if !ok || len(t.Elems) != len(first.Elems) || !slices.Equal(t.Shape, first.Shape) {
					return nil
				}
				part[k] = t.Elems[i]
			}
			item := fitTypes(part, axis, depth)
			if item == nil {
				return nil
			}
			z.Elems = append(z.Elems, item)
		}
		return z
	case *NestType:
		return fitNests(types, first, axis, depth)
	}
	return nil
}

// fitNests is fitTypes of nests.
func fitNests(types []Type, first *NestType, axis, depth int) Type {
	nests, items := make([]*NestType, len(types)), make([]Type, len(types))
	for k, t := range types {
		t, ok := t.(*NestType)
		if !ok || len(t.Counts) != len(first.Counts) || t.ByColumn != first.ByColumn {
			return nil
		}
		nests[k], items[k] = t, t.Item
	}
	z := &NestType{Item: longestItem(nests, depth), ByColumn: first.ByColumn}
	if z.Item == nil {
		if z.Item = fitTypes(items, axis, depth+len(first.Counts)); z.Item == nil {
			return nil
		}
	}
	for i := range first.Counts {
		z.Counts = append(z.Counts, fitSizes(len(nests), axis, func(k int) Size { return nests[k].Counts[i] }))
	}
	return z
}

// longestItem is what the vector of most items says of them, where it holds for the items
// of all the others; else nil. There are depth axes outside of the vectors.
func longestItem(nests []*NestType, depth int) Type {
	most, longest := int64(-1), nests[0]
	for _, t := range nests {
		if len(t.Counts) != 1 {
			return nil
		}
		n, ok := t.Counts[0].IsConst()
		if !ok {
			return nil
		}
		if n > most {
			most, longest = n, t
		}
	}
	for _, t := range nests {
		n, _ := t.Counts[0].IsConst()
		for k := range n {
			at := func(s Size) Size { return s.Subst(map[string]Size{positionVar(depth): ConstSize(k)}) }
			if !Equal(mapSizes(t.Item, at), mapSizes(longest.Item, at)) {
				return nil
			}
		}
	}
	return longest.Item
}

func fitArrays(types []Type, first *Array, axis int) Type {
	for _, t := range types {
		a, ok := t.(*Array)
		if !ok || a.Elem != first.Elem || a.ElemVar != first.ElemVar || !a.Rank.Equal(first.Rank) {
			return nil
		}
	}
	z := first.Plain()
	if r, ok := first.Rank.IsConst(); ok && r > 0 {
		sizes := make([]Size, r)
		for i := range sizes {
			sizes[i] = fitSizes(len(types), axis, func(k int) Size { return types[k].(*Array).Extent(i) })
		}
		if z.Extents = AnyKnown(sizes); len(z.Extents) == 0 {
			z.Extents = nil
		}
	}
	return z
}

// fitSizes is n sizes as a function of the position along an axis.
func fitSizes(n, axis int, size func(k int) Size) Size {
	first := size(0)
	step := ConstSize(0)
	if n > 1 {
		step = size(1).Minus(first)
	}
	for k := 1; k < n; k++ {
		if !size(k).Minus(size(k - 1)).Equal(step) {
			return AnySize
		}
	}
	d, ok := step.IsConst()
	switch {
	case !ok:
		return AnySize
	case d == 0:
		return first
	}
	return AddSizes(first, Position(axis).Times(d), 1)
}

// Shown is a type without what is too particular to be shown: values, and functions of
// the position where there are two items.
func Shown(t Type) Type {
	return shownIn(t, 0, map[string]Size{})
}

// shownIn is Shown within depth axes, of which some have too few positions.
func shownIn(t Type, depth int, few map[string]Size) Type {
	switch t := t.(type) {
	case *Array:
		r := *t
		r.Values = nil
		return mapSizes(&r, func(s Size) Size { return s.Subst(few) })
	case *TupleType:
		r := *t
		r.Elems = nil
		for _, e := range t.Elems {
			r.Elems = append(r.Elems, shownIn(e, depth, few))
		}
		return &r
	case *NestType:
		z := &NestType{ByColumn: t.ByColumn}
		inside := maps.Clone(few)
		for i, n := range t.Counts {
			z.Counts = append(z.Counts, n.Subst(few))
			if c, ok := n.IsConst(); ok && c < 3 {
				inside[positionVar(depth+i)] = AnySize
			}
		}
		z.Item = shownIn(t.Item, depth+len(t.Counts), inside)
		return z
	}
	return t
}

// subtypeOfNest reports whether a is a subtype of a nest: another nest that says more, or
// a strand whose items are all subtypes of what it says of them.
func subtypeOfNest(a Type, b *NestType) bool {
	switch a := a.(type) {
	case *NestType:
		if len(a.Counts) != len(b.Counts) || a.ByColumn != b.ByColumn {
			return false
		}
		for i, n := range b.Counts {
			if n.Known() && !n.Equal(a.Counts[i]) {
				return false
			}
		}
		if x, y := ItemsOf(a, b); Subtype(x, y) {
			return true
		}
		return subtypeOfEach(a, b)
	case *TupleType:
		if len(b.Counts) != 1 || a.Shape != nil || b.Counts[0].Known() && !b.Counts[0].Equal(ConstSize(int64(len(a.Elems)))) {
			return false
		}
		for k, item := range a.Elems {
			if !Subtype(item, b.At(ConstSize(int64(k)))) {
				return false
			}
		}
		return true
	}
	return false
}

// maxPositions is the number of positions that are looked at one after the other.
const maxPositions = 16

// subtypeOfEach reports whether few items have types of which others are said to have
// supertypes, position by position.
func subtypeOfEach(a, b *NestType) bool {
	if len(a.Counts) != 1 {
		return false
	}
	n, ok := a.Counts[0].IsConst()
	if !ok || n > maxPositions {
		return false
	}
	for k := range n {
		if !Subtype(a.At(ConstSize(k)), b.At(ConstSize(k))) {
			return false
		}
	}
	return true
}

// ItemsOf are the types of the items of two nests of as many axes at one position, which
// variables stand for that neither mentions.
func ItemsOf(a, b *NestType) (x, y Type) {
	taken := freeNames(a)
	maps.Copy(taken, freeNames(b))
	name := namesBeside(taken)
	at := make([]Size, len(a.Counts))
	for axis := range at {
		at[axis] = VarSize(name(axis))
	}
	return a.At(at...), b.At(at...)
}

// joinNests is the least type of which two nests are subtypes.
func joinNests(a, b *NestType) (Type, bool) {
	if len(a.Counts) != len(b.Counts) || a.ByColumn != b.ByColumn {
		return nil, false
	}
	item, ok := Join(a.Item, b.Item)
	if !ok {
		return nil, false
	}
	z := &NestType{Item: item, ByColumn: a.ByColumn}
	for i := range a.Counts {
		z.Counts = append(z.Counts, joinSize(a.Counts[i], b.Counts[i]))
	}
	return z, true
}

// joinItems is what is known of the items of both of two ragged vectors; nil for others.
func joinItems(a, b *TupleType) *Array {
	if a.Item == nil || b.Item == nil {
		return nil
	}
	join, ok := joinArrays(a.Item, b.Item)
	if !ok {
		return nil
	}
	return join.(*Array)
}

// consistentNests reports whether one value could be of both types.
func consistentNests(a, b *NestType) bool {
	if len(a.Counts) != len(b.Counts) || a.ByColumn != b.ByColumn {
		return false
	}
	none := false
	for i := range a.Counts {
		if a.Counts[i].Differ(b.Counts[i]) {
			return false
		}
		none = none || a.Counts[i].Equal(ConstSize(0)) || b.Counts[i].Equal(ConstSize(0))
	}
	return none || Consistent(a.Item, b.Item)
}

// Spell writes a type with scalars as their element types.
func Spell(t Type) string {
	if _, ok := t.(*Array); ok {
		return t.String()
	}
	return spellNest(t, freeNames(t))
}

// String writes the type with names of positions that it does not use for other sizes.
func (t *NestType) String() string { return spellNest(t, freeNames(t)) }

// positionNames are what positions are called, from the outside.
const positionNames = "ijkl"

// spellNest writes a type outside of nests, with names of positions that are not taken.
func spellNest(t Type, taken map[string]bool) string {
	return spellInNest(t, 0, namesBeside(taken))
}

// namesBeside are names of the positions along axes that are not taken.
func namesBeside(taken map[string]bool) func(axis int) string {
	var names []string
	return func(axis int) string {
		for n := 0; len(names) <= axis; n++ {
			next := positionNames[n%len(positionNames) : n%len(positionNames)+1]
			if k := n / len(positionNames); k > 0 {
				next += strconv.Itoa(k)
			}
			if !taken[next] && !slices.Contains(names, next) {
				names = append(names, next)
			}
		}
		return names[axis]
	}
}

// spellInNest writes a type within a nest, outside of which there are depth axes.
func spellInNest(t Type, depth int, name func(axis int) string) string {
	named := func(s Size) Size {
		of := map[string]Size{}
		for _, term := range s.Terms {
			if axis, ok := positionOf(term.Var); ok {
				of[term.Var] = VarSize(name(axis))
			}
		}
		return s.Subst(of)
	}
	switch t := t.(type) {
	case *Array:
		if IsRank(t, 0) && t.Values == nil {
			return spellScalar(t)
		}
		return mapSizes(t, named).String()
	case *TupleType:
		parts := make([]string, len(t.Elems))
		for i, e := range t.Elems {
			parts[i] = spellInNest(e, depth, name)
		}
		if len(parts) == 1 {
			return "(" + parts[0] + ",)"
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case *NestType:
		inner := spellInNest(t.Item, depth+len(t.Counts), name)
		if len(t.Counts) == 0 {
			return "⊂" + inner
		}
		if t.ByColumn {
			inner += "[" + name(depth+1) + "]"
		}
		axes := make([]string, len(t.Counts))
		for i, n := range t.Counts {
			axes[i] = name(depth+i) + "<" + named(n).String()
		}
		return "[" + strings.Join(axes, ",") + " → " + inner + "]"
	}
	return t.String()
}

// spellScalar writes [κ]0 as κ.
func spellScalar(t *Array) string {
	if t.ElemVar != "" {
		return t.ElemVar
	}
	return t.Elem.String()
}

// freeNames are the variables of sizes in a type.
func freeNames(t Type) map[string]bool {
	names := map[string]bool{}
	mapSizes(t, func(s Size) Size {
		for _, term := range s.Terms {
			names[strings.TrimRight(term.Var, "'")] = true
		}
		return s
	})
	return names
}
