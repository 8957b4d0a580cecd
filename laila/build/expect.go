package build

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Expect compares the extents of its argument, or a scalar's value, with what
// an annotation claims. Bounds from below are constants.
func (g *Builder) Expect(e *tail.Apply, args []*Value) *Value {
	text := "the annotation does not hold"
	if l, ok := e.Args[2].(*tail.Lit); ok {
		text = string(l.Value.Chars)
	}
	if x := args[0].X; x != nil {
		want := g.ElementsOf(args[1].Arr, 1)
		x = g.Atom("x", x)
		g.FailIf(g.Compare(ir.OpNe, x, want[0]), tail.FaultClaimValue, SiteOf(e), func() []ir.FailArg {
			return []ir.FailArg{{Text: text}, {X: x}}
		})
		return args[0]
	}
	p := args[0].Arr
	want := g.ElementsOf(args[1].Arr, p.Rank())
	for i, w := range want {
		have := p.Dims[i]
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
		g.FailIf(cond, tail.FaultClaim, SiteOf(e), func() []ir.FailArg {
			return []ir.FailArg{{Text: text}, ShapeArg(p.Dims)}
		})
	}
	return args[0]
}
