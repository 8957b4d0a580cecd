package tail

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
)

// encode and decode.

var radixOps = map[Op]builtin{
	OpEncode: {run: encode},
	OpDecode: {run: decode},
}

// encode gives, for each vector of radices along the first axis of a[0] and
// each element of a[1], its digits. A radix of 0 takes all that is left.
func encode(s *site, a []*array.Array) *array.Array {
	x, y := a[0], a[1]
	r := s.m.alloc(s.Apply, s.Ty.(*Array).Elem, slices.Concat(x.Shape, y.Shape)...)
	n, count := tally(x), y.Len()
	if r.Len() == 0 {
		return r
	}
	systems := x.Len() / n
	for k := range systems {
		for j := range count {
			at, step := k*count+j, systems*count
			if r.Elem == array.Double {
				s.digitsD(r, at, step, x, k, systems, n, y.Double(j))
			} else {
				digitsI(r, at, step, x, k, systems, n, y.Int(j))
			}
		}
	}
	return r
}

// digitsI puts the digits of v, from the last, to at + i×step; the radices are
// at k + i×systems.
func digitsI(r *array.Array, at, step int, x *array.Array, k, systems, n int, v int64) {
	for i := n - 1; i >= 0; i-- {
		radix := x.Int(k + i*systems)
		digit := num.ResidueInt(radix, v)
		putInt(r, at+i*step, digit)
		if radix == 0 {
			v = 0
		} else {
			v = (v - digit) / radix
		}
	}
}

// putInt stores an int, in a bool array 0 or 1.
func putInt(r *array.Array, i int, v int64) {
	if r.Elem == array.Bool {
		r.Bools[i] = byte(v)
		return
	}
	r.Ints[i] = v
}

func (s *site) digitsD(r *array.Array, at, step int, x *array.Array, k, systems, n int, v float64) {
	for i := n - 1; i >= 0; i-- {
		radix := x.Double(k + i*systems)
		digit := num.Residue(radix, v, s.m.ct)
		r.Doubles[at+i*step] = digit
		if radix == 0 {
			v = 0
		} else {
			v = (v - digit) / radix
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
		raise(s.Apply, FaultDecode, x.Shape, y.Shape)
	}
	r := s.m.alloc(s.Apply, s.Ty.(*Array).Elem, slices.Concat(rows, cols)...)
	h := horner{s, x, y, nx, ny, max(nx, ny), array.Count(cols)}
	if nx == 0 || ny == 0 {
		h.n = 0
	}
	for i := range array.Count(rows) {
		for j := range h.cols {
			if r.Elem == array.Double {
				r.Doubles[i*h.cols+j] = h.valueD(i, j)
			} else {
				putInt(r, i*h.cols+j, h.valueI(i, j))
			}
		}
	}
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
	z := int64(0)
	for k := range h.n {
		radix, digit := h.at(i, j, k)
		if k > 0 {
			z = mulI(h.site, z, h.x.Int(radix))
		}
		z = addI(h.site, z, h.y.Int(digit))
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
