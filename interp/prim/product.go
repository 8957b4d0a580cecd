package prim

import (
	"math"

	"github.com/tailor-lang/tailor/internal/num"
)

// MatrixProduct returns x+.×y of a matrix of rows rows and one of n rows. Each element
// is a chain of fused multiply-adds that begins with 0, in the order of the terms. Eight
// columns are computed at a time.
func MatrixProduct(x, y []float64, rows, n, columns int) []float64 {
	out := make([]float64, rows*columns)
	if n == 0 {
		return out
	}
	j := 0
	if fused && rows > 1 {
		j = tiledProduct(out, x, y, rows, n, columns)
	}
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

const (
	// tileRows is the number of rows of a tile of sums.
	tileRows = 4
	// tileTerms is the number of terms whose part of y stays in the nearest cache.
	tileTerms = 256
)

// tiledProduct computes the product by tiles of sums in registers, all columns but the
// last few. It returns how many columns are done. What a tile reads of y is copied to
// follow itself.
func tiledProduct(out, x, y []float64, rows, n, columns int) int {
	panel := make([]float64, min(n, tileTerms)*eight)
	var last [tileRows * eight]float64
	j := 0
	for ; j+eight <= columns; j += eight {
		for k := 0; k < n; k += tileTerms {
			terms := min(tileTerms, n-k)
			for t := range terms {
				copy(panel[t*eight:(t+1)*eight], y[(k+t)*columns+j:])
			}
			i := 0
			for ; i+tileRows <= rows; i += tileRows {
				fmaTile(&out[i*columns+j], columns*8, &x[i*n+k], n*8, &panel[0], terms)
			}
			for ; i < rows; i++ { // one row four times
				row := out[i*columns+j : i*columns+j+eight]
				copy(last[:], row)
				fmaTile(&last[0], 0, &x[i*n+k], 0, &panel[0], terms)
				copy(row, last[:])
			}
		}
	}
	return j
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

// IntProduct is MatrixProduct of ints whose sums are less than 2*53 in magnitude:
// products of doubles are exact for them.
func IntProduct(x, y []int64, rows, n, columns int) []int64 {
	out := make([]int64, rows*columns)
	if fused && rows > 1 && columns >= eight {
		for i, r := range MatrixProduct(doubles(x), doubles(y), rows, n, columns) {
			out[i] = int64(r)
		}
		return out
	}
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

func doubles(v []int64) []float64 {
	out := make([]float64, len(v))
	for i, k := range v {
		out[i] = float64(k)
	}
	return out
}

// Dot returns the sum of the products of elements, in the order of num.Ordered, each
// added by a fused multiply-add.
func Dot(x, y []float64) float64 {
	step := func(acc float64, k int) float64 { return math.FMA(x[k], y[k], acc) }
	add := func(x, y float64) float64 { return x + y }
	none := math.Copysign(0, -1)
	if !fused {
		return num.Ordered(len(x), none, step, add)
	}
	all := none
	for from := 0; from < len(x); from += num.SuperBlock {
		super := none
		for at := from; at < min(len(x), from+num.SuperBlock); at += num.Block {
			to := min(len(x), at+num.Block)
			super += dotBlock(x[at:to], y[at:to])
		}
		all += super
	}
	return all
}

// dotBlock is Dot of one block.
func dotBlock(x, y []float64) float64 {
	var lanes [num.Lanes]float64
	for l := range lanes {
		lanes[l] = math.Copysign(0, -1)
	}
	n := len(x) / num.Lanes * num.Lanes
	if n > 0 {
		fmaLanes(&lanes[0], &x[0], &y[0], n)
	}
	for l := range x[n:] {
		lanes[l] = math.FMA(x[n+l], y[n+l], lanes[l])
	}
	sum := lanes[0]
	for _, z := range lanes[1:] {
		sum += z
	}
	return sum
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
