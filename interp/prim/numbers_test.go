package prim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/interp/value"
)

func TestRounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := []float64{0, math.Copysign(0, -1), 0.5, -0.5, 1.5, -1.5, 3 - 1e-15, 3 + 1e-15, 3 - 1e-12, 1e-20, -1e-20, 1 << 52, -1 << 52, 1<<51 + 0.5}
	for range 4000 {
		x := r.NormFloat64() * 100
		v = append(v, x, math.Round(x)*(1+1e-14*r.NormFloat64()))
	}
	for _, ct := range []float64{0, 1e-14, 1e-9} {
		c := &Context{Tolerance: ct}
		floor, ceil := rounded(c, "⌊", value.Numbers(v)), rounded(c, "⌈", value.Numbers(v))
		for i, x := range v {
			if got, want := floor.Ints[i], num.Floor(x, ct); float64(got) != want {
				t.Errorf("⌊%v is %d with ⎕CT %v, want %v", x, got, ct, want)
			}
			if got, want := ceil.Ints[i], num.Ceil(x, ct); float64(got) != want {
				t.Errorf("⌈%v is %d with ⎕CT %v, want %v", x, got, ct, want)
			}
		}
	}
	if rounded(&Context{}, "⌊", value.Numbers([]float64{1, 1 << 60})) != nil {
		t.Error("⌊2*60 is an int")
	}
}

func TestQuickPower(t *testing.T) {
	v := []float64{0, math.Copysign(0, -1), 1, 2, 0.3, 1e300, 5e-324, 1e-200}
	for _, y := range []float64{0.5, 2} {
		for _, x := range v {
			want := num.Pow(x, y)
			out := make([]float64, 1)
			if ok := quickPower([]float64{x}, y, out); ok == math.IsInf(want, 0) || ok && math.Float64bits(out[0]) != math.Float64bits(want) {
				t.Errorf("%v*%v is %v, %v, want %v", x, y, out[0], ok, want)
			}
		}
	}
	if quickPower([]float64{4, -1}, 0.5, make([]float64, 2)) || quickPower([]float64{4}, 0.25, make([]float64, 1)) {
		t.Error("a power that is none of doubles, or of another exponent")
	}
}

func TestGradeInts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{manyKeys, manyKeys + 1, 2050, 5000} {
		for _, span := range []int64{1, 2, 100, digits, digits + 1, 1 << 20, 1 << 22, 1<<22 + 1, 1 << 32} {
			v := make([]int64, n)
			for i := range v {
				v[i] = r.Int64N(span) - span/2
			}
			for _, up := range []int{1, -1} {
				order := gradeBy(n, func(i, j int) int { return up * cmp.Compare(v[i], v[j]) })
				want := make([]int64, n)
				for i, k := range order {
					want[i] = int64(k + 1)
				}
				if got := gradeInts(v, up, 1); !slices.Equal(got, want) {
					t.Fatalf("%d ints of a span of %d, %d", n, span, up)
				}
			}
		}
	}
	wide := make([]int64, manyKeys)
	wide[0], wide[1] = math.MinInt64, math.MaxInt64
	if gradeInts(wide, 1, 1) != nil || gradeInts(wide[:manyKeys-1], 1, 1) != nil {
		t.Error("too wide a span, or too few ints")
	}
	edge := make([]int64, manyKeys)
	for i := range edge {
		edge[i] = math.MinInt64 + int64(len(edge)-i)
	}
	if got := gradeInts(edge, 1, 0); got[0] != int64(len(edge)-1) || got[len(edge)-1] != 0 {
		t.Error("the least ints")
	}
}

// Dot adds up in the order of num.Ordered.
func TestDot(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 15, 16, 17, 1000, 1024, 1025, 3*1024 + 5, 1<<20 + 1100} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = r.NormFloat64(), r.NormFloat64()
		}
		step := func(acc float64, k int) float64 { return math.FMA(x[k], y[k], acc) }
		want := num.Ordered(n, math.Copysign(0, -1), step, func(a, b float64) float64 { return a + b })
		if got := Dot(x, y); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%d terms: %v, want %v", n, got, want)
		}
	}
}

// A product has the digits of a chain of fused multiply-adds for each element.
func TestMatrixProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, size := range [][3]int{{0, 3, 4}, {3, 0, 9}, {1, 1, 1}, {2, 3, 7}, {3, 5, 8}, {4, 17, 9}, {5, 33, 25}, {3, 2050, 17}, {1, 2050, 1}} {
		rows, n, columns := size[0], size[1], size[2]
		x, y := make([]float64, rows*n), make([]float64, n*columns)
		xs, ys := make([]int64, rows*n), make([]int64, n*columns)
		for i := range x {
			x[i], xs[i] = r.NormFloat64(), r.Int64N(100)-50
		}
		for i := range y {
			y[i], ys[i] = r.NormFloat64(), r.Int64N(100)-50
		}
		got, whole := MatrixProduct(x, y, rows, n, columns), IntProduct(xs, ys, rows, n, columns)
		for i := range rows {
			for j := range columns {
				want, sum := 0.0, int64(0)
				for k := range n {
					want = math.FMA(x[i*n+k], y[k*columns+j], want)
					sum += xs[i*n+k] * ys[k*columns+j]
				}
				if got[i*columns+j] != want || whole[i*columns+j] != sum {
					t.Fatalf("%v: element %d %d is %v and %d, want %v and %d", size, i, j, got[i*columns+j], whole[i*columns+j], want, sum)
				}
			}
		}
	}
	if Magnitude(nil) != 0 || Magnitude([]int64{3, -7, 5}) != 7 || Magnitude([]int64{math.MinInt64}) != 1<<63 {
		t.Error("magnitudes")
	}
}

func TestSelect(t *testing.T) {
	at := value.Integers([]int64{3, 1, 1})
	for _, a := range []*V{value.Booleans([]byte{0, 1, 1}), value.Integers([]int64{5, 6, 7}), value.Numbers([]float64{1.5, 2, 3}), value.Text("abc")} {
		want := a.Gather([]int{3}, []int{2, 0, 0})
		if got := a.Select(at, 1); got == nil || !Match(&Context{}, got, want) {
			t.Errorf("%v[3 1 1] is %v", a, got)
		}
		if a.Select(at, 0) != nil || a.Select(value.Integers([]int64{0}), 1) != nil {
			t.Errorf("%v: a place outside", a)
		}
	}
}
