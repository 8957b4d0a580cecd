package cgen

import (
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// filterBlock is the number of elements whose masks are looked at before the
// first of those that are kept is computed.
const filterBlock = 1024

// filterLeft is the least number of elements left over from words that are a word, too.
const filterLeft = 16

// filter writes a loop that keeps elements: 64 masks are computed at a time, as
// vector code, and become the bits of a word. The places of the ones of a block
// of words go to an array, by which the kept elements are computed in a loop
// without branches. The last word may be shorter: rows of a few dozens of elements
// have no other.
//
// Where threads share it, the elements that blocks keep are counted first.
func (b *body) filter(s *ir.Filter) {
	b.line("{")
	b.depth++
	count := b.varName(s.Count)
	if n, ok := placesOnly(s); ok {
		b.places(s, n, count)
	} else if sh, ok := b.filterSharing(s); ok {
		b.sharedFilter(s, sh)
	} else {
		b.kept(s, b.once(s.Lo), b.once(s.Hi), count, true)
	}
	b.close(1)
}

// filterSharing returns how a filter is shared among threads, if it is.
func (b *body) filterSharing(s *ir.Filter) (sharing, bool) {
	if b.opt.Target != OpenMP || b.parallel || s.Dst != nil && s.Dst.Stack > 0 || !b.quiet(s.MaskPre, false, map[*ir.Func]bool{}) || !b.quiet(s.XPre, false, map[*ir.Func]bool{}) {
		return sharing{}, false
	}
	body := append(append([]ir.Stmt{}, s.MaskPre...), s.Var.Decl(s.Mask))
	n := &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: s.Var, Lo: s.Lo, Hi: s.Hi}}, Body: body}
	when, ok := b.worthwhile(n)
	return sharing{when: when}, ok
}

// sharedFilter writes a filter for threads: what each block keeps is counted,
// so that all know where theirs go.
func (b *body) sharedFilter(s *ir.Filter, sh sharing) {
	count := b.varName(s.Count)
	c := b.cut(ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}, sh)
	at := b.names.fresh("at")
	b.line("int64_t %s[%d];", at, parts+1)
	b.line("%s[0] = %s;", at, count)
	b.parallel = true
	b.line("if (%s <= 1) {", c.blocks)
	b.depth++
	b.kept(s, b.once(s.Lo), b.once(s.Hi), count, true)
	b.depth--
	b.line("} else {")
	b.depth++
	sh.when = ""
	clauses := b.clauses(&ir.Nest{}, sh)
	block, d := b.open(c, clauses)
	many := b.names.fresh("many")
	b.line("int64_t %s = 0;", many)
	b.counted(s, b.expr(d.Lo), b.expr(d.Hi), many)
	b.line("%s[%s + 1] = %s;", at, block, many)
	b.close(1)
	b.line("for (int64_t %s = 1; %s < %s; %s++) %s[%s] += %s[%s - 1];", block, block, c.blocks, block, at, block, at, block)
	block, d = b.open(c, clauses)
	b.line("int64_t %s = %s[%s];", many, at, block)
	b.kept(s, b.expr(d.Lo), b.expr(d.Hi), many, false)
	b.line("if (%s + 1 == %s) %s = %s;", block, c.blocks, count, many)
	b.close(2)
	b.parallel = false
}

// kept writes the filter over lo … hi, for C names of these and of the count. Unless
// these are all elements, another thread may store behind them.
func (b *body) kept(s *ir.Filter, lo, hi, count string, all bool) {
	v := b.declareVar(s.Var)
	b.noteRange(s.Var, facts.Interval{Hi: below(b.rangeOf(s.Hi))})
	base, dst := b.names.fresh("base"), b.bufName(s.Dst)
	if s.Dst.Stack > 0 {
		b.line("(void)%s;", dst) // nothing may read what is kept
	}
	b.line("int64_t %s = %s;", base, lo)
	if b.rangeOf(ir.OpSub.Of(s.Hi, s.Lo)).Hi >= 64 {
		b.keptWords(s, v, base, hi, count)
	}
	b.keptLeft(s, v, base, hi, count, all)
}

// keptWords writes the loop of a filter over words of masks, from base on.
func (b *body) keptWords(s *ir.Filter, v, base, hi, count string) {
	first, places := b.names.fresh("first"), b.names.fresh("places")
	many, w, j := b.names.fresh("kept"), b.names.fresh("w"), b.names.fresh("j")
	b.line("while (%s + %d <= %s) {", base, filterLeft, hi)
	b.depth++
	b.line("uint16_t %s[%d];", places, filterBlock+8)
	b.line("const int64_t %s = %s;", first, base)
	b.line("int64_t %s = 0;", many)
	b.line("int32_t %s = 0;", w)
	b.line("for (; %s < %d && %s + 64 <= %s; %s += 64, %s += 64) {", w, filterBlock, base, hi, w, base)
	b.depth++
	bits := b.maskWord(s, v, base, "64")
	b.line("if (%s != 0) %s = tl_put_ones(%s, %s, %s, %s);", bits, many, places, many, bits, w)
	b.close(1)
	left := b.names.fresh("left")
	b.line("const int32_t %s = (int32_t)tl_mini(%s - %s, 64);", left, hi, base)
	b.line("if (%d <= %s && %s < %d) {", filterLeft, left, w, filterBlock)
	b.depth++
	bits = b.maskWord(s, v, base, left)
	b.line("%s = tl_put_ones(%s, %s, %s, %s);", many, places, many, bits, w)
	b.line("%s += %s;", base, left)
	b.close(1)
	if !loadsFrom(s, s.Dst) && isStraight(s.XPre) {
		b.line("TL_IVDEP")
		b.vector = true
	}
	b.line("for (int64_t %s = 0; %s < %s; %s++) {", j, j, many, j)
	b.depth++
	b.line("const int64_t %s = %s + %s[%s];", v, first, places, j)
	b.line("(void)%s;", v)
	b.stmts(s.XPre)
	x := b.expr(s.X)
	b.line("%s[%s + %s] = %s;", b.bufName(s.Dst), count, j, x)
	b.vector = false
	b.close(1)
	b.line("%s += %s;", count, many)
	b.close(1)
}

// keptLeft writes the loop of a filter over the last few elements. Where a mask is 0 the
// next element that is kept overwrites what is stored: there is no branch to be predicted.
func (b *body) keptLeft(s *ir.Filter, v, base, hi, count string, all bool) {
	dst := b.bufName(s.Dst)
	if len(s.XPre) > 0 || loadsFrom(s, s.Dst) || cost.LightWeight(s.X) >= 8 || !all {
		b.line("(void)(%s);", b.expr(s.Room)) // which nothing else may read
		b.eachLeft(s, v, base, hi, func() {
			b.line("(void)%s;", v)
			b.stmts(s.XPre)
			b.line("%s[%s++] = %s;", dst, count, b.expr(s.X))
		})
		return
	}
	b.line("for (; %s < %s && %s < %s; %s++) {", base, hi, count, b.expr(s.Room), base)
	b.depth++
	b.line("const int64_t %s = %s;", v, base)
	b.line("(void)%s;", v)
	b.stmts(s.MaskPre)
	b.line("%s[%s] = %s;", dst, count, b.expr(s.X))
	b.line("%s += %s;", count, b.expr(s.Mask))
	b.close(1)
}

// counted writes a loop that adds to count how many elements of lo … hi are
// kept.
func (b *body) counted(s *ir.Filter, lo, hi, count string) {
	v, base := b.eachWord(s, lo, hi, func(bits string) {
		b.line("%s += __builtin_popcountll(%s);", count, bits)
	})
	b.eachLeft(s, v, base, hi, func() { b.line("%s++;", count) })
}

// eachWord writes a loop over the words of the masks of lo … hi, and returns the
// variables that the loop over the last few elements goes on with.
func (b *body) eachWord(s *ir.Filter, lo, hi string, use func(bits string)) (v, base string) {
	v = b.declareVar(s.Var)
	b.noteRange(s.Var, facts.Interval{Hi: below(b.rangeOf(s.Hi))})
	base = b.names.fresh("base")
	b.line("int64_t %s = %s;", base, lo)
	b.line("for (; %s + 64 <= %s; %s += 64) {", base, hi, base)
	b.depth++
	use(b.maskWord(s, v, base, "64"))
	b.close(1)
	return v, base
}

// maskWord declares a word of the masks of n elements from base on, 64 or fewer.
func (b *body) maskWord(s *ir.Filter, v, base, n string) string {
	bits := b.names.fresh("bits")
	load, ok := s.Mask.(*ir.Load)
	stored := ok && plainIndex(load, s.Var) && len(s.MaskPre) == 0
	if stored && n == "64" {
		b.line("const uint64_t %s = tl_bits64(%s + %s);", bits, b.bufName(load.Buf), base)
		return bits
	}
	m, l := b.names.fresh("mask"), b.names.fresh("l")
	none := " = {0}"
	if n == "64" {
		none = ""
	}
	b.line("uint8_t %s[64]%s;", m, none)
	if stored {
		b.line("memcpy(%s, %s + %s, (size_t)%s);", m, b.bufName(load.Buf), base, n)
		b.line("const uint64_t %s = tl_bits64(%s);", bits, m)
		return bits
	}
	b.line("TL_IVDEP")
	b.line("for (int32_t %s = 0; %s < %s; %s++) {", l, l, n, l)
	b.depth++
	b.line("const int64_t %s = %s + %s;", v, base, l)
	b.line("(void)%s;", v)
	b.vector = isStraight(s.MaskPre)
	b.stmts(s.MaskPre)
	mask := b.expr(s.Mask)
	b.line("%s[%s] = %s;", m, l, mask)
	b.vector = false
	b.close(1)
	b.line("const uint64_t %s = tl_bits64(%s);", bits, m)
	return bits
}

// eachLeft writes a loop over the last few elements, with keep for those whose
// mask is 1.
func (b *body) eachLeft(s *ir.Filter, v, base, hi string, keep func()) {
	b.line("for (; %s < %s; %s++) {", base, hi, base)
	b.depth++
	b.line("const int64_t %s = %s;", v, base)
	b.line("(void)%s;", v)
	b.stmts(s.MaskPre)
	b.line("if (%s) {", b.expr(s.Mask))
	b.depth++
	keep()
	b.close(2)
}

// loadsFrom reports whether what a filter computes reads buf.
func loadsFrom(s *ir.Filter, buf *ir.Buf) bool {
	found := false
	look := func(x ir.Expr) {
		ir.WalkExpr(x, func(x ir.Expr) {
			if l, ok := x.(*ir.Load); ok && l.Buf == buf {
				found = true
			}
		})
	}
	look(s.X)
	look(s.Mask)
	walk(append(append([]ir.Stmt{}, s.MaskPre...), s.XPre...), func(t ir.Stmt) { stmtExprs(t, look) })
	return found
}

// plainIndex reports whether x is element v of a buffer of truth values.
func plainIndex(x *ir.Load, v *ir.Var) bool {
	u, ok := x.Index.(*ir.Use)
	return ok && u.Var == v && x.Buf.Elem == ir.U8
}

// placesOnly reports whether a filter lists which of the first few places have
// masks of 1, after none.
func placesOnly(s *ir.Filter) (n int64, ok bool) {
	lo, ok1 := s.Lo.(*ir.Int)
	hi, ok2 := s.Hi.(*ir.Int)
	x, ok3 := s.X.(*ir.Convert)
	if room, ok := ir.IntOf(s.Room); !ok || ok2 && room < hi.Val {
		return 0, false
	}
	if !ok1 || !ok2 || !ok3 || lo.Val != 0 || hi.Val > 64 || hi.Val%8 != 0 || len(s.XPre) > 0 || s.Dst.Elem != ir.I32 {
		return 0, false
	}
	u, ok := x.X.(*ir.Use)
	return hi.Val, ok && u.Var == s.Var
}

// places writes a filter of n places: all masks, as vector code, then eight places
// at a time. Of the destination, n elements are written to.
func (b *body) places(s *ir.Filter, n int64, count string) {
	m, l := b.names.fresh("mask"), b.names.fresh("l")
	b.line("uint8_t %s[%d];", m, n)
	b.line("TL_IVDEP")
	b.line("for (int32_t %s = 0; %s < %d; %s++) {", l, l, n, l)
	b.depth++
	v := b.declareVar(s.Var)
	b.noteRange(s.Var, facts.Between(0, n-1))
	b.line("const int64_t %s = %s;", v, l)
	b.line("(void)%s;", v)
	b.vector = isStraight(s.MaskPre)
	b.stmts(s.MaskPre)
	b.line("%s[%s] = %s;", m, l, b.expr(s.Mask))
	b.vector = false
	b.close(1)
	b.line("%s = tl_put_lanes(%s, %s, %s, %d);", count, b.bufName(s.Dst), count, m, n)
}
