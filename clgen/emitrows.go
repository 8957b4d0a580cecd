package clgen

import (
	"fmt"
	"strings"

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
	r := &rowFold{pl: pl, t: t, k: k}
	accs := r.last().accs()
	name := k.rowFunction()
	k.fcl = &fclUse{name: name, args: func(w *fclText) []string { return r.fclArgs(w, name) }}
	pl.library(t, k, name, []types.Type{accs.elem()}, rowSteps[name], func(u *libraryUse, f compile.Value) {
		r.u = u
		rows, n := u.product(0, len(k.dims)), u.product(len(k.dims), len(k.dims)+len(k.rows.red()))
		each := u.Elsewhere(k.name, rows, rows, pl.plan.GroupSize)
		step := compile.Func(func(row compile.Value) compile.Value {
			r.before(row)
			return r.step(r.last())
		})
		fold := []compile.Value{step, u.joinOf(accs), u.neutrals(accs)}
		across := fclkernel.Truth(k.acrossRows())
		var values []compile.Value
		switch name {
		case "foldRows":
			values = append(append(values, each), append(fold, across, rows, n)...)
		case "foldRowsOrdered":
			values = append(append(values, each), append(fold, fclkernel.Truth(r.last().Chains()), across, rows, n)...)
		case "foldRowsSlices":
			values = append(fold, fclkernel.Truth(r.last().Rounds() && r.last().Chains()), across, rows, n)
		case "foldRowsGrid":
			values = append(fold, rows, n)
		case "rowsBy":
			values = append(values, each, rows, n, compile.Apply(u.Function(libraryFunction("rowsBlock", accs.elem())), rows, r.blocks(n)))
		case "rowsBlock":
			values = append(values, rows, r.blocks(n))
		}
		u.Take(compile.Apply(f, values...), func(_ fclkernel.Expr, v compile.Value) {
			u.effect(func(args []string) { r.end(args) }, v)
		})
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
	pl *planner
	t  *kernelText
	k  *kernel
	u  *libraryUse
}

// rowNest is a reduction in the points.
type rowNest struct{ *ir.Nest }

func (n rowNest) accs() accumulators { return n.Accs }

func (r *rowFold) last() rowNest { return rowNest{r.k.rows.nests[len(r.k.rows.nests)-1]} }

// product is the number of points of some axes.
func (u *libraryUse) product(from, to int) fclkernel.Expr {
	n := fclkernel.Expr(fclkernel.Int(1))
	for i := from; i < to; i++ {
		n = fclkernel.Apply("*", n, u.extent(i))
	}
	return n
}

// before writes the statements before the last reduction at a row, with the reductions among
// them; what they declare is there for the code behind.
func (r *rowFold) before(row compile.Value) {
	r.statement(func(args []string) { r.t.indices(r.k.dims, args[0]) }, row)
	for _, s := range r.k.rows.body {
		n, ok := s.(*ir.Nest)
		switch {
		case ok && n == r.last().Nest:
			return
		case ok:
			nest := rowNest{n}
			total := r.u.Shared(r.fold(nest, r.u.product(len(r.k.dims), len(r.k.dims)+len(n.Red))), nest.accs().elem())
			r.statement(func(args []string) { r.results(nest, args) }, total)
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
func (r *rowFold) results(n rowNest, folded []string) {
	for i, x := range n.accs().values(folded) {
		r.t.shadow(n.Accs[i].Var, x)
	}
	for _, s := range n.Pre {
		r.t.joinBefore(n.accs(), s.(*ir.Decl))
	}
	r.t.block(n.Post)
}

// end writes the results of the last reduction of a row, and what is behind it.
func (r *rowFold) end(folded []string) {
	r.results(r.last(), folded)
	behind := false
	for _, s := range r.k.rows.body {
		if behind {
			r.t.stmt(s)
		}
		behind = behind || s == ir.Stmt(r.last().Nest)
	}
}

// step is the function of FCL that joins a place of a row to accumulators.
func (r *rowFold) step(n rowNest) compile.Value {
	return r.u.stepOf(n.accs(), func(at string) {
		axis := r.t.axis
		r.t.axis = len(r.k.dims)
		r.t.indices(n.Red, at)
		r.t.block(n.Body)
		r.t.axis = axis
	})
}

// blocks is the function of FCL that folds a row in a block.
func (r *rowFold) blocks(n fclkernel.Expr) compile.Value {
	return compile.Func(func(row compile.Value) compile.Value {
		return compile.Later(func() compile.Value {
			r.before(row)
			return r.fold(r.last(), n)
		})
	})
}

// fold is the program of a block that folds the places of a row.
func (r *rowFold) fold(n rowNest, places fclkernel.Expr) compile.Value {
	accs := n.accs()
	name := "foldBlock"
	values := []compile.Value{r.step(n), r.u.joinOf(accs), r.u.neutrals(accs)}
	if n.Rounds() {
		name, values = "foldOrderedBlock", append(values, fclkernel.Truth(n.Chains()))
	}
	f := r.u.Function(libraryFunction(name, accs.elem()))
	return compile.Apply(f, append(values, places)...)
}

// fclArgs writes the arguments of a function of rows as FCL.
func (r *rowFold) fclArgs(w *fclText, name string) []string {
	n := r.last().Nest
	fold := w.foldArgs(n)
	rows, length := fclExtents(0, len(r.k.dims)), fclExtents(len(r.k.dims), len(r.k.dims)+len(n.Red))
	row := "(fn r => … "
	if len(r.k.dims) == 1 {
		row = fmt.Sprintf("(fn %s => ", w.v(r.k.dims[0].Var))
	}
	block := "foldBlock"
	if n.Rounds() {
		block = "foldOrderedBlock"
	}
	blocks := fmt.Sprintf("%s %s%s %s %s)", rows, row, block, strings.Join(fold, " "), length)
	fold[0] = row + fold[0] + ")"
	if name == "foldRowsSlices" && !n.Rounds() {
		fold = append(fold, "false")
	}
	fold = append(fold, fmt.Sprint(r.k.acrossRows()), rows, length)
	switch name {
	case "rowsBlock":
		return []string{blocks}
	case "rowsBy":
		return []string{r.k.name, rows, length, "(rowsBlock " + blocks + ")"}
	case "foldRowsSlices":
		return fold
	case "foldRowsGrid":
		return append(fold[:3], rows, length)
	}
	return append([]string{r.k.name}, fold...)
}
