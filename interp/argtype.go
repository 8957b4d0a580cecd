package interp

import (
	"slices"

	"github.com/tailor-lang/tailor/interp/value"
)

// ArgType is the type of an argument: of a simple array, of a vector of simple vectors, or of a
// nested array of parts.
type ArgType struct {
	Kind   value.Kind
	Rank   int
	Items  value.Kind // what the elements of the items of a vector of vectors are; else NoKind
	Nested *Nested    // nil for others
}

// Nested is a nested array of parts: its columns, which are vectors or vectors of vectors, or its
// items.
type Nested struct {
	Form  NestedForm
	Parts []ArgType
}

// NestedForm says what the parts of a nested array are.
type NestedForm uint8

// The forms. The zero value is "unset".
const (
	NoForm  NestedForm = iota
	Rows               // the columns of a matrix
	Strands            // the columns of a vector of vectors of one length
	Few                // the items of a vector
)

// maxNested is the number of parts that a nested argument may have.
const maxNested = 16

// equal reports whether two types are the same.
func (t ArgType) equal(u ArgType) bool {
	if t.Kind != u.Kind || t.Rank != u.Rank || t.Items != u.Items || (t.Nested == nil) != (u.Nested == nil) {
		return false
	}
	return t.Nested == nil || t.Nested.Form == u.Nested.Form && slices.EqualFunc(t.Nested.Parts, u.Nested.Parts, ArgType.equal)
}

// has reports whether an array has a type.
func (t ArgType) has(v *V) bool {
	if v.Kind != value.Mixed {
		return t.Kind == v.Kind && t.Rank == len(v.Shape)
	}
	if t.Items == value.NoKind && t.Nested == nil {
		return false
	}
	is, ok := listType(v)
	return ok && is.equal(t)
}

// argType returns the type of a simple array; ok is false for nested and mixed ones.
func argType(v *V) (t ArgType, ok bool) {
	if v == nil {
		return ArgType{}, true
	}
	return ArgType{Kind: v.Kind, Rank: len(v.Shape)}, v.Kind != value.Mixed && v.Kind != value.NoKind
}

// listType is argType, or the type of a nested vector or matrix that has items.
func listType(v *V) (t ArgType, ok bool) {
	if t, ok = argType(v); ok || v.Len() == 0 || v.Ref != nil {
		return t, ok
	}
	switch len(v.Shape) {
	case 1:
		if t, ok = columnType(v.AllItems()); ok && t.Items != value.NoKind {
			return t, true
		}
		if t, ok = nestedType(Strands, v); ok {
			return t, true
		}
		return nestedType(Few, v)
	case 2:
		return nestedType(Rows, v)
	}
	return ArgType{}, false
}

// nestedType returns the type of an array that has a form.
func nestedType(form NestedForm, v *V) (t ArgType, ok bool) {
	parts := form.Parts(v)
	if parts == nil {
		return t, false
	}
	t.Nested = &Nested{Form: form}
	for _, p := range parts {
		var of ArgType
		if form == Few {
			of, ok = listType(p[0])
		} else {
			of, ok = columnType(p)
		}
		if !ok {
			return t, false
		}
		t.Nested.Parts = append(t.Nested.Parts, of)
	}
	return t, true
}

// Parts returns the items of each part of an array of a form, nil where it has another one, or too
// many parts.
func (form NestedForm) Parts(v *V) [][]*V {
	n := v.Len()
	switch form {
	case Rows:
		n = v.Shape[1]
	case Strands:
		if n = v.Item(0).Len(); n < 2 || v.Len() < 2 {
			return nil
		}
	}
	if n > maxNested {
		return nil
	}
	parts := make([][]*V, n)
	for i, item := range v.AllItems() {
		if form != Strands {
			parts[i%n] = append(parts[i%n], item)
			continue
		}
		if len(item.Shape) != 1 || item.Len() != n {
			return nil
		}
		for j, x := range item.AllItems() {
			parts[j] = append(parts[j], x)
		}
	}
	return parts
}

// maxExact is the largest integer up to which doubles are exact.
const maxExact = 1 << 53

// columnType returns the type of items that are scalars or vectors: of the vector of them. Numbers
// of several kinds are those of the widest one, unless that changes one.
func columnType(items []*V) (t ArgType, ok bool) {
	kind, rank, large := value.NoKind, len(items[0].Shape), false
	for _, x := range items {
		if x.Kind == value.Mixed || len(x.Shape) != rank || rank > 1 || kind != value.NoKind && (kind == value.Char) != (x.Kind == value.Char) {
			return t, false
		}
		kind = max(kind, x.Kind)
		large = large || x.Kind == value.Int && slices.ContainsFunc(x.Ints, func(n int64) bool { return n < -maxExact || n > maxExact })
	}
	if large && kind != value.Int {
		return t, false
	}
	if rank == 1 {
		return ArgType{Items: kind}, true
	}
	return ArgType{Kind: kind, Rank: 1}, true
}
