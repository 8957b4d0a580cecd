package idiom

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Edges counts the runs of ones of a mask in the loop that looks for the longest
// of them: a run begins where the mask is 1 and no run goes on. The loop moves up
// to where the beginnings are counted, out of what asks whether there are any; it
// has no effect and no fault.
//
//	segred { red i = 0 … mid: n = n + (0 < m(i)) }
//	segred { red i = mid … d: n = n + (m(i-1) < m(i)) }
//	…
//	if n == 0 … else
//	  var run = 0; var most = 0
//	  for i = 0 … d: run = m(i) ? run + 1 : 0; most = most max run
//
// becomes
//
//	var run = 0; var most = 0
//	for i = 0 … d: n = n + (m(i) & run == 0); run = m(i) ? run + 1 : 0; most = most max run
//	…
//	if n == 0 …
//
// Requires: nothing. Preserves: what the program does.
func Edges(block []ir.Stmt) []ir.Stmt {
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = Edges(*inner)
		}
	}
	for i := 0; i+1 < len(block); i++ {
		e := edgesAt(block[i], block[i+1])
		if e == nil {
			continue
		}
		if moved := e.longestIn(block[i+2:]); moved != nil {
			next := append(append([]ir.Stmt{}, block[:i]...), moved...)
			block = append(next, block[i+2:]...)
		}
	}
	return block
}

// edgesOf are two reductions that count where runs of ones begin.
type edgesOf struct {
	count  *ir.Var
	hi     ir.Expr
	at     *ir.Var // index of the second reduction
	before ir.Expr // the mask at at - 1
	here   ir.Expr // the mask at at
}

// edgeCount is a reduction that counts where a test holds.
type edgeCount struct {
	count  *ir.Var
	index  *ir.Var
	lo, hi ir.Expr
	test   ir.Expr
}

// edgeCountOf recognises such a reduction; nil where s is something else.
func edgeCountOf(s ir.Stmt) *edgeCount {
	n, ok := s.(*ir.Nest)
	if !ok || ir.WholeReduction(n) == nil || len(n.Accs) != 1 || len(n.Pre) != 1 || len(n.Post) != 1 || len(n.Body) == 0 || len(n.Flags) > 0 {
		return nil
	}
	pre, ok1 := n.Pre[0].(*ir.Decl)
	post, ok2 := n.Post[0].(*ir.Assign)
	step, ok3 := n.Body[len(n.Body)-1].(*ir.Assign)
	if !ok1 || !ok2 || !ok3 || pre.Var.Kind != ir.I64 || step.Var != pre.Var || !ir.Same(post.X, pre.Var.Use()) || !ir.Same(pre.Init, post.Var.Use()) {
		return nil
	}
	sum, ok := step.X.(*ir.Binary)
	if !ok || sum.Op != ir.OpAdd || !ir.Same(sum.X, pre.Var.Use()) {
		return nil
	}
	test, ok := sum.Y.(*ir.Convert)
	if !ok || test.X.Kind() != ir.U8 {
		return nil
	}
	x := inlined(n.Body[:len(n.Body)-1], test.X)
	if x == nil {
		return nil
	}
	return &edgeCount{post.Var, n.Red[0].Var, n.Red[0].Lo, n.Red[0].Hi, x}
}

// inlined returns x without the variables that decls declare; nil where these
// are more than declarations.
func inlined(decls []ir.Stmt, x ir.Expr) ir.Expr {
	values := map[*ir.Var]ir.Expr{}
	put := func(x ir.Expr) ir.Expr {
		return ir.MapExpr(x, func(x ir.Expr) ir.Expr {
			if u, ok := x.(*ir.Use); ok && values[u.Var] != nil {
				return values[u.Var]
			}
			return x
		})
	}
	if len(decls) > maxMaskDecls {
		return nil
	}
	for _, s := range decls {
		d, ok := s.(*ir.Decl)
		if !ok || d.Init == nil {
			return nil
		}
		values[d.Var] = put(d.Init)
		n := 0
		ir.WalkExpr(values[d.Var], func(ir.Expr) { n++ })
		if n > maxMaskNodes {
			return nil
		}
	}
	return put(x)
}

// maxMaskDecls and maxMaskNodes bound what is looked at of the body of a loop.
const maxMaskDecls, maxMaskNodes = 16, 200

// lessTruth returns x and y where a test says that x is 0 and y is 1.
func lessTruth(e ir.Expr) (x, y ir.Expr) {
	b, ok := e.(*ir.Binary)
	if !ok {
		return nil, nil
	}
	switch b.Op {
	case ir.OpLt:
		return truthIn(b.X), truthIn(b.Y)
	case ir.OpGt:
		return truthIn(b.Y), truthIn(b.X)
	case ir.OpAnd:
		if n, ok := b.X.(*ir.Unary); ok && n.Op == ir.OpNot {
			return n.X, b.Y
		}
		if n, ok := b.Y.(*ir.Unary); ok && n.Op == ir.OpNot {
			return n.X, b.X
		}
	}
	return nil, nil
}

// truthIn returns the truth value that x converts.
func truthIn(x ir.Expr) ir.Expr {
	if c, ok := x.(*ir.Convert); ok && c.X.Kind() == ir.U8 {
		return c.X
	}
	return x
}

// edgesAt recognises the reductions; nil where a and b are something else.
func edgesAt(a, b ir.Stmt) *edgesOf {
	first, rest := edgeCountOf(a), edgeCountOf(b)
	if first == nil || rest == nil || first.count != rest.count || !ir.IsInt(first.lo, 0) || !ir.Same(first.hi, rest.lo) {
		return nil
	}
	before, here := lessTruth(rest.test)
	if before == nil || here == nil {
		return nil
	}
	start := first.test
	if none, one := lessTruth(start); none != nil && ir.IsInt(none, 0) {
		start = one
	}
	moved := ir.MapExpr(start, func(x ir.Expr) ir.Expr {
		if u, ok := x.(*ir.Use); ok && u.Var == first.index {
			return rest.index.Use()
		}
		return x
	})
	if !ir.Alike(moved, here) {
		return nil
	}
	e := &edgesOf{count: rest.count, hi: rest.hi, at: rest.index, before: before, here: here}
	return e
}

// longestIn takes the loop that looks for the longest run out of what follows
// the reductions, and returns it with the count of runs; nil where there is none.
func (e *edgesOf) longestIn(rest []ir.Stmt) []ir.Stmt {
	passed := flow.NewSummary()
	for _, s := range rest {
		if branch, ok := s.(*ir.If); ok {
			for _, list := range []*[]ir.Stmt{&branch.Then, &branch.Else} {
				k := 0
				for k < len(*list) && ir.IsComment((*list)[k]) {
					k++
				}
				if len(*list) < k+3 {
					continue
				}
				if moved := e.loop((*list)[k : k+3]); moved != nil && !e.written(passed, moved[2]) {
					*list = append(append([]ir.Stmt{}, (*list)[:k]...), (*list)[k+3:]...)
					return moved
				}
			}
		}
		passed.Stmt(s)
	}
	return nil
}

// written reports whether statements that passed sums up write what the loop
// reads.
func (e *edgesOf) written(passed *flow.Summary, loop ir.Stmt) bool {
	t := flow.SummaryOf(loop)
	reads := map[*ir.Var]bool{}
	for v := range t.Reads {
		reads[v] = !t.Declares[v] && v != e.count
	}
	for v := range passed.Writes {
		if reads[v] {
			return true
		}
	}
	for v := range passed.Declares {
		if reads[v] {
			return true
		}
	}
	return flow.Meet(passed.Stores, t.Loads)
}

// loop returns the loop of list with the count of runs, where it looks for the
// longest run of the same mask.
func (e *edgesOf) loop(list []ir.Stmt) []ir.Stmt {
	run, ok1 := list[0].(*ir.Decl)
	most, ok2 := list[1].(*ir.Decl)
	f, ok3 := list[2].(*ir.For)
	if !ok1 || !ok2 || !ok3 || run.Init == nil || most.Init == nil || !ir.IsInt(run.Init, 0) || !ir.IsInt(most.Init, 0) || len(f.Body) < 2 {
		return nil
	}
	n := len(f.Body)
	count, ok1 := f.Body[n-2].(*ir.Assign)
	keep, ok2 := f.Body[n-1].(*ir.Assign)
	if !ok1 || !ok2 || count.Var != run.Var || keep.Var != most.Var || !ir.IsInt(f.Lo, 0) || !ir.Same(f.Hi, e.hi) {
		return nil
	}
	next, ok := count.X.(*ir.Select)
	if !ok || !ir.Same(next.Else, ir.Integer(0)) || !ir.Same(next.Then, ir.OpAdd.Of(run.Var.Use(), ir.Integer(1))) || !ir.Same(keep.X, ir.OpMax.Of(most.Var.Use(), run.Var.Use())) {
		return nil
	}
	mask := inlined(f.Body[:n-2], next.Cond)
	if mask == nil {
		return nil
	}
	at := func(i ir.Expr) ir.Expr {
		return ir.MapExpr(mask, func(x ir.Expr) ir.Expr {
			if u, ok := x.(*ir.Use); ok && u.Var == f.Var {
				return i
			}
			return x
		})
	}
	if !ir.Alike(at(e.at.Use()), e.here) || !ir.Alike(at(ir.Sub(e.at.Use(), ir.Integer(1))), e.before) {
		return nil
	}
	begins := ir.OpAnd.Of(next.Cond, ir.OpEq.Of(run.Var.Use(), ir.Integer(0)))
	body := append([]ir.Stmt{}, f.Body[:n-2]...)
	body = append(body, e.count.Assign(ir.OpAdd.Of(e.count.Use(), &ir.Convert{To: ir.I64, X: begins})), count, keep)
	loop := *f
	loop.Body = body
	return []ir.Stmt{run, most, &loop}
}
