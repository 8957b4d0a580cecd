package search

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Longest is the length of the longest run of ones of a vector: for each of its
// pieces
//
//	for i = lo … hi: run = m(i) ? run + 1 : 0; most = most max run
//
// which cgen writes by words of masks.
func Longest(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	mask := g.Array(args[0])
	n := mask.Dims[0]
	g.Pullable(mask)
	segments, _, ok := g.StraightPieces(mask)
	if mask.Faults || mask.Elem != ir.U8 || !ok {
		g.Materialise(mask)
		segments = g.Pieces(n, nil)
	}
	run, most := g.Mutable("run", ir.I64, ir.Integer(0)), g.Mutable("most", ir.I64, ir.Integer(0))
	lengths := facts.Between(0, max(g.RangeOf(n).Hi, 0))
	g.Ranges[run], g.Ranges[most] = lengths, lengths
	g.Guarded(func() {
		for _, p := range segments {
			f := &ir.For{Var: g.LoopVar(p.Lo, p.Hi, &p.Facts), Lo: p.Lo, Hi: p.Hi}
			inside := g.Nest.Inside
			g.Nest.Inside = true
			f.Body = g.Block(func() {
				m := g.Index(mask, []ir.Expr{f.Var.Use()})
				g.Emit(run.Assign(&ir.Select{Cond: m, Then: ir.Add(run.Use(), ir.Integer(1)), Else: ir.Integer(0)}),
					most.Assign(ir.OpMax.Of(most.Use(), run.Use())))
			})
			g.Nest.Inside = inside
			g.Emit(f)
		}
	})
	g.FailIf(g.Compare(ir.OpEq, most.Use(), ir.Integer(0)), tail.FaultEmptyReduce, build.SiteOf(e), nil)
	return build.Scalar1(most.Use())
}
