package tail

import (
	"math"

	"github.com/tailor-lang/tailor/array"
)

// interval bounds the elements of an integer or bool array.
type interval struct {
	low, high int64
	known     bool
}

// rangeDepth bounds how far rangeOf looks into an expression.
const rangeDepth = 8

// maxExtent bounds every extent and count of an array that fits into memory.
const maxExtent = 1 << 46

func between(low, high int64) interval { return interval{low, high, true} }

// rangeOf returns bounds of the elements of e, an integer or bool array, that
// hold whenever it has a value.
func rangeOf(e Expr, depth int) interval {
	ty, ok := e.Type().(*Array)
	if !ok || depth == 0 {
		return interval{}
	}
	if ty.Elem == array.Bool {
		return between(0, 1)
	}
	if ty.Elem != array.Int {
		return interval{}
	}
	if v, ok := constants(ty); ok && len(v) > 0 {
		return spanOf(v)
	}
	switch e := e.(type) {
	case *Lit:
		if len(e.Value.Ints) > 0 && len(e.Value.Ints) < 1<<12 {
			return spanOf(e.Value.Ints)
		}
	case *Let:
		return rangeOf(e.Body, depth-1)
	case *If:
		return hull(rangeOf(e.Then, depth-1), rangeOf(e.Else, depth-1))
	case *Vec:
		return rangeOfAll(e.Elems, depth-1)
	case *Apply:
		return rangeOfApply(e, depth-1)
	}
	return interval{}
}

func spanOf(v []int64) interval {
	r := between(v[0], v[0])
	for _, n := range v {
		r.low, r.high = min(r.low, n), max(r.high, n)
	}
	return r
}

func hull(a, b interval) interval {
	return interval{min(a.low, b.low), max(a.high, b.high), a.known && b.known}
}

func rangeOfAll(es []Expr, depth int) interval {
	r := rangeOf(es[0], depth)
	for _, e := range es[1:] {
		r = hull(r, rangeOf(e, depth))
	}
	return r
}

func rangeOfApply(e *Apply, depth int) interval {
	arg := func(i int) interval { return rangeOf(e.Args[i], depth) }
	switch e.Op {
	case OpB2I:
		return between(0, 1)
	case OpSignI, OpSignD:
		return between(-1, 1)
	case OpC2I:
		return between(0, 0x10ffff)
	case OpTally, OpCount, OpShape:
		return between(0, maxExtent)
	case OpGradeUp, OpGradeDown, OpWhere, OpFirstCell, OpFirstItem, OpLongest:
		return between(1, maxExtent)
	case OpEach, OpZipWith:
		return rangeOf(e.Args[0].(*Lam).Body, depth)
	case OpIota:
		if n := arg(0); n.known {
			return between(1, max(1, n.high))
		}
	case OpAddI, OpSubI, OpMulI, OpNegI, OpAbsI, OpMinI, OpMaxI:
		return arithmetic(e, arg)
	case OpResI:
		if m := arg(0); m.known && m.low > 0 {
			return between(0, m.high-1)
		}
	case OpBitAnd:
		if m := arg(0); m.known && m.low >= 0 {
			return between(0, m.high)
		}
		if m := arg(1); m.known && m.low >= 0 {
			return between(0, m.high)
		}
	case OpReverse, OpTransp, OpRavel, OpPrint:
		return arg(0)
	case OpRotate, OpRotateM, OpTransp2, OpCompress, OpDrop:
		return arg(len(e.Args) - 1)
	case OpReshape, OpTake:
		return hull(arg(1), between(0, 0)) // fill elements are 0
	case OpCat, OpCons, OpSnoc:
		return hull(arg(0), arg(1))
	}
	return interval{}
}

// arithmetic bounds the exact result of an arithmetic op.
func arithmetic(e *Apply, arg func(int) interval) interval {
	a, b := arg(0), arg(len(e.Args)-1)
	if !a.known || !b.known {
		return interval{}
	}
	switch e.Op {
	case OpNegI, OpAbsI:
		if a.low == math.MinInt64 {
			return interval{}
		}
		if e.Op == OpNegI {
			return between(-a.high, -a.low)
		}
		return between(max(0, a.low, -a.high), max(a.high, -a.low))
	case OpMinI:
		return between(min(a.low, b.low), min(a.high, b.high))
	case OpMaxI:
		return between(max(a.low, b.low), max(a.high, b.high))
	}
	corners := []Size{
		ScalarValue(e.Op, []Size{ConstSize(a.low), ConstSize(b.low)}),
		ScalarValue(e.Op, []Size{ConstSize(a.low), ConstSize(b.high)}),
		ScalarValue(e.Op, []Size{ConstSize(a.high), ConstSize(b.low)}),
		ScalarValue(e.Op, []Size{ConstSize(a.high), ConstSize(b.high)}),
	}
	v := make([]int64, len(corners))
	for i, c := range corners {
		n, ok := c.IsConst()
		if !ok {
			return interval{}
		}
		v[i] = n
	}
	return spanOf(v)
}

// noOverflow reports whether the integer op e certainly does not overflow. A
// value that mentions a size variable may be any natural number, so it proves
// nothing by itself.
func noOverflow(e *Apply) bool {
	return arithmetic(e, func(i int) interval { return rangeOf(e.Args[i], rangeDepth) }).known
}
