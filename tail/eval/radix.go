package eval

import (
	"math/bits"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// encode and decode.

var radixOps = map[tail.Op]builtin{
	tail.OpEncode: {run: encode},
	tail.OpDecode: {run: decode},
}

// encode gives, for each vector of radices along the first axis of a[0] and
// each element of a[1], its digits. A radix of 0 takes all that is left.
func encode(s *site, a []*array.Array) *array.Array {
	x, y := a[0], a[1]
	r := s.m.allocRaw(s.Apply, s.Ty.(*tail.Array).Elem, s.m.concat(x.Shape, y.Shape)...)
	n, count := tally(x), y.Len()
	if r.Len() == 0 {
		return r
	}
	systems := x.Len() / n
	for k := range systems {
		for j := range count {
			at, step := k*count+j, systems*count
			if r.Elem == array.Complex {
				s.digitsZ(r.Complexes[at:], step, x.Complexes[k:], systems, n, y.Complexes[j])
			} else if r.Elem == array.Double {
				s.digitsD(r, at, step, x, k, systems, n, y.Double(j))
			} else if r.Elem == array.Int {
				digitsI(r.Ints[at:], step, x.Ints[k:], systems, n, y.Ints[j])
			} else {
				digitsB(r.Bools[at:], step, x.Bools[k:], systems, n, y.Bools[j])
			}
		}
	}
	s.checkFinite(r)
	return r
}

// digitsI puts the digits of v, from the last, step apart; the radices are
// systems apart.
func digitsI(r []int64, step int, radices []int64, systems, n int, v int64) {
	for i := n - 1; i >= 0; i-- {
		radix := radices[i*systems]
		switch {
		case radix > 0 && radix&(radix-1) == 0:
			r[i*step] = v & (radix - 1)
			v >>= bits.TrailingZeros64(uint64(radix))
		case radix == 0:
			r[i*step] = v
			v = 0
		default:
			r[i*step] = num.ResidueInt(radix, v)
			v = num.FloorQuotient(v, radix)
		}
	}
}

func digitsB(r []byte, step int, radices []byte, systems, n int, v byte) {
	for i := n - 1; i >= 0; i-- {
		if radices[i*systems] == 0 {
			r[i*step] = v
			v = 0
		} else {
			r[i*step] = 0 // modulo 1
		}
	}
}

func (s *site) digitsD(r *array.Array, at, step int, x *array.Array, k, systems, n int, v float64) {
	for i := n - 1; i >= 0; i-- {
		radix := x.Double(k + i*systems)
		digit := num.Residue(radix, v, s.m.match)
		r.Doubles[at+i*step] = digit
		if radix == 0 {
			v = 0
		} else {
			v = (v - digit) / radix
		}
	}
}

func (s *site) digitsZ(r []complex128, step int, radices []complex128, systems, n int, v complex128) {
	for i := n - 1; i >= 0; i-- {
		radix := radices[i*systems]
		digit := num.ResidueZ(radix, v, s.m.ct)
		r[i*step] = digit
		if radix == 0 {
			v = 0
		} else {
			v, _ = num.DivideZ(v-digit, radix)
		}
	}
}

// decode evaluates the digits along the first axis of a[1] in the number
// systems along the last axis of a[0]; an axis of 1, or a scalar, is extended.
func decode(s *site, a []*array.Array) *array.Array {
	x, y := a[0], a[1]
	nx, ny := 1, tally(y)
	var rows, cols []int
	if r := len(x.Shape); r > 0 {
		nx, rows = x.Shape[r-1], x.Shape[:r-1]
	}
	if len(y.Shape) > 0 {
		cols = y.Shape[1:]
	}
	if nx != ny && nx != 1 && ny != 1 {
		raise(s.Apply, tail.FaultDecode, x.Shape, y.Shape)
	}
	r := s.m.allocRaw(s.Apply, s.Ty.(*tail.Array).Elem, s.m.concat(rows, cols)...)
	if x.Elem == array.Bool {
		x, y = convertElem(x, array.Int), convertElem(y, array.Int)
	}
	h := horner{s, x, y, nx, ny, max(nx, ny), array.Count(cols)}
	if nx == 0 || ny == 0 {
		h.n = 0
	}
	for i := range array.Count(rows) {
		for j := range h.cols {
			if r.Elem == array.Complex {
				r.Complexes[i*h.cols+j] = h.valueZ(i, j)
			} else if r.Elem == array.Double {
				r.Doubles[i*h.cols+j] = h.valueD(i, j)
			} else {
				putInt(r, i*h.cols+j, h.valueI(i, j))
			}
		}
	}
	s.checkFinite(r)
	return r
}

// horner evaluates polynomials for decode.
type horner struct {
	*site
	x, y            *array.Array
	nx, ny, n, cols int
}

// at returns the places of radix and digit k for element [i;j].
func (h *horner) at(i, j, k int) (radix, digit int) {
	return i*h.nx + min(k, h.nx-1), min(k, h.ny-1)*h.cols + j
}

func (h *horner) valueI(i, j int) int64 {
	z, over := int64(0), false
	for k := range h.n {
		radix, digit := h.at(i, j, k)
		if k > 0 {
			p, ok := num.Mul(z, h.x.Ints[radix])
			over = over || !ok
			z = p
		}
		sum, ok := num.Add(z, h.y.Ints[digit])
		over = over || !ok
		z = sum
	}
	if over {
		h.overflow()
	}
	return z
}

func (h *horner) valueD(i, j int) float64 {
	z := 0.0
	for k := range h.n {
		radix, digit := h.at(i, j, k)
		if k > 0 {
			z *= h.x.Double(radix)
		}
		z += h.y.Double(digit)
	}
	return z
}

func (h *horner) valueZ(i, j int) complex128 {
	z := complex128(0)
	for k := range h.n {
		radix, digit := h.at(i, j, k)
		if k > 0 {
			z = num.MulZ(z, h.x.Complexes[radix])
		}
		z += h.y.Complexes[digit]
	}
	return z
}

// putInt stores an int; a bool array takes its last bit.
func putInt(r *array.Array, i int, v int64) {
	if r.Elem == array.Bool {
		r.Bools[i] = byte(v & 1)
		return
	}
	r.Ints[i] = v
}
