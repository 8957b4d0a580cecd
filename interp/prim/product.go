package prim

import "math"

// MatrixProduct returns x+.×y of a matrix of rows rows and one of n rows. Each element
// is a chain of fused multiply-adds that begins with 0, in the order of the terms. Eight
// columns are computed at a time.
func MatrixProduct(x, y []float64, rows, n, columns int) []float64 {
	out := make([]float64, rows*columns)
	if n == 0 {
		return out
	}
	j := 0
	for ; j+eight <= columns; j += eight {
		for i := range rows {
			eightColumns((*[eight]float64)(out[i*columns+j:]), x[i*n:(i+1)*n], y[j:], columns)
		}
	}
	for ; j < columns; j++ {
		for i := range rows {
			sum := 0.0
			for k, a := range x[i*n : (i+1)*n] {
				sum = math.FMA(a, y[k*columns+j], sum)
			}
			out[i*columns+j] = sum
		}
	}
	return out
}

// eight is the number of columns that are computed at a time.
const eight = 8

// eightColumns is eight columns of a row of a product; rows of y begin columns apart.
// The sums are in memory: where a processor may have no fused multiply-add, Go keeps
// nothing in a register from one to the next.
func eightColumns(z *[eight]float64, x, y []float64, columns int) {
	at := 0
	for _, u := range x {
		w := (*[eight]float64)(y[at:])
		z[0] = math.FMA(u, w[0], z[0])
		z[1] = math.FMA(u, w[1], z[1])
		z[2] = math.FMA(u, w[2], z[2])
		z[3] = math.FMA(u, w[3], z[3])
		z[4] = math.FMA(u, w[4], z[4])
		z[5] = math.FMA(u, w[5], z[5])
		z[6] = math.FMA(u, w[6], z[6])
		z[7] = math.FMA(u, w[7], z[7])
		at += columns
	}
}

// IntProduct is MatrixProduct of ints, without a test for overflow.
func IntProduct(x, y []int64, rows, n, columns int) []int64 {
	out := make([]int64, rows*columns)
	for i := range rows {
		row := out[i*columns : (i+1)*columns]
		if columns == 1 {
			row[0] = dot(x[i*n:(i+1)*n], y)
			continue
		}
		for k, a := range x[i*n : (i+1)*n] {
			if a == 0 {
				continue
			}
			for j, b := range y[k*columns : (k+1)*columns] {
				row[j] += a * b
			}
		}
	}
	return out
}

// dot returns the sum of the products of elements.
func dot(x, y []int64) int64 {
	var a, b, c, d int64
	for ; len(x) >= 4 && len(y) >= 4; x, y = x[4:], y[4:] {
		u, v := (*[4]int64)(x), (*[4]int64)(y)
		a += u[0] * v[0]
		b += u[1] * v[1]
		c += u[2] * v[2]
		d += u[3] * v[3]
	}
	for i, k := range x {
		a += k * y[i]
	}
	return a + b + c + d
}

// Magnitude returns the greatest magnitude of ints, as a double.
func Magnitude(v []int64) float64 {
	if len(v) == 0 {
		return 0
	}
	return max(math.Abs(float64(leastOf(v))), math.Abs(float64(greatestOf(v))))
}
