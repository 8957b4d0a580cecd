package cgen

import (
	"fmt"
	"math"

	"github.com/tailor-lang/tailor/laila"
)

// running is a loop that combines each element with the result before it and
// stores the running values, as scans become:
//
//	for i = lo … hi
//	  acc = acc ∘ x[i]
//	  y[i] = acc
type running struct {
	loop *laila.For
	acc  laila.Acc
}

// runningOf recognises a running scan; it is not ok where s is something else.
func runningOf(s *laila.For) (*running, bool) {
	if !isStraight(s.Body) || rereads(s.Body) {
		return nil, false
	}
	declared := map[*laila.Var]bool{}
	var step *laila.Assign
	for _, st := range s.Body {
		switch st := st.(type) {
		case *laila.Decl:
			declared[st.Var] = true
		case *laila.Assign:
			if declared[st.Var] || step != nil {
				return nil, false
			}
			step = st
		case *laila.Store:
			if !advances(st.Index, s.Var, declared) {
				return nil, false
			}
		case *laila.Comment:
		default:
			return nil, false
		}
	}
	if step == nil {
		return nil, false
	}
	acc, ok := stepOf(step)
	if !ok || usedBefore(s.Body, step) {
		return nil, false
	}
	return &running{s, acc}, true
}

// stepOf returns the accumulator of an assignment acc = acc ∘ x.
func stepOf(s *laila.Assign) (laila.Acc, bool) {
	x, ok := s.X.(*laila.Binary)
	if !ok {
		return laila.Acc{}, false
	}
	term := x.Y
	if l, ok := x.X.(*laila.Use); !ok || l.Var != s.Var {
		if r, ok := x.Y.(*laila.Use); !ok || r.Var != s.Var {
			return laila.Acc{}, false
		}
		term = x.X
	}
	if mentions(term, map[*laila.Var]bool{s.Var: true}) {
		return laila.Acc{}, false
	}
	neutral := neutralOf(x.Op, s.Var.Kind)
	if neutral == nil {
		return laila.Acc{}, false
	}
	l, r := &laila.Var{Name: "x", Kind: s.Var.Kind}, &laila.Var{Name: "y", Kind: s.Var.Kind}
	return laila.Acc{
		Var: s.Var, Left: l, Right: r, Neutral: neutral, Exact: s.Var.Kind != laila.F64,
		Combine: &laila.Binary{Op: x.Op, X: &laila.Use{Var: l}, Y: &laila.Use{Var: r}},
	}, true
}

// neutralOf returns the neutral element of an operation, nil where it has none.
func neutralOf(op laila.BinOp, k laila.Kind) laila.Expr {
	integer := func(i int64) laila.Expr { return &laila.Int{Val: i, K: k} }
	if k == laila.F64 {
		x, ok := map[laila.BinOp]float64{laila.Add: 0, laila.Mul: 1, laila.Min: math.Inf(1), laila.Max: math.Inf(-1)}[op]
		if !ok {
			return nil
		}
		return &laila.Float{Val: x}
	}
	r := kindRange(k)
	switch op {
	case laila.Add, laila.Or, laila.Xor:
		return integer(0)
	case laila.Mul:
		return integer(1)
	case laila.And:
		if k == laila.U8 {
			return integer(1)
		}
		return integer(-1)
	case laila.Min:
		return integer(r.hi)
	case laila.Max:
		return integer(r.lo)
	}
	return nil
}

// usedBefore reports whether statements use the variable of step before it, or
// in it other than as its left operand.
func usedBefore(list []laila.Stmt, step *laila.Assign) bool {
	for _, s := range list {
		if s == laila.Stmt(step) {
			return false
		}
		used := false
		stmtExprs(s, func(x laila.Expr) { used = used || mentions(x, map[*laila.Var]bool{step.Var: true}) })
		if used {
			return true
		}
	}
	return false
}

// advances reports whether an index is the variable of the loop plus or minus
// what does not change in it, so that no two iterations have the same.
func advances(x laila.Expr, v *laila.Var, declared map[*laila.Var]bool) bool {
	fixed := func(x laila.Expr) bool {
		if !simple(x) || mentions(x, declared) {
			return false
		}
		return !mentions(x, map[*laila.Var]bool{v: true})
	}
	switch x := x.(type) {
	case *laila.Use:
		return x.Var == v
	case *laila.Binary:
		switch x.Op {
		case laila.Add:
			return advances(x.X, v, declared) && fixed(x.Y) || fixed(x.X) && advances(x.Y, v, declared)
		case laila.Sub:
			return advances(x.X, v, declared) && fixed(x.Y)
		}
	}
	return false
}

// scan writes a running scan for threads: a pass that reduces each block, the
// results before each block from those, and a pass that begins each block with
// its own. It reports whether it did.
func (b *body) scan(f *laila.For, p *behind) bool {
	if !b.spreads() || b.parallel {
		return false
	}
	r, ok := runningOf(f)
	if !ok || !b.facts.read[r.acc.Var] || r.acc.Ordered() {
		return false
	}
	d := laila.Dim{Var: f.Var, Lo: f.Lo, Hi: f.Hi}
	if !stores(f.Body) { // a reduction: nothing is read but its last value
		n := &laila.Nest{Kind: laila.SegRed, Red: []laila.Dim{d}, Body: f.Body, Accs: []laila.Acc{r.acc}}
		s, ok := b.sharing(n)
		if ok {
			b.partial(n, s, f.Body)
		}
		return ok
	}
	s := sharing{}
	if s.when, ok = b.worthwhile(&laila.Nest{Kind: laila.SegMap, Dims: []laila.Dim{d}, Body: f.Body}); !ok {
		return false
	}
	if s.when != "" {
		b.line("if (!(%s)) {", s.when)
		b.depth++
		if p != nil {
			b.chunks(p, f.Lo, f.Hi)
		} else {
			b.plainLoop(f)
		}
		b.depth--
		b.line("} else {")
		b.depth++
		s.when = ""
	} else {
		b.line("{")
		b.depth++
	}
	b.noteSharing(&laila.Nest{Dims: []laila.Dim{d}}, true, fmt.Sprintf("in %d blocks, in two passes", parts))
	b.twice(r, d, s, p)
	b.close(1)
	return true
}

// twice writes the two passes, the second with the reduction of p, which may be
// nil.
func (b *body) twice(r *running, d laila.Dim, s sharing, p *behind) {
	var first []laila.Stmt
	for _, s := range r.loop.Body {
		if _, ok := s.(*laila.Store); !ok {
			first = append(first, s)
		}
	}
	acc, before := b.varName(r.acc.Var), b.names.fresh("before")
	kind := ctype(r.acc.Var.Kind)
	n := &laila.Nest{Kind: laila.SegRed, Red: []laila.Dim{d}, Body: first, Accs: []laila.Acc{r.acc}}
	c := b.cut(d, s)
	b.line("%s %s[%d];", kind, before, parts)
	b.parallel = true
	block, part := b.open(c, "schedule(static)")
	b.line("%s %s = %s;", kind, acc, b.neutral(r.acc))
	b.reduction(n, []laila.Dim{part}, first)
	b.line("%s[%s] = %s;", before, block, acc)
	b.close(1)
	next := b.names.fresh("next")
	b.line("for (int64_t %s = 0; %s < %s; %s++) {", block, block, c.blocks, block)
	b.depth++
	b.line("const %s %s = %s;", kind, next, b.joined(r.acc, acc, before+"["+block+"]"))
	b.line("%s[%s] = %s;", before, block, acc)
	b.line("%s = %s;", acc, next)
	b.close(1)
	if p != nil {
		results := b.blockResults(p)
		block, part = b.open(c, "schedule(static)")
		b.line("%s %s = %s[%s];", kind, acc, before, block)
		b.blockChunks(p, results, block, part)
		b.close(1)
		b.parallel = false
		b.joinBlocks(p, results, block, c.blocks)
		return
	}
	block, part = b.open(c, "schedule(static)")
	b.line("%s %s = %s[%s];", kind, acc, before, block)
	b.forLoop(part, r.loop.Body, "")
	b.block(r.loop.Body)
	b.line("}")
	b.close(1)
	b.parallel = false
}

// stores reports whether statements write to buffers.
func stores(list []laila.Stmt) bool {
	found := false
	walk(list, func(s laila.Stmt) {
		if _, ok := s.(*laila.Store); ok {
			found = true
		}
	})
	return found
}
