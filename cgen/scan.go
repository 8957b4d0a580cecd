package cgen

import (
	"fmt"
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// running is a loop that combines each element with the result before it and
// stores the running values, as scans become:
//
//	for i = lo … hi
//	  acc = acc ∘ x[i]
//	  y[i] = acc
type running struct {
	loop *ir.For
	acc  ir.Acc
}

// runningOf recognises a running scan; it is not ok where s is something else.
func runningOf(s *ir.For) (*running, bool) {
	if !isStraight(s.Body) || rereads(s.Body) {
		return nil, false
	}
	declared := map[*ir.Var]bool{}
	var step *ir.Assign
	for _, st := range s.Body {
		switch st := st.(type) {
		case *ir.Decl:
			declared[st.Var] = true
		case *ir.Assign:
			if declared[st.Var] || step != nil {
				return nil, false
			}
			step = st
		case *ir.Store:
			if !advances(st.Index, s.Var, declared) {
				return nil, false
			}
		case *ir.Comment:
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
func stepOf(s *ir.Assign) (ir.Acc, bool) {
	x, ok := s.X.(*ir.Binary)
	if !ok {
		return ir.Acc{}, false
	}
	term := x.Y
	if l, ok := x.X.(*ir.Use); !ok || l.Var != s.Var {
		if r, ok := x.Y.(*ir.Use); !ok || r.Var != s.Var {
			return ir.Acc{}, false
		}
		term = x.X
	}
	if mentions(term, map[*ir.Var]bool{s.Var: true}) {
		return ir.Acc{}, false
	}
	neutral := neutralOf(x.Op, s.Var.Kind)
	if neutral == nil {
		return ir.Acc{}, false
	}
	l, r := &ir.Var{Name: "x", Kind: s.Var.Kind}, &ir.Var{Name: "y", Kind: s.Var.Kind}
	return ir.Acc{
		Var: s.Var, Left: l, Right: r, Neutral: neutral, Exact: s.Var.Kind != ir.F64,
		Combine: x.Op.Of(l.Use(), r.Use()),
	}, true
}

// neutralOf returns the neutral element of an operation, nil where it has none.
func neutralOf(op ir.BinOp, k ir.Kind) ir.Expr {
	integer := func(i int64) ir.Expr { return &ir.Int{Val: i, K: k} }
	if k == ir.F64 {
		x, ok := map[ir.BinOp]float64{ir.OpAdd: 0, ir.OpMul: 1, ir.OpMin: math.Inf(1), ir.OpMax: math.Inf(-1)}[op]
		if !ok {
			return nil
		}
		return &ir.Float{Val: x}
	}
	r := facts.RangeOfKind(k)
	switch op {
	case ir.OpAdd, ir.OpOr, ir.OpXor:
		return integer(0)
	case ir.OpMul:
		return integer(1)
	case ir.OpAnd:
		if k == ir.U8 {
			return integer(1)
		}
		return integer(-1)
	case ir.OpMin:
		return integer(r.Hi)
	case ir.OpMax:
		return integer(r.Lo)
	}
	return nil
}

// usedBefore reports whether statements use the variable of step before it, or
// in it other than as its left operand.
func usedBefore(list []ir.Stmt, step *ir.Assign) bool {
	for _, s := range list {
		if s == ir.Stmt(step) {
			return false
		}
		used := false
		stmtExprs(s, func(x ir.Expr) { used = used || mentions(x, map[*ir.Var]bool{step.Var: true}) })
		if used {
			return true
		}
	}
	return false
}

// advances reports whether an index is the variable of the loop plus or minus
// what does not change in it, so that no two iterations have the same.
func advances(x ir.Expr, v *ir.Var, declared map[*ir.Var]bool) bool {
	fixed := func(x ir.Expr) bool {
		if !simple(x) || mentions(x, declared) {
			return false
		}
		return !mentions(x, map[*ir.Var]bool{v: true})
	}
	switch x := x.(type) {
	case *ir.Use:
		return x.Var == v
	case *ir.Binary:
		switch x.Op {
		case ir.OpAdd:
			return advances(x.X, v, declared) && fixed(x.Y) || fixed(x.X) && advances(x.Y, v, declared)
		case ir.OpSub:
			return advances(x.X, v, declared) && fixed(x.Y)
		}
	}
	return false
}

// scan writes a running scan for threads: a pass that reduces each block, the
// results before each block from those, and a pass that begins each block with
// its own. It reports whether it did.
func (b *body) scan(f *ir.For) bool {
	if !b.spreads() || b.parallel {
		return false
	}
	r, ok := runningOf(f)
	if !ok || !b.survey.read[r.acc.Var] || r.acc.Ordered() {
		return false
	}
	d := ir.Dim{Var: f.Var, Lo: f.Lo, Hi: f.Hi}
	if !stores(f.Body) { // a reduction: nothing is read but its last value
		n := &ir.Nest{Kind: ir.SegRed, Red: []ir.Dim{d}, Body: f.Body, Accs: []ir.Acc{r.acc}}
		s, ok := b.sharing(n)
		if ok {
			b.partial(n, s, f.Body)
		}
		return ok
	}
	s := sharing{}
	if s.when, ok = b.worthwhile(&ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{d}, Body: f.Body}); !ok {
		return false
	}
	if s.when != "" {
		b.line("if (!(%s)) {", s.when)
		b.depth++
		b.plainLoop(f)
		b.depth--
		b.line("} else {")
		b.depth++
		s.when = ""
	} else {
		b.line("{")
		b.depth++
	}
	b.noteSharing(&ir.Nest{Dims: []ir.Dim{d}}, true, fmt.Sprintf("in %d blocks, in two passes", parts))
	b.twice(r, d, s)
	b.close(1)
	return true
}

// twice writes the two passes.
func (b *body) twice(r *running, d ir.Dim, s sharing) {
	var first []ir.Stmt
	for _, s := range r.loop.Body {
		if _, ok := s.(*ir.Store); !ok {
			first = append(first, s)
		}
	}
	acc, before := b.varName(r.acc.Var), b.names.fresh("before")
	kind := ctype(r.acc.Var.Kind)
	n := &ir.Nest{Kind: ir.SegRed, Red: []ir.Dim{d}, Body: first, Accs: []ir.Acc{r.acc}}
	c := b.cut(d, s)
	b.line("%s %s[%d];", kind, before, parts)
	b.parallel = true
	block, part := b.open(c, "schedule(static)")
	b.line("%s %s = %s;", kind, acc, b.neutral(r.acc))
	b.reduction(n, []ir.Dim{part}, first)
	b.line("%s[%s] = %s;", before, block, acc)
	b.close(1)
	next := b.names.fresh("next")
	b.line("for (int64_t %s = 0; %s < %s; %s++) {", block, block, c.blocks, block)
	b.depth++
	b.line("const %s %s = %s;", kind, next, b.joined(r.acc, acc, before+"["+block+"]"))
	b.line("%s[%s] = %s;", before, block, acc)
	b.line("%s = %s;", acc, next)
	b.close(1)
	block, part = b.open(c, "schedule(static)")
	b.line("%s %s = %s[%s];", kind, acc, before, block)
	b.forLoop(part, r.loop.Body, "")
	b.block(r.loop.Body)
	b.line("}")
	b.close(1)
	b.parallel = false
}

// stores reports whether statements write to buffers.
func stores(list []ir.Stmt) bool {
	found := false
	walk(list, func(s ir.Stmt) {
		if _, ok := s.(*ir.Store); ok {
			found = true
		}
	})
	return found
}
