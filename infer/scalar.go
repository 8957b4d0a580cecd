package infer

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// arith is how a dyadic scalar glyph is computed on each element type. An
// unset op means that the arguments are converted to the next larger type.
type arith struct {
	bools, ints, doubles tail.Op
	exact                tail.Op // on doubles when ⎕CT is 0; unset where it is doubles
}

var arithmetic = map[string]arith{
	"+": {ints: tail.OpAddI, doubles: tail.OpAddD},
	"-": {ints: tail.OpSubI, doubles: tail.OpSubD},
	"×": {bools: tail.OpAndB, ints: tail.OpMulI, doubles: tail.OpMulD},
	"÷": {doubles: tail.OpDivD},
	"⍟": {doubles: tail.OpLogD},
	"!": {doubles: tail.OpBinD},
	"|": {ints: tail.OpResI, doubles: tail.OpResD, exact: tail.OpResX},
	"⌊": {bools: tail.OpAndB, ints: tail.OpMinI, doubles: tail.OpMinD},
	"⌈": {bools: tail.OpOrB, ints: tail.OpMaxI, doubles: tail.OpMaxD},
	"∧": {bools: tail.OpAndB, ints: tail.OpLcmI, doubles: tail.OpLcmD},
	"∨": {bools: tail.OpOrB, ints: tail.OpGcdI, doubles: tail.OpGcdD},
	"<": {ints: tail.OpLtI, doubles: tail.OpLtD, exact: tail.OpLtX},
	"≤": {ints: tail.OpLteI, doubles: tail.OpLteD, exact: tail.OpLteX},
	">": {ints: tail.OpGtI, doubles: tail.OpGtD, exact: tail.OpGtX},
	"≥": {ints: tail.OpGteI, doubles: tail.OpGteD, exact: tail.OpGteX},
	"=": {bools: tail.OpEqB, ints: tail.OpEqI, doubles: tail.OpEqD, exact: tail.OpEqX},
	"≠": {bools: tail.OpXorB, ints: tail.OpNeqI, doubles: tail.OpNeqD, exact: tail.OpNeqX},
}

// isScalarDyadic reports whether a glyph is a scalar function of two arguments.
func isScalarDyadic(glyph string) bool {
	if _, ok := arithmetic[glyph]; ok {
		return true
	}
	switch glyph {
	case "*", "○", "⍲", "⍱":
		return true
	}
	return false
}

// isScalarMonadic reports whether a glyph is a scalar function of one argument.
func isScalarMonadic(glyph string) bool {
	switch glyph {
	case "+", "-", "×", "÷", "|", "⌊", "⌈", "*", "⍟", "○", "!", "~", "?":
		return true
	}
	return false
}

// combine is a scalar function of two scalars of known element types.
type combine func(a, b tail.Expr) tail.Expr

// scalarDyadic applies a scalar glyph to arrays, with scalar extension.
func (g *infer) scalarDyadic(glyph string, x, y tail.Expr, s site) tail.Expr {
	g.arr(x, s.left)
	g.arr(y, s.right)
	x, y = g.numberedBy(glyph, x, y)
	x, y = g.widened(glyph, x, y, false)
	tx, ty := tail.TypeOf(x), tail.TypeOf(y)
	x, y, f := g.overload(glyph, x, y, tx, ty, s)
	return g.zip(x, y, s, f)
}

// numberedBy is numbered for a scalar function that characters are not in the domain of.
func (g *infer) numberedBy(glyph string, x, y tail.Expr) (tail.Expr, tail.Expr) {
	if glyph == "=" || glyph == "≠" || !isScalarDyadic(glyph) {
		return x, y
	}
	return g.numbered(x, y)
}

// numbered turns characters into numbers where an argument is known to be
// empty: scalar functions never meet an element.
func (g *infer) numbered(x, y tail.Expr) (tail.Expr, tail.Expr) {
	tx, ty := tail.TypeOf(x), tail.TypeOf(y)
	if tx.Elem != array.Char && ty.Elem != array.Char || !isEmpty(tx) && !isEmpty(ty) {
		return x, y
	}
	y = g.zeros(y)
	return g.zeros(x), y
}

// noCharacters turns an array of characters that is known to be empty into one
// of numbers, which it is as good as.
func (g *infer) noCharacters(e tail.Expr) tail.Expr {
	if t := tail.TypeOf(e); t.Elem != array.Char || !isEmpty(t) {
		return e
	}
	return g.zeros(e)
}

// zeros returns zeros in the place of characters nobody looks at, where
// their shape is known.
func (g *infer) zeros(e tail.Expr) tail.Expr {
	t := tail.TypeOf(e)
	shape, ok := constShape(t)
	if t.Elem != array.Char || !ok {
		return e
	}
	g.effect(e)
	return lit(e.Span(), array.New(array.Int, shape...))
}

// failCharacters reports characters where numbers are needed.
func (g *infer) failCharacters(t *tail.Array, s site, format string, args ...any) {
	g.perhapsNone(t, s)
	g.fail(diag.Characters, s.fn, format, args...)
}

// perhapsNone leaves an array of characters, where numbers are needed, to the
// interpreter if only the run knows whether it is empty: such are as good as numbers.
func (g *infer) perhapsNone(t *tail.Array, s site) {
	if _, ok := constShape(t); t.Elem == array.Char && !ok {
		g.unsupportedHere(diag.NotCompiled, s.fn, "characters where numbers are needed, unless there are none")
	}
}

// perhapsNoneBy is perhapsNone for the operand f of a reduction or a scan.
func (g *infer) perhapsNoneBy(f function, t *tail.Array, s site) {
	if p, ok := f.(*primitive); ok && isScalarDyadic(p.glyph) && p.glyph != "=" && p.glyph != "≠" {
		g.perhapsNone(t, s)
	}
}

// constShape returns the shape of arrays of a type; false where an extent is
// not known.
func constShape(t *tail.Array) ([]int, bool) {
	shape := make([]int, t.Dims())
	for i := range shape {
		n, ok := t.Extent(i).IsConst()
		if !ok {
			return nil, false
		}
		shape[i] = int(n)
	}
	return shape, true
}

// isEmpty reports whether arrays of a type are known to be empty.
func isEmpty(t *tail.Array) bool {
	for i := range t.Dims() {
		if n, ok := t.Extent(i).IsConst(); ok && n == 0 {
			return true
		}
	}
	return false
}

// overload chooses the op for a glyph by element types. It returns the
// arguments coerced, and what to do with their elements.
func (g *infer) overload(glyph string, x, y tail.Expr, tx, ty *tail.Array, s site) (tail.Expr, tail.Expr, combine) {
	if tx.Elem == array.Char || ty.Elem == array.Char {
		return g.overloadChar(glyph, x, y, tx, ty, s)
	}
	if tx.Elem == array.Complex || ty.Elem == array.Complex {
		if glyph != "○" {
			return g.overloadComplex(glyph, x, y, s)
		}
	}
	switch glyph {
	case "*":
		return g.overloadPower(x, y, tx, ty, s)
	case "○":
		return g.overloadCircle(x, y, s)
	case "⍲", "⍱":
		op := tail.OpNandB
		if glyph == "⍱" {
			op = tail.OpNorB
		}
		return g.both(x, y, array.Bool, op, s)
	}
	row := arithmetic[glyph]
	x, y = g.truths(glyph, x, y, tx, ty)
	elem := max(tail.TypeOf(x).Elem, tail.TypeOf(y).Elem)
	if elem == array.Bool {
		if f := g.logic(glyph, s); f != nil {
			return x, y, f
		}
	}
	switch {
	case elem == array.Bool && row.bools != tail.NoOp:
		return g.both(x, y, array.Bool, row.bools, s)
	case elem != array.Double && row.ints != tail.NoOp:
		return g.both(x, y, array.Int, row.ints, s)
	case glyph == "÷":
		if n, ok := wholeQuotient(x, y); ok {
			x, y = g.names2(x, y)
			return x, y, func(a, b tail.Expr) tail.Expr { return g.intLit(s, int(n)) }
		}
		if f := g.quotient(x, y, s); f != nil {
			return x, y, f
		}
	case g.exact && row.exact != tail.NoOp:
		return g.both(x, y, array.Double, row.exact, s)
	}
	return g.both(x, y, array.Double, row.doubles, s)
}

// wholeQuotient returns the quotient of two known integers where it is one.
func wholeQuotient(x, y tail.Expr) (int64, bool) {
	a, ok := integer(x)
	b, ok2 := integer(y)
	if !ok || !ok2 || b == 0 || a%b != 0 || a/b >= 1<<53 || a/b <= -1<<53 {
		return 0, false
	}
	return a / b, true
}

// truths turns constants of zeros and ones into truth values, where they meet
// truth values or logical functions.
func (g *infer) truths(glyph string, x, y tail.Expr, tx, ty *tail.Array) (tail.Expr, tail.Expr) {
	switch glyph {
	case "∧", "∨":
		return truth(x), truth(y)
	case "=", "≠", "<", "≤", ">", "≥":
		if tx.Elem == array.Bool {
			return x, truth(y)
		}
		if ty.Elem == array.Bool {
			return truth(x), y
		}
	}
	return x, y
}

// truth returns e as truth values where it is a constant of zeros and ones.
func truth(e tail.Expr) tail.Expr {
	if l, ok := e.(*tail.Lit); ok && l.Value.Elem == array.Int {
		if b := convert(l.Value, array.Bool); b != nil {
			return lit(l.Span(), b)
		}
	}
	return e
}

// logic returns how a comparison of truth values is computed, nil for other
// functions.
func (g *infer) logic(glyph string, s site) combine {
	not := func(a tail.Expr) tail.Expr { return g.op(tail.OpNotB, s, a) }
	switch glyph {
	case "<":
		return func(a, b tail.Expr) tail.Expr { return g.op(tail.OpAndB, s, not(a), b) }
	case "≤":
		return func(a, b tail.Expr) tail.Expr { return g.op(tail.OpOrB, s, not(a), b) }
	case ">":
		return func(a, b tail.Expr) tail.Expr { return g.op(tail.OpAndB, s, a, not(b)) }
	case "≥":
		return func(a, b tail.Expr) tail.Expr { return g.op(tail.OpOrB, s, a, not(b)) }
	}
	return nil
}

// both coerces two arguments to one element type for an op.
func (g *infer) both(x, y tail.Expr, elem array.Elem, op tail.Op, s site) (tail.Expr, tail.Expr, combine) {
	return g.coerce(x, elem), g.coerce(y, elem), func(a, b tail.Expr) tail.Expr { return g.op(op, s, a, b) }
}

// overloadChar compares characters; a character never equals a number.
func (g *infer) overloadChar(glyph string, x, y tail.Expr, tx, ty *tail.Array, s site) (tail.Expr, tail.Expr, combine) {
	if glyph != "=" && glyph != "≠" {
		at := s.left
		if tx.Elem != array.Char {
			at = s.right
		}
		g.perhapsNone(tx, s)
		g.perhapsNone(ty, s)
		if !isSingleton(tx) && !isSingleton(ty) {
			g.comparable(x, y, s)
		}
		panic(certain(&diag.Error{Code: diag.Characters, Span: s.fn, Also: at, Message: glyph + " of characters"}))
	}
	if tx.Elem != ty.Elem {
		answer := lit(s.fn, array.ScalarBool(glyph == "≠"))
		x, y = g.names2(x, y)
		return x, y, func(a, b tail.Expr) tail.Expr { return answer }
	}
	op := tail.OpEqC
	if glyph == "≠" {
		op = tail.OpNeqC
	}
	return x, y, func(a, b tail.Expr) tail.Expr { return g.op(op, s, a, b) }
}

// overloadPower chooses between integer powers, where they can hardly
// overflow or are known not to, and powers of doubles: as in Dyalog 2*63 is
// 9.223372037E18, not an overflow.
func (g *infer) overloadPower(x, y tail.Expr, tx, ty *tail.Array, s site) (tail.Expr, tail.Expr, combine) {
	if tx.Elem != array.Double && ty.Elem != array.Double && g.smallPower(x, y) {
		return g.both(x, y, array.Int, tail.OpPowI, s)
	}
	if d, ok := constant(y); ok && d == 0.5 {
		return g.toDouble(x), y, func(a, b tail.Expr) tail.Expr { return g.op(tail.OpSqrtD, s, a) }
	}
	if d, ok := constant(y); ok && d == 2 {
		return g.toDouble(x), y, func(a, b tail.Expr) tail.Expr {
			a = g.name(a)
			return g.op(tail.OpMulD, s, a, a)
		}
	}
	return g.both(x, y, array.Double, tail.OpPowD, s)
}

// smallPower reports whether x*y is taken in integers: for exponents 0 to 3, residues of
// 2 to 4 and truth values, and for constants whose power a double holds exactly.
func (g *infer) smallPower(x, y tail.Expr) bool {
	if tail.TypeOf(y).Elem == array.Bool {
		return true
	}
	if r, ok := g.bindingOf(y).(*tail.Apply); ok && r.Op == tail.OpResI {
		n, known := integer(r.Args[0])
		return known && 0 < n && n <= 4
	}
	b, ok := integer(y)
	if !ok || b < 0 {
		return false
	}
	a, ok := integer(x)
	return b <= 3 && !ok || ok && math.Abs(math.Pow(float64(a), float64(b))) < 1<<53
}

// constant returns the value of a constant numeric scalar.
func constant(e tail.Expr) (float64, bool) {
	if l, ok := e.(*tail.Lit); ok && isReal(l.Value.Elem) && l.Value.Rank() == 0 {
		return l.Value.Double(0), true
	}
	if n, ok := integer(e); ok {
		return float64(n), true
	}
	return 0, false
}

// isReal reports whether elements are real numbers.
func isReal(e array.Elem) bool { return e.Numeric() && e != array.Complex }

// integer returns the value of a known integer scalar.
func integer(e tail.Expr) (int64, bool) {
	t, ok := e.Type().(*tail.Array)
	if !ok || t.Dims() != 0 || t.Values == nil {
		return 0, false
	}
	return t.Values[0].IsConst()
}

var circles = map[int64]tail.Op{
	1: tail.OpSinD, 2: tail.OpCosD, 3: tail.OpTanD, 5: tail.OpSinhD, 6: tail.OpCoshD, 7: tail.OpTanhD,
	-1: tail.OpAsinD, -2: tail.OpAcosD, -3: tail.OpAtanD, -5: tail.OpAsinhD, -6: tail.OpAcoshD, -7: tail.OpAtanhD,
}

func (g *infer) overloadCircle(x, y tail.Expr, s site) (tail.Expr, tail.Expr, combine) {
	x = g.toInt(x)
	k, known := integer(x)
	if tail.TypeOf(y).Elem == array.Complex || known && leavesReals(k) {
		return g.overloadCircleComplex(k, known, x, y, s)
	}
	y = g.toDouble(y)
	if k, ok := integer(x); ok {
		if op, ok := circles[k]; ok {
			return x, y, func(a, b tail.Expr) tail.Expr { return g.op(op, s, b) }
		}
	}
	return x, y, func(a, b tail.Expr) tail.Expr { return g.op(tail.OpCircle, s, a, b) }
}

// zip applies a function of two scalars to corresponding elements; a scalar,
// or an array that is known to have one element, goes with every element.
func (g *infer) zip(x, y tail.Expr, s site, f combine) tail.Expr {
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	switch {
	case tx.Dims() == 0 && ty.Dims() == 0:
		return f(x, y)
	case g.extends(tx, ty, s):
		x, y = g.firstOf(x, s), g.ordered(y, x)
		x = g.name(x)
		return g.each(y, s, func(b tail.Expr) tail.Expr { return f(x, b) })
	case g.extends(ty, tx, s):
		y = g.name(g.firstOf(y, s))
		return g.each(x, s, func(a tail.Expr) tail.Expr { return f(a, y) })
	case mayExtend(tx, ty):
		x, y = g.names2(x, y)
		return g.zip(g.op(tail.OpOnly, s, x, g.shapeOf(y, s)), y, s, f)
	case mayExtend(ty, tx):
		x, y = g.names2(x, y)
		return g.zip(x, g.op(tail.OpOnly, s, y, g.shapeOf(x, s)), s, f)
	}
	g.comparable(x, y, s)
	l := g.lambda(s.fn, []tail.Type{tail.Scalar(tx.Elem), tail.Scalar(ty.Elem)},
		func(a []tail.Expr) tail.Expr { return f(a[0], a[1]) })
	return g.op(tail.OpZipWith, s, l, x, y)
}

// firstOf returns the element of a scalar or a singleton.
func (g *infer) firstOf(x tail.Expr, s site) tail.Expr {
	if tail.TypeOf(x).Dims() == 0 {
		return x
	}
	return g.op(tail.OpFirst, s, x)
}

// ordered returns y, bound first where x has to be bound.
func (g *infer) ordered(y, x tail.Expr) tail.Expr {
	if atomic(x) {
		return y
	}
	return g.name(y)
}

// scalarMonadic applies a scalar glyph to an array.
func (g *infer) scalarMonadic(glyph string, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	if t.Elem == array.Char {
		if glyph == "+" {
			return y
		}
		if y, _ = g.numbered(y, y); tail.TypeOf(y).Elem == array.Char {
			g.failCharacters(t, s, "%s of characters", glyph)
		}
		t = tail.TypeOf(y)
	}
	if glyph == "⍟" {
		y = g.widenedLog(y)
		t = tail.TypeOf(y)
	}
	if t.Elem == array.Complex {
		return g.complexMonadic(glyph, y, s)
	}
	if e := g.largeWhole(glyph, y, s); e != nil {
		return e
	}
	switch {
	case glyph == "+", (glyph == "⌊" || glyph == "⌈" || glyph == "|") && t.Elem == array.Bool:
		return y
	case (glyph == "⌊" || glyph == "⌈") && t.Elem == array.Int:
		return y
	case glyph == "×" && t.Elem == array.Bool:
		return y
	case glyph == "~":
		return g.map1(g.toBool(y), tail.OpNotB, s)
	case glyph == "?":
		return g.roll(y, s)
	}
	ops := monadicOps[glyph]
	if t.Elem != array.Double && ops.ints != tail.NoOp {
		return g.map1(g.toInt(y), ops.ints, s)
	}
	if g.exact && ops.exact != tail.NoOp {
		return g.map1(g.toDouble(y), ops.exact, s)
	}
	return g.map1(g.toDouble(y), ops.doubles, s)
}

// largeWhole is ⌊ or ⌈ of known doubles of which one is beyond the integers:
// the results are doubles, as they are in Dyalog. It returns nil for others.
func (g *infer) largeWhole(glyph string, y tail.Expr, s site) tail.Expr {
	round := map[string]func(x, ct float64) float64{"⌊": num.Floor, "⌈": num.Ceil}[glyph]
	if round == nil || tail.TypeOf(y).Elem != array.Double {
		return nil
	}
	known := g.value(y)
	if known == nil {
		return nil
	}
	large := func(x float64) bool { return math.Abs(x) >= 1<<63 && !math.IsInf(x, 0) }
	if !slices.ContainsFunc(known.Doubles, large) {
		return nil
	}
	ct := g.prog.Tolerance()
	if g.exact {
		ct = 0
	}
	g.tolerant = true
	whole := array.New(array.Double, known.Shape...)
	for i, x := range known.Doubles {
		whole.Doubles[i] = round(x, ct)
	}
	g.effect(y)
	return lit(s.fn, whole)
}

var monadicOps = map[string]arith{
	"-": {ints: tail.OpNegI, doubles: tail.OpNegD},
	"×": {ints: tail.OpSignI, doubles: tail.OpSignD},
	"÷": {doubles: tail.OpRecD},
	"|": {ints: tail.OpAbsI, doubles: tail.OpAbsD},
	"⌊": {doubles: tail.OpFloorD, exact: tail.OpFloorX},
	"⌈": {doubles: tail.OpCeilD, exact: tail.OpCeilX},
	"*": {doubles: tail.OpExpD},
	"⍟": {doubles: tail.OpLnD},
	"○": {doubles: tail.OpPiD},
	"!": {doubles: tail.OpFactD},
}

// map1 applies an op to every element.
func (g *infer) map1(y tail.Expr, op tail.Op, s site) tail.Expr {
	return g.each(y, s, func(a tail.Expr) tail.Expr { return g.op(op, s, a) })
}

// roll is ?y: random integers, or random doubles where y is a constant 0.
func (g *infer) roll(y tail.Expr, s site) tail.Expr {
	if isZero(y) {
		return g.each(y, s, func(tail.Expr) tail.Expr { return g.op(tail.OpRollD, s) })
	}
	if someZero(y) {
		return g.rollSome(y, s)
	}
	return g.outward(g.map1(g.toInt(y), tail.OpRollI, s), s)
}

// someZero reports whether y is a constant with zeros among its elements, or
// one reshaped.
func someZero(y tail.Expr) bool {
	switch y := y.(type) {
	case *tail.Lit:
		for i := range y.Value.Len() {
			if y.Value.Elem.Numeric() && y.Value.Elem != array.Complex && y.Value.Double(i) == 0 {
				return true
			}
		}
	case *tail.Apply:
		return y.Op == tail.OpReshape && someZero(y.Args[1])
	}
	return false
}

// rollSome is ?y with zeros among other numbers: doubles.
func (g *infer) rollSome(y tail.Expr, s site) tail.Expr {
	return g.each(g.toInt(y), s, func(n tail.Expr) tail.Expr {
		n = g.name(n)
		unit := g.block(func() tail.Expr { return g.op(tail.OpRollD, s) })
		whole := g.block(func() tail.Expr { return g.toDouble(g.outward(g.op(tail.OpRollI, s, n), s)) })
		return g.branch(g.op(tail.OpEqI, s, n, g.intLit(s, 0)), unit, whole, s.fn, s.fn)
	})
}

// isZero reports whether all elements of e are the constant 0.
func isZero(e tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Lit:
		for i := range e.Value.Len() {
			if !isReal(e.Value.Elem) || e.Value.Double(i) != 0 {
				return false
			}
		}
		return e.Value.Len() > 0
	case *tail.Apply:
		return e.Op == tail.OpReshape && isZero(e.Args[1])
	}
	return false
}
