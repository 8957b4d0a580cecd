package eval

import "github.com/tailor-lang/tailor/array"

// The one primitive of structural ops: copying a box of elements between two
// arrays, with any strides (0 and negative ones included).

// strides returns the distances between neighbours on each axis of a ravel.
func strides(shape []int) []int {
	s, n := make([]int, len(shape)), 1
	for i := len(shape) - 1; i >= 0; i-- {
		s[i] = n
		n *= shape[i]
	}
	return s
}

// copyElems copies n elements of src from j on to dst from i on.
func copyElems(dst *array.Array, i int, src *array.Array, j, n int) {
	switch dst.Elem {
	case array.Bool:
		copy(dst.Bools[i:i+n], src.Bools[j:j+n])
	case array.Int:
		copy(dst.Ints[i:i+n], src.Ints[j:j+n])
	case array.Double:
		copy(dst.Doubles[i:i+n], src.Doubles[j:j+n])
	case array.Complex:
		copy(dst.Complexes[i:i+n], src.Complexes[j:j+n])
	case array.Char:
		copy(dst.Chars[i:i+n], src.Chars[j:j+n])
	}
}

// copyArray returns a copy of an array.
func copyArray(a *array.Array) *array.Array {
	c := array.New(a.Elem, a.Shape...)
	copyElems(c, 0, a, 0, a.Len())
	return c
}

// copyStrided copies the elements src[j + Σ kₐ×sⱼₐ] to dst[i + Σ kₐ×sᵢₐ] for
// all k within shape.
func copyStrided(dst *array.Array, i int, di []int, src *array.Array, j int, dj []int, shape []int) {
	if array.Count(shape) == 0 {
		return
	}
	switch dst.Elem {
	case array.Bool:
		copyBox(dst.Bools, i, di, src.Bools, j, dj, shape)
	case array.Int:
		copyBox(dst.Ints, i, di, src.Ints, j, dj, shape)
	case array.Double:
		copyBox(dst.Doubles, i, di, src.Doubles, j, dj, shape)
	case array.Complex:
		copyBox(dst.Complexes, i, di, src.Complexes, j, dj, shape)
	case array.Char:
		copyBox(dst.Chars, i, di, src.Chars, j, dj, shape)
	}
}

func copyBox[T any](dst []T, i int, di []int, src []T, j int, dj []int, shape []int) {
	// Axes that run on in both arrays are one axis.
	for r := len(shape); r > 1 && di[r-2] == di[r-1]*shape[r-1] && dj[r-2] == dj[r-1]*shape[r-1]; r = len(shape) {
		shape = append(append([]int{}, shape[:r-2]...), shape[r-2]*shape[r-1])
		di = append(append([]int{}, di[:r-2]...), di[r-1])
		dj = append(append([]int{}, dj[:r-2]...), dj[r-1])
	}
	switch len(shape) {
	case 0:
		dst[i] = src[j]
	case 1:
		copyRow(dst, i, di[0], src, j, dj[0], shape[0])
	case 2:
		copyPlane(dst, i, di, src, j, dj, shape)
	default:
		for k := range shape[0] {
			copyBox(dst, i+k*di[0], di[1:], src, j+k*dj[0], dj[1:], shape[1:])
		}
	}
}

// tile is the side of the squares in which planes are copied whose rows lie
// in one array and columns in the other.
const tile = 32

func copyPlane[T any](dst []T, i int, di []int, src []T, j int, dj []int, shape []int) {
	if dj[1] == 1 || di[1] == 1 && dj[1] == -1 || shape[0] < tile || shape[1] < tile {
		for k := range shape[0] {
			copyRow(dst, i+k*di[0], di[1], src, j+k*dj[0], dj[1], shape[1])
		}
		return
	}
	for c := 0; c < shape[1]; c += tile {
		n := min(tile, shape[1]-c)
		for k := range shape[0] {
			copyRow(dst, i+k*di[0]+c*di[1], di[1], src, j+k*dj[0]+c*dj[1], dj[1], n)
		}
	}
}

func copyRow[T any](dst []T, i, di int, src []T, j, dj, n int) {
	switch {
	case di == 1 && dj == 1:
		copy(dst[i:i+n], src[j:j+n])
	case di == 1 && dj == -1:
		d, s := dst[i:i+n], src[j-n+1:j+1]
		for k := range d {
			d[k] = s[n-1-k]
		}
	case di == 1:
		d := dst[i : i+n]
		for k := range d {
			d[k] = src[j]
			j += dj
		}
	default:
		for range n {
			dst[i] = src[j]
			i += di
			j += dj
		}
	}
}
