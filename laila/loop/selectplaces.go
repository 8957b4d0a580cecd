package loop

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// selectPlaces makes one load of two of an array between which a test chooses that does
// not depend on the index of the loop, if their places move with it alike:
//
//	if first
//	  t = x[((i + n) × m) + j]
//	else
//	  t = x[((i - 1) × m) + j]
//
// becomes
//
//	var at = first ? (i + n) × m : (i - 1) × m
//	t = x[at + j]
func (s *indexSet) selectPlaces(block []ir.Stmt) {
	for i, st := range block {
		b, ok := st.(*ir.If)
		if !ok || !s.stays(b.Cond) {
			continue
		}
		t, x, ok := onlyLoad(b.Then)
		u, y, ok2 := onlyLoad(b.Else)
		if !ok || !ok2 || t != u || x.Buf != y.Buf || s.stored[x.Buf] {
			continue
		}
		step, from, ok := s.moving(x.Index)
		step2, from2, ok2 := s.moving(y.Index)
		if !ok || !ok2 || !step.Equal(step2) {
			continue
		}
		at := &ir.Select{Cond: b.Cond, Then: from.Expr(), Else: from2.Expr()}
		block[i] = t.Assign(x.Buf.Load(ir.Add(at, ir.Mul(step.Expr(), s.v.Use()))))
	}
}

// onlyLoad returns the variable that a block sets, and the load that it sets it to,
// where it does nothing else.
func onlyLoad(block []ir.Stmt) (*ir.Var, *ir.Load, bool) {
	if len(block) != 1 {
		return nil, nil, false
	}
	a, ok := block[0].(*ir.Assign)
	if !ok {
		return nil, nil, false
	}
	x, ok := a.X.(*ir.Load)
	return a.Var, x, ok
}

// moving reads a place as a step times the index, and where it begins.
func (s *indexSet) moving(x ir.Expr) (step, from affine.Poly, ok bool) {
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		switch {
		case !ok || u.Var.Kind != ir.I64:
			return affine.Unknown
		case u.Var != s.v && !s.stays(u):
			return affine.Unknown
		}
		return affine.Of(u.Var)
	}}
	step, from = r.Read(x).Split(s.v)
	return step, from, step.Known() && from.Known()
}
