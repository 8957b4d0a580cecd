package display

import (
	"github.com/tailor-lang/tailor/array"
)

// Nested is an array as its display sees it.
type Nested struct {
	Simple *array.Array // where the items are numbers or characters alone
	Text   string       // of a scalar that is no array, as a reference is
	// Items are those of any other array, in row-major order.
	Shape []int
	Items []*Nested
}

// scalar reports whether x is one number, character or reference.
func (x *Nested) scalar() bool {
	return x.Text != "" || x.Simple != nil && x.Simple.Rank() == 0
}

// number reports whether x is one number.
func (x *Nested) number() bool {
	return x.Simple != nil && x.Simple.Rank() == 0 && x.Simple.Elem != array.Char
}

// Picture returns the display of a nested array, a matrix of characters. Form says
// how the array is made of its parts, which are simple arrays:
//
//	a           the next part
//	(2 3:aaaaaa)  an array of shape 2 3 with these items
//	*C          the vector whose items a column C holds
//	#2:CC       a matrix of 2 columns
//	ea          a vector of one element, or its scalar, as the part after it says
//
// A column is
//
//	a           the elements of a vector
//	r           the vectors that elements, offsets and lengths give
//	h           the arrays that elements, offsets, lengths and rows of shapes give
//	<CC|(2:aa)>  of each item the parts, and its form
func Picture(form []rune, parts []*array.Array, pp int) *array.Array {
	r := &formReader{form: form, parts: parts}
	b := blockOf(r.value(), pp)
	return b.matrix()
}

// formReader reads a form.
type formReader struct {
	form  []rune
	parts []*array.Array
}

func (r *formReader) next() rune {
	c := r.form[0]
	r.form = r.form[1:]
	return c
}

func (r *formReader) part() *array.Array {
	a := r.parts[0]
	r.parts = r.parts[1:]
	return a
}

// shape reads numbers up to a colon.
func (r *formReader) shape() []int {
	shape := []int{}
	open := false
	for {
		switch c := r.next(); c {
		case ':':
			return shape
		case ' ':
			open = false
		default:
			if !open {
				shape = append(shape, 0)
			}
			open = true
			shape[len(shape)-1] = 10*shape[len(shape)-1] + int(c-'0')
		}
	}
}

func (r *formReader) value() *Nested {
	switch r.next() {
	case '(':
		x := &Nested{Shape: r.shape()}
		for range array.Count(x.Shape) {
			x.Items = append(x.Items, r.value())
		}
		r.next()
		return x
	case '*':
		items := r.column()
		return &Nested{Shape: []int{len(items)}, Items: items}
	case '#':
		return byRows(r.columns(r.shape()[0]))
	case '@':
		items, shape := r.column(), r.part()
		x := &Nested{Items: items}
		for i := range shape.Len() {
			x.Shape = append(x.Shape, int(shape.Int(i)))
		}
		return x
	case 'e':
		return r.either()
	}
	return &Nested{Simple: r.part()}
}

// either reads a vector, and whether it stands for a scalar.
func (r *formReader) either() *Nested {
	x := r.value()
	if r.part().Bools[0] == 0 {
		return x
	}
	if x.Simple == nil {
		return &Nested{Shape: []int{}, Items: x.Items}
	}
	return &Nested{Simple: cut(x.Simple, 0, []int{})}
}

func (r *formReader) columns(n int) [][]*Nested {
	all := make([][]*Nested, n)
	for i := range all {
		all[i] = r.column()
	}
	return all
}

// byRows returns the matrix that has the given columns.
func byRows(columns [][]*Nested) *Nested {
	x := &Nested{Shape: []int{len(columns[0]), len(columns)}}
	for i := range columns[0] {
		for _, c := range columns {
			x.Items = append(x.Items, c[i])
		}
	}
	return x
}

func (r *formReader) column() []*Nested {
	switch r.next() {
	case 'r':
		v, b, e := r.part(), r.part(), r.part()
		items := make([]*Nested, len(b.Ints))
		for i, from := range b.Ints {
			items[i] = &Nested{Simple: cut(v, int(from), []int{int(e.Ints[i])})}
		}
		return items
	case 'h':
		v, b := r.part(), r.part()
		r.part()
		shapes := r.part()
		rank := shapes.Shape[1]
		items := make([]*Nested, len(b.Ints))
		for i, from := range b.Ints {
			shape := make([]int, rank)
			for k := range shape {
				shape[k] = int(shapes.Ints[i*rank+k])
			}
			items[i] = &Nested{Simple: cut(v, int(from), shape)}
		}
		return items
	case '<':
		var parts [][]*Nested
		for r.form[0] != '|' {
			parts = append(parts, r.column())
		}
		return r.each(parts)
	}
	v := r.part()
	items := make([]*Nested, v.Len())
	for i := range items {
		items[i] = &Nested{Simple: cut(v, i, []int{})}
	}
	return items
}

// each reads the form of items that are made of parts.
func (r *formReader) each(parts [][]*Nested) []*Nested {
	form, depth := r.form[1:], 1
	for depth > 0 {
		switch r.next() {
		case '<':
			depth++
		case '>':
			depth--
		}
	}
	items := make([]*Nested, len(parts[0]))
	for i := range items {
		own := &formReader{form: form}
		for _, p := range parts {
			own.parts = append(own.parts, p[i].Simple)
		}
		items[i] = own.value()
	}
	return items
}

// cut is the array of the elements of v from one on.
func cut(v *array.Array, from int, shape []int) *array.Array {
	to := from + array.Count(shape)
	a := &array.Array{Elem: v.Elem, Shape: shape}
	switch v.Elem {
	case array.Bool:
		a.Bools = v.Bools[from:to]
	case array.Int:
		a.Ints = v.Ints[from:to]
	case array.Double:
		a.Doubles = v.Doubles[from:to]
	case array.Complex:
		a.Complexes = v.Complexes[from:to]
	default:
		a.Chars = v.Chars[from:to]
	}
	return a
}
