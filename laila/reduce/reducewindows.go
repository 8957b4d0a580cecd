package reduce

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// ReduceWindows is the n-wise reduction.
func ReduceWindows(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	f, p, a := tail.LamOf(e.Args[0]), args[2].Arr, e.Axis
	w := g.Atom("w", args[1].X)
	n := p.Dims[a]
	width := g.Extent(g.Atom("w", g.Absolute(w)))
	g.FailIf(g.Compare(ir.OpGt, width, ir.Add(n, ir.Integer(1))), tail.FaultWindow, build.SiteOf(e), func() []ir.FailArg {
		return []ir.FailArg{{X: w}, {X: n}}
	})
	g.FailIf(g.Compare(ir.OpEq, width, ir.Integer(0)), tail.FaultEmptyReduce, build.SiteOf(e), nil)
	g.Total(p)
	g.Reread(p)
	fd := &Folding{at: e, F: f, N: width, Kind: p.Elem, Rng: p.Rng, Op: orderedOp(e, f)}
	if fd.Op != tail.NoOp && fd.Op.Row().Assoc {
		fd.Zero = neutralOf(fd.Op)
	}
	dims := build.Replaced(p.Dims, a, g.Extent(g.Size1(g.Spelt(ir.Add(ir.Sub(n, width), ir.Integer(1))))))
	q := &build.Pull{Elem: p.Elem, Dims: dims, Rng: fd.resultRange(g), Cost: 8 * p.Cost, Faults: g.CanFault(f), Srcs: []*build.Pull{p}}
	if r, ok := differences(f, width, p.Rng); ok && p.Elem == ir.I64 {
		q.Rng, q.Faults = r, false
	}
	if a == p.Rank()-1 {
		if sums := slidingSums(g, q, p, fd); sums != nil {
			return build.Array1(sums)
		}
	}
	q.At = func(ix []ir.Expr) ir.Expr {
		return Fold(g, fd, func(i ir.Expr) ir.Expr {
			j := i
			if g.RangeOf(w).Lo < 0 {
				back := ir.Sub(ir.Sub(width, ir.Integer(1)), i)
				j = ir.Choose(g.Compare(ir.OpLt, w, ir.Integer(0)), back, i)
			}
			return g.Index(p, build.Replaced(ix, a, ir.Add(ix[a], j)))
		})
	}
	return build.Array1(q)
}

// differences bounds those of two neighbours in a range, where that is what f of
// windows is and none leaves 64 bits.
func differences(f *tail.Lam, width ir.Expr, r facts.Interval) (facts.Interval, bool) {
	e, ok := f.Body.(*tail.Apply)
	if !ok || e.Op != tail.OpSubI || !ir.IsInt(width, 2) || len(f.Params) != 2 || r == (facts.Interval{}) {
		return facts.Interval{}, false
	}
	forward := build.RefersTo(e.Args[0], f.Params[0]) && build.RefersTo(e.Args[1], f.Params[1])
	if !forward && !(build.RefersTo(e.Args[0], f.Params[1]) && build.RefersTo(e.Args[1], f.Params[0])) {
		return facts.Interval{}, false
	}
	return facts.Arith(ir.OpSub, r, r)
}
