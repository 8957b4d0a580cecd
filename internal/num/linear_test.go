package num

import (
	"bytes"
	"math"
	"math/rand"
	"testing"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/ctest"
)

func near(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9*(1+math.Abs(b[i])) {
			return false
		}
	}
	return len(a) == len(b)
}

func TestSolve(t *testing.T) {
	for _, c := range []struct {
		b       []float64
		a       []float64
		rows    int
		columns int
		want    []float64 // nil: singular
	}{
		{[]float64{5, 11}, []float64{1, 2, 3, 4}, 2, 2, []float64{1, 2}},
		{[]float64{1, 2}, []float64{0, 1, 1, 0}, 2, 2, []float64{2, 1}},
		{[]float64{1, 2}, []float64{1, 2, 2, 4}, 2, 2, nil},
		{[]float64{1, 2, 3}, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3, nil},
		{[]float64{1, 2}, []float64{0, 0, 0, 0}, 2, 2, nil},
		{[]float64{1, 1}, []float64{1, 0, 0, 1e-20}, 2, 2, []float64{1, 1e20}},
		{[]float64{1, 3, 5, 7}, []float64{1, 0, 1, 1, 1, 2, 1, 3}, 4, 2, []float64{1, 2}}, // a line through points
		{[]float64{1, 3, 2}, []float64{1, 1, 1}, 3, 1, []float64{2}},                      // a mean
		{[]float64{1, 2, 3}, []float64{1, 2, 2, 4, 3, 6}, 3, 2, nil},
		{[]float64{1}, []float64{1, 2}, 1, 2, nil},
		{nil, nil, 0, 0, []float64{}},
	} {
		x, ok := Solve(c.b, 1, c.a, c.rows, c.columns)
		if ok != (c.want != nil) || ok && !near(x, c.want) {
			t.Errorf("%v⌹%v is %v, %v", c.b, c.a, x, ok)
		}
	}
	if x, ok := Inverse([]float64{1, 2, 3, 4}, 2, 2); !ok || !near(x, []float64{-2, 1, 1.5, -0.5}) {
		t.Errorf("the inverse is %v", x)
	}
}

// TestSolveC compares C and Go bit for bit.
func TestSolveC(t *testing.T) {
	program := ctest.Build(t, "testdata/linear.c")
	r := rand.New(rand.NewSource(1))
	var input, want []byte
	add := func(x []float64, ok bool, n, m int) {
		if !ok {
			want = ctest.Encode(want, array.ScalarInt(0))
			return
		}
		want = ctest.Encode(want, array.ScalarInt(1))
		want = ctest.Encode(want, &array.Array{Elem: array.Double, Shape: []int{n, m}, Doubles: x})
	}
	for _, s := range [][3]int{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 2}, {8, 8, 3}, {30, 30, 1}, {4, 2, 1}, {9, 5, 2}, {2, 3, 1}, {3, 3, 0}, {3, 0, 1}} {
		for _, whole := range []bool{false, true} {
			rows, columns, m := s[0], s[1], s[2]
			a, b := array.New(array.Double, rows, columns), array.New(array.Double, rows, m)
			for _, v := range [][]float64{a.Doubles, b.Doubles} {
				for i := range v {
					if v[i] = r.NormFloat64(); whole {
						v[i] = float64(r.Intn(3))
					}
				}
			}
			input = ctest.Encode(ctest.Encode(input, b), a)
			x, ok := Solve(b.Doubles, m, a.Doubles, rows, columns)
			add(x, ok, columns, m)
			x, ok = Inverse(a.Doubles, rows, columns)
			add(x, ok, columns, rows)
		}
	}
	if got := ctest.Run(t, program, input); !bytes.Equal(got, want) {
		t.Error("C and Go differ")
	}
}
