package loop

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// orderedLoops is n, whose order is that of num.Ordered, as loops.
//
//	super ← 0
//	for each block
//	  lanes ← 0
//	  for each place i of it: acc ← lanes[i mod 16]; body; lanes[i mod 16] ← acc
//	  super ← super f f/lanes
//	acc ← acc f super
//
// Super-blocks are written where there may be more than one.
func orderedLoops(l *pass.Context, n *ir.Nest) []ir.Stmt {
	o := &orderedLoop{l: l, n: n}
	out := append([]ir.Stmt{}, n.Pre...)
	for i := range n.Accs {
		a := &n.Accs[i]
		if !a.Ordered() {
			continue
		}
		kind := a.Var.Kind
		acc := &laneAcc{Acc: a, lanes: &ir.Buf{Name: "lanes", Elem: kind, Stack: num.Lanes},
			all: l.NewVar("all", kind), super: l.NewVar("super", kind)}
		o.accs = append(o.accs, acc)
		size := ir.Integer(num.Lanes)
		out = append(out, &ir.DeclBuf{Buf: acc.lanes, Count: size, Shape: []ir.Expr{size}, At: n.At}, acc.all.Decl(a.Var.Use()), acc.super.Decl(a.Neutral))
	}
	d := n.Red[0]
	if count := ir.Sub(d.Hi, d.Lo); l.RangeOf(count).Hi > num.SuperBlock {
		out = append(out, cutLoop(l, d.Lo, d.Hi, num.SuperBlock, func(from, to ir.Expr) []ir.Stmt {
			return append(o.blocks(from, to), o.endSuper()...)
		}))
	} else {
		out = append(append(out, o.blocks(d.Lo, d.Hi)...), o.endSuper()...)
	}
	for _, a := range o.accs {
		out = append(out, a.Var.Assign(a.all.Use()))
	}
	return append(out, n.Post...)
}

type orderedLoop struct {
	l    *pass.Context
	n    *ir.Nest
	accs []*laneAcc
}

// laneAcc is an accumulator with its lanes, and the sums of blocks and super-blocks.
type laneAcc struct {
	*ir.Acc
	lanes      *ir.Buf
	all, super *ir.Var
}

// cutLoop is a loop over parts of lo … hi-1 of size numbers.
func cutLoop(l *pass.Context, lo, hi ir.Expr, size int64, body func(from, to ir.Expr) []ir.Stmt) ir.Stmt {
	k, from, to := l.NewVar("k", ir.I64), l.NewVar("from", ir.I64), l.NewVar("to", ir.I64)
	for _, v := range []*ir.Var{k, from, to} {
		l.Ranges[v] = facts.Between(0, facts.MaxExtent)
	}
	list := []ir.Stmt{from.Decl(ir.Add(lo, ir.Mul(k.Use(), ir.Integer(size)))), to.Decl(ir.OpMin.Of(ir.Add(from.Use(), ir.Integer(size)), hi))}
	return &ir.For{Var: k, Lo: ir.Integer(0), Hi: ir.Quo(ir.Add(ir.Sub(hi, lo), ir.Integer(size-1)), ir.Integer(size)), Body: append(list, body(from.Use(), to.Use())...)}
}

func (o *orderedLoop) endSuper() []ir.Stmt {
	var out []ir.Stmt
	for _, a := range o.accs {
		out = append(out, a.all.Assign(a.Combined(a.all.Use(), a.super.Use())), a.super.Assign(a.Neutral))
	}
	return out
}

// overLanes is a loop over lanes.
func (o *orderedLoop) overLanes(from int64, body func(l ir.Expr) ir.Stmt) ir.Stmt {
	v := o.l.NewVar("l", ir.I64)
	o.l.Ranges[v] = facts.Between(0, num.Lanes-1)
	return &ir.For{Var: v, Lo: ir.Integer(from), Hi: ir.Integer(num.Lanes), Body: []ir.Stmt{body(v.Use())}}
}

func (o *orderedLoop) blocks(lo, hi ir.Expr) []ir.Stmt {
	return []ir.Stmt{cutLoop(o.l, lo, hi, num.Block, func(from, to ir.Expr) []ir.Stmt {
		var out, begin, end []ir.Stmt
		at := o.l.NewVar("lane", ir.I64)
		o.l.Ranges[at] = facts.Between(0, num.Lanes-1)
		for _, a := range o.accs {
			out = append(out, o.overLanes(0, func(l ir.Expr) ir.Stmt { return a.lanes.Store(l, a.Neutral) }))
			begin = append(begin, a.Var.Assign(a.lanes.Load(at.Use())))
			end = append(end, a.lanes.Store(at.Use(), a.Var.Use()))
		}
		v := o.n.Red[0].Var
		lane := ir.Expr(ir.OpAnd.Of(ir.Sub(v.Use(), from), ir.Integer(num.Lanes-1)))
		if d := o.n.Red[0]; o.n.Chains() {
			lane = &ir.Select{Cond: ir.OpLe.Of(ir.Sub(d.Hi, d.Lo), ir.Integer(num.Lanes)), Then: ir.Integer(0), Else: lane}
		}
		body := append([]ir.Stmt{at.Decl(lane)}, begin...)
		out = append(out, &ir.For{Var: v, Lo: from, Hi: to, Body: append(append(body, o.n.Body...), end...)})
		for _, a := range o.accs {
			out = append(out, a.Var.Assign(a.lanes.Load(ir.Integer(0))),
				o.overLanes(1, func(l ir.Expr) ir.Stmt { return a.Var.Assign(a.Combined(a.Var.Use(), a.lanes.Load(l))) }),
				a.super.Assign(a.Combined(a.super.Use(), a.Var.Use())))
		}
		return out
	})}
}
