package build

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Selection says which elements of an array a gather reads.
type Selection struct {
	P  *Pull
	Ss []Selector
}

// Selector is an index along one axis: nothing for an elided one, a scalar, or
// an array of indices.
type Selector struct {
	All    bool
	X      ir.Expr
	Arr    *Pull
	Proved bool
}

// OneHot says that a matrix of truth values is source∘.=⍳n, or, flipped, its
// transpose: in the row of every element of source there is at most one 1.
type OneHot struct {
	Source  *Pull
	N       ir.Expr
	Flipped bool
}

// oneHotOf returns what the matrix f outer a b is, nil where it is no
// comparison of a vector with ⍳n.
func oneHotOf(f *tail.Lam, a, b *Value) *OneHot {
	if tail.OpOf(f) != tail.OpEqI || a.Arr == nil || b.Arr == nil || a.Arr.Rank() != 1 || b.Arr.Rank() != 1 {
		return nil
	}
	switch {
	case b.Arr.iota:
		return &OneHot{Source: a.Arr, N: b.Arr.Dims[0]}
	case a.Arr.iota:
		return &OneHot{Source: b.Arr, N: a.Arr.Dims[0], Flipped: true}
	}
	return nil
}

// Ordering is a call of the run-time that grades the vector x. Where x is
// indexed by the grade, the call gives the sorted elements, too:
//
//	(r) = run-time order(x, 0)               (r, s) = run-time order(x, 0)
//	segmap i = 0 … n: s[i] = x[r[i] - 1]  becomes
//
// It gives them away once; who asks again may find them changed in place.
type Ordering struct {
	Call  *ir.Runtime
	Blk   *Block // the block that the call is in
	X     *Pull
	given bool
}

// SortedBy is the vector p indexed by ix where ix is its grade; nil where it is
// something else.
func (g *Builder) SortedBy(p, ix *Pull) *Pull {
	if ix == nil || ix.Order == nil || ix.Order.X != p || ix.Order.given {
		return nil
	}
	o := ix.Order
	o.given = true
	a, q := g.SortedArray(o.Call, p)
	o.Blk.owned = append(o.Blk.owned, a.Buf)
	return q
}

// SortedArray adds the sorted elements of p to what s gives.
func (g *Builder) SortedArray(s *ir.Runtime, p *Pull) (ir.Array, *Pull) {
	v := g.NewVar("d", ir.I64)
	g.Ranges[v], g.Steady[v] = facts.Between(0, facts.MaxExtent), true
	k := s.Args[0].Array.Buf.Elem
	a := ir.Array{Elem: p.Elem, Buf: &ir.Buf{Name: "sorted", Elem: k}, Dims: []ir.Expr{v.Use()}}
	s.Results = append(s.Results, a)
	if k.Exact() {
		g.Bufs[a.Buf] = p.Rng
	}
	if p.Span != nil {
		g.BufSpans[a.Buf] = *p.Span
	}
	return a, g.Stored(p.Elem, a.Buf, p.Dims)
}

// RefersTo reports whether e is a use of v.
func RefersTo(e tail.Expr, v *tail.Var) bool {
	r, ok := e.(*tail.Ref)
	return ok && r.Var == v
}

// Rank is the number of axes that the selector gives.
func (s Selector) Rank() int {
	switch {
	case s.All:
		return 1
	case s.Arr == nil:
		return 0
	}
	return s.Arr.Rank()
}
