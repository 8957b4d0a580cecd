package laila

// tidy drops dead code and moves every Free to the place after the last
// statement of its block that mentions the buffer.
func (l *lowerer) tidy(f *Func) {
	dropDead(f)
	if l.on("parts") {
		l.parts(f)
		dropDead(f)
	}
	if l.opts.Fuse && l.on("fuse") {
		l.fuseNests(f)
		dropDead(f)
	}
	if l.opts.Tile && l.on("edges") {
		f.Body = edges(f.Body)
	}
	if l.on("reductions") {
		f.Body = fuseReductions(f.Body)
	}
	if l.opts.Fuse && l.on("remake") {
		l.remake(f)
		dropDead(f)
	}
	if l.opts.Fuse && l.on("producers") {
		producers(f)
	}
	if l.opts.Tile && l.on("strips") {
		l.strips(f)
	}
	if l.opts.Tile && l.on("behind") {
		l.behind(f)
	}
	if l.opts.Tile && l.on("state") && len(l.loops) > 0 {
		l.states(f)
		dropDead(f)
	}
	if l.on("variables") {
		l.variables(f)
		dropDead(f)
	}
	if l.on("counters") {
		l.counters(f)
		dropDead(f)
	}
	if l.opts.Tile && l.on("rows") {
		l.rows(f)
		dropDead(f)
	}
	if l.opts.Tile && l.on("tables") {
		l.tables(f)
		dropDead(f)
	}
	if l.on("domains") {
		l.domains(f)
		dropDead(f)
	}
	if l.opts.Tile && l.on("defer") {
		l.deferUpdates(f)
	}
	if l.opts.Tile && l.on("sums") {
		f.Body = l.narrowSums(f.Body)
	}
	if l.opts.Tile && l.on("indices") {
		f.Body = l.indexTests(f.Body)
	}
	if l.opts.Tile && l.on("bits") {
		f.Body = replaceNests(f.Body, l.tabled)
		if len(l.blocked) > 0 {
			dropDead(f)
		}
	}
	if l.relaxed("reciprocals") {
		l.reciprocals(f)
	}
	if l.relaxed("contraction") {
		l.contraction(f)
		dropDead(f)
	}
	if l.vectors() && l.on("lanes") {
		f.Body = l.lanes(f.Body)
	}
	if l.opts.Tile && l.on("apart") {
		l.apart(f)
		dropDead(f)
	}
	if l.opts.Tile && l.on("extremes") {
		l.extremes(f)
	}
	if l.on("allocs") {
		f.Body = hoist(f.Body, l.fixed)
	}
	if l.on("masks") {
		f.Body = masks(f.Body)
	}
	if l.opts.Tile && l.on("timetiles") {
		f.Body = l.timeTiles(f.Body)
	}
	if l.opts.Tile && l.on("wholes") {
		l.wholes(f)
	}
	if l.vectors() && l.on("widths") {
		l.widths(f)
		l.widths(f)
	}
	if l.opts.Tile && l.on("breaks") {
		breaks(f.Body)
	}
	if l.relaxed("contraction") {
		l.accumulations(f)
	}
	f.Body, _ = tidyBlock(f.Body)
	if l.on("stack") {
		stacked(f)
	}
}

// dropConsts removes constants that nobody reads.
func (p *Program) dropConsts() {
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
