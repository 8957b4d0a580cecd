package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/ir"
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

// unroll asks for a loop to be written out, where that pays.
func (t *kernelText) unroll(s *ir.For) {
	if !t.vector || !s.Independent || trips(s.Lo, s.Hi) > unrollTrips {
		return
	}
	if _, ok := s.Hi.(*ir.Int); !ok {
		return
	}
	n := 0
	for _, s := range s.Body {
		switch s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Store, *ir.Comment:
		default:
			return
		}
		exprs(s, func(ir.Expr) { n++ })
	}
	if n <= unrollWeight {
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
