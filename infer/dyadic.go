package infer

import (
	"fmt"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

func init() {
	last := func(f func(g *infer, x, y tail.Expr, axis int, s site) tail.Expr, last bool) dyadicForm {
		return func(g *infer, x, y tail.Expr, s site) tail.Expr { return f(g, x, y, g.edge(y, last, s), s) }
	}
	dyadics = map[string]dyadicForm{
		"⊂":  partitioned,
		"⊆":  parted,
		"⊢":  func(g *infer, x, y tail.Expr, s site) tail.Expr { y = g.name(y); g.effect(x); return y },
		"⊣":  func(g *infer, x, y tail.Expr, s site) tail.Expr { g.effect(y); return x },
		"⍴":  dyadicReshape,
		",":  func(g *infer, x, y tail.Expr, s site) tail.Expr { return g.catenateEdge(x, y, true, s) },
		"⍪":  func(g *infer, x, y tail.Expr, s site) tail.Expr { return g.catenateEdge(x, y, false, s) },
		"⌽":  last((*infer).rotate, true),
		"⊖":  last((*infer).rotate, false),
		"⍉":  dyadicTranspose,
		"↑":  dyadicTake,
		"↓":  dyadicDrop,
		"⊃":  dyadicPick,
		"⌷":  func(g *infer, x, y tail.Expr, s site) tail.Expr { return g.squadArray(x, y, s) },
		"/":  last((*infer).replicate, true),
		"⌿":  last((*infer).replicate, false),
		"\\": last((*infer).expansion, true),
		"⍀":  last((*infer).expansion, false),
		"∊":  dyadicMember,
		"⍳":  dyadicIndexOf,
		"⍸":  dyadicInterval,
		"⍷":  dyadicFind,
		"∪":  dyadicUnion,
		"∩":  dyadicIntersection,
		"~":  dyadicWithout,
		"≡":  func(g *infer, x, y tail.Expr, s site) tail.Expr { return g.match(x, y, s) },
		"≢":  func(g *infer, x, y tail.Expr, s site) tail.Expr { return g.op(tail.OpNotB, s, g.match(x, y, s)) },
		"⊥":  func(g *infer, x, y tail.Expr, s site) tail.Expr { return g.radix(tail.OpDecode, x, y, s) },
		"⊤":  func(g *infer, x, y tail.Expr, s site) tail.Expr { return g.radix(tail.OpEncode, x, y, s) },
		"⌹":  dyadicDivide,
		"?":  dyadicDeal,
		"⍕":  dyadicFormat,
		"⍋":  func(g *infer, x, y tail.Expr, s site) tail.Expr { return g.collate(tail.OpGradeUp, x, y, s) },
		"⍒":  func(g *infer, x, y tail.Expr, s site) tail.Expr { return g.collate(tail.OpGradeDown, x, y, s) },
	}
}

func dyadicReshape(g *infer, x, y tail.Expr, s site) tail.Expr {
	g.arr(y, s.right)
	if g.arr(x, s.left).Dims() > 1 {
		g.failFix(diag.ArgumentRank, s.fn, exchange(describe(s.fn)), "the left argument of ⍴ has rank %d", tail.TypeOf(x).Dims())
	}
	return g.op(tail.OpReshape, s, g.ravel(g.toInt(x), s), y)
}

// catenateEdge is x,y along the last axis, or x⍪y along the first.
func (g *infer) catenateEdge(x, y tail.Expr, last bool, s site) tail.Expr {
	n := max(g.arr(x, s.left).Dims(), g.arr(y, s.right).Dims())
	axis := 0
	if last && n > 0 {
		axis = n - 1
	}
	return g.catenate(x, y, axis, s)
}

// catenate joins along an axis. An argument of rank one less is a cell, a
// scalar stands for a cell of equal elements. Characters and numbers become a
// tuple, if they are few.
func (g *infer) catenate(x, y tail.Expr, axis int, s site) tail.Expr {
	if g.mixed(x, y, s) {
		x, y = g.retyped(x, y), g.retyped(y, x)
	}
	if g.mixed(x, y, s) && few(x) && few(y) {
		join := func(x, y tail.Expr) tail.Expr { return g.catenate(x, y, axis, s) }
		return g.joined(",", join, x, y, s)
	}
	if rank := max(tail.TypeOf(x).Dims(), tail.TypeOf(y).Dims()); axis == 1 && rank == 2 && g.mixed(x, y, s) {
		if z := g.joinedColumns(x, y, s); z != nil {
			return z
		}
	}
	x, y = g.same(x, y, s)
	tx, ty := tail.TypeOf(x), tail.TypeOf(y)
	nx, ny := tx.Dims(), ty.Dims()
	switch {
	case nx == 0 && ny == 0:
		return g.vector(s.span(), []tail.Expr{x, y}, tx.Elem)
	case nx == ny:
		return g.opAxis(tail.OpCat, s, axis, x, y)
	case nx == 0 && ny > 1:
		x, y = g.names2(x, y)
		x = g.fillCell(x, y, axis, s)
		nx = ny - 1
	case ny == 0 && nx > 1:
		x, y = g.names2(x, y)
		y = g.fillCell(y, x, axis, s)
		ny = nx - 1
	}
	switch {
	case nx == ny-1:
		return g.opAxis(tail.OpCons, s, axis, x, y)
	case ny == nx-1:
		return g.opAxis(tail.OpSnoc, s, axis, x, y)
	}
	g.faultOf([]tail.Expr{x, y}, tail.FaultRanks, s, extents(tx), extents(ty))
	return nil
}

// retyped gives e the element type of other, where e is known to be empty.
func (g *infer) retyped(e, other tail.Expr) tail.Expr {
	t := tail.TypeOf(e)
	shape, ok := constShape(t)
	if !ok || !isEmpty(t) {
		return e
	}
	g.effect(e)
	return lit(e.Span(), array.New(tail.TypeOf(other).Elem, shape...))
}

// fillCell repeats a scalar to a cell of y across an axis.
func (g *infer) fillCell(x, y tail.Expr, axis int, s site) tail.Expr {
	shape := g.name(g.shapeOf(y, s))
	var items []tail.Expr
	for i := range tail.TypeOf(y).Dims() {
		if i != axis {
			items = append(items, g.op(tail.OpIndex, s, shape, g.intLit(s, i+1)))
		}
	}
	return g.op(tail.OpReshape, s, g.vector(s.fn, items, array.Int), x)
}

// rotate is x⌽y along an axis; axis is -1 for a scalar.
func (g *infer) rotate(x, y tail.Expr, axis int, s site) tail.Expr {
	x = g.toInt(x)
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	if ty.Dims() == 0 && isSingleton(tx) {
		return dyadics["⊢"](g, x, y, s)
	}
	if ty.Dims() == 0 { // there must be one count
		return g.firstOf(g.rotate(g.ravel(x, s), g.ravel(y, s), 0, s), s)
	}
	if isSingleton(tx) {
		return g.opAxis(tail.OpRotate, s, axis, g.firstOf(x, s), y)
	}
	if tx.Dims() == 1 && oneForAllKnown(tx) && ty.Dims() <= 2 {
		x, y = g.names2(x, y)
		if ty.Dims() == 1 {
			return g.opAxis(tail.OpRotate, s, axis, g.op(tail.OpOnly, s, x, g.shapeOf(y, s)), y)
		}
		others := g.op(tail.OpIndex, s, g.shapeOf(y, s), g.intLit(s, 2-axis))
		return g.opAxis(tail.OpRotateM, s, axis, g.opAxis(tail.OpStretch, s, 0, others, x), y)
	}
	if tx.Dims() != ty.Dims()-1 {
		g.faultOf([]tail.Expr{x, y}, tail.FaultRanks, s, extents(tx), extents(ty))
	}
	return g.opAxis(tail.OpRotateM, s, axis, x, y)
}

func dyadicTranspose(g *infer, x, y tail.Expr, s site) tail.Expr {
	x = g.ravel(g.inward(g.toInt(x), s), s)
	t := g.arr(y, s.right)
	if n, ok := tail.TypeOf(x).Extent(0).IsConst(); ok && int(n) != t.Dims() {
		g.faultOf([]tail.Expr{x, y}, tail.FaultTakeLength, s, tail.ConstSize(n), extents(t))
	}
	if l := known(x, s.left); l != nil {
		y = g.ordered(y, x)
		g.effect(x)
		x = l
	}
	if _, constant := g.permutation(x); !constant && g.frame == g.root && (t.Dims() == 2 || t.Dims() == 3) {
		return g.fromPrelude(g.preludeClosure(fmt.Sprint("reorder", t.Dims())), x, y, s)
	}
	return g.op(tail.OpTransp2, s, x, y)
}

// permutation returns the elements of an integer vector where all are known.
func (g *infer) permutation(x tail.Expr) ([]int64, bool) {
	if a := g.value(x); a != nil && a.Elem == array.Int {
		return a.Ints, true
	}
	t := tail.TypeOf(x)
	all := make([]int64, len(t.Values))
	for i, v := range t.Values {
		n, ok := v.IsConst()
		if !ok {
			return nil, false
		}
		all[i] = n
	}
	return all, t.Values != nil
}

// known returns the constant that an integer vector is known to be, or nil.
func known(x tail.Expr, at diag.Span) tail.Expr {
	t := tail.TypeOf(x)
	if _, ok := x.(*tail.Lit); ok || t.Values == nil || t.Dims() != 1 || t.Elem != array.Int {
		return nil
	}
	items := make([]int64, len(t.Values))
	for i, v := range t.Values {
		n, ok := v.IsConst()
		if !ok {
			return nil
		}
		items[i] = n
	}
	return lit(at, array.VectorInt(items))
}

// leading gives a scalar as many axes of length 1 as x has counts.
func (g *infer) leading(x, y tail.Expr, s site) (tail.Expr, tail.Expr) {
	x = g.toInt(x)
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	if tx.Dims() > 1 {
		g.failFix(diag.ArgumentRank, s.fn, exchange(describe(s.fn)), "the left argument has rank %d", tx.Dims())
	}
	if ty.Dims() > 0 {
		return x, y
	}
	n := int64(1)
	if tx.Dims() == 1 {
		var ok bool
		if n, ok = tx.Extent(0).IsConst(); !ok {
			g.needsConstant(diag.NotCompiled, s.fn, "the rank of the result is the length of the left argument, which is not known")
		}
	}
	ones := make([]int64, n)
	for i := range ones {
		ones[i] = 1
	}
	x, y = g.names2(x, y)
	return x, g.op(tail.OpReshape, s, lit(s.fn, array.VectorInt(ones)), y)
}

func dyadicTake(g *infer, x, y tail.Expr, s site) tail.Expr {
	x, y = g.leading(x, y, s)
	return g.op(tail.OpTake, s, x, y)
}

func dyadicDrop(g *infer, x, y tail.Expr, s site) tail.Expr {
	x, y = g.leading(x, y, s)
	return g.op(tail.OpDrop, s, x, y)
}

// dyadicPick is k⊃y: the element of a vector, or with a vector k of as many
// numbers as it has items, refused.
func dyadicPick(g *infer, x, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	tx := g.arr(x, s.left)
	if tx.Dims() > 1 {
		g.fail(diag.ArgumentRank, s.fn, "the left argument of ⊃ has rank %d", tx.Dims())
	}
	if n, ok := countOf(tx).IsConst(); ok && n == 0 {
		g.effect(x)
		return y
	} else if ok && n > 1 {
		g.fail(diag.WrongRank, s.fn, "⊃ with %d indices reaches further than the items", n)
	}
	if t.Dims() != 1 {
		g.failFix(diag.ArgumentRank, s.fn, "enclose the index: (⊂1 2)⊃y, or y[1;2]", "⊃ with an index into an array of rank %d", t.Dims())
	}
	k := g.single(x, s, "the left argument of ⊃")
	k = g.inward(g.toInt(k), s)
	if z := g.chosenScalar(y, k, s); z != nil {
		return z
	}
	return g.op(tail.OpIndex, s, y, k)
}

// squadArray is x⌷y for a simple x: an index for each of the leading axes.
func (g *infer) squadArray(x, y tail.Expr, s site) tail.Expr {
	t := g.arr(x, s.left)
	switch t.Dims() {
	case 0:
		return g.squad([]tail.Expr{x}, y, s)
	case 1:
		n, ok := t.Extent(0).IsConst()
		ty := g.arr(y, s.right)
		switch {
		case ok:
		case g.general > 0:
			g.needsConstant(diag.NotCompiled, s.fn, "the rank of the result of ⌷ depends on the length of its left argument, which is not known")
		default:
			n = int64(ty.Dims())
			x = g.fromPrelude(g.preludeClosure("allaxes"), g.intLit(s, int(n)), g.name(x), s)
		}
		if n > int64(ty.Dims()) {
			g.tooManyIndices(int(n), ty, s)
		}
		x, y = g.names2(x, y)
		return g.squad(g.spread(x, int(n), s.left), y, s)
	}
	g.fail(diag.ArgumentRank, s.fn, "the left argument of ⌷ has rank %d", t.Dims())
	return nil
}

// tooManyIndices reports that ⌷ has n indices, of an array with fewer axes.
func (g *infer) tooManyIndices(n int, t *tail.Array, s site) {
	g.fail(diag.WrongLength, s.fn, "%s for an array of rank %d", diag.Count(n, "index", "indices"), t.Dims())
}

// squad indexes the leading axes of y.
func (g *infer) squad(items []tail.Expr, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	if len(items) > t.Dims() {
		g.tooManyIndices(len(items), t, s)
	}
	all := make([]tail.Expr, t.Dims())
	copy(all, items)
	if t.Dims() == 0 {
		return y
	}
	for i, item := range items {
		all[i] = g.ordered(item, y)
	}
	return g.index(y, all, s)
}

// replicate is x/y along an axis: compress for truth values.
func (g *infer) replicate(x, y tail.Expr, axis int, s site) tail.Expr {
	g.arr(x, s.left)
	x = truth(x)
	tx, ty := tail.TypeOf(x), g.arr(y, s.right)
	if tx.Dims() > 1 {
		g.failFix(diag.ArgumentRank, s.fn, exchange(describe(s.fn)), "the left argument of / has rank %d", tx.Dims())
	}
	op := tail.OpReplicate
	if tx.Elem == array.Bool {
		op = tail.OpCompress
	} else {
		x = g.toInt(x)
	}
	x, y = g.conform(x, y, tx, ty, axis, s)
	return g.opAxis(op, s, max(axis, 0), x, y)
}

// conform extends the left argument of replicate to the axis of the right one,
// or a right argument with one item to the length of the left one.
func (g *infer) conform(x, y tail.Expr, tx, ty *tail.Array, axis int, s site) (tail.Expr, tail.Expr) {
	if ty.Dims() == 0 {
		if tx.Dims() == 0 {
			x, y = g.names2(x, y)
			return g.ravel(x, s), g.ravel(y, s)
		}
		x, y = g.names2(x, y)
		return x, g.op(tail.OpReshape, s, g.op(tail.OpShape, s, x), y)
	}
	one, known := ty.Extent(axis).IsConst()
	single := known && one == 1
	if isSingleton(tx) && !single {
		x, y = g.names2(x, y)
		extent := g.op(tail.OpIndex, s, g.shapeOf(y, s), g.intLit(s, axis+1))
		return g.op(tail.OpReshape, s, g.ravel(extent, s), x), y
	}
	if tx.Dims() == 0 {
		return g.ravel(x, s), y
	}
	if n, ok := tx.Extent(0).IsConst(); single && (!ok || n != 1) {
		x, y = g.names2(x, y)
		ones := g.op(tail.OpReshape, s, g.op(tail.OpShape, s, x), g.intLit(s, 1))
		items := make([]tail.Expr, ty.Dims())
		items[axis] = ones
		return x, g.op(tail.OpIndex, s, append([]tail.Expr{y}, g.rawArgs(items, s)...)...)
	}
	if tx.Extent(0).Equal(ty.Extent(axis)) || tx.Extent(0).Known() && ty.Extent(axis).Known() {
		return x, y
	}
	x, y = g.names2(x, y)
	n, m := g.op(tail.OpTally, s, x), g.op(tail.OpIndex, s, g.shapeOf(y, s), g.intLit(s, axis+1))
	return g.stretchedTo(m, x, 0, s), g.stretchedTo(n, y, axis, s)
}

// rawArgs returns index arguments, which are counted from 1; nil is elided.
func (g *infer) rawArgs(items []tail.Expr, s site) []tail.Expr {
	args := make([]tail.Expr, len(items))
	for i, item := range items {
		if args[i] = item; item == nil {
			args[i] = g.op(tail.OpAll, s)
		}
	}
	return args
}

// expansion is x\y along an axis.
func (g *infer) expansion(x, y tail.Expr, axis int, s site) tail.Expr {
	x = g.toInt(x)
	tx := g.arr(x, s.left)
	if tx.Dims() > 1 {
		g.fail(diag.ArgumentRank, s.fn, "the left argument of \\ has rank %d", tx.Dims())
	}
	if g.arr(y, s.right).Dims() == 0 {
		x, y = g.names2(x, y)
		positive := g.scalarDyadic(">", x, g.intLit(s, 0), s)
		n := g.reduce(&derived{op: "/", left: operand{fn: &primitive{glyph: "+", at: s.fn}}, at: s.fn}, g.ravel(positive, s), 0, s)
		y = g.op(tail.OpReshape, s, g.ravel(g.toInt(n), s), y)
		axis = 0
	}
	return g.opAxis(tail.OpExpand, s, axis, g.ravel(x, s), y)
}

// answers returns an array of y's shape with every element a.
func (g *infer) answers(y tail.Expr, a *array.Array, s site) tail.Expr {
	return g.each(y, s, func(tail.Expr) tail.Expr { return lit(s.fn, a) })
}

// mixed reports whether one of two arguments is of characters and the other
// is not; elements of such arrays are never equal.
func (g *infer) mixed(x, y tail.Expr, s site) bool {
	return (g.arr(x, s.left).Elem == array.Char) != (g.arr(y, s.right).Elem == array.Char)
}

// radix is x⊤y and x⊥y.
func (g *infer) radix(op tail.Op, x, y tail.Expr, s site) tail.Expr {
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	if tx.Elem == array.Complex || ty.Elem == array.Complex {
		g.noExact(op.Row().Glyph, op, s)
	}
	x, y = g.numbered(x, y)
	if tail.TypeOf(x).Elem == array.Char || tail.TypeOf(y).Elem == array.Char {
		g.perhapsNone(tx, s)
		g.failCharacters(ty, s, "digits of characters")
	}
	x, y = g.same(x, y, s)
	if tail.TypeOf(x).Elem == array.Bool {
		x, y = g.toInt(x), g.toInt(y)
	}
	return g.op(op, s, x, y)
}

// dyadicDivide is x⌹y.
func dyadicDivide(g *infer, x, y tail.Expr, s site) tail.Expr {
	if g.arr(x, s.left).Elem == array.Complex || g.arr(y, s.right).Elem == array.Complex {
		x, y = g.toComplex(x), g.toComplex(y)
	} else {
		x, y = g.toDouble(x), g.toDouble(y)
	}
	x, y = g.names2(x, y)
	g.tallEnough(y, s)
	switch tx, ty := tail.TypeOf(x), tail.TypeOf(y); {
	case tx.Dims() == 0 && ty.Dims() == 0:
		return g.fromPrelude(g.preludeClosure("scalarsolution"), x, y, s)
	case ty.Dims() == 1 && tx.Dims() == 1:
		x, y = g.names2(x, y)
		return g.op(tail.OpFirst, s, g.op(tail.OpMatDiv, s, x, monadicTable(g, y, s)))
	case ty.Dims() == 1 && tx.Dims() == 2:
		x, y = g.names2(x, y)
		return g.op(tail.OpIndex, s, g.rawArgs([]tail.Expr{g.op(tail.OpMatDiv, s, x, monadicTable(g, y, s)), g.intLit(s, 1), nil}, s)...)
	}
	return g.op(tail.OpMatDiv, s, x, y)
}

func dyadicDeal(g *infer, x, y tail.Expr, s site) tail.Expr {
	n := g.toInt(g.single(y, s, "the right argument of ?"))
	k := g.toInt(g.single(x, s, "the left argument of ?"))
	return g.outward(g.op(tail.OpDeal, s, k, n), s)
}

func dyadicFormat(g *infer, x, y tail.Expr, s site) tail.Expr {
	if g.arr(y, s.right).Elem == array.Char {
		g.fail(diag.Characters, s.fn, "⍕ of characters with a width")
	}
	if g.arr(y, s.right).Elem == array.Complex {
		y = g.coerce(y, array.Double)
	}
	tx, ty := g.arr(x, s.left), tail.TypeOf(y)
	if tx.Dims() > 1 {
		g.fail(diag.ArgumentRank, s.fn, "the left argument of ⍕ has rank %d", tx.Dims())
	}
	columns := tail.ConstSize(1)
	if ty.Dims() > 0 {
		columns = ty.Extent(ty.Dims() - 1)
	}
	if n, ok := countOf(tx).IsConst(); ok && n != 1 && n != 2 && columns.Times(2).Differ(tail.ConstSize(n)) {
		g.faultOf([]tail.Expr{x, y}, tail.FaultTakeLength, s, tail.ConstSize(n), extents(ty))
	}
	s.left = diag.Span{} // a fault names the glyph, as compiled code does
	return g.op(tail.OpFormatBy, s, g.ravel(g.toInt(x), s), y)
}
