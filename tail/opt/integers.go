package opt

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
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
	o.bodies(func(e tail.Expr) tail.Expr {
		if !takesDigits(e) {
			return e
		}
		t := &integerFinder{&truthFinder{optimiser: o}, map[*tail.Var]tail.Expr{}, map[*tail.Var]tail.Expr{}}
		return t.expr(e)
	})
}

func takesDigits(e tail.Expr) bool {
	found := false
	tail.Walk(e, func(e tail.Expr) bool {
		a, ok := e.(*tail.Apply)
		found = found || ok && a.Op == tail.OpEncode
		return !found
	})
	return found
}

type integerFinder struct {
	*truthFinder                         // for build
	ints         map[*tail.Var]tail.Expr // the integers that the values of variables are
	defs         map[*tail.Var]tail.Expr // what lets bind, of these
}

// expr rewrites e, what is named before what uses it.
func (t *integerFinder) expr(e tail.Expr) tail.Expr {
	return letwise(e, t.expr, t.named, func(a *tail.Apply) tail.Expr {
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
		v := t.variable("n", tail.TypeOf(n))
		frames = append(frames, letFrame{f.at, v, n})
		t.defs[v] = n
		n = &tail.Ref{At: f.at, Var: v}
		f.bind = t.doubles(f.bind, n)
	}
	t.ints[f.v] = n
	return append(frames, f)
}

// of returns the integers that the doubles of e are, nil where they may be others.
func (t *integerFinder) of(e tail.Expr) tail.Expr {
	switch e := e.(type) {
	case *tail.Ref:
		return t.ints[e.Var]
	case *tail.Lit:
		return integral(e)
	case *tail.Apply:
		if e.Op == tail.OpI2D {
			return e.Args[0]
		}
		if e.Op == tail.OpEach && tail.IsOpLam(e.Args[0].(*tail.Lam), tail.OpI2D) {
			return e.Args[1]
		}
	}
	return nil
}

// integral returns a constant of doubles that are integers as one of integers.
func integral(e *tail.Lit) tail.Expr {
	if e.Value.Elem != array.Double {
		return nil
	}
	n := array.New(array.Int, e.Value.Shape...)
	for i, x := range e.Value.Doubles {
		if x != math.Trunc(x) || math.Abs(x) > analysis.MaxInteger || x == 0 && math.Signbit(x) {
			return nil
		}
		n.Ints[i] = int64(x)
	}
	return tail.NewLit(e.Where, n)
}

// doubles returns integers as doubles in the place of e.
func (t *integerFinder) doubles(e, n tail.Expr) tail.Expr {
	if tail.RankOf(n) == 0 {
		return t.build(e, tail.OpI2D, 0, nil, n)
	}
	return t.build(e, tail.OpEach, 0, nil, tail.NewOpLam(e.Span(), tail.OpI2D), n)
}

// apply rewrites an application whose arguments have been rewritten; nil where it
// stays.
func (t *integerFinder) apply(e *tail.Apply) tail.Expr {
	if ty, ok := e.Type().(*tail.Array); !ok || ty.Elem != array.Double {
		return nil
	}
	var n tail.Expr
	switch e.Op {
	case tail.OpEncode:
		n = t.encode(e)
	case tail.OpDecode:
		n = t.decode(e)
	case tail.OpReduce, tail.OpReduce1, tail.OpReduceWin, tail.OpScan:
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
func (t *integerFinder) selected(e *tail.Apply) tail.Expr {
	m, ok := tail.Movers[e.Op]
	if !ok {
		return nil
	}
	args := append([]tail.Expr{}, e.Args...)
	for i := m.First; i <= m.Last; i++ {
		if args[i] = t.of(e.Args[i]); args[i] == nil {
			return nil
		}
	}
	return t.build(e, e.Op, e.Axis, e.Ks, args...)
}

// encode takes digits of integers.
func (t *integerFinder) encode(e *tail.Apply) tail.Expr {
	base, n := t.of(e.Args[0]), t.of(e.Args[1])
	if base == nil || n == nil || analysis.BaseOf(base) < 2 || !t.small(n) {
		return nil
	}
	return t.build(e, tail.OpEncode, 0, nil, base, n)
}

// small reports whether integers are known to be in the range of those whose
// doubles compare exactly.
func (t *integerFinder) small(n tail.Expr) bool {
	r := t.rangeOf(n)
	return r.Known && r.Low >= -analysis.MaxInteger && r.High <= analysis.MaxInteger
}

// rangeOf is the range of integers, by the definitions of names.
func (t *integerFinder) rangeOf(e tail.Expr) analysis.Range {
	return (&analysis.Ranger{Defs: t.defs}).Of(e, analysis.BoundedDepth)
}

// decode gives the value of digits, which doubles hold exactly.
func (t *integerFinder) decode(e *tail.Apply) tail.Expr {
	base, n := t.of(e.Args[0]), t.of(e.Args[1])
	if base == nil || n == nil || tail.RankOf(n) == 0 {
		return nil
	}
	b, r := analysis.BaseOf(base), t.rangeOf(n)
	count, ok := tail.TypeOf(n).Extent(0).IsConst()
	if b < 2 || !ok || !r.Known || r.Low < 0 || r.High >= b || float64(count)*math.Log2(float64(b)) > 52 {
		return nil
	}
	return t.build(e, tail.OpDecode, 0, nil, base, n)
}

// intTests are the tests of integers that answer as those of doubles do.
var intTests = map[tail.Op]tail.Op{tail.OpEqD: tail.OpEqI, tail.OpNeqD: tail.OpNeqI, tail.OpLtD: tail.OpLtI, tail.OpLteD: tail.OpLteI, tail.OpGtD: tail.OpGtI, tail.OpGteD: tail.OpGteI}

// tested applies a test of doubles between integers.
func (t *integerFinder) tested(e *tail.Apply) tail.Expr {
	f, last := e.Args[0].(*tail.Lam), len(e.Args)-1
	test := tail.TestLam(f, tail.OpB2D)
	if test == nil {
		return nil
	}
	op, n := intTests[test.Op], t.of(e.Args[last])
	if op == tail.NoOp || n == nil || tail.RankOf(n) == 0 || !t.small(n) {
		return nil
	}
	between := append([]tail.Expr{}, e.Args[1:last]...)
	if e.Op == tail.OpReduce {
		if between[0] = t.of(between[0]); between[0] == nil || !t.small(between[0]) {
			return nil
		}
	}
	g := &tail.Lam{At: f.At}
	args := make([]tail.Expr, 2)
	for range 2 {
		g.Params = append(g.Params, t.variable("n", tail.Scalar(array.Int)))
	}
	for i, x := range test.Args {
		p := g.Params[0]
		if x.(*tail.Ref).Var == f.Params[1] {
			p = g.Params[1]
		}
		args[i] = &tail.Ref{At: x.(*tail.Ref).At, Var: p}
	}
	if g.Body = t.build(test, op, 0, nil, args...); g.Body == nil {
		return nil
	}
	if g.Body = t.build(f.Body, tail.OpB2I, 0, nil, g.Body); g.Body == nil {
		return nil
	}
	return t.build(e, e.Op, e.Axis, e.Ks, append(append([]tail.Expr{g}, between...), n)...)
}
