package pass

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
)

// StateArray is an array of a loop's state, with its extents before and after
// each step. The second buffer of one whose extents stay holds nothing then.
type StateArray struct {
	Buf   *ir.Buf
	Dims  []ir.Expr
	Spare bool
}

// LoopState is the state of a loop, and the place in the source.
type LoopState struct {
	Arrays []StateArray
	At     diag.Span
}

// Small reports whether the arrays are known to have few elements.
func (s LoopState) Small() bool {
	for _, a := range s.Arrays {
		if n, ok := ir.IntOf(ir.Product(a.Dims)); !ok || n > 128 {
			return false
		}
	}
	return true
}

// Swept reports whether nests in a loop read or write the arrays. Copies of
// arrays of which each step touches single elements cost more than the steps.
func (s LoopState) Swept(loop ir.Stmt) bool {
	found := false
	for _, block := range ir.Blocks(loop) {
		ir.Walk(*block, func(x ir.Stmt) {
			if n, ok := x.(*ir.Nest); ok && !found {
				for _, a := range s.Arrays {
					found = found || ir.MentionsBuf(n, a.Buf)
				}
			}
		})
	}
	return found
}
