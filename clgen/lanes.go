package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/loop"
)

// A few statements for a few elements stay in registers where their loop is
// written out, and become vector code nonetheless:
//
//	double x[16];
//	for (long step = 0; step < steps; step++)
//	  #pragma unroll
//	  for (long i = 0; i < 16; i++) x[i] = x[i] + 1.0;
//
// Larger loops would take too many registers.
const (
	unrollTrips  = 16
	unrollWeight = 12 // expressions in the body
)

// unroll asks for a loop to be written out, where that pays, or not to be: one over lanes of sums
// is vector code as it stands, and on GPUs written out, so that these are in registers.
func (t *kernelText) unroll(s *ir.For) {
	if _, ok := s.Hi.(*ir.Int); !ok || !s.Independent || trips(s.Lo, s.Hi) > unrollTrips {
		return
	}
	n := 0
	for _, s := range s.Body {
		switch s := s.(type) {
		case *ir.Store:
			if t.lanes[s.Buf] && t.vector {
				t.line("#pragma clang loop unroll(disable)")
				return
			}
		case *ir.Decl, *ir.Assign, *ir.Comment, *ir.Checked:
		default:
			n += unrollWeight
		}
		exprs(s, func(ir.Expr) { n++ })
	}
	if !t.vector || n <= unrollWeight {
		t.line("#pragma unroll")
	}
}

// vectorInts is the number of 32-bit integers in a vector of a CPU.
const vectorInts = 8

// widened asks for vectors of integers where a loop, which may have doubles, has
// more of these: compilers choose by the widest kind in it.
func (t *kernelText) widened(n *ir.Nest) []string {
	if !t.vector || len(n.Red) > 0 {
		return nil
	}
	ints, doubles := 0, 0
	for _, s := range n.Body {
		switch s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Store, *ir.Comment:
		default:
			return nil
		}
		exprs(s, func(x ir.Expr) {
			switch x.(type) {
			case *ir.Binary, *ir.Unary:
				switch x.Kind() {
				case ir.I32:
					ints++
				case ir.F64:
					doubles++
				}
			}
		})
	}
	if ints > doubles && doubles > 0 {
		return []string{fmt.Sprintf("#pragma clang loop vectorize_width(%d)", vectorInts)}
	}
	return nil
}

// ordered is a reduction at a point, in the order of num.Ordered, as loops. What lanes have
// reached is looked at where they are joined.
func (t *kernelText) ordered(n *ir.Nest) []ir.Stmt {
	order := loop.Unrolled
	switch {
	case !ir.IsStraight(n.Body):
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
