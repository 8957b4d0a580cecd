package laila

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/live"
	"github.com/tailor-lang/tailor/tail"
)

// conditional lowers an If.
func (g *gen) conditional(e *tail.If) *value {
	if goes := g.decided[e]; goes != nil {
		return g.expr(goes)
	}
	c := g.scalar(e.Cond)
	if n, ok := ir.IntOf(c); ok {
		if n != 0 {
			return g.expr(e.Then)
		}
		return g.expr(e.Else)
	}
	if t, ok := e.Ty.(*tail.Array); ok && t.Dims() == 0 {
		g.force()
		return scalar1(g.ifElse(c, func() ir.Expr { return g.scalar(e.Then) }, func() ir.Expr { return g.scalar(e.Else) }))
	}
	g.force()
	test := c
	c = g.atom("c", c)
	var results []*leaf
	var then, els *value
	var thenSettled, elseSettled settled
	thenBlock := g.block(func() {
		g.suppose(test, true)
		then = g.expr(e.Then)
		results = g.outcome(then)
		thenSettled = g.settleInto(results, leaves(then))
	})
	elseBlock := g.block(func() {
		g.suppose(test, false)
		els = g.expr(e.Else)
		elseSettled = g.settleInto(results, leaves(els))
	})
	shared := g.sharedOutcome(leaves(then), leaves(els))
	kept := g.keptOutcome(leaves(then), leaves(els), shared, g.live.Times[e])
	thenBlock, elseBlock = thenSettled.without(thenBlock, shared, kept, false), elseSettled.without(elseBlock, shared, kept, true)
	thenDims, elseDims := thenSettled.dims, elseSettled.dims
	var ls []*value
	for i, r := range results {
		if shared[i] {
			ls = append(ls, array1(g.stored(r.elem, leaves(els)[i].arr.buf, elseDims[i])))
			continue
		}
		if r.v != nil {
			g.emit(r.v.Decl(nil))
			ls = append(ls, &value{x: r.v.Use()})
			continue
		}
		if kept[i].buf != nil {
			r.buf = kept[i].buf
		} else {
			g.emit(&ir.DeclBuf{Buf: r.buf, Shape: nil, At: e.Where})
			g.own(r.buf)
		}
		dims := make([]ir.Expr, len(r.vars))
		for a, v := range r.vars {
			g.emit(v.Decl(ir.Integer(0)))
			g.Ranges[v] = g.RangeOf(thenDims[i][a]).Union(g.RangeOf(elseDims[i][a]))
			dims[a] = v.Use()
			if ir.Same(thenDims[i][a], elseDims[i][a]) {
				dims[a] = thenDims[i][a]
			}
		}
		ls = append(ls, array1(g.stored(r.elem, r.buf, dims)))
	}
	g.emit(&ir.If{Cond: c, Then: thenBlock, Else: elseBlock})
	return rebuild(then, &ls)
}

// outcome makes variables for the leaves of a value.
func (g *gen) outcome(v *value) []*leaf {
	var ls []*leaf
	for _, x := range leaves(v) {
		if x.x != nil {
			ls = append(ls, &leaf{v: g.NewVar("t", x.x.Kind()), elem: x.x.Kind()})
			continue
		}
		l := &leaf{buf: &ir.Buf{Name: "b", Elem: x.arr.elem}, elem: x.arr.elem}
		for range x.arr.dims {
			d := g.NewVar("d", ir.I64)
			g.Ranges[d] = facts.Between(0, facts.MaxExtent)
			l.vars = append(l.vars, d)
		}
		ls = append(ls, l)
	}
	return ls
}

// sharedOutcome reports which leaves of the values of two branches are one
// array of an enclosing block, which each branch may have updated in place.
func (g *gen) sharedOutcome(then, els []*value) []bool {
	shared := make([]bool, len(then))
	for i := range then {
		p, q := then[i].arr, els[i].arr
		if p == nil || q == nil || p.buf == nil || p.buf != q.buf || p.elem != q.elem || !ir.SameShape(p.dims, q.dims) {
			continue
		}
		owned, _ := g.owns(p.buf) // by this block, or one around it
		shared[i] = (owned || g.state[p.buf]) && p.buf.Stack == 0 && !p.buf.Const
	}
	return shared
}

// keeper is an array of an enclosing block that one branch of a conditional updated
// in place: the other branch exchanges it for its own.
type keeper struct {
	buf  *ir.Buf
	last bool // the branch that updated it is Else
}

// keptOutcome finds the leaves of the values of two branches that may stay in the
// storage of an array of an enclosing block, though only one of the branches gives
// that array: nothing reads it after the conditional, and either its extents may
// change or both branches give the same extents.
func (g *gen) keptOutcome(then, els []*value, shared []bool, now live.Moment) []keeper {
	kept := make([]keeper, len(then))
	for i := range then {
		p, q := then[i].arr, els[i].arr
		if p == nil || q == nil || shared[i] || p.elem != q.elem || p.buf == q.buf {
			continue
		}
		for last, mine := range []*pull{p, q} {
			b := mine.buf
			if b == nil || b.Stack > 0 || b.Const || b.Elem != mine.elem || usedTwice(then, b) || usedTwice(els, b) {
				continue
			}
			owned, _ := g.owns(b)
			if g.growing[b] || (owned || g.state[b]) && ir.SameShape(p.dims, q.dims) {
				if !g.keeps(nil, b, now) {
					kept[i] = keeper{b, last == 1}
				}
			}
		}
	}
	return kept
}

// settled is what settleInto did: the extents of the leaves, and where the
// statements begin that make each of them and that move it, and the last ends.
type settled struct {
	dims        [][]ir.Expr
	made, moved []int
}

// without returns the statements of a branch, Else or Then, without those of leaves
// that stay where they are.
func (s settled) without(block []ir.Stmt, shared []bool, kept []keeper, last bool) []ir.Stmt {
	for i := len(shared) - 1; i >= 0; i-- {
		at := s.moved[i]
		switch b := kept[i].buf; {
		case shared[i]:
			block = slices.Delete(block, at, s.moved[i+1])
		case b != nil && kept[i].last == last:
			block = slices.Delete(block, at, at+1)
		case b != nil:
			m := block[at].(*ir.Move)
			block = slices.Replace(block, at, at+1, ir.Stmt(&ir.Swap{A: b, B: m.Src}), ir.Stmt(&ir.Free{Buf: m.Src}))
		}
	}
	for i := len(shared) - 1; i >= 0; i-- {
		if shared[i] || kept[i].buf != nil && kept[i].last == last {
			block = slices.Delete(block, s.made[i], s.made[i+1])
		}
	}
	return block
}

// settleInto assigns the leaves of a branch's value to the results. A leaf can be
// computed from the elements of another, so that all are there before the first
// one moves.
func (g *gen) settleInto(results []*leaf, vs []*value) settled {
	done := settled{dims: make([][]ir.Expr, len(results))}
	bufs := make([]*ir.Buf, len(results))
	for i, r := range results {
		done.made = append(done.made, len(g.blk.stmts))
		if r.v != nil {
			g.emit(r.v.Assign(vs[i].x))
			continue
		}
		bufs[i] = g.giveAway(vs[i].arr)
	}
	done.made = append(done.made, len(g.blk.stmts))
	for i, r := range results {
		done.moved = append(done.moved, len(g.blk.stmts))
		if r.v != nil {
			continue
		}
		g.emit(&ir.Move{Dst: r.buf, Src: bufs[i]})
		done.dims[i] = vs[i].arr.dims
		for a, v := range r.vars {
			g.emit(v.Assign(done.dims[i][a]))
		}
	}
	done.moved = append(done.moved, len(g.blk.stmts))
	return done
}

// giveAway returns a buffer with the elements of p in their own kind, which
// the current block does not own any more.
func (g *gen) giveAway(p *pull) *ir.Buf {
	if p.buf != nil {
		if _, here := g.owns(p.buf); here && p.buf.Stack == 0 && p.buf.Elem == p.elem {
			g.disown(p.buf)
			return p.buf
		}
	}
	buf := g.heap("r", p.elem, p.dims)
	g.fillBuf(p, buf)
	g.settle(p)
	g.disown(buf)
	return buf
}
