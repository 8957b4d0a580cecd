package laila

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/live"
	"github.com/tailor-lang/tailor/tail"
)

// selector is an index along one axis: nothing for an elided one, a scalar, or
// an array of indices.
type selector struct {
	all    bool
	x      ir.Expr
	arr    *pull
	proved bool
}

// selectors prepares the indices of an index or update. Scalars are checked at
// once.
func (g *gen) selectors(e *tail.Apply, p *pull, args []*value) []selector {
	ss := make([]selector, len(args))
	for a := len(args) - 1; a >= 0; a-- {
		v := args[a]
		switch {
		case v.tup != nil:
			ss[a] = selector{all: true}
		case v.x != nil:
			x := g.atom("i", v.x)
			g.checkIndex(e, x, p.dims[a], a)
			ss[a] = selector{x: ir.Sub(x, ir.Integer(1)), proved: true}
		default:
			g.pullable(v.arr)
			ss[a] = selector{arr: v.arr, proved: g.indexProved(v.arr, p.dims[a])}
		}
	}
	return ss
}

// indexProved reports whether the range of the indices is known to fit.
func (g *gen) indexProved(ix *pull, n ir.Expr) bool {
	if ix.rng.Lo >= 1 && ix.rng.Hi <= g.RangeOf(n).Lo {
		return true
	}
	inside := func(x ir.Expr) bool {
		return x.Kind() == ir.I64 && g.RangeOf(x).Lo >= 1 && g.decide(g.linearOf(ir.Sub(x, ir.Add(n, ir.Integer(1))))) == yes
	}
	if ix.elems != nil && g.On("neighbours") {
		for _, x := range ix.elems {
			if !inside(x) {
				return false
			}
		}
		return true
	}
	proved := false
	st := g.nest
	g.nest = &nestState{inside: true}
	if ix.cost <= 8 && ix.rank() == 1 && (ix.flat != nil || ix.at != nil) {
		g.block(func() {
			i := g.loopVar(ir.Integer(0), ix.dims[0], nil).Use()
			proved = inside(g.index(ix, []ir.Expr{i}))
		})
	}
	g.nest = st
	return proved
}

// checkIndex checks 1 ≤ x ≤ n, as far as it is not known, and returns x.
func (g *gen) checkIndex(e *tail.Apply, x, n ir.Expr, axis int) ir.Expr {
	var low, high ir.Expr = ir.Boolean(false), ir.Boolean(false)
	switch x.(type) {
	case *ir.Use, *ir.Binary, *ir.Int:
		below, above := g.decide(g.linearOf(ir.Sub(x, ir.Integer(1)))), g.decide(g.linearOf(ir.Sub(x, ir.Add(n, ir.Integer(1)))))
		x = g.atom("i", x)
		if below != no {
			low = g.Compare(ir.OpLt, x, ir.Integer(1))
		}
		if above != yes {
			high = g.Compare(ir.OpGt, x, n)
		}
	default:
		x = g.atom("i", x)
		low, high = g.Compare(ir.OpLt, x, ir.Integer(1)), g.Compare(ir.OpGt, x, n)
	}
	bad := ir.Or(low, high)
	g.failNow(bad, tail.FaultIndex, siteOf(e), func() []ir.FailArg {
		return []ir.FailArg{{X: x}, {X: n}, {X: ir.Integer(int64(axis + 1))}}
	})
	if u, ok := x.(*ir.Use); ok && !ir.IsInt(bad, 0) {
		g.learn(u.Var, ir.Integer(1), ir.Add(n, ir.Integer(1)))
	}
	return x
}

// learn notes lo ≤ v < hi for the rest of the current block.
func (g *gen) learn(v *ir.Var, lo, hi ir.Expr) {
	old := g.facts[v]
	b := &bounds{}
	if old != nil {
		*b = *old
	}
	b.lowers = append(b.lowers[:len(b.lowers):len(b.lowers)], g.linearOf(lo))
	b.uppers = append(b.uppers[:len(b.uppers):len(b.uppers)], g.linearOf(hi))
	g.facts[v] = b
	g.blk.learnt = append(g.blk.learnt, learnt{v, old})
}

// pos returns the position, from 0, that s selects for the part ix of an
// index.
func (g *gen) pos(e *tail.Apply, s selector, ix []ir.Expr, n ir.Expr, axis int) ir.Expr {
	switch {
	case s.all:
		return ix[0]
	case s.arr == nil:
		return s.x
	}
	x := g.index(s.arr, ix)
	if !s.proved {
		x = g.checkIndex(e, x, n, axis)
	}
	return ir.Sub(x, ir.Integer(1))
}

func (s selector) rank() int {
	switch {
	case s.all:
		return 1
	case s.arr == nil:
		return 0
	}
	return s.arr.rank()
}

// dims returns the extents of the selection.
func selectionDims(ss []selector, p *pull) []ir.Expr {
	var dims []ir.Expr
	for a, s := range ss {
		switch {
		case s.all:
			dims = append(dims, p.dims[a])
		case s.arr != nil:
			dims = append(dims, s.arr.dims...)
		}
	}
	return dims
}

// source returns the index into p for an index of the selection.
func (g *gen) source(e *tail.Apply, ss []selector, p *pull, ix []ir.Expr) []ir.Expr {
	from := make([]ir.Expr, len(ss))
	starts := make([]int, len(ss))
	n := 0
	for a, s := range ss {
		starts[a] = n
		n += s.rank()
	}
	for a := len(ss) - 1; a >= 0; a-- {
		from[a] = g.pos(e, ss[a], ix[starts[a]:starts[a]+ss[a].rank()], p.dims[a], a)
	}
	return from
}

// gather is x[i;j;…].
func (g *gen) gather(e *tail.Apply, args []*value) *value {
	p := args[0].arr
	if len(args) == 2 {
		if q := g.sortedBy(p, args[1].arr); q != nil {
			return array1(q)
		}
	}
	g.total(p)
	ss := g.selectors(e, p, args[1:])
	dims := selectionDims(ss, p)
	if len(dims) == 0 {
		return scalar1(g.atom("x", g.index(p, g.source(e, ss, p, nil))))
	}
	bulk := false
	q := &pull{elem: p.elem, dims: dims, rng: p.rng, cost: 1, srcs: []*pull{p}}
	for _, s := range ss {
		if s.arr != nil {
			bulk = true
			q.srcs = append(q.srcs, s.arr)
			q.cost += s.arr.cost
			q.faults = q.faults || s.arr.faults || !s.proved
		}
	}
	if bulk {
		g.reread(p)
	}
	if bulk {
		q.cost += p.cost
	} else {
		q.cost = p.cost
	}
	q.selection = &selection{p, ss}
	q.at = func(ix []ir.Expr) ir.Expr { return g.index(p, g.source(e, ss, p, ix)) }
	if lead, ok := leadingScalars(ss); ok && p.flat != nil {
		base := g.atom("base", ir.Mul(g.ravelIndex(p.dims[:len(lead)], lead), ir.Product(p.dims[len(lead):])))
		q.flat = func(i ir.Expr) ir.Expr { return g.indexFlat(p, ir.Add(base, i)) }
	}
	return array1(q)
}

// leadingScalars returns the positions on the leading axes when all other axes
// are taken whole.
func leadingScalars(ss []selector) ([]ir.Expr, bool) {
	var lead []ir.Expr
	for a, s := range ss {
		switch {
		case s.arr != nil || s.x != nil && len(lead) < a:
			return nil, false
		case s.x != nil:
			lead = append(lead, s.x)
		}
	}
	return lead, true
}

// update is x with a selection replaced. The old array is written in place
// where it is dead, else it is copied first.
func (g *gen) update(e *tail.Apply, args []*value) *value {
	p, v := args[0].arr, args[len(args)-1]
	if p.buf != nil { // indices and new elements that are p itself may become copies, but p must not
		q := *p
		p = &q
	}
	ss := g.selectors(e, p, args[1:len(args)-1])
	dims := selectionDims(ss, p)
	if v.arr != nil {
		g.updateFits(e, dims, v.arr)
	}
	// The new elements and the indices must not read what is being written.
	overwrites := g.overwrites(e, p, v)
	hazard := func(q *pull) bool { return q != nil && overwrites && q.reads(p.buf, map[*pull]bool{}) }
	if v.arr != nil && (v.arr.faults || hazard(v.arr) && !g.samePlaces(v.arr, p, ss) || v.arr.at == nil && v.arr.flat == nil) {
		g.materialise(g.detached(v.arr, p))
	}
	for i := range ss {
		if q := ss[i].arr; q != nil && (q.faults || hazard(q) || q.cost > 8) {
			g.materialise(g.detached(q, p))
		}
		if q := ss[i].arr; q != nil && !ss[i].proved {
			g.reread(q)
			g.checkAll(e, q, p.dims[i], i)
			ss[i].proved = true
		}
	}
	x := v.x
	if x != nil {
		x = g.atom("x", x)
	}
	q := g.writable(p, v, overwrites)
	buf := q.buf
	write := func(ix []ir.Expr) {
		y := x
		if v.arr != nil {
			y = g.index(v.arr, ix)
		}
		at := g.ravelIndex(q.dims, g.source(e, ss, q, ix))
		g.emit(buf.Store(at, ir.ConvertTo(buf.Elem, y)))
	}
	scatter := false
	for _, s := range ss {
		scatter = scatter || s.arr != nil
	}
	switch {
	case len(dims) == 0:
		write(nil)
	case scatter && !g.injective(ss): // a repeated index keeps the last value
		g.inOrder(dims, write)
	default:
		g.segmap(dims, write)
	}
	return array1(q)
}

// selection says which elements of an array a gather reads.
type selection struct {
	p  *pull
	ss []selector
}

// samePlaces reports whether v reads p only at the very places that its
// elements are stored to, each of them once, so that v can be computed while
// p is being written.
func (g *gen) samePlaces(v, p *pull, ss []selector) bool {
	if v.selection != nil && v.selection.p.buf == p.buf {
		return sameSelectors(v.selection.ss, ss) && g.injective(ss)
	}
	if !v.pointwise {
		return !v.reads(p.buf, map[*pull]bool{})
	}
	for _, q := range v.srcs {
		if !g.samePlaces(q, p, ss) {
			return false
		}
	}
	return true
}

func sameSelectors(x, y []selector) bool {
	if len(x) != len(y) {
		return false
	}
	for a := range x {
		switch {
		case x[a].all && y[a].all:
		case x[a].arr != nil && x[a].arr == y[a].arr:
		case x[a].x != nil && y[a].x != nil && ir.Same(x[a].x, y[a].x):
		default:
			return false
		}
	}
	return true
}

// injective reports whether no index is repeated: indices move by one.
func (g *gen) injective(ss []selector) bool {
	for _, s := range ss {
		if s.arr == nil {
			continue
		}
		if s.arr.rank() != 1 || s.arr.cost > 8 || s.arr.buf != nil {
			return false
		}
		ok := false
		g.block(func() {
			v := g.loopVar(ir.Integer(0), s.arr.dims[0], nil)
			x := g.index(s.arr, []ir.Expr{v.Use()})
			switch x.(type) {
			case *ir.Use, *ir.Binary:
				c := g.linearOf(x).Coef(v)
				ok = c == 1 || c == -1
			}
		})
		if !ok {
			return false
		}
	}
	return true
}

// detached returns q; when q is the very array that is written, a copy.
func (g *gen) detached(q, p *pull) *pull {
	if q.buf != nil && q.buf == p.buf {
		c := g.copied(q)
		*q = *c
	}
	return q
}

// ir.InOrder runs body for every index of a space in row-major order.
func (g *gen) inOrder(dims []ir.Expr, body func(ix []ir.Expr)) {
	if g.nest == nil {
		g.guarded(func() { g.inOrder(dims, body) })
		return
	}
	inside := g.nest.inside
	g.nest.inside = true
	g.iterate(dims, false, body)
	g.nest.inside = inside
}

// checkAll checks indices before anything is written.
func (g *gen) checkAll(e *tail.Apply, q *pull, n ir.Expr, axis int) {
	g.inOrder(q.dims, func(ix []ir.Expr) {
		g.checkIndex(e, g.index(q, ix), n, axis)
	})
}

// updateFits checks that new elements have the selection's shape; axes of one
// item do not count.
func (g *gen) updateFits(e *tail.Apply, dims []ir.Expr, v *pull) {
	if len(dims) == v.rank() {
		for a := range dims {
			if ir.Same(dims[a], v.dims[a]) {
				continue
			}
			g.failIf(g.Compare(ir.OpNe, dims[a], v.dims[a]), tail.FaultUpdate, siteOf(e), func() []ir.FailArg {
				return []ir.FailArg{shapeArg(dims), shapeArg(v.dims)}
			})
		}
		return
	}
	g.refuse(e.Where, "an indexed assignment of another rank than the selection")
}

// overwrites reports whether the update e, by v, may write to the storage of p: it
// holds the range of the new elements, and nothing reads it any more.
func (g *gen) overwrites(e *tail.Apply, p *pull, v *value) bool {
	fits := p.buf != nil && (p.elem != ir.I64 && p.buf.Elem == p.elem || p.elem.Exact() && facts.Fits(p.buf.Elem, p.rng.Union(g.rangeOfValue(v))))
	return fits && g.dead(e, p)
}

// rangeOfValue bounds a scalar of integers, or the elements of an array.
func (g *gen) rangeOfValue(v *value) facts.Interval {
	if v.arr != nil {
		return v.arr.rng
	}
	return g.RangeOf(v.x)
}

// writable returns p in a buffer that may be written: p's own where e overwrites it,
// else a copy. v is the new elements, whose range the storage must hold.
func (g *gen) writable(p *pull, v *value, overwrites bool) *pull {
	r := p.rng.Union(g.rangeOfValue(v))
	delete(g.BufSpans, p.buf)
	if overwrites {
		if p.elem.Exact() {
			g.Bufs[p.buf] = r
		}
		return g.stored(p.elem, p.buf, p.dims)
	}
	q := &pull{elem: p.elem, dims: p.dims, at: p.at, flat: p.flat, fill: p.fill, drive: p.drive, elems: p.elems,
		rng: r, faults: p.faults, cost: p.cost, srcs: []*pull{p}}
	k := p.elem
	if k == ir.I64 {
		k = facts.Narrowest(r)
	}
	buf := g.heap("u", k, p.dims)
	if k.Exact() {
		g.Bufs[buf] = r
	}
	if p.buf != nil && p.buf.Elem == k {
		g.emit(&ir.Copy{Dst: buf, DstIndex: ir.Integer(0), Src: p.buf, SrcIndex: ir.Integer(0), Count: g.count(p)})
	} else {
		g.fillBuf(q, buf)
	}
	return g.stored(p.elem, buf, p.dims)
}

// dead reports whether the update e may overwrite p: the buffer belongs to the
// function at hand, nothing mentions p's variable later, and no delayed array
// that is still needed reads it.
func (g *gen) dead(e *tail.Apply, p *pull) bool { return g.deadFrom(e, e.Args[0], p) }

// deadFrom is dead for the array that an argument of e, or a part of one, gives.
func (g *gen) deadFrom(e *tail.Apply, arg tail.Expr, p *pull) bool {
	if p.buf.Const {
		return false
	}
	if owned, _ := g.owns(p.buf); !owned && !g.state[p.buf] {
		return false
	}
	switch x := arg.(type) {
	case *tail.Ref:
		if !g.live.Last[x] {
			return false
		}
	case *tail.Proj:
		if r, ok := live.ComponentOf(x); !ok || g.env.get(r.V) == nil { // else its later uses are found below
			return false
		}
	case *tail.Apply, *tail.Call, *tail.If, *tail.Let:
	default:
		return false
	}
	return !g.keeps(nil, p.buf, g.live.Times[e])
}

func reads(v *value, buf *ir.Buf) bool {
	if v.arr != nil && v.arr.reads(buf, map[*pull]bool{}) {
		return true
	}
	for _, t := range v.tup {
		if reads(t, buf) {
			return true
		}
	}
	return false
}
