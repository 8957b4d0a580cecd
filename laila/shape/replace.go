package shape

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// replaced is p, whose elements are computed where they are used, with a run of
// neighbours along one axis replaced by y; loops that use it are split at both ends of
// the run. Where it is stored, so is p before.
//
//	x←(n,48)⍴f⍳n×48 ⋄ x[;1 2 3 4]←y      x[i;j] = j < 4 ? y[i;j] : f(i×48+j)
//
// It is nil where p is stored, or where more than a run of constant places is selected.
func replaced(g *build.Builder, p *build.Pull, v *build.Value, ss []build.Selector) *build.Pull {
	if p.Buf != nil || p.Elems != nil || p.Faults || p.At == nil && p.Flat == nil || !g.On("delay") {
		return nil
	}
	r, ok := runSelected(g, p, ss)
	if !ok {
		return nil
	}
	y := v.Arr
	if y == nil {
		y = g.ConstantPull(g.Atom("x", v.X), p.Dims)
		r.scalar = true
	}
	if y.Elem != p.Elem || p.Pieces+y.Pieces+2 > maxPieces {
		return nil
	}
	q := &build.Pull{Pieces: p.Pieces + y.Pieces + 2, Elem: p.Elem, Dims: p.Dims, Rng: p.Rng.Union(y.Rng), Span: facts.JoinSpans(p.Span, y.Span), Cost: max(p.Cost, y.Cost),
		Srcs: []*build.Pull{p, y}}
	q.At = func(ix []ir.Expr) ir.Expr {
		i := ix[r.axis]
		old := func() ir.Expr { return g.Index(p, ix) }
		run := func() ir.Expr { return g.Index(y, r.place(ix)) }
		behind := func() ir.Expr {
			if n, ok := ir.IntOf(p.Dims[r.axis]); ok && n == r.to {
				return run()
			}
			return g.Branch(i, ir.Integer(r.to), run, old)
		}
		if r.from == 0 {
			return behind()
		}
		return g.Branch(i, ir.Integer(r.from), old, behind)
	}
	q.Fill = func(dst *ir.Buf) { // rows may be short: their loops stay whole
		g.FillBuf(p, dst)
		dims := build.Replaced(p.Dims, r.axis, ir.Integer(r.to-r.from))
		g.Segmap(dims, func(ix []ir.Expr) {
			at := build.Replaced(ix, r.axis, ir.Add(ix[r.axis], ir.Integer(r.from)))
			x := g.Index(y, r.place(at))
			g.Emit(dst.Store(g.RavelIndex(p.Dims, at), ir.ConvertTo(dst.Elem, x)))
		})
	}
	return q
}

// selectedRun is the places from … to of an axis.
type selectedRun struct {
	axis     int
	from, to int64
	dropped  bool // the selection has no such axis
	scalar   bool // all new elements are one
}

// place returns where the new element for ix is in the new elements.
func (r selectedRun) place(ix []ir.Expr) []ir.Expr {
	switch {
	case r.scalar:
		return ix
	case r.dropped:
		return build.Without(ix, r.axis)
	}
	return build.Replaced(ix, r.axis, ir.Sub(ix[r.axis], ir.Integer(r.from)))
}

// runSelected returns the run of constant places that selectors of p choose along one
// axis, all others being taken whole.
func runSelected(g *build.Builder, p *build.Pull, ss []build.Selector) (r selectedRun, ok bool) {
	for a, s := range ss {
		if s.All {
			continue
		}
		if ok {
			return r, false
		}
		n, known := ir.IntOf(p.Dims[a])
		if r, ok = runOf(g, s); !ok || !known || r.from < 0 || r.to > n {
			return r, false
		}
		r.axis = a
	}
	return r, ok
}

func runOf(g *build.Builder, s build.Selector) (r selectedRun, ok bool) {
	if s.Arr == nil {
		at, known := ir.IntOf(s.X)
		return selectedRun{from: at, to: at + 1, dropped: true}, known
	}
	n, known := ir.IntOf(s.Arr.Dims[0])
	if !known || n == 0 || s.Arr.Rank() != 1 || s.Arr.Cost > 8 {
		return r, false
	}
	if list, constant := g.Constants(s.Arr); constant {
		for i, x := range list {
			if x != list[0]+int64(i) {
				return r, false
			}
		}
		return selectedRun{from: list[0] - 1, to: list[0] - 1 + n}, true
	}
	if s.Arr.Buf != nil {
		return r, false
	}
	g.Block(func() {
		v := g.LoopVar(ir.Integer(0), s.Arr.Dims[0], nil)
		step, rest := g.LinearOf(g.Index(s.Arr, []ir.Expr{v.Use()})).Split(v)
		by, steady := step.Constant()
		at, constant := rest.Constant()
		ok = steady && constant && by == 1
		r = selectedRun{from: at - 1, to: at - 1 + n}
	})
	return r, ok
}
