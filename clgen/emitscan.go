package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/fcl/compile"
	fclkernel "github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/laila/ir"
)

// scanSteps are the kernels of a running scan or a selection.
var scanSteps = []libraryStep{
	{"_totals", "The totals of the parts of %s."}, {"_carry", "What is before each part of %s."}, {"", "The parts of %s, each from its total on."},
}

// scanText writes a running scan or a selection as a scan of FCL's library. The last value
// goes to the answers; the loop's other statements take each one.
func (pl *planner) scanText(t *kernelText, k *kernel) {
	s, of := k.scan, scalarOf(k.scan.acc.Kind)
	name := "scanTiles"
	if pl.plan.Schedule == Chunks {
		name = "scanGrid"
	}
	k.fcl = &fclUse{name: name, then: s.fclNote, args: func(w *fclText) []string {
		return []string{fclJoiner(s.op), w.operand(s.neutral), w.v(s.acc),
			"(fn total => total)", fmt.Sprintf("(generate n0 (%s))", w.point(k.dims[0], s.pre, w.expr(s.elem)))}
	}}
	args := []types.Type{joiner(of), of, of, arrow(of, of), &types.Pull{Elem: of}}
	pl.library(t, k, name, args, scanSteps, func(u *libraryUse, f compile.Value) {
		elements := &compile.Pull{N: u.extent(0), At: func(i fclkernel.Expr) compile.Value {
			return u.code(of, true, func(args []string) string {
				t.point(k, args[0])
				t.block(s.pre)
				return t.number(s.elem)
			}, i)
		}}
		total := compile.Func(func(v compile.Value) compile.Value {
			u.effect(func(args []string) {
				t.shadow(s.acc, args[0])
				t.answer(k)
			}, v)
			return v
		})
		neutral, start := compile.Named(fmt.Sprintf("(%s)", t.expr(s.neutral)), of), compile.Named(t.v(s.acc), of)
		u.Take(compile.Apply(f, u.joins(s.combine), neutral, start, total, elements), func(i fclkernel.Expr, v compile.Value) {
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
	t.block(s.pre)
	if s.keep == nil {
		t.shadow(s.acc, value)
		t.block(s.post)
		return
	}
	t.open("if (%s)", t.expr(s.keep))
	t.shadow(s.acc, value+" - 1")
	t.block(s.post)
	t.close()
}

// shadow declares a variable anew where a parameter has its name.
func (t *kernelText) shadow(v *ir.Var, init string) {
	delete(t.vars, v)
	t.line("%s %s = %s;", cltype(v.Kind), t.declare(v), init)
}

// fclNote says for people what the loop does with the values of the scan.
func (s *scanLoop) fclNote(w *fclText) string {
	text := w.stores(s.post)
	if s.keep != nil && text != "" {
		return fmt.Sprintf("where %s, with the number of those before as %s:\n%s", w.expr(s.keep), w.v(s.acc), text)
	}
	return text
}
