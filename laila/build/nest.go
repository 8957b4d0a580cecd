package build

import (
	"cmp"
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Bounds is what is known of a loop variable v: v ≥ every lower, v < every
// upper. Where record is set, tests of v that nothing decides are noted there
// so that the index set can be split at them.
type Bounds struct {
	Lowers, Uppers []affine.Poly
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

// Segmap runs body for every index of a space, in a parallel nest, or in
// sequential loops when there is a nest around it already.
func (g *Builder) Segmap(dims []ir.Expr, body func(ix []ir.Expr)) {
	if g.Nest == nil {
		g.Guarded(func() { g.Segmap(dims, body) })
		return
	}
	g.Iterate(dims, !g.Nest.Inside && g.Nest.Find == nil, body)
}

// Sequence runs body for 0 … n-1 in order.
func (g *Builder) Sequence(n ir.Expr, body func(i ir.Expr)) {
	if g.Nest == nil {
		g.Guarded(func() { g.Sequence(n, body) })
		return
	}
	g.Iterate([]ir.Expr{n}, false, func(ix []ir.Expr) { body(ix[0]) })
}

// Loop emits a loop over lo … hi-1.
func (g *Builder) Loop(lo, hi ir.Expr, independent bool, body func(i ir.Expr)) {
	v := g.LoopVar(lo, hi, nil)
	g.Emit(&ir.For{Var: v, Lo: lo, Hi: hi, Independent: independent, Body: g.Block(func() { body(v.Use()) })})
}

// Iterate emits the loops over a space, split where body tests the indices.
func (g *Builder) Iterate(dims []ir.Expr, nest bool, body func(ix []ir.Expr)) {
	it := &Iteration{G: g, Dims: dims, Nest: nest, Body: body}
	it.Run()
}

// Run emits the loops, in two versions where body reads arguments that may be
// extended.
func (it *Iteration) Run() {
	g := it.G
	if g.Nest.Inside || g.Nest.Find != nil {
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
	even := g.Block(it.all)
	if g.even = nil; !it.Whole {
		it.Nest, it.Open = false, nil
	}
	if it.Serial != nil && !it.Whole {
		it.Serial()
	}
	g.Emit(&ir.If{Cond: cond, Then: even, Else: g.Block(it.split)})
}

// split emits the loops, split where body tests the indices.
func (it *Iteration) split() {
	it.cuts = it.cut()
	it.all()
}

// all emits the loops of all pieces.
func (it *Iteration) all() {
	if !it.together() {
		it.axis(0, nil, nil)
	}
}

// cut returns where the axes are split.
func (it *Iteration) cut() [][]affine.Poly {
	if !it.G.On("split") || it.Whole {
		it.G.dryRun(it.Dims, it.Body) // it learns what may be extended, too
		return make([][]affine.Poly, len(it.Dims))
	}
	cuts := it.G.dryRun(it.Dims, it.Body)
	regions := 1
	for a := range cuts {
		regions *= len(cuts[a]) + 1
	}
	many := regions > maxRegions
	regions = 1
	for a := range cuts {
		if limit := it.splits(a); many || len(cuts[a]) > limit {
			cuts[a] = it.G.widest(cuts[a], it.Dims[a])
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
func (it *Iteration) splits(axis int) int {
	if n, ok := ir.IntOf(it.Dims[axis]); ok && n <= maxShort && it.G.Nest.Inside {
		return maxShort
	}
	return maxSplits
}

// dryRun runs body once, in a block that is thrown away, to learn at which
// positions it tests the indices.
func (g *Builder) dryRun(dims []ir.Expr, body func(ix []ir.Expr)) [][]affine.Poly {
	cuts := make([][]affine.Poly, len(dims))
	ix := make([]ir.Expr, len(dims))
	vars := make([]*ir.Var, len(dims))
	mark := g.Created
	st := *g.Nest
	st.Flags = append([]*Flag{}, st.Flags...)
	for a := range dims {
		vars[a] = g.LoopVar(ir.Integer(0), dims[a], nil)
		g.Facts[vars[a]].mark = mark
		g.Facts[vars[a]].record = &cuts[a]
		ix[a] = vars[a].Use()
	}
	g.Nest.Inside = true
	dry := g.dry
	g.dry = true
	g.Block(func() { body(ix) })
	g.dry = dry
	*g.Nest = st
	for a := range dims {
		delete(g.Facts, vars[a])
	}
	return cuts
}

// LoopVar makes a variable that runs from lo to hi-1.
func (g *Builder) LoopVar(lo, hi ir.Expr, more *Bounds) *ir.Var {
	v := g.NewVar("i", ir.I64)
	g.Steady[v] = true
	rl, rh := g.RangeOf(lo), g.RangeOf(hi)
	g.Ranges[v] = facts.Between(max(rl.Lo, 0), max(min(rh.Hi, facts.MaxExtent)-1, 0))
	b := &Bounds{}
	if more != nil {
		*b = *more
	}
	b.Lowers = append(b.Lowers[:len(b.Lowers):len(b.Lowers)], g.LinearOf(lo))
	b.Uppers = append(b.Uppers[:len(b.Uppers):len(b.Uppers)], g.LinearOf(hi))
	if u, ok := hi.(*ir.Use); ok {
		if limit, ok := g.Limits[u.Var]; ok {
			b.Uppers = append(b.Uppers, limit)
		}
	}
	g.Facts[v] = b
	return v
}

// Iteration emits the loops of one space.
type Iteration struct {
	G    *Builder
	Dims []ir.Expr
	cuts [][]affine.Poly
	Nest bool
	part int64 // of the pieces of the space, Nest.Split
	Body func(ix []ir.Expr)
	// open, for a segred over the whole space, prepares a nest and its
	// accumulator.
	Open func() *ir.Nest
	// Serial prepares body for loops that are no nests.
	Serial func()
	// Whole keeps the space together: the order of its terms matters.
	Whole bool
}

// segment is a piece of an axis.
type segment struct {
	Lo, Hi ir.Expr
	Facts  Bounds
}

// single returns the only index of a segment.
func (s segment) single() (i int64, ok bool) {
	lo, known := ir.IntOf(s.Lo)
	hi, bounded := ir.IntOf(s.Hi)
	return lo, known && bounded && hi == lo+1
}

func (it *Iteration) axis(a int, outer []ir.Dim, ix []ir.Expr) {
	g := it.G
	segments := g.Pieces(it.Dims[a], it.cuts[a])
	if len(segments) > 1 && it.part == 0 {
		g.split, g.Splits = true, g.Splits+1
		it.part = g.Splits
	}
	last := a == len(it.Dims)-1
	if last && len(segments) > 1 && len(outer) > 0 && !(it.Nest && it.Open == nil && g.Target == pass.GPUKernels) {
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
		v := g.LoopVar(s.Lo, s.Hi, &s.Facts)
		it.axis(a+1, append(outer[:len(outer):len(outer)], ir.Dim{Var: v, Lo: s.Lo, Hi: s.Hi}), append(ix[:len(ix):len(ix)], v.Use()))
	}
}

// one emits the loops of a region that ends with the last axis's segment s.
func (it *Iteration) one(s segment, outer []ir.Dim, ix []ir.Expr) {
	g := it.G
	if i, ok := s.single(); ok && outer == nil && g.Nest.Inside && !it.Nest && it.Open == nil {
		it.Body(append(ix[:len(ix):len(ix)], ir.Integer(i)))
		return
	}
	v := g.LoopVar(s.Lo, s.Hi, &s.Facts)
	all := append(ix[:len(ix):len(ix)], v.Use())
	if outer == nil && len(ix) > 0 { // inside the loops of the outer axes
		before, body := hoisted(v, g.Block(func() { it.Body(all) }))
		g.Emit(before...)
		g.Emit(&ir.For{Var: v, Lo: s.Lo, Hi: s.Hi, Body: body, At: g.Src})
		return
	}
	it.close(append(outer[:len(outer):len(outer)], ir.Dim{Var: v, Lo: s.Lo, Hi: s.Hi}), func() { it.Body(all) })
}

// hoisted returns the declarations at the beginning of the body of a loop over v that are
// the same in each iteration, and the rest of the body. C compilers do not hoist choices:
//
//	for j: at = i < 1 ? i + n-1 : i - 1; … a[at*m + j]
//
//	at = i < 1 ? i + n-1 : i - 1
//	for j: … a[at*m + j]
func hoisted(v *ir.Var, body []ir.Stmt) (before, rest []ir.Stmt) {
	inside := map[*ir.Var]bool{v: true}
	flow.NoteAssigned(body, inside)
	for i, s := range body {
		d, ok := s.(*ir.Decl)
		if !ok {
			return before, append(rest, body[i:]...)
		}
		if !inside[d.Var] && d.Init != nil && ir.IsLoadFree(d.Init) && !ir.MentionsAny(d.Init, inside) {
			before = append(before, s)
			continue
		}
		inside[d.Var] = true
		rest = append(rest, s)
	}
	return before, rest
}

// close emits the loops of dims around body.
func (it *Iteration) close(dims []ir.Dim, body func()) {
	g := it.G
	inside := g.Nest.Inside
	g.Nest.Inside = true
	var red *ir.Nest
	if it.Open != nil {
		red = it.Open()
	}
	stmts := g.Block(body)
	g.Nest.Inside = inside
	if red != nil {
		red.Red, red.Body, red.Flags = dims, stmts, g.flagVars(stmts)
		if !red.At.Valid() {
			red.At = g.Src
		}
		g.Emit(red)
		return
	}
	if it.Nest {
		g.Emit(&ir.Nest{Kind: ir.SegMap, Dims: dims, Body: stmts, Flags: g.flagVars(stmts), Split: it.part, At: g.Src})
		return
	}
	for i := len(dims) - 1; i >= 0; i-- {
		stmts = []ir.Stmt{&ir.For{Var: dims[i].Var, Lo: dims[i].Lo, Hi: dims[i].Hi, Body: stmts, At: g.Src}}
	}
	g.Emit(stmts...)
}

// flagVars returns the flags that stmts set.
func (g *Builder) flagVars(stmts []ir.Stmt) []*ir.Var {
	set := map[*ir.Var]bool{}
	flow.NoteAssigned(stmts, set)
	var vars []*ir.Var
	for _, f := range g.Nest.Flags {
		if set[f.V] {
			vars = append(vars, f.V)
		}
	}
	return vars
}

// Pieces cuts 0 … n-1 at the given positions. A short piece at the beginning is not cut
// where it is unknown whether a position is within it, as of 1 and n-1:
//
//	0 … min(1, n)   1 … max(1, n-1)   max(1, n-1) … n
//
// The tests of its indices stay.
func (g *Builder) Pieces(n ir.Expr, cuts []affine.Poly) []segment {
	segments := []segment{{Lo: ir.Integer(0), Hi: n}}
	for _, k := range constantsFirst(cuts) {
		var next []segment
		at := k.Expr()
		for _, s := range segments {
			if s.short() && g.within(at, s) {
				next = append(next, s)
				continue
			}
			next = append(next, g.cut(s, k, at)...)
		}
		segments = next
	}
	return segments
}

// constantsFirst returns positions, the constant ones first and ascending.
func constantsFirst(cuts []affine.Poly) []affine.Poly {
	return slices.SortedStableFunc(slices.Values(cuts), func(a, b affine.Poly) int {
		x, constant := a.Constant()
		y, other := b.Constant()
		switch {
		case constant && other:
			return cmp.Compare(x, y)
		case constant:
			return -1
		case other:
			return 1
		}
		return 0
	})
}

// short reports whether a segment has few elements, at the beginning of an axis.
func (s segment) short() bool {
	lo, known := ir.IntOf(s.Lo)
	for _, u := range s.Facts.Uppers {
		if k, ok := u.Constant(); ok && known && k-lo <= maxShort {
			return true
		}
	}
	return false
}

// within reports whether a position may be inside of a segment, neither at nor before its
// beginning, nor at or behind its end.
func (g *Builder) within(at ir.Expr, s segment) bool {
	mid := g.clamp(at, s.Lo, s.Hi)
	return !ir.Same(mid, s.Lo) && !ir.Same(mid, s.Hi)
}

func (g *Builder) cut(s segment, k affine.Poly, at ir.Expr) []segment {
	low, high := s, s
	low.Facts.Uppers = append(s.Facts.Uppers[:len(s.Facts.Uppers):len(s.Facts.Uppers)], k)
	high.Facts.Lowers = append(s.Facts.Lowers[:len(s.Facts.Lowers):len(s.Facts.Lowers)], k)
	mid := g.clamp(at, s.Lo, s.Hi)
	if ir.Same(mid, s.Lo) {
		return []segment{high}
	}
	if ir.Same(mid, s.Hi) {
		return []segment{low}
	}
	mid = g.Atom("mid", mid)
	low.Hi, high.Lo = mid, mid
	var both []segment
	if !low.Facts.empty() {
		both = append(both, low)
	}
	if !high.Facts.empty() {
		both = append(both, high)
	}
	return both
}

// clamp returns x limited to lo … hi.
func (g *Builder) clamp(x, lo, hi ir.Expr) ir.Expr {
	fx, fl, fh := g.LinearOf(x), g.LinearOf(lo), g.LinearOf(hi)
	if g.NotPositive(fx.Minus(fl)) {
		return lo
	} else if !g.NotPositive(fl.Minus(fx)) {
		x = g.Larger(x, lo)
	}
	if g.NotPositive(fh.Minus(fx)) {
		return hi
	} else if !g.NotPositive(fx.Minus(fh)) {
		x = g.Smaller(x, hi)
	}
	return x
}

// empty reports whether no number is within the bounds.
func (b *Bounds) empty() bool {
	for _, l := range b.Lowers {
		for _, u := range b.Uppers {
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
	Yes
	No
)

// Decide tests i < k with what is known of the loop variables, and notes where
// an index set could be split.
func (g *Builder) Decide(f affine.Poly) verdict {
	if r := g.RangeOfSum(f); r.Hi < 0 {
		return Yes
	} else if r.Lo >= 0 {
		return No
	}
	h := g.Normal(f)
	if g.On("knowledge") {
		if c, ok := h.Constant(); ok && c < 0 {
			return Yes
		} else if ok {
			return No
		}
		if r := g.decideBounds(h, false); r != unknown {
			return r
		}
	}
	if g.held.known.Len() > 0 {
		if g.NotPositive(f.Add(1)) {
			return Yes
		} else if g.NotPositive(f.Scaled(-1)) {
			return No
		}
	}
	if r := g.decideBounds(f, true); r != unknown || g.indexed(f) || !g.On("knowledge") {
		return r
	}
	return g.decideBounds(h, true) // it tests what is made from an index
}

// indexed reports whether f mentions the variable of a loop that may be split.
func (g *Builder) indexed(f affine.Poly) bool {
	for _, v := range f.Vars() {
		if b := g.Facts[v]; b != nil && b.record != nil {
			return true
		}
	}
	return false
}

// decideBounds tests i < k with the bounds of loop variables.
func (g *Builder) decideBounds(f affine.Poly, note bool) verdict {
	for _, v := range f.Vars() {
		b, c := g.Facts[v], f.Coef(v)
		if b != nil && (c > 1 || c < -1) {
			if r := g.decideMultiple(f, v, b, c); r != unknown {
				return r
			}
		}
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
		case (r == Yes) == (c > 0):
			return Yes
		default:
			return No
		}
		if note {
			g.note(b, k)
		}
	}
	return unknown
}

// decideMultiple tests f < 0 with the bounds of v, which f has c times.
func (g *Builder) decideMultiple(f affine.Poly, v *ir.Var, b *Bounds, c int64) verdict {
	rest := f.Minus(affine.Of(v).Scaled(c))
	if rest.Mentions(v) {
		return unknown
	}
	greatest, least := b.Uppers, b.Lowers
	if c < 0 {
		greatest, least = least, greatest
	}
	// at is f where v is at a bound, of which the upper one is not reached.
	at := func(bound affine.Poly, upper bool) affine.Poly {
		if upper {
			bound = bound.Add(-1)
		}
		return rest.Plus(bound.Scaled(c))
	}
	for _, u := range greatest {
		if g.NotPositive(at(u, c > 0).Add(1)) {
			return Yes
		}
	}
	for _, l := range least {
		if g.NotPositive(at(l, c < 0).Scaled(-1)) {
			return No
		}
	}
	return unknown
}

// below tests whether what has the bounds b is less than k.
func (g *Builder) below(b *Bounds, k affine.Poly) verdict {
	for _, u := range b.Uppers {
		if g.NotPositive(u.Minus(k)) {
			return Yes
		}
	}
	for _, l := range b.Lowers {
		if g.NotPositive(k.Minus(l)) {
			return No
		}
	}
	return unknown
}

// note records that the loop of b could be split at k.
func (g *Builder) note(b *Bounds, k affine.Poly) {
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

// Branch gives then where i < k, else els. Only the chosen one is evaluated.
func (g *Builder) Branch(i, k ir.Expr, then, els func() ir.Expr) ir.Expr {
	f := g.LinearOf(ir.Sub(i, k))
	switch g.Decide(f) {
	case Yes:
		return then()
	case No:
		return els()
	}
	return g.IfElse(ir.OpLt.Of(i, k), then, els)
}

// ByPlace reads at x where i < k, else at y; both are places of an axis of n elements
// where they are chosen. Where only the run knows which, the place is chosen and read at, so
// that loops inside have one read:
//
//	at = i < k ? x : y
//	read(at)
func (g *Builder) ByPlace(i, k, x, y, n ir.Expr, read func(at ir.Expr) ir.Expr) ir.Expr {
	first, second := func() ir.Expr { return read(x) }, func() ir.Expr { return read(y) }
	if g.dry {
		return g.Branch(i, k, first, second)
	}
	switch g.Decide(g.LinearOf(ir.Sub(i, k))) {
	case Yes:
		return first()
	case No:
		return second()
	}
	return read(g.Within(ir.Choose(ir.OpLt.Of(i, k), x, y), 0, ir.Sub(n, ir.Integer(1))))
}

// IfElse evaluates one of two scalars.
func (g *Builder) IfElse(cond ir.Expr, then, els func() ir.Expr) ir.Expr {
	if n, ok := ir.IntOf(cond); ok {
		if n != 0 {
			return then()
		}
		return els()
	}
	test := cond
	cond = g.Atom("c", cond)
	var x, y ir.Expr
	thenBlock := g.Block(func() { g.Suppose(test, true); x = then() })
	elseBlock := g.Block(func() { g.Suppose(test, false); y = els() })
	if len(thenBlock) == 0 && len(elseBlock) == 0 && !cost.IsCostly(x) && !cost.IsCostly(y) {
		return ir.Choose(cond, x, y)
	}
	v := g.NewVar("t", x.Kind())
	if x.Kind().Exact() {
		g.Ranges[v] = g.RangeOf(x).Union(g.RangeOf(y))
	}
	g.Emit(v.Decl(nil))
	g.Emit(&ir.If{Cond: cond, Then: before(thenBlock, v.Assign(x)), Else: before(elseBlock, v.Assign(y))})
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

// SegmapOrOnce is segmap, for a space that may have no axes.
func (g *Builder) SegmapOrOnce(dims []ir.Expr, body func(ix []ir.Expr)) {
	if len(dims) == 0 {
		g.Guarded(func() {
			inside := g.Nest.Inside
			body(nil)
			g.Nest.Inside = inside
		})
		return
	}
	g.Segmap(dims, body)
}

// Within binds x, which is known to lie between lo and hi.
func (g *Builder) Within(x ir.Expr, lo int64, hi ir.Expr) ir.Expr {
	u, ok := g.Atom("at", x).(*ir.Use)
	if !ok {
		return x
	}
	r := g.RangeOf(u)
	g.Ranges[u.Var] = facts.Between(max(r.Lo, lo), min(r.Hi, g.RangeOf(hi).Hi))
	return u
}
