// Package prng is the random number generator behind ? and ⎕RL: SplitMix64
// (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014).
// Its state is a number that grows by a constant for each draw; what is drawn is
// a hash of the state. So the k-th number from now on is a function of the state
// and k: the elements of ?n⍴0 can be computed in any order, by several threads,
// again instead of stored, and by vector code. The C run-time (cgen/rt/random.c,
// tailor.h) and the kernels (clgen/rt/tailor.cl) give the same numbers.
//
// Dyalog's default generator is the Mersenne Twister with a hidden seed; no
// program can depend on its numbers. A program of ours starts with ⎕RL←16807
// and gives the same answer every time.
package prng

import (
	"crypto/rand"
	"encoding/binary"
	"math/bits"
)

// DefaultSeed is the value of ⎕RL when a program starts.
const DefaultSeed = 16807

// step is what a draw adds to the state: 2^64 over the golden ratio, made odd.
const step = 0x9E3779B97F4A7C15

// Source is a generator. Use New.
type Source struct{ state uint64 }

// New returns a generator with the given seed.
func New(seed int64) *Source { return &Source{uint64(seed)} }

// Seed starts the generator anew (⎕RL←seed); a state that State gave is a seed
// with which it goes on from there. The seed 0, as which ⍬ counts, stands for one
// that the system draws: what follows differs from run to run.
func (g *Source) Seed(seed int64) {
	for seed == 0 {
		var b [8]byte
		rand.Read(b[:]) // which never fails
		seed = int64(binary.NativeEndian.Uint64(b[:]) >> 1)
	}
	g.state = uint64(seed)
}

// State returns the state (⎕RL).
func (g *Source) State() int64 { return int64(g.state) }

// Next returns 64 random bits.
func (g *Source) Next() uint64 {
	g.state += step
	return hash(g.state)
}

// Skip passes over n draws and returns the state before.
func (g *Source) Skip(n int64) int64 {
	before := g.State()
	g.state += uint64(n) * step
	return before
}

// At returns the k-th number, from 0, that a generator in a state draws.
func At(state, k int64) uint64 { return hash(uint64(state) + uint64(k+1)*step) }

// hash mixes the bits of a state (variant 13 of Stafford, Better bit mixing,
// 2011).
func hash(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Roll returns a number from 1…n (?n); n must be positive.
func (g *Source) Roll(n int64) int64 { return Whole(g.Next(), n) }

// Whole makes a number from 1…n, n positive, of 64 random bits: the high half of
// their product with n. Probabilities differ by less than 2^-64.
func Whole(random uint64, n int64) int64 {
	hi, _ := bits.Mul64(random, uint64(n))
	return int64(hi) + 1
}

// RollUnit returns a number between 0 and 1, both excluded (?0).
func (g *Source) RollUnit() float64 { return Unit(g.Next()) }

// Unit makes a number between 0 and 1 of 64 random bits, both excluded.
func Unit(random uint64) float64 { return (float64(random>>12) + 0.5) * 0x1p-52 }

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
