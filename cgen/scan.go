package cgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// runningOf returns the accumulator of a running scan that is straight code; it is not ok where s
// is something else.
func (b *body) runningOf(s *ir.For) (acc ir.Acc, ok bool) {
	scan, ok := flow.ScanOf(s, b.base.Relaxed)
	if !ok || scan.Keep != nil {
		return acc, false
	}
	declared := map[*ir.Var]bool{scan.Acc.Var: true}
	for _, st := range s.Body {
		switch st := st.(type) {
		case *ir.Decl:
			declared[st.Var] = true
		case *ir.Assign:
			ok = ok && declared[st.Var]
		case *ir.Store, *ir.Comment:
		default:
			return acc, false
		}
	}
	return scan.Acc, ok
}

// scan writes a running scan for threads: a pass that reduces each block, the
// results before each block from those, and a pass that begins each block with
// its own. It reports whether it did.
func (b *body) scan(f *ir.For) bool {
	if !b.spreads() || b.parallel {
		return false
	}
	acc, ok := b.runningOf(f)
	if !ok || !b.survey.read[acc.Var] {
		return false
	}
	d := ir.Dim{Var: f.Var, Lo: f.Lo, Hi: f.Hi}
	if !stores(f.Body) { // a reduction: nothing is read but its last value
		n := &ir.Nest{Kind: ir.SegRed, Red: []ir.Dim{d}, Body: f.Body, Accs: []ir.Acc{acc}}
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
	b.twice(f, acc, d, s)
	b.close(1)
	return true
}

// twice writes the two passes.
func (b *body) twice(f *ir.For, a ir.Acc, d ir.Dim, s sharing) {
	var first []ir.Stmt
	for _, s := range f.Body {
		if _, ok := s.(*ir.Store); !ok {
			first = append(first, s)
		}
	}
	acc, before := b.varName(a.Var), b.names.fresh("before")
	kind := ctype(a.Var.Kind)
	n := &ir.Nest{Kind: ir.SegRed, Red: []ir.Dim{d}, Body: first, Accs: []ir.Acc{a}}
	c := b.cut(d, s)
	b.line("%s %s[%d];", kind, before, parts)
	b.parallel = true
	block, part := b.open(c, "schedule(static)")
	b.line("%s %s = %s;", kind, acc, b.neutral(a))
	b.reduction(n, []ir.Dim{part}, first)
	b.line("%s[%s] = %s;", before, block, acc)
	b.close(1)
	next := b.names.fresh("next")
	b.line("for (int64_t %s = 0; %s < %s; %s++) {", block, block, c.blocks, block)
	b.depth++
	b.line("const %s %s = %s;", kind, next, b.joined(a, acc, before+"["+block+"]"))
	b.line("%s[%s] = %s;", before, block, acc)
	b.line("%s = %s;", acc, next)
	b.close(1)
	block, part = b.open(c, "schedule(static)")
	b.line("%s %s = %s[%s];", kind, acc, before, block)
	b.forLoop(part, f.Body, "")
	b.block(f.Body)
	b.line("}")
	b.close(1)
	b.parallel = false
}

// prefixes writes a running scan of whole numbers, or of maxima or minima, as vector code:
// compilers join lanes at distances of powers of two. It reports whether it did; a scan of
// few elements is not worth it.
func (b *body) prefixes(f *ir.For) bool {
	const least = 64
	scan, ok := flow.ScanOf(f, false)
	if !ok || scan.Keep != nil || scan.Flag != nil || !stores(f.Body) || !isStraight(f.Body) || len(notes(f).Flags) > 0 {
		return false
	}
	for _, s := range f.Body {
		if c, ok := s.(*ir.Checked); ok && c.Flag != nil {
			return false
		}
		if a, ok := s.(*ir.Assign); ok && a.Var != scan.Acc.Var && !ir.DeclaresVar(f.Body, a.Var) {
			return false
		}
	}
	op, ok := reductions[scan.Op]
	d, acc := ir.Dim{Var: f.Var, Lo: f.Lo, Hi: f.Hi}, b.varName(scan.Acc.Var)
	trips, known := ir.Trips(d)
	if most, bounded := b.base.Trips[f.Var]; bounded && !known {
		trips, known = most, true
	}
	if !ok || known && trips < least || !known && (b.inNest || b.loops > 0) || sharesNames(scan.Pre, scan.Post) {
		return false
	}
	outer := b.vector
	b.vector = true
	lo, end := b.expr(d.Lo), b.names.fresh("end")
	b.line("const int64_t %s = %s;", end, b.expr(d.Hi))
	v := b.declareVar(d.Var)
	b.noteRange(d.Var, b.indexRange(d))
	b.line("#pragma omp simd reduction(inscan, %s : %s)", op, acc)
	b.line("for (int64_t %s = %s; %s < %s; %s++) {", v, lo, v, end, v)
	b.noteLoop(d)
	b.depth++
	b.line("{")
	b.block(f.Body[:len(f.Body)-len(scan.Post)])
	b.line("}")
	b.line("#pragma omp scan inclusive(%s)", acc)
	b.line("{")
	b.block(scan.Post)
	b.line("}")
	b.close(1)
	b.vector = outer
	return true
}

// sharesNames reports whether statements use a variable that others declare.
func sharesNames(declare, use []ir.Stmt) bool {
	found := false
	walk(use, func(s ir.Stmt) {
		stmtExprs(s, func(x ir.Expr) {
			found = found || ir.MentionsDeclared(x, declare)
		})
	})
	return found
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
