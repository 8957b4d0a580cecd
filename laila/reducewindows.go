package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// reduceWindows is the n-wise reduction.
func (g *gen) reduceWindows(e *tail.Apply, args []*value) *value {
	f, p, a := tail.LamOf(e.Args[0]), args[2].arr, e.Axis
	w := g.atom("w", args[1].x)
	n := p.dims[a]
	width := g.extent(g.atom("w", g.absolute(w)))
	g.failIf(g.Compare(ir.OpGt, width, ir.Add(n, ir.Integer(1))), tail.FaultWindow, siteOf(e), func() []ir.FailArg {
		return []ir.FailArg{{X: w}, {X: n}}
	})
	g.failIf(g.Compare(ir.OpEq, width, ir.Integer(0)), tail.FaultEmptyReduce, siteOf(e), nil)
	g.total(p)
	g.reread(p)
	fd := &folding{at: e, f: f, n: width, kind: p.elem, rng: p.rng, op: orderedOp(e, f)}
	if fd.op != tail.NoOp && fd.op.Row().Assoc {
		fd.zero = neutralOf(fd.op)
	}
	dims := replaced(p.dims, a, g.extent(g.size1(ir.Add(ir.Sub(n, width), ir.Integer(1)))))
	q := &pull{elem: p.elem, dims: dims, rng: fd.resultRange(g), cost: 8 * p.cost, faults: g.canFault(f), srcs: []*pull{p}}
	if r, ok := differences(f, width, p.rng); ok && p.elem == ir.I64 {
		q.rng, q.faults = r, false
	}
	if a == p.rank()-1 {
		if sums := g.slidingSums(q, p, fd); sums != nil {
			return array1(sums)
		}
	}
	q.at = func(ix []ir.Expr) ir.Expr {
		return g.fold(fd, func(i ir.Expr) ir.Expr {
			j := i
			if g.RangeOf(w).Lo < 0 {
				back := ir.Sub(ir.Sub(width, ir.Integer(1)), i)
				j = ir.Choose(g.Compare(ir.OpLt, w, ir.Integer(0)), back, i)
			}
			return g.index(p, replaced(ix, a, ir.Add(ix[a], j)))
		})
	}
	return array1(q)
}

// differences bounds those of two neighbours in a range, where that is what f of
// windows is and none leaves 64 bits.
func differences(f *tail.Lam, width ir.Expr, r facts.Interval) (facts.Interval, bool) {
	e, ok := f.Body.(*tail.Apply)
	if !ok || e.Op != tail.OpSubI || !ir.IsInt(width, 2) || len(f.Params) != 2 || r == (facts.Interval{}) {
		return facts.Interval{}, false
	}
	forward := refersTo(e.Args[0], f.Params[0]) && refersTo(e.Args[1], f.Params[1])
	if !forward && !(refersTo(e.Args[0], f.Params[1]) && refersTo(e.Args[1], f.Params[0])) {
		return facts.Interval{}, false
	}
	return facts.Arith(ir.OpSub, r, r)
}

// absolute is the magnitude of an integer, the greatest integer for the least.
func (g *gen) absolute(x ir.Expr) ir.Expr {
	r := g.RangeOf(x)
	if r.Lo == math.MinInt64 {
		x = ir.OpMax.Of(x, ir.Integer(-math.MaxInt64))
	}
	switch {
	case r.Lo >= 0:
		return x
	case r.Hi <= 0:
		return ir.Sub(ir.Integer(0), x)
	}
	return ir.OpAbs.Of(x)
}
