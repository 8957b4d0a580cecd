package eval

import (
	"math"

	"github.com/tailor-lang/tailor/internal/num"
)

// Complex numbers in a lookup. Numbers that are equal with tolerance have
// magnitudes that are, and real parts that differ by little against them. So a
// number is kept in the cell that the bucket of its magnitude and the part of
// the bucket's range that its real part lies in make; what equals it lies in
// that cell or in one of the three beside it. Where comparison is exact there
// is a cell for each number.

// cellWidth is the width of the cells of real parts against magnitudes: more
// than twice the greatest comparison tolerance.
const cellWidth = 0x1p-28

// mix makes one key of two.
func mix(a, b uint64) uint64 { return (a^a>>29)*0x9E3779B97F4A7C15 ^ b }

// column returns the number of the cell of a real part among those of a bucket
// of magnitudes.
func (l *lookup) column(bucket uint64, re float64) int64 {
	width := math.Float64frombits(bucket<<l.shift) * cellWidth
	if c := re / width; math.Abs(c) < 0x1p62 {
		return int64(math.Floor(c))
	}
	return 0
}

func exactKeyZ(x complex128) uint64 { return mix(doubleBits(real(x)), doubleBits(imag(x))) }

// home returns the key of the cell that x is kept in.
func (l *lookup) home(x complex128) uint64 {
	if l.ct == 0 {
		return exactKeyZ(x)
	}
	bucket := doubleBits(num.AbsZ(x)) >> l.shift
	return mix(bucket, uint64(l.column(bucket, real(x))))
}

func (l *lookup) putComplex(i int) {
	x := l.values.Complexes[i]
	head := l.places.slot(l.home(x))
	for p := int(*head); p >= 0; p = l.next[p] {
		if l.values.Complexes[p] == x {
			return
		}
	}
	l.next[i] = int(*head)
	*head = int32(i)
}

// findComplex returns the place of the first value that equals x, or -1.
func (l *lookup) findComplex(x complex128) int {
	if l.ct == 0 {
		return l.inCell(exactKeyZ(x), x, -1)
	}
	r := num.AbsZ(x)
	size, near := doubleBits(r), l.near+4 // magnitudes are rounded
	delta := 2 * l.ct * r
	found := -1
	low, high := (size-min(size, near))>>l.shift, (size+near)>>l.shift
	for bucket := low; bucket <= high; bucket++ {
		left, right := l.column(bucket, real(x)-delta), l.column(bucket, real(x)+delta)
		for c := left; c <= right; c++ {
			found = l.inCell(mix(bucket, uint64(c)), x, found)
		}
	}
	return found
}

// inCell returns the first place in a cell whose value equals x, if that is
// before found or found is -1; else found.
func (l *lookup) inCell(key uint64, x complex128, found int) int {
	for p := l.places.find(key); p >= 0; p = l.next[p] {
		if (found < 0 || p < found) && num.EqualZ(l.values.Complexes[p], x, l.ct) {
			found = p
		}
	}
	return found
}
