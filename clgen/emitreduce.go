package clgen

import (
	"fmt"
	"slices"

	"github.com/tailor-lang/tailor/fcl/compile"
	fclkernel "github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/loop"
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
	doubles := slices.Contains(accumulators(k.nest.Accs).kinds(), ir.F64)
	return s == Chunks && doubles && len(k.dims) == 1 && len(k.sums) == 0 && k.trap == nil && ir.IsStraight(k.body)
}

// reduceText writes a reduction of a whole space as a fold of FCL's library. The last kernel
// joins the values before it, and writes the answers.
func (pl *planner) reduceText(t *kernelText, k *kernel) {
	name, accs := "foldGrid", accumulators(k.nest.Accs)
	if k.inLanes(pl.plan.Schedule) {
		name = "foldOrdered"
	}
	pl.library(t, k, name, []types.Type{accs.kinds().elem()}, foldSteps, func(u *libraryUse, f compile.Value) {
		n, within := u.points(k.dims, pl.plan.Schedule)
		args := u.fold(k.nest, u.stepOf(accs, func(at, low string) { t.foldPoint(k, k.body, at, low, within) }))
		if name == "foldOrdered" {
			args = append([]compile.Value{u.by(k, pl.plan.Schedule)}, append(args, fclkernel.Truth(k.nest.Chains()))...)
		}
		u.take(f, append(args, n), false, func(args []string) { t.foldEnd(k, args) })
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

// fold are the arguments of a fold: what joins a place, what joins two accumulators, and the neutral elements.
func (u *libraryUse) fold(n *ir.Nest, step compile.Value) []compile.Value {
	accs := accumulators(n.Accs)
	var neutrals []ir.Expr
	for _, a := range accs {
		neutrals = append(neutrals, a.Neutral)
	}
	return []compile.Value{step, u.joinOf(accs), u.named(accs.kinds(), neutrals...)}
}

// by is the function by which foldOrdered chooses the step for some numbers: on CPUs that of a subset which
// has all of them. emit fcl writes what there is for GPUs.
func (u *libraryUse) by(k *kernel, s Schedule) compile.Value {
	made := compile.Curried(4, func(args []compile.Value) compile.Value { return compile.Apply(args[3], args[0]) })
	if s == Groups {
		return made
	}
	number := func(x ir.Expr) fclkernel.Expr {
		return u.named(kinds{ir.I64}, ir.Sub(x, k.dims[0].Lo)).(fclkernel.Expr)
	}
	for _, s := range loop.Subsets(u.t.facts, k.nest) {
		others := made
		step := u.stepOf(k.nest.Accs, func(at, low string) { u.t.foldPoint(k, s.Body, at, low, nil) })
		made = compile.Curried(4, func(args []compile.Value) compile.Value {
			from, to := args[1].(fclkernel.Expr), args[2].(fclkernel.Expr)
			inside := both(fclkernel.Apply("<=", number(s.Lo), from), fclkernel.Apply("<=", to, number(s.Hi)))
			return u.Choose(inside, compile.Apply(args[3], step), compile.Apply(others, args...))
		})
	}
	return made
}

// stepOf is the function of FCL that joins what the loop computes at a place, also given as an int, to accumulators.
func (u *libraryUse) stepOf(accs accumulators, point func(at, low string)) compile.Value {
	ks := accs.kinds()
	return compile.Curried(2, func(args []compile.Value) compile.Value {
		return u.values(ks.scalars(), false, func(args, results []string) {
			last := len(args) - 2
			for i, x := range ks.values(args[:last]) {
				u.t.shadow(accs[i].Var, x)
			}
			point(args[last], args[last+1])
			ks.assign(u.t, results, func(i int) string { return u.t.v(accs[i].Var) })
		}, append(args, fclkernel.Apply("i32", args[1].(fclkernel.Expr)))...)
	})
}

// joinOf is the function of FCL that joins accumulators.
func (u *libraryUse) joinOf(accs accumulators) compile.Value {
	ks := accs.kinds()
	return compile.Curried(2, func(args []compile.Value) compile.Value {
		return u.values(ks.scalars(), true, func(args, results []string) {
			left, right := ks.values(args[:len(args)/2]), ks.values(args[len(args)/2:])
			ks.assign(u.t, results, func(i int) string { return u.t.named(accs[i], u.t.joined(accs[i], left[i], right[i])) })
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
	return u.size(0, len(dims)), within
}

// foldPoint writes what a reduction does at a place of its space, or at those of an axis within it.
func (t *kernelText) foldPoint(k *kernel, body []ir.Stmt, at, low string, within []ir.Dim) {
	outer := len(k.dims) - len(within)
	t.indices(k.dims[:outer], at)
	if outer == 1 {
		t.low = map[*ir.Var]string{k.dims[0].Var: fmt.Sprintf("(int)((uint)first%d + (uint)%s)", t.axis, low)}
	}
	for i, d := range within {
		v := t.declare(d.Var)
		t.open("for (long %[1]s = first%[2]d; %[1]s < first%[2]d + count%[2]d; %[1]s++)", v, outer+i)
	}
	t.block(body)
	for range within {
		t.close()
	}
}

// foldEnd joins the values before a reduction to its results, and writes what follows it.
func (t *kernelText) foldEnd(k *kernel, results []string) {
	t.folded(k.nest, results)
	t.results(k)
	t.block(k.nest.Post)
	t.answer(k)
}

// folded declares the accumulators of a reduction: what each begins with, joined with what has been folded.
func (t *kernelText) folded(n *ir.Nest, results []string) {
	for i, x := range accumulators(n.Accs).kinds().values(results) {
		t.shadow(n.Accs[i].Var, x)
	}
	for _, s := range n.Pre {
		d := s.(*ir.Decl)
		before := zeroText(d.Var.Kind)
		if d.Init != nil {
			before = t.expr(d.Init)
		}
		a := n.Accs[slices.IndexFunc(n.Accs, func(a ir.Acc) bool { return a.Var == d.Var })]
		t.open("")
		t.line("const %s before = %s;", cltype(d.Var.Kind), before)
		t.line("%s = %s;", t.v(a.Var), t.joined(a, "before", t.v(a.Var)))
		t.close()
	}
}
