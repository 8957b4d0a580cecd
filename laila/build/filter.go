package build

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Filter is how a vector keeps some of n elements.
type Filter struct {
	Mask  *Pull
	N     ir.Expr
	Value func(i ir.Expr) ir.Expr
}

// filtered writes the elements that f keeps to dst. The mask is computed for
// many elements at a time, as vector code, in one loop for each of its pieces;
// where that is no straight code it is stored first.
func (g *Builder) filtered(f *Filter, dst *ir.Buf) {
	g.Pullable(f.Mask)
	segments, _, ok := g.StraightPieces(f.Mask)
	if f.Mask.Faults || f.Mask.Elem != ir.U8 || !ok {
		g.Materialise(f.Mask)
		segments = g.Pieces(f.N, nil)
	}
	n := g.Mutable("n", ir.I64, ir.Integer(0))
	g.Ranges[n] = facts.Between(0, facts.MaxExtent)
	g.Guarded(func() {
		for _, p := range segments {
			s := &ir.Filter{Var: g.LoopVar(p.Lo, p.Hi, &p.Facts), Lo: p.Lo, Hi: p.Hi, Dst: dst, Count: n}
			i := s.Var.Use()
			inside := g.Nest.Inside
			g.Nest.Inside = true
			s.MaskPre = g.Block(func() { s.Mask = g.Index(f.Mask, []ir.Expr{i}) })
			s.XPre = g.Block(func() { s.X = ir.ConvertTo(dst.Elem, f.Value(i)) })
			g.Nest.Inside = inside
			if !ir.IsInt(s.Mask, 0) {
				g.Emit(s)
			}
		}
	})
}

// StraightPieces returns the pieces of an axis in each of which the elements
// of a vector are computed in one way, by straight code, and what that costs
// at most; it is not ok where there are none.
func (g *Builder) StraightPieces(p *Pull) (segments []segment, weight float64, ok bool) {
	if p.Buf != nil {
		return g.Pieces(p.Dims[0], nil), 0, true
	}
	st := g.Nest
	g.Nest = &NestState{}
	defer func() { g.Nest = st }()
	cuts := make([][]affine.Poly, 1)
	if g.On("split") {
		cuts = g.dryRun(p.Dims, func(ix []ir.Expr) { g.Index(p, ix) })
	}
	if len(cuts[0]) > maxSplits {
		return nil, 0, false
	}
	segments = g.Pieces(p.Dims[0], cuts[0])
	g.Nest.Inside = true
	for _, s := range segments {
		w := 0.0
		stmts := g.Block(func() { w = cost.LightWeight(g.Index(p, []ir.Expr{g.LoopVar(s.Lo, s.Hi, &s.Facts).Use()})) })
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
