package analysis

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// boundDepth bounds how deeply reach looks into an expression; maxBound is a
// number below the greatest double by more than any rounding.
const (
	boundDepth = 12
	maxBound   = math.MaxFloat64 / 2
)

// reach returns a number that the magnitude of the elements of e, of doubles,
// does not exceed; infinity where nothing is known.
func reach(e tail.Expr, depth int) float64 {
	switch e := e.(type) {
	case *tail.Lit:
		return litBound(e.Value)
	case *tail.Apply:
		if depth > 0 {
			return boundedOp(e, depth-1)
		}
	}
	return math.Inf(1)
}

func boundedOp(e *tail.Apply, depth int) float64 {
	arg := func(i int) float64 { return reach(e.Args[i], depth) }
	switch e.Op {
	case tail.OpI2D:
		if r := RangeOf(e.Args[0], RangeDepth); r.Known {
			return math.Max(math.Abs(float64(r.Low)), math.Abs(float64(r.High)))
		}
		return 1 << 63
	case tail.OpB2D, tail.OpSinD, tail.OpCosD, tail.OpRollD, tail.OpTanhD:
		return 1
	case tail.OpAddD, tail.OpSubD:
		return arg(0) + arg(1)
	case tail.OpMulD:
		return arg(0) * arg(1)
	case tail.OpNegD, tail.OpAbsD:
		return arg(0)
	case tail.OpMinD, tail.OpMaxD:
		return math.Max(arg(0), arg(1))
	case tail.OpPiD:
		return 4 * arg(0)
	case tail.OpSqrtD:
		return math.Max(1, arg(0))
	case tail.OpAtanD:
		return 2
	case tail.OpLnD:
		return 1000
	case tail.OpExpD:
		return math.Exp(arg(0))
	case tail.OpDivD:
		if y, ok := e.Args[1].(*tail.Apply); ok && y.Op == tail.OpI2D { // 1 at least
			return arg(0)
		}
		if l, ok := e.Args[1].(*tail.Lit); ok {
			return arg(0) / leastMagnitude(l.Value)
		}
	}
	return math.Inf(1)
}

func litBound(a *array.Array) float64 {
	if a.Elem != array.Double {
		return math.Inf(1)
	}
	most := 0.0
	for _, x := range a.Doubles {
		most = math.Max(most, math.Abs(x))
	}
	return most
}

func leastMagnitude(a *array.Array) float64 {
	if a.Elem != array.Double {
		return 0
	}
	least := math.Inf(1)
	for _, x := range a.Doubles {
		least = math.Min(least, math.Abs(x))
	}
	return least
}

// Overflows reports whether doubles may overflow in p.
func Overflows(p *tail.Program) bool {
	found := MayOverflow(p.Main)
	for _, f := range p.Funcs {
		found = found || MayOverflow(f.Body)
	}
	return found
}

// MayOverflow reports whether doubles may overflow where e is evaluated, functions
// that it calls left out.
func MayOverflow(e tail.Expr) bool {
	found := false
	tail.Walk(e, func(e tail.Expr) bool {
		if a, ok := e.(*tail.Apply); ok && a.Op.CanOverflow() && !(reach(a, boundDepth) <= maxBound) {
			found = true
		}
		return !found
	})
	return found
}
