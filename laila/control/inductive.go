package control

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/search"
	"github.com/tailor-lang/tailor/tail"
)

// inductive finds what holds of the extents of a loop's state in every step:
// bounds from below, and differences that stay. What holds at first is
// assumed, the body is lowered on trial, and what the next extents do not
// confirm is given up.
func inductive(g *build.Builder, state []*leaf, cond, f *tail.Lam, x *build.Value) {
	var exts []*extent
	for i, s := range state {
		for a, v := range s.vars {
			e := &extent{v: v, leaf: i, axis: a, first: affine.Of(v)}
			if d := s.initial.Arr.Dims[a]; ir.IsPlainSum(d, 0) {
				e.first = g.Normal(g.LinearOf(d))
				e.least = max(g.RangeOfSum(e.first).Lo, 0)
			}
			exts = append(exts, e)
		}
	}
	for k, e := range exts {
		if k > 0 {
			if d, ok := e.first.Minus(exts[k-1].first).Constant(); ok {
				e.tied, e.more = exts[k-1], d
			}
		}
	}
	for trial := 0; trial < 4 && len(exts) > 0; trial++ {
		assume(g, exts)
		stable, useful := true, false
		g.Block(func() {
			begin(g, state, cond, f, x)
			ends(g, f.Body, func(next []*build.Value) {
				for _, e := range exts {
					useful = useful || e.least > 0 || e.tied != nil
					e.next = affine.Of(e.v)
					if d := next[e.leaf].Arr.Dims[e.axis]; ir.IsPlainSum(d, 0) {
						e.next = g.Normal(g.LinearOf(d))
					}
				}
				for _, e := range exts {
					stable = e.confirm(g) && stable
				}
			})
		})
		if stable || !useful {
			return
		}
	}
	for _, e := range exts {
		e.least, e.tied = 0, nil
	}
	assume(g, exts)
}

// ends lowers e on trial, as advance does, and visits its results where it
// ends.
func ends(g *build.Builder, e tail.Expr, visit func(next []*build.Value)) {
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			break
		}
		search.Lets(g, let)
		e = let.Body
	}
	if branch, ok := e.(*tail.If); ok && g.Decided[branch] != nil {
		ends(g, g.Decided[branch], visit)
		return
	} else if ok {
		if c := g.Scalar(branch.Cond); c != nil {
			if _, known := ir.IntOf(c); !known {
				g.Force()
				g.Block(func() { g.Suppose(c, true); ends(g, branch.Then, visit) })
				g.Block(func() { g.Suppose(c, false); ends(g, branch.Else, visit) })
				return
			}
		}
	}
	visit(leaves(g.Expr(e)))
}

// extent is an extent of a loop's state that changes.
type extent struct {
	v           *ir.Var
	leaf, axis  int
	first, next affine.Poly
	least       int64
	tied        *extent // with a difference that stays
	more        int64
}

// confirm reports whether the next extent is as supposed, and supposes less
// where it is not.
func (e *extent) confirm(g *build.Builder) bool {
	stable := true
	if e.tied != nil {
		if d, ok := e.next.Minus(e.tied.next).Constant(); !ok || d != e.more {
			e.tied, stable = nil, false
		}
	}
	low := affine.Const(e.least)
	if e.least > 0 && !g.NotPositive(low.Minus(e.next)) {
		stable = false
		if e.least > 1 {
			e.least = 1
		} else {
			e.least = 0
		}
	}
	return stable
}

// assume makes what is supposed of extents known.
func assume(g *build.Builder, exts []*extent) {
	for _, e := range exts {
		g.Ranges[e.v] = facts.Between(e.least, facts.MaxExtent)
		delete(g.Sums, e.v)
		if e.tied != nil {
			g.Sums[e.v] = affine.Of(e.tied.v).Add(e.more)
		}
	}
}
