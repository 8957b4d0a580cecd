package eval

import (
	"math"
	"math/bits"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// Searching: member, indexof, unique, without, match and find. Doubles are
// compared with ⎕CT.

var searchOps = map[tail.Op]builtin{
	tail.OpMember:        {run: member},
	tail.OpIndexOf:       {run: indexOf},
	tail.OpUnique:        {run: unique},
	tail.OpFirstCell:     {run: firstCell},
	tail.OpFirstItem:     {run: firstItem},
	tail.OpWithout:       {run: removing},
	tail.OpMatch:         {run: func(s *site, a []*array.Array) *array.Array { return array.ScalarBool(matches(a[0], a[1], s.m.match)) }},
	tail.OpFind:          {run: find},
	tail.OpIntervalIndex: {run: intervalIndex},
}

// lookup finds the first of the elements put into it that equals another.
type lookup struct {
	values *array.Array
	// table has the places of values from least on, -1 for none; used where
	// integers lie close together.
	table []int
	least int64
	// places has the places of keys: of values, or, where doubles are compared
	// with tolerance, of the last value put into a bucket. A bucket holds the
	// doubles whose leading bits are the same; next chains them. All that
	// equal a value lie in its bucket or in one neighbour. Complex numbers lie in
	// cells, see eval_searchz.go.
	places *hashTable
	next   []int
	ct     float64
	near   uint64 // units in the last place by which equals can differ
	shift  int    // units in a bucket, more than 2×near, as a power of 2
}

func newLookup(values *array.Array, ct float64) *lookup {
	l := &lookup{values: values, ct: ct}
	n := values.Len()
	if values.Elem == array.Int && n > 0 {
		least, most := slices.Min(values.Ints), slices.Max(values.Ints)
		if span := uint64(most) - uint64(least); span <= 4*uint64(n)+1024 {
			l.least, l.table = least, make([]int, span+1)
			fillSlice(l.table, -1)
			return l
		}
	}
	l.places = newHashTable(n)
	if values.Elem == array.Complex || values.Elem == array.Double && ct > 0 {
		l.next = make([]int, n)
		l.near = uint64(ct*0x1p53) + 2
		for l.shift = 1; 1<<l.shift <= 2*l.near; l.shift++ {
		}
	}
	return l
}

// filled returns a lookup of all values.
func filledLookup(values *array.Array, ct float64) *lookup {
	l := newLookup(values, ct)
	for i := range values.Len() {
		l.put(i)
	}
	return l
}

// doubleBits are the bits of x, the same for both zeros.
func doubleBits(x float64) uint64 { return math.Float64bits(x + 0) }

// exactKey is the same for equal elements.
func exactKey(a *array.Array, i int) uint64 {
	switch a.Elem {
	case array.Double:
		return doubleBits(a.Doubles[i])
	case array.Char:
		return uint64(a.Chars[i])
	}
	return uint64(a.Int(i))
}

// put adds the value at a place; places come in ascending order.
func (l *lookup) put(i int) {
	switch {
	case l.values.Elem == array.Complex:
		l.putComplex(i)
	case l.table != nil:
		if at := l.values.Ints[i] - l.least; l.table[at] < 0 {
			l.table[at] = i
		}
	case l.next != nil:
		l.putNear(i)
	default:
		if slot := l.places.slot(exactKey(l.values, i)); *slot < 0 {
			*slot = int32(i)
		}
	}
}

func (l *lookup) putNear(i int) {
	bits := doubleBits(l.values.Doubles[i])
	head := l.places.slot(bits >> l.shift)
	for p := int(*head); p >= 0; p = l.next[p] {
		if doubleBits(l.values.Doubles[p]) == bits {
			return
		}
	}
	l.next[i] = int(*head)
	*head = int32(i)
}

// find returns the place of element i of a, or -1.
func (l *lookup) find(a *array.Array, i int) int {
	switch {
	case a.Elem == array.Complex:
		return l.findComplex(a.Complexes[i])
	case l.table != nil:
		if at := uint64(a.Ints[i]) - uint64(l.least); at < uint64(len(l.table)) {
			return l.table[at]
		}
		return -1
	case l.next != nil:
		return l.findNear(a.Doubles[i])
	case a.Elem == array.Double && math.IsNaN(a.Doubles[i]):
		return -1
	}
	return l.places.find(exactKey(a, i))
}

func (l *lookup) findNear(x float64) int {
	bits := doubleBits(x)
	size := bits << 1 >> 1
	sign := bits ^ size
	low := (sign | size - min(size, l.near)) >> l.shift
	high := (sign | size + l.near) >> l.shift
	found := l.inBucket(low, x)
	if high != low {
		if p := l.inBucket(high, x); p >= 0 && (found < 0 || p < found) {
			found = p
		}
	}
	return found
}

func (l *lookup) inBucket(bucket uint64, x float64) int {
	found := -1
	for p := l.places.find(bucket); p >= 0; p = l.next[p] {
		if (found < 0 || p < found) && num.Equal(l.values.Doubles[p], x, l.ct) {
			found = p
		}
	}
	return found
}

func member(s *site, a []*array.Array) *array.Array {
	r := s.m.allocRaw(s.Apply, array.Bool, a[0].Shape...)
	l := filledLookup(a[1], s.m.match)
	for i := range r.Bools {
		r.Bools[i] = boolByte(l.find(a[0], i) >= 0)
	}
	return r
}

func indexOf(s *site, a []*array.Array) *array.Array {
	r := s.m.allocRaw(s.Apply, array.Int, a[1].Shape...)
	l, n := filledLookup(a[0], s.m.match), a[0].Len()
	for i := range r.Ints {
		if p := l.find(a[1], i); p >= 0 {
			r.Ints[i] = int64(p) + 1
		} else {
			r.Ints[i] = int64(n) + 1
		}
	}
	return r
}

// elements returns the elements of a at the given places as a vector.
func elements(s *site, a *array.Array, places []int) *array.Array {
	flat := site{&tail.Apply{At: s.At, Op: s.Op, Blame: s.Blame}, s.m}
	return flat.selected(reshaped(a, []int{a.Len()}), places)
}

func unique(s *site, a []*array.Array) *array.Array {
	x := a[0]
	l, kept := newLookup(x, s.m.match), []int{}
	for i := range x.Len() {
		if l.find(x, i) < 0 {
			l.put(i)
			kept = append(kept, i)
		}
	}
	return elements(s, x, kept)
}

// firstCell gives for every major cell the place of the first one with the
// same elements, by open addressing on a hash of the cells.
func firstCell(s *site, a []*array.Array) *array.Array {
	n := tally(a[0])
	r := s.m.allocRaw(s.Apply, array.Int, n)
	if n == 0 {
		return r
	}
	m := a[0].Len() / n
	keys := make([]uint64, a[0].Len())
	for i := range keys {
		keys[i] = exactKey(a[0], i)
	}
	slots := make([]int, 1<<bits.Len(uint(2*n)))
	for i := range n {
		cell := keys[i*m : (i+1)*m]
		at := hashCell(cell) & uint64(len(slots)-1)
		for slots[at] != 0 && !slices.Equal(keys[(slots[at]-1)*m:slots[at]*m], cell) {
			at = (at + 1) & uint64(len(slots)-1)
		}
		if slots[at] == 0 {
			slots[at] = i + 1
		}
		r.Ints[i] = int64(slots[at])
	}
	return r
}

// firstItem gives for every item of a ragged vector the place of the first one
// with the same elements.
func firstItem(s *site, a []*array.Array) *array.Array {
	n := a[2].Len()
	r := s.m.allocRaw(s.Apply, array.Int, n)
	keys := make([]uint64, a[0].Len())
	for i := range keys {
		keys[i] = exactKey(a[0], i)
	}
	item := func(i int) []uint64 {
		if a[2].Ints[i] == 0 {
			return nil
		}
		return keys[a[1].Ints[i] : a[1].Ints[i]+a[2].Ints[i]]
	}
	slots := make([]int, 1<<bits.Len(uint(2*n)))
	for i := range n {
		mine := item(i)
		at := hashCell(mine) & uint64(len(slots)-1)
		for slots[at] != 0 && !slices.Equal(item(slots[at]-1), mine) {
			at = (at + 1) & uint64(len(slots)-1)
		}
		if slots[at] == 0 {
			slots[at] = i + 1
		}
		r.Ints[i] = int64(slots[at])
	}
	return r
}

func hashCell(cell []uint64) uint64 {
	h := uint64(1)
	for _, k := range cell {
		h = (h ^ k) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return h ^ h>>32
}

func removing(s *site, a []*array.Array) *array.Array {
	l, kept := filledLookup(a[1], s.m.match), []int{}
	for i := range a[0].Len() {
		if l.find(a[0], i) < 0 {
			kept = append(kept, i)
		}
	}
	return elements(s, a[0], kept)
}

// equalAt compares element i of a with element j of b, of any types.
func equalAt(a *array.Array, i int, b *array.Array, j int, ct float64) bool {
	switch {
	case a.Elem == array.Char || b.Elem == array.Char:
		return a.Elem == b.Elem && a.Chars[i] == b.Chars[j]
	case a.Elem == array.Complex || b.Elem == array.Complex:
		return num.EqualZ(complexAt(a, i), complexAt(b, j), ct)
	case a.Elem == array.Double || b.Elem == array.Double:
		return num.Equal(a.Double(i), b.Double(j), ct)
	}
	return a.Int(i) == b.Int(j)
}

// complexAt returns element i of the ravel of a numeric array.
func complexAt(a *array.Array, i int) complex128 {
	if a.Elem == array.Complex {
		return a.Complexes[i]
	}
	return complex(a.Double(i), 0)
}

func matches(a, b *array.Array, ct float64) bool {
	if !slices.Equal(a.Shape, b.Shape) || (a.Elem == array.Char) != (b.Elem == array.Char) {
		return false
	}
	for i := range a.Len() {
		if !equalAt(a, i, b, i, ct) {
			return false
		}
	}
	return true
}

// find marks where the left argument begins in the right one. A left argument
// of lower rank has leading axes of 1; of higher rank it is nowhere.
func find(s *site, a []*array.Array) *array.Array {
	pattern, x := a[0], a[1]
	r := s.m.alloc(s.Apply, array.Bool, x.Shape...)
	pad := len(x.Shape) - len(pattern.Shape)
	if pad < 0 {
		return r
	}
	extent, st := make([]int, len(x.Shape)), strides(x.Shape)
	for i := range extent {
		extent[i] = 1
		if i >= pad {
			extent[i] = pattern.Shape[i-pad]
		}
	}
	offsets := offsetsIn(extent, st)
	for i := range r.Bools {
		if i&1023 == 0 {
			s.m.tick()
		}
		if !beginsAt(i, x.Shape, st, extent) {
			continue
		}
		found := true
		for j, o := range offsets {
			if found = equalAt(pattern, j, x, i+o, s.m.match); !found {
				break
			}
		}
		r.Bools[i] = boolByte(found)
	}
	return r
}

// beginsAt reports whether a box of the given extents fits into shape at
// element i.
func beginsAt(i int, shape, st, extent []int) bool {
	for axis, n := range shape {
		if i/st[axis]%n+extent[axis] > n {
			return false
		}
	}
	return true
}

// offsetsIn lists where the elements of a box lie, from its first.
func offsetsIn(extent, st []int) []int {
	offsets := []int{0}
	for axis := len(extent) - 1; axis >= 0; axis-- {
		var all []int
		for k := range extent[axis] {
			for _, o := range offsets {
				all = append(all, k*st[axis]+o)
			}
		}
		offsets = all
	}
	return offsets
}
