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

// FillAt writes all elements of p to dst from position base on: those of arrays behind
// each other, and those that a filter keeps, are not stored elsewhere first.
func (g *Builder) FillAt(p *Pull, dst *ir.Buf, base ir.Expr) {
	base = g.Atom("base", base)
	switch {
	case p.Elems != nil && len(p.Elems) <= maxStores:
		for i, x := range p.Elems {
			g.Emit(dst.Store(ir.Add(base, ir.Integer(int64(i))), ir.ConvertTo(dst.Elem, x)))
		}
	case p.Buf == nil && (p.At != nil || p.Flat != nil):
		g.WriteAll(p, dst, base)
	case p.Buf == nil && p.Parts != nil:
		for _, part := range p.Parts {
			n := g.Count(part)
			if part.Of != nil && part.Buf == nil {
				part = part.Of
			}
			g.FillAt(part, dst, base)
			base = g.Atom("base", ir.Add(base, n))
		}
	case g.filters(p):
		g.filtered(p.Filter, dst, base, p.Dims[0])
	case p.drives():
		g.driven(p, dst, base)
	default:
		if g.Materialise(p); p.Buf.Elem != dst.Elem {
			g.WriteAll(p, dst, base)
			return
		}
		g.Emit(&ir.Copy{Dst: dst, DstIndex: base, Src: p.Buf, SrcIndex: ir.Integer(0), Count: g.Count(p)})
	}
}

// Placed reports whether FillAt computes the elements of p where they belong.
func (g *Builder) Placed(p *Pull) bool {
	return p.Buf == nil && (p.Parts != nil || g.filters(p) || p.drives())
}

// drives reports whether the elements of p come in order, and are stored as they do.
func (p *Pull) drives() bool {
	return p.Buf == nil && p.Fill == nil && p.Drive != nil && !p.Backward
}

// filters reports whether p is stored by a filter.
func (g *Builder) filters(p *Pull) bool {
	return p.Buf == nil && p.Filter != nil && g.Nest == nil && g.On("filter")
}

// maxStores is how many elements of a short vector are stored by a statement each.
const maxStores = 16

// filtered writes the elements that f keeps, of which the number is known, to dst from
// position base on. The mask is computed for many elements at a time, as vector code, in one loop for each of its pieces;
// where that is no straight code it is stored first.
func (g *Builder) filtered(f *Filter, dst *ir.Buf, base, kept ir.Expr) {
	g.Pullable(f.Mask)
	segments, _, ok := g.StraightPieces(f.Mask)
	if f.Mask.Faults || f.Mask.Elem != ir.U8 || !ok {
		g.Materialise(f.Mask)
		segments = g.Pieces(f.N, nil)
	}
	room := g.Atom("room", ir.Add(base, kept))
	n := g.Mutable("n", ir.I64, base)
	g.Ranges[n] = facts.Between(0, facts.MaxExtent)
	g.Guarded(func() {
		for _, p := range segments {
			s := &ir.Filter{Var: g.LoopVar(p.Lo, p.Hi, &p.Facts), Lo: p.Lo, Hi: p.Hi, Dst: dst, Count: n, Room: room}
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
