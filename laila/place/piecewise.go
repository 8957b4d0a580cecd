package place

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// A map whose index set is split is several nests, each of some rows, with loops in them
// for parts of a row. A reduction of what they make joins each of them:
//
//	segmap i = 0 … 1
//	  for j = 0 … m: a[(i × m) + j] = x[j]
//	segmap i = 1 … n
//	  for j = 0 … 1: a[(i × m) + j] = 0
//	  for j = 1 … m: a[(i × m) + j] = f(x[j - 1], x[j])
//	segred: var s = top; red k = 0 … n × m: s = s max |a[k] - b[k]|; post: top = s
//
// becomes
//
//	segred: var s = top; red i = 0 … 1
//	  segred: var t = s; red j = 0 … m: a[…] = x[j]; t = t max |a[…] - b[…]|; post: s = t
//	post: top = s
//	segred: var s = top; red i = 1 … n
//	  for j = 0 … 1: a[…] = 0; s = s max |a[…] - b[…]|
//	  segred: var t = s; red j = 1 … m: a[…] = f(x[j - 1], x[j]); t = t max |a[…] - b[…]|; post: s = t
//	post: top = s
//
// So a test of what a step of a stencil changed costs no pass of its own.
//
// Requires: the nests are next to each other and cover the space; terms whose order does
// not matter.

// shortPart is the most elements of a part of a row that stays a loop.
const shortPart = 8

// part is some columns of some rows: a nest of the split map, or a loop in one.
type part struct {
	rows, cols *ir.Var
	body       []ir.Stmt
}

// piecewise are the nests of a split map, and a reduction of what they make.
type piecewise struct {
	f     *Fuser
	nests []*ir.Nest
	parts [][]part
	space []ir.Dim // rows, and columns where the map is a matrix
	b     *ir.Nest // the reduction, over space
}

// onPieces joins the reduction block[j] with the nests of a split map before it. It returns
// the place of the last one.
func (f *Fuser) onPieces(block []ir.Stmt, j int) (next []ir.Stmt, at int, ok bool) {
	b, ok := block[j].(*ir.Nest)
	if !ok || !f.L.CPU() || b.Kind != ir.SegRed || !ir.IsStraight(b.Body) || !chained(b) {
		return nil, 0, false
	}
	last := j - 1
	for ; last >= 0 && last >= j-fuseWindow; last-- {
		if n, ok := block[last].(*ir.Nest); ok && f.reads(b, n) {
			break
		}
	}
	if last < 0 || last < j-fuseWindow {
		return nil, 0, false
	}
	w := &piecewise{f: f, b: b}
	first, ok := w.collect(block, last)
	if !ok || !w.shape() {
		return nil, 0, false
	}
	moved, rest, ok := w.independent(block[last+1 : j])
	if !ok {
		return nil, 0, false
	}
	next = append(slices.Clone(block[:first]), moved...)
	for p := range w.nests {
		next = append(next, w.joined(p))
	}
	at = len(next) - 1
	return append(append(next, rest...), block[j+1:]...), at, true
}

// reads reports whether b reads what n stores.
func (f *Fuser) reads(b, n *ir.Nest) bool {
	for x := range f.Of(n).Stores {
		if f.Of(b).Loads[x] {
			return true
		}
	}
	return false
}

// chained reports whether a reduction may be made of several, each of which goes on from
// the last one's result. Sums stay whole: those of few bits need not be widened.
func chained(n *ir.Nest) bool {
	if len(n.Accs) == 0 || len(n.Dims) > 0 || len(n.Pre) != len(n.Accs) || len(n.Post) != len(n.Accs) {
		return false
	}
	for k := range n.Accs {
		first, ok := n.Pre[k].(*ir.Decl)
		last, ok2 := n.Post[k].(*ir.Assign)
		if !ok || !ok2 || n.Accs[k].Ordered() || isSum(n.Accs[k].Combine) || first.Var != n.Accs[k].Var || !ir.IsUse(last.X, first.Var) || !ir.IsUse(first.Init, last.Var) {
			return false
		}
	}
	return true
}

func isSum(x ir.Expr) bool {
	b, ok := x.(*ir.Binary)
	return !ok || b.Op == ir.OpAdd || b.Op == ir.OpMul
}

// collect takes the nests of a split map, of which block[last] is the last one.
func (w *piecewise) collect(block []ir.Stmt, last int) (first int, ok bool) {
	for at := last; at >= 0; at-- {
		n, ok := block[at].(*ir.Nest)
		if !ok || n.Kind != ir.SegMap || len(n.Dims) != 1 || ir.SpaceOf(n) == nil {
			return 0, false
		}
		if len(w.nests) > 0 && !ir.Same(n.Dims[0].Hi, w.nests[0].Dims[0].Lo) {
			return 0, false
		}
		parts, hi, ok := partsOf(n)
		if !ok || len(w.space) > 0 && !ir.Same(hi, w.space[0].Hi) && hi != w.space[0].Hi {
			return 0, false
		}
		if len(w.nests) == 0 {
			w.space = []ir.Dim{{Hi: hi}}
		}
		w.nests, w.parts = append([]*ir.Nest{n}, w.nests...), append([][]part{parts}, w.parts...)
		if ir.IsInt(n.Dims[0].Lo, 0) {
			return at, len(w.nests) > 1 || len(parts) > 1
		}
	}
	return 0, false
}

// partsOf returns the parts of the rows of a nest, and the end of a row, nil for a nest
// over elements.
func partsOf(n *ir.Nest) (parts []part, hi ir.Expr, ok bool) {
	rows := n.Dims[0].Var
	if ir.IsStraight(n.Body) {
		return []part{{rows, nil, n.Body}}, nil, true
	}
	at := ir.Expr(ir.Integer(0))
	for _, s := range n.Body {
		f, ok := s.(*ir.For)
		if !ok || !ir.Same(f.Lo, at) || !ir.IsStraight(f.Body) {
			return nil, nil, false
		}
		parts, at = append(parts, part{rows, f.Var, f.Body}), f.Hi
	}
	return parts, at, true
}

// shape gives the whole space its variables, and b that space.
func (w *piecewise) shape() bool {
	f := w.f
	axis := func(hi ir.Expr) ir.Dim {
		v := f.L.NewVar("i", ir.I64)
		f.L.Ranges[v] = facts.Between(0, max(f.L.RangeOf(hi).Hi-1, 0))
		return ir.Dim{Var: v, Lo: ir.Integer(0), Hi: hi}
	}
	cols := w.space[0].Hi
	w.space = []ir.Dim{axis(w.nests[len(w.nests)-1].Dims[0].Hi)}
	if cols != nil {
		w.space = append(w.space, axis(cols))
	}
	own := ir.SpaceOf(w.b)
	switch {
	case ir.SameSpace(own, w.space):
		return true
	case f.ravels(own, w.space):
		w.b = f.shaped(w.b, w.space)
		return true
	}
	return false
}

// independent reports whether no element of b needs, or destroys, what another element of
// the map makes or needs. It divides the statements between as Fuser.between does.
func (w *piecewise) independent(between []ir.Stmt) (moved, rest []ir.Stmt, ok bool) {
	size := 0
	for _, parts := range w.parts {
		for _, p := range parts {
			a := &ir.Nest{Kind: ir.SegMap, Dims: w.space, Body: w.over(p).List(p.body)}
			if size += len(p.body) + len(w.b.Body); size > fuseLimit || !w.f.worthwhile(a, w.b) || !w.f.independent(a, w.b) {
				return nil, nil, false
			}
			if moved, rest, ok = w.f.between(a, w.b, between); !ok {
				return nil, nil, false
			}
		}
	}
	return moved, rest, true
}

// over copies a part as one of the whole space.
func (w *piecewise) over(p part) *ir.Cloner {
	c := w.f.L.NewCloner()
	c.Vars[p.rows] = w.space[0].Var.Use()
	if p.cols != nil {
		c.Vars[p.cols] = w.space[1].Var.Use()
	}
	return c
}

// joined is nest p with its part of b.
func (w *piecewise) joined(p int) ir.Stmt {
	n := w.nests[p]
	out := asReduction(n)
	accs := w.accumulators(w.starts(), out)
	for _, v := range w.b.Flags {
		if !slices.Contains(out.Flags, v) {
			out.Flags = append(slices.Clone(out.Flags), v)
		}
	}
	if parts := w.parts[p]; parts[0].cols == nil {
		out.Body = append(slices.Clone(n.Body), w.element(parts[0], accs)...)
		return out
	}
	out.Body = nil
	for k, s := range n.Body {
		f, part := s.(*ir.For), w.parts[p][k]
		trips, known := ir.Trips(ir.Dim{Lo: f.Lo, Hi: f.Hi})
		if known && trips <= shortPart {
			out.Body = append(out.Body, &ir.For{Var: f.Var, Lo: f.Lo, Hi: f.Hi, Body: append(slices.Clone(f.Body), w.element(part, accs)...)})
			continue
		}
		inner := &ir.Nest{Kind: ir.SegRed, Red: []ir.Dim{{Var: f.Var, Lo: f.Lo, Hi: f.Hi}}, At: n.At}
		inner.Body = append(slices.Clone(f.Body), w.element(part, w.accumulators(accs, inner))...)
		out.Body = append(out.Body, inner)
	}
	return out
}

// starts are the variables that the accumulators of b begin as.
func (w *piecewise) starts() []*ir.Var {
	var vars []*ir.Var
	for _, s := range w.b.Post {
		vars = append(vars, s.(*ir.Assign).Var)
	}
	return vars
}

// accumulators gives n accumulators like those of b, which go on from the given ones.
func (w *piecewise) accumulators(from []*ir.Var, n *ir.Nest) []*ir.Var {
	var vars []*ir.Var
	for k, a := range w.b.Accs {
		a.Var = w.f.L.Twin(a.Var)
		n.Accs = append(n.Accs, a)
		n.Pre = append(n.Pre, a.Var.Decl(from[k].Use()))
		n.Post = append(n.Post, from[k].Assign(a.Var.Use()))
		vars = append(vars, a.Var)
	}
	return vars
}

// element is the body of b for an element of a part, with the given accumulators.
func (w *piecewise) element(p part, accs []*ir.Var) []ir.Stmt {
	c := w.f.L.NewCloner()
	space := ir.SpaceOf(w.b)
	c.Vars[space[0].Var] = p.rows.Use()
	if p.cols != nil {
		c.Vars[space[1].Var] = p.cols.Use()
	}
	for k, v := range accs {
		c.Vars[w.b.Accs[k].Var] = v.Use()
	}
	return c.List(w.b.Body)
}
