package search

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/laila/arith"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// firstChunk is how many elements are tested together by a search.
const firstChunk = 64

// Search lowers what asks for the place of the first element that passes a
// test as a loop that stops there, and stores neither the tests nor the
// places; nil where e is nothing of the kind.
//
//	+/∧\b       +/∨\b      along any axis that is last
//	v⍳x         for a scalar x
//	⊃⍸b         ⊃⍋v        ⊃⍒v
//
// Elements whose computation can fault are all computed, before.
func Search(g *build.Builder, e *tail.Apply) *build.Value {
	if !g.On("first") {
		return nil
	}
	switch e.Op {
	case tail.OpReduce:
		if m, op := leadingOf(e); m != nil {
			return leading(g, m, op)
		}
	case tail.OpIndexOf:
		v, x := tail.TypeOf(e.Args[0]), tail.TypeOf(e.Args[1])
		if v != nil && x != nil && v.Dims() == 1 && x.Dims() == 0 {
			return indexOfScalar(g, e)
		}
	case tail.OpFirst:
		if a, ok := e.Args[0].(*tail.Apply); ok {
			return firstPlace(g, a)
		}
	}
	return nil
}

// firstPlace lowers the first of the places that e gives; nil where e is no
// where or grade of a vector.
func firstPlace(g *build.Builder, e *tail.Apply) *build.Value {
	switch e.Op {
	case tail.OpWhere, tail.OpGradeUp, tail.OpGradeDown:
	default:
		return nil
	}
	t := tail.TypeOf(e.Args[0])
	k := build.KindOf(t.Elem)
	switch {
	case t.Dims() != 1:
	case e.Op == tail.OpWhere && k == ir.U8:
		return firstWhere(g, e.Args[0])
	case e.Op != tail.OpWhere && k != ir.C64:
		return firstGraded(g, e)
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
	if !isLam || !isScan || scan.Op != tail.OpScan || scan.Axis != e.Axis || !ir.IsInt(build.Constant(zero.Value, 0), 0) {
		return nil, 0
	}
	b2i, ok := f.Body.(*tail.Apply)
	if !ok || b2i.Op != tail.OpB2I || !build.RefersTo(b2i.Args[0], f.Params[0]) {
		return nil, 0
	}
	t := tail.TypeOf(scan.Args[1])
	op = tail.OpOf(tail.LamOf(scan.Args[0]))
	if t.Dims() == 0 || e.Axis != t.Dims()-1 || op != tail.OpAndB && op != tail.OpOrB {
		return nil, 0
	}
	return scan.Args[1], op
}

// leading counts the 1s of ∧\m or ∨\m along the last axis.
func leading(g *build.Builder, m tail.Expr, op tail.Op) *build.Value {
	p := g.Args([]tail.Expr{m})[0].Arr
	g.Total(p)
	a := p.Rank() - 1
	n := p.Dims[a]
	count := func(ix []ir.Expr) ir.Expr {
		at := firstTrue(g, n, func(i ir.Expr) ir.Expr {
			x := g.Index(p, append(ix[:len(ix):len(ix)], i))
			if op == tail.OpAndB {
				return ir.Not(x)
			}
			return x
		})
		if op == tail.OpOrB {
			at = g.Within(ir.Sub(n, at), 0, n)
		}
		return at
	}
	if a == 0 {
		return build.Scalar1(count(nil))
	}
	q := &build.Pull{Elem: ir.I64, Dims: p.Dims[:a:a], Rng: facts.Between(0, g.RangeOf(n).Hi), Cost: 50 * (p.Cost + 1), Srcs: []*build.Pull{p}, At: count}
	if n, ok := ir.IntOf(n); ok {
		q.Cost = int(min(n, 1000)) * (p.Cost + 2)
	}
	return build.Array1(q)
}

// indexOfScalar is v⍳x for a scalar x.
func indexOfScalar(g *build.Builder, e *tail.Apply) *build.Value {
	vs := g.Args(e.Args)
	if g.On("member") {
		if at := positionInTable(g, vs[0].Arr, vs[1].X); at != nil {
			return build.Scalar1(at)
		}
	}
	if n, ok := ir.IntOf(vs[0].Arr.Dims[0]); ok && n <= build.UnrollElems && g.On("member") {
		if at, ok := PositionOf(g, vs); ok {
			return build.Scalar1(at)
		}
	}
	return build.Scalar1(ir.Add(firstEqual(g, e, vs[0].Arr, vs[1].X), ir.Integer(1)))
}

// firstEqual is where a vector first has x, its length where it does not.
func firstEqual(g *build.Builder, e *tail.Apply, p *build.Pull, x ir.Expr) ir.Expr {
	p, x = g.Total(p), g.Atom("x", x)
	return firstTrue(g, p.Dims[0], func(i ir.Expr) ir.Expr {
		y := g.Index(p, []ir.Expr{i})
		switch {
		case p.Elem == ir.F64 && !g.In.Exact:
			return g.MathOp(build.MathOps[tail.OpEqD], []ir.Expr{y, x}, build.SiteOf(e))
		case p.Elem == ir.F64:
			return ir.OpEq.Of(y, x)
		case p.Elem == ir.C64:
			same := map[bool]string{false: "tl_eqz", true: "tl_samez"}[g.In.Exact]
			return &ir.Math{Fn: same, K: ir.U8, Args: []ir.Expr{y, x}}
		}
		if t, ok := build.TruthOf(y); ok && ir.IsInt(x, 1) {
			return t
		} else if ok && ir.IsInt(x, 0) {
			return ir.Not(t)
		}
		return g.Compare(ir.OpEq, y, x)
	})
}

// ScalarMember is x∊v for a scalar x and a vector v.
func ScalarMember(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	x, p := args[0].X, args[1].Arr
	if x == nil || p == nil || p.Rank() != 1 || p.Elem != x.Kind() || !g.On("first") {
		return nil
	}
	g.Force()
	at := firstEqual(g, e, p, x)
	return build.Scalar1(g.Compare(ir.OpLt, at, p.Dims[0]))
}

// firstWhere is ⊃⍸b: 0 where there is no 1.
func firstWhere(g *build.Builder, b tail.Expr) *build.Value {
	p := g.Total(g.Args([]tail.Expr{b})[0].Arr)
	n := p.Dims[0]
	at := firstTrue(g, n, func(i ir.Expr) ir.Expr { return g.Index(p, []ir.Expr{i}) })
	return build.Scalar1(ir.Choose(g.Compare(ir.OpLt, at, n), ir.Add(at, ir.Integer(1)), ir.Integer(0)))
}

// firstGraded is ⊃⍋v, the place of the first of the least elements, or ⊃⍒v;
// 0 where there are none. NaN, of doubles, is above everything else: up, where
// nothing is equal to the least, there is nothing else; down, the first NaN is looked for
// where there is one.
func firstGraded(g *build.Builder, e *tail.Apply) *build.Value {
	p := g.Total(g.Args(e.Args)[0].Arr)
	if at := firstKeyed(g, p, e.Op); at != nil {
		return build.Scalar1(at)
	}
	g.Reread(p)
	n := p.Dims[0]
	op := ir.OpMin
	var worst ir.Expr
	switch {
	case p.Elem == ir.F64 && e.Op == tail.OpGradeDown:
		op, worst = ir.OpMax, &ir.Float{Val: math.Inf(-1)}
	case p.Elem == ir.F64:
		worst = &ir.Float{Val: math.Inf(1)}
	case e.Op == tail.OpGradeDown:
		op, worst = ir.OpMax, ir.Integer(p.Rng.Lo)
	default:
		worst = ir.Integer(p.Rng.Hi)
	}
	if p.Elem != ir.F64 {
		worst = ir.ConvertTo(p.Elem, worst)
	}
	read := func(i ir.Expr) ir.Expr { return g.Index(p, []ir.Expr{i}) }
	best := extreme(g, n, op, worst, read)
	sought := func(i ir.Expr) ir.Expr { return ir.OpEq.Of(read(i), best) }
	if p.Elem == ir.F64 && op == ir.OpMax && p.Span == nil {
		notNumber := func(i ir.Expr) ir.Expr {
			x := g.Atom("x", read(i))
			return ir.OpNe.Of(x, x)
		}
		any := extreme(g, n, ir.OpMax, ir.Boolean(false), notNumber)
		sought = func(i ir.Expr) ir.Expr {
			x := g.Atom("x", read(i))
			return ir.OpOr.Of(ir.OpAnd.Of(any, ir.OpNe.Of(x, x)), ir.OpAnd.Of(ir.Not(any), ir.OpEq.Of(x, best)))
		}
	}
	at := firstTrue(g, n, sought)
	at = ir.Add(g.Within(ir.Rem(at, g.Larger(n, ir.Integer(1))), 0, n), ir.Integer(1))
	return build.Scalar1(ir.Choose(g.Compare(ir.OpGt, n, ir.Integer(0)), at, ir.Integer(0)))
}

// keyedMost is the largest number of elements that are compared with their places.
const keyedMost = 1 << 12

// firstKeyed is firstGraded for few integers of a small range, in one pass that has no test:
// the least key, which is an element above its place.
//
//	⊃⍋v:  (⌊/ (v-least)×m + ⍳n) rem m     for a power of two m ≥ n
//
// It is nil where keys may not fit in integers.
func firstKeyed(g *build.Builder, p *build.Pull, op tail.Op) ir.Expr {
	n, known := ir.IntOf(p.Dims[0])
	if !known || n < 1 || n > keyedMost || p.Elem != ir.I64 {
		return nil
	}
	m := int64(1) << bits.Len64(uint64(n-1))
	lo, hi := p.Rng.Lo, p.Rng.Hi
	if lo < -facts.MaxExtent || hi > facts.MaxExtent || hi-lo >= facts.MaxExtent/keyedMost {
		return nil
	}
	worst := (hi-lo+1)*m - 1
	k := ir.Wider(ir.I32, facts.Narrowest(facts.Between(0, worst)))
	key := extreme(g, p.Dims[0], ir.OpMin, ir.ConvertTo(k, ir.Integer(worst)), func(i ir.Expr) ir.Expr {
		x := g.Index(p, []ir.Expr{i})
		if op == tail.OpGradeDown {
			x = ir.Sub(ir.Integer(hi), x)
		} else {
			x = ir.Sub(x, ir.Integer(lo))
		}
		return ir.OpAdd.Of(ir.OpMul.Of(ir.ConvertTo(k, x), ir.ConvertTo(k, ir.Integer(m))), ir.ConvertTo(k, i))
	})
	return ir.Add(g.Within(ir.Rem(ir.ConvertTo(ir.I64, key), ir.Integer(m)), 0, p.Dims[0]), ir.Integer(1))
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
func firstTrue(g *build.Builder, n ir.Expr, test func(i ir.Expr) ir.Expr) ir.Expr {
	if neverTrue(g, n, test) {
		return n
	}
	if c, ok := ir.IntOf(n); ok && c <= firstChunk {
		return g.Within(firstOf(g, n, c, test), 0, n)
	}
	if g.RangeOf(n).Hi <= firstFew {
		return firstOfFew(g, n, test)
	}
	var at *ir.Var
	g.Guarded(func() {
		at = g.Mutable("at", ir.I64, ir.Integer(0))
		g.Ranges[at] = facts.Between(0, facts.MaxExtent+firstChunk)
		inside := g.Nest.Inside
		g.Nest.Inside = true
		g.Emit(&ir.Loop{Body: g.Block(func() {
			g.Emit(&ir.BreakIf{Cond: ir.OpGe.Of(at.Use(), n)})
			from := g.Let("from", at.Use())
			some := g.Let("n", ir.OpMin.Of(ir.Integer(firstChunk), ir.OpSub.Of(n, from))).(*ir.Use)
			g.Ranges[some.Var] = facts.Between(1, firstChunk)
			f := firstOf(g, some, firstChunk, func(i ir.Expr) ir.Expr { return test(ir.Add(from, i)) })
			g.Emit(at.Assign(ir.OpAdd.Of(at.Use(), f)), &ir.BreakIf{Cond: g.Compare(ir.OpLt, f, ir.Integer(firstChunk))})
		})})
		g.Nest.Inside = inside
	})
	return g.Within(ir.OpMin.Of(at.Use(), n), 0, n)
}

// firstFew is the number of elements that are tested one by one, where there are fewer.
const firstFew = 32

// firstOfFew is firstTrue for few elements, of which there are not always as many.
func firstOfFew(g *build.Builder, n ir.Expr, test func(i ir.Expr) ir.Expr) ir.Expr {
	var at *ir.Var
	g.Guarded(func() {
		at = g.Mutable("at", ir.I64, ir.Integer(0))
		g.Ranges[at] = facts.Between(0, g.RangeOf(n).Hi)
		inside := g.Nest.Inside
		g.Nest.Inside = true
		g.Emit(&ir.Loop{Body: g.Block(func() {
			g.Emit(&ir.BreakIf{Cond: ir.OpGe.Of(at.Use(), n)})
			found := test(g.Let("i", at.Use()))
			g.Emit(&ir.BreakIf{Cond: found}, at.Assign(ir.OpAdd.Of(at.Use(), ir.Integer(1))))
		})})
		g.Nest.Inside = inside
	})
	return g.Within(at.Use(), 0, n)
}

// firstOf is firstTrue for n ≤ limit elements, limit where there is none.
func firstOf(g *build.Builder, n ir.Expr, limit int64, test func(i ir.Expr) ir.Expr) ir.Expr {
	k := placeKind(g, n, test)
	number := func(i ir.Expr) ir.Expr {
		if k == ir.F64 {
			return ir.ConvertTo(ir.F64, ir.ConvertTo(ir.I32, i))
		}
		return ir.ConvertTo(k, i)
	}
	none := ir.ConvertTo(k, ir.Integer(limit))
	at := extreme(g, n, ir.OpMin, none, func(i ir.Expr) ir.Expr { return ir.Choose(test(i), number(i), none) })
	return g.Within(ir.ConvertTo(ir.I64, at), 0, ir.Integer(limit))
}

// placeKind returns the kind in which vector code has as many places as tests:
// that of the widest numbers that are compared.
func placeKind(g *build.Builder, n ir.Expr, test func(i ir.Expr) ir.Expr) ir.Kind {
	used := &arith.BitsUsed{}
	stmts := tried(g, n, func(i ir.Expr) { used.Expr(test(i), false) })
	if !used.Block(stmts) || used.Width > 4 {
		if used.Doubles {
			return ir.F64
		}
		return ir.I64
	}
	switch used.Width {
	case 4:
		return ir.I32
	case 2:
		return ir.I16
	}
	return ir.I8
}

// tried returns the statements of a loop over n elements, which is not built.
func tried(g *build.Builder, n ir.Expr, body func(i ir.Expr)) []ir.Stmt {
	st := *nestOrNone(g)
	outer := g.Nest
	g.Nest = &st
	st.Flags = append([]*build.Flag{}, st.Flags...)
	st.Inside = true
	defer func() { g.Nest = outer }()
	return g.Block(func() { body(g.LoopVar(ir.Integer(0), n, nil).Use()) })
}

// neverTrue reports whether it is known of all elements that a test gives 0.
func neverTrue(g *build.Builder, n ir.Expr, test func(i ir.Expr) ir.Expr) bool {
	never := false
	stmts := tried(g, n, func(i ir.Expr) { never = ir.IsInt(test(i), 0) })
	return never && len(stmts) == 0
}

// nestOrNone returns the nest being filled, or an empty one.
func nestOrNone(g *build.Builder) *build.NestState {
	if g.Nest == nil {
		return &build.NestState{}
	}
	return g.Nest
}

// extreme is the least or greatest of worst and what read gives for 0 … n-1;
// NaN is left out.
func extreme(g *build.Builder, n ir.Expr, op ir.BinOp, worst ir.Expr, read func(i ir.Expr) ir.Expr) ir.Expr {
	var out *ir.Var
	g.Guarded(func() {
		out = g.Mutable("best", worst.Kind(), worst)
		it := &build.Iteration{G: g, Dims: []ir.Expr{n}, Nest: g.Nest.Find == nil}
		acc := out
		if it.Nest {
			it.Open = func() *ir.Nest {
				acc = g.NewVar("best", worst.Kind())
				a := ir.Acc{Var: acc, Left: g.NewVar("x", acc.Kind), Right: g.NewVar("y", acc.Kind), Neutral: worst, Exact: true}
				a.Combine = op.Of(a.Left.Use(), a.Right.Use())
				return &ir.Nest{Kind: ir.SegRed, Accs: []ir.Acc{a}, Pre: []ir.Stmt{acc.Decl(out.Use())}, Post: []ir.Stmt{out.Assign(acc.Use())}}
			}
		}
		it.Body = func(ix []ir.Expr) { g.Emit(acc.Assign(op.Of(read(ix[0]), acc.Use()))) }
		it.Serial = func() { acc = out }
		it.Run()
	})
	return g.Let("best", out.Use())
}
