package shape

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// replaced is p, whose elements are computed where they are used, with a box of
// neighbours replaced by y; loops that use it are split at the sides of the box.
//
//	x←(n,48)⍴f⍳n×48 ⋄ x[;1 2 3 4]←y      x[i;j] = j < 4 ? y[i;j] : f(i×48+j)
//	x[1↓¯1↓⍳n]←y                         x[i] = i < 1 ? x[i] : i < n-1 ? y[i-1] : x[i]
//
// Where what is computed is stored, so is p before. It is nil where more than a box is
// selected. Where p is stored, and kept says that it stays as it is, it would be copied and
// the copy overwritten: then the box must be most of it, as one of several axes must.
func replaced(g *build.Builder, p *build.Pull, v *build.Value, ss []build.Selector, kept bool) *build.Pull {
	stored := p.Buf != nil
	if stored && !(kept && g.CPU() && g.Nest == nil) || p.Elems != nil || p.Faults || p.At == nil && p.Flat == nil || !g.On("delay") {
		return nil
	}
	box, ok := boxSelected(g, p, ss)
	if !ok || (stored || box.axes() > 1) && !box.most(g, p) {
		return nil
	}
	y := v.Arr
	if y == nil {
		y = g.ConstantPull(g.Atom("x", v.X), p.Dims)
		box.scalar = true
	}
	if y.Elem != p.Elem || p.Pieces+y.Pieces+2 > maxPieces {
		return nil
	}
	q := &build.Pull{Pieces: p.Pieces + y.Pieces + 2, Elem: p.Elem, Dims: p.Dims, Rng: p.Rng.Union(y.Rng), Span: facts.JoinSpans(p.Span, y.Span), Cost: max(p.Cost, y.Cost),
		Srcs: []*build.Pull{p, y}}
	q.At = func(ix []ir.Expr) ir.Expr { return box.element(g, p, y, ix, 0) }
	if stored {
		return q
	}
	q.Fill = func(dst *ir.Buf) { // rows may be short: their loops stay whole
		g.FillBuf(p, dst)
		dims := slices.Clone(p.Dims)
		for a, r := range box.runs {
			if r != nil {
				dims[a] = g.Atom("n", ir.Sub(r.to, r.from))
			}
		}
		g.Segmap(dims, func(ix []ir.Expr) {
			at := slices.Clone(ix)
			for a, r := range box.runs {
				if r != nil {
					at[a] = ir.Add(ix[a], r.from)
				}
			}
			x := g.Index(y, box.place(at))
			g.Emit(dst.Store(g.RavelIndex(p.Dims, at), ir.ConvertTo(dst.Elem, x)))
		})
	}
	return q
}

// selectedBox has a run of places for each axis, nil for one that is taken whole.
type selectedBox struct {
	runs   []*selectedRun
	scalar bool // all new elements are one
}

// selectedRun is the places from … to of an axis.
type selectedRun struct {
	from, to ir.Expr
	dropped  bool // the selection has no such axis
}

// element is the element at ix of p with y in the box, which has the places of ix on the
// axes before axis.
func (b selectedBox) element(g *build.Builder, p, y *build.Pull, ix []ir.Expr, axis int) ir.Expr {
	for axis < len(ix) && b.runs[axis] == nil {
		axis++
	}
	if axis == len(ix) {
		return g.Index(y, b.place(ix))
	}
	r := b.runs[axis]
	old := func() ir.Expr { return g.Index(p, ix) }
	run := func() ir.Expr { return b.element(g, p, y, ix, axis+1) }
	behind := func() ir.Expr {
		if ir.Same(r.to, p.Dims[axis]) {
			return run()
		}
		return g.Branch(ix[axis], r.to, run, old)
	}
	if ir.IsInt(r.from, 0) {
		return behind()
	}
	return g.Branch(ix[axis], r.from, old, behind)
}

// place returns where the new element for ix is in the new elements.
func (b selectedBox) place(ix []ir.Expr) []ir.Expr {
	if b.scalar {
		return ix
	}
	var at []ir.Expr
	for a, r := range b.runs {
		switch {
		case r == nil:
			at = append(at, ix[a])
		case !r.dropped:
			at = append(at, ir.Sub(ix[a], r.from))
		}
	}
	return at
}

// axes returns how many axes are not taken whole.
func (b selectedBox) axes() int {
	n := 0
	for _, r := range b.runs {
		if r != nil {
			n++
		}
	}
	return n
}

// boxMargin is the most places of an axis before and behind a run that is most of it
// where the extent is not known.
const boxMargin = 8

// most reports whether a box has certainly, or probably, at least half of the elements of p.
func (b selectedBox) most(g *build.Builder, p *build.Pull) bool {
	inside, all := int64(1), int64(1)
	for a, r := range b.runs {
		if r == nil {
			continue
		}
		out, known := g.LinearOf(ir.Sub(p.Dims[a], ir.Sub(r.to, r.from))).Constant()
		n, constant := ir.IntOf(p.Dims[a])
		switch {
		case !known || r.dropped:
			return false
		case constant:
			inside, all = inside*(n-out), all*n
		case out > boxMargin:
			return false
		}
		if all > 1<<31 {
			return false
		}
	}
	return 2*inside >= all
}

// boxSelected returns the box that selectors of p choose.
func boxSelected(g *build.Builder, p *build.Pull, ss []build.Selector) (b selectedBox, ok bool) {
	b.runs = make([]*selectedRun, len(ss))
	for a, s := range ss {
		if s.All {
			continue
		}
		r, run := runOf(g, s, p.Dims[a])
		if !run {
			return b, false
		}
		b.runs[a], ok = r, true
	}
	return b, ok
}

// runOf returns the run of places of an axis of extent n that a selector chooses.
func runOf(g *build.Builder, s build.Selector, n ir.Expr) (r *selectedRun, ok bool) {
	if s.Arr == nil {
		at, known := ir.IntOf(s.X)
		_, constant := ir.IntOf(n)
		return &selectedRun{from: ir.Integer(at), to: ir.Integer(at + 1), dropped: true}, known && constant
	}
	if s.Arr.Rank() != 1 || s.Arr.Cost > 8 {
		return nil, false
	}
	count := s.Arr.Dims[0]
	from, ok := firstOfRun(g, s.Arr)
	if !ok {
		return nil, false
	}
	first, _ := from.Constant()
	r = &selectedRun{from: ir.Integer(first - 1), to: ir.Add(count, ir.Integer(first-1))}
	behind, known := g.LinearOf(ir.Sub(n, r.to)).Constant()
	few, constant := ir.IntOf(count)
	return r, first >= 1 && known && behind >= 0 && !(constant && few == 0)
}

// firstOfRun returns the first of indices that are a run of constant places.
func firstOfRun(g *build.Builder, p *build.Pull) (from affine.Poly, ok bool) {
	if list, constant := g.Constants(p); constant && len(list) > 0 {
		for i, x := range list {
			if x != list[0]+int64(i) {
				return from, false
			}
		}
		return affine.Const(list[0]), true
	}
	if p.Buf != nil {
		return from, false
	}
	g.Block(func() {
		v := g.LoopVar(ir.Integer(0), p.Dims[0], nil)
		step, rest := g.LinearOf(g.Index(p, []ir.Expr{v.Use()})).Split(v)
		by, steady := step.Constant()
		_, constant := rest.Constant()
		from, ok = rest, steady && constant && by == 1
	})
	return from, ok
}
