package gradual

import (
	"errors"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
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
	if t.Items != value.NoKind {
		return infer.RaggedType(elems[t.Items])
	}
	return tail.Ranked(elems[t.Kind], t.Rank)
}

// spread returns arguments of some types with the parts of nested ones in their places.
func spread(args []*value.Array, types []interp.ArgType) []*value.Array {
	var all []*value.Array
	for i, t := range types {
		if t.Items == value.NoKind {
			if all != nil {
				all = append(all, args[i])
			}
			continue
		}
		if all == nil {
			all = append(make([]*value.Array, 0, len(args)+2), args[:i]...)
		}
		all = append(all, parts(args[i], t.Items)...)
	}
	if all == nil {
		return args
	}
	return all
}

// parts returns the elements, the offsets and the lengths of a vector of vectors.
func parts(a *value.Array, elem value.Kind) []*value.Array {
	offsets, lengths := make([]int64, len(a.Items)), make([]int64, len(a.Items))
	total := 0
	for i, item := range a.Items {
		offsets[i], lengths[i] = int64(total), int64(item.Len())
		total += item.Len()
	}
	all := value.From(array.New(elems[elem], total))
	at := 0
	for _, item := range a.Items {
		at += put(all, at, item)
	}
	return []*value.Array{all, value.Integers(offsets), value.Integers(lengths)}
}

// put writes the elements of an array into another one, from a place on. It returns their number.
func put(all *value.Array, at int, item *value.Array) int {
	switch all.Kind {
	case value.Bool:
		return copy(all.Bools[at:], item.Bools)
	case value.Int:
		return copy(all.Ints[at:], item.AsInts())
	case value.Double:
		return copy(all.Doubles[at:], item.AsDoubles())
	case value.Complex:
		return copy(all.Complexes[at:], item.AsComplexes())
	}
	return copy(all.Chars[at:], item.Chars)
}

// unstored is the error of a unit of which a result cannot come out.
type unstored struct{ result int }

func (unstored) Error() string { return errNested.Error() }

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
	if len(tuple.Elems) == 0 || len(tuple.Shape) > 0 && tuple.Shape[0] < 0 && !infer.IsRagged(t) {
		return false
	}
	for _, e := range tuple.Elems {
		if !comesOut(e) {
			return false
		}
	}
	return true
}

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
	if infer.IsRagged(t) {
		return list(all[0], all[1].AsInts(), all[2].AsInts()), all[3:]
	}
	items := make([]*value.Array, len(tuple.Elems))
	for i, e := range tuple.Elems {
		if items[i], all = gather(e, all); items[i] == nil {
			return nil, nil
		}
	}
	shape := tuple.Shape
	if shape == nil {
		shape = []int{len(items)}
	}
	return value.FromItems(shape, items), all
}

// list returns the vector of parts of elements; nil for no parts.
func list(elements *value.Array, offsets, lengths []int64) *value.Array {
	if len(offsets) == 0 {
		return nil
	}
	items := make([]*value.Array, len(offsets))
	for i, at := range offsets {
		items[i] = elements.Part(int(at), int(at+lengths[i]), []int{int(lengths[i])})
	}
	return value.FromItems([]int{len(items)}, items)
}

// blame returns an error of a unit as one that says for what it cannot be compiled, where that is
// known.
func blame(u *interp.Unit, err error) error {
	var list diag.List
	var effect impure
	var result unstored
	switch {
	case errors.As(err, &result):
		return &interp.Unfit{Result: result.result}
	case errors.As(err, &effect):
		return within(u, err, effect.where)
	case errors.As(err, &list):
		places := []diag.Span{list[0].Span}
		for _, n := range list[0].Notes {
			places = append(places, n.Span)
		}
		return within(u, err, places...)
	}
	return err
}

// within returns an error as that of the first of some places that lies in the text of a unit.
func within(u *interp.Unit, err error, places ...diag.Span) error {
	for _, where := range places {
		if where.Src == u.Entry.Source {
			return &interp.Unfit{At: where.Start, Result: -1}
		}
	}
	return err
}
