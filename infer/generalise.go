package infer

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// maxKnownLength is the longest integer vector whose length a specialisation
// keeps.
const maxKnownLength = 8

// maxKnownValues is the longest vector of natural numbers whose elements a
// specialisation gives variables: the shapes that programs compute with.
const maxKnownValues = 4

// generaliser turns the types of arguments into the types of parameters:
// extents become variables, one variable for extents that are known to be
// equal. Equal argument types give equal parameter types, names included.
type generaliser struct {
	exact  bool              // keep constants
	single bool              // no two sizes share a variable
	plain  bool              // scalars have no values
	vars   map[string]string // what stands for a size of the caller
	actual map[string]tail.Size
}

func newGeneraliser(exact bool) *generaliser {
	return &generaliser{exact: exact, vars: map[string]string{}, actual: map[string]tail.Size{}}
}

func (z *generaliser) clone() *generaliser {
	c := newGeneraliser(z.exact)
	c.single, c.plain = z.single, z.plain
	for k, v := range z.vars {
		c.vars[k] = v
	}
	for k, v := range z.actual {
		c.actual[k] = v
	}
	return c
}

// sizeNames are the names of the first size variables of a function.
const sizeNames = "nmklpqij"

// variable returns a variable that stands for s.
func (z *generaliser) variable(s tail.Size, shared bool) tail.Size {
	shared = shared && !z.single
	text := s.String()
	if name, ok := z.vars[text]; ok && shared && s.Known() {
		return tail.VarSize(name)
	}
	n := len(z.actual)
	name := sizeNames[n%len(sizeNames) : n%len(sizeNames)+1]
	if n >= len(sizeNames) {
		name += fmt.Sprint(n / len(sizeNames))
	}
	z.actual[name] = s
	if shared && s.Known() {
		z.vars[text] = name
	}
	return tail.VarSize(name)
}

// generalise returns the type of a parameter for an argument of type t.
func (z *generaliser) generalise(t tail.Type) tail.Type { return z.changing(t, nil) }

// changing is generalise for an argument of a function that calls itself: an extent that
// differs from that of the parameter in the call before, of type before, is not known.
func (z *generaliser) changing(t, before tail.Type) tail.Type {
	if tuple, ok := t.(*tail.TupleType); ok {
		r := &tail.TupleType{Shape: tuple.Shape, Proto: tuple.Proto}
		was, _ := before.(*tail.TupleType)
		for i, e := range tuple.Elems {
			var b tail.Type
			if was != nil && len(was.Elems) == len(tuple.Elems) {
				b = was.Elems[i]
			}
			r.Elems = append(r.Elems, z.changing(e, b))
		}
		return r
	}
	a := t.(*tail.Array)
	was, _ := before.(*tail.Array)
	r := tail.Ranked(a.Elem, a.Dims())
	whole := a.Elem == array.Int || a.Elem == array.Bool
	if n := a.Dims(); n > 0 {
		r.Extents = make([]tail.Size, n)
		for i := range n {
			if r.Extents[i] = a.Extent(i); was == nil || was.Dims() != n || !differ(r.Extents[i], was.Extent(i)) {
				r.Extents[i] = z.extent(a.Extent(i), whole && n == 1)
			} else {
				r.Extents[i] = z.variable(a.Extent(i), true)
			}
		}
	}
	if whole && a.Values != nil && !(z.plain && a.Dims() == 0) {
		z.values(a, r)
	}
	return r
}

func (z *generaliser) extent(s tail.Size, short bool) tail.Size {
	n, constant := s.IsConst()
	if constant && (z.exact || n <= 1 || short && n <= maxKnownLength) {
		return s
	}
	if z.exact && !s.Known() {
		return s // it may be 1
	}
	if less := s.Minus(tail.ConstSize(1)); !constant && natural(less) {
		return z.variable(less, true).Plus(tail.ConstSize(1)) // certainly not empty
	}
	return z.variable(s, true)
}

// differ reports whether of two extents one is known, or certainly not 0, and the other one
// not, or has another value.
func differ(s, t tail.Size) bool {
	n, constant := s.IsConst()
	m, other := t.IsConst()
	if constant || other {
		return constant != other || n != m
	}
	return natural(s.Minus(tail.ConstSize(1))) != natural(t.Minus(tail.ConstSize(1)))
}

// values gives r, the generalisation of a, element values: variables stand
// for natural numbers only.
func (z *generaliser) values(a, r *tail.Array) {
	if a.Dims() == 1 {
		if _, ok := r.Extents[0].IsConst(); !ok {
			return
		}
	}
	all := len(a.Values) <= maxKnownValues && a.Elem == array.Int
	for _, v := range a.Values {
		all = all && natural(v)
	}
	values, known := make([]tail.Size, len(a.Values)), false
	for i, v := range a.Values {
		_, constant := v.IsConst()
		switch {
		case constant && z.exact:
			values[i] = v
		case !all:
			values[i] = tail.AnySize
		default:
			values[i] = z.variable(v, !constant)
		}
		known = known || values[i].Known()
	}
	if known {
		r.Values = values
	}
}

// natural reports whether s is certainly not negative.
func natural(s tail.Size) bool {
	if s.Any || s.Const < 0 {
		return false
	}
	for _, t := range s.Terms {
		if t.Coef < 0 {
			return false
		}
	}
	return true
}

// substitute replaces the size variables of a type.
func substitute(t tail.Type, of map[string]tail.Size) tail.Type {
	if tuple, ok := t.(*tail.TupleType); ok {
		r := &tail.TupleType{Shape: tuple.Shape, Proto: tuple.Proto}
		for _, e := range tuple.Elems {
			r.Elems = append(r.Elems, substitute(e, of))
		}
		return r
	}
	a := t.(*tail.Array)
	sizes := make([]tail.Size, a.Dims())
	for i := range sizes {
		sizes[i] = a.Extent(i).Subst(of)
	}
	r := tail.Shaped(a.Elem, sizes...)
	if a.Values == nil {
		return r
	}
	values, known := make([]tail.Size, len(a.Values)), false
	for i, v := range a.Values {
		values[i] = v.Subst(of)
		known = known || values[i].Known()
	}
	if known || len(values) == 0 {
		r.Values = values
	}
	return r
}

// typeKey returns a text that is equal for equal types; plain leaves extents
// and values out.
func typeKey(t tail.Type, plain bool) string {
	var b strings.Builder
	writeKey(&b, t, plain)
	return b.String()
}

func writeKey(b *strings.Builder, t tail.Type, plain bool) {
	if tuple, ok := t.(*tail.TupleType); ok {
		b.WriteByte('(')
		for _, e := range tuple.Elems {
			writeKey(b, e, plain)
			b.WriteByte(' ')
		}
		b.WriteByte(')')
		if tuple.Shape != nil {
			fmt.Fprint(b, tuple.Shape)
		}
		if tuple.Proto != nil {
			b.WriteByte('~')
			writeKey(b, tuple.Proto, false)
		}
		return
	}
	a := t.(*tail.Array)
	fmt.Fprintf(b, "%d/%d", a.Elem, a.Dims())
	if plain {
		return
	}
	for i := range a.Dims() {
		b.WriteByte(',')
		b.WriteString(a.Extent(i).String())
	}
	for _, v := range a.Values {
		b.WriteByte('=')
		b.WriteString(v.String())
	}
}
