package returns

import (
	"strings"
	"unicode"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// extent is the extent of axis i of an application whose type leaves it open.
func (f *finder) extent(e *tail.Apply, args []*Value, i int) tail.Size {
	arg := func(i int) *tail.Array { return args[i].Array() }
	switch e.Op {
	case tail.OpIota:
		return arg(0).Value(0)
	case tail.OpRavel:
		return f.product(arg(0).Extents)
	case tail.OpCompress, tail.OpReplicate:
		if i == e.Axis {
			return f.replicated(args[0], arg(1).Extent(i))
		}
	case tail.OpDrop:
		return f.dropped(args[0], arg(1), i)
	case tail.OpTake:
		return f.magnitude(arg(0).Value(i))
	case tail.OpUnique, tail.OpWithout, tail.OpWhere:
		n := f.size()
		f.atLeast(arg(0).Extent(0), n)
		return n
	case tail.OpReduceWin:
		n := minus(plus(arg(2).Extent(i), constant(1)), f.magnitude(arg(1).Value(0)))
		if n.Known() {
			return n
		}
	case tail.OpStretch:
		if one := arg(1).Extent(i); f.proves(minus(one, constant(2))) || f.proves(minus(constant(0), one)) {
			return one
		}
	case tail.OpTransp2:
		return f.diagonal(arg(0), arg(1), i)
	}
	return f.size()
}

// diagonal is the extent of axis i of a transposition: the least of the axes that
// it takes.
func (f *finder) diagonal(axes, x *tail.Array, i int) tail.Size {
	n := f.size()
	for k, v := range axes.Values {
		if v.Equal(constant(int64(i+1))) && k < x.Dims() {
			f.atLeast(x.Extent(k), n)
		}
	}
	return n
}

// replicated is how many items counts select out of n.
func (f *finder) replicated(counts *Value, n tail.Size) tail.Size {
	if counts.Low.Known() && counts.Low.Equal(counts.High) && natural(counts.Low) {
		if all := times(counts.Low, n); all.Known() {
			return all
		}
		return f.product([]tail.Size{counts.Low, n})
	}
	total := f.size()
	if counts.Low.Known() && natural(counts.Low) && counts.High.Known() {
		f.atLeast(times(counts.High, n), total)
		f.atLeast(total, times(counts.Low, n))
	}
	return total
}

// dropped is the extent of axis i of x without some items.
func (f *finder) dropped(counts *Value, x *tail.Array, i int) tail.Size {
	count := counts.Array().Value(i)
	extent := x.Extent(i)
	rest := minus(extent, f.magnitude(count))
	switch {
	case f.proves(rest):
		return rest
	case f.proves(minus(constant(0), rest)):
		return constant(0)
	}
	n := f.size()
	f.atLeast(n, rest)
	f.atLeast(extent, n)
	return n
}

// remembered is the number that some expression of known numbers has: a variable,
// the same one for equal expressions. says notes facts when it is made.
func (f *finder) remembered(key string, natural bool, says func(n tail.Size)) tail.Size {
	if n, ok := f.known[key]; ok {
		return n
	}
	n := f.number()
	if natural {
		n = f.size()
	}
	f.known[key] = n
	says(n)
	return n
}

// magnitude is the absolute value of a number.
func (f *finder) magnitude(n tail.Size) tail.Size {
	switch {
	case !n.Known():
		return f.size()
	case f.proves(n):
		return n
	case f.proves(minus(constant(0), n)):
		return minus(constant(0), n)
	}
	m := f.remembered("|"+n.String(), true, func(tail.Size) {})
	f.atLeast(m, n)
	f.fact(plus(m, n))
	return m
}

// product is a product of natural numbers.
func (f *finder) product(sizes []tail.Size) tail.Size {
	n := constant(1)
	for _, s := range sizes {
		if s.Equal(constant(0)) {
			return s
		}
		if next := times(n, s); next.Known() {
			n = next
			continue
		}
		if !n.Known() || !s.Known() {
			return f.size()
		}
		a, b := n.String(), s.String()
		x, y := n, s
		n = f.remembered(min(a, b)+"×"+max(a, b), true, func(tail.Size) {})
		for _, pair := range [][2]tail.Size{{x, y}, {y, x}} {
			if f.proves(minus(pair[0], constant(1))) {
				f.atLeast(n, pair[1])
			}
		}
	}
	return n
}

// scalar gives the result of a scalar op a value where the type leaves it open,
// and truth values what they say.
func (f *finder) scalar(e *tail.Apply, args []*Value, v *Value) {
	t := v.Array()
	var a, b tail.Size
	if len(args) > 0 {
		a, b = args[0].Low, args[len(args)-1].Low
	}
	if t.Elem == array.Bool {
		f.truth(e, args, v, a, b)
		return
	}
	if t.Elem != array.Int || t.Value(0).Known() || len(args) == 0 {
		return
	}
	for _, x := range args {
		if !x.Array().Value(0).Known() {
			return
		}
	}
	n := f.computed(e, a, b)
	r := *t
	r.Values = []tail.Size{n}
	v.Type = &r
}

// total gives the reduction of known numbers a value.
func (f *finder) total(e *tail.Apply, values []tail.Size, v *Value) {
	body, ok := e.Args[0].(*tail.Lam).Body.(*tail.Apply)
	if !ok || len(values) == 0 || v.Array().Elem != array.Int || v.Array().Value(0).Known() {
		return
	}
	switch body.Op {
	case tail.OpAddI, tail.OpMulI, tail.OpMaxI, tail.OpMinI:
	default:
		return
	}
	n := values[len(values)-1]
	for i := len(values) - 2; i >= 0; i-- {
		if !n.Known() || !values[i].Known() {
			return
		}
		next := tail.ScalarValue(body.Op, []tail.Size{values[i], n})
		if !next.Known() {
			next = f.computed(body, values[i], n)
		}
		n = next
	}
	if n.Known() {
		v.Type = tail.Singleton(array.Int, n)
	}
}

// computed is the value of a scalar op on integers.
func (f *finder) computed(e *tail.Apply, a, b tail.Size) tail.Size {
	key := e.Op.String() + " " + a.String() + " " + b.String()
	switch e.Op {
	case tail.OpAbsI:
		return f.magnitude(a)
	case tail.OpMulI:
		if f.proves(a) && f.proves(b) {
			return f.product([]tail.Size{a, b})
		}
		if a.Equal(b) { // a square
			return f.remembered(key, true, func(tail.Size) {})
		}
	case tail.OpSignI:
		low, high := f.sign(a, a)
		n := f.remembered(key, false, func(n tail.Size) { f.limit(n, span{low, high}) })
		f.atLeast(n, low)
		f.atLeast(high, n)
		return n
	case tail.OpMaxI, tail.OpMinI:
		if f.proves(minus(a, b)) {
			return map[bool]tail.Size{true: a, false: b}[e.Op == tail.OpMaxI]
		}
		if f.proves(minus(b, a)) {
			return map[bool]tail.Size{true: b, false: a}[e.Op == tail.OpMaxI]
		}
		n := f.remembered(key, false, func(n tail.Size) { f.limit(n, f.limits(e.Op, a, b)) })
		f.choices[baseOf(n)] = extreme{a, b, e.Op == tail.OpMaxI}
		for _, x := range []tail.Size{a, b} {
			if e.Op == tail.OpMaxI {
				f.atLeast(n, x)
			} else {
				f.atLeast(x, n)
			}
		}
		return n
	case tail.OpResI:
		return f.residue(key, a)
	}
	return f.remembered(key, false, func(tail.Size) {})
}

// sign bounds the signs of numbers between low and high.
func (f *finder) sign(low, high tail.Size) (least, most tail.Size) {
	least, most = constant(-1), constant(1)
	if low = f.lowest(low); low.Known() && f.proves(low) {
		least = constant(0)
	}
	if high = f.highest(high); high.Known() && f.proves(minus(constant(0), high)) {
		most = constant(0)
	}
	return least, most
}

// residue is a number modulo m.
func (f *finder) residue(key string, m tail.Size) tail.Size {
	last := minus(m, constant(1))
	always := natural(last)
	if !always && f.proves(last) {
		n := f.number()
		f.limit(n, span{constant(0), last})
		f.fact(n)
		f.atLeast(last, n)
		return n
	}
	n := f.remembered(key, false, func(n tail.Size) {
		if always {
			f.limit(n, span{constant(0), last})
		}
	})
	if always {
		f.fact(n)
		f.atLeast(last, n)
	}
	return n
}

// limit notes bounds of a number that always hold.
func (f *finder) limit(n tail.Size, b span) {
	for _, t := range n.Terms {
		if base, ok := strings.CutSuffix(t.Var, plusMark); ok {
			f.bounds[base] = b
		}
	}
}

// limits are the bounds of the greater or the lesser of two numbers, as far as
// one that is constant says.
func (f *finder) limits(op tail.Op, a, b tail.Size) span {
	s := span{tail.AnySize, tail.AnySize}
	one := a
	if _, ok := a.IsConst(); !ok {
		one = b
	}
	other := map[bool]tail.Size{true: b, false: a}[one.Equal(a)]
	if op == tail.OpMaxI {
		s.low = one
		s.high = f.greater(f.highest(one), f.highest(other))
	} else {
		s.high = one
		s.low = f.lesser(f.lowest(one), f.lowest(other))
	}
	return s
}

// truth notes what a truth value says where it is 1, and where it is 0.
func (f *finder) truth(e *tail.Apply, args []*Value, v *Value, a, b tail.Size) {
	compared := true
	switch e.Op {
	case tail.OpLtI:
		v.yes, v.no = f.less(a, b), f.notLess(a, b)
	case tail.OpGtI:
		v.yes, v.no = f.less(b, a), f.notLess(b, a)
	case tail.OpLteI:
		v.yes, v.no = f.notLess(b, a), f.less(b, a)
	case tail.OpGteI:
		v.yes, v.no = f.notLess(a, b), f.less(a, b)
	case tail.OpEqI:
		v.yes, v.no = f.equal(a, b), f.unequal(a, b)
	case tail.OpNeqI:
		v.yes, v.no = f.unequal(a, b), f.equal(a, b)
	default:
		compared = false
	}
	if compared {
		v.ifYes, v.ifNo = v.yes, v.no
		return
	}
	f.connective(e, args, v)
}

// connective is truth for functions of truth values.
func (f *finder) connective(e *tail.Apply, args []*Value, v *Value) {
	both := func(x, y []tail.Size) []tail.Size { return append(append([]tail.Size{}, x...), y...) }
	switch e.Op {
	case tail.OpNotB:
		v.yes, v.no, v.ifYes, v.ifNo = args[0].no, args[0].yes, args[0].ifNo, args[0].ifYes
	case tail.OpAndB:
		v.yes = both(args[0].yes, args[1].yes)
		if args[0].ifYes != nil && args[1].ifYes != nil {
			v.ifYes = both(args[0].ifYes, args[1].ifYes)
		}
	case tail.OpOrB:
		v.no = both(args[0].no, args[1].no)
		if args[0].ifNo != nil && args[1].ifNo != nil {
			v.ifNo = both(args[0].ifNo, args[1].ifNo)
		}
	}
}

// truths notes which goals make truth values that are made from arrays 1, or 0.
func (f *finder) truths(e *tail.Apply, args []*Value, v *Value) {
	last := args[len(args)-1]
	switch e.Op {
	case tail.OpReverse, tail.OpTransp, tail.OpRavel, tail.OpCompress, tail.OpDrop, tail.OpIndex:
		v.ifYes, v.ifNo = args[len(args)-1].ifYes, args[len(args)-1].ifNo
		if e.Op == tail.OpIndex {
			v.ifYes, v.ifNo = args[0].ifYes, args[0].ifNo
		}
	case tail.OpMember:
		if c := args[0].Array(); c.Dims() == 0 {
			for _, x := range last.Array().Values {
				v.no = append(v.no, f.unequal(x, c.Value(0))...)
			}
		}
		if one, ok := args[0].Array().Value(0).IsConst(); ok && one == 1 && args[0].Array().Dims() == 0 {
			v.ifNo = last.ifNo
		}
	case tail.OpReduce:
		l, _ := e.Args[0].(*tail.Lam)
		body, ok := l.Body.(*tail.Apply)
		if ok && body.Op == tail.OpOrB {
			v.ifNo = last.ifNo
		}
		if ok && body.Op == tail.OpAndB {
			v.ifYes = last.ifYes
		}
	}
}

// lowestAll is lowest for goals; nil where one is not known.
func (f *finder) lowestAll(goals []tail.Size, serial int) []tail.Size {
	var all []tail.Size
	for _, g := range goals {
		if g = outlasting(f.lowest(g), serial, false); !g.Known() {
			return nil
		}
		all = append(all, g)
	}
	return all
}

func (f *finder) less(a, b tail.Size) []tail.Size {
	return []tail.Size{minus(minus(b, a), constant(1))}
}
func (f *finder) notLess(a, b tail.Size) []tail.Size { return []tail.Size{minus(a, b)} }

// unequal returns what is known of two numbers that differ: more than that only
// where one cannot be the greater.
func (f *finder) unequal(a, b tail.Size) []tail.Size {
	switch {
	case !a.Known() || !b.Known():
	case f.proves(minus(a, b)):
		return f.less(b, a)
	case f.proves(minus(b, a)):
		return f.less(a, b)
	}
	return nil
}

// elementBounds returns bounds of the elements of an application.
func (f *finder) elementBounds(e *tail.Apply, args []*Value, t *tail.Array) (low, high tail.Size) {
	any := tail.AnySize
	last := len(args) - 1
	switch e.Op {
	case tail.OpB2I, tail.OpI2B, tail.OpI2D, tail.OpB2D, tail.OpD2I, tail.OpD2B, tail.OpFloorD, tail.OpCeilD, tail.OpFloorX, tail.OpCeilX:
		return args[0].Low, args[0].High
	case tail.OpIota:
		return constant(1), args[0].Array().Value(0)
	case tail.OpGradeUp, tail.OpGradeDown, tail.OpFirstCell:
		return constant(1), args[0].Array().Extent(0)
	case tail.OpWhere:
		return constant(1), args[0].Array().Extent(0)
	case tail.OpIndexOf:
		return constant(1), plus(args[0].Array().Extent(0), constant(1))
	case tail.OpItemPlace:
		return constant(1), plus(args[1].Array().Extent(0), constant(1))
	case tail.OpIntervalIndex:
		return constant(0), args[0].Array().Extent(0)
	case tail.OpC2I:
		return constant(0), constant(unicode.MaxRune)
	case tail.OpTally, tail.OpCount, tail.OpShape:
		return constant(0), any
	case tail.OpDeal:
		return constant(1), args[1].Array().Value(0)
	case tail.OpRollI:
		return constant(0), any
	case tail.OpReverse, tail.OpTransp, tail.OpRavel, tail.OpPrint, tail.OpUnique, tail.OpWithout, tail.OpIndex,
		tail.OpOnly, tail.OpExpect:
		return args[0].Low, args[0].High
	case tail.OpRotate, tail.OpRotateM, tail.OpTransp2, tail.OpCompress, tail.OpDrop, tail.OpStretch:
		return args[last].Low, args[last].High
	case tail.OpUpdate, tail.OpCat, tail.OpCons, tail.OpSnoc, tail.OpLaminate:
		return f.lesser(args[0].Low, args[last].Low), f.greater(args[0].High, args[last].High)
	case tail.OpReplicate:
		if args[0].Low.Known() && natural(args[0].Low) {
			return args[1].Low, args[1].High
		}
		return f.lesser(args[1].Low, constant(0)), f.greater(args[1].High, constant(0))
	case tail.OpReshape:
		if a := args[1].Array(); f.filled(a) || f.product(a.Extents).Equal(f.product(t.Extents)) { // no element is a fill element
			return args[1].Low, args[1].High
		}
		return f.lesser(args[1].Low, constant(0)), f.greater(args[1].High, constant(0))
	case tail.OpTake, tail.OpExpand:
		if e.Op == tail.OpTake && f.takes(args[0].Array(), args[1].Array()) {
			return args[1].Low, args[1].High
		}
		return f.lesser(args[1].Low, constant(0)), f.greater(args[1].High, constant(0))
	case tail.OpFirst:
		if f.filled(args[0].Array()) {
			return args[0].Low, args[0].High
		}
		return f.lesser(args[0].Low, constant(0)), f.greater(args[0].High, constant(0))
	case tail.OpReduce, tail.OpReduce1, tail.OpScan:
		return f.foldRange(e, args[last])
	}
	return f.realRange(e, args)
}

// takes reports whether there are certainly as many elements as counts of ↑ say.
func (f *finder) takes(counts, x *tail.Array) bool {
	axes := max(len(counts.Values), 1)
	if axes > x.Dims() {
		return false
	}
	for i := range axes {
		if n := f.magnitude(counts.Value(i)); !n.Known() || !f.proves(minus(x.Extent(i), n)) {
			return false
		}
	}
	return true
}

// realRange bounds the result of functions of doubles: most of the bounds are 0.
func (f *finder) realRange(e *tail.Apply, args []*Value) (low, high tail.Size) {
	least := func(i int) bool { return args[i].Low.Known() && f.proves(args[i].Low) }
	switch e.Op {
	case tail.OpSignD:
		return f.sign(args[0].Low, args[0].High)
	case tail.OpAbsD, tail.OpSqrtD, tail.OpExpD, tail.OpRollD:
		return constant(0), tail.AnySize
	case tail.OpPowD:
		if least(0) {
			return constant(0), tail.AnySize
		}
	case tail.OpDivD, tail.OpMulD:
		if least(0) && least(1) {
			return constant(0), tail.AnySize
		}
	case tail.OpAddD:
		return plus(args[0].Low, args[1].Low), plus(args[0].High, args[1].High)
	case tail.OpSubD:
		return minus(args[0].Low, args[1].High), minus(args[0].High, args[1].Low)
	case tail.OpMaxD:
		return f.oneOf(args[0].Low, args[1].Low), f.greater(args[0].High, args[1].High)
	case tail.OpMinD:
		return f.lesser(args[0].Low, args[1].Low), f.oneOf(args[0].High, args[1].High)
	}
	return tail.AnySize, tail.AnySize
}

// oneOf is one of two numbers that is known.
func (f *finder) oneOf(a, b tail.Size) tail.Size {
	if a.Known() {
		return a
	}
	return b
}

// foldRange bounds what reductions and scans give.
func (f *finder) foldRange(e *tail.Apply, x *Value) (low, high tail.Size) {
	l, _ := e.Args[0].(*tail.Lam)
	body, ok := l.Body.(*tail.Apply)
	if !ok || len(body.Args) != 2 {
		return tail.AnySize, tail.AnySize
	}
	switch body.Op {
	case tail.OpMaxI, tail.OpMinI:
		if x.member != nil && e.Op != tail.OpScan && x.Array().Dims() == 1 {
			if body.Op == tail.OpMaxI {
				return f.most(x.Low, *x.member), x.High
			}
			return x.Low, f.least(x.High, *x.member)
		}
		if e.Op != tail.OpReduce {
			return x.Low, x.High
		}
	case tail.OpAddI:
		if !x.Low.Known() || !natural(x.Low) {
			break
		}
		if one, ok := x.High.IsConst(); ok && x.Array().Dims() > 0 {
			return constant(0), times(constant(one), x.Array().Extent(e.Axis))
		}
		return constant(0), tail.AnySize
	}
	return tail.AnySize, tail.AnySize
}
