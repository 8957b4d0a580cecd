package laila

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// filter is how a vector keeps some of n elements.
type filter struct {
	mask  *pull
	n     ir.Expr
	value func(i ir.Expr) ir.Expr
}

// filtered writes the elements that f keeps to dst. The mask is computed for
// many elements at a time, as vector code, in one loop for each of its pieces;
// where that is no straight code it is stored first.
func (g *gen) filtered(f *filter, dst *ir.Buf) {
	g.pullable(f.mask)
	segments, _, ok := g.straightPieces(f.mask)
	if f.mask.faults || f.mask.elem != ir.U8 || !ok {
		g.materialise(f.mask)
		segments = g.pieces(f.n, nil)
	}
	n := g.mutable("n", ir.I64, ir.Integer(0))
	g.Ranges[n] = facts.Between(0, facts.MaxExtent)
	g.guarded(func() {
		for _, p := range segments {
			s := &ir.Filter{Var: g.loopVar(p.lo, p.hi, &p.facts), Lo: p.lo, Hi: p.hi, Dst: dst, Count: n}
			i := s.Var.Use()
			inside := g.nest.inside
			g.nest.inside = true
			s.MaskPre = g.block(func() { s.Mask = g.index(f.mask, []ir.Expr{i}) })
			s.XPre = g.block(func() { s.X = ir.ConvertTo(dst.Elem, f.value(i)) })
			g.nest.inside = inside
			if !ir.IsInt(s.Mask, 0) {
				g.emit(s)
			}
		}
	})
}

// straightPieces returns the pieces of an axis in each of which the elements
// of a vector are computed in one way, by straight code, and what that costs
// at most; it is not ok where there are none.
func (g *gen) straightPieces(p *pull) (segments []segment, weight float64, ok bool) {
	if p.buf != nil {
		return g.pieces(p.dims[0], nil), 0, true
	}
	st := g.nest
	g.nest = &nestState{}
	defer func() { g.nest = st }()
	cuts := make([][]affine.Poly, 1)
	if g.On("split") {
		cuts = g.dryRun(p.dims, func(ix []ir.Expr) { g.index(p, ix) })
	}
	if len(cuts[0]) > maxSplits {
		return nil, 0, false
	}
	segments = g.pieces(p.dims[0], cuts[0])
	g.nest.inside = true
	for _, s := range segments {
		w := 0.0
		stmts := g.block(func() { w = cost.LightWeight(g.index(p, []ir.Expr{g.loopVar(s.lo, s.hi, &s.facts).Use()})) })
		for _, x := range stmts {
			d, ok := x.(*ir.Decl)
			if !ok || d.Init == nil {
				return nil, 0, false
			}
			w += cost.LightWeight(d.Init)
		}
		weight = max(weight, w)
	}
	return segments, weight, true
}
