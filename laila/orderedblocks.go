package laila

import "github.com/tailor-lang/tailor/internal/num"

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
func (t *blocks) lane(l, n Expr) (start, count Expr) {
	g := t.g
	whole, rest := quo(n, integer(num.Lanes)), rem(n, integer(num.Lanes))
	start = g.atom("start", add(mul(l, whole), g.smaller(l, rest)))
	count = g.atom("count", quo(add(sub(n, l), integer(num.Lanes-1)), integer(num.Lanes)))
	return start, count
}

// eachTerm runs body for the places k of n packed terms, and which term of the block
// is there.
func (t *blocks) eachTerm(n Expr, independent bool, body func(k, term Expr)) {
	if t.sum == nil {
		t.loop(integer(0), n, independent, func(k Expr) { body(k, k) })
		return
	}
	t.loop(integer(0), integer(num.Lanes), false, func(l Expr) {
		start, count := t.lane(l, n)
		t.loop(integer(0), count, independent, func(i Expr) {
			body(t.g.atom("k", add(start, i)), t.g.atom("term", add(l, mul(i, integer(num.Lanes)))))
		})
	})
}

// stackTile declares a tile on the stack, whose elements have no values yet.
func (t *blocks) stackTile(name string) *Buf {
	size := int64(MicroRows * maxPanel / width(t.kind))
	b := &Buf{Name: name, Elem: t.kind, Stack: size}
	t.g.emit(&DeclBuf{Buf: b, Count: integer(size), Shape: []Expr{integer(size)}, At: t.g.src})
	return b
}

// orderedTile is tile, its n terms in the order of num.Ordered.
func (t *blocks) orderedTile(lo, hi, first, p, q, n Expr) {
	g := t.g
	row := g.atom("row", add(lo, mul(q, integer(MicroRows))))
	a := g.atom("a", mul(mul(q, integer(MicroRows)), n))
	b := g.atom("b", mul(mul(p, t.width), n))
	sum, lane := t.stackTile("sum"), t.stackTile("lane")
	micro := func(c *Buf, l Expr) {
		start, count := t.lane(l, n)
		g.emit(&Micro{C: c, A: t.a, B: t.b, CAt: integer(0), Stride: t.width,
			AAt: add(a, mul(start, integer(MicroRows))), BAt: add(b, mul(start, t.width)), Count: count,
			Acc: t.acc, X: t.microStep.a, Y: t.microStep.b, Decls: t.decls, Step: t.microStep.x, Fresh: &Int{1, U8}, Zero: t.zero})
	}
	join := func(x, y Expr) Expr { return convert(t.kind, g.step(t.sum, x, y)) }
	micro(sum, integer(0))
	t.loop(integer(1), integer(num.Lanes), false, func(l Expr) {
		micro(lane, l)
		t.loop(integer(0), g.atom("size", mul(integer(MicroRows), t.width)), true, func(i Expr) {
			g.emit(&Store{sum, i, join(&Load{sum, i}, &Load{lane, i})})
		})
	})
	rows := g.atom("rows", g.smaller(sub(hi, row), integer(MicroRows)))
	have := g.atom("have", g.smaller(sub(t.columns, first), t.width))
	t.loop(integer(0), rows, false, func(r Expr) {
		in := g.atom("in", mul(r, t.width))
		out := g.atom("out", t.place(add(row, r), first))
		t.loop(integer(0), have, true, func(j Expr) {
			whole := choose(t.fresh, t.zero, &Load{t.dst, add(out, j)})
			g.emit(&Store{t.dst, add(out, j), join(g.atom("z", whole), &Load{sum, add(in, j)})})
		})
	})
}
