package laila

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// expect compares the extents of its argument, or a scalar's value, with what
// an annotation claims. Bounds from below are constants.
func (g *gen) expect(e *tail.Apply, args []*value) *value {
	text := "the annotation does not hold"
	if l, ok := e.Args[2].(*tail.Lit); ok {
		text = string(l.Value.Chars)
	}
	if x := args[0].x; x != nil {
		want := g.elementsOf(args[1].arr, 1)
		x = g.atom("x", x)
		g.failIf(g.Compare(ir.OpNe, x, want[0]), tail.FaultClaimValue, siteOf(e), func() []ir.FailArg {
			return []ir.FailArg{{Text: text}, {X: x}}
		})
		return args[0]
	}
	p := args[0].arr
	want := g.elementsOf(args[1].arr, p.rank())
	for i, w := range want {
		have := p.dims[i]
		cond := g.Compare(ir.OpNe, have, w)
		if k, ok := ir.IntOf(w); ok {
			n, least, any := tail.Expected(k)
			if any {
				continue
			}
			if least {
				cond = g.Compare(ir.OpLt, have, ir.Integer(n))
			}
		}
		g.failIf(cond, tail.FaultClaim, siteOf(e), func() []ir.FailArg {
			return []ir.FailArg{{Text: text}, shapeArg(p.dims)}
		})
	}
	return args[0]
}
