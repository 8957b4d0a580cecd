package loops

import (
	"fmt"
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// rows writes a reduction of rows.
func (w *writer) rows() string {
	k := w.k
	last := k.Folds[len(k.Folds)-1]
	w.space(k.Dims)
	w.space(k.Folds[0].Red)
	for _, n := range k.Folds[1:] {
		for i, d := range n.Red {
			w.axes[d.Var] = w.axes[k.Folds[0].Red[i].Var]
		}
	}
	stored, ok := w.collect(k.Rows, k.Dims)
	if !ok {
		return w.inOrder(looped(k.Dims, k.Body))
	}
	w.gives = [][]Result{stored}
	high := w.counted(k.Dims)
	switch k.Function {
	case "rowsBlock":
		return call("rowsBlock", high, w.point(k.Dims, w.blocks(k.Rows)))
	case "rowsBy":
		each := w.each(w.stores(k.Rows))
		return call("rowsBy", each, high, w.counted(last.Red), operand(call("rowsBlock", high, w.point(k.Dims, w.blocks(k.Rows)))))
	}
	return w.folds(last)
}

// each writes a program that has a thread for each row.
func (w *writer) each(row string) string {
	return operand(call("each", w.counted(w.k.Dims), w.point(w.k.Dims, call("return<thread>", operand(row)))))
}

// folds writes a reduction of rows with one fold, of which the library chooses who does it.
func (w *writer) folds(n *ir.Nest) string {
	k := w.k
	at := slices.Index(k.Rows, ir.Stmt(n))
	before, behind := k.Rows[:at], k.Rows[at+1:]
	same, neutral := w.accumulators(n.Accs)
	place := w.place(k.Dims)
	row := func(then func() string) string { return w.placed(k.Dims, place, w.block(before, then)) }
	step := function(row(func() string { return w.step(n, same, n.Body) }), place)
	args := []string{step, w.joined(n.Accs), neutral}
	if k.Function == "foldRowsOrdered" || k.Function == "foldRowsSlices" {
		args = append(args, fmt.Sprint(n.Rounds() && n.Chains()))
	}
	if k.Function != "foldRowsGrid" {
		args = append(args, fmt.Sprint(k.Columns))
	}
	if k.Function == "foldRows" || k.Function == "foldRowsOrdered" {
		whole := w.block(before, func() string {
			return let(same, neutral, w.block(looped(n.Red, n.Body), func() string { return same }))
		})
		args = append([]string{w.each(whole)}, args...)
	}
	program := call(k.Function, append(args, w.counted(k.Dims), w.counted(n.Red))...)
	push := w.name("foldsPush")
	then := w.results(k.Rows, func(tail func() string) string {
		return row(func() string { return w.before(n, w.block(slices.Concat(n.Post, behind), tail)) })
	})
	return steps("grid", push+" <- "+program, call("return<grid>", operand(call("mapPushIx<grid>", function(then, place, same), push))))
}

// blocks writes what a block does with a row: it folds, where the statements fold.
func (w *writer) blocks(list []ir.Stmt) string {
	return w.results(list, func(tail func() string) string {
		return w.program(list, func() string {
			return call("return<block>", operand(call("push<block>", operand(call("generate", "1", function(tail(), "_"))))))
		})
	})
}

// program writes statements whose folds a block does, and then what end writes.
func (w *writer) program(list []ir.Stmt, end func() string) string {
	if len(list) == 0 {
		return end()
	}
	rest := func() string { return w.program(list[1:], end) }
	n, ok := list[0].(*ir.Nest)
	if !ok {
		w.more = ir.Has[*ir.Nest](list)
		return w.block(list[:1], func() string { w.more = false; return rest() })
	}
	same, neutral := w.accumulators(n.Accs)
	name, args := "foldBlock", []string{w.step(n, same, n.Body), w.joined(n.Accs), neutral}
	if n.Rounds() {
		name, args = "foldOrderedBlock", append(args, fmt.Sprint(n.Chains()))
	}
	push, all := w.name("foldsPush"), w.name("folds")
	return steps("block", push+" <- "+call(name, append(args, w.counted(n.Red))...), all+" <- force<block> "+push, "let "+same+" = index "+all+" 0",
		w.before(n, w.block(n.Post, rest)))
}
