package timetiles

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// mostSteps is how many steps are bounded at once.
const mostSteps = 4096

// before declares what is known of the steps that come.
func (b *stepBounds) before() []ir.Stmt {
	out := []ir.Stmt{b.sure.Decl(ir.Integer(0)), b.next.Decl(ir.Integer(0)), b.wait.Decl(ir.Integer(1)), b.looked.Decl(&ir.Int{Val: 0, K: ir.U8})}
	for _, s := range b.order {
		out = append(out, s.lo.Decl(&ir.Float{Val: 0}), s.hi.Decl(&ir.Float{Val: 0}))
	}
	return out
}

// chunk finds out whether a chunk of now steps needs no looks; look is run before
// the first one that does.
func (b *stepBounds) chunk(chunk, now *ir.Var, left ir.Expr, look []ir.Stmt) []ir.Stmt {
	out := []ir.Stmt{&ir.If{
		Cond: ir.OpAnd.Of(ir.OpLt.Of(b.sure.Use(), now.Use()), ir.OpGe.Of(chunk.Use(), b.next.Use())),
		Then: b.again(chunk, now, left),
	}}
	return append(out,
		b.free.Decl(ir.OpAnd.Of(ir.OpGe.Of(b.sure.Use(), now.Use()), ir.OpNot.Of(&ir.Math{Fn: "tl_no_fma", K: ir.U8}))),
		b.sure.Assign(ir.Sub(b.sure.Use(), now.Use())),
		&ir.If{
			Cond: ir.OpNot.Of(ir.OpOr.Of(b.free.Use(), b.looked.Use())),
			Then: append(look, b.looked.Assign(&ir.Int{Val: 1, K: ir.U8})),
		},
	)
}

// again takes the bounds from the elements, and carries them as far as they hold.
func (b *stepBounds) again(chunk, now *ir.Var, left ir.Expr) []ir.Stmt {
	var out []ir.Stmt
	var numbers ir.Expr = &ir.Int{Val: 1, K: ir.U8}
	for _, s := range b.order {
		zero := b.q.t.l.NewVar("zero", ir.F64)
		out = append(out, zero.Decl(&ir.Float{Val: 0}), s.lo.Assign(&ir.Float{Val: math.Inf(1)}), s.hi.Assign(&ir.Float{Val: math.Inf(-1)}))
		for _, buf := range s.first {
			out = append(out, b.ends(s, buf, zero))
		}
		numbers = ir.OpAnd.Of(numbers, ir.OpEq.Of(zero.Use(), &ir.Float{Val: 0}))
	}
	var good ir.Expr = &ir.Int{Val: 1, K: ir.U8}
	for _, x := range b.good {
		good = ir.OpAnd.Of(good, x)
	}
	steps := b.q.t.l.NewVar("ahead", ir.I64)
	loop := append([]ir.Stmt{&ir.BreakIf{Cond: ir.OpGe.Of(b.sure.Use(), steps.Use())}}, b.step...)
	loop = append(loop, &ir.BreakIf{Cond: ir.OpNot.Of(good)}, b.sure.Assign(ir.Add(b.sure.Use(), ir.Integer(1))))
	return append(out,
		b.sure.Assign(ir.Integer(0)),
		steps.Decl(&ir.Select{Cond: numbers, Then: ir.OpMin.Of(left, ir.Integer(mostSteps)), Else: ir.Integer(0)}),
		&ir.Loop{Body: loop},
		&ir.If{
			Cond: ir.OpLt.Of(b.sure.Use(), now.Use()),
			Then: []ir.Stmt{
				b.next.Assign(ir.Add(chunk.Use(), b.wait.Use())),
				b.wait.Assign(ir.Mul(b.wait.Use(), ir.Integer(2))),
			},
			Else: []ir.Stmt{b.wait.Assign(ir.Integer(1))},
		},
	)
}

// ends widens bounds to the elements of an array; zero becomes no number where one
// of them is infinite, or no number.
func (b *stepBounds) ends(s *elements, buf *ir.Buf, zero *ir.Var) ir.Stmt {
	l := b.q.t.l
	k := l.NewVar("k", ir.I64)
	nest := &ir.Nest{Kind: ir.SegRed, Red: []ir.Dim{{Var: k, Lo: ir.Integer(s.from), Hi: ir.Integer(s.end)}}, At: b.q.t.nests[0].nest.At}
	over := func(v *ir.Var, op ir.BinOp, neutral float64, elem ir.Expr) {
		acc, x, y := l.NewVar("acc", ir.F64), l.NewVar("x", ir.F64), l.NewVar("y", ir.F64)
		nest.Pre = append(nest.Pre, acc.Decl(v.Use()))
		nest.Accs = append(nest.Accs, ir.Acc{Var: acc, Left: x, Right: y, Combine: op.Of(x.Use(), y.Use()), Neutral: &ir.Float{Val: neutral}, Exact: true})
		nest.Body = append(nest.Body, acc.Assign(op.Of(acc.Use(), elem)))
		nest.Post = append(nest.Post, v.Assign(acc.Use()))
	}
	over(s.lo, ir.OpMin, math.Inf(1), buf.Load(k.Use()))
	over(s.hi, ir.OpMax, math.Inf(-1), buf.Load(k.Use()))
	over(zero, ir.OpAdd, 0, ir.OpMul.Of(buf.Load(k.Use()), &ir.Float{Val: 0}))
	return nest
}
