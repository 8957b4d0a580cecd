package laila

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// bounds is what is known of a loop variable v: v ≥ every lower, v < every
// upper. Where record is set, tests of v that nothing decides are noted there
// so that the index set can be split at them.
type bounds struct {
	lowers, uppers []affine.Poly
	mark           int // variables up to this number are outside the loop
	record         *[]affine.Poly
}

// Limits of index-set splitting: pieces of an axis, copies of a body, and elements of an
// axis that may be split at each of them.
const (
	maxSplits  = 3
	maxRegions = 16
	maxShort   = 8
)

// segmap runs body for every index of a space, in a parallel nest, or in
// sequential loops when there is a nest around it already.
func (g *gen) segmap(dims []ir.Expr, body func(ix []ir.Expr)) {
	if g.nest == nil {
		g.guarded(func() { g.segmap(dims, body) })
		return
	}
	g.iterate(dims, !g.nest.inside && g.nest.find == nil, body)
}

// sequence runs body for 0 … n-1 in order.
func (g *gen) sequence(n ir.Expr, body func(i ir.Expr)) {
	if g.nest == nil {
		g.guarded(func() { g.sequence(n, body) })
		return
	}
	g.iterate([]ir.Expr{n}, false, func(ix []ir.Expr) { body(ix[0]) })
}

// iterate emits the loops over a space, split where body tests the indices.
func (g *gen) iterate(dims []ir.Expr, nest bool, body func(ix []ir.Expr)) {
	it := &iteration{g: g, dims: dims, nest: nest, body: body}
	it.run()
}

// run emits the loops, in two versions where body reads arguments that may be
// extended.
func (it *iteration) run() {
	g := it.g
	if g.nest.inside || g.nest.find != nil {
		it.split()
		return
	}
	g.even = &evenness{mark: g.Created}
	it.cuts = it.cut()
	cond := g.even.condition()
	if cond == nil {
		g.even = nil
		it.all()
		return
	}
	even := g.block(it.all)
	if g.even = nil; !it.whole {
		it.nest, it.open = false, nil
	}
	if it.serial != nil && !it.whole {
		it.serial()
	}
	g.emit(&ir.If{Cond: cond, Then: even, Else: g.block(it.split)})
}

// split emits the loops, split where body tests the indices.
func (it *iteration) split() {
	it.cuts = it.cut()
	it.all()
}

// all emits the loops of all pieces.
func (it *iteration) all() {
	if !it.together() {
		it.axis(0, nil, nil)
	}
}

// cut returns where the axes are split.
func (it *iteration) cut() [][]affine.Poly {
	if !it.g.On("split") || it.whole {
		it.g.dryRun(it.dims, it.body) // it learns what may be extended, too
		return make([][]affine.Poly, len(it.dims))
	}
	cuts := it.g.dryRun(it.dims, it.body)
	regions := 1
	for a := range cuts {
		regions *= len(cuts[a]) + 1
	}
	many := regions > maxRegions
	regions = 1
	for a := range cuts {
		if limit := it.splits(a); many || len(cuts[a]) > limit {
			cuts[a] = it.g.widest(cuts[a], it.dims[a])
			if len(cuts[a]) > limit {
				cuts[a] = nil
			}
		}
		regions *= len(cuts[a]) + 1
	}
	if regions > maxRegions {
		for a := 0; a < len(cuts)-1; a++ {
			cuts[a] = nil
		}
	}
	return cuts
}

// splits returns how often an axis may be split. Short ones in a loop become a statement
// for each of their elements, which vector code has no loop for.
func (it *iteration) splits(axis int) int {
	if n, ok := ir.IntOf(it.dims[axis]); ok && n <= maxShort && it.g.nest.inside {
		return maxShort
	}
	return maxSplits
}

// dryRun runs body once, in a block that is thrown away, to learn at which
// positions it tests the indices.
func (g *gen) dryRun(dims []ir.Expr, body func(ix []ir.Expr)) [][]affine.Poly {
	cuts := make([][]affine.Poly, len(dims))
	ix := make([]ir.Expr, len(dims))
	vars := make([]*ir.Var, len(dims))
	mark := g.Created
	st := *g.nest
	st.flags = append([]*flag{}, st.flags...)
	for a := range dims {
		vars[a] = g.loopVar(ir.Integer(0), dims[a], nil)
		g.facts[vars[a]].mark = mark
		g.facts[vars[a]].record = &cuts[a]
		ix[a] = vars[a].Use()
	}
	g.nest.inside = true
	g.block(func() { body(ix) })
	*g.nest = st
	for a := range dims {
		delete(g.facts, vars[a])
	}
	return cuts
}

// loopVar makes a variable that runs from lo to hi-1.
func (g *gen) loopVar(lo, hi ir.Expr, more *bounds) *ir.Var {
	v := g.NewVar("i", ir.I64)
	g.steady[v] = true
	rl, rh := g.RangeOf(lo), g.RangeOf(hi)
	g.Ranges[v] = facts.Between(max(rl.Lo, 0), max(min(rh.Hi, facts.MaxExtent)-1, 0))
	b := &bounds{}
	if more != nil {
		*b = *more
	}
	b.lowers = append(b.lowers[:len(b.lowers):len(b.lowers)], g.linearOf(lo))
	b.uppers = append(b.uppers[:len(b.uppers):len(b.uppers)], g.linearOf(hi))
	if u, ok := hi.(*ir.Use); ok {
		if limit, ok := g.Limits[u.Var]; ok {
			b.uppers = append(b.uppers, limit)
		}
	}
	g.facts[v] = b
	return v
}

// iteration emits the loops of one space.
type iteration struct {
	g    *gen
	dims []ir.Expr
	cuts [][]affine.Poly
	nest bool
	body func(ix []ir.Expr)
	// open, for a segred over the whole space, prepares a nest and its
	// accumulator.
	open func() *ir.Nest
	// serial prepares body for loops that are no nests.
	serial func()
	// whole keeps the space together: the order of its terms matters.
	whole bool
}

// segment is a piece of an axis.
type segment struct {
	lo, hi ir.Expr
	facts  bounds
}

// single returns the only index of a segment.
func (s segment) single() (i int64, ok bool) {
	lo, known := ir.IntOf(s.lo)
	hi, bounded := ir.IntOf(s.hi)
	return lo, known && bounded && hi == lo+1
}

func (it *iteration) axis(a int, outer []ir.Dim, ix []ir.Expr) {
	g := it.g
	segments := g.pieces(it.dims[a], it.cuts[a])
	g.split = g.split || len(segments) > 1
	last := a == len(it.dims)-1
	if last && len(segments) > 1 && len(outer) > 0 {
		it.close(outer, func() {
			for _, s := range segments {
				it.one(s, nil, ix)
			}
		})
		return
	}
	for _, s := range segments {
		if last {
			it.one(s, outer, ix)
			continue
		}
		v := g.loopVar(s.lo, s.hi, &s.facts)
		it.axis(a+1, append(outer[:len(outer):len(outer)], ir.Dim{Var: v, Lo: s.lo, Hi: s.hi}), append(ix[:len(ix):len(ix)], v.Use()))
	}
}

// one emits the loops of a region that ends with the last axis's segment s.
func (it *iteration) one(s segment, outer []ir.Dim, ix []ir.Expr) {
	g := it.g
	if i, ok := s.single(); ok && outer == nil && g.nest.inside && !it.nest && it.open == nil {
		it.body(append(ix[:len(ix):len(ix)], ir.Integer(i)))
		return
	}
	v := g.loopVar(s.lo, s.hi, &s.facts)
	all := append(ix[:len(ix):len(ix)], v.Use())
	if outer == nil && len(ix) > 0 { // inside the loops of the outer axes
		g.emit(&ir.For{Var: v, Lo: s.lo, Hi: s.hi, Body: g.block(func() { it.body(all) })})
		return
	}
	it.close(append(outer[:len(outer):len(outer)], ir.Dim{Var: v, Lo: s.lo, Hi: s.hi}), func() { it.body(all) })
}

// close emits the loops of dims around body.
func (it *iteration) close(dims []ir.Dim, body func()) {
	g := it.g
	inside := g.nest.inside
	g.nest.inside = true
	var red *ir.Nest
	if it.open != nil {
		red = it.open()
	}
	stmts := g.block(body)
	g.nest.inside = inside
	if red != nil {
		red.Red, red.Body, red.Flags, red.At = dims, stmts, g.flagVars(stmts), g.src
		g.emit(red)
		return
	}
	if it.nest {
		g.emit(&ir.Nest{Kind: ir.SegMap, Dims: dims, Body: stmts, Flags: g.flagVars(stmts), At: g.src})
		return
	}
	for i := len(dims) - 1; i >= 0; i-- {
		stmts = []ir.Stmt{&ir.For{Var: dims[i].Var, Lo: dims[i].Lo, Hi: dims[i].Hi, Body: stmts}}
	}
	g.emit(stmts...)
}

// flagVars returns the flags that stmts set.
func (g *gen) flagVars(stmts []ir.Stmt) []*ir.Var {
	set := map[*ir.Var]bool{}
	flow.NoteAssigned(stmts, set)
	var vars []*ir.Var
	for _, f := range g.nest.flags {
		if set[f.v] {
			vars = append(vars, f.v)
		}
	}
	return vars
}

// pieces cuts 0 … n-1 at the given positions.
func (g *gen) pieces(n ir.Expr, cuts []affine.Poly) []segment {
	segments := []segment{{lo: ir.Integer(0), hi: n}}
	for _, k := range cuts {
		var next []segment
		at := k.Expr()
		for _, s := range segments {
			next = append(next, g.cut(s, k, at)...)
		}
		segments = next
	}
	return segments
}

func (g *gen) cut(s segment, k affine.Poly, at ir.Expr) []segment {
	low, high := s, s
	low.facts.uppers = append(s.facts.uppers[:len(s.facts.uppers):len(s.facts.uppers)], k)
	high.facts.lowers = append(s.facts.lowers[:len(s.facts.lowers):len(s.facts.lowers)], k)
	mid := g.clamp(at, s.lo, s.hi)
	if ir.Same(mid, s.lo) {
		return []segment{high}
	}
	if ir.Same(mid, s.hi) {
		return []segment{low}
	}
	mid = g.atom("mid", mid)
	low.hi, high.lo = mid, mid
	var both []segment
	if !low.facts.empty() {
		both = append(both, low)
	}
	if !high.facts.empty() {
		both = append(both, high)
	}
	return both
}

// clamp returns x limited to lo … hi.
func (g *gen) clamp(x, lo, hi ir.Expr) ir.Expr {
	fx, fl, fh := g.linearOf(x), g.linearOf(lo), g.linearOf(hi)
	if g.notPositive(fx.Minus(fl)) {
		return lo
	} else if !g.notPositive(fl.Minus(fx)) {
		x = g.Larger(x, lo)
	}
	if g.notPositive(fh.Minus(fx)) {
		return hi
	} else if !g.notPositive(fx.Minus(fh)) {
		x = g.Smaller(x, hi)
	}
	return x
}

// empty reports whether no number is within the bounds.
func (b *bounds) empty() bool {
	for _, l := range b.lowers {
		for _, u := range b.uppers {
			if d, ok := u.Minus(l).Constant(); ok && d <= 0 {
				return true
			}
		}
	}
	return false
}

// verdict is the outcome of a test.
type verdict uint8

const (
	unknown verdict = iota
	yes
	no
)

// decide tests i < k with what is known of the loop variables, and notes where
// an index set could be split.
func (g *gen) decide(f affine.Poly) verdict {
	if r := g.RangeOfSum(f); r.Hi < 0 {
		return yes
	} else if r.Lo >= 0 {
		return no
	}
	h := g.normal(f)
	if g.On("knowledge") {
		if c, ok := h.Constant(); ok && c < 0 {
			return yes
		} else if ok {
			return no
		}
		if r := g.decideBounds(h, false); r != unknown {
			return r
		}
	}
	if g.held.known.Len() > 0 {
		if g.notPositive(f.Add(1)) {
			return yes
		} else if g.notPositive(f.Scaled(-1)) {
			return no
		}
	}
	if r := g.decideBounds(f, true); r != unknown || g.indexed(f) || !g.On("knowledge") {
		return r
	}
	return g.decideBounds(h, true) // it tests what is made from an index
}

// indexed reports whether f mentions the variable of a loop that may be split.
func (g *gen) indexed(f affine.Poly) bool {
	for _, v := range f.Vars() {
		if b := g.facts[v]; b != nil && b.record != nil {
			return true
		}
	}
	return false
}

// decideBounds tests i < k with the bounds of loop variables.
func (g *gen) decideBounds(f affine.Poly, note bool) verdict {
	for _, v := range f.Vars() {
		b, c := g.facts[v], f.Coef(v)
		if b == nil || c != 1 && c != -1 {
			continue
		}
		// v < k, or not v < k when c is -1.
		k := f.Minus(affine.Of(v).Scaled(c)).Scaled(-c)
		if c < 0 {
			k = k.Add(1)
		}
		switch r := g.below(b, k); {
		case r == unknown:
		case (r == yes) == (c > 0):
			return yes
		default:
			return no
		}
		if note {
			g.note(b, k)
		}
	}
	return unknown
}

// below tests whether what has the bounds b is less than k.
func (g *gen) below(b *bounds, k affine.Poly) verdict {
	for _, u := range b.uppers {
		if g.notPositive(u.Minus(k)) {
			return yes
		}
	}
	for _, l := range b.lowers {
		if g.notPositive(k.Minus(l)) {
			return no
		}
	}
	return unknown
}

// note records that the loop of b could be split at k.
func (g *gen) note(b *bounds, k affine.Poly) {
	if b.record == nil || !k.Known() {
		return
	}
	for _, w := range k.Vars() {
		if w.ID > b.mark {
			return
		}
	}
	for _, seen := range *b.record {
		if seen.Equal(k) {
			return
		}
	}
	*b.record = append(*b.record, k)
}

// branch gives then where i < k, else els. Only the chosen one is evaluated.
func (g *gen) branch(i, k ir.Expr, then, els func() ir.Expr) ir.Expr {
	f := g.linearOf(ir.Sub(i, k))
	switch g.decide(f) {
	case yes:
		return then()
	case no:
		return els()
	}
	return g.ifElse(ir.OpLt.Of(i, k), then, els)
}

// ifElse evaluates one of two scalars.
func (g *gen) ifElse(cond ir.Expr, then, els func() ir.Expr) ir.Expr {
	if n, ok := ir.IntOf(cond); ok {
		if n != 0 {
			return then()
		}
		return els()
	}
	test := cond
	cond = g.atom("c", cond)
	var x, y ir.Expr
	thenBlock := g.block(func() { g.suppose(test, true); x = then() })
	elseBlock := g.block(func() { g.suppose(test, false); y = els() })
	if len(thenBlock) == 0 && len(elseBlock) == 0 && !cost.IsCostly(x) && !cost.IsCostly(y) {
		return ir.Choose(cond, x, y)
	}
	v := g.NewVar("t", x.Kind())
	if x.Kind().Exact() {
		g.Ranges[v] = g.RangeOf(x).Union(g.RangeOf(y))
	}
	g.emit(v.Decl(nil))
	g.emit(&ir.If{Cond: cond, Then: before(thenBlock, v.Assign(x)), Else: before(elseBlock, v.Assign(y))})
	return v.Use()
}

// before inserts s into a block before the statements that free its buffers.
func before(block []ir.Stmt, s ir.Stmt) []ir.Stmt {
	n := len(block)
	for n > 0 {
		if _, ok := block[n-1].(*ir.Free); !ok {
			break
		}
		n--
	}
	return append(append(append([]ir.Stmt{}, block[:n]...), s), block[n:]...)
}
