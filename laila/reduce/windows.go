package reduce

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

const (
	// slidingWidth is the least width of windows whose sums are made from those
	// of the windows before: the sums of narrower ones are written out, as vector code.
	slidingWidth = cost.UnrollTerms + 1
	// slidingBlock is how many windows follow one another so; the sum of the
	// first is made by itself.
	slidingBlock = 2048
)

// slidingSums is w+/p along the last axis for integers whose sums cannot
// overflow, where w is not known to be small: each sum but the first of a block
// is the one before it, with the element that comes in and without the one that
// goes out. q has the shape and the range of the result; it is nil where p is
// something else. Each block is an iteration of a nest.
func slidingSums(g *build.Builder, q, p *build.Pull, fd *Folding) *build.Pull {
	last := p.Rank() - 1
	if w := g.RangeOf(fd.N); fd.Op != tail.OpAddI || fd.Kind != ir.I64 || w.Hi < slidingWidth || w.Lo == w.Hi && w.Lo < slidingWidth || g.Nest != nil || !g.On("sliding") {
		return nil
	}
	if _, ok := fd.accRange(g); !ok {
		return nil
	}
	g.Materialise(p)
	n := q.Dims[last]
	z := &build.Pull{Elem: ir.I64, Dims: q.Dims, Rng: q.Rng, Cost: 1000, Faults: q.Faults, Srcs: q.Srcs}
	z.Fill = func(dst *ir.Buf) {
		step := ir.Integer(slidingBlock)
		blocks := g.Atom("blocks", ir.OpQuo.Of(ir.Add(n, ir.Integer(slidingBlock-1)), step))
		g.Segmap(append(append([]ir.Expr{}, q.Dims[:last]...), blocks), func(ix []ir.Expr) {
			from := g.Atom("from", ir.Mul(ix[last], step))
			count := g.Within(ir.OpMin.Of(step, ir.Sub(n, from)), 1, step)
			row := ix[:last:last]
			at := g.Atom("at", g.RavelIndex(q.Dims, append(row, from)))
			sum := g.Mutable("sum", ir.I64, Fold(g, fd, func(k ir.Expr) ir.Expr { return g.Index(p, append(row, ir.Add(from, k))) }))
			g.Ranges[sum] = q.Rng
			g.Emit(dst.Store(at, ir.ConvertTo(dst.Elem, sum.Use())))
			g.Sequence(ir.Sub(count, ir.Integer(1)), func(i ir.Expr) {
				out := g.Index(p, append(row, ir.Add(from, i)))
				in := g.Index(p, append(row, ir.Add(from, ir.Add(i, fd.N))))
				g.Emit(sum.Assign(ir.OpAdd.Of(sum.Use(), ir.OpSub.Of(in, out))))
				g.Emit(dst.Store(ir.Add(at, ir.Add(i, ir.Integer(1))), ir.ConvertTo(dst.Elem, sum.Use())))
			})
		})
	}
	return z
}
