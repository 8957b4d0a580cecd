package opt

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// scalarLaw returns what a scalar op becomes by one law, or nil. Laws on
// doubles hold for NaN and infinities, and their results are not rounded more
// than before.
func (s *simplifier) scalarLaw(e *tail.Apply) tail.Expr {
	switch len(e.Args) {
	case 1:
		return s.monadicLaw(e, e.Args[0])
	case 2:
		return s.dyadicLaw(e, e.Args[0], e.Args[1])
	}
	return nil
}

// inverses has pairs of ops that undo each other: the outer one, the inner.
var inverses = map[[2]tail.Op]bool{
	{tail.OpNegD, tail.OpNegD}: true, {tail.OpNotB, tail.OpNotB}: true, {tail.OpI2B, tail.OpB2I}: true, {tail.OpD2B, tail.OpB2D}: true,
}

// compositions has what two coercions in a row are: the outer one, the inner.
var compositions = map[[2]tail.Op]tail.Op{
	{tail.OpI2D, tail.OpB2I}: tail.OpB2D, {tail.OpD2I, tail.OpB2D}: tail.OpB2I,
	{tail.OpAbsD, tail.OpNegD}: tail.OpAbsD, {tail.OpAbsD, tail.OpAbsD}: tail.OpAbsD, {tail.OpAbsI, tail.OpAbsI}: tail.OpAbsI,
	{tail.OpNotB, tail.OpLtI}: tail.OpGteI, {tail.OpNotB, tail.OpGteI}: tail.OpLtI, {tail.OpNotB, tail.OpGtI}: tail.OpLteI, {tail.OpNotB, tail.OpLteI}: tail.OpGtI,
	{tail.OpNotB, tail.OpEqI}: tail.OpNeqI, {tail.OpNotB, tail.OpNeqI}: tail.OpEqI, {tail.OpNotB, tail.OpEqC}: tail.OpNeqC, {tail.OpNotB, tail.OpNeqC}: tail.OpEqC,
	{tail.OpNotB, tail.OpAndB}: tail.OpNandB, {tail.OpNotB, tail.OpNandB}: tail.OpAndB, {tail.OpNotB, tail.OpOrB}: tail.OpNorB, {tail.OpNotB, tail.OpNorB}: tail.OpOrB,
	{tail.OpNotB, tail.OpXorB}: tail.OpEqB, {tail.OpNotB, tail.OpEqB}: tail.OpXorB,
}

func (s *simplifier) monadicLaw(e *tail.Apply, x tail.Expr) tail.Expr {
	inner, ok := x.(*tail.Apply)
	if !ok {
		return nil
	}
	pair := [2]tail.Op{e.Op, inner.Op}
	if inverses[pair] {
		return inner.Args[0]
	}
	if op, ok := compositions[pair]; ok {
		return as(e, op, 0, inner.Args...)
	}
	if pair == [2]tail.Op{tail.OpD2I, tail.OpI2D} {
		const exact = 1 << 53
		if r := analysis.RangeOf(inner.Args[0], analysis.RangeDepth); r.Known && r.Low >= -exact && r.High <= exact {
			return inner.Args[0]
		}
	}
	return nil
}

// neutral has, an op, the constant argument that makes it the identity: on the
// left, on the right.
var neutralInts = map[tail.Op][2]*int64{
	tail.OpAddI: {ptr(0), ptr(0)}, tail.OpSubI: {nil, ptr(0)}, tail.OpMulI: {ptr(1), ptr(1)}, tail.OpPowI: {nil, ptr(1)},
	tail.OpResI: {ptr(0), nil}, tail.OpBitOr: {ptr(0), ptr(0)}, tail.OpBitXor: {ptr(0), ptr(0)}, tail.OpBitAnd: {ptr(-1), ptr(-1)},
	tail.OpAndB: {ptr(1), ptr(1)}, tail.OpOrB: {ptr(0), ptr(0)}, tail.OpXorB: {ptr(0), ptr(0)}, tail.OpEqB: {ptr(1), ptr(1)},
}

func ptr(n int64) *int64 { return &n }

// reflexive has what comparisons of an integer with itself give.
var reflexive = map[tail.Op]bool{
	tail.OpEqI: true, tail.OpLteI: true, tail.OpGteI: true, tail.OpNeqI: false, tail.OpLtI: false, tail.OpGtI: false,
}

// sameNumber reports whether two scalars are one variable, or the number of elements of
// vectors that have equally many.
func (s *simplifier) sameNumber(x, y tail.Expr) bool {
	if r, ok := x.(*tail.Ref); ok && tail.RankOf(x) == 0 && tail.IsRef(y, r.Var) {
		return true
	}
	a, b := applied(s.defs, x, tail.OpTally), applied(s.defs, y, tail.OpTally)
	return a != nil && b != nil && sameExtent(s.defs, a.Args[0], b.Args[0])
}

func (s *simplifier) dyadicLaw(e *tail.Apply, x, y tail.Expr) tail.Expr {
	if truth, ok := reflexive[e.Op]; ok && s.sameNumber(x, y) && s.effects.Total(x) && s.effects.Total(y) {
		return tail.NewLit(e.Where, array.ScalarBool(truth))
	}
	if c, ok := neutralInts[e.Op]; ok {
		for i, arg := range e.Args {
			if n, known := s.constInt(arg); known && c[i] != nil && n == *c[i] {
				return s.keeps(e, e.Args[1-i])
			}
		}
		return s.integerLaw(e, x, y)
	}
	if a, ok := s.doubleConst(x); ok {
		if next := s.leftConstant(e, a, y); next != nil {
			return next
		}
	}
	if b, ok := s.doubleConst(y); ok {
		return s.rightConstant(e, x, b)
	}
	if e.Op == tail.OpPowZ {
		return s.complexPower(e, x, y)
	}
	return nil
}

// integerLaw: 0×x is 0; x*2 is x×x, and x*3 x×x×x; x≠x and x-x are 0; x∧x is x.
func (s *simplifier) integerLaw(e *tail.Apply, x, y tail.Expr) tail.Expr {
	for _, arg := range e.Args {
		if n, known := s.constInt(arg); known && n == 0 && (e.Op == tail.OpMulI || e.Op == tail.OpAndB || e.Op == tail.OpBitAnd) && s.effects.Total(e) {
			return tail.NewLit(e.Where, constantArray(tail.TypeOf(e), []int64{0}))
		}
	}
	if n, known := s.constInt(y); known && (n == 2 || n == 3) && e.Op == tail.OpPowI && isAtom(x) && isAtom(y) {
		if n == 3 {
			return as(e, tail.OpMulI, 0, x, s.typedApply(as(e, tail.OpMulI, 0, x, x)))
		}
		return as(e, tail.OpMulI, 0, x, x)
	}
	a, ok := x.(*tail.Ref)
	b, also := y.(*tail.Ref)
	if !ok || !also || a.Var != b.Var {
		return nil
	}
	switch e.Op {
	case tail.OpAndB, tail.OpOrB, tail.OpBitAnd, tail.OpBitOr:
		return x
	case tail.OpXorB, tail.OpBitXor, tail.OpSubI:
		return tail.NewLit(e.Where, constantArray(tail.TypeOf(e), []int64{0}))
	}
	return nil
}

// doubleConst returns the value of a constant double, also one that is still
// a coerced integer.
func (s *optimiser) doubleConst(e tail.Expr) (float64, bool) {
	if a, ok := e.(*tail.Apply); ok && a.Op == tail.OpI2D {
		n, known := s.constInt(a.Args[0])
		return float64(n), known && n > -1<<53 && n < 1<<53
	}
	return litDouble(e)
}

// litDouble returns the value of a literal double.
func litDouble(e tail.Expr) (float64, bool) {
	l, ok := e.(*tail.Lit)
	if !ok || l.Value.Elem != array.Double || l.Value.Rank() != 0 {
		return 0, false
	}
	return l.Value.Doubles[0], true
}

// isZero reports whether d is the positive zero.
func isZero(d float64) bool { return d == 0 && !math.Signbit(d) }

// leftConstant: 1×x is x; 2×x is x+x.
func (s *simplifier) leftConstant(e *tail.Apply, a float64, y tail.Expr) tail.Expr {
	switch {
	case e.Op == tail.OpMulD && a == 1:
		return y
	case e.Op == tail.OpMulD && a == 2 && isAtom(y):
		return as(e, tail.OpAddD, 0, y, y)
	}
	return nil
}

// rightConstant: x×1, x÷1, x-0 and x*1 are x; small powers are
// products and roots; x÷c is x×(1÷c) where c is a power of two.
func (s *simplifier) rightConstant(e *tail.Apply, x tail.Expr, b float64) tail.Expr {
	switch {
	case b == 1 && (e.Op == tail.OpMulD || e.Op == tail.OpDivD || e.Op == tail.OpPowD), isZero(b) && e.Op == tail.OpSubD:
		return x
	case e.Op == tail.OpMulD && b == 2 && isAtom(x):
		return as(e, tail.OpAddD, 0, x, x)
	case e.Op == tail.OpPowD && num.IsSmallPower(b):
		return s.smallPower(e, x, b)
	case e.Op == tail.OpDivD && exactReciprocal(b):
		return as(e, tail.OpMulD, 0, x, tail.NewLit(e.Where, array.ScalarDouble(1/b)))
	}
	return nil
}

// smallPower writes a power as num.SmallPower computes it.
func (s *simplifier) smallPower(e *tail.Apply, x tail.Expr, b float64) tail.Expr {
	apply := func(op tail.Op, args ...tail.Expr) tail.Expr { return s.typedApply(as(e, op, 0, args...)) }
	times := func(x, y tail.Expr) tail.Expr { return apply(tail.OpMulD, x, y) }
	root := func(x tail.Expr) tail.Expr { return apply(tail.OpSqrtD, x) }
	switch b {
	case 0.5:
		return root(x)
	case -0.5:
		return apply(tail.OpRecD, root(x))
	case -1:
		return apply(tail.OpRecD, x)
	case 1.5:
		return s.shared(e, x, func(x tail.Expr) tail.Expr { return times(x, root(x)) })
	case -1.5:
		return s.shared(e, apply(tail.OpRecD, root(x)), func(x tail.Expr) tail.Expr { return times(x, times(x, x)) })
	}
	product := func(x tail.Expr) tail.Expr {
		square := times(x, x)
		switch math.Abs(b) {
		case 3:
			return times(x, square)
		case 4:
			return s.shared(e, square, func(x tail.Expr) tail.Expr { return times(x, x) })
		}
		return square
	}
	if b < 0 {
		x = apply(tail.OpRecD, x)
	}
	return s.shared(e, x, product)
}

// complexPower: x*2 is x×x, and x*3 is x×x×x, for complex numbers, too.
func (s *simplifier) complexPower(e *tail.Apply, x, y tail.Expr) tail.Expr {
	l, ok := y.(*tail.Lit)
	if !ok || l.Value.Elem != array.Complex || l.Value.Rank() != 0 {
		return nil
	}
	times := func(x, y tail.Expr) tail.Expr { return s.typedApply(as(e, tail.OpMulZ, 0, x, y)) }
	switch l.Value.Complexes[0] {
	case 2:
		return s.shared(e, x, func(x tail.Expr) tail.Expr { return times(x, x) })
	case 3:
		return s.shared(e, x, func(x tail.Expr) tail.Expr { return times(x, times(x, x)) })
	}
	return nil
}

// exactReciprocal reports whether dividing by b is multiplying by 1÷b: b is a
// power of two whose reciprocal is a normal number.
func exactReciprocal(b float64) bool {
	fraction, exponent := math.Frexp(b)
	return (fraction == 0.5 || fraction == -0.5) && exponent > -1000 && exponent < 1000
}

// shared returns what build makes of an atom for x, with a let where x is none.
func (s *simplifier) shared(e *tail.Apply, x tail.Expr, build func(tail.Expr) tail.Expr) tail.Expr {
	if isAtom(x) {
		return build(x)
	}
	v := s.variable("x", x.Type())
	return &tail.Let{At: e.At, Var: v, Bind: x, Body: build(&tail.Ref{At: tail.At{Where: x.Span()}, Var: v})}
}

func (s *simplifier) typedApply(e *tail.Apply) *tail.Apply {
	retype(e)
	return e
}
