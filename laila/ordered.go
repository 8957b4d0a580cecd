package laila

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// Sums and products of doubles, and sums of complex numbers, are in the order of
// num.Ordered. A segred states that order by its one axis: the terms are its
// iterations, counted from 0. So a pass does not cut such a nest into several, nor
// does it make loops of it. Loops are from the first to the last iteration.

// Ordered reports whether a rounds, so that its partial results are joined in the
// order of num.Ordered.
func (a *Acc) Ordered() bool {
	if a.Exact {
		return false
	}
	switch x := a.Combine.(type) {
	case *Binary:
		return x.X.Kind() == F64 && (x.Op == Add || x.Op == Mul)
	case *Math:
		return x.Fn == "tl_addz"
	}
	return false
}

// Ordered reports whether n is a reduction whose order is that of num.Ordered, and
// not from the first to the last.
func (n *Nest) Ordered() bool {
	if !n.Rounds() {
		return false
	}
	lo, ok := intOf(n.Red[0].Lo)
	hi, ok2 := intOf(n.Red[0].Hi)
	return !ok || !ok2 || hi-lo > num.Lanes
}

// Rounds reports whether n is a reduction of any number of terms whose order matters.
func (n *Nest) Rounds() bool {
	if n.Kind != SegRed || len(n.Red) != 1 {
		return false
	}
	for i := range n.Accs {
		if n.Accs[i].Ordered() {
			return true
		}
	}
	return false
}

// ordered reports whether fd has more terms than are added from the first to the
// last.
func (fd *folding) ordered() bool {
	n, known := intOf(fd.n)
	return fd.rounds() && !fd.plain && !(known && n <= num.Lanes)
}

// rounds reports whether the order of the terms of fd matters.
func (fd *folding) rounds() bool {
	switch fd.op {
	case tail.OpAddD, tail.OpMulD, tail.OpAddZ:
		return fd.zero != nil
	}
	return false
}

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
func (l *lowerer) orderedLoops(n *Nest) []Stmt {
	o := &orderedLoop{l: l, n: n}
	out := append([]Stmt{}, n.Pre...)
	for i := range n.Accs {
		a := &n.Accs[i]
		if !a.Ordered() {
			continue
		}
		kind := a.Var.Kind
		acc := &laneAcc{Acc: a, lanes: &Buf{Name: "lanes", Elem: kind, Stack: num.Lanes},
			all: l.newVar("all", kind), super: l.newVar("super", kind)}
		o.accs = append(o.accs, acc)
		size := integer(num.Lanes)
		out = append(out, &DeclBuf{Buf: acc.lanes, Count: size, Shape: []Expr{size}, At: n.At}, &Decl{acc.all, &Use{a.Var}}, &Decl{acc.super, a.Neutral})
	}
	d := n.Red[0]
	if count := sub(d.Hi, d.Lo); l.rangeOf(count).hi > num.SuperBlock {
		out = append(out, l.cutLoop(d.Lo, d.Hi, num.SuperBlock, func(from, to Expr) []Stmt {
			return append(o.blocks(from, to), o.endSuper()...)
		}))
	} else {
		out = append(append(out, o.blocks(d.Lo, d.Hi)...), o.endSuper()...)
	}
	for _, a := range o.accs {
		out = append(out, &Assign{a.Var, &Use{a.all}})
	}
	return append(out, n.Post...)
}

type orderedLoop struct {
	l    *lowerer
	n    *Nest
	accs []*laneAcc
}

// laneAcc is an accumulator with its lanes, and the sums of blocks and super-blocks.
type laneAcc struct {
	*Acc
	lanes      *Buf
	all, super *Var
}

// combined is x joined with y.
func (a *Acc) combined(x, y Expr) Expr {
	return mapExpr(a.Combine, func(e Expr) Expr {
		switch {
		case isUse(e, a.Left):
			return x
		case isUse(e, a.Right):
			return y
		}
		return e
	})
}

// cutLoop is a loop over parts of lo … hi-1 of size numbers.
func (l *lowerer) cutLoop(lo, hi Expr, size int64, body func(from, to Expr) []Stmt) Stmt {
	k, from, to := l.newVar("k", I64), l.newVar("from", I64), l.newVar("to", I64)
	for _, v := range []*Var{k, from, to} {
		l.ranges[v] = interval{0, maxExtent}
	}
	list := []Stmt{&Decl{from, add(lo, mul(&Use{k}, integer(size)))}, &Decl{to, &Binary{Min, add(&Use{from}, integer(size)), hi}}}
	return &For{Var: k, Lo: integer(0), Hi: quo(add(sub(hi, lo), integer(size-1)), integer(size)), Body: append(list, body(&Use{from}, &Use{to})...)}
}

func (o *orderedLoop) endSuper() []Stmt {
	var out []Stmt
	for _, a := range o.accs {
		out = append(out, &Assign{a.all, a.combined(&Use{a.all}, &Use{a.super})}, &Assign{a.super, a.Neutral})
	}
	return out
}

// overLanes is a loop over lanes.
func (o *orderedLoop) overLanes(from int64, body func(l Expr) Stmt) Stmt {
	v := o.l.newVar("l", I64)
	o.l.ranges[v] = interval{0, num.Lanes - 1}
	return &For{Var: v, Lo: integer(from), Hi: integer(num.Lanes), Body: []Stmt{body(&Use{v})}}
}

func (o *orderedLoop) blocks(lo, hi Expr) []Stmt {
	return []Stmt{o.l.cutLoop(lo, hi, num.Block, func(from, to Expr) []Stmt {
		var out, begin, end []Stmt
		at := o.l.newVar("lane", I64)
		o.l.ranges[at] = interval{0, num.Lanes - 1}
		for _, a := range o.accs {
			out = append(out, o.overLanes(0, func(l Expr) Stmt { return &Store{a.lanes, l, a.Neutral} }))
			begin = append(begin, &Assign{a.Var, &Load{a.lanes, &Use{at}}})
			end = append(end, &Store{a.lanes, &Use{at}, &Use{a.Var}})
		}
		v := o.n.Red[0].Var
		lane := Expr(&Binary{And, sub(&Use{v}, from), integer(num.Lanes - 1)})
		if d := o.n.Red[0]; o.n.Chains() {
			lane = &Select{&Binary{Le, sub(d.Hi, d.Lo), integer(num.Lanes)}, integer(0), lane}
		}
		body := append([]Stmt{&Decl{at, lane}}, begin...)
		out = append(out, &For{Var: v, Lo: from, Hi: to, Body: append(append(body, o.n.Body...), end...)})
		for _, a := range o.accs {
			out = append(out, &Assign{a.Var, &Load{a.lanes, integer(0)}},
				o.overLanes(1, func(l Expr) Stmt { return &Assign{a.Var, a.combined(&Use{a.Var}, &Load{a.lanes, l})} }),
				&Assign{a.super, a.combined(&Use{a.super}, &Use{a.Var})})
		}
		return out
	})}
}

// Chains reports whether the terms of n, of which there may be few, are those of a
// chain of fused multiply-adds: a term that has a lane of its own is rounded, and up to
// 16 are not, so these have one lane.
func (n *Nest) Chains() bool {
	lo, ok := intOf(n.Red[0].Lo)
	hi, ok2 := intOf(n.Red[0].Hi)
	if ok && ok2 && hi-lo > num.Lanes {
		return false
	}
	accs, found := map[*Var]bool{}, false
	for _, a := range n.Accs {
		accs[a.Var] = true
	}
	Walk(n.Body, func(s Stmt) {
		for _, x := range Exprs(s) {
			WalkExpr(x, func(x Expr) {
				if m, ok := x.(*Math); ok && m.Fn == "tl_fma" {
					u, ok := m.Args[2].(*Use)
					found = found || ok && accs[u.Var]
				}
			})
		}
	})
	return found
}
