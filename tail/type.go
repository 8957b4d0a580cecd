package tail

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/array"
)

// Type is a TAIL type τ (thesis 001, section 3.1.1): an array, a function, or, beyond the
// thesis, a tuple of arrays (the state of a loop) and a nested array.
type Type interface {
	String() string
	typ()
}

// Array is the type of arrays. It covers the thesis's four forms, each a
// refinement of the one before:
//
//	[κ]ρ        Elem, Rank
//	<κ>n        Rank 1 and Extents known
//	SV(κ,n)     Rank 1, extent 1, and Values known
//	S(κ,n)      Rank 0 and Values known
//
// and, beyond the thesis, symbolic extents for any rank ([n,m]κ) and known
// values for short integer vectors (the shapes that programs compute with).
type Array struct {
	Elem array.Elem // unset when ElemVar is given
	// ElemVar names a type variable α; used in type schemes and annotations.
	ElemVar string
	// Rank is a constant in every program that infer makes; schemes and
	// annotations have variables.
	Rank Size
	// Extents has one size an axis when the rank is constant, or is nil when
	// no extent is known. Single sizes may be Any.
	Extents []Size
	// Values, for bool and int scalars and short vectors, has what is known of
	// each element, or is nil. Its length is 1 for a scalar and the vector's
	// length, which then is known, for a vector.
	Values []Size
}

// FuncType is a function type τ1 → … → τn → τ.
type FuncType struct {
	Params []Type
	Result Type
}

// TupleType is the type of several arrays; the empty tuple is the type of an
// expression that is evaluated for its effect. The shape is that of the nested
// array which a tuple stands for while types are inferred: nil for a vector, empty
// for a scalar, and a number below 0 where three vectors stand for a ragged vector.
// The rest of the compiler takes no notice of it.
//
// Proto is, of a nested array without items, the type that they would have: a
// simple array of known extents, of numbers or of characters, or a tuple of such;
// nil where that is not known.
//
// Item is, of a ragged vector, what is known of the item at the position Position(0), a
// vector; nil where that is nothing.
type TupleType struct {
	Elems []Type
	Shape []int
	Proto Type
	Item  *Array
}

// SameProto is the type of the items that two nested arrays without items would
// have, where it is known and the same.
func SameProto(a, b *TupleType) Type {
	if a.Proto == nil || b.Proto == nil || !equalProtos(a.Proto, b.Proto) {
		return nil
	}
	return a.Proto
}

// equalProtos reports whether two types of items are the same.
func equalProtos(a, b Type) bool {
	x, nested := a.(*TupleType)
	y, both := b.(*TupleType)
	if !nested || !both {
		return nested == both && a.String() == b.String()
	}
	if len(x.Elems) != len(y.Elems) || (x.Shape == nil) != (y.Shape == nil) || !slices.Equal(x.Shape, y.Shape) {
		return false
	}
	for i := range x.Elems {
		if !equalProtos(x.Elems[i], y.Elems[i]) {
			return false
		}
	}
	return len(x.Elems) > 0 || SameProto(x, y) != nil
}

func (*Array) typ()     {}
func (*FuncType) typ()  {}
func (*TupleType) typ() {}

// MaxValues is the longest vector whose element values types keep track of.
const MaxValues = 32

// Scalar returns the type of scalars [κ]0.
func Scalar(e array.Elem) *Array { return &Array{Elem: e, Rank: ConstSize(0)} }

// Ranked returns the type [κ]rank.
func Ranked(e array.Elem, rank int) *Array { return &Array{Elem: e, Rank: ConstSize(int64(rank))} }

// Shaped returns the type of arrays of the given extents.
func Shaped(e array.Elem, extents ...Size) *Array {
	t := Ranked(e, len(extents))
	for _, x := range extents {
		if x.Known() {
			t.Extents = append([]Size{}, extents...)
			break
		}
	}
	return t
}

// Singleton returns S(κ,value).
func Singleton(e array.Elem, value Size) *Array {
	t := Scalar(e)
	if value.Known() {
		t.Values = []Size{value}
	}
	return t
}

// VectorOf returns the type of an integer vector of known element values.
func VectorOf(values ...Size) *Array {
	t := Shaped(array.Int, ConstSize(int64(len(values))))
	if len(values) <= MaxValues {
		t.Values = append([]Size{}, values...)
	}
	return t
}

// Unit is the type of the empty tuple.
var Unit = &TupleType{}

// Dims returns the rank, which must be constant.
func (t *Array) Dims() int {
	n, ok := t.Rank.IsConst()
	if !ok {
		panic("internal error: rank of " + t.String() + " is not constant")
	}
	return int(n)
}

// Extent returns what is known of the extent of axis i, counted from 0.
func (t *Array) Extent(i int) Size {
	if t.Extents == nil {
		return AnySize
	}
	return t.Extents[i]
}

// Value returns what is known of element i of the ravel.
func (t *Array) Value(i int) Size {
	if i >= len(t.Values) {
		return AnySize
	}
	return t.Values[i]
}

// Plain returns [κ]ρ: the type without extents and values.
func (t *Array) Plain() *Array { return &Array{Elem: t.Elem, ElemVar: t.ElemVar, Rank: t.Rank} }

// WithElem returns the type with another element type and without values.
func (t *Array) WithElem(e array.Elem) *Array {
	return &Array{Elem: e, Rank: t.Rank, Extents: t.Extents}
}

// String returns the type in the thesis's notation, with extents where a rank
// of two or more has any: [3,n]int.
func (t *Array) String() string {
	elem := t.ElemVar
	if elem == "" {
		elem = t.Elem.String()
	}
	rank, constant := t.Rank.IsConst()
	switch {
	case constant && rank == 0 && len(t.Values) == 1 && t.Values[0].Known():
		return "S(" + elem + "," + t.Values[0].String() + ")"
	case constant && rank == 1 && len(t.Values) == 1 && t.Values[0].Known():
		return "SV(" + elem + "," + t.Values[0].String() + ")"
	case constant && rank == 1 && t.Extents != nil && t.Extents[0].Known():
		return "<" + elem + ">" + atom(t.Extents[0])
	case constant && rank > 1 && t.Extents != nil:
		return "[" + joinSizes(t.Extents) + "]" + elem
	}
	return "[" + elem + "]" + atom(t.Rank)
}

// atom puts parentheses around a size that is a sum.
func atom(s Size) string {
	text := s.String()
	if strings.ContainsAny(text, "+-×") {
		return "(" + text + ")"
	}
	return text
}

func joinSizes(sizes []Size) string {
	parts := make([]string, len(sizes))
	for i, s := range sizes {
		parts[i] = s.String()
	}
	return strings.Join(parts, ",")
}

func (t *FuncType) String() string {
	var b strings.Builder
	for _, p := range t.Params {
		if _, ok := p.(*FuncType); ok {
			b.WriteString("(" + p.String() + ")")
		} else {
			b.WriteString(p.String())
		}
		b.WriteString(" → ")
	}
	b.WriteString(t.Result.String())
	return b.String()
}

func (t *TupleType) String() string {
	parts := make([]string, len(t.Elems))
	for i, e := range t.Elems {
		parts[i] = e.String()
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
