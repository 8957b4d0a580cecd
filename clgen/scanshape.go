package clgen

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// A running scan or a selection becomes three kernels: the totals of parts of the loop, the
// running totals of the parts, and the loop itself, each part from its total on.

// scan returns the kernel of a running scan or a selection, nil for other loops.
func (pl *planner) scan(f *ir.For) *kernel {
	if !isPure(f.Body) || has[*ir.Nest](f.Body) {
		return nil
	}
	s, ok := flow.ScanOf(f, pl.plan.Facts.Relaxed)
	u := usesOf(f.Body, f.Var)
	if !ok || s.Acc.Var.Kind == ir.U8 && s.Op == ir.OpOr && len(u.written) == 0 {
		return nil
	}
	k := newKernel(scanShape, u, spanOf([]ir.Stmt{f}))
	k.dims, k.body, k.scan, k.weight = []ir.Dim{{Var: f.Var, Lo: f.Lo, Hi: f.Hi}}, f.Body, s, weigh(f.Body)
	if k.redo = s.Flag != nil; k.redo {
		k.sums = map[*ir.Var]*ir.Var{s.Acc.Var: s.Flag}
	}
	return k.setFlags(u, map[*ir.Var]bool{s.Acc.Var: true})
}
