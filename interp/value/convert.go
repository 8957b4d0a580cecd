package value

import "math"

// Widened returns the elements of a numeric array as the given kind of numbers,
// which is not narrower than that of a.
func (a *Array) Widened(k Kind) *Array {
	if a.Kind == k {
		return a
	}
	b := &Array{Kind: k, Shape: a.Shape}
	switch k {
	case Int:
		b.Ints = a.AsInts()
	case Double:
		b.Doubles = a.AsDoubles()
	case Complex:
		b.Complexes = a.AsComplexes()
	}
	return b
}

// AsInts returns the elements of an array of kind Bool or Int.
func (a *Array) AsInts() []int64 {
	if a.Kind != Bool {
		return a.Ints
	}
	out := make([]int64, len(a.Bools))
	for i, x := range a.Bools {
		out[i] = int64(x)
	}
	return out
}

// AsDoubles returns the elements of an array of real numbers.
func (a *Array) AsDoubles() []float64 {
	switch a.Kind {
	case Bool:
		out := make([]float64, len(a.Bools))
		for i, x := range a.Bools {
			out[i] = float64(x)
		}
		return out
	case Int:
		out := make([]float64, len(a.Ints))
		for i, x := range a.Ints {
			out[i] = float64(x)
		}
		return out
	}
	return a.Doubles
}

// AsComplexes returns the elements of a numeric array.
func (a *Array) AsComplexes() []complex128 {
	if a.Kind == Complex {
		return a.Complexes
	}
	d := a.AsDoubles()
	out := make([]complex128, len(d))
	for i, x := range d {
		out[i] = complex(x, 0)
	}
	return out
}

// Reals returns an array of complex numbers whose imaginary parts are all zero as
// one of doubles, and any other array as it is.
func (a *Array) Reals() *Array {
	if a.Kind != Complex {
		return a
	}
	for _, z := range a.Complexes {
		if imag(z) != 0 {
			return a
		}
	}
	out := make([]float64, len(a.Complexes))
	for i, z := range a.Complexes {
		out[i] = real(z)
	}
	return &Array{Kind: Double, Shape: a.Shape, Doubles: out}
}

// Whole returns doubles that are all integers of less than 54 bits as ints, and
// any other array as it is.
func (a *Array) Whole() *Array {
	if a.Kind != Double {
		return a
	}
	for _, x := range a.Doubles {
		if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			return a
		}
	}
	out := make([]int64, len(a.Doubles))
	for i, x := range a.Doubles {
		out[i] = int64(x)
	}
	return &Array{Kind: Int, Shape: a.Shape, Ints: out}
}

// common returns the kind that holds simple scalars of all items, or Mixed.
func common(items []*Array) Kind {
	k := NoKind
	for _, x := range items {
		switch {
		case len(x.Shape) != 0 || x.Kind == Mixed:
			return Mixed
		case k == NoKind:
			k = x.Kind
		case (k == Char) != (x.Kind == Char):
			return Mixed
		case x.Kind > k:
			k = x.Kind
		}
	}
	return k
}

// FromItems returns the array of the given shape whose elements are the items;
// there is at least one.
func FromItems(shape []int, items []*Array) *Array {
	k := common(items)
	a := &Array{Kind: k, Shape: shape}
	switch k {
	case Bool:
		a.Bools = make([]byte, len(items))
		for i, x := range items {
			a.Bools[i] = x.Bools[0]
		}
	case Int:
		a.Ints = make([]int64, len(items))
		for i, x := range items {
			a.Ints[i] = x.Int(0)
		}
	case Double:
		a.Doubles = make([]float64, len(items))
		for i, x := range items {
			a.Doubles[i] = x.Double(0)
		}
	case Complex:
		a.Complexes = make([]complex128, len(items))
		for i, x := range items {
			a.Complexes[i] = x.complex(0)
		}
	case Char:
		a.Chars = make([]rune, len(items))
		for i, x := range items {
			a.Chars[i] = x.Chars[0]
		}
	default:
		if len(shape) == 0 && len(items) == 1 && items[0].Ref != nil {
			return items[0]
		}
		a.Items = items
	}
	return a
}

// Vector returns the vector of items; an empty one is numeric.
func Vector(items ...*Array) *Array {
	if len(items) == 0 {
		return Zilde()
	}
	return FromItems([]int{len(items)}, items)
}

// Texts returns the vector of texts.
func Texts(lines []string) *Array {
	if len(lines) == 0 {
		return &Array{Kind: Mixed, Shape: []int{0}, Fill: Text("")}
	}
	items := make([]*Array, len(lines))
	for i, s := range lines {
		items[i] = Text(s)
	}
	return FromItems([]int{len(items)}, items)
}

// Narrowed returns a without the kind Mixed if it need not have it.
func (a *Array) Narrowed() *Array {
	if a.Kind != Mixed || len(a.Items) == 0 || a.Ref != nil {
		return a
	}
	if common(a.Items) == Mixed {
		if len(a.Shape) == 0 && a.Items[0].Ref != nil { // a reference is a scalar of its own
			return a.Items[0]
		}
		return a
	}
	return FromItems(a.Shape, a.Items)
}

// Int returns element i of an array of kind Bool or Int.
func (a *Array) Int(i int) int64 {
	if a.Kind == Bool {
		return int64(a.Bools[i])
	}
	return a.Ints[i]
}

// Double returns element i of an array of real numbers.
func (a *Array) Double(i int) float64 {
	switch a.Kind {
	case Bool:
		return float64(a.Bools[i])
	case Int:
		return float64(a.Ints[i])
	}
	return a.Doubles[i]
}

func (a *Array) complex(i int) complex128 {
	if a.Kind == Complex {
		return a.Complexes[i]
	}
	return complex(a.Double(i), 0)
}

// Prototype returns the prototype of a's items: that of the first one, or what an
// empty array keeps.
func (a *Array) Prototype() *Array {
	switch {
	case a.Kind == Char:
		return Character(' ')
	case a.Kind != Mixed:
		return Int64(0)
	case len(a.Items) > 0:
		return a.Items[0].Zeroed()
	case a.Fill != nil:
		return a.Fill
	}
	return Int64(0)
}

// Zeroed returns a with 0 for every number and a blank for every character.
func (a *Array) Zeroed() *Array {
	switch {
	case a.Ref != nil:
		return Int64(0)
	case a.Kind == Mixed:
		if len(a.Items) == 0 {
			return a
		}
		items := make([]*Array, len(a.Items))
		for i, x := range a.Items {
			items[i] = x.Zeroed()
		}
		return FromItems(a.Shape, items)
	}
	return Filled(a.Shape, a.Prototype())
}

// Filled returns the array of the given shape all of whose items are fill.
func Filled(shape []int, fill *Array) *Array {
	n := Count(shape)
	if n == 0 {
		return Empty(shape, fill)
	}
	return Enclose(fill).Gather(shape, make([]int, n))
}

// Empty returns the array of the given shape, which has no elements, whose
// prototype is that of an array whose items are like fill.
func Empty(shape []int, fill *Array) *Array {
	if !fill.SimpleScalar() {
		return &Array{Kind: Mixed, Shape: shape, Fill: fill.Zeroed()}
	}
	if fill.Kind == Char {
		return &Array{Kind: Char, Shape: shape}
	}
	return &Array{Kind: Int, Shape: shape}
}
