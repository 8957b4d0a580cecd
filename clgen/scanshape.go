package clgen

import (
	"math"

	"github.com/tailor-lang/tailor/laila"
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
	acc     *laila.Var
	op      laila.BinOp
	pre     []laila.Stmt
	elem    laila.Expr // joined to acc at a point
	post    []laila.Stmt
	keep    laila.Expr // of a selection, else nil
	neutral laila.Expr
	combine laila.Acc
	flag    *laila.Var // raised where a checked sum overflows, else nil
}

// sums returns the flag of a checked sum by its accumulator.
func (s *scanLoop) sums() map[*laila.Var]*laila.Var {
	if s.flag == nil {
		return nil
	}
	return map[*laila.Var]*laila.Var{s.acc: s.flag}
}

// scan recognises a running scan or a selection.
func scan(f *laila.For) *kernel {
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
	k.dims, k.body, k.scan, k.weight = []laila.Dim{{Var: f.Var, Lo: f.Lo, Hi: f.Hi}}, f.Body, s, weigh(f.Body)
	k.redo = s.flag != nil
	return k.setFlags(u, map[*laila.Var]bool{s.acc: true})
}

// runningScan takes a body apart at its only assignment of a joined value.
func runningScan(body []laila.Stmt, u *uses) *scanLoop {
	for i, st := range body {
		a, ok := st.(*laila.Assign)
		if !ok || u.inside[a.Var] {
			continue
		}
		s := &scanLoop{acc: a.Var, pre: body[:i], post: body[i+1:]}
		if b, ok := a.X.(*laila.Binary); ok {
			s.op = b.Op
			s.joins(b.X, b.Y)
		} else if !s.joinsChecked(a) {
			continue
		}
		s.neutral = neutralOf(s.op, a.Var.Kind)
		if s.elem == nil || s.neutral == nil || a.Var.Kind == laila.F64 && (s.op == laila.Add || s.op == laila.Mul) || mentions(s.elem, a.Var) || a.Var.Kind == laila.U8 && s.op == laila.Or && !storesAny(body) {
			continue
		}
		return s
	}
	return nil
}

// joins sets the element that is joined to the accumulator, which stands on
// one side under its own name or one declared for it.
func (s *scanLoop) joins(x, y laila.Expr) {
	var pre []laila.Stmt
	alias := s.acc
	for _, st := range s.pre {
		if d, ok := st.(*laila.Decl); ok && d.Init != nil && isUse(d.Init, s.acc) {
			alias = d.Var
			continue
		}
		pre = append(pre, st)
	}
	switch {
	case isUse(x, alias):
		s.elem = y
	case isUse(y, alias):
		s.elem = x
	default:
		return
	}
	if alias != s.acc {
		if mentions(s.elem, alias) || usesVar(pre, alias) || usesVar(s.post, alias) {
			s.elem = nil
		}
		s.pre = pre
	}
}

// joinsChecked takes apart t, overflow flag = acc + elem; acc = t.
func (s *scanLoop) joinsChecked(a *laila.Assign) bool {
	if len(s.pre) == 0 {
		return false
	}
	c, ok := s.pre[len(s.pre)-1].(*laila.Checked)
	if !ok || c.Op != laila.Add || !isUse(a.X, c.Var) {
		return false
	}
	s.op, s.flag, s.pre = laila.Add, c.Flag, s.pre[:len(s.pre)-1]
	s.joins(c.X, c.Y)
	s.post = append([]laila.Stmt{&laila.Assign{Var: c.Var, X: &laila.Use{Var: s.acc}}}, s.post...)
	return s.elem != nil
}

// usesVar reports whether statements mention v.
func usesVar(list []laila.Stmt, v *laila.Var) bool {
	found := false
	laila.Walk(list, func(s laila.Stmt) {
		stmtExprs(s, func(x laila.Expr) { found = found || mentions(x, v) })
	})
	return found
}

// storesAny reports whether statements store anything; a loop that only ORs a
// flag is no scan.
func storesAny(list []laila.Stmt) bool {
	found := false
	laila.Walk(list, func(s laila.Stmt) {
		if _, ok := s.(*laila.Store); ok {
			found = true
		}
	})
	return found
}

// selection takes a body apart whose last statement is a test without else
// that ends by counting.
func selection(body []laila.Stmt, u *uses) *scanLoop {
	if len(body) == 0 {
		return nil
	}
	test, ok := body[len(body)-1].(*laila.If)
	if !ok || len(test.Else) > 0 || len(test.Then) == 0 {
		return nil
	}
	last := len(test.Then) - 1
	a, ok := test.Then[last].(*laila.Assign)
	if !ok || u.inside[a.Var] || a.Var.Kind != laila.I64 || mentions(test.Cond, a.Var) {
		return nil
	}
	b, ok := a.X.(*laila.Binary)
	if !ok || b.Op != laila.Add || !isUse(b.X, a.Var) {
		return nil
	}
	if one, ok := b.Y.(*laila.Int); !ok || one.Val != 1 {
		return nil
	}
	return &scanLoop{acc: a.Var, op: laila.Add, pre: body[:len(body)-1], keep: test.Cond, post: test.Then[:last],
		elem: &laila.Convert{To: laila.I64, X: test.Cond}, neutral: &laila.Int{K: laila.I64}}
}

// parallel reports whether the parts of the loop can run side by side: acc is
// used nowhere before it is joined and assigned nowhere else, nothing that is
// written is read, and every point writes elements of its own.
func (s *scanLoop) parallel(f *laila.For, u *uses) bool {
	usesAcc := func(list []laila.Stmt) (reads, writes bool) {
		laila.Walk(list, func(st laila.Stmt) {
			stmtExprs(st, func(x laila.Expr) { reads = reads || mentions(x, s.acc) })
			switch st := st.(type) {
			case *laila.Assign:
				writes = writes || st.Var == s.acc
			case *laila.Checked:
				writes = writes || st.Var == s.acc
			}
		})
		return reads, writes
	}
	reads, writes := usesAcc(s.pre)
	_, writesAfter := usesAcc(s.post)
	if reads || writes || writesAfter || storesAny(s.pre) || mentions(f.Lo, s.acc) || mentions(f.Hi, s.acc) {
		return false
	}
	for b := range u.written {
		if u.read[b] && !u.local[b] {
			return false
		}
	}
	ok := true
	laila.Walk(s.post, func(st laila.Stmt) {
		switch st := st.(type) {
		case *laila.Store:
			own := f.Var
			if s.keep != nil {
				own = s.acc
			}
			ok = ok && (u.local[st.Buf] || steps(st.Index, own, f.Var, s.acc))
		case *laila.Copy, *laila.For, *laila.Loop:
			ok = false
		}
	})
	a := laila.Acc{Var: s.acc, Left: &laila.Var{Name: "x", Kind: s.acc.Kind}, Right: &laila.Var{Name: "y", Kind: s.acc.Kind}}
	a.Combine = &laila.Binary{Op: s.op, X: &laila.Use{Var: a.Left}, Y: &laila.Use{Var: a.Right}}
	s.combine = a
	return ok
}

// steps reports whether x is v plus something that mentions none of others.
func steps(x laila.Expr, v *laila.Var, others ...*laila.Var) bool {
	if isUse(x, v) {
		return true
	}
	b, ok := x.(*laila.Binary)
	if !ok || b.Op != laila.Add && b.Op != laila.Sub {
		return false
	}
	free := func(x laila.Expr) bool {
		constant := true
		laila.WalkExpr(x, func(x laila.Expr) {
			switch x := x.(type) {
			case *laila.Use:
				for _, o := range others {
					constant = constant && x.Var != o
				}
				constant = constant && x.Var != v
			case *laila.Load, *laila.Math:
				constant = false
			}
		})
		return constant
	}
	return steps(b.X, v, others...) && free(b.Y) || b.Op == laila.Add && steps(b.Y, v, others...) && free(b.X)
}

// neutralOf returns the neutral element of an operation whose order does not
// matter, nil for others.
func neutralOf(op laila.BinOp, k laila.Kind) laila.Expr {
	if k == laila.F64 {
		v, ok := map[laila.BinOp]float64{laila.Add: 0, laila.Mul: 1, laila.Min: math.Inf(1), laila.Max: math.Inf(-1)}[op]
		if !ok {
			return nil
		}
		return &laila.Float{Val: v}
	}
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	switch k {
	case laila.U8:
		lo, hi = 0, 1
	case laila.I8:
		lo, hi = math.MinInt8, math.MaxInt8
	case laila.I16:
		lo, hi = math.MinInt16, math.MaxInt16
	case laila.I32:
		lo, hi = math.MinInt32, math.MaxInt32
	case laila.C32, laila.C8:
		return nil
	}
	all := int64(-1)
	if k == laila.U8 {
		all = 1
	}
	v, ok := map[laila.BinOp]int64{laila.Add: 0, laila.Mul: 1, laila.Min: hi, laila.Max: lo, laila.And: all, laila.Or: 0, laila.Xor: 0}[op]
	if !ok {
		return nil
	}
	return &laila.Int{Val: v, K: k}
}
