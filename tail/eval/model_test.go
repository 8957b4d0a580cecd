package eval

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// The structural ops against a model that says, for each element of the
// result, which element of the argument it is.

// model returns the result's shape, and for an index of it the index in the
// argument, nil for a fill element.
type model func(shape []int) (result []int, from func(at []int) []int)

func lit(a *array.Array) *tail.Lit { return tail.NewLit(diag.Span{}, a) }

func ints(v ...int64) *array.Array { return array.VectorInt(v) }

// indexIn returns the multi-dimensional index of element i.
func indexIn(shape []int, i int) []int {
	at := make([]int, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		at[k] = i % shape[k]
		i /= shape[k]
	}
	return at
}

func place(shape, at []int) int {
	i := 0
	for k, n := range shape {
		i = i*n + at[k]
	}
	return i
}

func floorMod(a, n int) int { return ((a % n) + n) % n }

// structural makes an application of an op to x, and its model.
func structural(r *rand.Rand, x *tail.Lit, shape []int) (*tail.Apply, model) {
	axis := r.Intn(len(shape))
	count := r.Intn(9) - 4
	apply := func(op tail.Op, args ...tail.Expr) *tail.Apply {
		e, bad := tail.NewApply(diag.Span{}, op, axis, nil, args...)
		if bad != nil {
			panic(bad.Message())
		}
		return e
	}
	switch r.Intn(6) {
	case 0:
		return apply(tail.OpReverse, x), func(s []int) ([]int, func([]int) []int) {
			return s, func(at []int) []int { return replaceAxis(at, axis, s[axis]-1-at[axis]) }
		}
	case 1:
		return apply(tail.OpRotate, lit(array.ScalarInt(int64(count))), x), func(s []int) ([]int, func([]int) []int) {
			return s, func(at []int) []int { return replaceAxis(at, axis, floorMod(at[axis]+count, s[axis])) }
		}
	case 2:
		return apply(tail.OpTransp, x), func(s []int) ([]int, func([]int) []int) {
			return reversed(s), reversed
		}
	case 3:
		counts := make([]int64, 1+r.Intn(len(shape)))
		for i := range counts {
			counts[i] = int64(r.Intn(9) - 4)
		}
		if r.Intn(2) == 0 {
			return apply(tail.OpTake, lit(ints(counts...)), x), takeModel(counts)
		}
		return apply(tail.OpDrop, lit(ints(counts...)), x), dropModel(counts)
	case 4:
		v := make([]int64, len(shape))
		top := 1 + r.Intn(len(shape))
		for i := range v {
			v[i] = int64(i%top) + 1
		}
		r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		return apply(tail.OpTransp2, lit(ints(v...)), x), diagonalModel(v, top)
	}
	keep := make([]byte, shape[axis])
	var kept []int
	for i := range keep {
		if keep[i] = byte(r.Intn(2)); keep[i] == 1 {
			kept = append(kept, i)
		}
	}
	return apply(tail.OpCompress, lit(array.VectorBool(keep)), x), func(s []int) ([]int, func([]int) []int) {
		return replaceAxis(s, axis, len(kept)), func(at []int) []int { return replaceAxis(at, axis, kept[at[axis]]) }
	}
}

func reversed(v []int) []int {
	r := make([]int, len(v))
	for i, x := range v {
		r[len(v)-1-i] = x
	}
	return r
}

func takeModel(counts []int64) model {
	return func(s []int) ([]int, func([]int) []int) {
		shape := append([]int{}, s...)
		for i, n := range counts {
			shape[i] = absInt(int(n))
		}
		return shape, func(at []int) []int {
			from := append([]int{}, at...)
			for i, n := range counts {
				if n < 0 {
					from[i] += s[i] - shape[i]
				}
				if from[i] < 0 || from[i] >= s[i] {
					return nil
				}
			}
			return from
		}
	}
}

func dropModel(counts []int64) model {
	return func(s []int) ([]int, func([]int) []int) {
		shape := append([]int{}, s...)
		for i, n := range counts {
			shape[i] = max(0, s[i]-absInt(int(n)))
		}
		return shape, func(at []int) []int {
			from := append([]int{}, at...)
			for i, n := range counts {
				from[i] += max(0, int(n))
			}
			return from
		}
	}
}

func diagonalModel(v []int64, top int) model {
	return func(s []int) ([]int, func([]int) []int) {
		shape := make([]int, top)
		for i := range shape {
			shape[i] = 1 << 30
		}
		for i, to := range v {
			shape[to-1] = min(shape[to-1], s[i])
		}
		return shape, func(at []int) []int {
			from := make([]int, len(s))
			for i, to := range v {
				from[i] = at[to-1]
			}
			return from
		}
	}
}

func TestEvalStructure(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 2000 {
		shape := make([]int, 1+r.Intn(4))
		for i := range shape {
			shape[i] = r.Intn(4)
			if i < 2 && r.Intn(20) == 0 {
				shape[i] = 40
			}
		}
		elems := []array.Elem{array.Bool, array.Int, array.Double, array.Char, array.Complex}
		x := array.New(elems[r.Intn(len(elems))], shape...)
		for i := range x.Len() {
			putBits(x, i, toBits(byte(r.Intn(2))))
		}
		e, m := structural(r, lit(x), shape)
		got, err := Values(&tail.Program{Main: e}, &Env{})
		require.NoError(t, err)
		want, from := m(shape)
		require.Equal(t, want, append([]int{}, got[0].Shape...), "%v of %v", e.Op, shape)
		for i := range got[0].Len() {
			bits := fillOf(x.Elem)
			if at := from(indexIn(want, i)); at != nil {
				bits = elemBits(x, place(shape, at))
			}
			if bits != elemBits(got[0], i) {
				t.Fatalf("element %d of %s", i, tail.ExprString(e))
			}
		}
	}
}
