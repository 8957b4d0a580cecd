package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/arith"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// firstChunk is how many elements are tested together by a search.
const firstChunk = 64

// search lowers what asks for the place of the first element that passes a
// test as a loop that stops there, and stores neither the tests nor the
// places; nil where e is nothing of the kind.
//
//	+/∧\b       +/∨\b      along any axis that is last
//	v⍳x         for a scalar x
//	⊃⍸b         ⊃⍋v        ⊃⍒v, but for doubles
//
// Elements whose computation can fault are all computed, before.
func (g *gen) search(e *tail.Apply) *value {
	if !g.On("first") {
		return nil
	}
	switch e.Op {
	case tail.OpReduce:
		if m, op := leadingOf(e); m != nil {
			return g.leading(m, op)
		}
	case tail.OpIndexOf:
		v, x := tail.TypeOf(e.Args[0]), tail.TypeOf(e.Args[1])
		if v != nil && x != nil && v.Dims() == 1 && x.Dims() == 0 && kindOf(v.Elem) != ir.C64 {
			return g.indexOfScalar(e)
		}
	case tail.OpFirst:
		if a, ok := e.Args[0].(*tail.Apply); ok {
			return g.firstPlace(a)
		}
	}
	return nil
}

// firstPlace lowers the first of the places that e gives; nil where e is no
// where or grade of a vector.
func (g *gen) firstPlace(e *tail.Apply) *value {
	switch e.Op {
	case tail.OpWhere, tail.OpGradeUp, tail.OpGradeDown:
	default:
		return nil
	}
	t := tail.TypeOf(e.Args[0])
	k := kindOf(t.Elem)
	switch {
	case t.Dims() != 1:
	case e.Op == tail.OpWhere && k == ir.U8:
		return g.firstWhere(e.Args[0])
	case e.Op == tail.OpGradeUp && k != ir.C64, e.Op == tail.OpGradeDown && k.Exact():
		return g.firstGraded(e)
	}
	return nil
}

// leadingOf returns m for +/∧\m and +/∨\m, and the function of the scan.
func leadingOf(e *tail.Apply) (m tail.Expr, op tail.Op) {
	zero, isLit := e.Args[1].(*tail.Lit)
	each, isEach := e.Args[2].(*tail.Apply)
	if tail.OpOf(tail.LamOf(e.Args[0])) != tail.OpAddI || !isLit || !isEach || each.Op != tail.OpEach {
		return nil, 0
	}
	f, isLam := each.Args[0].(*tail.Lam)
	scan, isScan := each.Args[1].(*tail.Apply)
	if !isLam || !isScan || scan.Op != tail.OpScan || scan.Axis != e.Axis || !ir.IsInt(constant(zero.Value, 0), 0) {
		return nil, 0
	}
	b2i, ok := f.Body.(*tail.Apply)
	if !ok || b2i.Op != tail.OpB2I || !refersTo(b2i.Args[0], f.Params[0]) {
		return nil, 0
	}
	t := tail.TypeOf(scan.Args[1])
	op = tail.OpOf(tail.LamOf(scan.Args[0]))
	if t.Dims() == 0 || e.Axis != t.Dims()-1 || op != tail.OpAndB && op != tail.OpOrB {
		return nil, 0
	}
	return scan.Args[1], op
}

func refersTo(e tail.Expr, v *tail.Var) bool {
	r, ok := e.(*tail.Ref)
	return ok && r.Var == v
}

// leading counts the 1s of ∧\m or ∨\m along the last axis.
func (g *gen) leading(m tail.Expr, op tail.Op) *value {
	p := g.args([]tail.Expr{m})[0].arr
	g.total(p)
	a := p.rank() - 1
	n := p.dims[a]
	count := func(ix []ir.Expr) ir.Expr {
		at := g.firstTrue(n, func(i ir.Expr) ir.Expr {
			x := g.index(p, append(ix[:len(ix):len(ix)], i))
			if op == tail.OpAndB {
				return ir.Not(x)
			}
			return x
		})
		if op == tail.OpOrB {
			at = g.within(ir.Sub(n, at), 0, n)
		}
		return at
	}
	if a == 0 {
		return scalar1(count(nil))
	}
	q := &pull{elem: ir.I64, dims: p.dims[:a:a], rng: facts.Between(0, g.RangeOf(n).Hi), cost: 50 * (p.cost + 1), srcs: []*pull{p}, at: count}
	if n, ok := ir.IntOf(n); ok {
		q.cost = int(min(n, 1000)) * (p.cost + 2)
	}
	return array1(q)
}

// indexOfScalar is v⍳x for a scalar x.
func (g *gen) indexOfScalar(e *tail.Apply) *value {
	vs := g.args(e.Args)
	if n, ok := ir.IntOf(vs[0].arr.dims[0]); ok && n <= unrollElems && g.On("member") {
		if at, ok := g.positionOf(vs); ok {
			return scalar1(at)
		}
	}
	return scalar1(ir.Add(g.firstEqual(e, vs[0].arr, vs[1].x), ir.Integer(1)))
}

// firstEqual is where a vector first has x, its length where it does not.
func (g *gen) firstEqual(e *tail.Apply, p *pull, x ir.Expr) ir.Expr {
	p, x = g.total(p), g.atom("x", x)
	return g.firstTrue(p.dims[0], func(i ir.Expr) ir.Expr {
		y := g.index(p, []ir.Expr{i})
		switch {
		case p.elem == ir.F64 && !g.in.Exact:
			return g.mathOp(mathOps[tail.OpEqD], []ir.Expr{y, x}, siteOf(e))
		case p.elem == ir.F64:
			return ir.OpEq.Of(y, x)
		}
		if t, ok := truthOf(y); ok && ir.IsInt(x, 1) {
			return t
		} else if ok && ir.IsInt(x, 0) {
			return ir.Not(t)
		}
		return g.Compare(ir.OpEq, y, x)
	})
}

// scalarMember is x∊v for a scalar x and a vector v.
func (g *gen) scalarMember(e *tail.Apply, args []*value) *value {
	x, p := args[0].x, args[1].arr
	if x == nil || p == nil || p.rank() != 1 || p.elem != x.Kind() || p.elem == ir.C64 || !g.On("first") {
		return nil
	}
	g.force()
	at := g.firstEqual(e, p, x)
	return scalar1(g.Compare(ir.OpLt, at, p.dims[0]))
}

// firstWhere is ⊃⍸b: 0 where there is no 1.
func (g *gen) firstWhere(b tail.Expr) *value {
	p := g.total(g.args([]tail.Expr{b})[0].arr)
	n := p.dims[0]
	at := g.firstTrue(n, func(i ir.Expr) ir.Expr { return g.index(p, []ir.Expr{i}) })
	return scalar1(ir.Choose(g.Compare(ir.OpLt, at, n), ir.Add(at, ir.Integer(1)), ir.Integer(0)))
}

// firstGraded is ⊃⍋v, the place of the first of the least elements, or ⊃⍒v;
// 0 where there are none. NaN, of doubles, comes after everything else: where
// nothing is equal to the least, there is nothing else.
func (g *gen) firstGraded(e *tail.Apply) *value {
	p := g.total(g.args(e.Args)[0].arr)
	g.reread(p)
	n := p.dims[0]
	op := ir.OpMin
	var worst ir.Expr
	switch {
	case p.elem == ir.F64:
		worst = &ir.Float{Val: math.Inf(1)}
	case e.Op == tail.OpGradeDown:
		op, worst = ir.OpMax, ir.Integer(p.rng.Lo)
	default:
		worst = ir.Integer(p.rng.Hi)
	}
	if p.elem != ir.F64 {
		worst = ir.ConvertTo(p.elem, worst)
	}
	best := g.extreme(n, op, worst, func(i ir.Expr) ir.Expr { return g.index(p, []ir.Expr{i}) })
	at := g.firstTrue(n, func(i ir.Expr) ir.Expr { return ir.OpEq.Of(g.index(p, []ir.Expr{i}), best) })
	at = ir.Add(g.within(ir.Rem(at, g.Larger(n, ir.Integer(1))), 0, n), ir.Integer(1))
	return scalar1(ir.Choose(g.Compare(ir.OpGt, n, ir.Integer(0)), at, ir.Integer(0)))
}

// within binds x, which is known to lie between lo and hi.
func (g *gen) within(x ir.Expr, lo int64, hi ir.Expr) ir.Expr {
	u, ok := g.atom("at", x).(*ir.Use)
	if !ok {
		return x
	}
	r := g.RangeOf(u)
	g.Ranges[u.Var] = facts.Between(max(r.Lo, lo), min(r.Hi, g.RangeOf(hi).Hi))
	return u
}

// firstTrue returns the least i of 0 … n-1 for which test gives 1, n where
// there is none. Elements behind it are tested to the end of a chunk only;
// chunks are vector code, as their places are numbers of the width of what is
// tested.
//
//	at = 0
//	loop: break if at ≥ n
//	      f = 64; for i = 0 … 64 min n-at: f = f min (test(at+i) ? i : 64)
//	      at = at + f; break if f < 64
func (g *gen) firstTrue(n ir.Expr, test func(i ir.Expr) ir.Expr) ir.Expr {
	if c, ok := ir.IntOf(n); ok && c <= firstChunk {
		return g.within(g.firstOf(n, c, test), 0, n)
	}
	var at *ir.Var
	g.guarded(func() {
		at = g.mutable("at", ir.I64, ir.Integer(0))
		g.Ranges[at] = facts.Between(0, facts.MaxExtent+firstChunk)
		inside := g.nest.inside
		g.nest.inside = true
		g.emit(&ir.Loop{Body: g.block(func() {
			g.emit(&ir.BreakIf{Cond: ir.OpGe.Of(at.Use(), n)})
			from := g.let("from", at.Use())
			some := g.let("n", ir.OpMin.Of(ir.Integer(firstChunk), ir.OpSub.Of(n, from))).(*ir.Use)
			g.Ranges[some.Var] = facts.Between(1, firstChunk)
			f := g.firstOf(some, firstChunk, func(i ir.Expr) ir.Expr { return test(ir.Add(from, i)) })
			g.emit(at.Assign(ir.OpAdd.Of(at.Use(), f)), &ir.BreakIf{Cond: g.Compare(ir.OpLt, f, ir.Integer(firstChunk))})
		})})
		g.nest.inside = inside
	})
	return g.within(ir.OpMin.Of(at.Use(), n), 0, n)
}

// firstOf is firstTrue for n ≤ limit elements, limit where there is none.
func (g *gen) firstOf(n ir.Expr, limit int64, test func(i ir.Expr) ir.Expr) ir.Expr {
	k := g.placeKind(n, test)
	number := func(i ir.Expr) ir.Expr {
		if k == ir.F64 {
			return ir.ConvertTo(ir.F64, ir.ConvertTo(ir.I32, i))
		}
		return ir.ConvertTo(k, i)
	}
	none := ir.ConvertTo(k, ir.Integer(limit))
	at := g.extreme(n, ir.OpMin, none, func(i ir.Expr) ir.Expr { return ir.Choose(test(i), number(i), none) })
	return g.within(ir.ConvertTo(ir.I64, at), 0, ir.Integer(limit))
}

// placeKind returns the kind in which vector code has as many places as tests:
// that of the widest numbers that are compared.
func (g *gen) placeKind(n ir.Expr, test func(i ir.Expr) ir.Expr) ir.Kind {
	bits := &arith.BitsUsed{}
	st := *g.nestOrNone()
	outer := g.nest
	g.nest = &st
	st.flags = append([]*flag{}, st.flags...)
	st.inside = true
	stmts := g.block(func() {
		v := g.loopVar(ir.Integer(0), n, nil)
		bits.Expr(test(v.Use()), false)
	})
	g.nest = outer
	if !bits.Block(stmts) || bits.Width > 4 {
		if bits.Doubles {
			return ir.F64
		}
		return ir.I64
	}
	switch bits.Width {
	case 4:
		return ir.I32
	case 2:
		return ir.I16
	}
	return ir.I8
}

// nestOrNone returns the nest being filled, or an empty one.
func (g *gen) nestOrNone() *nestState {
	if g.nest == nil {
		return &nestState{}
	}
	return g.nest
}

// extreme is the least or greatest of worst and what read gives for 0 … n-1;
// NaN is left out.
func (g *gen) extreme(n ir.Expr, op ir.BinOp, worst ir.Expr, read func(i ir.Expr) ir.Expr) ir.Expr {
	var out *ir.Var
	g.guarded(func() {
		out = g.mutable("best", worst.Kind(), worst)
		it := &iteration{g: g, dims: []ir.Expr{n}, nest: g.nest.find == nil}
		acc := out
		if it.nest {
			it.open = func() *ir.Nest {
				acc = g.NewVar("best", worst.Kind())
				a := ir.Acc{Var: acc, Left: g.NewVar("x", acc.Kind), Right: g.NewVar("y", acc.Kind), Neutral: worst, Exact: true}
				a.Combine = op.Of(a.Left.Use(), a.Right.Use())
				return &ir.Nest{Kind: ir.SegRed, Accs: []ir.Acc{a}, Pre: []ir.Stmt{acc.Decl(out.Use())}, Post: []ir.Stmt{out.Assign(acc.Use())}}
			}
		}
		it.body = func(ix []ir.Expr) { g.emit(acc.Assign(op.Of(read(ix[0]), acc.Use()))) }
		it.serial = func() { acc = out }
		it.run()
	})
	return g.let("best", out.Use())
}
