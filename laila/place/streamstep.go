package place

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// step is a loop over lo … hi of a stream, and how much later than its clock it runs.
//
// A scan whose first element is made before its loop
//
//	s = x[0]
//	a[0] = s
//	for i = 0 … n - 1: s = s + x[i + 1]; a[i + 1] = s
//
// is a step from -1 on, whose first iteration is the head. Where both are in a branch for
// arrays that have elements, cond is its condition.
type step struct {
	at     int       // where it is in the block
	stmts  []ir.Stmt // the statements of the block that belong to it
	v      *ir.Var
	lo, hi ir.Expr
	nest   *ir.Nest // one of these four
	loop   *ir.For
	filter *ir.Filter
	search *search
	head   []ir.Stmt
	cond   ir.Expr

	reads, writes []access
	odd           []*ir.Buf // read at other places
	summary       *flow.Summary
	sums          *orderedSums // nil for none
	need, delay   int64
	clock         *clock
	ticks         bool // what it writes has a clock
}

// access is element v + off of an array.
type access struct {
	buf *ir.Buf
	off int64
}

func (p *step) all() []access { return append(slices.Clone(p.reads), p.writes...) }

// buffers returns the arrays that a step uses.
func (p *step) buffers() []*ir.Buf {
	out := slices.Clone(p.odd)
	for _, a := range p.all() {
		out = append(out, a.buf)
	}
	return out
}

// uses reports whether a step uses an array near its index.
func (p *step) uses(b *ir.Buf) bool {
	return slices.ContainsFunc(p.all(), func(a access) bool { return a.buf == b })
}

// follow takes the clock of an array that a step uses, and reports whether one has a clock.
func (p *step) follow(clockOf map[*ir.Buf]*clock) bool {
	for _, a := range p.all() {
		switch c := clockOf[a.buf]; {
		case c == nil:
		case p.keeps(a.buf):
			p.clock = c.filters[0][0].clock
			return true
		default:
			p.clock = c
			return true
		}
	}
	return false
}

// astray reports whether a step uses arrays of different clocks.
func (p *step) astray(clockOf map[*ir.Buf]*clock) bool {
	return slices.ContainsFunc(p.all(), func(a access) bool {
		return clockOf[a.buf] != nil && clockOf[a.buf] != p.clock && !p.keeps(a.buf)
	})
}

// keeps reports whether b has what a filter keeps.
func (p *step) keeps(b *ir.Buf) bool { return p.filter != nil && b == p.filter.Dst }

// inner returns what a step does.
func (p *step) inner() []ir.Stmt {
	switch {
	case p.nest != nil:
		return append(append(slices.Clone(p.nest.Pre), p.nest.Body...), p.nest.Post...)
	case p.loop != nil:
		return append(slices.Clone(p.head), p.loop.Body...)
	case p.search != nil:
		return p.search.loop.Body
	}
	f := p.filter
	return append(append(slices.Clone(f.MaskPre), f.XPre...), &ir.Assign{Var: f.Count, X: f.Mask}, &ir.Assign{Var: f.Count, X: f.X})
}

const (
	// stripWork is what a step costs at most that one thread may as well run.
	stripWork = 24
	// storeWork and loadWork are what it costs to store a byte in memory that the system has
	// to clear before, and to read it again.
	storeWork = 6
	loadWork  = 3
)

// costly reports whether a step is better shared among threads than run strip by strip.
func (p *step) costly() bool { return cost.BodyWeight(p.inner()) > stripWork }

// heavy reports whether a map has loops that do more for an element than to store it costs.
func (p *step) heavy() bool {
	bytes := 0
	for _, w := range p.writes {
		bytes += ir.Width(w.buf.Elem)
	}
	return bytes > 0 && !ir.IsLoopless(p.nest.Body) && loopWeight(p.nest.Body) > int64((storeWork+loadWork)*bytes)
}

// loopWeight is what a block with short loops costs, in simple operations.
func loopWeight(block []ir.Stmt) int64 {
	n := int64(0)
	for _, x := range block {
		times, inner := int64(1), ir.Blocks(x)
		switch x := x.(type) {
		case *ir.For:
			times, _ = ir.Trips(ir.Dim{Var: x.Var, Lo: x.Lo, Hi: x.Hi})
		case *ir.Nest:
			for _, d := range append(slices.Clone(x.Dims), x.Red...) {
				trips, _ := ir.Trips(d)
				times *= trips
			}
		}
		if len(inner) == 0 {
			n += int64(cost.BodyWeight([]ir.Stmt{x}))
		}
		for _, b := range inner {
			n += times * loopWeight(*b)
		}
	}
	return n
}

// stepAt returns what is at a place of the block as a step, nil where it is none.
func (st *stream) stepAt(k int) *step {
	p := &step{at: k, stmts: []ir.Stmt{st.block[k]}}
	switch x := st.block[k].(type) {
	case *ir.Nest:
		if !streamable(x) {
			return nil
		}
		d := ir.SpaceOf(x)[0]
		p.nest, p.v, p.lo, p.hi = x, d.Var, d.Lo, d.Hi
		if !st.sums(p) {
			return nil
		}
	case *ir.For:
		if !simpleBody(x.Body) || x.Independent {
			return nil
		}
		p.loop, p.v, p.lo, p.hi = x, x.Var, x.Lo, x.Hi
		st.findHead(p)
	case *ir.If:
		if !st.guarded(p, x) {
			return nil
		}
	case *ir.Loop:
		if p.search = searchOf(x); p.search == nil {
			return nil
		}
		p.v, p.lo, p.hi = p.search.from, ir.Integer(0), p.search.end
		p.search.extreme = st.extremeOf(p.search, k)
	case *ir.Filter:
		if !straight(x.MaskPre) || !straight(x.XPre) {
			return nil
		}
		p.filter, p.v, p.lo, p.hi = x, x.Var, x.Lo, x.Hi
	default:
		return nil
	}
	if !st.note(p) || p.nest != nil && p.heavy() {
		return nil
	}
	p.summary = flow.NewSummary()
	for _, x := range p.stmts {
		p.summary.Stmt(x)
	}
	return p
}

// talks reports whether a step needs the scalars that an earlier one sets, or sets such as
// that one uses, other than sums, maxima and the like to which both add in any order, and
// flags.
func (p *step) talks(earlier *step) bool {
	free := func(v *ir.Var) bool {
		if p.filter != nil && earlier.filter != nil && p.filter.Dst == earlier.filter.Dst {
			return true
		}
		if p.flags()[v] && earlier.flags()[v] {
			return true
		}
		op := p.accumulates(v)
		return op != ir.NoBinOp && op == earlier.accumulates(v) && !p.sums.has(v) && !earlier.sums.has(v)
	}
	meet := func(x, y map[*ir.Var]bool) bool {
		for v := range x {
			if y[v] && !free(v) {
				return true
			}
		}
		return false
	}
	a, b := earlier.summary, p.summary
	return meet(a.Writes, b.Reads) || meet(a.Writes, b.Writes) || meet(a.Reads, b.Writes)
}

// flags returns the variables that a step notes faults in and does not read.
func (p *step) flags() map[*ir.Var]bool {
	flags := map[*ir.Var]bool{}
	ir.Walk(p.inner(), func(x ir.Stmt) {
		if c, ok := x.(*ir.Checked); ok {
			flags[c.Flag] = true
		}
		if a, ok := x.(*ir.Assign); ok && p.nest != nil && slices.Contains(p.nest.Flags, a.Var) {
			flags[a.Var] = notes(a)
		}
	})
	ir.Walk(p.inner(), func(x ir.Stmt) {
		if a, ok := x.(*ir.Assign); ok && flags[a.Var] && notes(a) {
			ir.EachUse(a.X.(*ir.Binary).Y, func(v *ir.Var) { delete(flags, v) })
			return
		}
		for _, e := range ir.Exprs(x) {
			if e != nil {
				ir.EachUse(e, func(v *ir.Var) { delete(flags, v) })
			}
		}
	})
	return flags
}

// notes reports whether a is flag = flag | x.
func notes(a *ir.Assign) bool {
	b, ok := a.X.(*ir.Binary)
	return ok && b.Op == ir.OpOr && ir.IsUse(b.X, a.Var)
}

// accumulates returns the operation by which a reduction adds to a variable, if it does.
func (p *step) accumulates(v *ir.Var) ir.BinOp {
	if p.nest == nil {
		return ir.NoBinOp
	}
	part := map[*ir.Var]bool{}
	for _, x := range p.nest.Pre {
		if d, ok := x.(*ir.Decl); ok && ir.IsUse(d.Init, v) {
			part[d.Var] = true
		}
	}
	for _, x := range p.nest.Post {
		a, ok := x.(*ir.Assign)
		if !ok || a.Var != v {
			continue
		}
		for _, acc := range p.nest.Accs {
			if b, ok := acc.Combine.(*ir.Binary); ok && part[acc.Var] && ir.IsUse(a.X, acc.Var) {
				return b.Op
			}
		}
	}
	return ir.NoBinOp
}

// streamable reports whether n is a map over one axis, or a reduction to scalars, of code that
// ends and has no faults and no effects.
func streamable(n *ir.Nest) bool {
	space := ir.SpaceOf(n)
	if len(space) != 1 || !ir.IsStraight(n.Pre) || !ir.IsStraight(n.Post) || !endingBody(n.Body) {
		return false
	}
	if n.Kind == ir.SegMap {
		return len(n.Pre) == 0 && len(n.Post) == 0
	}
	if n.Kind != ir.SegRed || len(n.Dims) > 0 {
		return false
	}
	for _, x := range n.Pre {
		d, ok := x.(*ir.Decl)
		if !ok {
			return false
		}
		if _, ok := d.Init.(*ir.Use); !ok {
			return false
		}
	}
	for _, x := range n.Post {
		a, ok := x.(*ir.Assign)
		if !ok {
			return false
		}
		if _, ok := a.X.(*ir.Use); !ok {
			return false
		}
	}
	return true
}

// straight reports whether a block only declares variables.
func straight(block []ir.Stmt) bool {
	for _, s := range block {
		if d, ok := s.(*ir.Decl); !ok || d.Init == nil {
			return false
		}
	}
	return true
}

// simpleBody reports whether a block has no loops, no faults and no effects.
func simpleBody(block []ir.Stmt) bool {
	for _, x := range block {
		switch x := x.(type) {
		case *ir.Decl, *ir.Assign, *ir.Checked, *ir.Store, *ir.Comment:
		case *ir.If:
			if !simpleBody(x.Then) || !simpleBody(x.Else) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// shortLoop is how many iterations a loop in a step of a stream has at most: beside more of them it
// does not matter where an element is stored.
const shortLoop = 64

// endingBody reports whether a block has no faults, no effects, and only short loops. It may have
// small arrays of its own.
func endingBody(block []ir.Stmt) bool {
	short := func(dims []ir.Dim) bool {
		return !slices.ContainsFunc(dims, func(d ir.Dim) bool {
			n, known := ir.Trips(d)
			return !known || n > shortLoop
		})
	}
	for _, x := range block {
		switch x := x.(type) {
		case *ir.Decl, *ir.Assign, *ir.Checked, *ir.Store, *ir.Comment, *ir.If:
		case *ir.For:
			if !short([]ir.Dim{{Var: x.Var, Lo: x.Lo, Hi: x.Hi}}) {
				return false
			}
		case *ir.DeclBuf:
			if x.Buf.Stack == 0 || x.Buf.Const {
				return false
			}
		case *ir.Nest:
			if x.Kind != ir.SegMap && x.Kind != ir.SegRed || !short(x.Dims) || !short(x.Red) {
				return false
			}
		default:
			return false
		}
		for _, inner := range ir.Blocks(x) {
			if !endingBody(*inner) {
				return false
			}
		}
	}
	return true
}

// findHead takes the statements of the block that make the first element of a scan.
func (st *stream) findHead(p *step) {
	var store *ir.Store
	for _, x := range p.loop.Body {
		w, ok := x.(*ir.Store)
		if c, aligned := offsetOf1(w, ok, p.v); aligned && c == 1 {
			store = w
		}
	}
	if store == nil || !ir.IsInt(p.lo, 0) {
		return
	}
	accs := map[*ir.Var]bool{}
	flow.NoteAssigned(p.loop.Body, accs)
	var head []ir.Stmt
	first := map[*ir.Var]bool{} // what the first value is computed from, of elements
	for k := p.at - 1; k >= max(p.at-fuseWindow, 0); k-- {
		x := st.block[k]
		w, isStore := x.(*ir.Store)
		d, isDecl := x.(*ir.Decl)
		done := false
		switch {
		case head == nil && isStore && w.Buf == store.Buf && ir.IsInt(w.Index, 0):
			head = []ir.Stmt{x}
			continue
		case head != nil && isDecl && first[d.Var]:
			head = append([]ir.Stmt{x}, head...)
			delete(first, d.Var)
			done = len(first) == 0
		case head != nil && isDecl && len(head) == 1 && accs[d.Var]:
			ir.EachUse(d.Init, func(v *ir.Var) {
				if y := st.defs[v]; y != nil && ir.LoadsMemory(y) {
					first[v] = true
				}
			})
			if ir.LoadsMemory(d.Init) || len(first) > 0 {
				head = append([]ir.Stmt{x}, head...)
			}
			done = len(first) == 0
		}
		if done {
			if mine := append(slices.Clone(head), p.loop); !st.usedBeside(mine) {
				p.head, p.stmts = head, mine
			}
			return
		}
		if len(head) > 0 && x == head[0] {
			continue
		}
		if t := st.Of(x); !isAlloc(x) && t.Buffers()[store.Buf] || flow.Meet(t.Reads, accs) || flow.Meet(t.Writes, accs) {
			return
		}
	}
}

// usedBeside reports whether the block uses, beside some statements, variables that these declare
// from elements.
func (st *stream) usedBeside(mine []ir.Stmt) bool {
	own := map[*ir.Var]bool{}
	for _, x := range mine {
		if d, ok := x.(*ir.Decl); ok && st.defs[d.Var] != nil {
			own[d.Var] = true
		}
	}
	return len(own) > 0 && slices.ContainsFunc(st.block, func(x ir.Stmt) bool {
		return !slices.Contains(mine, x) && flow.Meet(st.Of(x).Reads, own)
	})
}

func isAlloc(x ir.Stmt) bool {
	_, ok := x.(*ir.DeclBuf)
	return ok
}

// offsetOf1 returns c where w stores at v + c.
func offsetOf1(w *ir.Store, ok bool, v *ir.Var) (int64, bool) {
	if !ok {
		return 0, false
	}
	return offsetOf(w.Index, v, map[*ir.Var]ir.Expr{})
}

// guarded reads a scan in a branch for arrays that have elements:
//
//	if 0 < n
//	  var s = x[0]; a[0] = s
//	  for i = 0 … n - 1: s = s + x[i + 1]; a[i + 1] = s
func (st *stream) guarded(p *step, x *ir.If) bool {
	if len(x.Then) < 2 || len(x.Else) > 0 {
		return false
	}
	cond, ok := x.Cond.(*ir.Binary)
	loop, is := x.Then[len(x.Then)-1].(*ir.For)
	if !ok || !is || cond.Op != ir.OpLt || !ir.IsInt(cond.X, 0) || !ir.IsInt(loop.Lo, 0) || loop.Independent || !simpleBody(loop.Body) {
		return false
	}
	p.loop, p.v, p.lo, p.hi, p.cond = loop, loop.Var, loop.Lo, loop.Hi, x.Cond
	for _, y := range x.Then[:len(x.Then)-1] {
		switch y := y.(type) {
		case *ir.Comment:
		case *ir.Store:
			p.head = append(p.head, y)
		case *ir.Decl:
			if ir.IsUse(loop.Hi, y.Var) {
				p.hi = y.Init
				continue
			}
			p.head = append(p.head, y)
		default:
			return false
		}
	}
	b, ok := p.hi.(*ir.Binary)
	return ok && b.Op == ir.OpSub && ir.IsInt(b.Y, 1) && ir.Same(b.X, cond.Y)
}

// note finds the places of the arrays that a step uses. It reports whether it stores
// only near its index.
func (st *stream) note(p *step) bool {
	body := p.inner()
	defs, set := flow.Definitions(body), map[*ir.Var]bool{}
	flow.NoteAssigned(body, set)
	for v := range set {
		delete(defs, v)
	}
	near, own := true, map[*ir.Buf]bool{}
	ir.Walk(body, func(x ir.Stmt) {
		if d, ok := x.(*ir.DeclBuf); ok {
			own[d.Buf] = true
		}
	})
	use := func(list *[]access, b *ir.Buf, c int64, ok bool) {
		a := access{b, c}
		switch {
		case own[b]:
		case !ok || c > streamAhead || c < -streamAhead:
			near = near && list != &p.writes
			p.odd = append(p.odd, b)
		case !slices.Contains(*list, a):
			*list = append(*list, a)
		}
	}
	look := func(x ir.Stmt, place func(ir.Expr) (int64, bool)) {
		if w, ok := x.(*ir.Store); ok {
			c, ok := place(w.Index)
			use(&p.writes, w.Buf, c, ok)
		}
		for _, e := range ir.Exprs(x) {
			if e == nil {
				continue
			}
			ir.WalkExpr(e, func(e ir.Expr) {
				if l, ok := e.(*ir.Load); ok && !l.Buf.Const {
					c, ok := place(l.Index)
					use(&p.reads, l.Buf, c, ok)
				}
			})
		}
	}
	for _, x := range p.head {
		look(x, func(x ir.Expr) (int64, bool) {
			n, ok := ir.IntOf(x)
			return n + 1, ok
		})
	}
	ir.Walk(body[len(p.head):], func(x ir.Stmt) {
		look(x, func(x ir.Expr) (int64, bool) { return p.offset(x, defs) })
	})
	if p.filter != nil {
		p.writes = append(p.writes, access{p.filter.Dst, 0})
	}
	return near
}

// offset returns how far an index is ahead of the place of a step.
func (p *step) offset(x ir.Expr, defs map[*ir.Var]ir.Expr) (int64, bool) {
	if p.search == nil {
		return offsetOf(x, p.v, defs)
	}
	for _, n := range p.search.nests {
		v := n.Red[0].Var
		if c, ok := offsetOf(ir.MapExpr(x, func(y ir.Expr) ir.Expr {
			if ir.IsUse(y, v) {
				return ir.Integer(0)
			}
			return y
		}), p.v, defs); ok && ir.Mentions(x, v) {
			if _, ok := offsetOf(x, v, map[*ir.Var]ir.Expr{p.v: ir.Integer(0)}); ok {
				return c, true
			}
		}
	}
	return 0, false
}

// offsetOf returns c where x is v and c.
func offsetOf(x ir.Expr, v *ir.Var, defs map[*ir.Var]ir.Expr) (int64, bool) {
	r := affine.Reader{Linear: true, Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		switch {
		case !ok || u.Var.Kind != ir.I64:
			return affine.Unknown
		case u.Var != v && defs[u.Var] != nil:
			return r.Read(defs[u.Var])
		}
		return affine.Of(u.Var)
	}}
	step, rest := r.Read(x).Split(v)
	k, ok := step.Constant()
	c, ok2 := rest.Constant()
	return c, ok && ok2 && k == 1
}

// sameMask reports whether two filters look at the same elements.
func sameMask(x, y *ir.Filter) bool {
	if x == y {
		return true
	}
	if !ir.Same(x.Lo, y.Lo) || !ir.Same(x.Hi, y.Hi) {
		return false
	}
	plain := func(f *ir.Filter) ir.Expr {
		return expanded(f.Mask, f.MaskPre, func(e ir.Expr) ir.Expr {
			if ir.IsUse(e, f.Var) {
				return x.Var.Use()
			}
			return e
		})
	}
	return ir.Alike(plain(x), plain(y))
}

// expanded returns x with the values of the variables that a block declares in place of these,
// and with f applied to all expressions.
func expanded(x ir.Expr, block []ir.Stmt, f func(ir.Expr) ir.Expr) ir.Expr {
	defs := flow.Definitions(block)
	var read func(x ir.Expr) ir.Expr
	read = func(x ir.Expr) ir.Expr {
		return ir.MapExpr(x, func(x ir.Expr) ir.Expr {
			if u, ok := x.(*ir.Use); ok && defs[u.Var] != nil {
				return read(defs[u.Var])
			}
			return f(x)
		})
	}
	return read(x)
}
