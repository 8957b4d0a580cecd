package shape

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// versions is a test that tells two versions of what follows apart: whether an
// array has as many elements as its new shape.
type versions struct {
	have, want ir.Expr
	from, to   []ir.Expr
}

// forkLimit is the largest rest of a body, in bindings, that is lowered twice.
const forkLimit = 48

// Forked lowers e, the value of a binding in the body of a loop or the end of
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
func Forked(g *build.Builder, e, rest tail.Expr) (v *build.Value, at *versions) {
	if g.Fork != nil || g.Nest != nil || !g.On("versions") || !hasReshape(e, 8) || !short(rest) || g.Effects.Of(e)&analysis.Impures != 0 {
		return g.Expr(e), nil
	}
	g.Fork = &build.Fork{Blk: g.Blk}
	pending, inflight, src := g.Pending, len(g.Inflight), g.Src
	defer func() {
		g.Fork = nil
		if r := recover(); r != nil {
			split, ok := r.(*versions)
			if !ok {
				panic(r)
			}
			g.Pending, g.Inflight, g.Src = pending, g.Inflight[:inflight], src
			v, at = nil, split
		}
	}()
	return g.Expr(e), nil
}

// InVersions lowers the rest of a body twice.
func InVersions(g *build.Builder, at *versions, rest func()) {
	g.Force()
	g.Fork = &build.Fork{}
	same := g.Block(func() {
		g.LearnCount(at.from, at.to)
		rest()
	})
	other := g.Block(rest)
	g.Fork = nil
	g.Emit(&ir.If{Cond: ir.OpEq.Of(at.have, at.want), Then: same, Else: other})
}

// maybeFork leaves the lowering of a reshape for two versions of what follows.
func maybeFork(g *build.Builder, p *build.Pull, dims []ir.Expr, have, want ir.Expr) {
	if g.Fork == nil || g.Fork.Blk != g.Blk || g.Nest != nil || p.Faults || p.Rank() == 1 && len(dims) == 1 {
		return
	}
	if p.At == nil && p.Flat == nil || !ir.IsPlainSum(have, 0) || !ir.IsPlainSum(want, 0) {
		return
	}
	panic(&versions{have, want, p.Dims, dims})
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
func regrouped(g *build.Builder, p *build.Pull, dims []ir.Expr) func(ix []ir.Expr) ir.Expr {
	if !g.On("versions") {
		return nil
	}
	ends := make([]int, len(p.Dims)) // of the new axes that axes of p are
	at := 0
	for a, d := range p.Dims {
		from := at
		for ok := false; !ok; {
			if at == len(dims) {
				return nil
			}
			at++
			ok = g.SameCount([]ir.Expr{d}, dims[from:at])
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
			jx[a] = g.RavelIndex(dims[from:to], ix[from:to])
			from = to
		}
		return g.Index(p, jx)
	}
}

// apart makes q, the vector of x and y, one whose parts go straight to where it is stored:
// arrays in another shape, and elements that are kept of others, which at reads where they
// are stored before. It reports whether there are such parts.
func apart(g *build.Builder, x, y, q *build.Pull, at func(ix []ir.Expr) ir.Expr) bool {
	if len(q.Dims) != 1 || q.Faults || q.Pieces > maxPieces+1 || !g.On("versions") {
		return false
	}
	switch {
	case unread(x) || unread(y):
		g.Join(q, append(partsIn(x), partsIn(y)...), nil)
	case g.Placed(x) || g.Placed(y):
		g.Join(q, []*build.Pull{x, y}, at)
	default:
		return false
	}
	return true
}

// unread reports whether p is an array in the shape of a vector whose elements
// cannot be read at any index.
func unread(p *build.Pull) bool {
	return p.Buf == nil && p.At == nil && p.Flat == nil && p.Of != nil && p.Of.At != nil || p.Parts != nil && p.Buf == nil && !p.Joins()
}

func partsIn(p *build.Pull) []*build.Pull {
	if p.Parts != nil && p.Buf == nil {
		return p.Parts
	}
	return []*build.Pull{p}
}

// stacked gives a vector of parts the shape of an array that has one of them
// at each index of its first axis; nil where it is not known that they fit.
func stacked(g *build.Builder, p *build.Pull, dims []ir.Expr) *build.Pull {
	if p.Buf != nil || len(p.Parts) < 2 || len(dims) < 2 || !ir.IsInt(dims[0], int64(len(p.Parts))) {
		return nil
	}
	items := make([]*build.Pull, len(p.Parts))
	for i, part := range p.Parts {
		if !g.SameCount(part.Dims, dims[1:]) {
			return nil
		}
		items[i] = reshaped(g, part, dims[1:])
		if items[i].At == nil && items[i].Flat == nil {
			return nil
		}
	}
	q := build.View(p, dims, func(ix []ir.Expr) ir.Expr { return stackedItem(g, items, 0, ix) })
	q.Fill = func(dst *ir.Buf) { g.FillBuf(p, dst) }
	return q
}

func stackedItem(g *build.Builder, items []*build.Pull, k int, ix []ir.Expr) ir.Expr {
	read := func() ir.Expr { return g.Index(items[k], ix[1:]) }
	if k == len(items)-1 {
		return read()
	}
	return g.Branch(ix[0], ir.Integer(int64(k+1)), read, func() ir.Expr { return stackedItem(g, items, k+1, ix) })
}
