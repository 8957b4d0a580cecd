package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Operators whose operand does not give scalars make nested arrays. Where the
// arguments are arrays of few elements, the number of which is known, they are
// taken as tuples of their elements, and so is the result:
//
//	⍳¨1 2 3     (⍳1)(⍳2)(⍳3)
//	,\'ABC'     'A'('A','B')('A','B','C')
//	3,/⍳4       (1,2,3)(2,3,4)

// maxUnrolled is the number of elements that an array may have for that.
const maxUnrolled = 64

// elementsOf returns the elements of an array of few elements and its shape,
// which is nil for a vector; nil for others.
func (g *infer) elementsOf(e tail.Expr) (items []tail.Expr, shape []int) {
	t, ok := e.Type().(*tail.Array)
	if !ok || t.Dims() == 0 {
		return nil, nil
	}
	n := 1
	for i := range t.Dims() {
		k, ok := t.Extent(i).IsConst()
		if !ok || k < 1 || k > maxUnrolled {
			return nil, nil
		}
		shape = append(shape, int(k))
		if n *= int(k); n > maxUnrolled {
			return nil, nil
		}
	}
	s := site{fn: e.Span(), right: e.Span()}
	if a := g.value(e); a != nil {
		g.effect(e)
		for i := range n {
			items = append(items, lit(e.Span(), element(a, i)))
		}
	} else {
		items = g.spread(g.name(g.ravel(e, s)), n, e.Span())
	}
	if len(shape) == 1 {
		shape = nil
	}
	return items, shape
}

// element is an element of an array as a scalar.
func element(a *array.Array, i int) *array.Array {
	switch a.Elem {
	case array.Char:
		return array.ScalarChar(a.Chars[i])
	case array.Double:
		return array.ScalarDouble(a.Doubles[i])
	case array.Complex:
		return &array.Array{Elem: array.Complex, Shape: []int{}, Complexes: []complex128{a.Complexes[i]}}
	case array.Bool:
		return array.ScalarBool(a.Bools[i] != 0)
	}
	return array.ScalarInt(a.Int(i))
}

// elementsAsTuple returns an array of few elements as the tuple of them, nil
// for others.
func (g *infer) elementsAsTuple(e tail.Expr) tail.Expr {
	items, shape := g.elementsOf(e)
	if items == nil {
		return nil
	}
	t := &tail.Tuple{At: tail.At{Where: e.Span()}, Elems: items}
	t.Shape = shape
	return t
}

// cellOf is a result of ¨ or of an outer product as an item. In definitions of the
// prelude, which join results, an enclosed array is a cell already.
func (g *infer) cellOf(e tail.Expr, s site) tail.Expr {
	switch {
	case g.blamed == nil || !isTuple(e):
		return e
	case isEnclosed(e):
		return g.items(e)[0]
	}
	g.fail(diag.NestedArrays, g.blamed.site.fn, "results that are nested arrays here; enclose them")
	return nil
}

// givesNested reports whether the body of a lambda on scalars is no scalar.
func givesNested(l *tail.Lam) bool {
	t, ok := l.Body.Type().(*tail.Array)
	return !ok || t.Dims() > 0
}

// eachElement2 is x f¨y of arrays of few elements where f does not give
// scalars; nil in other cases.
func (g *infer) eachElement2(f function, x, y tail.Expr, s site) tail.Expr {
	p, prim := f.(*primitive)
	if tx, ty := g.arr(x, s.left), g.arr(y, s.right); prim && isScalarDyadic(p.glyph) || g.blamed != nil || tx.Dims()+ty.Dims() == 0 {
		return nil
	}
	types := []tail.Type{tail.Scalar(tail.TypeOf(x).Elem), tail.Scalar(tail.TypeOf(y).Elem)}
	if !givesNested(g.lambda(s.fn, types, func(a []tail.Expr) tail.Expr { return g.dyadic(f, a[0], a[1], s) })) {
		return nil
	}
	tuple := func(e tail.Expr) tail.Expr {
		if tail.TypeOf(e).Dims() == 0 {
			return g.name(e)
		}
		return g.elementsAsTuple(e)
	}
	if !few(x) || !few(y) {
		return nil
	}
	y = tuple(y)
	x = tuple(x)
	return g.eachTuple2(f, x, y, s)
}

// nestedReduction is f/y or f\y of a vector of few elements where f does not
// give scalars; nil in other cases.
func (g *infer) nestedReduction(f function, y tail.Expr, scan bool, s site) tail.Expr {
	t := g.arr(y, s.right)
	if _, ok := f.(*primitive); t.Dims() != 1 || g.blamed != nil || ok && isScalarDyadic(f.(*primitive).glyph) {
		return nil
	}
	if !givesNested(g.ofScalars(f, t.Elem, s)) {
		return nil
	}
	y = g.elementsAsTuple(y)
	switch {
	case y == nil:
		return nil
	case scan:
		return g.scanTuple(f, y, 0, s)
	}
	return g.reduceTuple(f, y, 0, s)
}

// nestedRows is f/y along an axis of an array of higher rank and few elements,
// where f does not give scalars; nil in other cases.
func (g *infer) nestedRows(f function, y tail.Expr, axis int, s site) tail.Expr {
	t := g.arr(y, s.right)
	p, prim := f.(*primitive)
	if t.Dims() < 2 || g.blamed != nil || prim && isScalarDyadic(p.glyph) || !few(y) {
		return nil
	}
	if !givesNested(g.ofScalars(f, t.Elem, s)) {
		return nil
	}
	items, shape := g.elementsOf(y)
	stride := 1
	for _, n := range shape[axis+1:] {
		stride *= n
	}
	var all []tail.Expr
	for i := range items {
		if i/stride%shape[axis] != 0 {
			continue
		}
		last := i + (shape[axis]-1)*stride
		e := items[last]
		for k := last - stride; k >= i; k -= stride {
			e = g.dyadic(f, items[k], e, s)
		}
		all = append(all, g.name(e))
	}
	shape = append(append([]int{}, shape[:axis]...), shape[axis+1:]...)
	if len(shape) == 1 {
		shape = nil
	}
	return g.shaped(g.strandOf(all, s), shape)
}

// nestedWindows is n f/y of a vector of few elements where f does not give
// scalars; nil in other cases. n is known.
func (g *infer) nestedWindows(f function, n int64, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	if p, ok := f.(*primitive); n == 0 || t.Dims() != 1 || g.blamed != nil || ok && isScalarDyadic(p.glyph) {
		return nil
	}
	if !givesNested(g.ofScalars(f, t.Elem, s)) {
		return nil
	}
	all, _ := g.elementsOf(y)
	size := int(max(n, -n))
	if all == nil || size > len(all) {
		return nil
	}
	if size == 1 {
		return y
	}
	var windows []tail.Expr
	for i := range len(all) - size + 1 {
		window := append([]tail.Expr{}, all[i:i+size]...)
		for k, j := 0, size-1; n < 0 && k < j; k, j = k+1, j-1 {
			window[k], window[j] = window[j], window[k]
		}
		e := window[size-1]
		for k := size - 2; k >= 0; k-- {
			e = g.dyadic(f, window[k], e, s)
		}
		windows = append(windows, g.name(e))
	}
	g.fewEnough(len(windows), s)
	return g.strandOf(windows, s)
}

// few reports whether an array is a scalar or has few elements, the number of
// which is known.
func few(e tail.Expr) bool {
	n := 1
	for i := range tail.TypeOf(e).Dims() {
		k, ok := tail.TypeOf(e).Extent(i).IsConst()
		if !ok || k < 1 || k > maxUnrolled {
			return false
		}
		n *= int(k)
	}
	return n <= maxUnrolled
}

// fewCells returns the cells of rank k of an array, and the frame, the extents
// of the axes that lead to them; nil where the frame is not known or large.
func (g *infer) fewCells(y tail.Expr, k int, s site) (cells []tail.Expr, frame []int) {
	t, n := tail.TypeOf(y), 1
	for i := range t.Dims() - k {
		c, ok := t.Extent(i).IsConst()
		if !ok || c < 1 || c > maxUnrolled {
			return nil, nil
		}
		if n *= int(c); n > maxUnrolled {
			return nil, nil
		}
		frame = append(frame, int(c))
	}
	y = g.name(y)
	for i := range n {
		at, left := make([]tail.Expr, t.Dims()), i
		for axis := len(frame) - 1; axis >= 0; axis-- {
			at[axis] = lit(s.fn, array.ScalarInt(int64(left%frame[axis]+1)))
			left /= frame[axis]
		}
		cells = append(cells, g.op(tail.OpIndex, s, append([]tail.Expr{y}, g.rawArgs(at, s)...)...))
	}
	return cells, frame
}

// mixCells is the array of n cells in a frame.
func (g *infer) mixCells(n int, frame []int, s site, cell func(i int) tail.Expr) tail.Expr {
	t := &tail.Tuple{At: tail.At{Where: s.span()}}
	if len(frame) != 1 {
		t.Shape = append([]int{}, frame...)
	}
	for i := range n {
		t.Elems = append(t.Elems, g.name(cell(i)))
	}
	return g.mixed1(t, s)
}
