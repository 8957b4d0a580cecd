package laila

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

const (
	// slidingWidth is the least width of windows whose sums are made from those
	// of the windows before: narrower ones are vector code.
	slidingWidth = 12
	// slidingBlock is how many windows follow one another so; the sum of the
	// first is made by itself.
	slidingBlock = 2048
)

// slidingSums is w+/p along the last axis for integers whose sums cannot
// overflow, where w is not known to be small: each sum but the first of a block
// is the one before it, with the element that comes in and without the one that
// goes out. q has the shape and the range of the result; it is nil where p is
// something else. Each block is an iteration of a nest.
func (g *gen) slidingSums(q, p *pull, fd *folding) *pull {
	last := p.rank() - 1
	if w := g.RangeOf(fd.n); fd.op != tail.OpAddI || fd.kind != ir.I64 || w.Hi < slidingWidth || w.Lo == w.Hi && w.Lo < slidingWidth || g.nest != nil || !g.On("sliding") {
		return nil
	}
	if _, ok := fd.accRange(g); !ok {
		return nil
	}
	g.materialise(p)
	n := q.dims[last]
	z := &pull{elem: ir.I64, dims: q.dims, rng: q.rng, cost: 1000, faults: q.faults, srcs: q.srcs}
	z.fill = func(dst *ir.Buf) {
		step := ir.Integer(slidingBlock)
		blocks := g.atom("blocks", ir.OpQuo.Of(ir.Add(n, ir.Integer(slidingBlock-1)), step))
		g.segmap(append(append([]ir.Expr{}, q.dims[:last]...), blocks), func(ix []ir.Expr) {
			from := g.atom("from", ir.Mul(ix[last], step))
			count := g.within(ir.OpMin.Of(step, ir.Sub(n, from)), 1, step)
			row := ix[:last:last]
			at := g.atom("at", g.ravelIndex(q.dims, append(row, from)))
			sum := g.mutable("sum", ir.I64, g.fold(fd, func(k ir.Expr) ir.Expr { return g.index(p, append(row, ir.Add(from, k))) }))
			g.Ranges[sum] = q.rng
			g.emit(dst.Store(at, ir.ConvertTo(dst.Elem, sum.Use())))
			g.sequence(ir.Sub(count, ir.Integer(1)), func(i ir.Expr) {
				out := g.index(p, append(row, ir.Add(from, i)))
				in := g.index(p, append(row, ir.Add(from, ir.Add(i, fd.n))))
				g.emit(sum.Assign(ir.OpAdd.Of(sum.Use(), ir.OpSub.Of(in, out))))
				g.emit(dst.Store(ir.Add(at, ir.Add(i, ir.Integer(1))), ir.ConvertTo(dst.Elem, sum.Use())))
			})
		})
	}
	return z
}
