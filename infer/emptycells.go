package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Operators that apply their operand to cells give an array without cells where there
// are none. What the operand gives for cells of prototypes says of which shape the
// cells would be, also where no type does:
//
//	⍴⊢⌸''                  0 0   for ' '⊢⍬ is empty
//	⍴{⍵⍪⍵}⍤2⊢0 2 3⍴0       0 4 3

// noCells is the array of cells like r that has some extents, one of them 0, before
// those of r; r was applied to prototypes. It is nil where r is nested.
func (g *infer) noCells(frame []tail.Expr, r tail.Expr, s site) tail.Expr {
	r = g.name(r)
	t, simple := r.Type().(*tail.Array)
	if !simple {
		g.effect(r)
		return nil
	}
	fill := array.New(t.Elem)
	if t.Elem == array.Char {
		fill = array.ScalarChar(' ')
	}
	shape := append([]tail.Expr{}, frame...)
	for i := range t.Dims() {
		shape = append(shape, g.extentOf(r, i, s))
	}
	return g.op(tail.OpReshape, s, g.vector(s.fn, shape, array.Int), lit(s.fn, fill))
}

// frameOf are the first n extents of y.
func (g *infer) frameOf(y tail.Expr, n int, s site) []tail.Expr {
	frame := make([]tail.Expr, n)
	for i := range frame {
		frame[i] = g.extentOf(y, i, s)
	}
	return frame
}

// cellsOfNone is f⍤k y where y is known to have no cells of rank k; nil otherwise. It
// returns y, too.
func (g *infer) cellsOfNone(f function, y tail.Expr, k int, s site) (z, named tail.Expr) {
	t := tail.TypeOf(y)
	if !g.perPrototype(f) || !none(t, t.Dims()-k) {
		return nil, y
	}
	c := g.prototypeCell(cell(t, k), s)
	if c == nil {
		return nil, y
	}
	y = g.name(y)
	return g.noCells(g.frameOf(y, t.Dims()-k, s), g.monadic(f, c, s), s), y
}

// pairsOfNone is x f⍤k l y where both have cells of rank k and l, and are known to
// have none; nil otherwise. It returns x and y, too.
func (g *infer) pairsOfNone(f function, x, y tail.Expr, k, l int, s site) (z, left, right tail.Expr) {
	tx, ty := tail.TypeOf(x), tail.TypeOf(y)
	frame := tx.Dims() - k
	if !g.perPrototype(f) || frame != ty.Dims()-l || !none(tx, frame) {
		return nil, x, y
	}
	for i := range frame {
		if !tx.Extent(i).Equal(ty.Extent(i)) {
			return nil, x, y
		}
	}
	a, b := g.prototypeCell(cell(tx, k), s), g.prototypeCell(cell(ty, l), s)
	if a == nil || b == nil {
		return nil, x, y
	}
	x, y = g.names2(x, y)
	return g.noCells(g.frameOf(x, frame, s), g.dyadic(f, a, b, s), s), x, y
}

// keysOfNone is f⌸y and x f⌸y where there is known to be no key; nil otherwise. The
// operand gets a prototype, and no positions or no cells. It returns x and y, too.
func (g *infer) keysOfNone(f function, x, y tail.Expr, s site) (z, left, right tail.Expr) {
	keys := y
	if x != nil {
		keys = x
	}
	if isTuple(keys) || isTuple(y) || !g.perPrototype(f) {
		return nil, x, y
	}
	t := tail.TypeOf(keys)
	if t.Dims() == 0 || tail.TypeOf(y).Dims() == 0 || !none(t, 1) || !none(tail.TypeOf(y), 1) {
		return nil, x, y
	}
	key := g.prototypeCell(cell(t, t.Dims()-1), s)
	if key == nil {
		return nil, x, y
	}
	group := tail.Expr(lit(s.fn, array.VectorInt(nil)))
	if x == nil {
		y = g.name(y)
	} else {
		x, y = g.names2(x, y)
		group = y
	}
	return g.noCells([]tail.Expr{g.intLit(s, 0)}, g.dyadic(f, key, group, s), s), x, y
}

// keysWhereNone is keysOfNone where it is known only when the program runs whether
// there is a key. It returns the arguments.
func (g *infer) keysWhereNone(f function, x, y tail.Expr, s site) (tail.Expr, tail.Expr) {
	keys := y
	if x != nil {
		keys = x
	}
	if isTuple(keys) || isTuple(y) {
		return x, y
	}
	t := tail.TypeOf(keys)
	if t.Dims() == 0 || tail.TypeOf(y).Dims() == 0 || !mayBeNone(t, 1) {
		return x, y
	}
	args := []*tail.Expr{&x, &y}
	if x == nil {
		args = args[1:]
	}
	g.whereNone(f, args, func() tail.Expr { return g.extentOf(*args[0], 0, s) }, func(zero tail.Expr) {
		group := y
		if x == nil {
			group = g.filled(tail.Ranked(array.Int, 1), []tail.Expr{zero}, zero, s)
		}
		g.effect(g.dyadic(f, g.prototypesLike(*args[0], 1, zero, s), group, s))
	}, s)
	return x, y
}

// stencilOfNone is what f⌺ does where y is known to have no windows of some sizes: f
// gets a window of fill elements without padding. It returns y.
func (g *infer) stencilOfNone(f function, y tail.Expr, sizes []int64, s site) tail.Expr {
	t := tail.TypeOf(y)
	if !g.perPrototype(f) || !none(t, len(sizes)) {
		return g.stencilWhereNone(f, y, sizes, s)
	}
	extents := make([]tail.Size, t.Dims())
	for i := range extents {
		if extents[i] = t.Extent(i); i < len(sizes) {
			extents[i] = tail.ConstSize(sizes[i])
		}
	}
	window := g.prototypeCell(tail.Shaped(t.Elem, extents...), s)
	if window == nil {
		return y
	}
	y = g.name(y)
	g.effect(g.dyadic(f, lit(s.fn, array.VectorInt(make([]int64, len(sizes)))), window, s))
	return y
}

// stencilWhereNone is stencilOfNone where it is known only when the program runs
// whether y has windows.
func (g *infer) stencilWhereNone(f function, y tail.Expr, sizes []int64, s site) tail.Expr {
	t := tail.TypeOf(y)
	if !mayBeNone(t, len(sizes)) {
		return y
	}
	g.whereNone(f, []*tail.Expr{&y}, func() tail.Expr { return g.countOfFrame(y, len(sizes), s) }, func(zero tail.Expr) {
		shape := g.frameOf(y, t.Dims(), s)
		for i, n := range sizes {
			shape[i] = g.intLit(s, int(n))
		}
		window := g.filled(t, shape, zero, s)
		g.effect(g.dyadic(f, lit(s.fn, array.VectorInt(make([]int64, len(sizes)))), window, s))
	}, s)
	return y
}
