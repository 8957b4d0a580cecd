package infer

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Scalar extension of arrays that may have one element, as far as it decides
// types. The op zipWith extends arrays of one rank when the program runs.

// extends reports whether an array of type a is extended to the shape of one
// of type b: it has one element, and b's has another shape or a higher rank. Where
// b's has fewer axes and may have one element, too, the rank of the result is that of
// either.
func (g *infer) extends(a, b *tail.Array, s site) bool {
	if !isSingleton(a) {
		return false
	}
	if a.Dims() > b.Dims() && b.Dims() > 0 && !isSingleton(b) && mayBeOne(b) {
		g.needsConstant(diag.UnknownRank, s.fn, "the rank of the result depends on whether an array of rank %d has one element, which is not known", b.Dims())
	}
	return a.Dims() == 0 || !isSingleton(b) || a.Dims() < b.Dims()
}

// mayBeOne reports whether every extent of t may be 1.
func mayBeOne(t *tail.Array) bool {
	for i := range t.Dims() {
		if notOne(t.Extent(i)) {
			return false
		}
	}
	return true
}

// mayExtend reports whether an array of type a, which has fewer axes than one
// of type b, has one element for all that is known: then it goes with every
// element of b. Extents that a variable stands for are known in this sense, so
// that a function of a vector and a matrix stays an error.
func mayExtend(a, b *tail.Array) bool {
	return a.Dims() < b.Dims() && oneForAllKnown(a)
}

// oneForAllKnown reports whether every extent is 1 or nothing is known of it.
func oneForAllKnown(t *tail.Array) bool {
	for i := range t.Dims() {
		if s := t.Extent(i); s.Known() && !s.Equal(tail.ConstSize(1)) {
			return false
		}
	}
	return true
}

// comparable reports ranks or extents of x and y that certainly differ. Where
// variables are among the extents the function is inferred again for those of
// a call: n+1 and n are the extents of one element and of none for some n.
func (g *infer) comparable(x, y tail.Expr, s site) {
	tx, ty := tail.TypeOf(x), tail.TypeOf(y)
	fault := func(f tail.Fault, args ...any) {
		err := g.mismatched(&tail.Mismatch{Code: tail.CertainFault, Fault: f, Args: args, Arg: -1}, s, x, y)
		panic(unwound{err: err, needs: hasVariables(tx) || hasVariables(ty), certain: true})
	}
	if tx.Dims() != ty.Dims() {
		fault(tail.FaultRanks, extents(tx), extents(ty))
	}
	if isSingleton(tx) || isSingleton(ty) {
		return
	}
	for i := range tx.Dims() {
		if tx.Extent(i).Differ(ty.Extent(i)) {
			fault(tail.FaultShapes, extents(tx), extents(ty), tail.ConstSize(int64(i+1)))
		}
	}
}

// hasVariables reports whether an extent of t is known up to variables.
func hasVariables(t *tail.Array) bool {
	for i := range t.Dims() {
		if _, constant := t.Extent(i).IsConst(); t.Extent(i).Known() && !constant {
			return true
		}
	}
	return false
}

// stretched extends vectors that may have one element for a function that
// combines items along axis i of x with those along axis j of y.
func (g *infer) stretched(x, y tail.Expr, i, j int, s site) (tail.Expr, tail.Expr) {
	left, right := tail.TypeOf(x).Extent(i), tail.TypeOf(y).Extent(j)
	if left.Equal(right) {
		return x, y
	}
	mayX := tail.TypeOf(x).Dims() == 1 && oneForAllKnown(tail.TypeOf(x))
	mayY := tail.TypeOf(y).Dims() == 1 && oneForAllKnown(tail.TypeOf(y))
	if left.Differ(right) && !(mayX || mayY) && (isSingleton(tail.TypeOf(x)) || isSingleton(tail.TypeOf(y))) {
		g.unsupportedHere(diag.NotCompiled, s.fn, "a matrix of one element that goes with all")
	}
	if !mayX && !mayY {
		return x, y
	}
	x, y = g.names2(x, y)
	n := g.op(tail.OpIndex, s, g.shapeOf(x, s), g.intLit(s, i+1))
	m := g.op(tail.OpIndex, s, g.shapeOf(y, s), g.intLit(s, j+1))
	wasX := x
	if mayX && !right.Equal(tail.ConstSize(1)) {
		x = g.opAxis(tail.OpStretch, s, i, m, wasX)
	}
	if mayY && !left.Equal(tail.ConstSize(1)) {
		y = g.opAxis(tail.OpStretch, s, j, n, y)
	}
	return x, y
}

// stretchedTo extends y along an axis where it may have one item there.
func (g *infer) stretchedTo(n, y tail.Expr, axis int, s site) tail.Expr {
	if t := tail.TypeOf(y); t.Extent(axis).Known() && !t.Extent(axis).Equal(tail.ConstSize(1)) {
		return y
	}
	return g.opAxis(tail.OpStretch, s, axis, n, y)
}
