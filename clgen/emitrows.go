package clgen

import (
	"slices"

	"github.com/tailor-lang/tailor/fcl/compile"
	fclkernel "github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/laila/ir"
)

// rowSteps are the kernels of reductions of rows that have work-groups, by the library's function.
var rowSteps = map[string][]libraryStep{
	"rowsBy":          {groupStep},
	"rowsBlock":       {groupStep},
	"foldRows":        {partStep, joinStep, sliceStep, groupStep},
	"foldRowsOrdered": {sliceStep, groupStep},
	"foldRowsSlices":  {sliceStep},
	"foldRowsGrid":    {partStep, joinStep},
}

var (
	groupStep = libraryStep{"_group", "A work-group a segment of %s."}
	sliceStep = libraryStep{"_slice", "Several segments of %s a work-group."}
	partStep  = libraryStep{"_part", "Several work-groups a segment of %s."}
	joinStep  = libraryStep{"_rows", "Joins the parts of %s, a work-group a segment."}
)

// rowsText writes the kernels of the shapes of a segmented reduction that have work-groups.
func (pl *planner) rowsText(k *kernel) string {
	t := pl.newText()
	t.sums = k.rows.sums
	r := &rowFold{t: t, k: k}
	last := r.last()
	accs := accumulators(last.Accs)
	name := k.rowFunction()
	pl.library(t, k, name, []types.Type{accs.kinds().elem()}, rowSteps[name], func(u *libraryUse, f compile.Value) {
		r.u = u
		d := len(k.dims)
		rows, n := u.size(0, d), u.size(d, d+len(k.rows.red()))
		each := u.Elsewhere(k.name, rows, rows, pl.plan.GroupSize)
		fold := u.fold(last, compile.Func(func(row compile.Value) compile.Value {
			r.before(row)
			return r.step(last)
		}))
		few, across := fclkernel.Truth(last.Rounds() && last.Chains()), fclkernel.Truth(k.acrossRows())
		var args []compile.Value
		switch name {
		case "foldRows":
			args = append(append([]compile.Value{each}, fold...), across, rows, n)
		case "foldRowsOrdered":
			args = append(append([]compile.Value{each}, fold...), few, across, rows, n)
		case "foldRowsSlices":
			args = append(fold, few, across, rows, n)
		case "foldRowsGrid":
			args = append(fold, rows, n)
		case "rowsBlock":
			args = []compile.Value{rows, r.blocks(n)}
		case "rowsBy":
			all := u.Function(libraryFunction("rowsBlock", accs.kinds().elem()))
			args = []compile.Value{each, rows, n, compile.Apply(all, rows, r.blocks(n))}
		}
		u.take(f, args, false, r.end)
	})
	return t.b.String()
}

// rowFunction is the function of FCL's library for a segmented reduction.
func (k *kernel) rowFunction() string {
	switch {
	case k.level == "grid":
		return "foldRowsGrid"
	case k.level == "block":
		return "rowsBlock"
	case k.level == "warp":
		return "foldRowsSlices"
	case !k.rows.single():
		return "rowsBy"
	case k.rows.nests[0].Rounds():
		return "foldRowsOrdered"
	}
	return "foldRows"
}

// acrossRows reports whether neighbouring segments have neighbouring elements in memory, more often
// than a segment has.
func (k *kernel) acrossRows() bool {
	across, along := 0, 0
	red := k.rows.red()
	allExprs(k.rows.nests[0].Body, func(x ir.Expr) {
		if l, ok := x.(*ir.Load); ok {
			if c, ok := coefficient(l.Index, k.dims[len(k.dims)-1].Var); ok && (c == 1 || c == -1) {
				across++
			}
			if c, ok := coefficient(l.Index, red[len(red)-1].Var); ok && (c == 1 || c == -1) {
				along++
			}
		}
	})
	return across > along
}

// rowFold is a segmented reduction that is written as a use of FCL's library.
type rowFold struct {
	t *kernelText
	k *kernel
	u *libraryUse
}

func (r *rowFold) last() *ir.Nest { return r.k.rows.nests[len(r.k.rows.nests)-1] }

// before writes the statements before the last reduction at a row, with the reductions among
// them; what they declare is there for the code behind.
func (r *rowFold) before(row compile.Value) {
	r.statement(func(args []string) { r.t.indices(r.k.dims, args[0]) }, row)
	for _, s := range r.k.rows.body {
		n, ok := s.(*ir.Nest)
		switch {
		case ok && n == r.last():
			return
		case ok:
			total := r.u.Shared(r.fold(n, r.u.size(len(r.k.dims), len(r.k.dims)+len(n.Red))), accumulators(n.Accs).kinds().elem())
			r.statement(func(args []string) { r.results(n, args) }, total)
		default:
			r.statement(func([]string) { r.single(s) })
		}
	}
}

// single writes a statement that all work-items of a group execute, but for a store.
func (r *rowFold) single(s ir.Stmt) {
	if _, ok := s.(*ir.Store); ok {
		r.t.open("if (get_local_id(0) == 0)")
		r.t.stmt(s)
		r.t.close()
		return
	}
	r.t.stmt(s)
}

// statement is code of the loop program whose declarations stay.
func (r *rowFold) statement(write func(args []string), args ...compile.Value) {
	r.u.Code(nil, false, func(args, _ []string) string {
		return r.t.scoped(func() { write(args) })
	}, args...)
}

// results declares the accumulators of a reduction with what has been folded, and writes what
// follows it.
func (r *rowFold) results(n *ir.Nest, folded []string) {
	r.t.folded(n, folded)
	r.t.block(n.Post)
}

// end writes the results of the last reduction of a row, and what is behind it.
func (r *rowFold) end(folded []string) {
	r.results(r.last(), folded)
	body := r.k.rows.body
	r.t.block(body[slices.Index(body, ir.Stmt(r.last()))+1:])
}

// step is the function of FCL that joins a place of a row to accumulators.
func (r *rowFold) step(n *ir.Nest) compile.Value {
	return r.u.stepOf(n.Accs, func(at, _ string) {
		axis := r.t.axis
		r.t.axis = len(r.k.dims)
		r.t.indices(n.Red, at)
		r.t.block(n.Body)
		r.t.axis = axis
	})
}

// blocks is the function of FCL that folds a row of n places in a block.
func (r *rowFold) blocks(n fclkernel.Expr) compile.Value {
	return compile.Func(func(row compile.Value) compile.Value {
		return compile.Later(func() compile.Value {
			r.before(row)
			return r.fold(r.last(), n)
		})
	})
}

// fold is the program of a block that folds the places of a row.
func (r *rowFold) fold(n *ir.Nest, places fclkernel.Expr) compile.Value {
	name, args := "foldBlock", r.u.fold(n, r.step(n))
	if n.Rounds() {
		name, args = "foldOrderedBlock", append(args, fclkernel.Truth(n.Chains()))
	}
	f := r.u.Function(libraryFunction(name, accumulators(n.Accs).kinds().elem()))
	return compile.Apply(f, append(args, places)...)
}
