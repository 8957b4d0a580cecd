package tail

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
)

// integers takes the digits of integers where doubles hold nothing else: constants
// that are integers, as of powers of two, what is selected from them, and integers
// that were made doubles.
//
//	let w:[double]1 = compress(m,[4.0,2.0,1.0]) in
//	encode(each(i2d,B),w)
//
// becomes
//
//	let n:[int]1 = compress(m,[4,2,1]) in
//	let w:[double]1 = each(i2d,n) in
//	each(i2d,encode(B,n))
//
// Tests of such digits, in reductions and scans, and their values in a base are of
// integers, too. Integers up to maxInteger are equal, and divide each other without
// rest, with any comparison tolerance exactly where they do without one, and what
// digits come to is exact in doubles.
//
// Only bodies that take digits are looked at. Requires: nothing. Leaves
// lets that nothing uses; run deadcode after.
func integers(o *optimiser) {
	o.bodies(func(e Expr) Expr {
		if !takesDigits(e) {
			return e
		}
		t := &integerFinder{&truthFinder{optimiser: o}, map[*Var]Expr{}, map[*Var]Expr{}}
		return t.expr(e)
	})
}

// maxInteger is the largest integer, and its negative the least, of which digits
// are taken.
const maxInteger = 1 << 31

func takesDigits(e Expr) bool {
	found := false
	Walk(e, func(e Expr) bool {
		a, ok := e.(*Apply)
		found = found || ok && a.Op == OpEncode
		return !found
	})
	return found
}

type integerFinder struct {
	*truthFinder               // for build
	ints         map[*Var]Expr // the integers that the values of variables are
	defs         map[*Var]Expr // what lets bind, of these
}

// expr rewrites e, what is named before what uses it.
func (t *integerFinder) expr(e Expr) Expr {
	return letwise(e, t.expr, t.named, func(a *Apply) Expr {
		if next := t.apply(a); next != nil {
			return next
		}
		return a
	})
}

// named names the integers that the doubles of a variable are made of.
func (t *integerFinder) named(f letFrame) []letFrame {
	n := t.of(f.bind)
	if n == nil {
		return []letFrame{f}
	}
	var frames []letFrame
	if !isAtom(n) {
		v := t.variable("n", TypeOf(n))
		frames = append(frames, letFrame{f.at, v, n})
		t.defs[v] = n
		n = &Ref{At: f.at, Var: v}
		f.bind = t.doubles(f.bind, n)
	}
	t.ints[f.v] = n
	return append(frames, f)
}

// of returns the integers that the doubles of e are, nil where they may be others.
func (t *integerFinder) of(e Expr) Expr {
	switch e := e.(type) {
	case *Ref:
		return t.ints[e.Var]
	case *Lit:
		return integral(e)
	case *Apply:
		if e.Op == OpI2D {
			return e.Args[0]
		}
		if e.Op == OpEach && isOpLam(e.Args[0].(*Lam), OpI2D) {
			return e.Args[1]
		}
	}
	return nil
}

// integral returns a constant of doubles that are integers as one of integers.
func integral(e *Lit) Expr {
	if e.Value.Elem != array.Double {
		return nil
	}
	n := array.New(array.Int, e.Value.Shape...)
	for i, x := range e.Value.Doubles {
		if x != math.Trunc(x) || math.Abs(x) > maxInteger || x == 0 && math.Signbit(x) {
			return nil
		}
		n.Ints[i] = int64(x)
	}
	return NewLit(e.Where, n)
}

// doubles returns integers as doubles in the place of e.
func (t *integerFinder) doubles(e, n Expr) Expr {
	if rankOf(n) == 0 {
		return t.build(e, OpI2D, 0, nil, n)
	}
	return t.build(e, OpEach, 0, nil, NewOpLam(e.Span(), OpI2D), n)
}

// apply rewrites an application whose arguments have been rewritten; nil where it
// stays.
func (t *integerFinder) apply(e *Apply) Expr {
	if ty, ok := e.Type().(*Array); !ok || ty.Elem != array.Double {
		return nil
	}
	var n Expr
	switch e.Op {
	case OpEncode:
		n = t.encode(e)
	case OpDecode:
		n = t.decode(e)
	case OpReduce, OpReduce1, OpReduceWin, OpScan:
		n = t.tested(e)
	default:
		n = t.selected(e)
	}
	if n == nil {
		return nil
	}
	return t.doubles(e, n)
}

// selected moves integers.
func (t *integerFinder) selected(e *Apply) Expr {
	m, ok := movers[e.Op]
	if !ok {
		return nil
	}
	args := append([]Expr{}, e.Args...)
	for i := m.first; i <= m.last; i++ {
		if args[i] = t.of(e.Args[i]); args[i] == nil {
			return nil
		}
	}
	return t.build(e, e.Op, e.Axis, e.Ks, args...)
}

// encode takes digits of integers.
func (t *integerFinder) encode(e *Apply) Expr {
	base, n := t.of(e.Args[0]), t.of(e.Args[1])
	if base == nil || n == nil || baseOf(base) < 2 || !t.small(n) {
		return nil
	}
	return t.build(e, OpEncode, 0, nil, base, n)
}

// baseOf is the number that all elements of e are, which has some; 0 where it is
// not known, or large.
func baseOf(e Expr) int64 {
	if a, ok := e.(*Apply); ok && a.Op == OpReshape && rankOf(a.Args[1]) == 0 {
		e = a.Args[1]
	}
	l, ok := e.(*Lit)
	if !ok || l.Value.Elem != array.Int || l.Value.Len() == 0 {
		return 0
	}
	for _, n := range l.Value.Ints {
		if n != l.Value.Ints[0] || n > maxInteger {
			return 0
		}
	}
	return l.Value.Ints[0]
}

// small reports whether integers are known to be in the range of those whose
// doubles compare exactly.
func (t *integerFinder) small(n Expr) bool {
	r := t.rangeOf(n)
	return r.known && r.low >= -maxInteger && r.high <= maxInteger
}

// boundedDepth is how far expressions are followed for the range of integers.
const boundedDepth = 32

// rangeOf is the range of integers, by the definitions of names.
func (t *integerFinder) rangeOf(e Expr) interval {
	return (&ranger{defs: t.defs}).of(e, boundedDepth)
}

// decode gives the value of digits, which doubles hold exactly.
func (t *integerFinder) decode(e *Apply) Expr {
	base, n := t.of(e.Args[0]), t.of(e.Args[1])
	if base == nil || n == nil || rankOf(n) == 0 {
		return nil
	}
	b, r := baseOf(base), t.rangeOf(n)
	count, ok := TypeOf(n).Extent(0).IsConst()
	if b < 2 || !ok || !r.known || r.low < 0 || r.high >= b || float64(count)*math.Log2(float64(b)) > 52 {
		return nil
	}
	return t.build(e, OpDecode, 0, nil, base, n)
}

// intTests are the tests of integers that answer as those of doubles do.
var intTests = map[Op]Op{OpEqD: OpEqI, OpNeqD: OpNeqI, OpLtD: OpLtI, OpLteD: OpLteI, OpGtD: OpGtI, OpGteD: OpGteI}

// testLam returns the test of the two parameters of f whose outcome f makes a
// number by coerce; nil where it does something else.
func testLam(f *Lam, coerce Op) *Apply {
	number, ok := f.Body.(*Apply)
	if !ok || number.Op != coerce || len(f.Params) != 2 {
		return nil
	}
	test, ok := number.Args[0].(*Apply)
	if !ok || len(test.Args) != 2 {
		return nil
	}
	if !onlyParams(f, test) {
		return nil
	}
	return test
}

// onlyParams reports whether a is applied to the two parameters of f.
func onlyParams(f *Lam, a *Apply) bool {
	return len(f.Params) == 2 && !slices.ContainsFunc(a.Args, func(x Expr) bool {
		r, ok := x.(*Ref)
		return !ok || r.Var != f.Params[0] && r.Var != f.Params[1]
	})
}

// tested applies a test of doubles between integers.
func (t *integerFinder) tested(e *Apply) Expr {
	f, last := e.Args[0].(*Lam), len(e.Args)-1
	test := testLam(f, OpB2D)
	if test == nil {
		return nil
	}
	op, n := intTests[test.Op], t.of(e.Args[last])
	if op == NoOp || n == nil || rankOf(n) == 0 || !t.small(n) {
		return nil
	}
	between := append([]Expr{}, e.Args[1:last]...)
	if e.Op == OpReduce {
		if between[0] = t.of(between[0]); between[0] == nil || !t.small(between[0]) {
			return nil
		}
	}
	g := &Lam{At: f.At}
	args := make([]Expr, 2)
	for range 2 {
		g.Params = append(g.Params, t.variable("n", Scalar(array.Int)))
	}
	for i, x := range test.Args {
		p := g.Params[0]
		if x.(*Ref).Var == f.Params[1] {
			p = g.Params[1]
		}
		args[i] = &Ref{At: x.(*Ref).At, Var: p}
	}
	if g.Body = t.build(test, op, 0, nil, args...); g.Body == nil {
		return nil
	}
	if g.Body = t.build(f.Body, OpB2I, 0, nil, g.Body); g.Body == nil {
		return nil
	}
	return t.build(e, e.Op, e.Axis, e.Ks, append(append([]Expr{g}, between...), n)...)
}
