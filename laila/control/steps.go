package control

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Counters of loops whose number of steps is known:
//
//	power(fn s => … (addi(#0(s),1),update(#1(s),#0(s),x)), n, (1,w))
//
// becomes
//
//	for i = 0 … n: w[i] = x
//
// where the scalar of the state is no variable, but i + 1: its range is known in
// the body, so that tests of indices by it go.
//
// Legality. A scalar to which every step adds a constant is its first value and
// as many times the constant as there were steps. The sums cannot overflow: there
// are no loops of more than stepsMost steps, as a program does not live to see
// their end, and first values and constants are below counterMost.

// stepsMost bounds the steps of a loop, counterMost the first value of a
// counter and what it grows by.
const (
	stepsMost   = 1 << 53
	counterMost = 1 << 8
)

// counters returns what each step adds to the integer scalars of the state of a
// power to which each adds a constant, by the places of their components.
func counters(g *build.Builder, f *tail.Lam, x *build.Value) map[int]int64 {
	counts := map[int]int64{}
	for i, t := range x.Tup {
		if t.Tup != nil {
			return nil
		}
		if t.X == nil || t.X.Kind() != ir.I64 || !g.RangeOf(t.X).Within(-stepsMost, stepsMost) {
			continue
		}
		counts[i] = 0
	}
	if len(counts) == 0 {
		return nil
	}
	lets := map[*tail.Var]tail.Expr{}
	for ends, first := endsOf(f.Body, lets, nil), true; len(ends) > 0; ends, first = ends[1:], false {
		t, ok := ends[0].(*tail.Tuple)
		if !ok {
			return nil
		}
		for i := range counts {
			k, ok := growth(resolve(t.Elems[i], lets), f.Params[0], i, lets)
			if !ok || !first && counts[i] != k {
				delete(counts, i)
				continue
			}
			counts[i] = k
		}
	}
	return counts
}

// endsOf returns the results of a body, those of both branches of conditionals
// at its end; none where these are too many.
func endsOf(e tail.Expr, lets map[*tail.Var]tail.Expr, all []tail.Expr) []tail.Expr {
	e = unlet(e, lets)
	branch, ok := e.(*tail.If)
	if !ok || len(all) > countedEnds {
		return append(all, e)
	}
	return endsOf(branch.Else, lets, endsOf(branch.Then, lets, all))
}

// growth returns what e adds to component i of v.
func growth(e tail.Expr, v *tail.Var, i int, lets map[*tail.Var]tail.Expr) (int64, bool) {
	p, ok := e.(*tail.Proj)
	if j, ok := projOf(p, ok, v); ok {
		return 0, i == j
	}
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpAddI && a.Op != tail.OpSubI {
		return 0, false
	}
	for k, y := range a.Args {
		p, ok := resolve(y, lets).(*tail.Proj)
		l, ok2 := resolve(a.Args[1-k], lets).(*tail.Lit)
		if j, ok := projOf(p, ok, v); !ok || j != i || !ok2 || l.Value.Rank() > 0 || len(l.Value.Ints) != 1 {
			continue
		}
		n := l.Value.Ints[0]
		switch {
		case n > counterMost || n < -counterMost:
		case a.Op == tail.OpAddI:
			return n, true
		case k == 0:
			return -n, true
		}
	}
	return 0, false
}

// countSteps lowers a power with counters; it is not ok where it has none.
func countSteps(g *build.Builder, e *tail.Apply, n ir.Expr, x *build.Value) (*build.Value, bool) {
	if !g.On("steps") || x.Tup == nil {
		return nil, false
	}
	counts := counters(g, tail.LamOf(e.Args[0]), x)
	if len(counts) == 0 {
		return nil, false
	}
	v := stepNumber(g, n)
	fixed, last := map[int]ir.Expr{}, map[int]ir.Expr{}
	for i := range x.Tup {
		k, ok := counts[i]
		if !ok {
			continue
		}
		first := g.Atom("first", x.Tup[i].X)
		fixed[i] = ir.Add(ir.Mul(v.Use(), ir.Integer(k)), first)
		last[i] = ir.Add(ir.Mul(n, ir.Integer(k)), first)
	}
	done := loopOver(g, e, nil, tail.LamOf(e.Args[0]), x, fixed, stepsUpTo(g, v, n), func(body []ir.Stmt) {
		g.Emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: n, Body: body})
	})
	for i, y := range last {
		done.Tup[i] = build.Scalar1(y)
	}
	return done, true
}

// stepNumber is the number of one of n steps.
func stepNumber(g *build.Builder, n ir.Expr) *ir.Var {
	v := g.NewVar("step", ir.I64)
	g.Steady[v] = true
	g.Ranges[v] = facts.Between(0, min(max(g.RangeOf(n).Hi, 1), stepsMost)-1)
	if ir.IsPlainSum(n, 0) {
		g.Facts[v] = &build.Bounds{Lowers: []affine.Poly{{}}, Uppers: []affine.Poly{g.LinearOf(n)}}
	}
	return v
}
