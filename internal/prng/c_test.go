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
	many := make([]float64, 100003)
	for i := range many {
		many[i] = g.RollUnit()
	}
	want = ctest.Encode(want, array.VectorDouble(many))
	for _, n := range []int64{6, 3 << 61, 1 << 62, 10} {
		rolls := make([]int64, len(many))
		if n == 10 {
			rolls = rolls[:1000]
		}
		for i := range rolls {
			rolls[i] = g.Roll(n)
		}
		want = ctest.Encode(want, array.VectorInt(rolls))
	}
	if !bytes.Equal(got, want) {
		t.Error("C and Go draw different numbers")
	}
}
