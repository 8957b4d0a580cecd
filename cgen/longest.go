package cgen

import "github.com/tailor-lang/tailor/laila/ir"

// longestRun is a loop that counts the ones that come one after the other, and
// keeps the greatest count:
//
//	for i = lo … hi: run = m(i) ? run + 1 : 0; most = most max run
type longestRun struct {
	masks     *ir.Filter // only what masks are
	run, most *ir.Var
}

// longestRunOf recognises such a loop; nil where s is something else.
func longestRunOf(s *ir.For) *longestRun {
	n := len(s.Body)
	if n < 2 {
		return nil
	}
	count, ok := s.Body[n-2].(*ir.Assign)
	keep, ok2 := s.Body[n-1].(*ir.Assign)
	if !ok || !ok2 || count.Var == keep.Var || count.Var.Kind == ir.F64 || keep.Var.Kind == ir.F64 {
		return nil
	}
	sel, ok := count.X.(*ir.Select)
	if !ok || !ir.Same(sel.Then, ir.OpAdd.Of(count.Var.Use(), &ir.Int{Val: 1, K: count.Var.Kind})) ||
		!ir.Same(sel.Else, &ir.Int{K: count.Var.Kind}) ||
		!ir.Same(keep.X, ir.OpMax.Of(keep.Var.Use(), count.Var.Use())) {
		return nil
	}
	decls := s.Body[:n-2]
	for _, d := range decls {
		if d, ok := d.(*ir.Decl); !ok || d.Init == nil {
			return nil
		}
	}
	l := &longestRun{&ir.Filter{Var: s.Var, Lo: s.Lo, Hi: s.Hi, MaskPre: decls, Mask: sel.Cond}, count.Var, keep.Var}
	used := false
	look := func(x ir.Expr) {
		used = used || mentions(x, map[*ir.Var]bool{l.run: true, l.most: true})
	}
	look(sel.Cond)
	walk(l.masks.MaskPre, func(s ir.Stmt) { stmtExprs(s, look) })
	if used {
		return nil
	}
	return l
}

// longest writes such a loop by words of masks: a run ends in a word that has a
// zero, and the others of the word are looked at only where one is longer than
// all before. It reports whether s is one.
func (b *body) longest(s *ir.For) bool {
	l := longestRunOf(s)
	if l == nil {
		return false
	}
	b.line("{")
	b.depth++
	if sh, ok := b.filterSharing(l.masks); ok {
		b.sharedLongest(l, sh)
	} else {
		b.longestIn(l, b.once(s.Lo), b.once(s.Hi), b.varName(l.run), b.varName(l.most))
	}
	b.close(1)
	return true
}

// longestIn writes the loop over lo … hi, for C names.
func (b *body) longestIn(l *longestRun, lo, hi, run, most string) {
	s := l.masks
	v, base := b.eachWord(s, lo, hi, func(bits string) {
		b.line("if (~%s == 0) {", bits)
		b.line("  %s += 64;", run)
		b.line("  continue;")
		b.line("}")
		head := b.names.fresh("head")
		b.line("const int64_t %s = %s + __builtin_ctzll(~%s);", head, run, bits)
		b.line("%s = %s > %s ? %s : %s;", most, head, most, head, most)
		b.line("while (%s < 64 && tl_has_run(%s & (%s + 1), (int)%s + 1)) %s++;", most, bits, bits, most, most)
		b.line("%s = __builtin_clzll(~%s);", run, bits)
	})
	b.line("%s = %s > %s ? %s : %s;", most, run, most, run, most)
	b.line("for (; %s < %s; %s++) {", base, hi, base)
	b.depth++
	b.line("const int64_t %s = %s;", v, base)
	b.line("(void)%s;", v)
	b.stmts(s.MaskPre)
	b.line("%s = %s ? %s + 1 : 0;", run, b.render(s.Mask, false).in(precUnary), run)
	b.line("%s = %s > %s ? %s : %s;", most, run, most, run, most)
	b.close(1)
}

// sharedLongest writes the loop for threads: of each block the ones at its
// beginning and at its end, and the longest run in it, are found, and joined in
// order.
func (b *body) sharedLongest(l *longestRun, sh sharing) {
	s := l.masks
	run, most := b.varName(l.run), b.varName(l.most)
	c := b.cut(ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}, sh)
	heads, runs, mosts, sizes := b.names.fresh("heads"), b.names.fresh("runs"), b.names.fresh("mosts"), b.names.fresh("sizes")
	for _, name := range []string{heads, runs, mosts, sizes} {
		b.line("int64_t %s[%d];", name, parts)
	}
	b.parallel = true
	block, d := b.open(c, b.clauses(&ir.Nest{}, sh))
	lo, hi := b.expr(d.Lo), b.expr(d.Hi)
	here, longest, at := b.names.fresh("here"), b.names.fresh("longest"), b.names.fresh("at")
	b.line("int64_t %s = 0, %s = 0, %s = %s;", here, longest, at, lo)
	v := b.declareVar(s.Var)
	b.line("for (; %s < %s; %s++) {", at, hi, at)
	b.depth++
	b.line("const int64_t %s = %s;", v, at)
	b.line("(void)%s;", v)
	b.stmts(s.MaskPre)
	b.line("if (!%s) break;", b.render(s.Mask, false).in(precUnary))
	b.close(1)
	b.line("%s[%s] = %s - %s;", heads, block, at, lo)
	b.line("%s[%s] = %s - %s;", sizes, block, hi, lo)
	b.longestIn(l, lo, hi, here, longest)
	b.line("%s[%s] = %s;", runs, block, here)
	b.line("%s[%s] = %s;", mosts, block, longest)
	b.close(1)
	b.parallel = false
	b.line("for (int64_t %s = 0; %s < %s; %s++) {", block, block, c.blocks, block)
	b.depth++
	b.line("%s = tl_maxi(tl_maxi(%s, %s + %s[%s]), %s[%s]);", most, most, run, heads, block, mosts, block)
	b.line("%s = %s[%s] == %s[%s] ? %s + %s[%s] : %s[%s];", run, heads, block, sizes, block, run, sizes, block, runs, block)
	b.close(1)
}
