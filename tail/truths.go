package tail

import "github.com/tailor-lang/tailor/array"

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
// values, which reductions, scans and windows apply in the same order. No op
// that is moved faults otherwise on other elements.
//
// Requires: nothing. Leaves lets that nothing uses; run deadcode after.
func truths(o *optimiser) {
	o.bodies(func(e Expr) Expr {
		t := &truthFinder{optimiser: o, truth: map[*Var]Expr{}, consts: map[*Var]bool{}}
		return t.expr(e)
	})
}

type truthFinder struct {
	*optimiser
	truth  map[*Var]Expr // of variables that are each(b2i,x) for an atom x
	consts map[*Var]bool // variables whose elements are all false
}

// expr rewrites e, what is named before what uses it.
func (t *truthFinder) expr(e Expr) Expr {
	return letwise(e, t.expr, t.named, t.apply)
}

// named notes what is known of a variable, and names the truth values that its
// numbers are made of.
func (t *truthFinder) named(f letFrame) []letFrame {
	m := t.made01(f.bind)
	if m == nil {
		if t.never(f.bind) {
			t.consts[f.v] = true
		}
		return []letFrame{f}
	}
	var frames []letFrame
	if !isAtom(m) {
		v := t.variable("t", TypeOf(m))
		if t.never(m) {
			t.consts[v] = true
		}
		frames = append(frames, letFrame{f.at, v, m})
		m = &Ref{At: f.at, Var: v}
	}
	t.truth[f.v] = m
	f.bind = t.numbers(f.bind, m)
	return append(frames, f)
}

// made01 returns m for an expression of rank 1 or more that is each(b2i,m), nil
// for others.
func (t *truthFinder) made01(e Expr) Expr {
	a, ok := e.(*Apply)
	if !ok || a.Op != OpEach || !isOpLam(a.Args[0].(*Lam), OpB2I) || rankOf(a) == 0 {
		return nil
	}
	return a.Args[1]
}

// of returns m for each(b2i,m), or a variable that is bound to it.
func (t *truthFinder) of(e Expr) Expr {
	if r, ok := e.(*Ref); ok {
		return t.truth[r.Var]
	}
	if a, ok := e.(*Apply); ok && a.Op == OpB2I {
		return a.Args[0]
	}
	return t.made01(e)
}

// either returns truth values for numbers that are known to be 0 or 1.
func (t *truthFinder) either(e Expr) Expr {
	if m := t.of(e); m != nil {
		return m
	}
	if a, ok := e.(*Apply); ok {
		return t.constant(a)
	}
	l, ok := e.(*Lit)
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
	return NewLit(l.Where, b)
}

// constant returns truth values for numbers that are moved from constants 0 and 1.
func (t *truthFinder) constant(e *Apply) Expr {
	m, ok := movers[e.Op]
	if !ok || TypeOf(e).Elem != array.Int {
		return nil
	}
	args := append([]Expr{}, e.Args...)
	for i := m.first; i <= m.last; i++ {
		if args[i] = t.either(e.Args[i]); args[i] == nil {
			return nil
		}
	}
	return t.build(e, e.Op, e.Axis, e.Ks, args...)
}

// numbers returns each(b2i,m) in the place of e.
func (t *truthFinder) numbers(e, m Expr) Expr {
	if rankOf(m) == 0 {
		x := t.build(e, OpB2I, 0, nil, m)
		return x
	}
	return t.build(e, OpEach, 0, nil, NewOpLam(e.Span(), OpB2I), m)
}

// build applies an op in the place of e, whose extents it has.
func (t *truthFinder) build(e Expr, op Op, axis int, ks []int, args ...Expr) Expr {
	a, bad := NewApply(e.Span(), op, axis, ks, args...)
	if bad != nil {
		return nil
	}
	if old, ok := e.(*Apply); ok {
		a.Blame = old.Blame
	}
	if old, ty := TypeOf(e), TypeOf(a); old.Dims() == ty.Dims() {
		if same := Shaped(ty.Elem, extents(old)...); Consistent(ty, same) {
			a.Ty = Meet(ty, same)
		}
	}
	return a
}

// movers says which arguments of an op, first … last, have the elements that it
// moves; last is -1 for the last argument.
var movers = map[Op]struct{ first, last int }{
	OpReverse: {0, 0}, OpTransp: {0, 0}, OpRavel: {0, 0}, OpFirst: {0, 0}, OpOnly: {0, 0}, OpIndex: {0, 0},
	OpRotate: {1, 1}, OpRotateM: {1, 1}, OpTransp2: {1, 1}, OpDrop: {1, 1}, OpTake: {1, 1}, OpReshape: {1, 1}, OpStretch: {1, 1},
	OpCompress: {1, 1}, OpReplicate: {1, 1}, OpExpand: {1, 1},
	OpCat: {0, 1}, OpCons: {0, 1}, OpSnoc: {0, 1}, OpLaminate: {0, 1},
}

// apply rewrites an application whose arguments have been rewritten.
func (t *truthFinder) apply(e *Apply) Expr {
	switch e.Op {
	case OpReplicate:
		if m := t.of(e.Args[0]); m != nil && rankOf(m) == 1 {
			if next := t.kept(e, m); next != nil {
				return next
			}
		}
	case OpEach:
		if next := t.each(e); next != nil {
			return next
		}
	case OpZipWith, OpOuter:
		if next := t.lifted(e); next != nil {
			return next
		}
		if next := t.joined(e); next != nil {
			return next
		}
	case OpUpdate:
		if next := t.updated(e); next != nil {
			return next
		}
	case OpReduce, OpReduce1, OpReduceWin, OpScan:
		if next := t.operated(e); next != nil {
			return next
		}
	case OpMember:
		if next := t.absent(e); next != nil {
			return next
		}
	}
	if next := t.moved(e); next != nil {
		return next
	}
	return e
}

// moved moves the elements of truth values; nil where e is nothing of the kind.
func (t *truthFinder) moved(e *Apply) Expr {
	m, ok := movers[e.Op]
	found := false
	for i := m.first; ok && i <= m.last; i++ {
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
func (t *truthFinder) kept(e *Apply, m Expr) Expr {
	if next := t.positions(e, m); next != nil {
		return next
	}
	return t.build(e, OpCompress, e.Axis, e.Ks, m, e.Args[1])
}

func (t *truthFinder) positions(e *Apply, m Expr) Expr {
	iota, ok := e.Args[1].(*Apply)
	if !ok || iota.Op != OpIota {
		return nil
	}
	if n := TypeOf(m).Extent(0); !n.Known() || !n.Equal(TypeOf(iota).Extent(0)) {
		tally, ok := iota.Args[0].(*Apply)
		counts, isRef := e.Args[0].(*Ref)
		if !ok || !isRef || tally.Op != OpTally {
			return nil
		}
		if of, ok := tally.Args[0].(*Ref); !ok || of.Var != counts.Var {
			return nil
		}
	}
	return t.build(e, OpWhere, 0, nil, m)
}

// table returns the values of f for the numbers 0 and 1, for both arguments if
// it has two; nil where they are not all 0 and 1.
func (t *truthFinder) table(e Expr, f *Lam) []byte {
	if !closedScalar(f) {
		return nil
	}
	all := [][]int64{{0, 1}, nil}
	op := OpEach
	if len(f.Params) == 2 {
		all, op = [][]int64{{0, 0, 1, 1}, {0, 1, 0, 1}}, OpZipWith
	}
	args := []Expr{f}
	for i, p := range f.Params {
		if ty, ok := p.Type.(*Array); !ok || ty.Elem != array.Int {
			return nil
		}
		args = append(args, NewLit(e.Span(), array.VectorInt(all[i])))
	}
	a, bad := NewApply(e.Span(), op, 0, nil, args...)
	if bad != nil {
		return nil
	}
	l, ok := t.fold(a).(*Lit)
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
func (t *truthFinder) each(e *Apply) Expr {
	f, ok := e.Args[0].(*Lam)
	if !ok {
		return nil
	}
	m := t.of(e.Args[1])
	if m == nil || rankOf(m) == 0 || isOpLam(f, OpB2I) {
		return t.lifted(e)
	}
	bits := t.table(e, f)
	if bits == nil {
		return t.lifted(e)
	}
	x := m
	switch {
	case bits[0] == bits[1]:
		v := t.variable("b", Scalar(array.Bool))
		never := &Lam{At: f.At, Params: []*Var{v}, Body: NewLit(e.Where, array.ScalarBool(bits[0] == 1))}
		x = t.build(e, OpEach, 0, nil, never, m)
	case bits[0] == 1:
		x = t.build(e, OpEach, 0, nil, NewOpLam(e.Where, OpNotB), m)
	}
	if x == nil || TypeOf(e).Elem == array.Bool {
		return x
	}
	return t.numbers(e, x)
}

// lifted takes b2i out of a function that is applied to elements.
func (t *truthFinder) lifted(e *Apply) Expr {
	f, ok := e.Args[0].(*Lam)
	if !ok || isOpLam(f, OpB2I) {
		return nil
	}
	body, ok := f.Body.(*Apply)
	if !ok || body.Op != OpB2I || rankOf(e) == 0 {
		return nil
	}
	args := append([]Expr{&Lam{At: f.At, Params: f.Params, Body: body.Args[0]}}, e.Args[1:]...)
	x := t.build(e, e.Op, e.Axis, e.Ks, args...)
	if x == nil {
		return nil
	}
	return t.numbers(e, x)
}

// joined makes a function that joins elements of two arrays one of truth values.
func (t *truthFinder) joined(e *Apply) Expr {
	f, ok := e.Args[0].(*Lam)
	if !ok || TypeOf(e).Elem != array.Int || t.of(e.Args[1]) == nil && t.of(e.Args[2]) == nil {
		return nil
	}
	x, y := t.either(e.Args[1]), t.either(e.Args[2])
	if x == nil || y == nil {
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

// updated replaces elements of truth values by others.
func (t *truthFinder) updated(e *Apply) Expr {
	last := len(e.Args) - 1
	x, y := t.of(e.Args[0]), t.either(e.Args[last])
	if x == nil || y == nil {
		return nil
	}
	m := t.build(e, OpUpdate, e.Axis, e.Ks, append(append([]Expr{x}, e.Args[1:last]...), y)...)
	if m == nil {
		return nil
	}
	return t.numbers(e, m)
}

// operated makes an operator's function of numbers one of truth values.
func (t *truthFinder) operated(e *Apply) Expr {
	f, last := e.Args[0].(*Lam), len(e.Args)-1
	m := t.of(e.Args[last])
	if m == nil || rankOf(m) == 0 || TypeOf(e).Elem != array.Int {
		return nil
	}
	bits := t.table(e, f)
	if bits == nil {
		return nil
	}
	args := append([]Expr{t.function(f, bits)}, e.Args[1:last]...)
	if e.Op == OpReduce {
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
func (t *truthFinder) function(f *Lam, bits []byte) Expr {
	switch [4]byte(bits) {
	case [4]byte{0, 0, 0, 1}:
		return NewOpLam(f.Where, OpAndB)
	case [4]byte{0, 1, 1, 1}:
		return NewOpLam(f.Where, OpOrB)
	case [4]byte{0, 1, 1, 0}:
		return NewOpLam(f.Where, OpXorB)
	case [4]byte{1, 0, 0, 1}:
		return NewOpLam(f.Where, OpEqB)
	case [4]byte{1, 1, 1, 0}:
		return NewOpLam(f.Where, OpNandB)
	case [4]byte{1, 0, 0, 0}:
		return NewOpLam(f.Where, OpNorB)
	}
	a, b := t.variable("a", Scalar(array.Bool)), t.variable("b", Scalar(array.Bool))
	x, y := Expr(&Ref{At: f.At, Var: a}), Expr(&Ref{At: f.At, Var: b})
	apply := func(op Op, args ...Expr) Expr {
		e, bad := NewApply(f.Where, op, 0, nil, args...)
		if bad != nil {
			panic("internal error: truths: " + bad.Message())
		}
		return e
	}
	var body Expr
	switch [4]byte(bits) {
	case [4]byte{0, 0, 0, 0}, [4]byte{1, 1, 1, 1}:
		body = NewLit(f.Where, array.ScalarBool(bits[0] == 1))
	case [4]byte{0, 0, 1, 1}:
		body = x
	case [4]byte{0, 1, 0, 1}:
		body = y
	case [4]byte{1, 1, 0, 0}:
		body = apply(OpNotB, x)
	case [4]byte{1, 0, 1, 0}:
		body = apply(OpNotB, y)
	case [4]byte{0, 0, 1, 0}:
		body = apply(OpAndB, x, apply(OpNotB, y))
	case [4]byte{0, 1, 0, 0}:
		body = apply(OpAndB, apply(OpNotB, x), y)
	case [4]byte{1, 0, 1, 1}:
		body = apply(OpOrB, x, apply(OpNotB, y))
	default:
		body = apply(OpOrB, apply(OpNotB, x), y)
	}
	return &Lam{At: f.At, Params: []*Var{a, b}, Body: body}
}

// never reports whether e is a vector of falsehoods.
func (t *truthFinder) never(e Expr) bool {
	a, ok := e.(*Apply)
	if !ok || a.Op != OpEach || !t.effects.Total(a) {
		return false
	}
	l, ok := a.Args[0].(*Lam).Body.(*Lit)
	return ok && l.Value.Elem == array.Bool && l.Value.Bools[0] == 0
}

// absent is 1∊v where no element of v is 1.
func (t *truthFinder) absent(e *Apply) Expr {
	one, ok := constInt(e.Args[0])
	m := t.of(e.Args[1])
	if !ok || one != 1 || m == nil {
		return nil
	}
	if r, ok := m.(*Ref); ok && t.consts[r.Var] || t.never(m) {
		return NewLit(e.Where, array.ScalarBool(false))
	}
	return nil
}
