package place

import (
	"slices"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// written returns the block with the steps as a loop over strips.
func (st *stream) written() []ir.Stmt {
	st.keep = map[*ir.Buf]int64{}
	for _, p := range st.steps {
		for _, a := range p.all() {
			if p.clock == st.clockOf[a.buf] {
				st.keep[a.buf] = max(st.keep[a.buf], p.delay-a.off)
			}
		}
	}
	st.small = map[*ir.Buf]*ir.Buf{}
	for b := range st.made {
		if !st.kept[b] {
			size := st.clockOf[b].cap + st.keep[b]
			if st.blocks(st.clockOf[b]) {
				size += num.Block
			}
			st.small[b] = st.copyBuf(b, size)
		}
	}
	for _, c := range st.clocks {
		st.begin(c)
	}
	st.uncount()
	var before, behind []ir.Stmt
	mine := map[ir.Stmt]bool{}
	last := 0
	for _, p := range st.steps {
		for _, x := range p.stmts {
			mine[x] = true
		}
		last = max(last, p.at)
	}
	for k, x := range st.block {
		switch {
		case mine[x]:
		case st.late[x] || k > last:
			behind = append(behind, st.around(x)...)
		default:
			before = append(before, st.around(x)...)
		}
	}
	return append(append(before, st.strips()...), behind...)
}

// uncount drops the results of reductions that count what filters keep, which the stream
// counts itself; the reductions are dead code then.
func (st *stream) uncount() {
	for v := range st.totals {
		count, ok := st.defs[v].(*ir.Use)
		if !ok || st.known[v] {
			continue
		}
		var posts []*[]ir.Stmt
		for k, x := range st.block {
			if n, is := x.(*ir.Nest); is && n.Kind == ir.SegRed && len(n.Dims) == 0 && !assigns(n.Body, count.Var) {
				posts = append(posts, &n.Post)
				continue
			}
			t := st.Of(x)
			ok = ok && (k == st.declared[v] || !t.Reads[count.Var] && (!t.Writes[count.Var] || k == st.declared[count.Var]))
		}
		for _, post := range posts {
			if ok {
				*post = slices.DeleteFunc(*post, func(x ir.Stmt) bool { return assigns([]ir.Stmt{x}, count.Var) })
			}
		}
	}
}

func assigns(block []ir.Stmt, v *ir.Var) bool {
	set := map[*ir.Var]bool{}
	flow.NoteAssigned(block, set)
	return set[v]
}

// around rewrites a statement beside the steps: arrays become strips, which are not freed,
// and totals are known behind the stream.
func (st *stream) around(x ir.Stmt) []ir.Stmt {
	switch x := x.(type) {
	case *ir.DeclBuf:
		if b := st.small[x.Buf]; b != nil {
			return st.strip(x, b)
		}
		if st.made[x.Buf] && ir.MentionsAny(x.Count, st.open) {
			n, _ := st.bound(st.resolve(x.Count))
			return []ir.Stmt{&ir.DeclBuf{Buf: x.Buf, Count: n, Shape: []ir.Expr{n}, At: x.At}}
		}
	case *ir.Free:
		if st.small[x.Buf] != nil {
			return nil
		}
	case *ir.Decl:
		if c := st.totals[x.Var]; c != nil && !st.known[x.Var] {
			return []ir.Stmt{x.Var.Decl(c.have.Use())}
		}
	}
	return []ir.Stmt{x}
}

// strip declares the strip of an array. What stays for the next one is its end, which may
// not be full.
func (st *stream) strip(x *ir.DeclBuf, b *ir.Buf) []ir.Stmt {
	keep, c := st.keep[x.Buf], st.clockOf[x.Buf]
	d := &ir.DeclBuf{Buf: b, Count: ir.Integer(b.Stack), Shape: []ir.Expr{ir.Integer(b.Stack)}, Zero: keep > 0 && c.total != nil, At: x.At}
	if keep == 0 || d.Zero {
		return []ir.Stmt{d}
	}
	return append([]ir.Stmt{d}, st.each(keep, func(j ir.Expr) ir.Stmt { return b.Store(ir.Add(j, ir.Integer(c.cap)), ir.Zero(b.Elem)) })...)
}

// each returns a statement for each of n places, in a loop where they are many.
func (st *stream) each(n int64, body func(j ir.Expr) ir.Stmt) []ir.Stmt {
	if n <= 2 {
		var out []ir.Stmt
		for j := range n {
			out = append(out, body(ir.Integer(j)))
		}
		return out
	}
	j := st.counter("j")
	return []ir.Stmt{&ir.For{Var: j, Lo: ir.Integer(0), Hi: ir.Integer(n), Body: []ir.Stmt{body(j.Use())}}}
}

// copyBuf returns a new buffer of a number of elements like those of b, in the stack frame.
func (s *streamer) copyBuf(b *ir.Buf, size int64) *ir.Buf {
	c := &ir.Buf{Name: b.Name, Elem: b.Elem, Stack: size}
	if r, ok := s.L.Bufs[b]; ok {
		s.L.Bufs[c] = r
	}
	if r, ok := s.L.BufSpans[b]; ok {
		s.L.BufSpans[c] = r
	}
	return c
}

func (s *streamer) counter(name string) *ir.Var {
	v := s.L.NewVar(name, ir.I64)
	s.L.Ranges[v] = facts.Between(0, facts.MaxExtent)
	return v
}

// begin makes the variables of a clock and finds when its last step ends.
func (st *stream) begin(c *clock) {
	c.from, c.to = st.counter("from"), st.counter("to")
	if c.total != nil {
		c.have, c.left = st.counter("have"), st.counter("left")
	}
	for _, p := range st.steps {
		if p.clock != c {
			continue
		}
		st.L.Trips[p.v] = c.cap
		if c.total != nil {
			_, off, ok := st.grows(st.resolve(p.hi))
			if !ok {
				off, _ = ir.IntOf(p.hi)
			}
			c.over = max(c.over, off+p.delay)
			continue
		}
		end := ir.Add(p.hi, ir.Integer(p.delay))
		switch {
		case c.most == nil:
			c.most = end
		case !ir.Same(c.most, end):
			c.most = greater(c.most, end)
		}
	}
}

// atClock replaces totals by how many elements there are so far.
func (st *stream) atClock(x ir.Expr) ir.Expr {
	x = st.resolve(x)
	if x == nil || !ir.MentionsAny(x, st.depends) {
		return x
	}
	return ir.MapExpr(x, func(y ir.Expr) ir.Expr {
		if u, ok := y.(*ir.Use); ok && st.totals[u.Var] != nil {
			return st.totals[u.Var].have.Use()
		}
		return y
	})
}

// soFar is atClock for the totals that are not known.
func (st *stream) soFar(x ir.Expr) ir.Expr {
	if x == nil || !ir.MentionsAny(x, st.open) {
		return x
	}
	return ir.MapExpr(x, func(y ir.Expr) ir.Expr {
		u, ok := y.(*ir.Use)
		switch {
		case !ok || !st.open[u.Var]:
			return y
		case st.totals[u.Var] != nil:
			return st.totals[u.Var].have.Use()
		}
		return st.soFar(st.defs[u.Var])
	})
}

// strips returns the loop over strips, with what it needs before.
func (st *stream) strips() []ir.Stmt {
	root := st.clocks[0]
	out := st.declareSupers()
	flush := false
	for _, c := range st.clocks[1:] {
		out = append(out, c.from.Decl(ir.Integer(0)), c.to.Decl(ir.Integer(0)), c.have.Decl(ir.Integer(0)))
		flush = flush || c.over > 0 || st.blocks(c)
	}
	strip := ir.Integer(root.cap)
	root.end = root.most
	if n, known := ir.IntOf(root.most); known {
		st.L.Ranges[root.from], st.L.Ranges[root.to] = facts.Between(0, max(n, 0)), facts.Between(0, max(n, 0))
	} else {
		v := st.counter("most")
		out = append(out, v.Decl(root.most))
		root.most = v.Use()
	}
	k := st.counter("k")
	from, count := st.cuts(k, flush)
	body := []ir.Stmt{root.from.Decl(from), root.to.Decl(ir.OpMin.Of(ir.Add(root.from.Use(), strip), root.most))}
	var ends []ir.Stmt
	counts := map[*ir.Buf]*ir.Var{}
	for _, p := range st.steps {
		if st.leads(p) {
			body = append(body, p.search.extreme.before.Decl(p.search.extreme.acc.Use()))
		}
	}
	for _, p := range st.steps {
		if p.filter == nil {
			body = append(body, st.step(p)...)
			continue
		}
		body = append(body, st.filtered(p, counts)...)
	}
	for _, x := range st.block {
		if d, ok := x.(*ir.DeclBuf); ok && st.small[d.Buf] != nil {
			ends = append(ends, st.shift(d.Buf)...)
		}
	}
	for _, p := range st.steps {
		out = append(out, p.outside()...)
	}
	ends = append(ends, st.nextSuper(k)...)
	strips := append([]ir.Stmt{&ir.For{Var: k, Lo: ir.Integer(0), Hi: count, Body: append(body, ends...)}}, st.endSupers()...)
	if few := st.inTurn(); few != nil {
		strips = []ir.Stmt{&ir.If{Cond: ir.OpLe.Of(root.most, ir.Integer(streamShort)), Then: few, Else: strips}}
	}
	return append(out, strips...)
}

// cuts returns where strip k begins, and how many strips there are. The first one is of the elements
// that sums need before the first block is complete.
func (st *stream) cuts(k *ir.Var, flush bool) (from, count ir.Expr) {
	root := st.clocks[0]
	from, count = ir.Mul(k.Use(), ir.Integer(root.cap)), ceiling(root.most, root.cap)
	if lead := st.lead(); lead > 0 {
		from = ir.Add(from, ir.Integer(lead-root.cap))
		count = ir.Add(ceiling(ir.Sub(root.most, ir.Integer(lead)), root.cap), ir.Integer(1))
		span := st.L.Ranges[root.from]
		st.L.Ranges[root.from] = facts.Between(lead-root.cap, span.Hi)
	}
	if flush {
		from = ir.OpMin.Of(from, root.most)
		count = ir.Add(count, ir.Integer(1))
	}
	return from, count
}

// ceiling returns x divided by n, rounded up.
func ceiling(x ir.Expr, n int64) ir.Expr {
	if c, ok := ir.IntOf(x); ok {
		return ir.Integer((max(c, 0) + n - 1) / n)
	}
	return ir.OpQuo.Of(ir.Add(ir.OpMax.Of(x, ir.Integer(0)), ir.Integer(n-1)), ir.Integer(n))
}

// outside declares what the head of a scan sets for its loop.
func (p *step) outside() []ir.Stmt {
	var out []ir.Stmt
	for _, x := range p.head {
		if d, ok := x.(*ir.Decl); ok {
			out = append(out, d.Var.Decl(ir.Zero(d.Var.Kind)))
		}
	}
	return out
}

// window returns the part of a step's loop that belongs to a strip.
func (st *stream) window(p *step) (lo, hi ir.Expr) {
	from, to := ir.Sub(p.clock.from.Use(), ir.Integer(p.delay)), ir.Sub(p.clock.to.Use(), ir.Integer(p.delay))
	lo, hi = st.atClock(p.lo), st.atClock(p.hi)
	switch n, ok := ir.IntOf(lo); {
	case ok && n == 0 && p.delay == 0 && st.lead() == 0:
		lo = from
	case ok:
		lo = ir.OpMax.Of(from, lo)
	default:
		lo = ir.OpMax.Of(ir.OpMax.Of(from, lo), ir.Integer(0))
	}
	if p.clock.total == nil && ir.Same(p.clock.end, ir.Add(hi, ir.Integer(p.delay))) || p.clock.total != nil && p.clock.over == 0 && !ir.IsNumber(hi) {
		return lo, to
	}
	return lo, ir.OpMin.Of(to, hi)
}

// step returns what a step that is no filter does in a strip.
func (st *stream) step(p *step) []ir.Stmt {
	lo, hi := st.window(p)
	d := ir.Dim{Var: p.v, Lo: lo, Hi: hi}
	if n := p.nest; n != nil {
		m := *n
		m.Body = st.placed(p, n.Body)
		if n.Kind == ir.SegMap {
			m.Dims = []ir.Dim{d}
		} else {
			m.Red = []ir.Dim{d}
		}
		if p.sums != nil {
			p.sums.part(&m)
		}
		return []ir.Stmt{&m}
	}
	if p.search != nil {
		return st.searched(p)
	}
	loop := &ir.For{Var: p.v, Lo: lo, Hi: hi, Body: st.placed(p, p.loop.Body)}
	if p.head == nil {
		return []ir.Stmt{loop}
	}
	first := ir.OpAnd.Of(ir.OpLt.Of(p.clock.from.Use(), ir.Integer(p.delay)), ir.OpLe.Of(ir.Integer(p.delay), p.clock.to.Use()))
	if p.cond != nil {
		first = ir.OpAnd.Of(first, st.atClock(p.cond))
	}
	var head []ir.Stmt
	for _, x := range st.counted(st.placer(p, true).block(p.head)) {
		if d, ok := x.(*ir.Decl); ok {
			x = d.Var.Assign(d.Init)
		}
		head = append(head, x)
	}
	return []ir.Stmt{&ir.If{Cond: first, Then: head}, loop}
}

// filtered returns what a filter does in a strip, and how the clock of what it keeps goes on.
func (st *stream) filtered(p *step, counts map[*ir.Buf]*ir.Var) []ir.Stmt {
	f := p.filter
	c := st.clockOf[f.Dst]
	group := c.filters[c.group(f.Dst)]
	var out []ir.Stmt
	kept := ir.Integer(st.keep[f.Dst])
	g := *f
	g.Lo, g.Hi = st.window(p)
	g.MaskPre, g.XPre = st.placed(p, f.MaskPre), st.placed(p, f.XPre)
	g.Mask, g.X = st.soFar(st.placer(p, false).Expr(f.Mask)), st.soFar(st.placer(p, false).Expr(f.X))
	if st.blocks(c) && p == c.filters[0][0] {
		out = append(out, c.left.Decl(ir.Sub(c.have.Use(), c.to.Use())))
	}
	var have ir.Expr = f.Count.Use()
	if small := st.small[f.Dst]; small != nil {
		if p == group[0] {
			counts[f.Dst] = st.counter("have")
			begin := kept
			if st.blocks(c) {
				begin = ir.Add(kept, c.left.Use())
			}
			out = append(out, counts[f.Dst].Decl(begin))
		}
		g.Dst, g.Count, g.Room = small, counts[f.Dst], ir.Integer(small.Stack)
		have = ir.Add(c.to.Use(), ir.Sub(g.Count.Use(), kept))
	}
	if st.small[f.Dst] == nil && ir.MentionsAny(f.Room, st.open) {
		g.Room = st.decl[f.Dst].Count
		if ir.MentionsAny(g.Room, st.open) {
			g.Room, _ = st.bound(st.resolve(g.Room))
		}
	}
	out = append(out, &g)
	if p != group[len(group)-1] || c.group(f.Dst) != 0 {
		return out
	}
	var to ir.Expr = c.have.Use()
	if st.blocks(c) {
		to = ir.Mul(ir.Quo(to, ir.Integer(num.Block)), ir.Integer(num.Block))
	}
	out = append(out, c.have.Assign(have), c.from.Assign(c.to.Use()), c.to.Assign(to))
	if c.over > 0 || st.blocks(c) {
		root := st.clocks[0]
		out = append(out, &ir.If{Cond: ir.OpGe.Of(root.from.Use(), root.most), Then: []ir.Stmt{c.to.Assign(ir.Add(c.have.Use(), ir.Integer(c.over)))}})
	}
	return out
}

// shift moves the last elements of a strip, which the next one needs, to its beginning.
func (st *stream) shift(b *ir.Buf) []ir.Stmt {
	n, c, small := st.keep[b], st.clockOf[b], st.small[b]
	if st.blocks(c) {
		j := st.counter("j")
		left := ir.Add(ir.Sub(c.have.Use(), c.to.Use()), ir.Integer(n))
		move := &ir.For{Var: j, Lo: ir.Integer(0), Hi: left, Body: []ir.Stmt{small.Store(j.Use(), small.Load(ir.Add(j.Use(), ir.Sub(c.to.Use(), c.from.Use()))))}}
		return []ir.Stmt{&ir.If{Cond: ir.OpLt.Of(c.from.Use(), c.to.Use()), Then: []ir.Stmt{move}}}
	}
	if n == 0 {
		return nil
	}
	by := func(j ir.Expr) ir.Expr { return ir.Add(j, ir.Integer(c.cap)) }
	if c.total != nil {
		by = func(j ir.Expr) ir.Expr { return ir.Add(j, ir.Sub(c.to.Use(), c.from.Use())) }
	}
	return st.each(n, func(j ir.Expr) ir.Stmt { return small.Store(j, small.Load(by(j))) })
}

// placed rewrites the places of the arrays of a stream in the body of a step, and totals.
func (st *stream) placed(p *step, body []ir.Stmt) []ir.Stmt {
	return st.counted(st.placer(p, false).block(body))
}

// counted replaces totals in statements.
func (st *stream) counted(block []ir.Stmt) []ir.Stmt {
	ir.Walk(block, func(x ir.Stmt) { ir.ReplaceExprs(x, st.soFar) })
	return block
}

// placer rewrites the places of arrays of which strips are stored.
func (st *stream) placer(p *step, head bool) *Rewriter {
	defs, set := flow.Definitions(p.inner()), map[*ir.Var]bool{}
	flow.NoteAssigned(p.inner(), set)
	for v := range set {
		delete(defs, v)
	}
	at := func(b *ir.Buf, index ir.Expr) ir.Expr {
		from := st.clockOf[b].from.Use()
		if c, ok := ir.IntOf(index); ok && head {
			return ir.Sub(ir.Integer(c+st.keep[b]), from)
		}
		if p.search != nil {
			return ir.Add(ir.Sub(index, from), ir.Integer(st.keep[b]))
		}
		c, _ := offsetOf(index, p.v, defs)
		return ir.Add(ir.Sub(p.v.Use(), from), ir.Integer(c+st.keep[b]))
	}
	return &Rewriter{Load: func(l *ir.Load) ir.Expr {
		if b := st.small[l.Buf]; b != nil {
			return b.Load(at(l.Buf, l.Index))
		}
		return l
	}, Store: func(s *ir.Store) ir.Stmt {
		if b := st.small[s.Buf]; b != nil {
			return b.Store(at(s.Buf, s.Index), s.X)
		}
		return s
	}}
}
