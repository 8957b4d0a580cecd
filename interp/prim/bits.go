package prim

import (
	"bytes"
	"encoding/binary"
)

// Truth values are bytes 0 and 1. Functions of two of them take words of eight bytes.

// eachOne is a word of eight truth values 1.
const eachOne = 0x0101010101010101

// stretch is the number of truth values that one step of a loop takes: four words.
const stretch = 32

func word(v *[stretch]byte, at int) uint64 { return binary.LittleEndian.Uint64(v[at : at+8]) }

func setWord(v *[stretch]byte, at int, w uint64) { binary.LittleEndian.PutUint64(v[at:at+8], w) }

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
// gives them. In its polynomial none + p×x + q×y + r×x×y, sums are modulo 2.
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
	for len(out) >= stretch && len(x) >= stretch {
		z, a := (*[stretch]byte)(out), (*[stretch]byte)(x)
		setWord(z, 0, word(a, 0)&w^f)
		setWord(z, 8, word(a, 8)&w^f)
		setWord(z, 16, word(a, 16)&w^f)
		setWord(z, 24, word(a, 24)&w^f)
		out, x = out[stretch:], x[stretch:]
	}
	for i := range out {
		out[i] = x[i]&with ^ flip
	}
}

// polynomial sets out to c + p×x + q×y + r×x×y, modulo 2.
func polynomial(out, x, y []byte, c, p, q, r byte) {
	cs, ps, qs, rs := eachOne*uint64(c), eachOne*uint64(p), eachOne*uint64(q), eachOne*uint64(r)
	f := func(a, b uint64) uint64 { return cs ^ ps&a ^ (qs^rs&a)&b }
	for len(out) >= stretch && len(x) >= stretch && len(y) >= stretch {
		z, a, b := (*[stretch]byte)(out), (*[stretch]byte)(x), (*[stretch]byte)(y)
		setWord(z, 0, f(word(a, 0), word(b, 0)))
		setWord(z, 8, f(word(a, 8), word(b, 8)))
		setWord(z, 16, f(word(a, 16), word(b, 16)))
		setWord(z, 24, f(word(a, 24), word(b, 24)))
		out, x, y = out[stretch:], x[stretch:], y[stretch:]
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
