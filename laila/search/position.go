package search

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// positionTerms is the longest vector that a number is looked up in by a loop
// without tests.
const positionTerms = 32

// PositionOf is the position, from 1, of an integer, a character or a truth
// value in a short vector of known length, and the length plus 1 where it is
// not there. No branch and no call are in the loop, so that what is around it
// can become vector code:
//
//	var at = 6
//	for i = 0 … 5: at = (a[4 - i] == x) ? 5 - i : at
func PositionOf(g *build.Builder, args []*build.Value) (ir.Expr, bool) {
	p, x := args[0].Arr, args[1].X
	if p == nil || x == nil || p.Rank() != 1 {
		return nil, false
	}
	n, ok := ir.IntOf(p.Dims[0])
	if !ok || n < 1 || n > positionTerms || p.Elem != x.Kind() || !p.Elem.Exact() || p.Elem == ir.C64 {
		return nil, false
	}
	g.Force()
	p = g.Materialise(p)
	x = g.Atom("x", x)
	at := g.Mutable("at", ir.I64, ir.Integer(n+1))
	g.Ranges[at] = facts.Between(1, n+1)
	g.Sequence(ir.Integer(n), func(i ir.Expr) {
		found := ir.OpEq.Of(ir.ConvertTo(p.Elem, p.Buf.Load(ir.Sub(ir.Integer(n-1), i))), x)
		g.Emit(at.Assign(ir.Choose(found, ir.Sub(ir.Integer(n), i), at.Use())))
	})
	return g.Let("r", at.Use()), true
}
