package infer

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

func init() {
	monadics = map[string]monadicForm{
		"⊢": func(g *infer, y tail.Expr, s site) tail.Expr { return y },
		"⊣": func(g *infer, y tail.Expr, s site) tail.Expr { return y },
		"⌷": func(g *infer, y tail.Expr, s site) tail.Expr { return y },
		"↑": func(g *infer, y tail.Expr, s site) tail.Expr { return y },
		"⍳": monadicIota,
		"⍴": func(g *infer, y tail.Expr, s site) tail.Expr { return g.shapeOf(y, s) },
		"≢": func(g *infer, y tail.Expr, s site) tail.Expr { return g.op(tail.OpTally, s, y) },
		",": func(g *infer, y tail.Expr, s site) tail.Expr { return g.ravel(y, s) },
		"∊": func(g *infer, y tail.Expr, s site) tail.Expr { return g.ravel(y, s) },
		"⍪": monadicTable,
		"⌽": func(g *infer, y tail.Expr, s site) tail.Expr { return g.reverse(y, g.edge(y, true, s), s) },
		"⊖": func(g *infer, y tail.Expr, s site) tail.Expr { return g.reverse(y, g.edge(y, false, s), s) },
		"⍉": monadicTranspose,
		"⊃": monadicFirst,
		"⊂": monadicEnclose,
		"≡": monadicDepth,
		"∪": monadicUnique,
		"⍸": monadicWhere,
		"⍋": monadicGradeUp,
		"⍒": monadicGradeDown,
		"⌹": monadicInverse,
		"⍕": monadicFormat,
		"⍎": monadicExecute,
		"≠": monadicUniqueMask,
		"↓": split,
		"⊆": nest,
	}
}

// ravel is ,y.
func (g *infer) ravel(y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	switch t.Dims() {
	case 0:
		return g.vector(s.span(), []tail.Expr{y}, t.Elem)
	case 1:
		return y
	}
	return g.op(tail.OpRavel, s, y)
}

// shapeOf is ⍴y.
// ravelScalar is a scalar, enclosed or simple, as a vector; other arrays stay.
func (g *infer) ravelScalar(y tail.Expr, s site) tail.Expr {
	switch {
	case isEnclosed(y):
		return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: g.items(y)}
	case !isTuple(y) && tail.TypeOf(y).Dims() == 0:
		return g.ravel(y, s)
	}
	return y
}

func (g *infer) shapeOf(y tail.Expr, s site) tail.Expr {
	if g.arr(y, s.right).Dims() == 0 {
		g.effect(y)
		return lit(s.fn, array.VectorInt([]int64{}))
	}
	return g.op(tail.OpShape, s, y)
}

func monadicIota(g *infer, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	if t.Elem == array.Char {
		g.failCharacters(t, s, "⍳ of characters")
	}
	if t.Dims() > 1 {
		g.fail(diag.ArgumentRank, s.fn, "⍳ of an array of rank %d", t.Dims())
	}
	if t.Dims() == 1 && !isSingleton(t) {
		if _, ok := t.Extent(0).IsConst(); !ok {
			g.needsConstant(diag.NotCompiled, s.fn, "⍳ of a vector whose length is not known")
		}
		if e := g.coordinates(y, s); e != nil {
			return e
		}
		g.refuse(diag.NotCompiled, "⍳", "with a vector of several extents", s)
	}
	n := g.toInt(g.single(y, s, "the argument of ⍳"))
	return g.outward(g.op(tail.OpIota, s, n), s)
}

// monadicTable is ⍪y: a matrix of the ravels of the major cells.
func monadicTable(g *infer, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	y = g.name(y)
	shape := []tail.Expr{g.intLit(s, 1), g.intLit(s, 1)}
	if t.Dims() > 0 {
		shape[0] = g.op(tail.OpTally, s, y)
	}
	if t.Dims() > 1 {
		rest := g.op(tail.OpDrop, s, g.vector(s.fn, []tail.Expr{g.intLit(s, 1)}, array.Int), g.op(tail.OpShape, s, y))
		shape[1] = g.reduce(&derived{op: "/", left: operand{fn: &primitive{glyph: "×", at: s.fn}}, at: s.fn}, rest, 0, s)
	}
	return g.op(tail.OpReshape, s, g.vector(s.fn, shape, array.Int), y)
}

// reverse reverses along an axis; axis is -1 for a scalar.
func (g *infer) reverse(y tail.Expr, axis int, s site) tail.Expr {
	if g.arr(y, s.right).Dims() == 0 {
		return y
	}
	return g.opAxis(tail.OpReverse, s, axis, y)
}

func monadicTranspose(g *infer, y tail.Expr, s site) tail.Expr {
	if g.arr(y, s.right).Dims() < 2 {
		return y
	}
	return g.op(tail.OpTransp, s, y)
}

func monadicFirst(g *infer, y tail.Expr, s site) tail.Expr {
	if g.arr(y, s.right).Dims() == 0 {
		return y
	}
	return g.op(tail.OpFirst, s, y)
}

// monadicEnclose is ⊂y: a simple scalar is its own enclosure, anything else a
// tuple of one item.
func monadicEnclose(g *infer, y tail.Expr, s site) tail.Expr {
	if t, ok := y.Type().(*tail.Array); ok && t.Dims() == 0 {
		return y
	}
	return enclosure(g.name(y), s)
}

// monadicDepth is ≡y: 0 for scalars, 1 for other simple arrays.
func monadicDepth(g *infer, y tail.Expr, s site) tail.Expr {
	d := min(1, g.arr(y, s.right).Dims())
	g.effect(y)
	return g.intLit(s, d)
}

func monadicUnique(g *infer, y tail.Expr, s site) tail.Expr {
	switch g.arr(y, s.right).Dims() {
	case 0:
		y = g.ravel(y, s)
	case 1:
	default:
		y = g.name(y)
		return g.opAxis(tail.OpCompress, s, 0, monadicUniqueMask(g, y, s), y)
	}
	return g.op(tail.OpUnique, s, y)
}

// knownPlaces is ⍸y of an array of higher rank whose value is known and is not
// all 0: the tuple of the indices; nil for others.
func (g *infer) knownPlaces(y tail.Expr, s site) tail.Expr {
	a := g.value(y)
	if a == nil || !isReal(a.Elem) {
		return nil
	}
	t := &tail.Tuple{At: tail.At{Where: s.span()}}
	for i := range a.Len() {
		n := a.Double(i)
		if n != math.Floor(n) || n < 0 || n > maxItems {
			return nil
		}
		at, left := make([]int64, a.Rank()), i
		for axis := a.Rank() - 1; axis >= 0; axis-- {
			at[axis] = int64(left%a.Shape[axis] + g.origin)
			left /= a.Shape[axis]
		}
		for range int(n) {
			t.Elems = append(t.Elems, lit(s.fn, array.VectorInt(at)))
		}
		if len(t.Elems) > maxItems {
			return nil
		}
	}
	if len(t.Elems) == 0 {
		return nil
	}
	g.effect(y)
	return t
}

// monadicWhere is ⍸y of a vector: each position as often as its count.
func monadicWhere(g *infer, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	if t.Elem == array.Char {
		g.failCharacters(t, s, "⍸ of characters")
	}
	if t.Dims() != 1 {
		if known := g.knownPlaces(y, s); known != nil {
			return known
		}
	}
	if t.Dims() > 1 {
		return g.raggedRows(g.fromPreludeOutward("whererows", y, s), s)
	}
	if t.Dims() == 0 {
		g.fail(diag.NotCompiled, s.fn, "⍸ of a scalar")
	}
	if t.Elem == array.Bool {
		return g.outward(g.op(tail.OpWhere, s, y), s)
	}
	y = g.name(g.toInt(y))
	if !noNegatives(y) {
		y = g.name(g.fromPrelude(g.preludeClosure("counts"), nil, y, s))
	}
	positions := g.op(tail.OpIota, s, g.op(tail.OpTally, s, y))
	return g.outward(g.op(tail.OpReplicate, s, y, positions), s)
}

func monadicGradeUp(g *infer, y tail.Expr, s site) tail.Expr {
	return g.grade(tail.OpGradeUp, y, s)
}

func monadicGradeDown(g *infer, y tail.Expr, s site) tail.Expr {
	return g.grade(tail.OpGradeDown, y, s)
}

func (g *infer) grade(op tail.Op, y tail.Expr, s site) tail.Expr {
	if g.arr(y, s.right).Dims() == 0 {
		g.fail(diag.ArgumentRank, s.fn, "grade of a scalar")
	}
	y = g.realParts(y, s)
	return g.outward(g.op(op, s, y), s)
}

// monadicInverse is ⌹y; a scalar's inverse is its reciprocal, a vector is a
// matrix of one column.
func monadicInverse(g *infer, y tail.Expr, s site) tail.Expr {
	reciprocal := tail.OpRecZ
	if g.arr(y, s.right).Elem != array.Complex {
		y, reciprocal = g.toDouble(y), tail.OpRecD
	}
	y = g.name(y)
	g.tallEnough(y, s)
	switch tail.TypeOf(y).Dims() {
	case 0:
		return g.map1(y, reciprocal, s)
	case 1:
		return g.ravel(g.op(tail.OpMatInv, s, monadicTable(g, y, s)), s)
	}
	return g.op(tail.OpMatInv, s, y)
}

func monadicFormat(g *infer, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	if t.Elem == array.Char {
		return y
	}
	return g.op(tail.OpFormat, s, y)
}

// noNegatives reports whether the elements of an integer array are known not
// to be negative.
func noNegatives(y tail.Expr) bool {
	if l, ok := y.(*tail.Lit); ok {
		return !slices.ContainsFunc(l.Value.Ints, func(n int64) bool { return n < 0 })
	}
	values := tail.TypeOf(y).Values
	return len(values) > 0 && !slices.ContainsFunc(values, func(v tail.Size) bool { return !natural(v) })
}
