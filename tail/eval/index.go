package eval

// index and update, which have elided indices, single elements as a special
// case, and, for update, writing in place.

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// indexArgs compiles index arguments; an elided one is nil.
func (s *scope) indexArgs(exprs []tail.Expr, uses []usage) (codes []code, types []*tail.Array, scalars bool) {
	codes, types, scalars = make([]code, len(exprs)), make([]*tail.Array, len(exprs)), true
	for i, x := range exprs {
		if elided(x) {
			scalars = false
			continue
		}
		codes[i], types[i] = s.expr(x, uses[i]), tail.TypeOf(x)
		scalars = scalars && isScalar(types[i])
	}
	return codes, types, scalars
}

func elided(e tail.Expr) bool {
	a, ok := e.(*tail.Apply)
	return ok && a.Op == tail.OpAll
}

// indexValues evaluates index arguments from right to left.
func indexValues(fr *frame, codes []code, types []*tail.Array) []*array.Array {
	ix := make([]*array.Array, len(codes))
	for i := len(codes) - 1; i >= 0; i-- {
		if codes[i] != nil {
			ix[i] = box(codes[i](fr), types[i])
		}
	}
	return ix
}

// element returns where in the ravel of x the element lies that scalar
// indices select.
func (s *site) element(fr *frame, x *array.Array, ks []int64) int {
	at := 0
	for i := len(ks) - 1; i >= 0; i-- {
		if uint64(ks[i]-1) >= uint64(x.Shape[i]) {
			raise(s.Apply, tail.FaultIndex, ks[i], x.Shape[i], i+1)
		}
	}
	for i, k := range ks {
		at = at*x.Shape[i] + int(k-1)
	}
	return at
}

// scalarIndices evaluates up to 8 scalar indices from right to left.
func scalarIndices(fr *frame, codes []code, buf *[8]int64) []int64 {
	ks := buf[:0]
	if len(codes) > len(buf) {
		ks = make([]int64, 0, len(codes))
	}
	ks = ks[:len(codes)]
	for i := len(codes) - 1; i >= 0; i-- {
		ks[i] = fromBits[int64](codes[i](fr).word)
	}
	return ks
}

func (s *scope) index(e *tail.Apply) code {
	uses := s.uses(e.Args)
	x := s.expr(e.Args[0], uses[0])
	codes, types, scalars := s.indexArgs(e.Args[1:], uses[1:])
	at, t := &site{e, s.m}, e.Ty.(*tail.Array)
	if i, ok := e.Args[0].(*tail.Apply); ok && scalars && i.Op == tail.OpIota && tail.RankOf(i.Args[0]) == 0 {
		return at.ofIota(s.expr(i.Args[0], s.uses(i.Args)[0]), codes[0], i)
	}
	if scalars && len(codes) == tail.TypeOf(e.Args[0]).Dims() {
		return func(fr *frame) value {
			var buf [8]int64
			ks := scalarIndices(fr, codes, &buf)
			a := x(fr).arr
			return value{word: elemBits(a, at.element(fr, a, ks))}
		}
	}
	return func(fr *frame) value {
		ix := indexValues(fr, codes, types)
		v := x(fr)
		a := v.arr
		sel := at.resolve(a, ix)
		r := fr.m.allocRaw(e, t.Elem, sel.shape...)
		if r.Len() > 0 {
			switch r.Elem {
			case array.Bool:
				pick(r.Bools, a.Bools, sel)
			case array.Int:
				pick(r.Ints, a.Ints, sel)
			case array.Double:
				pick(r.Doubles, a.Doubles, sel)
			case array.Complex:
				pick(r.Complexes, a.Complexes, sel)
			case array.Char:
				pick(r.Chars, a.Chars, sel)
			}
		}
		fr.m.pool.give(v)
		return unbox(r)
	}
}

// ofIota is the index of an element of 1 2 …, which are not made.
func (s *site) ofIota(count, index code, iota *tail.Apply) code {
	return func(fr *frame) value {
		k := index(fr)
		n, i := fromBits[int64](count(fr).word), fromBits[int64](k.word)
		switch {
		case n < 0:
			raise(iota, tail.FaultNegative, n)
		case uint64(i-1) >= uint64(n):
			raise(s.Apply, tail.FaultIndex, i, int(n), 1)
		}
		return k
	}
}

func pick[T any](dst, src []T, sel selection) {
	sel.each(func(base int, row []int, at int) {
		if sel.inner > 1 {
			for i, o := range row {
				copy(dst[at+i*sel.inner:at+(i+1)*sel.inner], src[base+o:])
			}
			return
		}
		z := dst[at : at+len(row)]
		for i, o := range row {
			z[i] = src[base+o]
		}
	})
}

func (s *scope) update(e *tail.Apply) code {
	last, uses := len(e.Args)-1, s.uses(e.Args)
	x := s.expr(e.Args[0], useKept)
	codes, types, scalars := s.indexArgs(e.Args[1:last], uses[1:])
	val, tv := s.expr(e.Args[last], uses[last]), tail.TypeOf(e.Args[last])
	at := &site{e, s.m}
	one := scalars && isScalar(tv) && len(codes) == tail.TypeOf(e.Args[0]).Dims()
	return func(fr *frame) value {
		v := val(fr)
		if one {
			var buf [8]int64
			ks := scalarIndices(fr, codes, &buf)
			a := x(fr)
			i := at.element(fr, a.arr, ks)
			a = writable(fr, e, a)
			putBits(a.arr, i, v.word)
			return a
		}
		ix := indexValues(fr, codes, types)
		a := x(fr)
		sel := at.resolve(a.arr, ix)
		if v.arr != nil && !fits(sel.shape, v.arr.Shape) {
			raise(e, tail.FaultUpdate, sel.shape, v.arr.Shape)
		}
		a = writable(fr, e, a)
		if array.Count(sel.shape) == 0 {
			return a
		}
		if v.arr == nil {
			scatterOne(a.arr, v.word, sel)
		} else {
			scatter(a.arr, v.arr, sel)
		}
		return a
	}
}

// writable returns v if nobody else sees it, else a copy.
func writable(fr *frame, e *tail.Apply, v value) value {
	if v.owned() && !fr.m.env.Plain {
		return v
	}
	r := fr.m.allocRaw(e, v.arr.Elem, v.arr.Shape...)
	copyElems(r, 0, v.arr, 0, r.Len())
	return value{arr: r}
}

// fits reports whether a value may be assigned to a selection: the shapes are
// the same but for axes of 1.
func fits(sel, val []int) bool {
	one := func(n int) bool { return n == 1 }
	return slices.Equal(sel, val) || slices.Equal(slices.DeleteFunc(slices.Clone(sel), one), slices.DeleteFunc(slices.Clone(val), one))
}

func scatter(dst, src *array.Array, sel selection) {
	switch dst.Elem {
	case array.Bool:
		put(dst.Bools, src.Bools, sel)
	case array.Int:
		put(dst.Ints, src.Ints, sel)
	case array.Double:
		put(dst.Doubles, src.Doubles, sel)
	case array.Complex:
		put(dst.Complexes, src.Complexes, sel)
	case array.Char:
		put(dst.Chars, src.Chars, sel)
	}
}

func put[T any](dst, src []T, sel selection) {
	sel.each(func(base int, row []int, at int) {
		if sel.inner == 1 {
			for i, o := range row {
				dst[base+o] = src[at+i]
			}
			return
		}
		for i, o := range row {
			copy(dst[base+o:base+o+sel.inner], src[at+i*sel.inner:])
		}
	})
}

func scatterOne(dst *array.Array, bits word, sel selection) {
	switch dst.Elem {
	case array.Bool:
		putOne(dst.Bools, fromBits[byte](bits), sel)
	case array.Int:
		putOne(dst.Ints, fromBits[int64](bits), sel)
	case array.Double:
		putOne(dst.Doubles, fromBits[float64](bits), sel)
	case array.Complex:
		putOne(dst.Complexes, fromBits[complex128](bits), sel)
	case array.Char:
		putOne(dst.Chars, fromBits[rune](bits), sel)
	}
}

func putOne[T any](dst []T, v T, sel selection) {
	sel.each(func(base int, row []int, _ int) {
		for _, o := range row {
			fillSlice(dst[base+o:base+o+sel.inner], v)
		}
	})
}
