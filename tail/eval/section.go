package eval

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Take and drop of one count, and items put behind an array. They do not copy what stays
// the same, so that loops and functions that call themselves take from arrays and add to
// them in time of what changes:
//
//	drop(1,w)              the elements of w from its second item on, where they are
//	take(k,drop(i,v))      k items of v, which are all that is copied
//	snoc(w,x)              w, behind whose items there is room for more
//
// A result that has elements in common with an array that others see is marked as
// shared, and so is the variable that holds that array. The room behind an array is for
// the first that puts items there: afterwards its header says that there is none.

// section compiles take and drop.
func (s *scope) section(e *tail.Apply) code {
	if !oneCount(e.Args[0]) {
		return s.builtin(e)
	}
	cuts := []*tail.Apply{e} // the last to apply comes first
	if x, ok := e.Args[1].(*tail.Apply); ok && e.Op == tail.OpTake && x.Op == tail.OpDrop && oneCount(x.Args[0]) {
		cuts = append(cuts, x)
	}
	of := cuts[len(cuts)-1].Args[1]
	if tail.TypeOf(of).Dims() == 0 {
		return s.builtin(e)
	}
	exprs := make([]tail.Expr, 0, 3)
	for _, c := range cuts {
		exprs = append(exprs, c.Args[0])
	}
	from := s.lender(of)
	codes := s.args(append(exprs, of), false)
	return func(fr *frame) value {
		fr.m.tick()
		v := codes[len(cuts)](fr)
		p := part{hi: v.arr.Shape[0]}
		for i := len(cuts) - 1; i >= 0; i-- {
			p.cut(cuts[i].Op, countIn(codes[i](fr)))
		}
		r := p.of(fr.m, e, v)
		if !r.owned() {
			from.mark(fr)
		}
		return r
	}
}

// lender returns the slot of the variable that an op with this argument reads, where
// it is used again.
func (s *scope) lender(e tail.Expr) lent {
	if at, ok := s.variable(e); ok && (at < s.base || s.live.has(at)) {
		return lent{at}
	}
	return nil
}

// oneCount reports whether e is one integer.
func oneCount(e tail.Expr) bool {
	t := tail.TypeOf(e)
	if t.Elem != array.Int || t.Dims() > 1 {
		return false
	}
	if t.Dims() == 0 {
		return true
	}
	n, ok := t.Extent(0).IsConst()
	return ok && n == 1
}

// countIn returns the integer that is v.
func countIn(v value) int {
	if v.arr != nil {
		return int(v.arr.Int(0))
	}
	return int(fromBits[int64](v.word))
}

// part is the items lo … hi-1 of an array, and fill elements before and after them.
type part struct{ lo, hi, before, after int }

// cut narrows the part by a take or a drop; a take is the last one.
func (p *part) cut(op tail.Op, n int) {
	there, k := p.hi-p.lo, absInt(n)
	if op == tail.OpDrop {
		k = there - min(k, there)
		n = -n
	}
	switch {
	case n >= 0:
		p.after = max(k-there, 0)
		p.hi = p.lo + min(k, there)
	default:
		p.before = max(k-there, 0)
		p.lo = p.hi - min(k, there)
	}
}

// of returns the part of v: its elements where they are, if most of them stay.
func (p *part) of(m *machine, e *tail.Apply, v value) value {
	x := v.arr
	items := p.hi - p.lo
	inner := array.Count(x.Shape[1:])
	if fill := p.before + p.after; fill > 0 {
		shape := slices.Clone(x.Shape)
		shape[0] = addExtents(fill, items)
		r := m.alloc(e, x.Elem, shape...)
		copyElems(r, p.before*inner, x, p.lo*inner, items*inner)
		m.pool.give(v)
		return value{arr: r}
	}
	if !m.env.Plain && 2*items >= x.Shape[0] {
		return value{word{bits: v.bits & shared}, window(x, p.lo*inner, p.hi*inner, items, v.owned())}
	}
	shape := m.concat(x.Shape, nil)
	shape[0] = items
	r := m.allocRaw(e, x.Elem, shape...)
	copyElems(r, 0, x, p.lo*inner, items*inner)
	m.pool.give(v)
	return value{arr: r}
}

// addExtents is x + y, or the greatest int where that is more.
func addExtents(x, y int) int {
	if z := x + y; z >= 0 {
		return z
	}
	return int(^uint(0) >> 1)
}

// window returns an array of some items whose elements are those lo … hi-1 of a.
func window(a *array.Array, lo, hi, items int, room bool) *array.Array {
	r := stretchOf(a, lo, hi, room)
	r.Shape = append(r.room[:0], a.Shape...)
	r.Shape[0] = items
	return &r.Array
}

// stretchOf returns an array without a shape that has elements lo … hi-1 of a, and the
// room behind them if asked for.
func stretchOf(a *array.Array, lo, hi int, room bool) *shaped {
	r := &shaped{}
	r.Elem = a.Elem
	switch a.Elem {
	case array.Bool:
		r.Bools = sliced(a.Bools, lo, hi, room)
	case array.Int:
		r.Ints = sliced(a.Ints, lo, hi, room)
	case array.Double:
		r.Doubles = sliced(a.Doubles, lo, hi, room)
	case array.Complex:
		r.Complexes = sliced(a.Complexes, lo, hi, room)
	default:
		r.Chars = sliced(a.Chars, lo, hi, room)
	}
	return r
}

func sliced[T any](s []T, lo, hi int, room bool) []T {
	if room {
		return s[lo:hi]
	}
	return s[lo:hi:hi]
}

// first compiles first; the first element of a vector that is turned round is its last.
func (s *scope) first(e *tail.Apply) code {
	x, ok := e.Args[0].(*tail.Apply)
	if !ok || x.Op != tail.OpReverse || tail.TypeOf(x.Args[0]).Dims() != 1 || s.m.env.Plain {
		return s.builtin(e)
	}
	codes := s.args(x.Args, false)
	return func(fr *frame) value {
		fr.m.tick()
		v := codes[0](fr)
		n := v.arr.Len()
		if n == 0 {
			return value{word: fillOf(v.arr.Elem)}
		}
		last := elemBits(v.arr, n-1)
		fr.m.pool.give(v)
		return value{word: last}
	}
}

// behind compiles cat and snoc.
func (s *scope) behind(e *tail.Apply) code {
	if e.Axis != 0 || tail.TypeOf(e.Args[0]).Dims() == 0 {
		return s.builtin(e)
	}
	from, t := s.lender(e.Args[0]), tail.TypeOf(e.Args[1])
	codes, at := s.args(e.Args, false), &site{e, s.m}
	return func(fr *frame) value {
		fr.m.tick()
		vy := codes[1](fr)
		vx := codes[0](fr)
		y := box(vy, t)
		if e.Op == tail.OpSnoc {
			y = at.item(y, vx.arr, true)
		}
		at.joinable(vx.arr, y)
		r := at.extended(vx, y)
		if !r.owned() {
			from.mark(fr)
		}
		fr.m.pool.give(vy)
		return r
	}
}

// extended puts the items of y behind those of v. An array that has to move because a
// few items come to it gets room for more of them.
func (s *site) extended(v value, y *array.Array) value {
	x := v.arr
	nx, ny, items := x.Len(), y.Len(), x.Shape[0]+y.Shape[0]
	if capacity(x) >= nx+ny && !s.m.env.Plain {
		r := window(x, 0, nx+ny, items, true)
		if ny > 0 {
			copyElems(r, nx, y, 0, ny)
			*x = *window(x, 0, nx, x.Shape[0], false)
		}
		return value{word{bits: v.bits & shared}, r}
	}
	shape := slices.Clone(x.Shape)
	shape[0] = items
	if room := items + items/2; ny <= nx/4 && s.m.room(int64(nx+ny)*3/2*int64(elemSize(x.Elem))) {
		shape[0] = room
	}
	r := s.m.allocRaw(s.Apply, x.Elem, shape...)
	copyElems(r, 0, x, 0, nx)
	copyElems(r, nx, y, 0, ny)
	s.m.pool.give(v)
	resize(r, nx+ny)
	r.Shape[0] = items
	return value{arr: r}
}
