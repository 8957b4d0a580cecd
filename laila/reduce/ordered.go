package reduce

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Sums and products of doubles, and sums of complex numbers, are in the order of
// num.Ordered. A segred states that order by its one axis: the terms are its
// iterations, counted from 0. So a pass does not cut such a nest into several, nor
// does it make loops of it. Loops are from the first to the last iteration.

// ordered reports whether fd has more terms than are added from the first to the
// last.
func (fd *Folding) ordered() bool {
	n, known := ir.IntOf(fd.N)
	return fd.rounds() && !fd.plain && !(known && n <= num.Lanes)
}

// rounds reports whether the order of the terms of fd matters.
func (fd *Folding) rounds() bool {
	switch fd.Op {
	case tail.OpAddD, tail.OpMulD, tail.OpAddZ:
		return fd.Zero != nil
	}
	return false
}
