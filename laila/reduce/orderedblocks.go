package reduce

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
)

// orderedHeight is BlockRows for blocks of num.Block terms.
const orderedHeight = 48

// Blocks whose terms are added in the order of num.Ordered are packed a lane at a
// time: the terms of lane 0, those of lane 1, and so on. The kernel of a tile adds up
// one lane, from the neutral element on:
//
//	sum ← the terms of lane 0
//	for lanes 1 … 15: lane ← the terms of this lane; sum ← sum f lane
//	z ← z f sum, of the first block sum
//
// which are a few more operations for each 64 terms.

// lane returns where the terms of lane l of n packed terms begin, and their number.
func (t *Blocks) lane(l, n ir.Expr) (start, count ir.Expr) {
	g := t.G
	whole, rest := ir.Quo(n, ir.Integer(num.Lanes)), ir.Rem(n, ir.Integer(num.Lanes))
	start = g.Atom("start", ir.Add(ir.Mul(l, whole), g.Smaller(l, rest)))
	count = g.Atom("count", ir.Quo(ir.Add(ir.Sub(n, l), ir.Integer(num.Lanes-1)), ir.Integer(num.Lanes)))
	return start, count
}

// eachTerm runs body for the places k of n packed terms, and which term of the block
// is there.
func (t *Blocks) eachTerm(n ir.Expr, independent bool, body func(k, term ir.Expr)) {
	if t.sum == nil {
		t.G.Loop(ir.Integer(0), n, independent, func(k ir.Expr) { body(k, k) })
		return
	}
	t.G.Loop(ir.Integer(0), ir.Integer(num.Lanes), false, func(l ir.Expr) {
		start, count := t.lane(l, n)
		t.G.Loop(ir.Integer(0), count, independent, func(i ir.Expr) {
			body(t.G.Atom("k", ir.Add(start, i)), t.G.Atom("term", ir.Add(l, ir.Mul(i, ir.Integer(num.Lanes)))))
		})
	})
}

// stackTile declares a tile on the stack, whose elements have no values yet.
func (t *Blocks) stackTile(name string) *ir.Buf {
	size := int64(ir.MicroRows * MaxPanel / ir.Width(t.Kind))
	b := &ir.Buf{Name: name, Elem: t.Kind, Stack: size}
	t.G.Emit(&ir.DeclBuf{Buf: b, Count: ir.Integer(size), Shape: []ir.Expr{ir.Integer(size)}, At: t.G.Src})
	return b
}

// orderedTile is tile, its n terms in the order of num.Ordered.
func (t *Blocks) orderedTile(lo, hi, first, p, q, n ir.Expr) {
	g := t.G
	row := g.Atom("row", ir.Add(lo, ir.Mul(q, ir.Integer(ir.MicroRows))))
	a := g.Atom("a", ir.Mul(ir.Mul(q, ir.Integer(ir.MicroRows)), n))
	b := g.Atom("b", ir.Mul(ir.Mul(p, t.Width), n))
	sum, lane := t.stackTile("sum"), t.stackTile("lane")
	micro := func(c *ir.Buf, l ir.Expr) {
		start, count := t.lane(l, n)
		g.Emit(&ir.Micro{C: c, A: t.a, B: t.B, CAt: ir.Integer(0), Stride: t.Width,
			AAt: ir.Add(a, ir.Mul(start, ir.Integer(ir.MicroRows))), BAt: ir.Add(b, ir.Mul(start, t.Width)), Count: count,
			Acc: t.Acc, X: t.MicroStep.A, Y: t.MicroStep.B, Decls: t.decls, Step: t.MicroStep.X, Fresh: &ir.Int{Val: 1, K: ir.U8}, Zero: t.zero})
	}
	join := func(x, y ir.Expr) ir.Expr { return ir.ConvertTo(t.Kind, step(g, t.sum, x, y)) }
	micro(sum, ir.Integer(0))
	t.G.Loop(ir.Integer(1), ir.Integer(num.Lanes), false, func(l ir.Expr) {
		micro(lane, l)
		t.G.Loop(ir.Integer(0), g.Atom("size", ir.Mul(ir.Integer(ir.MicroRows), t.Width)), true, func(i ir.Expr) {
			g.Emit(sum.Store(i, join(sum.Load(i), lane.Load(i))))
		})
	})
	rows := g.Atom("rows", g.Smaller(ir.Sub(hi, row), ir.Integer(ir.MicroRows)))
	have := g.Atom("have", g.Smaller(ir.Sub(t.Columns, first), t.Width))
	t.G.Loop(ir.Integer(0), rows, false, func(r ir.Expr) {
		in := g.Atom("in", ir.Mul(r, t.Width))
		out := g.Atom("out", t.place(ir.Add(row, r), first))
		t.G.Loop(ir.Integer(0), have, true, func(j ir.Expr) {
			whole := ir.Choose(t.fresh, t.zero, t.Dst.Load(ir.Add(out, j)))
			g.Emit(t.Dst.Store(ir.Add(out, j), join(g.Atom("z", whole), sum.Load(ir.Add(in, j)))))
		})
	})
}
