package cgen

import "github.com/tailor-lang/tailor/laila"

// filter writes a loop that keeps elements: 64 masks are computed at a time, as
// vector code, and become the bits of a word, whose ones are visited.
func (b *body) filter(s *laila.Filter) {
	v := b.declareVar(s.Var)
	b.noteRange(s.Var, interval{0, addCapped(b.rangeOf(s.Hi).hi, -1)})
	lo, hi := b.expr(s.Lo), b.once(s.Hi)
	base, l, m, bits := b.names.fresh("base"), b.names.fresh("l"), b.names.fresh("mask"), b.names.fresh("bits")
	count, dst := b.varName(s.Count), b.bufName(s.Dst)
	b.line("{")
	b.depth++
	b.line("int64_t %s = %s;", base, lo)
	b.line("for (; %s + 64 <= %s; %s += 64) {", base, hi, base)
	b.depth++
	if load, ok := s.Mask.(*laila.Load); ok && plainIndex(load, s.Var) && len(s.MaskPre) == 0 {
		b.line("uint64_t %s = tl_bits64(%s + %s);", bits, b.bufName(load.Buf), base)
	} else {
		b.line("uint8_t %s[64];", m)
		b.line("TL_IVDEP")
		b.line("for (int32_t %s = 0; %s < 64; %s++) {", l, l, l)
		b.depth++
		b.line("const int64_t %s = %s + %s;", v, base, l)
		b.line("(void)%s;", v)
		b.vector = isStraight(s.MaskPre)
		b.stmts(s.MaskPre)
		mask := b.expr(s.Mask)
		b.line("%s[%s] = %s;", m, l, mask)
		b.vector = false
		b.close(1)
		b.line("uint64_t %s = tl_bits64(%s);", bits, m)
	}
	b.line("for (; %s != 0; %s &= %s - 1) {", bits, bits, bits)
	b.depth++
	b.line("const int64_t %s = %s + __builtin_ctzll(%s);", v, base, bits)
	keep := func() {
		b.line("(void)%s;", v)
		b.stmts(s.XPre)
		x := b.expr(s.X)
		b.line("%s[%s++] = %s;", dst, count, x)
	}
	keep()
	b.close(2)
	b.line("for (; %s < %s; %s++) {", base, hi, base)
	b.depth++
	b.line("const int64_t %s = %s;", v, base)
	b.stmts(s.MaskPre)
	b.line("if (%s) {", b.expr(s.Mask))
	b.depth++
	keep()
	b.close(3)
}

// plainIndex reports whether x is element v of a buffer of truth values.
func plainIndex(x *laila.Load, v *laila.Var) bool {
	u, ok := x.Index.(*laila.Use)
	return ok && u.Var == v && x.Buf.Elem == laila.U8
}
