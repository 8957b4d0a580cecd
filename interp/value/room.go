package value

import "sync/atomic"

// Arrays that grow by a major cell at a time, as the results of ⊃{⍵,⍺}/v and ⊃{⍺,⍵}/v and the
// argument of (⍵,x)∇y do, have room beside their elements, which the next one uses, so that
// n of them take time that is linear in n. A catenation to the result of one gets the room;
// another one to the same vector copies it:
//
//	b←a,1    the elements of a and b are in one buffer
//	c←a,2    a copy, for the place behind a is taken
//
// Nobody sees the elements beside those of an array, and only those of an array that is
// Sole are changed, which has a buffer of its own.

// room is a buffer of which arrays share parts.
type room struct {
	buffer any // a slice; nil at first
	// Elements are stored from first on, and before last.
	first, last atomic.Int64
}

// minRoom is the number of elements from which arrays have room.
const minRoom = 32

// grown returns the elements of x and of y, where the longer one is the result
// of a catenation and may hold those of the other; else nil.
func grown(shape []int, x, y *Array) *Array {
	long, short, behind := x, y, true
	if y.Len() > x.Len() {
		long, short, behind = y, x, false
	}
	if long.room == nil || short.Len() == 0 {
		return nil
	}
	a := &Array{Kind: long.Kind, Shape: shape}
	switch {
	case a.Kind == Bool && short.Kind == Bool:
		a.Bools, a.room = beside(long.Bools, short.Bools, long.room, behind)
	case a.Kind == Int && short.Kind <= Int:
		a.Ints, a.room = beside(long.Ints, short.AsInts(), long.room, behind)
	case a.Kind == Double && short.Kind <= Double:
		a.Doubles, a.room = beside(long.Doubles, short.AsDoubles(), long.room, behind)
	case a.Kind == Char && short.Kind == Char:
		a.Chars, a.room = beside(long.Chars, short.Chars, long.room, behind)
	case a.Kind == Mixed:
		a.Items, a.room = beside(long.Items, short.AllItems(), long.room, behind)
	default:
		return nil
	}
	return a
}

// beside returns the elements of x with those of y behind or before them, in the room
// beside x where that is free.
func beside[T any](x, y []T, r *room, behind bool) ([]T, *room) {
	n, m := len(x), len(y)
	if buffer, ok := r.buffer.([]T); ok {
		last, first := int(r.last.Load()), int(r.first.Load())
		switch {
		case behind && last >= n && last+m <= len(buffer) && &buffer[last-n] == &x[0] && r.last.CompareAndSwap(int64(last), int64(last+m)):
			copy(buffer[last:], y)
			return buffer[last-n : last+m : last+m], r
		case !behind && first >= m && &buffer[first] == &x[0] && r.first.CompareAndSwap(int64(first), int64(first-m)):
			copy(buffer[first-m:], y)
			return buffer[first-m : first+n : first+n], r
		}
	}
	buffer, first := make([]T, 2*(n+m)), 0
	r = &room{buffer: buffer}
	if behind {
		copy(buffer, x)
		copy(buffer[n:], y)
	} else {
		first = n + m
		copy(buffer[first:], y)
		copy(buffer[first+m:], x)
	}
	r.first.Store(int64(first))
	r.last.Store(int64(first + n + m))
	return buffer[first : first+n+m : first+n+m], r
}

// roomy notes that an array was made by a catenation: the next one leaves room.
func (a *Array) roomy() *Array {
	if a.Len() >= minRoom {
		a.room = &room{}
	}
	return a
}
