package cgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// parts is the number of blocks that a long reduction or scan is cut into. It
// does not depend on the number of threads, so that neither do the sums.
const parts = 256

// cut is a loop that is cut into blocks of consecutive iterations.
type cut struct {
	dim    ir.Dim // the loop
	lo     string // C text to add to, "" for 0
	trips  string // C text of the number of iterations
	blocks string // C name of the number of blocks
}

// cut declares the extents of a loop that is cut into blocks, into one where
// it is not worth it.
func (b *body) cut(d ir.Dim, s sharing) *cut {
	c := &cut{dim: d, lo: b.once(d.Lo) + " + ", blocks: b.names.fresh("blocks")}
	if lo, ok := d.Lo.(*ir.Int); ok && lo.Val == 0 {
		c.lo = ""
	}
	if trips, ok := constantTrips(d); ok {
		c.trips = fmt.Sprint(trips)
		if s.when == "" {
			b.line("const int64_t %s = %d;", c.blocks, min(trips, parts))
			return c
		}
	} else {
		c.trips = b.names.fresh("trips")
		b.line("const int64_t %s = %s;", c.trips, b.expr(ir.OpSub.Of(d.Hi, d.Lo)))
	}
	count := fmt.Sprintf("%s < %d ? %s : %d", c.trips, parts, c.trips, parts)
	if s.when != "" {
		count = fmt.Sprintf("!(%s) ? 1 : %s", s.when, count)
	}
	b.line("const int64_t %s = %s;", c.blocks, count)
	return c
}

// open opens the loop over blocks and declares the bounds of one, which it
// returns as a loop.
func (b *body) open(c *cut, clauses string) (block string, d ir.Dim) {
	block = b.names.fresh("block")
	if clauses != "" {
		b.pragma("parallel for %s", clauses)
	}
	b.line("for (int64_t %s = 0; %s < %s; %s++) {", block, block, c.blocks, block)
	b.depth++
	bound := func(name, at string) ir.Expr {
		v := &ir.Var{Name: name, Kind: ir.I64}
		b.line("const int64_t %s = %s%s * %s / %s;", b.declareVar(v), c.lo, c.trips, at, c.blocks)
		b.noteRange(v, facts.Between(b.rangeOf(c.dim.Lo).Lo, b.rangeOf(c.dim.Hi).Hi))
		return v.Use()
	}
	lo := bound("from", block)
	hi := bound("to", "("+block+" + 1)")
	return block, ir.Dim{Var: c.dim.Var, Lo: lo, Hi: hi}
}

// clauses returns those of a parallel loop over blocks.
func (b *body) clauses(n *ir.Nest, s sharing) string {
	text := "schedule(static)"
	if s.uneven {
		text = "schedule(dynamic)"
	}
	if s.when != "" {
		text += fmt.Sprintf(" if(parallel : %s)", s.when)
	}
	for _, f := range b.flagClauses(n) {
		text += " " + f
	}
	return text
}

// partial writes a reduction of all of its terms that is cut into blocks:
// each block reduces its terms, beginning with the neutral element, and the
// results are joined in order. Accumulators have been declared.
func (b *body) partial(n *ir.Nest, s sharing, inner []ir.Stmt) {
	if n.Ordered() {
		b.orderedBlocks(n, s)
		return
	}
	c := b.cut(n.Red[0], s)
	results := map[*ir.Var]string{}
	for _, a := range n.Accs {
		if b.survey.read[a.Var] {
			results[a.Var] = b.names.fresh(a.Var.Name + "_of")
			b.line("%s %s[%d];", ctype(a.Var.Kind), results[a.Var], parts)
		}
	}
	if _, fixed := constantTrips(n.Red[0]); (s.when != "" || !fixed) && b.opt.Target == OpenMP && b.repeatable(n) {
		b.line("if (%s <= 1) {", c.blocks) // there is nothing to share
		b.depth++
		b.aside(func() { b.blocksOf(n, c, results, "", inner) })
		b.depth--
		b.line("} else {")
		b.depth++
		s.when = ""
		b.blocksOf(n, c, results, b.clauses(n, s), inner)
		b.close(1)
	} else {
		b.blocksOf(n, c, results, b.clauses(n, s), inner)
	}
	block := b.names.fresh("block")
	b.line("for (int64_t %s = 0; %s < %s; %s++) {", block, block, c.blocks, block)
	b.depth++
	for _, a := range n.Accs {
		if results[a.Var] != "" {
			b.line("%s = %s;", b.varName(a.Var), b.joined(a, b.varName(a.Var), results[a.Var]+"["+block+"]"))
		}
	}
	b.close(1)
}

// blocksOf writes the loop over the blocks of a reduction; without clauses no
// threads share it.
func (b *body) blocksOf(n *ir.Nest, c *cut, results map[*ir.Var]string, clauses string, inner []ir.Stmt) {
	block, d := b.open(c, clauses)
	b.parallel = true
	for _, a := range n.Accs {
		if results[a.Var] != "" {
			b.line("%s %s = %s;", ctype(a.Var.Kind), b.varName(a.Var), b.neutral(a))
		}
	}
	b.reduction(n, append([]ir.Dim{d}, n.Red[1:]...), inner)
	for _, a := range n.Accs {
		if results[a.Var] != "" {
			b.line("%s[%s] = %s;", results[a.Var], block, b.varName(a.Var))
		}
	}
	b.parallel = false
	b.close(1)
}

// neutral returns the neutral element of an accumulator; that of sums of
// doubles is ¯0, which keeps the sign of a sum of zeros.
func (b *body) neutral(a ir.Acc) string {
	if op, ok := reduction(a); ok && op == "+" && a.Var.Kind == ir.F64 {
		return "-0.0"
	}
	if a.Neutral == nil {
		return b.expr(ir.Neutral(a.Combine.(*ir.Binary).Op, a.Var.Kind))
	}
	return b.expr(a.Neutral)
}

// joined returns the C expression that joins two partial results.
func (b *body) joined(a ir.Acc, left, right string) string {
	b.vars[a.Left], b.vars[a.Right] = left, right
	return b.expr(a.Combine)
}

// reduction writes the loops over dims and the body of a nest inside.
func (b *body) reduction(n *ir.Nest, dims []ir.Dim, inner []ir.Stmt) {
	if b.tally(n, dims) {
		return
	}
	if n.Ordered() && len(dims) == 1 {
		b.ordered(n, dims[0])
		return
	}
	for i, d := range dims {
		pragma := ""
		if i == len(dims)-1 {
			pragma = b.simd(n)
		}
		b.forLoop(d, inner, pragma)
		b.depth++
	}
	outer := b.vector
	b.vector = isStraight(n.Body)
	b.stmts(n.Body)
	b.vector = outer
	b.close(len(dims))
}
