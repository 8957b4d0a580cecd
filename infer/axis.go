package infer

import (
	"math"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// axisNumber returns the constant in brackets, counted from 0 where it is an
// axis.
func (g *infer) axisNumber(f *axis) float64 {
	e := g.array(f.k)
	if t := g.arr(e, f.k.at); t.Dims() == 1 && isSingleton(t) {
		if n, ok := integer1(t); ok {
			return float64(n) - float64(g.origin)
		}
		if l, ok := e.(*tail.Lit); ok && l.Value.Elem.Numeric() && l.Value.Elem != array.Complex {
			return l.Value.Double(0) - float64(g.origin)
		}
	}
	k, ok := constant(e)
	if !ok {
		g.needsConstant(diag.NotCompiled, f.k.at, "the axis must be known when compiling")
	}
	return k - float64(g.origin)
}

func integer1(t *tail.Array) (int64, bool) { return t.Value(0).IsConst() }

// oneAxis returns the axis in brackets, which must be one of an array of the
// given type, counted from 0.
func (g *infer) oneAxis(f *axis, t *tail.Array) int {
	k := g.axisNumber(f)
	if k != math.Floor(k) || k < 0 || int(k) >= t.Dims() {
		g.fail(diag.NoAxis, f.k.at, "axis %s of an array of rank %d", f.k.at.Text(), t.Dims())
	}
	return int(k)
}

// axes returns the axes in brackets, counted from 0, which must differ.
func (g *infer) axes(f *axis, t *tail.Array) []int {
	all := g.listedAxes(f, t)
	for i, a := range all {
		if slices.Contains(all[:i], a) {
			g.fail(diag.NoAxis, f.k.at, "axis %d twice", a+g.origin)
		}
	}
	return all
}

// listedAxes returns the axes in brackets, counted from 0.
func (g *infer) listedAxes(f *axis, t *tail.Array) []int {
	e := g.array(f.k)
	te := g.arr(e, f.k.at)
	if te.Dims() == 0 {
		return []int{g.oneAxis(f, t)}
	}
	return g.axesOf(f, te, t.Dims())
}

// axesOf returns the axes of the vector of type te in the brackets of f, counted
// from 0, of arrays of a rank.
func (g *infer) axesOf(f *axis, te *tail.Array, rank int) []int {
	var all []int
	for i := range te.Values {
		n, ok := te.Values[i].IsConst()
		if !ok {
			g.needsConstant(diag.NotCompiled, f.k.at, "the axes must be known when compiling")
		}
		n -= int64(g.origin)
		if n < 0 || int(n) >= rank {
			g.fail(diag.NoAxis, f.k.at, "axis %d of an array of rank %d", n+int64(g.origin), rank)
		}
		all = append(all, int(n))
	}
	if n, ok := te.Extent(0).IsConst(); !ok || int(n) != len(all) {
		g.needsConstant(diag.NotCompiled, f.k.at, "the axes must be known when compiling")
	}
	return all
}

// axisMonadic is f[k] y.
func (g *infer) axisMonadic(f *axis, y tail.Expr, s site) tail.Expr {
	if p, ok := f.f.(*primitive); ok && p.glyph == "↑" {
		s.fn = p.at
		return g.mixAxes(f, y, s)
	}
	if p, ok := f.f.(*primitive); ok && isTuple(y) && strings.Contains("⌽⊖,", p.glyph) {
		s.fn = p.at
		return g.rearrangedBy(p.glyph, func(y tail.Expr) tail.Expr { return g.axisMonadic(f, y, s) }, y, s)
	}
	if h, ok := f.f.(*derived); ok && isTuple(y) && strings.Contains("/⌿\\⍀", h.op) {
		y = g.name(y)
		axis := g.oneAxis(f, tail.TypeOf(g.numbers(y, 1, s)))
		if h.op == "/" || h.op == "⌿" {
			return g.reduce(h, y, axis, s)
		}
		return g.scan(h, y, axis, s)
	}
	t := g.arr(y, s.right)
	switch h := f.f.(type) {
	case *derived:
		switch h.op {
		case "/", "⌿":
			return g.reduce(h, y, g.oneAxis(f, t), s)
		case "\\", "⍀":
			return g.scan(h, y, g.oneAxis(f, t), s)
		}
	case *primitive:
		s.fn = h.at
		switch h.glyph {
		case "⌽", "⊖":
			return g.reverse(y, g.oneAxis(f, t), s)
		case ",":
			return g.ravelAxes(f, y, t, s)
		case "↓", "⊂":
			if e := g.splitAxis(f, y, t, s); e != nil {
				return e
			}
		}
	}
	g.fail(diag.NotCompiled, f.at, "%s with an axis and one argument", describe(f.at))
	return nil
}

// splitAxis is ↓[k]y and ⊂[k]y: the tuple of the arrays along axes; nil where
// their number is not known, or is large.
func (g *infer) splitAxis(f *axis, y tail.Expr, t *tail.Array, s site) tail.Expr {
	places := g.axes(f, t)
	y = g.name(g.op(tail.OpTransp2, s, lit(s.fn, array.VectorInt(axesLast(places, t.Dims()))), y))
	if t.Dims() == 2 && len(places) == 1 {
		return split(g, y, s)
	}
	return g.enclosedCells(y, len(places), s)
}

// enclosedCells is the tuple of the cells of rank k of an array; nil where their
// number is not known, or is large.
func (g *infer) enclosedCells(y tail.Expr, k int, s site) tail.Expr {
	cells, frame := g.fewCells(y, k, s)
	if cells == nil {
		return nil
	}
	return g.mixCells(len(cells), frame, s, func(i int) tail.Expr { return monadicEnclose(g, cells[i], s) })
}

// axesLast returns the left argument of ⍉ that moves axes, counted from 0,
// behind the others of an array of a rank.
func axesLast(places []int, rank int) []int64 {
	order, next := make([]int64, rank), 1
	for i := range order {
		if !slices.Contains(places, i) {
			order[i] = int64(next)
			next++
		}
	}
	for _, k := range places {
		order[k] = int64(next)
		next++
	}
	return order
}

// axisDyadic is x f[k] y.
func (g *infer) axisDyadic(f *axis, x, y tail.Expr, s site) tail.Expr {
	if p, ok := f.f.(*primitive); ok {
		s.fn = p.at
		switch {
		case (isStored(x) || isStored(y)) && strings.Contains(",⍪", p.glyph):
			return g.joinedStored(f, x, y, s)
		case (isTuple(x) || isTuple(y)) && strings.Contains(",⍪", p.glyph):
			return g.joined(p.glyph, func(x, y tail.Expr) tail.Expr { return g.axisDyadic(f, x, y, s) }, x, y, s)
		case !isTuple(x) && isTuple(y) && strings.Contains(rearrangeDyadic, p.glyph):
			return g.rearrangedBy(p.glyph, func(y tail.Expr) tail.Expr { return g.axisDyadic(f, x, y, s) }, y, s)
		}
	}
	t := g.arr(y, s.right)
	switch h := f.f.(type) {
	case *derived:
		switch h.op {
		case "/", "⌿":
			return g.windows(h, x, y, g.oneAxis(f, t), s)
		}
	case *primitive:
		s.fn = h.at
		switch h.glyph {
		case "⌽", "⊖":
			return g.rotate(x, y, g.oneAxis(f, t), s)
		case "/", "⌿":
			return g.replicate(x, y, g.oneAxis(f, t), s)
		case "\\", "⍀":
			return g.expansion(x, y, g.oneAxis(f, t), s)
		case ",", "⍪":
			return g.catenateAxis(f, x, y, s)
		case "↑", "↓":
			return g.takeAxes(h.glyph, f, x, y, t, s)
		case "⌷":
			return g.squadAxes(f, x, y, t, s)
		case "⊂", "⊆":
			return g.partition(h.glyph, x, y, g.oneAxis(f, t), s)
		}
		if isScalarDyadic(h.glyph) {
			return g.scalarAxes(h.glyph, f, x, y, s)
		}
	}
	g.fail(diag.NotCompiled, f.at, "%s with an axis and two arguments", describe(f.at))
	return nil
}

// mixAxes is ↑[k]y of a vector of arrays: k says where the axes of the items
// stand in the result, all of them, or the first where they stand together.
func (g *infer) mixAxes(f *axis, y tail.Expr, s site) tail.Expr {
	z := g.name(g.mixed1(y, s))
	outer, rank := rankOf(y), rankOf(z)
	var places []int
	if te := g.arr(g.array(f.k), f.k.at); te.Dims() == 1 && !isSingleton(te) {
		if places = g.axesOf(f, te, rank); len(places) != rank-outer {
			g.fail(diag.WrongLength, f.k.at, "%d axes for items of rank %d", len(places), rank-outer)
		}
	} else {
		first := int(math.Ceil(g.axisNumber(f)))
		if first < 0 || first > outer {
			g.fail(diag.NoAxis, f.k.at, "axis %s of a result of rank %d", f.k.at.Text(), rank)
		}
		for i := range rank - outer {
			places = append(places, first+i)
		}
	}
	if rank == outer {
		return z
	}
	order, taken := make([]int64, rank), make([]bool, rank)
	for i, k := range places {
		if taken[k] {
			g.fail(diag.NoAxis, f.k.at, "axis %d twice", k+g.origin)
		}
		taken[k] = true
		order[outer+i] = int64(k + 1)
	}
	i := 0
	for k, used := range taken {
		if !used {
			order[i] = int64(k + 1)
			i++
		}
	}
	transpose := func(z tail.Expr) tail.Expr {
		return g.op(tail.OpTransp2, s, lit(s.fn, array.VectorInt(order)), z)
	}
	if isTuple(z) {
		return g.rearrangedBy("↑", transpose, z, s)
	}
	return transpose(z)
}

// rankOf is the rank of an array or a tuple.
func rankOf(e tail.Expr) int {
	t, ok := e.Type().(*tail.TupleType)
	switch {
	case !ok:
		return tail.TypeOf(e).Dims()
	case t.Shape == nil:
		return 1
	case isRowwise(e):
		return 2
	case isRanked(e):
		return t.Shape[1]
	case isColumns(e):
		return 1
	}
	return len(t.Shape)
}

// ravelAxes is ,[k]y: adjacent axes become one; a fraction adds an axis.
func (g *infer) ravelAxes(f *axis, y tail.Expr, t *tail.Array, s site) tail.Expr {
	y = g.name(y)
	shape := g.name(g.shapeOf(y, s))
	extent := func(i int) tail.Expr { return g.op(tail.OpIndex, s, shape, g.intLit(s, i+1)) }
	var items []tail.Expr
	if tail.TypeOf(g.array(f.k)).Dims() == 0 {
		if k := g.axisNumber(f); k != math.Floor(k) {
			at := int(math.Ceil(k))
			if at < 0 || at > t.Dims() {
				g.fail(diag.ArgumentRank, f.k.at, "axis %s of an array of rank %d", f.k.at.Text(), t.Dims())
			}
			for i := range t.Dims() + 1 {
				switch {
				case i < at:
					items = append(items, extent(i))
				case i == at:
					items = append(items, g.intLit(s, 1))
				default:
					items = append(items, extent(i-1))
				}
			}
			return g.op(tail.OpReshape, s, g.vector(s.fn, items, array.Int), y)
		}
	}
	axes := g.raveledAxes(f, t)
	if len(axes) == 0 {
		for i := range t.Dims() {
			items = append(items, extent(i))
		}
		return g.op(tail.OpReshape, s, g.vector(s.fn, append(items, g.intLit(s, 1)), array.Int), y)
	}
	for i, a := range axes {
		if a != axes[0]+i {
			g.fail(diag.WrongLength, f.k.at, "the axes of a ravel must be adjacent and ascending")
		}
	}
	for i := 0; i < t.Dims(); i++ {
		e := extent(i)
		for ; i >= axes[0] && i < axes[len(axes)-1]; i++ {
			e = g.op(tail.OpMulI, s, e, extent(i+1))
		}
		items = append(items, e)
	}
	return g.op(tail.OpReshape, s, g.vector(s.fn, items, array.Int), y)
}

// raveledAxes are the axes in the brackets of ,[k]y, counted from 0.
func (g *infer) raveledAxes(f *axis, t *tail.Array) []int {
	defer func() {
		r := recover()
		if u, ok := r.(unwound); ok && u.err.Kind() == diag.Index {
			u.err.Code = diag.ArgumentRank
		}
		if r != nil {
			panic(r)
		}
	}()
	return g.axes(f, t)
}

// takeAxes is x↑[k]y and x↓[k]y.
func (g *infer) takeAxes(glyph string, f *axis, x, y tail.Expr, t *tail.Array, s site) tail.Expr {
	axes := g.axes(f, t)
	y = g.name(y)
	x = g.name(g.ravel(g.toInt(x), s))
	shape := g.shapeOf(y, s)
	items := make([]tail.Expr, t.Dims())
	for i := range items {
		items[i] = g.intLit(s, 0)
		if glyph == "↑" {
			items[i] = g.op(tail.OpIndex, s, shape, g.intLit(s, i+1))
		}
	}
	if n, ok := tail.TypeOf(x).Extent(0).IsConst(); !ok || int(n) != len(axes) {
		g.fail(diag.WrongLength, s.fn, "the left argument must have one number for each of %d axes", len(axes))
	}
	for i, a := range axes {
		items[a] = g.op(tail.OpIndex, s, x, g.intLit(s, i+1))
	}
	op := tail.OpTake
	if glyph == "↓" {
		op = tail.OpDrop
	}
	return g.op(op, s, g.vector(s.fn, items, array.Int), y)
}

// catenateAxis is x,[k]y: along an axis, or along a new one for a fraction.
func (g *infer) catenateAxis(f *axis, x, y tail.Expr, s site) tail.Expr {
	k := g.axisNumber(f)
	rank := max(g.arr(x, s.left).Dims(), g.arr(y, s.right).Dims())
	if k == math.Floor(k) {
		if k < 0 || int(k) >= rank {
			g.fail(diag.NoAxis, f.k.at, "axis %s of arrays of rank %d", f.k.at.Text(), rank)
		}
		return g.catenate(x, y, int(k), s)
	}
	at := int(math.Ceil(k))
	if at < 0 || at > rank {
		g.fail(diag.NoAxis, f.k.at, "axis %s of arrays of rank %d", f.k.at.Text(), rank)
	}
	if g.mixed(x, y, s) && few(x) && few(y) {
		join := func(x, y tail.Expr) tail.Expr { return g.catenateAxis(f, x, y, s) }
		return g.joined(",", join, x, y, s)
	}
	if rank == 1 && at == 1 && g.mixed(x, y, s) {
		if z := g.joinedColumns(x, y, s); z != nil {
			return z
		}
	}
	x, y = g.same(x, y, s)
	tx, ty := tail.TypeOf(x), tail.TypeOf(y)
	switch {
	case tx.Dims() == ty.Dims():
	case tx.Dims() == 0:
		x, y = g.names2(x, y)
		x = g.op(tail.OpReshape, s, g.shapeOf(y, s), x)
	case ty.Dims() == 0:
		x, y = g.names2(x, y)
		y = g.op(tail.OpReshape, s, g.shapeOf(x, s), y)
	}
	return g.opAxis(tail.OpLaminate, s, at, x, y)
}

// joinedStored is x,[k]y where only the run knows how many items one has: x,y, or two columns
// side by side for a new last axis.
func (g *infer) joinedStored(f *axis, x, y tail.Expr, s site) tail.Expr {
	k, vectors := g.axisNumber(f), max(rankOf(x), rankOf(y)) == 1
	switch {
	case vectors && k == 0:
		return g.dyadic(&primitive{glyph: ",", at: s.fn}, x, y, s)
	case vectors && k > 0 && k < 1:
		if z := g.joinedColumns(x, y, s); z != nil {
			return z
		}
	}
	g.fail(diag.NestedArrays, s.fn, "%s with an axis of a nested array whose number of items is not known", describe(s.fn))
	return nil
}

// scalarAxes is x f[k] y of a scalar function: the axes of the argument of
// lower rank, the left one where both have the same rank, are those axes of the
// other.
func (g *infer) scalarAxes(glyph string, f *axis, x, y tail.Expr, s site) tail.Expr {
	x, y = g.names2(x, y)
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	low, high := x, y
	if tx.Dims() > ty.Dims() {
		low, high = y, x
	}
	tl, th := tail.TypeOf(low), tail.TypeOf(high)
	axes := g.listedAxes(f, th)
	if tl.Dims() == 0 {
		return g.scalarDyadic(glyph, x, y, s)
	}
	if len(axes) != tl.Dims() {
		g.fail(diag.ArgumentRank, f.k.at, "%d axes for an array of rank %d", len(axes), tl.Dims())
	}
	for i, a := range axes {
		if slices.Contains(axes[:i], a) {
			g.fail(diag.WrongRank, f.k.at, "axis %d twice", a+g.origin)
		}
		if tl.Extent(i).Differ(th.Extent(a)) {
			g.faultOf([]tail.Expr{x, y}, tail.FaultShapes, s, extents(tx), extents(ty), tail.ConstSize(int64(a+1)))
		}
	}
	low = g.spreadAxes(low, high, axes, s)
	if tx.Dims() > ty.Dims() {
		return g.scalarDyadic(glyph, high, low, s)
	}
	return g.scalarDyadic(glyph, low, high, s)
}

// spreadAxes repeats low, whose axes are the given axes of high, along the other
// axes of high: it is reshaped to these before its own, and transposed. Where an
// extent of low may differ from that of high, it is tested when the program runs.
func (g *infer) spreadAxes(low, high tail.Expr, axes []int, s site) tail.Expr {
	n := tail.TypeOf(high).Dims()
	shape := g.shapeOf(high, s)
	var others []int
	for i := range n {
		if !slices.Contains(axes, i) {
			others = append(others, i)
		}
	}
	items, axisOf := make([]tail.Expr, n), make([]int64, n)
	for i, a := range append(others, axes...) {
		items[i] = g.op(tail.OpIndex, s, shape, g.intLit(s, a+1))
		if k := i - len(others); k >= 0 && !tail.TypeOf(low).Extent(k).Equal(tail.TypeOf(high).Extent(a)) {
			items[i] = g.sameExtent(g.extentOf(low, k, s), items[i], s)
		}
		axisOf[i] = int64(a + 1)
	}
	wide := g.op(tail.OpReshape, s, g.vector(s.fn, items, array.Int), low)
	return g.op(tail.OpTransp2, s, lit(s.fn, array.VectorInt(axisOf)), wide)
}

// sameExtent is the extent m of an axis, which must be n.
func (g *infer) sameExtent(n, m tail.Expr, s site) tail.Expr {
	return g.fromPrelude(g.preludeClosure("sameextent"), n, m, s)
}
