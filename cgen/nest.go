package cgen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// nest writes a parallel nest as loops: those of Dims, outermost first, and
// inside, for a segred or segscan, those of Red.
func (b *body) nest(n *ir.Nest) {
	outer := b.inNest
	b.inNest, b.outermost = true, !outer
	defer func() { b.inNest = outer }()
	if n.Lookup > 0 && b.lookup(n) {
		return
	}
	if len(n.Dims) > 0 {
		b.outer(n)
		return
	}
	again := b.declaresAgain(n.Pre)
	if again {
		b.line("{")
		b.depth++
	}
	b.stmts(n.Pre)
	if s, ok := b.sharing(n); ok {
		b.partial(n, s, n.Body)
	} else {
		b.reduction(n, n.Red, n.Body)
	}
	b.stmts(n.Post)
	if again {
		b.close(1)
	}
}

// lookup writes a nest that looks bytes up as a call of the library. It is not ok where
// the nest has another form.
func (b *body) lookup(n *ir.Nest) bool {
	if len(n.Dims) != 1 || len(n.Body) != 1 || !ir.IsInt(n.Dims[0].Lo, 0) {
		return false
	}
	s, ok := n.Body[0].(*ir.Store)
	if !ok {
		return false
	}
	table, ok := s.X.(*ir.Load)
	if !ok {
		return false
	}
	index := table.Index
	if c, ok := index.(*ir.Convert); ok {
		index = c.X
	}
	at, ok := index.(*ir.Load)
	v := n.Dims[0].Var
	if !ok || !ir.IsUse(s.Index, v) || !ir.IsUse(at.Index, v) || at.Buf.Elem != ir.U8 || ir.Width(table.Buf.Elem) != 1 {
		return false
	}
	if b.idle(s.Buf) {
		return true
	}
	b.line("tl_translate(%s, %s, %s, %s, %d);", b.bufName(s.Buf), b.bufName(at.Buf), b.expr(n.Dims[0].Hi), b.bufName(table.Buf), n.Lookup)
	return true
}

// shortBody is the largest number of statements of a nest that is written twice
// where its loops are split, repeatedBody where it is shared or not, and often more
// than once: there a region of one thread costs a call of the kernel each time.
const (
	shortBody    = 24
	repeatedBody = 64
	oftenBody    = 256
)

// outer writes a nest with Dims. Where it is worth sharing only if its extents
// are large, and short, it is written twice: a call of the threads' library
// costs as much as some hundred elements.
func (b *body) outer(n *ir.Nest) {
	s, shared := b.sharing(n)
	if !shared {
		b.dims(n, nil)
		return
	}
	if b.opt.Target != OpenMP { // what is inside adds up as it does there
		b.parallel = true
		b.dims(n, nil)
		b.parallel = false
		return
	}
	if s.when != "" && b.repeatable(n) {
		b.line("if (!(%s)) {", s.when)
		b.depth++
		b.parallel = true // what is inside stays on one thread
		b.aside(func() { b.dims(n, nil) })
		b.parallel = false
		b.depth--
		b.line("} else {")
		b.depth++
		s.when = ""
		b.sharedNest(n, s)
		b.close(1)
		return
	}
	b.sharedNest(n, s)
}

// aside writes a copy of statements that are written again: the names that they
// declare are its own.
func (b *body) aside(write func()) {
	vars, bufs := b.vars, b.bufs
	b.vars, b.bufs = maps.Clone(vars), maps.Clone(bufs)
	write()
	b.vars, b.bufs = vars, bufs
}

// often reports whether the statements that are written may run more than once:
// they are in a loop, or in a function that a program calls.
func (b *body) often() bool { return b.loops > 0 || b.fn != b.prog.Main }

// repeatable reports whether a nest is written twice, once for one thread: it is
// short, and made of scalar code, loops and arrays of its own, or runs often.
func (b *body) repeatable(n *ir.Nest) bool {
	count, ok := 0, true
	for _, list := range [][]ir.Stmt{n.Pre, n.Body, n.Post} {
		walk(list, func(s ir.Stmt) {
			switch s.(type) {
			case *ir.Comment:
				return
			case *ir.Decl, *ir.Assign, *ir.Checked, *ir.Store, *ir.If, *ir.For, *ir.Nest, *ir.Micro, *ir.DeclBuf, *ir.Free:
			default:
				ok = false
			}
			count++
		})
	}
	return ok && count <= repeatedBody || b.often() && count <= oftenBody
}

// sharedNest writes a nest with Dims that threads share.
func (b *body) sharedNest(n *ir.Nest, s sharing) {
	if b.mayBeShort(n, s) {
		b.line("if (%s < %d) {", b.trips(n.Dims[s.dim]), fewTrips)
		b.depth++
		inner := s
		inner.dim++
		b.dims(n, &inner)
		b.depth--
		b.line("} else {")
		b.depth++
		b.dims(n, &s)
		b.close(1)
		return
	}
	b.dims(n, &s)
}

// mayBeShort reports whether the loop to share may have too few iterations to
// give every thread its part, and one inside of it more.
func (b *body) mayBeShort(n *ir.Nest, s sharing) bool {
	if s.dim+1 >= len(n.Dims) || len(n.Red) > 0 || !isStraight(n.Body) || len(n.Body) > shortBody {
		return false
	}
	d := n.Dims[s.dim]
	_, known := constantTrips(d)
	_, next := constantTrips(n.Dims[s.dim+1])
	return !known && !next && simple(d.Lo) && simple(d.Hi)
}

// declaresAgain reports whether statements declare a variable that has been
// declared: the pieces of a nest whose index set was split share theirs.
func (b *body) declaresAgain(list []ir.Stmt) bool {
	for _, s := range list {
		if d, ok := s.(*ir.Decl); ok && b.vars[d.Var] != "" && !b.hoistedVars[d.Var] {
			return true
		}
	}
	return false
}

// dims writes the loops over Dims and what is inside, one of them shared among
// threads where s says so.
func (b *body) dims(n *ir.Nest, s *sharing) {
	inner := append(append(append([]ir.Stmt{}, n.Pre...), n.Body...), n.Post...)
	independent := n.Kind == ir.SegMap && len(n.Red) == 0 && isStraight(n.Body) && !carries(n)
	own := &ir.Nest{}
	var held *holding
	if s != nil {
		own, held = b.ownBuffers(n), b.hold(inner)
	}
	team := false
	shows := s == nil && b.outermost && !independent && !isStraight(n.Body) && b.shows(n.Dims[0], inner)
	b.outermost = false
	if shows {
		b.loopBegins()
	}
	for i, d := range n.Dims {
		pragma := ""
		if i == len(n.Dims)-1 && independent {
			pragma = b.vectorLoop(n, d)
		}
		if s != nil && i == s.dim {
			team = b.team(own, n, *s)
			pragma = b.sharedLoop(n, d, *s, team, independent && i == len(n.Dims)-1)
			b.parallel = true
		}
		b.forLoop(d, inner, pragma)
		b.depth++
		if shows && i == 0 {
			b.turn(d)
		}
		if s != nil && i == s.dim {
			held.begin(b, d.Var)
		}
	}
	list := n.Body
	if team {
		list = own.Body
	}
	b.loops++
	defer func() { b.loops-- }()
	b.stmts(n.Pre)
	if len(n.Red) > 0 {
		b.reduction(n, n.Red, inner)
	} else {
		outer := b.vector
		b.vector = isStraight(list)
		b.stmts(list)
		b.vector = outer
	}
	b.stmts(n.Post)
	if s == nil {
		b.close(len(n.Dims))
		if shows {
			b.loopEnds()
		}
		return
	}
	b.close(len(n.Dims) - s.dim - 1)
	held.end(b)
	b.close(1)
	if team {
		for _, x := range own.Post {
			b.stmt(x)
		}
		b.close(1)
	}
	b.parallel = false
	held.raise(b)
	b.close(s.dim)
}

// vectorLoop returns the mark of the innermost loop of a nest whose points are
// independent.
func (b *body) vectorLoop(n *ir.Nest, d ir.Dim) string {
	if trips, ok := constantTrips(d); ok && len(n.Dims) > 1 && trips <= shortLoop && trips > 0 && trips%vectorLanes == 0 {
		return strings.Join(append([]string{"#pragma omp simd"}, b.flagClauses(n)...), " ")
	}
	return "TL_IVDEP"
}

// close ends n loops.
func (b *body) close(n int) {
	for ; n > 0; n-- {
		b.depth--
		b.line("}")
	}
}

// sequential writes a loop. Where its iterations are said to be independent,
// it is shared among threads like a nest; a running scan has its own form.
func (b *body) sequential(s *ir.For) {
	if s.Independent && b.spreads() && !b.parallel {
		n := &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: s.Var, Lo: s.Lo, Hi: s.Hi}}, Body: s.Body}
		if _, ok := b.sharing(n); ok {
			b.outer(n)
			return
		}
	}
	if !b.longest(s) && !b.scan(s) {
		b.plainLoop(s)
	}
}

// shortLoop is the number of iterations up to which gcc writes out a loop
// before it looks for vector code, unless it is told that there is some.
const shortLoop = 16

// vectorLanes is how many doubles are in the widest vectors.
const vectorLanes = 8

// plainLoop writes a loop for one thread. Where its iterations are said to be
// independent, or none reads what another one has written, it is marked as
// vector code.
func (b *body) plainLoop(s *ir.For) {
	if b.prefixes(s) {
		return
	}
	pragma, outer := "", b.vector
	if n := notes(s); s.Independent && len(n.Flags) > 0 && isStraight(s.Body) && !carries(n) {
		pragma = strings.Join(append([]string{"#pragma omp simd"}, b.flagClauses(n)...), " ")
		b.vector = true
	} else if isStraight(s.Body) && !carries(&ir.Nest{Body: s.Body}) && (s.Independent || !rereads(s.Body) || updates(s)) {
		pragma = "TL_IVDEP"
		if n, ok := s.Hi.(*ir.Int); ok && s.Independent && n.Val <= shortLoop {
			pragma = "#pragma omp simd"
		}
		b.vector = true
	}
	d := ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}
	shows := pragma == "" && !b.inNest && b.shows(d, s.Body)
	if shows {
		b.loopBegins()
	}
	b.forLoop(d, s.Body, pragma)
	if shows {
		b.turn(d)
	}
	b.loops++
	b.block(s.Body)
	b.loops--
	b.line("}")
	if shows {
		b.loopEnds()
	}
	b.vector = outer
}

// notes returns the body of a loop with the flags that it raises: variables that become
// disjunctions with something else, and are used for nothing else.
func notes(s *ir.For) *ir.Nest {
	n := &ir.Nest{Body: s.Body}
	raised, other := map[*ir.Var]bool{}, map[*ir.Var]bool{}
	walk(s.Body, func(st ir.Stmt) {
		if v, x, ok := raises(st); ok {
			if !raised[v] {
				raised[v] = true
				n.Flags = append(n.Flags, v)
			}
			ir.EachUse(x, func(v *ir.Var) { other[v] = true })
			return
		}
		switch st := st.(type) {
		case *ir.Decl:
			other[st.Var] = true
		case *ir.Assign:
			other[st.Var] = true
		}
		stmtExprs(st, func(x ir.Expr) { ir.EachUse(x, func(v *ir.Var) { other[v] = true }) })
	})
	n.Flags = slices.DeleteFunc(n.Flags, func(v *ir.Var) bool { return other[v] })
	return n
}

// raises returns the flag that a statement raises where x holds.
func raises(s ir.Stmt) (flag *ir.Var, x ir.Expr, ok bool) {
	a, ok := s.(*ir.Assign)
	if !ok || a.Var.Kind != ir.U8 {
		return nil, nil, false
	}
	or, ok := a.X.(*ir.Binary)
	if !ok || or.Op != ir.OpOr || !ir.IsUse(or.X, a.Var) {
		return nil, nil, false
	}
	return a.Var, or.Y, true
}

// rereads reports whether statements read a buffer that they write to.
func rereads(list []ir.Stmt) bool {
	stored, loaded := map[*ir.Buf]bool{}, map[*ir.Buf]bool{}
	walk(list, func(s ir.Stmt) {
		if st, ok := s.(*ir.Store); ok {
			stored[st.Buf] = true
		}
		stmtExprs(s, func(x ir.Expr) {
			ir.WalkExpr(x, func(x ir.Expr) {
				if l, ok := x.(*ir.Load); ok {
					loaded[l.Buf] = true
				}
			})
		})
	})
	for s := range stored {
		if loaded[s] {
			return true
		}
	}
	return false
}

// updates reports whether a loop changes one buffer only, an element of its own
// in each iteration, and reads no other element of it.
func updates(f *ir.For) bool {
	var store *ir.Store
	ok, set := true, flow.SummaryOf(f).Writes
	walk(f.Body, func(s ir.Stmt) {
		if s, is := s.(*ir.Store); is {
			ok = ok && store == nil && flow.Advances(s.Index, f.Var, set)
			store = s
		}
	})
	if !ok || store == nil {
		return false
	}
	walk(f.Body, func(s ir.Stmt) {
		stmtExprs(s, func(x ir.Expr) {
			ir.WalkExpr(x, func(x ir.Expr) {
				l, isLoad := x.(*ir.Load)
				ok = ok && (!isLoad || l.Buf != store.Buf || ir.Same(l.Index, store.Index))
			})
		})
	})
	return ok
}

// isStraight reports whether statements have no loops, calls or faults.
func isStraight(stmts []ir.Stmt) bool {
	straight := isScalar(stmts)
	walk(stmts, func(s ir.Stmt) {
		if _, fails := s.(*ir.Fail); fails {
			straight = false
		}
	})
	return straight
}

// isScalar reports whether stmts have no loops and calls.
func isScalar(stmts []ir.Stmt) bool {
	scalar := true
	walk(stmts, func(s ir.Stmt) {
		switch s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Checked, *ir.Store, *ir.If, *ir.Fail, *ir.Comment:
		default:
			scalar = false
		}
	})
	return scalar
}

// simd returns the mark of a reduction for vector code, "" where OpenMP lacks
// one of its operations, or something else is carried.
func (b *body) simd(n *ir.Nest) string {
	if n.Kind != ir.SegRed || !isStraight(n.Body) || rounds(n) {
		return ""
	}
	clauses, ok := b.accClauses(n)
	if !ok || len(clauses) == 0 || carries(&ir.Nest{Kind: ir.SegRed, Body: n.Body, Accs: n.Accs, Flags: n.Flags}) {
		return ""
	}
	return "#pragma omp simd " + strings.Join(append(clauses, b.flagClauses(n)...), " ")
}

// rounds reports whether an accumulator of n is a sum or a product of doubles whose
// order matters.
func rounds(n *ir.Nest) bool {
	for _, a := range n.Accs {
		if op, ok := reduction(a); ok && !a.Exact && a.Var.Kind == ir.F64 && (op == "+" || op == "*") {
			return true
		}
	}
	return false
}

// reductions are OpenMP's names of the operations that join partial results.
var reductions = map[ir.BinOp]string{
	ir.OpAdd: "+", ir.OpMul: "*", ir.OpMin: "min", ir.OpMax: "max",
	ir.OpAnd: "&", ir.OpOr: "|", ir.OpXor: "^",
}

// accClauses returns the reduction clauses of the accumulators; it is not ok
// where OpenMP has no such operation. A checked sum is refused: in another
// order it overflows elsewhere.
func (b *body) accClauses(n *ir.Nest) ([]string, bool) {
	var clauses []string
	accs := map[*ir.Var]bool{}
	for _, a := range n.Accs {
		op, ok := reduction(a)
		if !ok {
			return nil, false
		}
		accs[a.Var] = true
		if b.survey.read[a.Var] {
			clauses = append(clauses, fmt.Sprintf("reduction(%s : %s)", op, b.varName(a.Var)))
		}
	}
	return clauses, !checkedSum(n.Body, accs)
}

// checkedSum reports whether an overflow that is looked for involves one of
// the accumulators.
func checkedSum(body []ir.Stmt, accs map[*ir.Var]bool) bool {
	found := false
	walk(body, func(s ir.Stmt) {
		c, ok := s.(*ir.Checked)
		if !ok {
			return
		}
		found = found || accs[c.Var]
		stmtExprs(s, func(x ir.Expr) {
			ir.WalkExpr(x, func(x ir.Expr) {
				if u, ok := x.(*ir.Use); ok && accs[u.Var] {
					found = true
				}
			})
		})
	})
	return found
}

// flagClauses returns the reduction clauses of the flags.
func (b *body) flagClauses(n *ir.Nest) []string {
	var clauses []string
	for _, f := range n.Flags {
		if b.survey.read[f] {
			clauses = append(clauses, fmt.Sprintf("reduction(| : %s)", b.varName(f)))
		}
	}
	return clauses
}

// reduction returns OpenMP's name of the operation that joins an accumulator's
// partial results.
func reduction(a ir.Acc) (string, bool) {
	x, ok := a.Combine.(*ir.Binary)
	if !ok {
		return "", false
	}
	l, lok := x.X.(*ir.Use)
	r, rok := x.Y.(*ir.Use)
	if !lok || !rok || l.Var == r.Var || (l.Var != a.Left && l.Var != a.Right) || (r.Var != a.Left && r.Var != a.Right) {
		return "", false
	}
	op, ok := reductions[x.Op]
	return op, ok
}
