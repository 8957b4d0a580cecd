package prim

import (
	"bytes"
	"encoding/binary"
)

// Truth values are bytes 0 and 1. Functions of two of them take words of eight bytes.

// eachOne is a word of eight truth values 1.
const eachOne = 0x0101010101010101

// foldBits reduces a row of truth values by an associative function.
var foldBits = map[string]func(row []byte) byte{
	"∧": allOnes, "×": allOnes, "⌊": allOnes,
	"∨": anyOne, "⌈": anyOne,
	"≠": parity, "=": evenZeros,
}

func allOnes(row []byte) byte { return truth(bytes.IndexByte(row, 0) < 0) }
func anyOne(row []byte) byte  { return truth(bytes.IndexByte(row, 1) >= 0) }
func parity(row []byte) byte  { return byte(countOnes(row) & 1) }

// evenZeros is =/: each zero turns the result.
func evenZeros(row []byte) byte { return 1 ^ byte((len(row)-countOnes(row))&1) }

func countOnes(row []byte) int { return bytes.Count(row, []byte{1}) }

// truthTable is a function of two truth values, by its results.
type truthTable struct{ none, left, right, both byte }

// bitwise are the functions that give truth values of truth values, but for the
// comparisons.
var bitwise = map[string]truthTable{
	"∧": {0, 0, 0, 1}, "×": {0, 0, 0, 1}, "⌊": {0, 0, 0, 1}, "⍲": {1, 1, 1, 0},
	"∨": {0, 1, 1, 1}, "⌈": {0, 1, 1, 1}, "⍱": {1, 0, 0, 0},
}

// apply applies the function to elements of x and y that lie sx and sy apart, as fit
// gives them. In its
// polynomial none + p×x + q×y + r×x×y, sums are modulo 2.
func (t truthTable) apply(x, y []byte, sx, sy int, out []byte) {
	p, q := t.none^t.left, t.none^t.right
	r := t.both ^ t.none ^ p ^ q
	switch {
	case len(out) == 0:
	case sx == 0:
		turned(out, y, q^r&x[0], t.none^p&x[0])
	case sy == 0:
		turned(out, x, p^r&y[0], t.none^q&y[0])
	default:
		polynomial(out, x, y, t.none, p, q, r)
	}
}

// turned sets out to the truth values of x, where with is 1, and turns all of them
// where flip is 1.
func turned(out, x []byte, with, flip byte) {
	w, f := eachOne*uint64(with), eachOne*uint64(flip)
	for len(out) >= 8 && len(x) >= 8 {
		binary.LittleEndian.PutUint64(out, binary.LittleEndian.Uint64(x)&w^f)
		out, x = out[8:], x[8:]
	}
	for i := range out {
		out[i] = x[i]&with ^ flip
	}
}

// polynomial sets out to c + p×x + q×y + r×x×y, modulo 2.
func polynomial(out, x, y []byte, c, p, q, r byte) {
	cs, ps, qs, rs := eachOne*uint64(c), eachOne*uint64(p), eachOne*uint64(q), eachOne*uint64(r)
	for len(out) >= 8 && len(x) >= 8 && len(y) >= 8 {
		a, b := binary.LittleEndian.Uint64(x), binary.LittleEndian.Uint64(y)
		binary.LittleEndian.PutUint64(out, cs^ps&a^qs&b^rs&a&b)
		out, x, y = out[8:], x[8:], y[8:]
	}
	for i := range out {
		out[i] = c ^ p&x[i] ^ q&y[i] ^ r&x[i]&y[i]
	}
}

// scanParity is ≠\ of a row: the exclusive or of each byte of a word and those before
// it, and of the last one of the word before.
func scanParity(out, row []byte) {
	var last uint64
	for len(out) >= 8 && len(row) >= 8 {
		w := binary.LittleEndian.Uint64(row)
		w ^= w << 8
		w ^= w << 16
		w ^= w<<32 ^ last
		binary.LittleEndian.PutUint64(out, w)
		last = w >> 56 * eachOne
		out, row = out[8:], row[8:]
	}
	sum := byte(last & 1)
	for i, b := range row {
		sum ^= b
		out[i] = sum
	}
}
