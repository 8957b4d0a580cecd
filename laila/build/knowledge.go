package build

import (
	"slices"

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
	known affine.Assumptions
	// counts are products of extents that are numbers.
	counts []affine.Term
}

// settled notes the value of a variable that is set once, where it is a sum of
// such variables.
func (g *Builder) settled(v *ir.Var, x ir.Expr) {
	g.Steady[v] = true
	if v.Kind != ir.I64 || !ir.IsPlainSum(x, 0) {
		return
	}
	if f := g.LinearOf(x); g.constantSum(f) {
		g.Sums[v] = f
	}
}

// maxKnown is the number of sums that are remembered.
const maxKnown = 24

// Normal returns f in terms of variables that nothing is known to be equal to.
func (g *Builder) Normal(f affine.Poly) affine.Poly {
	for range 12 {
		f = g.held.known.Normal(f)
		var v *ir.Var
		for _, w := range f.Vars() { // the youngest one
			if _, ok := g.Sums[w]; ok {
				v = w
			}
		}
		if v == nil {
			break
		}
		f = f.Substitute(v, g.Sums[v])
	}
	return f
}

// NotPositive reports whether f ≤ 0 for certain.
func (g *Builder) NotPositive(f affine.Poly) bool { return g.notPositive(f, loopsAround) }

// loopsAround is how many loops are looked at whose bounds depend on those around them.
const loopsAround = 2

// notPositive is NotPositive, where the variables of so many loops may be at their bounds.
func (g *Builder) notPositive(f affine.Poly, loops int) bool {
	f = g.Normal(f)
	if g.RangeOfSum(f).Hi <= 0 || g.held.known.Len() > 0 && g.held.known.NotNegative(f.Scaled(-1)) {
		return true
	}
	if loops == 0 || !g.On("knowledge") {
		return false
	}
	for _, v := range f.Vars() {
		b, c := g.Facts[v], f.Coef(v)
		rest := f.Minus(affine.Of(v).Scaled(c))
		if b == nil || c == 0 || rest.Mentions(v) {
			continue
		}
		if c > 0 && slices.ContainsFunc(b.Uppers, func(u affine.Poly) bool { return g.notPositive(rest.Plus(u.Add(-1).Scaled(c)), loops-1) }) {
			return true
		}
		if c < 0 && slices.ContainsFunc(b.Lowers, func(l affine.Poly) bool { return g.notPositive(rest.Plus(l.Scaled(c)), loops-1) }) {
			return true
		}
	}
	return false
}

// Suppose notes for the rest of the current block that cond is true, or that
// it is not.
func (g *Builder) Suppose(cond ir.Expr, truth bool) {
	if !g.On("knowledge") || g.held.known.Len() > maxKnown {
		return
	}
	b, ok := cond.(*ir.Binary)
	if !ok {
		if n, ok := cond.(*ir.Unary); ok && n.Op == ir.OpNot {
			g.Suppose(n.X, !truth)
		}
		return
	}
	op := b.Op
	if b.X.Kind() == ir.U8 && (op == ir.OpAnd && truth || op == ir.OpOr && !truth) {
		g.Suppose(b.X, truth)
		g.Suppose(b.Y, truth)
		return
	}
	if b.X.Kind() != ir.I64 || !ir.IsPlainSum(b.X, 0) || !ir.IsPlainSum(b.Y, 0) {
		return
	}
	if !truth {
		op = ir.Opposite[op]
	}
	x, y := g.LinearOf(b.X), g.LinearOf(b.Y)
	d := x.Minus(y)
	if !g.constantSum(d) {
		return
	}
	switch op {
	case ir.OpLt:
		g.noteLeast(d.Add(1))
	case ir.OpLe:
		g.noteLeast(d)
	case ir.OpGt:
		g.noteLeast(d.Scaled(-1).Add(1))
	case ir.OpGe:
		g.noteLeast(d.Scaled(-1))
	case ir.OpEq:
		g.noteEqual(d)
	case ir.OpNe:
		if g.NotPositive(d) {
			g.noteLeast(d.Add(1))
		} else if g.NotPositive(d.Scaled(-1)) {
			g.noteLeast(d.Scaled(-1).Add(1))
		}
	}
}

// Natural reports whether x is a sum that is certainly not negative.
func (g *Builder) Natural(x ir.Expr) bool {
	return ir.IsPlainSum(x, 0) && g.NotPositive(g.LinearOf(x).Scaled(-1))
}

// surelyEqual reports whether x and y are sums of one value.
func (g *Builder) surelyEqual(x, y ir.Expr) bool {
	if !ir.IsPlainSum(x, 0) || !ir.IsPlainSum(y, 0) {
		return false
	}
	return g.Normal(g.LinearOf(x).Minus(g.LinearOf(y))).IsZero()
}

// constantSum reports whether the variables of f keep their values in the
// current block.
func (g *Builder) constantSum(f affine.Poly) bool {
	vars := f.Vars()
	return len(vars) > 0 && !slices.ContainsFunc(vars, func(v *ir.Var) bool { return !g.Steady[v] })
}

// noteLeast notes that f is not positive.
func (g *Builder) noteLeast(f affine.Poly) {
	g.held.known = g.held.known.Where(g.Normal(f).Scaled(-1))
}

// noteEqual notes that f is 0: one of its variables, the youngest one with the
// coefficient 1 or ¯1, is what the rest is.
func (g *Builder) noteEqual(f affine.Poly) {
	f = g.Normal(f)
	if k := f.Divisor(); k > 1 {
		f, _ = f.DivMod(affine.Const(k))
	}
	var v *ir.Var
	for _, w := range f.Vars() {
		c := f.Coef(w)
		if (c == 1 || c == -1) && (v == nil || w.ID > v.ID) {
			v = w
		}
	}
	if v == nil {
		return
	}
	c := f.Coef(v)
	g.held.known = g.held.known.WhereEqual(v, f.Minus(affine.Of(v).Scaled(c)).Scaled(-c))
}

// LinearOf returns x as a sum of variables; what is none is bound to a variable
// first.
func (g *Builder) LinearOf(x ir.Expr) affine.Poly {
	r := affine.Reader{Linear: true, Leaf: func(_ *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok {
			u, ok = g.Let("t", x).(*ir.Use)
		}
		if !ok {
			return affine.Unknown
		}
		return affine.Of(u.Var)
	}}
	return r.Read(x)
}

// Learn notes lo ≤ v < hi for the rest of the current block.
func (g *Builder) Learn(v *ir.Var, lo, hi ir.Expr) {
	old := g.Facts[v]
	b := &Bounds{}
	if old != nil {
		*b = *old
	}
	b.Lowers = append(b.Lowers[:len(b.Lowers):len(b.Lowers)], g.LinearOf(lo))
	b.Uppers = append(b.Uppers[:len(b.Uppers):len(b.Uppers)], g.LinearOf(hi))
	g.Facts[v] = b
	g.Blk.Learnt = append(g.Blk.Learnt, Learnt{V: v, Old: old})
}
