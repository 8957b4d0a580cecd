package laila

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// tidy runs the passes over the loops of a function, in their order, and moves
// every Free to the place after the last statement of its block that mentions the
// buffer. What a pass leaves is well-formed (check.go).
func (l *lowerer) tidy(f *ir.Func) {
	l.verify("the making", f)
	dropDead(f)
	l.verify("dead code", f)
	t := &tidying{l, f}
	cpu := l.opts.Tile
	t.drops(true, "parts", func() { l.parts(f) })
	t.drops(l.opts.Fuse, "fuse", func() { l.fuseNests(f) })
	t.pass(cpu, "edges", func() { f.Body = edges(f.Body) })
	t.pass(true, "reductions", func() { f.Body = fuseReductions(f.Body) })
	t.drops(l.opts.Fuse, "remake", func() { l.remake(f) })
	t.pass(l.opts.Fuse, "producers", func() { producers(f) })
	t.pass(cpu, "strips", func() { l.strips(f) })
	t.pass(cpu, "behind", func() { l.behind(f) })
	t.drops(cpu && len(l.loops) > 0, "state", func() { l.states(f) })
	t.drops(true, "variables", func() { l.variables(f) })
	t.drops(true, "counters", func() { l.counters(f) })
	t.drops(cpu, "rows", func() { l.rows(f) })
	t.drops(cpu, "tables", func() { l.tables(f) })
	t.drops(true, "domains", func() { l.domains(f) })
	t.pass(cpu, "defer", func() { l.deferUpdates(f) })
	t.pass(cpu, "sums", func() { f.Body = l.narrowSums(f.Body) })
	t.pass(cpu, "indices", func() { f.Body = l.indexTests(f.Body) })
	t.pass(cpu, "bittables", func() {
		f.Body = ir.RewriteOuterNests(f.Body, l.tabled)
		if len(l.blocked) > 0 {
			dropDead(f)
		}
	})
	t.pass(l.opts.Relaxed, "reciprocals", func() { l.reciprocals(f) })
	t.drops(l.opts.Relaxed, "contraction", func() { l.contraction(f) })
	t.pass(l.vectors(), "lanes", func() { f.Body = l.lanes(f.Body) })
	t.drops(cpu, "apart", func() { l.apart(f) })
	t.pass(cpu, "extremes", func() { l.extremes(f) })
	t.pass(true, "allocs", func() { f.Body = hoist(f.Body, l.fixed) })
	t.pass(true, "masks", func() { f.Body = masks(f.Body) })
	t.pass(cpu, "timetiles", func() { f.Body = l.timeTiles(f.Body) })
	t.pass(cpu, "wholes", func() { l.wholes(f) })
	t.pass(l.vectors(), "widths", func() {
		l.widths(f)
		l.widths(f)
	})
	t.pass(cpu, "breaks", func() { breaks(f.Body) })
	t.pass(l.opts.Relaxed, "contraction", func() { l.accumulations(f) })
	f.Body, _ = tidyBlock(f.Body)
	t.pass(true, "stack", func() { stacked(f) })
}

// verify panics with a checkError where f is not well-formed after a pass, if the
// options ask for that.
func (l *lowerer) verify(pass string, f *ir.Func) {
	if !l.opts.Verify {
		return
	}
	if err := ir.CheckFunc(l.out, f); err != nil {
		panic(&checkError{fmt.Errorf("internal error: after %s of loops: %s", pass, strings.TrimPrefix(err.Error(), "internal error: "))})
	}
}

// checkError leaves a lowering.
type checkError struct{ error }

// tidying runs passes over the loops of a function.
type tidying struct {
	l *lowerer
	f *ir.Func
}

// pass runs a pass that is of use here and not to be left out.
func (t *tidying) pass(here bool, name string, run func()) {
	if here && t.l.on(name) {
		run()
		t.l.verify(name, t.f)
	}
}

// drops is pass for one that leaves dead code.
func (t *tidying) drops(here bool, name string, run func()) {
	t.pass(here, name, func() {
		run()
		dropDead(t.f)
	})
}

// dropConsts removes the constants of p that nobody reads.
func dropConsts(p *ir.Program) {
	read := newUses()
	for _, f := range append(append([]*ir.Func{}, p.Funcs...), p.Main) {
		read.block(f.Body)
	}
	var used []*ir.Const
	for _, c := range p.Consts {
		if read.bufs[c.Buf] {
			used = append(used, c)
		}
	}
	p.Consts = used
}

// tidyBlock returns the block with its frees moved, and the buffers that it
// mentions.
func tidyBlock(block []ir.Stmt) ([]ir.Stmt, map[*ir.Buf]bool) {
	last := map[*ir.Buf]int{}
	free := map[*ir.Buf]bool{}
	mentioned := map[*ir.Buf]bool{}
	for i, s := range block {
		if f, ok := s.(*ir.Free); ok {
			free[f.Buf] = true
			continue
		}
		for b := range tidyStmt(s) {
			last[b] = i
			mentioned[b] = true
		}
	}
	if len(free) == 0 {
		return block, mentioned
	}
	after := map[int][]*ir.Buf{}
	for _, s := range block {
		if f, ok := s.(*ir.Free); ok {
			i := -1
			if n, ok := last[f.Buf]; ok {
				i = n
			}
			after[i] = append(after[i], f.Buf)
		}
	}
	var out []ir.Stmt
	for i, s := range block {
		if _, ok := s.(*ir.Free); !ok {
			out = append(out, s)
		}
		for _, b := range after[i] {
			out = append(out, &ir.Free{Buf: b})
		}
	}
	return out, mentioned
}

// tidyStmt tidies the blocks of s and returns the buffers it mentions.
func tidyStmt(s ir.Stmt) map[*ir.Buf]bool {
	m := map[*ir.Buf]bool{}
	sub := func(block *[]ir.Stmt) {
		var inner map[*ir.Buf]bool
		*block, inner = tidyBlock(*block)
		for b := range inner {
			m[b] = true
		}
	}
	for _, blk := range ir.Blocks(s) {
		sub(blk)
	}
	ir.EachBuffer(s, func(b *ir.Buf) { m[b] = true })
	return m
}
