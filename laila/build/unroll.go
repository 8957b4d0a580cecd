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

// blend is the sum of two numbers of which a condition takes one and its opposite the other,
// as the number that it takes: that is within their ranges, and cannot overflow.
//
//	(-i64(c) & x) + (-i64(!c) & y)    →    c ? x : y
func (g *Builder) blend(x, y ir.Expr) (ir.Expr, bool) {
	c, a := taken(x)
	d, b := taken(y)
	if a == nil || b == nil || !ir.Same(ir.Not(c), d) && !ir.Same(c, ir.Not(d)) {
		return nil, false
	}
	return ir.Choose(g.Atom("c", c), g.Slim("x", a), g.Slim("y", b)), true
}

// taken returns a condition and the number that x is where it holds; x is 0 elsewhere. The
// number is nil where x is no such product.
func taken(x ir.Expr) (cond, number ir.Expr) {
	if c, ok := truthValue(x); ok {
		return c, ir.Integer(1)
	}
	b, ok := x.(*ir.Binary)
	if !ok {
		return nil, nil
	}
	switch b.Op {
	case ir.OpAnd:
		if n, ok := b.X.(*ir.Unary); ok && n.Op == ir.OpNeg {
			if c, ok := truthValue(n.X); ok {
				return c, b.Y
			}
		}
	case ir.OpMul:
		if c, ok := truthValue(b.X); ok {
			return c, b.Y
		}
		if c, ok := truthValue(b.Y); ok {
			return c, b.X
		}
	}
	return nil, nil
}

// truthValue returns the condition that an integer is, or that 1 less it is not.
func truthValue(x ir.Expr) (ir.Expr, bool) {
	if b, ok := x.(*ir.Binary); ok && b.Op == ir.OpSub && ir.IsInt(b.X, 1) {
		c, ok := TruthOf(b.Y)
		if !ok {
			return nil, false
		}
		return ir.Not(c), true
	}
	return TruthOf(x)
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
