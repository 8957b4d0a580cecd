package loop

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Order says how Ordered goes through a block.
type Order uint8

// The orders. The zero value is "unset".
const (
	NoOrder  Order = iota
	Places         // place by place
	Vectors        // 16 lanes at a time, as vector code, and those that are left
	Unrolled       // all lanes at a time, so that these can be in registers
)

// Ordered is n, whose order is that of num.Ordered, as loops.
//
//	super ← 0
//	for each block
//	  lanes ← 0
//	  for each place i of it: acc ← lanes[i mod 16]; body; lanes[i mod 16] ← acc
//	  super ← super f f/lanes
//	acc ← acc f super
//
// Super-blocks are written where there may be more than one. Lanes at a time have the same
// variables in two loops.
func Ordered(l *facts.Base, n *ir.Nest, order Order) []ir.Stmt {
	o := &orderedLoop{l: l, n: n, order: order}
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
	l     *facts.Base
	n     *ir.Nest
	accs  []*laneAcc
	order Order
}

// laneAcc is an accumulator with its lanes, and the sums of blocks and super-blocks.
type laneAcc struct {
	*ir.Acc
	lanes      *ir.Buf
	all, super *ir.Var
}

// cutLoop is a loop over parts of lo … hi-1 of size numbers.
func cutLoop(l *facts.Base, lo, hi ir.Expr, size int64, body func(from, to ir.Expr) []ir.Stmt) ir.Stmt {
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
		var out []ir.Stmt
		for _, a := range o.accs {
			out = append(out, o.overLanes(0, func(l ir.Expr) ir.Stmt { return a.lanes.Store(l, a.Neutral) }))
		}
		v := o.n.Red[0].Var
		if o.order == Places {
			out = append(out, &ir.For{Var: v, Lo: from, Hi: to, Body: o.place(o.n.Body, o.lane(ir.OpAnd.Of(ir.Sub(v.Use(), from), ir.Integer(num.Lanes-1))))})
		} else {
			out = append(out, o.together(v, from, to)...)
		}
		for _, a := range o.accs {
			out = append(out, a.Var.Assign(a.lanes.Load(ir.Integer(0))),
				o.overLanes(1, func(l ir.Expr) ir.Stmt { return a.Var.Assign(a.Combined(a.Var.Use(), a.lanes.Load(l))) }),
				a.super.Assign(a.Combined(a.super.Use(), a.Var.Use())))
		}
		return out
	})}
}

// lane is the lane of a place that would be in l: where there are few terms of a chain, the first.
func (o *orderedLoop) lane(l ir.Expr) ir.Expr {
	if !o.n.Chains() {
		return l
	}
	return &ir.Select{Cond: o.few(), Then: ir.Integer(0), Else: l}
}

func (o *orderedLoop) few() ir.Expr {
	d := o.n.Red[0]
	return ir.OpLe.Of(ir.Sub(d.Hi, d.Lo), ir.Integer(num.Lanes))
}

// place is what is done at a place, whose code is body.
func (o *orderedLoop) place(body []ir.Stmt, lane ir.Expr) []ir.Stmt {
	at := o.l.NewVar("lane", ir.I64)
	o.l.Ranges[at] = facts.Between(0, num.Lanes-1)
	out, end := []ir.Stmt{at.Decl(lane)}, []ir.Stmt(nil)
	for _, a := range o.accs {
		out = append(out, a.Var.Assign(a.lanes.Load(at.Use())))
		end = append(end, a.lanes.Store(at.Use(), a.Var.Use()))
	}
	return append(append(out, body...), end...)
}

// together is a block, 16 places at a time.
//
//	for each 16 places: for each lane l: lanes[l] ← lanes[l] f x[16 k + l]
//	for each place that is left …
func (o *orderedLoop) together(v *ir.Var, from, to ir.Expr) []ir.Stmt {
	l, rest, n := o.l.NewVar("l", ir.I64), o.l.NewVar("rest", ir.I64), o.l.NewVar("rounds", ir.I64)
	size := ir.Integer(num.Lanes)
	rounds := ir.Quo(ir.Sub(to, from), size)
	if o.n.Chains() {
		rounds = ir.Choose(o.few(), ir.Integer(0), rounds)
	}
	at := func(first ir.Expr, body []ir.Stmt) []ir.Stmt {
		return append([]ir.Stmt{v.Decl(ir.Add(first, l.Use()))}, body...)
	}
	groups := func(lo, hi ir.Expr, body []ir.Stmt) ir.Stmt {
		k := o.l.NewVar("k", ir.I64)
		whole := &ir.For{Var: l, Lo: ir.Integer(0), Hi: size, Independent: true, Body: at(ir.Add(from, ir.Mul(k.Use(), size)), o.place(body, l.Use()))}
		return &ir.For{Var: k, Lo: lo, Hi: hi, Body: []ir.Stmt{whole}}
	}
	left := &ir.For{Var: l, Lo: ir.Integer(0), Hi: ir.Sub(to, rest.Use()), Body: at(rest.Use(), o.place(o.n.Body, o.lane(l.Use())))}
	if o.order == Unrolled {
		left.Hi, left.Independent = size, true
		left.Body = []ir.Stmt{&ir.If{Cond: ir.OpLt.Of(ir.Add(rest.Use(), l.Use()), to), Then: left.Body}}
	}
	out := []ir.Stmt{n.Decl(rounds)}
	if o.order == Vectors {
		out = append(out, o.subsets(from, n, groups)...)
	} else {
		out = append(out, groups(ir.Integer(0), n.Use(), o.n.Body))
	}
	return append(out, rest.Decl(ir.Add(from, ir.Mul(n.Use(), size))), left)
}

// subsets are the loops over groups of 16 places: those that are in a subset of the terms have its body.
func (o *orderedLoop) subsets(from ir.Expr, n *ir.Var, groups func(lo, hi ir.Expr, body []ir.Stmt) ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	done := ir.Integer(0)
	// until goes on to the groups that begin within so many places.
	until := func(places ir.Expr, body []ir.Stmt) {
		end := o.l.NewVar("end", ir.I64)
		o.l.Ranges[end] = facts.Between(0, num.Block/num.Lanes)
		out = append(out, end.Decl(ir.OpMax.Of(done, ir.OpMin.Of(n.Use(), ir.Quo(places, ir.Integer(num.Lanes))))), groups(done, end.Use(), body))
		done = end.Use()
	}
	for _, s := range Subsets(o.l, o.n) {
		if !ir.Same(s.Lo, o.n.Red[0].Lo) {
			until(ir.Add(ir.Sub(s.Lo, from), ir.Integer(num.Lanes-1)), o.n.Body)
		}
		if ir.Same(s.Hi, o.n.Red[0].Hi) {
			return append(out, groups(done, n.Use(), s.Body))
		}
		until(ir.Sub(s.Hi, from), s.Body)
	}
	return append(out, groups(done, n.Use(), o.n.Body))
}
