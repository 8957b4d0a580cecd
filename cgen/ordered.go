package cgen

import (
	"fmt"
	"math"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/loop"
)

// Reductions in the order of num.Ordered, which is that of vector code: 16 partial
// results side by side, joined at the end of each block.
//
//	for (from = 0; from < n; from += 1024) {
//	  to = from + 1024 min n
//	  double acc_lanes[16] = ¯0
//	  for (at = from; at + 16 <= to; at += 16)
//	    for (l = 0; l < 16; l++) { i = at + l; acc_lanes[l] += a[i]; }
//	  for (l = 0; at + l < to; l++) { i = at + l; acc_lanes[l] += a[i]; }
//	  part = acc_lanes[0] + acc_lanes[1] + …
//	  acc += part
//	}
//
// Where there may be more than 2*20 terms the blocks of each 2*20 have a sum of
// their own.

// lanes are the accumulators of such a reduction.
type lanes struct {
	b     *body
	n     *ir.Nest
	accs  []ir.Acc           // that matter; those tested for overflow are left out, and complex products
	of    map[*ir.Var]string // the lanes of accumulators and flags
	few   string             // C name of whether there are too few terms for lanes, "" where there are not
	plain bool               // something is carried from term to term otherwise
}

func (b *body) lanesOf(n *ir.Nest) *lanes {
	ls := &lanes{b: b, n: n, of: map[*ir.Var]string{}}
	for _, a := range n.Accs {
		switch {
		case !b.survey.read[a.Var]:
		case checkedSum(n.Body, map[*ir.Var]bool{a.Var: true}) || !a.Exact && a.Var.Kind == ir.C64 && !a.Ordered():
			ls.plain = true
		default:
			ls.accs = append(ls.accs, a)
		}
	}
	ls.plain = ls.plain || !isStraight(n.Body) ||
		carries(&ir.Nest{Kind: ir.SegRed, Body: n.Body, Accs: n.Accs, Flags: n.Flags})
	return ls
}

// ordered writes the reduction over d; its accumulators have been declared.
func (b *body) ordered(n *ir.Nest, d ir.Dim) {
	ls := b.lanesOf(n)
	outer := map[*ir.Var]string{}
	for _, a := range ls.accs {
		outer[a.Var] = b.varName(a.Var)
	}
	b.line("{")
	b.depth++
	lo, hi := b.once(d.Lo), b.once(d.Hi)
	ls.fewTerms(lo, hi)
	quick := b.mayBeFew(n, d)
	if quick {
		b.line("if (%s - %s <= %d) {", hi, lo, num.Lanes)
		b.depth++
		b.forLoop(d, n.Body, "")
		b.block(n.Body)
		b.line("}")
		b.depth--
		b.line("} else {")
		b.depth++
	}
	ls.supers(d, lo, hi, outer)
	if quick {
		b.close(1)
	}
	b.close(1)
}

// mayBeFew reports whether n is worth a loop of its own for few terms.
func (b *body) mayBeFew(n *ir.Nest, d ir.Dim) bool {
	_, known := constantTrips(d)
	return !known && b.depth > 2 && isScalar(n.Body) && len(n.Body) <= shortBody && b.rangeOf(d.Hi).Lo-b.rangeOf(d.Lo).Hi <= num.Lanes
}

// fewTerms declares whether a chain has too few terms for lanes.
func (ls *lanes) fewTerms(lo, hi string) {
	if ls.n.Chains() {
		ls.few = ls.b.names.fresh("few")
		ls.b.line("const int %s = %s - %s <= %d;", ls.few, hi, lo, num.Lanes)
	}
}

// at is the place of lane l.
func (ls *lanes) at(l string) string {
	if ls.few == "" {
		return l
	}
	return ls.few + " ? 0 : " + l
}

// supers writes the loop over super-blocks, where there may be more than one, and
// adds what they come to to the accumulators named in to.
func (ls *lanes) supers(d ir.Dim, lo, hi string, to map[*ir.Var]string) {
	b := ls.b
	most := b.mostTerms(d)
	if most <= num.Block {
		ls.block(d, lo, hi, to)
		return
	}
	end := hi
	if most > num.SuperBlock {
		s := b.names.fresh("super")
		b.line("for (int64_t %s = %s; %s < %s; %s += %d) {", s, lo, s, hi, s, num.SuperBlock)
		b.depth++
		lo, end = s, b.names.fresh("end")
		b.line("const int64_t %s = tl_mini(%s + %d, %s);", end, s, num.SuperBlock, hi)
		inner := ls.declare("super")
		ls.blocks(d, lo, end, inner)
		ls.join(to, inner)
		b.close(1)
		return
	}
	ls.blocks(d, lo, end, to)
}

// blocks writes the loop over the blocks from lo to hi.
func (ls *lanes) blocks(d ir.Dim, lo, hi string, to map[*ir.Var]string) {
	b := ls.b
	from, end := b.names.fresh("from"), b.names.fresh("to")
	b.line("for (int64_t %s = %s; %s < %s; %s += %d) {", from, lo, from, hi, from, num.Block)
	b.depth++
	b.line("const int64_t %s = tl_mini(%s + %d, %s);", end, from, num.Block, hi)
	ls.block(d, from, end, to)
	b.close(1)
}

// mostTerms is the greatest number of iterations of d.
func (b *body) mostTerms(d ir.Dim) int64 {
	if n, ok := constantTrips(d); ok {
		return n
	}
	n, ok := facts.SubInt(b.rangeOf(d.Hi).Hi, b.rangeOf(d.Lo).Lo)
	if !ok {
		return math.MaxInt64
	}
	return n
}

// declare declares accumulators that begin with the neutral element.
func (ls *lanes) declare(name string) map[*ir.Var]string {
	own := map[*ir.Var]string{}
	for _, a := range ls.accs {
		own[a.Var] = ls.b.names.fresh(a.Var.Name + "_" + name)
		ls.b.line("%s %s = %s;", ctype(a.Var.Kind), own[a.Var], ls.b.neutral(a))
	}
	return own
}

// join adds accumulators to others.
func (ls *lanes) join(to, from map[*ir.Var]string) {
	for _, a := range ls.accs {
		ls.b.line("%s = %s;", to[a.Var], ls.b.joined(a, to[a.Var], from[a.Var]))
	}
}

// block writes the terms from lo to hi of one block, and joins its lanes.
func (ls *lanes) block(d ir.Dim, lo, hi string, to map[*ir.Var]string) {
	b, n := ls.b, ls.n
	l, at := b.names.fresh("l"), b.names.fresh("at")
	names := map[*ir.Var]string{}
	for _, a := range ls.accs {
		names[a.Var] = b.vars[a.Var]
		ls.of[a.Var] = b.names.fresh(a.Var.Name + "_lanes")
		b.line("%s %s[%d];", ctype(a.Var.Kind), ls.of[a.Var], num.Lanes)
		b.line("for (int %s = 0; %s < %d; %s++) %s[%s] = %s;", l, l, num.Lanes, l, ls.of[a.Var], l, b.neutral(a))
	}
	v := b.declareVar(d.Var)
	b.noteRange(d.Var, b.indexRange(d))
	for _, a := range ls.accs {
		b.vars[a.Var] = fmt.Sprintf("%s[%s]", ls.of[a.Var], l)
		if ls.plain {
			b.vars[a.Var] = fmt.Sprintf("%s[%s]", ls.of[a.Var], ls.at(l))
		}
	}
	if ls.plain {
		b.line("for (int64_t %s = %s; %s < %s; %s++) {", v, lo, v, hi, v)
		b.noteLoop(d)
		b.depth++
		b.line("const int64_t %s = (%s - %s) %% %d;", l, v, lo, num.Lanes)
		b.line("(void)%s;", l)
		b.stmts(n.Body)
		b.close(1)
	} else {
		ls.vector(d, v, l, at, lo, hi)
	}
	for _, a := range ls.accs {
		b.vars[a.Var] = names[a.Var]
		part := b.names.fresh(a.Var.Name + "_part")
		of := ls.of[a.Var]
		b.line("%s %s = %s[0];", ctype(a.Var.Kind), part, of)
		b.line("for (int %s = 1; %s < %d; %s++) %s = %s;", l, l, num.Lanes, l, part, b.joined(a, part, of+"["+l+"]"))
		b.line("%s = %s;", to[a.Var], b.joined(a, to[a.Var], part))
	}
}

// vector writes the loops over whole groups of lanes, and over what is left, of which the
// number may be a constant: then it is vector code, too.
func (ls *lanes) vector(d ir.Dim, v, l, at, lo, hi string) {
	b, n := ls.b, ls.n
	joinFlags := ls.flags(l)
	outer := b.vector
	b.vector = true
	b.line("int64_t %s = %s;", at, lo)
	cond := ""
	if ls.few != "" {
		cond = "!" + ls.few + " && "
	}
	trips, known := constantTrips(d)
	known = known && ls.few == "" && trips <= num.Block
	base, kind := at, "int64_t"
	if b.countsNarrow(d, n.Body) {
		base, kind = "(int32_t)"+at, "int32_t"
	}
	inLanes := func(count int64, body []ir.Stmt) {
		b.line("#pragma omp simd")
		b.line("for (%s %s = 0; %s < %d; %s++) {", kind, l, l, count, l)
		b.noteLoop(d)
		b.depth++
		b.line("const int64_t %s = %s + %s;", v, base, l)
		b.line("(void)%s;", v)
		b.stmts(body)
		b.close(1)
	}
	groups := func(cond, end string, body []ir.Stmt) {
		b.line("for (; %s%s + %d <= %s; %s += %d) {", cond, at, num.Lanes, end, at, num.Lanes)
		b.depth++
		inLanes(num.Lanes, body)
		b.close(1)
	}
	b.blends = known
	if !known || trips >= num.Lanes {
		if !ls.subsets(cond, at, hi, groups) {
			groups(cond, hi, n.Body)
		}
	}
	for _, a := range ls.accs {
		b.vars[a.Var] = fmt.Sprintf("%s[%s]", ls.of[a.Var], ls.at(l))
	}
	switch rest := trips % num.Lanes; {
	case known && rest > 0:
		inLanes(rest, n.Body)
	case !known:
		b.line("for (int64_t %s = 0; %s + %s < %s; %s++) {", l, at, l, hi, l)
		b.depth++
		b.line("const int64_t %s = %s + %s;", v, at, l)
		b.line("(void)%s;", v)
		b.stmts(n.Body)
		b.close(1)
	}
	b.vector, b.blends = outer, false
	joinFlags()
}

// subsets writes the groups of lanes that are in a subset, and those before them; it reports whether
// these are all.
func (ls *lanes) subsets(cond, at, hi string, groups func(cond, end string, body []ir.Stmt)) (all bool) {
	b, d := ls.b, ls.n.Red[0]
	for _, s := range loop.Subsets(b.base, ls.n) {
		end := hi
		if all = ir.Same(s.Hi, d.Hi); !all {
			end = b.names.fresh("end")
			b.line("const int64_t %s = tl_mini(%s, %s);", end, b.expr(s.Hi), hi)
		}
		if !ir.Same(s.Lo, d.Lo) {
			groups(fmt.Sprintf("%s%s < %s && ", cond, at, b.once(s.Lo)), end, ls.n.Body)
		}
		groups(cond, end, s.Body)
	}
	return all
}

// flags gives the flags lanes, and returns how they are joined.
func (ls *lanes) flags(l string) (join func()) {
	b := ls.b
	names := map[*ir.Var]string{}
	for _, f := range ls.n.Flags {
		if b.survey.read[f] {
			names[f] = b.vars[f]
			of := b.names.fresh(f.Name + "_lanes")
			b.line("int64_t %s[%d] = {0};", of, num.Lanes)
			ls.of[f] = of
			b.vars[f] = of + "[" + l + "]"
		}
	}
	return func() {
		for _, f := range ls.n.Flags {
			if name := names[f]; name != "" {
				b.vars[f] = name
				b.line("for (int %s = 0; %s < %d; %s++) %s |= %s[%s];", l, l, num.Lanes, l, name, ls.of[f], l)
			}
		}
	}
}

// orderedBlocks is ordered, with the blocks shared among threads.
func (b *body) orderedBlocks(n *ir.Nest, s sharing) {
	ls, d := b.lanesOf(n), n.Red[0]
	b.line("{")
	b.depth++
	lo, hi := b.once(d.Lo), b.once(d.Hi)
	ls.fewTerms(lo, hi)
	outer := map[*ir.Var]string{}
	for _, a := range n.Accs {
		if b.survey.read[a.Var] {
			outer[a.Var] = b.varName(a.Var)
		}
	}
	twice := s.when != "" && b.opt.Target == OpenMP && b.repeatable(n)
	if twice {
		b.line("if (!(%s)) {", s.when)
		b.depth++
		b.aside(func() { ls.supers(d, lo, hi, outer) })
		b.depth--
		b.line("} else {")
		b.depth++
		s.when = ""
	}
	super, end := b.names.fresh("super"), b.names.fresh("end")
	b.line("for (int64_t %s = %s; %s < %s; %s += %d) {", super, lo, super, hi, super, num.SuperBlock)
	b.depth++
	b.line("const int64_t %s = tl_mini(%s + %d, %s);", end, super, num.SuperBlock, hi)
	results := map[*ir.Var]string{}
	for _, a := range ls.accs {
		results[a.Var] = b.names.fresh(a.Var.Name + "_of")
		b.line("%s %s[%d];", ctype(a.Var.Kind), results[a.Var], num.SuperBlock/num.Block)
	}
	block, blocks := b.names.fresh("block"), b.names.fresh("blocks")
	b.line("const int64_t %s = (%s - %s + %d) / %d;", blocks, end, super, num.Block-1, num.Block)
	b.pragma("parallel for %s", b.clauses(n, s))
	b.line("for (int64_t %s = 0; %s < %s; %s++) {", block, block, blocks, block)
	b.depth++
	b.parallel = true
	from, to := b.names.fresh("from"), b.names.fresh("to")
	b.line("const int64_t %s = %s + %s * %d;", from, super, block, num.Block)
	b.line("const int64_t %s = tl_mini(%s + %d, %s);", to, from, num.Block, end)
	own := ls.declare("block")
	ls.block(d, from, to, own)
	for _, a := range ls.accs {
		b.line("%s[%s] = %s;", results[a.Var], block, own[a.Var])
	}
	b.parallel = false
	b.close(1)
	sums := ls.declare("super")
	b.line("for (int64_t %s = 0; %s < %s; %s++) {", block, block, blocks, block)
	b.depth++
	for _, a := range ls.accs {
		b.line("%s = %s;", sums[a.Var], b.joined(a, sums[a.Var], results[a.Var]+"["+block+"]"))
	}
	b.close(1)
	ls.join(outer, sums)
	b.close(1)
	if twice {
		b.close(1)
	}
	b.close(1)
}
