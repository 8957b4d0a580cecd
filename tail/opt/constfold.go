package opt

import (
	"io"
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
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
	scalars := map[*tail.Var]*tail.Lit{} // variables that are bound to scalars
	var visit func(e tail.Expr) tail.Expr
	visit = func(e tail.Expr) tail.Expr {
		let, _ := e.(*tail.Let)
		e = tail.MapChildren(e, func(x tail.Expr) tail.Expr {
			y := visit(x)
			if l, ok := y.(*tail.Lit); ok && let != nil && x == let.Bind && l.Value.Rank() == 0 {
				scalars[let.Var] = l
			}
			return y
		})
		switch e := e.(type) {
		case *tail.Ref:
			if l := scalars[e.Var]; l != nil {
				return tail.NewLit(e.Where, l.Value)
			}
		case *tail.Apply:
			if foldable(e) {
				return o.fold(e)
			}
		}
		return e
	}
	o.bodies(visit)
}

// foldable reports whether a may be evaluated now.
func foldable(a *tail.Apply) bool {
	row := a.Op.Row()
	ty, ok := a.Ty.(*tail.Array)
	if row.Impure || !ok || len(a.Args) == 0 {
		return false
	}
	switch a.Op {
	case tail.OpIota, tail.OpPower, tail.OpWhile, tail.OpFormat, tail.OpFormatBy, tail.OpPicture, tail.OpAll, tail.OpReadNpy, tail.OpReceive:
		return false
	}
	if arranges[a.Op] && ty.Dims() > 1 || a.Op == tail.OpEach && table(a.Args[1]) {
		return foldableTable(a)
	}
	longest := int64(maxLiteral)
	switch {
	case a.Op == tail.OpEach:
		longest = maxFoldArgs
	case ty.Elem == array.Char && (a.Op == tail.OpCat || a.Op == tail.OpCons || a.Op == tail.OpSnoc):
		longest = maxFoldText
	case a.Op == tail.OpCat || a.Op == tail.OpCons || a.Op == tail.OpSnoc:
		longest = maxFoldArgs
	}
	if n, ok := tail.Product(tail.Extents(ty)).IsConst(); !ok || n > longest || ty.Dims() > 1 {
		return false
	}
	if a.Op == tail.OpEach {
		return foldableEach(a)
	}
	for _, x := range a.Args {
		if !foldableArg(x) && (a.Op != tail.OpCat || !repeats(x)) {
			return false
		}
	}
	return decisive(a)
}

// arranges has the ops that put the elements of tables elsewhere.
var arranges = map[tail.Op]bool{tail.OpCat: true, tail.OpLaminate: true, tail.OpReverse: true, tail.OpRotate: true, tail.OpTransp: true, tail.OpTransp2: true, tail.OpDrop: true}

// table reports whether e is a constant of rank 2 or more, which is another shape of a
// literal.
func table(e tail.Expr) bool {
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpReshape || tail.RankOf(a) < 2 {
		return false
	}
	_, shape := a.Args[0].(*tail.Lit)
	x, elems := a.Args[1].(*tail.Lit)
	n, known := tail.Product(tail.Extents(tail.TypeOf(a))).IsConst()
	return shape && elems && x.Value.Len() > 1 && known && n <= maxFoldText
}

// foldableTable reports whether a is a short table made of constants.
func foldableTable(a *tail.Apply) bool {
	n, ok := tail.Product(tail.Extents(tail.TypeOf(a))).IsConst()
	if !ok || n == 0 || n > maxFoldText {
		return false
	}
	varied := false
	for _, x := range a.Args {
		l, isLit := x.(*tail.Lit)
		f, isLam := x.(*tail.Lam)
		varied = varied || isLit && l.Value.Len() > 1 || table(x)
		if !table(x) && (!isLit || l.Value.Len() > maxFoldText) && (!isLam || !closedScalar(f)) {
			return false
		}
	}
	return varied
}

// repeats reports whether e repeats a constant.
func repeats(e tail.Expr) bool {
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpReshape {
		return false
	}
	n, ok := a.Args[0].(*tail.Lit)
	_, ok2 := a.Args[1].(*tail.Lit)
	return ok && ok2 && n.Value.Len() == 1
}

// steps reports whether a applies functions to ⍳n, for a short known n, that
// are dear enough to be applied now.
func steps(a *tail.Apply) bool {
	dear := false
	for {
		f, ok := a.Args[0].(*tail.Lam)
		if !ok || !closedScalar(f) {
			return false
		}
		tail.Walk(f, func(e tail.Expr) bool {
			if x, ok := e.(*tail.Apply); ok && dearOps[x.Op] {
				dear = true
			}
			return true
		})
		inner, ok := a.Args[1].(*tail.Apply)
		if !ok || inner.Op != tail.OpEach {
			break
		}
		a = inner
	}
	iota, ok := a.Args[1].(*tail.Apply)
	if !ok || iota.Op != tail.OpIota || !dear {
		return false
	}
	n, ok := tail.TypeOf(iota).Extent(0).IsConst()
	_, isLit := iota.Args[0].(*tail.Lit)
	return ok && isLit && n <= maxFoldArgs
}

// dearOps are the scalar ops that cost more than a step of a loop.
var dearOps = map[tail.Op]bool{tail.OpPowD: true, tail.OpExpD: true, tail.OpLnD: true, tail.OpLogD: true, tail.OpFactD: true, tail.OpBinD: true, tail.OpSinD: true, tail.OpCosD: true, tail.OpTanD: true}

func foldableArg(e tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Lit:
		return e.Value.Len() <= maxFoldArgs || e.Value.Elem == array.Char && e.Value.Len() <= maxFoldText
	case *tail.Lam:
		return closedScalar(e)
	case *tail.Apply:
		return e.Op == tail.OpAll
	}
	return false
}

// closedScalar reports whether f is a small function of scalar ops that
// mentions nothing from outside and does not depend on the tolerance.
func closedScalar(f *tail.Lam) bool {
	n, simple := 0, true
	tail.Walk(f, func(e tail.Expr) bool {
		n++
		switch e := e.(type) {
		case *tail.Apply:
			simple = simple && e.Op.Row().Scalar && !e.Op.Row().Impure && !e.Op.TolerantReal()
		case *tail.Call:
			simple = false
		}
		simple = simple && n <= maxFoldLam
		return simple
	})
	return simple && len(tail.FreeVars(f)) == 0
}

// decisive reports whether the result of a is the same for every tolerance
// that ⎕CT can have.
func decisive(a *tail.Apply) bool {
	doubles := false
	for _, x := range a.Args {
		l, ok := x.(*tail.Lit)
		doubles = doubles || ok && l.Value.Elem == array.Double
	}
	switch a.Op {
	case tail.OpMember, tail.OpIndexOf, tail.OpUnique, tail.OpWithout, tail.OpMatch, tail.OpFind, tail.OpIntervalIndex, tail.OpEncode, tail.OpDecode:
		return !doubles
	}
	if !a.Op.TolerantReal() {
		return true
	}
	x, _ := litDouble(a.Args[0])
	y := math.Round(x)
	switch a.Op {
	case tail.OpResD, tail.OpGcdD, tail.OpLcmD:
		return false
	case tail.OpFloorD, tail.OpCeilD, tail.OpD2I, tail.OpD2B:
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
func foldableEach(a *tail.Apply) bool {
	f, ok := a.Args[0].(*tail.Lam)
	if !ok {
		return false
	}
	op, eta := tail.EtaReduced(f)
	if !eta || !op.TolerantReal() {
		return closedScalar(f) && (foldableArg(a.Args[1]) || steps(a))
	}
	l, ok := a.Args[1].(*tail.Lit)
	if op != tail.OpFloorD && op != tail.OpCeilD && op != tail.OpD2I || !ok || l.Value.Len() > maxFoldArgs {
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
func (o *optimiser) fold(a *tail.Apply) tail.Expr {
	main := &tail.Tuple{Elems: []tail.Expr{a}}
	values, err := eval.Values(&tail.Program{Main: main, Wrap: o.p.Wrap, Exact: o.p.Exact, CT: o.p.CT}, &eval.Env{Stdout: io.Discard, MaxBytes: 1 << 20})
	if err != nil || len(values) != 1 || values[0].Elem != tail.TypeOf(a).Elem || values[0].Rank() != tail.RankOf(a) {
		return a
	}
	if v := values[0]; v.Rank() > 1 {
		elems, shape := *v, make([]int64, v.Rank())
		for i, n := range v.Shape {
			shape[i] = int64(n)
		}
		elems.Shape = []int{v.Len()}
		return mustApply(a.Where, tail.OpReshape, tail.NewLit(a.Where, array.VectorInt(shape)), tail.NewLit(a.Where, &elems))
	}
	return tail.NewLit(a.Where, values[0])
}
