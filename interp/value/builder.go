package value

// Builder makes an array of elements that come one by one, as FromItems does,
// without keeping an array for each simple scalar.
type Builder struct {
	kind    Kind // of the elements so far, while none is in items
	total   int
	bools   []byte
	ints    []int64
	doubles []float64
	chars   []rune
	items   []*Array
	spilled bool
}

// NewBuilder returns a builder for n elements.
func NewBuilder(n int) *Builder { return &Builder{total: n} }

// Len returns the number of elements so far.
func (b *Builder) Len() int {
	return len(b.bools) + len(b.ints) + len(b.doubles) + len(b.chars) + len(b.items)
}

// Add adds an element.
func (b *Builder) Add(x *Array) {
	if b.spilled {
		b.items = append(b.items, x)
		return
	}
	if len(x.Shape) != 0 || x.Kind == Mixed || x.Kind == Complex {
		b.spill()
		b.items = append(b.items, x)
		return
	}
	if b.kind == NoKind {
		b.start(x.Kind)
	}
	switch {
	case b.kind == x.Kind:
	case b.kind == Char || x.Kind == Char || x.Kind < b.kind && b.kind == Double && x.Kind == Int && !fitsDouble(x.Ints[0]):
		b.spill()
		b.items = append(b.items, x)
		return
	case x.Kind > b.kind:
		if !b.widen(x.Kind) {
			b.spill()
			b.items = append(b.items, x)
			return
		}
	}
	switch b.kind {
	case Bool:
		b.bools = append(b.bools, x.Bools[0])
	case Int:
		b.ints = append(b.ints, x.Int(0))
	case Double:
		b.doubles = append(b.doubles, x.Double(0))
	case Char:
		b.chars = append(b.chars, x.Chars[0])
	}
}

// AddAll adds the elements of a simple array.
func (b *Builder) AddAll(a *Array) {
	n := a.Len()
	if n > 0 && !b.spilled && (b.kind == NoKind || b.kind == a.Kind) {
		if b.kind == NoKind && a.Kind != Complex && a.Kind != Mixed {
			b.start(a.Kind)
		}
		switch b.kind {
		case Bool:
			b.bools = append(b.bools, a.Bools...)
			return
		case Int:
			b.ints = append(b.ints, a.Ints...)
			return
		case Double:
			b.doubles = append(b.doubles, a.Doubles...)
			return
		case Char:
			b.chars = append(b.chars, a.Chars...)
			return
		}
	}
	for i := range n {
		b.Add(a.Item(i))
	}
}

// fitsDouble reports whether a double holds an integer.
func fitsDouble(i int64) bool { return int64(float64(i)) == i && i != 1<<63-1 }

func (b *Builder) start(k Kind) {
	b.kind = k
	switch k {
	case Bool:
		b.bools = make([]byte, 0, b.total)
	case Int:
		b.ints = make([]int64, 0, b.total)
	case Double:
		b.doubles = make([]float64, 0, b.total)
	case Char:
		b.chars = make([]rune, 0, b.total)
	}
}

// widen changes the kind of the elements so far; false if a number would change.
func (b *Builder) widen(k Kind) bool {
	if b.kind == Int && k == Double {
		for _, i := range b.ints {
			if !fitsDouble(i) {
				return false
			}
		}
	}
	old := b.array()
	b.bools, b.ints = nil, nil
	b.start(k)
	if k == Int {
		b.ints = append(b.ints, old.AsInts()...)
	} else {
		b.doubles = append(b.doubles, old.AsDoubles()...)
	}
	return true
}

// spill goes on with an array for each element.
func (b *Builder) spill() {
	items := make([]*Array, 0, b.total)
	if b.kind != NoKind {
		items = append(items, b.array().AllItems()...)
	}
	*b = Builder{total: b.total, items: items, spilled: true}
}

func (b *Builder) array() *Array {
	return &Array{Kind: b.kind, Shape: []int{b.Len()}, Bools: b.bools, Ints: b.ints, Doubles: b.doubles, Chars: b.chars}
}

// Array returns the array of the given shape; there is at least one element.
func (b *Builder) Array(shape []int) *Array {
	if b.spilled {
		return FromItems(shape, b.items)
	}
	a := b.array()
	a.Shape = shape
	return a
}
