package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Subset is a part of the iterations of a sum, in all of which comparisons of the index with
// what stays have one outcome:
//
//	red i = 0 … n: at = (i < 1) ? i + (n - 1) : i - 1; acc = acc + (x[i] * x[at])
//
// has from 1 on the body
//
//	at = i - 1; acc = acc + (x[i] * x[at])
type Subset struct {
	Lo, Hi ir.Expr // those of the loop where it begins and ends with that
	Body   []ir.Stmt
}

const (
	subsetLimits = 2             // comparisons that are treated; bound knows of no more
	subsetBody   = 64            // the most statements and expressions of a body
	subsetShort  = 4 * num.Lanes // iterations that are too few to enter another loop for
)

// Subsets returns the subsets of a reduction whose terms stay in their order, so that its loop is not
// split as IndexSets does: the code that goes through the terms enters the loop of a subset where
// all lanes are in it. Those known to be too short for that are left out. Bodies have the variables of
// the whole body.
func Subsets(l *facts.Base, n *ir.Nest) []Subset {
	if len(n.Red) != 1 || !ir.IsLoopless(n.Body) || !ir.CanCopy(n.Body) || ir.BlockSize(n.Body, subsetBody) > subsetBody {
		return nil
	}
	d := n.Red[0]
	s := newIndexSet(l, d.Var, n.Body)
	all := []bounded{{lower: []ir.Expr{d.Lo}, upper: []ir.Expr{d.Hi}, body: n.Body}}
	limits := s.limits(n.Body)
	for _, limit := range limits {
		var next []bounded
		for _, p := range all {
			low, high := p, p
			low.upper, high.lower = append(slices.Clip(p.upper), limit), append(slices.Clip(p.lower), limit)
			low.body, high.body = s.decided(p.body, limit, true), s.decided(p.body, limit, false)
			next = append(next, low, high)
		}
		all = next
	}
	var long []Subset
	for _, p := range all {
		if len(limits) > 0 && !s.isShort(p) {
			long = append(long, Subset{bound(l.Larger, p.lower), bound(l.Smaller, p.upper), p.body})
		}
	}
	return long
}

// bounded is a subset that is at or above all of its lower bounds, and below the upper ones.
type bounded struct {
	lower, upper []ir.Expr
	body         []ir.Stmt
}

// bound is one bound for some, of which the first is that of the loop.
func bound(of func(x, y ir.Expr) ir.Expr, list []ir.Expr) ir.Expr {
	if len(list) == 3 {
		return of(list[1], list[2])
	}
	return list[len(list)-1]
}

// isShort reports whether a subset is known to have few iterations.
func (s *indexSet) isShort(p bounded) bool {
	for _, lo := range p.lower {
		for _, hi := range p.upper {
			if n, ok := s.linear(hi).Minus(s.linear(lo)).Constant(); ok && n < subsetShort || s.l.RangeOf(ir.Sub(hi, lo)).Hi < subsetShort {
				return true
			}
		}
	}
	return false
}

// limits returns where comparisons in a body change their outcome, each once, as numbers that are known
// outside of the loop.
func (s *indexSet) limits(body []ir.Stmt) []ir.Expr {
	var found []ir.Expr
	ir.Walk(body, func(st ir.Stmt) {
		for _, x := range ir.Exprs(st) {
			ir.WalkExpr(x, func(x ir.Expr) {
				if at, _, ok := s.outcome(x); ok && len(found) < subsetLimits {
					for _, y := range found {
						ok = ok && !ir.Same(at, y)
					}
					if ok {
						found = append(found, at)
					}
				}
			})
		}
	})
	return found
}

// outcome returns where a comparison changes its outcome, and whether it holds below that.
func (s *indexSet) outcome(x ir.Expr) (at ir.Expr, below, ok bool) {
	if x.Kind() != ir.U8 {
		return nil, false, false
	}
	c, ok := s.threshold(x)
	if !ok || !ir.IsLoadFree(c.limit) {
		return nil, false, false
	}
	at = c.limit
	for range indexSetBody {
		if !ir.MentionsAny(at, s.inside) {
			return at, c.below, true
		}
		at = ir.MapExpr(at, func(x ir.Expr) ir.Expr {
			if u, ok := x.(*ir.Use); ok && s.inside[u.Var] {
				return s.inits[u.Var]
			}
			return x
		})
	}
	return nil, false, false
}

// decided returns a body for iterations that are all below a limit, or none.
func (s *indexSet) decided(body []ir.Stmt, limit ir.Expr, below bool) []ir.Stmt {
	c := s.l.NewCloner()
	c.Twin = func(v *ir.Var) *ir.Var { return v }
	known := map[*ir.Var]ir.Expr{}
	decide := func(x ir.Expr) ir.Expr {
		if at, low, ok := s.outcome(x); ok && ir.Same(at, limit) {
			return ir.Boolean(low == below)
		}
		switch x := x.(type) {
		case *ir.Use:
			if k := known[x.Var]; k != nil {
				return k
			}
		case *ir.Unary:
			if x.Op == ir.OpNot {
				return ir.Not(x.X)
			}
		case *ir.Binary:
			switch {
			case x.Op == ir.OpAnd && x.Kind() == ir.U8:
				return ir.And(x.X, x.Y)
			case x.Op == ir.OpOr && x.Kind() == ir.U8:
				return ir.Or(x.X, x.Y)
			}
		case *ir.Select:
			return ir.Choose(x.Cond, x.Then, x.Else)
		}
		return x
	}
	var list func(block []ir.Stmt) []ir.Stmt
	list = func(block []ir.Stmt) (out []ir.Stmt) {
		for _, st := range block {
			ir.MapExprs(st, decide)
			switch st := st.(type) {
			case *ir.Decl:
				if _, ok := ir.IntOf(st.Init); ok && st.Var.Kind == ir.U8 && !s.set[st.Var] {
					known[st.Var] = st.Init
					continue
				}
			case *ir.If:
				if n, ok := ir.IntOf(st.Cond); ok {
					if n != 0 {
						out = append(out, list(st.Then)...)
					} else {
						out = append(out, list(st.Else)...)
					}
					continue
				}
				st.Then, st.Else = list(st.Then), list(st.Else)
			}
			out = append(out, st)
		}
		return out
	}
	return list(c.List(body))
}
