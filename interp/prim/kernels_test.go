package prim

import (
	"bytes"
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tailor-lang/tailor/interp/value"
)

// testedSizes is the greatest length for which loops over words and lanes are tried.
const testedSizes = 2050

func randomBits(r *rand.Rand, n, odds int) []byte {
	v := make([]byte, n)
	for i := range v {
		v[i] = truth(r.IntN(odds) == 0)
	}
	return v
}

// Reductions and scans of truth values are those from left to right.
func TestFoldBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= testedSizes; n++ {
		for _, odds := range []int{2, 1, n + 1} {
			v := randomBits(r, n, odds)
			for glyph, f := range foldBits {
				want, ones := v[0], int(v[0])
				for _, b := range v[1:] {
					want = associativeBits[glyph](want, b)
					ones += int(b)
				}
				if got := f(v); got != want {
					t.Fatalf("%s/ of %d is %d, want %d", glyph, n, got, want)
				}
				if got := countOnes(v); got != ones {
					t.Fatalf("+/ of %d is %d, want %d", n, got, ones)
				}
			}
			got, want := make([]byte, n), make([]byte, n)
			scanParity(got, v)
			scanAll(v, want, 1, n, 1, associativeBits["≠"])
			if !bytes.Equal(got, want) {
				t.Fatalf("≠\\ of %d", n)
			}
		}
	}
}

// steps are the arguments of scalar functions: two arrays, or an array and a scalar.
var steps = [][2]int{{1, 1}, {0, 1}, {1, 0}}

func TestTruthTables(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	tables := map[string]truthTable{}
	for glyph, table := range bitwise {
		tables[glyph] = table
	}
	for glyph, c := range comparisons {
		tables[glyph] = truthTable{c.equal, c.greater, c.less, c.equal}
	}
	for n := 0; n <= testedSizes; n += 1 + n/64 {
		for _, s := range steps {
			x, y := randomBits(r, max(1, n*s[0]), 2), randomBits(r, max(1, n*s[1]), 2)
			for glyph, table := range tables {
				out := make([]byte, n)
				table.apply(x, y, s[0], s[1], out)
				for i, got := range out {
					a, b := x[i*s[0]], y[i*s[1]]
					if want := [4]byte{table.none, table.right, table.left, table.both}[a<<1|b]; got != want {
						t.Fatalf("%d%s%d of %d is %d", a, glyph, b, n, got)
					}
				}
			}
		}
	}
}

func TestCompareAll(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := 0; n <= testedSizes; n += 1 + n/16 {
		for _, s := range steps {
			x, y := make([]int64, max(1, n*s[0])), make([]int64, max(1, n*s[1]))
			for _, v := range [][]int64{x, y} {
				for i := range v {
					v[i] = r.Int64N(5) - 2
				}
			}
			for glyph, c := range comparisons {
				out := make([]byte, n)
				compareAll(c, x, y, s[0], s[1], out)
				for i, got := range out {
					a, b, want := x[i*s[0]], y[i*s[1]], c.equal
					if a < b {
						want = c.less
					} else if a > b {
						want = c.greater
					}
					if got != want {
						t.Fatalf("%d%s%d of %d is %d", a, glyph, b, n, got)
					}
				}
			}
		}
	}
}

// The greatest and least doubles are those of max and min, with their signs of zero.
func TestExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	negative := math.Copysign(0, -1)
	for n := 1; n <= testedSizes; n++ {
		ints, doubles := make([]int64, n), make([]float64, n)
		for i := range ints {
			ints[i] = int64(r.Uint64())
			switch doubles[i] = r.NormFloat64(); n % 4 {
			case 0:
				doubles[i] = -math.Abs(doubles[i])
			case 1:
				doubles[i] = math.Abs(doubles[i])
			case 2:
				doubles[i] = []float64{0, negative}[r.IntN(2)]
			}
		}
		for glyph, e := range extremes {
			least, lesser := ints[0], doubles[0]
			for i := range ints {
				least, _ = associative[glyph].ints(least, ints[i])
				lesser = associative[glyph].doubles(lesser, doubles[i])
			}
			if got := e.ints(ints); got != least {
				t.Fatalf("%s/ of %d ints is %d, want %d", glyph, n, got, least)
			}
			if got := e.doubles(doubles); math.Float64bits(got) != math.Float64bits(lesser) {
				t.Fatalf("%s/ of %d doubles is %v, want %v", glyph, n, got, lesser)
			}
		}
	}
}

// Rows of a matrix are reduced apart.
func TestReduceRows(t *testing.T) {
	m := &V{Kind: value.Bool, Shape: []int{3, 10}, Bools: append(make([]byte, 19), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)}
	for glyph, want := range map[string][]byte{"∨": {0, 1, 1}, "∧": {0, 0, 1}, "≠": {0, 1, 0}, "=": {1, 0, 1}} {
		if got := Reduce(&Context{}, glyph, m, 3, 10, 1, []int{3}); !bytes.Equal(got.Bools, want) {
			t.Errorf("%s/ is %v, want %v", glyph, got.Bools, want)
		}
	}
	if got := Reduce(&Context{}, "+", m, 3, 10, 1, []int{3}); got.Ints[0] != 0 || got.Ints[1] != 1 || got.Ints[2] != 10 {
		t.Errorf("+/ is %v", got.Ints)
	}
}

// +\ has the sums from the first element of a row on.
func TestSumScan(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := 1; n <= testedSizes; n += 1 + n/32 {
		bools, ints, doubles := randomBits(r, 3*n, 2), make([]int64, 3*n), make([]float64, 3*n)
		for i := range ints {
			ints[i], doubles[i] = r.Int64N(1<<50)-1<<49, r.NormFloat64()
		}
		doubles[0] = math.Copysign(0, -1)
		shape := []int{3, n}
		b := sumScan(&V{Kind: value.Bool, Shape: shape, Bools: bools}, n)
		k := sumScan(&V{Kind: value.Int, Shape: shape, Ints: ints}, n)
		d := sumScan(&V{Kind: value.Double, Shape: shape, Doubles: doubles}, n)
		for i := range ints {
			wantB, wantK, wantD := int64(bools[i]), ints[i], doubles[i]
			if i%n > 0 {
				wantB += b.Ints[i-1]
				wantK += k.Ints[i-1]
				wantD = d.Doubles[i-1] + doubles[i]
			}
			if b.Ints[i] != wantB || k.Ints[i] != wantK || math.Float64bits(d.Doubles[i]) != math.Float64bits(wantD) {
				t.Fatalf("+\\ of rows of %d, element %d", n, i)
			}
		}
	}
	if sumScan(value.Integers([]int64{math.MaxInt64, 1, -5}), 3) != nil || sumScan(value.Numbers([]float64{1e308, 1e308, -1e308}), 3) != nil {
		t.Error("a sum that is too large")
	}
}

// Sorted is what the grade selects.
func TestSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, span := range []int64{1, 2, 100, 5000, 1 << 30, 1 << 43, 1 << 62} {
		v := make([]int64, 3000)
		for i := range v {
			v[i] = r.Int64N(span) - span/2
		}
		given := slices.Clone(v)
		for _, up := range []int{1, -1} {
			got := Sorted(value.Integers(v), up).Ints
			want := slices.Clone(v)
			slices.SortFunc(want, func(x, y int64) int { return up * cmp.Compare(x, y) })
			if !slices.Equal(got, want) || !slices.Equal(v, given) {
				t.Errorf("a span of %d, %d", span, up)
			}
		}
	}
}

// EqualTable is the comparison of each pair.
func TestEqualTable(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for n := 1; n < 40; n++ {
		x, y := make([]int64, 7), make([]int64, n)
		for i := range x {
			x[i] = r.Int64N(255) - 300
		}
		for i := range y {
			y[i] = x[r.IntN(len(x))] + r.Int64N(2)
		}
		x[0], y[0] = -300, -45
		for _, glyph := range []string{"=", "≠"} {
			got := EqualTable(glyph, value.Integers(x), value.Integers(y), []int{7, n})
			for i := range x {
				for j := range y {
					if got.Bools[i*n+j] != truth((x[i] == y[j]) == (glyph == "=")) {
						t.Fatalf("%d%s%d is %d", x[i], glyph, y[j], got.Bools[i*n+j])
					}
				}
			}
		}
	}
	if EqualTable("=", value.Integers([]int64{0}), value.Integers([]int64{256}), []int{1, 1}) != nil {
		t.Error("a span of 257")
	}
}

// memberInts tells which ints are in a set of a small span.
func TestMemberInts(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	x, y := make([]int64, 2000), make([]int64, 50)
	for i := range x {
		x[i] = r.Int64N(3000) - 1500
	}
	for i := range y {
		y[i] = r.Int64N(1000) - 500
	}
	got := memberInts(x, y)
	for i, v := range x {
		if got[i] != truth(slices.Contains(y, v)) {
			t.Fatalf("%d is told to be %d", v, got[i])
		}
	}
	if memberInts(x, []int64{math.MinInt64, math.MaxInt64}) != nil || memberInts(x, nil) != nil {
		t.Error("a set of any span, or of none")
	}
}
