package returns

import (
	"unicode"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// demand notes what an application needs so that it does not fault.
func (f *finder) demand(e *tail.Apply, args []*Value) {
	arg := func(i int) *tail.Array { return args[i].Array() }
	need := func(fault tail.Fault, goals ...tail.Size) { f.need(fault, e.Where, goals) }
	same := func(fault tail.Fault, a, b []tail.Size) { f.sameShape(e, fault, a, b) }
	switch e.Op {
	case tail.OpIota:
		need(tail.FaultNegative, arg(0).Value(0))
	case tail.OpReduce1:
		need(tail.FaultEmptyReduce, minus(arg(1).Extent(e.Axis), constant(1)))
	case tail.OpReduceWin:
		width := f.magnitude(arg(1).Value(0))
		need(tail.FaultWindow, minus(plus(arg(2).Extent(e.Axis), constant(1)), width))
		need(tail.FaultEmptyReduce, minus(width, constant(1)))
	case tail.OpInner, tail.OpInner1, tail.OpChain:
		i := map[tail.Op]int{tail.OpInner: 3, tail.OpInner1: 2, tail.OpChain: 2}[e.Op]
		last := arg(i).Extent(arg(i).Dims() - 1)
		need(tail.FaultInner, f.equal(last, arg(i+1).Extent(0))...)
		if e.Op == tail.OpInner1 {
			need(tail.FaultEmptyReduce, minus(last, constant(1)))
		}
	case tail.OpReshape:
		f.each(e, tail.FaultReshape, args[0], func(v tail.Size) []tail.Size { return []tail.Size{v} })
	case tail.OpOnly:
		f.only(e, arg(0), arg(1))
	case tail.OpCat:
		same(tail.FaultCatenate, without(extents(arg(0)), e.Axis), without(extents(arg(1)), e.Axis))
	case tail.OpCons:
		same(tail.FaultCatenate, extents(arg(0)), without(extents(arg(1)), e.Axis))
	case tail.OpSnoc:
		same(tail.FaultCatenate, without(extents(arg(0)), e.Axis), extents(arg(1)))
	case tail.OpRotateM:
		same(tail.FaultRotate, extents(arg(0)), without(extents(arg(1)), e.Axis))
	case tail.OpLaminate:
		same(tail.FaultShapes, extents(arg(0)), extents(arg(1)))
	case tail.OpCompress, tail.OpReplicate:
		need(tail.FaultReplicate, f.equal(arg(0).Extent(0), arg(1).Extent(e.Axis))...)
	case tail.OpTake, tail.OpDrop:
		if arg(0).Dims() == 1 {
			need(tail.FaultTakeLength, minus(constant(int64(arg(1).Dims())), arg(0).Extent(0)))
		}
	default:
		f.demandMore(e, args, arg)
	}
}

// demandMore is demand for what chooses elements and for conversions.
func (f *finder) demandMore(e *tail.Apply, args []*Value, arg func(int) *tail.Array) {
	switch e.Op {
	case tail.OpIndex:
		f.indices(e, args[0], args[1:])
	case tail.OpUpdate:
		f.update(e, args)
	case tail.OpExpand:
		f.expand(e, args)
	case tail.OpDecode:
		f.decode(e, arg(0), arg(1))
	case tail.OpMatDiv:
		f.need(tail.FaultShapes, e.Where, f.equal(arg(0).Extent(0), arg(1).Extent(0)))
		f.need(tail.FaultShapes, e.Where, []tail.Size{minus(arg(1).Extent(0), arg(1).Extent(1))})
	case tail.OpMatInv:
		f.need(tail.FaultShapes, e.Where, []tail.Size{minus(arg(0).Extent(0), arg(0).Extent(1))})
	case tail.OpDeal:
		f.need(tail.FaultOutOfDomain, e.Where, []tail.Size{arg(0).Value(0), minus(arg(1).Value(0), arg(0).Value(0))})
	case tail.OpExpect:
		f.expected(e, args)
	case tail.OpStop:
		f.stops(e, args[1])
	case tail.OpI2B:
		truth := func(v tail.Size) []tail.Size { return []tail.Size{v, minus(constant(1), v)} }
		f.elements(tail.FaultNotBoolean, e.Where, args[0], truth, []tail.Size{args[0].Low, minus(constant(1), args[0].High)})
	case tail.OpParseNumber:
		if !args[0].numeral {
			f.need(tail.FaultFormat, e.Where, []tail.Size{tail.AnySize})
		}
	case tail.OpI2C:
		point := func(v tail.Size) []tail.Size { return []tail.Size{v, minus(constant(unicode.MaxRune), v)} }
		f.elements(tail.FaultOutOfDomain, e.Where, args[0], point, []tail.Size{args[0].Low, minus(constant(unicode.MaxRune), args[0].High)})
	case tail.OpRollI:
		positive := func(v tail.Size) []tail.Size { return []tail.Size{minus(v, constant(1))} }
		f.elements(tail.FaultOutOfDomain, e.Where, args[0], positive, positive(args[0].Low))
	case tail.OpTransp2, tail.OpPowI: // infer tests the axes, and powi has natural exponents
	default:
		f.unknown(e)
	}
}

// stops needs that the number of an error is 0, which means that there is none.
func (f *finder) stops(e *tail.Apply, number *Value) {
	if isZero(number) {
		return
	}
	goals := number.ifZero
	if goals == nil {
		goals = []tail.Size{tail.AnySize}
	}
	// There may be no error for other reasons, which is the second alternative.
	f.need(tail.FaultFormat, e.Where, goals, []tail.Size{tail.AnySize})
	if number.zero != nil {
		for _, s := range number.zero.no {
			f.fact(s)
		}
	}
}

// unknown notes the faults of an op of which nothing else is known here.
func (f *finder) unknown(e *tail.Apply) {
	for _, fault := range e.Op.Row().Faults {
		if counts(fault) {
			f.need(fault, e.Where, []tail.Size{tail.AnySize})
		}
	}
}

// sameShape needs that two shapes are equal.
func (f *finder) sameShape(e *tail.Apply, fault tail.Fault, a, b []tail.Size) {
	var goals []tail.Size
	for i := range min(len(a), len(b)) {
		goals = append(goals, f.equal(a[i], b[i])...)
	}
	f.need(fault, e.Where, goals)
}

func without(sizes []tail.Size, axis int) []tail.Size {
	var rest []tail.Size
	for i, s := range sizes {
		if i != axis {
			rest = append(rest, s)
		}
	}
	return rest
}

// each needs something of every element of an array of integers: of its values,
// where they are known, else of its bounds. An empty array needs nothing.
func (f *finder) each(e *tail.Apply, fault tail.Fault, v *Value, goals func(tail.Size) []tail.Size) {
	t := v.Array()
	if f.empty(t) {
		return
	}
	known, constants := len(t.Values) > 0, true
	for _, x := range t.Values {
		_, is := x.IsConst()
		known, constants = known && x.Known(), constants && is
	}
	known = known && !constants
	if !known {
		f.elements(fault, e.Where, v, goals, append(goals(v.Low), goals(v.High)...))
		return
	}
	var all []tail.Size
	for _, x := range t.Values {
		all = append(all, goals(x)...)
	}
	f.need(fault, e.Where, all)
}

// indices needs that indices lie inside an array.
func (f *finder) indices(e *tail.Apply, x *Value, indices []*Value) {
	for axis, i := range indices {
		t, ok := i.Type.(*tail.Array)
		if !ok || axis >= x.Array().Dims() || f.empty(t) {
			continue
		}
		extent := x.Array().Extent(axis)
		inside := func(v tail.Size) []tail.Size {
			return []tail.Size{minus(v, constant(1)), minus(extent, v)}
		}
		if t.Values != nil || !i.Low.Known() || !i.High.Known() {
			f.each(e, tail.FaultIndex, i, inside)
			continue
		}
		f.elements(tail.FaultIndex, e.Where, i, inside, []tail.Size{minus(i.Low, constant(1)), minus(extent, i.High)})
	}
}

// elements needs goals about the bounds of an array. The bounds may be no elements:
// the fault is certain only where one and the same of the goals of an element fails
// at both of them.
func (f *finder) elements(fault tail.Fault, at diag.Span, v *Value, of func(tail.Size) []tail.Size, goals []tail.Size) {
	fails := func(g tail.Size) bool { return g.Known() && f.proves(minus(constant(-1), g)) }
	low, high := of(v.Low), of(v.High)
	all := false
	for i := range low {
		all = all || fails(low[i]) && fails(high[i])
	}
	defer func(was bool) { f.perhaps = was }(f.perhaps)
	f.perhaps = f.perhaps || !all || !f.filled(v.Array())
	f.need(fault, at, goals)
}

// update needs indices that lie inside, and a value of the selection's shape.
func (f *finder) update(e *tail.Apply, args []*Value) {
	last := len(args) - 1
	f.indices(e, args[0], args[1:last])
	v := args[last].Array()
	if v.Dims() == 0 {
		return
	}
	var sizes []tail.Size
	for axis, i := range args[1:last] {
		if t, ok := i.Type.(*tail.Array); ok {
			sizes = append(sizes, extents(t)...)
		} else {
			sizes = append(sizes, args[0].Array().Extent(axis))
		}
	}
	f.sameShape(e, tail.FaultUpdate, sizes, extents(v))
}

// expand needs as many items as counts are positive.
func (f *finder) expand(e *tail.Apply, args []*Value) {
	counts := args[0].Array()
	if len(counts.Values) == 0 && !f.empty(counts) {
		f.need(tail.FaultExpand, e.Where, []tail.Size{tail.AnySize})
		return
	}
	items := int64(0)
	for _, v := range counts.Values {
		n, ok := v.IsConst()
		if !ok {
			f.need(tail.FaultExpand, e.Where, []tail.Size{tail.AnySize})
			return
		}
		if n > 0 {
			items++
		}
	}
	extent := args[1].Array().Extent(e.Axis)
	f.need(tail.FaultExpand, e.Where, f.equal(extent, constant(items)), f.equal(extent, constant(1)))
}

// decode needs axes of one length, or one of length 1.
func (f *finder) decode(e *tail.Apply, x, y *tail.Array) {
	if x.Dims() == 0 || y.Dims() == 0 {
		return
	}
	last, first := x.Extent(x.Dims()-1), y.Extent(0)
	f.need(tail.FaultDecode, e.Where, f.equal(last, first), f.equal(last, constant(1)), f.equal(first, constant(1)))
}

// only needs an array of one element.
func (f *finder) only(e *tail.Apply, x, beside *tail.Array) {
	fault := tail.FaultRanks
	if beside.Extent(0).Equal(constant(0)) {
		fault = tail.FaultNotScalar
	}
	var goals []tail.Size
	for i := range x.Dims() {
		goals = append(goals, f.equal(x.Extent(i), constant(1))...)
	}
	f.need(fault, e.Where, goals)
}

// expected needs what an annotation says of a value.
func (f *finder) expected(e *tail.Apply, args []*Value) {
	x := args[0].Array()
	for i, want := range args[1].Array().Values {
		has := tail.AnySize
		if x.Dims() == 0 {
			has = x.Value(0)
		} else if i < x.Dims() {
			has = x.Extent(i)
		}
		switch n, constant_ := want.IsConst(); {
		case constant_ && n == -1:
		case constant_ && n < -1:
			f.need(tail.FaultClaim, e.Where, []tail.Size{minus(has, constant(-1-n))})
		default:
			f.need(tail.FaultClaim, e.Where, f.equal(has, want))
		}
	}
	if args[1].Array().Values == nil {
		f.need(tail.FaultClaim, e.Where, []tail.Size{tail.AnySize})
	}
}
