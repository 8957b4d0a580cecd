package laila

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
const storedTruth = 2.5

// light reports whether computing the elements of a truth vector at each of
// several reads costs less than storing them.
func (g *gen) light(p *pull, reads int) bool {
	if p.elem != ir.U8 || p.rank() != 1 || p.buf != nil || p.faults || p.cost > 40 || p.at == nil && p.flat == nil || !g.On("recompute") {
		return false
	}
	w := math.Inf(1)
	g.block(func() {
		if segments, weight, ok := g.straightPieces(p); ok && len(segments) > 0 {
			w = weight
		}
	})
	return w*float64(reads-1) <= storedTruth
}
