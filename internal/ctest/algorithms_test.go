package ctest

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"sort"
	"testing"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
)

// equal and compare are the definitions that the C run-time is held to.
func equal(a *array.Array, i int, b *array.Array, j int, ct float64) bool {
	switch a.Elem {
	case array.Char:
		return a.Chars[i] == b.Chars[j]
	case array.Double:
		return num.Equal(a.Doubles[i], b.Doubles[j], ct)
	}
	return a.Int(i) == b.Int(j)
}

func compare(a *array.Array, i int, b *array.Array, j int) int {
	switch a.Elem {
	case array.Char:
		return cmp.Compare(a.Chars[i], b.Chars[j])
	case array.Double:
		x, y := a.Doubles[i], b.Doubles[j]
		if math.IsNaN(x) || math.IsNaN(y) { // NaN comes last
			return cmp.Compare(bit(math.IsNaN(x)), bit(math.IsNaN(y)))
		}
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a.Int(i), b.Int(j))
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func grade(a *array.Array, down bool) *array.Array {
	n, m := 1, 1
	if a.Rank() > 0 {
		n, m = a.Shape[0], array.Count(a.Shape[1:])
	}
	g := make([]int64, n)
	for i := range g {
		g[i] = int64(i) + 1
	}
	sort.SliceStable(g, func(i, j int) bool {
		for k := 0; k < m; k++ {
			if c := compare(a, (int(g[i])-1)*m+k, a, (int(g[j])-1)*m+k); c != 0 {
				return c < 0 != down
			}
		}
		return false
	})
	return array.VectorInt(g)
}

// place is the place of b's element j in a, or -1.
func place(a, b *array.Array, j int, ct float64) int {
	for i, n := 0, a.Len(); i < n; i++ {
		if equal(a, i, b, j, ct) {
			return i
		}
	}
	return -1
}

func keep(a *array.Array, kept []int) *array.Array {
	r := array.New(a.Elem, len(kept))
	for k, i := range kept {
		switch a.Elem {
		case array.Char:
			r.Chars[k] = a.Chars[i]
		case array.Double:
			r.Doubles[k] = a.Doubles[i]
		default:
			r.Ints[k] = a.Ints[i]
		}
	}
	return r
}

// searches gives what testdata/algorithms.c writes for index of, membership,
// unique, without and match.
func searches(a, b *array.Array, ct float64) []*array.Array {
	n, m := a.Len(), b.Len()
	where, in := make([]int64, m), make([]byte, n)
	for j := range where {
		if where[j] = int64(place(a, b, j, ct)) + 1; where[j] == 0 {
			where[j] = int64(n) + 1
		}
	}
	var unique, without []int
	for i := range in {
		if in[i] = bit(place(b, a, i, ct) >= 0); in[i] == 0 {
			without = append(without, i)
		}
		if place(keep(a, unique), a, i, ct) < 0 {
			unique = append(unique, i)
		}
	}
	match := fmt.Sprint(a.Shape) == fmt.Sprint(b.Shape)
	for i := 0; match && i < n; i++ {
		match = equal(a, i, b, i, ct)
	}
	return []*array.Array{array.VectorInt(where), array.VectorBool(in), keep(a, unique), keep(a, without), array.VectorBool([]byte{bit(match)})}
}

func interval(a, b *array.Array) *array.Array {
	r := make([]int64, b.Len())
	for j := range r {
		r[j] = int64(sort.Search(a.Len(), func(i int) bool { return compare(a, i, b, j) > 0 }))
	}
	return array.VectorInt(r)
}

// find is a⍷b.
func find(a, b *array.Array) *array.Array {
	r := make([]byte, b.Len())
	pad := b.Rank() - a.Rank()
	if pad < 0 {
		return array.VectorBool(r)
	}
	extent := append(bytesToOnes(pad), a.Shape...)
	index := func(i int, shape []int) []int {
		x := make([]int, len(shape))
		for k := len(shape) - 1; k >= 0; k-- {
			x[k], i = i%shape[k], i/shape[k]
		}
		return x
	}
	for i := range r {
		r[i] = 1
		at := index(i, b.Shape)
		for k := range at {
			if at[k]+extent[k] > b.Shape[k] {
				r[i] = 0
			}
		}
		for p, n := 0, a.Len(); p < n && r[i] == 1; p++ {
			offset := 0
			for k, x := range index(p, extent) {
				offset = offset*b.Shape[k] + at[k] + x
			}
			r[i] = bit(equal(a, p, b, offset, num.Tolerance))
		}
	}
	return array.VectorBool(r)
}

func bytesToOnes(n int) []int {
	ones := make([]int, n)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}

// firstCells gives the place, from 1, of the first major cell that has the elements of each;
// nothing for doubles.
func firstCells(a *array.Array) []*array.Array {
	if a.Rank() == 0 || a.Elem == array.Double {
		return nil
	}
	n, m := a.Shape[0], array.Count(a.Shape[1:])
	first := make([]int64, n)
	for i := range first {
		j := 0
		for k := 0; k < m; k++ {
			if !equal(a, i*m+k, a, j*m+k, 0) {
				j, k = j+1, -1
			}
		}
		first[i] = int64(j) + 1
	}
	return []*array.Array{array.VectorInt(first)}
}

// randomArray makes arrays with many equal and nearly equal elements.
func randomArray(r *rand.Rand, kind int, shape ...int) *array.Array {
	switch kind {
	case 0:
		a := array.New(array.Char, shape...)
		for i := range a.Chars {
			a.Chars[i] = []rune("abc⍋😀")[r.Intn(5)]
		}
		return a
	case 1, 2, 3:
		a := array.New(array.Int, shape...)
		for i := range a.Ints {
			switch kind {
			case 1:
				a.Ints[i] = int64(r.Intn(9)) - 4
			case 2:
				a.Ints[i] = int64(r.Uint64()) >> r.Intn(64)
			case 3:
				a.Ints[i] = int64(r.Intn(3)-1) << 40
			}
		}
		return a
	}
	a := array.New(array.Double, shape...)
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, 5e-324, -5e-324, 1e-323}
	for i := range a.Doubles {
		switch {
		case kind == 5:
			a.Doubles[i] = float64(r.Intn(5)) * (1 + float64(r.Intn(9)-4)*0.4e-14)
		case r.Intn(3) == 0:
			a.Doubles[i] = special[r.Intn(len(special))]
		default:
			a.Doubles[i] = math.Ldexp(1+float64(r.Intn(300)-150)*0x1p-52, r.Intn(3))
		}
	}
	return a
}

func TestAlgorithms(t *testing.T) {
	program := Build(t, "testdata/algorithms.c")
	r := rand.New(rand.NewSource(1))
	var input []byte
	var want []*array.Array
	var names []string
	add := func(a, b *array.Array) {
		input = Encode(Encode(input, a), b)
		for _, w := range []struct {
			name string
			r    []*array.Array
		}{
			{"grade", []*array.Array{grade(a, false), grade(a, true)}},
			{"first cell", firstCells(a)},
			{"tolerant search", nil}, {"exact search", nil}, {"interval", nil},
			{"find", []*array.Array{find(a, b)}},
		} {
			if a.Rank() == 1 {
				switch w.name {
				case "tolerant search":
					w.r = searches(a, b, num.Tolerance)
				case "exact search":
					w.r = searches(a, b, 0)
				case "interval":
					if isSorted(a) {
						w.r = []*array.Array{interval(a, b)}
					}
				}
			}
			for k, a1 := range w.r {
				want = append(want, a1)
				names = append(names, fmt.Sprintf("%s %d of %v and %v", w.name, k, a, b))
			}
		}
	}
	for kind := 0; kind < 6; kind++ {
		for try := 0; try < 12; try++ {
			sorted := randomArray(r, kind, r.Intn(20))
			sorted = keepSorted(sorted)
			add(sorted, randomArray(r, kind, r.Intn(20)))
			add(randomArray(r, kind, 1+r.Intn(2)), randomArray(r, kind, 1+r.Intn(30)))
		}
		add(randomArray(r, kind, 400), randomArray(r, kind, 3, 100))
		add(randomArray(r, kind), randomArray(r, kind, 5))
		add(randomArray(r, kind, 2, 2), randomArray(r, kind, 3, 6, 6))
		add(randomArray(r, kind, 30, 3), randomArray(r, kind, 30, 3))
		add(randomArray(r, kind, 700, 2), randomArray(r, kind, 2, 2))
		add(randomArray(r, kind, 700, 1), randomArray(r, kind, 2, 1))
		add(randomArray(r, kind, 40, 70), randomArray(r, kind, 70))
		add(randomArray(r, kind, 9, 0), randomArray(r, kind, 0, 3))
		add(randomArray(r, kind, 5, 2, 2), randomArray(r, kind, 4))
		add(randomArray(r, kind, 0), randomArray(r, kind, 0))
	}
	out := Run(t, program, input)
	for i, w := range want {
		var got *array.Array
		got, out = Decode(out)
		if bytes.Equal(Encode(nil, got), Encode(nil, w)) {
			continue
		}
		t.Errorf("%s: C gives %v, want %v", names[i], got, w)
	}
}

func isSorted(a *array.Array) bool {
	return slices.IsSorted(grade(a, false).Ints)
}

// keepSorted returns a with its elements in ascending order.
func keepSorted(a *array.Array) *array.Array {
	order := grade(a, false).Ints
	places := make([]int, len(order))
	for i, p := range order {
		places[i] = int(p) - 1
	}
	return keep(a, places)
}
