package tail

import "github.com/tailor-lang/tailor/array"

// Effect says what evaluating an expression can do beside giving a value.
type Effect uint8

// The effects.
const (
	Faults  Effect = 1 << iota // it can end in a fault, or go on for ever
	Impures                    // it has an effect, or depends on one
)

// Effects answers questions about the effects of expressions. It remembers
// what it has found out about functions, so that a question costs the size of
// the expression.
type Effects struct {
	Wrap   bool // integer arithmetic wraps instead of faulting
	Sticky bool // see Program
	ends   bool // loops and recursion end
	funcs  map[*Func]Effect
	strict *Effects // of the same program if it were not Sticky, once that is asked for
}

// NewEffects returns an Effects that knows nothing yet.
func NewEffects(p *Program) *Effects {
	return &Effects{Wrap: p.Wrap, Sticky: p.Sticky, funcs: map[*Func]Effect{}}
}

// Impure reports whether evaluating e has an effect or depends on one.
func Impure(e Expr) bool { return NewEffects(&Program{}).Of(e)&Impures != 0 }

// Total reports whether e may be dropped, duplicated and moved: evaluating it
// always gives a value, the same one, and does nothing else.
func Total(e Expr) bool { return NewEffects(&Program{}).Of(e) == 0 }

// Visible reports whether it may matter that e is evaluated, although nothing needs
// its value: it has an effect, or a fault that is no overflow of numbers.
func Visible(e Expr) bool {
	return (&Effects{Wrap: true, Sticky: true, ends: true, funcs: map[*Func]Effect{}}).Of(e) != 0
}

// Total is the function Total with the knowledge of x.
func (x *Effects) Total(e Expr) bool { return x.Of(e) == 0 }

// Of returns the effects that evaluating e can have. Those of a lambda are
// those of its body, as if it were applied.
func (x *Effects) Of(e Expr) Effect {
	var all Effect
	Walk(e, func(e Expr) bool {
		switch e := e.(type) {
		case *Apply:
			all |= x.ofApply(e)
			if smallSum(e) {
				all |= x.Of(e.Args[1]) | x.Of(e.Args[2])
				return false
			}
		case *Call:
			all |= x.ofFunc(e.Fn)
		}
		return all != Faults|Impures
	})
	return all
}

// smallSum reports whether e adds up integers that are so small that no number
// of them overflows.
func smallSum(e *Apply) bool {
	const most = 1 << 12
	if e.Op != OpReduce {
		return false
	}
	if f, ok := e.Args[0].(*Lam); !ok || !isOpLam(f, OpAddI) {
		return false
	}
	if zero, ok := constInt(e.Args[1]); !ok || zero < -most || zero > most {
		return false
	}
	r := rangeOf(e.Args[2], rangeDepth)
	return r.known && r.low >= -most && r.high <= most
}

// Dropped reports whether evaluating e may be left out where nothing needs its
// value: unlike one that is total, it does not overflow either.
func (x *Effects) Dropped(e Expr) bool {
	if !x.Sticky || !x.Total(e) {
		return x.Total(e)
	}
	if x.strict == nil {
		x.strict = &Effects{Wrap: x.Wrap, funcs: map[*Func]Effect{}}
	}
	return x.strict.Total(e)
}

// ofFunc returns the effects of calling f.
func (x *Effects) ofFunc(f *Func) Effect {
	if known, ok := x.funcs[f]; ok {
		return known
	}
	x.funcs[f] = 0
	if !x.ends { // for calls from below: recursion can be too deep
		x.funcs[f] = Faults
	}
	eff := x.Of(f.Body)
	if f.Recursive && !x.ends {
		eff |= Faults
	}
	x.funcs[f] = eff
	return eff
}

// ofApply returns the effects of e itself, without its arguments.
func (x *Effects) ofApply(e *Apply) Effect {
	row := e.Op.Row()
	var eff Effect
	if row.Impure {
		eff |= Impures
	}
	if e.Op == OpWhile && !x.ends || len(row.Faults) > 0 && x.faults(e) {
		eff |= Faults
	}
	return eff
}

// faults reports whether e, whose row has faults, may have one.
func (x *Effects) faults(e *Apply) bool {
	if e.Op.CanOverflow() {
		if !x.Sticky && !(reach(e, boundDepth) <= maxBound) {
			return true
		}
		if len(e.Op.Row().Faults) == 1 {
			return false
		}
	}
	return !x.safe(e)
}

// safe reports whether e, whose row has faults, certainly has none but overflow
// of doubles.
func (x *Effects) safe(e *Apply) bool {
	arg := func(i int) *Array { return TypeOf(e.Args[i]) }
	switch e.Op {
	case OpAddI, OpSubI, OpMulI, OpNegI, OpAbsI:
		return x.Wrap || noOverflow(e)
	case OpI2B:
		r := rangeOf(e.Args[0], rangeDepth)
		return r.known && r.low >= 0 && r.high <= 1
	case OpDivD, OpRecD:
		return nonZero(e.Args[len(e.Args)-1])
	case OpIota:
		r := rangeOf(e.Args[0], rangeDepth)
		return r.known && r.low >= 0 || natural(arg(0).Value(0))
	case OpZipWith:
		x, y := extents(arg(1)), extents(arg(2))
		one := ConstSize(1)
		return sameExtents(x, y) || oneElement(x).Equal(one) || oneElement(y).Equal(one)
	case OpOnly:
		return oneElement(extents(arg(0))).Equal(ConstSize(1))
	case OpLaminate:
		return sameExtents(extents(arg(0)), extents(arg(1)))
	case OpReduce1:
		return positive(arg(1).Extent(e.Axis))
	case OpReduceWin:
		return natural(TypeOf(e).Extent(e.Axis)) && arg(1).Value(0).Known() &&
			compareSizes(OpEqI, arg(1).Value(0), ConstSize(0)).Equal(ConstSize(0))
	case OpInner:
		return sameExtents([]Size{arg(3).Extent(arg(3).Dims() - 1)}, []Size{arg(4).Extent(0)})
	case OpChain:
		return sameExtents([]Size{arg(2).Extent(arg(2).Dims() - 1)}, []Size{arg(3).Extent(0)})
	case OpInner1:
		last := arg(2).Extent(arg(2).Dims() - 1)
		return sameExtents([]Size{last}, []Size{arg(3).Extent(0)}) && positive(last)
	case OpCells, OpCells2:
		return safeCells(e)
	case OpPower:
		return natural(arg(1).Value(0))
	case OpItems:
		r := rangeOf(e.Args[1], rangeDepth)
		return r.known && r.low >= 0 || natural(arg(1).Value(0))
	case OpSegments:
		return true
	case OpReshape:
		return naturals(arg(0).Values) || arg(0).Extent(0).Equal(ConstSize(0))
	case OpTransp2:
		_, ok := constants(arg(0))
		return ok
	case OpTake, OpDrop:
		n, ok := arg(0).elementCount()
		return ok && int(n) <= arg(1).Dims()
	}
	return safeSelection(e, arg)
}

// safeSelection is safe for the ops that join and select.
func safeSelection(e *Apply, arg func(int) *Array) bool {
	switch e.Op {
	case OpCat:
		return sameExtents(without(extents(arg(0)), e.Axis), without(extents(arg(1)), e.Axis))
	case OpCons:
		return sameExtents(extents(arg(0)), without(extents(arg(1)), e.Axis))
	case OpSnoc:
		return sameExtents(without(extents(arg(0)), e.Axis), extents(arg(1)))
	case OpCompress, OpReplicate:
		return arg(0).Extent(0).Equal(arg(1).Extent(e.Axis))
	case OpExpand:
		counts, ok := constants(arg(0))
		items := int64(0)
		for _, n := range counts {
			if n > 0 {
				items++
			}
		}
		return ok && arg(1).Extent(e.Axis).Equal(ConstSize(items))
	case OpRotateM:
		return sameExtents(extents(arg(0)), without(extents(arg(1)), e.Axis))
	case OpIndex:
		return safeIndices(arg(0), e.Args[1:])
	case OpUpdate:
		return safeUpdate(e)
	case OpDecode:
		b, v := arg(0), arg(1)
		return b.Dims() == 0 || v.Dims() == 0 || b.Extent(b.Dims()-1).Equal(v.Extent(0))
	}
	return false
}

func safeUpdate(e *Apply) bool {
	last := len(e.Args) - 1
	x, v := TypeOf(e.Args[0]), TypeOf(e.Args[last])
	if !safeIndices(x, e.Args[1:last]) {
		return false
	}
	if v.Dims() == 0 {
		return true
	}
	var selection []Size
	for axis, i := range e.Args[1:last] {
		if isUnit(i.Type()) {
			selection = append(selection, x.Extent(axis))
		} else {
			selection = append(selection, extents(TypeOf(i))...)
		}
	}
	return sameExtents(selection, extents(v))
}

// safeIndices reports whether all indices are certainly inside x.
func safeIndices(x *Array, indices []Expr) bool {
	for axis, i := range indices {
		if !isUnit(i.Type()) && !safeIndex(i, x.Extent(axis)) {
			return false
		}
	}
	return true
}

func safeIndex(i Expr, extent Size) bool {
	ty := TypeOf(i)
	if isRank(ty, 1) && ty.Values != nil || isRank(ty, 0) && ty.Value(0).Known() {
		for _, v := range ty.Values {
			if !positive(v) || !holds(OpLteI, v, extent) {
				return false
			}
		}
		return true
	}
	if a, ok := i.(*Apply); ok && a.Op == OpIota {
		return holds(OpLteI, TypeOf(a.Args[0]).Value(0), extent)
	}
	n, constant := extent.IsConst()
	r := rangeOf(i, rangeDepth)
	return constant && r.known && r.low >= 1 && r.high <= n
}

func holds(op Op, a, b Size) bool { return compareSizes(op, a, b).Equal(ConstSize(1)) }

func positive(s Size) bool { return s.Known() && natural(addSizes(s, ConstSize(-1), 1)) }

func naturals(sizes []Size) bool {
	for _, s := range sizes {
		if !natural(s) {
			return false
		}
	}
	return sizes != nil
}

func sameExtents(a, b []Size) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}

// safeCells reports whether all results of the function of a cells or cells2
// have one shape and the frames agree.
func safeCells(e *Apply) bool {
	f, ok := e.Args[0].(*Lam)
	if !ok {
		return false
	}
	result, ok := f.Body.Type().(*Array)
	if !ok {
		return false
	}
	for i := 0; i < result.Dims(); i++ {
		if !result.Extent(i).Known() {
			return false
		}
	}
	if e.Op == OpCells {
		return true
	}
	x, y := TypeOf(e.Args[1]), TypeOf(e.Args[2])
	left, right := x.Dims()-e.Ks[0], y.Dims()-e.Ks[1]
	return left == 0 || right == 0 || left == right && sameExtents(extents(x)[:left], extents(y)[:right])
}

// nonZero reports whether e is a constant without zeros (or NaNs).
func nonZero(e Expr) bool {
	if a, ok := e.(*Apply); ok && a.Op == OpI2D {
		return intNonZero(a.Args[0])
	}
	l, ok := e.(*Lit)
	if !ok {
		return false
	}
	if l.Value.Elem != array.Double {
		return false
	}
	for _, d := range l.Value.Doubles {
		if !(d < 0 || d > 0) {
			return false
		}
	}
	return true
}

func intNonZero(e Expr) bool {
	r := rangeOf(e, rangeDepth)
	return r.known && (r.low > 0 || r.high < 0) || positive(TypeOf(e).Value(0))
}
