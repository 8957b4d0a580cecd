package build

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// BytesFrom tests whether a byte is in a run; the difference wraps.
func (g *Builder) BytesFrom(b ir.Expr, r facts.Interval) ir.Expr {
	return ir.OpLe.Of(ir.OpSub.Of(b, &ir.Int{Val: r.Lo, K: ir.C8}), &ir.Int{Val: r.Hi - r.Lo, K: ir.C8})
}

// Constants returns the elements of a constant array.
func (g *Builder) Constants(p *Pull) ([]int64, bool) {
	if p.Buf == nil || !p.Buf.Const || !p.Elem.Exact() {
		return nil, false
	}
	for _, c := range g.Out.Consts {
		if c.Buf == p.Buf {
			return c.Ints, len(c.Ints) > 0 && len(c.Ints) <= 1024
		}
	}
	return nil, false
}

// casedByte is upper or lower case of a character that is known to be below 256,
// computed in bytes where that is where the result is; nil where it is not.
//
//	lower: c + 32 for A … Z and À … Þ but ×
//	upper: c - 32 for a … z and à … þ but ÷; µ and ÿ have theirs beyond bytes
func (g *Builder) casedByte(op tail.Op, x ir.Expr) ir.Expr {
	b, ok := ir.ByteOf(x)
	if _, isInt := b.(*ir.Int); !ok || isInt || !g.CPU() {
		return nil
	}
	ascii := g.RangeOf(b).Within(0, 127)
	b = g.Atom("c", b)
	if op == tail.OpFoldC {
		if !ascii {
			return nil
		}
		op = tail.OpLowerC
	}
	first, other, change := int64('A'), int64(0xD7), ir.OpAdd
	if op == tail.OpUpperC {
		first, other, change = 'a', 0xF7, ir.OpSub
	}
	in := ir.Expr(g.BytesFrom(b, facts.Between(first, first+25)))
	if !ascii {
		latin := ir.OpAnd.Of(g.BytesFrom(b, facts.Between(first+127, first+157)), ir.OpNe.Of(b, &ir.Int{Val: other, K: ir.C8}))
		in = ir.Or(in, latin)
	}
	cased := ir.ConvertTo(ir.C32, ir.Choose(in, change.Of(b, &ir.Int{Val: 32, K: ir.C8}), b))
	if op == tail.OpUpperC && !ascii {
		char := func(c int64) ir.Expr { return &ir.Int{Val: c, K: ir.C32} }
		cased = ir.Choose(ir.OpEq.Of(b, &ir.Int{Val: 0xFF, K: ir.C8}), char(0x178), ir.Choose(ir.OpEq.Of(b, &ir.Int{Val: 0xB5, K: ir.C8}), char(0x39C), cased))
	}
	return cased
}
