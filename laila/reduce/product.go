package reduce

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// asProduct makes the reduction of the last axis of f x h y an inner product,
// where x and y have three axes, x[i;j;k] does not depend on j and y[i;j;k]
// not on i, as after arrays are replicated: +/(a[;⍳n…])×…. It gives q the
// means to fill a buffer, and reports whether it did. Sums that have an order are
// left as they are where there may be more than one super-block.
func asProduct(g *build.Builder, p *build.Pull, axis int, fd *Folding, q *build.Pull) bool {
	if p.Zip == nil || p.Rank() != 3 || axis != 2 || p.Buf != nil || p.Faults {
		return false
	}
	x, y := p.Srcs[0], p.Srcs[1]
	if fd.ordered() && (!g.In.Sticky || g.RangeOf(fd.N).Hi > num.SuperBlock) {
		return false
	}
	if x.At == nil && x.Flat == nil || y.At == nil && y.Flat == nil || x.Faults || y.Faults || x.Cost > 40 || y.Cost > 40 {
		return false
	}
	dims := p.Dims
	a := build.View(x, []ir.Expr{dims[0], dims[2]}, func(ix []ir.Expr) ir.Expr { return g.Index(x, []ir.Expr{ix[0], ir.Integer(0), ix[1]}) })
	b := build.View(y, []ir.Expr{dims[2], dims[1]}, func(ix []ir.Expr) ir.Expr { return g.Index(y, []ir.Expr{ir.Integer(0), ix[1], ix[0]}) })
	if !isLarge(g, a, b, p.Zip, fd) || slender(b) || !ignores(g, x, 1) || !ignores(g, y, 0) {
		return false
	}
	m := newMicroStep(g, a, b, p.Zip, fd, g.StoreKind(q))
	if m == nil {
		return false
	}
	q.Fill = func(dst *ir.Buf) {
		if g.Nest != nil || dst.Elem != m.Kind {
			reduceRows(g, exchanged(p, func(ix []ir.Expr) ir.Expr { return g.Index(p, ix) }), axis-1, fd, dst)
			return
		}
		innerBlocks(g, m, a, b, fd, dst)
	}
	return true
}

// ignores reports whether the elements of p do not depend on their index along
// an axis.
func ignores(g *build.Builder, p *build.Pull, axis int) bool {
	ix := make([]ir.Expr, p.Rank())
	var v *ir.Var
	found := false
	st := g.Nest
	g.Nest = &build.NestState{Inside: true}
	var x ir.Expr
	stmts := g.Block(func() {
		for a := range ix {
			u := g.LoopVar(ir.Integer(0), p.Dims[a], nil)
			ix[a] = u.Use()
			if a == axis {
				v = u
			}
		}
		x = g.Index(p, ix)
	})
	g.Nest = st
	t := flow.NewTouched()
	for _, s := range stmts {
		t.Stmt(s)
	}
	t.Expr(x)
	found = t.Reads[v]
	return !found
}
