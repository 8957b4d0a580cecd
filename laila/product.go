package laila

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// asProduct makes the reduction of the last axis of f x h y an inner product,
// where x and y have three axes, x[i;j;k] does not depend on j and y[i;j;k]
// not on i, as after arrays are replicated: +/(a[;⍳n…])×…. It gives q the
// means to fill a buffer, and reports whether it did. Sums that have an order are
// left as they are where there may be more than one super-block.
func (g *gen) asProduct(p *pull, axis int, fd *folding, q *pull) bool {
	if p.zip == nil || p.rank() != 3 || axis != 2 || p.buf != nil || p.faults {
		return false
	}
	x, y := p.srcs[0], p.srcs[1]
	if fd.ordered() && (!g.in.Sticky || g.RangeOf(fd.n).Hi > num.SuperBlock) {
		return false
	}
	if x.at == nil && x.flat == nil || y.at == nil && y.flat == nil || x.faults || y.faults || x.cost > 40 || y.cost > 40 {
		return false
	}
	dims := p.dims
	a := view(x, []ir.Expr{dims[0], dims[2]}, func(ix []ir.Expr) ir.Expr { return g.index(x, []ir.Expr{ix[0], ir.Integer(0), ix[1]}) })
	b := view(y, []ir.Expr{dims[2], dims[1]}, func(ix []ir.Expr) ir.Expr { return g.index(y, []ir.Expr{ir.Integer(0), ix[1], ix[0]}) })
	if !g.tiled(a, b, p.zip, fd) || g.slender(b) || !g.ignores(x, 1) || !g.ignores(y, 0) {
		return false
	}
	m := g.microStep(a, b, p.zip, fd, g.storeKind(q))
	if m == nil {
		return false
	}
	q.fill = func(dst *ir.Buf) {
		if g.nest != nil || dst.Elem != m.kind {
			if fd.ordered() {
				g.reduceRows(exchanged(p, func(ix []ir.Expr) ir.Expr { return g.index(p, ix) }), axis-1, fd, dst)
				return
			}
			g.innerTiles(g.rowMajor(a), g.rowMajor(b), p.zip, fd, dst)
			return
		}
		g.innerBlocks(m, a, b, fd, dst)
	}
	return true
}

// ignores reports whether the elements of p do not depend on their index along
// an axis.
func (g *gen) ignores(p *pull, axis int) bool {
	ix := make([]ir.Expr, p.rank())
	var v *ir.Var
	found := false
	st := g.nest
	g.nest = &nestState{inside: true}
	var x ir.Expr
	stmts := g.block(func() {
		for a := range ix {
			u := g.loopVar(ir.Integer(0), p.dims[a], nil)
			ix[a] = u.Use()
			if a == axis {
				v = u
			}
		}
		x = g.index(p, ix)
	})
	g.nest = st
	t := flow.NewTouched()
	for _, s := range stmts {
		t.Stmt(s)
	}
	t.Expr(x)
	found = t.Reads[v]
	return !found
}
