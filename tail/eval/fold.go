package eval

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// folds reduces n > 0 elements of an array by one op, without calls: those of
// doubles by + and × from the first to the last.
var folds = map[tail.Op]func(s *site, a *array.Array, i, n int) word{
	tail.OpAddI: func(s *site, a *array.Array, i, n int) word { return toBits(sumI(s, a.Ints[i:i+n])) },
	tail.OpMulI: func(s *site, a *array.Array, i, n int) word { return toBits(productI(s, a.Ints[i:i+n])) },
	tail.OpAddD: func(s *site, a *array.Array, i, n int) word { return toBits(s.number(sumD(a.Doubles[i : i+n]))) },
	tail.OpMulD: func(s *site, a *array.Array, i, n int) word { return toBits(s.number(productD(a.Doubles[i : i+n]))) },
	tail.OpMinI: func(_ *site, a *array.Array, i, n int) word { return toBits(least(a.Ints[i : i+n])) },
	tail.OpMaxI: func(_ *site, a *array.Array, i, n int) word { return toBits(greatest(a.Ints[i : i+n])) },
	tail.OpMinD: func(_ *site, a *array.Array, i, n int) word { return toBits(least(a.Doubles[i : i+n])) },
	tail.OpMaxD: func(_ *site, a *array.Array, i, n int) word { return toBits(greatest(a.Doubles[i : i+n])) },
	tail.OpAndB: func(_ *site, a *array.Array, i, n int) word { return toBits(allOnes(a.Bools[i : i+n])) },
	tail.OpOrB:  func(_ *site, a *array.Array, i, n int) word { return toBits(anyOne(a.Bools[i : i+n])) },
	tail.OpXorB: func(_ *site, a *array.Array, i, n int) word { return toBits(parity(a.Bools[i : i+n])) },
}

func sumI(s *site, v []int64) int64 {
	over, z := int64(0), v[len(v)-1]
	for i := len(v) - 2; i >= 0; i-- {
		x := v[i]
		r := x + z
		over |= (x ^ r) & (z ^ r)
		z = r
	}
	if over < 0 {
		s.overflow()
	}
	return z
}

func productI(s *site, v []int64) int64 {
	all, z := true, v[len(v)-1]
	for i := len(v) - 2; i >= 0; i-- {
		r, ok := num.Mul(v[i], z)
		all = all && ok
		z = r
	}
	if !all {
		s.overflow()
	}
	return z
}

func sumD(v []float64) float64 {
	z := v[0]
	for _, x := range v[1:] {
		z += x
	}
	return z
}

func productD(v []float64) float64 {
	z := v[0]
	for _, x := range v[1:] {
		z *= x
	}
	return z
}

func least[T ordered](v []T) T {
	z := v[len(v)-1]
	for i := len(v) - 2; i >= 0; i-- {
		z = lesser(v[i], z)
	}
	return z
}

func greatest[T ordered](v []T) T {
	z := v[len(v)-1]
	for i := len(v) - 2; i >= 0; i-- {
		z = greater(v[i], z)
	}
	return z
}

func allOnes(v []byte) byte {
	z := byte(1)
	for _, b := range v {
		z &= b
	}
	return z
}

func anyOne(v []byte) byte {
	z := byte(0)
	for _, b := range v {
		z |= b
	}
	return z
}

func parity(v []byte) byte {
	z := byte(0)
	for _, b := range v {
		z ^= b
	}
	return z
}
