package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// truths keeps truth values as bool where APL's numbers 0 and 1 join them: what
// moves elements of each(b2i,m), and of constants 0 and 1 beside it, moves those
// of m, and what asks whether numbers are 0 or 1 asks the truth values.
//
//	let v:[int]1 = cons(1,each(b2i,m)) in
//	replicate(v,iota(tally(v)))
//
// becomes
//
//	let t:[bool]1 = cons(true,m) in
//	let v:[int]1 = each(b2i,t) in
//	where(t)
//
// A function of two numbers that gives 0 and 1 for them is a function of truth
// values, which reductions, scans, windows and inner products apply in the same order.
// No op that is moved faults otherwise on other elements. Numbers that are 0 and 1 by
// their range become truth values where their greatest common divisors or least common
// multiples are taken.
//
// Requires: nothing. Leaves lets that nothing uses; run deadcode after.
func truths(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		return o.truthFinder(map[*tail.Var]tail.Expr{}).expr(e)
	})
}

// truthFinder looks for truth values where lets of defs bind variables.
func (o *optimiser) truthFinder(defs map[*tail.Var]tail.Expr) *truthFinder {
	return &truthFinder{optimiser: o, defs: defs, ranges: analysis.NewRanger(defs), truth: map[*tail.Var]tail.Expr{}, consts: map[*tail.Var]bool{}}
}

type truthFinder struct {
	*optimiser
	defs   map[*tail.Var]tail.Expr // what lets bind variables to
	ranges *analysis.Ranger
	truth  map[*tail.Var]tail.Expr // of variables that are each(b2i,x) for an atom x
	consts map[*tail.Var]bool      // variables whose elements are all false
}

// expr rewrites e, what is named before what uses it.
func (t *truthFinder) expr(e tail.Expr) tail.Expr {
	return letwise(e, t.expr, t.named, t.apply)
}

// named notes what is known of a variable, and names the truth values that its
// numbers are made of.
func (t *truthFinder) named(f letFrame) []letFrame {
	t.defs[f.v] = f.bind
	m := t.made01(f.bind)
	if m == nil {
		if t.never(f.bind) {
			t.consts[f.v] = true
		}
		return []letFrame{f}
	}
	var frames []letFrame
	if !isAtom(m) {
		v := t.variable("t", tail.TypeOf(m))
		if t.never(m) {
			t.consts[v] = true
		}
		frames = append(frames, letFrame{f.at, v, m})
		m = &tail.Ref{At: f.at, Var: v}
	}
	t.truth[f.v] = m
	f.bind = t.numbers(f.bind, m)
	return append(frames, f)
}

// made01 returns m for an expression that is b2i(m), or each(b2i,m) of rank 1 or more, nil
// for others.
func (t *truthFinder) made01(e tail.Expr) tail.Expr {
	a, ok := e.(*tail.Apply)
	if ok && a.Op == tail.OpB2I {
		return a.Args[0]
	}
	if !ok || a.Op != tail.OpEach || !tail.IsOpLam(a.Args[0].(*tail.Lam), tail.OpB2I) || tail.RankOf(a) == 0 {
		return nil
	}
	return a.Args[1]
}

// of returns m for each(b2i,m), or a variable that is bound to it.
func (t *truthFinder) of(e tail.Expr) tail.Expr {
	if r, ok := e.(*tail.Ref); ok {
		return t.truth[r.Var]
	}
	return t.made01(e)
}

// either returns truth values for numbers that are known to be 0 or 1.
func (t *truthFinder) either(e tail.Expr) tail.Expr {
	if m := t.of(e); m != nil {
		return m
	}
	if a, ok := e.(*tail.Apply); ok {
		return t.constant(a)
	}
	l, ok := e.(*tail.Lit)
	if !ok || l.Value.Elem != array.Int {
		return nil
	}
	b := array.New(array.Bool, l.Value.Shape...)
	for i, n := range l.Value.Ints {
		if n != 0 && n != 1 {
			return nil
		}
		b.Bools[i] = byte(n)
	}
	return tail.NewLit(l.Where, b)
}

// within returns truth values for an argument of a function of numbers: those that are
// known, and for ∧ and ∨ those that are 0 and 1 by their range.
func (t *truthFinder) within(f *tail.Lam, e tail.Expr) tail.Expr {
	if m := t.either(e); m != nil || !isDivisor(f) {
		return m
	}
	if r := t.ranges.Of(e, analysis.RangeDepth); !r.Known || r.Low < 0 || r.High > 1 {
		return nil
	}
	if tail.RankOf(e) == 0 {
		return t.build(e, tail.OpI2B, 0, nil, e)
	}
	return t.build(e, tail.OpEach, 0, nil, tail.NewOpLam(e.Span(), tail.OpI2B), e)
}

// isDivisor reports whether f gives the greatest common divisor, or the least common
// multiple of integers.
func isDivisor(f *tail.Lam) bool { return tail.IsOpLam(f, tail.OpGcdI) || tail.IsOpLam(f, tail.OpLcmI) }

// constant returns truth values for numbers that are moved from constants 0 and 1.
func (t *truthFinder) constant(e *tail.Apply) tail.Expr {
	m, ok := tail.Movers[e.Op]
	if !ok || tail.TypeOf(e).Elem != array.Int {
		return nil
	}
	args := append([]tail.Expr{}, e.Args...)
	for i := m.First; i <= m.Last; i++ {
		if args[i] = t.either(e.Args[i]); args[i] == nil {
			return nil
		}
	}
	return t.build(e, e.Op, e.Axis, e.Ks, args...)
}

// numbers returns each(b2i,m) in the place of e.
func (t *truthFinder) numbers(e, m tail.Expr) tail.Expr {
	if tail.RankOf(m) == 0 {
		x := t.build(e, tail.OpB2I, 0, nil, m)
		return x
	}
	return t.build(e, tail.OpEach, 0, nil, tail.NewOpLam(e.Span(), tail.OpB2I), m)
}

// build applies an op in the place of e, whose extents it has.
func (t *truthFinder) build(e tail.Expr, op tail.Op, axis int, ks []int, args ...tail.Expr) tail.Expr {
	a, bad := tail.NewApply(e.Span(), op, axis, ks, args...)
	if bad != nil {
		return nil
	}
	if old, ok := e.(*tail.Apply); ok {
		a.Blame = old.Blame
	}
	if old, ty := tail.TypeOf(e), tail.TypeOf(a); old.Dims() == ty.Dims() {
		if same := tail.Shaped(ty.Elem, tail.Extents(old)...); tail.Consistent(ty, same) {
			a.Ty = tail.Meet(ty, same)
		}
	}
	return a
}

// apply rewrites an application whose arguments have been rewritten.
func (t *truthFinder) apply(e *tail.Apply) tail.Expr {
	switch e.Op {
	case tail.OpReplicate:
		if m := t.of(e.Args[0]); m != nil && tail.RankOf(m) == 1 {
			if next := t.kept(e, m); next != nil {
				return next
			}
		}
	case tail.OpEach:
		if next := t.each(e); next != nil {
			return next
		}
	case tail.OpZipWith, tail.OpOuter:
		if next := t.lifted(e); next != nil {
			return next
		}
		if next := t.joined(e); next != nil {
			return next
		}
	case tail.OpUpdate:
		if next := t.updated(e); next != nil {
			return next
		}
	case tail.OpReduce, tail.OpReduce1, tail.OpReduceWin, tail.OpScan:
		if next := t.operated(e); next != nil {
			return next
		}
	case tail.OpInner, tail.OpInner1:
		if next := t.product(e); next != nil {
			return next
		}
	case tail.OpMember:
		if next := t.absent(e); next != nil {
			return next
		}
	}
	if next := t.moved(e); next != nil {
		return next
	}
	if next := t.scalar(e); next != nil {
		return next
	}
	return e
}

// coerced has what an op on two bools coerced to int is: an op on the bools,
// whose result is coerced when that of the op is an int.
var coerced = map[tail.Op]tail.Op{
	tail.OpGcdI: tail.OpOrB, tail.OpMaxI: tail.OpOrB, tail.OpLcmI: tail.OpAndB, tail.OpMinI: tail.OpAndB, tail.OpMulI: tail.OpAndB, tail.OpNeqI: tail.OpXorB, tail.OpEqI: tail.OpEqB,
}

// scalar makes an op on two numbers 0 and 1 one on truth values.
func (t *truthFinder) scalar(e *tail.Apply) tail.Expr {
	op, ok := coerced[e.Op]
	if !ok || tail.RankOf(e) != 0 || t.of(e.Args[0]) == nil && t.of(e.Args[1]) == nil {
		return nil
	}
	f := tail.NewOpLam(e.Where, e.Op)
	x := t.within(f, e.Args[0])
	if x == nil {
		return nil
	}
	y := t.within(f, e.Args[1])
	if y == nil {
		return nil
	}
	m := t.build(e, op, 0, nil, x, y)
	if m == nil || tail.TypeOf(e).Elem == array.Bool {
		return m
	}
	return t.numbers(e, m)
}

// moved moves the elements of truth values; nil where e is nothing of the kind.
func (t *truthFinder) moved(e *tail.Apply) tail.Expr {
	m, ok := tail.Movers[e.Op]
	found := false
	for i := m.First; ok && i <= m.Last; i++ {
		found = found || t.of(e.Args[i]) != nil
	}
	if !found {
		return nil
	}
	x := t.constant(e)
	if x == nil {
		return nil
	}
	return t.numbers(e, x)
}

// kept makes a replication by truth values a selection; that of positions is
// the positions of the ones.
func (t *truthFinder) kept(e *tail.Apply, m tail.Expr) tail.Expr {
	if next := t.positions(e, m); next != nil {
		return next
	}
	return t.build(e, tail.OpCompress, e.Axis, e.Ks, m, e.Args[1])
}

func (t *truthFinder) positions(e *tail.Apply, m tail.Expr) tail.Expr {
	iota, ok := e.Args[1].(*tail.Apply)
	if !ok || iota.Op != tail.OpIota {
		return nil
	}
	if n := tail.TypeOf(m).Extent(0); !n.Known() || !n.Equal(tail.TypeOf(iota).Extent(0)) {
		tally, ok := iota.Args[0].(*tail.Apply)
		counts, isRef := e.Args[0].(*tail.Ref)
		if !ok || !isRef || tally.Op != tail.OpTally {
			return nil
		}
		if of, ok := tally.Args[0].(*tail.Ref); !ok || of.Var != counts.Var {
			return nil
		}
	}
	return t.build(e, tail.OpWhere, 0, nil, m)
}

// table returns the values of f for the numbers 0 and 1, for both arguments if
// it has two; nil where they are not all 0 and 1.
func (t *truthFinder) table(e tail.Expr, f *tail.Lam) []byte {
	if !closedScalar(f) {
		return nil
	}
	all := [][]int64{{0, 1}, nil}
	op := tail.OpEach
	if len(f.Params) == 2 {
		all, op = [][]int64{{0, 0, 1, 1}, {0, 1, 0, 1}}, tail.OpZipWith
	}
	args := []tail.Expr{f}
	for i, p := range f.Params {
		if ty, ok := p.Type.(*tail.Array); !ok || ty.Elem != array.Int {
			return nil
		}
		args = append(args, tail.NewLit(e.Span(), array.VectorInt(all[i])))
	}
	a, bad := tail.NewApply(e.Span(), op, 0, nil, args...)
	if bad != nil {
		return nil
	}
	l, ok := t.fold(a).(*tail.Lit)
	if !ok {
		return nil
	}
	switch l.Value.Elem {
	case array.Bool:
		return l.Value.Bools
	case array.Int:
		bits := make([]byte, len(l.Value.Ints))
		for i, n := range l.Value.Ints {
			if n != 0 && n != 1 {
				return nil
			}
			bits[i] = byte(n)
		}
		return bits
	}
	return nil
}

// each rewrites a function that is applied to numbers 0 and 1, where it gives
// truth values, and lifts b2i out of one that ends with it.
func (t *truthFinder) each(e *tail.Apply) tail.Expr {
	f, ok := e.Args[0].(*tail.Lam)
	if !ok {
		return nil
	}
	m := t.of(e.Args[1])
	if m == nil || tail.RankOf(m) == 0 || tail.IsOpLam(f, tail.OpB2I) {
		return t.lifted(e)
	}
	bits := t.table(e, f)
	if bits == nil {
		return t.lifted(e)
	}
	x := m
	switch {
	case bits[0] == bits[1]:
		v := t.variable("b", tail.Scalar(array.Bool))
		never := &tail.Lam{At: f.At, Params: []*tail.Var{v}, Body: tail.NewLit(e.Where, array.ScalarBool(bits[0] == 1))}
		x = t.build(e, tail.OpEach, 0, nil, never, m)
	case bits[0] == 1:
		x = t.build(e, tail.OpEach, 0, nil, tail.NewOpLam(e.Where, tail.OpNotB), m)
	}
	if x == nil || tail.TypeOf(e).Elem == array.Bool {
		return x
	}
	return t.numbers(e, x)
}

// lifted takes b2i out of a function that is applied to elements.
func (t *truthFinder) lifted(e *tail.Apply) tail.Expr {
	f, ok := e.Args[0].(*tail.Lam)
	if !ok || tail.IsOpLam(f, tail.OpB2I) {
		return nil
	}
	body := t.result(f.Body)
	if body == nil || tail.RankOf(e) == 0 {
		return nil
	}
	args := append([]tail.Expr{&tail.Lam{At: f.At, Params: f.Params, Body: body}}, e.Args[1:]...)
	x := t.build(e, e.Op, e.Axis, e.Ks, args...)
	if x == nil {
		return nil
	}
	return t.numbers(e, x)
}

// result returns an expression of truth values for one that names values and then has b2i of
// them; nil for others.
func (t *truthFinder) result(e tail.Expr) tail.Expr {
	switch e := e.(type) {
	case *tail.Let:
		if body := t.result(e.Body); body != nil {
			return &tail.Let{At: e.At, Var: e.Var, Bind: e.Bind, Body: body}
		}
	case *tail.Apply:
		if e.Op == tail.OpB2I {
			return e.Args[0]
		}
	}
	return nil
}

// joined makes a function that joins elements of two arrays one of truth values.
func (t *truthFinder) joined(e *tail.Apply) tail.Expr {
	f, ok := e.Args[0].(*tail.Lam)
	if !ok || tail.TypeOf(e).Elem != array.Int || t.of(e.Args[1]) == nil && t.of(e.Args[2]) == nil && !isDivisor(f) {
		return nil
	}
	x := t.within(f, e.Args[1])
	if x == nil {
		return nil
	}
	y := t.within(f, e.Args[2])
	if y == nil {
		return nil
	}
	bits := t.table(e, f)
	if bits == nil {
		return nil
	}
	m := t.build(e, e.Op, e.Axis, e.Ks, t.function(f, bits), x, y)
	if m == nil {
		return nil
	}
	return t.numbers(e, m)
}

// product makes the functions of an inner product of numbers such of truth values.
func (t *truthFinder) product(e *tail.Apply) tail.Expr {
	f, g, last := e.Args[0].(*tail.Lam), e.Args[1].(*tail.Lam), len(e.Args)-1
	if tail.TypeOf(e).Elem != array.Int || !isDivisor(f) {
		return nil
	}
	x := t.within(g, e.Args[last-1])
	if x == nil {
		return nil
	}
	y := t.within(g, e.Args[last])
	if y == nil {
		return nil
	}
	joins, products := t.table(e, f), t.table(e, g)
	if joins == nil || products == nil {
		return nil
	}
	args := []tail.Expr{t.function(f, joins), t.function(g, products), x, y}
	if e.Op == tail.OpInner {
		none := t.either(e.Args[2])
		if none == nil {
			return nil
		}
		args = slices.Insert(args, 2, none)
	}
	m := t.build(e, e.Op, e.Axis, e.Ks, args...)
	if m == nil {
		return nil
	}
	return t.numbers(e, m)
}

// updated replaces elements of truth values by others.
func (t *truthFinder) updated(e *tail.Apply) tail.Expr {
	last := len(e.Args) - 1
	x, y := t.of(e.Args[0]), t.either(e.Args[last])
	if x == nil || y == nil {
		return nil
	}
	m := t.build(e, tail.OpUpdate, e.Axis, e.Ks, append(append([]tail.Expr{x}, e.Args[1:last]...), y)...)
	if m == nil {
		return nil
	}
	return t.numbers(e, m)
}

// operated makes an operator's function of numbers one of truth values.
func (t *truthFinder) operated(e *tail.Apply) tail.Expr {
	f, last := e.Args[0].(*tail.Lam), len(e.Args)-1
	m := t.of(e.Args[last])
	if m == nil && isDivisor(f) {
		m = t.within(f, e.Args[last])
	}
	if m == nil || tail.RankOf(m) == 0 || tail.TypeOf(e).Elem != array.Int {
		return nil
	}
	bits := t.table(e, f)
	if bits == nil {
		return nil
	}
	args := append([]tail.Expr{t.function(f, bits)}, e.Args[1:last]...)
	if e.Op == tail.OpReduce {
		if args[1] = t.either(args[1]); args[1] == nil {
			return nil
		}
	}
	x := t.build(e, e.Op, e.Axis, e.Ks, append(args, m)...)
	if x == nil {
		return nil
	}
	return t.numbers(e, x)
}

// function returns the function of two truth values that a table has, in the
// order of their values 00 01 10 11.
func (t *truthFinder) function(f *tail.Lam, bits []byte) tail.Expr {
	switch [4]byte(bits) {
	case [4]byte{0, 0, 0, 1}:
		return tail.NewOpLam(f.Where, tail.OpAndB)
	case [4]byte{0, 1, 1, 1}:
		return tail.NewOpLam(f.Where, tail.OpOrB)
	case [4]byte{0, 1, 1, 0}:
		return tail.NewOpLam(f.Where, tail.OpXorB)
	case [4]byte{1, 0, 0, 1}:
		return tail.NewOpLam(f.Where, tail.OpEqB)
	case [4]byte{1, 1, 1, 0}:
		return tail.NewOpLam(f.Where, tail.OpNandB)
	case [4]byte{1, 0, 0, 0}:
		return tail.NewOpLam(f.Where, tail.OpNorB)
	}
	a, b := t.variable("a", tail.Scalar(array.Bool)), t.variable("b", tail.Scalar(array.Bool))
	x, y := tail.Expr(&tail.Ref{At: f.At, Var: a}), tail.Expr(&tail.Ref{At: f.At, Var: b})
	apply := func(op tail.Op, args ...tail.Expr) tail.Expr {
		e, bad := tail.NewApply(f.Where, op, 0, nil, args...)
		if bad != nil {
			panic("internal error: truths: " + bad.Message())
		}
		return e
	}
	var body tail.Expr
	switch [4]byte(bits) {
	case [4]byte{0, 0, 0, 0}, [4]byte{1, 1, 1, 1}:
		body = tail.NewLit(f.Where, array.ScalarBool(bits[0] == 1))
	case [4]byte{0, 0, 1, 1}:
		body = x
	case [4]byte{0, 1, 0, 1}:
		body = y
	case [4]byte{1, 1, 0, 0}:
		body = apply(tail.OpNotB, x)
	case [4]byte{1, 0, 1, 0}:
		body = apply(tail.OpNotB, y)
	case [4]byte{0, 0, 1, 0}:
		body = apply(tail.OpAndB, x, apply(tail.OpNotB, y))
	case [4]byte{0, 1, 0, 0}:
		body = apply(tail.OpAndB, apply(tail.OpNotB, x), y)
	case [4]byte{1, 0, 1, 1}:
		body = apply(tail.OpOrB, x, apply(tail.OpNotB, y))
	default:
		body = apply(tail.OpOrB, apply(tail.OpNotB, x), y)
	}
	return &tail.Lam{At: f.At, Params: []*tail.Var{a, b}, Body: body}
}

// never reports whether e is a vector of falsehoods.
func (t *truthFinder) never(e tail.Expr) bool {
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpEach || !t.effects.Total(a) {
		return false
	}
	l, ok := a.Args[0].(*tail.Lam).Body.(*tail.Lit)
	return ok && l.Value.Elem == array.Bool && l.Value.Bools[0] == 0
}

// absent is 1∊v where no element of v is 1.
func (t *truthFinder) absent(e *tail.Apply) tail.Expr {
	one, ok := tail.ConstInt(e.Args[0])
	m := t.of(e.Args[1])
	if !ok || one != 1 || m == nil {
		return nil
	}
	if r, ok := m.(*tail.Ref); ok && t.consts[r.Var] || t.never(m) {
		return tail.NewLit(e.Where, array.ScalarBool(false))
	}
	return nil
}
