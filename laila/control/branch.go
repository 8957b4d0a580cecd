package control

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/live"
	"github.com/tailor-lang/tailor/tail"
)

// Conditional lowers an If.
func Conditional(g *build.Builder, e *tail.If) *build.Value {
	if goes := g.Decided[e]; goes != nil {
		return g.Expr(goes)
	}
	c := g.Scalar(e.Cond)
	if n, ok := ir.IntOf(c); ok {
		if n != 0 {
			return g.Expr(e.Then)
		}
		return g.Expr(e.Else)
	}
	if t, ok := e.Ty.(*tail.Array); ok && t.Dims() == 0 {
		g.Force()
		return build.Scalar1(g.IfElse(c, func() ir.Expr { return g.Scalar(e.Then) }, func() ir.Expr { return g.Scalar(e.Else) }))
	}
	g.Force()
	test := c
	c = g.Atom("c", c)
	var results []*leaf
	var then, els *build.Value
	var thenSettled, elseSettled settled
	thenBlock := g.Block(func() {
		g.Suppose(test, true)
		then = g.Expr(e.Then)
		results = outcome(g, then, arrays(e.Ty), g.Outcomes[e])
		thenSettled = settleInto(g, results, leaves(then))
	})
	elseBlock := g.Block(func() {
		g.Suppose(test, false)
		els = g.Expr(e.Else)
		elseSettled = settleInto(g, results, leaves(els))
	})
	shared := sharedOutcome(g, leaves(then), leaves(els))
	kept := keptOutcome(g, leaves(then), leaves(els), shared, g.Live.Times[e])
	for i, r := range results {
		if r.none {
			shared[i], kept[i] = false, keeper{}
		}
	}
	thenBlock, elseBlock = thenSettled.without(thenBlock, shared, kept, 0), elseSettled.without(elseBlock, shared, kept, 1)
	thenDims, elseDims := thenSettled.dims, elseSettled.dims
	var ls []*build.Value
	for i, r := range results {
		if shared[i] {
			ls = append(ls, build.Array1(g.Stored(r.elem, leaves(els)[i].Arr.Buf, elseDims[i])))
			continue
		}
		if r.none {
			ls = append(ls, build.Array1(g.ConstantPull(ir.Fill(r.elem), r.dims)))
			continue
		}
		if r.v != nil {
			g.Emit(r.v.Decl(nil))
			if r.elem.Exact() {
				g.Ranges[r.v] = thenSettled.ranges[i].Union(elseSettled.ranges[i])
			}
			ls = append(ls, &build.Value{X: r.v.Use()})
			continue
		}
		if kept[i].buf != nil {
			r.buf = kept[i].buf
		} else {
			g.Emit(&ir.DeclBuf{Buf: r.buf, Shape: nil, At: e.Where})
			g.Own(r.buf)
		}
		dims := make([]ir.Expr, len(r.vars))
		for a, v := range r.vars {
			g.Emit(v.Decl(ir.Integer(0)))
			g.Ranges[v] = g.RangeOf(thenDims[i][a]).Union(g.RangeOf(elseDims[i][a]))
			dims[a] = v.Use()
			if ir.Same(thenDims[i][a], elseDims[i][a]) {
				dims[a] = thenDims[i][a]
			}
		}
		ls = append(ls, build.Array1(g.Stored(r.elem, r.buf, dims)))
	}
	g.Emit(&ir.If{Cond: c, Then: thenBlock, Else: elseBlock})
	return rebuild(then, &ls)
}

// outcome makes variables for the leaves of a value, of types, which become results of a
// function where there are such.
func outcome(g *build.Builder, v *build.Value, types []*tail.Array, results []ir.Array) []*leaf {
	var ls []*leaf
	for i, x := range leaves(v) {
		if dims, none := withoutElements(types[i]); none && results == nil {
			ls = append(ls, &leaf{elem: x.Arr.Elem, dims: dims, none: true})
			continue
		}
		if x.X != nil {
			ls = append(ls, &leaf{v: g.NewVar("t", x.X.Kind()), elem: x.X.Kind()})
			continue
		}
		l := &leaf{buf: &ir.Buf{Name: "b", Elem: x.Arr.Elem}, elem: x.Arr.Elem}
		if results != nil {
			l.buf.Elem = results[i].Elem
			if r, ok := g.Bufs[results[i].Buf]; ok {
				g.Bufs[l.buf] = r
			}
		}
		for range x.Arr.Dims {
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
func sharedOutcome(g *build.Builder, then, els []*build.Value) []bool {
	shared := make([]bool, len(then))
	for i := range then {
		p, q := then[i].Arr, els[i].Arr
		if p == nil || q == nil || p.Buf == nil || p.Buf != q.Buf || p.Elem != q.Elem || !ir.SameShape(p.Dims, q.Dims) {
			continue
		}
		owned, _ := g.Owns(p.Buf) // by this block, or one around it
		shared[i] = (owned || g.State[p.Buf]) && p.Buf.Stack == 0 && !p.Buf.Const
	}
	return shared
}

// keeper is an array of an enclosing block that branches of a conditional, Then or Else,
// updated in place: a branch that did not exchanges it for its own.
type keeper struct {
	buf *ir.Buf
	in  [2]bool
}

// keptOutcome finds the leaves of the values of two branches that may stay in the
// storage of an array of an enclosing block, though only one of the branches gives
// that array, or their extents differ: nothing reads it after the conditional, and either
// its extents may change or both branches give the same extents.
func keptOutcome(g *build.Builder, then, els []*build.Value, shared []bool, now live.Moment) []keeper {
	kept := make([]keeper, len(then))
	for i := range then {
		p, q := then[i].Arr, els[i].Arr
		if p == nil || q == nil || shared[i] || p.Elem != q.Elem {
			continue
		}
		for _, mine := range []*build.Pull{p, q} {
			b := mine.Buf
			if b == nil || b.Stack > 0 || b.Const || b.Elem != mine.Elem || usedTwice(then, b) || usedTwice(els, b) {
				continue
			}
			owned, _ := g.Owns(b)
			if g.Growing[b] || (owned || g.State[b]) && ir.SameShape(p.Dims, q.Dims) {
				if !g.Keeps(nil, b, now) {
					kept[i] = keeper{b, [2]bool{p.Buf == b, q.Buf == b}}
				}
			}
		}
	}
	return kept
}

// settled is what settleInto did: the extents of the leaves, the ranges of scalars, and
// where the statements begin that make each of them and that move it, and the last ends.
type settled struct {
	ranges      []facts.Interval
	dims        [][]ir.Expr
	made, moved []int
}

// without returns the statements of a branch, number 0 or 1, without those of leaves that
// stay where they are.
func (s settled) without(block []ir.Stmt, shared []bool, kept []keeper, branch int) []ir.Stmt {
	for i := len(shared) - 1; i >= 0; i-- {
		at := s.moved[i]
		switch b := kept[i].buf; {
		case shared[i]:
			block = slices.Delete(block, at, s.moved[i+1])
		case b != nil && kept[i].in[branch]:
			block = slices.Delete(block, at, at+1)
		case b != nil:
			m := block[at].(*ir.Move)
			block = slices.Replace(block, at, at+1, ir.Stmt(&ir.Swap{A: b, B: m.Src}), ir.Stmt(&ir.Free{Buf: m.Src}))
		}
	}
	for i := len(shared) - 1; i >= 0; i-- {
		if shared[i] || kept[i].in[branch] {
			block = slices.Delete(block, s.made[i], s.made[i+1])
		}
	}
	return block
}

// settleInto assigns the leaves of a branch's value to the results. A leaf can be
// computed from the elements of another, so that all are there before the first
// one moves.
func settleInto(g *build.Builder, results []*leaf, vs []*build.Value) settled {
	done := settled{ranges: make([]facts.Interval, len(results)), dims: make([][]ir.Expr, len(results))}
	bufs := make([]*ir.Buf, len(results))
	for i, r := range results {
		done.made = append(done.made, len(g.Blk.Stmts))
		if r.v != nil {
			done.ranges[i] = g.RangeOf(vs[i].X)
			g.Emit(r.v.Assign(vs[i].X))
			continue
		}
		if r.none {
			dropped(g, vs[i].Arr)
			continue
		}
		bufs[i] = giveAway(g, vs[i].Arr, r.buf.Elem)
	}
	done.made = append(done.made, len(g.Blk.Stmts))
	for i, r := range results {
		done.moved = append(done.moved, len(g.Blk.Stmts))
		if r.v != nil || r.none {
			continue
		}
		g.Emit(&ir.Move{Dst: r.buf, Src: bufs[i]})
		done.dims[i] = vs[i].Arr.Dims
		for a, v := range r.vars {
			g.Emit(v.Assign(done.dims[i][a]))
		}
	}
	done.moved = append(done.moved, len(g.Blk.Stmts))
	return done
}

// giveAway returns a buffer with the elements of p in kind k, which the current block
// does not own any more.
func giveAway(g *build.Builder, p *build.Pull, k ir.Kind) *ir.Buf {
	if p.Buf != nil {
		if _, here := g.Owns(p.Buf); here && p.Buf.Stack == 0 && p.Buf.Elem == k {
			g.Disown(p.Buf)
			return p.Buf
		}
	}
	buf := g.Heap("r", k, p.Dims)
	g.FillBuf(p, buf)
	g.Settle(p)
	g.Disown(buf)
	return buf
}
