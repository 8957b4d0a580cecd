package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// knowledge is what holds in the current block about integers that do not
// change in it: sums that variables are equal to, and sums that are not
// positive. Guards and tests of extents say so:
//
//	if n < k … else …     in the second branch k - n is not positive
//	if m != k - 1 fail    after it m is k - 1
//
// so that indices below k are seen to be below n, and tests of them go.
type knowledge struct {
	equal map[*ir.Var]affine.Sum
	least []affine.Sum // not positive
	// counts are products of extents that are numbers.
	counts []affine.Term
}

// settled notes the value of a variable that is set once, where it is a sum of
// such variables.
func (g *gen) settled(v *ir.Var, x ir.Expr) {
	g.steady[v] = true
	if v.Kind != ir.I64 || !ir.IsPlainSum(x, 0) {
		return
	}
	if f := g.linearOf(x); g.constantSum(f) {
		g.sums[v] = f
	}
}

// maxKnown is the number of sums that are remembered.
const maxKnown = 24

// normal returns f in terms of variables that nothing is known to be equal to.
func (g *gen) normal(f affine.Sum) affine.Sum {
	for range 12 {
		var v *ir.Var
		var of affine.Sum
		for w := range f.Coef {
			h, ok := g.held.equal[w]
			if !ok {
				h, ok = g.sums[w]
			}
			if ok && (v == nil || w.ID > v.ID) {
				v, of = w, h
			}
		}
		if v == nil {
			break
		}
		f = f.Substitute(of, v)
	}
	return f
}

// notPositive reports whether f ≤ 0 for certain.
func (g *gen) notPositive(f affine.Sum) bool {
	f = g.normal(f)
	if len(f.Coef) == 0 {
		return f.Const <= 0
	}
	if r := g.rangeOfLinear(f); r.hi <= 0 {
		return true
	}
	for _, h := range g.held.least {
		d := f.Difference(g.normal(h))
		if len(d.Coef) == 0 && d.Const <= 0 {
			return true
		}
		if r := g.rangeOfLinear(d); len(d.Coef) > 0 && r.hi <= 0 {
			return true
		}
	}
	return false
}

// suppose notes for the rest of the current block that cond is true, or that
// it is not.
func (g *gen) suppose(cond ir.Expr, truth bool) {
	if !g.on("knowledge") || len(g.held.least) > maxKnown {
		return
	}
	b, ok := cond.(*ir.Binary)
	if !ok {
		if n, ok := cond.(*ir.Unary); ok && n.Op == ir.OpNot {
			g.suppose(n.X, !truth)
		}
		return
	}
	op := b.Op
	if b.X.Kind() == ir.U8 && (op == ir.OpAnd && truth || op == ir.OpOr && !truth) {
		g.suppose(b.X, truth)
		g.suppose(b.Y, truth)
		return
	}
	if b.X.Kind() != ir.I64 || !ir.IsPlainSum(b.X, 0) || !ir.IsPlainSum(b.Y, 0) {
		return
	}
	if !truth {
		op = ir.Opposite[op]
	}
	x, y := g.linearOf(b.X), g.linearOf(b.Y)
	d := x.Difference(y)
	if !g.constantSum(d) {
		return
	}
	switch op {
	case ir.OpLt:
		g.noteLeast(d.Scaled(1, 1))
	case ir.OpLe:
		g.noteLeast(d)
	case ir.OpGt:
		g.noteLeast(d.Scaled(-1, 1))
	case ir.OpGe:
		g.noteLeast(d.Scaled(-1, 0))
	case ir.OpEq:
		g.noteEqual(d)
	case ir.OpNe:
		if g.notPositive(d) {
			g.noteLeast(d.Scaled(1, 1))
		} else if g.notPositive(d.Scaled(-1, 0)) {
			g.noteLeast(d.Scaled(-1, 1))
		}
	}
}

// natural reports whether x is a sum that is certainly not negative.
func (g *gen) natural(x ir.Expr) bool {
	f := g.linearOf(x) // the least integer is its own opposite
	return ir.IsPlainSum(x, 0) && f.Const != math.MinInt64 && g.notPositive(f.Scaled(-1, 0))
}

// surelyEqual reports whether x and y are sums of one value.
func (g *gen) surelyEqual(x, y ir.Expr) bool {
	if !ir.IsPlainSum(x, 0) || !ir.IsPlainSum(y, 0) {
		return false
	}
	d := g.normal(g.linearOf(x).Difference(g.linearOf(y)))
	return len(d.Coef) == 0 && d.Const == 0
}

// constantSum reports whether the variables of f keep their values in the
// current block.
func (g *gen) constantSum(f affine.Sum) bool {
	for v := range f.Coef {
		if !g.steady[v] {
			return false
		}
	}
	return len(f.Coef) > 0
}

func (g *gen) noteLeast(f affine.Sum) {
	n := len(g.held.least)
	g.held.least = append(g.held.least[:n:n], f)
}

// noteEqual notes that f is 0: one of its variables, the youngest one with the
// coefficient 1 or ¯1, is what the rest is.
func (g *gen) noteEqual(f affine.Sum) {
	f = g.normal(f)
	var v *ir.Var
	for w, c := range f.Coef {
		if (c == 1 || c == -1) && (v == nil || w.ID > v.ID) {
			v = w
		}
	}
	if v == nil {
		return
	}
	c := f.Coef[v]
	rest := affine.Sum{Coef: map[*ir.Var]int64{}, Const: -c * f.Const}
	for w, d := range f.Coef {
		if w != v {
			rest.Coef[w] = -c * d
		}
	}
	g.define(v, rest)
}

// define notes that v is f.
func (g *gen) define(v *ir.Var, f affine.Sum) {
	equal := make(map[*ir.Var]affine.Sum, len(g.held.equal)+1)
	for w, h := range g.held.equal {
		equal[w] = h
	}
	equal[v] = f
	g.held.equal = equal
}
