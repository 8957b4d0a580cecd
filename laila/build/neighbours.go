package build

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// A function of the window around each element, as ⌺ applies it, has small
// arrays: the window, what is made from it, and the indices of it. Where the
// window moves with the loop around it, so that the windows of neighbouring
// iterations overlap, none of them is stored, and reductions of them are
// expressions. The loop is vector code then, its index set is split where
// windows reach over an edge, and a loop over steps can run in tiles.
//
//	for j = 0 … n
//	  for k = 0 … 9: w[k] = c[k] × x[…]
//	  for k = 0 … 9: acc = acc + w[k]
//
// becomes
//
//	for j = 0 … 1: …
//	for j = 1 … n-1: c[0]×x[j-1-n] + (c[1]×x[j-n] + (c[2]×x[j+1-n] + …))
//	for j = n-1 … n: …
//
// Elements are combined from the last to the first, as APL does it: what is
// added to what, and which of the sums overflow, stays.
//
// Limits: arrays of up to neighbourTerms elements, reductions that come to
// neighbourCost operations: each stands once in the code for every piece of the
// loop, with the tests of the outer ones, which C compilers take long for.
const (
	neighbourTerms = 25
	neighbourCost  = 1024
)

// Neighbours reports whether the reduction e, of n elements, is one of elements of a
// window that moves with the loop around it.
func (g *Builder) Neighbours(e *tail.Apply, length ir.Expr, read func(i ir.Expr) ir.Expr) bool {
	n, ok := ir.IntOf(length)
	return ok && g.moving(e, n, read)
}

// Neighbourhood reports whether p, which is e or an operand of it, is such a
// window, of any shape, or made from one.
func (g *Builder) Neighbourhood(e tail.Expr, p *Pull) bool {
	n, ok := ir.IntOf(ir.Product(p.Dims))
	return ok && (p.At != nil || p.Flat != nil) && p.Buf == nil && p.Elems == nil &&
		g.moving(e, n, func(i ir.Expr) ir.Expr { return g.IndexFlat(p, i) })
}

// moving reports whether elements of n are read from memory at a place that
// moves with the loop around it by less than n. The one in the middle tells, as
// it is inside when others are not, or one after it. What has been found of e
// holds for all pieces of that loop.
func (g *Builder) moving(e tail.Expr, n int64, read func(i ir.Expr) ir.Expr) bool {
	if n > neighbourTerms || n < 2 || g.Nest == nil || !g.Nest.Inside || g.Nest.Find != nil || !g.Vectors() || !g.On("neighbours") {
		return false
	}
	if g.windows[e] {
		return true
	}
	peeking := g.peeking
	g.peeking = true
	moves, cost := 0, 0
	for i := n / 2; i < n && moves == 0; i++ {
		g.Block(func() {
			var x ir.Expr
			stmts := g.Block(func() { x = read(ir.Integer(i)) })
			cost = ir.BlockSize(stmts, neighbourCost) + ir.Size(x, neighbourCost)
			moves = g.moves(stmts, x, n)
		})
	}
	g.peeking = peeking
	g.windows[e] = moves > 0 && int64(cost)*n <= neighbourCost
	return g.windows[e]
}

// divides reports whether elements of a matrix cost a division of integers: in a
// function that reads windows of it each is computed as often as windows have
// elements.
func (g *Builder) divides(p *Pull) bool {
	if p.Buf != nil || p.At == nil && p.Flat == nil || p.Rank() < 2 || g.Nest != nil || !g.On("neighbours") {
		return false
	}
	found := false
	visit := func(x ir.Expr) {
		if b, ok := x.(*ir.Binary); ok && (b.Op == ir.OpRem || b.Op == ir.OpQuo) {
			found = true
		}
	}
	peeking := g.peeking
	g.peeking, g.Nest = true, &NestState{Inside: true}
	g.Block(func() {
		ix := make([]ir.Expr, p.Rank())
		for a := range ix {
			ix[a] = g.LoopVar(ir.Integer(0), p.Dims[a], nil).Use()
		}
		var x ir.Expr
		stmts := g.Block(func() { x = g.Index(p, ix) })
		ir.WalkExpr(x, visit)
		ir.Walk(stmts, func(s ir.Stmt) {
			for _, x := range ir.Exprs(s) {
				ir.WalkExpr(x, visit)
			}
		})
	})
	g.peeking, g.Nest = peeking, nil
	return found
}

// moves counts the loads of statements and of x that move with the loop around
// them; it is -1 where one moves by n elements or more.
func (g *Builder) moves(stmts []ir.Stmt, x ir.Expr, n int64) int {
	count := 0
	visit := func(x ir.Expr) {
		l, ok := x.(*ir.Load)
		if !ok || l.Buf.Const || l.Buf.Stack > 0 || count < 0 {
			return
		}
		switch step := g.stride(l.Index); {
		case step >= n || -step >= n:
			count = -1
		case step != 0:
			count++
		}
	}
	ir.WalkExpr(x, visit)
	ir.Walk(stmts, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			ir.WalkExpr(x, visit)
		}
	})
	return count
}

// stride returns by how much an index grows with the innermost loop that it
// depends on.
func (g *Builder) stride(index ir.Expr) int64 {
	f := g.Normal(g.LinearOf(index))
	var inner *ir.Var
	for _, v := range f.Vars() {
		if g.Facts[v] != nil && (inner == nil || v.ID > inner.ID) {
			inner = v
		}
	}
	if inner == nil {
		return 0
	}
	return f.Coef(inner)
}

// widest returns the last of the cuts that are near the beginning of an axis of
// n elements and the first one of those near its end: what windows reach over,
// however wide they are. Where there are others it returns them all.
func (g *Builder) widest(cuts []affine.Poly, n ir.Expr) []affine.Poly {
	if len(cuts) < 3 || !g.On("neighbours") {
		return cuts
	}
	end := g.LinearOf(n)
	var first, last *affine.Poly
	for i := range cuts {
		k := &cuts[i]
		behind, near := end.Minus(*k).Constant()
		at, fixed := k.Constant()
		switch {
		case fixed && (!near || at <= behind):
			if first == nil || at > first.Coef() {
				first = k
			}
		case near:
			if last == nil || k.Coef() < last.Coef() {
				last = k
			}
		default:
			return cuts
		}
	}
	if first == nil || last == nil {
		return cuts
	}
	return []affine.Poly{*first, *last}
}
