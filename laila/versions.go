package laila

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// fork is a place in the body of a loop where it can go on in two versions.
type fork struct{ blk *block }

// versions is a test that tells two versions of what follows apart: whether an
// array has as many elements as its new shape.
type versions struct {
	have, want ir.Expr
	from, to   []ir.Expr
}

// forkLimit is the largest rest of a body, in bindings, that is lowered twice.
const forkLimit = 48

// forked lowers e, the value of a binding in the body of a loop or the end of
// the body, or finds that the body should go on in two versions: e has a reshape
// to as many elements as there are, perhaps. Where there are as many, the reshape is another view
// of the same elements, and what follows needs no copies:
//
//	a ← (2,k,m)⍴x ⋄ …
//
// becomes
//
//	if (2×k×m) = ≢,x { a is a view of x, 2×k×m is ≢,x … } else { a is a copy … }
//
// There is one fork in a body at most. Preserves: effects (e has none, and
// is lowered again in each version) and the order of faults.
func (g *gen) forked(e, rest tail.Expr) (v *value, at *versions) {
	if g.fork != nil || g.nest != nil || !g.On("versions") || !hasReshape(e, 8) || !short(rest) || g.effects.Of(e)&tail.Impures != 0 {
		return g.expr(e), nil
	}
	g.fork = &fork{g.blk}
	pending, inflight, src := g.pending, len(g.inflight), g.src
	defer func() {
		g.fork = nil
		if r := recover(); r != nil {
			split, ok := r.(*versions)
			if !ok {
				panic(r)
			}
			g.pending, g.inflight, g.src = pending, g.inflight[:inflight], src
			v, at = nil, split
		}
	}()
	return g.expr(e), nil
}

// inVersions lowers the rest of a body twice.
func (g *gen) inVersions(at *versions, rest func()) {
	g.force()
	g.fork = &fork{}
	same := g.block(func() {
		g.learnCount(at.from, at.to)
		rest()
	})
	other := g.block(rest)
	g.fork = nil
	g.emit(&ir.If{Cond: ir.OpEq.Of(at.have, at.want), Then: same, Else: other})
}

// maybeFork leaves the lowering of a reshape for two versions of what follows.
func (g *gen) maybeFork(p *pull, dims []ir.Expr, have, want ir.Expr) {
	if g.fork == nil || g.fork.blk != g.blk || g.nest != nil || p.faults || p.rank() == 1 && len(dims) == 1 {
		return
	}
	if p.at == nil && p.flat == nil || !ir.IsPlainSum(have, 0) || !ir.IsPlainSum(want, 0) {
		return
	}
	panic(&versions{have, want, p.dims, dims})
}

// short reports whether few enough bindings follow to be lowered twice.
func short(e tail.Expr) bool {
	for n := 0; n <= forkLimit; n++ {
		let, ok := e.(*tail.Let)
		if !ok {
			return true
		}
		e = let.Body
	}
	return false
}

// hasReshape reports whether e has a reshape outside of functions.
func hasReshape(e tail.Expr, depth int) bool {
	var parts []tail.Expr
	switch e := e.(type) {
	case *tail.Apply:
		if e.Op == tail.OpReshape {
			return true
		}
		parts = e.Args
	case *tail.Tuple:
		parts = e.Elems
	}
	if depth == 0 {
		return false
	}
	return slices.ContainsFunc(parts, func(x tail.Expr) bool { return hasReshape(x, depth-1) })
}

// regrouped returns how the elements of p are read at indices of another
// shape with as many elements, where every axis of p is one or more axes of
// the new shape; nil where that is not known.
func (g *gen) regrouped(p *pull, dims []ir.Expr) func(ix []ir.Expr) ir.Expr {
	if !g.On("versions") {
		return nil
	}
	ends := make([]int, len(p.dims)) // of the new axes that axes of p are
	at := 0
	for a, d := range p.dims {
		from := at
		for ok := false; !ok; {
			if at == len(dims) {
				return nil
			}
			at++
			ok = g.sameCount([]ir.Expr{d}, dims[from:at])
		}
		ends[a] = at
	}
	for ; at < len(dims); at++ { // what is left has one item
		if !ir.IsInt(dims[at], 1) {
			return nil
		}
	}
	return func(ix []ir.Expr) ir.Expr {
		jx := make([]ir.Expr, len(ends))
		from := 0
		for a, to := range ends {
			jx[a] = g.ravelIndex(dims[from:to], ix[from:to])
			from = to
		}
		return g.index(p, jx)
	}
}

// partsOf is the vector of two that are stored otherwise: arrays in another
// shape. Their elements go straight to where the vector is stored.
func (g *gen) partsOf(x, y *pull, dims []ir.Expr) *pull {
	if len(dims) != 1 || !g.On("versions") || x.faults || y.faults || !unread(x) && !unread(y) || x.pieces+y.pieces > maxPieces {
		return nil
	}
	parts := append(partsIn(x), partsIn(y)...)
	q := &pull{pieces: x.pieces + y.pieces + 1, elem: x.elem, dims: dims, rng: x.rng.Union(y.rng), span: facts.JoinSpans(x.span, y.span),
		cost: max(x.cost, y.cost), srcs: []*pull{x, y}, parts: parts}
	q.fill = func(dst *ir.Buf) {
		var base ir.Expr = ir.Integer(0)
		for _, p := range parts {
			n := g.count(p)
			if p.of != nil && p.buf == nil {
				p = p.of
			}
			g.writeAll(p, dst, base)
			base = g.atom("base", ir.Add(base, n))
		}
	}
	return q
}

// unread reports whether p is an array in the shape of a vector whose elements
// cannot be read at any index.
func unread(p *pull) bool {
	return p.buf == nil && p.at == nil && p.flat == nil && p.of != nil && p.of.at != nil || p.parts != nil && p.buf == nil
}

func partsIn(p *pull) []*pull {
	if p.parts != nil && p.buf == nil {
		return p.parts
	}
	return []*pull{p}
}

// stacked gives a vector of parts the shape of an array that has one of them
// at each index of its first axis; nil where it is not known that they fit.
func (g *gen) stacked(p *pull, dims []ir.Expr) *pull {
	if p.buf != nil || len(p.parts) < 2 || len(dims) < 2 || !ir.IsInt(dims[0], int64(len(p.parts))) {
		return nil
	}
	items := make([]*pull, len(p.parts))
	for i, part := range p.parts {
		if !g.sameCount(part.dims, dims[1:]) {
			return nil
		}
		items[i] = g.reshaped(part, dims[1:])
		if items[i].at == nil && items[i].flat == nil {
			return nil
		}
	}
	q := view(p, dims, func(ix []ir.Expr) ir.Expr { return g.stackedItem(items, 0, ix) })
	q.fill = func(dst *ir.Buf) { g.fillBuf(p, dst) }
	return q
}

func (g *gen) stackedItem(items []*pull, k int, ix []ir.Expr) ir.Expr {
	read := func() ir.Expr { return g.index(items[k], ix[1:]) }
	if k == len(items)-1 {
		return read()
	}
	return g.branch(ix[0], ir.Integer(int64(k+1)), read, func() ir.Expr { return g.stackedItem(items, k+1, ix) })
}
