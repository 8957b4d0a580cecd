package build

import (
	"math/bits"

	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Unrolls reports whether a reduction in a loop becomes an expression: the
// loop around it is vector code then. Elements that are read from memory stay
// in a loop of their own, which reads them in order.
//
//	for i = 0 … 30: acc = acc ^ (c[i] & -((y >> i) & 1))
//
// becomes
//
//	(5 & -(y & 1)) ^ (7 & -((y >> 1) & 1)) ^ …
func (g *Builder) Unrolls(length ir.Expr, read func(i ir.Expr) ir.Expr) bool {
	n, ok := ir.IntOf(length)
	if !ok || n > cost.UnrollTerms || n < 1 || g.Nest == nil || !g.Nest.Inside || !g.On("unroll") {
		return false
	}
	plain, size := true, 0
	stmts := g.Block(func() {
		x := read(ir.Integer(0))
		plain, size = !ir.LoadsMemory(x), ir.Size(x, cost.UnrollCost)
	})
	for _, s := range stmts {
		d, ok := s.(*ir.Decl)
		if !ok || d.Init == nil || ir.LoadsMemory(d.Init) {
			return false
		}
		size += ir.Size(d.Init, cost.UnrollCost)
	}
	return plain && int64(size)*n <= cost.UnrollCost
}

// Unmasked returns, for a function that masks the bits of a bitwise operation,
// the operation alone, where the elements have no other bits. That 0s and 1s
// differ is their exclusive or.
//
//	fn (x, y) => biti_and(1073741823,biti_xor(x,y))   becomes   fn (x, y) => biti_xor(x,y)
//	fn (x, y) => b2i(neqi(x,y))                       becomes   fn (x, y) => biti_xor(x,y)
func Unmasked(f *tail.Lam, rng facts.Interval) *tail.Lam {
	a, ok := f.Body.(*tail.Apply)
	if ok && a.Op == tail.OpB2I && rng.Within(0, 1) {
		if ne, ok := a.Args[0].(*tail.Apply); ok && ne.Op == tail.OpNeqI {
			return &tail.Lam{At: f.At, Params: f.Params, Body: &tail.Apply{At: ne.At, Op: tail.OpBitXor, Args: ne.Args, Ty: a.Ty}}
		}
	}
	if !ok || a.Op != tail.OpBitAnd {
		return f
	}
	for i, x := range a.Args {
		mask, isLit := x.(*tail.Lit)
		inner, isApply := a.Args[1-i].(*tail.Apply)
		if !isLit || !isApply || mask.Value.Rank() != 0 || len(mask.Value.Ints) != 1 {
			continue
		}
		m := mask.Value.Ints[0]
		if m < 0 || m&(m+1) != 0 || rng.Lo < 0 || bits.Len64(uint64(rng.Hi)) > bits.Len64(uint64(m)) {
			continue
		}
		switch inner.Op {
		case tail.OpBitXor, tail.OpBitOr, tail.OpBitAnd:
			return &tail.Lam{At: f.At, Params: f.Params, Body: inner}
		}
	}
	return f
}

// chosen is the product of x and y, one of which is 0 or 1: the bits of the
// other where it is 1. Vector code has no fast products of integers.
func (g *Builder) chosen(x, y ir.Expr) (ir.Expr, bool) {
	if !g.RangeOf(x).Within(0, 1) {
		x, y = y, x
	}
	if !g.RangeOf(x).Within(0, 1) || !g.On("unroll") {
		return nil, false
	}
	if n, ok := ir.IntOf(y); ok && (n <= 0 || n&(n-1) == 0) {
		return nil, false
	}
	return ir.OpAnd.Of(ir.OpNeg.Of(x), y), true
}

// rootRange bounds the values of a function by what it does last, without
// lowering it.
func rootRange(f *tail.Lam) (facts.Interval, bool) {
	e := f.Body
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			break
		}
		e = let.Body
	}
	if a, ok := e.(*tail.Apply); ok && a.Op == tail.OpB2I {
		return facts.Between(0, 1), true
	}
	return facts.Interval{}, false
}
