package prim

import (
	"encoding/binary"

	"github.com/tailor-lang/tailor/interp/value"
)

// EqualTable returns x∘.=y or x∘.≠y of ints, or of characters, that lie within a span
// of 256, eight at a time; nil for others.
func EqualTable(glyph string, x, y *V, shape []int) *V {
	if glyph != "=" && glyph != "≠" || x.Kind != y.Kind || x.Len()*y.Len() == 0 {
		return nil
	}
	var xs, ys []byte
	switch x.Kind {
	case value.Int:
		xs, ys = narrowed(x.Ints, y.Ints)
	case value.Char:
		xs, ys = narrowed(x.Chars, y.Chars)
	}
	if xs == nil {
		return nil
	}
	out := make([]byte, len(xs)*len(ys))
	flip := uint64(0)
	if glyph == "≠" {
		flip = eachByte
	}
	for i, b := range xs {
		equalBytes(out[i*len(ys):(i+1)*len(ys)], ys, b, flip)
	}
	return &V{Kind: value.Bool, Shape: shape, Bools: out}
}

// narrowed returns the distances of elements from the least of all; nil if one is more
// than 255.
func narrowed[T int64 | rune](x, y []T) (xs, ys []byte) {
	lo, hi := x[0], x[0]
	for _, v := range [][]T{x, y} {
		for _, k := range v {
			lo, hi = min(lo, k), max(hi, k)
		}
	}
	if uint64(hi)-uint64(lo) > 255 {
		return nil, nil
	}
	xs, ys = make([]byte, len(x)), make([]byte, len(y))
	for i, k := range x {
		xs[i] = byte(k - lo)
	}
	for i, k := range y {
		ys[i] = byte(k - lo)
	}
	return xs, ys
}

const (
	eachByte = 0x0101010101010101
	lowBits  = 0x7f * eachByte
)

// equalBytes tells which bytes of v are b; flip is eachByte for those that are not. The
// sum has the high bit of each byte that is not 0 below it, without a carry.
func equalBytes(out, v []byte, b byte, flip uint64) {
	all := uint64(b) * eachByte
	for len(v) >= 8 {
		z := binary.LittleEndian.Uint64(v) ^ all
		differs := (z&lowBits + lowBits | z) >> 7 & eachByte
		binary.LittleEndian.PutUint64(out, differs^eachByte^flip)
		v, out = v[8:], out[8:]
	}
	for i, k := range v {
		out[i] = truth(k == b) ^ byte(flip)
	}
}
