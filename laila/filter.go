package laila

// filter is how a vector keeps some of n elements.
type filter struct {
	mask  *pull
	n     Expr
	value func(i Expr) Expr
}

// filtered writes the elements that f keeps to dst. The mask is computed for
// many elements at a time, as vector code; where it is made of pieces it is
// stored first.
func (g *gen) filtered(f *filter, dst *Buf) {
	g.pullable(f.mask)
	if f.mask.faults || f.mask.elem != U8 || g.inPieces(f.mask) {
		g.materialise(f.mask)
	}
	n := g.mutable("n", I64, integer(0))
	g.ranges[n] = interval{0, maxExtent}
	g.guarded(func() {
		s := &Filter{Var: g.loopVar(integer(0), f.n, nil), Lo: integer(0), Hi: f.n, Dst: dst, Count: n}
		i := &Use{s.Var}
		inside := g.nest.inside
		g.nest.inside = true
		s.MaskPre = g.block(func() { s.Mask = g.index(f.mask, []Expr{i}) })
		s.XPre = g.block(func() { s.X = convert(dst.Elem, f.value(i)) })
		g.nest.inside = inside
		g.emit(s)
	})
}

// inPieces reports whether the elements of a vector are computed in different
// ways in parts of it, or by loops.
func (g *gen) inPieces(p *pull) bool {
	if p.buf != nil {
		return false
	}
	pieces := false
	st := g.nest
	g.nest = &nestState{}
	cuts := g.dryRun([]Expr{p.dims[0]}, func(ix []Expr) {
		for _, s := range g.plain(func() { g.index(p, ix) }) {
			if _, ok := s.(*Decl); !ok {
				pieces = true
			}
		}
	})
	g.nest = st
	return pieces || len(cuts[0]) > 0
}
