package value

// Gather returns the array of the given shape whose elements are those of a at
// the given places of its ravel; at -1 there is the fill of a.
func (a *Array) Gather(shape, at []int) *Array {
	b := &Array{Kind: a.Kind, Shape: shape}
	switch a.Kind {
	case Bool:
		b.Bools = gather(a.Bools, at, 0)
	case Int:
		b.Ints = gather(a.Ints, at, 0)
	case Double:
		b.Doubles = gather(a.Doubles, at, 0)
	case Complex:
		b.Complexes = gather(a.Complexes, at, 0)
	case Char:
		b.Chars = gather(a.Chars, at, ' ')
	default:
		if len(at) == 0 {
			b.Fill = a.Prototype()
			return b
		}
		b.Items = gather(a.Items, at, a.Prototype())
		return b.Narrowed()
	}
	return b
}

func gather[T any](from []T, at []int, fill T) []T {
	out := make([]T, len(at))
	for i, k := range at {
		if k >= 0 {
			out[i] = from[k]
		} else {
			out[i] = fill
		}
	}
	return out
}

// Select returns the elements of a simple vector at the places that an array of ints
// counts from origin; nil where one is outside, or a is of kind Mixed.
func (a *Array) Select(at *Array, origin int) *Array {
	b := &Array{Kind: a.Kind, Shape: at.Shape}
	ok := false
	switch a.Kind {
	case Bool:
		b.Bools, ok = pick(a.Bools, at.Ints, origin)
	case Int:
		b.Ints, ok = pick(a.Ints, at.Ints, origin)
	case Double:
		b.Doubles, ok = pick(a.Doubles, at.Ints, origin)
	case Complex:
		b.Complexes, ok = pick(a.Complexes, at.Ints, origin)
	case Char:
		b.Chars, ok = pick(a.Chars, at.Ints, origin)
	}
	if !ok {
		return nil
	}
	return b
}

func pick[T any](from []T, at []int64, origin int) ([]T, bool) {
	out := make([]T, len(at))
	for i, k := range at {
		k -= int64(origin)
		if uint64(k) >= uint64(len(from)) {
			return nil, false
		}
		out[i] = from[k]
	}
	return out, true
}

// Compress returns the elements of a vector where there is a 1.
func (a *Array) Compress(by []byte) *Array {
	n := ones(by)
	b := &Array{Kind: a.Kind, Shape: []int{n}}
	switch a.Kind {
	case Bool:
		b.Bools = compress(a.Bools, by, n)
	case Int:
		b.Ints = compress(a.Ints, by, n)
	case Double:
		b.Doubles = compress(a.Doubles, by, n)
	case Complex:
		b.Complexes = compress(a.Complexes, by, n)
	case Char:
		b.Chars = compress(a.Chars, by, n)
	default:
		if n == 0 {
			b.Fill = a.Prototype()
			return b
		}
		b.Items = compress(a.Items, by, n)
		return b.Narrowed()
	}
	return b
}

// compress returns the n elements where there is a 1. It writes every element, and the
// next one over those that do not stay.
func compress[T any](from []T, by []byte, n int) []T {
	out := make([]T, n+1)
	k := 0
	for i, x := range from {
		out[k] = x
		k += int(by[i])
	}
	return out[:n:n]
}

// ones counts the ones among truth values.
func ones(by []byte) int {
	n := 0
	for _, x := range by {
		n += int(x)
	}
	return n
}

// Places returns where there is a 1, counted from origin.
func Places(by []byte, origin int) []int64 {
	n := ones(by)
	out := make([]int64, n+1)
	k := 0
	for i, x := range by {
		out[k] = int64(i + origin)
		k += int(x)
	}
	return out[:n:n]
}

// Copy returns an array with elements of its own, of a kind that also holds the
// elements of b.
func (a *Array) Copy(b *Array) *Array {
	if k := a.wider(b); k != a.Kind {
		if k == Mixed {
			return &Array{Kind: Mixed, Shape: a.Shape, Items: a.AllItems(), Fill: a.Prototype()}
		}
		return a.Widened(k)
	}
	c := *a
	c.Sole, c.room = false, nil
	c.Bools, c.Ints, c.Doubles = clone(a.Bools), clone(a.Ints), clone(a.Doubles)
	c.Complexes, c.Chars, c.Items = clone(a.Complexes), clone(a.Chars), clone(a.Items)
	return &c
}

func clone[T any](s []T) []T {
	if s == nil {
		return nil
	}
	return append(make([]T, 0, len(s)), s...)
}

// Put stores element j of b as element i of a, which is a copy of the caller's
// own whose kind holds it.
func (a *Array) Put(i int, b *Array, j int) {
	switch a.Kind {
	case Bool:
		a.Bools[i] = b.Bools[j]
	case Int:
		a.Ints[i] = b.Int(j)
	case Double:
		a.Doubles[i] = b.Double(j)
	case Complex:
		a.Complexes[i] = b.complex(j)
	case Char:
		a.Chars[i] = b.Chars[j]
	default:
		a.Items[i] = b.Item(j)
	}
}

// Catenated returns the elements of x and, behind them, of y, in the given shape.
func Catenated(shape []int, x, y *Array) *Array {
	if a := grown(shape, x, y); a != nil {
		return a
	}
	return Joined(shape, x, y).roomy()
}

// Joined returns the elements of the parts, one after the other, in the given
// shape. The fill is that of the first part.
func Joined(shape []int, parts ...*Array) *Array {
	k, n := NoKind, 0
	for _, p := range parts {
		m := p.Len()
		n += m
		switch {
		case m == 0:
		case k == NoKind:
			k = p.Kind
		case k == p.Kind:
		case k.Numeric() && p.Kind.Numeric():
			k = max(k, p.Kind)
		default:
			k = Mixed
		}
	}
	if n == 0 {
		return Empty(shape, parts[0].Prototype())
	}
	a := &Array{Kind: k, Shape: shape}
	a.allocate(n)
	at := 0
	for _, p := range parts {
		if p.Len() > 0 {
			a.store(at, p)
			at += p.Len()
		}
	}
	return a.Narrowed()
}

func (a *Array) allocate(n int) {
	switch a.Kind {
	case Bool:
		a.Bools = make([]byte, n)
	case Int:
		a.Ints = make([]int64, n)
	case Double:
		a.Doubles = make([]float64, n)
	case Complex:
		a.Complexes = make([]complex128, n)
	case Char:
		a.Chars = make([]rune, n)
	default:
		a.Items = make([]*Array, n)
	}
}

// store copies the elements of p to a, from element at on.
func (a *Array) store(at int, p *Array) {
	switch a.Kind {
	case Bool:
		copy(a.Bools[at:], p.Bools)
	case Int:
		copy(a.Ints[at:], p.AsInts())
	case Double:
		copy(a.Doubles[at:], p.AsDoubles())
	case Complex:
		copy(a.Complexes[at:], p.AsComplexes())
	case Char:
		copy(a.Chars[at:], p.Chars)
	default:
		copy(a.Items[at:], p.AllItems())
	}
}

// Append puts the elements of b behind those of a, which is Sole and whose kind holds
// them: b consists of major cells like those of a, or is one.
func (a *Array) Append(b *Array) {
	shape := append([]int{}, a.Shape...)
	shape[0]++
	if len(b.Shape) == len(a.Shape) {
		shape[0] += b.Shape[0] - 1
	}
	a.Shape = shape
	switch a.Kind {
	case Bool:
		a.Bools = append(a.Bools, b.Bools...)
	case Int:
		a.Ints = append(a.Ints, b.AsInts()...)
	case Double:
		a.Doubles = append(a.Doubles, b.AsDoubles()...)
	case Complex:
		a.Complexes = append(a.Complexes, b.AsComplexes()...)
	case Char:
		a.Chars = append(a.Chars, b.Chars...)
	default:
		a.Items = append(a.Items, b.AllItems()...)
	}
}

// Longer returns an array with the elements of a, and of b, which is as for Append,
// behind them, with room for more.
func (a *Array) Longer(b *Array) *Array {
	n, m := a.Len(), b.Len()
	c := &Array{Kind: a.wider(b), Shape: a.Shape}
	c.allocate(n + m + n/8)
	c.store(0, a)
	c.truncate(n)
	c.Append(b)
	return c
}

// truncate leaves the first n elements, and the others as room.
func (a *Array) truncate(n int) {
	switch a.Kind {
	case Bool:
		a.Bools = a.Bools[:n]
	case Int:
		a.Ints = a.Ints[:n]
	case Double:
		a.Doubles = a.Doubles[:n]
	case Complex:
		a.Complexes = a.Complexes[:n]
	case Char:
		a.Chars = a.Chars[:n]
	default:
		a.Items = a.Items[:n]
	}
}

// wider returns the kind that holds the elements of a and of b.
func (a *Array) wider(b *Array) Kind {
	switch {
	case b.Kind == a.Kind:
		return a.Kind
	case b.Kind.Numeric() && a.Kind.Numeric():
		return max(a.Kind, b.Kind)
	}
	return Mixed
}

// Holds reports whether the kind of a holds the elements of b.
func (a *Array) Holds(b *Array) bool {
	return a.Kind == b.Kind || a.Kind == Mixed || a.Kind.Numeric() && b.Kind.Numeric() && a.Kind >= b.Kind
}
