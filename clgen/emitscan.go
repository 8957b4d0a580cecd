package clgen

import (
	"github.com/tailor-lang/tailor/fcl/compile"
	fclkernel "github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// A running scan or a selection becomes three kernels: the totals of parts of the loop, the
// running totals of the parts, and the loop itself, each part from its total on.

// scan returns the kernel of a running scan or a selection, nil for other loops.
func (pl *planner) scan(f *ir.For) *kernel {
	if !isPure(f.Body) || ir.Has[*ir.Nest](f.Body) {
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

// scanSteps are the kernels of a running scan or a selection.
var scanSteps = []libraryStep{
	{"_totals", "The totals of the parts of %s."}, {"_carry", "What is before each part of %s."}, {"", "The parts of %s, each from its total on."},
}

// scanText writes a running scan or a selection as a scan of FCL's library. The last value
// goes to the answers; the loop's other statements take each one.
func (pl *planner) scanText(t *kernelText, k *kernel) {
	s, of := k.scan, scalarOf(k.scan.Acc.Var.Kind)
	name, steps := "scanTiles", scanSteps
	switch {
	case k.level == "block":
		name, steps = "scanByBlock", []libraryStep{{"", "%s by one work-group."}}
	case k.level == "thread":
		name, steps = "scanByThread", []libraryStep{{"", "%s by one work-item."}}
	case pl.plan.Schedule == Chunks:
		name = "scanGrid"
	}
	pl.library(t, k, name, []types.Type{of}, steps, func(u *libraryUse, f compile.Value) {
		elements := &compile.Pull{N: u.extent(0), At: func(i fclkernel.Expr) compile.Value {
			return u.values([]types.Scalar{of}, true, func(args, results []string) {
				t.point(k, args[0])
				t.block(s.Pre)
				t.line("%s = %s;", results[0], t.number(s.Elem))
			}, i)
		}}
		total := compile.Func(func(v compile.Value) compile.Value {
			u.effect(func(args []string) {
				t.shadow(s.Acc.Var, args[0])
				t.answer(k)
			}, v)
			return v
		})
		u.take(f, []compile.Value{
			u.joinOf(accumulators{s.Acc}), u.named(kinds{s.Acc.Var.Kind}, s.Acc.Neutral), u.named(kinds{s.Acc.Var.Kind}, s.Acc.Var.Use()),
			total, elements,
		}, true, func(args []string) { t.scanPoint(k, args[0], args[1]) })
	})
}

// point declares the variable of a loop at a place of its space.
func (t *kernelText) point(k *kernel, at string) {
	t.line("const long %s = first0 + %s;", t.declare(k.dims[0].Var), at)
}

// scanPoint writes what the loop does with a value of the scan.
func (t *kernelText) scanPoint(k *kernel, at, value string) {
	s := k.scan
	t.point(k, at)
	t.block(s.Pre)
	if s.Keep == nil {
		t.shadow(s.Acc.Var, value)
		t.block(s.Post)
		return
	}
	t.open("if (%s)", t.expr(s.Keep))
	t.shadow(s.Acc.Var, value+" - 1")
	t.block(s.Post)
	t.close()
}

// shadow declares a variable anew where a parameter has its name.
func (t *kernelText) shadow(v *ir.Var, init string) {
	delete(t.vars, v)
	t.line("%s %s = %s;", cltype(v.Kind), t.declare(v), init)
}
