package tail

import (
	"math"

	"github.com/tailor-lang/tailor/array"
)

// matinv and matdiv, by Householder's QR decomposition.

var matrixOps = map[Op]builtin{
	OpMatInv: {run: matInv},
	OpMatDiv: {run: matDiv},
}

// qr is a matrix of rows × cols, rows ≥ cols, in decomposition: the part above
// the diagonal is R's; below lie the reflections' vectors.
type qr struct {
	a          []float64 // row-major
	rows, cols int
	diag       []float64 // of R
	lead       []float64 // the reflections' vectors' first elements
}

// decompose returns the decomposition of a; false where a is singular, that
// is, a diagonal element of R is nothing beside its column.
func decompose(x *array.Array) (*qr, bool) {
	q := &qr{append([]float64{}, x.Doubles...), x.Shape[0], x.Shape[1], nil, nil}
	if q.rows < q.cols {
		return nil, false
	}
	q.diag, q.lead = make([]float64, q.cols), make([]float64, q.cols)
	for j := range q.cols {
		size := q.norm(j, 0)
		alpha := q.norm(j, j)
		if !(alpha > size*float64(q.rows)*0x1p-52) {
			return nil, false
		}
		if q.a[j*q.cols+j] > 0 {
			alpha = -alpha
		}
		q.diag[j] = alpha
		q.lead[j] = q.a[j*q.cols+j] - alpha
		for k := j + 1; k < q.cols; k++ {
			q.reflect(j, q.a, q.cols, k)
		}
	}
	return q, true
}

// norm returns the length of column j from a row on.
func (q *qr) norm(j, from int) float64 {
	n := 0.0
	for i := from; i < q.rows; i++ {
		n = math.Hypot(n, q.a[i*q.cols+j])
	}
	return n
}

// reflect applies reflection j to column k of the matrix b with cols columns.
func (q *qr) reflect(j int, b []float64, cols, k int) {
	dot := q.lead[j] * b[j*cols+k]
	for i := j + 1; i < q.rows; i++ {
		dot += q.a[i*q.cols+j] * b[i*cols+k]
	}
	f := dot / (q.diag[j] * q.lead[j]) // of the vector v: -2/(v·v) × dot
	b[j*cols+k] += f * q.lead[j]
	for i := j + 1; i < q.rows; i++ {
		b[i*cols+k] += f * q.a[i*q.cols+j]
	}
}

// solve returns the cols × n solution for the rows × n matrix b, which it
// overwrites.
func (q *qr) solve(b []float64, n int) []float64 {
	x := make([]float64, q.cols*n)
	for k := range n {
		for j := range q.cols {
			q.reflect(j, b, n, k)
		}
		for i := q.cols - 1; i >= 0; i-- {
			v := b[i*n+k]
			for j := i + 1; j < q.cols; j++ {
				v -= q.a[i*q.cols+j] * x[j*n+k]
			}
			x[i*n+k] = v / q.diag[i]
		}
	}
	return x
}

func matInv(s *site, a []*array.Array) *array.Array {
	x := a[0]
	q, ok := decompose(x)
	if !ok {
		raise(s.Apply, FaultSingular)
	}
	n := x.Shape[0]
	one := s.m.alloc(s.Apply, array.Double, n, n).Doubles
	for i := range n {
		one[i*n+i] = 1
	}
	return &array.Array{Elem: array.Double, Shape: []int{x.Shape[1], n}, Doubles: q.solve(one, n)}
}

func matDiv(s *site, a []*array.Array) *array.Array {
	b, x := a[0], a[1]
	if tally(b) != x.Shape[0] {
		raise(s.Apply, FaultShapes, b.Shape, x.Shape, 1)
	}
	q, ok := decompose(x)
	if !ok {
		raise(s.Apply, FaultSingular)
	}
	n, shape := 1, []int{}
	if len(b.Shape) > 0 {
		n = array.Count(b.Shape[1:])
		shape = append([]int{x.Shape[1]}, b.Shape[1:]...)
	}
	z := q.solve(append([]float64{}, b.Doubles...), n)
	return &array.Array{Elem: array.Double, Shape: shape, Doubles: z}
}
