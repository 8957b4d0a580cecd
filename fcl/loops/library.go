package loops

import (
	"fmt"
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// accumulators are the names of those of a reduction, with their neutral elements.
func (w *writer) accumulators(accs []ir.Acc) (same, neutral string) {
	var list, zeros []string
	for _, a := range accs {
		list, zeros = append(list, w.v(a.Var)), append(zeros, w.expr(a.Neutral))
	}
	return tuple(list), operand(tuple(zeros))
}

// joined writes the function that joins two values of each accumulator.
func (w *writer) joined(accs []ir.Acc) string {
	if b, ok := accs[0].Combine.(*ir.Binary); ok && len(accs) == 1 && ir.IsUse(b.X, accs[0].Left) && ir.IsUse(b.Y, accs[0].Right) {
		return Joiner(b.Op, b.X.Kind())
	}
	var lefts, rights, both []string
	for _, a := range accs {
		lefts, rights, both = append(lefts, w.v(a.Left)), append(rights, w.v(a.Right)), append(both, w.expr(a.Combine))
	}
	return function(tuple(both), tuple(lefts), tuple(rights))
}

// before writes the joining of accumulators with what they begin with, where that is not neutral.
func (w *writer) before(n *ir.Nest, text string) string {
	for _, s := range slices.Backward(n.Pre) {
		d, ok := s.(*ir.Decl)
		at := slices.IndexFunc(n.Accs, func(a ir.Acc) bool { return ok && a.Var == d.Var })
		if at < 0 {
			continue
		}
		init := d.Init
		if init == nil {
			init = ir.Zero(d.Var.Kind)
		}
		if a := n.Accs[at]; !ir.Same(init, a.Neutral) {
			text = let(w.v(a.Var), w.expr(a.Combined(init, a.Var.Use())), text)
		}
	}
	return text
}

// step writes the function that joins a place to accumulators.
func (w *writer) step(n *ir.Nest, same string, body []ir.Stmt) string {
	return function(w.point(n.Red, w.block(body, func() string { return same })), same)
}

// reduction writes a reduction of a whole space: what the host gets, and what the points store.
func (w *writer) reduction() string {
	k, n := w.k, w.k.Fold
	w.space(n.Red)
	stored, ok := w.collect(n.Body, n.Red)
	if !ok {
		return w.inOrder(unfolded(n))
	}
	same, neutral := w.accumulators(n.Accs)
	fold := slices.DeleteFunc(slices.Clone(n.Body), func(s ir.Stmt) bool { st, ok := s.(*ir.Store); return ok && w.sinks[st] != nil && !w.sinks[st].read })
	args := []string{w.step(n, same, fold), w.joined(n.Accs), neutral}
	if k.Function == "foldOrdered" {
		args = append([]string{"everywhere"}, append(args, fmt.Sprint(n.Chains()))...)
	}
	folds := call(k.Function, append(args, w.counted(n.Red))...)
	var outs []string
	var gives []Result
	for _, v := range k.Outs {
		outs, gives = append(outs, w.v(v)), append(gives, Result{Var: v})
	}
	w.gives = [][]Result{gives}
	list := []string{w.folded(folds, same, w.before(n, w.block(n.Post, func() string { return tuple(outs) })))}
	if len(stored) > 0 {
		w.gives = append(w.gives, stored)
		list = append(list, w.pushed(n.Red, append(slices.Clone(n.Pre), n.Body...)))
	}
	return tuple(list)
}

// folded writes what becomes of the one element that a program of the grid gives.
func (w *writer) folded(program, same, then string) string {
	push, all := w.name("foldsPush"), w.name("folds")
	return steps("grid", push+" <- "+program, all+" <- force<grid> "+push, "let "+same+" = index "+all+" 0", call("return<grid>", operand(then)))
}

// scan writes a running scan or a selection.
func (w *writer) scan() string {
	k, s := w.k, w.k.Scan
	d := k.Dims[0]
	w.space(k.Dims)
	acc := w.v(s.Acc.Var)
	elements := operand(call("generate", w.counted(k.Dims), w.point(k.Dims, w.block(s.Pre, func() string { return w.expr(s.Elem) }))))
	program := call(k.Function, Joiner(s.Op, s.Acc.Var.Kind), w.operand(s.Acc.Neutral), acc, "(fn total => total)", elements)
	push, all := w.name("scanPush"), w.name("scanned")
	total := fmt.Sprintf("if length %[1]s == 0 then %[2]s else last %[1]s", all, acc)
	body := append(slices.Clone(s.Pre), s.Post...)
	if s.Keep != nil {
		one := ir.OpSub.Of(s.Acc.Var.Use(), &ir.Int{Val: 1, K: s.Acc.Var.Kind})
		body = append(slices.Clone(s.Pre), &ir.If{Cond: s.Keep, Then: append([]ir.Stmt{s.Acc.Var.Assign(one)}, s.Post...)})
	}
	stored, ok := w.collect(body, k.Dims)
	if !ok {
		return w.inOrder(looped(k.Dims, k.Body))
	}
	w.gives = [][]Result{{{Var: s.Acc.Var}}}
	last := "(" + total + ")"
	if len(stored) > 0 {
		w.gives = append(w.gives, stored)
		point := function(w.shifted(d, w.stores(body)), w.v(d.Var), acc)
		last = tuple([]string{total, call("push<grid>", operand(call("mapIx", point, all)))})
	}
	return steps("grid", push+" <- "+program, all+" <- force<grid> "+push, call("return<grid>", operand(last)))
}

// update writes elements that are stored or joined at any places.
func (w *writer) update() string {
	k, u := w.k, w.k.Update
	w.space(k.Dims)
	n, size := w.counted(k.Dims), "(length "+w.buf(u.Buf)+")"
	if !slices.Contains(k.Read, u.Buf) {
		w.params = append(w.params, Param{Name: w.buf(u.Buf), Buf: u.Buf})
	}
	item := func(list ...ir.Expr) string {
		return w.point(k.Dims, w.block(u.Point, func() string { return tuple(w.exprs(list)) }))
	}
	switch {
	case u.Ordered: // several work-items have places of their own, for which they do the iterations in order
		return w.inOrder(looped(k.Dims, k.Body))
	case !u.Joins:
		return w.last(n, size, item(u.At.Use()))
	}
	neutral := "(" + zero(ir.I32) + ")"
	if x := ir.Neutral(u.Op, ir.I32); x != nil {
		neutral = w.operand(x)
	}
	op, items := Joiner(u.Op, ir.I32), item(u.At.Use(), u.Value.Use())
	some, all := w.name("totals"), w.name("all")
	alone := fmt.Sprintf("(return (push (joinedInOrder %s %s %s %s %s)))", op, neutral, size, n, items)
	old, more := ir.ConvertTo(ir.I64, u.Buf.Load(u.At.Use())), ir.ConvertTo(ir.I64, u.Value.Use())
	point := function(w.expr(ir.ConvertTo(u.Buf.Elem, u.Op.Of(old, more))), w.v(u.At), w.v(u.Value))
	w.gives = [][]Result{{{Buf: u.Buf}}}
	return steps("grid", some+" <- "+call(k.Function, alone, fmt.Sprint(k.Most), op, neutral, size, n, items), all+" <- force<grid> "+some,
		call("return<grid>", operand(call("push<grid>", operand(call("mapIx", point, all))))))
}

// last writes an update that stores what the last iteration of each place says.
func (w *writer) last(n, size, item string) string {
	k := w.k
	stored, ok := w.collect(k.Body, k.Dims)
	if !ok {
		return w.inOrder(looped(k.Dims, k.Body))
	}
	w.gives = [][]Result{stored}
	alone := fmt.Sprintf("(return (lastInOrder %s %s %s))", size, n, item)
	point := function(w.shifted(k.Dims[0], w.stores(k.Body)), "_", w.v(k.Dims[0].Var))
	program := call(k.Function, alone, fmt.Sprint(k.Most), size, n, item)
	push := w.name("lastPush")
	return steps("grid", push+" <- "+program, call("return<grid>", operand(call("mapPushIx<grid>", point, push))))
}

// tiles writes a map that goes through its space in tiles.
func (w *writer) tiles() string {
	k := w.k
	w.space(k.Dims)
	stored, ok := w.collect(k.Body, k.Dims)
	if !ok {
		return w.inOrder(looped(k.Dims, k.Body))
	}
	w.gives = [][]Result{stored}
	rows, cols := k.Dims[0], k.Dims[1]
	place := func(body string, more ...string) string {
		body = w.shifted(rows, w.shifted(cols, body))
		return function(body, append([]string{w.v(rows.Var), w.v(cols.Var)}, more...)...)
	}
	if len(k.Across) == 0 {
		return call("mapTiles", place(w.stores(k.Body)), w.counted(k.Dims[:1]), w.counted(k.Dims[1:]))
	}
	read := tuple(w.exprs(k.Across))
	return call("mapAcross", place(read), place(w.stores(k.Body), w.staged(k.Across, "x")), w.counted(k.Dims[:1]), w.counted(k.Dims[1:]))
}

// product writes an inner product.
func (w *writer) product() string {
	k, p := w.k, w.k.Product
	dims := append(slices.Clone(k.Dims), ir.Dim{Var: p.Row.Var, Lo: p.Row.Lo, Hi: p.Row.Hi}, ir.Dim{Var: p.Terms.Var, Lo: p.Terms.Lo, Hi: p.Terms.Hi})
	w.space(dims)
	rows, column, term := k.Dims, dims[len(dims)-2], dims[len(dims)-1]
	r := w.place(rows)
	row := func(body string) string { return w.placed(rows, r, w.block(p.Decls, func() string { return body })) }
	inner := func(d ir.Dim, body string) string { return w.shifted(d, body) }
	side := func(list []ir.Expr) string {
		if len(list) == 0 {
			return "false"
		}
		return tuple(w.exprs(list))
	}
	left := function(row(inner(term, side(p.Left))), r, w.v(term.Var))
	right := function(inner(term, inner(column, side(p.Right))), w.v(term.Var), w.v(column.Var))
	far := w.far(row, r, column)
	lefts, rights := w.staged(p.Left, "x"), w.staged(p.Right, "y")
	sum := w.name("sum")
	ir.Walk(p.Row.Body, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			ir.WalkExpr(x, func(x ir.Expr) {
				if l, ok := x.(*ir.Load); ok && l.Buf == p.Store.Buf {
					w.names[x] = sum
				}
			})
		}
	})
	body := p.Row.Body[:len(p.Row.Body)-1]
	step := function(row(inner(term, inner(column, w.block(body, func() string { return w.expr(p.Store.X) })))),
		r, w.v(term.Var), w.v(column.Var), sum, lefts, rights)
	args := []string{left, right, step, w.operand(p.Zero), far, w.counted(rows), w.counted(dims[len(dims)-1:]), w.counted(dims[len(rows) : len(rows)+1])}
	if k.Function == "productRows" {
		args = append([]string{fmt.Sprint(p.Width)}, args...)
	}
	return call(k.Function, args...)
}

// staged names expressions whose values are arguments.
func (w *writer) staged(list []ir.Expr, stem string) string {
	if len(list) == 0 {
		return "_"
	}
	var items []string
	for _, x := range list {
		items = append(items, w.named(x, stem))
	}
	return tuple(items)
}

// far writes the function of a row, a column and an element that says what is stored.
func (w *writer) far(row func(string) string, r string, column ir.Dim) string {
	p := w.k.Product
	x := w.name("x")
	space := append(slices.Clone(w.k.Dims), column)
	if w.rowMajor(p.Store.Index, space) {
		w.gives = [][]Result{{{Buf: p.Store.Buf}}}
		return function(x, "_", "_", x)
	}
	w.gives = [][]Result{{{Buf: p.Store.Buf, Placed: true}}}
	return function(row(w.shifted(column, tuple([]string{w.expr(p.Store.Index), x}))), r, w.v(column.Var), x)
}
