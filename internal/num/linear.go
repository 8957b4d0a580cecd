package num

import "math"

// epsilon is the distance from 1 to the next double.
const epsilon = 0x1p-52

// negligible reports whether rounding alone can have made a pivot.
func negligible(pivot, scale float64, n int) bool {
	return !(math.Abs(pivot) > epsilon*float64(n)*scale)
}

// subtract does y -= s×x.
func subtract(y []float64, s float64, x []float64) {
	for i := range y {
		y[i] -= float64(s * x[i])
	}
}

func dot(x, y []float64) float64 {
	s := 0.0
	for i := range x {
		s += float64(x[i] * y[i])
	}
	return s
}

// Solve is b⌹a: it returns the solution x, columns×nb, of a×x=b, in the sense
// of least squares where the rows×columns matrix a is taller than wide; b is
// rows×nb. All are in row-major order. It returns false where a is singular or
// wider than tall. Square systems are solved by elimination with row
// exchanges, tall ones by Householder's method.
func Solve(b []float64, nb int, a []float64, rows, columns int) ([]float64, bool) {
	switch {
	case rows < columns:
		return nil, false
	case rows == columns:
		x := append([]float64{}, b...)
		return x, solveSquare(append([]float64{}, a...), x, rows, nb)
	}
	return solveTall(transposed(a, rows, columns), transposed(b, rows, nb), rows, columns, nb)
}

// Inverse is ⌹a, columns×rows: the inverse of a square matrix, the left
// inverse of a tall one.
func Inverse(a []float64, rows, columns int) ([]float64, bool) {
	unit := make([]float64, rows*rows)
	for i := 0; i < rows; i++ {
		unit[i*rows+i] = 1
	}
	return Solve(unit, rows, a, rows, columns)
}

func transposed(a []float64, rows, columns int) []float64 {
	t := make([]float64, len(a))
	for i := 0; i < rows; i++ {
		for j := 0; j < columns; j++ {
			t[j*rows+i] = a[i*columns+j]
		}
	}
	return t
}

// solveSquare destroys w and makes y, n×m, the solution. The matrix is
// singular where a pivot is negligible against its column.
func solveSquare(w, y []float64, n, m int) bool {
	scale := make([]float64, n)
	for i, x := range w {
		scale[i%n] = larger(scale[i%n], math.Abs(x))
	}
	if !eliminate(w, y, n, m) {
		return false
	}
	for k := 0; k < n; k++ {
		if negligible(w[k*n+k], scale[k], n) {
			return false
		}
	}
	return true
}

// eliminate is Gaussian elimination with row exchanges; it leaves the pivots
// on w's diagonal.
func eliminate(w, y []float64, n, m int) bool {
	row := func(v []float64, i, n int) []float64 { return v[i*n : (i+1)*n] }
	for k := 0; k < n; k++ {
		best := k
		for i := k + 1; i < n; i++ {
			if math.Abs(w[i*n+k]) > math.Abs(w[best*n+k]) {
				best = i
			}
		}
		if w[best*n+k] == 0 {
			return false
		}
		if best != k {
			swap(row(w, k, n), row(w, best, n))
			swap(row(y, k, m), row(y, best, m))
		}
		for i := k + 1; i < n; i++ {
			f := w[i*n+k] / w[k*n+k]
			if f == 0 {
				continue
			}
			subtract(row(w, i, n)[k:], f, row(w, k, n)[k:])
			subtract(row(y, i, m), f, row(y, k, m))
		}
	}
	for k := n - 1; k >= 0; k-- {
		for j := k + 1; j < n; j++ {
			subtract(row(y, k, m), w[k*n+j], row(y, j, m))
		}
		for j := range row(y, k, m) {
			y[k*m+j] /= w[k*n+k]
		}
	}
	return true
}

func swap(a, b []float64) {
	for i := range a {
		a[i], b[i] = b[i], a[i]
	}
}

// solveTall is Householder's method; w and y hold columns of length rows.
func solveTall(w, y []float64, rows, columns, m int) ([]float64, bool) {
	x, diagonal := make([]float64, columns*m), make([]float64, columns)
	column := func(v []float64, j int) []float64 { return v[j*rows : (j+1)*rows] }
	for k := 0; k < columns; k++ {
		c := column(w, k)
		v := c[k:]
		norm := math.Sqrt(dot(v, v))
		if negligible(norm, math.Sqrt(dot(c, c)), rows) {
			return nil, false
		}
		diagonal[k] = norm
		if v[0] > 0 {
			diagonal[k] = -norm
		}
		beta := 1 / (norm * (norm + math.Abs(v[0])))
		v[0] -= diagonal[k]
		for j := k + 1; j < columns; j++ {
			u := column(w, j)[k:]
			subtract(u, beta*dot(v, u), v)
		}
		for j := 0; j < m; j++ {
			u := column(y, j)[k:]
			subtract(u, beta*dot(v, u), v)
		}
	}
	for j := 0; j < m; j++ {
		for k := columns - 1; k >= 0; k-- {
			s := y[j*rows+k]
			for i := k + 1; i < columns; i++ {
				s -= float64(w[i*rows+k] * x[i*m+j])
			}
			x[k*m+j] = s / diagonal[k]
		}
	}
	return x, true
}
