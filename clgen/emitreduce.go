package clgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/fcl/compile"
	fclkernel "github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/laila/ir"
)

// foldSteps are the kernels of a reduction.
var foldSteps = []libraryStep{{"", ""}, {"_join", "Joins the parts of %s."}}

// inLanes reports whether the doubles of a reduction are folded in lanes: in the order of
// num.Ordered, or in any order on a CPU, where compilers keep the order and so make no vector
// code of a single chain.
func (k *kernel) inLanes(s Schedule) bool {
	if k.nest.Rounds() {
		return true
	}
	doubles := false
	for _, a := range k.nest.Accs {
		doubles = doubles || a.Var.Kind == ir.F64
	}
	return s == Chunks && doubles && len(k.dims) == 1 && len(k.sums) == 0 && k.trap == nil && straight(k.body)
}

// straight reports whether a body has no loops or branches.
func straight(body []ir.Stmt) bool {
	for _, s := range body {
		switch s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Store, *ir.Comment, *ir.Checked:
		default:
			return false
		}
	}
	return true
}

// reduceText writes a reduction of a whole space as a fold of FCL's library. The last kernel
// joins the values before it, and writes the answers.
func (pl *planner) reduceText(t *kernelText, k *kernel) {
	name, accs := "foldGrid", accumulators(k.nest.Accs)
	if k.inLanes(pl.plan.Schedule) {
		name = "foldOrdered"
	}
	k.fcl = &fclUse{name: name, args: func(w *fclText) []string {
		args := w.foldArgs(k.nest)
		if name == "foldOrdered" {
			args = append(args[:3], fmt.Sprint(k.nest.Chains()))
		}
		return append(args, fclExtents(0, len(k.dims)))
	}}
	pl.library(t, k, name, []types.Type{accs.elem()}, foldSteps, func(u *libraryUse, f compile.Value) {
		n, within := u.points(k.dims, pl.plan.Schedule)
		values := []compile.Value{u.stepOf(accs, func(at string) { t.foldPoint(k, at, within) }), u.joinOf(accs), u.neutrals(accs)}
		if name == "foldOrdered" {
			values = append(values, fclkernel.Truth(k.nest.Chains()))
		}
		u.Take(compile.Apply(f, append(values, n)...), func(_ fclkernel.Expr, v compile.Value) {
			u.effect(func(args []string) { t.foldEnd(k, accs, args) }, v)
		})
	})
}

// accumulators are those of a reduction.
type accumulators []ir.Acc

func (accs accumulators) kinds() (all kinds) {
	for _, a := range accs {
		all = append(all, a.Var.Kind)
	}
	return all
}

func (accs accumulators) scalars() []types.Scalar                { return accs.kinds().scalars() }
func (accs accumulators) elem() types.Type                       { return accs.kinds().elem() }
func (accs accumulators) values(scalars []string) (all []string) { return accs.kinds().values(scalars) }

// assign writes values to scalars.
func (accs accumulators) assign(t *kernelText, results []string, value func(a ir.Acc) string) {
	accs.kinds().assign(t, results, func(i int) string { return value(accs[i]) })
}

// neutrals are the neutral elements.
func (u *libraryUse) neutrals(accs accumulators) compile.Value {
	var all []ir.Expr
	for _, a := range accs {
		all = append(all, a.Neutral)
	}
	return u.named(accs.kinds(), all)
}

// stepOf is the function of FCL that joins what the loop computes at a place to accumulators.
func (u *libraryUse) stepOf(accs accumulators, point func(at string)) compile.Value {
	return compile.Curried(2, func(args []compile.Value) compile.Value {
		return u.values(accs.scalars(), func(args, results []string) {
			last := len(args) - 1
			for i, x := range accs.values(args[:last]) {
				u.t.shadow(accs[i].Var, x)
			}
			point(args[last])
			accs.assign(u.t, results, func(a ir.Acc) string { return u.t.v(a.Var) })
		}, args...)
	})
}

// joinOf is the function of FCL that joins accumulators.
func (u *libraryUse) joinOf(accs accumulators) compile.Value {
	return compile.Curried(2, func(args []compile.Value) compile.Value {
		return u.values(accs.scalars(), func(args, results []string) {
			left, right := accs.values(args[:len(args)/2]), accs.values(args[len(args)/2:])
			for i, a := range accs {
				u.t.open("")
				accumulators{a}.assign(u.t, results, func(a ir.Acc) string { return u.t.named(a, u.t.joined(a, left[i], right[i])) })
				results = results[len(accumulators{a}.scalars()):]
				u.t.close()
			}
		}, args...)
	})
}

// named gives a complex value a name, as it is written twice.
func (t *kernelText) named(a ir.Acc, x string) string {
	if a.Var.Kind != ir.C64 {
		return x
	}
	name := t.fresh("z")
	t.line("const tl_c64 %s = %s;", name, x)
	return name
}

// points is the number of points of a space, or on a CPU, where the last of several axes is a loop
// within each point, of those of the others; within is that axis.
func (u *libraryUse) points(dims []ir.Dim, s Schedule) (n fclkernel.Expr, within []ir.Dim) {
	if last := len(dims) - 1; s == Chunks && last > 0 {
		dims, within = dims[:last], dims[last:]
	}
	return u.product(0, len(dims)), within
}

// foldPoint writes what a reduction does at a place of its space, or at those of an axis within it.
func (t *kernelText) foldPoint(k *kernel, at string, within []ir.Dim) {
	outer := len(k.dims) - len(within)
	t.indices(k.dims[:outer], at)
	for i, d := range within {
		v := t.declare(d.Var)
		t.open("for (long %[1]s = first%[2]d; %[1]s < first%[2]d + count%[2]d; %[1]s++)", v, outer+i)
	}
	t.block(k.body)
	for range within {
		t.close()
	}
}

// foldEnd joins the values before a reduction to its results, and writes what follows it.
func (t *kernelText) foldEnd(k *kernel, accs accumulators, results []string) {
	for i, x := range accs.values(results) {
		t.shadow(accs[i].Var, x)
	}
	for _, s := range k.nest.Pre {
		t.joinBefore(accs, s.(*ir.Decl))
	}
	t.results(k)
	t.block(k.nest.Post)
	t.answer(k)
}

// joinBefore joins what an accumulator begins with to what has been folded.
func (t *kernelText) joinBefore(accs accumulators, d *ir.Decl) {
	for _, a := range accs {
		if a.Var != d.Var {
			continue
		}
		before := zeroText(d.Var.Kind)
		if d.Init != nil {
			before = t.expr(d.Init)
		}
		t.open("")
		t.line("const %s before = %s;", cltype(d.Var.Kind), before)
		t.line("%s = %s;", t.v(a.Var), t.joined(a, "before", t.v(a.Var)))
		t.close()
	}
}

// foldArgs writes the arguments of a fold as FCL, but for the number of places.
func (w *fclText) foldArgs(n *ir.Nest) []string {
	var accs, neutrals, lefts, rights, joined []string
	for _, a := range n.Accs {
		accs, neutrals = append(accs, w.v(a.Var)), append(neutrals, w.expr(a.Neutral))
		lefts, rights, joined = append(lefts, w.v(a.Left)), append(rights, w.v(a.Right)), append(joined, w.expr(a.Combine))
	}
	step := fmt.Sprintf("(fn %s => %s)", fclTuple(accs), w.point(n.Red[0], n.Body, fclTuple(accs)))
	args := []string{step, fmt.Sprintf("(fn %s => fn %s => %s)", fclTuple(lefts), fclTuple(rights), fclTuple(joined)), fclTuple(neutrals)}
	if n.Rounds() {
		args = append(args, fmt.Sprint(n.Chains()))
	}
	return args
}

// fclExtents writes the number of points of some axes.
func fclExtents(from, to int) string {
	var extents []string
	for i := from; i < to; i++ {
		extents = append(extents, fmt.Sprintf("n%d", i))
	}
	if len(extents) == 1 {
		return extents[0]
	}
	return "(" + strings.Join(extents, " * ") + ")"
}

func fclTuple(items []string) string {
	if len(items) == 1 && !strings.Contains(items[0], " ") {
		return items[0]
	}
	return "(" + strings.Join(items, ", ") + ")"
}
