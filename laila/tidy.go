package laila

import (
	"fmt"
	"strings"
)

// tidy runs the passes over the loops of a function, in their order, and moves
// every Free to the place after the last statement of its block that mentions the
// buffer. What a pass leaves is well-formed (check.go).
func (l *lowerer) tidy(f *Func) {
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
		f.Body = replaceNests(f.Body, l.tabled)
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
func (l *lowerer) verify(pass string, f *Func) {
	if !l.opts.Verify {
		return
	}
	if err := checkFunc(l.out, f); err != nil {
		panic(&checkError{fmt.Errorf("internal error: after %s of loops: %s", pass, strings.TrimPrefix(err.Error(), "internal error: "))})
	}
}

// checkError leaves a lowering.
type checkError struct{ error }

// tidying runs passes over the loops of a function.
type tidying struct {
	l *lowerer
	f *Func
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
func dropConsts(p *Program) {
	read := newUses()
	for _, f := range append(append([]*Func{}, p.Funcs...), p.Main) {
		read.block(f.Body)
	}
	var used []*Const
	for _, c := range p.Consts {
		if read.bufs[c.Buf] {
			used = append(used, c)
		}
	}
	p.Consts = used
}

// tidyBlock returns the block with its frees moved, and the buffers that it
// mentions.
func tidyBlock(block []Stmt) ([]Stmt, map[*Buf]bool) {
	last := map[*Buf]int{}
	free := map[*Buf]bool{}
	mentioned := map[*Buf]bool{}
	for i, s := range block {
		if f, ok := s.(*Free); ok {
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
	after := map[int][]*Buf{}
	for _, s := range block {
		if f, ok := s.(*Free); ok {
			i := -1
			if n, ok := last[f.Buf]; ok {
				i = n
			}
			after[i] = append(after[i], f.Buf)
		}
	}
	var out []Stmt
	for i, s := range block {
		if _, ok := s.(*Free); !ok {
			out = append(out, s)
		}
		for _, b := range after[i] {
			out = append(out, &Free{b})
		}
	}
	return out, mentioned
}

// tidyStmt tidies the blocks of s and returns the buffers it mentions.
func tidyStmt(s Stmt) map[*Buf]bool {
	m := map[*Buf]bool{}
	sub := func(block *[]Stmt) {
		var inner map[*Buf]bool
		*block, inner = tidyBlock(*block)
		for b := range inner {
			m[b] = true
		}
	}
	for _, blk := range Blocks(s) {
		sub(blk)
	}
	bufsOf(s, func(b *Buf) { m[b] = true })
	return m
}

// sequentialBlocks returns the blocks of s that run in order, outside of nests.
func sequentialBlocks(s Stmt) []*[]Stmt {
	switch s.(type) {
	case *If, *For, *Loop:
		return Blocks(s)
	}
	return nil
}

// eachNest returns a block with every nest replaced, the inner ones first.
func eachNest(block []Stmt, replace func(*Nest) []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		for _, inner := range Blocks(s) {
			*inner = eachNest(*inner, replace)
		}
		if n, ok := s.(*Nest); ok {
			out = append(out, replace(n)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// replaceNests returns a block with the outermost nests in it replaced, those
// for which replace does not return nil.
func replaceNests(block []Stmt, replace func(*Nest) []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		n, ok := s.(*Nest)
		if !ok {
			for _, inner := range Blocks(s) {
				*inner = replaceNests(*inner, replace)
			}
			out = append(out, s)
		} else if instead := replace(n); instead != nil {
			out = append(out, instead...)
		} else {
			out = append(out, s)
		}
	}
	return out
}
