package loop

import (
	"github.com/tailor-lang/tailor/laila/ir"
)

// A place that is cut to the range of an axis, as an image is continued beyond its edges,
// is a choice among places by comparisons of the index:
//
//	y[j] = x[1 max (m min (j - 3))]
//
// becomes
//
//	var at = (j - 3) < 1 ? 1 : ((j - 3) < m ? j - 3 : m)
//	y[j] = x[at]

// clamps returns a body with declarations of the clamped places that its statements load
// from; the body itself where there are none.
func (s *indexSet) clamps(body []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for i, st := range body {
		for _, x := range s.clampedIn(st) {
			if out == nil {
				out = append(out, body[:i]...)
			}
			at := s.l.NewVar("at", ir.I64)
			s.l.Ranges[at] = s.l.RangeOf(x.place)
			out = append(out, at.Decl(x.choice))
			st = shallow(st)
			ir.MapExprs(st, func(y ir.Expr) ir.Expr {
				if ir.Same(x.place, y) {
					return at.Use()
				}
				return y
			})
		}
		if out != nil {
			out = append(out, st)
		}
	}
	if out == nil {
		return body
	}
	return out
}

// shallow is a copy of a statement whose expressions are to change.
func shallow(st ir.Stmt) ir.Stmt {
	switch st := st.(type) {
	case *ir.Decl:
		c := *st
		return &c
	case *ir.Assign:
		c := *st
		return &c
	case *ir.Store:
		c := *st
		return &c
	}
	return st
}

// clamped is a place that is cut to a range, and the same as a choice.
type clamped struct{ place, choice ir.Expr }

// clampedIn returns those that a statement loads from, of those that do not change with
// what the body assigns.
func (s *indexSet) clampedIn(st ir.Stmt) []clamped {
	var all []clamped
	switch st.(type) {
	case *ir.Decl, *ir.Assign, *ir.Store:
	default:
		return nil
	}
	for _, x := range ir.Exprs(st) {
		ir.WalkExpr(x, func(x ir.Expr) {
			ld, ok := x.(*ir.Load)
			if !ok {
				return
			}
			ir.WalkExpr(ld.Index, func(x ir.Expr) {
				if choice, ok := s.clamp(x); ok {
					all = append(all, clamped{x, choice})
				}
			})
		})
	}
	if len(all) > 1 { // the inner one of two, and one that occurs again
		all = all[:1]
	}
	return all
}

// clamp returns a place that is cut to a range as a choice.
func (s *indexSet) clamp(x ir.Expr) (ir.Expr, bool) {
	op, c, y, ok := s.cut(x)
	if !ok {
		return nil, false
	}
	if op2, c2, z, ok := s.cut(y); ok && op2 != op {
		lo, hi := c, c2
		if op == ir.OpMin {
			lo, hi = c2, c
		}
		if !s.moves(z) || s.l.RangeOf(lo).Hi > s.l.RangeOf(hi).Lo {
			return nil, false
		}
		return &ir.Select{Cond: ir.OpLt.Of(z, lo), Then: lo, Else: &ir.Select{Cond: ir.OpLt.Of(z, hi), Then: z, Else: hi}}, true
	}
	if !s.moves(y) {
		return nil, false
	}
	if op == ir.OpMin {
		return &ir.Select{Cond: ir.OpLt.Of(y, c), Then: y, Else: c}, true
	}
	return &ir.Select{Cond: ir.OpLt.Of(y, c), Then: c, Else: y}, true
}

// cut reads the lesser or greater of something that stays and something else.
func (s *indexSet) cut(x ir.Expr) (op ir.BinOp, c, y ir.Expr, ok bool) {
	b, isBinary := x.(*ir.Binary)
	if !isBinary || b.Op != ir.OpMin && b.Op != ir.OpMax || b.Kind() != ir.I64 {
		return op, nil, nil, false
	}
	switch {
	case s.stays(b.X):
		return b.Op, b.X, b.Y, !s.stays(b.Y)
	case s.stays(b.Y):
		return b.Op, b.Y, b.X, true
	}
	return op, nil, nil, false
}

// moves reports whether x is the index and a constant.
func (s *indexSet) moves(x ir.Expr) bool {
	_, ok := s.offset(x)
	return ok && ir.IsLoadFree(x)
}

// clampsPlaces reports whether a statement loads from a clamped place.
func (s *indexSet) clampsPlaces(st ir.Stmt) bool { return len(s.clampedIn(st)) > 0 }
