package analysis

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

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
	// Ranges, where not nil, bounds integers, those of variables, too. Sure, where not
	// nil, knows applications that cannot fault.
	Ranges *Ranger
	Sure   func(e *tail.Apply) bool
	// Fitting, where not nil, knows integers of which no number of the first ones has a sum
	// that overflows.
	Fitting func(e tail.Expr) bool

	ends   bool // loops and recursion end
	funcs  map[*tail.Func]Effect
	strict *Effects // of the same program if it were not Sticky, once that is asked for
}

// NewEffects returns an Effects that knows nothing yet.
func NewEffects(p *tail.Program) *Effects {
	return &Effects{Wrap: p.Wrap, Sticky: p.Sticky, funcs: map[*tail.Func]Effect{}}
}

// Impure reports whether evaluating e has an effect or depends on one.
func Impure(e tail.Expr) bool { return NewEffects(&tail.Program{}).Of(e)&Impures != 0 }

// Total reports whether e may be dropped, duplicated and moved: evaluating it
// always gives a value, the same one, and does nothing else.
func Total(e tail.Expr) bool { return NewEffects(&tail.Program{}).Of(e) == 0 }

// Visible reports whether it may matter that e is evaluated, although nothing needs
// its value: it has an effect, or a fault that is no overflow of numbers. The applications
// that sure knows cannot fault.
func Visible(e tail.Expr, sure func(e *tail.Apply) bool) bool {
	return (&Effects{Wrap: true, Sticky: true, Sure: sure, ends: true, funcs: map[*tail.Func]Effect{}}).Of(e) != 0
}

// Total is the function Total with the knowledge of x.
func (x *Effects) Total(e tail.Expr) bool { return x.Of(e) == 0 }

// Of returns the effects that evaluating e can have. Those of a lambda are
// those of its body, as if it were applied.
func (x *Effects) Of(e tail.Expr) Effect {
	var all Effect
	tail.Walk(e, func(e tail.Expr) bool {
		x.Ranges.Note(e)
		switch e := e.(type) {
		case *tail.Apply:
			all |= x.ofApply(e)
			if x.Small(e) {
				for _, arg := range e.Args[1:] {
					all |= x.Of(arg)
				}
				return false
			}
		case *tail.Call:
			all |= x.OfFunc(e.Fn)
		}
		return all != Faults|Impures
	})
	return all
}

// Small reports whether e adds up integers, or all prefixes of them, whose sums certainly
// do not overflow.
func (x *Effects) Small(e *tail.Apply) bool {
	const most = 1 << 12
	if e.Op != tail.OpReduce && e.Op != tail.OpScan {
		return false
	}
	if f, ok := e.Args[0].(*tail.Lam); !ok || !tail.IsOpLam(f, tail.OpAddI) {
		return false
	}
	if e.Op == tail.OpReduce {
		if zero, ok := tail.ConstInt(e.Args[1]); !ok || zero < -most || zero > most {
			return false
		}
	}
	last := e.Args[len(e.Args)-1]
	if x.Fitting != nil && x.Fitting(last) {
		return true
	}
	r := x.rangeOf(last)
	return r.Known && r.Low >= -most && r.High <= most
}

// rangeOf bounds integers.
func (x *Effects) rangeOf(e tail.Expr) Range {
	if x.Ranges != nil {
		return x.Ranges.Of(e, RangeDepth)
	}
	return RangeOf(e, RangeDepth)
}

// Dropped reports whether evaluating e may be left out where nothing needs its
// value: unlike one that is total, it does not overflow either.
func (x *Effects) Dropped(e tail.Expr) bool {
	if !x.Sticky || !x.Total(e) {
		return x.Total(e)
	}
	if x.strict == nil {
		x.strict = &Effects{Wrap: x.Wrap, Sure: x.Sure, Fitting: x.Fitting, funcs: map[*tail.Func]Effect{}}
	}
	return x.strict.Total(e)
}

// OfFunc returns the effects of calling f.
func (x *Effects) OfFunc(f *tail.Func) Effect {
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

// Own returns the effects of the op of e, without those of its arguments.
func (x *Effects) Own(e *tail.Apply) Effect { return x.ofApply(e) }

// ofApply returns the effects of e itself, without its arguments.
func (x *Effects) ofApply(e *tail.Apply) Effect {
	row := e.Op.Row()
	var eff Effect
	if row.Impure {
		eff |= Impures
	}
	if e.Op == tail.OpWhile && !x.ends || len(row.Faults) > 0 && x.faults(e) && (x.Sure == nil || !x.Sure(e)) {
		eff |= Faults
	}
	return eff
}

// faults reports whether e, whose row has faults, may have one.
func (x *Effects) faults(e *tail.Apply) bool {
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
func (x *Effects) safe(e *tail.Apply) bool {
	arg := func(i int) *tail.Array { return tail.TypeOf(e.Args[i]) }
	switch e.Op {
	case tail.OpAddI, tail.OpSubI, tail.OpMulI, tail.OpNegI, tail.OpAbsI:
		return x.Wrap || x.noOverflow(e)
	case tail.OpI2B:
		r := x.rangeOf(e.Args[0])
		return r.Known && r.Low >= 0 && r.High <= 1
	case tail.OpDivD, tail.OpRecD:
		return nonZero(e.Args[len(e.Args)-1])
	case tail.OpIota:
		r := x.rangeOf(e.Args[0])
		return r.Known && r.Low >= 0 || tail.Natural(arg(0).Value(0))
	case tail.OpZipWith:
		x, y := tail.Extents(arg(1)), tail.Extents(arg(2))
		one := tail.ConstSize(1)
		return SameExtents(x, y) || tail.OneElement(x).Equal(one) || tail.OneElement(y).Equal(one)
	case tail.OpOnly:
		return tail.OneElement(tail.Extents(arg(0))).Equal(tail.ConstSize(1))
	case tail.OpLaminate:
		return SameExtents(tail.Extents(arg(0)), tail.Extents(arg(1)))
	case tail.OpReduce1:
		return positive(arg(1).Extent(e.Axis))
	case tail.OpReduceWin:
		return tail.Natural(tail.TypeOf(e).Extent(e.Axis)) && arg(1).Value(0).Known() &&
			tail.CompareSizes(tail.OpEqI, arg(1).Value(0), tail.ConstSize(0)).Equal(tail.ConstSize(0))
	case tail.OpInner:
		return SameExtents([]tail.Size{arg(3).Extent(arg(3).Dims() - 1)}, []tail.Size{arg(4).Extent(0)})
	case tail.OpChain:
		return SameExtents([]tail.Size{arg(2).Extent(arg(2).Dims() - 1)}, []tail.Size{arg(3).Extent(0)})
	case tail.OpInner1:
		last := arg(2).Extent(arg(2).Dims() - 1)
		return SameExtents([]tail.Size{last}, []tail.Size{arg(3).Extent(0)}) && positive(last)
	case tail.OpCells, tail.OpCells2:
		return safeCells(e)
	case tail.OpPower:
		return tail.Natural(arg(1).Value(0))
	case tail.OpItems:
		r := x.rangeOf(e.Args[1])
		return r.Known && r.Low >= 0 || tail.Natural(arg(1).Value(0))
	case tail.OpSegments:
		return true
	case tail.OpReshape:
		return Naturals(arg(0).Values) || arg(0).Extent(0).Equal(tail.ConstSize(0))
	case tail.OpTransp2:
		_, ok := tail.Constants(arg(0))
		return ok
	case tail.OpTake, tail.OpDrop:
		n, ok := arg(0).ElementCount()
		return ok && int(n) <= arg(1).Dims()
	}
	return safeSelection(e, arg)
}

// noOverflow reports whether the integer op e certainly does not overflow. A
// value that mentions a size variable may be any natural number, so it proves
// nothing by itself.
func (x *Effects) noOverflow(e *tail.Apply) bool {
	return arithmetic(e, func(i int) Range { return x.rangeOf(e.Args[i]) }).Known
}

// safeSelection is safe for the ops that join and select.
func safeSelection(e *tail.Apply, arg func(int) *tail.Array) bool {
	switch e.Op {
	case tail.OpCat:
		return SameExtents(tail.WithoutExtent(tail.Extents(arg(0)), e.Axis), tail.WithoutExtent(tail.Extents(arg(1)), e.Axis))
	case tail.OpCons:
		return SameExtents(tail.Extents(arg(0)), tail.WithoutExtent(tail.Extents(arg(1)), e.Axis))
	case tail.OpSnoc:
		return SameExtents(tail.WithoutExtent(tail.Extents(arg(0)), e.Axis), tail.Extents(arg(1)))
	case tail.OpCompress, tail.OpReplicate:
		return arg(0).Extent(0).Equal(arg(1).Extent(e.Axis))
	case tail.OpExpand:
		counts, ok := tail.Constants(arg(0))
		items := int64(0)
		for _, n := range counts {
			if n > 0 {
				items++
			}
		}
		return ok && arg(1).Extent(e.Axis).Equal(tail.ConstSize(items))
	case tail.OpRotateM:
		return SameExtents(tail.Extents(arg(0)), tail.WithoutExtent(tail.Extents(arg(1)), e.Axis))
	case tail.OpIndex:
		return safeIndices(arg(0), e.Args[1:])
	case tail.OpUpdate:
		return safeUpdate(e)
	case tail.OpDecode:
		b, v := arg(0), arg(1)
		return b.Dims() == 0 || v.Dims() == 0 || b.Extent(b.Dims()-1).Equal(v.Extent(0))
	}
	return false
}

func safeUpdate(e *tail.Apply) bool {
	last := len(e.Args) - 1
	x, v := tail.TypeOf(e.Args[0]), tail.TypeOf(e.Args[last])
	if !safeIndices(x, e.Args[1:last]) {
		return false
	}
	if v.Dims() == 0 {
		return true
	}
	var selection []tail.Size
	for axis, i := range e.Args[1:last] {
		if tail.IsUnit(i.Type()) {
			selection = append(selection, x.Extent(axis))
		} else {
			selection = append(selection, tail.Extents(tail.TypeOf(i))...)
		}
	}
	return SameExtents(selection, tail.Extents(v))
}

// safeIndices reports whether all indices are certainly inside x.
func safeIndices(x *tail.Array, indices []tail.Expr) bool {
	for axis, i := range indices {
		if !tail.IsUnit(i.Type()) && !safeIndex(i, x.Extent(axis)) {
			return false
		}
	}
	return true
}

func safeIndex(i tail.Expr, extent tail.Size) bool {
	ty := tail.TypeOf(i)
	if tail.IsRank(ty, 1) && ty.Values != nil || tail.IsRank(ty, 0) && ty.Value(0).Known() {
		for _, v := range ty.Values {
			if !positive(v) || !holds(tail.OpLteI, v, extent) {
				return false
			}
		}
		return true
	}
	if a, ok := i.(*tail.Apply); ok {
		switch a.Op {
		case tail.OpIota:
			return holds(tail.OpLteI, tail.TypeOf(a.Args[0]).Value(0), extent)
		case tail.OpGradeUp, tail.OpGradeDown:
			return holds(tail.OpLteI, ty.Extent(0), extent)
		}
	}
	n, constant := extent.IsConst()
	r := RangeOf(i, RangeDepth)
	return constant && r.Known && r.Low >= 1 && r.High <= n
}

func holds(op tail.Op, a, b tail.Size) bool {
	return tail.CompareSizes(op, a, b).Equal(tail.ConstSize(1))
}

func positive(s tail.Size) bool {
	return s.Known() && tail.Natural(tail.AddSizes(s, tail.ConstSize(-1), 1))
}

func Naturals(sizes []tail.Size) bool {
	for _, s := range sizes {
		if !tail.Natural(s) {
			return false
		}
	}
	return sizes != nil
}

func SameExtents(a, b []tail.Size) bool {
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
func safeCells(e *tail.Apply) bool {
	f, ok := e.Args[0].(*tail.Lam)
	if !ok {
		return false
	}
	result, ok := f.Body.Type().(*tail.Array)
	if !ok {
		return false
	}
	for i := 0; i < result.Dims(); i++ {
		if !result.Extent(i).Known() {
			return false
		}
	}
	if e.Op == tail.OpCells {
		return true
	}
	x, y := tail.TypeOf(e.Args[1]), tail.TypeOf(e.Args[2])
	left, right := x.Dims()-e.Ks[0], y.Dims()-e.Ks[1]
	return left == 0 || right == 0 || left == right && SameExtents(tail.Extents(x)[:left], tail.Extents(y)[:right])
}

// nonZero reports whether e is a constant without zeros (or NaNs).
func nonZero(e tail.Expr) bool {
	if a, ok := e.(*tail.Apply); ok && a.Op == tail.OpI2D {
		return intNonZero(a.Args[0])
	}
	l, ok := e.(*tail.Lit)
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

func intNonZero(e tail.Expr) bool {
	r := RangeOf(e, RangeDepth)
	return r.Known && (r.Low > 0 || r.High < 0) || positive(tail.TypeOf(e).Value(0))
}
