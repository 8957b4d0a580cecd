package place

import (
	"slices"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Streams runs statements that pass vectors to each other a strip at a time, and stores
// no more than a strip of each vector that nothing else reads:
//
//	segmap i = 0 … n: x[i] = f(i)
//	filter i = 0 … n - 1 where x[i] != x[i + 1]: p[c++] = i
//	fail if r < 2
//	segred { red j = 0 … r - 1: m = m max p[j + 1] - p[j] }
//
// becomes, where r is how many elements the filter keeps, and e of x is at e - from + 1
// of its strip,
//
//	for k = 0 … (n + 1024) quo 1024 + 1
//	  from = k × 1024 min n + 1; to = from + 1024 min n + 1
//	  segmap i = from … to min n: x[i - from + 1] = f(i)
//	  have = 1
//	  filter i = (from - 1) max 0 … to - 1 where x[i - from + 1] != x[i - from + 2]: p[have++] = i
//	  first = end; end = first + (have - 1)
//	  segred { red j = (first - 1) max 0 … end - 1: m = m max p[j - first + 2] - p[j - first + 1] }
//	  x[0] = x[1024]; p[0] = p[end - first]
//	r = end
//	fail if r < 2
//
// Memory that nobody has touched yet is cleared by the system, which takes longer than
// most of these statements, and it is not read again.
//
// Steps of a stream are maps, scans, filters, and reductions, whose bodies may have short loops:
// the steps of a polynomial, the sum of a short row. Sums of doubles are in the order
// of num.Ordered (streamsums.go).
// What a filter keeps is on a clock of its own, which ticks with each element that is kept.
// A step that reads elements ahead of its own runs that much later than those that it
// reads from. Statements between steps that need nothing of them come before the loop over
// strips, the others behind it, and with them all later faults and effects.
//
// Requires: frees at the end of their block. Preserves: the values, the order of faults
// and effects.
func Streams(l *pass.Context, f *ir.Func) {
	if f.Recursive {
		return // strips take room in the stack frame
	}
	s := &streamer{Fuser: &Fuser{L: l, Sums: map[ir.Stmt]*flow.Summary{}}}
	s.defs, _ = flow.DefinedOnce(f)
	f.Body = s.block(f.Body)
}

const (
	// Between streamStrip and streamLong elements of each array are in strips, which are to
	// take streamBytes together; streamLeast is the least known length for which that pays.
	streamStrip = 1024
	streamLong  = 4096
	streamBytes = 1 << 14
	streamLeast = 1 << 15
	// streamCache is how many bytes of an array that others read are read from memory.
	streamCache = 1 << 21
	// streamBound is how many bytes there are at most for an array whose length is not
	// known before; those that it does not need are never touched.
	streamBound = 1 << 30
	// streamAhead is how many elements a step of a stream may be ahead of another one.
	streamAhead = 16
	// streamArrays is how many arrays are in strips.
	streamArrays = 16
	// streamWindow is how far steps are from the declaration of an array, in statements.
	streamWindow = 96
)

type streamer struct {
	*Fuser
	inner bool // in a loop
}

func (s *streamer) block(block []ir.Stmt) []ir.Stmt {
	tried := map[*ir.Buf]bool{}
	block = s.sink(s.hoist(block))
	for {
		st := s.find(block, tried)
		if st == nil {
			break
		}
		block = st.written()
	}
	around := s.inner
	for _, x := range block {
		switch x.(type) {
		case *ir.Loop, *ir.For, *ir.Nest:
			s.inner = true
		}
		for _, inner := range ir.Blocks(x) {
			*inner = s.block(*inner)
		}
		s.inner = around
	}
	return block
}

// stream is steps of a block that run a strip at a time.
type stream struct {
	*streamer
	block    []ir.Stmt
	steps    []*step // in their order
	decl     map[*ir.Buf]*ir.DeclBuf
	declared map[*ir.Var]int // where in the block
	// made are the arrays that steps write; those of them that are kept have others that
	// read them.
	made, kept map[*ir.Buf]bool
	clocks     []*clock // the first one counts iterations, the others what filters keep
	clockOf    map[*ir.Buf]*clock
	keep       map[*ir.Buf]int64   // how many elements stay in strips
	small      map[*ir.Buf]*ir.Buf // the strips
	late       map[ir.Stmt]bool
	totals     map[*ir.Var]*clock
	known      map[*ir.Var]bool // totals that are known before the stream
	depends    map[*ir.Var]bool // on totals
	open       map[*ir.Var]bool // on totals that are not known before the stream
}

// clock counts the elements of arrays that advance together.
type clock struct {
	total          *ir.Var // how many elements filters keep, nil for iterations
	filters        [][]*step
	from, to, have *ir.Var
	most, end      ir.Expr // the latest time at which a step has something to do
	cap            int64   // of elements of a strip
	left           *ir.Var // how many elements of the strips before do not fill a block
	over           int64   // how many ticks steps are left for when no more elements come
}

// find returns a stream of the block of which no array was tried, nil where there is none.
func (s *streamer) find(block []ir.Stmt, tried map[*ir.Buf]bool) *stream {
	st := s.of(block)
	var all []*step
	for k := range block {
		if p := st.stepAt(k); p != nil {
			all = append(all, p)
		}
	}
	for k, x := range block {
		d, ok := x.(*ir.DeclBuf)
		if !ok || tried[d.Buf] {
			continue
		}
		tried[d.Buf] = true
		near := slices.DeleteFunc(slices.Clone(all), func(p *step) bool { return p.at < k-streamWindow || p.at > k+streamWindow })
		cheap := slices.DeleteFunc(slices.Clone(near), (*step).costly)
		if st.found(near, d.Buf) || s.L.Threads && len(cheap) < len(near) && st.found(cheap, d.Buf) {
			return st
		}
	}
	return nil
}

// found reports whether there is a stream of some of the steps that the array seed binds.
func (st *stream) found(steps []*step, seed *ir.Buf) bool {
	st.known, st.steps = map[*ir.Var]bool{}, steps
	return st.settle(seed) && st.worth()
}

// of returns a stream of a block that has no steps yet.
func (s *streamer) of(block []ir.Stmt) *stream {
	st := &stream{streamer: s, block: block, decl: map[*ir.Buf]*ir.DeclBuf{}, declared: map[*ir.Var]int{}}
	for k, x := range block {
		switch x := x.(type) {
		case *ir.DeclBuf:
			st.decl[x.Buf] = x
		case *ir.Decl:
			st.declared[x.Var] = k
		}
	}
	return st
}

// settle drops steps until the others are a stream that the array seed binds, and reports
// whether there is one.
func (st *stream) settle(seed *ir.Buf) bool {
	for {
		st.arrays()
		if !st.binds(seed) {
			return false
		}
		if st.misaligned(seed) {
			continue
		}
		n := len(st.steps)
		st.connected(seed)
		if len(st.steps) == n && st.drop(st.talks) && st.tick() && st.drop(st.stuck) && st.order() && st.delays() {
			return true
		}
	}
}

// drop drops the last step for which a test holds, and reports whether there is none.
func (st *stream) drop(test func(*step) bool) bool {
	for k := len(st.steps) - 1; k >= 0; k-- {
		if test(st.steps[k]) {
			st.steps = slices.Delete(slices.Clone(st.steps), k, k+1)
			return false
		}
	}
	return true
}

// remove drops one step.
func (st *stream) remove(p *step) {
	st.drop(func(q *step) bool { return p == q })
}

// arrays finds which arrays steps make, and which of these others use.
func (st *stream) arrays() {
	st.made, st.kept = map[*ir.Buf]bool{}, map[*ir.Buf]bool{}
	mine := map[ir.Stmt]bool{}
	for _, p := range st.steps {
		for _, w := range p.writes {
			st.made[w.buf] = true
		}
		for _, x := range p.stmts {
			mine[x] = true
		}
	}
	freed := map[*ir.Buf]bool{}
	for _, x := range st.block {
		switch x := x.(type) {
		case *ir.DeclBuf:
			continue
		case *ir.Free:
			freed[x.Buf] = true
			continue
		}
		if !mine[x] {
			for b := range st.Of(x).Buffers() {
				if st.made[b] {
					st.kept[b] = true
				}
			}
		}
	}
	for b := range st.made {
		if d := st.decl[b]; d == nil || d.Zero || b.Stack > 0 || b.Const || !freed[b] {
			st.kept[b] = true
		}
	}
}

// misaligned drops the last step that uses an array which a step makes at places other than
// those near its index, and reports whether there is one. Where it uses the array seed, it drops
// the steps that make the other array.
func (st *stream) misaligned(seed *ir.Buf) bool {
	for _, p := range slices.Backward(st.steps) {
		for _, b := range p.odd {
			if !st.made[b] {
				continue
			}
			others := slices.DeleteFunc(slices.Clone(st.steps), func(q *step) bool { return st.stores(q, b) && !q.uses(seed) })
			if p.uses(seed) && len(others) < len(st.steps) {
				st.steps = others
			} else {
				st.remove(p)
			}
			return true
		}
	}
	return false
}

// talks reports whether a step exchanges scalars with an earlier one.
func (st *stream) talks(p *step) bool {
	for _, q := range st.steps {
		if q.at >= p.at {
			break
		}
		if p.talks(q) {
			return true
		}
	}
	return false
}

// connected leaves the steps that have to do with the array seed, by arrays that bind.
func (st *stream) connected(seed *ir.Buf) {
	in := map[*ir.Buf]bool{seed: true}
	has := map[*step]bool{}
	for again := true; again; {
		again = false
		for _, p := range st.steps {
			if has[p] || !slices.ContainsFunc(p.buffers(), func(b *ir.Buf) bool { return in[b] }) {
				continue
			}
			has[p], again = true, true
			for _, b := range p.buffers() {
				if st.binds(b) {
					in[b] = true
				}
			}
		}
	}
	st.steps = slices.DeleteFunc(slices.Clone(st.steps), func(p *step) bool { return !has[p] })
}

// binds reports whether steps that use an array are to run in one stream: its elements are
// not all stored, or so many that they leave the caches before they are read.
func (st *stream) binds(b *ir.Buf) bool {
	if !st.made[b] {
		return false
	}
	if !st.kept[b] {
		return true
	}
	d := st.decl[b]
	if d == nil || d.Zero || b.Stack > 0 {
		return false
	}
	n, known := ir.IntOf(d.Count)
	return !known || n*int64(ir.Width(b.Elem)) >= streamCache
}

// tick gives clocks to steps and arrays. Where that is not possible it drops a step, and
// reports false.
func (st *stream) tick() bool {
	st.clocks, st.clockOf, st.totals = []*clock{{cap: st.length()}}, map[*ir.Buf]*clock{}, map[*ir.Var]*clock{}
	for _, p := range st.steps {
		p.clock, p.ticks = nil, false
	}
	for _, first := range st.steps {
		if first.clock != nil {
			continue
		}
		first.clock = st.clocks[0]
		for again := true; again; {
			again = false
			for _, p := range st.steps {
				if p.clock == nil && !p.follow(st.clockOf) || p.ticks {
					continue
				}
				p.ticks, again = true, true
				if p.filter != nil && !st.keeps(p) {
					st.remove(p)
					return false
				}
				for _, w := range p.writes {
					if st.clockOf[w.buf] == nil {
						st.clockOf[w.buf] = p.clock
					}
				}
			}
		}
	}
	if !st.drop(func(p *step) bool { return p.astray(st.clockOf) }) {
		return false
	}
	for _, c := range st.clocks {
		slices.SortFunc(c.filters, func(x, y []*step) int { return x[0].at - y[0].at })
	}
	st.dependents()
	return true
}

// length returns how many elements of each array are in strips.
func (st *stream) length() int64 {
	bytes := int64(0)
	for b := range st.made {
		bytes += int64(ir.Width(b.Elem))
	}
	n := int64(streamLong)
	for n > streamStrip && n*bytes > streamBytes {
		n /= 2
	}
	if st.summed() {
		n = num.Block
	}
	return n
}

// keeps gives a clock to what a filter keeps, and reports whether there is one.
func (st *stream) keeps(p *step) bool {
	dst := p.filter.Dst
	total, ok := p.filter.Room.(*ir.Use)
	if !ok || st.decl[dst] == nil || st.decl[dst].Count == nil || st.defs[total.Var] == nil || !st.declaresVar(total.Var) || !st.fills(p.filter) {
		return false
	}
	c := st.clockOf[dst]
	if c == nil {
		if c = st.totals[total.Var]; c != nil { // the same mask, for other elements
			c.filters = append(c.filters, []*step{p})
			st.clockOf[dst] = c
			return c.filters[0][0].clock == p.clock
		}
		c = &clock{total: total.Var, cap: p.clock.cap + 2*streamAhead}
		st.clocks = append(st.clocks, c)
		st.totals[total.Var], st.clockOf[dst] = c, c
		c.filters = [][]*step{{p}}
		return true
	}
	group := c.group(dst)
	c.filters[group] = append(c.filters[group], p)
	slices.SortFunc(c.filters[group], func(p, q *step) int { return p.at - q.at })
	return c.filters[0][0].clock == p.clock
}

// fills reports whether only filters, from its beginning on, store in the array of f.
func (st *stream) fills(f *ir.Filter) bool {
	zero, ok := st.declared[f.Count]
	if !ok || !ir.IsInt(st.block[zero].(*ir.Decl).Init, 0) {
		return false
	}
	for _, x := range st.block {
		switch x := x.(type) {
		case *ir.DeclBuf, *ir.Free:
			continue
		case *ir.Filter:
			if x.Dst == f.Dst {
				ok = ok && x.Count == f.Count && ir.Same(x.Room, f.Room)
				continue
			}
		}
		ok = ok && !st.Of(x).Stores[f.Dst]
	}
	return ok
}

// group returns which of the filters of c keep elements in dst.
func (c *clock) group(dst *ir.Buf) int {
	return slices.IndexFunc(c.filters, func(list []*step) bool { return list[0].filter.Dst == dst })
}

func (st *stream) declaresVar(v *ir.Var) bool {
	_, ok := st.declared[v]
	return ok
}

// dependents finds the variables that are computed from totals.
func (st *stream) dependents() {
	st.depends, st.open = map[*ir.Var]bool{}, map[*ir.Var]bool{}
	for v := range st.totals {
		st.depends[v], st.open[v] = true, !st.known[v]
	}
	for _, x := range st.block {
		if d, ok := x.(*ir.Decl); ok && st.defs[d.Var] != nil && ir.MentionsAny(d.Init, st.depends) && ir.IsLoadFree(d.Init) {
			st.depends[d.Var], st.open[d.Var] = true, ir.MentionsAny(d.Init, st.open)
		}
	}
}

// resolve replaces variables that are computed from totals by these.
func (st *stream) resolve(x ir.Expr) ir.Expr {
	if x == nil || !ir.MentionsAny(x, st.depends) {
		return x
	}
	return ir.MapExpr(x, func(y ir.Expr) ir.Expr {
		if u, ok := y.(*ir.Use); ok && st.depends[u.Var] && st.totals[u.Var] == nil {
			return st.resolve(st.defs[u.Var])
		}
		return y
	})
}

// stuck reports whether a step needs a total before that is known: a bound of its loop has
// to grow with the total, and its body may use that where the loop begins near the end.
func (st *stream) stuck(p *step) bool {
	p.need = 0
	if c := p.clock; p.sums != nil && c.total != nil && c.filters[0][0].clock.total != nil {
		return true // a strip may end two blocks
	}
	lo, hi := st.resolve(p.lo), st.resolve(p.hi)
	last := false
	for _, x := range []ir.Expr{lo, hi} {
		if !ir.MentionsAny(x, st.depends) {
			continue
		}
		c, off, ok := st.grows(x)
		if !ok || c != p.clock {
			return true
		}
		p.need = max(p.need, -off)
		last = last || ir.Same(x, lo)
	}
	if p.clock.total != nil {
		c, _, ok := st.grows(hi)
		most, known := ir.IntOf(hi)
		first := p.clock.filters[0]
		if p.at < first[len(first)-1].at || !(ok && c == p.clock) && !(known && most <= streamAhead) { // nothing is kept yet, or no end is in sight
			return true
		}
	}
	n, ok := ir.IntOf(p.lo)
	if !(ok && n >= 0) && !slices.ContainsFunc(p.all(), func(a access) bool { return st.clockOf[a.buf] == p.clock && a.off <= 0 }) {
		return true
	}
	inside := false
	ir.Walk(p.inner(), func(x ir.Stmt) {
		for _, e := range ir.Exprs(x) {
			inside = inside || e != nil && ir.MentionsAny(e, st.open)
		}
	})
	if p.cond != nil && ir.MentionsAny(st.resolve(p.cond), st.depends) && p.clock.total == nil {
		return true
	}
	if inside && !last && p.clock.total != nil && !st.known[p.clock.total] && st.countedBefore(p.clock.total) && !st.awaits(p) {
		st.known[p.clock.total] = true
		st.dependents()
		return st.stuck(p)
	}
	return inside && !last || p.need > streamAhead
}

// awaits reports whether what a step does uses scalars that are computed from those which
// steps set.
func (st *stream) awaits(p *step) bool {
	set := map[*ir.Var]bool{}
	for _, q := range st.steps {
		for v := range q.summary.Writes {
			set[v] = !p.summary.Writes[v]
		}
	}
	var late func(v *ir.Var) bool
	late = func(v *ir.Var) bool {
		found := set[v]
		if x := st.defs[v]; x != nil && !found && !p.summary.Writes[v] {
			ir.EachUse(x, func(w *ir.Var) { found = found || late(w) })
		}
		return found
	}
	for v := range p.summary.Reads {
		if st.open[v] && late(v) {
			return true
		}
	}
	return false
}

// countedBefore reports whether a total is counted by others than the steps, so that it may be
// known before they run.
func (st *stream) countedBefore(total *ir.Var) bool {
	count, ok := st.defs[total].(*ir.Use)
	return ok && !slices.ContainsFunc(st.steps, func(p *step) bool { return p.summary.Writes[count.Var] })
}

// grows returns the clock whose total x has as a term, and an offset: x is at least the
// total plus the offset, and grows by at most what that does.
func (st *stream) grows(x ir.Expr) (*clock, int64, bool) {
	if u, ok := x.(*ir.Use); ok {
		c := st.totals[u.Var]
		return c, 0, c != nil
	}
	b, ok := x.(*ir.Binary)
	if !ok {
		return nil, 0, false
	}
	c, off, grows := st.grows(b.X)
	n, known := ir.IntOf(b.Y)
	switch {
	case !grows || !known:
		return nil, 0, false
	case b.Op == ir.OpAdd:
		return c, off + n, true
	case b.Op == ir.OpSub:
		return c, off - n, true
	case b.Op == ir.OpMax && n <= streamAhead:
		return c, off, true
	}
	return nil, 0, false
}

// order finds the statements between steps that come behind the loop over strips. Where a
// step does not come before one of them it is dropped, and order reports false.
func (st *stream) order() bool {
	st.late = map[ir.Stmt]bool{}
	mine := map[ir.Stmt]*step{}
	first, last := len(st.block), 0
	for _, p := range st.steps {
		for _, x := range p.stmts {
			mine[x] = p
		}
		first, last = min(first, p.at), max(last, p.at)
	}
	for v := range st.totals {
		if !st.known[v] {
			first = min(first, st.declared[v])
		}
	}
	guarded := false
	for k := first; k <= last; k++ {
		x := st.block[k]
		if mine[x] != nil || st.removed(x) {
			continue
		}
		t := st.Of(x)
		late := t.Barrier || t.Guard && guarded || st.isTotal(x)
		for j := first; j < k && !late; j++ {
			y := st.block[j]
			late = (mine[y] != nil || st.late[y]) && st.Of(y).Clashes(t)
		}
		if !late {
			continue
		}
		st.late[x] = true
		guarded = guarded || t.Guard || t.Barrier
		for j := len(st.steps) - 1; j >= 0; j-- {
			p := st.steps[j]
			if p.at > k && (t.Barrier || t.Guard && !st.safe(p) || st.meets(t, p)) {
				st.remove(p)
				return false
			}
		}
	}
	return true
}

// isTotal reports whether x declares a total, or a variable that is computed from one.
func (st *stream) isTotal(x ir.Stmt) bool {
	d, ok := x.(*ir.Decl)
	return ok && st.open[d.Var]
}

// removed reports whether x declares an array that becomes a strip, or whose extent is not
// known before the stream.
func (st *stream) removed(x ir.Stmt) bool {
	d, ok := x.(*ir.DeclBuf)
	return ok && st.made[d.Buf] && (!st.kept[d.Buf] || ir.MentionsAny(d.Count, st.open))
}

// safe reports whether a step may run where a fault would have stopped the program before:
// it uses no arrays but those of the stream, and divides by constants.
func (st *stream) safe(p *step) bool {
	ok := true
	for _, b := range p.buffers() {
		ok = ok && st.made[b] && (!st.kept[b] || !st.stores(p, b) && p.clock.total != nil)
	}
	ir.Walk(p.inner(), func(x ir.Stmt) {
		_, loop := x.(*ir.For)
		_, nest := x.(*ir.Nest)
		ok = ok && !loop && !nest
		for _, e := range ir.Exprs(x) {
			if e == nil {
				continue
			}
			ir.WalkExpr(e, func(e ir.Expr) {
				if b, is := e.(*ir.Binary); is && (b.Op == ir.OpQuo || b.Op == ir.OpRem) {
					_, known := ir.IntOf(b.Y)
					ok = ok && known
				}
			})
		}
	})
	return ok
}

func (s *streamer) stores(p *step, b *ir.Buf) bool {
	return slices.ContainsFunc(p.writes, func(w access) bool { return w.buf == b })
}

// meets reports whether a statement with summary t, which stands before a step, cannot
// come behind it.
func (st *stream) meets(t *flow.Summary, p *step) bool {
	reads := map[*ir.Var]bool{}
	u := *p.summary
	for v := range u.Reads {
		if st.leads(p) && v == p.search.extreme.result {
			continue // it uses the extreme so far
		}
		if !st.open[v] {
			reads[v] = true
			continue
		}
		ir.EachUse(st.resolve(v.Use()), func(w *ir.Var) {
			if st.totals[w] == nil {
				reads[w] = true
			}
		})
	}
	u.Reads = reads
	return t.Clashes(&u)
}

// delays finds how much later than the clock each step runs. It drops a step that would be
// too late, and reports false.
func (st *stream) delays() bool {
	for _, p := range st.steps {
		p.delay = p.need
		for _, w := range p.writes {
			if p.filter == nil {
				p.delay = max(p.delay, w.off)
			}
		}
	}
	for again := true; again; {
		again = false
		made, used := lags{}, lags{}
		for _, p := range st.steps {
			d := p.delay
			for _, r := range p.reads {
				if st.clockOf[r.buf] == p.clock {
					d = max(d, r.off+made.of(r.buf))
				}
			}
			for _, w := range p.writes {
				if p.filter == nil { // what is read or stored before comes before
					d = max(d, w.off+used.of(w.buf))
				}
			}
			if p.filter != nil {
				for _, group := range st.clockOf[p.filter.Dst].filters {
					for _, q := range group {
						d = max(d, q.delay)
					}
				}
			}
			if p.sums != nil && p.clock.total == nil {
				d = max(d, st.lead())
			}
			if d > p.delay {
				p.delay, again = d, true
			}
			if d > streamAhead || d > 0 && p.search != nil || (p.search != nil || p.sums != nil && d > 0) && p.clock.total != nil {
				st.remove(p)
				return false
			}
			for _, r := range p.reads {
				used.note(r, d)
			}
			for _, w := range p.writes {
				if p.filter != nil {
					w.off = d // its clock ticks when it is there
				}
				used.note(w, d)
				made.note(w, d)
			}
		}
	}
	return true
}

// lags has how far behind their clocks steps use arrays.
type lags map[*ir.Buf]int64

func (l lags) of(b *ir.Buf) int64 {
	if n, ok := l[b]; ok {
		return n
	}
	return -2 * streamAhead // nothing to wait for
}

func (l lags) note(a access, delay int64) { l[a.buf] = max(l.of(a.buf), delay-a.off) }

// worth reports whether the arrays of a stream may be long, and few enough.
func (st *stream) worth() bool {
	long := false
	arrays := 0
	for b := range st.made {
		if st.kept[b] {
			long = long || st.binds(b) && st.readAgain(b)
			continue
		}
		arrays++
		n, known := ir.IntOf(st.decl[b].Count)
		long = long || !known || n >= streamLeast
	}
	if st.L.Threads && !st.alone() {
		return false
	}
	return long && arrays <= streamArrays && len(st.steps) > 1 && st.alikeFilters() && st.bounded()
}

// alone reports whether one thread runs a stream about as fast as two run its steps, which
// have to go over memory: half of the work is less than what that costs, and the steps are
// not only maps and reductions.
func (st *stream) alone() bool {
	work, memory, inOrder := 0, 0, false
	for _, p := range st.steps {
		work += cost.BodyWeight(p.inner())
		inOrder = inOrder || p.loop != nil || p.filter != nil
	}
	for b := range st.made {
		if memory += loadWork * ir.Width(b.Elem); !st.kept[b] {
			memory += storeWork * ir.Width(b.Elem)
		}
	}
	return inOrder && work <= max(2*stripWork, 2*memory)
}

// readAgain reports whether a step reads what another one makes.
func (st *stream) readAgain(b *ir.Buf) bool {
	for _, p := range st.steps {
		if !st.stores(p, b) && slices.Contains(p.buffers(), b) {
			return true
		}
	}
	return false
}

// alikeFilters reports whether the filters of each clock have the same masks.
func (st *stream) alikeFilters() bool {
	for _, c := range st.clocks {
		for _, group := range c.filters {
			if len(group) != len(c.filters[0]) {
				return false
			}
			for k, p := range group {
				if !sameMask(c.filters[0][k].filter, p.filter) {
					return false
				}
			}
		}
	}
	return true
}

// bounded reports whether there is a bound of the lengths of kept arrays.
func (st *stream) bounded() bool {
	for b := range st.made {
		d := st.decl[b]
		if !st.kept[b] || d == nil || !ir.MentionsAny(d.Count, st.open) {
			continue
		}
		n, ok := st.bound(st.resolve(d.Count))
		if size, known := ir.IntOf(n); !ok || !known || size*int64(ir.Width(b.Elem)) > streamBound {
			return false
		}
	}
	return true
}

// bound returns a bound of an extent that grows with a total: as many elements as the
// filters look at.
func (st *stream) bound(x ir.Expr) (ir.Expr, bool) {
	c, off, ok := st.grows(x)
	if !ok {
		return nil, false
	}
	n := max(off, 0) + streamAhead
	for _, p := range c.filters[0] {
		trips, known := ir.Trips(ir.Dim{Lo: p.lo, Hi: p.hi})
		if !known {
			return nil, false
		}
		n += max(trips, 0)
	}
	return ir.Integer(n), true
}
