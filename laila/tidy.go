package laila

// tidy drops dead code and moves every Free to the place after the last
// statement of its block that mentions the buffer.
func (l *lowerer) tidy(f *Func) {
	dropDead(f)
	if l.opts.Fuse && l.on("fuse") {
		l.fuseNests(f)
		dropDead(f)
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
	if l.vectors() && l.on("lanes") {
		f.Body = l.lanes(f.Body)
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
	if l.vectors() && l.on("widths") {
		l.widths(f)
		l.widths(f)
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
	for _, blk := range blocksOf(s) {
		sub(blk)
	}
	bufsOf(s, func(b *Buf) { m[b] = true })
	return m
}

// blocksOf returns the blocks in a statement.
func blocksOf(s Stmt) []*[]Stmt {
	switch s := s.(type) {
	case *For:
		return []*[]Stmt{&s.Body}
	case *Nest:
		return []*[]Stmt{&s.Pre, &s.Body, &s.Post}
	case *Filter:
		return []*[]Stmt{&s.MaskPre, &s.XPre}
	case *Loop:
		return []*[]Stmt{&s.Body}
	case *If:
		return []*[]Stmt{&s.Then, &s.Else}
	}
	return nil
}

// sequentialBlocks returns the blocks of s that run in order, outside of nests.
func sequentialBlocks(s Stmt) []*[]Stmt {
	switch s.(type) {
	case *If, *For, *Loop:
		return blocksOf(s)
	}
	return nil
}

// replaceNests returns a block with the outermost nests in it replaced, those
// for which replace does not return nil.
func replaceNests(block []Stmt, replace func(*Nest) []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		n, ok := s.(*Nest)
		if !ok {
			for _, inner := range blocksOf(s) {
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

// bufsOf visits the buffers that s itself mentions.
func bufsOf(s Stmt, visit func(*Buf)) {
	for _, x := range exprsOf(s) {
		loadsOf(x, visit)
	}
	array := func(a Array) {
		if a.Buf != nil {
			visit(a.Buf)
		}
	}
	switch s := s.(type) {
	case *DeclBuf:
		visit(s.Buf)
	case *Free:
		visit(s.Buf)
	case *Move:
		visit(s.Dst)
		visit(s.Src)
	case *Swap:
		visit(s.A)
		visit(s.B)
	case *Alias:
		visit(s.Dst)
		visit(s.Src)
	case *Copy:
		visit(s.Dst)
		visit(s.Src)
	case *Store:
		visit(s.Buf)
	case *Filter:
		visit(s.Dst)
	case *Micro:
		visit(s.C)
		visit(s.A)
		visit(s.B)
	case *Call:
		for _, a := range append(append([]Array{}, s.Args...), s.Results...) {
			array(a)
		}
	case *Runtime:
		for _, a := range s.Args {
			if a.Array != nil {
				array(*a.Array)
			}
		}
		for _, a := range s.Results {
			array(a)
		}
	}
}

// exprsOf returns the expressions that s itself evaluates.
func exprsOf(s Stmt) []Expr {
	switch s := s.(type) {
	case *Decl:
		return []Expr{s.Init}
	case *Assign:
		return []Expr{s.X}
	case *Checked:
		return []Expr{s.X, s.Y}
	case *DeclBuf:
		if s.Buf.Stack > 0 {
			return nil // the shape is for the message when memory runs out
		}
		return append([]Expr{s.Count}, s.Shape...)
	case *Copy:
		return []Expr{s.DstIndex, s.SrcIndex, s.Count}
	case *Store:
		return []Expr{s.Index, s.X}
	case *For:
		return []Expr{s.Lo, s.Hi}
	case *Nest:
		var xs []Expr
		for _, d := range append(append([]Dim{}, s.Dims...), s.Red...) {
			xs = append(xs, d.Lo, d.Hi)
		}
		return xs
	case *Filter:
		return []Expr{s.Lo, s.Hi, s.Mask, s.X, &Use{s.Count}}
	case *Micro:
		return []Expr{s.CAt, s.Stride, s.AAt, s.BAt, s.Count}
	case *BreakIf:
		return []Expr{s.Cond}
	case *If:
		return []Expr{s.Cond}
	case *Fail:
		var xs []Expr
		for _, a := range s.Args {
			xs = append(append(xs, a.Shape...), a.X)
		}
		return xs
	case *Call:
		var xs []Expr
		for _, a := range s.Args {
			xs = append(xs, a.Dims...)
		}
		return xs
	case *Runtime:
		var xs []Expr
		for _, a := range s.Args {
			xs = append(xs, a.X)
			if a.Array != nil {
				xs = append(xs, a.Array.Dims...)
			}
		}
		return xs
	}
	return nil
}

// operandsOf returns the operands of x.
func operandsOf(x Expr) []Expr {
	switch x := x.(type) {
	case *Load:
		return []Expr{x.Index}
	case *Unary:
		return []Expr{x.X}
	case *Binary:
		return []Expr{x.X, x.Y}
	case *Select:
		return []Expr{x.Cond, x.Then, x.Else}
	case *Convert:
		return []Expr{x.X}
	case *Math:
		return x.Args
	}
	return nil
}

func loadsOf(x Expr, visit func(*Buf)) {
	if l, ok := x.(*Load); ok {
		visit(l.Buf)
	}
	for _, y := range operandsOf(x) {
		loadsOf(y, visit)
	}
}
