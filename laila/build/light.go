package build

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// A truth vector that is made of bytes costs little: vector code computes
// dozens of elements at a time, while memory that nobody has touched is cleared
// by the system before it is written.

// storedTruth is what it costs to store a truth value in memory that is
// touched for the first time, in operations of vector code on eight bytes an
// element.
const storedTruth = 6

// Light reports whether computing the elements of a truth vector at each of
// several reads costs less than storing them.
func (g *Builder) Light(p *Pull, reads int) bool {
	if p.Elem != ir.U8 || p.Rank() != 1 || p.Buf != nil || p.Faults || p.Cost > 40 || p.At == nil && p.Flat == nil || !g.On("recompute") {
		return false
	}
	return g.StraightWeight(p)*float64(reads-1) <= storedTruth
}

// StraightWeight is what computing an element of a vector costs at most in straight code that
// reads memory in order, infinite where there is none.
func (g *Builder) StraightWeight(p *Pull) float64 {
	w := math.Inf(1)
	g.Block(func() {
		if segments, weight, ok := g.StraightPieces(p); ok && len(segments) > 0 {
			w = weight
		}
	})
	return w
}
