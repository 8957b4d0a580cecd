package prng

import "testing"

// The first outputs of SplitMix64 from the state 1234567, as published for
// implementations to be compared with.
func TestNext(t *testing.T) {
	g := New(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := g.Next(); got != want {
			t.Errorf("output %d is %d, want %d", i, got, want)
		}
	}
}

// Numbers by their places are those drawn one after the other.
func TestAt(t *testing.T) {
	g, h := New(DefaultSeed), New(DefaultSeed)
	state := g.Skip(100)
	for k := int64(0); k < 100; k++ {
		if next, at := h.Next(), At(state, k); next != at {
			t.Fatalf("draw %d is %d by its place, %d in turn", k, at, next)
		}
	}
	if g.State() != h.State() {
		t.Error("the states differ afterwards")
	}
}

func TestRange(t *testing.T) {
	g := New(DefaultSeed)
	seen := [7]int{}
	for i := 0; i < 6000; i++ {
		seen[g.Roll(6)]++
		if u := g.RollUnit(); u <= 0 || u >= 1 {
			t.Fatalf("?0 is %v", u)
		}
	}
	for face := 1; face <= 6; face++ {
		if seen[face] < 850 || seen[face] > 1150 {
			t.Errorf("%d came %d times of 6000", face, seen[face])
		}
	}
	if n := g.Roll(1<<63 - 1); n < 1 {
		t.Errorf("roll is %d", n)
	}
}

func TestDeal(t *testing.T) {
	for _, c := range [][2]int64{{0, 0}, {0, 5}, {1, 1}, {5, 5}, {10, 1 << 40}, {100, 801}, {100, 799}} {
		seen := map[int64]bool{}
		for _, v := range New(1).Deal(c[0], c[1]) {
			if v < 1 || v > c[1] || seen[v] {
				t.Errorf("%d?%d deals %d", c[0], c[1], v)
			}
			seen[v] = true
		}
		if int64(len(seen)) != c[0] {
			t.Errorf("%d?%d deals %d", c[0], c[1], len(seen))
		}
	}
}
