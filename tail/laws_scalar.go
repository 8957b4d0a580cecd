package tail

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
)

// scalarLaw returns what a scalar op becomes by one law, or nil. Laws on
// doubles hold for NaN and infinities, and their results are not rounded more
// than before.
func (s *simplifier) scalarLaw(e *Apply) Expr {
	switch len(e.Args) {
	case 1:
		return s.monadicLaw(e, e.Args[0])
	case 2:
		return s.dyadicLaw(e, e.Args[0], e.Args[1])
	}
	return nil
}

// inverses has pairs of ops that undo each other: the outer one, the inner.
var inverses = map[[2]Op]bool{
	{OpNegD, OpNegD}: true, {OpNotB, OpNotB}: true, {OpI2B, OpB2I}: true, {OpD2B, OpB2D}: true,
}

// compositions has what two coercions in a row are: the outer one, the inner.
var compositions = map[[2]Op]Op{
	{OpI2D, OpB2I}: OpB2D, {OpD2I, OpB2D}: OpB2I,
	{OpAbsD, OpNegD}: OpAbsD, {OpAbsD, OpAbsD}: OpAbsD, {OpAbsI, OpAbsI}: OpAbsI,
	{OpNotB, OpLtI}: OpGteI, {OpNotB, OpGteI}: OpLtI, {OpNotB, OpGtI}: OpLteI, {OpNotB, OpLteI}: OpGtI,
	{OpNotB, OpEqI}: OpNeqI, {OpNotB, OpNeqI}: OpEqI, {OpNotB, OpEqC}: OpNeqC, {OpNotB, OpNeqC}: OpEqC,
	{OpNotB, OpAndB}: OpNandB, {OpNotB, OpNandB}: OpAndB, {OpNotB, OpOrB}: OpNorB, {OpNotB, OpNorB}: OpOrB,
	{OpNotB, OpXorB}: OpEqB, {OpNotB, OpEqB}: OpXorB,
}

func (s *simplifier) monadicLaw(e *Apply, x Expr) Expr {
	inner, ok := x.(*Apply)
	if !ok {
		return nil
	}
	pair := [2]Op{e.Op, inner.Op}
	if inverses[pair] {
		return inner.Args[0]
	}
	if op, ok := compositions[pair]; ok {
		return e.as(op, 0, inner.Args...)
	}
	if pair == [2]Op{OpD2I, OpI2D} {
		const exact = 1 << 53
		if r := rangeOf(inner.Args[0], rangeDepth); r.known && r.low >= -exact && r.high <= exact {
			return inner.Args[0]
		}
	}
	return nil
}

// neutral has, an op, the constant argument that makes it the identity: on the
// left, on the right.
var neutralInts = map[Op][2]*int64{
	OpAddI: {ptr(0), ptr(0)}, OpSubI: {nil, ptr(0)}, OpMulI: {ptr(1), ptr(1)}, OpPowI: {nil, ptr(1)},
	OpResI: {ptr(0), nil}, OpBitOr: {ptr(0), ptr(0)}, OpBitXor: {ptr(0), ptr(0)}, OpBitAnd: {ptr(-1), ptr(-1)},
	OpAndB: {ptr(1), ptr(1)}, OpOrB: {ptr(0), ptr(0)}, OpXorB: {ptr(0), ptr(0)}, OpEqB: {ptr(1), ptr(1)},
}

func ptr(n int64) *int64 { return &n }

// coerced has what an op on two bools coerced to int is: an op on the bools,
// whose result is coerced when that of the op is an int.
var coerced = map[Op]Op{
	OpGcdI: OpOrB, OpMaxI: OpOrB, OpLcmI: OpAndB, OpMinI: OpAndB, OpMulI: OpAndB, OpNeqI: OpXorB, OpEqI: OpEqB,
}

// boolLaw applies an op to bools rather than to what they are coerced to.
func (s *simplifier) boolLaw(e *Apply, x, y Expr) Expr {
	a, ok := x.(*Apply)
	b, also := y.(*Apply)
	op, known := coerced[e.Op]
	if !ok || !also || !known || a.Op != OpB2I || b.Op != OpB2I {
		return nil
	}
	bools := e.as(op, 0, a.Args[0], b.Args[0])
	if TypeOf(e).Elem == array.Bool {
		return bools
	}
	return e.as(OpB2I, 0, s.typedApply(bools))
}

func (s *simplifier) dyadicLaw(e *Apply, x, y Expr) Expr {
	if next := s.boolLaw(e, x, y); next != nil {
		return next
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
	if e.Op == OpPowZ {
		return s.complexPower(e, x, y)
	}
	return nil
}

// integerLaw: 0×x is 0; x*2 is x×x, and x*3 x×x×x; x≠x and x-x are 0; x∧x is x.
func (s *simplifier) integerLaw(e *Apply, x, y Expr) Expr {
	for _, arg := range e.Args {
		if n, known := s.constInt(arg); known && n == 0 && (e.Op == OpMulI || e.Op == OpAndB || e.Op == OpBitAnd) && s.effects.Total(e) {
			return NewLit(e.Where, constantArray(TypeOf(e), []int64{0}))
		}
	}
	if n, known := s.constInt(y); known && (n == 2 || n == 3) && e.Op == OpPowI && isAtom(x) && isAtom(y) {
		if n == 3 {
			return e.as(OpMulI, 0, x, s.typedApply(e.as(OpMulI, 0, x, x)))
		}
		return e.as(OpMulI, 0, x, x)
	}
	a, ok := x.(*Ref)
	b, also := y.(*Ref)
	if !ok || !also || a.Var != b.Var {
		return nil
	}
	switch e.Op {
	case OpAndB, OpOrB, OpBitAnd, OpBitOr:
		return x
	case OpXorB, OpBitXor, OpSubI:
		return NewLit(e.Where, constantArray(TypeOf(e), []int64{0}))
	}
	return nil
}

// doubleConst returns the value of a constant double, also one that is still
// a coerced integer.
func (s *optimiser) doubleConst(e Expr) (float64, bool) {
	if a, ok := e.(*Apply); ok && a.Op == OpI2D {
		n, known := s.constInt(a.Args[0])
		return float64(n), known && n > -1<<53 && n < 1<<53
	}
	return litDouble(e)
}

// litDouble returns the value of a literal double.
func litDouble(e Expr) (float64, bool) {
	l, ok := e.(*Lit)
	if !ok || l.Value.Elem != array.Double || l.Value.Rank() != 0 {
		return 0, false
	}
	return l.Value.Doubles[0], true
}

// isZero reports whether d is the positive zero.
func isZero(d float64) bool { return d == 0 && !math.Signbit(d) }

// leftConstant: 1×x is x; 2×x is x+x.
func (s *simplifier) leftConstant(e *Apply, a float64, y Expr) Expr {
	switch {
	case e.Op == OpMulD && a == 1:
		return y
	case e.Op == OpMulD && a == 2 && isAtom(y):
		return e.as(OpAddD, 0, y, y)
	}
	return nil
}

// rightConstant: x×1, x÷1, x-0 and x*1 are x; small powers are
// products and roots; x÷c is x×(1÷c) where c is a power of two.
func (s *simplifier) rightConstant(e *Apply, x Expr, b float64) Expr {
	switch {
	case b == 1 && (e.Op == OpMulD || e.Op == OpDivD || e.Op == OpPowD), isZero(b) && e.Op == OpSubD:
		return x
	case e.Op == OpMulD && b == 2 && isAtom(x):
		return e.as(OpAddD, 0, x, x)
	case e.Op == OpPowD && num.IsSmallPower(b):
		return s.smallPower(e, x, b)
	case e.Op == OpDivD && exactReciprocal(b):
		return e.as(OpMulD, 0, x, NewLit(e.Where, array.ScalarDouble(1/b)))
	}
	return nil
}

// smallPower writes a power as num.SmallPower computes it.
func (s *simplifier) smallPower(e *Apply, x Expr, b float64) Expr {
	apply := func(op Op, args ...Expr) Expr { return s.typedApply(e.as(op, 0, args...)) }
	times := func(x, y Expr) Expr { return apply(OpMulD, x, y) }
	root := func(x Expr) Expr { return apply(OpSqrtD, x) }
	switch b {
	case 0.5:
		return root(x)
	case -0.5:
		return apply(OpRecD, root(x))
	case -1:
		return apply(OpRecD, x)
	case 1.5:
		return s.shared(e, x, func(x Expr) Expr { return times(x, root(x)) })
	case -1.5:
		return s.shared(e, x, func(x Expr) Expr { return apply(OpDivD, apply(OpRecD, x), root(x)) })
	}
	product := func(x Expr) Expr {
		square := times(x, x)
		switch math.Abs(b) {
		case 3:
			return times(x, square)
		case 4:
			return s.shared(e, square, func(x Expr) Expr { return times(x, x) })
		}
		return square
	}
	if b < 0 {
		x = apply(OpRecD, x)
	}
	return s.shared(e, x, product)
}

// complexPower: x*2 is x×x, and x*3 is x×x×x, for complex numbers, too.
func (s *simplifier) complexPower(e *Apply, x, y Expr) Expr {
	l, ok := y.(*Lit)
	if !ok || l.Value.Elem != array.Complex || l.Value.Rank() != 0 {
		return nil
	}
	times := func(x, y Expr) Expr { return s.typedApply(e.as(OpMulZ, 0, x, y)) }
	switch l.Value.Complexes[0] {
	case 2:
		return s.shared(e, x, func(x Expr) Expr { return times(x, x) })
	case 3:
		return s.shared(e, x, func(x Expr) Expr { return times(x, times(x, x)) })
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
func (s *simplifier) shared(e *Apply, x Expr, build func(Expr) Expr) Expr {
	if isAtom(x) {
		return build(x)
	}
	v := s.variable("x", x.Type())
	return &Let{At: e.At, Var: v, Bind: x, Body: build(&Ref{At: At{x.Span()}, Var: v})}
}

func (s *simplifier) typedApply(e *Apply) *Apply {
	retype(e)
	return e
}
