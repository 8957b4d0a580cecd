package laila

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
)

// orderedHeight is blockRows for blocks of num.Block terms.
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
func (t *blocks) lane(l, n ir.Expr) (start, count ir.Expr) {
	g := t.g
	whole, rest := ir.Quo(n, ir.Integer(num.Lanes)), ir.Rem(n, ir.Integer(num.Lanes))
	start = g.atom("start", ir.Add(ir.Mul(l, whole), g.Smaller(l, rest)))
	count = g.atom("count", ir.Quo(ir.Add(ir.Sub(n, l), ir.Integer(num.Lanes-1)), ir.Integer(num.Lanes)))
	return start, count
}

// eachTerm runs body for the places k of n packed terms, and which term of the block
// is there.
func (t *blocks) eachTerm(n ir.Expr, independent bool, body func(k, term ir.Expr)) {
	if t.sum == nil {
		t.loop(ir.Integer(0), n, independent, func(k ir.Expr) { body(k, k) })
		return
	}
	t.loop(ir.Integer(0), ir.Integer(num.Lanes), false, func(l ir.Expr) {
		start, count := t.lane(l, n)
		t.loop(ir.Integer(0), count, independent, func(i ir.Expr) {
			body(t.g.atom("k", ir.Add(start, i)), t.g.atom("term", ir.Add(l, ir.Mul(i, ir.Integer(num.Lanes)))))
		})
	})
}

// stackTile declares a tile on the stack, whose elements have no values yet.
func (t *blocks) stackTile(name string) *ir.Buf {
	size := int64(ir.MicroRows * maxPanel / ir.Width(t.kind))
	b := &ir.Buf{Name: name, Elem: t.kind, Stack: size}
	t.g.emit(&ir.DeclBuf{Buf: b, Count: ir.Integer(size), Shape: []ir.Expr{ir.Integer(size)}, At: t.g.src})
	return b
}

// orderedTile is tile, its n terms in the order of num.Ordered.
func (t *blocks) orderedTile(lo, hi, first, p, q, n ir.Expr) {
	g := t.g
	row := g.atom("row", ir.Add(lo, ir.Mul(q, ir.Integer(ir.MicroRows))))
	a := g.atom("a", ir.Mul(ir.Mul(q, ir.Integer(ir.MicroRows)), n))
	b := g.atom("b", ir.Mul(ir.Mul(p, t.width), n))
	sum, lane := t.stackTile("sum"), t.stackTile("lane")
	micro := func(c *ir.Buf, l ir.Expr) {
		start, count := t.lane(l, n)
		g.emit(&ir.Micro{C: c, A: t.a, B: t.b, CAt: ir.Integer(0), Stride: t.width,
			AAt: ir.Add(a, ir.Mul(start, ir.Integer(ir.MicroRows))), BAt: ir.Add(b, ir.Mul(start, t.width)), Count: count,
			Acc: t.acc, X: t.microStep.a, Y: t.microStep.b, Decls: t.decls, Step: t.microStep.x, Fresh: &ir.Int{Val: 1, K: ir.U8}, Zero: t.zero})
	}
	join := func(x, y ir.Expr) ir.Expr { return ir.ConvertTo(t.kind, g.step(t.sum, x, y)) }
	micro(sum, ir.Integer(0))
	t.loop(ir.Integer(1), ir.Integer(num.Lanes), false, func(l ir.Expr) {
		micro(lane, l)
		t.loop(ir.Integer(0), g.atom("size", ir.Mul(ir.Integer(ir.MicroRows), t.width)), true, func(i ir.Expr) {
			g.emit(sum.Store(i, join(sum.Load(i), lane.Load(i))))
		})
	})
	rows := g.atom("rows", g.Smaller(ir.Sub(hi, row), ir.Integer(ir.MicroRows)))
	have := g.atom("have", g.Smaller(ir.Sub(t.columns, first), t.width))
	t.loop(ir.Integer(0), rows, false, func(r ir.Expr) {
		in := g.atom("in", ir.Mul(r, t.width))
		out := g.atom("out", t.place(ir.Add(row, r), first))
		t.loop(ir.Integer(0), have, true, func(j ir.Expr) {
			whole := ir.Choose(t.fresh, t.zero, t.dst.Load(ir.Add(out, j)))
			g.emit(t.dst.Store(ir.Add(out, j), join(g.atom("z", whole), sum.Load(ir.Add(in, j)))))
		})
	})
}
