// Package prng is the random number generator behind ? and ⎕RL: xoshiro256**
// (Blackman and Vigna, 2018) whose state is made from the seed by splitmix64.
// The C run-time (cgen/rt/random.c) gives the same numbers.
//
// Dyalog's default generator is the Mersenne Twister with a hidden seed; no
// program can depend on its numbers. A program of ours starts with ⎕RL←16807
// and gives the same answer every time.
package prng

import "math/bits"

// DefaultSeed is the value of ⎕RL when a program starts.
const DefaultSeed = 16807

// Source is a generator. Use New.
type Source struct{ s [4]uint64 }

// New returns a generator with the given seed.
func New(seed int64) *Source {
	g := &Source{}
	g.Seed(seed)
	return g
}

// Seed starts the generator anew (⎕RL←seed).
func (g *Source) Seed(seed int64) {
	x := uint64(seed)
	for i := range g.s {
		x += 0x9E3779B97F4A7C15
		z := x
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		g.s[i] = z ^ z>>31
	}
}

// State returns what Restore takes to go on from here (⎕RL).
func (g *Source) State() []int64 {
	return []int64{int64(g.s[0]), int64(g.s[1]), int64(g.s[2]), int64(g.s[3])}
}

// Restore puts the generator into a state that State gave. A state of four
// zeroes, which none has, is that of the default seed.
func (g *Source) Restore(a, b, c, d int64) {
	g.s = [4]uint64{uint64(a), uint64(b), uint64(c), uint64(d)}
	if g.s == [4]uint64{} {
		g.Seed(DefaultSeed)
	}
}

// Next returns 64 random bits.
func (g *Source) Next() uint64 {
	s := &g.s
	result := bits.RotateLeft64(s[1]*5, 7) * 9
	t := s[1] << 17
	s[2] ^= s[0]
	s[3] ^= s[1]
	s[1] ^= s[2]
	s[0] ^= s[3]
	s[2] ^= t
	s[3] = bits.RotateLeft64(s[3], 45)
	return result
}

// Roll returns a number from 1…n without bias (?n); n must be positive. It is
// Lemire's method: the high half of a product, drawn again where the low half
// falls into the incomplete interval.
func (g *Source) Roll(n int64) int64 {
	un := uint64(n)
	hi, lo := bits.Mul64(g.Next(), un)
	if lo < un {
		least := -un % un
		for lo < least {
			hi, lo = bits.Mul64(g.Next(), un)
		}
	}
	return int64(hi) + 1
}

// RollUnit returns a number between 0 and 1, both excluded (?0).
func (g *Source) RollUnit() float64 {
	return (float64(g.Next()>>12) + 0.5) * 0x1p-52
}

// Deal returns count different numbers from 1…n (count?n), 0 ≤ count ≤ n: a
// shuffle that stops after count places.
func (g *Source) Deal(count, n int64) []int64 {
	out := make([]int64, count)
	if n/8 > count {
		moved := make(map[int64]int64, 2*count) // the places that changed
		at := func(i int64) int64 {
			if v, ok := moved[i]; ok {
				return v
			}
			return i
		}
		for i := int64(0); i < count; i++ {
			j := i + g.Roll(n-i) - 1
			out[i] = at(j) + 1
			moved[j] = at(i)
		}
		return out
	}
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(i) + 1
	}
	for i := int64(0); i < count; i++ {
		j := i + g.Roll(n-i) - 1
		out[i] = v[j]
		v[j] = v[i]
	}
	return out
}
