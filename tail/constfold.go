package tail

import (
	"io"
	"math"

	"github.com/tailor-lang/tailor/array"
)

const (
	// maxFoldArgs is the length of the longest constant that constfold
	// computes with.
	maxFoldArgs = 64
	// maxFoldText is the length of the longest text that it puts together.
	maxFoldText = 256
	// maxFoldLam is the size of the largest function that it applies.
	maxFoldLam = 64
)

// constfold evaluates applications of ops to short constants, if the result is
// a scalar or short. What faults stays, to fault when the program runs; so
// does what depends on the comparison tolerance or the print precision, which
// the program does not tell.
//
// Requires: nothing. Leaves types that could be more precise; run simplify
// after.
//
//	muld(i2d(2),sqrtd(2.25))   becomes   3.0
func constfold(o *optimiser) {
	o.bodies(func(e Expr) Expr {
		return Map(e, func(e Expr) Expr {
			if a, ok := e.(*Apply); ok && foldable(a) {
				return o.fold(a)
			}
			return e
		})
	})
}

// foldable reports whether a may be evaluated now.
func foldable(a *Apply) bool {
	row := a.Op.Row()
	ty, ok := a.Ty.(*Array)
	if row.Impure || !ok || len(a.Args) == 0 {
		return false
	}
	switch a.Op {
	case OpIota, OpPower, OpWhile, OpFormat, OpFormatBy, OpPicture, OpAll, OpReadNpy, OpReceive:
		return false
	}
	longest := int64(maxLiteral)
	switch {
	case a.Op == OpEach:
		longest = maxFoldArgs
	case ty.Elem == array.Char && (a.Op == OpCat || a.Op == OpCons || a.Op == OpSnoc):
		longest = maxFoldText
	}
	if n, ok := product(extents(ty)).IsConst(); !ok || n > longest || ty.Dims() > 1 {
		return false
	}
	if a.Op == OpEach {
		return foldableEach(a)
	}
	for _, x := range a.Args {
		if !foldableArg(x) {
			return false
		}
	}
	return decisive(a)
}

// steps reports whether a applies functions to ⍳n, for a short known n, that
// are dear enough to be applied now.
func steps(a *Apply) bool {
	dear := false
	for {
		f, ok := a.Args[0].(*Lam)
		if !ok || !closedScalar(f) {
			return false
		}
		Walk(f, func(e Expr) bool {
			if x, ok := e.(*Apply); ok && dearOps[x.Op] {
				dear = true
			}
			return true
		})
		inner, ok := a.Args[1].(*Apply)
		if !ok || inner.Op != OpEach {
			break
		}
		a = inner
	}
	iota, ok := a.Args[1].(*Apply)
	if !ok || iota.Op != OpIota || !dear {
		return false
	}
	n, ok := TypeOf(iota).Extent(0).IsConst()
	_, isLit := iota.Args[0].(*Lit)
	return ok && isLit && n <= maxFoldArgs
}

// dearOps are the scalar ops that cost more than a step of a loop.
var dearOps = map[Op]bool{OpPowD: true, OpExpD: true, OpLnD: true, OpLogD: true, OpFactD: true, OpBinD: true, OpSinD: true, OpCosD: true, OpTanD: true}

func foldableArg(e Expr) bool {
	switch e := e.(type) {
	case *Lit:
		return e.Value.Len() <= maxFoldArgs || e.Value.Elem == array.Char && e.Value.Len() <= maxFoldText
	case *Lam:
		return closedScalar(e)
	case *Apply:
		return e.Op == OpAll
	}
	return false
}

// closedScalar reports whether f is a small function of scalar ops that
// mentions nothing from outside and does not depend on the tolerance.
func closedScalar(f *Lam) bool {
	n, simple := 0, true
	Walk(f, func(e Expr) bool {
		n++
		switch e := e.(type) {
		case *Apply:
			simple = simple && e.Op.Row().Scalar && !e.Op.Row().Impure && !toleranceOps[e.Op]
		case *Call:
			simple = false
		}
		simple = simple && n <= maxFoldLam
		return simple
	})
	return simple && len(FreeVars(f)) == 0
}

// toleranceOps has the scalar ops whose result depends on the comparison tolerance.
var toleranceOps = map[Op]bool{
	OpResD: true, OpGcdD: true, OpLcmD: true, OpFloorD: true, OpCeilD: true, OpD2I: true, OpD2B: true,
	OpLtD: true, OpLteD: true, OpGtD: true, OpGteD: true, OpEqD: true, OpNeqD: true,
}

// MaxTolerance is the greatest value of ⎕CT. Dyalog's page names 2*¯32, about
// 2.3E¯10, and programs of its users set 1E¯9.
const MaxTolerance = 1e-9

// Tolerant reports whether the result of an op can depend on the comparison
// tolerance.
func (o Op) Tolerant() bool {
	switch o {
	case OpMember, OpIndexOf, OpUnique, OpWithout, OpMatch, OpFind, OpEncode,
		OpFloorZ, OpCeilZ, OpResZ, OpGcdZ, OpLcmZ, OpEqZ, OpNeqZ, OpZ2D:
		return true
	}
	return toleranceOps[o]
}

// decisive reports whether the result of a is the same for every tolerance
// that ⎕CT can have.
func decisive(a *Apply) bool {
	doubles := false
	for _, x := range a.Args {
		l, ok := x.(*Lit)
		doubles = doubles || ok && l.Value.Elem == array.Double
	}
	switch a.Op {
	case OpMember, OpIndexOf, OpUnique, OpWithout, OpMatch, OpFind, OpIntervalIndex, OpEncode, OpDecode:
		return !doubles
	}
	if !toleranceOps[a.Op] {
		return true
	}
	x, _ := litDouble(a.Args[0])
	y := math.Round(x)
	switch a.Op {
	case OpResD, OpGcdD, OpLcmD:
		return false
	case OpFloorD, OpCeilD, OpD2I, OpD2B:
	default:
		y, _ = litDouble(a.Args[1])
	}
	return unmistakable(x, y)
}

// unmistakable reports whether x and y are equal exactly, or not even nearly.
func unmistakable(x, y float64) bool {
	return x == y || math.Abs(x-y) > 1e-8*max(1, math.Abs(x), math.Abs(y))
}

// foldableEach reports whether functions applied to elements may be applied
// now. Of those that depend on the tolerance, only rounding of what is integral
// or far from it may.
func foldableEach(a *Apply) bool {
	f, ok := a.Args[0].(*Lam)
	if !ok {
		return false
	}
	op, eta := etaReduced(f)
	if !eta || !toleranceOps[op] {
		return closedScalar(f) && (foldableArg(a.Args[1]) || steps(a))
	}
	l, ok := a.Args[1].(*Lit)
	if op != OpFloorD && op != OpCeilD && op != OpD2I || !ok || l.Value.Len() > maxFoldArgs {
		return false
	}
	for _, x := range l.Value.Doubles {
		if !unmistakable(x, math.Round(x)) {
			return false
		}
	}
	return true
}

// fold returns the value of a, or a when it has none.
func (o *optimiser) fold(a *Apply) Expr {
	main := &Tuple{Elems: []Expr{a}}
	values, err := EvalValues(&Program{Main: main, Wrap: o.p.Wrap, Exact: o.p.Exact, CT: o.p.CT}, &Env{Stdout: io.Discard, MaxBytes: 1 << 20})
	if err != nil || len(values) != 1 || values[0].Elem != TypeOf(a).Elem || values[0].Rank() != rankOf(a) {
		return a
	}
	return NewLit(a.Where, values[0])
}
