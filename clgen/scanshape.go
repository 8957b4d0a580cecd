package clgen

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// A running scan is a sequential loop that carries one accumulator and stores
// its values,
//
//	for i = lo … hi: pre; acc = acc op elem; post
//
// and a selection one that writes the elements that a condition keeps,
//
//	for i = lo … hi: pre; if cond: (post; n = n + 1)
//
// Both become three kernels: the totals of parts of the loop, the running
// totals of the parts, and the loop itself, each part from its total on.

// scanLoop is what is known of such a loop.
type scanLoop struct {
	acc     *ir.Var
	op      ir.BinOp
	pre     []ir.Stmt
	elem    ir.Expr // joined to acc at a point
	post    []ir.Stmt
	keep    ir.Expr // of a selection, else nil
	neutral ir.Expr
	combine ir.Acc
	flag    *ir.Var // raised where a checked sum overflows, else nil
}

// sums returns the flag of a checked sum by its accumulator.
func (s *scanLoop) sums() map[*ir.Var]*ir.Var {
	if s.flag == nil {
		return nil
	}
	return map[*ir.Var]*ir.Var{s.acc: s.flag}
}

// scan recognises a running scan or a selection.
func scan(f *ir.For) *kernel {
	if !isPure(f.Body) || hasNest(f.Body) {
		return nil
	}
	u := usesOf(f.Body, f.Var)
	s := runningScan(f.Body, u)
	if s == nil {
		s = selection(f.Body, u)
	}
	if s == nil || !s.parallel(f, u) {
		return nil
	}
	k := newKernel(scanShape, u, spanOf(f.Body))
	k.dims, k.body, k.scan, k.weight = []ir.Dim{{Var: f.Var, Lo: f.Lo, Hi: f.Hi}}, f.Body, s, weigh(f.Body)
	k.redo = s.flag != nil
	return k.setFlags(u, map[*ir.Var]bool{s.acc: true})
}

// runningScan takes a body apart at its only assignment of a joined value.
func runningScan(body []ir.Stmt, u *uses) *scanLoop {
	for i, st := range body {
		a, ok := st.(*ir.Assign)
		if !ok || u.inside[a.Var] {
			continue
		}
		s := &scanLoop{acc: a.Var, pre: body[:i], post: body[i+1:]}
		if b, ok := a.X.(*ir.Binary); ok {
			s.op = b.Op
			s.joins(b.X, b.Y)
		} else if !s.joinsChecked(a) {
			continue
		}
		s.neutral = neutralOf(s.op, a.Var.Kind)
		if s.elem == nil || s.neutral == nil || a.Var.Kind == ir.C64 || a.Var.Kind == ir.F64 && (s.op == ir.OpAdd || s.op == ir.OpMul) || ir.Mentions(s.elem, a.Var) || a.Var.Kind == ir.U8 && s.op == ir.OpOr && len(u.written) == 0 {
			continue
		}
		return s
	}
	return nil
}

// joins sets the element that is joined to the accumulator, which stands on one side.
func (s *scanLoop) joins(x, y ir.Expr) {
	switch {
	case ir.IsUse(x, s.acc):
		s.elem = y
	case ir.IsUse(y, s.acc):
		s.elem = x
	}
}

// joinsChecked takes apart t, overflow flag = acc + elem; acc = t.
func (s *scanLoop) joinsChecked(a *ir.Assign) bool {
	if len(s.pre) == 0 {
		return false
	}
	c, ok := s.pre[len(s.pre)-1].(*ir.Checked)
	if !ok || c.Op != ir.OpAdd || !ir.IsUse(a.X, c.Var) {
		return false
	}
	s.op, s.flag, s.pre = ir.OpAdd, c.Flag, s.pre[:len(s.pre)-1]
	s.joins(c.X, c.Y)
	s.post = append([]ir.Stmt{c.Var.Assign(s.acc.Use())}, s.post...)
	return s.elem != nil
}

// selection takes a body apart whose last statement is a test without else
// that ends by counting.
func selection(body []ir.Stmt, u *uses) *scanLoop {
	if len(body) == 0 {
		return nil
	}
	test, ok := body[len(body)-1].(*ir.If)
	if !ok || len(test.Else) > 0 || len(test.Then) == 0 {
		return nil
	}
	last := len(test.Then) - 1
	a, ok := test.Then[last].(*ir.Assign)
	if !ok || u.inside[a.Var] || a.Var.Kind != ir.I64 || ir.Mentions(test.Cond, a.Var) {
		return nil
	}
	b, ok := a.X.(*ir.Binary)
	if !ok || b.Op != ir.OpAdd || !ir.IsUse(b.X, a.Var) {
		return nil
	}
	if one, ok := b.Y.(*ir.Int); !ok || one.Val != 1 {
		return nil
	}
	return &scanLoop{acc: a.Var, op: ir.OpAdd, pre: body[:len(body)-1], keep: test.Cond, post: test.Then[:last],
		elem: &ir.Convert{To: ir.I64, X: test.Cond}, neutral: &ir.Int{K: ir.I64}}
}

// parallel reports whether the parts of the loop can run side by side: acc is
// used nowhere before it is joined and assigned nowhere else, nothing that is
// written is read, and every point writes elements of its own.
func (s *scanLoop) parallel(f *ir.For, u *uses) bool {
	before := usesOf(s.pre)
	if before.seenVar[s.acc] || len(before.written) > 0 || usesOf(s.post).assigned[s.acc] || ir.Mentions(f.Lo, s.acc) || ir.Mentions(f.Hi, s.acc) {
		return false
	}
	for b := range u.written {
		if u.read[b] && !u.local[b] {
			return false
		}
	}
	ok := true
	ir.Walk(s.post, func(st ir.Stmt) {
		switch st := st.(type) {
		case *ir.Store:
			own := f.Var
			if s.keep != nil {
				own = s.acc
			}
			ok = ok && (u.local[st.Buf] || steps(st.Index, own, f.Var, s.acc))
		case *ir.Copy, *ir.For, *ir.Loop:
			ok = false
		}
	})
	a := ir.Acc{Var: s.acc, Left: &ir.Var{Name: "x", Kind: s.acc.Kind}, Right: &ir.Var{Name: "y", Kind: s.acc.Kind}}
	a.Combine = s.op.Of(a.Left.Use(), a.Right.Use())
	s.combine = a
	return ok
}

// steps reports whether x is v plus something that mentions none of others.
func steps(x ir.Expr, v *ir.Var, others ...*ir.Var) bool {
	if ir.IsUse(x, v) {
		return true
	}
	b, ok := x.(*ir.Binary)
	if !ok || b.Op != ir.OpAdd && b.Op != ir.OpSub {
		return false
	}
	free := func(x ir.Expr) bool {
		constant := true
		ir.WalkExpr(x, func(x ir.Expr) {
			switch x := x.(type) {
			case *ir.Use:
				for _, o := range others {
					constant = constant && x.Var != o
				}
				constant = constant && x.Var != v
			case *ir.Load, *ir.Math:
				constant = false
			}
		})
		return constant
	}
	return steps(b.X, v, others...) && free(b.Y) || b.Op == ir.OpAdd && steps(b.Y, v, others...) && free(b.X)
}

// neutralOf returns the neutral element of an operation whose order does not
// matter, nil for others.
func neutralOf(op ir.BinOp, k ir.Kind) ir.Expr {
	if k == ir.F64 {
		v, ok := map[ir.BinOp]float64{ir.OpAdd: 0, ir.OpMul: 1, ir.OpMin: math.Inf(1), ir.OpMax: math.Inf(-1)}[op]
		if !ok {
			return nil
		}
		return &ir.Float{Val: v}
	}
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	switch k {
	case ir.U8:
		lo, hi = 0, 1
	case ir.I8:
		lo, hi = math.MinInt8, math.MaxInt8
	case ir.I16:
		lo, hi = math.MinInt16, math.MaxInt16
	case ir.I32:
		lo, hi = math.MinInt32, math.MaxInt32
	case ir.C32, ir.C8:
		return nil
	}
	all := int64(-1)
	if k == ir.U8 {
		all = 1
	}
	v, ok := map[ir.BinOp]int64{ir.OpAdd: 0, ir.OpMul: 1, ir.OpMin: hi, ir.OpMax: lo, ir.OpAnd: all, ir.OpOr: 0, ir.OpXor: 0}[op]
	if !ok {
		return nil
	}
	return &ir.Int{Val: v, K: k}
}
