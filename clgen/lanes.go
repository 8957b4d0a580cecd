package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Compilers keep the order of sums of doubles, and so make no vector code of a
// loop that adds up, not even of what it adds. In chunks for CPUs such a loop
// has several accumulators, one a lane:
//
//	for (; at + 16 <= end; at += 16)
//	  for (int lane = 0; lane < 16; lane++) accs[lane] = accs[lane] + x(at + lane);

// lanes is the number of accumulators.
const lanes = 16

// inLanes reports whether the reduction of a kernel is best in lanes: it has
// an accumulator of doubles, no sums that are checked, and a straight body.
func (k *kernel) inLanes() bool {
	if k.nest == nil || len(k.sums) > 0 || k.trap != nil {
		return false
	}
	doubles, straight := false, true
	for _, a := range k.nest.Accs {
		doubles = doubles || a.Var.Kind == ir.F64
	}
	for _, s := range k.body {
		switch s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Store, *ir.Comment:
		default:
			straight = false
		}
	}
	return doubles && straight
}

// chunkLanes writes the loops over a work-item's part of the space, whose
// accumulators have been declared.
func (t *kernelText) chunkLanes(k *kernel) {
	accs, dims := k.nest.Accs, k.dims
	last, outer := len(dims)-1, max(len(dims)-1, 1)
	t.line("const long total = %s, item = get_global_id(0), items = get_global_size(0);", t.sizeText(0, outer))
	t.line("const long from = total * item / items, to = total * (item + 1) / items;")
	for i, a := range accs {
		t.line("%s accs%d[%d];", cltype(a.Var.Kind), i, lanes)
		t.line("for (int lane = 0; lane < %d; lane++) accs%d[lane] = %s;", lanes, i, t.v(a.Var))
	}
	start, end := "first0 + from", "first0 + to"
	if last > 0 {
		t.open("for (long at = from; at < to; at++)")
		t.indices(dims[:last], "at")
		start, end = fmt.Sprintf("first%d", last), fmt.Sprintf("first%d + count%d", last, last)
	}
	t.line("const long end = %s;", end)
	t.line("long start = %s;", start)
	t.open("for (; start + %d <= end; start += %d)", lanes, lanes)
	t.line("#pragma clang loop unroll(disable)")
	t.open("for (int lane = 0; lane < %d; lane++)", lanes)
	t.lane(k, "start + lane", "lane")
	t.close()
	t.close()
	t.open("for (; start < end; start++)")
	t.lane(k, "start", "0")
	t.close()
	if last > 0 {
		t.close()
	}
	t.open("for (int lane = 0; lane < %d; lane++)", lanes)
	for i, a := range accs {
		t.combine(a, t.v(a.Var), fmt.Sprintf("accs%d[lane]", i), t.v(a.Var))
	}
	t.close()
}

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
		stmtExprs(s, func(x ir.Expr) { ir.WalkExpr(x, func(ir.Expr) { n++ }) })
	}
	if n <= unrollWeight {
		t.line("#pragma unroll")
	}
}

// vectorInts is the number of 32-bit integers in a vector of a CPU.
const vectorInts = 8

// widen asks for vectors of integers where a loop, which may have doubles, has
// more of these: compilers choose by the widest kind in it.
func (t *kernelText) widen(n *ir.Nest) {
	if !t.vector || len(n.Red) > 0 {
		return
	}
	ints, doubles := 0, 0
	for _, s := range n.Body {
		switch s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Store, *ir.Comment:
		default:
			return
		}
		stmtExprs(s, func(x ir.Expr) {
			ir.WalkExpr(x, func(x ir.Expr) {
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
		})
	}
	if ints > doubles && doubles > 0 {
		t.line("#pragma clang loop vectorize_width(%d)", vectorInts)
	}
}

// lane writes the body for a point and a lane.
func (t *kernelText) lane(k *kernel, at, lane string) {
	t.line("const long %s = %s;", t.declare(k.dims[len(k.dims)-1].Var), at)
	for i, a := range k.nest.Accs {
		t.line("%s %s = accs%d[%s];", cltype(a.Var.Kind), t.v(a.Var), i, lane)
	}
	t.block(k.body)
	for i, a := range k.nest.Accs {
		t.line("accs%d[%s] = %s;", i, lane, t.v(a.Var))
	}
}
