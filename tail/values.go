package tail

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// LitType returns the type of a constant: its extents, and its values when it
// is a scalar or a short vector of integers or bools.
func LitType(a *array.Array) *Array {
	sizes := make([]Size, len(a.Shape))
	for i, n := range a.Shape {
		sizes[i] = ConstSize(int64(n))
	}
	ty := Shaped(a.Elem, sizes...)
	if a.Elem != array.Int && a.Elem != array.Bool || a.Rank() > 1 || a.Len() > MaxValues {
		return ty
	}
	values := make([]Size, a.Len())
	for i := range values {
		values[i] = ConstSize(a.Int(i))
	}
	return withValues(ty, values)
}

// NewLit returns a constant.
func NewLit(at diag.Span, a *array.Array) *Lit { return &Lit{At: At{at}, Value: a, Ty: LitType(a)} }

// NewInt returns a constant scalar integer.
func NewInt(at diag.Span, n int64) *Lit { return NewLit(at, array.ScalarInt(n)) }

// NewVec returns the vector of some scalars of one element type.
func NewVec(at diag.Span, elems ...Expr) *Vec {
	if len(elems) == 0 {
		panic("internal error: a vector without elements has no element type")
	}
	values := make([]Size, len(elems))
	for i, e := range elems {
		values[i] = TypeOf(e).Value(0)
	}
	ty := Shaped(TypeOf(elems[0]).Elem, ConstSize(int64(len(elems))))
	return &Vec{At: At{at}, Elems: elems, Ty: withValues(ty, values)}
}

// maxCoef bounds the numbers in sizes that ops compute; beyond it the value is
// taken as unknown.
const maxCoef = 1 << 40

// bounded returns s, or Any when its numbers are so large that computing with
// them might overflow.
func bounded(s Size) Size {
	if s.Any || len(s.Terms) > 8 {
		return AnySize
	}
	if len(s.Terms) == 0 {
		return s
	}
	for _, t := range s.Terms {
		if t.Coef > maxCoef || t.Coef < -maxCoef {
			return AnySize
		}
	}
	if s.Const > maxCoef || s.Const < -maxCoef {
		return AnySize
	}
	return s
}

// AddSizes returns a + sign×b, Any where that would overflow.
func AddSizes(a, b Size, sign int64) Size {
	a, b = bounded(a), bounded(b)
	if a.Any || b.Any {
		return AnySize
	}
	c := sign * b.Const
	if c == math.MinInt64 || c > 0 && a.Const > math.MaxInt64-c || c < 0 && a.Const < math.MinInt64-c {
		return AnySize
	}
	return bounded(a.plus(b, sign))
}

// mulSizes returns a × b, Any where neither is constant or it would overflow.
func mulSizes(a, b Size) Size {
	a, b = bounded(a), bounded(b)
	if _, ok := a.IsConst(); !ok {
		a, b = b, a
	}
	k, ok := a.IsConst()
	if !ok || b.Any {
		return AnySize
	}
	if n, ok := b.IsConst(); ok {
		return mulConst(k, n)
	}
	if k > maxCoef || k < -maxCoef {
		return AnySize
	}
	for _, t := range b.Terms {
		if _, ok := mulConst(k, t.Coef).IsConst(); !ok {
			return AnySize
		}
	}
	if _, ok := mulConst(k, b.Const).IsConst(); !ok {
		return AnySize
	}
	return bounded(b.Times(k))
}

func mulConst(a, b int64) Size {
	if a == 0 || b == 0 {
		return ConstSize(0)
	}
	if a == math.MinInt64 || b == math.MinInt64 {
		return AnySize
	}
	hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
	if hi != 0 || lo > math.MaxInt64 {
		return AnySize
	}
	return ConstSize(a * b)
}

// sizeTruth returns 1 or 0.
func sizeTruth(b bool) Size {
	if b {
		return ConstSize(1)
	}
	return ConstSize(0)
}

// order compares a with b as far as that is known for all values of their
// variables, which are natural numbers: low and high bound a-b; has reports
// which bounds hold.
func order(a, b Size) (low, high int64, hasLow, hasHigh bool) {
	d := AddSizes(a, b, -1)
	if d.Any {
		return 0, 0, false, false
	}
	hasLow, hasHigh = true, true
	for _, t := range d.Terms {
		if t.Coef < 0 {
			hasLow = false
		} else {
			hasHigh = false
		}
	}
	return d.Const, d.Const, hasLow, hasHigh
}

// CompareSizes returns the value of a comparison op, Any where it is not known.
func CompareSizes(op Op, a, b Size) Size {
	low, high, hasLow, hasHigh := order(a, b)
	switch op {
	case OpLtI:
		switch {
		case hasHigh && high < 0:
			return ConstSize(1)
		case hasLow && low >= 0:
			return ConstSize(0)
		}
	case OpLteI:
		switch {
		case hasHigh && high <= 0:
			return ConstSize(1)
		case hasLow && low > 0:
			return ConstSize(0)
		}
	case OpGtI:
		return CompareSizes(OpLtI, b, a)
	case OpGteI:
		return CompareSizes(OpLteI, b, a)
	case OpEqI:
		if hasLow && low > 0 || hasHigh && high < 0 {
			return ConstSize(0)
		}
		if a.Equal(b) {
			return ConstSize(1)
		}
	case OpNeqI:
		return notSize(CompareSizes(OpEqI, a, b))
	}
	return AnySize
}

func notSize(a Size) Size {
	if n, ok := a.IsConst(); ok {
		return sizeTruth(n == 0)
	}
	return AnySize
}

// ScalarValue returns what is known of the value of a scalar op on integers
// and bools of known values; Any where nothing is, or where the op faults.
func ScalarValue(op Op, args []Size) Size {
	switch op {
	case OpAddI:
		return AddSizes(args[0], args[1], 1)
	case OpSubI:
		return AddSizes(args[0], args[1], -1)
	case OpMulI:
		return mulSizes(args[0], args[1])
	case OpNegI:
		return AddSizes(ConstSize(0), args[0], -1)
	case OpB2I:
		return args[0]
	case OpI2B:
		if n, ok := args[0].IsConst(); ok && (n == 0 || n == 1) {
			return args[0]
		}
		return AnySize
	case OpMinI, OpMaxI:
		return extreme(op, args[0], args[1])
	case OpLtI, OpLteI, OpGtI, OpGteI, OpEqI, OpNeqI:
		return CompareSizes(op, args[0], args[1])
	case OpAbsI:
		return Magnitude(bounded(args[0]))
	case OpNotB:
		return notSize(args[0])
	}
	return constValue(op, args)
}

func extreme(op Op, a, b Size) Size {
	less, ok := CompareSizes(OpLteI, a, b).IsConst()
	switch {
	case !ok:
		return AnySize
	case (less == 1) == (op == OpMinI):
		return a
	}
	return b
}

// constValue is ScalarValue for the ops that are known on constants only.
func constValue(op Op, args []Size) Size {
	var n [2]int64
	for i, a := range args {
		v, ok := a.IsConst()
		if !ok || i >= len(n) {
			return AnySize
		}
		n[i] = v
	}
	if len(args) == 0 {
		return AnySize
	}
	a, b := n[0], n[1]
	switch op {
	case OpResI:
		return ConstSize(Residue(a, b))
	case OpQuoI:
		return ConstSize(a / max(b, 2))
	case OpSignI:
		return AddSizes(sizeTruth(a > 0), sizeTruth(a < 0), -1)
	case OpBitAnd:
		return ConstSize(a & b)
	case OpBitOr:
		return ConstSize(a | b)
	case OpBitXor:
		return ConstSize(a ^ b)
	case OpAndB:
		return ConstSize(a & b)
	case OpOrB:
		return ConstSize(a | b)
	case OpXorB:
		return ConstSize(a ^ b)
	case OpEqB:
		return sizeTruth(a == b)
	case OpNandB:
		return ConstSize(1 - a&b)
	case OpNorB:
		return sizeTruth(a|b == 0)
	case OpPowI:
		return powConst(a, b)
	}
	return AnySize
}

func powConst(a, n int64) Size {
	if n < 0 || n > 64 {
		return AnySize
	}
	r := ConstSize(1)
	for ; n > 0; n-- {
		r = mulSizes(r, ConstSize(a))
	}
	return r
}

// Residue returns a|b: b modulo a with the sign of a; b where a is 0.
func Residue(a, b int64) int64 {
	switch {
	case a == 0:
		return b
	case a == -1:
		return 0
	}
	r := b % a
	if r != 0 && (r < 0) != (a < 0) {
		r += a
	}
	return r
}
