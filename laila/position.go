package laila

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// positionTerms is the longest vector that a number is looked up in by a loop
// without tests.
const positionTerms = 32

// positionOf is the position, from 1, of an integer, a character or a truth
// value in a short vector of known length, and the length plus 1 where it is
// not there. No branch and no call are in the loop, so that what is around it
// can become vector code:
//
//	var at = 6
//	for i = 0 … 5: at = (a[4 - i] == x) ? 5 - i : at
func (g *gen) positionOf(args []*value) (ir.Expr, bool) {
	p, x := args[0].arr, args[1].x
	if p == nil || x == nil || p.rank() != 1 {
		return nil, false
	}
	n, ok := ir.IntOf(p.dims[0])
	if !ok || n < 1 || n > positionTerms || p.elem != x.Kind() || !p.elem.Exact() || p.elem == ir.C64 {
		return nil, false
	}
	g.force()
	p = g.materialise(p)
	x = g.atom("x", x)
	at := g.mutable("at", ir.I64, ir.Integer(n+1))
	g.Ranges[at] = facts.Between(1, n+1)
	g.sequence(ir.Integer(n), func(i ir.Expr) {
		found := ir.OpEq.Of(ir.ConvertTo(p.elem, p.buf.Load(ir.Sub(ir.Integer(n-1), i))), x)
		g.emit(at.Assign(ir.Choose(found, ir.Sub(ir.Integer(n), i), at.Use())))
	})
	return g.let("r", at.Use()), true
}
