package affine

import "github.com/tailor-lang/tailor/laila/ir"

// IndexFn is the composition of index functions (thesis 003, section 3.4.1, procedures
// 3.1 and 3.2): the first makes a position of an index, which is unranked by the
// extents of the next one, and so on. A reshaped array that is no LMAD has one.
type IndexFn []LMAD

// Reshape gives an array with the index function f other extents, of as many elements.
func (f IndexFn) Reshape(a Assumptions, counts ...Poly) IndexFn {
	if l, ok := f[0].Reshape(a, counts...); ok {
		return append(IndexFn{l}, f[1:]...)
	}
	return append(IndexFn{RowMajor(counts...)}, f...)
}

// View changes the layout of the array: a slice, a permutation, a reversal.
func (f IndexFn) View(change func(LMAD) LMAD) IndexFn {
	return append(IndexFn{change(f[0])}, f[1:]...)
}

// At writes the place of an element.
func (f IndexFn) At(index []ir.Expr) ir.Expr {
	at := f[0].expr(index)
	for _, l := range f[1:] {
		at = l.expr(l.unrank(at))
	}
	return at
}

// expr writes the index function applied.
func (l LMAD) expr(index []ir.Expr) ir.Expr {
	at := l.Offset.Expr()
	for i, d := range l.Dims {
		at = ir.Add(at, ir.Mul(index[i], d.Stride.Expr()))
	}
	return at
}

// unrank writes the index of the element that is at position x in row-major order.
func (l LMAD) unrank(x ir.Expr) []ir.Expr {
	index := make([]ir.Expr, len(l.Dims))
	for i := len(l.Dims) - 1; i > 0; i-- {
		n := l.Dims[i].Count.Expr()
		index[i], x = ir.OpRem.Of(x, n), ir.OpQuo.Of(x, n)
	}
	if len(index) > 0 {
		index[0] = x
	}
	return index
}
