package prng

import (
	"bytes"
	"testing"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/ctest"
)

// TestC draws the same numbers from the C run-time and from this package.
func TestC(t *testing.T) {
	got := ctest.Run(t, ctest.Build(t, "testdata/random.c"), nil)
	g := New(DefaultSeed)
	rolls := make([]int64, 1000)
	for i := range rolls {
		rolls[i] = g.Roll([]int64{6, 3 << 61, int64(i) + 1}[i%3])
	}
	want := ctest.Encode(nil, array.VectorInt(rolls))
	want = ctest.Encode(want, array.VectorInt(g.Deal(100, 120)))
	want = ctest.Encode(want, array.VectorInt(g.Deal(100, 1<<50)))
	want = ctest.Encode(want, array.VectorInt(g.Deal(900, 8000)))
	g.Deal(0, 0)
	g.Seed(-42)
	units := make([]float64, 100)
	for i := range units {
		units[i] = g.RollUnit()
	}
	want = ctest.Encode(want, array.VectorDouble(units))
	state := g.Skip(100)
	for i := range units {
		units[i] = Unit(At(state, int64(i)))
	}
	want = ctest.Encode(want, array.VectorDouble(units))
	for i := range rolls {
		rolls[i] = Whole(At(state, int64(i)), []int64{6, 3 << 61, 1<<32 - 1, int64(i) + 1}[i%4])
	}
	want = ctest.Encode(want, array.VectorInt(rolls))
	want = ctest.Encode(want, array.VectorInt([]int64{g.State()}))
	if !bytes.Equal(got, want) {
		t.Error("C and Go draw different numbers")
	}
}
