package cgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/ir"
)

// tally writes a nest that adds up truth values as loops over so many bytes
// side by side, each with a sum of its own, which are added at the end:
//
//	uint8_t lanes[32] = {0};
//	for (at = from; at + 32 <= to; at += 32)
//	  for (l = 0; l < 32; l++) { i = at + l; lanes[l] += a[i] == c; }
//	for (l = 0; l < 32; l++) part += lanes[l];
//	for (; at < to; at++) part += a[at] == c;
//
// It is not ok where the nest has another form.
func (b *body) tally(n *ir.Nest, dims []ir.Dim) bool {
	if !n.Tally || len(dims) != 1 || !addsOnly(n) {
		return false
	}
	d := dims[0]
	lo, hi := b.once(d.Lo), b.once(d.Hi)
	at, l := b.names.fresh("at"), b.names.fresh("l")
	lanes := map[*ir.Var]string{}
	for _, a := range n.Accs {
		if !b.survey.read[a.Var] {
			continue
		}
		lanes[a.Var] = b.names.fresh("lanes")
		b.line("uint8_t %s[%d] = {0};", lanes[a.Var], ir.TallyLanes)
	}
	b.line("int64_t %s = %s;", at, lo)
	v := b.declareVar(d.Var)
	b.noteRange(d.Var, b.indexRange(d))
	b.line("for (; %s + %d <= %s; %s += %d) {", at, ir.TallyLanes, hi, at, ir.TallyLanes)
	b.depth++
	b.line("TL_IVDEP")
	b.line("for (int64_t %s = 0; %s < %d; %s++) {", l, l, ir.TallyLanes, l)
	b.noteLoop(d)
	b.depth++
	b.line("const int64_t %s = %s + %s;", v, at, l)
	b.line("(void)%s;", v)
	outer := b.vector
	b.vector = true
	for _, s := range n.Body {
		a, ok := s.(*ir.Assign)
		if !ok {
			b.stmts([]ir.Stmt{s})
			continue
		}
		if !b.survey.read[a.Var] {
			continue
		}
		lane := fmt.Sprintf("%s[%s]", lanes[a.Var], l)
		b.line("%s = (uint8_t)(%s + (uint8_t)(%s));", lane, lane, b.expr(summand(a)))
	}
	b.vector = outer
	b.close(2)
	for _, a := range n.Accs {
		if b.survey.read[a.Var] {
			name := b.varName(a.Var)
			b.line("for (int64_t %s = 0; %s < %d; %s++) %s += %s[%s];", l, l, ir.TallyLanes, l, name, lanes[a.Var], l)
		}
	}
	b.line("for (; %s < %s; %s++) {", at, hi, at)
	b.depth++
	b.line("const int64_t %s = %s;", v, at)
	b.line("(void)%s;", v)
	b.stmts(n.Body)
	b.close(1)
	return true
}

// addsOnly reports whether a nest has declarations, and one assignment v = v + x
// of each accumulator, only.
func addsOnly(n *ir.Nest) bool {
	accs := map[*ir.Var]bool{}
	for _, a := range n.Accs {
		accs[a.Var] = true
	}
	for _, s := range n.Body {
		switch s := s.(type) {
		case *ir.Decl, *ir.Comment:
		case *ir.Assign:
			if !accs[s.Var] || summand(s) == nil {
				return false
			}
			delete(accs, s.Var)
		default:
			return false
		}
	}
	return len(accs) == 0
}

// summand returns x, without conversions to wider integers, for v = v + x.
func summand(a *ir.Assign) ir.Expr {
	s, ok := a.X.(*ir.Binary)
	if !ok || s.Op != ir.OpAdd {
		return nil
	}
	u, ok := s.X.(*ir.Use)
	if !ok || u.Var != a.Var {
		return nil
	}
	x := s.Y
	for {
		c, ok := x.(*ir.Convert)
		if !ok || c.X.Kind() == ir.F64 {
			return x
		}
		x = c.X
	}
}
