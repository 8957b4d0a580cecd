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
//	for t = 0 … n
//	  x[t + 1] = f(t)
//	  if t >= 1: s = s min x[t] - x[t - 1]; y[t - 1] = s
//
// It is nil where some step is no map, scan or exact reduction, and where none is a scan: then a
// few vectors are as fast.
func (st *stream) inTurn() []ir.Stmt {
	root := st.clocks[0]
	if _, known := ir.IntOf(root.most); known || !st.inner || st.summed() || len(st.clocks) > 1 || !slices.ContainsFunc(st.steps, func(p *step) bool { return p.head != nil }) {
		return nil
	}
	t := st.counter("t")
	st.L.Trips[t] = streamShort
	c := st.L.NewCloner()
	c.Vars[root.from], c.Vars[root.to] = ir.Integer(0), root.most
	var before, body, behind []ir.Stmt
	for _, p := range st.steps {
		for _, x := range st.step(p) {
			switch x := x.(type) {
			case *ir.Nest:
				if p.nest == nil || !plainSteps(p.nest) || !plainSteps(x) {
					return nil
				}
				before = append(before, c.List(x.Pre)...)
				body = append(body, st.turn(p, t, c, x.Body)...)
				behind = append(behind, c.List(x.Post)...)
			case *ir.For:
				if p.loop == nil || !surelyCopied(x.Body) {
					return nil
				}
				body = append(body, st.turn(p, t, c, x.Body)...)
			case *ir.If: // the head of a scan
				if p.head == nil || !surelyCopied(x.Then) || p.delay < 1 {
					return nil
				}
				now := ir.OpEq.Of(t.Use(), ir.Integer(p.delay-1))
				body = append(body, &ir.If{Cond: ir.OpAnd.Of(now, c.Expr(x.Cond)), Then: c.Block(x.Then)})
			default:
				return nil
			}
		}
	}
	return append(append(before, &ir.For{Var: t, Lo: ir.Integer(0), Hi: root.most, Body: body}), behind...)
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

// turn returns what iteration t - delay of a step does, if there is one.
func (st *stream) turn(p *step, t *ir.Var, c *ir.Cloner, body []ir.Stmt) []ir.Stmt {
	i := ir.Sub(t.Use(), ir.Integer(p.delay))
	c.Vars[p.v] = t.Use()
	var now []ir.Stmt
	if p.delay > 0 {
		v := st.L.Twin(p.v)
		c.Vars[p.v] = v.Use()
		now = append(now, v.Decl(i))
	}
	now = append(now, c.Block(body)...)
	var conds []ir.Expr
	lo, hi := st.atClock(p.lo), st.atClock(p.hi)
	switch n, ok := ir.IntOf(lo); {
	case ok && max(n, 0)+p.delay > 0:
		conds = append(conds, ir.OpGe.Of(t.Use(), ir.Integer(max(n, 0)+p.delay)))
	case !ok:
		conds = append(conds, ir.OpGe.Of(i, ir.OpMax.Of(lo, ir.Integer(0))))
	}
	if !ir.Same(st.clocks[0].end, ir.Add(hi, ir.Integer(p.delay))) {
		conds = append(conds, ir.OpLt.Of(i, hi))
	}
	switch len(conds) {
	case 0:
		return now
	case 2:
		conds[0] = ir.OpAnd.Of(conds[0], conds[1])
	}
	return []ir.Stmt{&ir.If{Cond: conds[0], Then: now}}
}
