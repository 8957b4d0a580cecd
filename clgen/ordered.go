package clgen

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/loop"
)

// ordered is a reduction at a point, in the order of num.Ordered, as loops. What lanes have
// reached is looked at where they are joined.
func (t *kernelText) ordered(n *ir.Nest) []ir.Stmt {
	order := loop.Unrolled
	switch {
	case !straight(n.Body):
		order = loop.Places
	case t.vector:
		order = loop.Vectors
	}
	list := loop.Ordered(t.facts, n, order)
	for _, s := range list {
		if d, ok := s.(*ir.DeclBuf); ok {
			t.lanes[d.Buf] = true
		}
	}
	return list
}
