package prim

import (
	"cmp"
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tailor-lang/tailor/internal/num"
)

// closeNumbers returns numbers of which many are as far from each other as the tolerance.
func closeNumbers(r *rand.Rand, n int, ct float64) []float64 {
	bases := []float64{0, 1, -1, 2, 1 - ct, 1024, 3.7, -1e-300, 1e300, 0.5, 4 - 2*ct}
	out := make([]float64, n)
	for i := range out {
		out[i] = bases[r.Intn(len(bases))] * (1 + ct*(r.Float64()*6-3))
	}
	return out
}

func TestTolerantPlaces(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, ct := range []float64{1e-14, 1e-9, 3e-13, 0} {
		x, y := closeNumbers(r, 300, ct), closeNumbers(r, 300, ct)
		for i, at := range tolerant(ct, x, y) {
			want := 0
			for want < len(x) && !num.Equal(x[want], y[i], ct) {
				want++
			}
			assert.Equal(t, want, at, "%v ct %v", y[i], ct)
		}
		var kept []float64
		for i, is := range freshDoubles(ct, x) {
			want := true
			for _, k := range kept {
				want = want && !num.Equal(k, x[i], ct)
			}
			assert.Equal(t, want, is, "element %d, ct %v", i, ct)
			if want {
				kept = append(kept, x[i])
			}
		}
	}
}

func TestDifferentInts(t *testing.T) {
	for _, c := range []struct{ x, want []int64 }{
		{nil, nil}, {[]int64{5}, []int64{5}}, {[]int64{3, -2, 3, 0, -2, 7}, []int64{3, -2, 0, 7}},
		{[]int64{math.MinInt64, math.MaxInt64}, nil}, {[]int64{math.MinInt64, math.MinInt64 + 9, math.MinInt64}, []int64{math.MinInt64, math.MinInt64 + 9}},
	} {
		assert.Equal(t, c.want, differentInts(c.x))
	}
}

func TestIntPlaces(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, span := range []int64{10, 1 << 40, math.MaxInt64} {
		x, y := make([]int64, 200), make([]int64, 200)
		for i := range x {
			x[i], y[i] = r.Int63n(span)-span/2, r.Int63n(span)-span/2
		}
		copy(y[100:], x)
		assert.Equal(t, hashed(x, y), intPlaces(x, y))
	}
	assert.Equal(t, []int{0}, intPlaces(nil, []int64{5}))
}

func TestGradesByDigits(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	ints, doubles := make([]int64, 2000), make([]float64, 2000)
	for i := range ints {
		ints[i] = r.Int63n(1<<uint(1+i%62)) - 1<<uint(i%62)
		doubles[i] = math.Ldexp(r.Float64()-0.5, i%40-20)
	}
	doubles[3], doubles[500] = 0, math.Copysign(0, -1)
	for _, up := range []int{1, -1} {
		assert.Equal(t, gradeBy(len(ints), func(i, j int) int { return up * cmp.Compare(ints[i], ints[j]) }), gradeKeys(len(ints), keyOf(ints, up)))
		assert.Equal(t, gradeBy(len(ints), func(i, j int) int { return up * cmp.Compare(doubles[i], doubles[j]) }), gradeKeys(len(ints), keyOf(doubles, up)))
	}
}
