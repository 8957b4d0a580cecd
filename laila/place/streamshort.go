package place

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// streamShort is how many elements are few: what a strip costs beside them is more than they do.
const streamShort = 24

// inTurn returns the steps of a stream of few elements in one loop, each behind those that it
// reads from, as loops around it run streams of any length:
//
//	for k = 0 … (n + 1023) quo 1024
//	  segmap i = from … to: x[i - from + 1] = f(i)
//	  for j = (from - 1) max 0 … to - 1: s = s min x[j - from + 1] - x[j - from]; y[j] = s
//
// becomes, where n ≤ 24,
//
//	for t = 0 … 1 min n
//	  x[t + 1] = f(t)
//	  if t >= 1: s = s min x[t] - x[t - 1]; y[t - 1] = s
//	for t = 1 … n
//	  x[t + 1] = f(t)
//	  s = s min x[t] - x[t - 1]; y[t - 1] = s
//
// and a third loop, with tests like the first one, where some steps end before others.
//
// It is nil where some step is no map, scan or exact reduction, and where none is a scan: then a
// few vectors are as fast.
func (st *stream) inTurn() []ir.Stmt {
	root := st.clocks[0]
	if _, known := ir.IntOf(root.most); known || !st.inner || st.summed() || len(st.clocks) > 1 || !slices.ContainsFunc(st.steps, func(p *step) bool { return p.head != nil }) {
		return nil
	}
	t := st.counter("t")
	c := st.L.NewCloner()
	c.Vars[root.from], c.Vars[root.to] = ir.Integer(0), root.most
	var before, behind []ir.Stmt
	var turns []turn
	for _, p := range st.steps {
		for _, x := range st.step(p) {
			switch x := x.(type) {
			case *ir.Nest:
				if p.nest == nil || !plainSteps(p.nest) || !plainSteps(x) {
					return nil
				}
				before = append(before, c.List(x.Pre)...)
				turns = append(turns, st.turn(p, t, c, x.Body))
				behind = append(behind, c.List(x.Post)...)
			case *ir.For:
				if p.loop == nil || !surelyCopied(x.Body) {
					return nil
				}
				turns = append(turns, st.turn(p, t, c, x.Body))
			case *ir.If: // the head of a scan
				if p.head == nil || !surelyCopied(x.Then) || p.delay < 1 {
					return nil
				}
				now := ir.OpAnd.Of(ir.OpEq.Of(t.Use(), ir.Integer(p.delay-1)), c.Expr(x.Cond))
				turns = append(turns, turn{cond: now, block: c.Block(x.Then), head: true})
			default:
				return nil
			}
		}
	}
	return append(append(before, st.turnLoops(t, turns)...), behind...)
}

// turn is what a step does in its turn: at t from begin on and below end, which is nil at the
// end of the stream.
type turn struct {
	cond       ir.Expr // nil where each t has it
	block      []ir.Stmt
	begin, end ir.Expr
	head       bool // of a scan, before it begins
}

// turnLoops returns the loops of steps in turn. Only the one in the middle, where each step has
// an iteration, tests nothing.
func (st *stream) turnLoops(t *ir.Var, turns []turn) []ir.Stmt {
	most := st.clocks[0].most
	var begin ir.Expr = ir.Integer(0)
	var end ir.Expr
	for _, x := range turns {
		if x.head {
			continue
		}
		begin = greater(begin, x.begin)
		switch {
		case end == nil:
			end = x.end
		case x.end != nil:
			end = ir.OpMin.Of(end, x.end)
		}
	}
	first := st.turnLoop(t, turns, true)
	first.Hi = ir.OpMin.Of(begin, most)
	turns = slices.DeleteFunc(turns, func(x turn) bool { return x.head })
	middle := st.turnLoop(t, turns, false)
	middle.Lo, middle.Hi = begin, most
	if end == nil {
		return []ir.Stmt{first, middle}
	}
	v := st.counter("end")
	middle.Hi = v.Use()
	last := st.turnLoop(t, turns, true)
	last.Lo, last.Hi = v.Use(), most
	return []ir.Stmt{v.Decl(ir.OpMax.Of(begin, end)), first, middle, last}
}

// turnLoop returns a loop from 0 on of a copy of steps, with or without their conditions.
func (st *stream) turnLoop(t *ir.Var, turns []turn, guarded bool) *ir.For {
	c := st.L.NewCloner()
	loop := &ir.For{Var: st.counter("t"), Lo: ir.Integer(0)}
	st.L.Trips[loop.Var] = streamShort
	c.Vars[t] = loop.Var.Use()
	for _, x := range turns {
		if guarded && x.cond != nil {
			loop.Body = append(loop.Body, &ir.If{Cond: c.Expr(x.cond), Then: c.Block(x.block)})
		} else {
			loop.Body = append(loop.Body, c.List(x.block)...)
		}
	}
	return loop
}

// plainSteps reports whether a nest may run one iteration after the other between those of
// others.
func plainSteps(n *ir.Nest) bool {
	inexact := func(a ir.Acc) bool { return !a.Exact }
	return !slices.ContainsFunc(n.Accs, inexact) && (len(n.Dims) == 0 || len(n.Red) == 0) && surelyCopied(n.Pre) && surelyCopied(n.Body) && surelyCopied(n.Post)
}

// surelyCopied reports whether a block can be copied and does not fail.
func surelyCopied(block []ir.Stmt) bool {
	ok := ir.CanCopy(block)
	ir.Walk(block, func(x ir.Stmt) {
		if _, fails := x.(*ir.Fail); fails {
			ok = false
		}
	})
	return ok
}

// turn returns what a step does in iteration t - delay.
func (st *stream) turn(p *step, t *ir.Var, c *ir.Cloner, body []ir.Stmt) turn {
	i := ir.Sub(t.Use(), ir.Integer(p.delay))
	c.Vars[p.v] = t.Use()
	var now []ir.Stmt
	if p.delay > 0 {
		v := st.L.Twin(p.v)
		c.Vars[p.v] = v.Use()
		now = append(now, v.Decl(i))
	}
	x := turn{block: append(now, c.Block(body)...), begin: ir.Add(greater(st.atClock(p.lo), ir.Integer(0)), ir.Integer(p.delay))}
	if !ir.IsInt(x.begin, 0) {
		x.cond = ir.OpGe.Of(t.Use(), x.begin)
	}
	hi := ir.Add(st.atClock(p.hi), ir.Integer(p.delay))
	if ir.Same(st.clocks[0].end, hi) {
		return x
	}
	x.end = hi
	if below := ir.OpLt.Of(t.Use(), hi); x.cond == nil {
		x.cond = below
	} else {
		x.cond = ir.OpAnd.Of(x.cond, below)
	}
	return x
}

// greater returns the greater of two integers.
func greater(x, y ir.Expr) ir.Expr {
	a, ok := ir.IntOf(x)
	if b, ok2 := ir.IntOf(y); ok && ok2 {
		return ir.Integer(max(a, b))
	}
	return ir.OpMax.Of(x, y)
}
