package infer

import (
	"fmt"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Nested is a type as users see it: nested arrays whose items are alike, in whatever way
// they are stored, have the type [i<n → T(i)].
func Nested(t tail.Type) tail.Type { return nestedIn(t, 0) }

// nestedIn is Nested of the type of an item within a number of nests that are stored.
func nestedIn(t tail.Type, depth int) tail.Type {
	tuple, ok := t.(*tail.TupleType)
	switch {
	case !ok:
		return t
	case isEitherType(t): // no notation says that it may be a scalar
		return nestedIn(tuple.Elems[0], depth)
	case IsRagged(t), IsColumns(t):
		return storedNest(tuple, depth)
	}
	items := make([]tail.Type, len(tuple.Elems))
	for i, e := range tuple.Elems {
		items[i] = nestedIn(e, depth)
	}
	strand := &tail.TupleType{Elems: items, Shape: tuple.Shape, Proto: tuple.Proto}
	if len(items) == 0 {
		return emptyNest(strand)
	}
	shape := tuple.Shape
	if shape == nil {
		shape = []int{len(items)}
	}
	if nest := tail.FitNest(shape, items); nest != nil {
		return nest
	}
	if nest := tableOf(shape, items); nest != nil {
		return nest
	}
	return strand
}

// Written is the text of a type as users see it. Known values are left out of nested arrays.
func Written(t tail.Type) string {
	if _, nested := t.(*tail.TupleType); !nested {
		return t.String()
	}
	return tail.Spell(tail.Shown(Nested(t)))
}

// emptyNest is the type of a nested array without items, of which that of the items may
// be known.
func emptyNest(t *tail.TupleType) tail.Type {
	if t.Proto == nil {
		return t
	}
	nest := &tail.NestType{Item: Nested(t.Proto)}
	for _, n := range t.Shape {
		nest.Counts = append(nest.Counts, tail.ConstSize(int64(n)))
	}
	if t.Shape == nil {
		nest.Counts = []tail.Size{tail.ConstSize(0)}
	}
	return nest
}

// tableOf is the type of a matrix whose columns have types of their own; nil for others.
func tableOf(shape []int, items []tail.Type) tail.Type {
	if len(shape) != 2 {
		return nil
	}
	columns := make([]tail.Type, shape[1])
	for c := range columns {
		var column []tail.Type
		for i := c; i < len(items); i += shape[1] {
			column = append(column, items[i])
		}
		nest := tail.FitNest(shape[:1], column)
		if nest == nil {
			return nil
		}
		columns[c] = nest
	}
	return tableNest(tail.ConstSize(int64(shape[0])), columns)
}

// tableNest is the type of a matrix of n rows whose columns are vectors of some types.
func tableNest(n tail.Size, columns []tail.Type) tail.Type {
	items := make([]tail.Type, len(columns))
	for i, c := range columns {
		items[i] = itemInTable(c)
	}
	same := !slices.ContainsFunc(items, func(t tail.Type) bool { return !tail.Equal(t, items[0]) })
	nest := &tail.NestType{Counts: []tail.Size{n, tail.ConstSize(int64(len(columns)))}, Item: items[0], ByColumn: !same}
	if !same {
		nest.Item = &tail.TupleType{Elems: items}
	}
	return nest
}

// itemInTable is the type of the items of a column as it is said in a table, where its
// place is the first one of two.
func itemInTable(column tail.Type) tail.Type {
	nest, ok := column.(*tail.NestType)
	if !ok {
		return tail.Scalar(column.(*tail.Array).Elem)
	}
	return tail.InTable(nest.Item)
}

// storedNest is Nested of what is stored as elements and lengths, or by columns.
func storedNest(t *tail.TupleType, depth int) tail.Type {
	if !IsRagged(t) && t.Shape[0] == ofRows {
		columns := make([]tail.Type, len(t.Elems))
		for i, e := range t.Elems {
			columns[i] = nestedIn(e, depth)
		}
		return tableNest(storedCount(t.Elems[0]), columns)
	}
	if !IsRagged(t) && t.Shape[0] == ofRanked {
		return rankedNest(nestedIn(t.Elems[0], depth).(*tail.NestType), t)
	}
	at := fmt.Sprintf("at %d", depth)
	return tail.NestOf(storedCount(t), at, nestedIn(storedItemAt(t, tail.VarSize(at)), depth+1))
}

// rankedNest is the type of an array of rank 2 and more of the items of a nested vector.
func rankedNest(items *tail.NestType, t *tail.TupleType) tail.Type {
	nest := &tail.NestType{Item: items.Item}
	for i := range t.Shape[1] {
		n := t.Elems[1].(*tail.Array).Value(i)
		nest.Counts = append(nest.Counts, n)
		if i > 0 {
			nest.Item = tail.InTable(nest.Item)
		}
	}
	return nest
}

// storedItemAt is the type of the item at a position of a column of a type.
func storedItemAt(t tail.Type, at tail.Size) tail.Type {
	tuple, ok := t.(*tail.TupleType)
	if !ok || tuple.Shape[0] == ofArrays || IsRagged(t) && tuple.Item == nil {
		return storedItemType(t)
	}
	if IsRagged(t) {
		return tail.ItemAt(tuple.Item, at)
	}
	item := &tail.TupleType{Proto: tuple.Proto}
	if tuple.Shape[0] == ofShaped {
		item.Shape = append([]int{}, tuple.Shape[1:]...)
	}
	for _, e := range tuple.Elems {
		item.Elems = append(item.Elems, storedItemAt(e, at))
	}
	return item
}

// storedCount is the number of items of a column of a type.
func storedCount(t tail.Type) tail.Size {
	tuple, ok := t.(*tail.TupleType)
	switch {
	case !ok:
		return t.(*tail.Array).Extent(0)
	case IsRagged(t):
		return t.(*tail.TupleType).Elems[2].(*tail.Array).Extent(0)
	case tuple.Shape[0] == ofArrays:
		return tuple.Elems[3].(*tail.Array).Extent(0)
	}
	return storedCount(tuple.Elems[0])
}

// Type is the type of what a session keeps.
func (i *Items) Type() tail.Type {
	if i.Of == nil {
		return TypeOfArray(i.Array)
	}
	t := &tail.TupleType{Shape: i.Shape, Proto: i.Proto}
	for _, item := range i.Of {
		t.Elems = append(t.Elems, item.Type())
	}
	return t
}

// TypeOfArray is the type of arrays of an element type and a shape.
func TypeOfArray(a *array.Array) tail.Type {
	sizes := make([]tail.Size, a.Rank())
	for i, n := range a.Shape {
		sizes[i] = tail.ConstSize(int64(n))
	}
	return tail.Shaped(a.Elem, sizes...)
}
