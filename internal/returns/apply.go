package returns

import (
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// apply is the value of an application.
func (f *finder) apply(e *tail.Apply) *Value {
	args := f.arguments(e.Args)
	defer func(quiet bool) { f.quiet = quiet }(f.quiet)
	f.quiet = f.safe(e)
	switch e.Op {
	case tail.OpEach, tail.OpZipWith, tail.OpOuter:
		return f.elementwise(e, args)
	case tail.OpCells, tail.OpCells2:
		return f.cells(e, args)
	case tail.OpItems, tail.OpSegments:
		return f.gathered(e, args)
	case tail.OpPower:
		return f.power(e, args)
	case tail.OpWhile:
		return f.while(e, args)
	}
	for _, a := range e.Args {
		if l, ok := a.(*tail.Lam); ok {
			f.folded(l)
		}
	}
	f.demand(e, args)
	if f.itemOfNumber(e) {
		return f.element(e.Ty, args[0])
	}
	v := &Value{Type: f.typed(e, args), Low: tail.AnySize, High: tail.AnySize}
	t, ok := v.Type.(*tail.Array)
	if !ok {
		return f.fresh(v.Type)
	}
	if e.Op == tail.OpCount && !t.Value(0).Known() {
		t = tail.Singleton(array.Int, f.product(args[0].Array().Extents))
		v.Type = t
	}
	v.Low, v.High = f.elementBounds(e, args, t)
	v.ratio, v.member = ratioOf(e, args), memberOf(e, args)
	switch {
	case (e.Op == tail.OpFloorD || e.Op == tail.OpCeilD) && args[0].ratio != nil && t.Dims() == 0:
		if n, ok := f.rounded(args[0].ratio, e.Op == tail.OpCeilD); ok {
			v.Type = tail.Singleton(array.Int, n)
		}
	case e.Op.Row().Scalar && t.Dims() == 0:
		f.scalar(e, args, v)
	case (e.Op == tail.OpReduce || e.Op == tail.OpReduce1) && t.Dims() == 0:
		f.total(e, args[len(args)-1].Array().Values, v)
	}
	f.bound(v)
	if t.Elem == array.Bool && !e.Op.Row().Scalar {
		f.truths(e, args, v)
	}
	if e.Op == tail.OpFormat {
		a := args[0].Array()
		v.numeral = a.Dims() == 0 && a.Elem.Numeric() && a.Elem != array.Complex
	}
	return v
}

// typed returns the type of an application with extents that are all known.
func (f *finder) typed(e *tail.Apply, args []*Value) tail.Type {
	types := make([]tail.Type, len(args))
	for i, a := range args {
		if a == nil {
			types[i] = f.functionType(e.Args[i])
		} else {
			types[i] = a.Type
		}
	}
	says, _ := e.Ty.(*tail.Array)
	if says != nil {
		says = f.partlyValued(says)
	}
	ty, bad := tail.ResultType(e.Op, types, e.Axis, e.Ks)
	t, ok := ty.(*tail.Array)
	if bad != nil || !ok {
		if bad != nil && bad.Code == tail.CertainFault && counts(bad.Fault) {
			f.need(bad.Fault, e.Where)
		}
		if says == nil {
			return e.Ty
		}
		t = says
	}
	r := *t
	if t.Dims() > 0 {
		r.Extents = make([]tail.Size, t.Dims())
	}
	for i := range r.Extents {
		if r.Extents[i] = t.Extent(i); r.Extents[i].Known() {
			continue
		}
		if says != nil && says.Rank.Equal(t.Rank) && says.Extent(i).Known() {
			r.Extents[i] = says.Extent(i)
		} else {
			r.Extents[i] = f.extent(e, args, i)
		}
	}
	if r.Values == nil && says != nil && says.Values != nil && says.Rank.Equal(t.Rank) {
		r.Values = says.Values
	}
	return &r
}

// partlyValued is partly with the values that are constants.
func (f *finder) partlyValued(t *tail.Array) *tail.Array {
	r := f.partly(t)
	for _, v := range t.Values {
		if v = f.subst(v); !f.settled(v) {
			v = tail.AnySize
		}
		r.Values = append(r.Values, v)
	}
	return r
}

// functionType is the type of a lambda, without sizes.
func (f *finder) functionType(e tail.Expr) tail.Type {
	t, ok := e.Type().(*tail.FuncType)
	if !ok {
		return e.Type()
	}
	r := &tail.FuncType{Result: f.placeless(t.Result)}
	for _, p := range t.Params {
		r.Params = append(r.Params, f.placeless(p))
	}
	return r
}

// counts reports whether a fault is one of length, rank, index or structure.
func counts(fault tail.Fault) bool {
	switch fault {
	case tail.FaultOverflow, tail.FaultFloat, tail.FaultDivide, tail.FaultNotReal, tail.FaultCircle, tail.FaultComplexResult,
		tail.FaultOutOfDomain, tail.FaultSingular, tail.FaultRecursion, tail.FaultMemory, tail.FaultFile,
		tail.FaultFormat, tail.FaultTooLarge:
		return false
	}
	return true
}

// elementwise is the value of each, zipWith and outer: the function is looked at
// once, for any elements.
func (f *finder) elementwise(e *tail.Apply, args []*Value) *Value {
	l := e.Args[0].(*tail.Lam)
	x := args[1].Array()
	sizes := x.Extents
	switch e.Op {
	case tail.OpZipWith:
		sizes = f.zipped(e, x, args[2].Array())
	case tail.OpOuter:
		sizes = append(append([]tail.Size{}, sizes...), args[2].Array().Extents...)
	}
	serial := f.serial
	body, low, high := f.anyOf(sizes, l, func(i int) *Value { return f.element(l.Params[i].Type, args[i+1]) })
	ifYes, ifNo := f.lowestAll(body.ifYes, serial), f.lowestAll(body.ifNo, serial)
	elem := array.Int
	if t, ok := body.Type.(*tail.Array); ok {
		elem = t.Elem
	}
	t := tail.Shaped(elem, sizes...)
	if says, ok := e.Ty.(*tail.Array); ok && says.Values != nil {
		if n, ok := t.Extent(0).IsConst(); t.Dims() == 1 && ok && int(n) == len(says.Values) {
			t.Values = f.partlyValued(says).Values
		}
	}
	v := &Value{Type: t, Low: low, High: high, ifYes: ifYes, ifNo: ifNo}
	f.bound(v)
	return v
}

// anyOf looks at the body of l once, for any place of a frame, none of whose extents is 0
// then; param is the value of a parameter there. It returns the value of the body and the
// bounds of its elements, as far as they hold at all places.
func (f *finder) anyOf(frame []tail.Size, l *tail.Lam, param func(i int) *Value) (body *Value, low, high tail.Size) {
	mark, serial := len(f.facts), f.serial
	f.deep++
	for _, s := range frame {
		f.fact(minus(s, constant(1)))
	}
	for i, p := range l.Params {
		f.values[p] = param(i)
	}
	body = f.value(l.Body)
	f.deep--
	f.facts = f.facts[:mark]
	return body, outlasting(f.lowest(body.Low), serial, false), outlasting(f.highest(body.High), serial, true)
}

// outlasting returns a bound that mentions nothing made after the given number,
// else Any. Natural numbers that were made after it are 0 at least.
func outlasting(s tail.Size, serial int, high bool) tail.Size {
	for _, t := range s.Terms {
		if made(t.Var) > serial && (t.Coef < 0) == high && !strings.HasSuffix(t.Var, plusMark) && !strings.HasSuffix(t.Var, minusMark) {
			s = minus(s, tail.VarSize(t.Var).Times(t.Coef))
		}
	}
	if newer(s, serial) {
		return tail.AnySize
	}
	return s
}

// element is the value of an element of an array.
func (f *finder) element(t tail.Type, of *Value) *Value {
	a, ok := t.(*tail.Array)
	if ok && a.Elem == array.Double {
		return &Value{Type: t, Low: of.Low, High: of.High}
	}
	if !ok || a.Elem != array.Int && a.Elem != array.Bool {
		return f.fresh(t)
	}
	if of.Low.Known() && of.Low.Equal(of.High) {
		return &Value{Type: tail.Singleton(a.Elem, of.Low), Low: of.Low, High: of.Low}
	}
	n := f.number()
	for _, x := range n.Terms {
		if x.Coef > 0 {
			f.bounds[x.Var[:len(x.Var)-len(plusMark)]] = span{of.Low, of.High}
		}
	}
	f.atLeast(n, of.Low)
	f.atLeast(of.High, n)
	return &Value{Type: tail.Singleton(a.Elem, n), Low: n, High: n}
}

// zipped is the shape of zipWith: that of both arguments, or of one where the
// other has one element.
func (f *finder) zipped(e *tail.Apply, x, y *tail.Array) []tail.Size {
	if x.Dims() != y.Dims() {
		f.need(tail.FaultRanks, e.Where)
		return f.shaped(e.Ty.(*tail.Array)).Extents
	}
	var equal, oneX, oneY []tail.Size
	for i := range x.Dims() {
		equal = append(equal, f.equal(x.Extent(i), y.Extent(i))...)
		oneX = append(oneX, f.equal(x.Extent(i), constant(1))...)
		oneY = append(oneY, f.equal(y.Extent(i), constant(1))...)
	}
	f.need(tail.FaultShapes, e.Where, equal, oneX, oneY)
	var sizes []tail.Size
	allX, allY := f.all(oneX), f.all(oneY)
	for i := range x.Dims() {
		switch a, b := x.Extent(i), y.Extent(i); {
		case allX:
			sizes = append(sizes, b)
		case allY || f.same(a, b):
			sizes = append(sizes, a)
		default:
			sizes = append(sizes, f.size())
		}
	}
	return sizes
}

func (f *finder) all(goals []tail.Size) bool {
	for _, g := range goals {
		if !f.proves(g) {
			return false
		}
	}
	return true
}

// folded looks at the function of a reduction, a scan or a product, for any
// arguments.
func (f *finder) folded(l *tail.Lam) {
	mark := len(f.facts)
	f.deep++
	for _, p := range l.Params {
		f.values[p] = f.fresh(p.Type)
	}
	f.value(l.Body)
	f.deep--
	f.facts = f.facts[:mark]
}

// cells is the value of ⍤: the function is looked at once, for any cell.
func (f *finder) cells(e *tail.Apply, args []*Value) *Value {
	l := e.Args[0].(*tail.Lam)
	frame := args[1].Array().Extents[:max(args[1].Array().Dims()-e.Ks[0], 0)]
	if e.Op == tail.OpCells2 {
		y := args[2].Array()
		other := y.Extents[:max(y.Dims()-e.Ks[1], 0)]
		if len(frame) > 0 && len(other) == len(frame) {
			var goals []tail.Size
			for i := range frame {
				goals = append(goals, f.equal(frame[i], other[i])...)
			}
			f.need(tail.FaultShapes, e.Where, goals)
		}
		if len(frame) == 0 {
			frame = other
		}
	}
	serial := f.serial
	body, low, high := f.anyOf(frame, l, func(i int) *Value { return f.cell(l.Params[i].Type, args[i+1], e.Ks[i]) })
	t, ok := body.Type.(*tail.Array)
	if !ok {
		return f.fresh(f.placeless(e.Ty))
	}
	padded := false
	sizes := append([]tail.Size{}, frame...)
	for _, s := range extents(t) {
		if newer(s, serial) {
			s, padded = f.size(), true
		}
		sizes = append(sizes, s)
	}
	v := &Value{Type: tail.Shaped(t.Elem, sizes...), Low: low, High: high}
	if padded {
		v.Low, v.High = f.lesser(v.Low, constant(0)), f.greater(v.High, constant(0))
	}
	if len(frame) == 0 && len(t.Values) > 0 {
		return body
	}
	f.bound(v)
	return v
}

// itemOfNumber reports whether e is the element of a vector with the number of an item
// that items or segments make: like an element that each takes, it is any one.
func (f *finder) itemOfNumber(e *tail.Apply) bool {
	if e.Op != tail.OpIndex || len(e.Args) != 2 || tail.TypeOf(e.Args[0]).Dims() != 1 {
		return false
	}
	r, ok := e.Args[1].(*tail.Ref)
	return ok && f.numbers[r.Var]
}

// gathered is the value of items and of segments: the function is looked at once, for
// the number of any item.
func (f *finder) gathered(e *tail.Apply, args []*Value) *Value {
	l := e.Args[0].(*tail.Lam)
	n := args[1].Array().Extent(0)
	if e.Op == tail.OpItems {
		n = args[1].Array().Value(0)
		f.need(tail.FaultNegative, e.Where, []tail.Size{n})
	}
	serial := f.serial
	numbers := &Value{Type: tail.Shaped(array.Int, n), Low: constant(1), High: n}
	if f.numbers == nil {
		f.numbers = map[*tail.Var]bool{}
	}
	f.numbers[l.Params[0]] = true
	body, low, high := f.anyOf([]tail.Size{n}, l, func(int) *Value { return f.element(l.Params[0].Type, numbers) })
	t, ok := body.Type.(*tail.Array)
	if !ok {
		return f.fresh(f.placeless(e.Ty))
	}
	all := &Value{Type: tail.Shaped(t.Elem, f.size()), Low: low, High: high}
	f.bound(all)
	if e.Op == tail.OpSegments {
		return all
	}
	lengths := &Value{Type: tail.Shaped(array.Int, n), Low: constant(0), High: tail.AnySize}
	if s := t.Extent(0); !newer(s, serial) {
		lengths.Low, lengths.High = s, s
	}
	f.bound(lengths)
	both := &tail.TupleType{Elems: []tail.Type{all.Type, lengths.Type}}
	return &Value{Type: both, items: []*Value{all, lengths}}
}

func extents(t *tail.Array) []tail.Size {
	all := make([]tail.Size, t.Dims())
	for i := range all {
		all[i] = t.Extent(i)
	}
	return all
}

// cell is the value of a cell of rank k of an array.
func (f *finder) cell(t tail.Type, of *Value, k int) *Value {
	a := of.Array()
	if k == 0 {
		return f.element(t, of)
	}
	if a.Dims() <= k {
		return of
	}
	return &Value{Type: tail.Shaped(a.Elem, a.Extents[a.Dims()-k:]...), Low: of.Low, High: of.High}
}

// maxUnrolled is the number of steps of ⍣ that are looked at one after the other.
const maxUnrolled = 16

// power is the value of ⍣ with a count.
func (f *finder) power(e *tail.Apply, args []*Value) *Value {
	count := args[1].Array().Value(0)
	f.need(tail.FaultNegative, e.Where, []tail.Size{count})
	l := e.Args[0].(*tail.Lam)
	if n, ok := count.IsConst(); ok && n >= 0 && n <= maxUnrolled {
		state := args[2]
		for range n {
			f.values[l.Params[0]] = state
			state = f.value(l.Body)
		}
		return state
	}
	return f.loop(nil, l, e.Ty)
}

// while is the value of ⍣ with a condition.
func (f *finder) while(e *tail.Apply, args []*Value) *Value {
	return f.loop(e.Args[0].(*tail.Lam), e.Args[1].(*tail.Lam), e.Ty)
}

// loop looks at a step of a loop from any state of its type. The result is such
// a state, for which the condition does not hold.
func (f *finder) loop(cond, step *tail.Lam, ty tail.Type) *Value {
	mark := len(f.facts)
	f.deep++
	state := f.fresh(step.Params[0].Type)
	if cond != nil {
		f.values[cond.Params[0]] = state
		for _, s := range f.value(cond.Body).yes {
			f.fact(s)
		}
	}
	f.values[step.Params[0]] = state
	f.value(step.Body)
	f.deep--
	f.facts = f.facts[:mark]
	result := f.fresh(ty)
	if cond != nil {
		f.muted++
		f.values[cond.Params[0]] = result
		for _, s := range f.value(cond.Body).no {
			f.fact(s)
		}
		f.muted--
	}
	return result
}
