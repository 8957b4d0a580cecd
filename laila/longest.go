package laila

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// longest is the length of the longest run of ones of a vector: for each of its
// pieces
//
//	for i = lo … hi: run = m(i) ? run + 1 : 0; most = most max run
//
// which cgen writes by words of masks.
func (g *gen) longest(e *tail.Apply, args []*value) *value {
	mask := g.array(args[0])
	n := mask.dims[0]
	g.pullable(mask)
	segments, _, ok := g.straightPieces(mask)
	if mask.faults || mask.elem != ir.U8 || !ok {
		g.materialise(mask)
		segments = g.pieces(n, nil)
	}
	run, most := g.mutable("run", ir.I64, ir.Integer(0)), g.mutable("most", ir.I64, ir.Integer(0))
	lengths := facts.Between(0, max(g.RangeOf(n).Hi, 0))
	g.Ranges[run], g.Ranges[most] = lengths, lengths
	g.guarded(func() {
		for _, p := range segments {
			f := &ir.For{Var: g.loopVar(p.lo, p.hi, &p.facts), Lo: p.lo, Hi: p.hi}
			inside := g.nest.inside
			g.nest.inside = true
			f.Body = g.block(func() {
				m := g.index(mask, []ir.Expr{f.Var.Use()})
				g.emit(run.Assign(&ir.Select{Cond: m, Then: ir.Add(run.Use(), ir.Integer(1)), Else: ir.Integer(0)}),
					most.Assign(ir.OpMax.Of(most.Use(), run.Use())))
			})
			g.nest.inside = inside
			g.emit(f)
		}
	})
	g.failIf(g.Compare(ir.OpEq, most.Use(), ir.Integer(0)), tail.FaultEmptyReduce, siteOf(e), nil)
	return scalar1(most.Use())
}
