package gradual

import (
	"slices"

	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/value"
	"github.com/tailor-lang/tailor/tail"
)

// Nested arrays go into compiled functions, and come out of them, as the simple arrays of which
// package infer makes them:
//
//	'ab' 'c' 'def'    elements 'abcdef', offsets 0 2 3, lengths 2 1 3

// typeOf returns the type of an argument.
func typeOf(t interp.ArgType) tail.Type {
	switch {
	case t.Items != value.NoKind:
		return infer.RaggedType(elems[t.Items])
	case t.Nested == nil:
		return tail.Ranked(elems[t.Kind], t.Rank)
	}
	var of []tail.Type
	for _, p := range t.Nested.Parts {
		of = append(of, typeOf(p))
	}
	return infer.StoredType(storage[t.Nested.Form], of)
}

// storage says how the nested arrays of a form are stored.
var storage = map[interp.NestedForm]infer.Storage{interp.Rows: infer.ByRows, interp.Strands: infer.ByColumns, interp.Few: infer.ByComponents}

// spread returns arguments of some types with the parts of nested ones in their places.
func spread(args []*value.Array, types []interp.ArgType) (all []*value.Array) {
	for i, t := range types {
		switch {
		case t.Items != value.NoKind:
			all = append(all, parts(args[i].AllItems(), t.Items)...)
		case t.Nested == nil:
			all = append(all, args[i])
		default:
			all = append(all, spreadNested(args[i], t.Nested)...)
		}
	}
	return all
}

// spreadNested returns the parts of a nested array: of columns, or of items.
func spreadNested(a *value.Array, t *interp.Nested) (all []*value.Array) {
	for j, items := range t.Form.Parts(a) {
		switch of := t.Parts[j]; {
		case t.Form == interp.Few:
			all = append(all, spread(items, []interp.ArgType{of})...)
		case of.Items != value.NoKind:
			all = append(all, parts(items, of.Items)...)
		default:
			all = append(all, value.Joined([]int{len(items)}, items...).Widened(of.Kind))
		}
	}
	return all
}

// parts returns the elements, the offsets and the lengths of vectors.
func parts(items []*value.Array, elem value.Kind) []*value.Array {
	offsets, lengths := make([]int64, len(items)), make([]int64, len(items))
	total := 0
	for i, item := range items {
		offsets[i], lengths[i] = int64(total), int64(item.Len())
		total += item.Len()
	}
	all := value.Joined([]int{total}, items...).Widened(elem)
	return []*value.Array{all, value.Integers(offsets), value.Integers(lengths)}
}

// stored returns an error where the result of a unit is no array, or for several arguments no
// strand of arrays that come out as simple ones.
func stored(t tail.Type, u *interp.Unit) error {
	strand, ok := t.(*tail.TupleType)
	if !ok || u.Args == nil {
		if ok || u.Args != nil {
			return errNested
		}
		return nil
	}
	for i, e := range strand.Elems {
		if !comesOut(e) {
			return unstored{i}
		}
	}
	if len(strand.Shape) > 0 {
		return errNested
	}
	return nil
}

// comesOut reports whether an array of a type is made of simple arrays in a way that gather knows.
func comesOut(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	if !ok {
		_, ok = t.(*tail.Array)
		return ok
	}
	stored, shape := infer.StorageOf(tuple)
	if len(tuple.Elems) == 0 || stored == infer.ByEither || stored == infer.ByColumns && len(shape) > 0 && shape[0] < 0 && !ofLists(shape) {
		return false
	}
	for _, e := range tuple.Elems {
		if !comesOut(e) || stored != infer.ByComponents && !isColumn(e) {
			return false
		}
	}
	return true
}

// isColumn reports whether items knows the items of a type.
func isColumn(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	if !ok {
		return true
	}
	stored, _ := infer.StorageOf(tuple)
	return stored == infer.ByOffsets || stored == infer.ByColumns || stored == infer.ByRavels
}

// ofLists reports whether a shape is that of vectors of vectors.
func ofLists(shape []int) bool { return len(shape) == 1 && shape[0] < 0 }

// gathered returns the results of a unit of several arguments, made of simple arrays; none where
// there are none.
func (f *function) gathered(all []*value.Array) (results []*value.Array, ok bool) {
	if all == nil {
		return nil, false
	}
	for _, t := range f.result.(*tail.TupleType).Elems {
		var r *value.Array
		if r, all = gather(t, all); r == nil {
			return nil, false
		}
		results = append(results, r)
	}
	return results, true
}

// gather returns the array of a type that the first of some arrays make, and the others; nil where
// it has no items, so that its prototype is not known.
func gather(t tail.Type, all []*value.Array) (*value.Array, []*value.Array) {
	tuple, ok := t.(*tail.TupleType)
	if !ok {
		return all[0], all[1:]
	}
	switch stored, shape := infer.StorageOf(tuple); stored {
	case infer.ByComponents:
		items := make([]*value.Array, len(tuple.Elems))
		for i, e := range tuple.Elems {
			if items[i], all = gather(e, all); items[i] == nil {
				return nil, nil
			}
		}
		return of(shape, items), all
	case infer.ByRows:
		columns, all := itemsOf(tuple.Elems, all)
		var rows []*value.Array
		for i := range columns[0] {
			for _, c := range columns {
				rows = append(rows, c[i])
			}
		}
		return of([]int{len(columns[0]), len(columns)}, rows), all
	case infer.ByShape:
		all, rest := items(tuple.Elems[0], all)
		shape := make([]int, rest[0].Len())
		for i := range shape {
			shape[i] = int(rest[0].Int(i))
		}
		return of(shape, all), rest[1:]
	}
	list, all := items(t, all)
	return of(nil, list), all
}

// of returns the array of a shape, nil for that of a vector, that has some items; nil where one is
// not known, or there are none.
func of(shape []int, items []*value.Array) *value.Array {
	if len(items) == 0 || slices.Contains(items, nil) {
		return nil
	}
	if shape == nil {
		shape = []int{len(items)}
	}
	return value.FromItems(shape, items)
}

// items returns the items of a stored vector of a type that the first of some arrays make, and the
// other arrays.
func items(t tail.Type, all []*value.Array) ([]*value.Array, []*value.Array) {
	tuple, ok := t.(*tail.TupleType)
	if !ok {
		return all[0].AllItems(), all[1:]
	}
	stored, shape := infer.StorageOf(tuple)
	if stored == infer.ByOffsets {
		return list(all[0], all[1].AsInts(), all[2].AsInts()), all[3:]
	}
	if stored == infer.ByRavels {
		ravels := list(all[0], all[1].AsInts(), all[2].AsInts())
		for i, r := range ravels {
			shape := make([]int, all[3].Shape[1])
			for j := range shape {
				shape[j] = int(all[3].Int(i*len(shape) + j))
			}
			ravels[i] = r.WithShape(shape)
		}
		return ravels, all[4:]
	}
	columns, all := itemsOf(tuple.Elems, all)
	whole := make([]*value.Array, len(columns[0]))
	for i := range whole {
		parts := make([]*value.Array, len(columns))
		for j, c := range columns {
			parts[j] = c[i]
		}
		if ofLists(shape) {
			whole[i] = of(nil, list(parts[0], parts[1].AsInts(), parts[2].AsInts()))
		} else {
			whole[i] = of(shape, parts)
		}
	}
	return whole, all
}

// itemsOf returns the items of stored vectors of some types.
func itemsOf(types []tail.Type, all []*value.Array) (columns [][]*value.Array, rest []*value.Array) {
	for _, t := range types {
		var c []*value.Array
		c, all = items(t, all)
		columns = append(columns, c)
	}
	return columns, all
}

// list returns the parts of elements.
func list(elements *value.Array, offsets, lengths []int64) []*value.Array {
	items := make([]*value.Array, len(offsets))
	for i, at := range offsets {
		items[i] = elements.Part(int(at), int(at+lengths[i]), []int{int(lengths[i])})
	}
	return items
}
