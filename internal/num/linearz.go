package num

import (
	"math"
	"math/cmplx"
)

// Linear equations with complex coefficients; the methods are those of Solve.

// SolveZ is Solve for complex numbers.
func SolveZ(b []complex128, nb int, a []complex128, rows, columns int) ([]complex128, bool) {
	switch {
	case rows < columns:
		return nil, false
	case rows == columns:
		x := append([]complex128{}, b...)
		return x, solveSquareZ(append([]complex128{}, a...), x, rows, nb)
	}
	return solveTallZ(transposedZ(a, rows, columns), transposedZ(b, rows, nb), rows, columns, nb)
}

// InverseZ is Inverse for complex numbers.
func InverseZ(a []complex128, rows, columns int) ([]complex128, bool) {
	unit := make([]complex128, rows*rows)
	for i := 0; i < rows; i++ {
		unit[i*rows+i] = 1
	}
	return SolveZ(unit, rows, a, rows, columns)
}

func transposedZ(a []complex128, rows, columns int) []complex128 {
	t := make([]complex128, len(a))
	for i := 0; i < rows; i++ {
		for j := 0; j < columns; j++ {
			t[j*rows+i] = a[i*columns+j]
		}
	}
	return t
}

func subtractZ(y []complex128, s complex128, x []complex128) {
	for i := range y {
		y[i] -= MulZ(s, x[i])
	}
}

// dotZ is the inner product (+x)+.×y.
func dotZ(x, y []complex128) complex128 {
	s := complex128(0)
	for i := range x {
		s += MulZ(cmplx.Conj(x[i]), y[i])
	}
	return s
}

// sizeZ is what pivots are chosen by, as in LAPACK.
func sizeZ(x complex128) float64 { return math.Abs(real(x)) + math.Abs(imag(x)) }

func quotientZ(x, y complex128) complex128 { z, _ := DivideZ(x, y); return z }

func solveSquareZ(w, y []complex128, n, m int) bool {
	scale := make([]float64, n)
	for i, x := range w {
		scale[i%n] = larger(scale[i%n], sizeZ(x))
	}
	if !eliminateZ(w, y, n, m) {
		return false
	}
	for k := 0; k < n; k++ {
		if negligible(sizeZ(w[k*n+k]), scale[k], n) {
			return false
		}
	}
	return true
}

func eliminateZ(w, y []complex128, n, m int) bool {
	row := func(v []complex128, i, n int) []complex128 { return v[i*n : (i+1)*n] }
	for k := 0; k < n; k++ {
		best := k
		for i := k + 1; i < n; i++ {
			if sizeZ(w[i*n+k]) > sizeZ(w[best*n+k]) {
				best = i
			}
		}
		if w[best*n+k] == 0 {
			return false
		}
		for i := range n {
			w[k*n+i], w[best*n+i] = w[best*n+i], w[k*n+i]
		}
		for i := range m {
			y[k*m+i], y[best*m+i] = y[best*m+i], y[k*m+i]
		}
		for i := k + 1; i < n; i++ {
			f := quotientZ(w[i*n+k], w[k*n+k])
			subtractZ(row(w, i, n)[k:], f, row(w, k, n)[k:])
			subtractZ(row(y, i, m), f, row(y, k, m))
		}
	}
	for k := n - 1; k >= 0; k-- {
		for j := k + 1; j < n; j++ {
			subtractZ(row(y, k, m), w[k*n+j], row(y, j, m))
		}
		for j := range m {
			y[k*m+j] = quotientZ(y[k*m+j], w[k*n+k])
		}
	}
	return true
}

// solveTallZ is Householder's method; w and y hold columns of length rows.
func solveTallZ(w, y []complex128, rows, columns, m int) ([]complex128, bool) {
	x, diagonal := make([]complex128, columns*m), make([]complex128, columns)
	column := func(v []complex128, j int) []complex128 { return v[j*rows : (j+1)*rows] }
	for k := 0; k < columns; k++ {
		c := column(w, k)
		v := c[k:]
		norm := math.Sqrt(real(dotZ(v, v)))
		if negligible(norm, math.Sqrt(real(dotZ(c, c))), rows) {
			return nil, false
		}
		size, unit := AbsZ(v[0]), complex128(1)
		if size != 0 {
			unit = complex(real(v[0])/size, imag(v[0])/size)
		}
		diagonal[k] = complex(-norm*real(unit), -norm*imag(unit))
		beta := 1 / (norm * (norm + size))
		v[0] -= diagonal[k]
		reflect := func(u []complex128) {
			d := dotZ(v, u)
			subtractZ(u, complex(beta*real(d), beta*imag(d)), v)
		}
		for j := k + 1; j < columns; j++ {
			reflect(column(w, j)[k:])
		}
		for j := 0; j < m; j++ {
			reflect(column(y, j)[k:])
		}
	}
	for j := 0; j < m; j++ {
		for k := columns - 1; k >= 0; k-- {
			s := y[j*rows+k]
			for i := k + 1; i < columns; i++ {
				s -= MulZ(w[i*rows+k], x[i*m+j])
			}
			x[k*m+j] = quotientZ(s, diagonal[k])
		}
	}
	return x, true
}
