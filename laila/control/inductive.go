package control

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/search"
	"github.com/tailor-lang/tailor/tail"
)

// stepping is a loop of which the number of the step is known: how many were made
// before a step, and before the last one.
type stepping struct{ made, last affine.Poly }

// stepsUpTo are n steps, of which v is the number.
func stepsUpTo(g *build.Builder, v *ir.Var, n ir.Expr) *stepping {
	if !ir.IsPlainSum(n, 0) {
		return nil
	}
	return &stepping{affine.Of(v), g.LinearOf(n).Add(-1)}
}

// most returns a number that there are no more steps than, 0 where there is none.
func (s *stepping) most(g *build.Builder) int64 {
	if s == nil || !s.last.Known() {
		return 0
	}
	if hi := g.RangeOfSum(s.last).Hi; 0 <= hi && hi < facts.MaxExtent {
		return hi + 1
	}
	return 0
}

// inductive finds what holds of the extents of a loop's state in every step:
// bounds from below, differences that stay, and that they grow or shrink by as much in
// each step. What holds at first is assumed, the body is lowered on trial, and what the
// next extents do not confirm is given up; that an extent grows steadily is tried where
// it did so on trial.
func inductive(g *build.Builder, state []*leaf, cond, f *tail.Lam, x *build.Value, steps *stepping) []*extent {
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
	for trial := 0; trial < 5 && len(exts) > 0; trial++ {
		assume(g, exts, steps)
		stable, useful := true, false
		g.Block(func() {
			begin(g, state, cond, f, x)
			ends(g, f.Body, func(next []*build.Value) {
				for _, e := range exts {
					useful = useful || e.least > 0 || e.tied != nil || e.grows != 0
					e.next = affine.Of(e.v)
					if d := next[e.leaf].Arr.Dims[e.axis]; ir.IsPlainSum(d, 0) {
						e.next = g.Normal(g.LinearOf(d))
					}
				}
				for _, e := range exts {
					stable = e.confirm(g, steps) && stable
				}
			})
		})
		if stable || !useful {
			return exts
		}
	}
	for _, e := range exts {
		e.least, e.tied, e.grows = 0, nil, 0
	}
	assume(g, exts, steps)
	return exts
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
	grows       int64 // what each step adds to it; 0 where that is not supposed
	uneven      bool  // each step does not
}

// mostGrowth bounds what a step adds to an extent.
const mostGrowth = 1 << 8

// confirm reports whether the next extent is as supposed, and supposes less
// where it is not.
func (e *extent) confirm(g *build.Builder, steps *stepping) bool {
	if e.grows != 0 {
		if g.Normal(e.next.Minus(e.after(steps.made.Add(1)))).IsZero() {
			return true
		}
		e.grows, e.uneven = 0, true
		return false
	}
	stable := true
	if d, ok := e.next.Minus(affine.Of(e.v)).Constant(); steps != nil && !e.uneven && ok && d != 0 && max(d, -d) <= mostGrowth && steps.last.Known() {
		e.grows = d
		return false
	}
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

// after is the extent after a number of steps.
func (e *extent) after(made affine.Poly) affine.Poly { return e.first.Plus(made.Scaled(e.grows)) }

// leaves notes what an extent is behind the loop.
func (e *extent) leaves(g *build.Builder, steps *stepping) {
	if e.grows != 0 {
		delete(g.Sums, e.v)
		g.Ranges[e.v] = facts.Between(0, facts.MaxExtent)
	}
}

// assume makes what is supposed of extents known.
func assume(g *build.Builder, exts []*extent, steps *stepping) {
	for _, e := range exts {
		if e.grows != 0 {
			first, last := g.RangeOfSum(e.first), g.RangeOfSum(g.Normal(e.after(steps.last)))
			g.Ranges[e.v] = facts.Between(max(min(first.Lo, last.Lo), 0), min(max(first.Hi, last.Hi, 0), facts.MaxExtent))
			g.Sums[e.v] = e.after(steps.made)
			continue
		}
		g.Ranges[e.v] = facts.Between(e.least, facts.MaxExtent)
		delete(g.Sums, e.v)
		if e.tied != nil {
			g.Sums[e.v] = affine.Of(e.tied.v).Add(e.more)
		}
	}
}
