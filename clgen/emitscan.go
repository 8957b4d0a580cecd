package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/fcl/compile"
	fclkernel "github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

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
	k.fcl = &fclUse{name: name, then: func(w *fclText) string { return w.scanned(s) }, args: func(w *fclText) []string {
		return []string{fclJoiner(s.Op), w.operand(s.Acc.Neutral), w.v(s.Acc.Var),
			"(fn total => total)", fmt.Sprintf("(generate n0 (%s))", w.point(k.dims[0], s.Pre, w.expr(s.Elem)))}
	}}
	pl.library(t, k, name, []types.Type{of}, steps, func(u *libraryUse, f compile.Value) {
		elements := &compile.Pull{N: u.extent(0), At: func(i fclkernel.Expr) compile.Value {
			return u.code(of, true, func(args []string) string {
				t.point(k, args[0])
				t.block(s.Pre)
				return t.number(s.Elem)
			}, i)
		}}
		total := compile.Func(func(v compile.Value) compile.Value {
			u.effect(func(args []string) {
				t.shadow(s.Acc.Var, args[0])
				t.answer(k)
			}, v)
			return v
		})
		neutral, start := compile.Named(fmt.Sprintf("(%s)", t.expr(s.Acc.Neutral)), of), compile.Named(t.v(s.Acc.Var), of)
		u.Take(compile.Apply(f, u.joins(s.Acc), neutral, start, total, elements), func(i fclkernel.Expr, v compile.Value) {
			u.effect(func(args []string) { t.scanPoint(k, args[0], args[1]) }, i, v)
		})
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

// scanned says for people what the loop does with the values of the scan.
func (w *fclText) scanned(s *flow.Scan) string {
	text := w.stores(s.Post)
	if s.Keep != nil && text != "" {
		return fmt.Sprintf("where %s, with the number of those before as %s:\n%s", w.expr(s.Keep), w.v(s.Acc.Var), text)
	}
	return text
}
