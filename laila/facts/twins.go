package facts

import "github.com/tailor-lang/tailor/laila/ir"

// NewCloner makes a cloner whose variables and arrays have the facts of those that
// they are copies of.
func (l *Base) NewCloner() *ir.Cloner {
	return &ir.Cloner{Vars: map[*ir.Var]ir.Expr{}, Bufs: map[*ir.Buf]*ir.Buf{}, Twin: l.Twin, Array: l.twinArray}
}

// Twin makes a variable of which the same is known as of v.
func (l *Base) Twin(v *ir.Var) *ir.Var {
	w := l.NewVar(v.Name, v.Kind)
	if r, ok := l.Ranges[v]; ok {
		l.Ranges[w] = r
	}
	if s, ok := l.Spans[v]; ok {
		l.Spans[w] = s
	}
	return w
}

// twinArray notes of a copy what is known of a buffer.
func (l *Base) twinArray(old, copy *ir.Buf) {
	l.Like(old, copy)
	if l.Fixed[old] {
		l.Fixed[copy] = true
	}
}

// Like notes of the elements of a buffer what is known of those of another one.
func (l *Base) Like(old, copy *ir.Buf) {
	if r, ok := l.Bufs[old]; ok {
		l.Bufs[copy] = r
	}
	if r, ok := l.BufSpans[old]; ok {
		l.BufSpans[copy] = r
	}
}

// Rows returns a nest over the first k axes of n, a map or a reduction, with one over the
// other axes in it, or loops.
func (l *Base) Rows(n *ir.Nest, k int) *ir.Nest {
	out := *n
	if n.Kind == ir.SegMap {
		out.Dims = n.Dims[:k:k]
		for i := len(n.Dims) - 1; i >= k; i-- {
			d := n.Dims[i]
			out.Body = []ir.Stmt{&ir.For{Var: d.Var, Lo: d.Lo, Hi: d.Hi, Body: out.Body}}
		}
		return &out
	}
	row := &ir.Nest{Kind: ir.SegRed, Red: n.Red[k:], Flags: n.Flags, At: n.At}
	c := l.NewCloner()
	for _, a := range n.Accs {
		v, x, y := l.Twin(a.Var), l.Twin(a.Left), l.Twin(a.Right)
		c.Vars[a.Var] = v.Use()
		row.Pre = append(row.Pre, v.Decl(a.Var.Use()))
		row.Post = append(row.Post, a.Var.Assign(v.Use()))
		operands := &ir.Cloner{Vars: map[*ir.Var]ir.Expr{a.Left: x.Use(), a.Right: y.Use()}}
		row.Accs = append(row.Accs, ir.Acc{Var: v, Left: x, Right: y, Combine: operands.Expr(a.Combine), Neutral: a.Neutral, Exact: a.Exact})
	}
	row.Body = c.List(n.Body)
	out.Red, out.Body = n.Red[:k:k], []ir.Stmt{row}
	return &out
}
